//! The sums of numbers and of their squares, by label, without any rounding.
//!
//!     Σ w x² · 2^2148 = Σ over e of 4^e · Σ w m²
//!
//! The inner sums are carried into the wide integers before they can overflow. Of m² the lower 53 bits and the others
//! are summed apart, so that a weight still fits beside them.

use super::wide_integer::WideInteger;
use super::{EXPONENTS, STORED, parts};

const MANTISSA: u32 = STORED as u32 + 1; // bits
const HALF: u64 = (1 << MANTISSA) - 1;

/// The sums of one label. The last two are integers: two's complement, little-endian, as short as possible.
#[derive(Debug, PartialEq, Eq)]
pub struct Moments {
    pub weight: u128,     // Σ w of the rows that have a number
    pub numbers: Vec<u8>, // Σ w x · 2^1074
    pub squares: Vec<u8>, // Σ w x² · 2^2148
}

/// The moments of each label; NaN is a missing number. An error says what is wrong.
pub fn moments(
    numbers: &[f64],
    labels: &[u32],
    weights: Option<&[u64]>,
    label_count: usize,
) -> Result<Vec<Moments>, String> {
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
    let rows = starts.zip(&ends).map(|(start, end)| start..*end);
    Ok(rows.map(|rows| buckets.sum(&numbers[rows.clone()], weights.get(rows))).collect())
}

/// The numbers and their weights (none: all are 1), label by label, and where each label ends. Missing ones are left
/// out.
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
    room: usize, // rows that never overflow a bucket
}

impl Buckets {
    fn new(largest_weight: u64) -> Buckets {
        let bits = MANTISSA + u64::BITS - largest_weight.leading_zeros(); // of a product of weight and mantissa
        Buckets { by_exponent: vec![Bucket::default(); EXPONENTS], room: 1 << (127 - bits).min(24) }
    }

    fn sum(&mut self, numbers: &[f64], weights: Option<&[u64]>) -> Moments {
        // Wide enough for 2^64 rows with weights of 2^64.
        let (mut first, mut second) = (WideInteger::<36>::default(), WideInteger::<69>::default());
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
        Moments { weight: weight_of_all, numbers: first.bytes(), squares: second.bytes() }
    }

    /// Adds a finite number and returns its bucket.
    #[inline(always)]
    fn add(&mut self, number: f64, weight: u64) -> usize {
        let (mantissa, exponent) = parts(number);
        let bucket = &mut self.by_exponent[exponent];
        let (product, square) = ((weight as u128 * mantissa as u128) as i128, mantissa as u128 * mantissa as u128);
        bucket.numbers += if number.is_sign_negative() { -product } else { product };
        bucket.low += (weight as u128 * (square as u64 & HALF) as u128) as i128;
        bucket.high += (weight as u128 * (square >> MANTISSA)) as i128;
        exponent
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
    fn expected(numbers: &[f64], weights: &[u64]) -> Moments {
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
        Moments { weight: weight.sum(), numbers: plain(&first), squares: plain(&second) }
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
        let found = moments(&[1.0, -1.0, 0.5], &[0, 1, 2], None, 4).unwrap();
        assert_eq!(
            (found[0].weight, &found[0].numbers, &found[0].squares),
            (1, &power_of_two(1074), &power_of_two(2148))
        );
        assert_eq!(found[1].numbers, plain(&[(true, 1, 1074)]));
        assert_eq!((&found[1].squares, &found[2].squares), (&power_of_two(2148), &power_of_two(2146)));
        assert_eq!(found[3], Moments { weight: 0, numbers: vec![0], squares: vec![0] });
    }

    #[test]
    fn numbers_of_every_size_are_summed_exactly_with_every_weight() {
        let patterns = generated(3000, 1);
        let mut numbers: Vec<f64> =
            patterns.iter().map(|bits| f64::from_bits(*bits)).filter(|n| n.is_finite()).collect();
        numbers.extend([0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -5e-324, f64::NAN, 1e9 + 1e-6]);
        for weights in [vec![1; numbers.len()], vec![1 << 50; numbers.len()], generated(numbers.len(), 2)] {
            let found = moments(&numbers, &vec![0; numbers.len()], Some(&weights), 1).unwrap();
            assert_eq!(found, [expected(&numbers, &weights)]);
        }
    }

    #[test]
    fn more_rows_than_a_bucket_holds_are_carried_in_time() {
        let (rows, most) = (1100, u64::MAX); // a bucket holds 1024 of these
        assert_eq!(Buckets::new(most).room, 1024);
        let number = f64::from_bits(f64::MAX.to_bits() - 1);
        let found = moments(&vec![-number; rows], &vec![0; rows], Some(&vec![most; rows]), 1).unwrap();
        assert_eq!(found, [expected(&vec![-number; rows], &vec![most; rows])]);
    }

    #[test]
    fn any_order_gives_the_same_and_labels_are_apart() {
        let mut numbers: Vec<f64> = generated(500, 3).iter().map(|bits| 1e9 + (*bits as f64) / 1e25).collect();
        let mut labels: Vec<u32> = (0..500).map(|row| row % 3).collect();
        let found = moments(&numbers, &labels, None, 3).unwrap();
        for (label, found) in found.iter().enumerate() {
            let own: Vec<f64> = numbers.iter().skip(label).step_by(3).copied().collect();
            assert_eq!(*found, expected(&own, &vec![1; own.len()]));
        }
        numbers.reverse();
        labels.reverse();
        assert_eq!(moments(&numbers, &labels, None, 3).unwrap(), found);
    }

    #[test]
    fn what_cannot_be_summed_is_refused() {
        assert_eq!(
            moments(&[0.0, f64::NEG_INFINITY], &[0, 0], None, 1).unwrap_err(),
            "the number of row 1 is infinite"
        );
        assert_eq!(moments(&[0.0], &[1], None, 1).unwrap_err(), "there is no such label");
        assert!(moments(&[0.0], &[], None, 1).unwrap_err().contains("same length"));
        assert!(moments(&[0.0], &[0], Some(&[]), 1).unwrap_err().contains("same length"));
    }
}
