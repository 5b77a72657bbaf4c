//! `history --why`: decision records of the repository that are linked to what is asked about.
//!
//! A decision record is a document of prose in a folder, or with a name, that such records have by custom: those of
//! adr-tools and MADR (`docs/adr/0007-queue.md`, `docs/decisions/`), and requests for comments. It is linked where the
//! message of a commit that made a version names it, where such a commit changed it too, or where it names the thing.

use super::follow::Found;
use crate::git::{Error, Objects, RepoPath, commit, tree};
use crate::id::{CommitId, FileId};
use crate::view::live::View;
use crate::view::text::{Text, Texts};
use rustc_hash::FxHashMap;

/// Folders of decision records.
const FOLDERS: &[&str] = words!(
    "adr adrs decision decisions decision-records decision_records architecture-decisions rfc rfcs proposals keps peps"
);
/// What the names of such files begin with, wherever they lie.
const BEGINNINGS: &[&str] = words!("adr- adr_ rfc- rfc_");
/// What prose ends in.
const ENDINGS: &[&str] = words!(".md .mdx .markdown .adoc .asciidoc .rst .txt .org");
/// Words that the number of a record stands behind.
const KINDS: &[&str] = words!("adr rfc decision kep pep proposal");
/// Records that are read.
const MAX_READ: usize = 500;
/// Versions whose commits are looked at: the newest, and the first.
const MAX_COMMITS: usize = 60;
/// Records that one commit may name, or change. One with more is about none of them: a sweep through all.
const MAX_OF_COMMIT: usize = 5;
/// Records that are told.
const MAX_TOLD: usize = 5;
/// Lines of a record in which its title and its status are looked for.
const HEAD_LINES: u32 = 40;
/// Shortest name that is looked for.
const MIN_NAME: usize = 4;

/// A decision record that is linked to something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Its path.
    pub path: String,
    /// Where it names the thing, or its title stands.
    pub line: u32,
    /// Its title, secrets masked; empty where it has none.
    pub title: String,
    /// What it says of its state: accepted, superseded.
    pub status: Option<String>,
    /// How it is linked.
    pub link: Link,
}

/// How a decision record is linked to something, the surest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// The message of a commit that made a version names it.
    NamedBy(CommitId),
    /// A commit that made a version changed it too.
    ChangedBy(CommitId),
    /// It names the thing.
    Names,
}

/// The decision records that are told, the surest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// The first of them.
    pub told: Vec<Decision>,
    /// How many more there are.
    pub more: usize,
    /// Records that were not read: they are beyond the bound, not in this clone, or secret.
    pub unread: usize,
}

/// What a record may name.
pub(super) struct Thing<'a> {
    /// The path of a file or folder.
    pub path: Option<&'a str>,
    /// A definition's own name.
    pub name: Option<&'a str>,
}

/// Finds the records of a state that are linked to a thing with these versions, newest first. Fails when commits cannot
/// be read.
pub(super) fn linked(
    objects: &mut Objects,
    (view, texts): (&View, &mut Texts),
    thing: &Thing<'_>,
    versions: &[Found],
) -> Result<Decisions, Error> {
    let all = (view.files().iter().zip(0..)).filter(|(file, _)| is_record(&file.path));
    let mut records: Vec<FileId> = all.map(|(_, id)| FileId(id)).collect();
    let mut unread = records.len().saturating_sub(MAX_READ);
    records.truncate(MAX_READ);
    if records.is_empty() {
        return Ok(Decisions::default());
    }
    let by_commits = by_commits(objects, view, &records, versions)?;
    let mut found = Vec::new();
    for record in records {
        // Nothing is fetched for it.
        let text = texts.if_here(view, record);
        unread += usize::from(text.is_none());
        let named = text.as_ref().and_then(|text| thing.line_in(text));
        let link = by_commits.get(&record).copied();
        let Some(link) = link.or(named.map(|_| Link::Names)) else {
            continue;
        };
        let title = text.as_ref().and_then(|text| title(text));
        let (title_line, title) = title.unwrap_or((1, String::new()));
        found.push(Decision {
            path: view.file(record).path.to_string(),
            line: named.unwrap_or(title_line),
            title,
            status: text.and_then(|text| status(&text)),
            link,
        });
    }
    found.sort_by(|a, b| (a.link.rank(), &a.path).cmp(&(b.link.rank(), &b.path)));
    let more = found.len().saturating_sub(MAX_TOLD);
    found.truncate(MAX_TOLD);
    Ok(Decisions {
        told: found,
        more,
        unread,
    })
}

