//! `audit unused`: definitions that nothing alive reaches, with how sure that makes us.

use super::alive::Alive;
use super::answer::{Doubt, Place, Unused, Verdict};
use super::standing::{Standing, Standings};
use super::words::Words;
use crate::extract::record::{DocFlags, SymbolFlags, SymbolKind};
use crate::graph::table::SymbolId;
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;

/// How probable it is that a definition is dead which nothing reaches: one that only its own file
/// can see, one that the whole repository can see, one that others can see too. Chosen for the
/// order they give, not measured.
const HIDDEN: f32 = 0.95;
const VISIBLE: f32 = 0.85;
const PUBLISHED: f32 = 0.25;

/// What remains of that for each reason for doubt. Chosen for the order they give, not measured.
const AMBIGUOUS: f32 = 0.3;
const MENTIONED: f32 = 0.5;
const WORD: f32 = 0.6;
const DOCUMENTED: f32 = 0.9;
const SYNTAX_ERRORS: f32 = 0.8;
const OVERRIDES: f32 = 0.4;
/// Types are also used by shape and by name in ways that leave no reference.
const TYPE: f32 = 0.9;

/// A definition that may be listed.
struct Candidate {
    id: SymbolId,
    verdict: Verdict,
    confidence: f32,
    word: Option<(u32, FileId, u32)>,
}

/// Finds unused definitions in the files that `admits` lets pass; returns the first `limit`, surest
/// first, and how many there are of each verdict.
pub fn unused(
    inventory: &Inventory<'_>,
    standings: &Standings,
    alive: &Alive,
    texts: &mut Texts,
    admits: &dyn Fn(FileId) -> bool,
    limit: usize,
) -> (Vec<Unused>, [usize; 3]) {
    let verdict = |id| verdict(inventory, standings, alive, id);
    let listed: Vec<(SymbolId, Verdict)> = inventory
        .ids()
        .filter_map(|id| Some((id, verdict(id)?)))
        .collect();
    let all: FxHashSet<SymbolId> = listed.iter().map(|(id, _)| *id).collect();
    let words = Words::of(inventory, &listed, texts);
    let mut candidates: Vec<Candidate> = listed
        .into_iter()
        .filter(|(id, _)| admits(inventory.get(*id).file) && !is_inside(inventory, &all, *id))
        .map(|(id, verdict)| {
            let word = words.of_symbol(id);
            Candidate {
                id,
                verdict,
                confidence: confidence(inventory, standings, alive, id, verdict, word.is_some()),
                word,
            }
        })
        .collect();
    let mut counts = [0; 3];
    for candidate in &candidates {
        counts[candidate.verdict as usize] += 1;
    }
    candidates.sort_by_cached_key(|candidate| {
        let entry = inventory.get(candidate.id);
        let sure = (candidate.confidence * 1000.0) as u32;
        (Reverse(sure), Reverse(entry.lines()), candidate.id)
    });
    let shown = candidates.iter().take(limit);
    let items = shown.filter_map(|candidate| describe(inventory, standings, alive, candidate));
    (items.collect(), counts)
}

fn verdict(
    inventory: &Inventory<'_>,
    standings: &Standings,
    alive: &Alive,
    id: SymbolId,
) -> Option<Verdict> {
    let entry = inventory.get(id);
    let constant = entry.kind == SymbolKind::Constant;
    let kind = is_callable(entry.kind) || is_type(entry.kind) || constant;
    let name = inventory.name(id);
    if !kind
        || !inventory.is_product(entry.file)
        || entry.flags.contains(SymbolFlags::DECLARATION)
        || name.starts_with(b"__")
        || name == b"_"
    {
        return None;
    }
    let certain = alive.hearsay(id).is_empty();
    match standings.get(id) {
        Standing::Root | Standing::Follows(_) => None,
        Standing::Published => (!alive.is_used(id)).then_some(Verdict::Exported),
        Standing::Passive if !constant || alive.is_used(id) => None,
        Standing::Passive if !certain => Some(Verdict::Uncertain),
        Standing::Passive => Some(match entry.flags.contains(SymbolFlags::EXPORTED) {
            true => Verdict::Exported,
            false => Verdict::Unreached,
        }),
        Standing::Own if alive.is_sure(id) => None,
        Standing::Own if alive.is_possible(id) => (!certain).then_some(Verdict::Uncertain),
        Standing::Own if standings.may_override(id) => Some(Verdict::Uncertain),
        Standing::Own => Some(Verdict::Unreached),
    }
}

