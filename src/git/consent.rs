//! What of a repository's own configuration counts only when the user has consented to it.
//!
//! Consent is a file in the user's own folder, named by the repository's common directory. It holds a
//! digest of the very lines that were shown, so any change of them, by whomever, asks again. What the
//! lines name (the bytes of a library, say) is not part of it.

use super::error::Error;
use super::keys::{self, Key, Purpose};
use crate::home;
use gix::config::source::Kind;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// First line of a file of consent.
const HEADER: &str = "git-sverklo trust 1";

/// A line of a repository's own configuration that names a program, a library, an address, a variable or
/// a file outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// What it is good for.
    pub purpose: Purpose,
}

impl Line {
    /// Whether it says no more than that questions may fetch, and where from.
    fn is_address(&self) -> bool {
        let is_url = self.key.starts_with("remote.") && self.key.ends_with(".url");
        is_url || self.key == keys::LAZY_FETCH.name()
    }
}

/// The lines of one repository, and whether the user has consented to them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Consent {
    lines: Vec<Line>,
    /// Whether the user has consented to exactly these lines.
    pub(crate) is_given: bool,
}

impl Consent {
    /// Collects the lines of a repository's own configuration. `promisors` are the remotes that a
    /// question could fetch from; `work_tree` is a line that discovery did not follow.
    pub(super) fn of(
        config: &gix::config::File,
        common_dir: &Path,
        promisors: &[String],
        work_tree: Option<Line>,
    ) -> Self {
        let signs = config.boolean(keys::SIGN_MEMORY.name());
        let judge = Judge {
            promisors,
            signs: matches!(signs, Ok(Some(true))),
        };
        let mut lines: Vec<Line> = work_tree.into_iter().collect();
        for section in config.sections() {
            if section.meta().source.kind() != Kind::Repository {
                continue;
            }
            let header = section.header();
            let name = header.name().to_string().to_ascii_lowercase();
            let subsection = header.subsection_name().map(ToString::to_string);
            let names = section.value_names().map(|name| name.to_ascii_lowercase());
            for value_name in names.collect::<BTreeSet<_>>() {
                let mut values = section.values(&value_name);
                if values.is_empty() {
                    // A name alone, which is a yes.
                    values.push("true".into());
                }
                for value in values {
                    let value = value.to_string();
                    let of = (name.as_str(), subsection.as_deref(), value_name.as_str());
                    if let Some((key, purpose)) = judge.purpose(of, &value) {
                        lines.push(Line {
                            key,
                            value,
                            purpose,
                        });
                    }
                }
            }
        }
        let is_given = !lines.is_empty()
            && file_of(common_dir)
                .and_then(|file| std::fs::read_to_string(file).ok())
                .is_some_and(|text| digest_in(&text) == Some(&*digest(common_dir, &lines)));
        Self { lines, is_given }
    }

    /// Returns the lines, in the order of the configuration.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Says which lines are not in effect, and what gives consent; of one purpose, or of all.
    pub fn withheld(&self, purpose: Option<Purpose>) -> Option<String> {
        let lines = self.lines.iter();
        let lines = lines.filter(|line| purpose.is_none_or(|purpose| line.purpose == purpose));
        let mut names: Vec<&str> = lines.map(|line| line.key.as_str()).collect();
        names.dedup();
        if self.is_given || names.is_empty() {
            return None;
        }
        let are = if names.len() == 1 { "is" } else { "are" };
        Some(format!(
            "{} of this repository's own configuration {are} not in effect until the user runs `git \
             sverklo trust`",
            listed(&names)
        ))
    }

    /// Whether a question may fetch when the user's own configuration says that questions may: no line
    /// may say more than where the remote is.
    pub(super) fn allows_fetch_by_address(&self) -> bool {
        let mut fetching = self.lines.iter().filter(|l| l.purpose == Purpose::Fetch);
        fetching.all(Line::is_address)
    }
}

