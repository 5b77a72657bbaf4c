//! The words of all paths of a view, inverted once, as bytes that are kept and read in place.
//!
//! ```text
//! version, files, stems, bytes of stems, places   u32 each, little-endian
//! paths                                           128 bits: which paths they are of
//! lengths                                         for each file the bytes of the words of its own name, u32
//! ends of stems                                   for each stem where its bytes end, u32
//! ends of places                                  for each stem where its places end, u32
//! places                                          file, bytes of the words in its own name that have the stem, u32 each
//! stems                                           in ascending order
//! ```
//!
//! Guarantees: a pure function of the paths; numbers that are out of range read as nothing. Kept by the
//! paths ([`PathTerms::name`]), never read from a ref, and never needed.

use super::stems::stem;
use crate::extract::terms;
use crate::id::FileId;
use crate::view::files::Reading;
use crate::view::live::View;
use rustc_hash::FxHashMap;
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3;

/// Bumped when the layout, what a word or a stem is, or which words count changes (a test notices).
const VERSION: u32 = 1;
/// Folder of the tables that are kept.
pub const FOLDER: &str = "paths";
/// Bytes before the lengths.
const HEADER_BYTES: usize = 5 * 4 + 16;
/// Bytes of a place.
const PLACE: usize = 8;
/// Names that say nothing: such a file is named by its folder.
const ENTRY_NAMES: &[&str] = &["index", "mod", "init", "main", "lib"];

/// The stems of every path of a view.
pub struct PathTerms {
    bytes: Box<dyn AsRef<[u8]> + Send + Sync>,
    /// Which paths they are of.
    of: u128,
    files: usize,
    stems: usize,
    lengths: Range<usize>,
    stem_ends: Range<usize>,
    place_ends: Range<usize>,
    places: Range<usize>,
    words: Range<usize>,
}

/// A stem in a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The file.
    pub file: FileId,
    /// Bytes of the words in the file's own name that have the stem; 0 in a directory's.
    pub covers: u32,
}

impl PathTerms {
    /// Takes all paths of a view apart: every component, sub-words included.
    pub fn of(view: &View) -> Self {
        // What is passed over as secret may be so for its path, which is written down nowhere.
        let paths = view.files().iter().map(|file| match file.reading {
            Reading::Secret => &b""[..],
            _ => file.path.as_bytes(),
        });
        let bytes = encode(paths, paths_of(view));
        Self::open(bytes).expect("it was just written")
    }

    /// Opens what was kept by the name of a view's paths.
    pub fn kept(bytes: impl AsRef<[u8]> + Send + Sync + 'static, view: &View) -> Option<Self> {
        Self::open(bytes).filter(|table| table.are_of(view))
    }

