//! WordPiece, the way BERT and the sentence transformers made of it cut text into tokens.
//!
//! Text is cleaned, lower-cased and freed of accents, cut at white space and around every
//! punctuation mark and Chinese character, and each word is then cut into the longest pieces of the
//! vocabulary from left to right (Devlin et al. 2019; the settings are those of `BertNormalizer`
//! and `BertPreTokenizer` in a `tokenizer.json`).
//!
//! Deliberately absent: the truncation and padding that a `tokenizer.json` declares, which are
//! habits of whoever saved it (all-MiniLM-L6-v2 was saved with 128 for both), and special tokens
//! spelt out in the text: `[SEP]` in a source file is three tokens, not the end of it.

use rustc_hash::FxHashMap;
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A word of more characters than this is one unknown token, as in BERT's own code.
const LONGEST_WORD: usize = 100;

/// How text is prepared before it is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Preparation {
    /// Drop control characters, and take all white space for spaces.
    clean: bool,
    /// Take each Chinese character as a word.
    chinese: bool,
    lower: bool,
    strip_accents: bool,
}

/// A vocabulary and how to cut text into its pieces.
pub struct WordPiece {
    /// Pieces that begin a word.
    begins: FxHashMap<Box<str>, u32>,
    /// Pieces that go on with one, without their mark.
    goes_on: FxHashMap<Box<str>, u32>,
    /// Bytes of the longest piece.
    longest: usize,
    unknown: u32,
    /// What a text begins and ends with.
    frame: (u32, u32),
    preparation: Preparation,
}

/// The parts of a `tokenizer.json` that matter here.
#[derive(Deserialize)]
struct File {
    normalizer: Option<Normalizer>,
    pre_tokenizer: Option<Kind>,
    post_processor: Option<Framing>,
    model: Pieces,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Normalizer {
    #[serde(rename = "type")]
    kind: String,
    clean_text: Option<bool>,
    handle_chinese_chars: Option<bool>,
    strip_accents: Option<bool>,
    lowercase: Option<bool>,
}

/// `TemplateProcessing` has `single`, `BertProcessing` and `RobertaProcessing` have the others.
#[derive(Deserialize)]
struct Framing {
    single: Option<Vec<serde_json::Value>>,
    cls: Option<(String, u32)>,
    sep: Option<(String, u32)>,
}

#[derive(Deserialize)]
struct Pieces {
    #[serde(rename = "type")]
    kind: Option<String>,
    unk_token: Option<serde_json::Value>,
    continuing_subword_prefix: Option<String>,
    vocab: serde_json::Value,
}

impl WordPiece {
    /// Reads a `tokenizer.json`. Fails with a sentence that says what is not understood, as for any
    /// tokenizer that is no BERT WordPiece.
    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let file: File =
            serde_json::from_slice(bytes).map_err(|err| format!("no tokenizer.json: {err}"))?;
        let kind = match (&file.model.kind, &file.model.continuing_subword_prefix) {
            (Some(kind), _) => kind.as_str(),
            (None, Some(_)) => "WordPiece",
            (None, None) => "unnamed",
        };
        if kind != "WordPiece" {
            return Err(format!(
                "its tokenizer is of type {kind}; only WordPiece models can be run here"
            ));
        }
        let Some(normalizer) = file.normalizer.filter(|n| n.kind == "BertNormalizer") else {
            return Err("its text is not prepared by BertNormalizer".to_owned());
        };
        if file
            .pre_tokenizer
            .is_none_or(|p| p.kind != "BertPreTokenizer")
        {
            return Err("its text is not cut by BertPreTokenizer".to_owned());
        }
        let lower = normalizer.lowercase.unwrap_or(true);
        let preparation = Preparation {
            clean: normalizer.clean_text.unwrap_or(true),
            chinese: normalizer.handle_chinese_chars.unwrap_or(true),
            lower,
            strip_accents: normalizer.strip_accents.unwrap_or(lower),
        };
        let vocabulary: FxHashMap<String, u32> = serde_json::from_value(file.model.vocab)
            .map_err(|err| format!("its vocabulary cannot be read: {err}"))?;
        let mark = file.model.continuing_subword_prefix;
        let unknown = file.model.unk_token;
        let unknown = unknown.as_ref().and_then(|name| name.as_str());
        let frame = file.post_processor.map(Framing::names);
        let (open, close) = frame.flatten().unwrap_or_else(bert_frame);
        let names = [unknown.unwrap_or("[UNK]"), &open, &close];
        let pieces = vocabulary.iter().map(|(piece, id)| (piece.as_str(), *id));
        Self::new(pieces, mark.as_deref().unwrap_or("##"), names, preparation)
    }

