//! How costs grow: the same measurements over made-up monorepos of growing size.
//!
//! Each cost is fitted by a power of the number of files. An exponent of 1 is a cost in proportion
//! to the repository, 0 one that does not depend on it.

mod search;

use crate::Result;
use crate::contender::{self, Present};
use crate::cost::beside::{self, Costs};
use crate::cost::{OURS, Sample, first_answer_ms};
use crate::measure::{measure, median};
use crate::monorepo::Monorepo;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use crate::task::Kind;
use serde_json::{Value, json};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Contenders that are measured unless others are named: those whose cost on a large repository is
/// known to be bearable.
const CONTENDERS: [&str; 3] = [OURS, "ctags", "ripgrep"];
/// Seconds that a contender may take for its index before it gets no further round, and for answers
/// before it gets fewer questions.
const PATIENCE: (f64, f64) = (15.0, 15.0);
/// Starts of git-sverklo's server, and runs of `git status`; the median counts.
const STARTS: usize = 5;

/// Costs that are fitted.
const FITTED: [&str; 19] = [
    "cold_cpu_s",
    "cold_wall_s",
    "cold_peak_mb",
    "source_bytes",
    "index_bytes",
    "git_status_ms",
    "noop_ms",
    "one_edit_ms",
    "one_commit_ms",
    "branch_switch_ms",
    "symbol_p50_ms",
    "symbol_p95_ms",
    "refs_p50_ms",
    "refs_p95_ms",
    "search_p50_ms",
    "search_p95_ms",
    "mcp_first_answer_ms",
    "ready_ms",
    "serving_peak_mb",
];

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Files of each monorepo.
    #[arg(
        long,
        value_name = "COUNT",
        value_delimiter = ',',
        default_value = "1000,3000,10000,30000",
        value_parser = clap::value_parser!(u32).range(100..=1_000_000)
    )]
    files: Vec<u32>,
    /// Measure these contenders; default: git-sverklo, ctags and ripgrep.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    contender: Vec<String>,
    /// Only how the latency of a search grows with the number of chunks, in this process.
    #[arg(long)]
    search: bool,
    /// Seed of the monorepos.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Measures every size, and prints how each cost grew.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    if args.search {
        search::measure(&args.files, args.seed, program, run)?;
        println!("raw lines: {}", run.folder().display());
        return Ok(ExitCode::SUCCESS);
    }
    let wanted = match args.contender.is_empty() {
        true => CONTENDERS.map(str::to_owned).to_vec(),
        false => args.contender.clone(),
    };
    let present = contender::present(&wanted, program, run, "scale")?;
    let mut lines = Vec::new();
    for files in &args.files {
        let size = Monorepo {
            seed: args.seed,
            ..Monorepo::of_size(*files as usize)
        };
        for line in measure_size(size, &present, program)? {
            run.record("scale", &line)?;
            lines.push(line);
        }
    }
    let growth = growth(&present, &lines);
    for line in &growth {
        run.record("scale", line)?;
    }
    if !growth.is_empty() {
        print_growth(&present, &growth);
    }
    println!("raw lines: {}", run.folder().display());
    Ok(ExitCode::SUCCESS)
}

/// Makes one monorepo and returns a line for each contender.
fn measure_size(size: Monorepo, present: &[Present], program: &Program) -> Result<Vec<Value>> {
    let start = Instant::now();
    let made = tempfile::tempdir()?;
    size.write(made.path())?;
    let subject = Subject::clone_of(made.path())?;
    drop(made);
    let made_s = start.elapsed().as_secs_f64();
    let source_bytes = source_bytes(&subject)?;
    println!(
        "{} files, {:.1} MB, made in {made_s:.1} s",
        size.files,
        source_bytes as f64 / 1e6
    );
    let mut lines = Vec::new();
    for costs in beside::costs(present, &subject, program, PATIENCE)? {
        let mut line = line(&costs);
        line["files"] = json!(size.files);
        line["seed"] = json!(size.seed);
        line["source_bytes"] = json!(source_bytes);
        if costs.contender.name() == OURS {
            let sample = Sample::of(&subject)?;
            line["mcp_first_answer_ms"] =
                json!(first_answer_ms(&subject, program, &sample, STARTS)?);
            line["git_status_ms"] = json!(status_ms(&subject)?);
        }
        print(&line);
        lines.push(line);
    }
    Ok(lines)
}

/// What git takes to look at every file, as each question about the work tree must.
fn status_ms(subject: &Subject) -> Result<Option<f64>> {
    let mut samples = Vec::new();
    for _ in 0..STARTS {
        let mut status = Command::new("git");
        status
            .current_dir(&subject.dir)
            .args(["status", "--porcelain"]);
        samples.push(measure(&mut status)?.0.wall_ms());
    }
    Ok(median(&mut samples))
}

fn source_bytes(subject: &Subject) -> Result<u64> {
    let listing = subject.git(&["ls-tree", "-r", "--format=%(objectsize)", "HEAD"])?;
    let sizes = listing.lines().map(|size| size.parse::<u64>().unwrap_or(0));
    Ok(sizes.sum())
}

