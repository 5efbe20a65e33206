//! Sums of numbers that are rounded once, at the end: the same in every order.
//!
//!     x = ± m · 2^(e − 1074)               m < 2^53, 0 ≤ e ≤ 2045: every finite double is such a number
//!     Σ t x · 2^1074 = Σ over e of 2^e · Σ ± t m
//!
//! The inner sums are made in 128 bits; with t < 2^32 that is room for more numbers than a memory holds.

const EXPONENTS: usize = 2046;
const LIMBS: usize = EXPONENTS / 64 + 3; // the highest power, 128 bits above it, and a sign
const MANTISSA: usize = 52; // bits that are written down

/// One sum after the other.
pub struct Rounder {
    by_exponent: Vec<i128>,
}

impl Default for Rounder {
    fn default() -> Self {
        Rounder { by_exponent: vec![0; EXPONENTS] }
    }
}

impl Rounder {
    /// Adds a number so many times; it must be finite.
    #[inline]
    pub fn add(&mut self, number: f64, times: u32) {
        let bits = number.to_bits();
        let (field, rest) = ((bits >> MANTISSA) as usize & 0x7ff, bits & ((1 << MANTISSA) - 1));
        let mantissa = if field == 0 { rest } else { rest | 1 << MANTISSA };
        let part = mantissa as i128 * times as i128;
        self.by_exponent[field.saturating_sub(1)] += if bits >> 63 == 1 { -part } else { part };
    }

    /// What was added, rounded to the nearest double, of two the even one; then all is empty again.
    pub fn finish(&mut self) -> f64 {
        let mut limbs = [0u64; LIMBS];
        for (exponent, part) in self.by_exponent.iter_mut().enumerate() {
            if *part != 0 {
                add_shifted(&mut limbs, std::mem::take(part), exponent);
            }
        }
        let negative = limbs[LIMBS - 1] >> 63 == 1;
        if negative {
            let mut carry = true;
            limbs.iter_mut().for_each(|limb| (*limb, carry) = (!*limb).overflowing_add(carry as u64));
        }
        let size = rounded(&limbs);
        if negative { -size } else { size }
    }
}

/// Adds part · 2^exponent in two's complement.
fn add_shifted(limbs: &mut [u64; LIMBS], part: i128, exponent: usize) {
    let (first, shift) = (exponent / 64, exponent % 64);
    let low = (part as u128) << shift;
    let high = if shift == 0 { part >> 127 } else { part >> (128 - shift) }; // with the sign
    let mut carry = false;
    for (place, limb) in limbs[first..].iter_mut().enumerate() {
        let more = match place {
            0 => low as u64,
            1 => (low >> 64) as u64,
            2 => high as u64,
            _ => (high >> 127) as u64,
        };
        let (sum, one) = limb.overflowing_add(more);
        let (sum, two) = sum.overflowing_add(carry as u64);
        (*limb, carry) = (sum, one || two);
    }
}

/// A whole number of 2^-1074 as the nearest double.
fn rounded(limbs: &[u64; LIMBS]) -> f64 {
    let Some(top) = limbs.iter().rposition(|limb| *limb != 0) else { return 0.0 };
    let highest = top * 64 + 63 - limbs[top].leading_zeros() as usize;
    if highest <= MANTISSA {
        return f64::from_bits(limbs[0]);
    }
    let last = highest - MANTISSA; // the lowest bit that is kept
    let bit = |place: usize| limbs[place / 64] >> (place % 64) & 1;
    let (at, shift) = (last / 64, last % 64);
    let above = limbs.get(at + 1).copied().unwrap_or(0) as u128;
    let mut mantissa = ((above << 64 | limbs[at] as u128) >> shift) as u64 & ((1 << (MANTISSA + 1)) - 1);
    let half = last - 1;
    let rest = limbs[..half / 64].iter().any(|limb| *limb != 0) || limbs[half / 64] & ((1 << (half % 64)) - 1) != 0;
    mantissa += (bit(half) == 1 && (rest || mantissa & 1 == 1)) as u64;
    // A mantissa that has become 2^53 carries into the exponent, which is what it should do.
    let bits = ((last as u64) << MANTISSA) + mantissa;
    if bits >= f64::INFINITY.to_bits() { f64::INFINITY } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[(f64, u32)]) -> f64 {
        let mut rounder = Rounder::default();
        numbers.iter().for_each(|(number, times)| rounder.add(*number, *times));
        let found = rounder.finish();
        assert_eq!(rounder.finish(), 0.0);
        found
    }

    #[test]
    fn single_numbers_come_back_as_they_are() {
        let tiny = f64::from_bits(1);
        for number in
            [0.0, 1.0, -0.1, 1e308, f64::MAX, f64::MIN, tiny, -tiny, f64::MIN_POSITIVE, 5e-310, 2.0f64.powi(-1020)]
        {
            assert_eq!(sum(&[(number, 1)]), number);
            assert_eq!(sum(&[(number, 3), (-number, 2)]), number);
        }
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(sum(&[(0.1, 10)]), 1.0);
        assert_eq!(sum(&[(1e16, 1), (1.0, 1)]), 1e16); // halfway: to even
        assert_eq!(sum(&[(1e16, 1), (1.0, 3)]), 1e16 + 4.0);
        assert_eq!(sum(&[(1e16, 1), (1.0, 1), (1e-300, 1)]), 1e16 + 2.0);
        assert_eq!(sum(&[(1e300, 1), (1.0, 1), (-1e300, 1)]), 1.0);
        assert_eq!(sum(&[(f64::MAX, 2)]), f64::INFINITY);
        assert_eq!(sum(&[(-f64::MAX, 2)]), f64::NEG_INFINITY);
        assert_eq!(sum(&[(f64::MAX, 1), (-f64::MAX, 2), (f64::MAX, 1)]), 0.0);
        assert_eq!(sum(&[(2.0f64.powi(53) - 1.0, 1), (0.5, 1)]), 2.0f64.powi(53)); // the mantissa overflows
    }

    #[test]
    fn the_largest_parts_have_room() {
        let many = u32::MAX;
        assert_eq!(sum(&[(1.5, many), (-0.75, many), (-0.75, many)]), 0.0);
        assert_eq!(sum(&[(-1.0, many); 3]), -3.0 * many as f64);
    }
}
