//! Which weights of search's channels find most, and what is each channel and rule worth?
//!
//! Every question is asked once, with `--explain`; all else is computed from what each channel said
//! (`candidates`): the program's own order (`model`, checked against the scores it gave), the orders
//! without one channel or rule (`ablation`), and the weights that do best (`ascent`), chosen on the
//! questions of `--suite` alone. Those of `--report` are never looked at for choosing.
//!
//! Commits resemble each other more than they resemble questions: the same people write them in the
//! same words. A fit on commits alone would make too much of history. So weights are fitted three
//! times: on everything, on everything but commits, and on everything with the channels that are made
//! of commits held at what they have.

mod ablation;
mod ascent;
mod candidates;
mod measure;
mod model;
mod table;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::task::suite::{self, Entry, Roots};
use ascent::{Goal, Parameter, folds};
use candidates::{Query, Table};
use git_sverklo::query::search;
use model::Model;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Parts of the repositories, of which each is left out once.
const FOLDS: usize = 5;
/// Channels that are made of commits.
const OF_COMMITS: [&str; 2] = ["history", "co-change"];

/// What to ask, and where.
#[derive(clap::Args)]
pub struct Args {
    /// A suite of tasks to fit on.
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// A suite of tasks to report on, never to fit on.
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,
    /// Where the suites' task files are.
    #[arg(long, value_name = "DIR", default_value = ".")]
    data: PathBuf,
    /// Where the suites' repositories are.
    #[arg(long, value_name = "DIR", default_value = ".")]
    repositories: PathBuf,
    /// Folder that keeps what the program found, and is used again for the same program and tasks.
    #[arg(long, value_name = "DIR")]
    table: Option<PathBuf>,
    /// Measure what each channel and rule is worth and fit nothing.
    #[arg(long)]
    ablate: bool,
}

/// Asks, measures, fits, and records every figure.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let table = found(args, program)?;
    let base = Model::of_program(&table, search::OF_FILE, search::FURTHER_HIT);
    let (same, of) = model::agreeing(&table, &base);
    println!(
        "{} queries; the formula gives the program's scores in {same} of {of}",
        table.queries.len()
    );
    if same * 100 < of * 99 {
        return Err("the formula is not that of src/query/search/mod.rs".into());
    }
    for line in ablation::lines(&table, &base) {
        table::print_ablation(&line);
        run.record("fit", &line)?;
    }
    for line in ablation::sweeps(&table, &base) {
        run.record("fit", &line)?;
    }
    if !args.ablate {
        for variant in Variant::ALL {
            for line in fit(&table, &base, variant) {
                table::print(&line);
                run.record("fit", &line)?;
            }
        }
    }
    println!("raw lines: {}", run.folder().display());
    Ok(ExitCode::SUCCESS)
}

/// What takes part in a fit.
#[derive(Clone, Copy, PartialEq)]
enum Variant {
    Everything,
    WithoutCommits,
    HistoryHeld,
}

impl Variant {
    const ALL: [Self; 3] = [Self::Everything, Self::WithoutCommits, Self::HistoryHeld];

    fn label(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::WithoutCommits => "without commits",
            Self::HistoryHeld => "history held",
        }
    }

    fn wants(self, query: &Query) -> bool {
        query.fitted && (self != Self::WithoutCommits || query.set != "history")
    }

    fn free(self, table: &Table, base: &Model) -> Vec<Parameter> {
        let held = |name: &String| self == Self::HistoryHeld && OF_COMMITS.contains(&name.as_str());
        let channels = 0..table.channels.len();
        let fixed: Vec<usize> = channels
            .filter(|at| *at == table.unit() || held(&table.channels[*at]))
            .collect();
        Parameter::of(base, &fixed)
    }
}

/// Fits once on all repositories and once without each fold, and returns the lines that say what came
/// out.
fn fit(table: &Table, base: &Model, variant: Variant) -> Vec<serde_json::Value> {
    let free = variant.free(table, base);
    let folds = folds(table, FOLDS, |query| variant.wants(query));
    let climb = |left_out: &[String]| {
        let wanted = |query: &Query| variant.wants(query) && !left_out.contains(&query.repo);
        Goal::new(table, wanted).climb(base, &free)
    };
    let (whole, parts) = std::thread::scope(|scope| {
        let whole = scope.spawn(|| climb(&[]));
        let parts: Vec<Model> = folds.iter().map(|fold| climb(fold)).collect();
        (whole.join(), parts)
    });
    let Ok(whole) = whole else {
        return Vec::new();
    };
    let held: Vec<(&Model, &[String])> =
        parts.iter().zip(folds.iter().map(Vec::as_slice)).collect();
    let mut lines = table::weights(table, base, &whole, &parts, &free, variant.label());
    lines.extend(table::gains(
        table,
        base,
        &whole,
        &held,
        variant.label(),
        |query| variant.wants(query),
    ));
    lines
}

/// What the program found of every entry of the suites, from the folder that keeps it or from the
/// program, several at a time.
fn found(args: &Args, program: &Program) -> Result<Table> {
    let mut wanted = Vec::new();
    let suites = args.suite.iter().map(|path| (path, true));
    for (path, fitted) in suites.chain(args.report.iter().map(|path| (path, false))) {
        wanted.extend(suite::read(path)?.into_iter().map(|entry| (entry, fitted)));
    }
    let next = AtomicUsize::new(0);
    let parts = Mutex::new(BTreeMap::new());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some((entry, _)) = wanted.get(at) else {
                        return;
                    };
                    let part = part(entry, args, program).map_err(|err| err.to_string());
                    if let Ok(mut parts) = parts.lock() {
                        parts.insert(at, part);
                    }
                }
            });
        }
    });
    let mut table = Table::default();
    let parts = parts
        .into_inner()
        .map_err(|_| "a thread gave up; see above")?;
    for ((_, fitted), part) in wanted.iter().zip(parts.into_values()) {
        let mut part = part?;
        part.queries
            .iter_mut()
            .for_each(|query| query.fitted = *fitted);
        table.absorb(part);
    }
    if table.queries.is_empty() {
        return Err("nothing to ask: name a suite with --suite or --report".into());
    }
    Ok(table)
}

/// What the program found of one entry.
fn part(entry: &Entry, args: &Args, program: &Program) -> Result<Table> {
    let meta = std::fs::metadata(program.path())?;
    let (length, modified) = (meta.len(), meta.modified()?);
    let about = format!("{} {length} {modified:?} {entry:?}", program.version()?);
    let kept = args.table.as_ref().map(|folder| {
        let mut hasher = DefaultHasher::new();
        about.hash(&mut hasher);
        folder.join(format!("{:016x}.json", hasher.finish()))
    });
    if let Some(path) = kept.as_deref().filter(|path| path.exists()) {
        let file = std::io::BufReader::new(std::fs::File::open(path)?);
        return Ok(serde_json::from_reader(file)?);
    }
    let roots = Roots {
        data: args.data.clone(),
        repositories: args.repositories.clone(),
    };
    let mut table = Table::default();
    for batch in entry.load(&roots, &|_| true)? {
        let part = candidates::collect(&batch, program)?;
        eprintln!("{}: {} queries", batch.subject.name, part.queries.len());
        table.absorb(part);
    }
    if let Some(path) = kept {
        write(&path, &table)?;
    }
    Ok(table)
}

fn write(path: &Path, table: &Table) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Half a file would be taken for a whole one.
    let half = path.with_extension("half");
    let file = std::io::BufWriter::new(std::fs::File::create(&half)?);
    serde_json::to_writer(file, table)?;
    Ok(std::fs::rename(half, path)?)
}
