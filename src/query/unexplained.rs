//! Names that stand where the index sees no reference: in data files, in macro bodies, in strings
//! that hold more than the name, after objects nothing is known of, and in pieces (`"visit_" + kind`).
//!
//! The postings of the full-text index say which documents have a word; their text is read to see
//! whether it is the whole name and whether a known occurrence or definition explains it.

use super::beside::Beside;
use super::holders::Among;
use super::inventory::is_callable;
use super::shared::Shared;
use super::{dispatch, properties, texted};
use crate::extract::record::{
    Grammar, Local, Occurrence, OccurrenceKind, Qualifier, Symbol, SymbolFlags, SymbolKind,
};
use crate::graph::edges::Graph;
use crate::id::{DocId, NameId};
use crate::lang;
use crate::lang::language::Genre;
use crate::segment::Segment;
use crate::view::live::{FileId, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use crate::view::word_places::WordPlaces;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Shorter names are words of everything.
pub const MIN_NAME_BYTES: usize = 3;
/// Files read for one name.
pub const MAX_FILES: usize = 30;
/// Beginnings of one name that are looked for.
const MAX_BEGINNINGS: usize = 4;
/// Places of the end of a name that are looked at.
const MAX_ENDS: usize = 64;
/// Bytes before such a place that are looked at.
const MAX_BEFORE: usize = 1024;
/// Bytes of a line in which a comment begins.
const MAX_INDENT: usize = 1024;
/// Shortest beginning in humps.
const MIN_HUMP_BYTES: usize = 5;

/// Whether a name stands somewhere unexplained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// On this line, and perhaps on others.
    Stands(FileId, u32),
    /// It does not, but the beginning of it stands on this line, as where names are put together.
    Begins(FileId, u32),
    /// Nowhere.
    Nowhere,
    /// The name is too short to tell, or not all files with it could be read: they are too many, or not here.
    Common,
}

/// Looks for a name of a language where no reference is understood, but for the definition's `own` lines.
pub fn search(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
    own: (FileId, RangeInclusive<u32>),
    shared: &mut Shared,
) -> Search {
    if name.len() < MIN_NAME_BYTES {
        return Search::Common;
    }
    if let Some(line) = ends(name).and_then(|end| put_behind(view, texts, own.0, end)) {
        return Search::Begins(own.0, line);
    }
    let all = |name| ((lang, name), Among::All);
    match whole_word(view, graph, texts, all(name), &own, shared) {
        Search::Nowhere => {}
        found => return found,
    }
    if may_be_argument((lang, name))
        && let Some((file, line)) = runs_arguments(view, graph, texts, own.0)
    {
        return Search::Begins(file, line);
    }
    let read = properties::read_of(view, texts, (lang, name));
    let read = read.or_else(|| texted::first(view, graph, texts, (lang, name), &own));
    let read = read.or_else(|| Beside::default().first(view, texts, (lang, name), &own));
    if let Some((file, line)) = read {
        return Search::Stands(file, line);
    }
    let begun = beginnings(name).map(|begun| {
        match whole_word(view, graph, texts, all(begun), &own, shared) {
            Search::Stands(file, line) => Search::Begins(file, line),
            found => found,
        }
    });
    let mut begun = begun.filter(|found| *found != Search::Nowhere);
    if let Some(found) = begun.next() {
        return found;
    }
    if humps(name).next().is_some()
        && texts.if_here(view, own.0).is_some()
        && let Some(read) = ReadFile::of(view, graph, texts, own.0)
        && let Some(line) = humps(name).find_map(|hump| read.quoted(hump))
    {
        return Search::Begins(own.0, line);
    }
    if let Some((file, line)) = shared.openings.find(view, texts, (lang, name), own.0) {
        return Search::Begins(file, line);
    }
    Search::Nowhere
}

/// The first place outside of tests at which a name stands whole where no reference is understood.
pub fn outside_of_tests(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
    own: (FileId, RangeInclusive<u32>),
    shared: &mut Shared,
) -> Option<(FileId, u32)> {
    if name.len() < MIN_NAME_BYTES {
        return None;
    }
    let asked = ((lang, name), Among::ButTests);
    match whole_word(view, graph, texts, asked, &own, shared) {
        Search::Stands(file, line) => Some((file, line)),
        _ => None,
    }
    .or_else(|| properties::read_of(view, texts, (lang, name)))
}

