//! Reading the indexes of compilers: SCIP, the format that their indexers write.
//!
//! An index is a protobuf message: what made it and where, then documents, each a path with occurrences of
//! symbols. It is read a document at a time, so that memory is bounded by the largest and not by what their
//! number claims; what is not needed here is passed over undecoded.
//!
//! Guarantees: no bytes make it panic, and a document takes at most thirty times its bytes.

pub mod symbol;

use prost::Message as _;

/// Largest document that is decoded, in bytes. One of `MAX_PARSED_BYTES` of source takes less.
const MAX_DOCUMENT_BYTES: usize = 64 << 20;

/// What is wrong with an index.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// It ends within a field, or a field is none.
    #[error("it is no SCIP index, or is cut short")]
    NoIndex,
    /// A document is too large.
    #[error("one of its documents has {0} bytes, where {MAX_DOCUMENT_BYTES} is the limit")]
    TooLarge(usize),
    /// A message is not what the format says.
    #[error("a message in it cannot be read: {0}")]
    Message(String),
}

impl From<prost::DecodeError> for Error {
    fn from(err: prost::DecodeError) -> Self {
        Self::Message(err.to_string())
    }
}

/// An index, split into its documents.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Index<'a> {
    /// Name of the indexer, as it gives it.
    pub tool: String,
    /// Absolute path of the folder that the paths of documents start from, as the indexer knew it; empty
    /// when it does not say.
    pub root: String,
    documents: Vec<&'a [u8]>,
}

impl<'a> Index<'a> {
    /// Splits an index. Fails when it is none.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut index = Self::default();
        let mut said_anything = false;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (number, field) = field(&mut rest)?;
            match (number, field) {
                (METADATA, Some(body)) => {
                    let metadata = wire::Metadata::decode(body)?;
                    index.tool = metadata.tool.unwrap_or_default().name;
                    index.root = path_of(&metadata.root);
                    said_anything = true;
                }
                (DOCUMENT, Some(body)) => index.documents.push(body),
                _ => {}
            }
        }
        // Much of what is no index is a message with fields of other numbers.
        match said_anything {
            true => Ok(index),
            false => Err(Error::NoIndex),
        }
    }

    /// Number of its documents.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Decodes its documents, one at a time.
    pub fn documents(&self) -> impl Iterator<Item = Result<Document, Error>> {
        self.documents.iter().map(|body| Document::decode(body))
    }
}

/// Number of the field of an index that says what made it.
const METADATA: u64 = 1;
/// Number of the field of an index that holds a document.
const DOCUMENT: u64 = 2;

/// Takes one field off the front of a message: its number, and its bytes when it has a length.
fn field<'a>(rest: &mut &'a [u8]) -> Result<(u64, Option<&'a [u8]>), Error> {
    let key = varint(rest)?;
    let skipped = match key & 7 {
        0 => {
            varint(rest)?;
            return Ok((key >> 3, None));
        }
        1 => 8,
        2 => usize::try_from(varint(rest)?).map_err(|_| Error::NoIndex)?,
        5 => 4,
        _ => return Err(Error::NoIndex),
    };
    let (body, after) = rest.split_at_checked(skipped).ok_or(Error::NoIndex)?;
    *rest = after;
    Ok((key >> 3, (key & 7 == 2).then_some(body)))
}

fn varint(rest: &mut &[u8]) -> Result<u64, Error> {
    // Lengths are written as all numbers are.
    let number = prost::decode_length_delimiter(rest).map_err(|_| Error::NoIndex)?;
    Ok(number as u64)
}

/// The path of a `file:` URI; what is none is taken as it is.
fn path_of(uri: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *byte == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let meant = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(meant.unwrap_or(*byte));
        rest = &after[2 * usize::from(meant.is_some())..];
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// What columns count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Bytes.
    Utf8,
    /// Units of UTF-16.
    Utf16,
    /// Characters.
    Utf32,
}

impl Unit {
    /// The byte of a line at a column; `None` past its end or within a character.
    pub fn byte(self, line: &str, column: usize) -> Option<usize> {
        if line.is_ascii() || self == Self::Utf8 {
            return line.is_char_boundary(column).then_some(column);
        }
        let mut units = 0;
        let ends = line.char_indices().chain([(line.len(), '\0')]);
        for (at, char) in ends {
            if units >= column {
                return (units == column).then_some(at);
            }
            units += match self {
                Self::Utf16 => char.len_utf16(),
                _ => 1,
            };
        }
        None
    }
}

/// One document of an index.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Document {
    /// Its path from the root of the index.
    pub path: String,
    /// What it held, if the index says so.
    pub text: Option<String>,
    /// What its columns count; most indexers do not say.
    pub unit: Option<Unit>,
    /// Where it names symbols, as far as that is within one line.
    pub occurrences: Vec<Occurrence>,
}

/// One occurrence of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Line, from 0.
    pub line: u32,
    /// First column, from 0.
    pub start: u32,
    /// The column after its last.
    pub end: u32,
    /// The symbol, as the index writes it.
    pub symbol: String,
    /// Whether the symbol is defined here.
    pub is_definition: bool,
}

impl Document {
    fn decode(body: &[u8]) -> Result<Self, Error> {
        if body.len() > MAX_DOCUMENT_BYTES {
            return Err(Error::TooLarge(body.len()));
        }
        let read = wire::Document::decode(body)?;
        Ok(Self {
            path: read.path,
            text: Some(read.text).filter(|text| !text.is_empty()),
            unit: match read.unit {
                1 => Some(Unit::Utf8),
                2 => Some(Unit::Utf16),
                3 => Some(Unit::Utf32),
                _ => None,
            },
            occurrences: read.occurrences.into_iter().filter_map(one_line).collect(),
        })
    }
}

