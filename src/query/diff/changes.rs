//! What became of each definition: added, removed, renamed, moved, or changed in its signature, its body or in
//! nothing but its comments.

use super::matching::{self, Matches, in_order};
use super::units::{Side, Unit, UnitId};
use crate::extract::record::SymbolKind;

/// In which ways a definition that is still there is another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Aspects {
    /// It has another name.
    pub renamed: bool,
    /// It is in another file or container.
    pub moved: bool,
    /// What it is to others.
    pub signature: bool,
    /// Decorators, attributes, `export`.
    pub modifiers: bool,
    /// What it does.
    pub body: bool,
    /// Comments or formatting; said only where nothing else changed.
    pub comments: bool,
}

impl Aspects {
    /// Whether nothing changed.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether the code itself changed, not only where it stands, how it is called or explained.
    pub fn is_code(self) -> bool {
        self.signature || self.modifiers || self.body
    }

    /// The words for them, most telling first.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.renamed, "renamed"),
            (self.moved, "moved"),
            (self.signature, "signature"),
            (self.modifiers, "modifiers"),
            (self.body, "body"),
            (self.comments, "comments"),
        ];
        all.into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| word)
    }
}

/// What became of one definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is new, with all that it holds.
    Added(UnitId),
    /// It is gone, with all that it held.
    Removed(UnitId),
    /// It is another in some way.
    Changed {
        /// What it was.
        old: UnitId,
        /// What it is.
        new: UnitId,
        /// In which ways.
        how: Aspects,
    },
}

impl Change {
    /// What it was.
    pub fn before(self) -> Option<UnitId> {
        match self {
            Self::Added(_) => None,
            Self::Removed(old) | Self::Changed { old, .. } => Some(old),
        }
    }

    /// What it is.
    pub fn after(self) -> Option<UnitId> {
        match self {
            Self::Removed(_) => None,
            Self::Added(new) | Self::Changed { new, .. } => Some(new),
        }
    }

    /// In which ways it is another; none for what was added or removed.
    pub fn how(self) -> Aspects {
        match self {
            Self::Changed { how, .. } => how,
            _ => Aspects::default(),
        }
    }
}

/// Every definition that changed: those of the new state in order, then those that are gone. What lies in something
/// that was added or removed is part of that.
pub fn changes(old: &Side<'_>, new: &Side<'_>, matches: &Matches) -> Vec<Change> {
    let mut ids: Vec<UnitId> = new.ids().collect();
    ids.sort_by(|a, b| in_order(new, *a, *b));
    let is_part = |side: &Side<'_>, unit: &Unit, is_left: &dyn Fn(UnitId) -> bool| {
        unit.container
            .is_some_and(|outer| is_left(outer) && side.unit(outer).kind != SymbolKind::Module)
    };
    let mut all = Vec::new();
    for id in ids {
        let unit = new.unit(id);
        match matches.old_of(id) {
            None if is_part(new, unit, &|outer| matches.old_of(outer).is_none()) => {}
            None => all.push(Change::Added(id)),
            Some(was) => {
                let how = aspects(old, new, matches, was, id);
                let change = Change::Changed {
                    old: was,
                    new: id,
                    how,
                };
                all.extend((!how.is_empty()).then_some(change));
            }
        }
    }
    let mut gone: Vec<UnitId> = old
        .ids()
        .filter(|id| matches.new_of(*id).is_none())
        .filter(|id| !is_part(old, old.unit(*id), &|outer| matches.new_of(outer).is_none()))
        .collect();
    gone.sort_by(|a, b| in_order(old, *a, *b));
    all.extend(gone.into_iter().map(Change::Removed));
    all
}

pub(in crate::query) fn aspects(
    old: &Side<'_>,
    new: &Side<'_>,
    matches: &Matches,
    was: UnitId,
    is: UnitId,
) -> Aspects {
    let (before, after) = (old.unit(was), new.unit(is));
    let is_in_place = match (before.container, after.container) {
        (None, None) => matches.file_of(before.file) == Some(after.file),
        (Some(before), Some(after)) => {
            matches.new_of(before) == Some(after) || is_block_of_same(old, new, before, after)
        }
        _ => false,
    };
    // A name says where its method belongs, too.
    let renamed = old.own_name(was) != new.own_name(is);
    let receiver = |unit: &Unit| unit.name.len() - own_len(&unit.name);
    let moved = !is_in_place
        || before.name[..receiver(before)] != after.name[..receiver(after)]
            && !receiver_renamed(old, new, matches, before, after);
    let (was_made_of, is_made_of) = match renamed {
        true => matching::but_for_names((old, was), (new, is)),
        false => (before.digests, after.digests),
    };
    let mut how = Aspects {
        renamed,
        moved,
        signature: was_made_of.signature != is_made_of.signature || before.kind != after.kind,
        modifiers: was_made_of.modifiers != is_made_of.modifiers,
        body: was_made_of.body != is_made_of.body,
        comments: false,
    };
    how.comments = how.is_empty() && before.bytes != after.bytes;
    how
}

fn own_len(name: &[u8]) -> usize {
    name.rsplit(|b| *b == b'.').next().map_or(0, <[u8]>::len)
}

/// Whether two blocks add to one type in one file, of which there may be any number.
fn is_block_of_same(old: &Side<'_>, new: &Side<'_>, before: UnitId, after: UnitId) -> bool {
    let (before, after) = (old.unit(before), new.unit(after));
    before.kind == SymbolKind::Impl
        && after.kind == SymbolKind::Impl
        && before.name == after.name
        && old.view.file(before.file).path == new.view.file(after.file).path
}

/// Whether the type that a method is written with was renamed, and the method with it.
fn receiver_renamed(
    old: &Side<'_>,
    new: &Side<'_>,
    matches: &Matches,
    before: &Unit,
    after: &Unit,
) -> bool {
    let owner = |side: &Side<'_>, unit: &Unit| side.find(side.graph.owner(unit.id)?);
    match (owner(old, before), owner(new, after)) {
        (Some(before), Some(after)) => matches.new_of(before) == Some(after),
        _ => false,
    }
}
