//! The model that search asks in place of the static one, if another is chosen.
//!
//! It is opened by the first question that needs it, and kept: a server opens it once. One that cannot
//! be opened or does not answer is left alone for a while, so that not every question waits for it.
//!
//! A question embeds itself, and a few chunks that nobody has embedded yet: what an edit changed. More is
//! left to `git sverklo index`. Where most of a view has vectors, chunks without one are left to the
//! other channels; else all of it is compared under the static model. The answer says which. Code goes to
//! another machine from here never.

use super::vector::Vectors;
use crate::git::Repo;
use crate::git::keys::Purpose;
use crate::id::{ChunkId, CommitId, DocId};
use crate::models::chunks::{embed_chunks, shown};
use crate::models::configured::with_settings;
use crate::models::{Patience, Side, TextModel, quantise};
use crate::segment::Segment;
use crate::store::Snapshot;
use crate::store::vectors::Blocks;
use crate::vector::block::Block;
use crate::vector::model::Model;
use crate::vector::scan::Query;
use crate::view::live::{LiveSegment, View};
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How long a model that failed is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(30);

/// Most chunks that a question has embedded. all-MiniLM-L6-v2 takes some 20 ms a chunk and core.
const FEW: usize = 24;

/// Of so many chunks one may lack a vector before all are compared under the static model.
const MOST_LACKING: usize = 10;

/// Most vectors of chunks that are kept in memory because no block has them: those of edits.
const MOST_FRESH: usize = 4096;

/// A text model with its vectors.
struct OpenModel {
    model: Box<dyn TextModel>,
    blocks: Blocks,
    /// Vectors that questions made, by the content of their chunks.
    fresh: Mutex<FxHashMap<u64, Vec<i8>>>,
}

/// The model that configuration chooses, once somebody asked for it, and the static one.
pub struct Backend {
    fixed: Blocks,
    state: Mutex<State>,
}

#[derive(Default)]
enum State {
    #[default]
    Closed,
    /// The static model is chosen.
    Static,
    Open(Arc<OpenModel>),
    Failed(Instant, String),
}

impl Backend {
    /// Opens nothing yet.
    pub fn new(repo: &Repo) -> Self {
        Self {
            fixed: Blocks::new(repo),
            state: Mutex::default(),
        }
    }

    /// The text model, if one is chosen; or why it cannot be asked.
    fn open(&self, repo: &Repo) -> Result<Option<Arc<OpenModel>>, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Static => return Ok(None),
            State::Open(open) => return Ok(Some(open.clone())),
            State::Failed(at, reason) if at.elapsed() < LEFT_ALONE => return Err(reason.clone()),
            State::Closed | State::Failed(..) => {}
        }
        let opened: Result<_, String> = with_settings(Some(repo), |settings| {
            let model = settings
                .open(Patience::Short)
                .map_err(|err| format!("vectors: static; model {}: {err}", settings.chosen()))?;
            let Some(model) = model else {
                let withheld = repo.consent.withheld(Some(Purpose::Model));
                return withheld.map_or(Ok(None), |why| Err(format!("vectors: static; {why}")));
            };
            let described = Model::of_text(model.id(), model.dims())
                .ok_or_else(|| format!("vectors: static; no model is named {:?}", model.id()))?;
            Ok(Some(Arc::new(OpenModel {
                model,
                blocks: Blocks::of_model(repo, described),
                fresh: Mutex::default(),
            })))
        });
        *state = match &opened {
            Ok(None) => State::Static,
            Ok(Some(open)) => State::Open(open.clone()),
            Err(reason) => State::Failed(Instant::now(), reason.clone()),
        };
        opened
    }

    /// It did not answer: the next questions do not wait for it.
    fn failed(&self, reason: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = State::Failed(Instant::now(), reason.to_owned());
    }
}

/// The vectors of a view under the chosen model.
pub(super) struct ModelVectors {
    pub(super) vectors: Arc<Vectors>,
    /// Which chunks have none.
    pub(super) remark: Option<String>,
}

