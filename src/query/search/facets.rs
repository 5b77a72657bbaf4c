//! Sets of a view's files and chunks that filters are put together from, each made when a question first asks for it.
//!
//! Compressed bitmaps: a set costs a bit for each of what it holds densely and two bytes for each of what it holds
//! thinly, and cutting two of them takes microseconds. What is asked of a whole filter again and again is a plain
//! array of bits ([`Bits`]), which is tested in one step.

use super::memo::Memo;
use super::norms::Norms;
use crate::extract::record::{Grammar, SymbolKind};
use crate::id::{ChunkId, DocId, SegmentOrd};
use crate::query::scope::Filter;
use crate::view::live::View;
use roaring::RoaringBitmap;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// Bytes of admitted sets kept for a view: agents ask within the same few folders.
const ROOM: usize = 4 << 20;

/// Numbers as bits.
pub struct Bits(Box<[u64]>);

impl Bits {
    /// Those of some numbers that are less than a length.
    pub fn of(numbers: impl IntoIterator<Item = u32>, len: usize) -> Self {
        let mut words = vec![0u64; len.div_ceil(64)];
        for number in numbers {
            if let Some(word) = words.get_mut(number as usize / 64) {
                *word |= 1 << (number % 64);
            }
        }
        Self(words.into())
    }

    /// Whether a number is among them.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        let word = self.0.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The numbers from a multiple of 64 on, as bits.
    #[inline]
    pub fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }
}

/// What of a view a filter lets pass.
pub struct Sets {
    /// Files, by their ids.
    pub files: RoaringBitmap,
    /// Documents that stand in one of them, by number.
    pub docs: Bits,
    /// The chunks of these that show a symbol of an admitted kind, by number.
    pub chunks: Bits,
}

/// The sets of one view.
pub struct Facets {
    languages: OnceLock<BTreeMap<Grammar, RoaringBitmap>>,
    kinds: OnceLock<BTreeMap<SymbolKind, RoaringBitmap>>,
    admitted: Memo<Sets>,
}

impl Facets {
    /// Nothing yet.
    pub fn new() -> Self {
        Self {
            languages: OnceLock::new(),
            kinds: OnceLock::new(),
            admitted: Memo::new(ROOM),
        }
    }

    /// What a filter lets pass; `None` when that is everything.
    pub fn admitted(&self, view: &View, norms: &Norms, filter: &Filter) -> Option<Arc<Sets>> {
        if filter.is_open() {
            return None;
        }
        let make = || self.cut(view, norms, filter);
        Some(match filter.key() {
            Some(key) => self.admitted.get(&key, Sets::size, make),
            None => Arc::new(make()),
        })
    }

    fn cut(&self, view: &View, norms: &Norms, filter: &Filter) -> Sets {
        let of_language = |language| self.of_language(view, language);
        let files = filter.files(view, of_language);
        let docs = files.iter().filter_map(|file| {
            let doc = view.files().get(file as usize)?.doc?;
            Some(norms.number(doc))
        });
        let docs = Bits::of(docs, norms.doc_count());
        let is_admitted = |chunk: &u32| norms.doc_of(*chunk).is_some_and(|doc| docs.has(doc));
        let len = norms.chunk_count();
        let chunks = match filter.restricts_kinds() {
            true => {
                let kinds = self.kinds(view, norms).iter();
                let wanted = kinds.filter(|(kind, _)| filter.admits_kind(**kind));
                let wanted = wanted.flat_map(|(_, chunks)| chunks.iter());
                Bits::of(wanted.filter(is_admitted), len)
            }
            false => Bits::of((0..len as u32).filter(is_admitted), len),
        };
        Sets {
            files,
            docs,
            chunks,
        }
    }

    /// The files whose document is of a language.
    fn of_language(&self, view: &View, language: Grammar) -> RoaringBitmap {
        let languages = self.languages.get_or_init(|| {
            let mut languages: BTreeMap<Grammar, RoaringBitmap> = BTreeMap::new();
            for (file, id) in view.files().iter().zip(0u32..) {
                if let Some(doc) = file.doc {
                    let language = view.segment(doc.segment).segment.doc(doc.doc).lang;
                    languages.entry(language).or_default().insert(id);
                }
            }
            languages
        });
        languages.get(&language).cloned().unwrap_or_default()
    }

    /// The live chunks that show a symbol, by its kind.
    fn kinds(&self, view: &View, norms: &Norms) -> &BTreeMap<SymbolKind, RoaringBitmap> {
        self.kinds.get_or_init(|| {
            let mut kinds: BTreeMap<SymbolKind, RoaringBitmap> = BTreeMap::new();
            let mut of_doc = Vec::new();
            for (live, ord) in view.segments().iter().zip((0..).map(SegmentOrd)) {
                let (segment, base) = (&live.segment, norms.chunk_base(ord));
                for doc in &live.docs {
                    of_doc.clear();
                    of_doc.extend(segment.symbols(DocId(doc)).map(|symbol| symbol.kind));
                    let chunks = segment.doc(DocId(doc)).chunks;
                    for chunk in chunks.start.0..chunks.end.0.min(segment.chunk_count()) {
                        let symbol = segment.chunk_symbol(ChunkId(chunk));
                        if let Some(kind) = symbol.and_then(|at| of_doc.get(at as usize)) {
                            kinds.entry(*kind).or_default().insert(base + chunk);
                        }
                    }
                }
            }
            kinds
        })
    }
}

