//! The texts of a column.
//!
//! They are held as views: where in which buffer each text is. So Arrow's strings are read in place, and choosing rows
//! copies no text.

use arrow_buffer::Buffer;

const NOWHERE: u32 = u32::MAX; // the buffer of a text that is missing

#[derive(Clone, Copy)]
struct View {
    start: u64,
    len: u32,
    buffer: u32,
}

/// Strings in buffers that they may share. All bytes that a view points to have been checked to be UTF-8.
#[derive(Clone, Default)]
pub struct Texts {
    buffers: Vec<Buffer>,
    views: Vec<View>,
}

impl Texts {
    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    #[inline]
    pub fn get(&self, row: usize) -> Option<&str> {
        let View { start, len, buffer } = self.views[row];
        let bytes = &self.buffers.get(buffer as usize)?[start as usize..start as usize + len as usize];
        // SAFETY: views come from `Texts::push` and `TextBuilder::finish` only, and these check; buffers never change.
        Some(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    pub fn bytes(&self) -> u64 {
        self.views.iter().map(|view| view.len as u64).sum()
    }

    /// The bytes of each text; 0 if it is missing.
    pub fn sizes(&self) -> Vec<u64> {
        self.views.iter().map(|view| view.len as u64).collect()
    }

    pub fn complete(&self) -> bool {
        self.views.iter().all(|view| view.buffer != NOWHERE)
    }

    pub fn reserve(&mut self, rows: usize) {
        self.views.reserve(rows);
    }

    pub fn push_missing(&mut self) {
        self.views.push(View { start: 0, len: 0, buffer: NOWHERE });
    }

    /// The buffer's number for `push`.
    pub fn add_buffer(&mut self, buffer: Buffer) -> u32 {
        self.buffers.push(buffer);
        self.buffers.len() as u32 - 1
    }

    /// A string inside a buffer of this column, which is checked, so that a view cannot point at
    /// anything else.
    pub fn push(&mut self, buffer: u32, text: &str) {
        let held = &self.buffers[buffer as usize];
        let start = (text.as_ptr() as usize).wrapping_sub(held.as_ptr() as usize);
        let inside = text.is_empty() || start.checked_add(text.len()).is_some_and(|end| end <= held.len());
        assert!(inside, "a text lies inside its buffer");
        let len = u32::try_from(text.len()).expect("a text has less than 4 GB");
        self.views.push(View { start: if len == 0 { 0 } else { start as u64 }, len, buffer });
    }

    /// Adds texts of another column, by their rows there.
    pub fn extend(&mut self, other: &Texts, rows: impl Iterator<Item = Option<usize>>) {
        let offset = self.buffers.len() as u32;
        self.buffers.extend_from_slice(&other.buffers);
        for row in rows {
            match row.map(|row| other.views[row]).filter(|view| view.buffer != NOWHERE) {
                Some(view) => self.views.push(View { buffer: view.buffer + offset, ..view }),
                None => self.push_missing(),
            }
        }
    }

    /// Some of the texts, in place; or copied, if that frees more than half of the memory.
    pub fn keep(&self, rows: &[u32]) -> Texts {
        let views = rows.iter().map(|row| self.views[*row as usize]).collect();
        let kept = Texts { buffers: self.buffers.clone(), views };
        let held: usize = self.buffers.iter().map(|buffer| buffer.len()).sum();
        if kept.bytes() as usize * 2 < held { Texts::of((0..kept.len()).map(|row| kept.get(row))) } else { kept }
    }

    pub fn of<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Texts {
        let mut builder = TextBuilder::default();
        for text in texts {
            match text {
                Some(text) => builder.push(text.as_bytes()),
                None => builder.push_missing(),
            }
        }
        builder.finish()
    }
}

/// Texts while they are read, end to end.
#[derive(Default)]
pub struct TextBuilder {
    text: Vec<u8>,
    views: Vec<View>,
}

impl TextBuilder {
    /// Adds what `write` appends. The bytes are checked all at once, at the end.
    #[inline]
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        let len = u32::try_from(self.text.len() - start).expect("a text has less than 4 GB");
        self.views.push(View { start: start as u64, len, buffer: 0 });
    }

    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.push_with(|all| all.extend_from_slice(text));
    }

    pub fn push_missing(&mut self) {
        self.views.push(View { start: 0, len: 0, buffer: NOWHERE });
    }

    /// The texts. Each text that was pushed must be valid UTF-8 by itself.
    pub fn finish(self) -> Texts {
        let text = simdutf8::basic::from_utf8(&self.text).expect("pushed texts are UTF-8");
        let whole = |view: &View| text.is_char_boundary(view.start as usize);
        assert!(self.views.iter().all(whole), "each text is UTF-8"); // where one starts the one before it ends
        Texts { buffers: vec![Buffer::from_vec(self.text)], views: self.views }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_of_a_large_column_do_not_hold_all_of_it() {
        let all = Texts::of([Some("long enough"), None, Some("a")]);
        let few = all.keep(&[2, 1]);
        assert_eq!((few.get(0), few.get(1), few.buffers[0].len()), (Some("a"), None, 1));
        assert_eq!(all.keep(&[0, 0]).buffers[0].as_ptr(), all.buffers[0].as_ptr());
    }

    #[test]
    #[should_panic(expected = "each text is UTF-8")]
    fn halves_of_a_character_are_no_texts() {
        let mut builder = TextBuilder::default();
        builder.push(&"ж".as_bytes()[..1]);
        builder.push(&"ж".as_bytes()[1..]);
        builder.finish();
    }
}
