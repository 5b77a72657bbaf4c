//! Finding a repository, what kind of repository it is, and resolving revisions.

use super::consent::Consent;
use super::error::{Error, WayBack};
use super::kept_commits::{KeptCommits, Reader};
use super::keys::{self, Key};
use super::objects::Objects;
use super::open::{self, Opened};
use super::refs::RefNames;
use super::rewritten::Rewritten;
use super::settings::Settings;
use super::whereabouts::{Standing, Whereabouts};
use super::{commit, program};
use crate::cache::Kept;
use crate::id::{BlobId, CommitId, TreeId};
use gix::ObjectId;
use gix::bstr::{BStr, BString};
use gix::config::file::Metadata;
use gix::objs::Kind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longest chain of tags that is followed to a commit.
const MAX_TAG_CHAIN: usize = 16;

/// Where a repository keeps its refs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefStorage {
    /// Loose files and `packed-refs`, which are read in process.
    Files,
    /// Something else, such as `reftable`; every ref is read through the git program.
    Other(String),
}

/// What `HEAD` stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Head {
    /// A branch without a commit.
    Unborn,
    /// A commit.
    Commit {
        /// The commit.
        id: CommitId,
        /// The branch without `refs/heads/`; `None` when `HEAD` is detached.
        branch: Option<String>,
    },
}

/// One repository, shared by all threads.
///
/// Linked work trees have their own git directory, `HEAD` and git index; objects, refs and what
/// we keep beside them are in the common directory.
#[derive(Clone)]
pub struct Repo {
    inner: gix::ThreadSafeRepository,
    git_dir: PathBuf,
    common_dir: PathBuf,
    work_dir: Option<PathBuf>,
    hash: gix::hash::Kind,
    ref_storage: RefStorage,
    ref_names: RefNames,
    /// Remotes that promised what is missing; none when all is here.
    pub(super) promisors: Vec<String>,
    /// What of the repository's own configuration counts only with the user's consent.
    pub(crate) consent: Consent,
    kept: Kept,
    commits: Arc<KeptCommits>,
    whereabouts: Whereabouts,
}

impl Repo {
    /// Finds the repository that `start` is in, as git would.
    ///
    /// `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_CEILING_DIRECTORIES` and
    /// `GIT_DISCOVERY_ACROSS_FILESYSTEM` are honoured, because git sets them for hooks and users
    /// set them for unusual layouts. Programs started later do not inherit any of them.
    ///
    /// # Errors
    /// [`Error::NotARepository`]; [`Error::Untrusted`] for a repository of another user that is not
    /// listed in `safe.directory`; [`Error::ImplicitBare`] where `safe.bareRepository` forbids it.
    pub fn discover(start: &Path) -> Result<Self, Error> {
        let Opened {
            inner: repo,
            consent,
            promisors,
        } = open::open(start)?;
        let common_dir = open::canonical(repo.common_dir())?;
        let git_dir = open::canonical(repo.git_dir())?;
        let work_dir = repo.workdir().map(open::canonical).transpose()?;
        let settings = Settings::of(start, &repo);
        let whereabouts = Whereabouts::of(&git_dir, &common_dir, work_dir.as_deref());
        let mut opened = Self {
            kept: Kept::new(&common_dir),
            commits: Arc::default(),
            whereabouts: whereabouts.configured(settings),
            git_dir,
            work_dir,
            hash: repo.object_hash(),
            ref_storage: RefStorage::Files,
            ref_names: RefNames::default(),
            inner: repo.into_sync(),
            common_dir,
            promisors,
            consent,
        };
        if let Some(name) = opened.config_str(keys::REF_STORAGE)
            && name != "files"
        {
            opened.ref_storage = RefStorage::Other(name);
        }
        if let Some(prefix) = opened.config_str(keys::REF_PREFIX) {
            opened.ref_names = RefNames::with_prefix(&prefix)?;
        }
        Ok(opened)
    }

    /// Returns what tells whether the repository is still where it was opened, for who does not keep it open.
    pub fn whereabouts(&self) -> &Whereabouts {
        &self.whereabouts
    }

