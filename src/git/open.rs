//! Finding a repository and opening it: by git's rules of whose repositories may be opened, and without
//! following what its own configuration names.

use super::consent::{Consent, Line};
use super::error::Error;
use super::keys::{self, Key, Purpose};
use gix::bstr::{BStr, BString, ByteSlice};
use gix::config::File;
use gix::config::file::Metadata;
use gix::config::source::Kind;
use std::path::{Path, PathBuf};

/// Room for packs that come while a repository is open: a server stays open while every commit brings one,
/// and what finds no room is not found.
pub(super) const PACK_SLOTS: gix::odb::store::init::Slots =
    gix::odb::store::init::Slots::AsNeededByDiskState {
        multiplier: 2.0,
        minimum: 256,
    };
/// Name of the folder for caches, in the common and in the work tree's own git directory.
pub(crate) const FOLDER: &str = "sverklo";

/// A repository that may be opened.
pub(super) struct Opened {
    pub inner: gix::Repository,
    pub consent: Consent,
    /// Remotes that promised what is missing.
    pub promisors: Vec<String>,
}

/// Finds the repository that `start` is in, as git would, and opens it.
pub(super) fn open(start: &Path) -> Result<Opened, Error> {
    let mut inner = discover(start, of_the_user)?;
    may_be_opened(&inner, start)?;
    let common_dir = canonical(inner.common_dir())?;
    without_links(&common_dir)?;
    without_links(inner.git_dir())?;
    let (adopted, foreign) = match work_tree(&inner)? {
        Some(WorkTree::Ours(path)) => (Some(path), None),
        Some(WorkTree::Foreign(line)) => (None, Some(line)),
        None => (None, None),
    };
    let snapshot = inner.config_snapshot();
    let promisors = promisors(snapshot.plumbing());
    let consent = Consent::of(snapshot.plumbing(), &common_dir, &promisors, foreign);
    if consent.is_given {
        inner = discover(start, of_anybody)?;
    } else if let Some(path) = adopted {
        inner.set_workdir(path).map_err(|err| Error::Unsupported {
            step: "opening the work tree",
            reason: err.to_string(),
        })?;
    }
    Ok(Opened {
        inner,
        consent,
        promisors,
    })
}

/// Whether a section of the configuration is not the repository's own. What it includes is its own, and
/// what a user's file includes, on whatever condition, is the user's.
pub(super) fn of_the_user(section: &Metadata) -> bool {
    section.source.kind() != Kind::Repository
}

/// Whether a section is none that is added here, when a repository is opened.
pub(super) fn not_of_ours(section: &Metadata) -> bool {
    section.source != gix::config::Source::Api
}

/// Any section counts.
pub(super) fn of_anybody(_: &Metadata) -> bool {
    true
}

/// Opens without a look at whose the repository is. gix takes paths of files, which is what its filter of
/// sections is for, from those that `counts` lets through.
pub(super) fn discover(
    start: &Path,
    counts: fn(&Metadata) -> bool,
) -> Result<gix::Repository, Error> {
    let parameters = std::env::var_os("GIT_CONFIG_PARAMETERS");
    let parameters = parameters.map_or(Vec::new(), |text| {
        from_parameters(text.as_encoded_bytes().as_bstr())
    });
    let options = || {
        gix::open::Options::default()
            .filter_config_section(counts)
            .object_store_slots(PACK_SLOTS)
            .cli_overrides(parameters.clone())
            .config_overrides([
                // Replace refs and grafts would make an index depend on what this one clone believes.
                "core.useReplaceRefs=false",
                "core.fsmonitor=false",
                // What belongs to others is refused, or as good as ours.
                "gitoxide.objects.allocLimitIfReducedTrust=0",
            ])
    };
    let trust = gix::sec::trust::Mapping {
        full: options(),
        reduced: options(),
    };
    let upwards = gix::discover::upwards::Options {
        match_ceiling_dir_or_error: false,
        ..Default::default()
    };
    // gix makes a relative path absolute and then short again, by a rule that does not fit bare ones.
    let from = std::path::absolute(start).map_err(Error::io(start))?;
    let found =
        gix::ThreadSafeRepository::discover_with_environment_overrides_opts(&from, upwards, trust);
    found.map(|found| found.to_thread_local()).map_err(|err| {
        let said = format!("{err:#} {err:?}");
        match said.contains("form a cycle") {
            true => Error::AlternatesCycle(start.into()),
            false => Error::NotARepository {
                dir: start.into(),
                reason: err.to_string(),
            },
        }
    })
}

