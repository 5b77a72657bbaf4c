//! `audit untested`: product code that no test reaches, however many steps away.

use super::Seen;
use super::answer::Untested;
use super::standing::{Standing, Standings};
use crate::extract::record::{OccurrenceKind, SymbolFlags, SymbolKind};
use crate::graph::rule::Certainty;
use crate::graph::table::SymbolId;
use crate::lang;
use crate::query::dispatch::is_called_by_language;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::query::overview::Uses;
use crate::trace::lines::Ran;
use crate::view::live::FileId;
use crate::view::role::FileRole;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// What was found.
pub struct Report {
    /// The first of the definitions that no test reaches.
    pub items: Vec<Untested>,
    /// How many there are.
    pub total: usize,
    /// Definitions that were looked at.
    pub candidates: usize,
    /// Tests that were followed.
    pub tests: usize,
}

/// Finds definitions that no test reaches in the files that `admits` lets pass, those first whose
/// files matter most and which most others use.
pub fn untested(
    inventory: &Inventory<'_>,
    standings: &Standings,
    texts: &mut Texts,
    seen: Seen<'_>,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> Report {
    let mut walk = Walk::new(inventory, standings);
    let tests = walk.begin(seen);
    walk.run();
    let sure = walk.reached.clone();
    walk.uncertain = true;
    walk.again();
    let uses = Uses::of(inventory.view, inventory.graph);
    let candidates: Vec<SymbolId> = inventory
        .ids()
        .filter(|id| admits(inventory.get(*id).file) && is_candidate(inventory, *id))
        .collect();
    let missed: FxHashSet<SymbolId> = candidates
        .iter()
        .copied()
        .filter(|id| !sure[id.index()])
        .collect();
    let in_missed = |id: &SymbolId| {
        let class = inventory.class_of(*id);
        let around = inventory.get(*id).container;
        [class, around].iter().flatten().any(|c| missed.contains(c))
    };
    let mut listed: Vec<SymbolId> = missed.iter().copied().filter(|id| !in_missed(id)).collect();
    listed.sort_by(|a, b| {
        let rank = |id: &SymbolId| inventory.graph.rank(inventory.get(*id).file);
        let key = |id: &SymbolId| {
            let lines = inventory.get(*id).lines();
            (Reverse(uses.uses[id.index()]), Reverse(lines), *id)
        };
        rank(b).total_cmp(&rank(a)).then(key(a).cmp(&key(b)))
    });
    let mut describe = |id: &SymbolId| {
        Some(Untested {
            symbol: inventory.reference(texts, *id)?,
            callers: uses.uses[id.index()] as usize,
            rank: inventory.graph.rank(inventory.get(*id).file),
            perhaps: walk.reached[id.index()],
        })
    };
    Report {
        total: listed.len(),
        items: listed
            .iter()
            .take(limit)
            .filter_map(&mut describe)
            .collect(),
        candidates: candidates.len(),
        tests,
    }
}

/// Whether a definition is something a test could run.
fn is_candidate(inventory: &Inventory<'_>, id: SymbolId) -> bool {
    let entry = inventory.get(id);
    let nested = entry.container.is_some_and(|container| {
        let kind = inventory.get(container).kind;
        !is_type(kind) && !matches!(kind, SymbolKind::Module | SymbolKind::Impl)
    });
    let runs = matches!(
        entry.kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Class
    );
    runs && !nested
        && inventory.is_product(entry.file)
        && !inventory.is_test(id)
        && !entry.flags.contains(SymbolFlags::DECLARATION)
}

/// Whether a member runs when its leader does, and not only when somebody calls it: constructors,
/// what the language calls, implementations of traits and of interfaces that nothing names, parts of functions.
fn runs_with(inventory: &Inventory<'_>, leader: SymbolId, id: SymbolId) -> bool {
    let entry = inventory.get(id);
    let lang = inventory.lang(entry.file);
    !is_callable(entry.kind)
        || entry.kind == SymbolKind::Constructor
        || !is_type(inventory.get(leader).kind)
        || lang::of(lang).naming.implicit_interfaces
        || is_called_by_language(lang, inventory.name(id))
}

