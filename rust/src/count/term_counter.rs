//! How often each term occurs in one document.

/// Counts the terms of one document after the other.
///
/// For a large batch there is a place for each id; whether a term is new in the document is a coin toss, so nothing
/// branches on it. For a small one, and a large vocabulary, there is a table as large as the document's own vocabulary.
/// Both give the same.
pub struct TermCounter {
    by_id: Vec<u32>, // empty: use the small table
    small: SmallTable,
    order: Vec<u32>,
    items: Vec<(u32, u32)>, // (id, times), in order of first sight
}

impl TermCounter {
    /// For documents with ids below `ids` and about this many terms in all.
    pub fn new(ids: usize, terms: usize) -> TermCounter {
        let by_id = if terms >= ids / 8 { vec![0; ids] } else { Vec::new() };
        TermCounter { by_id, small: SmallTable::default(), order: Vec::new(), items: Vec::new() }
    }

    /// Makes room for ids below this.
    pub fn grow(&mut self, ids: usize) {
        if !self.by_id.is_empty() && self.by_id.len() < ids {
            self.by_id.resize(ids * 2, 0);
        }
    }

    pub fn count(&mut self, ids: &[u32]) -> &[(u32, u32)] {
        self.items.clear();
        if self.by_id.is_empty() {
            self.small.fill(ids, &mut self.items);
            return &self.items;
        }
        if self.order.len() <= ids.len() {
            self.order.resize(ids.len() + 1, 0);
        }
        let (by_id, order, mut distinct) = (&mut self.by_id[..], &mut self.order[..], 0);
        for id in ids {
            let times = &mut by_id[*id as usize];
            order[distinct] = *id;
            distinct += (*times == 0) as usize;
            *times += 1;
        }
        self.items.extend(order[..distinct].iter().map(|id| (*id, std::mem::take(&mut by_id[*id as usize]))));
        &self.items
    }
}

/// A table that stays in the first-level cache; `epoch` makes clearing it free.
#[derive(Default)]
struct SmallTable {
    slots: Vec<(u32, u32)>, // (epoch, place in items)
    epoch: u32,
}

impl SmallTable {
    fn fill(&mut self, ids: &[u32], items: &mut Vec<(u32, u32)>) {
        if self.epoch == u32::MAX {
            *self = SmallTable::default();
        }
        self.epoch += 1;
        for id in ids {
            if items.len() * 2 >= self.slots.len() {
                self.grow(items);
            }
            let at = self.locate(*id, items);
            if self.slots[at].0 == self.epoch {
                items[self.slots[at].1 as usize].1 += 1;
            } else {
                self.slots[at] = (self.epoch, items.len() as u32);
                items.push((*id, 1));
            }
        }
    }

    /// The slot that holds the id, or the free one where it belongs.
    fn locate(&self, id: u32, items: &[(u32, u32)]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (id.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask;
        while self.slots[at].0 == self.epoch && items[self.slots[at].1 as usize].0 != id {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self, items: &[(u32, u32)]) {
        self.slots = vec![(0, 0); (self.slots.len() * 2).max(256)];
        self.epoch = 1;
        for (place, (id, _)) in items.iter().enumerate() {
            let at = self.locate(*id, items);
            self.slots[at] = (self.epoch, place as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted_in_order_of_first_sight_whatever_its_size() {
        let many: Vec<u32> = (0..1000).chain(0..1000).collect();
        for mut counter in [TermCounter::new(1000, 2000), TermCounter::new(1_000_000, 6)] {
            for _ in 0..2 {
                assert_eq!(counter.count(&[7, 3, 7, 7, 3, 9]), [(7, 3), (3, 2), (9, 1)]);
                assert!(counter.count(&many).iter().enumerate().all(|(place, item)| *item == (place as u32, 2)));
                assert!(counter.count(&[]).is_empty());
            }
        }
    }
}