/// An occurrence that lies in one line, and is not empty.
fn one_line(read: wire::Occurrence) -> Option<Occurrence> {
    let (line, start, end) = match (read.in_line, &read.range[..]) {
        (Some(range), _) => (range.line, range.start, range.end),
        (None, [line, start, end]) => (*line, *start, *end),
        (None, [line, start, last, end]) if line == last => (*line, *start, *end),
        _ => return None,
    };
    let number = |value: i32| u32::try_from(value).ok();
    let (line, start, end) = (number(line)?, number(start)?, number(end)?);
    (start < end).then_some(Occurrence {
        line,
        start,
        end,
        symbol: read.symbol,
        is_definition: read.roles & wire::DEFINITION != 0,
    })
}

/// The messages of the format, as far as they are read. The numbers are those of `scip.proto`.
mod wire {
    /// The role of an occurrence that defines its symbol.
    pub const DEFINITION: i32 = 1;

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Metadata {
        #[prost(message, optional, tag = "2")]
        pub tool: Option<Tool>,
        #[prost(string, tag = "3")]
        pub root: String,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Tool {
        #[prost(string, tag = "1")]
        pub name: String,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Document {
        #[prost(string, tag = "1")]
        pub path: String,
        #[prost(message, repeated, tag = "2")]
        pub occurrences: Vec<Occurrence>,
        #[prost(string, tag = "5")]
        pub text: String,
        #[prost(int32, tag = "6")]
        pub unit: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Occurrence {
        #[prost(int32, repeated, tag = "1")]
        pub range: Vec<i32>,
        #[prost(string, tag = "2")]
        pub symbol: String,
        #[prost(int32, tag = "3")]
        pub roles: i32,
        #[prost(message, optional, tag = "8")]
        pub in_line: Option<Range>,
    }

    #[derive(Clone, Copy, PartialEq, prost::Message)]
    pub struct Range {
        #[prost(int32, tag = "1")]
        pub line: i32,
        #[prost(int32, tag = "2")]
        pub start: i32,
        #[prost(int32, tag = "3")]
        pub end: i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;

    /// An index of one document.
    fn index(document: &wire::Document) -> Vec<u8> {
        let metadata = wire::Metadata {
            tool: Some(wire::Tool {
                name: "scip-test".into(),
            }),
            root: "file:///home/a%20b".into(),
        };
        let mut bytes = Vec::new();
        for (key, body) in [
            (0x0a, metadata.encode_to_vec()),
            (0x12, document.encode_to_vec()),
        ] {
            bytes.push(key);
            prost::encode_length_delimiter(body.len(), &mut bytes).unwrap();
            bytes.extend(body);
        }
        bytes
    }

    #[test]
    fn documents_are_read_one_at_a_time() {
        let at = |range: &[i32], roles| wire::Occurrence {
            range: range.to_vec(),
            symbol: "local 1".into(),
            roles,
            in_line: None,
        };
        let document = wire::Document {
            path: "a.py".into(),
            occurrences: vec![
                at(&[3, 1, 4], 1),
                at(&[3, 1, 3, 4], 8),
                at(&[3, 1, 4, 4], 8),
                at(&[3, 1, 1], 8),
                at(&[-1, 1, 2], 8),
                at(&[1], 8),
                wire::Occurrence {
                    in_line: Some(wire::Range {
                        line: 7,
                        start: 0,
                        end: 2,
                    }),
                    ..at(&[], 0)
                },
            ],
            unit: 2,
            ..wire::Document::default()
        };
        let bytes = index(&document);
        let index = Index::open(&bytes).unwrap();
        assert_eq!(
            (index.tool.as_str(), index.root.as_str(), index.len()),
            ("scip-test", "/home/a b", 1)
        );
        let read = index.documents().next().unwrap().unwrap();
        assert_eq!((read.path.as_str(), read.unit), ("a.py", Some(Unit::Utf16)));
        let places: Vec<_> = read
            .occurrences
            .iter()
            .map(|o| (o.line, o.start, o.end, o.is_definition))
            .collect();
        assert_eq!(
            places,
            [(3, 1, 4, true), (3, 1, 4, false), (7, 0, 2, false)],
            "what spans lines, is empty or is no place is left out"
        );
        for cut in 1..bytes.len() {
            // The first field ends where the second begins; nothing else is whole.
            let whole = Index::open(&bytes[..cut]).map(|index| index.documents().count());
            assert!(!matches!(whole, Ok(n) if n > 0), "{cut}");
        }
        assert_eq!(Index::open(b"{}"), Err(Error::NoIndex));
        assert_eq!(Index::open(b""), Err(Error::NoIndex));
    }

    #[test]
    fn columns_are_counted_as_the_indexer_does() {
        let line = "é🦀x";
        for (unit, columns) in [
            (Unit::Utf8, [0, 2, 6, 7]),
            (Unit::Utf16, [0, 1, 3, 4]),
            (Unit::Utf32, [0, 1, 2, 3]),
        ] {
            let bytes = columns.map(|column| unit.byte(line, column));
            assert_eq!(bytes, [Some(0), Some(2), Some(6), Some(7)], "{unit:?}");
            assert_eq!(unit.byte(line, 8), None);
        }
        assert_eq!(Unit::Utf16.byte(line, 2), None, "within a character");
        assert_eq!(Unit::Utf16.byte("ab", 3), None);
    }
}
