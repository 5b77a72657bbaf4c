//! How far does what git-sverklo says of a program agree with what its compiler says?
//!
//! The programs in `oracle/truth/` let a compiler or language service of each language write down
//! its truth of a checkout; here the answers are compared with it: *definitions*, *references* of
//! chosen symbols (and those of colliding names alone), *imports*, and whether a definition is *dead
//! or alive*. The word grep is scored on the same truth. Every miss goes to a list.

mod definitions;
mod misses;
mod truth;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use definitions::Counts;
use misses::Misses;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use truth::Truth;

/// What to compare.
#[derive(clap::Args)]
pub struct Args {
    /// Truth files, as the programs in benchmark/oracle/truth write them.
    #[arg(value_name = "TRUTH", required = true)]
    truths: Vec<PathBuf>,
    /// Folder with a checkout of each repository, by name, at the commit that its truth names.
    #[arg(long, value_name = "DIR")]
    repositories: PathBuf,
    /// Folder for the lists of misses; default: target/benchmark.
    #[arg(long, value_name = "DIR")]
    misses: Option<PathBuf>,
}

/// Compares, prints a table and records raw lines.
pub fn run(args: &Args, _program: &Program, run: &Run) -> Result<ExitCode> {
    let folder = match &args.misses {
        Some(folder) => folder.clone(),
        None => crate::program::root().join("target/benchmark"),
    };
    std::fs::create_dir_all(&folder)?;
    for path in &args.truths {
        let mut misses = Misses::default();
        for truth in truth::read(path)? {
            let checkout = args.repositories.join(&truth.head.repo);
            same_commit(&checkout, &truth)?;
            misses.note(&format!("# {} {}", truth.head.repo, truth.head.commit));
            if !truth.definitions.is_empty() {
                let counts = definitions::score(&checkout, &truth, &mut misses)?;
                report(run, &truth, "definitions", counts)?;
            }
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        misses.write(&folder.join(format!("oracle-misses-{name}.txt")))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Truth holds for one commit only.
fn same_commit(checkout: &Path, truth: &Truth) -> Result<()> {
    let here = crate::subject::run_git(checkout, &["rev-parse", "HEAD"])?;
    if here.trim() == truth.head.commit {
        return Ok(());
    }
    Err(format!(
        "{} is at {}, its truth is of {}",
        checkout.display(),
        here.trim(),
        truth.head.commit
    )
    .into())
}

fn report(run: &Run, truth: &Truth, what: &str, counts: Counts) -> Result<()> {
    println!(
        "{:<11} {:<10} {what:<22} precision {:.4}  recall {:.4}  F1 {:.4}  (right {}, extra {}, missing {})",
        truth.head.language,
        truth.head.repo,
        counts.precision(),
        counts.recall(),
        counts.f1(),
        counts.hits,
        counts.extra,
        counts.missing,
    );
    run.record(
        "oracle",
        &json!({
            "bench": "oracle",
            "language": truth.head.language,
            "repo": truth.head.repo,
            "commit": truth.head.commit,
            "oracle": truth.head.oracle,
            "what": what,
            "right": counts.hits,
            "extra": counts.extra,
            "missing": counts.missing,
        }),
    )
}
