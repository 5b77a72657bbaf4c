//! Commands on an index that is there: nothing to do, a question, one edit, one commit.

use super::edit::Edited;
use crate::Result;
use crate::measure::{Usage, measure, median_of, percentile};
use crate::program::Program;
use crate::subject::Subject;
use serde_json::{Value, json};
use std::process::Command;

/// Runs of each command.
const SHORT_RUNS: usize = 15;

/// Everything is in turns with what it is compared with, and the median counts.
pub fn warm(subject: &Subject, program: &Program, line: &mut Value) -> Result<()> {
    let in_turns = |commands: &[&dyn Fn() -> Command]| -> Result<Vec<Usage>> {
        let mut samples = vec![Vec::new(); commands.len()];
        for _ in 0..SHORT_RUNS {
            for (command, samples) in commands.iter().zip(&mut samples) {
                samples.push(measure(&mut command())?.0);
            }
        }
        let medians = samples.iter().map(|samples| median_of(samples));
        Ok(medians.collect::<Option<_>>().ok_or("no run")?)
    };
    let status = || {
        let mut command = Command::new("git");
        command
            .current_dir(&subject.dir)
            .args(["status", "--porcelain"]);
        command
    };
    let index = || program.command(&subject.dir, &["index", "HEAD"]);
    let ask = || program.command(&subject.dir, &["symbol", "main"]);
    measure(&mut ask())?;
    let usage = in_turns(&[&status, &index, &ask])?;
    line["git_status_ms"] = json!(usage[0].wall_ms());
    line["noop_index_ms"] = json!(usage[1].wall_ms());
    line["clean_question_ms"] = json!(usage[2].wall_ms());

    // One changed file: the first question after an edit, every time a new edit.
    let mut file = Edited::some_file(subject)?;
    let (mut edited, mut clean) = (Vec::new(), Vec::new());
    for _ in 0..SHORT_RUNS {
        file.restore()?;
        measure(&mut status())?;
        measure(Command::new("git").current_dir(&subject.dir).args([
            "update-index",
            "-q",
            "--refresh",
        ]))?;
        clean.push(measure(&mut ask())?.0.wall);
        file.change()?;
        edited.push(measure(&mut ask())?.0.wall);
    }
    line["one_edit_more_ms"] =
        json!((percentile(&mut edited, 0.5) - percentile(&mut clean, 0.5)) * 1e3);

    // One changed file committed: the run of `index` that a hook would do.
    let mut committed = Vec::new();
    for _ in 0..SHORT_RUNS {
        file.change()?;
        file.commit(subject)?;
        committed.push(measure(&mut index())?.0.wall);
    }
    let committed = percentile(&mut committed, 0.5) * 1e3;
    line["one_commit_more_ms"] = json!(committed - usage[1].wall_ms());
    Ok(())
}
