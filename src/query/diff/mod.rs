//! `diff`: what a change does to everything else.
//!
//! Both sides are views of trees, read by the same extractor and resolved by the same graph, so nothing is checked
//! out and nothing is guessed from a patch. [`files`] says which files differ; [`units`] reads their definitions,
//! apart from comments and formatting ([`tokens`]); [`matching`] pairs those of both states by place, then by
//! what they consist of; [`changes`] says what became of each. [`dangling`] follows the uses of what is gone or
//! called otherwise, as the old graph has them, into the new state (`elsewhere` says what else may answer to one, `hidden` who may not see what is there; and with `subtypes` members that were left behind, and `registered` routes); [`signatures`] says which calls no longer fit (and with `declarations` which prototypes), and which new ones never did; [`nowhere`] which names in new code lead nowhere;
//! [`possible`] gathers what may be broken and is not known to be; [`dependents`] says what else rests on the
//! code that changed; [`copies`] looks for what was added elsewhere. [`tests_to_run`] chooses tests, and [`runners`]
//! writes the commands that run them. [`outlook`] says what history has to say:
//! what usually changes too ([`omissions`]), and how likely this is to be fixed soon after ([`risk`]).
//!
//! [`one`] shows one definition by its [`statements`].
//!
//! Guarantees: an answer is a pure function of the two trees, the history of the old one, the request and, where
//! the risk is concerned, who makes the change; what is in neither graph is not claimed; nothing is written.
//! Deliberately absent: the text of the difference, which git shows.

mod anchors;
pub mod answer;
pub mod changes;
pub mod copies;
pub mod dangling;
mod declarations;
pub mod dependents;
pub(in crate::query) mod describe;
mod document;
pub mod effects;
mod elsewhere;
pub mod files;
pub mod forecast;
mod hidden;
mod imports;
mod includes;
mod inherited;
mod led;
pub mod lines;
pub mod matching;
mod method_sets;
mod nowhere;
pub mod omissions;
pub mod one;
pub mod outlook;
mod packages;
pub mod possible;
pub mod range;
mod registered;
pub mod risk;
pub mod runners;
pub(super) mod same_place;
mod shorthand;
pub mod signatures;
pub mod similarity;
pub mod statements;
mod statics;
mod subtypes;
mod taken_whole;
pub mod tests_to_run;
pub mod tokens;
mod unbound;
mod uncompared;
pub mod units;
mod unlinked;

use super::Error;
use super::engine::{Engine, Pinned};
use super::gate;
use super::inventory::Inventory;
use super::question::{self, Question, warned};
use super::recall::related::Shown;
use super::request::{DiffRequest, Revision};
use super::scope::Filter;
use crate::graph::edges::Graph;
use crate::store::Progress;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;
use answer::{Compatibility, DiffAnswer};
use changes::Change;
use dangling::StaleUse;
use files::FileChange;
use lines::LineMap;
use matching::Matches;
use outlook::Past;
use possible::PossibleUse;
use range::Range;
use rustc_hash::FxHashMap;
use signatures::Signatures;
use units::Side;

warned!(DiffAnswer, stamp.warnings);

/// The two states that are compared.
pub struct Pair {
    /// The old one.
    pub base: Pinned,
    /// The new one.
    pub head: Pinned,
    /// Abbreviated id of the old one's commit; `None` for nothing at all.
    pub commit: Option<String>,
    /// How it was chosen.
    pub chosen: String,
    /// What was not as asked for.
    pub note: Option<String>,
}

impl Question for DiffRequest {
    type Pin = Pair;
    type Answer = DiffAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("range", &self.range)?;
        question::place(&self.scope, &self.head)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pair, Error> {
        let mut range = Range::parse(&self.range);
        if range.head == Revision::WorkTree {
            range.head = self.head.clone();
        }
        let head = engine.pin_whole(&range.head, progress)?;
        let (commit, dirty) = (head.stamp.commit, head.stamp.dirty > 0);
        let (baseline, note) = range.baseline(engine.repo(), commit, dirty)?;
        let base = match baseline.commit {
            Some(commit) => engine.pin(&Revision::At(commit.to_string()), progress)?,
            None => Pinned::empty(),
        };
        Ok(Pair {
            base,
            head,
            commit: baseline.commit.map(|commit| commit.short()),
            chosen: baseline.chosen,
            note,
        })
    }