/// Beginnings of a name in humps that its own file may put the rest behind: `produce` of `produceEpub`. Shorter ones, such as
/// `get`, are quoted for other reasons.
pub fn humps(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_next = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit();
    let ends = (MIN_HUMP_BYTES..name.len())
        .filter(move |end| name[end - 1].is_ascii_lowercase() && is_next(name[*end]));
    ends.take(MAX_BEGINNINGS).map(|end| &name[..end])
}

/// Beginnings of a name that code may put the rest behind: `visit_` of `visit_call`, shortest first.
pub fn beginnings(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = (MIN_NAME_BYTES + 1..name.len())
        .filter(|end| name[end - 1] == b'_' && name[end - 2] != b'_');
    ends.take(MAX_BEGINNINGS).map(|end| &name[..end])
}

/// The end of a name that a shell may put a part of its own before: `:run` of `_tool_:run`, which is called as `"_$1_:run"`.
pub fn ends(name: &[u8]) -> Option<&[u8]> {
    let at = name.iter().rposition(|b| *b == b':')?;
    (at > 0 && name.len() - at > MIN_NAME_BYTES).then(|| &name[at..])
}

/// The first line of a file on which the end of a name stands behind a variable.
pub fn put_behind(view: &View, texts: &mut Texts, file: FileId, end: &[u8]) -> Option<u32> {
    let text = texts.if_here(view, file)?;
    let mut found = memchr::memmem::find_iter(text.bytes(), end).take(MAX_ENDS);
    found.find_map(|at| {
        let (line, col) = text.place(u32::try_from(at).ok()?);
        let before = text.line(line).get(..col as usize)?;
        let before = &before[before.len().saturating_sub(MAX_BEFORE)..];
        let word = before
            .rsplit(|b| b.is_ascii_whitespace() || *b == b'"')
            .next()?;
        word.contains(&b'$').then_some(line)
    })
}

/// Whether who runs a script with arguments may name a function so, if [`runs_arguments`] is of its file: not one that says
/// by its name that it is not for others.
pub fn may_be_argument((lang, name): (Grammar, &[u8])) -> bool {
    lang::of(lang).liveness.scripts_are_called && !name.starts_with(b"_")
}

/// The line at which a script, or one that takes it in, runs what its own arguments name: `"$1"`, `"$command" "$@"`; that at
/// which it takes in one that is not here, and may call what this one has.
pub fn runs_arguments(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    file: FileId,
) -> Option<(FileId, u32)> {
    let takers = graph.dependents(file).take(MAX_FILES);
    let mut all = std::iter::once(file).chain(takers);
    all.find_map(|of| {
        let text = texts.if_here(view, of)?;
        let mut lines = text.bytes().split(|b| *b == b'\n').zip(1..);
        let line = lines.find_map(|(line, at)| runs_argument(line).then_some(at))?;
        Some((of, line))
    })
    .or_else(|| {
        let text = texts.if_here(view, file)?;
        Some((file, dispatch::sources_outside(&text)?))
    })
}

/// Whether a command of a script is its first argument, or a variable that all arguments follow.
fn runs_argument(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let firsts = [&b"\"$1\""[..], b"\"${1}\"", b"$1 "];
    let is_first = firsts.iter().any(|first| line.starts_with(first));
    let rest = line
        .strip_prefix(b"\"$")
        .or_else(|| line.strip_prefix(b"$"));
    let name = rest.map_or(0, |rest| {
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'{' | b'}');
        rest.iter().take_while(|b| is_part(b)).count()
    });
    let behind = rest.and_then(|rest| rest.get(name..)).unwrap_or_default();
    let behind = behind
        .strip_prefix(b"\"")
        .unwrap_or(behind)
        .trim_ascii_start();
    let is_command = |behind: &[u8]| !behind.starts_with(b")") && !behind.starts_with(b"|");
    line == b"\"$@\""
        || is_first && is_command(&line[4.min(line.len())..])
        || name > 0 && (behind.starts_with(b"\"$@\"") || behind.starts_with(b"\"${@:2}\""))
}