/// Whether a definition lies in another one that is listed.
fn is_inside(inventory: &Inventory<'_>, listed: &FxHashSet<SymbolId>, id: SymbolId) -> bool {
    let mut at = id;
    loop {
        let class = inventory.class_of(at);
        let container = inventory.get(at).container;
        if [class, container]
            .iter()
            .flatten()
            .any(|c| listed.contains(c))
        {
            return true;
        }
        // Containers come before what they contain, so the walk ends.
        match container {
            Some(container) if container < at => at = container,
            _ => return false,
        }
    }
}

fn confidence(
    inventory: &Inventory<'_>,
    standings: &Standings,
    alive: &Alive,
    id: SymbolId,
    verdict: Verdict,
    word: bool,
) -> f32 {
    let entry = inventory.get(id);
    let hearsay = alive.hearsay(id);
    let mut confidence = match verdict {
        Verdict::Exported => PUBLISHED,
        _ if entry.flags.contains(SymbolFlags::EXPORTED) => VISIBLE,
        _ => HIDDEN,
    };
    let factors = [
        (is_type(entry.kind), TYPE),
        (hearsay.ambiguous > 0, AMBIGUOUS),
        (hearsay.mentions > 0, MENTIONED),
        (hearsay.documented > 0, DOCUMENTED),
        (word, WORD),
        (standings.may_override(id), OVERRIDES),
        (has_syntax_errors(inventory, entry.file), SYNTAX_ERRORS),
    ];
    for (holds, factor) in factors {
        if holds {
            confidence *= factor;
        }
    }
    confidence
}

fn has_syntax_errors(inventory: &Inventory<'_>, file: FileId) -> bool {
    inventory.view.file(file).doc.is_some_and(|doc| {
        let row = inventory.view.segment(doc.segment).segment.doc(doc.doc);
        row.flags.contains(DocFlags::SYNTAX_ERRORS)
    })
}

fn describe(
    inventory: &Inventory<'_>,
    standings: &Standings,
    alive: &Alive,
    candidate: &Candidate,
) -> Option<Unused> {
    let id = candidate.id;
    let hearsay = alive.hearsay(id);
    let path = |file: FileId| inventory.view.file(file).path.to_string();
    let place = |edge: Option<u32>| {
        let edge = inventory.graph.edge(edge?);
        let (path, line) = (path(edge.file), edge.line);
        Some(Place { path, line })
    };
    let mut doubts = Vec::new();
    if candidate.verdict == Verdict::Exported {
        doubts.push(Doubt::Exported);
    }
    if standings.may_override(id) {
        doubts.push(Doubt::Overrides);
    }
    if let Some(first) = place(hearsay.first_ambiguous) {
        let count = hearsay.ambiguous;
        doubts.push(Doubt::Ambiguous { count, first });
    }
    if let Some(first) = place(hearsay.first_mention) {
        let count = hearsay.mentions;
        doubts.push(Doubt::Mentioned { count, first });
    }
    if let Some((files, file, line)) = candidate.word {
        let path = path(file);
        let first = Place { path, line };
        doubts.push(Doubt::Word { files, first });
    }
    if hearsay.documented > 0 {
        let count = hearsay.documented;
        doubts.push(Doubt::Documented { count });
    }
    if has_syntax_errors(inventory, inventory.get(id).file) {
        doubts.push(Doubt::SyntaxErrors);
    }
    Some(Unused {
        symbol: inventory.reference(id)?,
        verdict: candidate.verdict,
        confidence: candidate.confidence,
        doubts,
    })
}