    /// Reads a `vocab.txt`: one piece a line, numbered from 0. Fails with a sentence that says what is
    /// missing.
    pub fn from_vocabulary(text: &str, lower: bool) -> Result<Self, String> {
        let preparation = Preparation {
            clean: true,
            chinese: true,
            lower,
            strip_accents: lower,
        };
        let (open, close) = bert_frame();
        let pieces = text.lines().zip(0u32..);
        Self::new(pieces, "##", ["[UNK]", &open, &close], preparation)
    }

    fn new<'a>(
        pieces: impl Iterator<Item = (&'a str, u32)>,
        mark: &str,
        names: [&str; 3],
        preparation: Preparation,
    ) -> Result<Self, String> {
        let mut begins = FxHashMap::default();
        let mut goes_on = FxHashMap::default();
        let mut longest = 0;
        for (piece, id) in pieces {
            longest = longest.max(piece.len());
            match piece.strip_prefix(mark) {
                Some(rest) if !rest.is_empty() && !mark.is_empty() => {
                    goes_on.insert(rest.into(), id)
                }
                _ => begins.insert(Box::from(piece), id),
            };
        }
        let special = |name: &str| {
            let id = begins.get(name).copied();
            id.ok_or_else(|| format!("its vocabulary has no {name}"))
        };
        let [unknown, open, close] = names;
        Ok(Self {
            unknown: special(unknown)?,
            frame: (special(open)?, special(close)?),
            begins,
            goes_on,
            longest,
            preparation,
        })
    }

    /// Returns one more than the largest token.
    pub fn size(&self) -> usize {
        let ids = self.begins.values().chain(self.goes_on.values());
        ids.max().map_or(0, |id| *id as usize + 1)
    }

    /// Returns the tokens of `text`, framed, at most `window` of them (but at least the frame).
    ///
    /// What does not fit is cut off at the end.
    pub fn encode(&self, text: &str, window: usize) -> Vec<u32> {
        let most = window.max(2) - 1;
        let mut tokens = vec![self.frame.0];
        let mut word = String::new();
        self.prepare(text, &mut |c| {
            let alone = is_punctuation(c);
            if alone || c.is_whitespace() {
                self.cut(&word, &mut tokens);
                word.clear();
                if alone {
                    self.cut(c.encode_utf8(&mut [0; 4]), &mut tokens);
                }
            } else {
                word.push(c);
            }
            tokens.len() < most
        });
        self.cut(&word, &mut tokens);
        tokens.truncate(most);
        tokens.push(self.frame.1);
        tokens
    }

    /// Hands on the characters of `text` as they are to be cut, until `take` has enough.
    fn prepare(&self, text: &str, take: &mut dyn FnMut(char) -> bool) {
        let Preparation {
            clean,
            chinese,
            lower,
            strip_accents,
        } = self.preparation;
        let spaced = text.chars().filter(|c| !clean || !is_dropped(*c));
        let spaced = spaced.flat_map(move |c| {
            let space = (chinese && is_chinese(c)).then_some(' ');
            space.into_iter().chain([c]).chain(space)
        });
        let mut lowered = |c: char| match lower {
            true => c.to_lowercase().all(&mut *take),
            false => take(c),
        };
        match strip_accents {
            true => {
                let bare = |c: &char| c.general_category() != GeneralCategory::NonspacingMark;
                let _ = spaced.nfd().filter(bare).all(&mut lowered);
            }
            false => {
                let _ = { spaced }.all(&mut lowered);
            }
        }
    }

