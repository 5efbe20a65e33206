//! IdLists of ids, and what takes them.

/// IdLists of ids, one for each document, end to end.
#[derive(Default, Debug)]
pub struct IdLists {
    pub ids: Vec<u32>,
    pub ends: Vec<usize>,
}

impl IdLists {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    pub fn get(&self, document: usize) -> &[u32] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.ids[start..self.ends[document]]
    }
}

/// Takes the terms of documents, some documents at a time, while they are in the processor's cache.
pub trait TermSink: Send {
    /// The terms of the next documents, whose ids are below `ids`.
    fn take(&mut self, lists: &IdLists, ids: usize);
}

/// Keeps them all.
impl TermSink for IdLists {
    fn take(&mut self, lists: &IdLists, _: usize) {
        let before = self.ids.len();
        self.ids.extend_from_slice(&lists.ids);
        self.ends.extend(lists.ends.iter().map(|end| before + end));
    }
}
