//! Finding definitions by name: exact, then case-insensitive, sub-word, acronym, prefix, fuzzy.
//!
//! Guarantee: the result depends only on live documents. Nothing is cut off before it is ordered
//! by a total order over what the tree holds, so dead documents and the way documents are cut into
//! segments never show.

use super::answer::MatchKind;
use super::ids::{DocSymbols, ParsedId, split_qualified};
use super::scope::Filter;
use super::spoken::Spoken;
use crate::extract::language;
use crate::extract::record::{Grammar, Symbol, SymbolFlags, SymbolKind};
use crate::extract::terms;
use crate::git::quoting;
use crate::id::{LiveDoc, NameId, SegmentOrd};
use crate::view::live::{FileId, LiveSegment, View};
use crate::view::role::FileRole;
use crate::view::text::Texts;
use crate::view::written::Written;
use std::collections::{BTreeMap, BTreeSet};

/// Most distinct names a loose match (sub-word, acronym, prefix, fuzzy) may bring in.
const MAX_LOOSE_NAMES: usize = 200;

/// One definition in one file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The file; one document at two paths gives two definitions.
    pub file: FileId,
    /// The document.
    pub doc: LiveDoc,
    /// Which of the document's symbols.
    pub index: usize,
    /// How it matched.
    pub matched: MatchKind,
    order: Order,
}

/// What definitions are ranked by, best first. The path and the line make it total.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Order {
    matched: MatchKind,
    distance: u32,
    role: FileRole,
    declaration: bool,
    kind: u8,
    hidden: bool,
    nested: bool,
    lines: std::cmp::Reverse<u32>,
    file: FileId,
    index: usize,
}

/// Finds the definitions that `target` may mean, best first.
pub fn find(view: &View, filter: &Filter, target: &str) -> Vec<Definition> {
    if let Some(id) = ParsedId::parse(target) {
        return by_id(view, &id);
    }
    // A path that is no file's is not a name with containers either.
    if looks_like_a_path(target) {
        return Vec::new();
    }
    let (containers, name) = split_qualified(target);
    let mut found = by_name(view, filter, &containers, name);
    if found.is_empty() && !containers.is_empty() {
        // The containers may be a module path that the index knows nothing of.
        found = by_name(view, filter, &[], name);
        for definition in &mut found {
            definition.matched = definition.matched.max(MatchKind::OtherContainer);
        }
    }
    found
}

/// Finds the definitions of exactly this name, best first.
pub fn find_exact(view: &View, filter: &Filter, name: &[u8]) -> Vec<Definition> {
    let mut found = Vec::new();
    for (live, ord) in segments(view) {
        if let Some(id) = live.segment.name_id(name) {
            collect(
                view,
                filter,
                &[],
                (live, ord),
                id,
                (MatchKind::Exact, 0),
                &mut found,
            );
        }
    }
    sort(&mut found);
    found
}

/// Names of definitions that are spelt or begin like `name`, best first.
pub fn similar_names(view: &View, texts: &mut Texts, name: &str, limit: usize) -> Vec<Written> {
    let open = Filter::open();
    let mut names: Vec<Written> = Vec::new();
    for definition in by_name(view, &open, &[], name) {
        let spoken = Spoken::of(view, definition.file);
        let Some(found) = spoken.and_then(|spoken| spoken.name(texts, definition.index)) else {
            continue;
        };
        if *found != *name && !names.contains(&found) {
            names.push(found);
            if names.len() == limit {
                break;
            }
        }
    }
    names
}

fn segments(view: &View) -> impl Iterator<Item = (&LiveSegment, SegmentOrd)> {
    view.segments().iter().zip((0..).map(SegmentOrd))
}

fn by_id(view: &View, id: &ParsedId<'_>) -> Vec<Definition> {
    let mut found = Vec::new();
    for file in files_shown_as(view, id.path) {
        let Some(doc) = view.file(file).doc else {
            continue;
        };
        let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
        let mut same = (0..symbols.all().len()).filter(|i| {
            symbols.get(*i).is_some_and(|s| s.kind == id.kind)
                && symbols.qualified(*i) == id.qualified
        });
        if let Some(index) = same.nth(id.ordinal - 1) {
            let symbol = &symbols.all()[index];
            let order = order(view, file, symbol, index, (MatchKind::Id, 0));
            found.push(Definition {
                file,
                doc,
                index,
                matched: MatchKind::Id,
                order,
            });
        }
    }
    found
}

