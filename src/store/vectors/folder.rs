//! Blocks as files: `vec/<model>/<segment>` among what is kept ([`crate::cache`]).

use super::named::Named;
use crate::git::Repo;
use crate::id::{PartId, SegmentId};
use crate::segment::Segment;
use crate::store::files;
use crate::vector::block::Block;
use crate::vector::model::ModelId;
use crate::vector::static_model::embedded;

/// Folder of the blocks of all models.
const FOLDER: &str = "vec";

/// Names the block of a segment under a model.
pub(super) fn name(model: &ModelId, id: SegmentId) -> String {
    format!("{FOLDER}/{}/{id}", model.as_str())
}

/// The models with a folder, in order.
pub(super) fn models(repo: &Repo) -> Vec<ModelId> {
    let folders = repo.kept().folders(FOLDER).into_iter();
    let mut models: Vec<ModelId> = folders.filter_map(|of| ModelId::new(&of)).collect();
    models.sort();
    models
}

/// Opens the block of a segment.
pub(super) fn open(
    repo: &Repo,
    model: &ModelId,
    id: SegmentId,
    segment: &Segment,
) -> Option<Block> {
    Block::open_any(repo.kept().read(&name(model, id))?, segment).ok()
}

/// Removes the block of a segment under one model, as far as the operating system lets it go.
pub(in crate::store) fn remove_one(repo: &Repo, model: &ModelId, id: SegmentId) {
    repo.kept().remove(&name(model, id));
}

/// Removes the blocks of these segments, as far as the operating system lets them go.
pub(in crate::store) fn remove(repo: &Repo, ids: &[SegmentId]) {
    for model in models(repo) {
        ids.iter().for_each(|id| remove_one(repo, &model, *id));
    }
}

/// Removes the blocks of other segments, and those of static models that this program does not have.
/// Returns the number of bytes that are free now.
pub(in crate::store) fn retain(repo: &Repo, kept: &[PartId]) -> u64 {
    let known = &embedded().model().id;
    let of_folder = |model: String| {
        let id = ModelId::new(&model);
        let is_wanted = id.is_some_and(|id| id == *known || !id.is_static());
        let folder = format!("{FOLDER}/{model}");
        let freed = files::retain(repo, &folder, if is_wanted { kept } else { &[] });
        if !is_wanted {
            // Only when it is empty.
            let _ = repo.kept().path(&folder).and_then(std::fs::remove_dir);
        }
        freed
    };
    let folders = repo.kept().folders(FOLDER).into_iter();
    folders.map(of_folder).sum()
}

/// Removes the files of blocks in whose place a tip names others now; whoever needs them makes them anew.
pub(in crate::store) fn forget_replaced(repo: &Repo, before: &Named, now: &Named) {
    for (model, segment, block) in before.iter() {
        if now.get(model, segment).is_some_and(|now| now != block) {
            remove_one(repo, model, segment);
        }
    }
}