fn line(costs: &Costs) -> Value {
    let mut line = costs.line("scale");
    let upkeep = costs.upkeep();
    line["noop_ms"] = json!(upkeep.map(|u| u.noop.wall_ms()));
    line["one_edit_ms"] = json!(upkeep.map(|u| u.edit_ms));
    line["one_commit_ms"] = json!(upkeep.map(|u| u.commit.wall_ms()));
    line["branch_switch_ms"] = json!(upkeep.map(|u| u.switch_ms));
    line["branch_return_ms"] = json!(upkeep.map(|u| u.return_ms));
    let latency = costs.latency.as_ref().ok();
    if let Some(latency) = latency {
        latency.put(&mut line, Kind::Definition, "symbol");
        latency.put(&mut line, Kind::References, "refs");
        latency.put(&mut line, Kind::Locate, "search");
    }
    line["mcp_first_answer_ms"] = Value::Null;
    line["ready_ms"] = json!(latency.map(|latency| latency.ready_ms));
    line["serving_peak_mb"] = json!(latency.and_then(|latency| latency.serving_peak_mb));
    if let Some(error) = costs.error() {
        line["error"] = json!(error);
    }
    line
}

/// How each cost of each contender grew over the sizes at which it is known.
fn growth(present: &[Present], lines: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    for (contender, _) in present {
        for cost in FITTED {
            let mut points: Vec<(f64, f64)> = lines
                .iter()
                .filter(|line| line["contender"] == contender.name())
                .filter_map(|line| Some((line["files"].as_f64()?, line[cost].as_f64()?)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (Some(exponent), Some(first), Some(last)) =
                (exponent(&points), points.first(), points.last())
            else {
                continue;
            };
            all.push(json!({
                "bench": "growth",
                "contender": contender.name(),
                "cost": cost,
                "exponent": exponent,
                "from_files": first.0 as u64,
                "to_files": last.0 as u64,
                "from": first.1,
                "to": last.1,
            }));
        }
    }
    all
}

/// The exponent of the power that fits points best: the slope, by least squares, of the logarithm
/// of the second over the logarithm of the first. `None` without two different sizes, or when a
/// figure is not above 0.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    if points.iter().any(|(x, y)| *x <= 0.0 || *y <= 0.0) {
        return None;
    }
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let spread: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let shared: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    (spread > 0.0).then(|| shared / spread)
}

fn print(line: &Value) {
    let figure = |key: &str, digits: usize| match line[key].as_f64() {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    println!(
        "  {:<12} cold {} s CPU, {} s, {} MB; no-op {} ms, edit {}, commit {}, switch {}; symbol {}/{}, refs {}, search {} ms; first answer {} ms; serving {} MB; git status {} ms",
        line["contender"].as_str().unwrap_or_default(),
        figure("cold_cpu_s", 2),
        figure("cold_wall_s", 2),
        figure("cold_peak_mb", 0),
        figure("noop_ms", 1),
        figure("one_edit_ms", 1),
        figure("one_commit_ms", 1),
        figure("branch_switch_ms", 1),
        figure("symbol_p50_ms", 2),
        figure("symbol_p95_ms", 2),
        figure("refs_p50_ms", 2),
        figure("search_p50_ms", 2),
        figure("mcp_first_answer_ms", 1),
        figure("serving_peak_mb", 0),
        figure("git_status_ms", 1),
    );
    if let Some(error) = line["error"].as_str() {
        println!("  {:<12} failed: {error}", "");
    }
}

/// A table of exponents, a column for each contender.
fn print_growth(present: &[Present], growth: &[Value]) {
    let names = present.iter().map(|(contender, _)| contender.name());
    let heads: String = names.clone().map(|name| format!("{name:>13}")).collect();
    println!("\n{:<20}{heads}", "power of files");
    for cost in FITTED {
        let row: String = names
            .clone()
            .map(|name| {
                let of = |line: &&Value| line["contender"] == name && line["cost"] == cost;
                let exponent = growth.iter().find(of);
                match exponent.and_then(|line| line["exponent"].as_f64()) {
                    Some(exponent) => format!("{exponent:>13.2}"),
                    None => format!("{:>13}", "-"),
                }
            })
            .collect();
        println!("{cost:<20}{row}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_exponent(points: &[(f64, f64)], wanted: f64) {
        let found = exponent(points).unwrap();
        assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
    }

    #[test]
    fn powers_are_found() {
        assert_exponent(&[(10.0, 3.0), (100.0, 30.0), (1000.0, 300.0)], 1.0);
        assert_exponent(&[(2.0, 4.0), (3.0, 9.0), (10.0, 100.0)], 2.0);
        assert_exponent(&[(1.0, 7.0), (50.0, 7.0)], 0.0);
        assert_exponent(&[(4.0, 10.0), (16.0, 5.0)], -0.5);
    }

    /// In logarithms to base 10 the points are (0, 0), (1, 1), (2, 1): their means are 1 and 2/3, the
    /// sum of squares 2 and the sum of products 1, so the slope is 1/2.
    #[test]
    fn a_slope_is_by_least_squares() {
        assert_exponent(&[(1.0, 1.0), (10.0, 10.0), (100.0, 10.0)], 0.5);
    }

    #[test]
    fn what_cannot_be_fitted_has_no_exponent() {
        assert_eq!(exponent(&[]), None);
        assert_eq!(exponent(&[(10.0, 1.0)]), None);
        assert_eq!(exponent(&[(10.0, 1.0), (10.0, 2.0)]), None);
        assert_eq!(exponent(&[(10.0, 0.0), (20.0, 1.0)]), None);
    }
}
