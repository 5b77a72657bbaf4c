//! Which repository is meant by a remote, and what we call it.

use super::error::Error;
use super::keys::{self, Key};
use super::program;
use super::repo::{Head, Repo};
use gix::ObjectId;
use std::path::Path;

/// What is about to be done with a remote; `git` picks different defaults for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Taking from it.
    Fetch,
    /// Giving to it.
    Push,
}

/// Another repository, by the name it is configured under or by its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remote {
    /// What the git program is given: a name, a URL or an absolute path.
    pub(super) address: String,
    /// The name under which we remember it; part of ref names and file names.
    label: String,
    is_configured: bool,
}

impl Remote {
    /// Finds the remote that `given` means: the name of a configured one, a URL, or a path
    /// relative to `dir`. Without it the configuration decides: `sverklo.remote`, else what `git
    /// push` or `git fetch` would use on the current branch, else `origin`, else the only one. Fails
    /// with [`Error::NoRemote`] when there is nothing that could be meant.
    pub fn resolve(
        repo: &Repo,
        given: Option<&str>,
        direction: Direction,
        dir: &Path,
    ) -> Result<Self, Error> {
        let names = repo.remotes();
        let chosen = match given {
            Some(given) => given.to_owned(),
            None => default(repo, direction, &names)?,
        };
        if names.contains(&chosen) {
            return Self::configured(chosen);
        }
        Self::address(chosen, dir)
    }

    fn configured(name: String) -> Result<Self, Error> {
        let unusable = |reason: &str| Error::NoRemote {
            given: Some(name.clone()),
            reason: reason.to_owned(),
        };
        if name.starts_with('-') {
            return Err(unusable(
                "a name that begins with a dash is taken for an option",
            ));
        }
        gix::validate::reference::name(tracking_ref(&name, "index").as_str().into())
            .map_err(|err| unusable(&err.to_string()))?;
        Ok(Self {
            label: name.clone(),
            address: name,
            is_configured: true,
        })
    }

    fn address(given: String, dir: &Path) -> Result<Self, Error> {
        let unknown = |reason: &str| Error::NoRemote {
            given: Some(given.clone()),
            reason: reason.to_owned(),
        };
        if given.is_empty() || given.starts_with('-') {
            return Err(unknown("it is neither a remote, a URL nor a path"));
        }
        let address = if is_url(&given) {
            given
        } else {
            let path = dir.join(&given).canonicalize();
            let path =
                path.map_err(|_| unknown("no remote has that name, and no such path exists"))?;
            let path = path
                .to_str()
                .ok_or_else(|| unknown("its path is not valid text"))?;
            plain(path).to_owned()
        };
        let label = format!(
            "url-{:016x}",
            xxhash_rust::xxh3::xxh3_64(address.as_bytes())
        );
        Ok(Self {
            address,
            label,
            is_configured: false,
        })
    }

    /// Returns its configured name; `None` for an address.
    pub fn name(&self) -> Option<&str> {
        self.is_configured.then_some(self.address.as_str())
    }

    /// Returns the name that what we remember of it is kept under.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the ref of ours that says what its index was when we last met.
    pub fn tracking_index(&self) -> String {
        tracking_ref(&self.label, "index")
    }

    /// Returns the ref of ours that says what its memories were when we last met.
    pub fn tracking_memory(&self) -> String {
        tracking_ref(&self.label, "memory")
    }
}

impl std::fmt::Display for Remote {
    /// Writes the address without a password that may be part of it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some((scheme, rest)) = self.address.split_once("://") else {
            return f.write_str(&self.address);
        };
        let end = rest.find('/').unwrap_or(rest.len());
        match rest[..end].rfind('@') {
            Some(at) => write!(f, "{scheme}://{}", &rest[at + 1..]),
            None => f.write_str(&self.address),
        }
    }
}

/// Returns the ref under which something of a remote is remembered, given the remote's label.
///
/// Refs below `refs/remotes/` are deleted by `git fetch --prune`, those here are left alone.
pub fn tracking_ref(label: &str, which: &str) -> String {
    format!("refs/sverklo/remotes/{label}/v1/{which}")
}

