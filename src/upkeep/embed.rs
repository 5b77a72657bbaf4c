//! Vectors under the model that `sverklo.model` names, for the documents that were asked for.
//!
//! Guarantees: what has been embedded is kept, whatever comes in between, and nothing with the same
//! bytes is embedded again, of whatever segment and under whatever path it is; an index is as good as
//! before when there is no model or it fails, which is told in a sentence. Code goes to a model that is
//! on another machine only from here.

use crate::extract::record::DocKey;
use crate::git::keys::Purpose;
use crate::git::{Objects, Repo};
use crate::id::{ChunkId, DocId};
use crate::models::chunks::embed_chunks;
use crate::models::configured::{self, with_settings};
use crate::models::{self, TextModel};
use crate::query::engine::FOLDER;
use crate::query::search::backend::of_chunk;
use crate::store::vectors::Blocks;
use crate::store::{OpenSegment, Progress, Snapshot};
use crate::vector::model::Model;
use crate::view::text::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Chunks that go to the model at once: a server's request, and all that a failure loses.
const AT_ONCE: usize = 64;

/// How long the model works before its vectors are written, so that little is lost with the process.
const WRITE_EVERY: Duration = Duration::from_secs(20);

/// Embeds what documents of an index lack under the chosen model: first those of `first`, which are
/// wanted next, then those of `all`; both are sorted. Returns what went wrong, and what must be said.
pub(super) fn complete(
    repo: &Repo,
    index: &Snapshot,
    first: &[DocKey],
    all: &[DocKey],
    progress: &dyn Progress,
) -> Vec<String> {
    let opened = match configured::open(repo, &repo.common_dir().join(FOLDER)) {
        Ok(opened) => opened,
        Err(err) => {
            let chosen = with_settings(Some(repo), |settings| settings.chosen());
            return vec![format!("no vectors of the model {chosen}: {err}")];
        }
    };
    let mut said = opened.warnings;
    let Some(model) = opened.model else {
        said.extend(repo.consent.withheld(Some(Purpose::Model)));
        return said;
    };
    let Some(described) = Model::of_text(model.id(), model.dims()) else {
        said.push(format!("no vectors of a model named {:?}", model.id()));
        return said;
    };
    let mut work = Work {
        repo,
        model: &*model,
        blocks: Blocks::of_model(repo, described),
        index,
        progress,
        fresh: FxHashMap::default(),
        done: 0,
        total: 0,
        unreadable: 0,
        written: Instant::now(),
    };
    if let Err(failure) = work.run([first, all]) {
        let (done, total) = (work.done, work.total);
        let id = model.id();
        said.push(match failure {
            Failure::Model(models::Error::Stopped) => format!(
                "{done} of {total} chunks were embedded by {id}; `git sverklo index` does the rest"
            ),
            Failure::Model(err) => format!(
                "{done} of {total} chunks were embedded by {id}: {err}; `git sverklo index` tries \
                 again"
            ),
            Failure::Block(err) => format!("no vectors of {id} for some segments: {err}"),
        });
    }
    if work.unreadable > 0 {
        let (chunks, id) = (work.unreadable, model.id());
        said.push(format!(
            "{chunks} chunks have no vectors of {id}, because their files are not here"
        ));
    }
    said
}

/// Why not everything was embedded.
enum Failure {
    Model(models::Error),
    Block(crate::vector::Error),
}

impl From<models::Error> for Failure {
    fn from(err: models::Error) -> Self {
        Self::Model(err)
    }
}

impl From<crate::vector::Error> for Failure {
    fn from(err: crate::vector::Error) -> Self {
        Self::Block(err)
    }
}

struct Work<'a> {
    repo: &'a Repo,
    model: &'a dyn TextModel,
    blocks: Blocks,
    index: &'a Snapshot,
    progress: &'a dyn Progress,
    /// Vectors that no block may have yet, by the content of their chunks.
    fresh: FxHashMap<u64, Vec<i8>>,
    done: usize,
    total: usize,
    unreadable: usize,
    written: Instant,
}