impl Link {
    fn rank(self) -> u8 {
        match self {
            Self::NamedBy(_) => 0,
            Self::ChangedBy(_) => 1,
            Self::Names => 2,
        }
    }
}

/// Which records the commits of versions name or changed, the surest link of each.
fn by_commits(
    objects: &mut Objects,
    view: &View,
    records: &[FileId],
    versions: &[Found],
) -> Result<FxHashMap<FileId, Link>, Error> {
    let mut found: FxHashMap<FileId, Link> = FxHashMap::default();
    let last = versions.len().saturating_sub(1);
    for (at, version) in versions.iter().enumerate() {
        let Some((id, _)) = version.commit.filter(|_| at < MAX_COMMITS || at == last) else {
            continue;
        };
        let said = commit::read(objects, id)?.message;
        let said = String::from_utf8_lossy(&said).to_lowercase();
        let named = |record: &&FileId| names_record(&said, &view.file(**record).path);
        let named: Vec<FileId> = records.iter().filter(named).copied().collect();
        for record in named.iter().filter(|_| named.len() <= MAX_OF_COMMIT) {
            let link = found.entry(*record).or_insert(Link::NamedBy(id));
            if !matches!(link, Link::NamedBy(_)) {
                *link = Link::NamedBy(id);
            }
        }
        let (root, parents) = commit::links(objects, id)?;
        let [parent] = parents[..] else { continue };
        // Where history is cut off, or a clone has no trees, nothing can be compared.
        let before = commit::links(objects, parent).map(|(before, _)| before);
        let changes = before.and_then(|before| tree::diff(objects, before, root));
        let changes = changes.unwrap_or_default();
        let changed = changes.iter().filter_map(|change| {
            let record = view.file_at(change.path.as_bytes());
            record.filter(|record| records.binary_search(record).is_ok())
        });
        let changed: Vec<FileId> = changed.collect();
        for record in changed.iter().filter(|_| changed.len() <= MAX_OF_COMMIT) {
            found.entry(*record).or_insert(Link::ChangedBy(id));
        }
    }
    Ok(found)
}

/// Whether a path is that of a decision record, by custom.
fn is_record(path: &RepoPath) -> bool {
    let path = path.to_string().to_ascii_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending));
    let Some(stem) = stem.filter(|stem| !matches!(*stem, "readme" | "index" | "template")) else {
        return false;
    };
    let is_among = folder.split('/').any(|part| FOLDERS.contains(&part));
    is_among || BEGINNINGS.iter().any(|begin| stem.starts_with(begin))
}

/// Whether a message, in small letters, names a record: its path, its file, or its number behind a word for such.
fn names_record(said: &str, path: &RepoPath) -> bool {
    let path = path.to_string().to_ascii_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if said.contains(name) {
        return true;
    }
    let digits = name
        .find(|c: char| c.is_ascii_digit())
        .map(|at| &name[at..]);
    let number = digits.and_then(leading_number);
    let Some(number) = number else { return false };
    let is_of = |kind: &&&str| folder.contains(**kind) || name.starts_with(**kind);
    KINDS.iter().filter(is_of).any(|kind| {
        said.match_indices(kind).any(|(at, _)| {
            let before = said[..at].chars().next_back();
            let rest = said[at + kind.len()..].trim_start_matches([' ', '-', '_', '#', ':']);
            !before.is_some_and(char::is_alphanumeric) && leading_number(rest) == Some(number)
        })
    })
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text[..end].parse().ok()
}

impl Thing<'_> {
    /// The first line of a text that names it.
    fn line_in(&self, text: &Text) -> Option<u32> {
        let path = self.path.filter(|path| path.contains(['/', '.']));
        let by_path = path.and_then(|path| first(text, path.as_bytes(), |_, _| true));
        let name = self.name.filter(|name| name.len() >= MIN_NAME);
        // A word of plain language is a name only where it is written as code.
        let is_plain = name.is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase()));
        let is_code = |before: Option<u8>, after: Option<u8>| {
            matches!(before, Some(b'`' | b'.' | b':')) || matches!(after, Some(b'`' | b'('))
        };
        let by_name = name.and_then(|name| {
            first(text, name.as_bytes(), |before, after| {
                !is_plain || is_code(before, after)
            })
        });
        by_path.into_iter().chain(by_name).min()
    }
}

