//! Which commits became which where history was rewritten in this clone: what git told its post-rewrite hook.
//!
//! Hooks run beside git and each other: a second rewrite may be told before the first was looked at. So pairs are
//! kept, oldest first, and when there are too many the oldest go. They lie under the user's seal, since what is read
//! there speaks for this user. They say which commits were squashed into one, and what became of a commit that nothing
//! leads to any more. Left out: what was rewritten in other clones, or here without the hook.

use super::make_below;
use super::repo::Repo;
use crate::id::CommitId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fs::File;

/// Most pairs that are looked at.
const MAX_PAIRS: usize = 1 << 16;
/// Bytes of pairs that are kept: those of about twelve thousand commits.
const MAX_KEPT: usize = 1 << 20;
/// Where they are kept.
const KEPT: &str = "rewritten";
/// Fewest digits of an abbreviation, as git has it.
const MIN_HEX: usize = 4;
/// The lock of who writes them. The file says nothing.
const LOCK: &str = "rewrites";

/// Commits and what became of them.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// What a commit became, in the order told.
    next: FxHashMap<CommitId, Vec<CommitId>>,
    /// What became a commit, in the order told.
    sources: FxHashMap<CommitId, Vec<CommitId>>,
}

/// Lets one hook in at a time, until it is dropped.
#[derive(Debug)]
pub struct Locked {
    _file: Option<File>,
}

/// Waits for the hooks that came before. Where no lock is to be had, nobody waits.
pub fn lock(repo: &Repo) -> Locked {
    let locked = || -> std::io::Result<File> {
        let folder = repo.common_dir().join("sverklo");
        make_below(repo.common_dir(), &folder)?;
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(folder.join(LOCK))?;
        file.lock()?;
        Ok(file)
    };
    Locked {
        _file: locked().ok(),
    }
}

impl Rewritten {
    /// What is kept of a repository.
    pub fn of(repo: &Repo) -> Self {
        let body = repo.kept().read(KEPT);
        let text = body
            .as_ref()
            .and_then(|body| std::str::from_utf8(body.as_ref()).ok());
        Self::read(repo, text.unwrap_or_default())
    }

    /// Adds what git tells its hook (`old new`, a line each) to what is kept. What cannot be written, or sealed, is
    /// in what is returned all the same.
    pub fn note(repo: &Repo, pairs: &str, _: &Locked) -> Self {
        let kept = repo.kept();
        let before = kept.read(KEPT);
        let before = before
            .as_ref()
            .and_then(|body| std::str::from_utf8(body.as_ref()).ok());
        let mut all = before.unwrap_or_default().to_owned();
        all.push_str(pairs.trim_end());
        all.push('\n');
        let surplus = all.len().saturating_sub(MAX_KEPT);
        // Not from the middle of a line.
        let next = all.as_bytes()[surplus..].iter().position(|b| *b == b'\n');
        let from = match surplus {
            0 => 0,
            _ => next.map_or(all.len(), |at| surplus + at + 1),
        };
        // Without a key only the pairs of one call lead on from one another.
        let _ = kept.write(KEPT, all.get(from..).unwrap_or_default().as_bytes());
        Self::read(repo, &all)
    }

    fn read(repo: &Repo, pairs: &str) -> Self {
        let lines: Vec<&str> = pairs.lines().rev().take(MAX_PAIRS).collect();
        let mut all = Self::default();
        for line in lines.into_iter().rev() {
            let mut words = line.split_ascii_whitespace();
            let mut word = || CommitId::from_hex(words.next()?.as_bytes());
            let (Some(old), Some(new)) = (word(), word()) else {
                continue;
            };
            if old == new || old.as_object().kind() != repo.hash() {
                continue;
            }
            let next = all.next.entry(old).or_default();
            if !next.contains(&new) {
                next.push(new);
                all.sources.entry(new).or_default().push(old);
            }
        }
        all
    }

    /// Each pair: a commit, and one that it became.
    pub fn pairs(&self) -> impl Iterator<Item = (CommitId, CommitId)> {
        let all = self.next.iter();
        all.flat_map(|(old, new)| new.iter().map(|new| (*old, *new)))
    }

    /// How many commits became one in one step.
    pub fn count_sources(&self, new: CommitId) -> usize {
        self.sources.get(&new).map_or(0, Vec::len)
    }

    /// All that a commit became, over any number of steps, the nearest first.
    pub fn became(&self, old: CommitId) -> Vec<CommitId> {
        let mut all = vec![old];
        let mut seen = FxHashSet::from_iter([old]);
        let mut at = 0;
        while let Some(id) = all.get(at) {
            let next = self.next.get(id).map_or(&[][..], Vec::as_slice);
            // What was told last is what stands.
            let next = next.iter().rev().copied().filter(|new| seen.insert(*new));
            let next: Vec<CommitId> = next.collect();
            all.extend(next);
            at += 1;
        }
        all.split_off(1)
    }

    /// All that became of the commit whose id begins so, the nearest first; nothing where several begin so.
    pub fn became_of(&self, hex: &str) -> impl DoubleEndedIterator<Item = CommitId> + use<> {
        let hex = hex.to_ascii_lowercase();
        let is_hex = hex.len() >= MIN_HEX && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        let all = self.next.keys().filter(|_| is_hex);
        let found: Vec<&CommitId> = all.filter(|id| id.to_string().starts_with(&hex)).collect();
        let became = match found[..] {
            [old] => self.became(*old),
            _ => Vec::new(),
        };
        became.into_iter()
    }

    /// The commits that were made one in a commit, in the order told, each in its last form; none where it is one that
    /// was only written anew.
    pub fn squashed(&self, commit: CommitId) -> Vec<CommitId> {
        let mut all = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![commit];
        while let Some(last) = open.pop() {
            let mut at = last;
            // Back through its forms, to where it was several.
            while let Some([before]) = self.sources.get(&at).map(Vec::as_slice)
                && seen.insert(at)
            {
                at = *before;
            }
            match self.sources.get(&at) {
                Some(several) if seen.insert(at) => open.extend(several.iter().rev()),
                Some(_) => {}
                None => all.push(last),
            }
        }
        if all.len() < 2 {
            all.clear();
        }
        all
    }
}
