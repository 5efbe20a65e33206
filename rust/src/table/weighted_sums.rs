//! The sums of the weights of terms, by term and label, beside the counts. Most tables have none, and then these cost
//! nothing.

use smallvec::SmallVec;

#[derive(Default, Clone)]
pub struct WeightedSums {
    by_id: Vec<SmallVec<[(u32, u64); 1]>>, // label and sum, sorted by label; other sums are 0
}

impl WeightedSums {
    #[inline]
    pub fn get(&self, id: u32, label: u32) -> u64 {
        let Some(row) = self.by_id.get(id as usize) else { return 0 };
        row.binary_search_by_key(&label, |(label, _)| *label).map_or(0, |at| row[at].1)
    }

    pub fn add(&mut self, id: u32, label: u32, weighted: u64) {
        if self.by_id.len() <= id as usize {
            self.by_id.resize(id as usize + 1, SmallVec::new());
        }
        let row = &mut self.by_id[id as usize];
        match row.binary_search_by_key(&label, |(label, _)| *label) {
            Ok(at) => row[at].1 += weighted,
            Err(at) => row.insert(at, (label, weighted)),
        }
    }

    /// id, label and sum of all that is not 0.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        let rows = self.by_id.iter().enumerate();
        rows.flat_map(|(id, row)| row.iter().map(move |(label, weighted)| (id as u32, *label, *weighted)))
    }

    /// The sum must be at least that.
    pub fn subtract(&mut self, id: u32, label: u32, weighted: u64) {
        let row = &mut self.by_id[id as usize];
        let at = row.binary_search_by_key(&label, |(label, _)| *label).expect("checked before");
        row[at].1 -= weighted;
        if row[at].1 == 0 {
            row.remove(at);
        }
    }

    /// Keeps the sums of these ids, which are renumbered in the same order.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut stays = kept.iter();
        self.by_id.retain(|_| *stays.next().expect("every sum has an id"));
        self.by_id.shrink_to_fit();
    }

    pub fn scale(&mut self, factor: u64) {
        self.by_id.iter_mut().flatten().for_each(|(_, weighted)| *weighted *= factor);
    }
}
