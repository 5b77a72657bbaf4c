//! Uses of a member that no longer fit what it is a member of: of the type itself before and of its objects now, or the
//! other way round.
//!
//! A member that lost its `static` is used by the name of the type still, or from what has no object; one that got it is
//! used on objects, where the language forbids that.
//!
//! Guarantees: the use leads to the member for sure, and what it is used on is a type, or is none, for sure. Deliberately
//! absent: what a type may have of its bases (`parent::f()`), and uses in languages in which either will do.

use super::Comparison;
use super::answer::DiffAnswer;
use super::changes::Change;
use super::dangling::{Expected, Fault, StaleUse, symbol_at};
use super::describe;
use super::document::Document;
use super::units::{Side, UnitId};
use crate::extract::record::{Grammar, OccurrenceKind, Qualifier, Symbol, SymbolKind};
use crate::graph::edges::Edge;
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Symbols around a use that are looked at.
const MAX_AROUND: usize = 32;

/// What became of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turned {
    /// It was of the type.
    ToObjects,
    /// It was of objects.
    ToType,
}

impl Turned {
    fn reason(self) -> &'static str {
        match self {
            Self::ToObjects => "a member of objects now, not of the type",
            Self::ToType => "a member of the type now, not of objects",
        }
    }
}

/// Finds such uses, in order of files and lines for each member.
pub(super) fn find(found: &Comparison<'_>, texts: &mut Texts) -> Vec<(StaleUse, Turned)> {
    let mut search = Search {
        found,
        texts,
        documents: FxHashMap::default(),
    };
    let mut all = Vec::new();
    for change in &found.changes {
        let Change::Changed { old, new, how } = *change else {
            continue;
        };
        if how.renamed || how.moved || !(how.signature || how.modifiers) {
            continue;
        }
        if let Some(turned) = turned(found, old, new) {
            let mut uses = search.uses((old, new), turned);
            uses.sort_unstable();
            all.extend(uses.into_iter().map(|one| (one, turned)));
        }
    }
    all
}

/// Describes them, each with what became of the member.
pub(super) fn describe(
    all: &[(StaleUse, Turned)],
    found: &Comparison<'_>,
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let mut last = None;
    for (stale, turned) in all {
        let mut described = describe::stale_use(found, texts, &mut last, *stale);
        if let Some(broken) = &mut described {
            broken.unmet.reason = Some(turned.reason().to_owned());
        }
        answer.broken.extend(described);
    }
}

/// Uses by the path of the file that they stand in.
type UsesByPath<'a> = FxHashMap<&'a [u8], Vec<Edge>>;

struct Search<'a> {
    found: &'a Comparison<'a>,
    texts: &'a mut Texts,
    documents: FxHashMap<FileId, Option<Document<'a>>>,
}

/// How a language says that a member is of the type, before its name.
fn word_for_static(grammar: Grammar) -> Option<&'static [&'static [u8]]> {
    Some(match grammar {
        Grammar::Java
        | Grammar::TypeScript
        | Grammar::Tsx
        | Grammar::JavaScript
        | Grammar::Php
        | Grammar::Cpp => byte_words!("static"),
        Grammar::CSharp => byte_words!("static const"),
        Grammar::Swift => byte_words!("static class"),
        Grammar::Ruby => byte_words!("self"),
        _ => return None,
    })
}

/// Whether a language lets what is of the type be used on objects.
fn may_be_used_on_objects(grammar: Grammar, kind: SymbolKind) -> bool {
    match grammar {
        Grammar::Java | Grammar::Cpp => true,
        Grammar::Php => kind != SymbolKind::Field,
        _ => false,
    }
}

