//! The constants of the byte format; `format-spec/20-segment.md` repeats them in its tables.

use gix::hash::Kind;

/// First bytes of every segment. The first one is not ASCII, so that a transfer that damages
/// text shows at once.
pub const MAGIC: [u8; 8] = *b"\x89sverklo";
/// Version of everything this module's page in `format-spec` describes.
pub const LAYOUT_VERSION: u16 = 5;

/// Code of SHA-1 in the header, as in git's own formats.
pub const HASH_SHA1: u8 = 1;
/// Code of SHA-256 in the header, as in git's own formats.
pub const HASH_SHA256: u8 = 2;

/// Bytes of the header.
pub const HEADER_BYTES: usize = 32;
/// Bytes of one entry of the table of contents.
pub const TOC_ENTRY_BYTES: usize = 16;
/// Keys in one block of a dictionary.
pub const DICT_BLOCK: usize = 16;
/// Longest key of a dictionary, in bytes: a folded name may be longer than the name.
pub const MAX_KEY_BYTES: usize = 1024;
/// Lists for which one offset is kept.
pub const LIST_STRIDE: usize = 8;
/// Names of a document that get the smallest local ordinals, because they occur most.
pub const HOT_NAMES: usize = 128;

/// The parts of a segment, in the order in which they are stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(usize)]
pub enum ChunkTag {
    /// Columns of documents.
    Docs = 0,
    /// Dictionary of names.
    Names = 1,
    /// Names of definitions in order of their folded form.
    Folded = 2,
    /// Dictionary of sub-words of definitions, with the names that have each.
    Subwords = 3,
    /// For each name, the documents it is defined and occurs in.
    NamePostings = 4,
    /// Symbols, one stream a document.
    Symbols = 5,
    /// Occurrences, one stream a document.
    Occurrences = 6,
    /// Imports, one stream a document.
    Imports = 7,
    /// Local names and what is known of values, one stream a document.
    Hints = 8,
    /// What was not understood, one stream a document.
    Gaps = 9,
    /// Entry points, one stream a document.
    Entries = 10,
    /// Columns of chunks.
    Chunks = 11,
    /// Dictionary of terms.
    Terms = 12,
    /// For each term, the chunks it is in.
    TermPostings = 13,
}

/// Number of [`ChunkTag`]s.
pub const CHUNKS: usize = 14;

impl ChunkTag {
    /// Every tag, in stored order.
    pub const ALL: [Self; CHUNKS] = [
        Self::Docs,
        Self::Names,
        Self::Folded,
        Self::Subwords,
        Self::NamePostings,
        Self::Symbols,
        Self::Occurrences,
        Self::Imports,
        Self::Hints,
        Self::Gaps,
        Self::Entries,
        Self::Chunks,
        Self::Terms,
        Self::TermPostings,
    ];

    /// Returns the four letters that stand for the tag in a table of contents.
    pub fn id(self) -> [u8; 4] {
        match self {
            Self::Docs => *b"DOCS",
            Self::Names => *b"NAME",
            Self::Folded => *b"FOLD",
            Self::Subwords => *b"SUBW",
            Self::NamePostings => *b"NPST",
            Self::Symbols => *b"SYMS",
            Self::Occurrences => *b"OCCS",
            Self::Imports => *b"IMPS",
            Self::Hints => *b"FLOW",
            Self::Gaps => *b"GAPS",
            Self::Entries => *b"ENTR",
            Self::Chunks => *b"CHNK",
            Self::Terms => *b"TERM",
            Self::TermPostings => *b"TPST",
        }
    }
}

/// Returns the header code of a hash; `None` for one that this layout has no code for.
pub fn hash_code(kind: Kind) -> Option<u8> {
    match kind {
        Kind::Sha1 => Some(HASH_SHA1),
        Kind::Sha256 => Some(HASH_SHA256),
        _ => None,
    }
}

/// Returns the hash of a header code.
pub fn hash_kind(code: u8) -> Option<Kind> {
    match code {
        HASH_SHA1 => Some(Kind::Sha1),
        HASH_SHA256 => Some(Kind::Sha256),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of a page's tables of constants, as (name, value).
    fn constants(page: &str) -> Vec<(String, u64)> {
        let path = format!("{}/format-spec/{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let row = |line: &str| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            let name = cells.next()?.strip_suffix('`')?.to_owned();
            Some((name, cells.next()?.parse().ok()?))
        };
        text.lines().filter_map(row).collect()
    }

    fn owned(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
        rows.iter()
            .map(|&(name, value)| (name.to_owned(), value))
            .collect()
    }

    #[test]
    fn the_page_has_the_constants_of_this_module() {
        let ours = [
            ("LAYOUT_VERSION", u64::from(LAYOUT_VERSION)),
            ("HASH_SHA1", u64::from(HASH_SHA1)),
            ("HASH_SHA256", u64::from(HASH_SHA256)),
            ("HEADER_BYTES", HEADER_BYTES as u64),
            ("TOC_ENTRY_BYTES", TOC_ENTRY_BYTES as u64),
            ("CHUNKS", CHUNKS as u64),
            ("DICT_BLOCK", DICT_BLOCK as u64),
            ("MAX_KEY_BYTES", MAX_KEY_BYTES as u64),
            ("LIST_STRIDE", LIST_STRIDE as u64),
            ("HOT_NAMES", HOT_NAMES as u64),
        ];
        assert_eq!(constants("20-segment.md"), owned(&ours));
    }

    #[test]
    fn the_page_lists_the_chunks_in_order() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/format-spec/20-segment.md");
        let text = std::fs::read_to_string(path).unwrap();
        for tag in ChunkTag::ALL {
            let id = String::from_utf8(tag.id().to_vec()).unwrap();
            assert!(
                text.contains(&format!("| {} | `{id}` |", tag as usize)),
                "{id}"
            );
        }
    }
}