    /// A hash of what the configuration says.
    pub(super) fn settings(&self) -> u64 {
        self.whereabouts.settings()
    }

    /// Says whether the repository is still where it was opened.
    pub fn standing(&self) -> Standing {
        self.whereabouts.standing()
    }

    /// Returns the git directory of this work tree.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Returns the git directory that all linked work trees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Returns what is kept beside the object store, for all work trees.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// Reads what is kept of commits.
    pub(super) fn commits_kept(&self) -> Reader {
        Reader::new(&self.commits, &self.kept, self.hash)
    }

    /// Returns the top of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// Whether there is no work tree.
    pub fn is_bare(&self) -> bool {
        self.work_dir.is_none()
    }

    /// Returns the hash of the repository's object ids.
    pub fn hash(&self) -> gix::hash::Kind {
        self.hash
    }

    /// Returns where the repository keeps its refs.
    pub fn ref_storage(&self) -> &RefStorage {
        &self.ref_storage
    }

    /// Returns the names of our refs in this repository (`sverklo.refPrefix`).
    pub fn ref_names(&self) -> &RefNames {
        &self.ref_names
    }

    /// Whether history is cut off somewhere.
    pub fn is_shallow(&self) -> bool {
        self.common_dir
            .join("shallow")
            .metadata()
            .is_ok_and(|meta| meta.len() > 0)
    }

    /// Whether objects may be missing because a remote promised to provide them.
    pub fn is_partial(&self) -> bool {
        !self.promisors.is_empty()
    }

    /// Returns a handle on the object store for the calling thread.
    pub fn objects(&self) -> Objects {
        Objects::new(self.local().objects, self.hash)
    }

    /// Returns gix's view of the repository for the calling thread.
    pub(super) fn local(&self) -> gix::Repository {
        self.inner.to_thread_local()
    }

    /// Returns the names of the configured remotes, sorted.
    pub fn remotes(&self) -> Vec<String> {
        open::remote_names(self.local().config_snapshot().plumbing())
    }

    /// Returns the names of configured hooks, which git from 2.54 on runs.
    pub(super) fn configured_hooks(&self) -> Vec<String> {
        open::subsections(self.local().config_snapshot().plumbing(), "hook")
    }

    /// Returns a configured yes or no; `None` when not set or not one.
    ///
    /// Here as in the other readers, what the repository's own configuration says of a key that is the
    /// user's is passed over, unless they have consented to it.
    pub fn config_bool(&self, key: Key) -> Option<bool> {
        let local = self.local();
        let config = local.config_snapshot();
        // Both are yes: `= true`, and a name alone, which has no text.
        let plain = |filter: fn(&Metadata) -> bool| {
            let found = config.plumbing().boolean_filter(key.name(), filter);
            found.ok().flatten()
        };
        match key.allows("true") || self.consent.is_given {
            true => plain(open::not_of_ours),
            false => match self.config_str(key) {
                Some(text) => gix::config::Boolean::try_from(BString::from(text))
                    .ok()
                    .map(|value| value.0),
                None => plain(open::of_the_user),
            },
        }
    }

    /// Returns a configured number, such as `50m`; `None` when not set or not one.
    pub fn config_int(&self, key: Key) -> Option<i64> {
        let text = self.config_str(key)?;
        let number = gix::config::Integer::try_from(BString::from(text)).ok()?;
        number.to_decimal()
    }

    /// Returns a configured text; `None` when not set.
    pub fn config_str(&self, key: Key) -> Option<String> {
        self.text(key, key.parts().1)
    }

    /// Returns a configured text of a key whose subsection is not always the same.
    pub(super) fn config_str_of(&self, key: Key, subsection: &str) -> Option<String> {
        self.text(key, Some(subsection))
    }

