//! A folder with a sentence transformer, as its hub lays it out.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `model.onnx`, or in `onnx/`: `model.onnx`, `model_quantized.onnx` | the network |
//! | `tokenizer.json`, else `vocab.txt` (with `tokenizer_config.json`) | the vocabulary |
//! | `1_Pooling/config.json` | how token vectors become one: mean (also without the file) or first |
//! | `sentence_bert_config.json`, `config.json` | how many tokens a text may have |
//! | `config_sentence_transformers.json` | what is put before a question or a document |

use super::wordpiece::WordPiece;
use super::{Error, Side, hex, slug};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Where the network may be, best first.
const NETWORKS: [&str; 3] = ["model.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx"];

/// Tokens of a text for a model that says nothing. What all-MiniLM-L6-v2 was trained on, and
/// about 30 lines of code.
const USUAL_WINDOW: usize = 256;

/// Most tokens of a text, whatever the model can take: attention is quadratic in it.
const WIDEST_WINDOW: usize = 512;

/// Most bytes of a vocabulary or configuration. The vocabulary of a multilingual BERT has 3 MB.
const LARGEST_TEXT: u64 = 32 << 20;

/// How vectors of tokens become that of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first.
    First,
}

/// What a model needs besides its network.
pub struct ModelFolder {
    /// The network.
    pub network: PathBuf,
    /// The vocabulary.
    pub tokens: WordPiece,
    /// How vectors of tokens become one.
    pub pooling: Pooling,
    /// Most tokens of a text.
    pub window: usize,
    /// Name by content: the folder's, and digits of a digest over all that matters.
    pub id: String,
    /// What is put before a document, and before a question.
    prefixes: [String; 2],
}

impl ModelFolder {
    /// Reads all but the network, which is only hashed.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Model`], with the file that is missing or not understood.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let network = network(folder)?;
        let (tokens, vocabulary) = vocabulary(folder)?;
        let pooling = pooling(folder)?;
        let window = window(folder)?;
        let prefixes = prefixes(folder)?;
        let mut digest = Sha256::new();
        digest.update(hash_file(&network)?);
        // Weights of large models lie beside the network.
        let weights = network.with_extension("onnx_data");
        if weights.is_file() {
            digest.update(hash_file(&weights)?);
        }
        digest.update(Sha256::digest(&vocabulary));
        digest.update(format!("{pooling:?} {window} {prefixes:?}"));
        let digits = hex(&digest.finalize()[..6]);
        let name = folder.file_name().map(|name| slug(&name.to_string_lossy()));
        let id = match name {
            Some(name) if !name.is_empty() => format!("{name}-{digits}"),
            _ => format!("onnx-{digits}"),
        };
        Ok(Self {
            network,
            tokens,
            pooling,
            window,
            id,
            prefixes,
        })
    }

    /// Returns the tokens of a text.
    pub fn encode(&self, text: &str, side: Side) -> Vec<u32> {
        let prefix = match side {
            Side::Document => &self.prefixes[0],
            Side::Query => &self.prefixes[1],
        };
        match prefix.is_empty() {
            true => self.tokens.encode(text, self.window),
            false => self.tokens.encode(&format!("{prefix}{text}"), self.window),
        }
    }
}

/// Returns where the network of a folder is. Fails with [`Error::Model`] if there is none.
pub fn network(folder: &Path) -> Result<PathBuf, Error> {
    let mut places = NETWORKS.iter().map(|name| folder.join(name));
    let found = places.find(|path| path.is_file());
    found.ok_or_else(|| Error::Model {
        path: folder.to_owned(),
        reason: format!("there is no {} in this folder", NETWORKS.join(", ")),
    })
}

