//! Which terms a commit's message holds, and what of a commit is shown.

use crate::extract::terms;
use crate::secrets;
use std::collections::BTreeMap;

/// How often a word of the subject counts. The subject is what a commit is about; a body also says
/// what was there before and what was not done.
pub const SUBJECT_WEIGHT: u8 = 3;
/// Characters of the body that are read: enough for the reason, short of listings and logs.
const BODY_CHARS: usize = 600;
/// Bytes of the subject that are read. Nobody writes such a line, but anybody could.
const SUBJECT_BYTES: usize = 1000;

/// How often each term occurs, in the order of the terms.
pub type Counts = BTreeMap<Vec<u8>, u8>;

/// Counts the terms of a message; there are none in a secret.
pub fn terms(message: &[u8]) -> Counts {
    let message = &*secrets::mask(message);
    let mut counts = Counts::new();
    let mut lines = message
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .skip_while(|line| line.is_empty());
    // git too joins the lines up to the first empty one to a subject.
    let mut left = SUBJECT_BYTES;
    for line in lines.by_ref().take_while(|line| !line.is_empty()) {
        let line = &line[..line.len().min(left)];
        left -= line.len();
        count(line, SUBJECT_WEIGHT, &mut counts);
    }
    let mut left = BODY_CHARS;
    for line in lines.filter(|line| !is_trailer(line)) {
        let line = &line[..prefix(line, left)];
        left = left.saturating_sub(characters(line) + 1);
        count(line, 1, &mut counts);
        if left == 0 {
            break;
        }
    }
    counts
}

/// The first line of a message, with what looks like a secret masked.
pub fn subject(message: &[u8]) -> Vec<u8> {
    let message = secrets::mask(message);
    let mut lines = message.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty());
    first.unwrap_or_default().to_vec()
}

/// The name or the address of who made a commit, with what looks like a secret masked.
pub fn person(text: &str) -> String {
    String::from_utf8_lossy(&secrets::mask(text.as_bytes())).into_owned()
}

/// What follows the first line of a message, without trailers, with what looks like a secret masked.
pub fn body(message: &[u8]) -> Vec<u8> {
    let message = secrets::mask(message);
    let lines = message.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let lines = lines.skip_while(|line| line.is_empty()).skip(1);
    let lines: Vec<&[u8]> = lines.filter(|line| !is_trailer(line)).collect();
    lines.join(&b'\n').trim_ascii().to_vec()
}

fn count(text: &[u8], weight: u8, counts: &mut Counts) {
    terms::for_each_word(text, |word, _| {
        terms::for_each_term(word, |term| match counts.get_mut(term) {
            Some(count) => *count = count.saturating_add(weight),
            None => {
                counts.insert(term.to_vec(), weight);
            }
        });
    });
}

/// Whether a line is a trailer of two words or more (`Signed-off-by: `, `Change-Id: `,
/// `git-svn-id: `): these name people and numbers.
fn is_trailer(line: &[u8]) -> bool {
    let Some(colon) = line.iter().position(|b| *b == b':') else {
        return false;
    };
    let (key, rest) = (&line[..colon], &line[colon + 1..]);
    let is_key = |b: &u8| b.is_ascii_alphabetic() || *b == b'-';
    key.contains(&b'-') && key.iter().all(is_key) && rest.first() == Some(&b' ')
}

/// Characters of a text; a byte that is not UTF-8 is as good as none or one.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|b| is_start(**b)).count()
}

/// Length in bytes of the first `count` characters.
fn prefix(text: &[u8], count: usize) -> usize {
    let mut starts = text.iter().enumerate().filter(|(_, b)| is_start(**b));
    starts.nth(count).map_or(text.len(), |(at, _)| at)
}

fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(message: &str) -> Vec<(String, u8)> {
        let text = |term: Vec<u8>| String::from_utf8(term).unwrap();
        let counts = terms(message.as_bytes()).into_iter();
        counts.map(|(term, count)| (text(term), count)).collect()
    }

    #[test]
    fn the_subject_counts_more_than_the_body() {
        let counts = counted("\nfix parser\nloop\n\nThe parser looped.\n");
        let want = [
            ("fix", 3),
            ("loop", 3),
            ("looped", 1),
            ("parser", 4),
            ("the", 1),
        ];
        assert_eq!(counts, want.map(|(term, count)| (term.to_owned(), count)));
    }

    #[test]
    fn a_subject_is_the_first_line_without_secrets() {
        assert_eq!(subject(b"\n  fix it \nloop\n"), b"fix it");
        assert_eq!(subject(b"\n\n"), b"");
        let key = format!("AKIA{}", "Z7QW3X5R6T2LKNHP");
        let said = subject(format!("use {key} now\n\nbody").as_bytes());
        assert!(said.starts_with(b"use ") && said.ends_with(b" now"));
        assert!(memchr::memmem::find(&said, key.as_bytes()).is_none());
    }

    #[test]
    fn a_body_is_the_rest_without_trailers() {
        let message = b"\nfix it\n\nIt was\nbroken.\n\nSigned-off-by: Ann <ann@host>\n";
        assert_eq!(body(message), b"It was\nbroken.");
        assert_eq!(body(b"fix it\n"), b"");
    }

    #[test]
    fn trailers_are_not_what_a_commit_is_about() {
        let message = "feat: x2\n\nnote: kept\n\nSigned-off-by: Ann <ann@host>\nChange-Id: I01\n";
        let counts = counted(message);
        let found: Vec<&str> = counts.iter().map(|(term, _)| term.as_str()).collect();
        assert_eq!(found, ["feat", "kept", "note", "x2"]);
    }

    #[test]
    fn long_messages_are_cut_at_characters() {
        let body = format!("s\n\n{} beyond\n", "ä".repeat(BODY_CHARS));
        assert!(counted(&body).iter().all(|(term, _)| term != "beyond"));
        let body = format!("s\n\n{} within beyond\n", "ä ".repeat(BODY_CHARS / 2 - 4));
        let counts = counted(&body);
        assert!(counts.iter().any(|(term, _)| term == "within"));
        assert!(counts.iter().all(|(term, _)| term != "beyond"));
        let subject = format!("{} beyond", "word ".repeat(SUBJECT_BYTES / 5));
        assert_eq!(counted(&subject), [("word".to_owned(), u8::MAX)]);
        assert!(terms(b"").is_empty());
        assert_eq!(terms(b"\xff\xfe caf\xc3").len(), 1);
    }
}
