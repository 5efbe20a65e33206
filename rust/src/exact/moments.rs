//! Sums of numbers and of their squares without any rounding: the same in every order and for every split.
//!
//!     x = ± m · 2^(e − 1074)               m < 2^53, 0 ≤ e ≤ 2045: every finite double is such a number
//!     Σ w x  · 2^1074 = Σ over e of 2^e · Σ ± w m
//!     Σ w x² · 2^2148 = Σ over e of 4^e · Σ w m²
//!
//! The inner sums are made in 128 bits, one for each e, and carried into one long number before they can overflow. Of m²
//! the lower 53 bits and the others are summed apart, so that a weight still fits beside them.

const MANTISSA: u32 = 53; // bits
const EXPONENTS: usize = 2046;
const HALF: u64 = (1 << MANTISSA) - 1;

/// What was summed for one label. The two sums are whole numbers: two's complement, little-endian, as short as can be.
#[derive(Debug, PartialEq, Eq)]
pub struct Sums {
    pub weight: u128,     // Σ w of the rows that have a number
    pub numbers: Vec<u8>, // Σ w x · 2^1074
    pub squares: Vec<u8>, // Σ w x² · 2^2148
}

/// The sums of each label; NaN is a missing number. An error says what is wrong.
pub fn sums(numbers: &[f64], labels: &[u32], weights: Option<&[u64]>, label_count: usize) -> Result<Vec<Sums>, String> {
    if labels.len() != numbers.len() || weights.is_some_and(|weights| weights.len() != numbers.len()) {
        return Err("numbers, labels and weights must have the same length".to_owned());
    }
    if let Some(row) = numbers.iter().position(|number| number.is_infinite()) {
        return Err(format!("the number of row {row} is infinite"));
    }
    if labels.iter().any(|label| *label as usize >= label_count) {
        return Err("there is no such label".to_owned());
    }
    let (numbers, weights, ends) = by_label(numbers, labels, weights, label_count);
    let mut buckets = Buckets::new(weights.iter().max().copied().unwrap_or(1));
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let stretches = starts.zip(&ends).map(|(start, end)| start..*end);
    Ok(stretches.map(|rows| buckets.sum(&numbers[rows.clone()], weights.get(rows))).collect())
}

/// The numbers and their weights (none: all are 1), label by label, and where each label ends. Missing ones are left out.
fn by_label(
    numbers: &[f64],
    labels: &[u32],
    weights: Option<&[u64]>,
    label_count: usize,
) -> (Vec<f64>, Vec<u64>, Vec<usize>) {
    let rows = || numbers.iter().zip(labels).enumerate().filter(|(_, (number, _))| !number.is_nan());
    let mut places = vec![0; label_count];
    rows().for_each(|(_, (_, label))| places[*label as usize] += 1);
    let mut before = 0;
    for place in &mut places {
        before += std::mem::replace(place, before);
    }
    let (mut sorted, mut sorted_weights) = (vec![0.0; before], vec![0; weights.map_or(0, |_| before)]);
    for (row, (number, label)) in rows() {
        let place = &mut places[*label as usize];
        sorted[*place] = *number;
        if let Some(weights) = weights {
            sorted_weights[*place] = weights[row];
        }
        *place += 1;
    }
    (sorted, sorted_weights, places) // each place has moved to the end
}

#[derive(Default, Clone, Copy)]
struct Bucket {
    numbers: i128,
    low: i128, // of the squares
    high: i128,
}

/// One bucket for each e.
struct Buckets {
    by_exponent: Vec<Bucket>,
    room: usize, // so many rows never overflow a bucket
}

impl Buckets {
    fn new(largest_weight: u64) -> Buckets {
        let bits = MANTISSA + u64::BITS - largest_weight.leading_zeros(); // of a product of weight and mantissa
        Buckets { by_exponent: vec![Bucket::default(); EXPONENTS], room: 1 << (127 - bits).min(24) }
    }