/// Returns the pairs of `git -c`, which git hands down in one variable: `'key=value'` or `'key'='value'`,
/// quoted as a shell would. What git would not take is left out.
fn from_parameters(text: &BStr) -> Vec<BString> {
    let mut pairs = Vec::new();
    let mut rest: &[u8] = text.trim();
    while let Some((key, after)) = unquote(rest) {
        let mut pair = key;
        rest = after;
        if let Some(after) = rest.strip_prefix(b"=") {
            // gix takes what is before the first sign for the key.
            let is_plain = !pair.contains(&b'=');
            rest = after;
            if let Some((value, after)) = unquote(rest) {
                pair.push(b'=');
                pair.extend_from_slice(&value);
                rest = after;
            }
            if !is_plain {
                pair.clear();
            }
        }
        let name = pair.split(|b| *b == b'=').next().unwrap_or_default();
        if gix::config::KeyRef::parse_unvalidated(name.as_bstr()).is_some() {
            pairs.push(pair.into());
        }
        rest = rest.trim_start();
    }
    pairs
}

/// Takes one quoted word off the front.
fn unquote(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut word = Vec::new();
    loop {
        let end = rest.find_byte(b'\'')?;
        word.extend_from_slice(&rest[..end]);
        rest = &rest[end + 1..];
        match rest {
            [b'\\', escaped @ (b'\'' | b'!'), b'\'', after @ ..] => {
                word.push(*escaped);
                rest = after;
            }
            _ => return Some((word, rest)),
        }
    }
}

/// Refuses what git refuses: repositories of others that `safe.directory` does not list, and bare ones
/// that nobody named where `safe.bareRepository` asks for that.
fn may_be_opened(opened: &gix::Repository, start: &Path) -> Result<(), Error> {
    let config = opened.config_snapshot();
    let git_dir = canonical(opened.git_dir())?;
    if opened.git_dir_trust() != gix::sec::Trust::Full {
        // git trusts a work tree by its top, and a bare repository by itself.
        let dir = opened.workdir().map(canonical).transpose()?;
        let dir = dir.unwrap_or_else(|| git_dir.clone());
        if !is_safe(&values(config.plumbing(), keys::SAFE_DIRECTORY), &dir) {
            return Err(Error::Untrusted(dir));
        }
    }
    let bare = values(config.plumbing(), keys::SAFE_BARE_REPOSITORY);
    let must_be_named = bare.last().is_some_and(|value| value == "explicit");
    let is_named = std::env::var_os("GIT_DIR").is_some();
    if must_be_named && !is_named && is_bare_find(&git_dir, start) {
        return Err(Error::ImplicitBare(git_dir));
    }
    Ok(())
}

/// Refuses a git directory where what is ours is a link or a pipe, or lies behind a link. Caches are written
/// there, and files that are not wanted any more are deleted; a link can be committed as anything can.
///
/// Looks two folders deep: below that, names begin with one that only the user's key gives.
fn without_links(git_dir: &Path) -> Result<(), Error> {
    let is_plain = |path: &Path| {
        let found = path.symlink_metadata();
        found.map_or(true, |found| found.is_file() || found.is_dir())
    };
    let folder = git_dir.join(FOLDER);
    let own = [git_dir.join(format!("{FOLDER}-init.json")), folder.clone()];
    if let Some(path) = own.into_iter().find(|path| !is_plain(path)) {
        return Err(Error::Planted(path));
    }
    for path in entries(&folder) {
        if !is_plain(&path) {
            return Err(Error::Planted(path));
        }
        if let Some(path) = entries(&path).find(|path| !is_plain(path)) {
            return Err(Error::Planted(path));
        }
    }
    Ok(())
}

