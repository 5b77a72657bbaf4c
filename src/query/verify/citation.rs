//! What the text of a citation names: a path, lines of it or a symbol, and the commit that it was read at.
//!
//! Whatever an answer prints can be given back (`path:12-30@COMMIT#BLOB`, `path::Router.use#method@COMMIT`), and so
//! can what forges write (`https://HOST/OWNER/NAME/blob/COMMIT/path#L12-L30`).

use super::prose;
use crate::extract::record::Lines;
use crate::git::RepoPath;
use crate::query::ids::ParsedId;
use crate::query::target::{plain_path, split_revision};
use std::ops::Range;

/// How many an `@` of a text may be the one before its revision.
const MAX_AT: usize = 8;
/// Digits that an abbreviated id has at least when it is taken for one in running text.
const LEAST_DIGITS: usize = 7;

/// A citation taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Citation {
    /// As it was written.
    pub text: String,
    /// Where it stands in the text that it was found in.
    pub span: Range<usize>,
    /// What it names; `None` when it is of no form that is known.
    pub cited: Option<Cited>,
}

/// What a citation names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cited {
    /// The file.
    pub path: RepoPath,
    /// What of it.
    pub part: Part,
    /// The commit, as it is written.
    pub rev: Option<String>,
    /// The blob, as it is written.
    pub blob: Option<String>,
    /// How it is written.
    pub form: Form,
}

/// What of a file is cited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// Some lines of it.
    Lines(Lines),
    /// A definition: what follows the path in its id.
    Symbol(String),
}

/// How a citation is written, to write it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `path:12-30@COMMIT`.
    Colon,
    /// `path#L12-L30@COMMIT`.
    Anchor,
    /// A link to a forge: what stands before the commit.
    Link(String),
}

impl Citation {
    /// Reads what was given as one citation.
    pub fn read(text: &str) -> Self {
        let trimmed = text.trim();
        let bare = trimmed.strip_prefix('`').and_then(|t| t.strip_suffix('`'));
        Self {
            text: trimmed.to_owned(),
            span: 0..text.len(),
            cited: Cited::read(bare.unwrap_or(trimmed)),
        }
    }
}

/// Reads an entry of a list of citations: one, or a text in which some stand.
pub fn given(entry: &str) -> Vec<Citation> {
    let found = prose::find(entry);
    match found.len() > 1 || entry.trim().contains('\n') {
        true => found,
        false => vec![Citation::read(entry)],
    }
}

impl Cited {
    /// Takes a citation apart; `None` when it is of no form that is known.
    pub fn read(text: &str) -> Option<Self> {
        if text.contains("://") {
            return link(text);
        }
        let (target, rev) = split(text).map_or((text, None), |(at, rev)| (at, Some(rev)));
        let dated = rev.and_then(|rev| rev.split_once('#'));
        let dated = dated.filter(|(rev, blob)| !rev.is_empty() && is_id(blob));
        let rev = dated.map(|(rev, _)| rev).or(rev).map(str::to_owned);
        let blob = dated.map(|(_, blob)| blob.to_owned());
        let made = |path: &str, part, form| {
            Some(Self {
                path: path_of(path)?,
                part,
                rev: rev.clone(),
                blob: blob.clone(),
                form,
            })
        };
        if let Some(id) = ParsedId::parse(target) {
            let rest = target[id.path.len() + 2..].to_owned();
            return made(id.path, Part::Symbol(rest), Form::Colon);
        }
        // Answers print the kind and the name after the lines.
        let place = match target.split_once(' ') {
            Some((place, _)) if !target.starts_with('"') && lines(place).is_some() => place,
            _ => target,
        };
        match lines(place) {
            Some((path, lines, form)) => made(path, Part::Lines(lines), form),
            None => made(target, Part::Whole, Form::Colon),
        }
    }