    fn answer(
        &self,
        engine: &Engine,
        pair: &Pair,
        progress: &dyn Progress,
    ) -> Result<DiffAnswer, Error> {
        let head = (pair.head.view(), engine.graph(&pair.head));
        let base = (pair.base.view(), engine.graph(&pair.base));
        let mut stamp = pair.head.stamp.clone();
        stamp.warnings.extend(pair.note.clone());
        if base.0.uncovered > 0 {
            let said = format!("{} files of the base are not covered", base.0.uncovered);
            stamp.warnings.push(said);
        }
        // Before the texts are taken: the first window takes longest.
        let past = Past::of(engine, pair, progress)?;
        engine.quoting(&self.range, |texts| {
            let mut answer = DiffAnswer {
                stamp: stamp.clone(),
                base: pair.commit.clone(),
                chosen: pair.chosen.clone(),
                max_fan_in: engine.max_fan_in(),
                ..DiffAnswer::default()
            };
            let inventories = || (engine.inventory(&pair.base), engine.inventory(&pair.head));
            let comparison = diff(base, head, texts, self, &inventories, &mut answer)?;
            if !comparison.files.is_empty() {
                let mut breaks = answer.symbols.iter();
                let is_breaking = breaks.any(|one| one.compatibility == Compatibility::Breaking);
                let objects = &mut engine.repo().objects();
                answer.outlook = past.look(&comparison, is_breaking, objects);
            }
            Ok(answer)
        })
    }

    fn remind(engine: &Engine, pair: &Pair, answer: &mut DiffAnswer) {
        let symbols = answer.symbols.iter().flat_map(|changed| {
            let was = changed.was.as_ref().map(Shown::symbol);
            std::iter::once(Shown::symbol(&changed.symbol)).chain(was)
        });
        let files = answer.files.iter();
        let shown = symbols.chain(files.map(|file| Shown::file(&file.path)));
        answer.memories = engine.notes(&pair.head, false, shown, &mut answer.stamp.warnings);
    }
}

/// Everything that is known of a change before it is said.
pub struct Comparison<'a> {
    /// The old state.
    pub old: Side<'a>,
    /// The new state.
    pub new: Side<'a>,
    /// Files that differ.
    pub files: Vec<FileChange>,
    /// Which definition is which.
    pub matches: Matches,
    /// What became of each.
    pub changes: Vec<Change>,
    /// Places that expect what is no longer there.
    pub stale: Vec<StaleUse>,
    /// Places that may, in no order.
    pub possible: Vec<PossibleUse>,
    /// The lines of files that were compared on the way, by the file of the old state.
    pub lines: FxHashMap<FileId, LineMap>,
}

impl<'a> Comparison<'a> {
    /// Compares two states.
    pub fn of(
        (old, old_graph): (&'a View, &'a Graph),
        (new, new_graph): (&'a View, &'a Graph),
        texts: &mut Texts,
    ) -> Self {
        let files = files::changes(old, new, texts);
        Self::of_files((old, old_graph), (new, new_graph), files, texts)
    }

    /// Compares the definitions of two states in some of the files that differ, and follows no uses.
    pub(in crate::query) fn of_definitions(
        (old, old_graph): (&'a View, &'a Graph),
        (new, new_graph): (&'a View, &'a Graph),
        files: Vec<FileChange>,
        texts: &mut Texts,
    ) -> Self {
        let mut whole = files.clone();
        whole.retain(|file| {
            let after = file.after();
            let is_settled = !after.is_some_and(|id| files::is_in_conflict(new, id, texts));
            is_settled && !files::is_half_read(old, new, *file)
        });
        let before = whole.iter().filter_map(|file| file.before());
        let before = Side::of(old, old_graph, texts, before);
        let after = whole.iter().filter_map(|file| file.after());
        let after = Side::of(new, new_graph, texts, after);
        let matches = matching::pair(&before, &after, &files);
        let changes = changes::changes(&before, &after, &matches);
        Self {
            old: before,
            new: after,
            files,
            matches,
            changes,
            stale: Vec::new(),
            possible: Vec::new(),
            lines: FxHashMap::default(),
        }
    }