/// Whether a text is an address as git knows them: with a scheme, or `host:path` as ssh has it.
fn is_url(text: &str) -> bool {
    if text.contains("://") {
        return true;
    }
    // git, too, takes a slash before the first colon for a path, and one letter for a drive.
    match text.find([':', '/']) {
        Some(at) => text.as_bytes()[at] == b':' && !(cfg!(windows) && at == 1),
        None => false,
    }
}

/// Drops the prefix that Windows gives canonical paths, which git does not understand.
fn plain(path: &str) -> &str {
    path.strip_prefix(r"\\?\").unwrap_or(path)
}

fn default(repo: &Repo, direction: Direction, names: &[String]) -> Result<String, Error> {
    let branch = match repo.head()? {
        Head::Commit {
            branch: Some(branch),
            ..
        } => Some(branch),
        _ => None,
    };
    let of_branch = |key: Key| {
        let branch = branch.as_ref()?;
        repo.config_str_of(key, branch)
    };
    let mut chosen = repo.config_str(keys::REMOTE);
    if direction == Direction::Push {
        chosen = chosen
            .or_else(|| of_branch(keys::BRANCH_PUSH_REMOTE))
            .or_else(|| repo.config_str(keys::PUSH_DEFAULT));
    }
    // A branch that tracks another local one has "." for its remote.
    chosen = chosen.or_else(|| of_branch(keys::BRANCH_REMOTE).filter(|name| name != "."));
    match (chosen, names) {
        (Some(chosen), _) => Ok(chosen),
        (None, names) if names.iter().any(|name| name == "origin") => Ok("origin".to_owned()),
        (None, [only]) => Ok(only.clone()),
        (None, []) => Err(Error::NoRemote {
            given: None,
            reason: "none is configured; name a URL, or add one with `git remote add`".to_owned(),
        }),
        (None, several) => Err(Error::NoRemote {
            given: None,
            reason: format!(
                "there are several ({}); name one, or set `git config sverklo.remote`",
                several.join(", ")
            ),
        }),
    }
}

/// Returns the commits that the remote's branches had when the user last fetched from it or
/// pushed to it; none for an address. Fails with what the git program said when it cannot list refs.
pub fn last_seen_tips(repo: &Repo, remote: &Remote) -> Result<Vec<ObjectId>, Error> {
    let Some(name) = remote.name() else {
        return Ok(Vec::new());
    };
    let below = format!("refs/remotes/{name}/");
    let args = ["for-each-ref", "--format=%(objectname)", &below];
    let out = program::run_args(repo, &args)?;
    if !out.status.success() {
        return Err(out.into_error("for-each-ref"));
    }
    let lines = out.stdout.split(|b| *b == b'\n');
    Ok(lines
        .filter_map(|hex| ObjectId::from_hex(hex).ok())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_paths() {
        for url in ["https://host/x", "file:///x", "git@host:x/y.git", "host:x"] {
            assert!(is_url(url), "{url}");
        }
        for path in ["../x", "/x/y:z", "x", "./a:b", "sub/dir"] {
            assert!(!is_url(path), "{path}");
        }
    }

    #[test]
    fn options_and_nonsense_are_no_remotes() {
        let dir = Path::new("/nonexistent");
        for bad in ["", "-x", "--upload-pack=touch /tmp/x", "no-such-path"] {
            assert!(Remote::address(bad.to_owned(), dir).is_err(), "{bad}");
        }
        for bad in ["-x", "a b", "a..b", "a.lock", "a~"] {
            assert!(Remote::configured(bad.to_owned()).is_err(), "{bad}");
        }
        let ours = Remote::configured("team/fork".to_owned()).unwrap();
        assert_eq!(
            ours.tracking_index(),
            "refs/sverklo/remotes/team/fork/v1/index"
        );
    }

    #[test]
    fn passwords_are_not_shown() {
        let remote = |url: &str| Remote::address(url.to_owned(), Path::new("/")).unwrap();
        assert_eq!(
            remote("https://me:secret@host/x").to_string(),
            "https://host/x"
        );
        assert_eq!(remote("https://host/a@b").to_string(), "https://host/a@b");
        assert_eq!(remote("git@host:x").to_string(), "git@host:x");
        let label = remote("https://host/x").label;
        assert!(label.starts_with("url-") && label.len() == 20, "{label}");
    }
}