/// Returns the vocabulary, and the bytes it was read from.
fn vocabulary(folder: &Path) -> Result<(WordPiece, Vec<u8>), Error> {
    let not_understood = |path: &Path, reason: String| Error::Model {
        path: path.to_owned(),
        reason,
    };
    let path = folder.join("tokenizer.json");
    if let Some(bytes) = read(&path)? {
        let tokens = WordPiece::from_json(&bytes);
        return Ok((tokens.map_err(|why| not_understood(&path, why))?, bytes));
    }
    let path = folder.join("vocab.txt");
    let Some(bytes) = read(&path)? else {
        let reason = "there is no tokenizer.json or vocab.txt in this folder".to_owned();
        return Err(not_understood(folder, reason));
    };
    let settings = json(&folder.join("tokenizer_config.json"))?;
    let lower = settings["do_lower_case"].as_bool().unwrap_or(true);
    let text = String::from_utf8_lossy(&bytes);
    let tokens = WordPiece::from_vocabulary(&text, lower);
    let tokens = tokens.map_err(|why| not_understood(&path, why))?;
    let mut bytes = bytes;
    bytes.push(u8::from(lower));
    Ok((tokens, bytes))
}

fn pooling(folder: &Path) -> Result<Pooling, Error> {
    let path = folder.join("1_Pooling").join("config.json");
    let settings = json(&path)?;
    if settings.is_null() {
        return Ok(Pooling::Mean);
    }
    let on = |key: &str| settings[key].as_bool() == Some(true);
    // Releases from 5.2 on say it in one word.
    let word = settings["pooling_mode"].as_str();
    match (
        word == Some("mean") || on("pooling_mode_mean_tokens"),
        word == Some("cls") || on("pooling_mode_cls_token"),
    ) {
        (true, false) => Ok(Pooling::Mean),
        (false, true) => Ok(Pooling::First),
        _ => Err(Error::Model {
            path,
            reason: "only models that pool by mean or by first token can be run".to_owned(),
        }),
    }
}

fn window(folder: &Path) -> Result<usize, Error> {
    let number = |file: &str, key: &str| {
        let settings = json(&folder.join(file))?;
        Ok::<_, Error>(settings[key].as_u64().filter(|n| *n >= 2))
    };
    let trained = number("sentence_bert_config.json", "max_seq_length")?;
    let possible = number("config.json", "max_position_embeddings")?;
    let window = trained.unwrap_or(USUAL_WINDOW as u64);
    let window = window.min(possible.unwrap_or(u64::MAX));
    Ok((window as usize).min(WIDEST_WINDOW))
}

/// Returns what is put before documents and questions.
fn prefixes(folder: &Path) -> Result<[String; 2], Error> {
    let settings = json(&folder.join("config_sentence_transformers.json"))?;
    let prompt = |name: &str| settings["prompts"][name].as_str().unwrap_or("").to_owned();
    let document = match prompt("document") {
        none if none.is_empty() => prompt("passage"),
        some => some,
    };
    Ok([document, prompt("query")])
}

/// Reads a file of JSON; null if there is none.
fn json(path: &Path) -> Result<Value, Error> {
    let Some(bytes) = read(path)? else {
        return Ok(Value::Null);
    };
    serde_json::from_slice(&bytes).map_err(|err| Error::Model {
        path: path.to_owned(),
        reason: format!("it is no JSON: {err}"),
    })
}

/// Reads a small file; `None` if there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let at = |source| Error::File {
        path: path.to_owned(),
        source,
    };
    match std::fs::metadata(path) {
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(at(err)),
        Ok(about) if about.len() > LARGEST_TEXT => Err(Error::Model {
            path: path.to_owned(),
            reason: format!("it is larger than {} MiB", LARGEST_TEXT >> 20),
        }),
        Ok(_) => std::fs::read(path).map(Some).map_err(at),
    }
}

