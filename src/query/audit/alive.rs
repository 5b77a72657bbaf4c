//! What is alive: what can be reached from the ways into the program.
//!
//! Two sweeps. The first follows what is resolved or inferred; what it reaches is in use. The second
//! goes on from there through what is ambiguous or only named in a string, and from what is named in
//! places that nobody understands; what it reaches may be in use. Functions that only call each other
//! are reached by neither.

use super::files::DeadFiles;
use super::heard::{Heard, Sort};
use super::standing::{Standing, Standings};
use crate::graph::rule::{Certainty, Rule};
use crate::graph::table::SymbolId;
use crate::query::dispatch;
use crate::query::inventory::{Inventory, is_callable, is_type, is_value_kind};
use crate::trace::lines::Ran;
use rustc_hash::FxHashSet;

/// Uncertain uses of a definition that come from a place which is or may be alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hearsay {
    /// Uses that may mean it or another of its name.
    pub ambiguous: u32,
    /// The first of them, as an edge.
    pub first_ambiguous: Option<u32>,
    /// Strings in code that hold exactly its name.
    pub mentions: u32,
    /// The first of them, as an edge.
    pub first_mention: Option<u32>,
    /// Times that documentation names it.
    pub documented: u32,
}

impl Hearsay {
    /// Whether there is none that could be a use.
    pub fn is_empty(&self) -> bool {
        self.ambiguous == 0 && self.mentions == 0
    }
}

/// What is alive in a view.
pub struct Alive<'a> {
    /// The second sweep, which reached what may be in use.
    sweep: Sweep<'a>,
}

impl<'a> Alive<'a> {
    /// Finds what is alive. What `seen` says was executed is.
    pub fn of(
        inventory: &'a Inventory<'a>,
        standings: &'a Standings,
        dead: &'a DeadFiles,
        seen: super::Seen<'_>,
    ) -> Self {
        let mut sweep = Sweep::new(inventory, standings, dead);
        sweep.begin(seen);
        sweep.run();
        sweep.sure = sweep.alive.clone();
        sweep.uncertain = true;
        sweep.again();
        Self { sweep }
    }

    /// Lets some definitions that nothing reached be in use all the same, and with them what they
    /// use.
    pub fn add_possible(&mut self, ids: impl Iterator<Item = SymbolId>) {
        ids.for_each(|id| self.sweep.mark(id));
        self.sweep.run();
    }

    /// Lets what some definitions use be in use of which nobody knows whether they are.
    pub fn add_used_by(&mut self, ids: impl Iterator<Item = SymbolId>) {
        ids.for_each(|id| self.sweep.spread(id));
        self.sweep.run();
    }

    /// Whether a definition is in use.
    pub fn is_sure(&self, id: SymbolId) -> bool {
        self.sweep.sure[id.index()]
    }

    /// Whether a definition is or may be in use.
    pub fn is_possible(&self, id: SymbolId) -> bool {
        self.sweep.alive[id.index()]
    }

    /// Whether something alive outside of a definition uses it.
    pub fn is_used(&self, id: SymbolId) -> bool {
        self.sweep.used[id.index()]
    }

    /// Whether something that may be alive, and lies outside of a definition, uses it.
    pub fn may_be_used(&self, id: SymbolId) -> bool {
        self.sweep.maybe_used[id.index()]
    }

    /// Its uncertain uses.
    pub fn hearsay(&self, id: SymbolId) -> Hearsay {
        let mut all = self.sweep.hearsay[id.index()];
        let graph = self.sweep.inventory.graph;
        self.sweep.heard.add_to(graph, id, &mut all);
        all
    }
}

struct Sweep<'a> {
    inventory: &'a Inventory<'a>,
    standings: &'a Standings,
    dead: &'a DeadFiles,
    idle: FxHashSet<u32>,
    /// What lives with a definition, as (definition, follower), sorted.
    followers: Vec<(SymbolId, SymbolId)>,
    /// Members by class, as (class, member), sorted.
    members: Vec<(SymbolId, SymbolId)>,
    alive: Vec<bool>,
    used: Vec<bool>,
    /// Used by what only uncertain uses keep alive.
    maybe_used: Vec<bool>,
    /// What is heard of one definition alone.
    hearsay: Vec<Hearsay>,
    /// And of many at once.
    heard: Heard,
    /// Whether there may be a use of a definition, as far as anything was heard.
    is_heard: Vec<bool>,
    queue: Vec<SymbolId>,
    /// Whether uncertain edges count.
    uncertain: bool,
    /// What the first sweep reached, in the second one.
    sure: Vec<bool>,
}

