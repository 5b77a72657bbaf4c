//! Literals of JavaScript and TypeScript that name a field which is gone without a value of its own: `{ name, size }`.
//! Such a name means the variable, and nothing says that it is the name of a field too.
//!
//! Of what type a literal is follows from where it goes, which is known in few places. So these are places that may be left
//! behind, and none is counted as broken. Left out: literals that have a field of another type, those on lines that are
//! new, and files from which the type is more than a few imports away.

use super::Comparison;
use super::dangling::{document, own_bytes, symbol_at};
use super::possible::{PossibleUse, Unseen, Why};
use super::units::UnitId;
use crate::extract::record::{Grammar, OccurrenceKind, Qualifier, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashSet;

/// Fields that are looked for.
const MAX_FIELDS: usize = 64;
/// Imports between a type and a literal of it, and files that are looked at for one field.
const MAX_STEPS: usize = 3;
const MAX_FILES: usize = 512;
/// Bytes before a name in which its literal begins.
const MAX_BEFORE: usize = 2048;

/// Finds them.
pub(super) fn find(
    found: &Comparison<'_>,
    texts: &mut Texts,
    unseen: &mut Unseen,
) -> Vec<PossibleUse> {
    let mut all = Vec::new();
    let fields = found.old.ids().filter(|was| is_gone_field(found, *was));
    for (at, was) in fields.enumerate() {
        if at == MAX_FIELDS {
            unseen.names += 1;
            break;
        }
        let (files, is_whole) = near(found, was);
        unseen.names += usize::from(!is_whole);
        for file in files {
            in_file(found, texts, (file, was), &mut all);
        }
    }
    all
}

/// Whether something is a field of a type that is still there, and has lost its name.
fn is_gone_field(found: &Comparison<'_>, was: UnitId) -> bool {
    let unit = found.old.unit(was);
    let Some(outer) = unit.container else {
        return false;
    };
    let is_shape = matches!(
        found.old.unit(outer).kind,
        SymbolKind::Interface | SymbolKind::Type | SymbolKind::Class
    );
    let is_left = match found.matches.new_of(was) {
        Some(now) => found.old.own_name(was) == found.new.own_name(now),
        None => found.matches.new_of(outer).is_none(),
    };
    let grammar = document(&found.old, unit.file).map(|(segment, doc)| segment.doc(doc).lang);
    let is_script = matches!(grammar, Some(Grammar::TypeScript | Grammar::Tsx));
    unit.kind == SymbolKind::Field && is_shape && !is_left && is_script
}

/// The files of the new state from which the file of a field is a few imports away, and whether these are all.
fn near(found: &Comparison<'_>, was: UnitId) -> (Vec<FileId>, bool) {
    let home = found.old.unit(was).file;
    let Some(home) = found.matches.file_of(home) else {
        return (Vec::new(), true);
    };
    let (mut all, mut known) = (vec![home], FxHashSet::from_iter([home]));
    let mut begun = 0;
    for _ in 0..MAX_STEPS {
        let end = all.len();
        for at in begun..end {
            let importers = found.new.graph.importers(all[at]);
            all.extend(importers.filter(|file| known.insert(*file)));
        }
        begun = end;
    }
    let is_whole = all.len() <= MAX_FILES;
    all.truncate(MAX_FILES);
    (all, is_whole)
}

fn in_file(
    found: &Comparison<'_>,
    texts: &mut Texts,
    (file, was): (FileId, UnitId),
    all: &mut Vec<PossibleUse>,
) {
    let new = &found.new;
    let name = own_bytes(&found.old.unit(was).name);
    let Some((segment, doc)) = document(new, file) else {
        return;
    };
    let Some(id) = segment.name_id(name) else {
        return;
    };
    let uses = segment
        .occurrences_of(doc, id)
        .filter(|used| used.kind == OccurrenceKind::Read && used.qualifier == Qualifier::None);
    let uses: Vec<(u32, u32)> = uses.map(|used| (used.line, used.col)).collect();
    if uses.is_empty() {
        return;
    }
    let Some(text) = texts.if_here(new.view, file) else {
        return;
    };
    let outer = found.old.unit(was).container;
    let outer = outer.and_then(|outer| found.matches.new_of(outer));
    let outer = outer.map(|outer| new.unit(outer).id);
    for (line, col) in uses {
        let Some((begins, ends)) = literal(&text, (line, col), name.len()) else {
            continue;
        };
        let mut reader = new.graph.reader();
        let mut edges = new.graph.edges_of(file);
        let is_of_other = edges.any(|number| {
            let edge = reader.edge(number);
            let place = (edge.line, edge.col);
            (begins..ends).contains(&place)
                && edge.rule.certainty() == Certainty::Resolved
                && (line, col) != place
                && is_field_of_other(found, number, outer)
        });
        let is_kept = found.new.code(file).is_none() || {
            let before = found.files.iter().find(|one| one.after() == Some(file));
            let before = before.and_then(|one| one.before());
            let map = before.and_then(|before| found.lines.get(&before));
            map.is_none_or(|map| !map.is_new(line))
        };
        if !is_of_other && is_kept {
            all.push(PossibleUse {
                why: Why::Shorthand,
                file,
                line,
                was,
            });
        }
    }
}

/// Whether an edge is a key of a literal that is of another type.
fn is_field_of_other(found: &Comparison<'_>, number: u32, outer: Option<SymbolId>) -> bool {
    let graph = found.new.graph;
    let mut targets = graph.targets(number).peekable();
    targets.peek().is_some()
        && targets.all(|target| {
            let (file, position) = graph.place(target);
            symbol_at(&found.new, file, position).is_some_and(|(_, symbol)| {
                let around = symbol
                    .container
                    .and_then(|outer| graph.symbol(file, outer as usize));
                symbol.kind == SymbolKind::Field && around != outer
            })
        })
}

/// A line and a column.
type At = (u32, u32);

/// Where the literal begins and where its line ends, in which a name stands without a value.
fn literal(text: &Text, (line, col): At, length: usize) -> Option<(At, At)> {
    let at = text.start(line)? + col as usize;
    let bytes = text.bytes();
    let behind = bytes.get(at + length..)?.trim_ascii_start().first()?;
    let before = bytes.get(at.saturating_sub(MAX_BEFORE)..at)?;
    let last = before.trim_ascii_end().last()?;
    if !matches!(behind, b',' | b'}') || !matches!(last, b',' | b'{') {
        return None;
    }
    let mut depth = 0;
    let mut open = None;
    for (back, byte) in before.iter().enumerate().rev() {
        match byte {
            b'}' | b')' | b']' => depth += 1,
            b'{' if depth == 0 => {
                open = Some(back);
                break;
            }
            b'(' | b'[' if depth == 0 => return None,
            b'{' | b'(' | b'[' => depth -= 1,
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    let open = open?;
    if !begins_literal(&before[..open], last == &b'{' && behind == &b'}') {
        return None;
    }
    let begins = text.place(u32::try_from(at - before.len() + open).ok()?);
    let ends = text.place(u32::try_from(at + length).ok()?);
    let line_end = (ends.0, u32::MAX);
    Some((begins, line_end))
}

/// Whether what stands before an opening brace says that a literal begins there.
fn begins_literal(before: &[u8], is_alone: bool) -> bool {
    let trimmed = before.trim_ascii_end();
    let word = trimmed
        .rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .next()
        .unwrap_or_default();
    if !word.is_empty() {
        return matches!(word, b"return" | b"yield" | b"default" | b"as" | b"await");
    }
    let is_space = trimmed.len() < before.len();
    match trimmed.last() {
        // `<a b={name}>`, `<a>{name}</a>`.
        Some(b'=') => !is_alone || is_space,
        Some(b'(' | b'[' | b',' | b':' | b'?' | b'|' | b'&') => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_literal(text: &str) -> bool {
        let at = text.find("name").unwrap();
        let text = Text::new(text.as_bytes().to_vec());
        literal(&text, (1, at as u32), 4).is_some()
    }

    #[test]
    fn literals_are_told_from_blocks_and_patterns() {
        for text in [
            "take({ name, size })",
            "const o: Opt = { name }",
            "return { size: 1, name }",
            "x = [{ name }]",
            "f({ a: { name }, b })",
        ] {
            assert!(is_literal(text), "{text}");
        }
        for text in [
            "import { name } from 'x'",
            "const { name } = opt",
            "f(a, name, b)",
            "[a, name, b]",
            "if (x) { name }",
            "<a b={name}/>",
            "<a>{name}</a>",
            "take({ name: 1 })",
        ] {
            assert!(!is_literal(text), "{text}");
        }
    }
}
