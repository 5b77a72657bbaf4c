//! First answers, while the index is made ([`super::filling`]): the files that hold what is asked for are found and read,
//! by their text where the index lacks them and else by what it has ([`super::indexed`]); the others are listed and not
//! covered.
//!
//! Guarantee: an answer says from how many of the files that hold it it is, and how many were looked at.

use super::filling::Run;
use super::fit::{Fit, Held, Rooms};
use super::indexed::files_with;
use super::sketch::{Sketcher, Wanted};
use super::{Engine, Pinned, pinned};
use crate::git::Head;
use crate::git::tree::TreeEntry;
use crate::git::worktree::Sighted;
use crate::limits::MAX_PARSED_BYTES;
use crate::query::Error;
use crate::query::ids::ParsedId;
use crate::query::pattern::Pattern;
use crate::query::request::Revision;
use crate::query::search::{query::QueryTerms, stems};
use crate::query::target::Target;
use crate::segment::Segment;
use crate::store::Progress;
use crate::view::files::File;
use crate::view::live::FileId;
use crate::view::overlay;
use memchr::memmem::Finder;
use std::cmp::Reverse;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a first question waits for the index itself.
const PATIENCE: Duration = Duration::from_millis(100);

/// Documents that nobody waits for: they take longer than that.
const TOO_MANY: usize = 500;

/// How long files are looked through.
const LOOK: Duration = Duration::from_millis(300);

/// Bytes that a file is read into at first.
const ROOM: usize = 64 << 10;

/// Most files that are read for a first answer: extracting one takes about a millisecond.
const MOST_FILES: usize = 120;

/// Most files whose documents the index has that are read for it as well.
const MOST_INDEXED: usize = 1000;

/// Most of them at a path that is asked for: an outline of a folder takes no graph.
const MOST_AT_PATH: usize = 5000;

/// Most words that are looked for.
const MOST_WORDS: usize = 6;

/// Shortest word of a query that is looked for: shorter ones are in most files.
const SHORTEST: usize = 3;

/// Words before a name that defines something.
const DEFINING: &[&[u8]] = byte_words!(
    "class struct interface enum trait impl type module namespace object protocol extension record union def fn func \
    function fun sub const let var val static define export default defp defmodule"
);

/// What a question looks for, in words that its files hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::query) struct Needles {
    /// Each as it may be written.
    words: Vec<Vec<u8>>,
    /// Paths, or ends of them, that are asked for themselves.
    paths: Vec<String>,
    seeks: Seeks,
}

/// What a question does with the files that hold its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seeks {
    /// It asks what their names mean, so no others are read: a graph of all that the index has takes seconds.
    Uses,
    /// It ranks them, beside all that the index has.
    Topic,
    /// It reads each file where it lies, so that none has to be found before.
    Lines,
}

impl Needles {
    /// Of a target, if it has a name or a path.
    pub(in crate::query) fn of_target(given: &str) -> Option<Self> {
        let (target, id) = (Target::read(given), ParsedId::parse(given.trim()));
        // What is no name may be a route, which no text holds as it is asked for.
        let is_route = given.trim().contains(char::is_whitespace) || given.trim().starts_with('/');
        if is_route && id.is_none() && target.lines.is_none() {
            return None;
        }
        // Of what a pattern matches a few files say too little.
        if id.is_none() && !Pattern::read(&target).is_empty() {
            return None;
        }
        let (path, name) = match (&id, &target.lines) {
            (Some(id), _) => (id.path, id.name()),
            (None, Some(lines)) => (lines.path.as_str(), lines.named.as_str()),
            (None, None) => (target.path.as_str(), target.name.own.as_str()),
        };
        let told = |text: &str| !text.is_empty();
        let needles = Self {
            words: told(name)
                .then(|| name.as_bytes().to_vec())
                .into_iter()
                .collect(),
            paths: told(path).then(|| path.to_owned()).into_iter().collect(),
            seeks: Seeks::Uses,
        };
        (told(name) || told(path)).then_some(needles)
    }

