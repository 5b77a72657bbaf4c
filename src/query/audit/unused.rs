//! `audit unused`: definitions that nothing alive reaches, with how sure that makes us; and what others may
//! use but the repository does not, where that is asked for.

use super::alive::{Alive, Hearsay};
use super::answer::{Counts, Dead, Doubt, Offered, Place, Unused, Verdict};
use super::crowds::Crowds;
use super::files::{self, DeadFiles};
use super::standing::{Standing, Standings};
use super::words::{Found, Why, Words};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::names::Name;
use crate::graph::table::{MAX_NAMESAKES, SymbolId};
use crate::query::dispatch;
use crate::query::exposure::{Exposure, Offer};
use crate::query::inventory::{Inventory, is_callable, is_type};
use crate::query::request::AuditView;
use crate::query::{sole, torn, unexplained};
use crate::view::live::FileId;
use crate::view::text::Texts;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// How probable it is that a definition is dead which nothing reaches and whose name stands nowhere else, see [`sole`]: of 313
/// in 181 repositories that nobody had looked at 303 were (`benchmark/oracle/README.md`).
const DEAD: f32 = 0.97;
/// How probable it is of others that nothing reaches and whose names stand for nothing else in code: of 299 in these repositories
/// and 124 more 246 were.
const UNREACHED: f32 = 0.82;
/// How probable it is that nothing uses what is exported and not used here: of 1,088 nothing used 990.
const EXPORTED: f32 = 0.91;
/// How probable it is that a file is dead which nothing loads: of 52 in repositories that nobody had looked at 7 were, and 7 of 12
/// after the rules that came of these (`benchmark/oracle/README.md`). Pages, bundlers and hosts take files by a pattern.
const FILE: f32 = 0.5;

/// What remains of that for each reason for doubt. Chosen for the order they give, not measured.
const MENTIONED: f32 = 0.5;
const WORD: f32 = 0.6;
/// Of 79 in 90 repositories whose names stand in code for something else 36 were dead.
const NAMESAKE: f32 = 0.56;
const DOCUMENTED: f32 = 0.9;
/// Of 50 in such files 24 were dead.
const SYNTAX_ERRORS: f32 = 0.59;
/// One of very many unreached ones of its language: 92 of 163 were dead, see [`super::crowds`].
const CROWDED: f32 = 0.69;
/// Uses that may mean it.
const AMBIGUOUS: f32 = 0.4;

/// What is known of a view.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its definitions.
    pub inventory: &'a Inventory<'a>,
    /// What decides of each whether it is alive.
    pub standings: &'a Standings,
    /// The files that nothing loads.
    pub dead: &'a DeadFiles,
    /// Who may use what they export.
    pub exposure: &'a Exposure,
}

/// A definition that may be listed.
struct Candidate {
    id: SymbolId,
    verdict: Verdict,
    confidence: f32,
    /// Where its name stands unexplained or for something else.
    word: Option<Found>,
    /// The member of an interface through which it may be called.
    shape: Option<SymbolId>,
    /// How many of its language are unreached, if that is very much.
    crowd: Option<u32>,
}

