//! Indexing the last commits of a history one by one.

use super::disk::{new_bytes, tip};
use crate::Result;
use crate::cost::Sample;
use crate::measure::{measure, median, percentile};
use crate::program::Program;
use crate::session::Session;
use crate::subject::Subject;
use serde_json::{Value, json};
use std::time::Instant;

/// Commits between two points of the curve.
const STEP: usize = 100;
/// Commits between two of the rarer pushes.
const RARELY: usize = 10;
/// Names that are asked for.
const LOOKUPS: usize = 200;
/// Whole processes that answer a question.
const RUNS: usize = 15;

/// What the index is at one moment.
struct Stored {
    tip: String,
    bytes: u64,
    segments: u64,
    documents: u64,
}

impl Stored {
    /// Covers a commit.
    fn index(subject: &Subject, program: &Program, commit: &str) -> Result<(Self, f64)> {
        let (usage, out) =
            measure(&mut program.command(&subject.dir, &["index", "--json", commit]))?;
        let report: Value = serde_json::from_slice(&out.stdout)?;
        Ok((Self::now(subject, &report["store"])?, usage.wall_ms()))
    }

    fn now(subject: &Subject, store: &Value) -> Result<Self> {
        let tip = tip(subject)?;
        Ok(Self {
            bytes: new_bytes(&subject.dir, &tip, None)?,
            segments: store["segments"].as_u64().ok_or("segments are counted")?,
            documents: store["documents"].as_u64().ok_or("documents are counted")?,
            tip,
        })
    }
}

/// Indexes the last `commits` of the first-parent history one by one, pushing in thought after each
/// and after every tenth, and sets the end beside an index of the last commit alone. Returns the
/// points of the curve, and one line of totals.
pub fn growth(subject: &Subject, program: &Program, commits: usize) -> Result<Vec<Value>> {
    subject.git(&["config", "gc.auto", "0"])?;
    subject.git(&["config", "maintenance.auto", "false"])?;
    let count = format!("-n{}", commits + 1);
    let listing = subject.git(&["rev-list", "--first-parent", "--reverse", &count, "HEAD"])?;
    let mut history = listing.lines();
    let first = history.next().ok_or("there is no commit")?;
    let (base, _) = Stored::index(subject, program, first)?;
    let (mut last, mut rare) = (base.tip.clone(), base.tip.clone());
    let (mut every, mut rarely, mut walls) = (Vec::new(), Vec::new(), Vec::new());
    let (mut most_segments, mut lines) = (base.segments, Vec::new());
    let mut stored = base;
    let base_bytes = stored.bytes;
    let base_documents = stored.documents;
    lines.push(point(subject, 0, &stored, &every));
    for (at, commit) in history.enumerate() {
        let (now, wall) = Stored::index(subject, program, commit)?;
        walls.push(wall);
        every.push(new_bytes(&subject.dir, &now.tip, Some(&last))? as f64);
        last.clone_from(&now.tip);
        if (at + 1) % RARELY == 0 {
            rarely.push(new_bytes(&subject.dir, &now.tip, Some(&rare))? as f64);
            rare.clone_from(&now.tip);
        }
        most_segments = most_segments.max(now.segments);
        stored = now;
        if (at + 1) % STEP == 0 {
            lines.push(point(subject, at + 1, &stored, &every));
            println!("{}", lines[lines.len() - 1]);
        }
    }
    let done = every.len();
    let mut line = json!({
        "bench": "life-growth",
        "repo": subject.name,
        "commits": done,
        "base_bytes": base_bytes,
        "base_documents": base_documents,
        "index_bytes": stored.bytes,
        "segments": stored.segments,
        "most_segments": most_segments,
        "documents": stored.documents,
        "pushed_bytes": every.iter().sum::<f64>(),
        "pushed_rarely_bytes": rarely.iter().sum::<f64>(),
        "push_mean_bytes": every.iter().sum::<f64>() / done.max(1) as f64,
        "push_rarely_mean_bytes": rarely.iter().sum::<f64>() / (rarely.len() * RARELY).max(1) as f64,
        "index_p50_ms": median(&mut walls),
    });
    if done > 0 {
        line["push_p50_bytes"] = json!(percentile(&mut every, 0.5));
        line["push_p95_bytes"] = json!(percentile(&mut every, 0.95));
        line["push_most_bytes"] = json!(percentile(&mut every, 1.0));
        line["index_p95_ms"] = json!(percentile(&mut walls, 0.95));
    }
    asked(subject, program, &mut line, "")?;

    // The same documents in as few segments as there can be.
    let (_, out) = measure(&mut program.command(&subject.dir, &["gc", "--json"]))?;
    let report: Value = serde_json::from_slice(&out.stdout)?;
    let whole = Stored::now(subject, &report["after"])?;
    line["gc_bytes"] = json!(whole.bytes);
    line["gc_segments"] = json!(whole.segments);
    line["gc_documents"] = json!(whole.documents);
    asked(subject, program, &mut line, "gc_")?;
    // What every indexed byte was written, on the average of those that were added.
    let added = whole.bytes.saturating_sub(base_bytes) as f64;
    line["written_per_added"] = json!(every.iter().sum::<f64>() / added.max(1.0));

    subject.forget_index()?;
    let (tip_only, _) = Stored::index(subject, program, "HEAD")?;
    line["tip_bytes"] = json!(tip_only.bytes);
    line["tip_documents"] = json!(tip_only.documents);
    line["tip_segments"] = json!(tip_only.segments);
    asked(subject, program, &mut line, "tip_")?;
    println!("{line}");
    lines.push(line);
    Ok(lines)
}