fn whole_word(
    view: &View,
    graph: &Graph,
    texts: &mut Texts,
    (name, among): ((Grammar, &[u8]), Among),
    own: &(FileId, RangeInclusive<u32>),
    shared: &mut Shared,
) -> Search {
    let mut files = shared.holders(view, name, among).to_vec();
    let mut all_read = files.len() < MAX_FILES;
    let is_among = among == Among::All || view.file(own.0).role != FileRole::Test;
    // Of a common name not all files are looked at, but its own always is.
    if !all_read && !files.contains(&own.0) && is_among {
        files.push(own.0);
    }
    let mut best: Option<(Rank, FileId, u32)> = None;
    for file in files {
        let Some(telling) = shared.telling(view, graph, texts, (name.1, file)) else {
            all_read = false;
            continue;
        };
        let is_own = |line: u32| file == own.0 && own.1.contains(&line);
        let Some((rank, line)) = telling.iter().find(|(_, line)| !is_own(*line)) else {
            continue;
        };
        if best.is_none_or(|(known, ..)| *rank < known) {
            best = Some((*rank, file, *line));
        }
        if *rank == Rank::Reference {
            break;
        }
    }
    match best {
        Some((_, file, line)) => Search::Stands(file, line),
        None if all_read => Search::Nowhere,
        None => Search::Common,
    }
}

/// How much a place says of whether a name is used there, most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// Code that was not understood.
    Reference,
    /// Written as code is: called, quoted, behind a dot.
    Code,
    /// A word among others.
    Word,
}

/// What a name is where it stands and no edge leads from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// A reference that leads nowhere.
    Reference {
        /// Whether it is a member of a value that nothing says where it is from.
        is_of_unknown: bool,
        /// Its byte column.
        col: u32,
    },
    /// It is in lines that were not understood.
    Gap,
    /// It is in a string, a comment, prose or data.
    Text {
        /// Whether it is written as code is: called, quoted, behind a dot.
        is_code: bool,
        /// Whether a string begins with it.
        is_quoted: bool,
        /// Whether its line is a comment.
        is_remark: bool,
    },
}

/// What a file says of its names: where it defines each, as what can be called too, and which locals have it.
#[derive(Default)]
struct Named {
    defined: FxHashMap<NameId, Vec<(u32, u32)>>,
    called: FxHashMap<NameId, Vec<(u32, u32)>>,
    locals: FxHashMap<NameId, Vec<u32>>,
}

/// A file and what is known of the names in it.
pub struct ReadFile<'a> {
    text: Arc<Text>,
    segment: &'a Segment,
    doc: DocId,
    words: WordPlaces,
    occurrences: Vec<Occurrence<NameId>>,
    /// Numbers of occurrences in order of their places, once somebody asked.
    by_place: OnceCell<Vec<u32>>,
    locals: Vec<Local>,
    /// By name, once somebody asked.
    named: OnceCell<Named>,
    /// Places that were resolved.
    edges: FxHashSet<(u32, u32)>,
}

impl<'a> ReadFile<'a> {
    /// Reads a file; `None` where it has no document, or no text at hand.
    pub fn of(view: &'a View, graph: &Graph, texts: &mut Texts, file: FileId) -> Option<Self> {
        let doc = view.file(file).doc?;
        let segment = &view.segment(doc.segment).segment;
        let mut reader = graph.reader();
        let edges = graph.edges_of(file).map(|edge| reader.edge(edge));
        Some(Self {
            text: texts.get(view, file)?,
            segment,
            doc: doc.doc,
            words: WordPlaces::default(),
            occurrences: segment.occurrences(doc.doc).collect(),
            by_place: OnceCell::new(),
            locals: segment.hints(doc.doc).locals,
            named: OnceCell::new(),
            edges: edges.map(|edge| (edge.line, edge.col)).collect(),
        })
    }