/// Finds unused definitions in the files that `admits` lets pass; returns the first `limit` of those that a
/// view lists, surest first, and how many there are of each verdict.
pub fn unused(
    known: Known<'_>,
    mut alive: Alive<'_>,
    texts: &mut Texts,
    (view, limit): (AuditView, usize),
    admits: &dyn Fn(FileId) -> bool,
) -> (Vec<Unused>, Counts) {
    let inventory = known.inventory;
    let crowded = crowded(inventory);
    let judge = |alive: &Alive<'_>, words: &Words| -> Vec<(SymbolId, Verdict)> {
        let ids = inventory.ids();
        let loaded = ids.filter(|id| !known.dead.contains(inventory.get(*id).file));
        let judged = loaded.filter_map(|id| {
            let verdict = match (verdict(known, alive, id), words.of_symbol(id)) {
                (Some(Verdict::Unreached | Verdict::Exported), _)
                    if crowded.contains(&inventory.get(id).name) =>
                {
                    Verdict::Undecided
                }
                (None | Some(Verdict::Unreached), Some(_)) => Verdict::Uncertain,
                (Some(Verdict::Unreached), None) if is_short(inventory, id) => Verdict::Uncertain,
                (Some(Verdict::Unreached), None) if is_torn(inventory, id) => Verdict::Uncertain,
                (verdict, _) => verdict?,
            };
            Some((id, verdict))
        });
        judged.collect()
    };
    let is_sought = |(_, verdict): &(SymbolId, Verdict)| {
        let by = verdict.listed_by();
        by == Some(AuditView::Unused) || by == Some(view)
    };
    let first = judge(&alive, &Words::default());
    // What has too common a name to tell may be in use, and with it what it uses.
    let is_undecided =
        |(id, verdict): &(SymbolId, Verdict)| (*verdict == Verdict::Undecided).then_some(*id);
    alive.add_used_by(first.iter().filter_map(is_undecided));
    let first = judge(&alive, &Words::default());
    let sought: Vec<SymbolId> = first
        .iter()
        .filter(|f| is_sought(f))
        .map(|(id, _)| *id)
        .collect();
    let words = Words::of(inventory, &sought, texts);
    alive.add_possible(words.named());
    let judged = judge(&alive, &words);
    let all: FxHashMap<SymbolId, Verdict> = judged.iter().copied().collect();
    let unreached = judged.iter().filter_map(|(id, verdict)| {
        let is_one = *verdict == Verdict::Unreached && !is_inside(inventory, &all, *id);
        is_one.then_some(*id)
    });
    let countable = inventory.ids().filter(|id| is_judged(inventory, *id));
    let crowds = Crowds::of(inventory, countable, unreached);
    let mut counts = Counts::default();
    let mut candidates = Vec::new();
    for (id, verdict) in judged {
        if !admits(inventory.get(id).file) || is_inside(inventory, &all, id) {
            continue;
        }
        let crowd = match verdict {
            Verdict::Unreached => crowds.around(inventory, id),
            _ => None,
        };
        let verdict = match crowd {
            Some(_) => Verdict::Uncertain,
            None if verdict == Verdict::Unreached && is_sole(inventory, texts, id) => Verdict::Dead,
            None => verdict,
        };
        match verdict {
            Verdict::Dead => counts.dead += 1,
            Verdict::Unreached => counts.unreached += 1,
            Verdict::Uncertain => counts.uncertain += 1,
            Verdict::Undecided => counts.undecided += 1,
            Verdict::Exported => counts.exported += 1,
        }
        if verdict.listed_by() == Some(view) {
            let word = words.of_symbol(id);
            let shape = shape(known, &alive, id);
            let why = word.map(|word| word.why);
            let is_word = matches!(why, Some(Why::Word | Why::Whole));
            let reasons = Reasons {
                hearsay: alive.hearsay(id),
                is_doubtful: is_word || shape.is_some() || is_short(inventory, id),
                is_namesake: why == Some(Why::Namesake),
                is_crowded: crowd.is_some(),
            };
            let confidence = confidence(inventory, id, verdict, reasons);
            candidates.push(Candidate {
                id,
                verdict,
                confidence,
                word,
                shape,
                crowd,
            });
        }
    }
    let mut files: Vec<FileId> = known.dead.iter().filter(|file| admits(*file)).collect();
    counts.uncertain += files.len();
    files.retain(|_| view == AuditView::Unused);
    candidates.sort_by_cached_key(|candidate| {
        let entry = inventory.get(candidate.id);
        let sure = (candidate.confidence * 1000.0) as u32;
        (Reverse(sure), Reverse(entry.lines()), candidate.id)
    });
    let files = files.into_iter().map(|file| describe_file(inventory, file));
    let surer = candidates.partition_point(|found| found.confidence >= FILE);
    let (surer, others) = candidates.split_at(surer);
    let mut describe = |found: &Candidate| describe(known, texts, alive.hearsay(found.id), found);
    let mut listed: Vec<Unused> = surer.iter().filter_map(&mut describe).take(limit).collect();
    listed.extend(files);
    let left = limit.saturating_sub(listed.len());
    listed.extend(others.iter().filter_map(describe).take(left));
    listed.truncate(limit);
    (listed, counts)
}

/// Names of so many definitions that a use of one may not lead to all of them.
fn crowded(inventory: &Inventory<'_>) -> FxHashSet<Name> {
    let mut counts: FxHashMap<Name, usize> = FxHashMap::default();
    for id in inventory.ids() {
        *counts.entry(inventory.get(id).name).or_default() += 1;
    }
    let crowded = counts.into_iter().filter(|(_, n)| *n > MAX_NAMESAKES);
    crowded.map(|(name, _)| name).collect()
}

/// Whether a definition is of a kind that is judged, in code that is.
fn is_judged(inventory: &Inventory<'_>, id: SymbolId) -> bool {
    let entry = inventory.get(id);
    let constant = entry.kind == SymbolKind::Constant;
    let kind = is_callable(entry.kind) || is_type(entry.kind) || constant;
    kind && inventory.is_product(entry.file) && !entry.flags.contains(SymbolFlags::DECLARATION)
}

