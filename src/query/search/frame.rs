//! The frame channel: places that a query spells out, as stack traces and compilers do.
//!
//! `at handle (/srv/app/lib/router.js:42:7)`, `File "app/main.py", line 3, in run`, `--> src/main.rs:10:5`,
//! `Main.java:12`. A path from another machine is found by its end: the file that has most of its last
//! components is meant.

use super::chunk::{LiveChunk, Pointed, chunk_at};
use crate::id::ChunkId;
use crate::view::live::{FileId, View};

/// Frames of a query that are looked at.
const MAX_FRAMES: usize = 40;
/// Files that one frame may mean; a name that more files have says nothing.
const MAX_FILES: usize = 3;
/// What each frame counts less than the one before it: which end of a trace matters differs by
/// language, so only a little.
const NEXT: f64 = 0.97;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Components of its path, as written.
    path: Vec<String>,
    /// Its line, from 1, if there is one.
    pub(crate) line: Option<u32>,
}

impl Frame {
    /// Whether a path may be that of the frame: they share more than the name of a file, or all there is.
    pub fn agrees_with(&self, path: &[u8]) -> bool {
        shared(path, &self.path) >= self.path.len().min(2)
    }
}

/// The places that a query spells out, each once.
pub fn frames(query: &str) -> Vec<Frame> {
    let separates = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;|".contains(c);
    let words: Vec<&str> = query
        .split(separates)
        .filter(|word| !word.is_empty())
        .collect();
    let mut found: Vec<Frame> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let after = match words.get(at + 1) {
            Some(&"line") => words.get(at + 2).and_then(|number| number.parse().ok()),
            _ => None,
        };
        let Some(mut frame) = frame(word, after.is_some()) else {
            continue;
        };
        frame.line = frame.line.or(after);
        if !found.contains(&frame) && found.len() < MAX_FRAMES {
            found.push(frame);
        }
    }
    found
}

/// Reads `path`, `path:line` or `path:line:column`, where the path has a slash or a line, which may be
/// said after it, and ends in a name with an extension.
fn frame(word: &str, has_line: bool) -> Option<Frame> {
    let word = word.trim_end_matches([':', '.']);
    let word = word.split_once("://").map_or(word, |(_, rest)| rest);
    // A drive letter is no path.
    let word = match word.as_bytes() {
        [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic() => &word[2..],
        _ => word,
    };
    let mut parts = word.split(':');
    let path = parts.next()?.replace('\\', "/");
    let line = parts.next().map(str::parse::<u32>);
    let is_bare = line.is_none() && !has_line && !path.contains('/');
    if is_bare || line.as_ref().is_some_and(Result::is_err) {
        return None;
    }
    let components: Vec<String> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != "." && *part != "..")
        .map(str::to_owned)
        .collect();
    let (stem, extension) = components.last()?.rsplit_once('.')?;
    let is_file = !stem.is_empty()
        && (1..=10).contains(&extension.len())
        && extension.starts_with(|c: char| c.is_ascii_alphabetic())
        && extension.chars().all(|c| c.is_ascii_alphanumeric());
    is_file.then_some(Frame {
        path: components,
        line: line.and_then(Result::ok),
    })
}

/// The chunks that frames point at, with their scores, best first, each once.
pub fn rank(view: &View, admits: impl Fn(FileId) -> bool, frames: &[Frame]) -> Vec<Pointed> {
    let mut ranked: Vec<Pointed> = Vec::new();
    let mut score = 1.0;
    for frame in frames {
        for file in meant(view, &admits, frame) {
            let Some(doc) = view.file(file).doc else {
                continue;
            };
            let segment = &view.segment(doc.segment).segment;
            let chunks = segment.doc(doc.doc).chunks;
            let first = (chunks.start < chunks.end).then_some(chunks.start);
            let at = frame.line.and_then(|line| chunk_at(segment, doc.doc, line));
            let Some(chunk): Option<ChunkId> = at.or(first) else {
                continue;
            };
            let chunk = LiveChunk {
                segment: doc.segment,
                chunk,
            };
            if ranked.iter().all(|known| known.chunk != chunk) {
                let line = frame.line.unwrap_or(segment.chunk_lines(chunk.chunk).0);
                ranked.push(Pointed { chunk, line, score });
            }
        }
        score *= NEXT;
    }
    ranked
}

/// The files that have most of the last components of a frame's path.
pub fn meant(view: &View, admits: impl Fn(FileId) -> bool, frame: &Frame) -> Vec<FileId> {
    let mut best: (usize, Vec<FileId>) = (0, Vec::new());
    for (file, id) in view.files().iter().zip((0..).map(FileId)) {
        let shared = shared(file.path.as_bytes(), &frame.path);
        if shared > 0 && shared >= best.0 && admits(id) {
            if shared > best.0 {
                best = (shared, Vec::new());
            }
            best.1.push(id);
        }
    }
    match best.1.len() <= MAX_FILES {
        true => best.1,
        false => Vec::new(),
    }
}

/// Number of last components that two paths share.
fn shared(path: &[u8], components: &[String]) -> usize {
    let own = path.rsplit(|b| *b == b'/');
    let both = own.zip(components.iter().rev());
    both.take_while(|(a, b)| *a == b.as_bytes()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Vec<(String, Option<u32>)> {
        let frames = frames(query).into_iter();
        frames
            .map(|frame| (frame.path.join("/"), frame.line))
            .collect()
    }

    #[test]
    fn places_are_read_as_tools_write_them() {
        for (query, path, line) in [
            (
                "at handle (/srv/app/lib/router.js:42:7)",
                "srv/app/lib/router.js",
                Some(42),
            ),
            (
                "  File \"app/main.py\", line 3, in run",
                "app/main.py",
                Some(3),
            ),
            ("File \"main.py\", line 3", "main.py", Some(3)),
            (
                "error[E0308]: mismatched\n  --> src/main.rs:10:5",
                "src/main.rs",
                Some(10),
            ),
            ("at a.b.Main.run(Main.java:12)", "Main.java", Some(12)),
            (r"C:\work\app\Main.cs:7", "work/app/Main.cs", Some(7)),
            ("file:///home/x/a.mjs:1:2", "home/x/a.mjs", Some(1)),
            ("what does lib/router.js do?", "lib/router.js", None),
        ] {
            assert_eq!(read(query), [(path.to_owned(), line)], "{query}");
        }
    }

    #[test]
    fn names_and_times_are_no_places() {
        for query in [
            "Context.JSON",
            "at 12:30:45",
            "std::fmt",
            "and/or",
            "a.b:c",
            "1.5:2",
            "",
        ] {
            assert_eq!(read(query), [], "{query}");
        }
    }

    #[test]
    fn paths_are_compared_from_their_ends() {
        let of = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(shared(b"lib/router.js", &of("srv/app/lib/router.js")), 2);
        assert_eq!(shared(b"test/router.js", &of("srv/app/lib/router.js")), 1);
        assert_eq!(shared(b"lib/other.js", &of("lib/router.js")), 0);
    }
}
