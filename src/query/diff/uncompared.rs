//! Definitions that are another to those who use them in a way that nothing here compares with the uses: another head of
//! a type, one more case, exceptions, decorators that say what something is.
//!
//! What can be compared is told where it stands (`signatures`, `subtypes`, `statics`); of the rest it is only said that
//! nobody looked, so that no zero is read as leave to go on.
//!
//! Guarantees: something is named only where uses of it are left that stand on lines as they were, and of which nothing
//! is told. Nothing here is counted as broken.

use super::Comparison;
use super::answer::DiffAnswer;
use super::changes::Change;
use super::dangling;
use super::effects::{Because, Effect};
use super::lines::LineMap;
use super::signatures::Signatures;
use super::statics::{self, Turned};
use super::units::{Side, UnitId};
use crate::extract::record::{Grammar, OccurrenceKind, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::query::nothing::Few;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Definitions that are named.
const MAX_NAMED: usize = 3;
/// Uses of one that are looked at for one that stayed.
const MAX_USES: usize = 4096;

/// Names them.
pub(super) fn find(
    signatures: &mut Signatures<'_>,
    found: &Comparison<'_>,
    texts: &mut Texts,
    answer: &DiffAnswer,
) -> Few {
    let broken = answer.broken.iter().map(|one| &one.unmet.expected);
    let possible = answer.unknown.possible.iter().map(|one| &one.expected);
    let told: FxHashSet<&str> = broken.chain(possible).map(|name| &**name).collect();
    let mut maps = FxHashMap::default();
    let mut subjects: Vec<UnitId> = Vec::new();
    for change in &found.changes {
        let subject = subject(signatures, found, texts, *change);
        subjects.extend(subject.filter(|unit| !subjects.contains(unit)));
    }
    let mut all = Few::default();
    for unit in subjects {
        if !is_used_still(found, &mut maps, unit) {
            continue;
        }
        let Some(reference) = found.new.reference(texts, unit) else {
            continue;
        };
        let name = reference.qualified.to_string();
        if told.contains(&*name) || all.first.contains(&name) {
            continue;
        }
        all.total += 1;
        if all.first.len() < MAX_NAMED {
            all.first.push(name);
        }
    }
    all
}

/// What of the new state is another by a change to those who use it, if nobody compares that.
fn subject(
    signatures: &mut Signatures<'_>,
    found: &Comparison<'_>,
    texts: &mut Texts,
    change: Change,
) -> Option<UnitId> {
    match change {
        Change::Changed { old, new, how } => {
            if how.renamed || how.moved {
                return None;
            }
            if how.modifiers && says_otherwise(&found.old, old, &found.new, new) {
                return Some(new);
            }
            if !how.signature {
                return None;
            }
            // Either will do on an object in some languages.
            let turned = statics::turned(found, old, new);
            let is_java = grammar(&found.new, new) == Some(Grammar::Java);
            if turned.is_some_and(|turned| !is_java || turned == Turned::ToObjects) {
                return Some(new);
            }
            let kinds = (found.old.unit(old).kind, found.new.unit(new).kind);
            // Who makes the whole has to give it now.
            if kinds.1 == SymbolKind::Field
                && may_lack(&found.old, old)
                && !may_lack(&found.new, new)
            {
                return found.new.unit(new).container;
            }
            // Patterns are not compared as calls are.
            let is_called = kinds.1 != SymbolKind::Variant
                && !semantics::is_type(kinds.1)
                && semantics::is_callable(kinds.1);
            let effect = signatures.effect(texts, change);
            let is_open = match effect {
                Effect::None | Effect::Additive => kinds.0 != kinds.1,
                // Who sees it is compared, as far as it can be.
                Effect::Unknown(because) | Effect::Breaking(because) if is_called => {
                    matches!(because, Because::Throws | Because::Thrown | Because::Head)
                }
                Effect::Unknown(Because::Layout) => false,
                Effect::Unknown(_) | Effect::Breaking(_) => true,
            };
            is_open.then_some(new)
        }
        Change::Added(new) => {
            let outer = found.new.unit(new).container?;
            found.matches.old_of(outer)?;
            let is_open = match signatures.effect(texts, change) {
                Effect::None | Effect::Additive | Effect::Unknown(Because::Layout) => {
                    is_wanted_part(&found.new, new)
                }
                Effect::Unknown(_) | Effect::Breaking(_) => true,
            };
            is_open.then_some(outer)
        }
        Change::Removed(was) => implementor(found, was),
    }
}

/// Whether a member may be left out by who makes the whole: `size?: number`.
fn may_lack(side: &Side<'_>, unit: UnitId) -> bool {
    let head = head(side, unit);
    let name = dangling::own_bytes(&side.unit(unit).name);
    let behind = memchr::memmem::find(&head, name).map(|at| &head[at + name.len()..]);
    let is_script = matches!(
        grammar(side, unit),
        Some(Grammar::TypeScript | Grammar::Tsx)
    );
    is_script && behind.is_some_and(|behind| behind.trim_ascii_start().starts_with(b"?"))
}

/// Whether a part that is new has to be given, written or listed by who knew the whole, in ways that the rules of versions
/// do not speak of.
fn is_wanted_part(side: &Side<'_>, unit: UnitId) -> bool {
    let (of, head) = (side.unit(unit), head(side, unit));
    match (grammar(side, unit), of.kind) {
        // `when` and `switch` list all cases.
        (Some(Grammar::Kotlin | Grammar::Swift), SymbolKind::Variant) => true,
        (Some(Grammar::Cpp), SymbolKind::Method) => {
            let pure: Vec<u8> = head
                .iter()
                .copied()
                .filter(|byte| !byte.is_ascii_whitespace())
                .collect();
            memchr::memmem::find(&pure, b"=0").is_some()
        }
        // Who makes one gives it by place or by name.
        (Some(Grammar::Python), SymbolKind::Field) => {
            let outer = of.container.map_or(&[][..], |outer| side.lead(outer));
            let is_data = [&b"dataclass"[..], b"attr", b"define"]
                .iter()
                .any(|word| memchr::memmem::find(outer, word).is_some());
            is_data && !head.contains(&b'=')
        }
        _ => false,
    }
}

/// The type that a block of Rust is gone with which it had a trait.
fn implementor(found: &Comparison<'_>, was: UnitId) -> Option<UnitId> {
    let of = found.old.unit(was);
    let is_block = of.kind == SymbolKind::Impl && grammar(&found.old, was) == Some(Grammar::Rust);
    let head = head(&found.old, was);
    if !is_block || memchr::memmem::find(&head, b" for ").is_none() {
        return None;
    }
    let file = found.matches.file_of(of.file)?;
    let mut units = found.new.of_file(file);
    units.find(|unit| {
        let now = found.new.unit(*unit);
        semantics::is_type(now.kind) && now.name == of.name
    })
}

/// The head of a definition.
fn head(side: &Side<'_>, unit: UnitId) -> Vec<u8> {
    let code = side.code(side.unit(unit).file);
    let head = side.symbol(unit).zip(code);
    head.map_or_else(Vec::new, |(symbol, code)| {
        let line = code.text.slice(symbol.span.clone());
        let end = symbol.signature.end.saturating_sub(symbol.span.start) as usize;
        line.get(..end.max(line.len().min(256)))
            .unwrap_or(line)
            .to_vec()
    })
}

/// Decorators of Python that say what a definition is to those who use it.
const TELLING: &[&[u8]] = byte_words!(
    "property cached_property setter staticmethod classmethod contextmanager asynccontextmanager dataclass coroutine"
);

/// Whether other decorators or attributes stand before a definition that say what can be done with it.
fn says_otherwise(old: &Side<'_>, was: UnitId, new: &Side<'_>, is: UnitId) -> bool {
    let words = |side: &Side<'_>, unit: UnitId| -> FxHashSet<Vec<u8>> {
        let lead = side.lead(unit);
        let words = lead.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        words.map(<[u8]>::to_vec).collect()
    };
    let (before, after) = (words(old, was), words(new, is));
    match grammar(new, is) {
        Some(Grammar::Python) => before
            .symmetric_difference(&after)
            .any(|word| TELLING.contains(&&word[..])),
        // What is derived no more.
        Some(Grammar::Rust) => {
            let derive = &b"derive"[..];
            let is_type = |word: &Vec<u8>| word.first().is_some_and(u8::is_ascii_uppercase);
            before.contains(derive) && before.difference(&after).any(is_type)
        }
        _ => false,
    }
}

