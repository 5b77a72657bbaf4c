//! The same costs of every contender that is here, side by side.

use super::latency::{Latency, latencies};
use super::names::Sample;
use super::upkeep::{Upkeep, upkeep};
use crate::Result;
use crate::contender::{Contender, Present};
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use crate::task::Kind;
use serde_json::{Value, json};

/// What one contender costs, or why it failed.
pub struct Costs<'a> {
    pub contender: &'a dyn Contender,
    pub version: &'a str,
    /// `None` for those who keep no index.
    pub upkeep: Option<std::result::Result<Upkeep, String>>,
    pub latency: std::result::Result<Latency, String>,
}

impl Costs<'_> {
    /// What every line about a contender says, whoever writes it.
    pub fn line(&self, bench: &str) -> Value {
        let upkeep = self.upkeep();
        json!({
            "bench": bench,
            "contender": self.contender.name(),
            "version": self.version,
            "cold_cpu_s": upkeep.map(|u| u.cold.cpu),
            "cold_wall_s": upkeep.map(|u| u.cold.wall),
            "cold_peak_mb": upkeep.map(|u| u.cold.peak_mb),
            "index_bytes": upkeep.map(|u| u.bytes),
        })
    }

    /// What its index costs; `None` for those who keep none, and for those who failed.
    pub fn upkeep(&self) -> Option<&Upkeep> {
        self.upkeep.as_ref()?.as_ref().ok()
    }

    /// The first thing that went wrong.
    pub fn error(&self) -> Option<&str> {
        let upkeep = self
            .upkeep
            .as_ref()
            .and_then(|upkeep| upkeep.as_ref().err());
        upkeep.or(self.latency.as_ref().err()).map(String::as_str)
    }
}

/// Measures everybody on a subject, in turns. `patience` is how many seconds each may take for
/// keeping its index before it gets no further round, and for answers before it gets fewer
/// questions.
pub fn costs<'a>(
    present: &'a [Present],
    subject: &Subject,
    program: &Program,
    patience: (f64, f64),
) -> Result<Vec<Costs<'a>>> {
    let contenders: Vec<&dyn Contender> = present.iter().map(|(c, _)| c.as_ref()).collect();
    let ask = || program.command(&subject.dir, &["symbol", "main"]);
    let upkeep = upkeep(&contenders, subject, &ask, patience.0)?;
    let sample = Sample::of(subject)?;
    let latency = latencies(&contenders, subject, &sample, patience.1);
    let costs = present.iter().zip(upkeep).zip(latency);
    Ok(costs
        .map(|(((contender, version), upkeep), latency)| Costs {
            contender: contender.as_ref(),
            version,
            upkeep,
            latency,
        })
        .collect())
}

/// Seconds that a contender may take for its index, and for its answers.
const PATIENCE: (f64, f64) = (12.0, 5.0);

/// Measures everybody and writes one line each.
pub fn run(present: &[Present], subject: &Subject, program: &Program, run: &Run) -> Result<()> {
    let mut lines = Vec::new();
    for costs in costs(present, subject, program, PATIENCE)? {
        let line = line(&subject.name, &costs);
        run.record("cost", &line)?;
        lines.push(line);
    }
    print(&lines);
    Ok(())
}

fn line(repo: &str, costs: &Costs) -> Value {
    let mut line = costs.line("cost-beside");
    line["repo"] = json!(repo);
    let upkeep = costs.upkeep();
    line["noop_cpu_s"] = json!(upkeep.map(|u| u.noop.cpu));
    line["noop_wall_s"] = json!(upkeep.map(|u| u.noop.wall));
    line["touched_cpu_s"] = json!(upkeep.map(|u| u.commit.cpu));
    line["touched_wall_s"] = json!(upkeep.map(|u| u.commit.wall));
    line["switch_ms"] = json!(upkeep.map(|u| u.switch_ms));
    let latency = costs.latency.as_ref().ok();
    if let Some(latency) = latency {
        latency.put(&mut line, Kind::Definition, "definition");
        latency.put(&mut line, Kind::References, "references");
        latency.put(&mut line, Kind::Locate, "locate");
    }
    line["ready_ms"] = json!(latency.map(|latency| latency.ready_ms));
    line["serving_peak_mb"] = json!(latency.and_then(|latency| latency.serving_peak_mb));
    if let Some(error) = costs.error() {
        line["error"] = json!(error);
    }
    line
}

fn print(lines: &[Value]) {
    println!(
        "  {:<14} {:>17} {:>7} {:>8} {:>9} {:>10} {:>9} {:>15} {:>15} {:>8}",
        "beside",
        "cold CPU/wall s",
        "MB",
        "index kB",
        "no-op ms",
        "touched ms",
        "ready ms",
        "definition ms",
        "locate ms",
        "serve MB"
    );
    for line in lines {
        let figure = |key: &str, scale: f64, digits: usize| match line[key].as_f64() {
            Some(value) => format!("{:.digits$}", value * scale),
            None => "-".to_owned(),
        };
        let pair = |a: &str, b: &str, digits| {
            format!("{}/{}", figure(a, 1.0, digits), figure(b, 1.0, digits))
        };
        println!(
            "  {:<14} {:>17} {:>7} {:>8} {:>9} {:>10} {:>9} {:>15} {:>15} {:>8}",
            line["contender"].as_str().unwrap_or_default(),
            pair("cold_cpu_s", "cold_wall_s", 3),
            figure("cold_peak_mb", 1.0, 0),
            figure("index_bytes", 1e-3, 0),
            figure("noop_wall_s", 1e3, 1),
            figure("touched_wall_s", 1e3, 1),
            figure("ready_ms", 1.0, 1),
            pair("definition_p50_ms", "definition_p95_ms", 2),
            pair("locate_p50_ms", "locate_p95_ms", 2),
            figure("serving_peak_mb", 1.0, 0),
        );
        if let Some(error) = line["error"].as_str() {
            println!("  {:<14} failed: {error}", "");
        }
    }
}
