//! What the git program says of itself and of its configuration.

use super::error::Error;
use super::repo::Repo;
use super::{keys, program};

/// Version of the git program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
}

impl Version {
    /// Reads what `git version` prints: `git version 2.47.3`, `git version 2.54.0.windows.1`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.strip_prefix("git version ")?.split(['.', ' ', '\n']);
        Some(Self {
            major: numbers.next()?.parse().ok()?,
            minor: numbers.next()?.parse().ok()?,
        })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Returns the version of the git program that is found on `PATH`. Fails with [`Error::GitNotFound`],
/// or what git said instead.
pub fn version(repo: &Repo) -> Result<Version, Error> {
    let out = program::run_args(repo, &["version"])?;
    Version::parse(&String::from_utf8_lossy(&out.stdout)).ok_or_else(|| out.into_error("version"))
}

/// Where hooks are looked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HooksPath {
    /// What is configured.
    pub path: String,
    /// Whether the user said so, and not the repository's own configuration.
    pub is_users: bool,
}

/// Returns where hooks are looked for when that is configured; `None` for the usual place.
///
/// `core.hooksPath` may come from any scope, so both readers of configuration are asked: git knows
/// the system's file for sure, and gix sees what the caller's environment adds.
pub fn hooks_path(repo: &Repo) -> Option<HooksPath> {
    // A value may hold line ends and tabs, and would say its own scope.
    let args = [
        "config",
        "-z",
        "--show-scope",
        "--get-all",
        "core.hooksPath",
    ];
    let said = program::run_args(repo, &args).ok();
    let said = said.filter(|out| out.status.success());
    let listed = said
        .as_ref()
        .map(|out| String::from_utf8_lossy(&out.stdout));
    let parts: Vec<&str> = listed
        .iter()
        .flat_map(|listed| listed.split('\0'))
        .collect();
    let mut values = parts.as_chunks().0.iter();
    // The last value wins; that of the scope `command` is our own, which switches hooks off.
    let configured = values
        .rfind(|[scope, _]| *scope != "command")
        .map(|[scope, value]| HooksPath {
            path: (*value).to_owned(),
            is_users: !matches!(*scope, "local" | "worktree"),
        });
    // What git does not list comes from the environment.
    let given = || {
        let path = repo.config_str(keys::HOOKS_PATH)?;
        let is_users = said.is_some();
        Some(HooksPath { path, is_users })
    };
    configured
        .or_else(given)
        .filter(|found| !found.path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_every_maker_are_read() {
        let read = |text| Version::parse(text).map(|v| (v.major, v.minor));
        assert_eq!(read("git version 2.47.3\n"), Some((2, 47)));
        assert_eq!(read("git version 2.54.0.windows.1\n"), Some((2, 54)));
        assert_eq!(read("git version 2.39.5 (Apple Git-154)\n"), Some((2, 39)));
        assert_eq!(read("git version 3.0.GIT\n"), Some((3, 0)));
        assert_eq!(read("hub version 2\n"), None);
        assert!(Version::parse("git version 2.9.0") < Version::parse("git version 2.54.0"));
    }
}