fn listed(names: &[&str]) -> String {
    /// Names that are said; the others are counted.
    const MOST: usize = 4;
    match names.len() {
        n if n > MOST => format!("{} and {} more", names[..MOST].join(", "), n - MOST),
        _ => names.join(", "),
    }
}

/// Decides which lines need consent in one repository.
struct Judge<'a> {
    promisors: &'a [String],
    signs: bool,
}

impl Judge<'_> {
    /// Returns the key as people write it, and what it is good for; `None` for what needs no consent.
    fn purpose(
        &self,
        (section, subsection, name): (&str, Option<&str>, &str),
        value: &str,
    ) -> Option<(String, Purpose)> {
        let is_asked = |key: &&Key| {
            let (s, sub, n) = key.parts();
            s.eq_ignore_ascii_case(section)
                && n.eq_ignore_ascii_case(name)
                && (sub == subsection || sub == Some("*") && subsection.is_some())
        };
        if let Some(key) = keys::ALL.iter().find(is_asked)
            && !key.allows(value)
        {
            let purpose = key.purpose()?;
            let counts = purpose != Purpose::Fetch || !self.promisors.is_empty();
            return counts.then(|| (key.name().to_owned(), purpose));
        }
        let purpose = match () {
            () if !self.promisors.is_empty() && self.fetches(section, subsection, name) => {
                Purpose::Fetch
            }
            () if self.signs && (section == "gpg" || (section, name) == ("user", "signingkey")) => {
                Purpose::Signing
            }
            () => return None,
        };
        let key = match subsection {
            Some(subsection) => format!("{section}.{subsection}.{name}"),
            None => format!("{section}.{name}"),
        };
        Some((key, purpose))
    }

    /// Whether a key has a say in how `git fetch` reaches a remote: git starts what it names, or speaks
    /// to it.
    fn fetches(&self, section: &str, subsection: Option<&str>, name: &str) -> bool {
        /// What is known to be harmless of a remote's keys.
        const HARMLESS: &[&str] = words!(
            "fetch followremotehead mirror partialclonefilter promisor prune prunetags
             skipdefaultupdate tagopt"
        );
        match section {
            "credential" | "http" | "url" | "protocol" | "ssh" | "bundle" | "promisor" => true,
            "core" => matches!(name, "askpass" | "gitproxy" | "sshcommand"),
            "fetch" => name.starts_with("bundle"),
            "remote" => {
                let of = subsection.unwrap_or_default();
                self.promisors.iter().any(|remote| remote == of) && !HARMLESS.contains(&name)
            }
            _ => false,
        }
    }
}

/// A repository that the user has consented to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Record {
    /// Its common directory.
    pub dir: String,
    /// The lines that were shown.
    pub lines: Vec<String>,
}

/// Records the user's consent to the lines of a repository, which is known by its common directory.
///
/// # Errors
/// [`Error::NoHome`] where the environment names no folder of the user's, or [`Error::Io`].
pub fn give(common_dir: &Path, consent: &Consent) -> Result<(), Error> {
    let path = file_of(common_dir).ok_or(Error::NoHome)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut text = format!(
        "{HEADER}\n{}\n{}\n",
        digest(common_dir, consent.lines()),
        one_line(&common_dir.display().to_string())
    );
    for line in consent.lines() {
        text += &format!("{} = {}\n", one_line(&line.key), one_line(&line.value));
    }
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(Error::io(folder))?;
    file.write_all(text.as_bytes()).map_err(Error::io(&path))?;
    file.persist(&path)
        .map_err(|err| Error::io(&path)(err.error))?;
    Ok(())
}

/// Takes the consent to a repository back; whether there was any. Fails with [`Error::NoHome`] or
/// [`Error::Io`].
pub fn revoke(common_dir: &Path) -> Result<bool, Error> {
    let path = file_of(common_dir).ok_or(Error::NoHome)?;
    match std::fs::remove_file(&path) {
        Ok(()) => Ok(true),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(err) => Err(Error::io(path)(err)),
    }
}

