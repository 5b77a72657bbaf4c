//! Answers kept between questions: where the pins of a log lie from a commit.
//!
//! `memory/at/<commit>` among what is kept ([`crate::cache`]) holds them by the event that asked, so that a log
//! that has grown asks for what is new alone. What lies behind a commit also lies behind those that come after
//! it, which spares a clone that goes on from commit to commit the walk through all of history. What
//! depends on the repins or on the refs of the clone is kept for these as they were.

use super::Error;
use super::ladder::{self, Absence, Answer, Content, Question, Reason, Repins, Rung};
use crate::git::history::{self, TipSet};
use crate::git::{Repo, lineage};
use crate::id::{CommitId, EventId};

/// First bytes of a file.
const MAGIC: &[u8; 8] = b"svkans\x03\n";
/// Folder of the answers, in that of memories.
const FOLDER: &str = "memory/at";
/// Files that are kept; the oldest go first.
const MAX_FILES: usize = 64;
/// A file is written anew when so many answers are new, or one that took more than a look nearby.
const WORTH_KEEPING: usize = 16;
/// Commits that are looked at for one whose answers are kept.
const MAX_NEAR: usize = 256;

/// What an answer depends on, beside the two commits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
    /// Nothing else.
    Always,
    /// The repins.
    Repins,
    /// The refs of the clone too.
    Refs,
    /// What is in the clone: it may come at any time, and nothing here would notice.
    Never,
}

impl Hold {
    fn of(answer: &Answer) -> Self {
        match answer {
            Answer::Yes(Rung::Ancestor) => Self::Always,
            Answer::Yes(Rung::Repin(_)) | Answer::No(Absence::Later) => Self::Repins,
            Answer::Yes(Rung::Copy(_) | Rung::Content(_))
            | Answer::No(Absence::Elsewhere)
            | Answer::Unknown(Reason::Lost | Reason::Gone) => Self::Refs,
            Answer::Unknown(Reason::Missing(_) | Reason::Shallow) => Self::Never,
        }
    }
}

/// Answers, and what they depend on.
pub struct Answers {
    /// In the order of the questions.
    pub all: Vec<Answer>,
    /// What the refs were, as [`fingerprint`] has it, if it matters; else 0.
    pub refs: u64,
    /// Whether they stay true as long as the log and the refs stay as they are.
    pub is_lasting: bool,
}

/// Answers questions as [`ladder::resolve`] does; what is kept is not looked for again. Fails as
/// [`ladder::resolve`] does.
pub fn of(
    repo: &Repo,
    at: CommitId,
    questions: &[Question],
    repins: &Repins,
    content: &mut dyn Content,
) -> Result<Answers, Error> {
    let own = Kept::open(repo, at);
    let has_file = own.is_some();
    let kept = own.or_else(|| Kept::nearby(repo, at)).unwrap_or_default();
    let stamp = repins.fingerprint();
    let same_repins = kept.repins == stamp;
    let mut refs: Option<u64> = None;
    let mut refs_now = || -> Result<u64, Error> {
        match refs {
            Some(refs) => Ok(refs),
            None => Ok(*refs.insert(fingerprint(repo)?)),
        }
    };
    let objects = repo.objects();
    let mut found: Vec<Option<Answer>> = Vec::with_capacity(questions.len());
    for question in questions {
        let answer = kept.find(question.event);
        let is_good = match answer.map(Hold::of) {
            None | Some(Hold::Never) => false,
            Some(Hold::Always) => true,
            Some(Hold::Repins) => same_repins,
            Some(Hold::Refs) => {
                // A fetch that moves no ref brings commits too.
                let has_come = || {
                    let carriers = repins.carriers(question.pin.commit);
                    answer == Some(&Answer::Unknown(Reason::Gone))
                        && carriers.iter().any(|id| objects.has_commit(*id))
                };
                same_repins && kept.refs == refs_now()? && !has_come()
            }
        };
        found.push(answer.filter(|_| is_good).cloned());
    }
    let asked: Vec<Question> = questions
        .iter()
        .zip(&found)
        .filter(|(_, found)| found.is_none())
        .map(|(question, _)| question.clone())
        .collect();
    let fresh = ladder::resolve(repo, at, &asked, repins, content)?;
    let is_worth = !has_file
        || asked.len() >= WORTH_KEEPING
        || fresh.iter().any(|new| Hold::of(new) > Hold::Always);
    let mut fresh = fresh.into_iter();
    let all: Vec<Answer> = found
        .into_iter()
        .filter_map(|found| found.or_else(|| fresh.next()))
        .collect();
    let holds = all.iter().map(Hold::of).max().unwrap_or(Hold::Always);
    let refs = match holds {
        Hold::Always | Hold::Repins => 0,
        Hold::Refs | Hold::Never => refs_now()?,
    };
    if is_worth && !questions.is_empty() {
        let answers = questions.iter().map(|question| question.event).zip(&all);
        let lasting = answers.filter(|(_, answer)| Hold::of(answer) < Hold::Never);
        // Without it the answers are found again.
        let _ = keep(repo, at, lasting, stamp, refs);
    }
    Ok(Answers {
        is_lasting: holds < Hold::Never && !all.contains(&Answer::Unknown(Reason::Gone)),
        all,
        refs,
    })
}

