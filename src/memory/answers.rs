//! Answers kept between questions: where the pins of a log lie from a commit.
//!
//! `<common dir>/sverklo/memory/at/<commit>` holds a byte for each question, for one tree of the log.
//! What depends on the refs of the clone, and may change without the log or the commit, is kept only for
//! refs as they were. The folder may be deleted at any time.

use super::Error;
use super::cache::{folder, save};
use super::ladder::{self, Absence, Answer, Content, Question, Reason, Repins, Rung};
use crate::git::Repo;
use crate::git::history::{self, TipSet};
use crate::id::{CommitId, TreeId};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"svkans\x01\n";
/// Files that are kept; beyond, all go.
const MAX_FILES: usize = 64;

/// Answers questions as [`ladder::resolve`] does, from what is kept if that can be.
///
/// # Errors
/// As [`ladder::resolve`].
pub fn of(
    repo: &Repo,
    at: CommitId,
    log: Option<TreeId>,
    questions: &[Question],
    repins: &Repins,
    content: &mut dyn Content,
) -> Result<Vec<Answer>, Error> {
    let Some(log) = log else {
        return ladder::resolve(repo, at, questions, repins, content);
    };
    let path = folder(repo).join("at").join(at.to_string());
    let kept = std::fs::read(&path).ok();
    let kept = kept.and_then(|bytes| read(&bytes, log, questions.len(), repo.hash()));
    if let Some((answers, refs)) = kept
        && (refs == 0 || refs == fingerprint(repo)?)
    {
        return Ok(answers);
    }
    let answers = ladder::resolve(repo, at, questions, repins, content)?;
    // What is missing may come at any time, and nothing here would notice.
    let may_change = |answer: &Answer| {
        matches!(
            answer,
            Answer::Unknown(Reason::Missing(_) | Reason::Shallow | Reason::Gone)
        )
    };
    if !answers.iter().any(may_change) {
        let refs = match answers.iter().all(is_fixed) {
            true => 0,
            false => fingerprint(repo)?,
        };
        let dir = folder(repo).join("at");
        if std::fs::read_dir(&dir).is_ok_and(|all| all.count() >= MAX_FILES) {
            let _ = std::fs::remove_dir_all(&dir);
        }
        // Without it the answers are found again.
        let _ = save(&path, &write(&answers, log, refs));
    }
    Ok(answers)
}

/// Whether an answer depends on the commit and the log alone.
fn is_fixed(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Yes(Rung::Ancestor | Rung::Repin(_)) | Answer::No(Absence::Later)
    )
}

/// Stands for what all refs name; never 0.
fn fingerprint(repo: &Repo) -> Result<u64, Error> {
    let mut hasher = Xxh3Default::new();
    for tip in history::tips(repo, TipSet::All)? {
        hasher.update(tip.as_bytes());
    }
    Ok(hasher.digest().max(1))
}

fn write(answers: &[Answer], log: TreeId, refs: u64) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(log.as_bytes());
    out.extend_from_slice(&refs.to_le_bytes());
    for answer in answers {
        let (code, commit) = match answer {
            Answer::Yes(Rung::Ancestor) => (b'a', None),
            Answer::Yes(Rung::Repin(id)) => (b'r', Some(id)),
            Answer::Yes(Rung::Copy(id)) => (b'c', Some(id)),
            Answer::Yes(Rung::Content(id)) => (b't', Some(id)),
            Answer::No(Absence::Later) => (b'l', None),
            Answer::No(Absence::Elsewhere) => (b'e', None),
            Answer::Unknown(Reason::Shallow) => (b's', None),
            Answer::Unknown(Reason::Missing(id)) => (b'm', Some(id)),
            Answer::Unknown(Reason::Lost) => (b'o', None),
            Answer::Unknown(Reason::Gone) => (b'g', None),
        };
        out.push(code);
        out.extend(commit.into_iter().flat_map(|id| id.as_bytes()));
    }
    let sum = xxh3_64(&out).to_le_bytes();
    out.extend_from_slice(&sum);
    out
}

/// Reads answers, if they are as many and of this tree.
fn read(
    bytes: &[u8],
    log: TreeId,
    count: usize,
    hash: gix::hash::Kind,
) -> Option<(Vec<Answer>, u64)> {
    let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
    if xxh3_64(body).to_le_bytes() != *sum {
        return None;
    }
    let rest = body.strip_prefix(MAGIC)?.strip_prefix(log.as_bytes())?;
    let (refs, mut rest) = rest.split_at_checked(8)?;
    let refs = u64::from_le_bytes(refs.try_into().ok()?);
    let mut out = Vec::with_capacity(count);
    while let Some((code, after)) = rest.split_first() {
        rest = after;
        let mut commit = || -> Option<CommitId> {
            let (id, after) = rest.split_at_checked(hash.len_in_bytes())?;
            rest = after;
            CommitId::from_bytes(id)
        };
        out.push(match code {
            b'a' => Answer::Yes(Rung::Ancestor),
            b'r' => Answer::Yes(Rung::Repin(commit()?)),
            b'c' => Answer::Yes(Rung::Copy(commit()?)),
            b't' => Answer::Yes(Rung::Content(commit()?)),
            b'l' => Answer::No(Absence::Later),
            b'e' => Answer::No(Absence::Elsewhere),
            b's' => Answer::Unknown(Reason::Shallow),
            b'm' => Answer::Unknown(Reason::Missing(commit()?)),
            b'o' => Answer::Unknown(Reason::Lost),
            b'g' => Answer::Unknown(Reason::Gone),
            _ => return None,
        });
    }
    (out.len() == count).then_some((out, refs))
}
