//! The text of files, cut from git blobs or uncommitted files when an answer is made.
//!
//! Guarantee: what is returned has the blob id the view gives for the file, with the secrets in it masked
//! ([`crate::secrets`]), which moves no byte. Text never comes from a segment; a segment only says where
//! to cut, and every cut is clipped to the text. Files passed over as secret have no text.

use super::comments::KeptComments;
use super::files::Reading;
use super::live::{FileId, View};
use super::written::CheckedWords;
use crate::git::{self, Objects, Repo, worktree};
use crate::id::BlobId;
use crate::secrets;
use crate::store::parallel;
use rustc_hash::{FxHashMap, FxHashSet};
use std::any::{Any, TypeId};
use std::ops::Range;
use std::sync::Arc;

/// Texts kept between questions, in bytes. Enough for the files of a few answers.
const CACHE_BYTES: usize = 4 << 20;
/// Texts kept while one is answered: an answer about a branch comes back to most of the files that it has read.
const HELD_BYTES: usize = 64 << 20;
/// Files from which on threads read them: one costs more than a few files do.
pub const PARALLEL_FROM: usize = 8;

/// The content of one file with its line starts. Secrets are masked: for searching, by [`secrets::FILL`] for
/// each byte; for quoting, by a mark of the same length.
pub struct Text {
    bytes: Vec<u8>,
    /// The same with marks; `None` when no secret was found.
    marked: Option<Vec<u8>>,
    /// Whether there is little else in it than secrets.
    pub(crate) is_secret: bool,
    starts: Vec<u32>,
}

impl Text {
    /// Wraps content.
    pub fn new(bytes: Vec<u8>) -> Self {
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', &bytes).map(|at| at as u32 + 1));
        let found = secrets::spans(&bytes);
        if found.is_empty() {
            return Self {
                bytes,
                marked: None,
                is_secret: false,
                starts,
            };
        }
        let blank = secrets::blank(&bytes, &found).into_owned();
        let mut marked = blank.clone();
        secrets::mark(&mut marked, &found);
        Self {
            is_secret: secrets::are_most(&bytes, &found),
            bytes: blank,
            marked: Some(marked),
            starts,
        }
    }

    /// All of it, as it is searched and recorded.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All of it, as it is quoted.
    fn quoted(&self) -> &[u8] {
        self.marked.as_deref().unwrap_or(&self.bytes)
    }

    /// The bytes of a range, clipped to the text.
    pub fn slice(&self, range: Range<u32>) -> &[u8] {
        let end = (range.end as usize).min(self.bytes.len());
        let start = (range.start as usize).min(end);
        &self.quoted()[start..end]
    }

    /// The line (from 1) and byte column (from 0) of an offset.
    pub fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|at| self.starts.get(at));
        (line as u32, offset - start.copied().unwrap_or(0))
    }

    /// Whether these bytes stand at a line (from 1) and byte column (from 0).
    pub fn has(&self, line: u32, col: u32, bytes: &[u8]) -> bool {
        let start = (line as usize).checked_sub(1);
        let start = start.and_then(|at| self.starts.get(at));
        let start = start.and_then(|start| start.checked_add(col));
        let rest = start.and_then(|start| self.bytes.get(start as usize..));
        rest.is_some_and(|rest| rest.starts_with(bytes))
    }

    /// Offsets at which a word stands whole: no letter or digit of any script adjoins it, nor `_`.
    pub fn words<'a>(&'a self, word: &'a [u8]) -> impl Iterator<Item = u32> + 'a {
        whole_words(&self.bytes, word)
    }

    /// The byte column of a line (from 1) at which a whole word first stands.
    pub fn word_on(&self, line: u32, word: &[u8]) -> Option<u32> {
        whole_words(self.line(line), word).next()
    }

    /// Where in the bytes a line (from 1) begins; `None` past the end.
    pub fn start(&self, line: u32) -> Option<usize> {
        let at = line.checked_sub(1)?;
        self.starts.get(at as usize).map(|start| *start as usize)
    }

    /// A line (from 1) without its line ending; empty past the end.
    pub fn line(&self, line: u32) -> &[u8] {
        let bytes = self.lines(line, line);
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }

    /// Lines `first` to `last` (from 1, inclusive) without the last line ending, clipped.
    pub fn lines(&self, first: u32, last: u32) -> &[u8] {
        let (start, end) = self.range(first, last);
        let bytes = &self.quoted()[start..end];
        bytes.strip_suffix(b"\n").unwrap_or(bytes)
    }

    fn range(&self, first: u32, last: u32) -> (usize, usize) {
        let at = |line: u32| {
            self.starts
                .get(line as usize)
                .map_or(self.bytes.len(), |s| *s as usize)
        };
        let start = at(first.max(1) - 1);
        (start, at(last).max(start))
    }
}

/// Reads the text of files and keeps the latest.
pub struct Texts {
    pub(super) repo: Arc<Repo>,
    objects: Objects,
    cached: FxHashMap<BlobId, Arc<Text>>,
    cached_bytes: usize,
    /// How much is kept now.
    limit: usize,
    missing: Vec<BlobId>,
    /// Which words were found to stand in the texts (see [`super::written`]).
    pub(super) checked: CheckedWords,
    pub(super) comments: KeptComments,
    /// What those who read texts keep of them, by its type.
    kept: FxHashMap<TypeId, Box<dyn Any + Send>>,
}

