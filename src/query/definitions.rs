//! Finding definitions by name: exact, then case-insensitive, then what is near ([`super::loose`]).
//!
//! Guarantee: the result depends only on live documents. Nothing is cut off before it is ordered
//! by a total order over what the tree holds, so dead documents and the way documents are cut into
//! segments never show.

use super::Error;
use super::answer::MatchKind;
use super::ids::{DocSymbols, ParsedId};
use super::inventory::is_type;
use super::loose;
use super::pattern::Pattern;
use super::scope::Filter;
use super::target::Name;
use super::target_matches::{Passage, files_shown_as};
use super::verified::VerifiedSymbols;
use crate::extract::record::{ImportKind, Symbol, SymbolFlags, SymbolKind};
use crate::extract::terms;
use crate::id::{DocAddress, NameId, SegmentOrd};
use crate::lang;
use crate::view::live::{FileId, LiveSegment, View};
use crate::view::role::FileRole;
use crate::view::text::{Text, Texts};
use crate::view::written::Written;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// One definition in one file.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The file; one document at two paths gives two definitions.
    pub file: FileId,
    /// The document.
    pub doc: DocAddress,
    /// Which of the document's symbols.
    pub index: usize,
    /// How it matched.
    pub matched: MatchKind,
    fit: Fit,
    order: Order,
}

impl Definition {
    /// Whether the containers that were named are its innermost ones.
    pub(super) fn is_inside(&self) -> bool {
        self.fit == Fit::Inside
    }

    /// Whether it is a heading or the title of a test, and no name that code could use.
    pub(super) fn is_title(&self) -> bool {
        self.order.kind >= kind_rank(SymbolKind::Section)
    }
}

/// How well the containers of a definition are those that were named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fit {
    /// They are its innermost ones.
    Inside,
    /// They are its own and parts of its file's path or package.
    Module,
    /// They are others.
    Elsewhere,
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

/// Finds the definitions that a name may mean, best first: those in its containers, those of a module that
/// is called like them, those elsewhere. With `exact_only` (the name may be a file's) in this spelling only.
pub fn of_name(view: &View, filter: &Filter, name: &Name, exact_only: bool) -> Vec<Definition> {
    if name.own.is_empty() {
        return Vec::new();
    }
    let mut found = best_fit(by_name(view, filter, name));
    if exact_only {
        found.retain(|found| found.order.matched == MatchKind::Exact);
    } else if found.is_empty() {
        found = best_fit(loose::near(view, filter, name));
    }
    found
}

/// Finds the definitions whose names a pattern matches, best first, and how many names it matches. Fails on an expression
/// that is none.
pub fn matching(
    view: &View,
    filter: &Filter,
    pattern: &Pattern,
) -> Result<(Vec<Definition>, usize), Error> {
    let (found, names) = loose::matching(view, filter, pattern)?;
    Ok((best_fit(found), names))
}

/// Finds the definitions that are spelt like a name and lie in its containers, best first.
pub fn spelt(view: &View, filter: &Filter, name: &Name) -> Vec<Definition> {
    if name.own.is_empty() {
        return Vec::new();
    }
    let exact = |name: &Name| {
        let mut found = by_name(view, filter, name);
        found.retain(|found| found.matched == MatchKind::Exact && found.fit < Fit::Elsewhere);
        best_fit(found)
    };
    if name.is_marked {
        let own = format!("{}!", name.own);
        let found = exact(&Name {
            own,
            ..name.clone()
        });
        if !found.is_empty() {
            return found;
        }
    }
    exact(name)
}

/// The definitions of a file that some of its lines mean.
pub fn at_lines(view: &View, file: FileId, (first, last): (u32, u32)) -> Vec<Definition> {
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let symbols = DocSymbols::load(&view.segment(doc.segment).segment, doc.doc);
    let of = symbols.of_lines(first, last).into_iter();
    of.filter_map(|index| {
        let symbol = symbols.get(index)?;
        Some(pointed_at(view, file, doc, (index, symbol)))
    })
    .collect()
}

/// The definition at a position of a file's document.
pub fn at(view: &View, file: FileId, index: usize) -> Option<Definition> {
    let doc = view.file(file).doc?;
    let symbol = view
        .segment(doc.segment)
        .segment
        .symbols(doc.doc)
        .nth(index)?;
    Some(pointed_at(view, file, doc, (index, &symbol)))
}

/// The definitions of a file that comments at some lines document.
pub fn documented_at(view: &View, text: &Text, passage: Passage) -> Vec<Definition> {
    let file = passage.file;
    let Some(doc) = view.file(file).doc else {
        return Vec::new();
    };
    let symbols = view.segment(doc.segment).segment.symbols(doc.doc);
    let documented = symbols.enumerate().filter(|(_, symbol)| {
        let (first, last) = (symbol.doc.start, symbol.doc.end.saturating_sub(1));
        !symbol.doc.is_empty()
            && text.place(first).0 <= passage.last
            && passage.first <= text.place(last).0
    });
    documented
        .map(|(index, symbol)| pointed_at(view, file, doc, (index, &symbol)))
        .collect()
}

