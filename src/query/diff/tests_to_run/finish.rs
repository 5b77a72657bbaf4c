//! Puts what was selected in order, and into the words of an answer.

use super::select::{Reached, Reason, Selector};
use super::suite::Unit;
use super::{SelectedTest, TestSelection, Unreached, Whole, Why};
use crate::git::quoting;
use crate::git::shell;
use crate::graph::table::SymbolId;
use crate::query::diff::runners::{Target, Use, is_most};
use crate::query::inventory::Inventory;
use crate::query::verified::VerifiedSymbols;
use crate::view::live::FileId;
use crate::view::text::Texts;
use crate::view::written::Written;
use rustc_hash::FxHashSet;

impl<'a> Selector<'a> {
    /// The answer.
    pub(super) fn finish(mut self, texts: &mut Texts) -> TestSelection {
        self.drop_parts();
        let mut chosen: Vec<(Unit, Reason<'a>)> =
            self.chosen.iter().map(|(u, r)| (*u, *r)).collect();
        chosen.sort_by(|(a, one), (b, other)| {
            let changed = |reason: &Reason<'_>| reason.why != Why::Changed;
            let by_worth = other.way.worth.total_cmp(&one.way.worth);
            changed(one)
                .cmp(&changed(other))
                .then(by_worth)
                .then(self.place(*a).cmp(&self.place(*b)))
        });
        let all: Vec<FileId> = self.suite.files().collect();
        let files: FxHashSet<FileId> = chosen.iter().map(|(unit, _)| self.file(*unit)).collect();
        let is_most = is_most(files.len(), all.len());
        let whole = match self.whole {
            Some((ground, path)) => Some(Whole::Ground(ground, quoting::quoted(path))),
            None => is_most.then_some(Whole::Most),
        };
        let (mut tests, mut targets, mut unnamed) = (Vec::new(), Vec::new(), 0);
        for (unit, reason) in &chosen {
            let Some(used) = self.suite.used(self.file(*unit)) else {
                continue;
            };
            let named = target(self.inventory(), texts, *unit);
            unnamed += usize::from(named.is_none());
            tests.push(self.described(texts, *unit, used, reason, named.as_ref()));
            targets.extend(named.map(|named| (used, named)));
        }
        let every: Vec<(Use, Target)> = all
            .iter()
            .filter_map(|file| {
                Some((
                    self.suite.used(*file)?,
                    target(self.inventory(), texts, Unit::File(*file))?,
                ))
            })
            .collect();
        let runners = &self.suite.runners;
        let (commands, left_out) = runners.commands(&targets, &every, whole.is_some());
        let share = self.share(texts, &chosen, &all);
        self.unreached.sort_unstable();
        self.unreached.dedup();
        let unreached = self.unreached.iter().filter_map(|(id, recorded)| {
            Some(Unreached {
                symbol: self.head.inventory.reference(texts, *id)?,
                recorded: *recorded,
            })
        });
        TestSelection {
            unreached: unreached.collect(),
            files: files.len(),
            all_files: all.len(),
            share,
            tests,
            whole,
            commands,
            unnamed: unnamed + left_out,
            is_bounded: self.is_bounded,
        }
    }

    /// A file that is run as a whole takes its tests along: in the place of the first of them, for its reason.
    fn drop_parts(&mut self) {
        let inventory = self.inventory();
        let parts: Vec<(Unit, Reason<'a>)> = self.chosen.iter().map(|(u, r)| (*u, *r)).collect();
        for (unit, reason) in parts {
            let Unit::Test(id) = unit else { continue };
            let file = Unit::File(inventory.get(id).file);
            if self.chosen.contains_key(&file) {
                self.chosen.remove(&unit);
                self.choose(file, reason);
            }
        }
    }

    fn file(&self, unit: Unit) -> FileId {
        match unit {
            Unit::File(file) => file,
            Unit::Test(id) => self.inventory().get(id).file,
        }
    }

    fn place(&self, unit: Unit) -> (FileId, u32) {
        match unit {
            Unit::File(file) => (file, 0),
            Unit::Test(id) => (self.file(unit), self.inventory().get(id).start.0),
        }
    }

    /// Share of the tests of the tree that are selected.
    fn share(&mut self, texts: &mut Texts, chosen: &[(Unit, Reason<'_>)], all: &[FileId]) -> f32 {
        let whole: FxHashSet<FileId> = chosen
            .iter()
            .filter_map(|(unit, _)| match unit {
                Unit::File(file) => Some(*file),
                Unit::Test(_) => None,
            })
            .collect();
        let single = chosen.iter().filter(|(unit, _)| match unit {
            Unit::Test(id) => !whole.contains(&self.inventory().get(*id).file),
            Unit::File(_) => false,
        });
        let mut some = single.count();
        let mut total = 0;
        for file in all {
            // A file whose tests have no names counts as one.
            let tests = self.suite.tests_of(texts, *file).len().max(1);
            total += tests;
            some += if whole.contains(file) { tests } else { 0 };
        }
        some as f32 / total.max(1) as f32
    }

    fn described(
        &self,
        texts: &mut Texts,
        unit: Unit,
        used: Use,
        reason: &Reason<'_>,
        target: Option<&Target>,
    ) -> SelectedTest {
        let inventory = self.inventory();
        let file = self.file(unit);
        let line = match unit {
            Unit::File(_) => None,
            Unit::Test(id) => Some(inventory.get(id).start.0),
        };
        let said = |inventory: &Inventory<'_>, texts: &mut Texts, id: SymbolId| {
            let found = inventory.reference(texts, id);
            found.map_or_else(Written::unknown, |symbol| symbol.qualified)
        };
        let path = |inventory: &Inventory<'_>, path: &[u8]| {
            let file = inventory.view.file_at(path)?;
            Some(Written::path(inventory.view, file))
        };
        let reaches = match reason.reaches {
            Reached::Symbol(id) => said(inventory, texts, id),
            Reached::Removed(id) => said(self.base.inventory, texts, id),
            Reached::File(file) => Written::path(inventory.view, file),
            Reached::Path(at) => path(inventory, at)
                .or_else(|| path(self.base.inventory, at))
                .unwrap_or_else(Written::unknown),
        };
        let names = target.map(|target| target.names.join("::"));
        SelectedTest {
            path: inventory.view.file(file).path.to_string(),
            line,
            name: names.filter(|name| !name.is_empty()),
            id: target.map(|target| self.suite.runners.id(used, target)),
            runner: used.runner().name,
            why: reason.why,
            certainty: reason.way.certainty,
            distance: reason.way.distance,
            worth: reason.way.worth,
            ran: reason.way.ran && !self.coverage.is_empty(),
            reaches,
        }
    }
}

/// A test as its runner is told of it; `None` where its path or a name cannot be said.
fn target(inventory: &Inventory<'_>, texts: &mut Texts, unit: Unit) -> Option<Target> {
    let file = match unit {
        Unit::File(file) => file,
        Unit::Test(id) => inventory.get(id).file,
    };
    let path = std::str::from_utf8(inventory.view.file(file).path.as_bytes()).ok()?;
    let sayable = |text: &str| shell::word(text).is_some();
    let (names, line) = match unit {
        Unit::File(_) => (Vec::new(), 1),
        Unit::Test(id) => {
            let (_, position) = inventory.graph.place(id);
            let symbols = VerifiedSymbols::of(inventory.view, file)?;
            let names = symbols.chain(texts, position)?;
            (names, inventory.get(id).start.0)
        }
    };
    let all = || names.iter().map(String::as_str).chain([path]);
    all().all(sayable).then(|| Target {
        path: path.to_owned(),
        names: names.clone(),
        line,
    })
}
