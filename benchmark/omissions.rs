//! Is a forgotten file named? One file is taken out of a real commit, and the rest is asked about with history up to
//! the parent. Beside it: plain counting, which names the files that most commits touched together with the rest.
//! The whole commit is asked about too: then whatever is named is a false alarm.
//!
//! Repositories are read where they are, and nothing is written to them.

use crate::Result;
use crate::run::Run;
use git_sverklo::git::{Repo, commit, tree};
use git_sverklo::history::log::Log;
use git_sverklo::history::window::{Age, Window};
use git_sverklo::id::CommitId;
use git_sverklo::query::diff::omissions::LEAST_CONFIDENCE;
use git_sverklo::query::diff::omissions::relation::kinship;
use git_sverklo::query::diff::omissions::rules::{Paths, Spot, predict};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Files that a commit changes to be asked about.
const FILES: std::ops::RangeInclusive<u32> = 2..=15;
/// Files named that count.
const FIRST: usize = 3;
/// Most that any policy names.
const SHOWN: usize = 5;

/// What to ask about.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories with their history.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Commits of each, spread evenly over the newer half of its newest 20,000.
    #[arg(long, default_value_t = 125)]
    commits: usize,
}

/// Something that was named for a commit.
#[derive(Clone, Copy)]
struct Naming {
    /// How sure it is.
    sure: f64,
    /// Whether it is what was taken out.
    is_right: bool,
}

/// What was named for one commit, the best first.
type Named = Vec<Naming>;

/// Least confidences, and most lines, that are compared.
const LEASTS: [f64; 7] = [0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7];
const MOSTS: [usize; 3] = [1, FIRST, SHOWN];

/// What came of one commit.
struct Asked {
    ours: Named,
    counted: Named,
    /// What was named for the whole commit.
    whole: Named,
}

/// Measures, prints a table and records a line for each repository.
pub fn run(args: &Args, run: &Run) -> Result<ExitCode> {
    println!(
        "repository  commits | first three: all, counting | said: recall, right when it speaks, silent | counting as silent | whole: silent"
    );
    let mut all = Vec::new();
    for path in &args.paths {
        let asked = repository(path, args.commits)?;
        let name = path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or(path.as_os_str());
        tell(&name.to_string_lossy(), &asked, run)?;
        all.extend(asked);
    }
    tell("all", &all, run)?;
    compare(&all, run)?;
    Ok(ExitCode::SUCCESS)
}

fn repository(path: &Path, count: usize) -> Result<Vec<Asked>> {
    let repo = Repo::discover(path)?;
    let tip = repo.resolve("HEAD")?;
    let window = open(&repo, Log::default(), tip)?;
    let half = (window.len() / 2) as u32;
    let fits: Vec<Age> = (0..half)
        .map(Age)
        .filter(|age| FILES.contains(&window.changed(*age)))
        .collect();
    let step = (fits.len() as f64 / count as f64).max(1.0);
    let chosen = (0..count).map_while(|n| fits.get((n as f64 * step) as usize));
    let mut all = Vec::new();
    for age in chosen {
        all.extend(ask(&repo, &window, *age)?);
    }
    Ok(all)
}

fn open(repo: &Repo, log: Log, tip: CommitId) -> Result<Window> {
    Window::open(repo, log, tip, &|_, _| true).map_err(|_| "nobody stopped it".into())
}

/// Asks about one commit; `None` when it changed only one file that was there before.
fn ask(repo: &Repo, window: &Window, age: Age) -> Result<Option<Asked>> {
    let mut objects = repo.objects();
    let id = window.commit(age).ok_or("the commit has no id")?;
    let Some(parent) = commit::read(&mut objects, id)?.parent else {
        return Ok(None);
    };
    let entries = tree::list(&mut objects, repo.commit_tree(parent)?)?;
    let tree: Vec<&[u8]> = entries.iter().map(|entry| entry.path.as_bytes()).collect();
    let touched: Vec<Vec<u8>> = window.touched(age).collect();
    let known: Vec<&[u8]> = touched
        .iter()
        .map(Vec::as_slice)
        .filter(|path| tree.binary_search(path).is_ok())
        .collect();
    if touched.len() < 2 || known.is_empty() {
        return Ok(None);
    }
    // Any of them, but always the same.
    let out = known[usize::from(id.as_bytes()[0]) % known.len()];
    let whole: Vec<&[u8]> = touched.iter().map(Vec::as_slice).collect();
    let rest: Vec<&[u8]> = whole.iter().filter(|path| **path != out).copied().collect();
    let past = open(repo, window.log().clone(), parent)?;
    let paths = Paths::of(tree.iter().copied());
    let named = |changed: &[&[u8]], most: usize| -> Named {
        let found = predict(&past, &paths, changed, &|path, other| {
            kinship(path, other, false)
        });
        let is_out = |spot: &Spot| matches!(spot, Spot::File(path) if path == out);
        let first = found.iter().take(most);
        first
            .map(|one| Naming {
                sure: one.confidence,
                is_right: is_out(&one.spot),
            })
            .collect()
    };
    Ok(Some(Asked {
        ours: named(&rest, SHOWN),
        whole: named(&whole, SHOWN),
        counted: counted(&past, &tree, &rest, out),
    }))
}