/// A definition that was pointed at.
fn pointed_at(
    view: &View,
    file: FileId,
    doc: DocAddress,
    (index, symbol): (usize, &Symbol<NameId>),
) -> Definition {
    Definition {
        file,
        doc,
        index,
        matched: MatchKind::Id,
        fit: Fit::Inside,
        order: order(view, file, symbol, index, (MatchKind::Id, 0)),
    }
}

/// Those that fit best. What lies elsewhere is marked so.
fn best_fit(mut found: Vec<Definition>) -> Vec<Definition> {
    let best = found.iter().map(|found| found.fit).min();
    found.retain(|found| Some(found.fit) == best);
    if best == Some(Fit::Elsewhere) {
        let is_spelt_so = |found: &Definition| found.matched == MatchKind::Exact;
        if found.iter().any(is_spelt_so) {
            found.retain(is_spelt_so);
        }
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
            let matched = (MatchKind::Exact, 0);
            let bare = &Name::default();
            collect(view, filter, bare, (live, ord), id, matched, &mut found);
        }
    }
    sort(&mut found);
    found
}

/// Components whose files are called so: who uses one calls it as its file is called.
pub fn components(view: &View, filter: &Filter, name: &str) -> Vec<Definition> {
    let mut found = find_exact(view, filter, b"default");
    found.retain(|of| {
        let segment = &view.segment(of.doc.segment).segment;
        let language = lang::of(segment.doc(of.doc.doc).lang);
        let file = view.file(of.file).path.file_name();
        let rest = file.strip_prefix(name.as_bytes());
        language.liveness.markup_uses_script && rest.is_some_and(|rest| rest.starts_with(b"."))
    });
    found
}

/// Names of definitions that are like `name`, best first; those in the containers that were named with these.
pub fn similar_names(view: &View, texts: &mut Texts, name: &Name, limit: usize) -> Vec<Written> {
    let open = Filter::open();
    let mut names: Vec<Written> = Vec::new();
    let has_containers = !name.containers.is_empty();
    // A name that hundreds of definitions have is read once. What a component is called stands nowhere.
    let mut read: FxHashSet<Vec<u8>> = FxHashSet::default();
    for definition in of_name(view, &open, name, false) {
        let Some(verified) = VerifiedSymbols::of(view, definition.file) else {
            continue;
        };
        let symbols = verified.symbols();
        let spelt = symbols
            .get(definition.index)
            .map(|of| symbols.bytes(of.name));
        let spelt = spelt.filter(|spelt| spelt != b"default");
        if spelt.as_ref().is_some_and(|spelt| read.contains(spelt)) {
            continue;
        }
        let found = match has_containers && definition.is_inside() {
            true => verified.qualified(texts, definition.index),
            false => verified.name(texts, definition.index),
        };
        let Some(found) = found else {
            continue;
        };
        read.extend(spelt);
        if *found != *name.own && !names.contains(&found) {
            names.push(found);
            if names.len() == limit {
                break;
            }
        }
    }
    names
}

/// The name of a type or module with its containers, if one is spelt so.
pub fn spelt_type(view: &View, texts: &mut Texts, name: &str) -> Option<Written> {
    let found = find_exact(view, &Filter::open(), name.as_bytes());
    found.iter().take(MAX_TYPES).find_map(|of| {
        let verified = VerifiedSymbols::of(view, of.file)?;
        let kind = verified.symbols().get(of.index)?.kind;
        let has_members = is_type(kind) || kind == SymbolKind::Module;
        verified.qualified(texts, of.index).filter(|_| has_members)
    })
}

fn segments(view: &View) -> impl Iterator<Item = (&LiveSegment, SegmentOrd)> {
    view.segments().iter().zip((0..).map(SegmentOrd))
}

/// The definition of an id, in each file of its path.
pub fn by_id(view: &View, id: &ParsedId<'_>) -> Vec<Definition> {
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
            found.push(pointed_at(view, file, doc, (index, symbol)));
        }
    }
    found
}

/// The definitions of a name, whatever its case, wherever they lie.
fn by_name(view: &View, filter: &Filter, name: &Name) -> Vec<Definition> {
    let mut folded = Vec::new();
    terms::fold(name.own.as_bytes(), &mut folded);
    let mut found = Vec::new();
    for (live, ord) in segments(view) {
        for id in live.segment.names_folded(&folded) {
            let mut spelt = Vec::new();
            live.segment.name(id, &mut spelt);
            let kind = if spelt == name.own.as_bytes() {
                MatchKind::Exact
            } else {
                MatchKind::CaseInsensitive
            };
            collect(view, filter, name, (live, ord), id, (kind, 0), &mut found);
        }
    }
    sort(&mut found);
    found
}

