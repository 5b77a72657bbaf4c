//! The tests of a tree: which files hold some, and what in them is run by itself.

use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::table::SymbolId;
use crate::query::decorators;
use crate::query::diff::runners::rows::Tests;
use crate::query::diff::runners::{Runners, Use};
use crate::query::inventory::{Inventory, is_callable};
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that declare tests where these have no names of their own.
const DECLARING: &[&[u8]] = byte_words!("it test describe suite");
/// The last names of decorators, attributes and annotations that make a test of a function: pytest, the test
/// attributes of Rust, JUnit, TestNG, xUnit, NUnit, MSTest, PHPUnit, Swift Testing.
const MARKS: &[&str] = words!(
    "test Test rstest test_case quickcheck proptest wasm_bindgen_test ParameterizedTest RepeatedTest
     TestFactory TestTemplate Property Fact Theory TestMethod DataTestMethod TestCase TestCaseSource"
);

/// What a runner is told to run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    /// All tests of a file.
    File(FileId),
    /// One test.
    Test(SymbolId),
}

/// The tests of a view.
pub struct Suite<'a> {
    inventory: &'a Inventory<'a>,
    /// The runners that the tree shows.
    pub runners: Runners<'a>,
    /// By file: how its tests are run, if it holds some.
    used: Vec<Option<Use>>,
    /// Blocks of tests that hold others.
    groups: FxHashSet<SymbolId>,
    marked: FxHashMap<SymbolId, bool>,
}

impl<'a> Suite<'a> {
    /// Finds the files that hold tests.
    pub fn of(inventory: &'a Inventory<'a>, texts: &mut Texts) -> Self {
        let mut groups = FxHashSet::default();
        for id in inventory.ids() {
            let entry = inventory.get(id);
            if entry.kind == SymbolKind::Test {
                groups.extend(entry.container);
            }
        }
        let mut suite = Self {
            inventory,
            runners: Runners::of(inventory.view),
            used: vec![None; inventory.files().len()],
            groups,
            marked: FxHashMap::default(),
        };
        let declaring = suite.declaring();
        for file in inventory.files().filter(|file| inventory.is_code(*file)) {
            let is_test_file = is_test_file(inventory, file);
            let begins = || suite.symbols(file).any(|id| suite.is_flagged(id));
            if !is_test_file && !begins() {
                continue;
            }
            let Some(used) = suite.runners.of_file(texts, file) else {
                continue;
            };
            let holds = match used.runner().tests {
                Tests::Files => is_test_file && declaring.contains(&file),
                Tests::AnyFile => is_test_file,
                tests => suite.symbols(file).any(|id| suite.may_be(tests, file, id)),
            };
            suite.used[file.0 as usize] = holds.then_some(used);
        }
        suite
    }

    /// Files that call what declares tests.
    fn declaring(&self) -> FxHashSet<FileId> {
        let mut found = FxHashSet::default();
        for live in self.inventory.view.segments() {
            let segment = &live.segment;
            for name in DECLARING.iter().filter_map(|name| segment.name_id(name)) {
                for (doc, _) in segment
                    .occurring_docs(name)
                    .filter(|(doc, _)| live.is_live(*doc))
                {
                    found.extend(live.files_of(doc));
                }
            }
        }
        found
    }

    /// The definitions of a file.
    pub fn symbols(&self, file: FileId) -> impl Iterator<Item = SymbolId> + use<> {
        let first = self.inventory.graph.symbol(file, 0).map_or(0, |id| id.0);
        let count = self.inventory.graph.symbols_of(file) as u32;
        (first..first + count).map(SymbolId)
    }

    fn is_flagged(&self, id: SymbolId) -> bool {
        self.inventory.get(id).flags.contains(SymbolFlags::TEST)
    }

