//! Records out of blocks of bytes that are cut anywhere: an incomplete record waits for the next block.

const SMALL: usize = 1 << 20; // bytes that may be looked at again with every block

#[derive(Default)]
pub struct Blocks {
    rest: Vec<u8>,
    enough: usize, // bytes that the rest must have before it is looked at again, so that long records take linear time
}

impl Blocks {
    /// Calls `read` with runs of bytes. It reads the records that are complete and returns how many bytes they have.
    /// The last run ends with a line end, and must be read as a whole.
    pub fn push(&mut self, block: &[u8], last: bool, mut read: impl FnMut(&[u8], bool) -> usize) {
        let mut block = block;
        while !self.rest.is_empty() && !block.is_empty() {
            let before = self.rest.len();
            let (taken, left) = block.split_at(block.len().min((self.enough - before).max(1 << 16)));
            self.rest.extend_from_slice(taken);
            if self.rest.len() < self.enough {
                block = left;
                continue;
            }
            let used = read(&self.rest, false);
            if used > before {
                block = &block[used - before..];
                self.rest.clear();
            } else {
                block = left;
                self.rest.drain(..used);
                self.wait();
            }
        }
        if !block.is_empty() {
            let used = read(block, false);
            self.rest.extend_from_slice(&block[used..]);
            self.wait();
        }
        if last && !self.rest.is_empty() {
            if self.rest.last() != Some(&b'\n') {
                self.rest.push(b'\n');
            }
            let used = read(&self.rest, true);
            debug_assert_eq!(used, self.rest.len());
            self.rest = Vec::new();
        }
    }

    fn wait(&mut self) {
        self.enough = if self.rest.len() < SMALL { self.rest.len() + 1 } else { self.rest.len() * 2 };
    }
}
