//! From chunks to rows: what of a chunk a model is shown, and how many chunks go through it.

use super::{Error, Side, TextModel, quantise};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// Texts that go into a model at once: enough to share out over threads, few enough to stop soon.
const BLOCK: usize = 256;

/// Most bytes of a chunk's text. A model reads 256 or 512 tokens, and even dense code has two bytes
/// a token.
const MOST_TEXT: usize = 4 << 10;

/// The row of a chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Hash of the chunk's content.
    pub content: u64,
    /// One signed byte for each number of the vector, as [`quantise`] makes them.
    pub bytes: Vec<i8>,
}

/// Embeds chunks, given as the hash of their content and what [`shown`] made of it.
///
/// A chunk that is `known` already, and one that came before with the same hash, is passed over; the
/// rest comes back in the order given. After each block `progress` is told how many chunks are done
/// with, passed over or not, and may stop the work. Fails with [`Error::Stopped`] if `progress` breaks,
/// or what the model says.
pub fn embed_chunks(
    model: &dyn TextModel,
    texts: impl Iterator<Item = (u64, String)>,
    known: &dyn Fn(u64) -> bool,
    progress: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    let mut seen = FxHashSet::default();
    let mut block: Vec<(u64, String)> = Vec::with_capacity(BLOCK);
    let mut done = 0;
    let mut texts = texts.peekable();
    while texts.peek().is_some() {
        for (content, text) in texts.by_ref() {
            done += 1;
            if !known(content) && seen.insert(content) {
                block.push((content, text));
            }
            if block.len() == BLOCK {
                break;
            }
        }
        let shown: Vec<&str> = block.iter().map(|(_, text)| text.as_str()).collect();
        let vectors = model.embed(&shown, Side::Document)?;
        let embedded = block.drain(..).zip(vectors);
        rows.extend(embedded.map(|((content, _), vector)| Row {
            content,
            bytes: quantise(&vector),
        }));
        if progress(done).is_break() {
            return Err(Error::Stopped);
        }
    }
    Ok(rows)
}

/// Returns what a model is shown of a chunk or a question: the text, with words taken apart.
///
/// It is a function of the text alone, so equal chunks have equal vectors, whatever they belong to. What
/// says most tends to come first, because a chunk of a definition begins with what is said about it.
///
/// `parseHTTPHeader` and `parse_http_header` are three words, which models of prose know, and not a
/// string of syllables. White space counts once, and not at the ends.
pub fn shown(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    // The space is owed until a word follows.
    let mut owed = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if out.len() >= MOST_TEXT {
            break;
        }
        let starts = c.is_uppercase()
            && (before.is_lowercase()
                || before.is_ascii_digit()
                || (before.is_uppercase() && chars.peek().is_some_and(|c| c.is_lowercase())));
        if c == '_' || c.is_whitespace() {
            owed = true;
        } else {
            if (owed || starts) && !out.is_empty() {
                out.push(' ');
            }
            owed = false;
            out.push(c);
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// The vector is the length of the text, and remembers what it was shown.
    #[derive(Default)]
    struct Lengths {
        blocks: Mutex<Vec<usize>>,
    }

    impl TextModel for Lengths {
        fn id(&self) -> &str {
            "lengths"
        }

        fn dims(&self) -> usize {
            2
        }

        fn embed(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error> {
            assert_eq!(side, Side::Document);
            self.blocks.lock().unwrap().push(texts.len());
            Ok(texts
                .iter()
                .map(|text| vec![text.len() as f32, -100.0])
                .collect())
        }
    }

    fn chunk(content: u64) -> (u64, String) {
        (content, "x".repeat(content as usize))
    }

    #[test]
    fn what_is_known_or_came_before_is_not_embedded_again() {
        let model = Lengths::default();
        let texts = [5, 3, 5, 100, 3].map(chunk).into_iter();
        let mut told = Vec::new();
        let rows = embed_chunks(&model, texts, &|content| content == 3, &mut |done| {
            told.push(done);
            ControlFlow::Continue(())
        });
        let row = |content, first| Row {
            content,
            bytes: vec![first, -127],
        };
        assert_eq!(rows.unwrap(), [row(5, 6), row(100, 127)]);
        assert_eq!(told, [5]);
        assert_eq!(*model.blocks.lock().unwrap(), [2]);
    }

    #[test]
    fn many_chunks_go_in_blocks_and_can_be_stopped() {
        let model = Lengths::default();
        let mut told = Vec::new();
        let rows = embed_chunks(&model, (0..600).map(chunk), &|_| false, &mut |done| {
            told.push(done);
            ControlFlow::Continue(())
        });
        assert_eq!(rows.unwrap().len(), 600);
        assert_eq!(told, [256, 512, 600]);
        let stopped = embed_chunks(
            &model,
            (0..600).map(chunk),
            &|_| false,
            &mut |done| match done < 300 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            },
        );
        assert!(matches!(stopped, Err(Error::Stopped)));
        assert_eq!(*model.blocks.lock().unwrap(), [256, 256, 88, 256, 256]);
        let none = embed_chunks(
            &model,
            std::iter::empty(),
            &|_| false,
            &mut |_| unreachable!(),
        );
        assert_eq!(none.unwrap(), []);
    }

    #[test]
    fn a_chunk_is_shown_on_one_line_and_cut() {
        let text = shown("  fn read_file(path: &Path)\n{\n\tlet x;\n}\n");
        assert_eq!(text, "fn read file(path: &Path) { let x; }");
        assert_eq!(shown(" \n"), "");
        let long = shown(&"größe ".repeat(5_000));
        assert!(long.len() <= MOST_TEXT + 1 && long.starts_with("größe größe"));
    }

    #[test]
    fn identifiers_are_taken_apart() {
        assert_eq!(shown("parseHTTPHeader"), "parse HTTP Header");
        assert_eq!(shown("SCREAMING_CASE __init__"), "SCREAMING CASE init");
        assert_eq!(shown("utf8Decode ID2Name"), "utf8 Decode ID2 Name");
        assert_eq!(shown("größeÄndern"), "größe Ändern");
        assert_eq!(shown("where  are\nretries?"), "where are retries?");
    }
}