impl Texts {
    /// Starts with an empty cache.
    pub fn new(repo: Arc<Repo>) -> Self {
        Self {
            objects: repo.objects(),
            repo,
            cached: FxHashMap::default(),
            cached_bytes: 0,
            limit: CACHE_BYTES,
            missing: Vec::new(),
            checked: CheckedWords::default(),
            comments: KeptComments::default(),
            kept: FxHashMap::default(),
        }
    }

    /// What whoever reads texts keeps of them between questions, by content: one of each type, which bounds itself.
    pub fn kept<T: Any + Default + Send>(&mut self) -> &mut T {
        let kept = self.kept.entry(TypeId::of::<T>());
        let kept = kept.or_insert_with(|| Box::new(T::default()));
        kept.downcast_mut().expect("it is kept by its type")
    }

    /// Returns the blobs that were asked for since the last call and are not in the object store,
    /// each once.
    pub fn take_missing(&mut self) -> Vec<BlobId> {
        let mut missing = std::mem::take(&mut self.missing);
        missing.sort_unstable();
        missing.dedup();
        missing
    }

    /// The text of a file; `None` when it is a secret, or its blob is missing, which is remembered.
    pub fn get(&mut self, view: &View, id: FileId) -> Option<Arc<Text>> {
        if view.file(id).reading == Reading::Secret {
            return None;
        }
        match self.read(view, id) {
            Ok(text) => Some(text).filter(|text| !text.is_secret),
            Err(err) => {
                if err.is_missing_object() {
                    self.missing.push(view.file(id).blob);
                }
                None
            }
        }
    }

    /// As [`Texts::get`], but a blob that is missing is not remembered, so nobody fetches it.
    pub fn if_here(&mut self, view: &View, id: FileId) -> Option<Arc<Text>> {
        if view.file(id).reading == Reading::Secret {
            return None;
        }
        let text = self.read(view, id).ok()?;
        Some(text).filter(|text| !text.is_secret)
    }

    /// The texts of some files, each as [`Texts::get`] has it, read by all cores.
    pub fn all(&mut self, view: &View, files: &[FileId]) -> Vec<Option<Arc<Text>>> {
        let mut seen: FxHashSet<BlobId> = FxHashSet::default();
        let is_new = |id: &FileId| {
            let file = view.file(*id);
            file.reading != Reading::Secret
                && !self.cached.contains_key(&file.blob)
                && seen.insert(file.blob)
        };
        let unread: Vec<FileId> = files.iter().copied().filter(is_new).collect();
        if unread.len() < PARALLEL_FROM {
            return files.iter().map(|id| self.get(view, *id)).collect();
        }
        let repo = &self.repo;
        let read = |objects: &mut Objects, id: &FileId| {
            let content = content(repo, objects, view, *id).ok()?;
            Some((view.file(*id).blob, Arc::new(Text::new(content))))
        };
        let read = parallel::map(&unread, parallel::cores(), || repo.objects(), read);
        // More than is held, perhaps.
        let read: FxHashMap<BlobId, Arc<Text>> = read.into_iter().flatten().collect();
        let all = files.iter().map(|id| {
            let file = view.file(*id);
            let known = read.get(&file.blob);
            match known.filter(|_| file.reading != Reading::Secret) {
                Some(text) => Some(text.clone()).filter(|text| !text.is_secret),
                None => self.get(view, *id),
            }
        });
        let all = all.collect();
        for (blob, text) in read {
            self.keep(blob, text);
        }
        all
    }

    /// The bytes of a file as they are.
    pub(super) fn content(&mut self, view: &View, id: FileId) -> Result<Vec<u8>, git::Error> {
        content(&self.repo, &mut self.objects, view, id)
    }

    fn read(&mut self, view: &View, id: FileId) -> Result<Arc<Text>, git::Error> {
        let file = view.file(id);
        if let Some(text) = self.cached.get(&file.blob) {
            return Ok(text.clone());
        }
        let text = Arc::new(Text::new(self.content(view, id)?));
        self.keep(file.blob, text.clone());
        Ok(text)
    }

    fn keep(&mut self, blob: BlobId, text: Arc<Text>) {
        if self.cached_bytes + text.bytes.len() > self.limit {
            self.forget_texts();
        }
        self.cached_bytes += text.bytes.len();
        if let Some(before) = self.cached.insert(blob, text) {
            self.cached_bytes -= before.bytes.len();
        }
    }

    /// Begins a question: what is read for it is at hand until [`Texts::end`].
    pub(super) fn hold(&mut self) {
        self.limit = HELD_BYTES;
    }

    /// Ends a question: what is more than is kept between two is given back.
    pub fn end(&mut self) {
        self.limit = CACHE_BYTES;
        if self.cached_bytes > CACHE_BYTES {
            self.forget_texts();
        }
    }

    fn forget_texts(&mut self) {
        self.cached = FxHashMap::default();
        self.cached_bytes = 0;
    }
}

