//! Where words start and end in text of ASCII and plain two-byte letters, 64 bytes at a time.
//!
//!     text     It isn't 3.14, is_it?
//!     word     110111010101100111110   one bit for each byte: letters, digits, underscores
//!     marks    000000100010000000000   . ' : , ; that have a byte of a word on both sides
//!     joined   110111110111100111110   word, with the marks that join the bytes around them
//!     starts   100100000100000100000   joined, and not so before
//!     ends     001000001000010000001   not joined, but so before
//!
//! Bits need no branches, which text makes hard to foresee. The only branch is on a mark between two bytes of words.

use super::Punctuation;
use crate::machine::processor::{BLOCK, Masks, Processor};

use std::marker::PhantomData;
use std::ops::Range;

/// Words that are found before they are handed over, with room for a block more and for seven bits too many.
const ENOUGH: usize = 512;
const ROOM: usize = ENOUGH + BLOCK + 8;

const OTHER: u8 = 0;
const LETTER: u8 = 1; // also every byte of a plain two-byte letter
const DIGIT: u8 = 2;
const UNDERSCORE: u8 = 3; // ExtendNumLet
const MID_BOTH: u8 = 4; // MidNumLet and Single_Quote: between two letters or two digits
const MID_LETTER: u8 = 5; // between two letters
const MID_NUMBER: u8 = 6; // between two digits
const SPACE: u8 = 7; // white space and control characters: never a word

const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | 0x80..=0xff => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'.' | b'\'' => MID_BOTH,
            b':' => MID_LETTER,
            b',' | b';' => MID_NUMBER,
            0..=b' ' | 0x7f => SPACE,
            _ => OTHER,
        };
        byte += 1;
    }
    class
}

#[inline(always)]
fn class(byte: u8) -> u8 {
    CLASS[byte as usize]
}

/// Where words start and end: kept from one text to the next, so that it need not be cleared.
pub struct WordBounds {
    starts: [usize; ROOM],
    ends: [usize; ROOM],
}

impl Default for WordBounds {
    fn default() -> Self {
        WordBounds { starts: [0; ROOM], ends: [0; ROOM] }
    }
}

/// Finds the words of a range in which every byte is ASCII or part of a plain two-byte letter.
pub struct SimpleWords<'a, P> {
    bytes: &'a [u8], // until the end of the range
    punctuation: Punctuation,
    bounds: &'a mut WordBounds,
    started: usize,
    ended: usize,
    block: usize, // where the next 64 bytes start
    here: Masks,  // of these
    before: u64,  // the last bit of what was joined in the block before
    mark: u64,    // the same of marks that are words
    underscored: bool,
    processor: PhantomData<P>,
}

impl<'a, P: Processor> SimpleWords<'a, P> {
    #[inline(always)]
    pub fn new(bytes: &'a [u8], range: Range<usize>, punctuation: Punctuation, bounds: &'a mut WordBounds) -> Self {
        let (bytes, block) = (&bytes[..range.end], range.start);
        let (here, processor) = (masks::<P>(bytes, block), PhantomData);
        SimpleWords {
            bytes,
            punctuation,
            bounds,
            started: 0,
            ended: 0,
            block,
            here,
            before: 0,
            mark: 0,
            underscored: false,
            processor,
        }
    }

    /// The next words, where each starts and where it ends; empty when there are no more.
    #[inline(always)]
    pub fn next_words(&mut self) -> (&[usize], &[usize]) {
        // A word that has started and not ended yet comes first.
        self.bounds.starts[0] = self.bounds.starts[self.ended];
        (self.started, self.ended) = (self.started - self.ended, 0);
        while self.block <= self.bytes.len() && self.ended < ENOUGH {
            self.step();
            if self.underscored && self.punctuation == Punctuation::Drop {
                self.drop_underscores();
            }
        }
        (&self.bounds.starts[..self.ended], &self.bounds.ends[..self.ended])
    }

    #[inline(always)]
    fn step(&mut self) {
        let ahead = masks::<P>(self.bytes, self.block + BLOCK);
        let word = self.here.word;
        let mut joined = word;
        let mut between = self.here.mark & (word << 1 | self.before) & (word >> 1 | ahead.word << 63);
        while between != 0 {
            let bit = between.trailing_zeros();
            joined |= (joins(self.bytes, self.block + bit as usize) as u64) << bit;
            between &= between - 1;
        }
        let shifted = joined << 1 | self.before;
        let (mut starts, mut ends) = (joined & !shifted, shifted & !joined);
        if self.punctuation == Punctuation::Keep {
            let marks = visible(self.bytes, self.block) & !joined;
            starts |= marks;
            ends |= marks << 1 | self.mark;
            self.mark = marks >> 63;
        }
        self.underscored |= self.here.underscore != 0;
        self.started = positions(starts, self.block, &mut self.bounds.starts, self.started);
        self.ended = positions(ends, self.block, &mut self.bounds.ends, self.ended);
        (self.before, self.here) = (joined >> 63, ahead);
        self.block += BLOCK;
    }

    /// Leaves out what has neither letter nor digit, like `___`.
    #[cold]
    fn drop_underscores(&mut self) {
        let WordBounds { starts, ends } = &mut *self.bounds;
        let mut kept = 0;
        for place in 0..self.ended {
            (starts[kept], ends[kept]) = (starts[place], ends[place]);
            let word = &self.bytes[starts[kept]..ends[kept]];
            kept += word.iter().any(|byte| matches!(class(*byte), LETTER | DIGIT)) as usize;
        }
        starts[kept] = starts[self.ended]; // of a word that has not ended yet
        (self.started, self.ended) = (self.started - self.ended + kept, kept);
        self.underscored = self.started > self.ended;
    }
}

/// Does the mark at `at` join the bytes before and after it, like the apostrophe of "don't"?
#[inline(always)]
fn joins(bytes: &[u8], at: usize) -> bool {
    let (before, mark, after) = (class(bytes[at - 1]), class(bytes[at]), class(bytes[at + 1]));
    let letters = before == LETTER && after == LETTER;
    let digits = before == DIGIT && after == DIGIT;
    match mark {
        MID_BOTH => letters | digits,
        MID_LETTER => letters,
        _ => digits,
    }
}

/// Writes where the ones of a block are, eight at a time; returns how many places are taken now.
#[inline(always)]
fn positions(mut bits: u64, block: usize, into: &mut [usize; ROOM], taken: usize) -> usize {
    let count = bits.count_ones() as usize;
    let mut from = 0;
    loop {
        let places: &mut [usize; 8] = (&mut into[taken + from..taken + from + 8]).try_into().expect("eight");
        for place in places {
            *place = block + bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
        }
        from += 8;
        if from >= count {
            return taken + count;
        }
    }
}

/// The masks of 64 bytes; 0 beyond the end.
#[inline(always)]
fn masks<P: Processor>(bytes: &[u8], at: usize) -> Masks {
    match bytes.get(at..at + BLOCK) {
        Some(block) => P::masks(block.try_into().expect("64 bytes")),
        None => P::masks(&padded(bytes, at)),
    }
}

#[cold]
fn padded(bytes: &[u8], at: usize) -> [u8; BLOCK] {
    let (mut block, rest) = ([0; BLOCK], &bytes[at.min(bytes.len())..]);
    block[..rest.len()].copy_from_slice(rest);
    block
}

/// Bytes that show something.
fn visible(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or(&[]).iter().take(BLOCK);
    rest.enumerate().fold(0, |mask, (bit, byte)| mask | ((class(*byte) != SPACE) as u64) << bit)
}