/// What a view is compared with, by the tip of the index that was looked into; an error is a remark.
#[derive(Default)]
pub struct ViewVectors {
    fixed: OnceLock<Arc<Vectors>>,
    near: Mutex<Option<(Option<CommitId>, Opened)>>,
}

type Opened = Result<Arc<ModelVectors>, String>;

/// The vectors that a view is searched with, opened when a question calls for them.
pub struct VectorSource<'a> {
    backend: &'a Backend,
    repo: &'a Repo,
    view: &'a View,
    snapshot: &'a Snapshot,
    opened: &'a ViewVectors,
}

impl<'a> VectorSource<'a> {
    /// The vectors of a view, with what was opened for it before.
    pub fn new(
        backend: &'a Backend,
        repo: &'a Repo,
        view: &'a View,
        snapshot: &'a Snapshot,
        opened: &'a ViewVectors,
    ) -> Self {
        Self {
            backend,
            repo,
            view,
            snapshot,
            opened,
        }
    }

    /// The vectors of the static model.
    pub(super) fn fixed(&self) -> Arc<Vectors> {
        let make = || Arc::new(Vectors::of(self.view, &self.backend.fixed, self.snapshot));
        self.opened.fixed.get_or_init(make).clone()
    }

    /// The vectors of the chosen model and that of a question; nothing when the static model is chosen.
    /// Fails with a remark when it is to be the static model all the same, and why.
    pub(super) fn ask(
        &self,
        question: &str,
        texts: &mut Texts,
    ) -> Result<Option<(Arc<ModelVectors>, Query)>, String> {
        let Some(open) = self.backend.open(self.repo)? else {
            return Ok(None);
        };
        let near = self.near(&open, texts)?;
        let id = open.model.id();
        let embedded = open.model.embed(&[&shown(question)], Side::Query);
        let vector = match embedded {
            Ok(vectors) => quantise(vectors.first().map_or(&[], Vec::as_slice)),
            Err(err) => {
                let reason = format!("vectors: static; model {id}: {err}");
                self.backend.failed(&reason);
                return Err(reason);
            }
        };
        let square = |c: &i8| u32::from(c.unsigned_abs()).pow(2);
        let product: u32 = vector.iter().map(square).sum();
        if product == 0 {
            return Err(format!("vectors: static; model {id} has no vector of this"));
        }
        Ok(Some((near, Query::new(&vector, product))))
    }

    /// The vectors of the view, looked for once for each tip.
    fn near(&self, open: &OpenModel, texts: &mut Texts) -> Opened {
        let near = self.opened.near.lock();
        let mut kept = near.unwrap_or_else(PoisonError::into_inner);
        if let Some((tip, looked)) = &*kept
            && *tip == self.snapshot.tip
        {
            return looked.clone();
        }
        let looked = self.look(open, texts);
        *kept = Some((self.snapshot.tip, looked.clone()));
        looked
    }

    fn look(&self, open: &OpenModel, texts: &mut Texts) -> Opened {
        let segments = self.view.segments();
        let of = |live: &LiveSegment| {
            let stored = self.snapshot.segments().iter();
            let mut stored = stored.filter(|open| Arc::ptr_eq(open.segment(), &live.segment));
            let id = stored.next().map(|open| open.id());
            open.blocks.of(&live.segment, id, self.snapshot.vectors())
        };
        let mut blocks: Vec<Option<Arc<Block>>> = segments.iter().map(of).collect();
        let mut lacking = self.lacking(&blocks);
        // Of a repository that nobody has embedded nothing is put together.
        let is_begun = blocks.iter().any(Option::is_some) || lacking.len() <= FEW;
        if is_begun && !lacking.is_empty() {
            self.complete(open, &mut blocks, &lacking);
            lacking = self.lacking(&blocks);
        }
        if (1..=FEW).contains(&lacking.len()) && !open.model.leaves_machine() {
            // What cannot be embedded now has no vector, which is said.
            self.embed(open, &lacking, texts);
            self.complete(open, &mut blocks, &lacking);
            lacking = self.lacking(&blocks);
        }
        let all: u64 = segments.iter().map(|live| live.chunks().len()).sum();
        let id = open.model.id();
        let uncommitted = lacking.iter().filter(|of| self.is_uncommitted(of)).count();
        let advice = match uncommitted == lacking.len() {
            true => "which are uncommitted",
            false => "run git sverklo index",
        };
        let count = lacking.len();
        if count.saturating_mul(MOST_LACKING) > all as usize {
            return Err(format!(
                "vectors: static; model {id} lacks {count} of {all} chunks, {advice}"
            ));
        }
        let remark = (count > 0)
            .then(|| format!("no vectors of model {id} for {count} of {all} chunks, {advice}"));
        Ok(Arc::new(ModelVectors {
            vectors: Arc::new(Vectors::with(self.view, blocks)),
            remark,
        }))
    }