/// Whether a target is meant as a path: it has a slash, or it ends like a file of a known kind.
/// `a.b` alone is far more often a name with its container.
pub fn looks_like_a_path(target: &str) -> bool {
    if target.contains("::") {
        return false;
    }
    target.contains('/')
        || target.rsplit_once('.').is_some_and(|(_, extension)| {
            language::by_file_name(target.as_bytes()) != Grammar::Text
                || matches!(
                    extension,
                    "json" | "toml" | "yaml" | "yml" | "txt" | "html" | "css" | "sum" | "lock"
                )
        })
}

/// A target without white space around it; as it is when a file's path begins or ends so.
pub fn trimmed<'t>(view: &View, target: &'t str) -> &'t str {
    let path = ParsedId::parse(target).map_or(target, |id| id.path);
    match view.file_at(path.as_bytes()) {
        Some(_) => target,
        None => target.trim(),
    }
}

/// Files whose path is `path`, as it is or as it is shown.
pub fn files_shown_as(view: &View, path: &str) -> Vec<FileId> {
    let raw = view.file_at(path.as_bytes());
    let found = raw.or_else(|| view.file_at(&quoting::unquoted(path)?));
    found.into_iter().collect()
}

fn by_name(view: &View, filter: &Filter, containers: &[&str], name: &str) -> Vec<Definition> {
    let mut folded = Vec::new();
    terms::fold(name.as_bytes(), &mut folded);
    let mut found = Vec::new();
    for (live, ord) in segments(view) {
        for id in live.segment.names_folded(&folded) {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            let kind = if spelt == name.as_bytes() {
                MatchKind::Exact
            } else {
                MatchKind::CaseInsensitive
            };
            collect(
                view,
                filter,
                containers,
                (live, ord),
                id,
                (kind, 0),
                &mut found,
            );
        }
    }
    if found.is_empty() {
        loose(view, filter, containers, name, &folded, &mut found);
    }
    sort(&mut found);
    found
}

/// Names that match loosely, each with the places it is known at. The order of the keys (match
/// kind, distance, spelling) is one that no segmentation changes, so a cut in it is safe.
#[derive(Default)]
struct LooseNames(BTreeMap<LooseKey, Vec<(SegmentOrd, NameId)>>);

/// How a name matched, how many letters it is off, and its spelling.
type LooseKey = (MatchKind, u32, Vec<u8>);

impl LooseNames {
    /// Adds a name if a live document defines it.
    fn add(
        &mut self,
        matched: (MatchKind, u32),
        (live, ord): (&LiveSegment, SegmentOrd),
        id: NameId,
    ) {
        if live.segment.defining_docs(id).any(|doc| live.is_live(doc)) {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            self.0
                .entry((matched.0, matched.1, spelt))
                .or_default()
                .push((ord, id));
        }
    }
}

/// Sub-words, acronyms and prefixes, and only if those give nothing, names a few letters off.
fn loose(
    view: &View,
    filter: &Filter,
    containers: &[&str],
    name: &str,
    folded: &[u8],
    found: &mut Vec<Definition>,
) {
    let mut names = LooseNames::default();
    let mut subwords: Vec<Vec<u8>> = Vec::new();
    terms::for_each_word(name.as_bytes(), |word, _| {
        terms::for_each_subword(word, |part| subwords.push(part.to_vec()));
    });
    for at in segments(view) {
        let mut sets = subwords.iter().map(|part| {
            at.0.segment
                .names_with_subword(part)
                .collect::<BTreeSet<NameId>>()
        });
        let with_all = sets
            .next()
            .map(|first| sets.fold(first, |all, set| &all & &set));
        for id in with_all.unwrap_or_default() {
            names.add((MatchKind::SubWord, 0), at, id);
        }
        if MAY_BE_ACRONYM.contains(&folded.len()) && folded.is_ascii() {
            for id in at.0.segment.names_with_prefix(&folded[..1], usize::MAX) {
                if is_acronym(folded, at.0, id) {
                    names.add((MatchKind::Acronym, 0), at, id);
                }
            }
        }
        if folded.len() >= 2 {
            for id in at.0.segment.names_with_prefix(folded, usize::MAX) {
                names.add((MatchKind::Prefix, 0), at, id);
            }
        }
    }
    let distance = fuzzy_distance(folded.len());
    if let (true, true, Ok(text)) = (
        names.0.is_empty(),
        distance > 0,
        std::str::from_utf8(folded),
    ) {
        for at in segments(view) {
            for (id, off) in at.0.segment.names_within(text, distance, usize::MAX) {
                names.add((MatchKind::Fuzzy, off), at, id);
            }
        }
    }
    for ((kind, distance, _), places) in names.0.into_iter().take(MAX_LOOSE_NAMES) {
        for (ord, id) in places {
            let at = (view.segment(ord), ord);
            collect(view, filter, containers, at, id, (kind, distance), found);
        }
    }
    // A name can match in two ways; the better one stays.
    sort(found);
    let mut seen = BTreeSet::new();
    found.retain(|d| seen.insert((d.file, d.index)));
}