/// The first line in which a word stands whole, between bytes that will do.
fn first(text: &Text, word: &[u8], admits: impl Fn(Option<u8>, Option<u8>) -> bool) -> Option<u32> {
    let bytes = text.bytes();
    let at = text.words(word).find(|at| {
        let at = *at as usize;
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        admits(before.copied(), bytes.get(at + word.len()).copied())
    })?;
    Some(text.place(at).0)
}

/// The first heading of a record, without a number before it, and its line.
fn title(text: &Text) -> Option<(u32, String)> {
    (1..=HEAD_LINES).find_map(|number| {
        let line = String::from_utf8_lossy(text.line(number)).into_owned();
        let heading = line
            .strip_prefix("# ")
            .or_else(|| line.strip_prefix("= "))?;
        let numbered = heading.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = match numbered.strip_prefix(['.', ':']) {
            Some(rest) if numbered.len() < heading.len() => rest,
            _ => heading,
        };
        Some((number, bare.trim().to_owned()))
    })
}

/// What a record says of its state: `Status: accepted`, `* Status: accepted`, or the first line below `## Status`.
fn status(text: &Text) -> Option<String> {
    let line = |number: u32| String::from_utf8_lossy(text.line(number)).trim().to_owned();
    (1..=HEAD_LINES).find_map(|number| {
        let plain = line(number).to_lowercase();
        let plain = plain.trim_start_matches(['#', '*', '-', '=', ' ']);
        let rest = plain.strip_prefix("status")?;
        let rest = rest
            .trim_start_matches(['*', ':', ' '])
            .trim_end_matches('*')
            .trim();
        let below = (number + 1..number + 4).map(|number| line(number).to_lowercase());
        let said = match rest.is_empty() {
            true => below.into_iter().find(|line| !line.is_empty())?,
            false => rest.to_owned(),
        };
        let end = said
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(said.len());
        (end > 0).then(|| said[..end].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> RepoPath {
        RepoPath::new(path.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn records_are_known_by_where_they_lie_and_what_they_are_called() {
        for record in [
            "docs/adr/0001-use-queues.md",
            "doc/decisions/queues.rst",
            "rfcs/text/0412-things.md",
            "design/ADR-7.md",
        ] {
            assert!(is_record(&path(record)), "{record}");
        }
        for other in [
            "docs/adr/README.md",
            "docs/adr/0001.png",
            "src/decision.rs",
            "docs/guide.md",
        ] {
            assert!(!is_record(&path(other)), "{other}");
        }
    }

    #[test]
    fn messages_name_records_by_file_and_by_number() {
        let record = path("docs/adr/0007-use-queues.md");
        for said in [
            "as decided in adr-7",
            "see adr 0007.",
            "(adr #7)",
            "docs/adr/0007-use-queues.md says so",
        ] {
            assert!(names_record(said, &record), "{said}");
        }
        for said in ["adr-70", "quadr 7", "rfc 7", "fixes #7", "7 adr"] {
            assert!(!names_record(said, &record), "{said}");
        }
    }

    #[test]
    fn titles_and_states_are_read_as_people_write_them() {
        for (text, name, state) in [
            (
                "# 7. Use queues\n\nDate: x\n\n## Status\n\nAccepted on Monday\n",
                "Use queues",
                Some("accepted"),
            ),
            (
                "---\nstatus: superseded by 9\n---\n# Use queues\n",
                "Use queues",
                Some("superseded"),
            ),
            (
                "# Use 2 queues\n* **Status:** proposed\n",
                "Use 2 queues",
                Some("proposed"),
            ),
            ("# 3D shapes\ntext\n", "3D shapes", None),
        ] {
            let text = Text::new(text.as_bytes().to_vec());
            assert_eq!(title(&text).unwrap().1, name);
            assert_eq!(status(&text).as_deref(), state);
        }
    }

    #[test]
    fn a_plain_word_is_a_name_where_it_is_code() {
        let line = |name: &str, text: &str| {
            let (text, path) = (Text::new(text.as_bytes().to_vec()), None);
            Thing {
                path,
                name: Some(name),
            }
            .line_in(&text)
        };
        assert_eq!(line("retry", "we retry\nthen `retry` it\n"), Some(2));
        assert_eq!(line("retryLater", "we\nretryLater\n"), Some(2));
        assert_eq!(line("retryLater", "retryLaterOn\n"), None);
        assert_eq!(line("run", "`run`\n"), None);
    }
}