    /// Of words that are ranked by.
    pub(in crate::query) fn of_words(query: &str) -> Option<Self> {
        let mut words: Vec<Vec<u8>> = QueryTerms::parse(query)
            .words
            .iter()
            .map(|word| stems::stem(word.to_lowercase().as_bytes()))
            .filter(|stem| stem.len() >= SHORTEST)
            .collect();
        words.sort_by_key(|word| Reverse(word.len()));
        words.dedup();
        words.truncate(MOST_WORDS);
        (!words.is_empty()).then_some(Self {
            words,
            paths: Vec::new(),
            seeks: Seeks::Topic,
        })
    }

    /// Of a text or an expression that lines match.
    pub(in crate::query) fn of_lines() -> Self {
        Self {
            words: Vec::new(),
            paths: Vec::new(),
            seeks: Seeks::Lines,
        }
    }
}

/// What was found of some needles.
#[derive(Default)]
struct Haul {
    wanted: Wanted,
    /// Files that hold one.
    held: usize,
    /// Files that were looked through.
    looked: usize,
}

impl Needles {
    /// Finds the files to read, in as much time as there is: those that the index lacks by their text.
    fn look_for(
        &self,
        top: &Path,
        (files, lacking): (&[File], &[FileId]),
        known: &[Arc<Segment>],
    ) -> Haul {
        let mut haul = Haul::default();
        let all = || (0u32..).map(FileId).zip(files);
        let at = all().filter(|(_, file)| self.paths.iter().any(|path| is_at(file, path)));
        let mut rooms = Rooms::of(MOST_FILES, MOST_AT_PATH);
        let at = at.filter(|(id, _)| rooms.take(lacking.binary_search(id).is_err()));
        haul.wanted.extend(at.map(|(id, _)| id));
        if self.words.is_empty() {
            haul.held = haul.wanted.len();
            haul.looked = files.len();
            return haul;
        }
        let spelt: Vec<Vec<Finder<'_>>> = self.words.iter().map(|word| finders(word)).collect();
        let readable = lacking
            .iter()
            .filter_map(|id| Some((*id, files.get(id.0 as usize)?)));
        let readable: Vec<(FileId, &File)> = readable.collect();
        let (until, next) = (Instant::now() + LOOK, AtomicUsize::new(0));
        let look = || {
            let (mut found, mut text) = (Vec::new(), Vec::with_capacity(ROOM));
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((id, file)) = readable.get(at) else {
                    return found;
                };
                if Instant::now() > until {
                    next.fetch_sub(1, Ordering::Relaxed);
                    return found;
                }
                text.clear();
                if let Some(place) = file.path.under(top) {
                    read(&place, &mut text);
                }
                let words: Vec<Held> = spelt.iter().map(|finders| held(&text, finders)).collect();
                if words.iter().any(|held| *held != Held::Nowhere) {
                    found.push(Fit {
                        file: *id,
                        words,
                        is_indexed: false,
                    });
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut fits: Vec<Fit> = std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads).map(|_| scope.spawn(look)).collect();
            let parts = parts
                .into_iter()
                .map(|part| part.join().expect("looking does not panic"));
            parts.flatten().collect()
        });
        let coverable = files.iter().filter(|file| file.key().is_some()).count();
        let indexed = coverable.saturating_sub(readable.len());
        haul.looked = next.into_inner().min(readable.len()) + indexed;
        if self.seeks == Seeks::Uses && indexed > 0 {
            fits.extend(files_with(known, files, lacking, &self.words));
        }
        haul.held = fits.len();
        // Words that few files hold tell more (Robertson, "Understanding inverse document frequency", 2004).
        let weights: Vec<f64> = (0..self.words.len())
            .map(|word| {
                let holding = fits
                    .iter()
                    .filter(|fit| fit.words[word] != Held::Nowhere)
                    .count();
                (haul.looked as f64 / holding.max(1) as f64).ln() + 1.0
            })
            .collect();
        let score = |fit: &Fit| {
            let worth = |(held, weight): (&Held, &f64)| match held {
                Held::Nowhere => 0.0,
                Held::Somewhere => *weight,
                Held::Defined => 2.0 * weight,
            };
            fit.words.iter().zip(&weights).map(worth).sum::<f64>()
        };
        fits.sort_by(|a, b| {
            let roles = || {
                files[a.file.0 as usize]
                    .role
                    .cmp(&files[b.file.0 as usize].role)
            };
            score(b)
                .total_cmp(&score(a))
                .then_with(roles)
                .then(a.file.cmp(&b.file))
        });
        let mut rooms = Rooms::of(rooms.made, MOST_INDEXED);
        let fits = fits.iter().filter(|fit| rooms.take(fit.is_indexed));
        haul.wanted.extend(fits.map(|fit| fit.file));
        haul
    }
}

