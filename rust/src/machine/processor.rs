//! Instructions that some processors have: one body of code is compiled for every processor, and once more for those.
//!
//! Nearly all unsafe code of the kernel is in this file.

/// Bytes that are looked at together.
pub const BLOCK: usize = 64;

/// One bit for each byte of a block.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Masks {
    pub word: u64,       // letters, digits, underscores, and every byte that is not ASCII
    pub mark: u64,       // . ' : , ;
    pub underscore: u64, // part of `word`
}

/// The high bit of each of eight bytes.
pub const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The instructions differ between processors; the results do not.
pub trait Processor {
    fn masks(block: &[u8; BLOCK]) -> Masks;

    /// Sixteen ASCII bytes in lower case.
    fn lower_ascii(first: u64, second: u64) -> (u64, u64);
}

/// Nothing is known about it.
pub struct Portable;

impl Processor for Portable {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks::default();
        for (place, eight) in block.chunks_exact(8).enumerate() {
            let found = masks_of_eight(u64::from_le_bytes(eight.try_into().expect("eight bytes")));
            masks.word |= found.word << (8 * place);
            masks.mark |= found.mark << (8 * place);
            masks.underscore |= found.underscore << (8 * place);
        }
        masks
    }

    #[inline(always)]
    fn lower_ascii(first: u64, second: u64) -> (u64, u64) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let lower = |word: u64| {
            let from_a = word + ONES * (0x80 - b'A' as u64); // high bit set where byte >= 'A'
            let above_z = word + ONES * (0x7f - b'Z' as u64); // high bit set where byte > 'Z'
            word | ((from_a & !above_z & HIGH_BITS) >> 2)
        };
        (lower(first), lower(second))
    }
}

/// Eight bytes at once, in one machine word.
#[inline(always)]
fn masks_of_eight(bytes: u64) -> Masks {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (high, ascii) = (bytes & HIGH_BITS, bytes & !HIGH_BITS);
    // The high bit of each byte tells the result of a comparison; no byte carries into the next.
    let from = |bytes: u64, low: u8| bytes + ONES * (0x80 - low as u64);
    let within = |bytes: u64, low: u8, high: u8| from(bytes, low) & !from(bytes, high + 1);
    let is = |byte: u8| !((ascii ^ (ONES * byte as u64)) + !HIGH_BITS);
    let underscore = is(b'_') & !high;
    let word = within(ascii | (ONES * 0x20), b'a', b'z') | within(ascii, b'0', b'9') | underscore | high;
    let mark = (is(b'.') | is(b'\'') | is(b':') | is(b',') | is(b';')) & !high;
    // One bit for each byte, gathered at the top by a multiplication.
    let bits = |mask: u64| ((mask & HIGH_BITS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    Masks { word: bits(word), mark: bits(mark), underscore: bits(underscore) }
}

/// x86_64 from about 2015 on: 32 bytes at once, and instructions for single bits. Named only where it is available.
#[cfg(target_arch = "x86_64")]
pub struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    #[inline]
    pub fn is_available() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

#[cfg(target_arch = "x86_64")]
impl Processor for Avx2 {
    #[inline(always)]
    fn masks(block: &[u8; BLOCK]) -> Masks {
        let (low, high) = block.split_at(BLOCK / 2);
        let half = |bytes: &[u8]| {
            // SAFETY: the processor has it, see `Avx2`.
            unsafe { masks_of_half(bytes.try_into().expect("32 bytes")) }
        };
        let (low, high) = (half(low), half(high));
        let both = |place: usize| low[place] as u64 | (high[place] as u64) << 32;
        Masks { word: both(0), mark: both(1), underscore: both(2) }
    }

    #[inline(always)]
    fn lower_ascii(first: u64, second: u64) -> (u64, u64) {
        // SAFETY: the processor has it, see `Avx2`.
        unsafe { lower_sixteen(first, second) }
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn masks_of_half(bytes: &[u8; BLOCK / 2]) -> [u32; 3] {
    // SAFETY: the load stays inside the 32 bytes.
    let byte = unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) };
    let all = |byte: u8| _mm256_set1_epi8(byte as i8);
    let is = |byte: __m256i, value: u8| _mm256_cmpeq_epi8(byte, all(value));
    let within = |byte: __m256i, low: u8, high: u8| {
        // Signed comparison of bytes moved so that the range starts at the smallest value.
        let moved = _mm256_add_epi8(byte, all(0x80u8.wrapping_sub(low)));
        _mm256_cmpgt_epi8(all(0x80u8.wrapping_add(high - low + 1)), moved)
    };
    let letter = within(_mm256_or_si256(byte, all(0x20)), b'a', b'z');
    let digit = within(byte, b'0', b'9');
    let underscore = is(byte, b'_');
    let word = _mm256_or_si256(_mm256_or_si256(letter, digit), _mm256_or_si256(underscore, byte)); // high bit: not ASCII
    let colons = is(_mm256_and_si256(byte, all(0xfe)), b':'); // : ;
    let stops = is(_mm256_and_si256(byte, all(0xfd)), b','); // , .
    let mark = _mm256_or_si256(_mm256_or_si256(colons, stops), is(byte, b'\''));
    [word, mark, underscore].map(|mask| _mm256_movemask_epi8(mask) as u32)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn lower_sixteen(first: u64, second: u64) -> (u64, u64) {
    let byte = _mm_set_epi64x(second as i64, first as i64);
    let moved = _mm_add_epi8(byte, _mm_set1_epi8(0x80u8.wrapping_sub(b'A') as i8));
    let upper = _mm_cmplt_epi8(moved, _mm_set1_epi8((0x80u8 + 26) as i8));
    let lower = _mm_or_si128(byte, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
    (_mm_cvtsi128_si64(lower) as u64, _mm_extract_epi64::<1>(lower) as u64)
}

/// Tells the processor that this place will be read soon.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the address is that of a reference; a prefetch reads nothing.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, byte after byte.
    fn masks_of(block: &[u8; BLOCK]) -> Masks {
        let mut masks = Masks::default();
        for (bit, byte) in block.iter().enumerate() {
            let word = byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
            masks.word |= (word as u64) << bit;
            masks.mark |= (b".':,;".contains(byte) as u64) << bit;
            masks.underscore |= ((*byte == b'_') as u64) << bit;
        }
        masks
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn every_byte_is_treated_alike_on_all_processors() {
        if !Avx2::is_available() {
            return;
        }
        for byte in (0..=255u8).step_by(if cfg!(miri) { 51 } else { 1 }) {
            for place in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[place] = byte;
                assert_eq!(Portable::masks(&block), masks_of(&block), "{byte}");
                assert_eq!(Avx2::masks(&block), masks_of(&block), "{byte}");
                let word = |at: usize| u64::from_le_bytes(block[at..at + 8].try_into().unwrap());
                if byte < 0x80 {
                    assert_eq!(Portable::lower_ascii(word(0), word(8)), Avx2::lower_ascii(word(0), word(8)), "{byte}");
                }
            }
        }
    }
}