    fn sum(&mut self, numbers: &[f64], weights: Option<&[u64]>) -> Sums {
        let (mut first, mut second) = (Long::<36>::default(), Long::<69>::default()); // 2^64 rows of 2^64 each fit
        let mut weight_of_all = 0;
        for (piece, numbers) in numbers.chunks(self.room).enumerate() {
            let (mut low, mut high) = (EXPONENTS, 0);
            for (row, number) in numbers.iter().enumerate() {
                let weight = weights.map_or(1, |weights| weights[piece * self.room + row]);
                weight_of_all += weight as u128;
                let exponent = self.add(*number, weight);
                (low, high) = (low.min(exponent), high.max(exponent + 1));
            }
            for exponent in low..high {
                let bucket = std::mem::take(&mut self.by_exponent[exponent]);
                first.add(bucket.numbers, exponent);
                second.add(bucket.low, 2 * exponent);
                second.add(bucket.high, 2 * exponent + MANTISSA as usize);
            }
        }
        Sums { weight: weight_of_all, numbers: first.bytes(), squares: second.bytes() }
    }

    /// Adds a finite number and says to which bucket.
    #[inline(always)]
    fn add(&mut self, number: f64, weight: u64) -> usize {
        let bits = number.to_bits();
        let field = (bits >> 52) as usize & 0x7ff;
        let mantissa = bits & (HALF >> 1) | ((field != 0) as u64) << 52; // field 0: subnormal, without the hidden bit
        let exponent = field.saturating_sub(1);
        let bucket = &mut self.by_exponent[exponent];
        let (product, square) = ((weight as u128 * mantissa as u128) as i128, mantissa as u128 * mantissa as u128);
        bucket.numbers += if number.is_sign_negative() { -product } else { product };
        bucket.low += (weight as u128 * (square as u64 & HALF) as u128) as i128;
        bucket.high += (weight as u128 * (square >> MANTISSA)) as i128;
        exponent
    }
}

/// A whole number in two's complement, least significant word first.
struct Long<const N: usize>([u64; N]);

impl<const N: usize> Default for Long<N> {
    fn default() -> Self {
        Long([0; N])
    }
}

impl<const N: usize> Long<N> {
    /// Adds value · 2^shift.
    fn add(&mut self, value: i128, shift: usize) {
        if value == 0 {
            return;
        }
        let (skipped, bit) = (shift / 64, shift % 64);
        let (low, sign) = ((value << bit) as u128, (value >> 127) as u64);
        let above = if bit == 0 { sign } else { (value >> (128 - bit)) as u64 };
        let words = [low as u64, (low >> 64) as u64, above].into_iter().chain(std::iter::repeat(sign));
        let mut carry = false;
        for (word, more) in self.0[skipped..].iter_mut().zip(words) {
            let (sum, first) = word.overflowing_add(more);
            let (sum, second) = sum.overflowing_add(carry as u64);
            (*word, carry) = (sum, first | second);
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.0.iter().flat_map(|word| word.to_le_bytes()).collect();
        while let [.., next, last] = bytes[..] {
            let sign = if next & 0x80 == 0 { 0 } else { 0xff };
            if last != sign {
                break;
            }
            bytes.pop();
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power_of_two(exponent: usize) -> Vec<u8> {
        let mut bytes = vec![0; exponent / 8];
        bytes.push(1 << (exponent % 8));
        if exponent % 8 == 7 {
            bytes.push(0); // the sign
        }
        bytes
    }

    /// Σ ± 2^exponent · times, bit by bit.
    fn plain(terms: &[(bool, u128, usize)]) -> Vec<u8> {
        let mut bits = vec![0i64; 4600];
        for (negative, times, exponent) in terms {
            for bit in (0..128).filter(|bit| times >> bit & 1 == 1) {
                bits[exponent + bit] += if *negative { -1 } else { 1 };
            }
        }
        let mut carry = 0;
        for bit in &mut bits {
            let sum = *bit + carry;
            (*bit, carry) = (sum & 1, sum >> 1);
        }
        let byte = |eight: &[i64]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | *bit as u8);
        let mut bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
        while bytes.len() > 1 && bytes[bytes.len() - 1] == if bytes[bytes.len() - 2] < 128 { 0 } else { 255 } {
            bytes.pop();
        }
        bytes
    }

    /// The same with every number taken to pieces, and nothing shared with what is tested but the format of doubles.
    fn expected(numbers: &[f64], weights: &[u64]) -> Sums {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (number, weight) in numbers.iter().zip(weights).filter(|(number, _)| !number.is_nan()) {
            let (size, field) = (number.abs().to_bits(), number.abs().to_bits() >> 52);
            let (mantissa, exponent) =
                if field == 0 { (size, 0) } else { (size % (1 << 52) + (1 << 52), field as usize - 1) };
            for bit in (0..64).filter(|bit| weight >> bit & 1 == 1) {
                first.push((*number < 0.0, mantissa as u128, exponent + bit));
                second.push((false, mantissa as u128 * mantissa as u128, 2 * exponent + bit));
            }
        }
        let weight =
            numbers.iter().zip(weights).filter(|(number, _)| !number.is_nan()).map(|(_, weight)| *weight as u128);
        Sums { weight: weight.sum(), numbers: plain(&first), squares: plain(&second) }
    }

    /// Numbers of every size and sign, from a generator that is the same everywhere.
    fn generated(count: usize, mut state: u64) -> Vec<u64> {
        let step = |_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state ^ state >> 29).wrapping_mul(0xbf58476d1ce4e5b9)
        };
        (0..count).map(step).collect()
    }