    /// The first line, but for those that are left out, on which the file has a whole name that no
    /// definition, occurrence or comment explains.
    pub fn unexplained(&self, name: &[u8], leaves_out: impl Fn(u32) -> bool) -> Option<u32> {
        let known = self.segment.name_id(name).map(|name| self.explained(name));
        let known = known.unwrap_or_default();
        let text = &self.text;
        for at in self.words.of(text, name) {
            let (line, col) = text.place(at);
            let place = (line, col);
            if !leaves_out(line)
                && !known.contains(&place)
                && !self.edges.contains(&place)
                && !is_remark(text.line(line))
            {
                return Some(line);
            }
        }
        None
    }

    /// The lines of [`Self::unexplained`], those first that say most.
    pub(super) fn telling(&self, name: &[u8]) -> Vec<(Rank, u32)> {
        let mut all = self.unresolved(name);
        all.retain(|(line, _)| !is_remark(self.text.line(*line)));
        let ranked = all.into_iter().map(|(line, standing)| match standing {
            Standing::Reference { .. } | Standing::Gap => (Rank::Reference, line),
            Standing::Text { is_code: true, .. } => (Rank::Code, line),
            Standing::Text { .. } => (Rank::Word, line),
        });
        let mut ranked: Vec<(Rank, u32)> = ranked.collect();
        ranked.sort_unstable();
        ranked
    }

    /// The first line on which a name stands as the text at hand lets pass, and is no code of the file.
    pub(super) fn in_texts(&self, name: &[u8], admits: impl Fn(&Text, u32) -> bool) -> Option<u32> {
        let known = self.segment.name_id(name).map(|name| self.explained(name));
        let known = known.unwrap_or_default();
        let is_code = |place: (u32, u32)| {
            // A text that is the name of something here may be that of something in another language.
            match self.at(place).next() {
                Some((_, one)) => one.kind != OccurrenceKind::Mention,
                None => known.contains(&place) || self.edges.contains(&place),
            }
        };
        let mut all = self.words.of(&self.text, name);
        let found = all.find(|at| admits(&self.text, *at) && !is_code(self.text.place(*at)))?;
        Some(self.text.place(found).0)
    }

    /// The first line on which a string begins with a whole name that nothing explains.
    pub fn quoted(&self, name: &[u8]) -> Option<u32> {
        let mut all = self.unresolved(name).into_iter();
        let is_quoted = |standing| {
            matches!(
                standing,
                Standing::Text {
                    is_quoted: true,
                    ..
                }
            )
        };
        let quoted = all.find_map(|(line, standing)| is_quoted(standing).then_some(line));
        quoted.or_else(|| self.joined(name))
    }

    /// The first line on which a string that is a name, which leads to something else, has more put behind it:
    /// `'load' . ucfirst($kind)` beside a function `load`.
    fn joined(&self, name: &[u8]) -> Option<u32> {
        let bytes = self.text.bytes();
        let found = self.words.of(&self.text, name).find(|at| {
            let place = self.text.place(*at);
            let at = *at as usize;
            let quote = at.checked_sub(1).map_or(b' ', |at| bytes[at]);
            let behind = bytes.get(at + name.len()..).unwrap_or_default();
            let behind = behind.strip_prefix(&[quote]).unwrap_or_default();
            let joins = matches!(behind.trim_ascii_start().first(), Some(b'.' | b'+'));
            let mut here = self.at(place).map(|(_, one)| one.kind);
            matches!(quote, b'"' | b'\'' | b'`')
                && joins
                && here.any(|kind| kind == OccurrenceKind::Mention)
        });
        found.map(|at| self.text.place(at).0)
    }

    /// The lines on which a whole name stands that no definition and no edge explains, and as what.
    pub fn unresolved(&self, name: &[u8]) -> Vec<(u32, Standing)> {
        let known = self.segment.name_id(name).map(|name| self.explained(name));
        let known = known.unwrap_or_default();
        let gaps = self.segment.gaps(self.doc);
        let genre = lang::of(self.segment.doc(self.doc).lang).genre;
        let mut found: Vec<(u32, Standing)> = Vec::new();
        for at in self.words.of(&self.text, name) {
            let (line, col) = self.text.place(at);
            let place = (line, col);
            if known.contains(&place) || self.edges.contains(&place) {
                continue;
            }
            let mut here = self.at(place);
            let reference = here.find(|(_, one)| one.kind != OccurrenceKind::Mention);
            let reference = reference.map(|(at, _)| at).filter(|_| !genre.is_data());
            let standing = match (gaps.contains(line), reference) {
                (true, _) => Standing::Gap,
                (false, Some(at)) => Standing::Reference {
                    is_of_unknown: self.is_of_unknown(at),
                    col,
                },
                (false, None) => {
                    let is_remark = is_remark(self.text.line(line));
                    let bytes = self.text.bytes();
                    standing(bytes, (at as usize, name.len()), genre, is_remark)
                }
            };
            if found.last().is_none_or(|(last, _)| *last != line) {
                found.push((line, standing));
            }
        }
        found
    }