/// The bytes of a file as they are.
fn content(
    repo: &Repo,
    objects: &mut Objects,
    view: &View,
    id: FileId,
) -> Result<Vec<u8>, git::Error> {
    let file = view.file(id);
    if let Some(content) = view.content(file.blob) {
        return Ok(content.to_vec());
    }
    if let Some(bytes) = worktree::read_unchanged(repo, objects, &file.path, file.blob) {
        return Ok(bytes);
    }
    let mut bytes = Vec::new();
    objects.blob(file.blob, &mut bytes)?;
    Ok(bytes)
}

/// Bytes as one line of text: valid UTF-8, white space folded, at most `limit` bytes.
pub fn fold_line(bytes: &[u8], limit: usize) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(limit * 4)]);
    let mut out = String::new();
    for word in text.split_whitespace() {
        if out.len() + word.len() + 1 > limit {
            let room = limit.saturating_sub(out.len() + 4);
            let cut = (0..=room.min(word.len()))
                .rev()
                .find(|i| word.is_char_boundary(*i));
            out.push(' ');
            out.push_str(&word[..cut.unwrap_or(0)]);
            out.push_str("...");
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether a byte beside a word is more of that.
pub(super) fn adjoins(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// Where a word stands in bytes and is no part of a longer one.
fn whole_words<'a>(bytes: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = u32> + 'a {
    let whole = move |at: &usize| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(at + word.len());
        !before.is_some_and(adjoins) && !after.is_some_and(adjoins)
    };
    let found = memchr::memmem::find_iter(bytes, word).filter(whole);
    found.map(|at| at as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::write::blob_id;

    #[test]
    fn a_word_of_a_line_is_whole() {
        let text = Text::new(b"go\nactual fun actu() = go(going)\n".to_vec());
        assert_eq!(text.word_on(2, b"actu"), Some(11));
        assert_eq!(text.word_on(2, b"go"), Some(20));
        assert_eq!(text.word_on(2, b"goin"), None);
        assert_eq!(text.word_on(9, b"go"), None);
    }

    #[test]
    fn a_word_ends_where_no_letter_follows() {
        let text = Text::new("get getter _get x.get() geté get".as_bytes().to_vec());
        let whole: Vec<u32> = text.words(b"get").collect();
        assert_eq!(whole, [0, 18, 30]);
    }

    #[test]
    fn lines_are_cut_and_clipped() {
        let text = Text::new(b"one\r\ntwo\nthree".to_vec());
        assert_eq!(text.line(1), b"one");
        assert_eq!(text.line(3), b"three");
        assert_eq!(text.line(4), b"");
        assert_eq!(text.lines(1, 2), b"one\r\ntwo");
        assert_eq!(text.lines(2, 99), b"two\nthree");
        assert_eq!(text.lines(0, 1), b"one\r");
        assert_eq!(text.lines(9, 3), b"");
        assert_eq!(text.slice(5..8), b"two");
        assert!(text.has(2, 0, b"two") && text.has(2, 1, b"wo") && text.has(9, 0, b"").eq(&false));
        assert!(
            !text.has(1, u32::MAX, b"one") && !text.has(0, 0, b"one") && !text.has(3, 0, b"three!")
        );
        assert_eq!(text.place(0), (1, 0));
        assert_eq!(text.place(6), (2, 1));
        assert_eq!(text.slice(90..95), b"");
        assert_eq!(Text::new(Vec::new()).lines(1, 1), b"");
    }

    #[test]
    fn long_lines_are_folded_and_marked() {
        assert_eq!(fold_line(b"  a\n\t b  c ", 20), "a b c");
        let cut = fold_line("x".repeat(300).as_bytes(), 20);
        assert!(cut.len() <= 20 && cut.ends_with("..."), "{cut}");
        let cut = fold_line("é".repeat(300).as_bytes(), 21);
        assert!(cut.ends_with("..."), "{cut}");
    }

    #[test]
    fn texts_are_held_while_a_question_is_answered() {
        let temp = tempfile::tempdir().unwrap();
        gix::init(temp.path()).unwrap();
        let mut texts = Texts::new(Arc::new(Repo::discover(temp.path()).unwrap()));
        let blob = |n: u8| blob_id(gix::hash::Kind::Sha1, &[n]).unwrap();
        let read = |texts: &mut Texts| {
            for n in 0..3 {
                texts.keep(blob(n), Arc::new(Text::new(vec![b'a'; CACHE_BYTES / 2])));
            }
            texts.cached.len()
        };
        assert!(read(&mut texts) < 3, "between questions");
        texts.begin("");
        assert_eq!(read(&mut texts), 3);
        // Once more is as once.
        assert_eq!(read(&mut texts), 3);
        assert_eq!(texts.cached_bytes, 3 * (CACHE_BYTES / 2));
        texts.end();
        assert_eq!((texts.cached.len(), texts.cached_bytes), (0, 0));
        texts.begin("");
        texts.keep(blob(1), Arc::new(Text::new(vec![b'a'; 9])));
        texts.end();
        assert_eq!(texts.cached.len(), 1);
    }
}
