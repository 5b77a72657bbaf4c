//! `refs`: who uses a symbol and what it uses, near and far; which files a file depends on and which
//! depend on it.

pub mod answer;
mod dependencies;
mod impact;
mod uses;
mod words;

use super::Error;
use super::answer::{SymbolRef, TargetNote};
use super::definitions::{self, Definition};
use super::engine::{self, Engine, Pinned};
use super::entry_points::{self, EntryPoint, Shown};
use super::lookup::asides;
use super::nothing::Nothing;
use super::question::{self, Question, warned};
use super::reach::Around;
use super::refs::answer::RefsAnswer;
use super::relations;
use super::request::{Direction, Ends, RefsRequest, Revision, Scope};
use super::scope::{Filter, parse_labels};
use super::shared::Shared;
use super::state::Stamp;
use super::target::Target;
use super::target_matches::{TargetMatches, What};
use super::verdict::Verdict;
use super::verified::VerifiedSymbols;
use crate::extract::record::OccurrenceKind;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::query::engine::first::Needles;
use crate::store::Progress;
use crate::store::trace::Traces;
use crate::trace::lines::Ran;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Definitions named beside the references.
const MAX_DEFINITIONS: usize = 10;

/// What an answer is made from.
struct RefsContext<'a> {
    view: &'a View,
    graph: &'a Graph,
    entry_points: &'a [EntryPoint],
    filter: &'a Filter,
    kinds: Vec<OccurrenceKind>,
    depth: usize,
    request: &'a RefsRequest,
}

impl RefsContext<'_> {
    /// What is walked over.
    fn around(&self) -> Around<'_> {
        Around {
            view: self.view,
            graph: self.graph,
            kinds: &self.kinds,
            depth: self.depth,
        }
    }
}

warned!(RefsAnswer, stamp.warnings);

impl Question for RefsRequest {
    type Pin = Pinned;
    type Answer = RefsAnswer;

    fn check(&self) -> Result<(), Error> {
        question::argument("target", &self.target)?;
        question::list("kind", &self.kinds)?;
        question::place(&self.scope, &self.at)
    }

    fn target_at(&mut self) -> Option<(&mut String, &mut Revision)> {
        Some((&mut self.target, &mut self.at))
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        match &self.scope.changed {
            Some(_) => engine.pin_within(&self.scope, &self.at, progress),
            None => engine.pin_soon(&self.at, Needles::of_target(&self.target), progress),
        }
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        _progress: &dyn Progress,
    ) -> Result<RefsAnswer, Error> {
        let (view, target) = (pinned.view(), engine::parse_target(&self.target)?);
        let (graph, traces) = (engine.graph(pinned), engine.traces());
        let meant = engine.meant_by(pinned, (&self.target, &target), &Filter::open())?;
        let meant = meant.by_comment(view, &mut engine.texts());
        let meant = meant.by_receiver((view, graph), &mut engine.texts(), &target.name);
        let entry_points = engine.entry_points(pinned);
        let (filter, note) = engine.filter(&self.scope, pinned)?;
        engine.quoting(&self.target, |texts| {
            let (of, mut stamp) = ((view, graph, entry_points, &*traces), pinned.stamp.clone());
            stamp.warnings.extend(note.clone());
            refs(of, texts, (self, &filter, &target, &meant), stamp)
        })
    }
}