    /// Whether running text with these words means a place: they look like a path, and where nothing says which
    /// lines, a commit is named by its id.
    pub fn is_plain(&self) -> bool {
        let shown = self.path.to_string();
        let name = self.path.file_name().to_string();
        let ending = name.rsplit_once('.');
        let has_ending = ending.is_some_and(|(stem, ending)| {
            !stem.is_empty() && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        });
        let is_path = shown.contains('/') || has_ending;
        let has_id = self.rev.as_deref().is_some_and(is_id);
        match (&self.part, &self.form) {
            (_, Form::Link(_)) | (Part::Symbol(_), _) => true,
            (Part::Lines(..), _) => is_path || has_id,
            (Part::Whole, _) => has_id && !shown.contains(['(', ')']),
        }
    }
}

/// Splits a citation from its revision, in which an `@` may stand (`a.js:3@create-vite@5.5.2`), as in its path
/// (`packages/@vue/a.js:3@v1`): behind lines or a definition begins a revision.
fn split(text: &str) -> Option<(&str, &str)> {
    let is_place =
        |at: &usize| lines(&text[..*at]).is_some() || ParsedId::parse(&text[..*at]).is_some();
    let mut all = text.match_indices('@').map(|(at, _)| at).take(MAX_AT);
    let behind = all.find(is_place);
    match behind.map(|at| (&text[..at], &text[at + 1..])) {
        Some((place, rev)) => (!rev.is_empty()).then_some((place, rev)),
        // A place is no revision: `packages/@vue/a.js:3`.
        None => split_revision(text).filter(|(_, rev)| !rev.contains(':')),
    }
}

/// Whether a text is an id or the beginning of one.
pub(super) fn is_id(text: &str) -> bool {
    (LEAST_DIGITS..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn path_of(shown: &str) -> Option<RepoPath> {
    match shown.starts_with('"') {
        true => RepoPath::shown_as(shown).ok(),
        false => RepoPath::new(plain_path(shown)).ok(),
    }
}

/// Splits `path:12`, `path:12-30`, `path:12:5` and `path#L12-L30` into path and lines.
fn lines(place: &str) -> Option<(&str, Lines, Form)> {
    let place = place.trim_end_matches(':');
    if let Some((path, anchor)) = place.rsplit_once("#L") {
        let lines = anchor_lines(anchor)?;
        return (!path.is_empty()).then_some((path, lines, Form::Anchor));
    }
    let (path, rest) = place.rsplit_once(':')?;
    let (path, lines) = match rest.split_once(['-', '–']) {
        Some((first, last)) => (path, from_to(first, last)?),
        None => match path.rsplit_once(':') {
            // A line and a column.
            Some((path, line)) if number(line).is_some() => (path, from_to(line, line)?),
            _ => (path, from_to(rest, rest)?),
        },
    };
    (!path.is_empty()).then_some((path, lines, Form::Colon))
}

fn from_to(first: &str, last: &str) -> Option<Lines> {
    let (first, last) = (number(first)?, number(last)?);
    (1 <= first && first <= last).then_some(Lines { first, last })
}

fn number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit());
    is_plain.then(|| text.parse().ok()).flatten()
}

/// The lines of `12-L30`, `12-30`, `12C4-L30C8` and `12`.
fn anchor_lines(anchor: &str) -> Option<Lines> {
    let line = |text: &str| text.split('C').next().unwrap_or(text).to_owned();
    let (first, last) = anchor.split_once('-').unwrap_or((anchor, anchor));
    from_to(&line(first), &line(last.trim_start_matches('L')))
}