/// Adds the definitions that a name of a segment has.
pub(super) fn collect(
    view: &View,
    filter: &Filter,
    asked: &Name,
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
        // All of them are needed for the containers alone.
        let all = OnceCell::new();
        let all = || all.get_or_init(|| DocSymbols::load(&live.segment, doc));
        for (index, symbol) in live.segment.symbols(doc).enumerate() {
            if symbol.name != name || !filter.admits_kind(symbol.kind) {
                continue;
            }
            let left = match &asked.containers[..] {
                [] => Left::None,
                containers => containers_left(all(), index, containers),
            };
            for file in live.files_of(doc) {
                if filter.admits(view, view.file(file)) {
                    let doc = DocAddress { segment: ord, doc };
                    found.push(Definition {
                        file,
                        doc,
                        index,
                        matched: matched.0,
                        fit: match &left {
                            Left::None => Fit::Inside,
                            Left::Outer(outer) => {
                                let line = all().outermost(index);
                                match lies_in(view, (file, line), outer, asked) {
                                    true => Fit::Module,
                                    false => Fit::Elsewhere,
                                }
                            }
                            Left::Others => Fit::Elsewhere,
                        },
                        order: order(view, file, &symbol, index, matched),
                    });
                }
            }
        }
    }
}

/// Containers that were named and are none of a symbol's own.
enum Left<'a> {
    None,
    /// The symbol has no other containers than the rest of those named.
    Outer(Vec<&'a str>),
    Others,
}

/// The containers that were named, less those that the symbol has (compared without case, innermost first).
fn containers_left<'a>(
    symbols: &DocSymbols<'_>,
    index: usize,
    containers: &'a [String],
) -> Left<'a> {
    if containers.is_empty() {
        return Left::None;
    }
    let qualified = symbols.qualified(index).to_lowercase();
    let mut actual = qualified.split('.').rev().skip(1).peekable();
    let mut left: Vec<&str> = containers.iter().map(String::as_str).collect();
    while let Some(wanted) = left.last() {
        if actual
            .next_if(|actual| **actual == wanted.to_lowercase())
            .is_none()
        {
            // Words that no symbol is called by.
            if !matches!(
                *wanted,
                "crate" | "super" | "prototype" | "exports" | "module"
            ) {
                break;
            }
        }
        left.pop();
    }
    match (left.is_empty(), actual.peek()) {
        (true, _) => Left::None,
        (false, None) => Left::Outer(left),
        (false, Some(_)) => Left::Others,
    }
}

/// Definitions of the name of a type that are looked at.
const MAX_TYPES: usize = 8;
/// Packages that a file declares and that are looked at.
const MAX_PACKAGES: usize = 64;

/// Whether the outer containers of a name are, in their order, parts of the path of a file, or of the name
/// that it gives the package in which a line stands. Of a module path (`example.com/shop/store.New`) only the last part has to be.
fn lies_in(view: &View, (file, line): (FileId, u32), outer: &[&str], asked: &Name) -> bool {
    let of = view.file(file);
    let plain = |part: &str| part.to_lowercase().replace('-', "_");
    let path = of.path.to_string();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parts: Vec<String> = folder.split('/').chain([stem]).map(plain).collect();
    // A file of Elixir or C# may declare several.
    let mut packages: Vec<Vec<String>> = vec![Vec::new()];
    if let Some(doc) = of.doc {
        let segment = &view.segment(doc.segment).segment;
        let imports = segment.imports(doc.doc);
        let declared = imports.filter(|import| import.kind == ImportKind::Package);
        let mut declared: Vec<_> = declared.take(MAX_PACKAGES).collect();
        // One that begins where the symbol does is its own.
        if declared.iter().any(|package| package.line == line) {
            declared.retain(|package| package.line == line);
        }
        packages.extend(declared.iter().map(|package| {
            let package = String::from_utf8_lossy(&package.specifier).into_owned();
            package.split(['.', '/', ':', '\\']).map(plain).collect()
        }));
    }
    let are_parts = |outer: &[&str]| {
        packages.iter().any(|package| {
            let mut parts = parts.iter().chain(package);
            outer.iter().all(|wanted| {
                let wanted = plain(wanted);
                parts.any(|part| *part == wanted)
            })
        })
    };
    match outer {
        [.., last] if asked.has_module_path => are_parts(&[last]),
        [_, inner @ ..] if asked.has_package && !inner.is_empty() => {
            are_parts(outer) || are_parts(inner)
        }
        outer => are_parts(outer),
    }
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
    use SymbolKind::*;
    match kind {
        Class | Struct | Interface | Trait | Enum | Union | Function | Type | Macro => 0,
        Method | Constructor | Module => 1,
        Constant | Impl => 2,
        Variable | Variant => 3,
        Field => 4,
        Section => 5,
        Test => 6,
    }
}

/// Puts definitions in order, best first.
pub(super) fn sort(found: &mut [Definition]) {
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
