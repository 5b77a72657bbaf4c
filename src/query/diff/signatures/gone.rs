//! Calls of one of several overloads that is gone: names alone lead them to those that are left, which may take
//! something else.

use super::{Calls, Signatures, State};
use crate::extract::calls::{Fit, fit, fit_any};
use crate::graph::semantics;
use crate::query::diff::possible::{PossibleUse, Why};
use crate::query::diff::signatures::BadCall;
use crate::query::diff::units::{Side, UnitId};
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// What overloads of one another have in common: their file, what they lie in, and their name.
type Key<'a> = (FileId, Option<UnitId>, &'a [u8]);

/// Functions of a state by what overloads have in common.
fn overloads<'a>(side: &'a Side<'_>) -> FxHashMap<Key<'a>, Vec<UnitId>> {
    let mut all: FxHashMap<Key<'a>, Vec<UnitId>> = FxHashMap::default();
    let callable = |id: &UnitId| semantics::is_callable(side.unit(*id).kind);
    for id in side.ids().filter(callable) {
        all.entry(key(side, id)).or_default().push(id);
    }
    all
}

fn key<'a>(side: &'a Side<'_>, id: UnitId) -> Key<'a> {
    let unit = side.unit(id);
    (unit.file, unit.container, &unit.name)
}

impl Signatures<'_> {
    /// Adds the calls that fitted an overload that is gone: they are broken where none that is left takes as many, and
    /// may be where only the number is known to fit.
    pub(super) fn gone_overloads(&mut self, texts: &mut Texts, calls: &mut Calls) {
        let found = self.found;
        let (old, new) = (&found.old, &found.new);
        let (before, after) = (overloads(old), overloads(new));
        let mut several: Vec<&Vec<UnitId>> = before.values().filter(|all| all.len() > 1).collect();
        several.sort_unstable();
        for all in several {
            let stays = |id: UnitId| {
                let now = found.matches.new_of(id);
                now.filter(|now| old.unit(id).name == new.unit(*now).name)
            };
            let Some(left) = all.iter().find_map(|id| stays(*id)) else {
                continue;
            };
            let gone: Vec<UnitId> = all
                .iter()
                .copied()
                .filter(|id| stays(*id).is_none())
                .collect();
            if gone.is_empty() {
                continue;
            }
            let now = after.get(&key(new, left)).into_iter().flatten();
            let taken: Vec<_> = now
                .map(|id| self.parameters(texts, State::New, *id))
                .collect();
            let checks_types = self.checks_types(left);
            for was in gone {
                let Some(took) = self.parameters(texts, State::Old, was) else {
                    continue;
                };
                for used in self.calls_before(was) {
                    let given = self.given(texts, (used.file, used.line, used.col));
                    let Some(given) = given.filter(|given| fit(&took, given) == Fit::Fits) else {
                        continue;
                    };
                    match fit_any(&taken, &given) {
                        Fit::No(misfit) | Fit::Loosely(misfit) => calls.bad.push(BadCall {
                            old: was,
                            new: left,
                            file: used.file,
                            line: used.line,
                            col: used.col,
                            misfit,
                            certainty: used.certainty,
                        }),
                        Fit::Fits if checks_types => calls.possible.push(PossibleUse {
                            why: Why::Types,
                            file: used.file,
                            line: used.line,
                            was,
                        }),
                        Fit::Fits | Fit::Unknown => {}
                    }
                }
            }
        }
    }
}
