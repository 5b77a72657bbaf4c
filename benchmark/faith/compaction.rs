//! Compaction changes no answer, and neither does deleting what lies beside the object store.

use super::answers::{self, Asked, Tally};
use super::index_id;
use crate::Result;
use crate::program::Program;
use std::path::Path;

/// Compacts the index in `dir`, asks everything again, deletes the cache and asks once more.
pub fn check(dir: &Path, truth: &[Asked], program: &Program) -> Result<Tally> {
    answers::run(program, dir, &["gc"])?;
    let compacted = index_id(dir)?;
    let mut tally = answers::ask_again(truth, dir, "after gc", program)?;
    std::fs::remove_dir_all(dir.join(".git/sverklo"))?;
    let again = answers::ask_again(truth, dir, "after deleting .git/sverklo", program)?;
    tally.compared += again.compared;
    tally.differences.extend(again.differences);
    answers::run(program, dir, &["gc"])?;
    tally.same_id("index ref, compacted twice", &compacted, &index_id(dir)?);
    Ok(tally)
}
