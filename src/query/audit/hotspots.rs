//! Files that are both hard to follow and changed often, after Tornhill (Your Code as a Crime Scene, 2015): complexity
//! times the number of changes. Complexity is that of [`Nesting`], changes are those of [`Churn`].
//!
//! A figure that history cannot give is `None`, and said to be unknown.

use super::answer::Hotspot;
use crate::git::tree::{self, Found};
use crate::git::{Objects, Repo, RepoPath};
use crate::history::window::{Age, Extent, Window};
use crate::query::churn::{Churn, Nesting};
use crate::query::inventory::{Inventory, is_callable};
use crate::view::live::FileId;
use crate::view::text::{Text, Texts};

/// What history says, and where trees of old commits are.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    /// The commits.
    pub window: &'a Window,
    /// The repository; without, nothing is said of what was.
    pub repo: Option<&'a Repo>,
}

/// What was found.
pub(super) struct Report {
    /// The first of them.
    pub items: Vec<Hotspot>,
    /// How many there are.
    pub total: usize,
    /// What the window could not hold.
    pub extent: Extent,
    /// Whether history is younger than a year.
    pub is_young: bool,
}

/// A file with what it is ranked by.
struct Candidate {
    file: FileId,
    score: u64,
    nesting: Nesting,
    changes: crate::query::churn::Changes,
}

/// Finds them, those of most complexity times changes first.
pub(super) fn hotspots(
    inventory: &Inventory<'_>,
    past: Past<'_>,
    texts: &mut Texts,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> Report {
    let view = inventory.view;
    let churn = Churn::of(past.window);
    let mut found: Vec<Candidate> = Vec::new();
    let mut whole = 0u64;
    for file in inventory.files().filter(|file| inventory.is_product(*file)) {
        let changes = churn.changes(view.file(file).path.as_bytes());
        if changes.commits.is_empty() {
            continue;
        }
        let Some(text) = texts.get(view, file) else {
            continue;
        };
        let nesting = Nesting::of(text.bytes());
        let score = nesting.levels.saturating_mul(changes.commits.len() as u64);
        whole = whole.saturating_add(score);
        if score > 0 && admits(file) {
            found.push(Candidate {
                file,
                score,
                nesting,
                changes,
            });
        }
    }
    found.sort_by_key(|one| (std::cmp::Reverse(one.score), one.file));
    let total = found.len();
    found.truncate(limit);
    let mut then = Then::of(past, &churn);
    let items = found.into_iter().map(|one| {
        let path = &view.file(one.file).path;
        let text = texts.get(view, one.file);
        let worst = text.and_then(|text| worst(inventory, one.file, &text));
        Hotspot {
            path: path.to_string(),
            share: one.score as f64 / whole.max(1) as f64,
            lines: one.nesting.lines,
            complexity: one.nesting.levels,
            complexity_before: then.as_mut().and_then(|then| then.complexity(path)),
            changes: one.changes.commits.len(),
            fixes: one.changes.fixes,
            lately: one.changes.lately,
            before: one.changes.before,
            worst: worst.and_then(|(id, levels)| Some((inventory.reference(texts, id)?, levels))),
        }
    });
    Report {
        items: items.collect(),
        total,
        extent: past.window.extent().clone(),
        is_young: churn.year_ago().is_none(),
    }
}

/// The function of a file that is the most complex: by its levels beyond its own.
fn worst(
    inventory: &Inventory<'_>,
    file: FileId,
    text: &Text,
) -> Option<(crate::graph::table::SymbolId, u64)> {
    let positions = (0..).map_while(|position| inventory.graph.symbol(file, position));
    let callable = positions.filter(|id| is_callable(inventory.get(*id).kind));
    let measured = callable.map(|id| {
        let entry = inventory.get(id);
        let whole = Nesting::of(text.lines(entry.start.0, entry.end.0));
        let first = Nesting::of(text.line(entry.start.0));
        let own = first.levels * u64::from(whole.lines);
        (id, whole.levels.saturating_sub(own))
    });
    // Of equals the first.
    measured
        .filter(|(_, levels)| *levels > 0)
        .max_by_key(|(id, levels)| (*levels, std::cmp::Reverse(*id)))
}

/// The tree of a year before the newest commit.
struct Then<'a> {
    window: &'a Window,
    age: Age,
    root: crate::id::TreeId,
    objects: Objects,
}

impl<'a> Then<'a> {
    fn of(past: Past<'a>, churn: &Churn<'a>) -> Option<Self> {
        let (repo, age) = (past.repo?, churn.year_ago()?);
        let commit = past.window.commit(age)?;
        Some(Self {
            window: past.window,
            age,
            root: repo.commit_tree(commit).ok()?,
            objects: repo.objects(),
        })
    }

    /// What the complexity of a file was; `None` where it was not there, or is not in this clone.
    fn complexity(&mut self, path: &RepoPath) -> Option<u64> {
        let mut names = vec![path.as_bytes().to_vec()];
        names.extend(self.window.earlier_names(path.as_bytes()));
        names.retain(|name| self.window.today(name, self.age) == path.as_bytes());
        let found = names.into_iter().find_map(|name| {
            let name = RepoPath::new(name).ok()?;
            match tree::find(&mut self.objects, self.root, &name).ok()?? {
                Found::Leaf(mode, blob) if mode.is_file() => Some(blob),
                _ => None,
            }
        })?;
        let mut text = Vec::new();
        self.objects.blob(found, &mut text).ok()?;
        Some(Nesting::of(&text).levels)
    }
}
