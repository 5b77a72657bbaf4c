//! Names that both sides define in one place, each at lines that do not collide.
//!
//! A place is a file or a definition that holds others, and in some languages all files of a package. A name is
//! doubled when the merged state defines it more often than either side does.

use super::answer::{Clash, Conflict};
use super::meeting::{Meeting, Origin};
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::git::RepoPath;
use crate::graph::modules::Modules;
use crate::graph::rule::Certainty;
use crate::graph::semantics;
use crate::id::NameId;
use crate::lang::{self, language::Genre};
use crate::query::diff::answer::Unmet;
use crate::query::diff::files::FileChange;
use crate::query::ids::DocSymbols;
use crate::query::verified::VerifiedSymbols;
use crate::view::live::{FileId, View};
use crate::view::text::{Texts, fold_line};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest line quoted, in bytes.
const LINE_BYTES: usize = 160;

/// A definition: its file in the merged state and its position there.
type Definition = (FileId, usize);

/// What has to agree for two definitions to be of one name in one place of a file: the names of what they lie in,
/// with all that the head of a block says that adds to a type, and their own.
type Key = Vec<Vec<u8>>;

/// Finds names that both sides define.
pub(super) fn find(meeting: &Meeting<'_>, texts: &mut Texts) -> Vec<Conflict> {
    let view = meeting.both.view;
    let new = |changes: &[FileChange]| -> FxHashSet<FileId> {
        changes.iter().filter_map(|change| change.after()).collect()
    };
    let (from_us, from_them) = (new(&meeting.from_us), new(&meeting.from_them));
    let mut ours = Origin::of(meeting.ours.view, view, &meeting.from_them);
    let mut theirs = Origin::of(meeting.theirs.view, view, &meeting.from_us);
    let mut by_us = Added::default();
    let mut by_them = Added::default();
    // A file that one side has not touched has nothing that this side added.
    for file in &from_us {
        by_us.read(view, *file, &mut theirs, texts);
    }
    for file in &from_them {
        by_them.read(view, *file, &mut ours, texts);
    }
    let mut found = Vec::new();
    for (key, mine) in &by_us.in_files {
        let Some(other) = by_them.in_files.get(key) else {
            continue;
        };
        found.extend(pair(view, (*mine, *other), texts));
    }
    let names = by_us.tops.iter().filter_map(|(name, mine)| {
        let others = by_them.tops.get(name)?;
        Some((mine, others))
    });
    let mut pairs: Vec<(Definition, Definition)> = names
        .flat_map(|(mine, others)| {
            let pairs = mine.iter().flat_map(|a| others.iter().map(|b| (*a, *b)));
            pairs.filter(|(a, b)| a.0 != b.0).collect::<Vec<_>>()
        })
        .collect();
    if !pairs.is_empty() {
        let modules = Modules::of(view, &mut |file| {
            Some(texts.get(view, file)?.bytes().to_vec())
        });
        pairs.retain(|(a, b)| modules.package_of(a.0).contains(&b.0));
        pairs.sort_unstable();
        for definitions in pairs {
            found.extend(pair(view, definitions, texts));
        }
    }
    found
}

/// What one side added.
#[derive(Default)]
struct Added {
    in_files: FxHashMap<(FileId, Key), Definition>,
    /// At the top of files, by name.
    tops: FxHashMap<Vec<u8>, Vec<Definition>>,
}