/// Lengths of what may be first letters of the sub-words of names: two letters begin too many.
const MAY_BE_ACRONYM: std::ops::RangeInclusive<usize> = 3..=8;

/// Whether the sub-words of a name begin with these letters, one each.
fn is_acronym(letters: &[u8], live: &LiveSegment, id: NameId) -> bool {
    let mut spelt = Vec::new();
    live.segment.name(id, &mut spelt);
    terms::parts(&spelt)
        .map(|part| part[0].to_ascii_lowercase())
        .eq(letters.iter().copied())
}

/// Letters that may be wrong in a name of so many bytes: one from four, two from eight. (Lucene's
/// automatic fuzziness has one from three and two from six; identifiers lie closer together.)
fn fuzzy_distance(len: usize) -> u32 {
    match len {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

fn collect(
    view: &View,
    filter: &Filter,
    containers: &[&str],
    (live, ord): (&LiveSegment, SegmentOrd),
    name: NameId,
    matched: (MatchKind, u32),
    found: &mut Vec<Definition>,
) {
    for doc in live
        .segment
        .defining_docs(name)
        .filter(|doc| live.is_live(*doc))
    {
        let symbols = DocSymbols::load(&live.segment, doc);
        for (index, symbol) in symbols.all().iter().enumerate() {
            if symbol.name != name
                || !filter.admits_kind(symbol.kind)
                || !(containers.is_empty() || lies_in(&symbols, index, containers))
            {
                continue;
            }
            for file in live.files_of(doc) {
                if filter.admits(view, view.file(file)) {
                    found.push(Definition {
                        file,
                        doc: LiveDoc { segment: ord, doc },
                        index,
                        matched: matched.0,
                        order: order(view, file, symbol, index, matched),
                    });
                }
            }
        }
    }
}

/// Whether the containers asked for are the innermost ones of the symbol, whatever their case.
fn lies_in(symbols: &DocSymbols<'_>, index: usize, containers: &[&str]) -> bool {
    let qualified = symbols.qualified(index).to_lowercase();
    let mut actual = qualified.split('.').rev().skip(1);
    containers
        .iter()
        .rev()
        .all(|wanted| actual.next().is_some_and(|c| c == wanted.to_lowercase()))
}

fn order(
    view: &View,
    file: FileId,
    symbol: &Symbol<NameId>,
    index: usize,
    (matched, distance): (MatchKind, u32),
) -> Order {
    Order {
        matched,
        distance,
        role: view.file(file).role,
        declaration: symbol.flags.contains(SymbolFlags::DECLARATION),
        kind: kind_rank(symbol.kind),
        hidden: !symbol.flags.contains(SymbolFlags::EXPORTED),
        nested: symbol.container.is_some(),
        lines: std::cmp::Reverse(symbol.end_line.saturating_sub(symbol.start_line)),
        file,
        index,
    }
}

/// Types and functions before what lies in them, code before headings.
pub fn kind_rank(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Union
        | SymbolKind::Function
        | SymbolKind::Type
        | SymbolKind::Macro => 0,
        SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Module => 1,
        SymbolKind::Constant | SymbolKind::Impl => 2,
        SymbolKind::Variable | SymbolKind::Variant => 3,
        SymbolKind::Field => 4,
        SymbolKind::Section => 5,
        SymbolKind::Test => 6,
    }
}

fn sort(found: &mut [Definition]) {
    found.sort_unstable_by(|a, b| a.order.cmp(&b.order));
}

/// Occurrences of a name in the live documents of a view, each document counted once a path.
pub fn count_occurrences(view: &View, name: &[u8]) -> u64 {
    let mut total = 0;
    for live in view.segments() {
        let Some(id) = live.segment.name_id(name) else {
            continue;
        };
        for (doc, count) in live.segment.occurring_docs(id) {
            if live.is_live(doc) {
                total += u64::from(count) * live.files_of(doc).count() as u64;
            }
        }
    }
    total
}