    fn open(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Option<Self> {
        let all = bytes.as_ref();
        let number = |at: usize| Some(u32::from_le_bytes(*all.get(4 * at..)?.first_chunk()?));
        let of = u128::from_le_bytes(*all.get(HEADER_BYTES - 16..)?.first_chunk()?);
        let [files, stems, words, places] = [number(1)?, number(2)?, number(3)?, number(4)?];
        let sizes = [
            4 * u64::from(files),
            4 * u64::from(stems),
            4 * u64::from(stems),
            PLACE as u64 * u64::from(places),
            u64::from(words),
        ];
        let size = HEADER_BYTES as u64 + sizes.iter().sum::<u64>();
        if number(0)? != VERSION || size != all.len() as u64 {
            return None;
        }
        let mut end = HEADER_BYTES;
        let [lengths, stem_ends, place_ends, places, words] = sizes.map(|size| {
            let start = end;
            end += size as usize;
            start..end
        });
        Some(Self {
            bytes: Box::new(bytes),
            of,
            files: files as usize,
            stems: stems as usize,
            lengths,
            stem_ends,
            place_ends,
            places,
            words,
        })
    }

    /// The name that the table of a view's paths is kept by.
    pub fn name(view: &View) -> String {
        format!("{FOLDER}/{VERSION}-{:032x}", paths_of(view))
    }

    /// Whether the paths of a view are these.
    pub fn are_of(&self, view: &View) -> bool {
        self.files == view.files().len() && self.of == paths_of(view)
    }

    /// The bytes to keep it by.
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Bytes of the words of a file's own name.
    pub fn length(&self, file: FileId) -> u32 {
        self.number(&self.lengths, file.0 as usize).unwrap_or(0)
    }

    /// Files whose paths hold a stem, in order.
    pub fn holding<'a>(&'a self, stem: &[u8]) -> impl ExactSizeIterator<Item = Held> + use<'a> {
        let list = self.find(stem).map(|at| {
            let range = self.range(&self.place_ends, at);
            let list = self.part(&self.places);
            list.get(PLACE * range.start..PLACE * range.end)
                .unwrap_or_default()
        });
        let number = |four: &[u8]| {
            four.first_chunk()
                .map_or(0, |four| u32::from_le_bytes(*four))
        };
        let places = list.unwrap_or_default().chunks_exact(PLACE);
        places.map(move |place| Held {
            file: FileId(number(place)),
            covers: number(&place[4..]),
        })
    }

    fn find(&self, wanted: &[u8]) -> Option<usize> {
        let words = self.part(&self.words);
        let (mut low, mut high) = (0, self.stems);
        while low < high {
            let middle = low + (high - low) / 2;
            let word = words.get(self.range(&self.stem_ends, middle))?;
            match word.cmp(wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Where what has a number begins and ends, given the ends.
    fn range(&self, ends: &Range<usize>, at: usize) -> Range<usize> {
        let end_of = |at: usize| self.number(ends, at).unwrap_or(0) as usize;
        at.checked_sub(1).map_or(0, end_of)..end_of(at)
    }

    fn number(&self, part: &Range<usize>, at: usize) -> Option<u32> {
        let four = self.part(part).get(4 * at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*four))
    }

    fn part(&self, part: &Range<usize>) -> &[u8] {
        self.bytes().get(part.clone()).unwrap_or_default()
    }
}

fn encode<'a>(paths: impl Iterator<Item = &'a [u8]>, of: u128) -> Vec<u8> {
    let mut postings: FxHashMap<Vec<u8>, Vec<Held>> = FxHashMap::default();
    let mut lengths = Vec::new();
    for (path, id) in paths.zip((0..).map(FileId)) {
        let mut hold = |word: &[u8], covers: u32| {
            let list = postings.entry(stem(word)).or_default();
            match list.last_mut() {
                Some(last) if last.file == id => last.covers = last.covers.max(covers),
                _ => list.push(Held { file: id, covers }),
            }
        };
        lengths.push(take_apart(path, &mut hold));
    }
    let mut postings: Vec<(Vec<u8>, Vec<Held>)> = postings.into_iter().collect();
    postings.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let places: usize = postings.iter().map(|(_, list)| list.len()).sum();
    let words: usize = postings.iter().map(|(stem, _)| stem.len()).sum();
    let mut out = Vec::new();
    for number in [
        VERSION as usize,
        lengths.len(),
        postings.len(),
        words,
        places,
    ] {
        out.extend((number as u32).to_le_bytes());
    }
    out.extend(of.to_le_bytes());
    lengths.iter().for_each(|n| out.extend(n.to_le_bytes()));
    let mut end = 0;
    for (stem, _) in &postings {
        end += stem.len() as u32;
        out.extend(end.to_le_bytes());
    }
    end = 0;
    for (_, list) in &postings {
        end += list.len() as u32;
        out.extend(end.to_le_bytes());
    }
    for held in postings.iter().flat_map(|(_, list)| list) {
        out.extend(held.file.0.to_le_bytes());
        out.extend(held.covers.to_le_bytes());
    }
    postings.iter().for_each(|(stem, _)| out.extend(stem));
    out
}