    /// Whether a definition looks like a test to a runner, as far as that is known without its text.
    fn may_be(&self, tests: Tests, file: FileId, id: SymbolId) -> bool {
        let entry = self.inventory.get(id);
        let name = self.inventory.name(id);
        let starts = |start: &str| name.starts_with(start.as_bytes());
        let runs = is_callable(entry.kind);
        let is_title = entry.kind == SymbolKind::Test && !self.groups.contains(&id);
        match tests {
            Tests::Files | Tests::AnyFile => false,
            Tests::Named(starting) => {
                runs && is_test_file(self.inventory, file)
                    && starting.iter().any(|start| starts(start))
                    && !self.is_inside_callable(id)
            }
            Tests::Marked(start) => {
                let is_marked = entry.flags.contains(SymbolFlags::DECORATED);
                is_title || runs && self.is_flagged(id) && (is_marked || start.is_some_and(starts))
            }
            Tests::Titled(start) => {
                is_title || runs && self.is_flagged(id) && start.is_some_and(starts)
            }
        }
    }

    fn is_inside_callable(&self, id: SymbolId) -> bool {
        let container = self.inventory.get(id).container;
        container.is_some_and(|outer| is_callable(self.inventory.get(outer).kind))
    }

    /// How the tests of a file are run; `None` when it holds none.
    pub fn used(&self, file: FileId) -> Option<Use> {
        self.used[file.0 as usize]
    }

    /// The files that hold tests, in path order.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let files = self.inventory.files();
        files.filter(|file| self.used(*file).is_some())
    }

    /// Whether a definition is a test that can be run by itself.
    pub fn is_test(&mut self, texts: &mut Texts, id: SymbolId) -> bool {
        let entry = *self.inventory.get(id);
        let Some(used) = self.used(entry.file) else {
            return false;
        };
        let tests = used.runner().tests;
        if !self.may_be(tests, entry.file, id) {
            return false;
        }
        let Tests::Marked(start) = tests else {
            return true;
        };
        let name = self.inventory.name(id);
        if entry.kind == SymbolKind::Test
            || start.is_some_and(|start| name.starts_with(start.as_bytes()))
        {
            return true;
        }
        *self.marked.entry(id).or_insert_with(|| {
            let text = texts.get(self.inventory.view, entry.file);
            text.is_none_or(|text| {
                let above = decorators::above(&text, entry.start);
                above.iter().any(|decorator| {
                    let last = decorator.name.rsplit(['.', ':']).next().unwrap_or_default();
                    MARKS.contains(&last)
                })
            })
        })
    }

    /// The tests of a file that can be run by themselves.
    pub fn tests_of(&mut self, texts: &mut Texts, file: FileId) -> Vec<SymbolId> {
        let mut found: Vec<SymbolId> = self.symbols(file).collect();
        found.retain(|id| self.is_test(texts, *id));
        found
    }

    /// What stands for all tests of a file: the file, or in product code each of them.
    pub fn units_of(&mut self, texts: &mut Texts, file: FileId) -> Vec<Unit> {
        match self.inventory.is_product(file) {
            true => self
                .tests_of(texts, file)
                .into_iter()
                .map(Unit::Test)
                .collect(),
            false => vec![Unit::File(file)],
        }
    }

    /// The test around a place of a file that holds tests, or the file where its tests have no names; `None` in code
    /// that only helps tests.
    pub fn unit_around(
        &mut self,
        texts: &mut Texts,
        file: FileId,
        place: (u32, u32),
    ) -> Option<Unit> {
        if self.used(file)?.runner().tests.is_whole() {
            return Some(Unit::File(file));
        }
        let mut at = self.inventory.around(file, place);
        while let Some(id) = at {
            if self.is_test(texts, id) {
                return Some(Unit::Test(id));
            }
            at = self.inventory.get(id).container.filter(|outer| *outer < id);
        }
        None
    }

    /// The tests in a definition: itself, or what it holds.
    pub fn tests_in(&mut self, texts: &mut Texts, id: SymbolId) -> Vec<SymbolId> {
        let mut found = self.tests_of(texts, self.inventory.get(id).file);
        found.retain(|test| self.inventory.lies_in(*test, id));
        found
    }
}

/// Whether a file is there for tests by its path; below a folder of examples, by its own name.
fn is_test_file(inventory: &Inventory<'_>, file: FileId) -> bool {
    match inventory.role(file) {
        FileRole::Test => true,
        FileRole::Example => {
            let name = inventory.view.file(file).path.file_name();
            FileRole::of_path(name) == FileRole::Test
        }
        _ => false,
    }
}