fn point(subject: &Subject, commits: usize, stored: &Stored, pushed: &[f64]) -> Value {
    json!({
        "bench": "life-curve",
        "repo": subject.name,
        "commits": commits,
        "index_bytes": stored.bytes,
        "segments": stored.segments,
        "documents": stored.documents,
        "pushed_bytes": pushed.iter().sum::<f64>(),
    })
}

/// How long questions about a commit take with the segments that there are: to a server, and as whole
/// processes.
fn asked(subject: &Subject, program: &Program, line: &mut Value, prefix: &str) -> Result<()> {
    let sample = Sample::of(subject)?;
    let mut session = Session::start(&mut program.command(&subject.dir, &["mcp"]))?;
    session.call("symbol", json!({"name": sample.name(0).text, "at": "HEAD"}))?;
    let mut served = Vec::new();
    for i in 0..LOOKUPS {
        let begin = Instant::now();
        session.call("symbol", json!({"name": sample.name(i).text, "at": "HEAD"}))?;
        served.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    session.finish()?;
    let mut processes = Vec::new();
    for i in 0..RUNS {
        let name = &sample.name(i).text;
        let mut ask = program.command(&subject.dir, &["symbol", "--at", "HEAD", "--", name]);
        processes.push(measure(&mut ask)?.0.wall_ms());
    }
    line[format!("{prefix}served_p50_ms")] = json!(median(&mut served));
    line[format!("{prefix}process_p50_ms")] = json!(median(&mut processes));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::small;

    #[test]
    fn every_commit_is_indexed_and_counted() {
        let subject = small(25);
        let program = Program::find(None).unwrap();
        let lines = growth(&subject, &program, 12).unwrap();
        let (total, curve) = lines.split_last().unwrap();
        assert_eq!((curve.len(), &total["commits"]), (1, &json!(12)));
        let number = |key: &str| total[key].as_f64().unwrap();
        assert!(number("documents") > number("tip_documents"));
        assert!(number("index_bytes") > number("tip_bytes"));
        assert!(number("pushed_rarely_bytes") <= number("pushed_bytes"));
        assert!(number("written_per_added") >= 1.0, "{total}");
    }
}
