//! Are commits that were fixed within 30 days told from others? The model learns from the first part of a
//! repository's newest commits and is asked about the rest, in the order of time, as `diff` itself does to say how much
//! to believe. Beside it on the same commits: churn alone, and size alone, in files and in lines.
//!
//! Repositories are read where they are, and nothing is written to them.

use crate::Result;
use crate::run::Run;
use crate::subject::run_git;
use git_sverklo::git::Repo;
use git_sverklo::history::log::Log;
use git_sverklo::history::window::Window;
use git_sverklo::query::diff::risk::logistic::area;
use git_sverklo::query::diff::risk::past::{Outcome, Past, author};
use git_sverklo::query::diff::risk::{Factor, learn};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What to ask about.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories with their history.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Count lines too; slow.
    #[arg(long)]
    lines: bool,
}

/// Measures, prints a table and records a line for each repository.
pub fn run(args: &Args, run: &Run) -> Result<ExitCode> {
    println!(
        "repository  cases fixed held-out | area: model, churn, files, lines | Brier: model, usual"
    );
    let mut sums = [0.0; 6];
    let mut known = 0;
    for path in &args.paths {
        let name = path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or(path.as_os_str());
        let name = name.to_string_lossy();
        let repo = Repo::discover(path)?;
        let tip = repo.resolve("HEAD")?;
        let window = Window::open(&repo, Log::default(), tip, &|_, _| true);
        let window = window.map_err(|_| "nobody stopped it")?;
        let mut objects = repo.objects();
        let (_, outcomes) = Past::read(&window, &mut |id| author(&mut objects, id));
        let (weights, calibration) = match learn(&outcomes) {
            Ok(learned) => learned,
            Err(reason) => {
                println!("{name:36} unknown: {}", reason.words());
                continue;
            }
        };
        let held_out = &outcomes[outcomes.len() - calibration.held_out..];
        let alone = |factor: Factor| {
            let at = Factor::LEARNED.iter().position(|one| *one == factor);
            let at = at.ok_or("it is learned")?;
            let told: Vec<(f64, bool)> = held_out
                .iter()
                .map(|one| (one.features[at], one.was_fixed))
                .collect();
            Ok::<f64, Box<dyn std::error::Error>>(area(&told).unwrap_or(0.5))
        };
        let (churn, files) = (alone(Factor::Churn)?, alone(Factor::Size)?);
        let lines = match args.lines {
            true => by_lines(path, &window, held_out),
            false => f64::NAN,
        };
        let row = [
            calibration.auc,
            churn,
            files,
            lines,
            calibration.brier,
            calibration.brier_of_usual,
        ];
        tell(
            &name,
            &[calibration.cases, calibration.fixed, calibration.held_out],
            &row,
        );
        run.record("risk", &json!({
            "bench": "risk", "repository": name, "cases": calibration.cases, "fixed": calibration.fixed,
            "held_out": calibration.held_out, "auc": row[0], "auc_churn": row[1], "auc_files": row[2],
            "auc_lines": args.lines.then_some(row[3]), "brier": row[4], "brier_usual": row[5],
            "weights": Factor::LEARNED.iter().zip(weights.of).map(|(f, w)| (f.label(), w)).collect::<Vec<_>>(),
        }))?;
        known += 1;
        sums.iter_mut().zip(row).for_each(|(sum, one)| *sum += one);
    }
    tell("mean", &[known], &sums.map(|sum| sum / known.max(1) as f64));
    Ok(ExitCode::SUCCESS)
}

fn tell(name: &str, counts: &[usize], row: &[f64; 6]) {
    let counts: Vec<String> = counts.iter().map(|count| format!("{count:5}")).collect();
    println!(
        "{name:36} {:17} | {:.3} {:.3} {:.3} {:.3} | {:.3} {:.3}",
        counts.join(" "),
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5]
    );
}

/// The area for the number of lines added and removed. Commits whose lines cannot be counted, because a file
/// is not in the copy, are left out.
fn by_lines(path: &Path, window: &Window, outcomes: &[Outcome]) -> f64 {
    let lines = |outcome: &Outcome| {
        let id = window.commit(outcome.age)?.to_string();
        let args = [
            "diff-tree",
            "--numstat",
            "-r",
            "--root",
            "--no-renames",
            "--no-commit-id",
            &id,
        ];
        let said = run_git(path, &args).ok()?;
        let number = |word: &str| word.parse::<f64>().unwrap_or(0.0);
        Some(
            said.lines()
                .flat_map(|line| line.split('\t').take(2))
                .map(number)
                .sum::<f64>(),
        )
    };
    let told = outcomes
        .iter()
        .filter_map(|outcome| Some((lines(outcome)?, outcome.was_fixed)));
    area(&told.collect::<Vec<_>>()).unwrap_or(0.5)
}