impl<'a> Search<'a> {
    fn document(&mut self, file: FileId) -> Option<&Document<'a>> {
        let side = &self.found.new;
        let read = || Document::read(side, file);
        self.documents.entry(file).or_insert_with(read).as_ref()
    }

    /// The uses of a member that do not fit what it is now.
    fn uses(&mut self, (was, now): (UnitId, UnitId), turned: Turned) -> Vec<StaleUse> {
        let side = &self.found.new;
        let id = side.unit(now).id;
        let mut reader = side.graph.reader();
        let numbers = side.graph.incoming(id);
        let before = match turned {
            Turned::ToObjects => FxHashMap::default(),
            Turned::ToType => self.uses_before(was),
        };
        let mut all = Vec::new();
        for number in numbers {
            let edge = reader.edge(number);
            if edge.rule.certainty() != Certainty::Resolved
                || edge.kind == OccurrenceKind::Import
                || side.graph.targets(number).any(|target| target != id)
            {
                continue;
            }
            let Some(grammar) = self.document(edge.file).map(|of| of.grammar) else {
                continue;
            };
            // What is written to the class itself makes one there.
            let is_made = edge.kind == OccurrenceKind::Write
                && matches!(
                    grammar,
                    Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx
                );
            let is_stale = !is_made
                && match turned {
                    Turned::ToObjects => self.is_without_object(edge, now, grammar),
                    Turned::ToType => {
                        !may_be_used_on_objects(grammar, side.unit(now).kind)
                            && self.is_on_object(edge, now)
                            && self.was_used_so(edge, &before)
                    }
                };
            if is_stale {
                all.push(StaleUse {
                    expected: Expected::Definition(was),
                    by_member: false,
                    file: edge.file,
                    line: edge.line,
                    col: edge.col,
                    fault: Fault::Misfit,
                    certainty: Certainty::Resolved,
                });
            }
        }
        all
    }

    /// What stands between a use and what it is used on, and before that.
    fn around(&mut self, edge: Edge, grammar: Grammar) -> Option<Used> {
        let side = &self.found.new;
        let document = self.document(edge.file)?;
        let (at, used) = document.at((edge.line, edge.col))?;
        let qualifier = used.qualifier;
        let object = document.object_of(at);
        let object = object.map(|(at, object)| {
            let edge = side.graph.edge_at(document.file, object.line, object.col);
            let mut targets = edge
                .into_iter()
                .flat_map(|edge| side.graph.targets(edge))
                .peekable();
            let is_known = targets.peek().is_some();
            let is_type = is_known
                && targets.all(|target| {
                    let (file, position) = side.graph.place(target);
                    let symbol = symbol_at(side, file, position);
                    symbol.is_some_and(|(_, symbol)| {
                        semantics::is_type(symbol.kind) && symbol.kind != SymbolKind::Module
                    })
                })
                && !document.is_local(at)
                && object.qualifier == Qualifier::None;
            let is_value = document.is_local(at) || (is_known && !is_type);
            (object.line, object.col, is_type, is_value)
        });
        let mark: &[u8] = match grammar {
            Grammar::Php | Grammar::Cpp => b"::",
            _ => b".",
        };
        Some(Used {
            qualifier,
            object,
            mark,
        })
    }

    /// Whether a member of objects is used by the name of its type, or where there is no object.
    fn is_without_object(&mut self, edge: Edge, now: UnitId, grammar: Grammar) -> bool {
        let Some(used) = self.around(edge, grammar) else {
            return false;
        };
        let side = &self.found.new;
        let Some(outer) = side.unit(now).container.map(|outer| side.unit(outer).id) else {
            return false;
        };
        match used.qualifier {
            Qualifier::Previous => {
                let Some((line, col, true, _)) = used.object else {
                    return false;
                };
                let is_written = self.is_written_so(edge, (line, col), used.mark);
                let may_have_object = matches!(grammar, Grammar::Php | Grammar::Cpp)
                    && self.is_in_relative(edge.from, outer);
                is_written && !may_have_object
            }
            Qualifier::This => {
                let has_this_of_type = matches!(
                    grammar,
                    Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx
                );
                has_this_of_type && self.is_in_static(edge.from, outer)
            }
            Qualifier::None => {
                matches!(grammar, Grammar::Java | Grammar::CSharp)
                    && self.is_in_static(edge.from, outer)
            }
            Qualifier::Expression => false,
        }
    }

    /// Whether a member of the type is used on what is an object for sure.
    fn is_on_object(&mut self, edge: Edge, now: UnitId) -> bool {
        let grammar = self.document(edge.file).map(|of| of.grammar);
        let Some(used) = grammar.and_then(|grammar| self.around(edge, grammar)) else {
            return false;
        };
        let side = &self.found.new;
        let outer = side.unit(now).container.map(|outer| side.unit(outer).id);
        match (used.qualifier, used.object) {
            (Qualifier::Previous, Some((_, _, _, is_value))) => is_value,
            (Qualifier::This, _) => {
                outer.is_some_and(|outer| self.is_in_method_of_object(edge.from, outer))
            }
            (Qualifier::Expression, _) => true,
            _ => false,
        }
    }

    /// The sure uses of a member in the old state, by path.
    fn uses_before(&self, was: UnitId) -> UsesByPath<'a> {
        let old = &self.found.old;
        let mut reader = old.graph.reader();
        let mut all = UsesByPath::default();
        for number in old.graph.incoming(old.unit(was).id) {
            let edge = reader.edge(number);
            if edge.rule.certainty() == Certainty::Resolved {
                let path = old.view.file(edge.file).path.as_bytes();
                all.entry(path).or_default().push(edge);
            }
        }
        all
    }

    /// Whether the old state used a member at a place, on a line that is as it was.
    fn was_used_so(&self, edge: Edge, before: &UsesByPath<'_>) -> bool {
        let (old, new) = (&self.found.old, &self.found.new);
        let path = new.view.file(edge.file).path.as_bytes();
        let uses = before.get(path).into_iter().flatten();
        let mut uses = uses.filter(|before| before.col == edge.col);
        uses.any(|before| {
            let line = match self.found.lines.get(&before.file) {
                Some(map) => map.new_line(before.line),
                None => {
                    let is_same = old.view.file(before.file).blob == new.view.file(edge.file).blob;
                    let text = |code: Option<&super::units::Code<'_>>, line: u32| {
                        code.map(|code| code.text.line(line).to_vec())
                    };
                    let stays = text(old.code(before.file), before.line)
                        .is_some_and(|was| text(new.code(edge.file), edge.line) == Some(was));
                    (is_same || stays).then_some(edge.line)
                }
            };
            line == Some(edge.line)
        })
    }

    /// Whether a use stands right behind the type, with this mark between, and is not only named.
    fn is_written_so(&mut self, edge: Edge, (line, col): (u32, u32), mark: &[u8]) -> bool {
        let view = self.found.new.view;
        let Some(text) = self.texts.if_here(view, edge.file) else {
            return false;
        };
        let text = text.line(line);
        let (from, to) = (col as usize, edge.col as usize);
        let before = text.get(..from).unwrap_or_default();
        let between = text.get(from..to).unwrap_or_default();
        let name = between.iter().take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
        });
        let name = name.count();
        let mut rest = between[name..].trim_ascii();
        rest = rest.strip_suffix(b"$").unwrap_or(rest);
        let is_named = before.trim_ascii_end().ends_with(b"nameof(");
        line == edge.line && rest == mark && !is_named
    }

    /// The symbols around a use, the innermost first.
    fn symbols_around(&self, from: Option<SymbolId>) -> Vec<(SymbolId, Symbol<NameId>)> {
        let side = &self.found.new;
        let mut all = Vec::new();
        let mut next = from;
        while let Some(id) = next
            && all.len() < MAX_AROUND
        {
            let (file, position) = side.graph.place(id);
            let Some((_, symbol)) = symbol_at(side, file, position) else {
                break;
            };
            next = symbol
                .container
                .and_then(|outer| side.graph.symbol(file, outer as usize));
            all.push((id, symbol));
        }
        all
    }

    /// Whether a use stands right in a member of the type that is static.
    fn is_in_static(&self, from: Option<SymbolId>, outer: SymbolId) -> bool {
        self.is_right_in(from, outer, true)
    }

    fn is_in_method_of_object(&self, from: Option<SymbolId>, outer: SymbolId) -> bool {
        self.is_right_in(from, outer, false)
    }

    fn is_right_in(&self, from: Option<SymbolId>, outer: SymbolId, as_static: bool) -> bool {
        let around = self.symbols_around(from);
        let [(id, method), (around, _), ..] = &around[..] else {
            return false;
        };
        let is_method = matches!(method.kind, SymbolKind::Method | SymbolKind::Constructor);
        let of = self.found.new.find(*id);
        let said = of.and_then(|unit| is_static(&self.found.new, unit));
        is_method && *around == outer && said == Some(as_static)
    }

    /// Whether a use stands in a type that is this one or has bases, so that an object may be there.
    fn is_in_relative(&self, from: Option<SymbolId>, outer: SymbolId) -> bool {
        let side = &self.found.new;
        let owner = from.and_then(|from| side.graph.owner(from));
        let around = self.symbols_around(from).into_iter();
        let around = around.filter(|(_, symbol)| semantics::is_type(symbol.kind));
        let around = around.filter(|(_, symbol)| symbol.kind != SymbolKind::Module);
        let mut all = around.map(|(id, _)| id).chain(owner);
        all.any(|id| {
            id == outer || side.graph.bases(id).next().is_some() || {
                let (file, position) = side.graph.place(id);
                let symbol = symbol_at(side, file, position);
                symbol.is_none_or(|(_, symbol)| {
                    let document = Document::read(side, file);
                    document.is_none_or(|document| {
                        document.inherits(symbol.start_line..=symbol.end_line)
                    })
                })
            }
        })
    }
}

