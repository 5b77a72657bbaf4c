//! Blocks as files: `<common dir>/sverklo/vec/<model>/<segment>`.
//!
//! As with segments, a file that can be opened was written whole. All of them may be deleted at any time.

use crate::git::Repo;
use crate::id::SegmentId;
use crate::segment::Segment;
use crate::store::cache;
use crate::store::mmap::Mapped;
use crate::vector::block::Block;
use crate::vector::model::ModelId;
use crate::vector::static_model::embedded;
use std::path::PathBuf;

fn vec_dir(repo: &Repo) -> PathBuf {
    cache::dir(repo).join("vec")
}

/// The folder of one model.
pub(super) fn of_model(repo: &Repo, model: &ModelId) -> PathBuf {
    vec_dir(repo).join(model.as_str())
}

/// The folders of all models.
fn folders(repo: &Repo) -> impl Iterator<Item = PathBuf> {
    let folders = std::fs::read_dir(vec_dir(repo)).into_iter().flatten();
    folders.flatten().map(|folder| folder.path())
}

fn model_of(folder: &std::path::Path) -> Option<ModelId> {
    ModelId::new(folder.file_name()?.to_str()?)
}

/// The models with a folder, in order.
pub(super) fn models(repo: &Repo) -> Vec<ModelId> {
    let mut models: Vec<ModelId> = folders(repo).filter_map(|of| model_of(&of)).collect();
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
    let mapped = Mapped::open(&of_model(repo, model).join(id.to_string())).ok()?;
    Block::open_any(mapped, segment).ok()
}

/// Removes the block of a segment under one model, as far as the operating system lets it go.
pub(in crate::store) fn remove_one(repo: &Repo, model: &ModelId, id: SegmentId) {
    let _ = std::fs::remove_file(of_model(repo, model).join(id.to_string()));
}

/// Removes the blocks of these segments, as far as the operating system lets them go.
pub(in crate::store) fn remove(repo: &Repo, ids: &[SegmentId]) {
    for folder in folders(repo) {
        for id in ids {
            let _ = std::fs::remove_file(folder.join(id.to_string()));
        }
    }
}

/// Removes the blocks of other segments, and those of static models that this program does not have.
/// Returns the number of bytes that are free now.
pub(in crate::store) fn retain(repo: &Repo, kept: &[SegmentId]) -> u64 {
    let known = &embedded().model().id;
    let of_folder = |folder: PathBuf| {
        let is_wanted = model_of(&folder).is_some_and(|id| id == *known || !id.is_static());
        let freed = cache::retain_in(&folder, if is_wanted { kept } else { &[] });
        if !is_wanted {
            // Only when nothing of somebody else's is in it.
            let _ = std::fs::remove_dir(folder);
        }
        freed
    };
    folders(repo).map(of_folder).sum()
}