fn verdict(known: Known<'_>, alive: &Alive<'_>, id: SymbolId) -> Option<Verdict> {
    let Known {
        inventory,
        standings,
        ..
    } = known;
    let entry = inventory.get(id);
    let constant = entry.kind == SymbolKind::Constant;
    let name = inventory.name(id);
    if !is_judged(inventory, id)
        || name.starts_with(b"__")
        || name == b"_"
        || dispatch::is_read_by_language(inventory.lang(entry.file), name)
    {
        return None;
    }
    // A declaration file says what is defined elsewhere.
    let path = inventory.view.file(entry.file).path.as_bytes();
    if path.ends_with(b".d.ts") {
        return None;
    }
    let hearsay = alive.hearsay(id);
    let doubtful = match hearsay.ambiguous {
        0 => Verdict::Uncertain,
        _ => Verdict::Undecided,
    };
    match standings.get(id) {
        Standing::Root | Standing::Follows(_) => None,
        Standing::Published => {
            let used = alive.is_used(id) || is_called_through_base(known, alive, id);
            (!used).then_some(Verdict::Exported)
        }
        Standing::Passive if !constant || alive.is_used(id) => None,
        Standing::Passive if !hearsay.is_empty() => Some(doubtful),
        Standing::Passive if alive.may_be_used(id) => None,
        Standing::Passive => Some(match entry.flags.contains(SymbolFlags::EXPORTED) {
            true => Verdict::Exported,
            false => Verdict::Unreached,
        }),
        Standing::Own if alive.is_sure(id) => None,
        Standing::Own if alive.is_possible(id) => (!hearsay.is_empty()).then_some(doubtful),
        Standing::Own if standings.may_override(id) => Some(Verdict::Undecided),
        Standing::Own if shape(known, alive, id).is_some() => Some(Verdict::Uncertain),
        Standing::Own => Some(Verdict::Unreached),
    }
}

/// The member of its name of an interface, which something alive uses and its type or module may have without saying so.
fn shape(known: Known<'_>, alive: &Alive<'_>, id: SymbolId) -> Option<SymbolId> {
    let (inventory, standings) = (known.inventory, known.standings);
    let entry = inventory.get(id);
    let is_member = entry.kind == SymbolKind::Method
        || is_callable(entry.kind)
            && entry.container.is_none()
            && entry.flags.contains(SymbolFlags::EXPORTED);
    let has_shapes = inventory.language(entry.file).liveness.has_shapes;
    let mut members = standings.shapes(entry.name).iter().copied();
    members.find(|member| is_member && has_shapes && *member != id && alive.is_used(*member))
}

/// Whether its name stands nowhere else.
fn is_sole(inventory: &Inventory<'_>, texts: &mut Texts, id: SymbolId) -> bool {
    let entry = inventory.get(id);
    let named = (inventory.lang(entry.file), inventory.name(id));
    sole::is_sole(inventory.view, texts, named, entry.file)
}

/// Whether a name is too short to be looked for where no reference is understood (`{N}` in a string of Rust).
fn is_short(inventory: &Inventory<'_>, id: SymbolId) -> bool {
    inventory.name(id).len() < unexplained::MIN_NAME_BYTES
}

/// Whether a function lies in a type that was not understood, and with it what calls it.
fn is_torn(inventory: &Inventory<'_>, id: SymbolId) -> bool {
    let entry = inventory.get(id);
    inventory
        .language(entry.file)
        .liveness
        .functions_are_members
        && is_callable(entry.kind)
        && entry.container.is_none()
        && torn::is_torn(inventory.view, entry.file)
}

/// Whether something alive uses a member that this one stands in for.
fn is_called_through_base(known: Known<'_>, alive: &Alive<'_>, id: SymbolId) -> bool {
    let mut bases = known.inventory.graph.overridden(id);
    bases.any(|base| alive.is_used(base))
}

/// Whether a definition lies in another one that the same view lists.
fn is_inside(
    inventory: &Inventory<'_>,
    judged: &FxHashMap<SymbolId, Verdict>,
    id: SymbolId,
) -> bool {
    let own = judged.get(&id).and_then(|verdict| verdict.listed_by());
    let is_listed = |around: &SymbolId| judged.get(around).is_some_and(|of| of.listed_by() == own);
    let mut at = id;
    loop {
        let class = inventory.class_of(at);
        let container = inventory.get(at).container;
        if [class, container].iter().flatten().any(is_listed) {
            return true;
        }
        // Containers come before what they contain, so the walk ends.
        match container {
            Some(container) if container < at => at = container,
            _ => return false,
        }
    }
}

