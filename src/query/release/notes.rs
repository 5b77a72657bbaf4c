//! What became of each definition that others can reach, and what that means for them.

use super::answer::{ReleaseAnswer, Section, Told};
use super::heads::{self, Heads};
use super::kept;
use super::offered::{Offered, first_name, is_code};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::query::diff::Comparison;
use crate::query::diff::answer::{ChangedSymbol, Compatibility, SymbolFate};
use crate::query::diff::changes::{Aspects, Change};
use crate::query::diff::describe;
use crate::query::diff::effects::{Because, Effect};
use crate::query::diff::same_place::is_same_place;
use crate::query::diff::signatures::Signatures;
use crate::query::diff::units::{Side, UnitId};
use crate::query::scope::Filter;
use crate::query::use_lines;
use crate::view::files::Reading;
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Words above a definition that say it is on its way out: attributes and decorators of most languages.
const MARKS: [&[u8]; 2] = [b"deprecated", b"Deprecated"];
/// Beginnings in what is written about it: JSDoc and Javadoc; Sphinx; Go.
const DOC_MARKS: [&[u8]; 3] = [b"@deprecated", b".. deprecated", b"Deprecated:"];
/// What Python says when it is used.
const SAID: &[u8] = b"DeprecationWarning";

/// Tells what became of the definitions that others can reach in either state.
pub(super) fn tell(
    found: &Comparison<'_>,
    offered: (&Offered, &Offered),
    filter: &Filter,
    texts: &mut Texts,
    answer: &mut ReleaseAnswer,
) {
    answer.unread = found
        .files
        .iter()
        .filter(|file| {
            let lacks = |side: &Side<'_>, file: FileId| {
                let is_document = matches!(side.view.file(file).reading, Reading::Document(_));
                is_document && is_code(side.view, file) && side.code(file).is_none()
            };
            file.before().is_some_and(|file| lacks(&found.old, file))
                || file.after().is_some_and(|file| lacks(&found.new, file))
        })
        .count();
    let mut signatures = Signatures::of(found);
    let teller = Teller { found, offered };
    for change in &found.changes {
        let (side, unit) = match (change.after(), change.before()) {
            (Some(new), _) => (&found.new, new),
            (None, Some(old)) => (&found.old, old),
            (None, None) => continue,
        };
        let of = side.unit(unit);
        let is_asked =
            filter.admits(side.view, side.view.file(of.file)) && filter.admits_kind(of.kind);
        let is_told_with_type =
            matches!(*change, Change::Added(new) if teller.is_block_of_added(new));
        if is_told_with_type
            || !is_asked
            || !teller.is_reachable(*change)
            || teller.is_within_another(*change)
        {
            continue;
        }
        let told = teller.told(&mut signatures, texts, *change, (side, unit));
        match told {
            Some(told) => answer.told.push(told),
            None => answer.inside += usize::from(change.how().is_code()),
        }
    }
    teller.replace(&mut answer.told);
    answer.told.sort_by(|a, b| {
        let key = |told: &Told| {
            let symbol = &told.changed.symbol;
            (
                told.section,
                told.folder().to_owned(),
                symbol.path.clone(),
                symbol.start_line,
            )
        };
        key(a).cmp(&key(b))
    });
}

struct Teller<'a> {
    found: &'a Comparison<'a>,
    offered: (&'a Offered, &'a Offered),
}

