//! What a set of events says of one commit: a pure function of the events and of the answers to the
//! question which pins lie behind the commit.
//!
//! A claim holds where its pin is behind and no pin of an event that ends or replaces it is. With three
//! answers this is Kleene's logic: one no decides, else one unknown does. Claims that replace one
//! another are versions of one *fact*, which is named by its first claim.

use super::event::{Body, Event, Pin, Target};
use super::ladder::{Absence, Answer, Question, Reason, Rung};
use super::log::Log;
use crate::id::EventId;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What speaks against a claim is told up to so many times of each sort.
const MAX_CONTESTS: usize = 16;
/// Ends that are looked at for one claim.
const MAX_MET: usize = 1000;

/// An event that counts from a commit on: a claim or an end, or what stays of one.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// Its id.
    pub id: EventId,
    /// From where on.
    pub pin: &'a Pin,
    /// What it says; `None` when that was taken out.
    pub event: Option<&'a Event>,
    /// Whether it says that something holds.
    pub is_claim: bool,
    /// The claims it ends or replaces.
    names: Vec<EventId>,
}

/// Whether a claim holds at a commit, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds(Rung),
    /// It cannot be told: where this event's pin lies is not known.
    Unknown(EventId, Reason),
    /// It was said of a place that does not lie behind.
    Absent(Absence),
    /// This event has ended it.
    Ended(EventId),
    /// This claim has replaced it.
    Replaced(EventId),
}

/// Why a claim that holds should not be relied on alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Contest {
    /// Another version of the same fact holds too.
    Version(EventId),
    /// The same was said before, or what this replaces, and has ended here, which whoever said this did
    /// not know of.
    Ended(EventId),
}

/// One version of a fact, at a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Which of [`Fold::nodes`].
    pub node: usize,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What speaks against it.
    pub contests: Vec<Contest>,
}

/// One fact, at a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The id it is known by: the first, in their order, of the claims that replace nothing.
    pub id: EventId,
    /// All its versions, in the order of their ids.
    pub versions: Vec<Version>,
}

/// The claims that have ended at a commit, in the order of the ends.
#[derive(Default)]
struct Ended<'a> {
    /// By text: the ends and the claims.
    texts: FxHashMap<&'a str, Vec<(EventId, EventId)>>,
    /// By claim: the ends.
    claims: FxHashMap<EventId, Vec<EventId>>,
}

/// The events of a log, ready for any number of questions.
pub struct Fold<'a> {
    nodes: Vec<Node<'a>>,
    closers: FxHashMap<EventId, Vec<usize>>,
    /// The claims of each fact, by the id of the fact.
    pub(crate) facts: BTreeMap<EventId, Vec<usize>>,
}

impl<'a> Fold<'a> {
    /// Takes the events of a log.
    pub fn of(log: &'a Log) -> Self {
        let mut nodes: Vec<Node<'a>> = Vec::new();
        for (id, event) in log.readable() {
            if let Some(pin) = event.pin() {
                nodes.push(Node {
                    id,
                    pin,
                    event: Some(event),
                    is_claim: matches!(event.body, Body::Claim { .. }),
                    names: event.names().collect(),
                });
            }
        }
        for (id, (_, stub)) in &log.stubs {
            nodes.push(Node {
                id: *id,
                pin: &stub.pin,
                event: None,
                is_claim: stub.was != "end",
                names: stub.names.iter().copied().collect(),
            });
        }
        nodes.sort_by_key(|node| node.id);
        let mut closers: FxHashMap<EventId, Vec<usize>> = FxHashMap::default();
        for (at, node) in nodes.iter().enumerate() {
            for name in node.names.iter().filter(|name| **name != node.id) {
                closers.entry(*name).or_default().push(at);
            }
        }
        let facts = families(&nodes);
        Self {
            nodes,
            closers,
            facts,
        }
    }

    /// Claims and ends, in the order of their ids.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// Finds a claim or an end.
    pub fn find(&self, id: EventId) -> Option<usize> {
        self.nodes.binary_search_by_key(&id, |node| node.id).ok()
    }

    /// The events that end or replace a claim.
    pub fn closers(&self, id: EventId) -> &[usize] {
        self.closers.get(&id).map_or(&[], Vec::as_slice)
    }