impl Default for Facets {
    fn default() -> Self {
        Self::new()
    }
}

impl Sets {
    fn size(&self) -> usize {
        self.files.serialized_size() + 8 * (self.docs.0.len() + self.chunks.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::extract;
    use crate::git::path::RepoPath;
    use crate::git::tree::{EntryMode, TreeEntry};
    use crate::id::BlobId;
    use crate::query::request::Scope;
    use crate::segment::{Segment, build};
    use crate::view::files::File;
    use crate::view::live::FileId;
    use gix::hash::Kind;

    const FILES: &[(&str, &str)] = &[
        ("README.md", "# Title\n\nwords of people\n"),
        ("lib/a.rs", "struct One;\nfn two() { three() }\n"),
        (
            "lib/b.py",
            "class Four:\n    def five(self):\n        pass\n",
        ),
        ("lib-old/a.rs", "struct One;\nfn two() { three() }\n"),
        ("lib/deep/c.tsx", "export function six() { return 7 }\n"),
        ("liberty/d.ts", "export class Eight {}\n"),
        ("nothing.lock", ""),
    ];

    /// A view of some files, whose documents are cut into two segments.
    fn view() -> View {
        let mut files = Vec::new();
        let mut rows = [Vec::new(), Vec::new()];
        for ((path, text), at) in FILES.iter().zip(0..) {
            // Two files of the same content.
            let of = FILES
                .iter()
                .position(|(_, same)| same == text)
                .unwrap_or(at);
            let entry = TreeEntry {
                path: RepoPath::new(path.as_bytes()).unwrap(),
                mode: EntryMode::File,
                id: BlobId::from_bytes(&[of as u8 + 1; 20]).unwrap(),
            };
            let file = File::new(entry, false);
            if let Some(key) = file.key()
                && of == at
            {
                rows[at % 2].push((key, extract(text.as_bytes(), key.grammar)));
            }
            files.push(file);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let segments = rows.map(|rows| {
            let bytes = build(Kind::Sha1, rows).unwrap();
            Arc::new(Segment::open(bytes).unwrap())
        });
        View::join(files, &segments, 0)
    }

    fn filter(globs: &[&str], languages: &[&str], kinds: &[&str]) -> Filter {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Filter::new(&Scope {
            globs: owned(globs),
            languages: owned(languages),
            kinds: owned(kinds),
            ..Scope::default()
        })
        .unwrap()
    }

    #[test]
    fn sets_hold_what_a_filter_admits() {
        let view = view();
        let norms = Norms::of(&view);
        let facets = Facets::new();
        assert!(facets.admitted(&view, &norms, &Filter::open()).is_none());
        let globs: &[&[&str]] = &[
            &[],
            &["lib/"],
            &["lib"],
            &["lib/a.rs"],
            &["lib/deep", "liberty/d.ts"],
            &["lib/a.rs/"],
            &["*.rs"],
            &["lib/", "!*.py"],
            &["/lib/"],
            &["./lib/deep/"],
            &["nowhere/"],
        ];
        let languages: &[&[&str]] = &[&[], &["rust"], &["typescript"], &["python", "markdown"]];
        let kinds: &[&[&str]] = &[&[], &["function"], &["class", "struct"], &["interface"]];
        let mut admitted = 0;
        for (globs, languages) in globs
            .iter()
            .flat_map(|g| languages.iter().map(move |l| (g, l)))
        {
            for kinds in kinds {
                let filter = filter(globs, languages, kinds);
                if filter.is_open() {
                    continue;
                }
                let sets = facets.admitted(&view, &norms, &filter).unwrap();
                for (file, id) in view.files().iter().zip(0..) {
                    let passes = filter.admits(&view, file);
                    assert_eq!(
                        sets.files.contains(id),
                        passes,
                        "{globs:?} {languages:?} {id}"
                    );
                }
                for number in 0..norms.chunk_count() as u32 {
                    let chunk = norms.chunk(number);
                    let live = view.segment(chunk.segment);
                    let row = live.segment.chunk(chunk.chunk);
                    let symbol = row.symbol.map(|at| at as usize);
                    let symbol = symbol.and_then(|at| live.segment.symbols(row.doc).nth(at));
                    let is_of_kind = kinds.is_empty()
                        || symbol.is_some_and(|symbol| filter.admits_kind(symbol.kind));
                    let is_there = live
                        .files_of(row.doc)
                        .any(|file: FileId| filter.admits(&view, view.file(file)));
                    let doc = norms.doc_of(number).unwrap();
                    assert_eq!(sets.docs.has(doc), is_there, "{globs:?} {languages:?}");
                    let passes = is_of_kind && is_there;
                    assert_eq!(
                        sets.chunks.has(number),
                        passes,
                        "{globs:?} {languages:?} {kinds:?}"
                    );
                    admitted += usize::from(passes);
                }
            }
        }
        assert!(admitted > 50, "{admitted}");
    }
}
