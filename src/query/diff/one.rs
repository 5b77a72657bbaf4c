//! `symbol --diff`: the difference of one definition between two states, followed to where it was before.

use super::Pair;
use super::changes;
use super::files::{self, FileChange};
use super::matching;
use super::statements::{self, Step};
use super::tokens::OwnNames;
use super::units::{Side, UnitId};
use crate::query::Error;
use crate::query::answer::SymbolRef;
use crate::query::engine::{Engine, Pinned, parse_target};
use crate::query::question::{self, Question, warned};
use crate::query::request::{DiffRequest, Revision, Scope};
use crate::query::scope::Filter;
use crate::query::state::Stamp;
use crate::query::target_matches::{self, What};
use crate::query::verified::VerifiedSymbols;
use crate::store::Progress;
use crate::view::live::FileId;
use crate::view::text::Texts;

/// `symbol --diff`: what became of one definition.
#[derive(Clone, Debug, Default)]
pub struct SymbolDiffRequest {
    /// A name, a symbol id or a place, in the new state or else in the old one.
    pub target: String,
    /// The two states, as for `diff`.
    pub range: String,
    /// The new state, where the range names none.
    pub head: Revision,
}

/// Answer of `symbol --diff`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SymbolDiffAnswer {
    /// The state spoken from: the new one.
    pub stamp: Stamp,
    /// What was asked about.
    pub target: String,
    /// Abbreviated id of the old state's commit; `None` for nothing at all.
    pub base: Option<String>,
    /// What became of it; `None` where neither state has it.
    pub fate: Option<Fate>,
}

/// What became of a definition.
#[derive(Clone, PartialEq, Debug)]
pub enum Fate {
    /// Only the new state has it.
    Added(SymbolRef),
    /// Only the old state has it.
    Removed(SymbolRef),
    /// Both have it.
    Kept {
        /// What it was.
        old: SymbolRef,
        /// What it is.
        new: SymbolRef,
        /// In which ways it is another, the most telling first.
        did: Vec<&'static str>,
        /// Its statements.
        steps: Vec<Step>,
    },
}

warned!(SymbolDiffAnswer, stamp.warnings);

impl Question for SymbolDiffRequest {
    type Pin = Pair;
    type Answer = SymbolDiffAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        if self.target.trim().is_empty() {
            return Err(Error::EmptyTarget);
        }
        self.both().check()
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pair, Error> {
        self.both().pin(engine, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pair: &Pair,
        _progress: &dyn Progress,
    ) -> Result<SymbolDiffAnswer, Error> {
        let mut stamp = pair.head.stamp.clone();
        stamp.warnings.extend(pair.note.clone());
        // Before the texts are taken, which making a graph takes too.
        let graphs = (engine.graph(&pair.base), engine.graph(&pair.head));
        engine.quoting(&self.target, |texts| {
            Ok(SymbolDiffAnswer {
                stamp: stamp.clone(),
                target: self.target.clone(),
                base: pair.commit.clone(),
                fate: fate(pair, graphs, &self.target, texts)?,
            })
        })
    }
}

impl SymbolDiffRequest {
    fn both(&self) -> DiffRequest {
        DiffRequest {
            range: self.range.clone(),
            head: self.head.clone(),
            scope: Scope::default(),
        }
    }
}

type Graphs<'g> = (
    &'g crate::graph::edges::Graph,
    &'g crate::graph::edges::Graph,
);

fn fate(
    pair: &Pair,
    graphs: Graphs<'_>,
    target: &str,
    texts: &mut Texts,
) -> Result<Option<Fate>, Error> {
    let (old, new) = (pair.base.view(), pair.head.view());
    let files = files::changes(old, new, texts);
    let before = files.iter().filter_map(|file| file.before());
    let before = Side::of(old, graphs.0, texts, before);
    let after = files.iter().filter_map(|file| file.after());
    let after = Side::of(new, graphs.1, texts, after);
    let matches = matching::pair(&before, &after, &files);
    if let Some((file, index)) = named(&pair.head, target)? {
        let unit = graphs.1.symbol(file, index).and_then(|id| after.find(id));
        let Some(unit) = unit else {
            return Ok(unchanged(&pair.head, &files, (file, index), texts));
        };
        let Some(said) = after.reference(texts, unit) else {
            return Ok(None);
        };
        return Ok(Some(match matches.old_of(unit) {
            Some(was) => {
                kept((&before, was), (&after, unit), &matches, texts).unwrap_or(Fate::Added(said))
            }
            None => Fate::Added(said),
        }));
    }
    let Some((file, index)) = named(&pair.base, target)? else {
        return Ok(None);
    };
    let unit = graphs.0.symbol(file, index).and_then(|id| before.find(id));
    let Some(unit) = unit else {
        return Ok(None);
    };
    let now = matches.new_of(unit);
    let kept = now.and_then(|now| kept((&before, unit), (&after, now), &matches, texts));
    Ok(kept.or_else(|| before.reference(texts, unit).map(Fate::Removed)))
}

/// The definition that a target means in a state, spelt as it is.
fn named(pinned: &Pinned, target: &str) -> Result<Option<(FileId, usize)>, Error> {
    let meant = target_matches::of(pinned.view(), &Filter::open(), &parse_target(target)?);
    let What::Definitions(found) = meant.what else {
        return Ok(None);
    };
    let first = found.into_iter().find(|found| found.matched.is_exact());
    Ok(first.map(|found| (found.file, found.index)))
}

/// What stands in a file that does not differ, or in one that is no code.
fn unchanged(
    head: &Pinned,
    files: &[FileChange],
    (file, index): (FileId, usize),
    texts: &mut Texts,
) -> Option<Fate> {
    let said = VerifiedSymbols::of(head.view(), file)?.reference(texts, index)?;
    let differs = files.iter().any(|change| change.after() == Some(file));
    Some(Fate::Kept {
        old: said.clone(),
        new: said,
        did: if differs {
            vec!["file changed"]
        } else {
            Vec::new()
        },
        steps: Vec::new(),
    })
}

fn kept(
    (before, was): (&Side<'_>, UnitId),
    (after, is): (&Side<'_>, UnitId),
    matches: &matching::Matches,
    texts: &mut Texts,
) -> Option<Fate> {
    let how = changes::aspects(before, after, matches, was, is);
    let own = OwnNames::both(before.own_name(was), after.own_name(is));
    let mut read = |side: &Side<'_>, unit: UnitId| {
        let file = side.unit(unit).file;
        let span = side.symbol(unit)?.span;
        let start = span.start.checked_sub(side.lead(unit).len() as u32)?;
        let (text, comments) = texts.with_comments(side.view, &[file]).pop()??;
        Some(statements::read(
            &text,
            &(start..span.end),
            (&comments, own),
        ))
    };
    let steps = statements::align(read(before, was)?, read(after, is)?);
    let (old, new) = (before.reference(texts, was)?, after.reference(texts, is)?);
    let mut did: Vec<&'static str> = how.words().collect();
    if old.path != new.path && !did.contains(&"moved") {
        did.insert(0, "moved");
    }
    let is_spaced = steps.iter().any(|step| matches!(step, Step::Spaced(..)));
    if did.is_empty() && is_spaced || did == ["comments"] && !steps.iter().any(Step::is_different) {
        did = vec!["only white space"];
    }
    Some(Fate::Kept {
        old,
        new,
        did,
        steps,
    })
}
