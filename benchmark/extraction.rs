//! Is anything lost? The definitions of classes, functions and methods that a file has by
//! universal-ctags, which reads line by line and so never loses its way for long, are looked for among
//! those that extraction records of it.
//!
//! Only product code is compared. What ctags calls a definition and is none, by rules that stand beside
//! their reasons ([`aside`]), is left out, whether it was found or not. Every definition that is missed
//! goes to a list, and a file that loses five or more of them is a line of the run with the reasons:
//! they lie in a gap that is recorded, the file was skipped, they are of a kind that is not taken
//! ([`kinds`]), or they were not understood. A file over the limit of size is not read at all, and whoever
//! asks is told so: its definitions count apart.

mod aside;
mod clojure;
mod compare;
mod erlang;
mod heredocs;
mod kinds;
mod lua;
mod ocaml;
mod ours;
mod perl;
mod repositories;
mod rules;
mod tags;
mod tally;

use crate::Result;
use crate::program::{Program, root};
use crate::run::Run;
use crate::subject::{Subject, name_of, run_git};
use aside::Aside;
use kinds::Language;
use ours::Read;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tally::Tally;

/// What to compare.
#[derive(clap::Args)]
pub struct Args {
    /// Repositories, bare or not, or folders of them, at most three levels deep.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Only these languages, such as `kotlin`.
    #[arg(long, value_name = "LANG")]
    lang: Vec<String>,
    /// What the raw lines call this state of the program; of all lines of one state the last count.
    #[arg(long, value_name = "NAME", default_value = "now")]
    state: String,
    /// Folder for the lists of misses; default: target/benchmark.
    #[arg(long, value_name = "DIR")]
    misses: Option<PathBuf>,
}

/// Compares, prints a table and records raw lines.
pub fn run(args: &Args, _program: &Program, run: &Run) -> Result<ExitCode> {
    let teller = match tags::version() {
        Ok(teller) => teller,
        Err(absent) => {
            println!("extraction is not compared: {absent}");
            return Ok(ExitCode::SUCCESS);
        }
    };
    let folder = match &args.misses {
        Some(folder) => folder.clone(),
        None => root().join("target/benchmark"),
    };
    std::fs::create_dir_all(&folder)?;
    let languages = kinds::chosen(&args.lang)?;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for path in repositories::under(&args.paths)? {
        if let Err(err) = compare(&path, &languages, &mut tallies) {
            eprintln!("{}: left out: {err}", path.display());
        }
    }
    tally::print(&tallies);
    for (label, tally) in &tallies {
        tally.write_misses(&folder.join(format!("extraction-misses-{label}.txt")))?;
        tally.record(label, &args.state, &teller, run)?;
    }
    println!("every miss: {}/extraction-misses-*.txt", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Compares the product code of one repository at its `HEAD`.
fn compare(
    path: &Path,
    languages: &[&'static Language],
    tallies: &mut BTreeMap<&'static str, Tally>,
) -> Result<()> {
    let head = run_git(path, &["rev-parse", "--verify", "HEAD^{commit}"])?;
    let subject = Subject::past(path, head.trim())?;
    let name = name_of(&path.canonicalize()?);
    eprintln!("{name}");
    let by_language = ours::read(&subject, languages)?;
    for language in languages {
        let Some(reads) = by_language.get(language.label) else {
            continue;
        };
        let paths: Vec<&str> = reads.iter().map(|read| read.path.as_str()).collect();
        let mut told = tags::tell(&subject.dir, language.ctags, &paths)?;
        let tally = tallies.entry(language.label).or_default();
        tally
            .repositories
            .insert(format!("{name} {}", &head[..head.len().min(12)]));
        for read in reads {
            let tags = told.remove(read.path.as_str()).unwrap_or_default();
            add(tally, language, &name, &subject.dir, read, tags)?;
        }
    }
    Ok(())
}

/// Compares one file.
fn add(
    tally: &mut Tally,
    language: &Language,
    repo: &str,
    dir: &Path,
    read: &Read,
    tags: Vec<tags::Tag>,
) -> Result<()> {
    tally.files += 1;
    tally.bytes += read.bytes;
    tally.gap_bytes += u64::from(read.gaps.bytes);
    let source = std::fs::read(dir.join(&read.path))?;
    let text = String::from_utf8_lossy(&source);
    let lines: Vec<&str> = text.split('\n').collect();
    // Nobody writes such files, and who asks is told that they were not read.
    let unwritten = match read.skip {
        Some("minified") => Some("in a minified file"),
        Some("binary") => Some("in a binary file"),
        _ => None,
    };
    let mut kept = Vec::new();
    let mut rules = Aside::new(language, &tags, &lines);
    for tag in aside::of_kinds(language, &tags) {
        match unwritten.or_else(|| rules.reason(tag)) {
            Some(reason) => *tally.aside.entry(reason).or_default() += 1,
            None => kept.push(tag),
        }
    }
    let lost = compare::lost(language, read, &kept, &lines);
    tally.add_file(repo, read, kept.len(), &lost, &lines);
    Ok(())
}
