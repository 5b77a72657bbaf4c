//! Uses that one side brings of what the other side changed.
//!
//! What a use means is what the graph of its own side says. In the merged state it is looked up at the line where it
//! is now. Lines that both sides have are passed over: what is wrong there was wrong before.

use super::answer::{Clash, Conflict};
use super::meeting::{Origin, State};
use crate::extract::record::{OccurrenceKind, Qualifier};
use crate::git::RepoPath;
use crate::graph::edges::Edge;
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::query::answer::SymbolRef;
use crate::query::diff::Comparison;
use crate::query::diff::answer::Unmet;
use crate::query::diff::changes::Aspects;
use crate::query::diff::dangling::{Expected, Fault, StaleUse};
use crate::query::diff::describe;
use crate::query::diff::files::FileChange;
use crate::query::diff::signatures::Signatures;
use crate::query::diff::units::UnitId;
use crate::query::verified::{self, VerifiedSymbols};
use crate::view::live::FileId;
use crate::view::text::{Texts, fold_line};
use crate::view::written::Written;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest line quoted, in bytes.
const LINE_BYTES: usize = 160;

/// The uses of one side, and the changes of the other.
pub(super) struct Direction<'a, 'm> {
    is_ours: bool,
    /// The side that uses.
    pub user: State<'a>,
    both: State<'a>,
    /// Files that differ between the other side and the merged state: those with the uses.
    pub brought: &'m [FileChange],
    /// Files that differ between the side that uses and the merged state: what the other one changed.
    pub changed: &'m [FileChange],
    of_user: Origin<'a>,
    of_changer: Origin<'a>,
}

/// A use that may not mean what it did.
#[derive(Clone, Copy)]
struct Use {
    /// Where it is in the merged state.
    file: FileId,
    line: u32,
    col: u32,
    kind: OccurrenceKind,
    certainty: Certainty,
    /// What it means on its own side.
    target: SymbolId,
    /// Whether the other side changed its file, too.
    is_edited: bool,
}

/// What one side uses of what the other one changed.
pub(super) struct Found {
    uses: Vec<Use>,
    /// The files that it is in, as the side that uses numbers them.
    pub files: FxHashSet<FileId>,
}

/// A place of the merged state, with what is wrong there.
struct Place {
    clash: Clash,
    certainty: Certainty,
    file: FileId,
    line: u32,
    col: u32,
    reason: Option<String>,
}

/// What a place expects.
struct Wanted {
    expected: Written,
    at: String,
    now: Option<SymbolRef>,
    changed_in: RepoPath,
}