impl<'a> Sweep<'a> {
    fn new(inventory: &'a Inventory<'a>, standings: &'a Standings, dead: &'a DeadFiles) -> Self {
        let mut followers: Vec<(SymbolId, SymbolId)> = Vec::new();
        let mut members = Vec::new();
        for id in inventory.ids() {
            if let Standing::Follows(leader) = standings.get(id) {
                followers.push((leader, id));
            }
            if is_callable(inventory.get(id).kind)
                && let Some(class) = inventory.class_of(id)
            {
                members.push((class, id));
            }
        }
        followers.sort_unstable();
        members.sort_unstable();
        let count = inventory.len();
        Self {
            inventory,
            standings,
            dead,
            idle: inventory.idle_imports(),
            followers,
            members,
            alive: vec![false; count],
            used: vec![false; count],
            maybe_used: vec![false; count],
            hearsay: vec![Hearsay::default(); count],
            heard: Heard::default(),
            is_heard: vec![false; count],
            queue: Vec::new(),
            uncertain: false,
            sure: Vec::new(),
        }
    }

    /// Starts from the ways in, and from the top level of every file that something may load.
    fn begin(&mut self, seen: super::Seen<'_>) {
        for id in self.inventory.ids() {
            let standing = self.standings.get(id);
            let was_seen = || seen(id) == Ran::Yes;
            let begins = matches!(
                standing,
                Standing::Root | Standing::Published | Standing::Passive
            );
            let loaded = !self.dead.contains(self.inventory.get(id).file);
            if (begins && loaded) || was_seen() {
                self.mark(id);
            }
        }
        self.follow_top_levels();
    }

    /// Starts once more from all that is alive.
    fn again(&mut self) {
        let alive = self.inventory.ids().filter(|id| self.alive[id.index()]);
        self.queue = alive.collect();
        self.follow_top_levels();
        self.run();
        // What something outside may find by its base, or call through one, uses what it names.
        for id in self.inventory.ids() {
            let lives = || {
                let class = self.inventory.class_of(id);
                is_type(self.inventory.get(id).kind)
                    || class.is_some_and(|class| self.alive[class.index()])
            };
            if self.standings.may_override(id) && !self.alive[id.index()] && lives() {
                self.spread(id);
            }
        }
        self.run();
    }

    fn follow_top_levels(&mut self) {
        for file in self.inventory.files() {
            if self.dead.contains(file) {
                continue;
            }
            for edge in self.inventory.outgoing_top(file) {
                self.follow(*edge, None);
            }
        }
    }

    fn run(&mut self) {
        while let Some(id) = self.queue.pop() {
            self.spread(id);
        }
    }

    fn mark(&mut self, id: SymbolId) {
        if !std::mem::replace(&mut self.alive[id.index()], true) {
            self.queue.push(id);
        }
    }

    fn spread(&mut self, id: SymbolId) {
        for follower in of(&self.followers, id) {
            self.mark(follower);
        }
        let overriding: Vec<SymbolId> = self.standings.overriding(id).collect();
        for method in overriding {
            self.mark(method);
        }
        // What may be called once there is an object to call it on: nobody knows what is done with a type that is handed
        // to somebody, or that was reached in ways which nobody understands.
        if self.uncertain {
            let is_loose = self.standings.is_handed(id) || !self.sure[id.index()];
            for member in of(&self.members, id) {
                let may_be_called = is_loose && !dispatch::is_private(self.inventory.name(member));
                if may_be_called || self.is_heard[member.index()] {
                    self.mark(member);
                }
            }
        }
        let container = self.inventory.get(id).container;
        for around in container.into_iter().chain(self.inventory.class_of(id)) {
            self.mark(around);
        }
        for edge in self.inventory.outgoing(id) {
            self.follow(*edge, Some(id));
        }
    }

