//! Have the hot paths become slower? Counts the instructions of three fixed workloads under
//! valgrind and compares them with the committed counts. Seconds of a shared machine cannot tell a
//! tenth from noise; instructions can.
//!
//! Only instructions of the program itself in user space are counted, not those of the kernel or
//! of git programs it starts, so this finds regressions and does not say how fast anything is.
//! Counts of two compilers or profiles are not comparable, nor are those of processors with and
//! without AVX2: the libraries pick other code then.

mod baseline;
mod count;
mod fixture;
mod workload;

use crate::Result;
use crate::program::{Compiler, Program, root};
use crate::run::Run;
use baseline::{Baseline, Baselines, Verdict};
use count::Counter;
use fixture::Fixture;
use serde_json::json;
use std::process::ExitCode;

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Fail when a count is more than a tenth above the committed one.
    #[arg(long)]
    check: bool,
    /// Make today's counts the committed ones.
    #[arg(long, conflicts_with = "check")]
    update: bool,
}

/// The vector instructions that libraries choose their code by, as part of the key.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return " with avx2";
    }
    ""
}

/// Counts, prints a table and compares.
pub fn run(args: &Args, program: &Program, run: &Run) -> Result<ExitCode> {
    let Some(counter) = Counter::find()? else {
        if args.update {
            return Err("valgrind is not installed; it counts the instructions".into());
        }
        println!("valgrind is not installed: no instructions counted, nothing compared");
        return Ok(ExitCode::SUCCESS);
    };
    let compiler = Compiler::find()?;
    let profile = profile(program);
    let key = format!(
        "{}{}, {profile}, rustc {}",
        compiler.host,
        vectors(),
        compiler.release
    );
    let path = root().join("benchmark/instructions.json");
    let mut baselines = Baselines::read(&path)?;
    let known = baselines.get(&key);

    let fixture = Fixture::make()?;
    println!("instructions on {key}, in millions");
    println!(
        "{:<14}{:>12}{:>12}{:>9}",
        "workload", "now", "baseline", "change"
    );
    let mut measured = Baseline::new(fixture.sources()?);
    let mut verdicts = Vec::new();
    for (name, workload) in workload::ALL {
        let count = workload(&fixture, program, &counter)?;
        let before = known.and_then(|known| known.count(name));
        let verdict = Verdict::of(count, before);
        println!(
            "{name:<14}{:>12.1}{:>12}{verdict:>9}",
            millions(count),
            before.map_or("none".to_owned(), |count| format!("{:.1}", millions(count))),
        );
        run.record(
            "instructions",
            &json!({
                "bench": "instructions",
                "workload": name,
                "profile": profile,
                "instructions": count,
                "baseline": before,
            }),
        )?;
        measured.add(name, count);
        verdicts.push((name, verdict));
    }
    if known.is_some_and(|known| known.sources != measured.sources) {
        println!("the sources that the workloads run over have changed since the baseline");
    }
    let has_baseline = known.is_some();
    if args.update {
        baselines.set(key, measured);
        baselines.write(&path)?;
        println!("{} has these counts now; commit it", path.display());
        return Ok(ExitCode::SUCCESS);
    }
    if !has_baseline {
        println!("no baseline for this compiler and profile; `--update` makes one");
    }
    let passed = baseline::summary(&verdicts, &mut |line| println!("{line}"));
    Ok(ExitCode::from(u8::from(args.check && !passed)))
}

/// The profile that a program was built in, by the folder cargo puts it in.
fn profile(program: &Program) -> String {
    let folder = program
        .path()
        .parent()
        .and_then(|folder| folder.file_name());
    match folder.unwrap_or_default().to_string_lossy().as_ref() {
        "debug" => "dev".to_owned(),
        other => other.to_owned(),
    }
}

fn millions(count: u64) -> f64 {
    count as f64 / 1e6
}