impl<'a, 'm> Direction<'a, 'm> {
    pub fn new(
        is_ours: bool,
        (user, changer, both): (State<'a>, State<'a>, State<'a>),
        (brought, changed): (&'m [FileChange], &'m [FileChange]),
    ) -> Self {
        Self {
            is_ours,
            user,
            both,
            brought,
            changed,
            of_user: Origin::of(user.view, both.view, changed),
            of_changer: Origin::of(changer.view, both.view, brought),
        }
    }

    /// Finds the uses on lines that the other side lacks, of definitions in files that it changed, or in files
    /// that it changed.
    pub fn uses(&mut self, texts: &mut Texts) -> Found {
        let changed: FxHashSet<FileId> = self.changed.iter().filter_map(|f| f.before()).collect();
        let mut found = Found {
            uses: Vec::new(),
            files: FxHashSet::default(),
        };
        let graph = self.user.graph;
        for file in self.brought.iter().filter_map(|change| change.after()) {
            let Some(here) = self.of_user.file(file) else {
                continue;
            };
            let is_edited = self.user.view.file(here).blob != self.both.view.file(file).blob;
            let symbols = (0..graph.symbols_of(here)).filter_map(|at| graph.symbol(here, at));
            for base in symbols.flat_map(|symbol| graph.bases(symbol)) {
                found.files.insert(graph.place(base).0);
            }
            for number in graph.edges_of(here) {
                let Some(target) = graph.targets(number).next() else {
                    continue;
                };
                let of = graph.place(target).0;
                if !is_edited && !changed.contains(&of) {
                    continue;
                }
                let edge = graph.edge(number);
                let certainty = edge.rule.certainty();
                if matches!(certainty, Certainty::Resolved | Certainty::Inferred)
                    && let Some(line) = self.of_user.line_now(file, edge.line, texts)
                    && self.of_changer.lacks(file, line, texts)
                {
                    let Edge { col, kind, .. } = edge;
                    found.files.insert(of);
                    found.uses.push(Use {
                        file,
                        line,
                        col,
                        kind,
                        certainty,
                        target,
                        is_edited,
                    });
                }
            }
        }
        found.files.retain(|file| changed.contains(file));
        found
    }

    /// Judges the uses by what became of what they mean, and adds what else was left behind.
    pub fn conflicts(
        &mut self,
        comparison: &Comparison<'_>,
        found: &Found,
        texts: &mut Texts,
    ) -> Vec<Conflict> {
        let how: FxHashMap<UnitId, Aspects> = (comparison.changes.iter())
            .filter_map(|change| Some((change.before()?, change.how())))
            .collect();
        let mut conflicts = Vec::new();
        for of in &found.uses {
            let unit = comparison.old.find(of.target);
            let changed = unit.map(|unit| (unit, how.get(&unit).copied().unwrap_or_default()));
            let Some((clash, certainty)) = self.judge(of, changed, comparison) else {
                continue;
            };
            let wanted = match unit {
                Some(unit) => self.definition(comparison, unit, texts),
                None => self.unchanged(of.target, texts),
            };
            let place = Place {
                clash,
                certainty,
                file: of.file,
                line: of.line,
                col: of.col,
                reason: None,
            };
            conflicts.extend(wanted.and_then(|wanted| self.conflict(place, wanted, texts)));
        }
        for call in Signatures::of(comparison).calls(texts).bad {
            if self.of_changer.lacks(call.file, call.line, texts)
                && let Some(wanted) = self.definition(comparison, call.old, texts)
            {
                let place = Place {
                    clash: Clash::Signature,
                    certainty: call.certainty,
                    file: call.file,
                    line: call.line,
                    col: call.col,
                    reason: Some(describe::reason(&call.misfit)),
                };
                conflicts.extend(self.conflict(place, wanted, texts));
            }
        }
        for stale in &comparison.stale {
            if self.of_changer.lacks(stale.file, stale.line, texts) {
                conflicts.extend(self.left_behind(comparison, *stale, texts));
            }
        }
        conflicts
    }

    /// What is wrong with a use, and how sure that is. Of a definition in a file that was compared, `changed` says
    /// which it is and how it changed.
    fn judge(
        &self,
        of: &Use,
        changed: Option<(UnitId, Aspects)>,
        comparison: &Comparison<'_>,
    ) -> Option<(Clash, Certainty)> {
        let graph = self.both.graph;
        let now = graph.edge_at(of.file, of.line, of.col);
        let rule = now.map(|number| graph.edge(number).rule);
        let is_resolved = match rule {
            None | Some(Rule::Ambiguous | Rule::Mention) => false,
            // Others of the name are merely there.
            Some(Rule::Unique) => of.certainty == Certainty::Inferred,
            Some(_) => true,
        };
        let certainty = match now {
            None => of.certainty,
            Some(_) => of.certainty.max(Certainty::Inferred),
        };
        if let Some((unit, how)) = changed {
            let Some(is) = comparison.matches.new_of(unit) else {
                return (!is_resolved).then_some((Clash::Removed, certainty));
            };
            let is = comparison.new.unit(is).id;
            if now.is_some_and(|now| graph.targets(now).any(|target| target == is)) {
                return None;
            }
            if (how.renamed || how.moved) && !is_resolved {
                let clash = match how.renamed {
                    true => Clash::Renamed,
                    false => Clash::Moved,
                };
                return Some((clash, certainty));
            }
        }
        let is_lost = of.is_edited && rule.is_none() && self.is_bare(of);
        is_lost.then_some((Clash::Unimported, Certainty::Inferred))
    }

    /// Whether a use is a name alone, that only a definition or an import can explain.
    fn is_bare(&self, of: &Use) -> bool {
        let Some(doc) = self.both.view.file(of.file).doc else {
            return false;
        };
        let segment = &self.both.view.segment(doc.segment).segment;
        let mut occurrences = segment.occurrences(doc.doc);
        occurrences.any(|found| {
            (found.line, found.col) == (of.line, of.col)
                && matches!(found.qualifier, Qualifier::None)
                && !matches!(found.kind, OccurrenceKind::Mention | OccurrenceKind::Import)
        }) && of.kind != OccurrenceKind::Import
    }

    /// A definition of the side that uses, of which it is known what became.
    fn definition(
        &self,
        comparison: &Comparison<'_>,
        unit: UnitId,
        texts: &mut Texts,
    ) -> Option<Wanted> {
        let was = reference(self.user, comparison.old.unit(unit).id, texts)?;
        let now = comparison
            .matches
            .new_of(unit)
            .map(|unit| comparison.new.unit(unit));
        let changed_in = match now {
            Some(now) => &self.both.view.file(now.file).path,
            None => &self.user.view.file(comparison.old.unit(unit).file).path,
        };
        Some(Wanted {
            expected: was.qualified.clone(),
            at: place(&was),
            changed_in: changed_in.clone(),
            now: now.and_then(|now| reference(self.both, now.id, texts)),
        })
    }

    /// A definition of the side that uses, in a file that the other side left alone.
    fn unchanged(&self, id: SymbolId, texts: &mut Texts) -> Option<Wanted> {
        let is = reference(self.user, id, texts)?;
        let (file, _) = self.user.graph.place(id);
        Some(Wanted {
            expected: is.qualified.clone(),
            at: place(&is),
            changed_in: self.user.view.file(file).path.clone(),
            now: Some(is),
        })
    }

    /// A place that the comparison of the side with the merged state found.
    fn left_behind(
        &self,
        comparison: &Comparison<'_>,
        stale: StaleUse,
        texts: &mut Texts,
    ) -> Option<Conflict> {
        let (clash, wanted) = match (stale.fault, stale.expected) {
            (fault, Expected::Definition(unit)) => {
                let now = comparison.matches.new_of(unit);
                let is_renamed =
                    |now| comparison.old.own_name(unit) != comparison.new.own_name(now);
                let clash = match (fault, now) {
                    (Fault::LeftBehind | Fault::Missing, _) => Clash::Overrides,
                    (Fault::Misfit | Fault::Unfit | Fault::Declared, _) => Clash::Signature,
                    (
                        Fault::Dangling
                        | Fault::Hidden
                        | Fault::Unbound
                        | Fault::Absent
                        | Fault::Nowhere,
                        None,
                    ) => Clash::Removed,
                    (Fault::Dangling, Some(now)) if is_renamed(now) => Clash::Renamed,
                    (_, Some(_)) => Clash::Moved,
                };
                (clash, self.definition(comparison, unit, texts)?)
            }
            (_, Expected::File(old)) => {
                let path = &self.user.view.file(old).path;
                let wanted = Wanted {
                    expected: Written::path(self.user.view, old),
                    at: path.to_string(),
                    now: None,
                    changed_in: path.clone(),
                };
                (Clash::Removed, wanted)
            }
            (_, Expected::New(member)) => {
                let (file, _) = comparison.new.graph.place(member);
                let is = reference(self.both, member, texts)?;
                let wanted = Wanted {
                    expected: is.qualified.clone(),
                    at: place(&is),
                    changed_in: self.both.view.file(file).path.clone(),
                    now: Some(is),
                };
                let clash = match stale.fault {
                    Fault::Hidden => Clash::Hidden,
                    _ => Clash::Lacks,
                };
                (clash, wanted)
            }
        };
        let place = Place {
            clash,
            certainty: stale.certainty,
            file: stale.file,
            line: stale.line,
            col: stale.col,
            reason: None,
        };
        self.conflict(place, wanted, texts)
    }

    fn conflict(&self, place: Place, wanted: Wanted, texts: &mut Texts) -> Option<Conflict> {
        let view = self.both.view;
        let text = texts.get(view, place.file)?;
        let inside = VerifiedSymbols::of(view, place.file).and_then(|symbols| {
            let around = symbols.symbols().enclosing(place.line, place.col)?;
            symbols.reference(texts, around)
        });
        let changed_in = match place.clash {
            Clash::Unimported => view.file(place.file).path.clone(),
            _ => wanted.changed_in,
        };
        Some(Conflict {
            clash: place.clash,
            is_ours: self.is_ours,
            unmet: Unmet {
                path: view.file(place.file).path.to_string(),
                line: place.line,
                text: fold_line(text.line(place.line), LINE_BYTES),
                inside,
                certainty: place.certainty,
                expected: wanted.expected,
                at: wanted.at,
                now: wanted.now,
                reason: place.reason,
            },
            changed_in,
            commit: None,
        })
    }
}

fn reference(state: State<'_>, id: SymbolId, texts: &mut Texts) -> Option<SymbolRef> {
    verified::reference(state.view, state.graph, texts, id)
}

fn place(symbol: &SymbolRef) -> String {
    format!("{}:{}-{}", symbol.path, symbol.start_line, symbol.end_line)
}