/// Hands out the words of a path, each with the bytes of the file's own name that it covers, and returns how many bytes
/// the words of that name have.
fn take_apart(path: &[u8], hold: &mut impl FnMut(&[u8], u32)) -> u32 {
    let (path, name) = named_part(path);
    let mut length = 0;
    terms::for_each_word(path, |word, at| {
        let mut parts = 0;
        let mut bytes = 0;
        terms::for_each_subword(word, |part| {
            parts += 1;
            bytes += part.len() as u32;
            hold(part, if at >= name { part.len() as u32 } else { 0 });
        });
        if at >= name {
            length += bytes;
        }
        // `testClient` is also found as one word.
        if parts > 1 {
            let mut whole = Vec::new();
            terms::fold(word, &mut whole);
            whole.retain(|b| *b != b'_');
            hold(&whole, if at >= name { bytes } else { 0 });
        }
    });
    length
}

/// Tells lists of paths apart.
fn paths_of(view: &View) -> u128 {
    let mut hash = Xxh3::new();
    for file in view.files() {
        hash.update(file.path.as_bytes());
        hash.update(&[0]);
    }
    hash.digest128()
}

/// Cuts what follows the first dot off a file's name, and returns the rest of the path with where
/// the part that names the file begins: its own name, or the folder of an entry file.
fn named_part(path: &[u8]) -> (&[u8], usize) {
    let start = path.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    let dot = path[start..].iter().skip(1).position(|b| *b == b'.');
    let path = &path[..dot.map_or(path.len(), |dot| start + 1 + dot)];
    let own = String::from_utf8_lossy(&path[start..]).to_ascii_lowercase();
    if start == 0 || !ENTRY_NAMES.contains(&own.trim_matches('_')) {
        return (path, start);
    }
    let folder = &path[..start - 1];
    let start = folder.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
    (folder, start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    fn named(path: &str) -> String {
        let (path, start) = named_part(path.as_bytes());
        String::from_utf8_lossy(&path[start..]).into_owned()
    }

    const PATHS: &[&str] = &[
        "README.md",
        "lib/router/index.js",
        "src/httpClient/retry_budget.rs",
        "test/testClient.py",
    ];

    fn made() -> Vec<u8> {
        encode(PATHS.iter().map(|path| path.as_bytes()), 7)
    }

    #[test]
    fn a_file_is_named_by_itself_or_by_its_folder() {
        assert_eq!(named("lib/router.js"), "router");
        assert_eq!(named("lib/router.test.js"), "router");
        assert_eq!(named("lib/router/index.js"), "router");
        assert_eq!(named("src/http/__init__.py"), "http");
        assert_eq!(named("index.js"), "index");
        assert_eq!(named(".github/.eslintrc"), ".eslintrc");
        assert_eq!(named("Makefile"), "Makefile");
    }

    #[test]
    fn a_table_says_which_paths_hold_a_stem() {
        let table = PathTerms::open(made()).unwrap();
        let holding = |word: &str| -> Vec<(u32, u32)> {
            let held = table.holding(&stem(word.as_bytes()));
            held.map(|held| (held.file.0, held.covers)).collect()
        };
        assert_eq!(holding("routing"), [(1, 6)]);
        assert_eq!(holding("client"), [(2, 0), (3, 6)]);
        assert_eq!(holding("testclient"), [(3, 10)]);
        assert_eq!(holding("nothing"), []);
        assert_eq!(table.length(FileId(2)), 11);
        assert_eq!((table.files(), table.length(FileId(9))), (4, 0));
    }

    #[test]
    fn what_words_and_stems_are_has_a_version() {
        // Another number than this: raise VERSION too, or tables that are kept say what no longer holds.
        assert_eq!((VERSION, xxh3_64(&made())), (1, 889_200_680_218_889_857));
    }

    proptest! {
        #[test]
        fn damage_does_no_harm(at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<prop::sample::Index>()) {
            let whole = made();
            prop_assert!(PathTerms::open(whole[..cut.index(whole.len())].to_vec()).is_none());
            let mut bytes = whole;
            let at = at.index(bytes.len());
            bytes[at] = byte;
            if let Some(table) = PathTerms::open(bytes) {
                for word in [&b"rout"[..], b"client", b"", b"zzz"] {
                    prop_assert!(table.holding(word).count() <= 64);
                }
                table.length(FileId(0));
            }
        }
    }
}
