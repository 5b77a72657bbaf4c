//! What an index takes on disk and on the wire.

use crate::Result;
use crate::subject::{Subject, run_git};
use std::path::Path;

/// The ref of the index.
pub const INDEX: &str = "refs/sverklo/v1/index";

/// Bytes of the objects that `tip` reaches and `known` does not, as the object store has them.
pub fn new_bytes(dir: &Path, tip: &str, known: Option<&str>) -> Result<u64> {
    let not = known.map(|known| format!("^{known}"));
    let mut args = vec!["rev-list", "--objects-edge-aggressive", "--disk-usage", tip];
    args.extend(not.as_deref());
    // Before the sum come the edges, a line each.
    let said = run_git(dir, &args)?;
    Ok(said.lines().last().unwrap_or_default().parse()?)
}

/// The commit that the index ref names.
pub fn tip(subject: &Subject) -> Result<String> {
    Ok(subject.git(&["rev-parse", INDEX])?.trim().to_owned())
}

/// Bytes of all files below a folder; 0 when there is none.
pub fn folder_bytes(folder: &Path) -> Result<u64> {
    let entries = match std::fs::read_dir(folder) {
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut sum = 0;
    for entry in entries {
        let entry = entry?;
        let data = entry.metadata()?;
        sum += match data.is_dir() {
            true => folder_bytes(&entry.path())?,
            false => data.len(),
        };
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::tests::small;

    #[test]
    fn what_is_known_is_not_new() {
        let subject = small(3);
        let all = new_bytes(&subject.dir, "HEAD", None).unwrap();
        let last = new_bytes(&subject.dir, "HEAD", Some("HEAD~1")).unwrap();
        assert!(0 < last && last < all, "{last} of {all}");
        assert_eq!(new_bytes(&subject.dir, "HEAD", Some("HEAD")).unwrap(), 0);
        // The same tree in a commit that git does not know to be related.
        let args = [
            "-c",
            "user.name=b",
            "-c",
            "user.email=b",
            "commit-tree",
            "-mx",
            "HEAD^{tree}",
        ];
        let alone = subject.git(&args).unwrap();
        let alone = alone.trim();
        assert!(new_bytes(&subject.dir, alone, Some("HEAD")).unwrap() < last);
        assert!(folder_bytes(&subject.dir).unwrap() > all);
        assert_eq!(folder_bytes(&subject.dir.join("none")).unwrap(), 0);
    }
}
