//! Which history was covered before, so that keeping all of it warm costs what is new and no more.
//!
//! A file among what is kept ([`crate::cache`]): without it, history is walked from its beginning once more.

use crate::git::Repo;
use crate::id::CommitId;
use crate::store::Snapshot;
use std::fmt::Write as _;

/// Name of the file among what is kept.
const FILE: &str = "walked";

/// Returns tips whose whole history was covered, unless the index has lost documents since then.
pub(super) fn load(repo: &Repo, snapshot: &Snapshot) -> Vec<CommitId> {
    let body = repo.kept().read(FILE);
    let text = body
        .as_ref()
        .and_then(|body| std::str::from_utf8(body.as_ref()).ok());
    let known = text.and_then(|text| parse(text, snapshot.doc_count()));
    known.unwrap_or_default()
}

/// Takes the number of documents there are now.
fn parse(text: &str, documents: u64) -> Option<Vec<CommitId>> {
    let mut lines = text.lines();
    let then: u64 = lines.next()?.strip_prefix("documents ")?.parse().ok()?;
    if documents < then || lines.next_back()? != "end" {
        return None;
    }
    lines
        .map(|line| CommitId::from_hex(line.as_bytes()))
        .collect()
}

/// Takes note that the whole history of `tips` is covered. A failure costs time, nothing else.
pub(super) fn save(repo: &Repo, snapshot: &Snapshot, tips: &[CommitId]) {
    let mut text = format!("documents {}\n", snapshot.doc_count());
    for tip in tips {
        let _ = writeln!(text, "{tip}");
    }
    text.push_str("end\n");
    let _ = repo.kept().write(FILE, text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_note_that_is_not_whole_or_of_a_larger_index_counts_for_nothing() {
        let id = "1234567890123456789012345678901234567890";
        let whole = format!("documents 7\n{id}\nend\n");
        assert_eq!(parse(&whole, 7).unwrap()[0].to_string(), id);
        assert!(parse(&whole, 9).is_some());
        assert!(parse(&whole, 6).is_none(), "documents were lost");
        for end in 0..whole.len() - 1 {
            assert!(parse(&whole[..end], 7).is_none(), "{:?}", &whole[..end]);
        }
        assert!(parse("documents 7\nnonsense\nend\n", 7).is_none());
    }
}