    #[test]
    fn one_is_a_power_of_two_and_minus_one_its_opposite() {
        let found = sums(&[1.0, -1.0, 0.5], &[0, 1, 2], None, 4).unwrap();
        assert_eq!(
            (found[0].weight, &found[0].numbers, &found[0].squares),
            (1, &power_of_two(1074), &power_of_two(2148))
        );
        assert_eq!(found[1].numbers, plain(&[(true, 1, 1074)]));
        assert_eq!((&found[1].squares, &found[2].squares), (&power_of_two(2148), &power_of_two(2146)));
        assert_eq!(found[3], Sums { weight: 0, numbers: vec![0], squares: vec![0] });
    }

    #[test]
    fn numbers_of_every_size_are_summed_exactly_with_every_weight() {
        let patterns = generated(3000, 1);
        let mut numbers: Vec<f64> =
            patterns.iter().map(|bits| f64::from_bits(*bits)).filter(|n| n.is_finite()).collect();
        numbers.extend([0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324, f64::NAN, 1e9 + 1e-6]);
        for weights in [vec![1; numbers.len()], vec![1 << 50; numbers.len()], generated(numbers.len(), 2)] {
            let found = sums(&numbers, &vec![0; numbers.len()], Some(&weights), 1).unwrap();
            assert_eq!(found, [expected(&numbers, &weights)]);
        }
    }

    #[test]
    fn more_rows_than_a_bucket_holds_are_carried_in_time() {
        let (rows, most) = (1100, u64::MAX); // a bucket holds 1024 of these
        assert_eq!(Buckets::new(most).room, 1024);
        let number = f64::from_bits(f64::MAX.to_bits() - 1);
        let found = sums(&vec![-number; rows], &vec![0; rows], Some(&vec![most; rows]), 1).unwrap();
        assert_eq!(found, [expected(&vec![-number; rows], &vec![most; rows])]);
    }

    #[test]
    fn any_order_gives_the_same_and_labels_are_apart() {
        let mut numbers: Vec<f64> = generated(500, 3).iter().map(|bits| 1e9 + (*bits as f64) / 1e25).collect();
        let mut labels: Vec<u32> = (0..500).map(|row| row % 3).collect();
        let found = sums(&numbers, &labels, None, 3).unwrap();
        for (label, found) in found.iter().enumerate() {
            let own: Vec<f64> = numbers.iter().skip(label).step_by(3).copied().collect();
            assert_eq!(*found, expected(&own, &vec![1; own.len()]));
        }
        numbers.reverse();
        labels.reverse();
        assert_eq!(sums(&numbers, &labels, None, 3).unwrap(), found);
    }

    #[test]
    fn what_cannot_be_summed_is_refused() {
        assert_eq!(sums(&[0.0, f64::NEG_INFINITY], &[0, 0], None, 1).unwrap_err(), "the number of row 1 is infinite");
        assert_eq!(sums(&[0.0], &[1], None, 1).unwrap_err(), "there is no such label");
        assert!(sums(&[0.0], &[], None, 1).unwrap_err().contains("same length"));
        assert!(sums(&[0.0], &[0], Some(&[]), 1).unwrap_err().contains("same length"));
    }
}
