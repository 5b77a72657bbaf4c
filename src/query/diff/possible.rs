//! Places that may expect what is no longer there, and files of which nothing is known.
//!
//! What [`dangling`](super::dangling) and [`signatures`](super::signatures) find is broken: the old graph was sure what was
//! meant. This is the rest: uses that may have meant another definition, calls whose arguments cannot be counted, names in strings, comments,
//! documentation and data, and files that the index does not hold. An agent takes a zero for leave to go on, so a
//! zero is said only where none of these is left.
//!
//! Guarantees: nothing here is counted as broken, and no check fails for it. Looking through texts is bounded; what the
//! bounds left out is counted.

use super::Comparison;
use super::dangling::own_bytes;
use super::files;
use super::units::{Side, UnitId};
use crate::extract::record::{Field, SkipReason, SymbolFlags, SymbolKind};
use crate::extract::terms;
use crate::git::RepoPath;
use crate::graph::accessors;
use crate::id::{DocAddress, SegmentOrd};
use crate::lang;
use crate::lang::language::Genre;
use crate::query::definitions;
use crate::query::exposure;
use crate::query::nothing::Few;
use crate::query::scope::Filter;
use crate::query::state::Skipped;
use crate::query::unexplained::{self, MIN_NAME_BYTES, ReadFile, Standing};
use crate::view::files::Reading;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Names that are looked for in texts.
const MAX_NAMES: usize = 32;
/// Files that are read for one name, and for all.
const MAX_FILES: usize = 64;
const MAX_ALL_FILES: usize = 256;
/// Files that the index does not hold and that are looked through all the same.
const MAX_UNREAD: usize = 8;
/// Shortest name that is told from a word of prose by how it is written.
const MIN_DISTINCT: usize = 5;
/// How files begin that tell what was, and are right to go on telling it.
const CHRONICLES: [&str; 5] = ["change", "history", "news", "release", "migrat"];

labelled! {
    /// Why a place may expect what is no longer there, and may not; the most telling first.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Why {
        /// It calls it, and what it gives cannot be counted: a list that is spread, a macro.
        Arguments = "arguments not known",
        /// It hands it on as a value to whoever calls it.
        HandedOn = "handed on",
        /// It is the only one of its name, on a value that nothing is known of.
        Guess = "inferred",
        /// It uses the name, and nothing there says what is meant.
        Unresolved = "unresolved",
        /// The type has a base outside of the repository, which may have one of the name.
        Base = "a base may have it",
        /// A module passes on all of what it has from outside of the repository.
        PassedOn = "may be passed on",
        /// It may mean any of several definitions of the name.
        Ambiguous = "ambiguous",
        /// It uses it, and types or the order of arguments have changed, which nobody compared.
        Types = "types or order not compared",
        /// A literal has it without a value of its own, and may be of the type.
        Shorthand = "short in a literal",
        /// The name stands in lines that were not understood.
        NotUnderstood = "not understood",
        /// The name stands in a file that the index does not hold.
        Unread = "file not read",
        /// The name stands in a string, documentation or data.
        Text = "text",
        /// It reads an attribute of that name.
        Attribute = "text, as an attribute",
        /// The name stands in a comment.
        Comment = "comment",
        /// The name stands in quotes or in a page, and something else has it too.
        Shared = "text, others have the name",
        /// The beginning of the name stands there, as where names are put together.
        Beginning = "beginning of the name",
    }
}

/// A place of the new state that may expect something of the old one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PossibleUse {
    /// Why it may.
    pub why: Why,
    /// Its file in the new state.
    pub file: FileId,
    /// Its line there.
    pub line: u32,
    /// What it may expect.
    pub was: UnitId,
}

/// What of the tree is not known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unseen {
    /// Files that may hold code and were not read.
    pub files: Few,
    /// Why they were not, with how many files each, most first.
    pub reasons: Vec<Skipped>,
    /// Files of which the objects are missing, in either state.
    pub uncovered: usize,
    /// Names that were not looked for in all texts that have them.
    pub names: usize,
    /// Definitions that are another in a way that nobody compared with their uses.
    pub uncompared: Few,
}

impl Unseen {
    /// Whether all of it is known.
    pub fn is_nothing(&self) -> bool {
        self.files.total + self.uncovered + self.names + self.uncompared.total == 0
    }
}

/// What stands in texts, and what could not be looked at.
#[derive(Default)]
pub struct Hints {
    /// The places, in no order.
    pub places: Vec<PossibleUse>,
    /// The rest.
    pub unseen: Unseen,
}