/// What is in a folder; nothing when it is none.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Whether the search found a git directory around `start`, and not one that a work tree led to. Inside a
/// `.git` it belongs to a work tree, and so does that of a linked work tree or a submodule.
fn is_bare_find(git_dir: &Path, start: &Path) -> bool {
    let inside = canonical(start).is_ok_and(|start| start.starts_with(git_dir));
    let parts: Vec<_> = git_dir.components().map(|part| part.as_os_str()).collect();
    let below = |folder: &str| {
        let mut pairs = parts.windows(2);
        pairs.any(|pair| pair[0] == ".git" && pair[1] == folder)
    };
    let belongs = git_dir.ends_with(".git") || below("worktrees") || below("modules");
    inside && !belongs
}

/// Whether a directory is in a list of safe ones, as git reads it: an empty entry ends what was before it,
/// `*` is all, and a `/*` at the end is all below.
fn is_safe(list: &[String], dir: &Path) -> bool {
    list.iter().fold(false, |safe, entry| match entry.as_str() {
        "" => false,
        "*" => true,
        entry => safe || names(entry, dir),
    })
}

fn names(entry: &str, dir: &Path) -> bool {
    let home = std::env::home_dir();
    let path = match (entry.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ if entry == "." => return std::env::current_dir().is_ok_and(|now| now == dir),
        _ => PathBuf::from(entry),
    };
    let real = |path: &Path| path.canonicalize().ok();
    if !path.is_absolute() {
        return false;
    }
    match path.file_name().is_some_and(|name| name == "*") {
        true => path
            .parent()
            .and_then(real)
            .is_some_and(|above| dir != above && dir.starts_with(above)),
        false => real(&path).is_some_and(|path| path == dir),
    }
}

/// Returns the user's values of a key, in order. git calls this protected configuration.
fn values(config: &File, key: Key) -> Vec<String> {
    let (section, subsection, name) = key.parts();
    let found = config.values_with_sections_by::<BString>(section, subsection.map(BStr::new), name);
    let found = found.unwrap_or_default().into_iter();
    let users = found.filter(|(_, section)| of_the_user(section.meta()));
    users.map(|(value, _)| value.to_string()).collect()
}

/// The work tree that a repository's own configuration names.
enum WorkTree {
    /// It leads back here: that of a submodule, or of a git directory that was set apart.
    Ours(PathBuf),
    /// It does not; reading its files needs consent.
    Foreign(Line),
}

/// Looks at `core.worktree`; `None` when it adds nothing to what was found.
fn work_tree(opened: &gix::Repository) -> Result<Option<WorkTree>, Error> {
    const KEY: &str = "core.worktree";
    let config = opened.config_snapshot();
    let found =
        config
            .plumbing()
            .raw_value_with_section_filter_by("core", None, "worktree", |section| {
                !of_the_user(section)
            });
    let Ok((value, _)) = found else {
        return Ok(None);
    };
    let is_bare = config.boolean("core.bare") == Some(true);
    if is_bare || std::env::var_os("GIT_WORK_TREE").is_some() {
        return Ok(None);
    }
    let git_dir = canonical(opened.git_dir())?;
    let foreign = || {
        WorkTree::Foreign(Line {
            key: KEY.to_owned(),
            value: value.to_string(),
            purpose: Purpose::Files,
        })
    };
    let path = gix::path::from_bstr(value.as_bstr()).ok();
    let Some(path) = path.and_then(|path| git_dir.join(path).canonicalize().ok()) else {
        return Ok(Some(foreign()));
    };
    let known = opened.workdir().map(canonical).transpose()?;
    if known.as_ref() == Some(&path) {
        return Ok(None);
    }
    Ok(Some(match leads_to(&path, &git_dir) {
        true => WorkTree::Ours(path),
        false => foreign(),
    }))
}

