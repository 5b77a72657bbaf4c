//! Which repositories lie under folders.

use crate::Result;
use std::path::{Path, PathBuf};

/// How deep a repository may lie in a folder: `OWNER/NAME/repo`.
const DEEPEST: usize = 3;

/// The repositories under folders, in order. A folder that is one holds no others.
pub fn under(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open: Vec<(PathBuf, usize)> = paths.iter().map(|path| (path.clone(), 0)).collect();
    while let Some((path, depth)) = open.pop() {
        if is_repository(&path) {
            found.push(path);
        } else if depth < DEEPEST {
            let entries =
                std::fs::read_dir(&path).map_err(|err| format!("{}: {err}", path.display()))?;
            for entry in entries {
                let path = entry?.path();
                if path.is_dir() {
                    open.push((path, depth + 1));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    match found.is_empty() {
        true => Err("no repository lies there".into()),
        false => Ok(found),
    }
}

fn is_repository(path: &Path) -> bool {
    path.join(".git").exists()
        || (path.join("HEAD").is_file()
            && path.join("objects").is_dir()
            && path.join("refs").is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_ones_and_work_trees_are_found_and_nothing_in_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for path in [
            "a+b/repo/objects",
            "a+b/repo/refs",
            "c/d/.git",
            "c/d/e/.git",
            "f",
        ] {
            std::fs::create_dir_all(at(path)).unwrap();
        }
        std::fs::write(at("a+b/repo/HEAD"), "").unwrap();
        let found = under(&[folder.path().to_path_buf()]).unwrap();
        assert_eq!(found, [at("a+b/repo"), at("c/d")]);
        assert!(under(&[at("f")]).is_err());
    }
}
