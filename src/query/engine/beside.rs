//! What is added to answers: memories of what they show, and what was found damaged.

use super::{Engine, Pinned};
use crate::query::recall::related::{self, Note, Shown};

impl Engine {
    /// Adds what was found damaged beside the object store on the way to an answer.
    pub(super) fn tell_recovered(&self, warnings: &mut Vec<String>) {
        warnings.append(&mut self.state().recovered);
        let recovered = self.repo.kept().recovered();
        warnings.extend(recovered.map(|recovered| recovered.to_string()));
    }

    /// Memories of what an answer shows; with the core of all memories, if wanted. When they cannot be read
    /// that is a warning.
    pub(in crate::query) fn notes<'s>(
        &self,
        pinned: &Pinned,
        with_core: bool,
        shown: impl Iterator<Item = Shown<'s>>,
        warnings: &mut Vec<String>,
    ) -> Vec<Note> {
        let Some(commit) = pinned.stamp.commit else {
            return Vec::new();
        };
        let files = pinned.view().files();
        let has = |path: &str| {
            // A directory is there when the first path from `folder/` on begins with that.
            let folder = format!("{path}/");
            let after = files.partition_point(|file| file.path.as_bytes() < folder.as_bytes());
            let next = files.get(after).map(|file| file.path.as_bytes());
            next.is_some_and(|next| next.starts_with(folder.as_bytes()))
                || pinned.view().file_at(path.as_bytes()).is_some()
        };
        match self.related.at(&self.repo, &self.archive, commit, &has) {
            Ok(Some(holding)) => holding.beside(&self.repo, with_core, shown),
            Ok(None) => Vec::new(),
            Err(err) => {
                warnings.push(related::complaint(&err));
                Vec::new()
            }
        }
    }
}
