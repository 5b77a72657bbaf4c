//! Latencies of questions, and what a server takes.

use super::names::Sample;
use crate::Result;
use crate::measure::{median, percentile};
use crate::program::Program;
use crate::session::Session;
use crate::subject::Subject;
use git_sverklo::query::Quiet;
use git_sverklo::query::engine::Engine;
use git_sverklo::query::question::Question as _;
use git_sverklo::query::request::{
    Detail, RefsRequest, Revision, Scope, SearchRequest, SymbolRequest,
};
use serde_json::{Value, json};
use std::time::Instant;

/// Look-ups by name.
const LOOKUPS: usize = 1000;
/// Searches.
const SEARCHES: usize = 200;
/// Starts of a server; the median counts.
const STARTS: usize = 15;

/// Latencies of the engine alone, in this process.
pub fn queries(subject: &Subject, line: &mut Value) -> Result<()> {
    let engine = Engine::open(&subject.dir)?;
    let pinned = engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?;
    let sample = Sample::of_view(&pinned)?;
    let timed = |count: usize, ask: &dyn Fn(usize) -> Result<()>| -> Result<(f64, f64)> {
        let mut samples = Vec::with_capacity(count);
        for i in 0..count {
            let start = Instant::now();
            ask(i)?;
            samples.push(start.elapsed().as_secs_f64() * 1e3);
        }
        Ok((
            percentile(&mut samples, 0.5),
            percentile(&mut samples, 0.95),
        ))
    };
    let name = |i: usize| sample.name(i).text.clone();
    let symbol = timed(LOOKUPS, &|i| {
        let request = SymbolRequest {
            target: name(i),
            detail: Detail::Card,
            scope: Scope::default(),
            at: Revision::WorkTree,
            offset: 0,
            limit: 10,
        };
        request.answer(&engine, &pinned, &Quiet)?;
        Ok(())
    })?;
    let refs = timed(LOOKUPS, &|i| {
        let request = RefsRequest {
            depth: 1,
            ends: Default::default(),
            target: name(i),
            kinds: Vec::new(),
            scope: Scope::default(),
            at: Revision::WorkTree,
            offset: 0,
            limit: 50,
        };
        request.answer(&engine, &pinned, &Quiet)?;
        Ok(())
    })?;
    let search = timed(SEARCHES, &|i| {
        let request = SearchRequest {
            query: sample.words(i),
            scope: Scope::default(),
            at: Revision::WorkTree,
            offset: 0,
            limit: 10,
            ..SearchRequest::default()
        };
        request.answer(&engine, &pinned, &Quiet)?;
        Ok(())
    })?;
    for (key, (p50, p95)) in [("symbol", symbol), ("refs", refs), ("search", search)] {
        line[format!("{key}_p50_ms")] = json!(p50);
        line[format!("{key}_p95_ms")] = json!(p95);
    }
    Ok(())
}

/// A server: its start, its first answer, its memory.
pub fn serving(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let sample = Sample::of(subject)?;
    let mut start = Vec::new();
    for _ in 0..STARTS {
        let begin = Instant::now();
        let session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
        start.push(begin.elapsed().as_secs_f64() * 1e3);
        line["server_start_peak_mb"] = json!(session.peak_mb());
    }
    line["server_start_ms"] = json!(median(&mut start));
    line["mcp_first_answer_ms"] = json!(first_answer_ms(subject, program, &sample, STARTS)?);
    let mut session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
    for i in 0..50 {
        let name = &sample.name(i).text;
        session.call("symbol", json!({"name": name}))?;
        session.call("refs", json!({"target": name}))?;
        session.call("search", json!({"query": sample.words(i)}))?;
    }
    line["serving_peak_mb"] = json!(session.peak_mb());
    Ok(())
}

/// Milliseconds from the start of the server's process to its first answer, the index being there:
/// the median of some starts.
pub fn first_answer_ms(
    subject: &Subject,
    program: &Program,
    sample: &Sample,
    starts: usize,
) -> Result<Option<f64>> {
    let mut first = Vec::new();
    for _ in 0..starts {
        let begin = Instant::now();
        let mut session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
        session.call("symbol", json!({"name": sample.name(0).text}))?;
        first.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    Ok(median(&mut first))
}