/// Answers `refs` of what a target was found to mean, from a view, its graph, its entry points, and recorded
/// coverage, in the files that a filter admits.
/// Fails on an unknown kind, or both directions over several steps.
pub fn refs(
    (view, graph, entry_points, traces): (&View, &Graph, &[EntryPoint], &Traces),
    texts: &mut Texts,
    (request, filter, target, meant): (&RefsRequest, &Filter, &Target, &TargetMatches),
    stamp: Stamp,
) -> Result<RefsAnswer, Error> {
    let mut kinds = parse_labels(
        "kind",
        &request.kinds,
        OccurrenceKind::ALL,
        OccurrenceKind::label,
    )?;
    // Who asks for calls wants those of macros too.
    if kinds.contains(&OccurrenceKind::Call) {
        kinds.push(OccurrenceKind::Expand);
    }
    let asked = RefsContext {
        view,
        graph,
        entry_points,
        filter,
        kinds,
        depth: request.depth.max(1),
        request,
    };
    let depth = asked.depth;
    if request.ends == Ends::Both && depth > 1 {
        return Err(Error::BothFar(depth));
    }
    let mut answer = RefsAnswer {
        stamp,
        target: request.target.clone(),
        depth,
        offset: request.offset,
        files_searched: asked.filter.count(view),
        within: asked.filter.extent().cloned(),
        asides: asides(view, texts, meant),
        ..RefsAnswer::default()
    };
    match &meant.what {
        What::Files(files) => of_files(&asked, texts, &files[..1], &mut answer),
        What::Folder(folder) => {
            of_files(&asked, texts, &folder.files, &mut answer);
            answer.file = Some(folder.shown());
        }
        What::Passage(passage) => {
            let path = view.file(passage.file).path.to_string();
            let place = format!("{path}:{}-{}", passage.first, passage.last);
            answer.asides.push(TargetNote::NoSymbol(place));
            of_files(&asked, texts, &[passage.file], &mut answer);
        }
        What::Definitions(found) => {
            of_definitions(&asked, texts, (traces, target), found, &mut answer)?;
        }
    }
    Ok(answer)
}

/// What some files depend on, and what depends on them.
fn of_files(asked: &RefsContext<'_>, texts: &mut Texts, files: &[FileId], answer: &mut RefsAnswer) {
    let directions: &[Direction] = match asked.request.ends {
        Ends::One(Direction::Out) => &[Direction::Out],
        Ends::One(Direction::In) => &[Direction::In],
        Ends::Usual if asked.depth > 1 => &[Direction::In],
        Ends::Usual | Ends::Both => &[Direction::Out, Direction::In],
    };
    for direction in directions {
        dependencies::answer(asked, texts, *direction, files, answer);
    }
}

/// Who uses some definitions, and what they use.
fn of_definitions(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    (traces, target): (&Traces, &Target),
    found: &[Definition],
    answer: &mut RefsAnswer,
) -> Result<(), Error> {
    let (view, graph) = (asked.view, asked.graph);
    let exact = found.iter().take_while(|found| found.matched.is_exact());
    let found = &found[..exact.count()];
    answer.name = match found.first() {
        Some(first) => VerifiedSymbols::of(view, first.file)
            .and_then(|verified| verified.name(texts, first.index))
            .map(String::from)
            .unwrap_or_default(),
        None => target.name.own.clone(),
    };
    let mut references = |found: &[Definition]| -> Vec<SymbolRef> {
        let first = found.iter().take(MAX_DEFINITIONS);
        first
            .filter_map(|found| {
                VerifiedSymbols::of(view, found.file)?.reference(texts, found.index)
            })
            .collect()
    };
    let chain = &target.name.containers[..];
    if found.is_empty() {
        // None of the uses is that of a definition elsewhere or of a similar name.
        let own = target.name.own.as_bytes();
        let elsewhere = definitions::find_exact(view, &Filter::open(), own);
        answer.elsewhere = references(&elsewhere);
        answer.elsewhere_total = elsewhere.len();
    }
    answer.definitions_total = found.len();
    answer.definitions = references(found);
    answer.title = match found {
        [] => target.name.chain(),
        _ => title(&answer.definitions, found.len()).unwrap_or_else(|| answer.name.clone()),
    };
    answer.ran = ran(view, traces, found);
    let symbols: Vec<SymbolId> = found
        .iter()
        .filter_map(|found| graph.symbol(found.file, found.index))
        .collect();
    let direction = match asked.request.ends {
        Ends::One(direction) => direction,
        Ends::Usual | Ends::Both => Direction::In,
    };
    if direction == Direction::In && asked.depth == 1 {
        let chain = if found.is_empty() { chain } else { &[] };
        let written = if is_container(view, chain) {
            &[]
        } else {
            chain
        };
        uses::answer(asked, texts, (&symbols, chain, written), answer);
        if asked.filter.is_open() && asked.kinds.is_empty() {
            let judged = symbols.iter().take(MAX_DEFINITIONS);
            let mut shared = Shared::default();
            let judged = judged.map(|id| relations::verdict(view, graph, texts, *id, &mut shared));
            answer.verdicts = judged.collect();
        }
        answer.entry_points = led_to(asked, texts, &symbols);
        for (verdict, entry_points) in answer.verdicts.iter_mut().zip(&answer.entry_points) {
            Verdict::led_to(verdict, entry_points);
        }
    } else {
        impact::answer(asked, texts, direction, &symbols, answer);
    }
    if asked.request.ends == Ends::Both {
        impact::answer(asked, texts, Direction::Out, &symbols, answer);
    }
    if answer.total == 0 {
        let nothing = nothing(asked, texts, (traces, target), found, answer)?;
        answer.nothing = Some(Box::new(nothing));
    }
    Ok(())
}