    /// Cuts one word.
    fn cut(&self, word: &str, tokens: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        if word.chars().count() > LONGEST_WORD {
            tokens.push(self.unknown);
            return;
        }
        let before = tokens.len();
        let mut rest = word;
        let mut pieces = &self.begins;
        while !rest.is_empty() {
            let mut ends = (1..=rest.len().min(self.longest)).rev();
            let found = ends.find_map(|end| Some((end, *pieces.get(rest.get(..end)?)?)));
            let Some((end, id)) = found else {
                // One piece that is not known makes the whole word unknown.
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(id);
            rest = &rest[end..];
            pieces = &self.goes_on;
        }
    }
}

impl Framing {
    /// Returns the names of the first and last token of a text that stands alone.
    fn names(self) -> Option<(String, String)> {
        if let (Some((open, _)), Some((close, _))) = (self.cls, self.sep) {
            return Some((open, close));
        }
        let template = self.single?;
        let special = |step: &serde_json::Value| {
            let name = step.get("SpecialToken")?.get("id")?.as_str()?;
            Some(name.to_owned())
        };
        Some((special(template.first()?)?, special(template.last()?)?))
    }
}

fn bert_frame() -> (String, String) {
    ("[CLS]".to_owned(), "[SEP]".to_owned())
}

/// Whether a character is taken out before anything else.
fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        ' '..='~' => false,
        _ => matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        ),
    }
}

