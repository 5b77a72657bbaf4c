//! What is remembered and comes up beside answers.

use super::{Engine, Pinned};
use crate::query::recall::surface::{self, Holding, Note};
use crate::query::state::Stamp;

impl Engine {
    /// Adds what was found damaged beside the object store on the way to an answer.
    pub(super) fn tell_recovered(&self, stamp: &mut Stamp) {
        stamp.warnings.append(&mut self.state().recovered);
        let recovered = self.repo.kept().recovered();
        stamp
            .warnings
            .extend(recovered.map(|recovered| recovered.to_string()));
    }

    /// What is remembered and comes up beside an answer. That it cannot be told fails no answer.
    pub(super) fn notes(
        &self,
        pinned: &Pinned,
        stamp: &mut Stamp,
        beside: impl FnOnce(&Holding) -> Vec<Note>,
    ) -> Vec<Note> {
        let Some(commit) = stamp.commit else {
            return Vec::new();
        };
        let files = pinned.view().files();
        let has = |path: &str| {
            // A directory has a file that comes right after its own name and a slash.
            let folder = format!("{path}/");
            let after = files.partition_point(|file| file.path.as_bytes() < folder.as_bytes());
            let next = files.get(after).map(|file| file.path.as_bytes());
            next.is_some_and(|next| next.starts_with(folder.as_bytes()))
                || pinned.view().file_at(path.as_bytes()).is_some()
        };
        match self.surfacing.at(&self.repo, &self.archive, commit, &has) {
            Ok(holding) => holding.map_or_else(Vec::new, |holding| beside(&holding)),
            Err(err) => {
                stamp.warnings.push(surface::complaint(&err));
                Vec::new()
            }
        }
    }
}