impl Work<'_> {
    fn run(&mut self, stages: [&[DocKey]; 2]) -> Result<(), Failure> {
        let index = self.index;
        let lacking = self.blocks.lacking(index);
        let mut missing = Vec::new();
        for open in &lacking {
            let draft = self.blocks.draft(open.segment(), index)?;
            missing.push((*open, draft.missing().to_vec()));
        }
        let mut asked = FxHashSet::default();
        let mut todo: Vec<(&OpenSegment, Vec<ChunkId>)> = Vec::new();
        for keys in stages {
            for (open, missing) in &missing {
                let segment = open.segment();
                let mut chunks = missing.clone();
                chunks.retain(|chunk| {
                    let row = segment.chunk(*chunk);
                    let key = segment.key(row.doc);
                    keys.binary_search(&key).is_ok()
                        && !index.ledger().denies(key.blob)
                        && asked.insert(row.content_hash)
                });
                if !chunks.is_empty() {
                    todo.push((open, chunks));
                }
            }
        }
        self.total = asked.len();
        let outcome = todo
            .into_iter()
            .try_for_each(|(open, chunks)| self.segment(open, &chunks));
        // Also what was done when it failed, and vectors that another segment had.
        for open in lacking {
            self.write(open)?;
        }
        outcome
    }

    /// Embeds chunks of a segment.
    fn segment(&mut self, open: &OpenSegment, chunks: &[ChunkId]) -> Result<(), Failure> {
        let mut source = Source::new(self.repo, open);
        for some in chunks.chunks(AT_ONCE) {
            if self.progress.cancelled() {
                return Err(models::Error::Stopped.into());
            }
            let mut texts = Vec::with_capacity(some.len());
            for chunk in some {
                match source.text(*chunk) {
                    Some(text) => texts.push((open.segment().chunk(*chunk).content_hash, text)),
                    None => self.unreadable += 1,
                }
            }
            let rows = embed_chunks(self.model, texts.into_iter(), &|_| false, &mut |_| {
                ControlFlow::Continue(())
            })?;
            self.fresh
                .extend(rows.into_iter().map(|row| (row.content, row.bytes)));
            self.done += some.len();
            self.progress.chunks(self.done, self.total);
            if self.written.elapsed() > WRITE_EVERY {
                self.write(open)?;
                self.written = Instant::now();
            }
        }
        Ok(())
    }

    /// Writes the block of a segment as far as vectors are known, if these are more than it has.
    fn write(&self, open: &OpenSegment) -> Result<(), Failure> {
        let (segment, named) = (open.segment(), self.index.vectors());
        let mut draft = self.blocks.draft(segment, self.index)?;
        let mut filled = draft.filled();
        for chunk in draft.missing().to_vec() {
            if let Some(vector) = self.fresh.get(&segment.chunk(chunk).content_hash) {
                draft.fill(chunk, vector);
                filled += 1;
            }
        }
        let there = self.blocks.of(segment, Some(open.id()), named);
        let had = there.map_or(0, |block| {
            let products = block.products(0..block.rows);
            products.filter(|product| *product > 0).count()
        });
        if filled > had {
            self.blocks
                .put(segment, open.id(), draft.finish(segment)?)?;
        }
        Ok(())
    }
}

/// Reads what a model is shown of the chunks of a segment.
struct Source<'a> {
    open: &'a OpenSegment,
    objects: Objects,
    /// The document read last.
    doc: Option<(DocId, Option<Text>)>,
}

impl<'a> Source<'a> {
    fn new(repo: &Repo, open: &'a OpenSegment) -> Self {
        Self {
            open,
            objects: repo.objects(),
            doc: None,
        }
    }

    /// What a model is shown of a chunk; `None` when its blob cannot be read.
    fn text(&mut self, chunk: ChunkId) -> Option<String> {
        let segment = self.open.segment();
        let doc = segment.chunk_doc(chunk);
        if self.doc.as_ref().is_none_or(|(read, _)| *read != doc) {
            let mut bytes = Vec::new();
            let read = self.objects.blob(segment.key(doc).blob, &mut bytes);
            self.doc = Some((doc, read.is_ok().then(|| Text::new(bytes))));
        }
        let (_, text) = self.doc.as_ref()?;
        Some(of_chunk(segment, chunk, text.as_ref()?))
    }
}