/// A link to a file at a commit, as forges write it: `/blob/`, `/blame/`, `/src/commit/` or `/src/`, the commit, the
/// path.
fn link(text: &str) -> Option<Cited> {
    let (url, anchor) = text.split_once('#').unwrap_or((text, ""));
    let url = url.split('?').next().unwrap_or(url);
    let (head, rest) = ["/blob/", "/blame/", "/raw/", "/src/commit/", "/src/"]
        .into_iter()
        .find_map(|mark| {
            let at = url.find(mark)? + mark.len();
            Some((&url[..at], &url[at..]))
        })?;
    let (rev, path) = rest.split_once('/')?;
    let part = match anchor.trim_start_matches("lines-").trim_start_matches('L') {
        "" => Part::Whole,
        lines => Part::Lines(anchor_lines(lines)?),
    };
    let path = percent_decoded(path)?;
    Some(Cited {
        path: RepoPath::new(path).ok()?,
        part,
        rev: (!rev.is_empty()).then(|| rev.to_owned()),
        blob: None,
        form: Form::Link(head.to_owned()),
    })
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let (mut out, mut bytes) = (Vec::with_capacity(text.len()), text.bytes());
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'%' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                (digit()? * 16 + digit()?) as u8
            }
            byte => byte,
        });
    }
    Some(out)
}

/// A path as links have it.
pub fn percent_encoded(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'@' => {
                out.push(char::from(*byte));
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Path, part, commit.
    pub(in crate::query::verify) fn said(cited: &Cited) -> String {
        let part = match &cited.part {
            Part::Whole => String::new(),
            Part::Lines(lines) => format!(" {}-{}", lines.first, lines.last),
            Part::Symbol(rest) => format!(" {rest}"),
        };
        let rev = cited.rev.as_ref().map(|rev| format!(" @{rev}"));
        format!("{}{part}{}", cited.path, rev.unwrap_or_default())
    }

    #[test]
    fn citations_are_read_as_answers_and_forges_write_them() {
        for (text, expected) in [
            ("src/a.rs:3-9@v1.2", "src/a.rs 3-9 @v1.2"),
            ("src/a.rs:3@HEAD~2", "src/a.rs 3-3 @HEAD~2"),
            ("./src//a.rs:3:7", "src/a.rs 3-3"),
            ("src/a.rs@deadbeef", "src/a.rs @deadbeef"),
            ("src/a.rs:3-9@deadbeef#0123456789", "src/a.rs 3-9 @deadbeef"),
            ("src/a.rs#L3-L9", "src/a.rs 3-9"),
            ("a.js:3-9 method Router.use@v1", "a.js 3-9 @v1"),
            ("packages/@vue/a.js:3-9", "packages/@vue/a.js 3-9"),
            ("a.js:3@create-vite@5.5.2", "a.js 3-3 @create-vite@5.5.2"),
            ("a.js::f#function@a@1", "a.js f#function @a@1"),
            ("packages/@vue/a.js:3-9@v1", "packages/@vue/a.js 3-9 @v1"),
            ("@types/a.ts::f#function", "@types/a.ts f#function"),
            (
                "lib/a.js::Router.use#method~2@v1",
                "lib/a.js Router.use#method~2 @v1",
            ),
            ("\"a b.md\":3-4@v1", "a b.md 3-4 @v1"),
            (
                "https://github.com/o/n/blob/deadbeef/src/a%20b.rs#L3-L9",
                "src/a b.rs 3-9 @deadbeef",
            ),
            (
                "https://gitlab.com/o/n/-/blob/deadbeef/src/a.rs?x=1#L3-9",
                "src/a.rs 3-9 @deadbeef",
            ),
        ] {
            let read = Cited::read(text).as_ref().map(said);
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        let blob = Cited::read("a:3@deadbeef#0123456789").unwrap().blob;
        assert_eq!(blob.as_deref(), Some("0123456789"));
        for bad in [
            "",
            "../a.rs:3",
            "/",
            "https://host/a",
            ".git/config:3",
            "a\0b:3",
        ] {
            assert_eq!(Cited::read(bad), None, "{bad:?}");
        }
        assert_eq!(given("a b.rs:3@v1").len(), 1);
        assert_eq!(given("see `a.rs:3@v1` and b.rs:4@v1").len(), 2);
        assert_eq!(given("nothing\nhere").len(), 0);
        // No lines: all of this is a path.
        assert_eq!(Cited::read("a.rs:9-3").unwrap().part, Part::Whole);
        assert_eq!(Cited::read("a.rs:0").unwrap().part, Part::Whole);
    }
}