/// What became of a member, as its heads say.
pub(super) fn turned(found: &Comparison<'_>, old: UnitId, new: UnitId) -> Option<Turned> {
    let (before, after) = (&found.old, &found.new);
    let is_member = |side: &Side<'_>, unit: UnitId| {
        let outer = side.unit(unit).container.map(|outer| side.unit(outer).kind);
        let kind = side.unit(unit).kind;
        matches!(
            kind,
            SymbolKind::Method | SymbolKind::Field | SymbolKind::Constant | SymbolKind::Variable
        ) && matches!(
            outer,
            Some(SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum | SymbolKind::Trait)
        )
    };
    if !is_member(before, old) || !is_member(after, new) {
        return None;
    }
    let was = is_static(before, old)?;
    match (was, is_static(after, new)?) {
        (true, false) => Some(Turned::ToObjects),
        (false, true) => Some(Turned::ToType),
        _ => None,
    }
}

/// A use, as far as what it is used on is concerned.
struct Used {
    qualifier: Qualifier,
    /// Where the object stands, whether it is a type, and whether it is a value.
    object: Option<(u32, u32, bool, bool)>,
    /// What stands between a type and its member.
    mark: &'static [u8],
}

/// Whether the head of a member says that it is of the type; `None` where nothing is known of that.
fn is_static(side: &Side<'_>, unit: UnitId) -> Option<bool> {
    let of = side.unit(unit);
    let doc = side.view.file(of.file).doc?;
    let grammar = side.view.segment(doc.segment).segment.doc(doc.doc).lang;
    let words = word_for_static(grammar)?;
    let symbol = side.symbol(unit)?;
    let code = side.code(of.file)?;
    let line = code.text.start(symbol.name_line)? as u32;
    let name = line + symbol.name_col;
    let head = code.text.slice(symbol.span.start.min(name)..name);
    let mut said = head.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    Some(said.any(|word| words.contains(&word)))
}