/// How long a first question waits for a run: not at all where it cannot end soon.
fn patience(run: &Run) -> Duration {
    let (done, total) = run.so_far();
    match total.saturating_sub(done) > TOO_MANY {
        true => Duration::ZERO,
        false => PATIENCE,
    }
}

/// Whether a file lies at a path that is asked for, or below it, or where its end says.
fn is_at(file: &File, path: &str) -> bool {
    let (own, path) = (file.path.as_bytes(), path.as_bytes());
    let is_end = || own.ends_with(path) && own[..own.len() - path.len()].ends_with(b"/");
    own == path || is_end() || (own.starts_with(path) && own[path.len()..].starts_with(b"/"))
}

/// A word as it is, and as it begins a name or a sentence.
fn finders(word: &[u8]) -> Vec<Finder<'static>> {
    let mut capital = word.to_vec();
    if let Some(first) = capital.first_mut() {
        first.make_ascii_uppercase();
    }
    let mut all = vec![word.to_vec()];
    if capital != word {
        all.push(capital);
    }
    all.iter()
        .map(|word| Finder::new(word).into_owned())
        .collect()
}

fn held(text: &[u8], finders: &[Finder<'_>]) -> Held {
    /// Places in one file that are looked at for a definition.
    const PLACES: usize = 64;
    let places = finders.iter().flat_map(|finder| finder.find_iter(text));
    let mut best = Held::Nowhere;
    for at in places.take(PLACES) {
        best = Held::Somewhere;
        if is_defined(&text[..at]) {
            return Held::Defined;
        }
    }
    best
}

/// Whether what stands before a name defines it.
fn is_defined(before: &[u8]) -> bool {
    let trimmed = before.trim_ascii_end();
    let is_apart = trimmed.len() < before.len();
    let letter = |b: &u8| !b.is_ascii_alphanumeric();
    let word = trimmed.iter().rposition(letter).map_or(0, |at| at + 1);
    // `func (c *Context) Name(` in Go.
    is_apart && (DEFINING.contains(&&trimmed[word..]) || trimmed.ends_with(b")"))
}

/// Reads a file that is not too large into an empty buffer, which stays empty where there is none. Nothing is asked about it
/// before it is opened, as all files of a repository are read so.
fn read(place: &Path, text: &mut Vec<u8>) {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    // What stands in the place of a file is not followed and not waited for.
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    #[cfg(not(target_os = "linux"))]
    if !place.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return;
    }
    let most = MAX_PARSED_BYTES as u64;
    let read = options.open(place);
    let read = read.and_then(|file| file.take(most + 1).read_to_end(text));
    if read.map_or(true, |read| read as u64 > most) {
        text.clear();
    }
}

impl Engine {
    /// As [`Engine::pin`], but answered from what holds some needles while the index is made.
    pub(in crate::query) fn pin_soon(
        &self,
        at: &Revision,
        needles: Option<Needles>,
        progress: &dyn Progress,
    ) -> Result<Pinned, Error> {
        let (Revision::WorkTree, Some(needles)) = (at, needles) else {
            return self.pin(at, progress);
        };
        match self.run_for_head()? {
            Some(run) if !run.ends_within(patience(&run)) => {
                self.pin_first(&needles, &run, progress)
            }
            _ => self.pin(at, progress),
        }
    }

