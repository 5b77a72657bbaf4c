//! How a search grows with the number of chunks, in this process: no server, no pipe, no index to
//! bring up to date. Each series times one thing of the same view.

use crate::Result;
use crate::cost::Sample;
use crate::measure::percentile;
use crate::monorepo::Monorepo;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use git_sverklo::query::Quiet;
use git_sverklo::query::engine::{Engine, Pinned};
use git_sverklo::query::question::Question as _;
use git_sverklo::query::request::{Revision, Scope, SearchRequest};
use serde_json::{Value, json};
use std::time::Instant;

/// Questions of each series.
const QUESTIONS: usize = 200;
/// Questions before them that are not timed: the first read what is mapped.
const WARM_UP: usize = 20;
/// Results that are asked for.
const LIMIT: usize = 10;

/// A view that can be asked.
struct Ready {
    engine: Engine,
    pinned: Pinned,
    sample: Sample,
}

/// Does once what a series times, for the i-th question.
type Probe = fn(&Ready, usize) -> Result<()>;

/// What is timed; more lanes are further rows.
const SERIES: [(&str, Probe); 2] = [
    ("search, two names", names),
    ("search, a sentence", sentence),
];

/// Two names as somebody would say them.
fn names(ready: &Ready, i: usize) -> Result<()> {
    ask(ready, ready.sample.words(i))
}

/// A sentence with four names, most of whose words occur everywhere.
fn sentence(ready: &Ready, i: usize) -> Result<()> {
    let (first, second) = (ready.sample.words(i), ready.sample.words(i + 2));
    ask(
        ready,
        format!("where does the {first} of a request become {second}"),
    )
}

fn ask(ready: &Ready, query: String) -> Result<()> {
    let request = SearchRequest {
        query,
        scope: Scope::default(),
        at: Revision::WorkTree,
        offset: 0,
        limit: LIMIT,
        ..SearchRequest::default()
    };
    request.answer(&ready.engine, &ready.pinned, &Quiet)?;
    Ok(())
}

/// Measures every series on a monorepo of each size.
pub fn measure(files: &[u32], seed: u64, program: &Program, run: &Run) -> Result<()> {
    for files in files {
        let size = Monorepo {
            seed,
            ..Monorepo::of_size(*files as usize)
        };
        let made = tempfile::tempdir()?;
        size.write(made.path())?;
        let subject = Subject::clone_of(made.path())?;
        drop(made);
        for mut line in of_subject(&subject, program)? {
            line["files"] = json!(size.files);
            println!(
                "{} files, {} chunks: {} p50 {:.2} ms, p95 {:.2} ms",
                line["files"],
                line["chunks"],
                line["series"].as_str().unwrap_or_default(),
                line["p50_ms"].as_f64().unwrap_or(f64::NAN),
                line["p95_ms"].as_f64().unwrap_or(f64::NAN),
            );
            run.record("scale", &line)?;
        }
    }
    Ok(())
}

/// A line for every series.
fn of_subject(subject: &Subject, program: &Program) -> Result<Vec<Value>> {
    let out = program
        .command(&subject.dir, &["index", "-q", "HEAD"])
        .output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned().into());
    }
    let engine = Engine::open(&subject.dir)?;
    let pinned = engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?;
    let sample = Sample::of_view(&pinned)?;
    let ready = Ready {
        engine,
        pinned,
        sample,
    };
    let chunks = ready.pinned.view().statistics().chunks;
    SERIES
        .iter()
        .map(|(series, probe)| {
            let (p50, p95) = timed(|i| probe(&ready, i))?;
            Ok(json!({
                "bench": "search-growth", "series": series, "chunks": chunks,
                "p50_ms": p50, "p95_ms": p95,
            }))
        })
        .collect()
}

/// Median and 95th percentile in milliseconds.
fn timed(probe: impl Fn(usize) -> Result<()>) -> Result<(f64, f64)> {
    let mut samples = Vec::with_capacity(QUESTIONS);
    for i in 0..WARM_UP + QUESTIONS {
        let start = Instant::now();
        probe(i)?;
        if i >= WARM_UP {
            samples.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    Ok((
        percentile(&mut samples, 0.5),
        percentile(&mut samples, 0.95),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_warms_up_is_not_counted() {
        let asked = Cell::new(0);
        let (p50, p95) = timed(|i| {
            assert_eq!(i, asked.get());
            asked.set(i + 1);
            if i < WARM_UP {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(asked.get(), WARM_UP + QUESTIONS);
        assert!(p50 <= p95);
        assert!(timed(|_| Err("no".into())).is_err());
    }
}
