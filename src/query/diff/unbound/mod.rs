//! Names that a file still uses and binds no more: of an import that it lacks now, or of a variable whose declaration
//! was removed or is called otherwise.
//!
//! Only what stands on a line that is as it was counts, so who wrote it meant what was bound; of a variable no line that
//! is new may have the name, since that may bind it in a way that is not understood.
//!
//! Guarantees: the file itself bound the name before, and neither binds nor defines it now, wherever; the name leads
//! nowhere else, and is none that the language or its hosts have by themselves. Deliberately absent: members that are seen
//! only by an import (methods of traits, extensions), labels, names in languages in which a bare name may be a member of
//! something that is not written there.

mod anyway;
mod given;

use super::Comparison;
use super::answer::{Broken, DiffAnswer, Unmet};
use super::dangling::Fault;
use super::describe::{self, LastFile};
use super::document::{Document, Origin};
use super::files::FileChange;
use super::lines::LineMap;
use super::signatures::Place;
use crate::graph::rule::{Certainty, Rule};
use crate::query::unexplained::{ReadFile, Standing};
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of one file that are looked at.
const MAX_NAMES: usize = 256;

/// A use of a name that nothing binds.
pub(super) struct Unbound {
    name: Vec<u8>,
    place: Place,
    /// Where the file bound it before.
    bound: (FileId, u32),
}

/// Finds them, in order of files and lines.
pub(super) fn find(found: &Comparison<'_>, texts: &mut Texts) -> Vec<Unbound> {
    let mut all = Vec::new();
    for file in &found.files {
        if let FileChange::Kept { old, new } = *file {
            let both = File::of(found, (old, new));
            all.extend(both.iter().flat_map(|both| both.unbound(texts)));
        }
    }
    all.sort_by_key(|one: &Unbound| one.place);
    all
}

/// Describes them, but for lines of which something is told already.
pub(super) fn describe(
    found: &Comparison<'_>,
    all: &[Unbound],
    texts: &mut Texts,
    answer: &mut DiffAnswer,
) {
    let told = describe::lines_told(answer);
    let mut by_name: Vec<&Unbound> = all.iter().collect();
    by_name.sort_by_key(|one| (one.bound, &one.name, one.place));
    let mut last = None;
    for one in by_name {
        let path = found.new.view.file(one.place.0).path.to_string();
        if !told.contains(&(path, one.place.1)) {
            answer.broken.extend(broken(found, one, texts, &mut last));
        }
    }
}

fn broken<'v>(
    found: &Comparison<'v>,
    one: &Unbound,
    texts: &mut Texts,
    last: &mut LastFile<'v>,
) -> Option<Broken> {
    let (view, (file, line, col)) = (found.new.view, one.place);
    let expected = texts.verified(view, file, &one.name, Some((line, col)))?;
    let (text, inside) = describe::standing(view, texts, last, one.place)?;
    let (before, bound) = one.bound;
    Some(Broken {
        fault: Fault::Unbound,
        unmet: Unmet {
            path: view.file(file).path.to_string(),
            line,
            text,
            inside,
            certainty: Certainty::Resolved,
            expected,
            at: format!("{}:{bound}", found.old.view.file(before).path),
            now: None,
            reason: None,
        },
    })
}

/// A file in both states.
struct File<'a> {
    found: &'a Comparison<'a>,
    before: Document<'a>,
    after: Document<'a>,
    lines: Lines<'a>,
}

/// Where the lines of a file are now.
enum Lines<'a> {
    Known(&'a LineMap),
    Compared(LineMap),
}

impl Lines<'_> {
    fn map(&self) -> &LineMap {
        match self {
            Self::Known(map) => map,
            Self::Compared(map) => map,
        }
    }
}

impl<'a> File<'a> {
    /// `None` where it is not read as code in both.
    fn of(found: &'a Comparison<'a>, (old, new): (FileId, FileId)) -> Option<Self> {
        let (was, is) = (found.old.code(old)?, found.new.code(new)?);
        let lines = match found.lines.get(&old) {
            Some(known) => Lines::Known(known),
            None => Lines::Compared(LineMap::of(was.text.bytes(), is.text.bytes())),
        };
        let (before, after) = (
            Document::read(&found.old, old)?,
            Document::read(&found.new, new)?,
        );
        (before.grammar == after.grammar).then_some(Self {
            found,
            before,
            after,
            lines,
        })
    }