impl Added {
    /// Reads the definitions of a file of the merged state on lines that the other side lacks.
    fn read(&mut self, view: &View, file: FileId, other: &mut Origin<'_>, texts: &mut Texts) {
        let Some(doc) = view.file(file).doc else {
            return;
        };
        let segment = &view.segment(doc.segment).segment;
        let language = lang::of(segment.doc(doc.doc).lang);
        if !language.genre.is_code() || language.genre == Genre::Data {
            return;
        }
        let symbols = DocSymbols::load(segment, doc.doc);
        for (at, symbol) in symbols.all().iter().enumerate() {
            let name = symbols.bytes(symbol.name);
            let may_repeat = !semantics::is_referable(symbol.kind)
                || symbol.kind == SymbolKind::Module
                || symbol.flags.contains(SymbolFlags::DECLARATION)
                || semantics::is_type(symbol.kind)
                    && language.naming.type_parts != lang::language::TypeParts::One
                || language.liveness.entry_points.contains(&&name[..]);
            if may_repeat || !other.lacks(file, symbol.name_line, texts) {
                continue;
            }
            let Some(key) = key(view, file, &symbols, at, texts) else {
                continue;
            };
            if symbol.container.is_none() {
                let tops = self.tops.entry(key.concat()).or_default();
                tops.push((file, at));
            }
            self.in_files.insert((file, key), (file, at));
        }
    }
}

/// What names a definition in its file; `None` where its text is not at hand.
fn key(
    view: &View,
    file: FileId,
    symbols: &DocSymbols<'_>,
    at: usize,
    texts: &mut Texts,
) -> Option<Key> {
    let mut key = Vec::new();
    let mut next = Some(at);
    while let Some((i, symbol)) = next.and_then(|i| Some((i, symbols.get(i)?))) {
        key.push(match symbol.kind {
            SymbolKind::Impl => texts
                .get(view, file)?
                .slice(symbol.signature.clone())
                .to_vec(),
            _ => symbols.bytes(symbol.name),
        });
        key.extend(symbol.receiver.map(|receiver| symbols.bytes(receiver)));
        next = symbol
            .container
            .map(|outer| outer as usize)
            .filter(|outer| *outer < i);
    }
    Some(key)
}

/// Two definitions of a name, as a conflict; `None` where the language tells them apart, or text is missing.
fn pair(
    view: &View,
    (mine, other): (Definition, Definition),
    texts: &mut Texts,
) -> Option<Conflict> {
    if mine == other {
        return None;
    }
    let symbol = |(file, at): Definition| -> Option<Symbol<NameId>> {
        let doc = view.file(file).doc?;
        view.segment(doc.segment).segment.symbols(doc.doc).nth(at)
    };
    let (a, b) = (symbol(mine)?, symbol(other)?);
    let (text, other_text) = (texts.get(view, mine.0)?, texts.get(view, other.0)?);
    let head = |text: &crate::view::text::Text, symbol: &Symbol<NameId>| -> Vec<u8> {
        let signature = text.slice(symbol.signature.clone());
        signature
            .iter()
            .copied()
            .filter(|b| !b.is_ascii_whitespace())
            .collect()
    };
    let doc = view.file(mine.0).doc?;
    let language = lang::of(view.segment(doc.segment).segment.doc(doc.doc).lang);
    let is_callable = semantics::is_callable(a.kind) && semantics::is_callable(b.kind);
    if is_callable && language.naming.overloads && head(&text, &a) != head(&other_text, &b) {
        return None;
    }
    let reference = VerifiedSymbols::of(view, other.0)?.reference(texts, other.1)?;
    let inside = VerifiedSymbols::of(view, mine.0)?.reference(texts, mine.1)?;
    let certainty = match a.kind {
        // The second one may be meant to take the place of the first.
        SymbolKind::Variable => Certainty::Inferred,
        _ => Certainty::Resolved,
    };
    let path = |file: FileId| -> &RepoPath { &view.file(file).path };
    Some(Conflict {
        clash: Clash::Doubled,
        is_ours: true,
        unmet: Unmet {
            path: path(mine.0).to_string(),
            line: a.name_line,
            text: fold_line(text.line(a.name_line), LINE_BYTES),
            expected: inside.qualified.clone(),
            inside: Some(inside),
            certainty,
            at: format!(
                "{}:{}-{}",
                reference.path, reference.start_line, reference.end_line
            ),
            now: None,
            reason: None,
        },
        changed_in: path(other.0).clone(),
        commit: None,
    })
}