impl Teller<'_> {
    fn was_seen(&self, old: UnitId) -> bool {
        self.offered.0.has(&self.found.old, old) && !is_test(&self.found.old, old)
    }

    fn is_seen(&self, new: UnitId) -> bool {
        self.offered.1.has(&self.found.new, new) && !is_test(&self.found.new, new)
    }

    /// Whether others can reach what changed in either state, or what it is a part of.
    fn is_reachable(&self, change: Change) -> bool {
        change.before().is_some_and(|old| self.was_seen(old))
            || change.after().is_some_and(|new| self.is_seen(new))
            || self.is_part(change)
    }

    /// Whether a block adds to a type that was added itself.
    fn is_block_of_added(&self, block: UnitId) -> bool {
        let new = &self.found.new;
        let of = new.unit(block);
        let owner = new.graph.owner(of.id).and_then(|owner| new.find(owner));
        of.kind == SymbolKind::Impl
            && owner.is_some_and(|owner| self.found.matches.old_of(owner).is_none())
    }

    /// Whether something came or went with a module around it.
    fn is_within_another(&self, change: Change) -> bool {
        let (old, new) = (&self.found.old, &self.found.new);
        match change {
            Change::Added(new_one) => new
                .around(new_one)
                .skip(1)
                .any(|outer| self.found.matches.old_of(outer).is_none() && self.is_seen(outer)),
            Change::Removed(old_one) => old
                .around(old_one)
                .skip(1)
                .any(|outer| self.found.matches.new_of(outer).is_none() && self.was_seen(outer)),
            Change::Changed { .. } => false,
        }
    }

    /// Whether something that others know the whole of has one more part.
    fn is_part(&self, change: Change) -> bool {
        let Change::Added(new) = change else {
            return false;
        };
        self.found.new.unit(new).container.is_some_and(|outer| {
            let was = self.found.matches.old_of(outer);
            was.is_some_and(|was| self.was_seen(was)) && self.is_seen(outer)
        })
    }

    fn told(
        &self,
        signatures: &mut Signatures<'_>,
        texts: &mut Texts,
        change: Change,
        (side, unit): (&Side<'_>, UnitId),
    ) -> Option<Told> {
        let (old, new) = (&self.found.old, &self.found.new);
        let is_kept = change
            .before()
            .is_some_and(|gone| kept::is_there((old, gone), (new.view, new.graph), self.offered.1));
        if is_kept && matches!(change, Change::Removed(_)) {
            return None;
        }
        let symbol = side.reference(texts, unit)?;
        let how = change.how();
        let was_seen = change.before().is_some_and(|old| self.was_seen(old));
        let is_seen = change.after().is_some_and(|new| self.is_seen(new));
        let is_elsewhere = match change {
            Change::Changed { old, new, .. } => !is_kept && self.is_elsewhere(old, new, how),
            _ => false,
        };
        let effect = signatures.effect(texts, change);
        let parts = (is_elsewhere, self.is_part(change));
        let both = match change {
            Change::Changed {
                old: was,
                new: is,
                how,
            } if how.signature => describe::signature(old, was).zip(describe::signature(new, is)),
            _ => None,
        };
        let heads = match change {
            Change::Changed {
                old: was,
                new: is,
                how,
            } if how.signature => heads::compare(&head(old, was), &head(new, is)),
            _ => Heads::Other,
        };
        let effect = match (effect, heads) {
            (Effect::Breaking(Because::Type), Heads::Same) => Effect::None,
            (Effect::Breaking(Because::Type), Heads::Perhaps(because)) => Effect::Unknown(because),
            // Of several that are called alike, which one was compared is a guess.
            (Effect::Breaking(because), _)
                if change.after().is_some_and(|is| is_overloaded(new, is)) =>
            {
                Effect::Unknown(because)
            }
            (effect, _) => effect,
        };
        let (compatibility, because) = describe::compatibility((was_seen, is_seen), parts, effect);
        let is_regrouped = change.how().moved && self.is_part_of_shape(change);
        let (compatibility, because) = match compatibility {
            Compatibility::Breaking if is_regrouped => {
                (Compatibility::Unknown, Some(Because::Regrouped))
            }
            _ => (compatibility, because),
        };
        let is_hidden = was_seen && !is_seen && change.after().is_some();
        let because = because.or(is_hidden.then_some(Because::Narrowed));
        let is_leaving = match change {
            Change::Changed {
                old: was, new: is, ..
            } => is_deprecated(new, is) && !is_deprecated(old, was),
            _ => false,
        };
        let section = match compatibility {
            Compatibility::Breaking => Section::Breaking,
            Compatibility::Unknown => Section::Unknown,
            _ if is_leaving && is_seen => Section::Deprecated,
            Compatibility::Additive => Section::Added,
            Compatibility::Internal => return None,
        };
        let was = match change {
            Change::Changed { old: was, .. } if how.renamed || how.moved => {
                old.reference(texts, was)
            }
            _ => None,
        };
        // Cut short, they may be the same.
        let both = both.filter(|(was, is)| was != is);
        let signature = match both {
            Some(_) => None,
            None => describe::signature(side, unit),
        };
        Some(Told {
            section,
            changed: ChangedSymbol {
                symbol,
                was,
                fate: match change {
                    Change::Added(_) => SymbolFate::Added,
                    Change::Removed(_) => SymbolFate::Removed,
                    Change::Changed { how, .. } => SymbolFate::Changed(how),
                },
                signatures: both,
                compatibility,
                because,
                is_test: false,
                uses: use_lines::sure(side.view, side.graph, side.unit(unit).id),
                copies: Vec::new(),
            },
            signature,
        })
    }

    /// Whether something is now a member of what is known by its members alone, and can be put together of others.
    fn is_part_of_shape(&self, change: Change) -> bool {
        let new = &self.found.new;
        let outer = change.after().and_then(|is| new.unit(is).container);
        outer.is_some_and(|outer| {
            matches!(
                new.unit(outer).kind,
                SymbolKind::Interface | SymbolKind::Type
            )
        })
    }

    /// Whether others have to look for something elsewhere, or under another name.
    fn is_elsewhere(&self, was: UnitId, is: UnitId, how: Aspects) -> bool {
        let (old, new) = (&self.found.old, &self.found.new);
        let (before, after) = (old.unit(was), new.unit(is));
        if how.renamed {
            return true;
        }
        let (from, to) = (old.view.file(before.file), new.view.file(after.file));
        if !how.moved || from.path == to.path {
            // In something else in the same file: found by another name.
            return how.moved && before.container.is_some() != after.container.is_some();
        }
        let manifest =
            |side: &Side<'_>, file: Option<FileId>| Some(side.view.file(file?).path.clone());
        if is_same_place((old, before.file), (new, after.file)) {
            return false;
        }
        let entered = manifest(old, self.offered.0.package(before.file));
        if entered.is_some() && entered == manifest(new, self.offered.1.package(after.file)) {
            return false;
        }
        let left = new.view.file_at(from.path.as_bytes());
        let outer = new.around(is).last().unwrap_or(is);
        let name = first_name(&new.unit(outer).name);
        !left.is_some_and(|left| {
            self.offered
                .1
                .passes_on((new.view, new.graph), left, after.file, name)
        })
    }

    /// What is gone and what was added under its name, in one file or folder, is one that became another.
    fn replace(&self, told: &mut Vec<Told>) {
        let key = |told: &Told| {
            let symbol = &told.changed.symbol;
            (told.folder().to_owned(), symbol.qualified.to_string())
        };
        let mut added: FxHashMap<(String, String), usize> = FxHashMap::default();
        for (at, one) in told.iter().enumerate() {
            if one.changed.fate == SymbolFate::Added {
                added.entry(key(one)).or_insert(at);
            }
        }
        let mut gone = vec![false; told.len()];
        for at in 0..told.len() {
            if told[at].changed.fate != SymbolFate::Removed || told[at].section != Section::Breaking
            {
                continue;
            }
            let Some(new) = added.remove(&key(&told[at])) else {
                continue;
            };
            gone[at] = true;
            let was = told[at].clone();
            let one = &mut told[new];
            one.section = Section::Unknown;
            one.changed.compatibility = Compatibility::Unknown;
            one.changed.because = Some(Because::Replaced);
            one.changed.fate = SymbolFate::Changed(Aspects {
                signature: was.signature != one.signature,
                body: true,
                ..Aspects::default()
            });
            one.changed.signatures = was.signature.zip(one.signature.take());
            one.changed.was = Some(was.changed.symbol);
        }
        let mut gone = gone.into_iter();
        told.retain(|_| !gone.next().unwrap_or(false));
    }
}