struct Walk<'a> {
    inventory: &'a Inventory<'a>,
    standings: &'a Standings,
    /// What runs with a definition, as (definition, follower), sorted.
    followers: Vec<(SymbolId, SymbolId)>,
    reached: Vec<bool>,
    loaded: Vec<bool>,
    queue: Vec<SymbolId>,
    uncertain: bool,
}

impl<'a> Walk<'a> {
    fn new(inventory: &'a Inventory<'a>, standings: &'a Standings) -> Self {
        let mut followers = Vec::new();
        for id in inventory.ids() {
            if let Standing::Follows(leader) = standings.get(id)
                && runs_with(inventory, leader, id)
            {
                followers.push((leader, id));
            }
        }
        followers.sort_unstable();
        Self {
            inventory,
            standings,
            followers,
            reached: vec![false; inventory.len()],
            loaded: vec![false; inventory.files().len()],
            queue: Vec::new(),
            uncertain: false,
        }
    }

    /// Starts from tests and the files they are in; returns how many tests there are.
    fn begin(&mut self, seen: Seen<'_>) -> usize {
        let mut tests = 0;
        for id in self.inventory.ids() {
            let entry = self.inventory.get(id);
            let is_test = self.inventory.is_test(id) && self.inventory.is_code(entry.file);
            if is_test {
                let runs = is_callable(entry.kind) || entry.kind == SymbolKind::Test;
                tests += usize::from(runs && entry.flags.contains(SymbolFlags::TEST));
                self.load(entry.file);
            }
            if is_test || seen(id) == Ran::Yes {
                self.reach(id);
            }
        }
        for file in self.inventory.files() {
            let role = self.inventory.role(file);
            if role == FileRole::Test && self.inventory.is_code(file) {
                self.load(file);
            }
        }
        tests
    }

    /// Goes on from all that was reached, through uncertain edges too.
    fn again(&mut self) {
        let reached = self.inventory.ids().filter(|id| self.reached[id.index()]);
        self.queue = reached.collect();
        let loaded = std::mem::replace(&mut self.loaded, vec![false; self.inventory.files().len()]);
        for (file, was) in self.inventory.files().zip(loaded) {
            if was {
                self.load(file);
            }
        }
        self.run();
    }

    fn run(&mut self) {
        while let Some(id) = self.queue.pop() {
            let first = self.followers.partition_point(|(of, _)| *of < id);
            let followers: Vec<SymbolId> = self.followers[first..]
                .iter()
                .take_while(|(of, _)| *of == id)
                .map(|(_, follower)| *follower)
                .chain(self.standings.overriding(id))
                .collect();
            // A method that overrides one elsewhere is called through it, not with its type.
            for follower in followers {
                self.reach(follower);
            }
            let container = self.inventory.get(id).container;
            for around in container.into_iter().chain(self.inventory.class_of(id)) {
                self.reach(around);
            }
            self.load(self.inventory.get(id).file);
            for edge in self.inventory.outgoing(id) {
                self.follow(*edge);
            }
        }
    }

    /// What stands at the top of a file runs when anything of it does.
    fn load(&mut self, file: FileId) {
        if std::mem::replace(&mut self.loaded[file.0 as usize], true) {
            return;
        }
        for edge in self.inventory.outgoing_top(file) {
            self.follow(*edge);
        }
    }

    fn reach(&mut self, id: SymbolId) {
        if !std::mem::replace(&mut self.reached[id.index()], true) {
            self.queue.push(id);
        }
    }

    fn follow(&mut self, at: u32) {
        let edge = self.inventory.graph.edge(at);
        let counts = match edge.rule.certainty() {
            Certainty::Resolved | Certainty::Inferred => true,
            Certainty::Ambiguous => self.uncertain,
            Certainty::Text => false,
        };
        // Neither an import nor an annotation runs what it names.
        let runs = !matches!(
            edge.kind,
            OccurrenceKind::Import | OccurrenceKind::Type | OccurrenceKind::Mention
        );
        if counts && runs {
            for id in self.inventory.graph.targets(at) {
                self.reach(id);
            }
        }
    }
}