    /// Compares two states in some of the files that differ.
    pub fn of_files(
        (old, old_graph): (&'a View, &'a Graph),
        (new, new_graph): (&'a View, &'a Graph),
        files: Vec<FileChange>,
        texts: &mut Texts,
    ) -> Self {
        let mut all = Self::of_definitions((old, old_graph), (new, new_graph), files, texts);
        let sides = (&all.old, &all.new);
        let found = dangling::find(sides, &all.matches, &all.files, &all.changes, texts);
        (all.stale, all.possible, all.lines) = (found.stale, found.possible, found.lines);
        let registered = all.registered(texts);
        all.stale.extend(registered);
        all.stale.sort_unstable();
        all
    }
}

impl Comparison<'_> {
    /// Whether a file may import something else than before: one was added, removed or renamed, something that is no
    /// code changed, which may say where imports lead, or a statement did.
    fn may_import_otherwise(&self) -> bool {
        let imports = |side: &Side<'_>, file: FileId| {
            let doc = side.view.file(file).doc?;
            let segment = &side.view.segment(doc.segment).segment;
            let all = segment.imports(doc.doc);
            let all: Vec<_> = all.map(|import| (import.kind, import.specifier)).collect();
            side.code(file).map(|_| all)
        };
        self.files.iter().any(|file| match *file {
            FileChange::Kept { old, new } => {
                let (before, after) = (imports(&self.old, old), imports(&self.new, new));
                let (was, is) = (self.old.view.file(old), self.new.view.file(new));
                before.is_none() || before != after || was.path != is.path
            }
            FileChange::Added(_) | FileChange::Removed(_) => true,
        })
    }
}

/// Compares two states and describes what differs in the files that the scope admits. Uses that are broken are
/// listed wherever they are. Returns all that was found, whatever the scope. Fails on a bad scope.
fn diff<'a>(
    base: (&'a View, &'a Graph),
    head: (&'a View, &'a Graph),
    texts: &mut Texts,
    request: &DiffRequest,
    inventories: &dyn Fn() -> (Inventory<'a>, Inventory<'a>),
    answer: &mut DiffAnswer,
) -> Result<Comparison<'a>, Error> {
    let filter = Filter::new(&request.scope)?;
    let comparison = Comparison::of(base, head, texts);
    describe::files(&comparison, &filter, texts, answer);
    let mut signatures = Signatures::of(&comparison);
    signatures.parse_called(texts);
    describe::symbols(&mut signatures, &comparison, &filter, texts, answer);
    copies::describe(&comparison, texts, answer);
    describe::broken(&comparison.stale, &comparison, texts, answer);
    let turned = statics::find(&comparison, texts);
    statics::describe(&turned, &comparison, texts, answer);
    let unbound = unbound::find(&comparison, texts);
    unbound::describe(&comparison, &unbound, texts, answer);
    let declared = signatures.declarations(texts);
    describe::broken(&declared, &comparison, texts, answer);
    let calls = signatures.calls(texts);
    let bad = calls
        .bad
        .iter()
        .map(|call| (call.stale_use(), &call.misfit));
    describe::bad_calls(&comparison, bad, texts, answer);
    let unfit = signatures.new_calls(texts);
    let unfit = unfit.iter().map(|call| (call.stale_use(), &call.misfit));
    describe::bad_calls(&comparison, unfit, texts, answer);
    let mut is_new = |file, line| signatures.is_new(file, line);
    let made_up = nowhere::find(&comparison, &mut is_new, texts);
    nowhere::describe::describe(&comparison.new, &made_up, texts, answer);
    let mut hints = possible::in_texts(&comparison, texts);
    let unlinked = signatures.unlinked(texts);
    hints.places.extend(unlinked.places);
    hints.unseen.names += unlinked.names;
    hints
        .places
        .extend(shorthand::find(&comparison, texts, &mut hints.unseen));
    describe::possible(&comparison, (calls.possible, hints), texts, answer);
    let uncompared = uncompared::find(&mut signatures, &comparison, texts, answer);
    answer.unknown.unseen.uncompared = uncompared;
    answer.reach = dependents::find(&comparison, texts);
    if comparison.may_import_otherwise() {
        let (old, new) = inventories();
        let verdict = gate::compare(&old, &new, texts, answer.max_fan_in);
        (answer.cycles, answer.hubs) = (verdict.cycles, verdict.hubs);
    }
    Ok(comparison)
}