/// Looks for the names of what is gone where no reference is understood.
pub fn in_texts(found: &Comparison<'_>, texts: &mut Texts) -> Hints {
    let mut hunt = Hunt {
        found,
        read: FxHashMap::default(),
        hints: Hints::default(),
        looked: FxHashSet::default(),
        reasons: BTreeMap::new(),
        unread: FxHashSet::default(),
    };
    let (gone, shared) = hunt.gone();
    for (name, was) in gone.iter().take(MAX_NAMES) {
        hunt.name(texts, name, *was);
    }
    for (name, was) in shared.iter().take(MAX_NAMES) {
        let mut is_whole = hunt.word(texts, (name, *was), Some(Why::Shared));
        is_whole &= hunt.attributes(texts, name, *was);
        hunt.hints.unseen.names += usize::from(!is_whole);
    }
    let left = [&gone, &shared].map(|names| names.len().saturating_sub(MAX_NAMES));
    hunt.hints.unseen.names += left.iter().sum::<usize>();
    let mut missed = gone;
    missed.extend(hunt.otherwise());
    // What a file of the base had that cannot be read may be gone as well.
    hunt.hints.unseen.uncovered = found.old.view.uncovered;
    if !missed.is_empty() {
        hunt.hints.unseen.uncovered += found.new.view.uncovered;
        hunt.unread(texts, &missed);
    }
    hunt.changed_unread(texts);
    hunt.hints.unseen.reasons = Skipped::most_first(hunt.reasons);
    hunt.hints
}

/// Names, with what had them.
type Names = Vec<(Box<[u8]>, UnitId)>;

/// A search in texts under way.
struct Hunt<'a> {
    found: &'a Comparison<'a>,
    read: FxHashMap<FileId, Option<ReadFile<'a>>>,
    hints: Hints,
    /// Names that were looked for.
    looked: FxHashSet<Box<[u8]>>,
    /// Why files were not read, with how many each, and which.
    reasons: BTreeMap<&'static str, usize>,
    unread: FxHashSet<FileId>,
}