    /// The last value that counts.
    fn text(&self, key: Key, subsection: Option<&str>) -> Option<String> {
        let local = self.local();
        let config = local.config_snapshot();
        let (section, _, name) = key.parts();
        let found = config.plumbing().values_with_sections_by::<BString>(
            section,
            subsection.map(BStr::new),
            name,
        );
        let mut found = found.ok()?.into_iter().rev();
        found.find_map(|(value, section)| {
            let value = value.to_string();
            let counts =
                self.consent.is_given || open::of_the_user(section.meta()) || key.allows(&value);
            counts.then_some(value)
        })
    }

    /// Returns what `HEAD` stands for at this moment. Fails with [`Error::CorruptRef`], or what the git
    /// program said.
    pub fn head(&self) -> Result<Head, Error> {
        if self.ref_storage != RefStorage::Files {
            return self.head_by_program();
        }
        let corrupt = |reason: String| Error::CorruptRef {
            way_back: WayBack::Theirs,
            name: "HEAD".to_owned(),
            reason,
        };
        let repo = self.local();
        let mut head = repo.head().map_err(|err| corrupt(err.to_string()))?;
        let branch = head
            .referent_name()
            .map(|name| short_branch(&name.as_bstr().to_string()));
        match head
            .try_peel_to_id()
            .map_err(|err| corrupt(err.to_string()))?
        {
            None => Ok(Head::Unborn),
            Some(id) => Ok(Head::Commit {
                id: CommitId::new(id.detach()),
                branch,
            }),
        }
    }