/// Whether a character is a token of its own: all ASCII that is neither letter, digit nor space,
/// and what Unicode calls punctuation.
fn is_punctuation(c: char) -> bool {
    match c.is_ascii() {
        true => c.is_ascii_punctuation(),
        false => c.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

/// Whether a character is in one of the blocks of CJK ideographs that BERT names. Kana and Hangul
/// are not: their languages have words.
fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{2A6DF}'
        | '\u{2A700}'..='\u{2CEAF}'
        | '\u{2F800}'..='\u{2FA1F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nread\n##er\n##s\nre\n##ad\nfile\n(\n)\n_\n\
                              [\n]\nsep\nna\n##ive\n中\n文\n—\nI\nfi";

    fn pieces(text: &str) -> String {
        named(&WordPiece::from_vocabulary(VOCABULARY, true).unwrap(), text)
    }

    fn named(model: &WordPiece, text: &str) -> String {
        let names: Vec<&str> = VOCABULARY.lines().collect();
        let tokens = model.encode(text, 100);
        let (inner, close) = (&tokens[1..tokens.len() - 1], tokens[tokens.len() - 1]);
        assert_eq!((tokens[0], close), (2, 3), "framed");
        let words: Vec<&str> = inner.iter().map(|id| names[*id as usize]).collect();
        words.join(" ")
    }

    #[test]
    fn the_longest_pieces_win_from_the_left() {
        assert_eq!(
            pieces("Readers read_file()"),
            "read ##er ##s read _ file ( )"
        );
        assert_eq!(pieces("rear"), "[UNK]", "one unknown piece spoils the word");
        assert_eq!(pieces(&"read".repeat(26)), "[UNK]", "104 characters");
    }

    #[test]
    fn text_is_cleaned_before_it_is_cut() {
        assert_eq!(pieces("na\u{ef}ve"), "na ##ive", "composed");
        assert_eq!(pieces("nai\u{308}ve"), "na ##ive", "decomposed");
        assert_eq!(pieces("re\u{200b}ad\u{0}\u{fffd}"), "read", "invisible");
        assert_eq!(pieces("read\u{a0}file\u{2028}read"), "read file read");
        assert_eq!(pieces("read中文file—file"), "read 中 文 file — file");
        assert_eq!(pieces(" \t\n"), "");
    }

    #[test]
    fn special_tokens_in_a_text_are_text() {
        assert_eq!(pieces("[SEP]"), "[ sep ]");
    }

    #[test]
    fn what_does_not_fit_is_cut_off() {
        let model = WordPiece::from_vocabulary(VOCABULARY, true).unwrap();
        assert_eq!(model.encode("readers read file", 5), [2, 4, 5, 6, 3]);
        assert_eq!(model.encode("readers", 4), [2, 4, 5, 3], "within a word");
        assert_eq!(model.encode("read", 3), [2, 4, 3], "just fits");
        assert_eq!(model.encode("read", 0), [2, 3], "never without its frame");
        assert_eq!(model.size(), 23);
    }

    #[test]
    fn a_cased_vocabulary_keeps_case_and_accents() {
        let model = WordPiece::from_vocabulary(VOCABULARY, false).unwrap();
        assert_eq!(named(&model, "I read I i"), "I read I [UNK]");
        assert_eq!(named(&model, "na\u{ef}ve"), "[UNK]");
    }

    fn json(edit: impl FnOnce(&mut serde_json::Value)) -> Result<WordPiece, String> {
        let vocabulary: serde_json::Map<_, _> = VOCABULARY
            .lines()
            .zip(0..)
            .map(|(piece, id)| (piece.to_owned(), serde_json::Value::from(id)))
            .collect();
        let mut file = serde_json::json!({
            "truncation": {"max_length": 3},
            "padding": {"strategy": {"Fixed": 128}},
            "normalizer": {"type": "BertNormalizer", "lowercase": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "TemplateProcessing", "single": [
                {"SpecialToken": {"id": "[CLS]"}},
                {"Sequence": {"id": "A"}},
                {"SpecialToken": {"id": "[SEP]"}},
            ]},
            "model": {"type": "WordPiece", "unk_token": "[UNK]",
                "continuing_subword_prefix": "##", "vocab": vocabulary},
        });
        edit(&mut file);
        WordPiece::from_json(file.to_string().as_bytes())
    }

    #[test]
    fn a_tokenizer_file_is_read_without_its_truncation_and_padding() {
        let model = json(|_| {}).unwrap();
        assert_eq!(
            named(&model, "Readers read na\u{ef}ve"),
            "read ##er ##s read na ##ive"
        );
        let roberta = |file: &mut serde_json::Value| {
            file["post_processor"] = serde_json::json!({"type": "RobertaProcessing",
                "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]});
        };
        assert_eq!(json(roberta).unwrap().encode("read", 9), [2, 4, 3]);
        let unnamed = |file: &mut serde_json::Value| {
            file["model"].as_object_mut().unwrap().remove("type");
        };
        assert_eq!(json(unnamed).unwrap().encode("read", 9), [2, 4, 3]);
    }

    #[test]
    fn other_tokenizers_are_refused_by_name() {
        let refused = |edit: fn(&mut serde_json::Value)| json(edit).err().unwrap();
        let bpe = refused(|file| file["model"]["type"] = "BPE".into());
        assert!(bpe.contains("type BPE"), "{bpe}");
        let other = refused(|file| file["normalizer"]["type"] = "NFC".into());
        assert!(other.contains("BertNormalizer"), "{other}");
        let other = refused(|file| file["pre_tokenizer"] = serde_json::Value::Null);
        assert!(other.contains("BertPreTokenizer"), "{other}");
        let other = refused(|file| file["model"]["vocab"] = serde_json::json!({"read": 1}));
        assert!(other.contains("no [UNK]"), "{other}");
        let other = refused(|file| file["model"]["vocab"] = serde_json::json!([["a", 0.5]]));
        assert!(other.contains("vocabulary"), "{other}");
        assert!(WordPiece::from_json(b"{}").is_err());
        assert!(WordPiece::from_vocabulary("a\nb", true).is_err());
    }
}