impl Hunt<'_> {
    /// The names that nothing has any more, with what had them, in order; and those that something else has, as far
    /// as they are told from words of prose. What lay in something that is gone is part of that.
    fn gone(&mut self) -> (Names, Names) {
        let (old, new, matches) = (&self.found.old, &self.found.new, &self.found.matches);
        let (mut all, mut shared) = (Vec::new(), Vec::new());
        for was in old.ids() {
            let unit = old.unit(was);
            let name = own_bytes(&unit.name);
            let is_left = match matches.new_of(was) {
                Some(now) => own_bytes(&new.unit(now).name) == name,
                None => unit
                    .container
                    .is_some_and(|outer| matches.new_of(outer).is_none()),
            };
            let flags = old.symbol(was).map(|symbol| symbol.flags);
            let is_test = flags.is_some_and(|flags| flags.contains(SymbolFlags::TEST));
            let is_named = !matches!(unit.kind, SymbolKind::Test | SymbolKind::Impl) && !is_test;
            if is_left || !is_named || name.len() < MIN_NAME_BYTES || self.looked.contains(name) {
                continue;
            }
            self.looked.insert(name.into());
            if definitions::find_exact(new.view, &Filter::open(), name).is_empty() {
                all.push((name.into(), was));
            } else if is_distinct(name) {
                shared.push((name.into(), was));
            }
        }
        (all, shared)
    }

    /// The names of what takes something else now.
    fn otherwise(&self) -> Names {
        let changes = self.found.changes.iter();
        let changed = changes.filter(|change| change.how().signature);
        let named = changed.filter_map(|change| {
            let was = change.before()?;
            Some((own_bytes(&self.found.old.unit(was).name).into(), was))
        });
        named.collect()
    }

    /// Looks for one name, and for its beginnings.
    fn name(&mut self, texts: &mut Texts, name: &[u8], was: UnitId) {
        let mut is_whole = self.word(texts, (name, was), None);
        for begun in unexplained::beginnings(name) {
            is_whole &= self.word(texts, (begun, was), Some(Why::Beginning));
        }
        is_whole &= self.attributes(texts, name, was);
        self.hints.unseen.names += usize::from(!is_whole);
    }

    /// Looks for the names under which pages read what a name is of, and who does not know its class.
    fn attributes(&mut self, texts: &mut Texts, name: &[u8], was: UnitId) -> bool {
        let unit = self.found.old.unit(was);
        if unit.kind != SymbolKind::Method {
            return true;
        }
        let language = exposure::language(self.found.old.view, unit.file);
        let mut is_whole = true;
        for read_as in accessors::read_as(&language.naming, name) {
            is_whole &= self.word(texts, (&read_as, was), Some(Why::Attribute));
        }
        if language.naming.scopes
            && let Some(called) = accessors::scope_called(name)
        {
            is_whole &= self.word(texts, (&called, was), Some(Why::Unresolved));
        }
        is_whole
    }

    /// Looks for a word; whether all files that have it were looked at.
    fn word(&mut self, texts: &mut Texts, (word, was): (&[u8], UnitId), as_a: Option<Why>) -> bool {
        let (view, graph) = (self.found.new.view, self.found.new.graph);
        let files = holders((&self.found.old, view), word, was);
        let mut is_whole = files.len() <= MAX_FILES;
        for file in files.into_iter().take(MAX_FILES) {
            let is_known = self.read.contains_key(&file);
            if !is_known && self.read.len() >= MAX_ALL_FILES {
                is_whole = false;
                continue;
            }
            let read = self.read.entry(file).or_insert_with(|| {
                // Nothing is fetched for a guess.
                texts.if_here(view, file)?;
                ReadFile::of(view, graph, texts, file)
            });
            let Some(read) = read else {
                is_whole = false;
                continue;
            };
            let is_changed = self.found.new.code(file).is_some();
            // In a page it stands for what code gives it, whatever else has the name.
            let is_given =
                matches!(as_a, Some(Why::Shared | Why::Attribute)) && is_page(view, file);
            for (line, standing) in read.unresolved(word) {
                let why = match (standing, as_a) {
                    (
                        Standing::Text {
                            is_quoted: true, ..
                        },
                        Some(why),
                    ) if !matches!(why, Why::Attribute | Why::Unresolved) => why,
                    (Standing::Text { is_code: true, .. }, Some(why)) if is_given => why,
                    // What a library gave may be what has the name, too.
                    (
                        Standing::Reference {
                            is_of_unknown: true,
                            ..
                        },
                        Some(Why::Shared),
                    ) => Why::Unresolved,
                    (
                        Standing::Reference {
                            is_of_unknown: true,
                            ..
                        },
                        Some(Why::Attribute),
                    ) if is_distinct(word) => Why::Attribute,
                    // Who calls it by this name, on what is not known.
                    (
                        Standing::Reference {
                            is_of_unknown: true,
                            col,
                        },
                        Some(Why::Unresolved),
                    ) if read.is_called(line, col as usize + word.len()) => Why::Unresolved,
                    (_, Some(_)) => continue,
                    (Standing::Gap, _) => Why::NotUnderstood,
                    (Standing::Reference { is_of_unknown, .. }, _)
                        if is_changed || is_of_unknown =>
                    {
                        Why::Unresolved
                    }
                    // What did not mean it before does not now.
                    (Standing::Reference { .. }, _) => continue,
                    (
                        Standing::Text {
                            is_code, is_remark, ..
                        },
                        _,
                    ) if is_code || is_distinct(word) => match is_remark {
                        true => Why::Comment,
                        false => Why::Text,
                    },
                    (Standing::Text { .. }, _) => continue,
                };
                self.hints.places.push(PossibleUse {
                    why,
                    file,
                    line,
                    was,
                });
            }
        }
        is_whole
    }

    /// Looks for names in the files that the index does not hold.
    fn unread(&mut self, texts: &mut Texts, names: &[(Box<[u8]>, UnitId)]) {
        let view = self.found.new.view;
        let mut looked = 0;
        let ids = (0..view.files().len() as u32).map(FileId);
        for id in ids {
            let file = view.file(id);
            let row = file.doc.map(|doc| {
                let segment = &view.segment(doc.segment).segment;
                segment.doc(doc.doc)
            });
            let reason = match (file.reading, row.as_ref().and_then(|row| row.skip)) {
                (Reading::TooLarge | Reading::Forgotten | Reading::NoGrammar, _) => {
                    file.reading.skip_label()
                }
                (
                    _,
                    Some(
                        reason @ (SkipReason::TooLarge
                        | SkipReason::Minified
                        | SkipReason::TooComplex),
                    ),
                ) => Some(reason.label()),
                _ => None,
            };
            let Some(reason) = reason else {
                continue;
            };
            let may_look = !matches!(file.reading, Reading::TooLarge | Reading::Forgotten);
            let text = match may_look && looked < MAX_UNREAD {
                true => texts.if_here(view, id),
                false => None,
            };
            let Some(text) = text else {
                *self.reasons.entry(reason).or_default() += 1;
                self.unread.insert(id);
                match file.reading {
                    // What is forgotten is counted, and not pointed at.
                    Reading::Forgotten => self.hints.unseen.files.total += 1,
                    _ => self.hints.unseen.files.add(file.path.to_string()),
                }
                continue;
            };
            looked += 1;
            // Code of one's own that says any of the names may use it, whatever the name looks like.
            let is_code = row.is_some_and(|row| lang::of(row.lang).genre == Genre::Code)
                && !matches!(file.role, FileRole::Generated | FileRole::Vendored);
            let mut is_unclear = false;
            for (name, was) in names {
                let is_distinct = is_distinct(name);
                if !is_distinct && (!is_code || is_unclear) {
                    continue;
                }
                let Some(at) = text.words(name).next() else {
                    continue;
                };
                match is_distinct {
                    true => self.hints.places.push(PossibleUse {
                        why: Why::Unread,
                        file: id,
                        line: text.place(at).0,
                        was: *was,
                    }),
                    false => is_unclear = true,
                }
            }
            if is_unclear {
                *self.reasons.entry(reason).or_default() += 1;
                self.unread.insert(id);
                self.hints.unseen.files.add(file.path.to_string());
            }
        }
    }

    /// Notes the files that were changed themselves and not read, before or after: what they define or use may be gone.
    fn changed_unread(&mut self, texts: &mut Texts) {
        let (old, new) = (self.found.old.view, self.found.new.view);
        for file in &self.found.files {
            let after = file.after().and_then(|id| {
                let mut is_in_conflict = || files::is_in_conflict(new, id, texts);
                files::unread(new, id).or_else(|| is_in_conflict().then_some(files::IN_CONFLICT))
            });
            let before = file.before().and_then(|id| files::unread(old, id));
            let is_known = file.after().is_some_and(|id| self.unread.contains(&id));
            let Some(reason) = after.or(before).filter(|_| !is_known) else {
                continue;
            };
            let path = match (file.after(), file.before()) {
                (Some(id), _) => new.file(id).path.to_string(),
                (None, Some(id)) => old.file(id).path.to_string(),
                (None, None) => continue,
            };
            *self.reasons.entry(reason).or_default() += 1;
            self.hints.unseen.files.add(path);
        }
    }
}

