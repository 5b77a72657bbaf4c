//! The phrase channel: chunks that hold, as they are written, words that a query puts in quotes.
//!
//! Who quotes an error message wants the line that prints it, and its words alone are everywhere.

use super::chunk::{LiveChunk, Pointed, chunk_at};
use crate::query::grep::Candidates;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// Quoted phrases of a query that are looked for.
const MAX_PHRASES: usize = 4;
/// Shortest phrase worth it, in bytes.
const MIN_BYTES: usize = 4;
/// Files read for one phrase; where more may hold it, it tells too little.
const MAX_FILES: usize = 50;

/// The phrases of several words that a query puts in double quotes or backticks, each once: a single
/// word is looked for as it is.
pub fn phrases(query: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for quote in ['"', '`'] {
        let parts: Vec<&str> = query.split(quote).collect();
        // What follows the last quote is closed by none.
        let closed = (1..parts.len().saturating_sub(1)).step_by(2);
        for phrase in closed.map(|at| parts[at].trim()) {
            let is_phrase = phrase.contains(char::is_whitespace) && phrase.len() >= MIN_BYTES;
            if is_phrase && !found.contains(&phrase) {
                found.push(phrase);
            }
        }
    }
    found.truncate(MAX_PHRASES);
    found
}

/// The chunks that hold a phrase, with their scores, best first, each once: the fewer files hold a
/// phrase, the more it says.
pub fn rank(
    view: &View,
    texts: &mut Texts,
    admits: impl Fn(FileId) -> bool,
    phrases: &[&str],
    limit: usize,
) -> Vec<Pointed> {
    let mut ranked: Vec<Pointed> = Vec::new();
    for phrase in phrases {
        let candidates = Candidates::of_text(view, phrase);
        let mut files: Vec<FileId> = (0..view.files().len() as u32).map(FileId).collect();
        files.retain(|id| {
            let file = view.file(*id);
            file.doc.is_some() && admits(*id) && candidates.has(view, *id)
        });
        if files.len() > MAX_FILES {
            continue;
        }
        let mut found = Vec::new();
        for id in files {
            found.extend(first_in(view, texts, id, phrase));
        }
        let score = 1.0 / (1.0 + found.len() as f64).ln_1p();
        for (chunk, line) in found {
            match ranked.iter_mut().find(|known| known.chunk == chunk) {
                Some(known) => known.score += score,
                None => ranked.push(Pointed { chunk, line, score }),
            }
        }
    }
    // Stable: of equals the first in the order of paths.
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked.truncate(limit);
    ranked
}

/// The first chunk of a file that holds a phrase, and the line.
fn first_in(view: &View, texts: &mut Texts, id: FileId, phrase: &str) -> Option<(LiveChunk, u32)> {
    let doc = view.file(id).doc?;
    let text = texts.get(view, id)?;
    let at = memchr::memmem::find(text.bytes(), phrase.as_bytes())?;
    let (line, _) = text.place(u32::try_from(at).ok()?);
    let segment = &view.segment(doc.segment).segment;
    let chunk = chunk_at(segment, doc.doc, line)?;
    let segment = doc.segment;
    Some((LiveChunk { segment, chunk }, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_stand_in_quotes() {
        assert_eq!(
            phrases(r#"who prints "cannot bind port" and `no address`, `EADDRINUSE`?"#),
            ["cannot bind port", "no address"]
        );
        assert_eq!(phrases(r#"it's "ab" or "unclosed"#), [""; 0]);
        assert_eq!(phrases(r#""same one" "same one""#), ["same one"]);
        assert_eq!(phrases(""), [""; 0]);
    }
}