    /// Live chunks without a vector, by the position of their segment.
    fn lacking(&self, blocks: &[Option<Arc<Block>>]) -> Vec<(usize, ChunkId)> {
        let mut out = Vec::new();
        for ((live, block), at) in self.view.segments().iter().zip(blocks).zip(0..) {
            let has_one = |row: u32| {
                let product = |block: &Block| block.products(row..row.saturating_add(1)).next();
                block.as_deref().and_then(product).is_some_and(|p| p > 0)
            };
            let without = live.chunks().iter().filter(|row| !has_one(*row));
            out.extend(without.map(|row| (at, ChunkId(row))));
        }
        out
    }

    /// Fills blocks with vectors that are known of other chunks with the same content.
    fn complete(
        &self,
        open: &OpenModel,
        blocks: &mut [Option<Arc<Block>>],
        lacking: &[(usize, ChunkId)],
    ) {
        let fresh = open.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = lacking.iter().map(|(at, _)| *at).collect::<Vec<_>>();
        at.dedup();
        for at in at {
            let (Some(live), Some(block)) = (self.view.segments().get(at), blocks.get_mut(at))
            else {
                continue;
            };
            let segment = &live.segment;
            let Ok(mut draft) = open.blocks.draft(segment, self.snapshot) else {
                continue;
            };
            for chunk in draft.missing().to_vec() {
                if let Some(vector) = fresh.get(&segment.chunk(chunk).content_hash) {
                    draft.fill(chunk, vector);
                }
            }
            *block = draft.finish(segment).ok().map(Arc::new);
        }
    }

    /// Embeds chunks for this question and those that follow.
    fn embed(&self, open: &OpenModel, chunks: &[(usize, ChunkId)], texts: &mut Texts) {
        let shown = chunks.iter().filter_map(|(at, chunk)| {
            let live = self.view.segments().get(*at)?;
            let row = live.segment.chunk(*chunk);
            let file = live.files_of(row.doc).next()?;
            let text = texts.if_here(self.view, file)?;
            Some((row.content_hash, of_chunk(&live.segment, *chunk, &text)))
        });
        let shown: Vec<(u64, String)> = shown.collect();
        let rows = embed_chunks(&*open.model, shown.into_iter(), &|_| false, &mut |_| {
            ControlFlow::Continue(())
        });
        let mut fresh = open.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if fresh.len() > MOST_FRESH {
            fresh.clear();
        }
        let rows = rows.unwrap_or_default().into_iter();
        fresh.extend(rows.map(|row| (row.content, row.bytes)));
    }

    fn is_uncommitted(&self, (at, chunk): &(usize, ChunkId)) -> bool {
        let segments = self.view.segments();
        segments.get(*at).is_some_and(|live| {
            let doc: DocId = live.segment.chunk(*chunk).doc;
            let mut files = live.files_of(doc);
            files.all(|file| self.view.file(file).dirty)
        })
    }
}

/// What a model is shown of a chunk, given the text of its document.
pub(crate) fn of_chunk(segment: &Segment, chunk: ChunkId, text: &Text) -> String {
    let row = segment.chunk(chunk);
    shown(&String::from_utf8_lossy(
        text.lines(row.start_line, row.end_line),
    ))
}