    /// The occurrences at a place, and their numbers.
    fn at(&self, place: (u32, u32)) -> impl Iterator<Item = (usize, &Occurrence<NameId>)> {
        let of = |number: &u32| {
            let found = self.occurrences.get(*number as usize);
            found.map(|found| (found.line, found.col))
        };
        let by_place = self.by_place.get_or_init(|| {
            let all = 0..u32::try_from(self.occurrences.len()).unwrap_or(u32::MAX);
            let mut all: Vec<u32> = all.collect();
            all.sort_by_key(of);
            all
        });
        let first = by_place.partition_point(|number| of(number) < Some(place));
        let here = by_place[first..].iter();
        let here = here.take_while(move |number| of(number) == Some(place));
        here.filter_map(|number| {
            let at = *number as usize;
            Some((at, self.occurrences.get(at)?))
        })
    }

    /// Whether arguments follow a name that ends at a column of a line.
    pub fn is_called(&self, line: u32, end: usize) -> bool {
        let rest = self.text.line(line).get(end..).unwrap_or_default();
        rest.trim_ascii_start().first() == Some(&b'(')
    }

    /// Whether an occurrence names a member of a value, which is not what an import from outside binds.
    fn is_of_unknown(&self, at: usize) -> bool {
        let Some(found) = self.occurrences.get(at) else {
            return false;
        };
        match (found.qualifier, at.checked_sub(1)) {
            (Qualifier::Expression, _) => true,
            (Qualifier::Previous, Some(before)) => {
                let object = &self.occurrences[before];
                let is_known = self.edges.contains(&(object.line, object.col));
                is_known || object.qualifier != Qualifier::None || !self.is_imported(object.name)
            }
            _ => false,
        }
    }

    fn is_imported(&self, name: NameId) -> bool {
        let mut imports = self.segment.imports(self.doc);
        imports.any(|import| import.bindings.iter().any(|one| one.local == Some(name)))
    }

    /// Places at which the file defines a name, or binds it to something of its own. What a schema
    /// defines is the name of what implements it.
    pub fn explained(&self, name: NameId) -> FxHashSet<(u32, u32)> {
        let named = self.named.get_or_init(|| self.by_name());
        let defined = named.defined.get(&name).into_iter().flatten();
        let mut places: FxHashSet<(u32, u32)> = defined.copied().collect();
        let occurrences = &self.occurrences;
        let locals = named.locals.get(&name).into_iter().flatten();
        let called = named.called.get(&name).map_or(&[][..], Vec::as_slice);
        let naming = &lang::of(self.segment.doc(self.doc).lang).naming;
        let length = match naming.linked {
            true => {
                let mut written = Vec::new();
                self.segment.name(name, &mut written);
                written.len()
            }
            false => 0,
        };
        // What is called where methods have nothing to do with variables is no variable, if there is such a method.
        let is_method = |found: &Occurrence<NameId>, declared: Option<&Occurrence<NameId>>| {
            // `let code = try code(of: token)`: the local is not there yet.
            let makes = declared.is_some_and(|of| of.line == found.line && of.col < found.col);
            found.kind == OccurrenceKind::Call
                && !called.is_empty()
                && (naming.methods_apart || makes)
        };
        for local in locals.filter_map(|at| self.locals.get(*at as usize)) {
            let declared = occurrences.get(local.declared as usize);
            let end = (local.scope.end as usize).min(occurrences.len());
            // `else find(a);` behind a condition looks as if it declared what it calls (C).
            let is_behind =
                |of: &Occurrence<NameId>| self.is_called(of.line, of.col as usize + length);
            if naming.linked && declared.is_some_and(is_behind) {
                continue;
            }
            let scope = occurrences.get(local.scope.start as usize..end);
            let scope = scope.unwrap_or_default();
            let scope = match hides_function(scope, declared, called) {
                true => &[],
                false => scope,
            };
            for found in scope.iter().chain(declared) {
                if found.name == name && !is_method(found, declared) {
                    places.insert((found.line, found.col));
                }
            }
        }
        places
    }