/// What plain counting names.
fn counted(past: &Window, tree: &[&[u8]], rest: &[&[u8]], out: &[u8]) -> Named {
    let mut counts: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
    for path in rest {
        for age in past.touching(path) {
            for other in past.touched(age) {
                let other = past.today(&other, age);
                if tree.binary_search(&other).is_ok() && !rest.contains(&other) {
                    *counts.entry(other.to_vec()).or_default() += 1.0;
                }
            }
        }
    }
    let mut ranked: Vec<(Vec<u8>, f64)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = ranked.into_iter().take(FIRST);
    let naming = |(path, sure): (Vec<u8>, f64)| Naming {
        sure,
        is_right: path == out,
    };
    first.map(naming).collect()
}

/// Share of these of which one is named at `least` or above and right, and share of those with nothing named.
fn found(named: &[&Named], least: f64) -> (f64, f64) {
    let count = named.len().max(1) as f64;
    let above = |one: &&&Named, wanted: bool| {
        let mut first = one.iter().take(FIRST);
        first.any(|one| one.sure >= least && (one.is_right || !wanted))
    };
    let right = named.iter().filter(|one| above(one, true)).count() as f64;
    let spoke = named.iter().filter(|one| above(one, false)).count() as f64;
    (right / count, 1.0 - spoke / count)
}

/// What other limits would come to, over all commits: from which confidence on something is named, and how much.
fn compare(asked: &[Asked], run: &Run) -> Result<()> {
    println!(
        "least, most | recall, right when it speaks, lines right, lines | whole: speaks, lines"
    );
    let pairs = LEASTS
        .iter()
        .flat_map(|least| MOSTS.map(|most| (*least, most)));
    for (least, most) in pairs {
        let named = |all: &Named| -> Vec<Naming> {
            let sure = all.iter().filter(|one| one.sure >= least);
            sure.take(most).copied().collect()
        };
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        let ours: Vec<Vec<Naming>> = asked.iter().map(|one| named(&one.ours)).collect();
        let whole: Vec<Vec<Naming>> = asked.iter().map(|one| named(&one.whole)).collect();
        let spoke = ours.iter().filter(|one| !one.is_empty()).count();
        let is_right = |one: &&Vec<Naming>| one.iter().any(|one| one.is_right);
        let right = ours.iter().filter(is_right).count();
        let lines: usize = ours.iter().map(Vec::len).sum();
        let alarms = whole.iter().filter(|one| !one.is_empty()).count();
        let alarm_lines: usize = whole.iter().map(Vec::len).sum();
        let row = [
            share(right, asked.len()),
            share(right, spoke),
            share(right, lines),
            share(lines, asked.len()),
            share(alarms, asked.len()),
            share(alarm_lines, asked.len()),
        ];
        let [recall, when_it_speaks, of_lines, said, speaks, alarmed] = row;
        println!(
            "{least:.2} {most} | {recall:.3} {when_it_speaks:.3} {of_lines:.3} {said:.2} | {speaks:.3} {alarmed:.2}"
        );
        let value = json!({
            "bench": "omission_limits", "least": least, "most": most, "recall": recall,
            "right_when_it_speaks": when_it_speaks, "lines_right": of_lines, "lines": said,
            "whole_speaks": speaks, "whole_lines": alarmed,
        });
        run.record("omissions", &value)?;
    }
    Ok(())
}

fn tell(name: &str, asked: &[Asked], run: &Run) -> Result<()> {
    let of = |part: fn(&Asked) -> &Named| -> Vec<&Named> { asked.iter().map(part).collect() };
    let (ours, counting, whole) = (of(|a| &a.ours), of(|a| &a.counted), of(|a| &a.whole));
    let (all, never) = found(&ours, 0.0);
    let (counted, _) = found(&counting, 0.0);
    let (said, silent) = found(&ours, LEAST_CONFIDENCE);
    let right = said / (1.0 - silent).max(f64::EPSILON);
    // Counting that is silent as often: below which number of commits?
    let mut best: Vec<f64> = counting
        .iter()
        .map(|one| one.first().map_or(0.0, |top| top.sure))
        .collect();
    best.sort_by(f64::total_cmp);
    let cut = best
        .get((silent * best.len() as f64) as usize)
        .copied()
        .unwrap_or(0.0);
    let (as_silent, as_often) = found(&counting, cut);
    let spoken = as_silent / (1.0 - as_often).max(f64::EPSILON);
    let (_, quiet) = found(&whole, LEAST_CONFIDENCE);
    println!(
        "{name:36} {:5} | {all:.3} {counted:.3} | {said:.3} {right:.3} {silent:.3} | {as_silent:.3} {spoken:.3} {as_often:.3} | {quiet:.3}",
        asked.len()
    );
    let value = json!({
        "bench": "omissions", "repository": name, "commits": asked.len(),
        "recall_at_3": all, "never_named": never, "counting_recall_at_3": counted,
        "said": {"least": LEAST_CONFIDENCE, "recall": said, "right_when_it_speaks": right, "silent": silent},
        "counting_as_silent": {"recall": as_silent, "right_when_it_speaks": spoken, "silent": as_often},
        "whole_silent": quiet,
    });
    run.record("omissions", &value)
}
