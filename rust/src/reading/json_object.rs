//! One JSON object: the values of the wanted keys.

use hashbrown::HashMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

const MAX_KEYS: usize = 1000; // that are remembered

/// What is wrong with a line, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    pub at: usize,
    pub kind: &'static str,
    pub detail: String,
}

/// Which keys are wanted, and which were seen.
pub struct WantedKeys {
    wanted: Vec<String>,
    firsts: HashMap<String, usize>, // for each wanted key, where it is wanted first
    seen: Vec<String>,              // in order of first sight
    places: HashMap<String, usize>,
    slots: Vec<Option<usize>>, // for each key that was seen, where it is wanted first
    twins: Vec<usize>,         // for each wanted key, where it is wanted first
}

impl WantedKeys {
    pub fn new(wanted: Vec<String>) -> WantedKeys {
        let mut firsts = HashMap::new();
        let mut first = |(place, key): (usize, &String)| *firsts.entry(key.clone()).or_insert(place);
        let twins = wanted.iter().enumerate().map(&mut first).collect();
        WantedKeys { wanted, firsts, seen: Vec::new(), places: HashMap::new(), slots: Vec::new(), twins }
    }

    pub fn wanted(&self) -> usize {
        self.wanted.len()
    }

    pub fn seen(&self) -> &[String] {
        &self.seen
    }

    /// Where a key is wanted. Objects tend to have the same keys in the same order, so its place is a good guess.
    #[inline]
    fn slot(&mut self, key: &str, place: usize) -> Option<usize> {
        if self.seen.get(place).is_some_and(|seen| seen == key) {
            return self.slots[place];
        }
        if let Some(place) = self.places.get(key) {
            return self.slots[*place];
        }
        let slot = self.firsts.get(key).copied();
        if self.seen.len() < MAX_KEYS {
            self.places.insert(key.to_owned(), self.seen.len());
            self.seen.push(key.to_owned());
            self.slots.push(slot);
        }
        slot
    }

    /// The values of the wanted keys.
    pub fn parse<'a>(&mut self, line: &'a str) -> Result<Vec<Option<Cow<'a, str>>>, Broken> {
        let found = self.find(line)?;
        let value = |index: usize| found[self.twins[index]].map(|raw| self.value(index, raw, line)).transpose();
        (0..self.wanted.len()).map(|index| value(index).map(Option::flatten)).collect()
    }

    /// The values as they are spelled in the line.
    fn find<'a>(&mut self, line: &'a str) -> Result<Vec<Option<&'a str>>, Broken> {
        let spelled = line.trim_start_matches([' ', '\t', '\r']);
        if !spelled.starts_with('{') {
            serde_json::from_str::<IgnoredAny>(line).map_err(|error| broken(error, line, 0))?;
            let at = line.len() - spelled.len();
            return Err(Broken { at, kind: "json-object", detail: kind(spelled).to_owned() });
        }
        let mut found = vec![None; self.wanted.len()];
        let mut parser = serde_json::Deserializer::from_str(line);
        let object = parser.deserialize_map(ObjectVisitor { keys: self, found: &mut found });
        object.and_then(|()| parser.end()).map_err(|error| broken(error, line, 0))?;
        Ok(found)
    }

    fn value<'a>(&self, index: usize, spelled: &'a str, line: &str) -> Result<Option<Cow<'a, str>>, Broken> {
        let at = spelled.as_ptr() as usize - line.as_ptr() as usize;
        match spelled.as_bytes()[0] {
            b'n' => Ok(None),
            b'[' | b'{' => {
                let detail = format!("{} holds {}", self.wanted[index], kind(spelled));
                Err(Broken { at, kind: "json-nested", detail })
            }
            b'"' if memchr::memchr(b'\\', spelled.as_bytes()).is_some() => {
                let text = serde_json::from_str::<String>(spelled);
                text.map(|text| Some(text.into())).map_err(|error| broken(error, line, at))
            }
            b'"' => Ok(Some(spelled[1..spelled.len() - 1].into())),
            _ => Ok(Some(spelled.into())),
        }
    }
}

fn kind(spelled: &str) -> &'static str {
    match spelled.as_bytes()[0] {
        b'[' => "a list",
        b'{' => "an object",
        b'"' => "a string",
        b'n' => "null",
        b't' | b'f' => "true or false",
        _ => "a number",
    }
}

/// The parser's error about the part of the line from `from`.
fn broken(error: serde_json::Error, line: &str, from: usize) -> Broken {
    let message = error.to_string();
    let detail = message.split(" at line ").next().unwrap_or_default().to_owned();
    let mut at = (from + error.column().saturating_sub(1)).min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    Broken { at, kind: "json", detail }
}

struct ObjectVisitor<'k, 'a> {
    keys: &'k mut WantedKeys,
    found: &'k mut [Option<&'a str>],
}

impl<'a> Visitor<'a> for ObjectVisitor<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(self, mut map: M) -> Result<(), M::Error> {
        let mut place = 0;
        while let Some(slot) = map.next_key_seed(KeySeed { keys: self.keys, place })? {
            match slot {
                Some(slot) => self.found[slot] = Some(map.next_value::<&RawValue>()?.get()),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
            place += 1;
        }
        Ok(())
    }
}

/// Reads a key as the place where it is wanted.
struct KeySeed<'k> {
    keys: &'k mut WantedKeys,
    place: usize,
}

impl<'a> DeserializeSeed<'a> for KeySeed<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'a>>(self, key: D) -> Result<Self::Value, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.keys.slot(key, self.place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Vec<Option<String>>, Broken> {
        let mut keys = WantedKeys::new(vec!["a".into(), "b".into(), "a".into()]);
        keys.parse(line).map(|values| values.into_iter().map(|value| value.map(Cow::into_owned)).collect())
    }

    #[test]
    fn the_last_of_two_equal_keys_wins_and_a_key_may_be_wanted_twice() {
        let values = parsed(r#"{"a": [1], "b": null, "a": "x", "\u0062": -1e5}"#).unwrap();
        assert_eq!(values, [Some("x".into()), Some("-1e5".into()), Some("x".into())]);
    }

    #[test]
    fn keys_are_remembered_in_order_of_first_sight() {
        let mut keys = WantedKeys::new(vec!["c".into()]);
        for line in [r#"{"a": 1, "b": 2}"#, r#"{"b": 1, "c": 2, "a": 3}"#, r#"{"a": 1, "d": 2}"#] {
            keys.parse(line).unwrap();
        }
        assert_eq!(keys.seen(), ["a", "b", "c", "d"]);
        let many: Vec<String> = (0..2000).map(|n| format!("\"{n}\": {n}")).collect();
        let line = format!("{{{}, \"c\": 7}}", many.join(","));
        assert_eq!(keys.parse(&line).unwrap(), [Some("7".into())]);
        assert_eq!(keys.seen().len(), MAX_KEYS);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let place = |line: &str| parsed(line).map_err(|broken| (broken.at, broken.kind)).unwrap_err();
        assert_eq!(place(r#"{"a": 1"#), (6, "json"));
        assert_eq!(place(r#"{"a": 1} x"#), (9, "json"));
        assert_eq!(place(r#"{"ж": x"#), (7, "json"));
        assert_eq!(place(r#"{"a": "\ud800"}"#).1, "json");
        assert_eq!(place(r#"  "a""#), (2, "json-object"));
        assert_eq!(place(r#"{"b": {}}"#), (6, "json-nested"));
    }
}