/// Lists the repositories that the user has consented to, by their directory. Fails with
/// [`Error::NoHome`] or [`Error::Io`].
pub fn list() -> Result<Vec<Record>, Error> {
    let folder = folder().ok_or(Error::NoHome)?;
    let entries = match std::fs::read_dir(&folder) {
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::io(&folder))?,
    };
    let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.ok()?.path()).ok());
    let record = |text: String| {
        digest_in(&text)?;
        let mut lines = text.lines().skip(2).map(str::to_owned);
        Some(Record {
            dir: lines.next()?,
            lines: lines.collect(),
        })
    };
    let mut records: Vec<Record> = texts.filter_map(record).collect();
    records.sort();
    Ok(records)
}

fn folder() -> Option<PathBuf> {
    Some(home::data(&|name| std::env::var_os(name))?.join("trust"))
}

fn file_of(common_dir: &Path) -> Option<PathBuf> {
    let name = hex(&Sha256::digest(common_dir.as_os_str().as_encoded_bytes()));
    Some(folder()?.join(&name[..32]))
}

/// Returns the digest that a file of consent holds.
fn digest_in(text: &str) -> Option<&str> {
    let mut lines = text.lines();
    lines.next().filter(|first| *first == HEADER)?;
    lines.next().filter(|digest| digest.len() == 64)
}

/// A digest over the directory and the lines, each part with its length so that no two lists are alike.
fn digest(common_dir: &Path, lines: &[Line]) -> String {
    let mut digest = Sha256::new();
    let mut part = |bytes: &[u8]| {
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(bytes);
    };
    part(common_dir.as_os_str().as_encoded_bytes());
    for line in lines {
        part(line.key.as_bytes());
        part(line.value.as_bytes());
    }
    hex(&digest.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(key: &str, value: &str, purpose: Purpose) -> Line {
        Line {
            key: key.to_owned(),
            value: value.to_owned(),
            purpose,
        }
    }

    #[test]
    fn no_two_lists_of_lines_have_the_same_digest() {
        let dir = Path::new("/r");
        let list = |pairs: &[(&str, &str)]| -> String {
            let lines = pairs.iter().map(|(k, v)| line(k, v, Purpose::Model));
            digest(dir, &lines.collect::<Vec<_>>())
        };
        let one = list(&[("a.b", "c")]);
        assert_eq!(one, list(&[("a.b", "c")]));
        let others = [
            list(&[]),
            list(&[("a.b", "d")]),
            list(&[("a.bc", "")]),
            list(&[("a.b", "c"), ("a.b", "c")]),
            digest(Path::new("/s"), &[line("a.b", "c", Purpose::Model)]),
        ];
        assert!(!others.contains(&one));
    }

    #[test]
    fn what_git_starts_to_reach_a_remote_needs_consent_in_a_partial_clone_alone() {
        let promisors = ["origin".to_owned()];
        let judge = |promisors| Judge {
            promisors,
            signs: false,
        };
        let asked =
            |judge: &Judge<'_>, of: (&str, Option<&str>, &str)| judge.purpose(of, "x").is_some();
        let named = [
            ("remote", Some("origin"), "url"),
            ("remote", Some("origin"), "uploadpack"),
            ("remote", Some("origin"), "vcs"),
            ("url", Some("ext::sh -c"), "insteadof"),
            ("core", None, "sshcommand"),
            ("credential", Some("https://x"), "helper"),
            ("http", None, "proxy"),
            ("protocol", Some("ext"), "allow"),
        ];
        for of in named {
            assert!(asked(&judge(&promisors), of), "{of:?}");
            assert!(!asked(&judge(&[]), of), "{of:?}");
        }
        assert!(!asked(
            &judge(&promisors),
            ("remote", Some("origin"), "fetch")
        ));
        assert!(!asked(&judge(&promisors), ("remote", Some("other"), "url")));
    }
}