/// Files of the new state that have a word, in comments too, in path order: those that may name a definition
/// of this language, and prose.
pub(super) fn holders((old, new): (&Side<'_>, &View), word: &[u8], was: UnitId) -> Vec<FileId> {
    let Some(of) = old.view.file(old.unit(was).file).doc else {
        return Vec::new();
    };
    let family = lang::of(old.view.segment(of.segment).segment.doc(of.doc).lang).family;
    let term = terms::of_name(word);
    let mut files = Vec::new();
    for (live, ord) in new.segments().iter().zip((0..).map(SegmentOrd)) {
        let Some(postings) = live.segment.postings(&term) else {
            continue;
        };
        let live_ones = postings.filter(|posting| live.is_live_chunk(posting.chunk));
        let in_text = live_ones.filter(|posting| {
            let fields = [Field::Signature, Field::Body, Field::Comment];
            fields.iter().any(|field| posting.tf[*field as usize] > 0)
        });
        let chunks = in_text.map(|posting| posting.chunk);
        for doc in live.segment.chunk_docs(chunks) {
            let language = lang::of(live.segment.doc(doc).lang);
            let genre = language.genre;
            let is_code = genre.is_code() && !genre.is_data();
            let may_name = language.family == family || !is_code;
            let held = Some(DocAddress { segment: ord, doc });
            let of_doc = live.files_of(doc).filter(|file| {
                let file = new.file(*file);
                may_name && file.doc == held
            });
            files.extend(of_doc);
        }
    }
    files.sort_unstable();
    files.dedup();
    files
}

/// Whether a file is a page, or a template in a language that is not read as code (ERB, Twirl).
pub(super) fn is_page(view: &View, file: FileId) -> bool {
    let doc = view.file(file).doc;
    doc.is_some_and(|doc| {
        let segment = &view.segment(doc.segment).segment;
        let genre = lang::of(segment.doc(doc.doc).lang).genre;
        matches!(genre, Genre::Page | Genre::Text)
    })
}

/// Whether a name is told from a word of prose by how it is written.
fn is_distinct(name: &[u8]) -> bool {
    let inner = name.get(1..).unwrap_or_default();
    let is_joined = inner.iter().any(|b| *b == b'_' || b.is_ascii_digit());
    let is_camel = name
        .windows(2)
        .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    name.len() >= MIN_DISTINCT && (is_joined || is_camel)
}

/// Whether a file tells what was: a list of changes, a migration.
pub(super) fn is_chronicle(path: &RepoPath) -> bool {
    let is_prose = FileRole::of_path(path.as_bytes()) == FileRole::Documentation;
    let name = String::from_utf8_lossy(path.file_name()).to_lowercase();
    is_prose && CHRONICLES.iter().any(|word| name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_told_from_prose_by_how_it_is_written() {
        for name in ["net_price", "netPrice", "sha256", "NetPrice"] {
            assert!(is_distinct(name.as_bytes()), "{name}");
        }
        for name in ["price", "Price", "PRICE", "_run", "to_s", ""] {
            assert!(!is_distinct(name.as_bytes()), "{name}");
        }
    }
}
