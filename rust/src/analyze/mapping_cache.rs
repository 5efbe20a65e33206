//! What tokens became, so that the caller is not asked twice.

use crate::vocabulary::interner::Interner;

pub struct MappingCache {
    tokens: Interner,
    terms: Vec<Option<String>>, // by token
    most: usize,
}

impl MappingCache {
    /// Holds at most this many tokens; then it is cleared.
    pub fn new(most: usize) -> Self {
        MappingCache { tokens: Interner::default(), terms: Vec::new(), most }
    }

    /// Fills in what is known, and gives the places of the others.
    pub fn fill(&self, tokens: &[String], found: &mut [Option<String>]) -> Vec<usize> {
        let mut new = Vec::new();
        for (place, (token, found)) in tokens.iter().zip(found).enumerate() {
            match self.tokens.find(token.as_bytes()) {
                Some(id) => *found = self.terms[id as usize].clone(),
                None => new.push(place),
            }
        }
        new
    }

    pub fn put(&mut self, token: &str, term: Option<String>) {
        if self.terms.len() >= self.most {
            *self = MappingCache::new(self.most);
        }
        if self.tokens.intern(token.as_bytes()) as usize == self.terms.len() {
            self.terms.push(term);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_known_until_it_is_too_much() {
        let mut cache = MappingCache::new(2);
        let tokens = ["wölfe", "der", "bock"].map(str::to_string);
        let asked = |cache: &MappingCache| {
            let mut found = vec![Some("nothing".to_string()); 3];
            (cache.fill(&tokens, &mut found), found)
        };
        assert_eq!(asked(&cache).0, [0, 1, 2]);
        cache.put("wölfe", Some("wolf".to_string()));
        cache.put("wölfe", Some("another thread said it first".to_string()));
        cache.put("der", None);
        assert_eq!(asked(&cache), (vec![2], vec![Some("wolf".to_string()), None, Some("nothing".to_string())]));
        cache.put("bock", Some("bock".to_string()));
        assert_eq!(asked(&cache).0, [0, 1]);
    }
}
