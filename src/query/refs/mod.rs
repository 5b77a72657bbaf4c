//! `refs`: who uses a symbol and what it uses, near and far; which files a file depends on and which
//! depend on it.

mod dependencies;
mod impact;
mod uses;
mod words;

use super::Error;
use super::answer::{RefsAnswer, Stamp};
use super::definitions::{self, Definition};
use super::ids::{ParsedId, split_qualified};
use super::nothing::Nothing;
use super::request::{Direction, Ends, RefsRequest, Scope};
use super::scope::{Filter, parse_labels};
use super::spoken::Spoken;
use crate::extract::record::OccurrenceKind;
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::store::trace::Traces;
use crate::trace::lines::Ran;
use crate::view::live::View;
use crate::view::text::Texts;

/// Definitions named beside the references.
const MAX_DEFINITIONS: usize = 10;

/// What an answer is made from.
struct Asked<'a> {
    view: &'a View,
    graph: &'a Graph,
    filter: Filter,
    kinds: Vec<OccurrenceKind>,
    depth: usize,
    request: &'a RefsRequest,
}

/// Answers `refs` from a view and its graph.
///
/// # Errors
/// A bad scope, an unknown kind or an empty target.
pub fn refs(
    view: &View,
    graph: &Graph,
    traces: &Traces,
    texts: &mut Texts,
    request: &RefsRequest,
    stamp: Stamp,
) -> Result<RefsAnswer, Error> {
    let asked = Asked {
        view,
        graph,
        filter: Filter::new(&request.scope)?,
        kinds: parse_labels(
            "kind",
            &request.kinds,
            OccurrenceKind::ALL,
            OccurrenceKind::label,
        )?,
        depth: request.depth.max(1),
        request,
    };
    let target = definitions::trimmed(view, &request.target);
    if target.is_empty() {
        return Err(Error::EmptyTarget);
    }
    let depth = asked.depth;
    if request.ends == Ends::Both && depth > 1 {
        return Err(Error::BothFar { depth });
    }
    let mut answer = RefsAnswer {
        stamp,
        target: target.to_owned(),
        depth,
        files_searched: asked.filter.count(view),
        ..RefsAnswer::default()
    };
    if let Some(file) = definitions::files_shown_as(view, target).first() {
        let directions: &[Direction] = match request.ends {
            Ends::One(Direction::Out) => &[Direction::Out],
            Ends::One(Direction::In) => &[Direction::In],
            Ends::Usual if depth > 1 => &[Direction::In],
            Ends::Usual | Ends::Both => &[Direction::Out, Direction::In],
        };
        for direction in directions {
            dependencies::answer(&asked, texts, *direction, *file, &mut answer);
        }
        return Ok(answer);
    }
    answer.name = match ParsedId::parse(target) {
        Some(id) => id.name().to_owned(),
        None => split_qualified(target).1.to_owned(),
    };
    let found = meant(view, target, &answer.name);
    answer.definitions_total = found.len();
    answer.definitions = found
        .iter()
        .take(MAX_DEFINITIONS)
        .filter_map(|found| Spoken::of(view, found.file)?.reference(texts, found.index))
        .collect();
    answer.ran = ran(view, traces, &found);
    let symbols: Vec<SymbolId> = found
        .iter()
        .filter_map(|found| graph.symbol(found.file, found.index))
        .collect();
    let direction = match request.ends {
        Ends::One(direction) => direction,
        Ends::Usual | Ends::Both => Direction::In,
    };
    if direction == Direction::In && depth == 1 {
        uses::answer(&asked, texts, &symbols, &mut answer);
    } else {
        impact::answer(&asked, texts, direction, &symbols, &mut answer);
    }
    if request.ends == Ends::Both {
        impact::answer(&asked, texts, Direction::Out, &symbols, &mut answer);
    }
    if answer.total == 0 {
        let restricted = Scope {
            kinds: request.kinds.clone(),
            ..request.scope.clone()
        };
        let mut nothing = Nothing::within(view, &asked.filter, &restricted);
        if !asked.filter.is_open() || !asked.kinds.is_empty() {
            let everywhere = RefsRequest {
                scope: Scope::default(),
                kinds: Vec::new(),
                limit: 1,
                ..request.clone()
            };
            let stamp = Stamp::default();
            let found = refs(view, graph, traces, texts, &everywhere, stamp)?.total;
            nothing = nothing.beyond(found);
        }
        // That nobody uses what is there is an answer; beside one that is not, names may help.
        if found.is_empty() && answer.words.total == 0 {
            nothing = nothing.near(view, texts, target);
        }
        answer.nothing = Some(Box::new(nothing));
    }
    Ok(answer)
}

/// Whether any of some definitions was seen running in tests.
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

/// The definitions that a target means: those of its id, or of its name in its containers; when the
/// containers are no symbols, all of the name.
fn meant(view: &View, target: &str, name: &str) -> Vec<Definition> {
    if ParsedId::parse(target).is_some() || target != name {
        let found = definitions::find(view, &Filter::open(), target);
        let exact: Vec<Definition> = found
            .into_iter()
            .filter(|found| found.matched.is_exact())
            .collect();
        if !exact.is_empty() {
            return exact;
        }
    }
    definitions::find_exact(view, &Filter::open(), name.as_bytes())
}
