//! Where the fields of a CSV record are.

use memchr::{memchr, memchr_iter, memchr2};

#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub delimiter: u8,
    pub quote: Option<u8>,
}

/// Where a field is in its record, without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldSpan {
    start: usize,
    end: usize,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Quoted,
    Doubled, // quoted, with doubled quotes in it
}

impl FieldSpan {
    /// Where it begins with its quote.
    pub fn outset(&self) -> usize {
        self.start - (self.style != Style::Plain) as usize
    }
}

/// How a record ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending {
    Complete { end: usize, newlines: u64 }, // past its line end; newlines in quotes
    Open { quote: Option<usize> },          // the bytes end before; where the quote was opened that is not closed
    Text { at: usize },                     // there is text after a closing quote
}

impl Dialect {
    /// Finds the fields of the first record.
    #[inline]
    pub fn cut(&self, data: &[u8], spans: &mut Vec<FieldSpan>) -> Ending {
        spans.clear();
        let (mut at, mut newlines) = (0, 0);
        loop {
            let end = if self.quote.is_some() && data.get(at).copied() == self.quote {
                match self.quoted(data, at) {
                    Ok((span, end)) => {
                        newlines += memchr_iter(b'\n', &data[span.start..span.end]).count() as u64;
                        spans.push(span);
                        end
                    }
                    Err(ending) => return ending,
                }
            } else {
                let Some(len) = self.plain(&data[at..]) else { return Ending::Open { quote: None } };
                let end = at + len;
                let dropped = (data[end] == b'\n' && len > 0 && data[end - 1] == b'\r') as usize;
                spans.push(FieldSpan { start: at, end: end - dropped, style: Style::Plain });
                end
            };
            if data[end] != self.delimiter {
                return Ending::Complete { end: end + 1, newlines };
            }
            at = end + 1;
        }
    }

    /// How long a field without quotes is. Most are short, and for these a loop is faster than a search.
    #[inline]
    fn plain(&self, data: &[u8]) -> Option<usize> {
        const SHORT: usize = 16;
        let short = &data[..data.len().min(SHORT)];
        let found = short.iter().position(|byte| *byte == self.delimiter || *byte == b'\n');
        found.or_else(|| memchr2(self.delimiter, b'\n', data.get(SHORT..)?).map(|at| at + SHORT))
    }

    /// A field in quotes that opens at `at`, and where the delimiter or `\n` after it is.
    #[inline]
    fn quoted(&self, data: &[u8], at: usize) -> Result<(FieldSpan, usize), Ending> {
        let quote = self.quote.expect("there is a quote");
        let open = Ending::Open { quote: Some(at) };
        let (mut from, mut style) = (at + 1, Style::Quoted);
        loop {
            let Some(found) = memchr(quote, &data[from..]) else { return Err(open) };
            let end = from + found;
            let after = match data.get(end + 1) {
                None => return Err(open),
                Some(byte) if *byte == quote => {
                    (from, style) = (end + 2, Style::Doubled);
                    continue;
                }
                Some(b'\r') => match data.get(end + 2) {
                    None => return Err(open),
                    Some(b'\n') => end + 2,
                    Some(_) => end + 1,
                },
                Some(_) => end + 1,
            };
            return match data[after] == self.delimiter || data[after] == b'\n' {
                true => Ok((FieldSpan { start: at + 1, end, style }, after)),
                false => Err(Ending::Text { at: after }),
            };
        }
    }

    #[inline]
    pub fn write(&self, data: &[u8], span: FieldSpan, text: &mut Vec<u8>) {
        let mut field = &data[span.start..span.end];
        if let Some(quote) = self.quote.filter(|_| span.style == Style::Doubled) {
            while let Some(at) = memchr(quote, field) {
                text.extend_from_slice(&field[..at + 1]);
                field = &field[at + 2..];
            }
        }
        text.extend_from_slice(field);
    }
}

/// How many bytes at the start are blank lines, and how many lines.
pub fn blank(data: &[u8]) -> (usize, u64) {
    let (mut at, mut lines) = (0, 0);
    loop {
        match data[at..] {
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => return (at, lines),
        }
        lines += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    fn fields(dialect: Dialect, data: &str) -> Vec<String> {
        let mut spans = Vec::new();
        let ending = dialect.cut(data.as_bytes(), &mut spans);
        assert!(matches!(ending, Ending::Complete { end, .. } if end == data.len()), "{ending:?}");
        let text = |span: &FieldSpan| {
            let mut text = Vec::new();
            dialect.write(data.as_bytes(), *span, &mut text);
            String::from_utf8(text).unwrap()
        };
        spans.iter().map(text).collect()
    }

    #[test]
    fn quotes_are_special_at_the_start_of_a_field_only() {
        assert_eq!(fields(CSV, "a,\"b,\"\"\r\n\"\"\",c\"d\"\r\n"), ["a", "b,\"\r\n\"", "c\"d\""]);
        assert_eq!(fields(CSV, "\"\",,\"\"\"\"\n"), ["", "", "\""]);
    }

    #[test]
    fn without_a_quote_nothing_is_special() {
        let tsv = Dialect { delimiter: b'\t', quote: None };
        assert_eq!(fields(tsv, "\"a\t,\"\t\n"), ["\"a", ",\"", ""]);
    }

    #[test]
    fn a_carriage_return_belongs_to_the_line_end_only_before_it() {
        assert_eq!(fields(CSV, "a\rb,\r\n"), ["a\rb", ""]);
    }

    #[test]
    fn what_is_not_complete_is_said() {
        let cut = |data: &str| CSV.cut(data.as_bytes(), &mut Vec::new());
        assert_eq!(cut("a,b"), Ending::Open { quote: None });
        assert_eq!(cut("a,\"b\n"), Ending::Open { quote: Some(2) });
        assert_eq!(cut("a,\"b\""), Ending::Open { quote: Some(2) }); // the quote may be doubled
        assert_eq!(cut("a,\"b\"\r"), Ending::Open { quote: Some(2) });
        assert_eq!(cut("a,\"b\"c\n"), Ending::Text { at: 5 });
        assert_eq!(cut("\"a\n\n\"\n"), Ending::Complete { end: 6, newlines: 2 });
    }
}