/// Whether the `.git` in a folder is this git directory, or a file that names it.
fn leads_to(work_tree: &Path, git_dir: &Path) -> bool {
    let dot_git = work_tree.join(".git");
    let named = match std::fs::read_to_string(&dot_git) {
        Ok(text) => match text.trim_end().strip_prefix("gitdir:") {
            Some(path) => work_tree.join(path.trim_start()),
            None => return false,
        },
        Err(_) => dot_git,
    };
    named.canonicalize().is_ok_and(|named| named == git_dir)
}

/// Returns the remotes that promised what is missing.
fn promisors(config: &File) -> Vec<String> {
    let mut promisors = Vec::new();
    for name in remote_names(config) {
        let key = keys::PROMISOR.name().replace('*', &name);
        if matches!(config.boolean(key.as_str()), Ok(Some(true))) {
            promisors.push(name);
        }
    }
    // Old git recorded the promisor in `extensions.partialClone`; new git marks the remote.
    if let Some(recorded) = config.string(keys::PARTIAL_CLONE.name()) {
        let recorded = recorded.to_string();
        if !promisors.contains(&recorded) {
            promisors.push(recorded);
        }
    }
    promisors
}

/// Names of directories are compared and stored, so each directory must have one name. On Windows
/// it must also be one that git and people read, without `\\?\` where that can be.
pub(super) fn canonical(path: &Path) -> Result<PathBuf, Error> {
    dunce::canonicalize(path).map_err(Error::io(path))
}

/// Returns the names of the configured remotes, sorted.
pub(super) fn remote_names(config: &gix::config::File) -> Vec<String> {
    subsections(config, "remote")
}

/// Returns the names that sections of a kind have, sorted.
pub(super) fn subsections(config: &gix::config::File, section: &str) -> Vec<String> {
    let sections = config.sections_by_name(section).into_iter().flatten();
    let names = sections.filter_map(|section| {
        let name = section.header().subsection_name()?;
        Some(name.to_string())
    });
    let names: std::collections::BTreeSet<String> = names.collect();
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_git_are_read_in_both_forms() {
        let read = |text: &str| -> Vec<String> {
            let pairs = from_parameters(text.into());
            pairs.iter().map(ToString::to_string).collect()
        };
        assert_eq!(read("'a.b=c' 'd.e=f g'"), ["a.b=c", "d.e=f g"]);
        assert_eq!(read("'a.b'='c'\\''d' 'e.f'="), ["a.b=c'd", "e.f"]);
        assert_eq!(read("'a.x=y.b'='c' 'e.f=1'"), ["e.f=1"]);
        assert_eq!(read("'nonsense' 'a.b=c'"), ["a.b=c"]);
        assert!(read("").is_empty() && read("a.b=c").is_empty() && read("'a.b=c").is_empty());
    }

    #[test]
    fn safe_directories_are_read_as_git_does() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let dir = top.join("repo");
        std::fs::create_dir(&dir).unwrap();
        let safe = |list: &[&str]| {
            let list: Vec<String> = list.iter().map(|entry| (*entry).to_owned()).collect();
            is_safe(&list, &dir)
        };
        let (exact, below) = (
            dir.display().to_string(),
            top.join("*").display().to_string(),
        );
        for list in [
            &["*"][..],
            &[&exact],
            &[&below],
            &["/x", &exact],
            &["", &exact],
        ] {
            assert!(safe(list), "{list:?}");
        }
        let above = top.display().to_string();
        for list in [&[][..], &[&exact, ""], &["repo"], &[&above], &["/x/*"]] {
            assert!(!safe(list), "{list:?}");
        }
    }

    #[test]
    fn a_bare_find_is_one_around_the_start() {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        for inside in *words!("bare/refs work/.git/refs work/.git/modules/x/refs work/src") {
            std::fs::create_dir_all(top.join(inside)).unwrap();
        }
        let bare = |git_dir: &str, start: &str| is_bare_find(&top.join(git_dir), &top.join(start));
        assert!(bare("bare", "bare") && bare("bare", "bare/refs"));
        assert!(!bare("work/.git", "work/.git/refs") && !bare("work/.git", "work/src"));
        assert!(!bare("work/.git/modules/x", "work/.git/modules/x/refs"));
        // A work tree that led to it.
        assert!(!bare("bare", "work/src"));
    }
}