fn grammar(side: &Side<'_>, unit: UnitId) -> Option<Grammar> {
    let doc = side.view.file(side.unit(unit).file).doc?;
    Some(side.view.segment(doc.segment).segment.doc(doc.doc).lang)
}

/// Whether something uses a definition for sure, outside of it, on a line that is as it was.
fn is_used_still(
    found: &Comparison<'_>,
    maps: &mut FxHashMap<FileId, Option<LineMap>>,
    unit: UnitId,
) -> bool {
    let side = &found.new;
    let own = (side.unit(unit).id, side.unit(unit).file);
    let lines = side
        .symbol(unit)
        .map(|symbol| symbol.start_line..=symbol.end_line);
    let is_interface = matches!(
        side.unit(unit).kind,
        SymbolKind::Interface | SymbolKind::Trait
    );
    let mut reader = side.graph.reader();
    let uses = side.graph.incoming(own.0);
    uses.into_iter().take(MAX_USES).any(|number| {
        let edge = reader.edge(number);
        let is_inside =
            edge.file == own.1 && lines.as_ref().is_some_and(|of| of.contains(&edge.line));
        // Whether a type has what its interface wants is compared.
        let is_compared = is_interface && edge.kind == OccurrenceKind::Inherit;
        edge.rule.certainty() <= Certainty::Inferred
            && edge.kind != OccurrenceKind::Import
            && !is_inside
            && !is_compared
            && !is_new(found, maps, (edge.file, edge.line))
    })
}

/// Whether a line of the new state was written with the change.
fn is_new(
    found: &Comparison<'_>,
    maps: &mut FxHashMap<FileId, Option<LineMap>>,
    (file, line): (FileId, u32),
) -> bool {
    let Some(code) = found.new.code(file) else {
        return false;
    };
    let before = found.files.iter().find(|one| one.after() == Some(file));
    let Some(before) = before.and_then(|one| one.before()) else {
        return true;
    };
    if let Some(map) = found.lines.get(&before) {
        return map.is_new(line);
    }
    let map = maps.entry(file).or_insert_with(|| {
        let was = found.old.code(before)?;
        Some(LineMap::of(was.text.bytes(), code.text.bytes()))
    });
    map.as_ref().is_none_or(|map| map.is_new(line))
}
