//! Sums of numbers that are rounded once, at the end.
//!
//! The inner sums are of w < 2^32, so that 128 bits have room for more numbers than a memory holds.

use super::wide_integer::WideInteger;
use super::{EXPONENTS, STORED, parts};

const WORDS: usize = EXPONENTS / 64 + 3; // the highest power, 128 bits above it, and a sign

/// Adds up one sum after the other.
pub struct RoundedSum {
    by_exponent: Vec<i128>,
}

impl Default for RoundedSum {
    fn default() -> Self {
        RoundedSum { by_exponent: vec![0; EXPONENTS] }
    }
}

impl RoundedSum {
    /// Adds a finite number `times` times.
    #[inline]
    pub fn add(&mut self, number: f64, times: u32) {
        let (mantissa, exponent) = parts(number);
        let part = mantissa as i128 * times as i128;
        self.by_exponent[exponent] += if number.is_sign_negative() { -part } else { part };
    }

    /// What was added, rounded to the nearest double, of two the even one; then all is empty again.
    pub fn finish(&mut self) -> f64 {
        let mut sum = WideInteger::<WORDS>::default();
        for (exponent, part) in self.by_exponent.iter_mut().enumerate().filter(|(_, part)| **part != 0) {
            sum.add(std::mem::take(part), exponent);
        }
        let negative = sum.is_negative();
        if negative {
            sum.negate();
        }
        let size = rounded(&sum.0);
        if negative { -size } else { size }
    }
}

/// The double that is nearest to an integer times 2^-1074.
fn rounded(words: &[u64; WORDS]) -> f64 {
    let Some(top) = words.iter().rposition(|word| *word != 0) else { return 0.0 };
    let highest = top * 64 + 63 - words[top].leading_zeros() as usize;
    if highest <= STORED {
        return f64::from_bits(words[0]);
    }
    let last = highest - STORED; // the lowest bit that is kept
    let bit = |place: usize| words[place / 64] >> (place % 64) & 1;
    let (at, shift) = (last / 64, last % 64);
    let above = words.get(at + 1).copied().unwrap_or(0) as u128;
    let mut mantissa = ((above << 64 | words[at] as u128) >> shift) as u64 & ((1 << (STORED + 1)) - 1);
    let half = last - 1;
    let rest = words[..half / 64].iter().any(|word| *word != 0) || words[half / 64] & ((1 << (half % 64)) - 1) != 0;
    mantissa += (bit(half) == 1 && (rest || mantissa & 1 == 1)) as u64;
    // A mantissa that has become 2^53 carries into the exponent, which is what it should do.
    let bits = ((last as u64) << STORED) + mantissa;
    if bits >= f64::INFINITY.to_bits() { f64::INFINITY } else { f64::from_bits(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(numbers: &[(f64, u32)]) -> f64 {
        let mut sum = RoundedSum::default();
        numbers.iter().for_each(|(number, times)| sum.add(*number, *times));
        let found = sum.finish();
        assert_eq!(sum.finish(), 0.0);
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