    fn head_by_program(&self) -> Result<Head, Error> {
        let id = program::run_args(self, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])?;
        if !id.status.success() {
            return Ok(Head::Unborn);
        }
        let id = parse_id(&id.stdout).ok_or_else(|| id.into_error("rev-parse"))?;
        let name = program::run_args(self, &["symbolic-ref", "--quiet", "HEAD"])?;
        let branch = name
            .status
            .success()
            .then(|| short_branch(String::from_utf8_lossy(&name.stdout).trim_end_matches('\n')));
        Ok(Head::Commit {
            id: CommitId::new(id),
            branch,
        })
    }

    /// Resolves any revision to a commit: ids, abbreviations, branches, tags, `HEAD~3`,
    /// `main@{yesterday}`, `:/message`.
    ///
    /// `HEAD` and full ids are resolved in process; for the rest the git program is asked, whose
    /// grammar this is.
    ///
    /// # Errors
    /// [`Error::UnknownRevision`], [`Error::SearchingRevision`], [`Error::Rewritten`], [`Error::AmbiguousRevision`],
    /// [`Error::NotACommit`]; for `HEAD` before the first commit, [`Error::Unborn`]; [`Error::GitNotFound`].
    pub fn resolve(&self, rev: &str) -> Result<CommitId, Error> {
        let found = self.resolve_here(rev);
        if !matches!(found, Err(Error::UnknownRevision(_))) {
            return found;
        }
        let objects = self.objects();
        let became = Rewritten::of(self).became_of(rev);
        let mut here = became.filter(|new| objects.contains(new.as_object()));
        match here.next_back() {
            Some(new) => Err(Error::Rewritten {
                rev: rev.to_owned(),
                became: new.short(),
            }),
            None => found,
        }
    }

    fn resolve_here(&self, rev: &str) -> Result<CommitId, Error> {
        let unknown = || Error::UnknownRevision(rev.to_owned());
        // A leading dash could be taken for an option, and git itself allows no such ref.
        if rev.is_empty() || rev.starts_with('-') || rev.contains(['\0', '\n']) {
            return Err(unknown());
        }
        if searches_by_expression(rev) {
            return Err(Error::SearchingRevision(rev.to_owned()));
        }
        if rev == "HEAD" || rev == "@" {
            return match self.head()? {
                Head::Unborn => Err(Error::Unborn),
                Head::Commit { id, .. } => Ok(id),
            };
        }
        if let Ok(id) = ObjectId::from_hex(rev.as_bytes())
            && id.kind() == self.hash
        {
            return self.peel(rev, id);
        }
        // The suffix lets git prefer commits when an abbreviation is ambiguous. After `:/` it
        // would become part of the searched text.
        if !rev.starts_with(":/")
            && let Ok(id) = self.rev_parse(&format!("{rev}^{{commit}}"))?
        {
            return Ok(CommitId::new(id));
        }
        match self.rev_parse(rev)? {
            Ok(id) => self.peel(rev, id),
            Err(said) if said.contains("ambiguous") => {
                Err(Error::AmbiguousRevision(rev.to_owned()))
            }
            Err(_) => Err(unknown()),
        }
    }

    /// Asks git for one object id, or what it says instead.
    fn rev_parse(&self, rev: &str) -> Result<Result<ObjectId, String>, Error> {
        let args = ["rev-parse", "--verify", "--end-of-options", rev];
        let out = program::run_args(self, &args)?;
        let id = parse_id(&out.stdout).filter(|_| out.status.success());
        Ok(id.ok_or(out.stderr))
    }

    /// Finds a blob by its id or an abbreviation of it; `None` when no blob here has it. Fails with
    /// [`Error::AmbiguousRevision`] when several have it.
    pub fn find_blob(&self, hex: &str) -> Result<Option<BlobId>, Error> {
        match self.rev_parse(&format!("{hex}^{{blob}}"))? {
            Ok(id) => Ok(Some(BlobId::new(id))),
            Err(said) if said.contains("ambiguous") => {
                Err(Error::AmbiguousRevision(hex.to_owned()))
            }
            Err(_) => Ok(None),
        }
    }

    /// Follows tags from an object to a commit.
    pub(super) fn peel(&self, rev: &str, mut id: ObjectId) -> Result<CommitId, Error> {
        let mut objects = self.objects();
        let mut buf = Vec::new();
        for _ in 0..MAX_TAG_CHAIN {
            match objects.kind(id) {
                Ok(Kind::Commit) => return Ok(CommitId::new(id)),
                Ok(Kind::Tag) => {
                    objects.read(id, Kind::Tag, &mut buf)?;
                    id = gix::objs::TagRefIter::from_bytes(&buf, self.hash)
                        .target_id()
                        .map_err(|err| Error::corrupt(id, err))?;
                }
                Ok(kind) => {
                    return Err(Error::NotACommit {
                        rev: rev.to_owned(),
                        kind: kind.to_string(),
                    });
                }
                Err(Error::MissingObject { .. }) => {
                    return Err(Error::UnknownRevision(rev.to_owned()));
                }
                Err(err) => return Err(err),
            }
        }
        Err(Error::corrupt(id, "tags nest too deep"))
    }

    /// Returns the root tree of a commit. Fails with [`Error::MissingObject`], [`Error::WrongKind`] or
    /// [`Error::CorruptObject`].
    pub fn commit_tree(&self, commit: CommitId) -> Result<TreeId, Error> {
        Ok(commit::links(&mut self.objects(), commit)?.0)
    }

    /// Returns the parents of a commit, in its order. Fails with [`Error::MissingObject`],
    /// [`Error::WrongKind`] or [`Error::CorruptObject`].
    pub fn commit_parents(&self, commit: CommitId) -> Result<Vec<CommitId>, Error> {
        Ok(commit::links(&mut self.objects(), commit)?.1)
    }
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repo")
            .field("git_dir", &self.git_dir)
            .finish_non_exhaustive()
    }
}

fn short_branch(name: &str) -> String {
    name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
}

/// Whether a revision is looked for in messages by more than words. A text that is checked for citations may hold one, and
/// `a{100}` in `a{100}` costs git's library memory without a bound.
fn searches_by_expression(rev: &str) -> bool {
    let sought = rev.strip_prefix(":/").into_iter();
    let mut sought = sought.chain(
        rev.split("^{/")
            .skip(1)
            .map(|rest| rest.split_once('}').map_or(rest, |(text, _)| text)),
    );
    sought.any(|text| text.contains(['{', '(', '[', '*', '+', '?', '|', '\\']))
}

fn parse_id(stdout: &[u8]) -> Option<ObjectId> {
    ObjectId::from_hex(stdout.strip_suffix(b"\n").unwrap_or(stdout)).ok()
}
