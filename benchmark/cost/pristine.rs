//! Forgetting indexes, and weighing them.

use crate::Result;
use crate::contender::Contender;
use crate::subject::Subject;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A clone's object store as it was before anybody indexed. git-sverklo's index is a part of the
/// store, and objects that are there already are cheaper to write, so forgetting that index means
/// to remove them too.
pub struct Pristine {
    objects: BTreeSet<PathBuf>,
}

impl Pristine {
    /// Takes down what is there.
    pub fn of(subject: &Subject) -> Result<Self> {
        Ok(Self {
            objects: files_below(&subject.dir.join(".git/objects"))?,
        })
    }

    /// Removes git-sverklo's index.
    pub fn forget_ours(&self, subject: &Subject) -> Result<()> {
        subject.forget_index()?;
        for path in self.new_objects(subject)? {
            std::fs::remove_file(path)?;
        }
        Ok(())
    }

    /// Removes a contender's index, and nobody else's.
    pub fn forget(&self, subject: &Subject, contender: &dyn Contender) -> Result<()> {
        if contender.name() == super::OURS {
            self.forget_ours(subject)?;
        }
        for path in contender.index_paths(&subject.dir) {
            let gone = match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => std::fs::remove_dir_all(&path),
                Ok(_) => std::fs::remove_file(&path),
                Err(err) => Err(err),
            };
            if let Err(err) = gone
                && err.kind() != std::io::ErrorKind::NotFound
            {
                return Err(format!("{}: {err}", path.display()).into());
            }
        }
        Ok(())
    }

    fn new_objects(&self, subject: &Subject) -> Result<BTreeSet<PathBuf>> {
        let mut paths = files_below(&subject.dir.join(".git/objects"))?;
        paths.retain(|path| !self.objects.contains(path));
        Ok(paths)
    }

    /// Bytes on disk of the index that a contender just made.
    pub fn bytes(&self, subject: &Subject, contender: &dyn Contender) -> Result<u64> {
        let mut paths = BTreeSet::new();
        if contender.name() == super::OURS {
            paths = self.new_objects(subject)?;
        }
        for path in contender.index_paths(&subject.dir) {
            paths.extend(files_below(&path)?);
        }
        let mut bytes = 0;
        for path in paths {
            bytes += path.metadata()?.len();
        }
        Ok(bytes)
    }
}

/// Every file at or below a path, which need not be there.
fn files_below(path: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut left = vec![path.to_path_buf()];
    while let Some(path) = left.pop() {
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => {
                for entry in std::fs::read_dir(&path)? {
                    left.push(entry?.path());
                }
            }
            Ok(_) => drop(files.insert(path)),
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => {}
            Err(err) => return Err(format!("{}: {err}", path.display()).into()),
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::edit::Edited;
    use crate::cost::tests::small;

    #[test]
    fn only_new_objects_are_forgotten() {
        let subject = small(25);
        let pristine = Pristine::of(&subject).unwrap();
        assert!(pristine.new_objects(&subject).unwrap().is_empty());
        let before = subject.git(&["rev-parse", "HEAD"]).unwrap();
        let mut edited = Edited::some_file(&subject).unwrap();
        edited.change().unwrap();
        edited.commit(&subject).unwrap();
        assert!(!pristine.new_objects(&subject).unwrap().is_empty());
        subject
            .git(&["reset", "-q", "--hard", before.trim()])
            .unwrap();
        pristine.forget_ours(&subject).unwrap();
        assert!(pristine.new_objects(&subject).unwrap().is_empty());
        subject.git(&["fsck", "--no-reflogs"]).unwrap();
    }
}