    fn follow(&mut self, at: u32, from: Option<SymbolId>) {
        let graph = self.inventory.graph;
        let edge = graph.edge(at);
        let sure = matches!(
            edge.rule.certainty(),
            Certainty::Resolved | Certainty::Inferred
        );
        if self.idle.contains(&at) || (!sure && !self.uncertain) {
            return;
        }
        if !sure && let Some(set) = graph.set_of(at) {
            self.hear_of_set(set, at, edge.rule, from);
            return;
        }
        for id in graph.targets(at) {
            let within = from.filter(|from| self.inventory.lies_in(*from, id));
            if within.is_some_and(|from| !self.is_given(id, from)) {
                continue;
            }
            if sure {
                self.note_use(id, from);
                self.mark(id);
            } else {
                self.hear(id, at, edge.rule);
            }
        }
    }

    /// Whether a member is given to a value from outside of that: `list.onchange = function () {}` tells whoever made the list.
    fn is_given(&self, value: SymbolId, member: SymbolId) -> bool {
        let (value, member) = (self.inventory.get(value), self.inventory.get(member));
        is_value_kind(value.kind)
            && is_callable(member.kind)
            && value.file == member.file
            && member.start.0 > value.end.0
    }

    /// A used member is a use of its type.
    fn note_use(&mut self, id: SymbolId, from: Option<SymbolId>) {
        let used = match self.uncertain {
            true => &mut self.maybe_used,
            false => &mut self.used,
        };
        used[id.index()] = true;
        if let Some(class) = self.inventory.class_of(id)
            && from.is_none_or(|from| !self.inventory.lies_in(from, class))
        {
            used[class.index()] = true;
        }
    }

    fn hear(&mut self, id: SymbolId, at: u32, rule: Rule) {
        let hearsay = &mut self.hearsay[id.index()];
        match sort(self.inventory, at, rule) {
            Sort::Documented => {
                hearsay.documented += 1;
                return;
            }
            Sort::Mention => {
                hearsay.mentions += 1;
                hearsay.first_mention = lower(hearsay.first_mention, at);
            }
            Sort::Ambiguous => {
                hearsay.ambiguous += 1;
                hearsay.first_ambiguous = lower(hearsay.first_ambiguous, at);
            }
        }
        self.note_heard(id);
    }

    /// The same of all definitions of a set, but for those that the use lies in.
    fn hear_of_set(&mut self, set: u32, at: u32, rule: Rule, from: Option<SymbolId>) {
        let inventory = self.inventory;
        let own = from.map_or_else(Vec::new, |from| {
            let all: Vec<SymbolId> = inventory.graph.of_set(set).collect();
            let mut around = inventory.all_around(from);
            around.retain(|id| all.binary_search(id).is_ok() && !self.is_given(*id, from));
            around
        });
        let sort = sort(inventory, at, rule);
        let told = self.heard.note(inventory.graph, (set, at), sort, own);
        told.into_iter().for_each(|id| self.note_heard(id));
    }

    /// Lets a definition that may be used be alive, if its class may be.
    fn note_heard(&mut self, id: SymbolId) {
        self.is_heard[id.index()] = true;
        let class = self.inventory.class_of(id);
        // What extends other types is called on values of those, whatever becomes of the type it stands in.
        let of = self.inventory.get(id).file;
        let extends = self.inventory.language(of).liveness.extends_by_classes;
        if extends || class.is_none_or(|class| self.alive[class.index()]) {
            self.mark(id);
        }
    }
}

/// What an uncertain use is.
fn sort(inventory: &Inventory<'_>, at: u32, rule: Rule) -> Sort {
    let file = inventory.graph.edge(at).file;
    match (rule, inventory.is_code(file)) {
        (Rule::Mention, false) => Sort::Documented,
        (Rule::Mention, true) => Sort::Mention,
        _ => Sort::Ambiguous,
    }
}

fn lower(known: Option<u32>, at: u32) -> Option<u32> {
    Some(known.map_or(at, |known| known.min(at)))
}

fn of(pairs: &[(SymbolId, SymbolId)], id: SymbolId) -> Vec<SymbolId> {
    let first = pairs.partition_point(|(of, _)| *of < id);
    let own = pairs[first..].iter().take_while(|(of, _)| *of == id);
    own.map(|(_, other)| *other).collect()
}