    fn by_name(&self) -> Named {
        let mut named = Named::default();
        let language = lang::of(self.segment.doc(self.doc).lang);
        let own = language.genre != Genre::Schema;
        // `extern "C" { fn open(); }` names what another language defines.
        let is_elsewhere = |symbol: &Symbol<NameId>| {
            language.liveness.called_family.is_some()
                && symbol.kind == SymbolKind::Function
                && symbol.flags.contains(SymbolFlags::DECLARATION)
        };
        let defined = self.segment.symbols(self.doc).filter(|_| own);
        for symbol in defined.filter(|symbol| !is_elsewhere(symbol)) {
            let place = (symbol.name_line, symbol.name_col);
            if is_callable(symbol.kind) {
                named.called.entry(symbol.name).or_default().push(place);
            }
            for name in std::iter::once(symbol.name).chain(symbol.receiver) {
                named.defined.entry(name).or_default().push(place);
            }
        }
        for (at, local) in (0..).zip(&self.locals) {
            if let Some(declared) = self.occurrences.get(local.declared as usize) {
                named.locals.entry(declared.name).or_default().push(at);
            }
        }
        named
    }
}

/// How a word of a text is written.
fn standing(text: &[u8], (at, length): (usize, usize), genre: Genre, is_remark: bool) -> Standing {
    let byte = |at: Option<usize>| at.and_then(|at| text.get(at)).copied().unwrap_or(b' ');
    let (before, after) = (byte(at.checked_sub(1)), byte(at.checked_add(length)));
    let further = byte(at.checked_sub(2));
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    let is_quoted = is_quote(before);
    let is_page = genre == Genre::Page;
    let is_behind = !further.is_ascii_whitespace() || is_page && before == b'.';
    // `*{name}` of a form.
    let is_field = is_page && before == b'{' && matches!(further, b'*' | b'#' | b'$' | b'@');
    let is_member = is_field || matches!(before, b'.' | b'#' | b':' | b'@') && is_behind;
    // `handler: tax` and `- tax`.
    let is_value = genre.is_data() && before == b' ' && matches!(further, b':' | b'=' | b'-');
    Standing::Text {
        is_code: after == b'(' || is_quoted && before == after || is_member || is_value,
        is_quoted,
        is_remark,
    }
}

/// Whether a function of a local's name lies in the scope of that, so that nothing tells which of them is meant:
/// `var A = (function () { function A() {} return A; })()`.
fn hides_function(
    scope: &[Occurrence<NameId>],
    declared: Option<&Occurrence<NameId>>,
    called: &[(u32, u32)],
) -> bool {
    let place = |found: &Occurrence<NameId>| (found.line, found.col);
    let (Some(first), Some(last)) = (scope.first().map(place), scope.last().map(place)) else {
        return false;
    };
    let own = declared.map(place);
    let mut called = called.iter();
    called.any(|at| (first..=last).contains(at) && Some(*at) != own)
}

/// Whether a line begins as a comment. Further right than a comment begins no more is looked for: a line may be a
/// megabyte of blanks that a name stands behind again and again.
pub(super) fn is_remark(line: &[u8]) -> bool {
    is_comment(line[..line.len().min(MAX_INDENT)].trim_ascii_start())
}

/// Whether what a line begins with is a comment.
pub(super) fn is_comment(line: &[u8]) -> bool {
    let marks = [&b"//"[..], b"/*", b"*", b"--", b"\"\"\"", b"'''"];
    // `#[serde(with = "dates")]`, `#ifdef NAME`.
    let code = [&b"#define"[..], b"#if", b"#elif", b"#[", b"#!["];
    let hash = line.starts_with(b"#") && !code.iter().any(|mark| line.starts_with(mark));
    hash || marks.iter().any(|mark| line.starts_with(mark))
}
