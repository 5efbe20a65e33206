//! Integers that are wide enough for a sum of any doubles.

/// An integer in two's complement, least significant word first.
pub struct WideInteger<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for WideInteger<N> {
    fn default() -> Self {
        WideInteger([0; N])
    }
}

impl<const N: usize> WideInteger<N> {
    /// Adds value · 2^shift.
    pub fn add(&mut self, value: i128, shift: usize) {
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

    pub fn is_negative(&self) -> bool {
        self.0[N - 1] >> 63 == 1
    }

    pub fn negate(&mut self) {
        let mut carry = true;
        self.0.iter_mut().for_each(|word| (*word, carry) = (!*word).overflowing_add(carry as u64));
    }

    /// Little-endian bytes, as few as hold the number with its sign.
    pub fn bytes(&self) -> Vec<u8> {
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