/// Stands for what all refs name; never 0. Fails on refs that cannot be read.
pub fn fingerprint(repo: &Repo) -> Result<u64, Error> {
    Ok(history::tips_stamp(repo, TipSet::All)?.max(1))
}

fn keep<'a>(
    repo: &Repo,
    at: CommitId,
    answers: impl Iterator<Item = (EventId, &'a Answer)>,
    repins: u64,
    refs: u64,
) -> std::io::Result<()> {
    repo.kept().evict(FOLDER, MAX_FILES - 1);
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&repins.to_le_bytes());
    out.extend_from_slice(&refs.to_le_bytes());
    let mut answers: Vec<(EventId, &Answer)> = answers.collect();
    answers.sort_unstable_by_key(|(event, _)| *event);
    for (event, answer) in answers {
        let (code, commit) = match answer {
            Answer::Yes(Rung::Ancestor) => (b'a', None),
            Answer::Yes(Rung::Repin(id)) => (b'r', Some(id)),
            Answer::Yes(Rung::Copy(id)) => (b'c', Some(id)),
            Answer::Yes(Rung::Content(id)) => (b't', Some(id)),
            Answer::No(Absence::Later) => (b'l', None),
            Answer::No(Absence::Elsewhere) => (b'e', None),
            Answer::Unknown(Reason::Lost) => (b'o', None),
            Answer::Unknown(Reason::Gone) => (b'g', None),
            Answer::Unknown(Reason::Shallow | Reason::Missing(_)) => continue,
        };
        out.extend_from_slice(event.as_bytes());
        out.push(code);
        out.extend(commit.into_iter().flat_map(|id| id.as_bytes()));
    }
    repo.kept().write(&format!("{FOLDER}/{at}"), &out)
}

/// The answers of one file.
#[derive(Default)]
struct Kept {
    repins: u64,
    refs: u64,
    /// In the order of the events.
    answers: Vec<(EventId, Answer)>,
}

impl Kept {
    fn open(repo: &Repo, at: CommitId) -> Option<Self> {
        let body = repo.kept().read(&format!("{FOLDER}/{at}"))?;
        Self::read(body.as_ref(), repo.hash())
    }

    /// What was answered last, if that was for a commit shortly before `at`, as far as it is true of
    /// both.
    fn nearby(repo: &Repo, at: CommitId) -> Option<Self> {
        let last = repo.kept().list(FOLDER).pop()?;
        let commit = CommitId::from_hex(last.name.as_bytes())?;
        if !lineage::is_close_behind(repo, commit, at, MAX_NEAR) {
            return None;
        }
        let mut kept = Self::open(repo, commit)?;
        kept.answers
            .retain(|(_, answer)| Hold::of(answer) == Hold::Always);
        Some(kept)
    }

    fn read(bytes: &[u8], hash: gix::hash::Kind) -> Option<Self> {
        let (repins, rest) = bytes.strip_prefix(MAGIC)?.split_at_checked(8)?;
        let (refs, mut rest) = rest.split_at_checked(8)?;
        let number = |bytes: &[u8]| bytes.try_into().ok().map(u64::from_le_bytes);
        let mut out = Self {
            repins: number(repins)?,
            refs: number(refs)?,
            answers: Vec::new(),
        };
        let mut take = |len: usize| -> Option<&[u8]> {
            let (taken, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(taken)
        };
        let len = hash.len_in_bytes();
        while let Some(event) = take(len) {
            let event = EventId::from_bytes(event)?;
            let code = take(1)?[0];
            let mut commit = || CommitId::from_bytes(take(len)?);
            let answer = match code {
                b'a' => Answer::Yes(Rung::Ancestor),
                b'r' => Answer::Yes(Rung::Repin(commit()?)),
                b'c' => Answer::Yes(Rung::Copy(commit()?)),
                b't' => Answer::Yes(Rung::Content(commit()?)),
                b'l' => Answer::No(Absence::Later),
                b'e' => Answer::No(Absence::Elsewhere),
                b'o' => Answer::Unknown(Reason::Lost),
                b'g' => Answer::Unknown(Reason::Gone),
                _ => return None,
            };
            out.answers.push((event, answer));
        }
        out.answers.is_sorted_by(|a, b| a.0 < b.0).then_some(out)
    }

    fn find(&self, event: EventId) -> Option<&Answer> {
        let at = self.answers.binary_search_by_key(&event, |(id, _)| *id);
        at.ok().map(|at| &self.answers[at].1)
    }
}