/// Whether something else is called like a definition, beside it.
fn is_overloaded(side: &Side<'_>, unit: UnitId) -> bool {
    let of = side.unit(unit);
    // Those of a file stand together.
    let in_file = |at: &UnitId| side.unit(*at).file == of.file;
    let before = (0..unit.0).rev().map(UnitId).take_while(in_file);
    let after = (unit.0 + 1..side.units.len() as u32).map(UnitId);
    let mut others = before
        .chain(after.take_while(in_file))
        .map(|other| side.unit(other));
    others.any(|other| (other.container, &other.name) == (of.container, &of.name))
}

/// What stands before the body of a definition, all of it.
fn head(side: &Side<'_>, unit: UnitId) -> String {
    let text = side.symbol(unit).and_then(|symbol| {
        let code = side.code(side.unit(unit).file)?;
        Some(String::from_utf8_lossy(code.text.slice(symbol.signature)).into_owned())
    });
    let text = text.unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_test(side: &Side<'_>, unit: UnitId) -> bool {
    let of = side.unit(unit);
    let symbol = side.symbol(unit);
    of.kind == SymbolKind::Test
        || symbol.is_some_and(|symbol| symbol.flags.contains(SymbolFlags::TEST))
}

/// Whether something says of a definition that it is on its way out.
fn is_deprecated(side: &Side<'_>, unit: UnitId) -> bool {
    let (Some(symbol), Some(code)) = (side.symbol(unit), side.code(side.unit(unit).file)) else {
        return false;
    };
    if symbol.flags.contains(SymbolFlags::DEPRECATED) {
        return true;
    }
    let has = |text: &[u8], word: &[u8]| memchr::memmem::find(text, word).is_some();
    let lead = side.lead(unit);
    let doc = code.text.slice(symbol.doc.clone());
    MARKS.iter().any(|mark| has(lead, mark))
        || DOC_MARKS.iter().any(|mark| has(doc, mark))
        || has(code.text.slice(symbol.span), SAID)
}
