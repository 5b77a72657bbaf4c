//! Tests that belong to a file although no use leads from them to it: by their name, by what changed together, by
//! what they import, by a name that they mention.

use super::suite::Suite;
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::history::window::Window;
use crate::query::inventory::Inventory;
use crate::query::search::cochange;
use crate::view::live::FileId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Files of tests that are taken for those of a file by their name.
const MOST_NAMESAKES: usize = 3;
/// Files of tests that are taken because they changed together with a file.
const MOST_TOGETHER: usize = 3;
/// Share of the changes of a file that another must have taken part in.
const LEAST_TOGETHER: f64 = 0.02;
/// Names of files that say nothing of what is in them; their folder does.
const NAMELESS: &[&str] = words!("index mod lib main init __init__");
/// What the names of test files have before or behind the name of what they test.
const BEFORE: &[&str] = words!("test_ test- tests_");
const BEHIND: &[&str] = words!("_test _tests _spec -test -spec .test .spec .tests test tests spec");

/// What belongs to what in a view.
pub struct Nearby {
    /// Files of tests by the name of what they test.
    by_subject: FxHashMap<String, Vec<FileId>>,
}

impl Nearby {
    /// Reads the names of the files of tests.
    pub fn of(inventory: &Inventory<'_>, suite: &Suite<'_>) -> Self {
        let mut by_subject: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        for file in suite.files() {
            let path = inventory.view.file(file).path.as_bytes();
            if let Some(subject) = subject(path) {
                by_subject.entry(subject).or_default().push(file);
            }
        }
        Self { by_subject }
    }

    /// Files of tests that are called after a file, those that share most of its folders first.
    pub fn namesakes(&self, inventory: &Inventory<'_>, path: &[u8]) -> Vec<FileId> {
        let mut found = self
            .by_subject
            .get(&stem(path))
            .cloned()
            .unwrap_or_default();
        let shared = |file: &FileId| {
            let other = inventory.view.file(*file).path.as_bytes();
            path.iter().zip(other).take_while(|(a, b)| a == b).count()
        };
        found.sort_by_key(|file| (std::cmp::Reverse(shared(file)), *file));
        found.truncate(MOST_NAMESAKES);
        found
    }
}

/// Files of tests that changed together with a file, most often first, with the share of its changes.
pub fn together(
    inventory: &Inventory<'_>,
    suite: &Suite<'_>,
    window: &Window,
    file: FileId,
) -> Vec<(FileId, f64)> {
    let mut found = cochange::together(inventory.view, window, file);
    found.retain(|(other, share)| suite.used(*other).is_some() && *share >= LEAST_TOGETHER);
    found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
    found.truncate(MOST_TOGETHER);
    found
}

/// All files that import a file, however many steps away, with the number of steps.
pub fn importing(inventory: &Inventory<'_>, file: FileId) -> FxHashMap<FileId, u32> {
    let mut steps = FxHashMap::from_iter([(file, 0)]);
    let mut queue = VecDeque::from([file]);
    while let Some(at) = queue.pop_front() {
        let next = steps[&at] + 1;
        for by in inventory.graph.dependents(at) {
            steps.entry(by).or_insert_with(|| {
                queue.push_back(by);
                next
            });
        }
    }
    steps
}

/// Places in files of tests at which the name of a definition is written as an identifier that may mean it: no use of
/// it is known, or one that may mean several. Only files count that are among those `importing` its own.
pub fn mentions(
    inventory: &Inventory<'_>,
    suite: &Suite<'_>,
    id: SymbolId,
    importing: &FxHashMap<FileId, u32>,
) -> Vec<(FileId, (u32, u32))> {
    let mut found = Vec::new();
    for live in inventory.view.segments() {
        let segment = &live.segment;
        let Some(name) = segment.name_id(inventory.name(id)) else {
            continue;
        };
        for (doc, _) in segment
            .occurring_docs(name)
            .filter(|(doc, _)| live.is_live(*doc))
        {
            let of_tests =
                |file: &FileId| suite.used(*file).is_some() && importing.contains_key(file);
            for file in live.files_of(doc).filter(of_tests) {
                for place in segment.occurrences_of(doc, name) {
                    let place = (place.line, place.col);
                    if may_mean(inventory, file, place, id) {
                        found.push((file, place));
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether nothing is known of what stands at a place, or it is one of several definitions.
fn may_mean(inventory: &Inventory<'_>, file: FileId, place: (u32, u32), id: SymbolId) -> bool {
    let graph = inventory.graph;
    let Some(number) = graph.edge_at(file, place.0, place.1) else {
        return true;
    };
    let is_ambiguous = graph.edge(number).rule.certainty() == Certainty::Ambiguous;
    is_ambiguous && graph.targets(number).any(|target| target == id)
}

/// What a file is called after, in lower case: its name, or that of its folder where that says nothing.
fn stem(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).to_ascii_lowercase();
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let said = match NAMELESS.contains(&stem) {
        true => parts.next().unwrap_or(stem),
        false => stem,
    };
    said.trim_matches('_').to_owned()
}

/// What a file of tests is called after; `None` where its name says nothing.
fn subject(path: &[u8]) -> Option<String> {
    let stem = stem(path);
    let said = BEFORE
        .iter()
        .find_map(|word| stem.strip_prefix(word))
        .unwrap_or(&stem);
    let said = BEHIND
        .iter()
        .find_map(|word| said.strip_suffix(word))
        .unwrap_or(said);
    let said = said.trim_matches(['_', '-', '.']);
    (!said.is_empty()).then(|| said.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_called_after_what_they_test() {
        for (test, product) in [
            ("tests/test_parser.py", "src/a/parser.py"),
            ("tests/test_parser.py", "src/a/_parser.py"),
            (
                "src/test/java/org/FooTest.java",
                "src/main/java/org/Foo.java",
            ),
            ("src/a.test.ts", "src/a.ts"),
            ("src/a.spec.tsx", "lib/a/index.tsx"),
            ("pkg/tree_test.go", "pkg/tree.go"),
            ("spec/models/user_spec.rb", "app/models/user.rb"),
        ] {
            assert_eq!(
                subject(test.as_bytes()),
                Some(stem(product.as_bytes())),
                "{test}"
            );
        }
        assert_eq!(subject(b"tests/test_.py"), None);
    }
}
