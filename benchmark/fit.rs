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
use crate::task::suite::{self, Roots};
use ascent::{Goal, Parameter, folds};
use candidates::{Query, Table};
use model::Model;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The program's constants that `--explain` does not tell (src/query/search.rs); whether they are
/// these is checked on every query.
const OF_FILE: f64 = 2.0;
const FURTHER: f64 = 0.4;
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
    /// File that keeps what the program found, and is used again for the same program and suites.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Measure what each channel and rule is worth and fit nothing.
    #[arg(long)]
    ablate: bool,
}

/// Asks, measures, fits, and records every figure.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let table = found(args, program)?;
    let base = Model::of_program(&table, OF_FILE, FURTHER);
    let (same, of) = model::agreeing(&table, &base);
    println!(
        "{} queries; the formula gives the program's scores in {same} of {of}",
        table.queries.len()
    );
    if same * 100 < of * 99 {
        return Err(
            "the formula is not the program's: see OF_FILE and FURTHER in benchmark/fit.rs".into(),
        );
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

/// What the program found, from the file that keeps it or from the program.
fn found(args: &Args, program: &Program) -> Result<Table> {
    let about = about(args, program)?;
    if let Some(path) = args.table.as_deref().filter(|path| path.exists()) {
        let table: Table =
            serde_json::from_reader(std::io::BufReader::new(std::fs::File::open(path)?))?;
        if table.about == about {
            return Ok(table);
        }
        eprintln!(
            "{}: of another program or other suites; asking again",
            path.display()
        );
    }
    let mut table = Table {
        about,
        ..Table::default()
    };
    let suites = args.suite.iter().map(|path| (path, true));
    for (path, fitted) in suites.chain(args.report.iter().map(|path| (path, false))) {
        for entry in suite::read(path)? {
            let roots = Roots {
                data: args.data.clone(),
                repositories: args.repositories.clone(),
            };
            for batch in entry.load(&roots, &|_| true)? {
                let before = table.queries.len();
                candidates::collect(&batch, fitted, program, &mut table)?;
                eprintln!(
                    "{}: {} queries",
                    batch.subject.name,
                    table.queries.len() - before
                );
            }
        }
    }
    if table.queries.is_empty() {
        return Err("nothing to ask: name a suite with --suite or --report".into());
    }
    if let Some(path) = &args.table {
        write(path, &table)?;
    }
    Ok(table)
}

fn write(path: &Path, table: &Table) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let file = std::io::BufWriter::new(std::fs::File::create(path)?);
    Ok(serde_json::to_writer(file, table)?)
}

/// The program by its age, and the suites by what they say.
fn about(args: &Args, program: &Program) -> Result<String> {
    let meta = std::fs::metadata(program.path())?;
    let mut about = format!(
        "{} {} {:?}",
        program.version()?,
        meta.len(),
        meta.modified()?
    );
    for path in args
        .suite
        .iter()
        .chain([&PathBuf::new()])
        .chain(&args.report)
    {
        about.push('\n');
        if path.is_file() {
            about.push_str(&std::fs::read_to_string(path)?);
        }
    }
    Ok(about)
}