/// Whether the last name of a chain is a definition: who uses a member need not write it.
fn is_container(view: &View, chain: &[String]) -> bool {
    let last = chain.last();
    last.is_some_and(|of| !definitions::find_exact(view, &Filter::open(), of.as_bytes()).is_empty())
}

/// The entry points that lead to each of some definitions.
fn led_to(asked: &RefsContext<'_>, texts: &mut Texts, symbols: &[SymbolId]) -> Vec<Vec<Shown>> {
    let (view, graph, all) = (asked.view, asked.graph, asked.entry_points);
    if all.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for id in symbols.iter().take(MAX_DEFINITIONS) {
        let shown = entry_points::to(all, *id).map(|point| point.shown(view, graph, texts));
        found.push(shown.collect());
    }
    found
}

/// Says where uses were looked for in vain, and what is near the target.
fn nothing(
    asked: &RefsContext<'_>,
    texts: &mut Texts,
    (traces, target): (&Traces, &Target),
    found: &[Definition],
    answer: &RefsAnswer,
) -> Result<Nothing, Error> {
    let (view, request) = (asked.view, asked.request);
    let restricted = Scope {
        kinds: request.kinds.clone(),
        ..request.scope.clone()
    };
    let mut nothing = Nothing::within(view, asked.filter, &restricted);
    if !asked.filter.is_open() || !asked.kinds.is_empty() {
        let everywhere = RefsRequest {
            scope: Scope::default(),
            kinds: Vec::new(),
            offset: 0,
            limit: 1,
            ..request.clone()
        };
        let of = (view, asked.graph, asked.entry_points, traces);
        let meant = What::Definitions(found.to_vec()).into();
        let open = Filter::open();
        let question = (&everywhere, &open, target, &meant);
        let found = refs(of, texts, question, Stamp::default())?.total;
        nothing = nothing.beyond(found);
    }
    nothing = nothing.hidden(view, texts, asked.filter, &answer.name);
    // An unused definition is an answer; similar names help only where there is no definition.
    if found.is_empty() && answer.words.total == 0 {
        nothing = nothing.near(view, texts, target);
    }
    Ok(nothing)
}

/// The qualified name that all of some definitions have, if all are at hand and agree.
fn title(definitions: &[SymbolRef], total: usize) -> Option<String> {
    let first = &definitions.first()?.qualified;
    let agree = definitions.len() == total && definitions.iter().all(|of| of.qualified == *first);
    agree.then(|| first.to_string())
}

/// Whether any of some definitions ran when coverage was recorded.
fn ran(view: &View, traces: &Traces, found: &[Definition]) -> Ran {
    let mut all = Ran::Unknown;
    if traces.is_empty() {
        return all;
    }
    for definition in found {
        let segment = &view.segment(definition.doc.segment).segment;
        let Some(symbol) = segment.symbols(definition.doc.doc).nth(definition.index) else {
            continue;
        };
        let (first, last) = (symbol.start_line, symbol.end_line);
        let blob = view.file(definition.file).blob;
        // `Yes` comes before `No`, and that before `Unknown`.
        all = all.min(traces.symbol(blob, first, last, symbol.body_hash));
    }
    all
}
