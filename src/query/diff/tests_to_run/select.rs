//! Puts the tests to run together, in order.

use super::dependents::{Dependents, Node};
use super::nearby::{self, Nearby};
use super::ran::Coverage;
use super::settings::{self, Ground};
use super::suite::{Suite, Unit};
use super::walk::{Walked, Way, walk};
use super::{Changed, TestSelection, Why, data};
use crate::extract::record::SymbolKind;
use crate::graph::table::SymbolId;
use crate::history::window::Window;
use crate::query::audit::standing::Standings;
use crate::query::inventory::{Inventory, is_callable};
use crate::store::trace::Traces;
use crate::trace::lines::Ran;
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashMap;

/// Definitions whose ways are looked for; a change of more is a change of everything.
const MOST_STARTS: usize = 400;
/// Definitions and files that all walks look at together.
const MOST_VISITED: usize = 400_000;
/// What no test was found for by its uses: worth of being called after the file, of having changed together with
/// it, of mentioning the name, of importing the file. Those only keep the order.
const NAMED: f32 = 0.3;
const TOGETHER: f32 = 0.2;
const MENTIONS: f32 = 0.1;
const IMPORTS: f32 = 0.05;
const DATA: f32 = 0.8;
/// Shortest name that is looked for, and how many are.
const LEAST_NAME: usize = 3;
const MOST_MENTIONED: usize = 40;

/// One state, as selection needs it.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Its definitions.
    pub inventory: &'a Inventory<'a>,
    /// What runs with what in it.
    pub standings: &'a Standings,
}

/// Selects the tests to run: of the new state, `base` being the old one.
pub fn select(
    head: Side<'_>,
    base: Side<'_>,
    traces: &Traces,
    window: Option<&Window>,
    texts: &mut Texts,
    changed: &Changed,
) -> TestSelection {
    let mut selector = Selector {
        head,
        base,
        coverage: Coverage::of(head.inventory, traces),
        before: Coverage::of(base.inventory, traces),
        window,
        suite: Suite::of(head.inventory, texts),
        nearby: None,
        importing: FxHashMap::default(),
        chosen: FxHashMap::default(),
        unreached: Vec::new(),
        whole: None,
        visited: 0,
        is_bounded: false,
    };
    selector.tests_themselves(texts, changed);
    selector.definitions(texts, changed);
    selector.removed(texts, changed);
    for file in &changed.tops {
        selector.top(texts, *file, changed);
    }
    for path in &changed.others {
        selector.other(texts, path);
    }
    selector.finish(texts)
}

/// Why a test is selected, and from what.
#[derive(Clone, Copy)]
pub(super) struct Reason<'a> {
    pub(super) why: Why,
    pub(super) way: Way,
    pub(super) reaches: Reached<'a>,
}

/// What a test reaches.
#[derive(Clone, Copy)]
pub(super) enum Reached<'a> {
    Symbol(SymbolId),
    Removed(SymbolId),
    Path(&'a [u8]),
    File(FileId),
}

pub(super) struct Selector<'a> {
    pub(super) head: Side<'a>,
    pub(super) base: Side<'a>,
    pub(super) coverage: Coverage<'a>,
    before: Coverage<'a>,
    window: Option<&'a Window>,
    pub(super) suite: Suite<'a>,
    nearby: Option<Nearby>,
    importing: FxHashMap<FileId, FxHashMap<FileId, u32>>,
    pub(super) chosen: FxHashMap<Unit, Reason<'a>>,
    pub(super) unreached: Vec<(SymbolId, bool)>,
    pub(super) whole: Option<(Ground, &'a [u8])>,
    visited: usize,
    pub(super) is_bounded: bool,
}

impl<'a> Selector<'a> {
    pub(super) fn choose(&mut self, unit: Unit, reason: Reason<'a>) {
        let known = self.chosen.entry(unit).or_insert(reason);
        let is_better = |a: &Reason<'_>, b: &Reason<'_>| {
            a.way
                .worth
                .total_cmp(&b.way.worth)
                .then(b.why.cmp(&a.why))
                .is_gt()
        };
        if is_better(&reason, known) {
            *known = reason;
        }
    }

    pub(super) fn inventory(&self) -> &'a Inventory<'a> {
        self.head.inventory
    }

