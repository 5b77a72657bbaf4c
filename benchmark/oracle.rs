//! How far does what git-sverklo says of a program agree with what its compiler says?
//!
//! The programs in `oracle/truth/` let a compiler or language service of each language write down
//! its truth of a checkout; here the answers are compared with it: *definitions*, *references* of
//! chosen symbols (and those of colliding names alone), *imports*, and whether a definition is *dead
//! or alive*. The word grep is scored on the same truth. Every miss goes to a list.

mod alive;
mod ask;
mod counts;
mod definitions;
mod imports;
mod misses;
mod references;
mod truth;
mod unused;

use crate::Result;
use crate::program::Program;
use crate::run::Run;
use crate::subject::Subject;
use ask::Asked;
use counts::{Counts, mean_f1, part};
use misses::Misses;
use references::{Scores, Teller};
use serde_json::{Value, json};
use std::path::PathBuf;
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
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let folder = match &args.misses {
        Some(folder) => folder.clone(),
        None => crate::program::root().join("target/benchmark"),
    };
    std::fs::create_dir_all(&folder)?;
    for path in &args.truths {
        let (mut misses, mut held) = (Misses::default(), Misses::default());
        for truth in truth::read(path)? {
            compare(&truth, args, program, run, &mut misses, &mut held)?;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("oracle-misses-{name}.txt"));
        misses.write(&path)?;
        println!("every miss: {}", path.display());
        // Not to be looked at while the product is changed.
        held.write(&folder.join(format!("oracle-misses-{name}-held.txt")))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares what is said of one repository.
fn compare(
    truth: &Truth,
    args: &Args,
    program: &Program,
    run: &Run,
    misses: &mut Misses,
    held: &mut Misses,
) -> Result<()> {
    let head = &truth.head;
    let checkout = args.repositories.join(&head.repo);
    let subject = Subject::clone_at(&checkout, Some(&head.commit), None)?;
    println!("{}: {} ({})", head.language, head.repo, head.oracle);
    misses.note(&format!("# {} {}: definitions", head.repo, head.commit));
    let counts = definitions::score(&subject.dir, truth, misses)?;
    report(run, truth, "definitions", counts)?;
    if truth.symbols.is_empty() {
        return Ok(());
    }

    let mut asked = Asked::open(program, &subject)?;
    misses.note(&format!("\n# {}: references", head.repo));
    let scores = references::score(&mut asked, &subject, truth, misses, held)?;
    for teller in Teller::ALL {
        for group in ["random", "colliding"] {
            report_symbols(run, truth, teller, group, &scores)?;
        }
    }
    for (rule, (right, wrong)) in &scores.rules {
        println!(
            "  rule {rule:<12} right {right:>5}  wrong {wrong:>5}  precision {:.3}",
            part(*right, *wrong)
        );
        record(
            run,
            truth,
            "rule",
            json!({ "rule": rule, "right": right, "extra": wrong }),
        )?;
    }
    misses.note(&format!("\n# {}: imports", head.repo));
    let counts = imports::score(&asked, &subject, truth, misses)?;
    report(run, truth, "imports", counts)?;
    misses.note(&format!("\n# {}: dead or alive", head.repo));
    let decisions = alive::score(&mut asked, &subject, truth, misses)?;
    println!(
        "  dead or alive: right {:.3}, by what is sure {:.3}, by grep -w {:.3}, of {}",
        part(decisions.right, decisions.all - decisions.right),
        part(decisions.sure, decisions.all - decisions.sure),
        part(decisions.grep, decisions.all - decisions.grep),
        decisions.all
    );
    record(
        run,
        truth,
        "alive",
        json!({ "right": decisions.right, "sure": decisions.sure, "grep": decisions.grep, "all": decisions.all }),
    )?;
    misses.note(&format!("\n# {}: audit unused", head.repo));
    let unused = unused::score(&asked, &subject, truth, misses)?;
    for (verdict, listed) in &unused.listed {
        println!(
            "  audit unused, {verdict:<10} {} dead, {} used, {} not known: precision {:.3}",
            listed.dead,
            listed.alive,
            listed.unknown,
            listed.precision()
        );
    }
    println!(
        "  audit unused of {} dead: {} listed, {} of them not as exported",
        unused.dead, unused.found, unused.offered
    );
    let verdict = |(verdict, listed): (&String, &unused::Listed)| json!({ "verdict": verdict, "dead": listed.dead, "used": listed.alive, "unknown": listed.unknown });
    record(
        run,
        truth,
        "unused",
        json!({
            "listed": unused.listed.iter().map(verdict).collect::<Vec<_>>(),
            "dead": unused.dead, "found": unused.found, "offered": unused.offered,
        }),
    )
}

/// References of one group of symbols: over all their lines, and the mean over the symbols. The half of
/// the symbols that was held back while the product was changed is told apart.
fn report_symbols(
    run: &Run,
    truth: &Truth,
    teller: Teller,
    group: &str,
    scores: &Scores,
) -> Result<()> {
    let mut all: Vec<Counts> = Vec::new();
    let mut means = Vec::new();
    for half in ["tune", "held"] {
        let of_half = scores.of(teller, group, half);
        means.push(format!("{half} {:.3}", mean_f1(of_half)));
        record(
            run,
            truth,
            "references",
            json!({
                "teller": teller.label(),
                "group": group,
                "half": half,
                "symbols": of_half.len(),
                "mean_f1": mean_f1(of_half),
                "right": sum(of_half).right,
                "extra": sum(of_half).extra,
                "missing": sum(of_half).missing,
            }),
        )?;
        all.extend(of_half);
    }
    if all.is_empty() {
        return Ok(());
    }
    println!(
        "  references of {:<2} {group:<10} {:<15} {}  mean F1 {:.3} ({})",
        all.len(),
        teller.label(),
        shown(sum(&all)),
        mean_f1(&all),
        means.join(", ")
    );
    Ok(())
}

fn sum(all: &[Counts]) -> Counts {
    let mut sum = Counts::default();
    for counts in all {
        sum.add(*counts);
    }
    sum
}

fn shown(counts: Counts) -> String {
    format!(
        "precision {:.3} recall {:.3} F1 {:.3} ({} right, {} extra, {} missing)",
        counts.precision(),
        counts.recall(),
        counts.f1(),
        counts.right,
        counts.extra,
        counts.missing,
    )
}

fn report(run: &Run, truth: &Truth, what: &str, counts: Counts) -> Result<()> {
    println!("  {what:<12} {}", shown(counts));
    record(
        run,
        truth,
        what,
        json!({
            "right": counts.right,
            "extra": counts.extra,
            "missing": counts.missing,
        }),
    )
}

/// One raw line.
fn record(run: &Run, truth: &Truth, what: &str, figures: Value) -> Result<()> {
    let mut line = json!({
        "bench": "oracle",
        "language": truth.head.language,
        "repo": truth.head.repo,
        "commit": truth.head.commit,
        "oracle": truth.head.oracle,
        "what": what,
    });
    if let (Some(line), Some(figures)) = (line.as_object_mut(), figures.as_object()) {
        line.extend(figures.clone());
    }
    run.record("oracle", &line)
}
