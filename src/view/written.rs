//! Words that a segment says of a file, shown only as the file has them.
//!
//! A segment may come from a stranger, and only a few of its documents were extracted again when it
//! arrived. So names, titles and specifiers are looked for in the bytes of the file when an answer is
//! made, by the same read that cuts what is quoted. Most stand where the segment says, which costs
//! nothing. Some are put together by extraction (the key `a.b.c` of a JSON file, an escaped title);
//! of their document the words are extracted again, and compared. If they differ the segment lies:
//! nothing of the document is said, and [`Texts::take_lies`] tells who has to go.
//!
//! Guarantee: a [`Written`] stands in the file it is said of, or is what extraction says of it, or is
//! part of the question; [`Written::UNKNOWN`] stands for what nobody here can vouch for, because the
//! text is not in this clone. A liar can point at the wrong words; it cannot bring its own.

use super::live::{FileId, View};
use super::text::Texts;
use crate::extract::record::SymbolKind;
use crate::id::{DocAddress, DocId};
use crate::segment::Segment;
use crate::store::{Lie, Rederiver};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Weak};

/// Times that all of a file may be searched for words before its document is extracted again, which
/// settles all of them.
const MOST_SEARCHES: u32 = 64;

/// Words that may be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Written(String);

impl Written {
    /// Stands for words that cannot be checked.
    pub const UNKNOWN: &str = "?";

    fn of(words: &[u8]) -> Self {
        Self(String::from_utf8_lossy(words).into_owned())
    }

    /// What stands for words that cannot be checked.
    pub fn unknown() -> Self {
        Self(Self::UNKNOWN.to_owned())
    }

    /// Names from the outermost to the innermost, joined by dots; those that cannot be checked are
    /// [`Written::UNKNOWN`].
    pub fn dotted(names: &[Option<Self>]) -> Self {
        let name = |name: &Option<Self>| name.as_ref().map_or(Self::UNKNOWN, |name| &name.0).into();
        Self(names.iter().map(name).collect::<Vec<String>>().join("."))
    }

    /// The id of a symbol of this qualified name, the `ordinal`th (from 1) of its like in a file.
    pub fn id(&self, path: &str, kind: SymbolKind, ordinal: usize) -> Self {
        let id = format!("{path}::{}#{}", self.0, kind.label());
        Self(match ordinal {
            0 | 1 => id,
            more => format!("{id}~{more}"),
        })
    }

    /// A name under another name, or all names (`*`) under one.
    pub fn renamed(imported: Option<&Self>, local: Option<&Self>) -> Self {
        Self(match (imported, local) {
            (Some(imported), Some(local)) if imported == local => imported.0.clone(),
            (Some(imported), Some(local)) => format!("{imported} as {local}"),
            (Some(imported), None) => imported.0.clone(),
            (None, Some(local)) => format!("* as {local}"),
            (None, None) => "*".to_owned(),
        })
    }

    /// The path of a file: it is git's word, not a segment's.
    pub fn path(view: &View, file: FileId) -> Self {
        Self(view.file(file).path.to_string())
    }

    /// What the file of a component is called without its ending, which is what its users call it.
    pub fn component(view: &View, file: FileId) -> Self {
        let name = view.file(file).path.file_name();
        Self::of(name.split(|byte| *byte == b'.').next().unwrap_or(name))
    }
}

impl std::ops::Deref for Written {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for Written {
    fn borrow(&self) -> &str {
        self
    }
}

impl AsRef<str> for Written {
    fn as_ref(&self) -> &str {
        self
    }
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Written> for String {
    fn from(written: Written) -> Self {
        written.0
    }
}

#[cfg(test)]
impl From<&str> for Written {
    fn from(words: &str) -> Self {
        Self(words.to_owned())
    }
}

/// A document whose words are not those of its file.
#[derive(Clone)]
pub struct Caught {
    /// The segment that says so.
    pub segment: Arc<Segment>,
    /// What it says wrongly.
    pub lie: Lie,
}

/// What is known of the words of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// Not known yet; all of the file was searched so often for some of them.
    Searched(u32),
    /// They are what extraction says.
    True,
    /// They are not, or extraction cannot tell.
    Withheld,
}

/// What is known of the documents whose words were asked for.
#[derive(Default)]
pub(super) struct CheckedWords {
    /// By segment. A weak reference keeps the address from being used again.
    known: Vec<(Weak<Segment>, FxHashMap<DocId, Check>)>,
    rederiver: Rederiver,
    caught: Vec<Caught>,
    /// The question: its words are the asker's own.
    asked: String,
}

impl CheckedWords {
    fn of(&mut self, segment: &Arc<Segment>, doc: DocId) -> &mut Check {
        let same = |(known, _): &(Weak<Segment>, _)| known.as_ptr() == Arc::as_ptr(segment);
        let at = match self.known.iter().position(same) {
            Some(at) => at,
            None => {
                self.known.retain(|(known, _)| known.strong_count() > 0);
                let entry = (Arc::downgrade(segment), FxHashMap::default());
                self.known.push(entry);
                self.known.len() - 1
            }
        };
        self.known[at].1.entry(doc).or_insert(Check::Searched(0))
    }

    /// Extracts a document again; whether its words are what extraction says.
    fn settle(&mut self, segment: &Arc<Segment>, doc: DocId, bytes: &[u8]) -> bool {
        let known = match self.rederiver.words(segment, doc, bytes) {
            Some(None) => Check::True,
            Some(Some(lie)) => {
                let segment = segment.clone();
                self.caught.push(Caught { segment, lie });
                Check::Withheld
            }
            None => Check::Withheld,
        };
        *self.of(segment, doc) = known;
        known == Check::True
    }
}

impl Texts {
    /// Begins a question. Its own words may be shown where no text is at hand.
    pub fn begin(&mut self, asked: &str) {
        asked.clone_into(&mut self.checked.asked);
        self.hold();
    }

    /// Returns the documents that were found to lie since the last call.
    pub fn take_lies(&mut self) -> Vec<Caught> {
        std::mem::take(&mut self.checked.caught)
    }

    /// Words that a segment says of a file, if they may be shown. `at` is the line (from 1) and byte
    /// column where they are said to stand. A missing text is remembered ([`Texts::take_missing`]).
    pub fn verified(
        &mut self,
        view: &View,
        file: FileId,
        words: &[u8],
        at: Option<(u32, u32)>,
    ) -> Option<Written> {
        if words.is_empty() {
            return Some(Written::default());
        }
        let DocAddress { segment, doc } = view.file(file).doc?;
        let segment = &view.segment(segment).segment;
        let searched = match *self.checked.of(segment, doc) {
            Check::True => return Some(Written::of(words)),
            Check::Withheld => return None,
            Check::Searched(times) => times,
        };
        let Some(text) = self.if_here(view, file) else {
            let is_asked = memchr::memmem::find(self.checked.asked.as_bytes(), words).is_some();
            if !is_asked {
                self.get(view, file);
            }
            return is_asked.then(|| Written::of(words));
        };
        let stands = at.is_some_and(|(line, col)| text.has(line, col, words));
        if stands {
            return Some(Written::of(words));
        }
        if searched < MOST_SEARCHES {
            *self.checked.of(segment, doc) = Check::Searched(searched + 1);
            if memchr::memmem::find(text.bytes(), words).is_some() {
                return Some(Written::of(words));
            }
        }
        // Extraction takes the bytes as they are, with nothing masked.
        let bytes = self.content(view, file).ok()?;
        let is_true = self.checked.settle(segment, doc, &bytes);
        is_true.then(|| Written::of(words))
    }
}