    /// Tests that changed, and the tests of files that did so outside of them.
    fn tests_themselves(&mut self, texts: &mut Texts, changed: &Changed) {
        for (id, _) in &changed.definitions {
            let file = self.inventory().get(*id).file;
            let Some(used) = self.suite.used(file) else {
                continue;
            };
            let mut units: Vec<Unit> = match self.suite.tests_in(texts, *id) {
                tests if !tests.is_empty() => tests.into_iter().map(Unit::Test).collect(),
                _ => Vec::new(),
            };
            if used.runner().tests.is_whole() {
                units = vec![Unit::File(file)];
            }
            for unit in units {
                self.choose(unit, reason(Why::Changed, Way::START, Reached::Symbol(*id)));
            }
        }
        for file in &changed.tops {
            if self.suite.used(*file).is_some() && !self.inventory().is_product(*file) {
                let reason = reason(Why::Changed, Way::START, Reached::File(*file));
                self.choose(Unit::File(*file), reason);
            }
        }
    }

    fn dependents(&self) -> Dependents<'a> {
        Dependents {
            inventory: self.head.inventory,
            standings: self.head.standings,
            coverage: self.coverage,
        }
    }

    /// Walks from a node, within what is left of all walks together.
    fn walk(&mut self, texts: &mut Texts, start: Node, most: u32) -> Walked {
        if self.visited >= MOST_VISITED {
            self.is_bounded = true;
            return Walked::default();
        }
        let walked = walk(self.dependents(), &mut self.suite, texts, start, most);
        self.visited += walked.nodes.len();
        self.is_bounded |= walked.is_bounded;
        walked
    }

    /// Tests of the definitions that changed.
    fn definitions(&mut self, texts: &mut Texts, changed: &Changed) {
        self.is_bounded |= changed.definitions.len() > MOST_STARTS;
        for (id, was) in changed.definitions.iter().take(MOST_STARTS) {
            let entry = self.inventory().get(*id);
            let is_product =
                self.inventory().is_product(entry.file) && !self.inventory().is_test(*id);
            // Coverage of what it was holds for what it is, as far as somebody calls it.
            let before = was.map_or(Ran::Unknown, |was| self.before.definition(was));
            let ran = match (self.coverage.definition(*id), before) {
                (Ran::Unknown, before) => before,
                (now, _) => now,
            };
            // Nothing ran it: only who names it may be a test that is new, or was not recorded.
            let most = if ran == Ran::No { 1 } else { u32::MAX };
            let walked = self.walk(texts, Node::Symbol(*id), most);
            let reached = Reached::Symbol(*id);
            let is_used = match ran {
                Ran::No => self.take_direct(&walked, reached),
                _ => self.take(texts, entry.file, &walked, reached),
            };
            let runs = is_callable(entry.kind) && entry.kind != SymbolKind::Macro;
            if is_product && runs && !is_used {
                self.unreached.push((*id, ran == Ran::No));
            }
        }
    }

    /// Selects the tests of one change in a file: by sure uses where there are some, else by what may be uses, by names
    /// and by what changed together, last by what is loaded. Says whether anything uses it at all.
    fn take(
        &mut self,
        texts: &mut Texts,
        file: FileId,
        walked: &Walked,
        reaches: Reached<'a>,
    ) -> bool {
        let is_sure = walked.units.values().any(Way::is_sure_use);
        for (unit, way) in &walked.units {
            let why = match way {
                way if way.is_sure_use() => Why::Uses,
                way if !way.loose => Why::MayUse,
                _ => Why::Imports,
            };
            if why == Why::Uses || !is_sure {
                self.choose(*unit, reason(why, *way, reaches));
            }
        }
        let is_mentioned = self.mentions(texts, walked, reaches);
        let is_used = is_mentioned || walked.units.values().any(|way| !way.loose);
        if is_sure || !self.inventory().is_product(file) {
            return is_used;
        }
        let belongs = self.belonging(file, reaches);
        if walked.units.is_empty() && !is_mentioned && !belongs {
            self.importers(texts, file, reaches);
        }
        is_used
    }

    /// Selects the tests that use themselves what did not run when coverage was recorded: they may be new. Says
    /// whether there are any.
    fn take_direct(&mut self, walked: &Walked, reaches: Reached<'a>) -> bool {
        let mut any = false;
        for (unit, way) in walked.units.iter().filter(|(_, way)| way.is_sure_use()) {
            self.choose(*unit, reason(Why::Uses, *way, reaches));
            any = true;
        }
        any
    }

    /// Tests that belong to a file by its name, and by what changed together. Says whether there are any.
    fn belonging(&mut self, file: FileId, reaches: Reached<'a>) -> bool {
        let inventory = self.inventory();
        let path = inventory.view.file(file).path.as_bytes();
        let mut any = self.namesakes(path, reaches);
        if let Some(window) = self.window.filter(|window| !window.is_empty()) {
            for (other, share) in nearby::together(inventory, &self.suite, window, file) {
                let way = Way::told(TOGETHER * share.min(1.0) as f32, 1);
                self.choose(Unit::File(other), reason(Why::Together, way, reaches));
                any = true;
            }
        }
        any
    }

    /// All tests in files that depend on a file, however many steps away.
    fn importers(&mut self, texts: &mut Texts, file: FileId, reaches: Reached<'a>) {
        for (other, steps) in self.importing(file) {
            if self.suite.used(other).is_none() || other == file {
                continue;
            }
            let way = Way::told(IMPORTS / steps.max(1) as f32, steps);
            for unit in self.suite.units_of(texts, other) {
                self.choose(unit, reason(Why::Imports, way, reaches));
            }
        }
    }

    /// Tests that hold the name of what changed, or of what uses it, and import its file. Says whether there are any.
    fn mentions(&mut self, texts: &mut Texts, walked: &Walked, reaches: Reached<'a>) -> bool {
        let inventory = self.inventory();
        let mut reached: Vec<(SymbolId, Way)> = Vec::new();
        for (node, way) in walked.nodes.iter().filter(|(_, way)| way.is_sure_use()) {
            let Node::Symbol(id) = *node else { continue };
            let is_product = inventory.is_product(inventory.get(id).file);
            if is_product && inventory.name(id).len() >= LEAST_NAME {
                reached.push((id, *way));
            }
        }
        reached.sort_by(|(a, x), (b, y)| y.worth.total_cmp(&x.worth).then(a.cmp(b)));
        let mut any = false;
        for (id, way) in reached.into_iter().take(MOST_MENTIONED) {
            let importing = self.importing(inventory.get(id).file);
            for (file, place) in nearby::mentions(inventory, &self.suite, id, &importing) {
                let way = Way::told(way.worth * MENTIONS, way.distance + 1);
                if let Some(unit) = self.suite.unit_around(texts, file, place) {
                    self.choose(unit, reason(Why::Mentions, way, reaches));
                    any = true;
                }
            }
        }
        any
    }

    /// Files of tests that are called after a file. Says whether there are any.
    fn namesakes(&mut self, path: &[u8], reaches: Reached<'a>) -> bool {
        let inventory = self.inventory();
        let nearby = self
            .nearby
            .get_or_insert_with(|| Nearby::of(inventory, &self.suite));
        let mut found = nearby.namesakes(inventory, path);
        found.retain(|other| !inventory.is_product(*other));
        for other in &found {
            let way = Way::told(NAMED, 1);
            self.choose(Unit::File(*other), reason(Why::Named, way, reaches));
        }
        !found.is_empty()
    }

    /// Files that import a file.
    fn importing(&mut self, file: FileId) -> FxHashMap<FileId, u32> {
        let inventory = self.head.inventory;
        let known = self.importing.entry(file);
        known
            .or_insert_with(|| nearby::importing(inventory, file))
            .clone()
    }

    /// Tests of what is gone: those that used it and are still there.
    fn removed(&mut self, texts: &mut Texts, changed: &Changed) {
        if changed.removed.is_empty() {
            return;
        }
        let old = Dependents {
            inventory: self.base.inventory,
            standings: self.base.standings,
            coverage: self.before,
        };
        let mut suite = Suite::of(self.base.inventory, texts);
        for id in changed.removed.iter().take(MOST_STARTS) {
            if self.visited >= MOST_VISITED {
                self.is_bounded = true;
                break;
            }
            let walked = walk(old, &mut suite, texts, Node::Symbol(*id), u32::MAX);
            self.visited += walked.nodes.len();
            let is_sure = walked.units.values().any(Way::is_sure_use);
            for (unit, way) in &walked.units {
                if is_sure && !way.is_sure_use() {
                    continue;
                }
                let why = if is_sure { Why::Uses } else { Why::MayUse };
                if let Some(unit) = successor(self.base.inventory, self.head.inventory, *unit) {
                    self.choose(unit, reason(why, *way, Reached::Removed(*id)));
                }
            }
            let file = self.base.inventory.get(*id).file;
            if !is_sure && self.base.inventory.is_product(file) {
                let path = self.base.inventory.view.file(file).path.as_bytes();
                self.namesakes(path, Reached::Removed(*id));
            }
        }
    }

    /// Tests of what a file does when it is loaded. Where definitions of it changed too, their tests are those: most
    /// such changes bring in what the others need.
    fn top(&mut self, texts: &mut Texts, file: FileId, changed: &Changed) {
        let inventory = self.inventory();
        let mut definitions = changed.definitions.iter();
        if definitions.any(|(id, _)| inventory.get(*id).file == file) {
            return;
        }
        let walked = self.walk(texts, Node::File(file), u32::MAX);
        self.take(texts, file, &walked, Reached::File(file));
    }

    /// Tests of a file that is no code.
    fn other(&mut self, texts: &mut Texts, path: &[u8]) {
        let Some(path) = self.kept(path) else { return };
        if let Some((ground, folder)) = settings::ground(path) {
            self.everything(folder, path);
            if folder.is_empty() {
                self.whole = self.whole.or(Some((ground, path)));
            }
            return;
        }
        let role = FileRole::of_path(path);
        let nodes = data::naming(self.inventory(), texts, path);
        let mut is_read = false;
        for node in nodes.unwrap_or_default() {
            let mut walked = self.walk(texts, node, u32::MAX);
            for way in walked.units.values_mut() {
                way.worth *= DATA;
                way.distance += 1;
            }
            for (unit, way) in &walked.units {
                is_read = true;
                self.choose(*unit, reason(Why::Data, *way, Reached::Path(path)));
            }
        }
        if !is_read && !matches!(role, FileRole::Documentation | FileRole::Translation) {
            let home = data::home(path);
            let is_data = home.len() < data::parent(path).len();
            self.namesakes(path, Reached::Path(path));
            if is_data || role == FileRole::Test {
                self.beside(home, path);
            }
        }
    }

    /// The path of a change in the tree, or in the old one: a slice that lives as long as these.
    fn kept(&self, path: &[u8]) -> Option<&'a [u8]> {
        let of = |inventory: &'a Inventory<'a>| {
            let file = inventory.view.file_at(path)?;
            Some(inventory.view.file(file).path.as_bytes())
        };
        of(self.head.inventory).or_else(|| of(self.base.inventory))
    }

    /// All tests below a folder rest on a file.
    fn everything(&mut self, folder: &[u8], path: &'a [u8]) {
        let inventory = self.inventory();
        let files: Vec<FileId> = self.suite.files().collect();
        for file in files {
            if inventory
                .view
                .file(file)
                .path
                .as_bytes()
                .starts_with(folder)
            {
                let way = Way::told(IMPORTS, 1);
                self.choose(
                    Unit::File(file),
                    reason(Why::Ground, way, Reached::Path(path)),
                );
            }
        }
    }

    /// The tests in a folder, without those further below.
    fn beside(&mut self, folder: &[u8], path: &'a [u8]) {
        let inventory = self.inventory();
        let files: Vec<FileId> = self.suite.files().collect();
        for file in files {
            if data::parent(inventory.view.file(file).path.as_bytes()) == folder {
                let way = Way::told(NAMED, 1);
                self.choose(
                    Unit::File(file),
                    reason(Why::Data, way, Reached::Path(path)),
                );
            }
        }
    }
}

fn reason<'a>(why: Why, way: Way, reaches: Reached<'a>) -> Reason<'a> {
    Reason { why, way, reaches }
}

/// The test of the new state that has the path and the names of an old one.
fn successor(old: &Inventory<'_>, new: &Inventory<'_>, unit: Unit) -> Option<Unit> {
    let file = |file: FileId| new.view.file_at(old.view.file(file).path.as_bytes());
    match unit {
        Unit::File(of) => Some(Unit::File(file(of)?)),
        Unit::Test(id) => {
            let names = chain(old, id);
            let file = file(old.get(id).file)?;
            let count = new.graph.symbols_of(file);
            let mut all = (0..count).filter_map(|at| new.graph.symbol(file, at));
            all.find(|other| chain(new, *other) == names)
                .map(Unit::Test)
        }
    }
}

/// The names around a definition and its own, innermost first.
fn chain<'a>(inventory: &'a Inventory<'_>, id: SymbolId) -> Vec<&'a [u8]> {
    let outer = std::iter::successors(Some(id), |id| inventory.get(*id).container);
    outer.map(|id| inventory.name(id)).collect()
}