/// What makes a verdict less sure.
struct Reasons {
    hearsay: Hearsay,
    /// Its name is too short or stands unexplained, or an interface has it.
    is_doubtful: bool,
    is_namesake: bool,
    is_crowded: bool,
}

fn confidence(inventory: &Inventory<'_>, id: SymbolId, verdict: Verdict, reasons: Reasons) -> f32 {
    let hearsay = reasons.hearsay;
    let file = inventory.get(id).file;
    let mut confidence = match verdict {
        Verdict::Exported => EXPORTED,
        Verdict::Dead => DEAD,
        _ => UNREACHED,
    };
    let factors = [
        (hearsay.mentions > 0, MENTIONED),
        (hearsay.documented > 0, DOCUMENTED),
        (hearsay.ambiguous > 0, AMBIGUOUS),
        (reasons.is_doubtful, WORD),
        (reasons.is_namesake, NAMESAKE),
        (torn::is_torn(inventory.view, file), SYNTAX_ERRORS),
        (reasons.is_crowded, CROWDED),
    ];
    for (holds, factor) in factors {
        if holds {
            confidence *= factor;
        }
    }
    confidence
}

fn describe_file(inventory: &Inventory<'_>, file: FileId) -> Unused {
    let (definitions, lines) = files::extent(inventory, file);
    Unused {
        what: Dead::File {
            path: inventory.view.file(file).path.to_string(),
            lines,
            definitions,
        },
        verdict: Verdict::Uncertain,
        confidence: FILE,
        doubts: vec![Doubt::Unloaded],
    }
}

/// Who may use what a file exports.
fn offered(known: Known<'_>, file: FileId) -> Offered {
    match known.exposure.offer(file) {
        Some(Offer::Manifest(manifest)) => {
            let path = known.inventory.view.file(manifest).path.to_string();
            Offered::By(path)
        }
        Some(Offer::Headers) => Offered::Headers,
        Some(Offer::Package) => Offered::Package,
        Some(Offer::Outside) => Offered::Outside,
        Some(Offer::Untold) | None => Offered::Untold,
    }
}

fn describe(
    known: Known<'_>,
    texts: &mut Texts,
    hearsay: Hearsay,
    candidate: &Candidate,
) -> Option<Unused> {
    let inventory = known.inventory;
    let id = candidate.id;
    let path = |file: FileId| inventory.view.file(file).path.to_string();
    let place = |edge: Option<u32>| {
        let edge = inventory.graph.edge(edge?);
        let (path, line) = (path(edge.file), edge.line);
        Some(Place { path, line })
    };
    let mut doubts = Vec::new();
    if candidate.verdict == Verdict::Exported {
        doubts.push(Doubt::Offered(offered(known, inventory.get(id).file)));
    }
    if let Some(first) = place(hearsay.first_ambiguous) {
        let count = hearsay.ambiguous;
        doubts.push(Doubt::Ambiguous { count, first });
    }
    if let Some(first) = place(hearsay.first_mention) {
        let count = hearsay.mentions;
        doubts.push(Doubt::Mentioned { count, first });
    }
    // What is torn has syntax errors, which is said below.
    let word = candidate.word.filter(|word| word.why != Why::Torn);
    if let Some(Found { files, first, why }) = word {
        let (path, line) = (path(first.0), first.1);
        let first = Place { path, line };
        doubts.push(match why {
            Why::Word | Why::Torn => Doubt::Word { files, first },
            Why::Whole => Doubt::Whole { first },
            Why::Namesake => Doubt::Namesake { first },
        });
    }
    if let Some(shape) = candidate.shape {
        let member = inventory.get(shape);
        let (path, line) = (path(member.file), member.start.0);
        let first = Place { path, line };
        doubts.push(Doubt::Shape { first });
    }
    if let Some(crowd) = candidate.crowd {
        let others = crowd.saturating_sub(1);
        doubts.push(Doubt::Crowd { others });
    }
    if hearsay.documented > 0 {
        let count = hearsay.documented;
        doubts.push(Doubt::Documented { count });
    }
    if torn::is_torn(inventory.view, inventory.get(id).file) {
        doubts.push(Doubt::SyntaxErrors);
    }
    Some(Unused {
        what: Dead::Symbol(inventory.reference(texts, id)?),
        verdict: candidate.verdict,
        confidence: candidate.confidence,
        doubts,
    })
}