    /// Its names that are bound no more.
    fn unbound(&self, texts: &mut Texts) -> Vec<Unbound> {
        let mut all = Vec::new();
        let Some(habit) = anyway::Habit::of(self.after.grammar) else {
            return all;
        };
        let bound = self.after.bound();
        let mut lost: Vec<(Vec<u8>, Origin)> = self.before.binds().into_iter().collect();
        lost.retain(|(name, origin)| {
            !bound.contains(name) && (habit.locals || matches!(origin, Origin::Import { .. }))
        });
        // A package may be called otherwise than its path says, and bind the name.
        let renames = habit.packages_are_named && self.imports_under_unknown_name();
        lost.retain(|(_, origin)| !(renames && matches!(origin, Origin::Import { .. })));
        lost.sort();
        let mut read: Option<Option<ReadFile<'_>>> = None;
        for (name, origin) in lost.into_iter().take(MAX_NAMES) {
            let places = self.uses(&name, &origin);
            if places.is_empty()
                || anyway::is_there(self.after.grammar, &name, origin.specifier())
                || !self.is_certain(&name, &origin)
            {
                continue;
            }
            let (view, graph) = (self.found.new.view, self.found.new.graph);
            let read =
                read.get_or_insert_with(|| ReadFile::of(view, graph, texts, self.after.file));
            let is_understood = read.as_ref().is_some_and(|read| {
                let mut all = read.unresolved(&name).into_iter();
                all.all(|(_, standing)| standing != Standing::Gap)
            });
            if !is_understood {
                continue;
            }
            let bound = (self.before.file, origin.line());
            if given::may_be_given(view, &self.after, &name, texts) {
                continue;
            }
            all.extend(places.into_iter().map(|(line, col)| Unbound {
                name: name.clone(),
                place: (self.after.file, line, col),
                bound,
            }));
        }
        all
    }

    /// Whether an import that is new binds a name that the file does not use, as far as it is known: it is called otherwise.
    fn imports_under_unknown_name(&self) -> bool {
        let known: FxHashSet<&[u8]> = (self.before.imports.iter())
            .map(|import| &import.specifier[..])
            .collect();
        let mut fresh = self.after.imports.iter();
        fresh.any(|import| {
            let locals = import.bindings.iter().filter_map(|binding| binding.local);
            let is_unused = |local| self.after.bare(local).next().is_none();
            !known.contains(&import.specifier[..]) && locals.into_iter().any(is_unused)
        })
    }

    /// Places of the new state at which a name that was bound before is used bare and leads nowhere, on lines that are as
    /// they were.
    fn uses(&self, name: &[u8], origin: &Origin) -> Vec<(u32, u32)> {
        let (Some(was), Some(is)) = (
            self.before.segment.name_id(name),
            self.after.segment.name_id(name),
        ) else {
            return Vec::new();
        };
        let graph = self.found.old.graph;
        let lines = self.lines.map();
        let mut kept: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (at, used) in self.before.bare(was) {
            let is_meant = match origin {
                Origin::Import { is_declared, .. } => {
                    let edge = graph.edge_at(self.before.file, used.line, used.col);
                    let rule = edge.map(|edge| graph.edge(edge).rule);
                    let is_own = matches!(rule, Some(Rule::Scope | Rule::This | Rule::Inherited));
                    !self.before.is_local(at) && (*is_declared || !is_own)
                }
                Origin::Local { .. } => self.before.is_local(at),
            };
            if let Some(line) = lines.new_line(used.line).filter(|_| is_meant) {
                kept.insert((line, used.col), used.line);
            }
        }
        let code = self.found.new.code(self.after.file);
        let text = code.map(|code| &*code.text);
        let mut places = Vec::new();
        for (at, used) in self.after.bare(is) {
            let place = (used.line, used.col);
            if self.after.is_led_on(at, self.found.new.graph) {
                // The name is known after all.
                return Vec::new();
            }
            let is_use = text.is_some_and(|text| is_use(text, place, name.len()));
            if kept.contains_key(&place) && is_use {
                places.push(place);
            }
        }
        places
    }

    /// Whether nothing else may answer to a name that the file used to bind.
    fn is_certain(&self, name: &[u8], origin: &Origin) -> bool {
        let Some(code) = self.found.new.code(self.after.file) else {
            return false;
        };
        let lines = self.lines.map();
        let stands = |at: u32| code.text.place(at).0;
        let mut words = code.text.words(name).map(stands);
        let is_bound_unread = match origin {
            Origin::Local { .. } => words.any(|line| lines.is_new(line)),
            Origin::Import { .. } => {
                words.any(|line| lines.is_new(line) && anyway::may_bind(code.text.line(line)))
            }
        };
        !is_bound_unread
            && !self.after.may_have_from_elsewhere(&self.found.new, name)
            && match origin {
                Origin::Local { .. } => !self.after.has_outer_base(self.found.new.graph),
                Origin::Import { specifier, .. } => {
                    let package = self.after.package();
                    anyway::needs_import(self.after.grammar, (name, specifier), package)
                        && (!anyway::is_nested(specifier)
                            || !self.after.has_outer_base(self.found.new.graph))
                }
            }
    }
}

/// Whether a name at a place is used there, and is no key, no label and nothing that is assigned to.
fn is_use(text: &Text, (line, col): (u32, u32), length: usize) -> bool {
    let whole = text.line(line);
    let end = col as usize + length;
    let behind = whole.get(end..).unwrap_or_default().trim_ascii_start();
    let before = whole.get(..col as usize).unwrap_or_default();
    let before = before.trim_ascii_end();
    let is_key = match behind {
        [b':', b':', ..] => false,
        [b':', ..] | [b'?', b':', ..] => true,
        [b'=', b'=' | b'>' | b'~', ..] => false,
        [b'=', ..] => true,
        _ => false,
    };
    !is_key && !before.ends_with(b"@:") && !before.ends_with(b"'")
}