    fn pin_first(
        &self,
        needles: &Needles,
        run: &Run,
        progress: &dyn Progress,
    ) -> Result<Pinned, Error> {
        let Head::Commit { id, .. } = self.repo.head()? else {
            return Ok(Pinned::empty());
        };
        let tree = self.repo.commit_tree(id)?;
        // What the index lacks is known as long as it is made.
        let Some(listed) = run.files_of(tree) else {
            return self.pin(&Revision::WorkTree, progress);
        };
        let mut sketcher = Sketcher::new(self);
        sketcher.knows(tree, &listed.files);
        let (files, lacking) = (sketcher.files(tree)?, &listed.lacking);
        // Both wait for the file system. Nobody listens yet: to begin that takes as long as to look at everything.
        let (status, haul, sketch) = std::thread::scope(|scope| {
            let status = scope.spawn(|| {
                let sighted = Sighted::of(&self.repo)?;
                let entries: Vec<TreeEntry> = files.iter().map(File::entry).collect();
                sighted.beside(&self.repo, &entries)
            });
            let haul = match (needles.seeks, self.repo.work_dir()) {
                (Seeks::Lines, _) | (_, None) => Haul::default(),
                (_, Some(top)) => needles.look_for(top, (&files, lacking), sketcher.indexed()),
            };
            let sketch = sketcher.view(&files, &haul.wanted);
            let status = status.join().expect("the walk does not panic");
            (status, haul, sketch)
        });
        let (sketch, status) = (sketch?, status?);
        let snapshot = self.state().snapshot.clone();
        let (hash, ledger) = (self.repo.hash(), snapshot.ledger());
        let view = match needles.seeks {
            Seeks::Uses => overlay::lay_on_few(&sketch, &status, hash, ledger)?,
            Seeks::Topic | Seeks::Lines => overlay::lay_aside(&sketch, &[], &status, hash, ledger)?,
        };
        let mut open = self.open_view(view);
        open.is_first = true;
        Ok(pinned(
            Arc::new(open),
            Some(id),
            vec![needles.told(&haul, run)],
        ))
    }
}

impl Needles {
    /// Says what an answer is made from.
    fn told(&self, haul: &Haul, run: &Run) -> String {
        let (done, total) = run.so_far();
        let begin = format!("the index is being made ({done} of {total} files)");
        if self.seeks == Seeks::Lines {
            return format!("{begin}; all files were searched");
        }
        let (read, looked) = (haul.wanted.len(), haul.looked);
        let of = match haul.held > read {
            true => format!("{read} of the {} files that hold it", haul.held),
            false => format!("the {read} files that hold it"),
        };
        format!("{begin}: this is from {of}, of {looked}; ask again for the whole")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(target: &str) -> Option<(String, Vec<String>)> {
        let needles = Needles::of_target(target)?;
        let words = needles
            .words
            .iter()
            .map(|word| String::from_utf8_lossy(word).into_owned());
        Some((words.collect(), needles.paths))
    }

    #[test]
    fn a_target_is_looked_for_by_its_last_name_and_its_path() {
        // A folder may be called so.
        let (word, paths) = of("createServer").unwrap();
        assert!(word == "createServer" && paths == ["createServer"]);
        assert_eq!(of("(*Context).JSON").unwrap().0, "JSON");
        let (word, paths) = of("src/a.ts::Server.listen#method").unwrap();
        assert!(
            word == "listen" && paths == ["src/a.ts"],
            "{word} {paths:?}"
        );
        assert_eq!(of("src/a.ts:12-20").unwrap().1, ["src/a.ts"]);
        assert_eq!(of("GET /users/:id"), None);
        assert_eq!(of("/users/42"), None);
    }

    #[test]
    fn what_a_word_or_a_receiver_stands_before_is_a_definition() {
        for (text, held_as) in [
            ("x = 1", Held::Nowhere),
            ("return Name(1)", Held::Somewhere),
            ("class Name:", Held::Defined),
            ("export default function Name(", Held::Defined),
            ("func (c *Context) Name(", Held::Defined),
            ("subclassName", Held::Somewhere),
            ("a Name, and then struct Name", Held::Defined),
        ] {
            assert_eq!(held(text.as_bytes(), &finders(b"Name")), held_as, "{text}");
        }
    }

    #[test]
    fn words_of_a_query_are_looked_for_by_their_stems() {
        let needles = Needles::of_words("how does the server handle hot updates").unwrap();
        let words: Vec<_> = needles
            .words
            .iter()
            .map(|word| String::from_utf8_lossy(word))
            .collect();
        assert!(
            words.iter().any(|word| word.starts_with("upd")),
            "{words:?}"
        );
        assert!(
            !words.iter().any(|word| word == "how" || word == "the"),
            "{words:?}"
        );
        assert_eq!(Needles::of_words("?!"), None);
    }
}