    /// What has to be known of a commit: where each pin lies, in the order of [`Fold::nodes`].
    pub fn questions(&self) -> Vec<Question<'a>> {
        let question = |node: &Node<'a>| Question {
            event: node.id,
            pin: node.pin,
            targets: node.event.map_or_else(Vec::new, |event| {
                event.targets().collect::<Vec<&'a Target>>()
            }),
        };
        self.nodes.iter().map(question).collect()
    }

    /// What holds at a commit, given the answers to [`Fold::questions`].
    pub fn at(&self, answers: &[Answer]) -> Vec<Fact> {
        let verdicts: Vec<Option<Verdict>> = (0..self.nodes.len())
            .map(|at| self.nodes[at].is_claim.then(|| self.verdict(at, answers)))
            .collect();
        let ended = self.ended(answers);
        let mut out = Vec::with_capacity(self.facts.len());
        for (id, claims) in &self.facts {
            let holds = |at: &&usize| {
                matches!(verdicts[**at], Some(Verdict::Holds(_)))
                    && self.nodes[**at].event.is_some()
            };
            let holding: Vec<usize> = claims.iter().filter(holds).copied().collect();
            let versions = claims.iter().filter_map(|at| {
                let verdict = verdicts[*at].clone()?;
                let mut contests = Vec::new();
                if holds(&at) {
                    let others = holding.iter().filter(|other| *other != at);
                    let others = others.take(MAX_CONTESTS);
                    contests.extend(others.map(|at| Contest::Version(self.nodes[*at].id)));
                    contests.extend(self.unseen_ends(*at, &ended));
                }
                Some(Version {
                    node: *at,
                    verdict,
                    contests,
                })
            });
            out.push(Fact {
                id: *id,
                versions: versions.collect(),
            });
        }
        out
    }

    fn verdict(&self, at: usize, answers: &[Answer]) -> Verdict {
        let rung = match &answers[at] {
            Answer::No(absence) => return Verdict::Absent(*absence),
            Answer::Yes(rung) => Some(rung),
            Answer::Unknown(_) => None,
        };
        let closers = self.closers(self.nodes[at].id);
        let behind = |at: &&usize| matches!(answers[**at], Answer::Yes(_));
        if let Some(closer) = closers.iter().find(behind) {
            let id = self.nodes[*closer].id;
            return match self.nodes[*closer].is_claim {
                true => Verdict::Replaced(id),
                false => Verdict::Ended(id),
            };
        }
        let unknown = |at: &usize| match &answers[*at] {
            Answer::Unknown(reason) => Some(Verdict::Unknown(self.nodes[*at].id, reason.clone())),
            _ => None,
        };
        match (rung, unknown(&at)) {
            (_, Some(verdict)) => verdict,
            (Some(rung), None) => {
                let doubt = closers.iter().find_map(unknown);
                doubt.unwrap_or(Verdict::Holds(rung.clone()))
            }
            // An answer is one of three.
            (None, None) => Verdict::Absent(Absence::Elsewhere),
        }
    }

    /// What has ended at a commit.
    fn ended(&self, answers: &[Answer]) -> Ended<'a> {
        let mut out = Ended::default();
        for (at, node) in self.nodes.iter().enumerate() {
            if node.is_claim || !matches!(answers[at], Answer::Yes(_)) {
                continue;
            }
            for name in &node.names {
                let Some(claim) = self.find(*name).map(|at| &self.nodes[at]) else {
                    continue;
                };
                if claim.is_claim {
                    out.claims.entry(*name).or_default().push(node.id);
                    if let Some(event) = claim.event {
                        let texts = out.texts.entry(&event.text).or_default();
                        texts.push((node.id, *name));
                    }
                }
            }
        }
        out
    }

    /// Ends of the same text, or of what it replaces, that a claim was made without knowing of.
    fn unseen_ends(&self, at: usize, ended: &Ended) -> Vec<Contest> {
        let node = &self.nodes[at];
        let Some(Event {
            body: Body::Claim { again, .. },
            text,
            ..
        }) = node.event
        else {
            return Vec::new();
        };
        let same = ended.texts.get(text.as_str()).into_iter().flatten();
        let same = same.filter(|(_, claim)| *claim != node.id);
        let replaced = node.names.iter().filter_map(|name| ended.claims.get(name));
        let mut ends: Vec<EventId> = same
            .map(|(end, _)| *end)
            .chain(replaced.flatten().copied())
            .filter(|end| !again.contains(end))
            .take(MAX_MET)
            .collect();
        ends.sort_unstable();
        ends.dedup();
        ends.truncate(MAX_CONTESTS);
        ends.into_iter().map(Contest::Ended).collect()
    }
}

/// Puts claims that replace one another together.
fn families(nodes: &[Node]) -> BTreeMap<EventId, Vec<usize>> {
    let mut leader: Vec<usize> = (0..nodes.len()).collect();
    fn find(leader: &mut [usize], mut at: usize) -> usize {
        while leader[at] != at {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        at
    }
    for (at, node) in nodes.iter().enumerate().filter(|(_, node)| node.is_claim) {
        for name in &node.names {
            let Ok(other) = nodes.binary_search_by_key(name, |node| node.id) else {
                continue;
            };
            if nodes[other].is_claim {
                let (a, b) = (find(&mut leader, at), find(&mut leader, other));
                leader[a] = b;
            }
        }
    }
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in (0..nodes.len()).filter(|at| nodes[*at].is_claim) {
        members.entry(find(&mut leader, at)).or_default().push(at);
    }
    let named = members.into_values().map(|all| {
        // The first ones may be missing.
        let first = all.iter().find(|at| nodes[**at].names.is_empty());
        (nodes[*first.unwrap_or(&all[0])].id, all)
    });
    named.collect()
}
