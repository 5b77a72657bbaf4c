//! `audit`: what the symbol graph says of the repository as a whole: what is not used, what imports
//! itself, what everything depends on, what no test reaches, what is complex and changes often.
//!
//! Guarantees: what has a resolved or inferred use from a place that is alive is never called
//! unused, nor what others than the repository may use (that has a view of its own); an answer is a pure function of the request
//! and the view; totals are those of all findings, shown or not. Deliberately absent: any claim that
//! something *is* dead. Each finding says how probable that is, and why it may not be.

mod alive;
pub mod answer;
mod crowds;
mod cycles;
mod files;
mod heard;
pub mod hotspots;
pub mod hubs;
pub(in crate::query) mod standing;
mod untested;
mod unused;
mod words;

pub use cycles::edges;

use super::Error;
use super::engine::{Engine, Pinned};
use super::exposure::Exposure;
use super::inventory::Inventory;
use super::nothing::Nothing;
use super::question::{self, Question, warned};
use super::request::{AuditRequest, AuditView};
use super::scope::Filter;
use super::state::Stamp;
use crate::graph::edges::{Graph, Target};
use crate::graph::rule::Rule;
use crate::graph::table::SymbolId;
use crate::store::Progress;
use crate::store::trace::Traces;
use crate::trace::lines::Ran;
use crate::view::live::FileId;
use crate::view::text::Texts;
use alive::Alive;
use answer::{AuditAnswer, Findings, Unresolved};
use files::DeadFiles;
use hotspots::Past;
use standing::Standings;
use std::sync::Arc;

/// Whether a definition ran when coverage was recorded.
pub type Seen<'a> = &'a dyn Fn(SymbolId) -> Ran;

warned!(AuditAnswer, stamp.warnings);

impl Question for AuditRequest {
    type Pin = Pinned;
    type Answer = AuditAnswer;

    fn check(&self) -> Result<(), Error> {
        question::place(&self.scope, &self.at)
    }

    fn pin(&self, engine: &Engine, progress: &dyn Progress) -> Result<Pinned, Error> {
        engine.pin(&self.at, progress)
    }

    fn answer(
        &self,
        engine: &Engine,
        pinned: &Pinned,
        progress: &dyn Progress,
    ) -> Result<AuditAnswer, Error> {
        let window = match self.view {
            AuditView::Hotspots => engine.window(pinned.stamp.commit, progress)?,
            _ => Arc::default(),
        };
        let past = Past {
            window: &window,
            repo: Some(engine.repo()),
        };
        let inventory = engine.inventory(pinned);
        let traces = engine.traces();
        engine.quoting("", |texts| {
            let stamp = pinned.stamp.clone();
            audit(&inventory, texts, self, (&traces, past), stamp)
        })
    }
}

/// Answers `audit` from the definitions of a view. Fails on a bad scope.
pub fn audit(
    inventory: &Inventory<'_>,
    texts: &mut Texts,
    request: &AuditRequest,
    (traces, past): (&Traces, Past<'_>),
    stamp: Stamp,
) -> Result<AuditAnswer, Error> {
    let (view, graph) = (inventory.view, inventory.graph);
    let filter = Filter::new(&request.scope)?;
    let seen = |id: SymbolId| {
        let entry = inventory.get(id);
        let blob = view.file(entry.file).blob;
        traces.symbol(blob, entry.start.0, entry.end.0, entry.body_hash)
    };
    let seen: Seen<'_> = &seen;
    let admits = |file: FileId| filter.admits(view, view.file(file));
    let limit = request.offset.saturating_add(request.limit);
    let (mut findings, total) = match request.view {
        AuditView::Unused | AuditView::Exported => {
            let exposure = Exposure::of(view, graph, texts);
            let standings = Standings::of(inventory, &exposure, texts);
            let dead = DeadFiles::of(inventory, &standings, &exposure, texts, seen);
            let alive = Alive::of(inventory, &standings, &dead, seen);
            let known = unused::Known {
                inventory,
                standings: &standings,
                dead: &dead,
                exposure: &exposure,
            };
            let of = request.view;
            let (items, counts) = unused::unused(known, alive, texts, (of, limit), &admits);
            (Findings::Unused { items, counts }, counts.listed(of))
        }
        AuditView::Cycles => {
            let (cycles, total) = cycles::cycles(inventory, texts, &admits, limit);
            (Findings::Cycles(cycles), total)
        }
        AuditView::Hubs => {
            let (files, symbols, total) = hubs::hubs(inventory, texts, &admits, limit);
            (Findings::Hubs { files, symbols }, total)
        }
        AuditView::Untested => {
            let exposure = Exposure::of(view, graph, texts);
            let standings = Standings::of(inventory, &exposure, texts);
            let report = untested::untested(inventory, &standings, texts, seen, &admits, limit);
            let findings = Findings::Untested {
                items: report.items,
                candidates: report.candidates,
                tests: report.tests,
            };
            (findings, report.total)
        }
        AuditView::Hotspots => {
            let report = hotspots::hotspots(inventory, past, texts, &admits, limit);
            let findings = Findings::Hotspots {
                items: report.items,
                extent: report.extent,
                is_young: report.is_young,
            };
            (findings, report.total)
        }
    };
    findings.leave_out(request.offset);
    let product = |file: &FileId| inventory.is_product(*file) && admits(*file);
    let files: Vec<FileId> = inventory.files().filter(product).collect();
    let nothing = (total == 0).then(|| {
        let nothing = Nothing::within(view, &filter, &request.scope);
        Box::new(nothing)
    });
    Ok(AuditAnswer {
        stamp,
        view: request.view,
        findings,
        offset: request.offset,
        total,
        files: files.len(),
        unresolved: unresolved(graph, &files),
        nothing,
    })
}

/// What was not resolved in some files.
fn unresolved(graph: &Graph, files: &[FileId]) -> Unresolved {
    let mut unresolved = Unresolved::default();
    for file in files {
        let ambiguous = |edge: &u32| graph.edge(*edge).rule == Rule::Ambiguous;
        unresolved.ambiguous += graph.edges_of(*file).filter(ambiguous).count();
        for dependency in graph.dependencies(*file) {
            match dependency.target {
                Target::Found => {}
                Target::External => unresolved.external += 1,
                Target::Unresolved => unresolved.imports += 1,
            }
        }
    }
    unresolved
}
