//! Tags and branches, the commits that they lead to, and which of them hold a commit.

use super::error::Error;
use super::history::{self, Headers, lines_of};
use super::program;
use super::repo::Repo;
use crate::id::CommitId;
use gix::ObjectId;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_128;

/// Folder of first tags that are kept, and how many.
const KEPT: &str = "tagged";
const MAX_KEPT: usize = 512;

/// What a name is one of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RefKind {
    /// A tag.
    Tag,
    /// A branch of this repository, or one of a remote as it was fetched last.
    Branch,
}

/// A tag or a branch with the commit that it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedCommit {
    /// Its whole name (`refs/tags/v1.0`).
    pub whole: String,
    /// Its name as people say it (`v1.0`, `main`, `origin/main`).
    pub name: String,
    /// What it is.
    pub kind: RefKind,
    /// The commit, behind any number of tags of tags.
    pub commit: CommitId,
    /// The committer's date of that, in seconds since 1970.
    pub date: i64,
}

/// Every tag and branch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// Those that lead to a commit, by whole name.
    pub all: Vec<NamedCommit>,
    /// How many lead to something else, or to what is not in this clone.
    pub others: usize,
}

/// Where names begin, and what stands there.
const FOLDERS: &[(&str, RefKind)] = &[
    ("refs/tags/", RefKind::Tag),
    ("refs/heads/", RefKind::Branch),
    ("refs/remotes/", RefKind::Branch),
];

/// Lists tags and branches. Refs of ours and those that only stand for another are left out. Fails with what the git
/// program said when it cannot list them.
pub fn named(repo: &Repo) -> Result<Named, Error> {
    // Asking for more than the id would make git read the objects, which need not all be here.
    let mut args = vec![
        "for-each-ref",
        "--format=%(objectname) %(refname) %(symref)",
    ];
    args.extend(FOLDERS.iter().map(|(folder, _)| *folder));
    let mut headers = Headers::new(repo)?;
    let mut named = Named::default();
    for line in lines_of(repo, &args, b'\n')? {
        let mut parts = line.split(|b| *b == b' ');
        let (Some(id), Some(whole)) = (parts.next(), parts.next()) else {
            continue;
        };
        let is_symbolic = parts.next().is_some_and(|symref| !symref.is_empty());
        if is_symbolic || repo.ref_names().owns(whole) {
            continue;
        }
        let whole = String::from_utf8_lossy(whole).into_owned();
        let found = FOLDERS
            .iter()
            .find_map(|(folder, kind)| Some((whole.strip_prefix(folder)?.to_owned(), *kind)));
        let (Some((name, kind)), Ok(id)) = (found, ObjectId::from_hex(id)) else {
            continue;
        };
        // What cannot be read is one of the others: an answer about the rest is worth more than none.
        let commit = repo.peel("", id);
        let read = commit.and_then(|commit| Ok((commit, headers.read(commit)?.0)));
        match read {
            Ok((commit, date)) => named.all.push(NamedCommit {
                whole,
                name,
                kind,
                commit,
                date,
            }),
            Err(_) => named.others += 1,
        }
    }
    Ok(named)
}

/// The whole names of the tags and branches from which a commit is reached. Fails with what the git program said when
/// it cannot list them, as where commits on the way are not in this clone.
pub fn holding(repo: &Repo, commit: CommitId) -> Result<FxHashSet<String>, Error> {
    let contains = format!("--contains={commit}");
    let mut args = vec!["for-each-ref", &contains, "--format=%(refname)"];
    args.extend(FOLDERS.iter().map(|(folder, _)| *folder));
    let lines = lines_of(repo, &args, b'\n')?;
    let names = lines.iter().map(|line| String::from_utf8_lossy(line));
    Ok(names.map(|name| name.into_owned()).collect())
}

/// The oldest tag from which a commit is reached, by the date it was made; `None` where none is. It is kept beside the
/// object store for as long as the tags are the same: git walks history for it. Fails with what the git program said
/// when it cannot list them.
pub fn first_with(repo: &Repo, commit: CommitId) -> Result<Option<String>, Error> {
    let name = history::tags_stamp(repo).map(|tags| {
        let both = [tags.to_le_bytes().as_slice(), commit.as_bytes()].concat();
        format!("{KEPT}/{:032x}", xxh3_128(&both))
    });
    let some = |tag: String| Some(tag).filter(|tag| !tag.is_empty());
    let known = name.as_ref().and_then(|name| repo.kept().read(name));
    if let Some(known) = known {
        return Ok(some(String::from_utf8_lossy(known.as_ref()).into_owned()));
    }
    let found = listed_first(repo, commit)?;
    if let Some(name) = name {
        // A failure to write costs time later, nothing else.
        let _ = repo.kept().write(&name, found.as_bytes());
        repo.kept().evict(KEPT, MAX_KEPT);
    }
    Ok(some(found))
}

fn listed_first(repo: &Repo, commit: CommitId) -> Result<String, Error> {
    let args = [
        "for-each-ref".to_owned(),
        format!("--contains={commit}"),
        "--sort=creatordate".to_owned(),
        "--count=1".to_owned(),
        "--format=%(refname:lstrip=2)".to_owned(),
        "refs/tags".to_owned(),
    ];
    let out = program::ask(repo, &args)?;
    if !out.status.success() {
        return Err(out.into_error("for-each-ref"));
    }
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}