/// Returns the SHA-256 of a file, without holding it.
pub(super) fn hash_file(path: &Path) -> Result<[u8; 32], Error> {
    let at = |source| Error::File {
        path: path.to_owned(),
        source,
    };
    let mut file = std::fs::File::open(path).map_err(at)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match std::io::Read::read(&mut file, &mut buffer).map_err(at)? {
            0 => return Ok(digest.finalize().into()),
            n => digest.update(&buffer[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::model::ModelId;

    const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nread\nquery\n:\n";

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn plain() -> tempfile::TempDir {
        let folder = tempfile::Builder::new()
            .prefix("My Model")
            .tempdir()
            .unwrap();
        write(folder.path(), "onnx/model.onnx", "network");
        write(folder.path(), "vocab.txt", VOCABULARY);
        folder
    }

    fn refused(folder: &Path) -> String {
        ModelFolder::open(folder).err().unwrap().to_string()
    }

    #[test]
    fn a_folder_without_settings_has_the_usual_ones() {
        let folder = plain();
        let model = ModelFolder::open(folder.path()).unwrap();
        assert_eq!((model.pooling, model.window), (Pooling::Mean, 256));
        assert!(model.network.ends_with("onnx/model.onnx"));
        assert!(model.id.starts_with("my-model"), "{}", model.id);
        assert!(ModelId::new(&model.id).is_some(), "{}", model.id);
        assert_eq!(model.encode("Read", Side::Query), [2, 4, 3]);
        write(folder.path(), "model.onnx", "network");
        let again = ModelFolder::open(folder.path()).unwrap();
        assert!(
            again.network.ends_with("model.onnx") && !again.network.ends_with("onnx/model.onnx")
        );
        assert_eq!(
            again.id, model.id,
            "the same bytes elsewhere are the same model"
        );
    }

    #[test]
    fn settings_are_read() {
        let folder = plain();
        let plain = ModelFolder::open(folder.path()).unwrap().id;
        write(
            folder.path(),
            "sentence_bert_config.json",
            r#"{"max_seq_length": 4096}"#,
        );
        let wide = ModelFolder::open(folder.path()).unwrap();
        assert_eq!(wide.window, 512);
        write(
            folder.path(),
            "config.json",
            r#"{"max_position_embeddings": 128}"#,
        );
        assert_eq!(ModelFolder::open(folder.path()).unwrap().window, 128);
        write(
            folder.path(),
            "1_Pooling/config.json",
            r#"{"pooling_mode_cls_token": true}"#,
        );
        assert_eq!(
            ModelFolder::open(folder.path()).unwrap().pooling,
            Pooling::First
        );
        write(
            folder.path(),
            "1_Pooling/config.json",
            r#"{"pooling_mode": "mean"}"#,
        );
        assert_eq!(
            ModelFolder::open(folder.path()).unwrap().pooling,
            Pooling::Mean
        );
        let prompts = r#"{"prompts": {"query": "query: ", "passage": ""}}"#;
        write(folder.path(), "config_sentence_transformers.json", prompts);
        let model = ModelFolder::open(folder.path()).unwrap();
        assert_eq!(model.encode("read", Side::Query), [2, 5, 6, 4, 3]);
        assert_eq!(model.encode("read", Side::Document), [2, 4, 3]);
        assert_ne!(model.id, plain, "settings are part of the model");
    }

    #[test]
    fn the_name_changes_with_every_part() {
        let folder = plain();
        let before = ModelFolder::open(folder.path()).unwrap().id;
        write(folder.path(), "onnx/model.onnx", "another");
        let network = ModelFolder::open(folder.path()).unwrap().id;
        write(folder.path(), "vocab.txt", &format!("{VOCABULARY}more"));
        let vocabulary = ModelFolder::open(folder.path()).unwrap().id;
        write(
            folder.path(),
            "tokenizer_config.json",
            r#"{"do_lower_case": false}"#,
        );
        let cased = ModelFolder::open(folder.path()).unwrap().id;
        let ids = std::collections::BTreeSet::from([before, network, vocabulary, cased]);
        assert_eq!(ids.len(), 4, "{ids:?}");
    }

    #[test]
    fn what_is_missing_or_not_understood_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(refused(folder.path()).contains("no model.onnx"));
        write(folder.path(), "model.onnx", "");
        assert!(refused(folder.path()).contains("no tokenizer.json or vocab.txt"));
        write(folder.path(), "tokenizer.json", "{");
        assert!(refused(folder.path()).contains("tokenizer.json"));
        std::fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
        write(folder.path(), "vocab.txt", VOCABULARY);
        write(
            folder.path(),
            "1_Pooling/config.json",
            r#"{"pooling_mode_max_tokens": true}"#,
        );
        assert!(refused(folder.path()).contains("by mean or by first"));
        write(folder.path(), "1_Pooling/config.json", "no");
        assert!(refused(folder.path()).contains("no JSON"));
    }
}
