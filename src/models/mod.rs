//! Optional text-embedding models: from text to a vector, by a model that is not in this binary.
//!
//! The embedded static model needs none of this. Whoever wants a transformer chooses one with
//! `git config sverklo.model` ([`choice`]): a folder with an ONNX file and its vocabulary
//! ([`folder`], run by [`onnx`] through the machine's own ONNX Runtime, [`library`]), one that
//! [`hub`] fetched, or a server ([`endpoint`]).
//!
//! Guarantees: nothing is fetched and nothing leaves the machine unless configuration or a command
//! names the place; a model is named by what it consists of, so vectors of two models cannot be
//! taken for one another; a text's vector does not depend on the texts embedded beside it.
//! Deliberately absent: storing vectors, and search.

pub mod choice;
pub mod chunks;
pub mod configured;
pub mod endpoint;
pub mod folder;
mod http;
pub mod hub;
pub mod library;
pub mod onnx;
pub mod wordpiece;

pub use http::Patience;

use std::path::PathBuf;

/// What a text is, for models that are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Something to be found.
    Document,
    /// A question.
    Query,
}

/// A model that turns texts into vectors.
pub trait TextModel: Send + Sync {
    /// Returns the name vectors are kept under, which makes a [`ModelId`](crate::vector::model::ModelId).
    ///
    /// Models that may answer differently have different names.
    fn id(&self) -> &str;

    /// Returns how many numbers a vector has.
    fn dims(&self) -> usize;

    /// Whether what it is given goes to another machine.
    fn leaves_machine(&self) -> bool {
        false
    }

    /// Returns a vector of length one for each text, in the order of `texts`. Fails when the model
    /// cannot be run or answers with something else than vectors.
    fn embed(&self, texts: &[&str], side: Side) -> Result<Vec<Vec<f32>>, Error>;
}

/// Why there is no model, or no vector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// ONNX Runtime is nowhere.
    #[error(
        "no ONNX Runtime library ({name}) was found in {} places; install onnxruntime 1.17 or newer \
         and say where with ORT_DYLIB_PATH or `git config sverklo.onnxruntime <file>` (the Python \
         package onnxruntime has it in onnxruntime/capi)",
        looked.len()
    )]
    NoLibrary {
        /// What the file is called here.
        name: &'static str,
        /// Where it was looked for.
        looked: Vec<PathBuf>,
    },
    /// A file that should be ONNX Runtime is not, or is too old.
    #[error("{}, which {by} names, is no usable ONNX Runtime library: {reason}", path.display())]
    Library {
        /// The file.
        path: PathBuf,
        /// What named it.
        by: &'static str,
        /// What was wrong.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of a model is not of the kind that can be used.
    #[error("{}: {reason}", path.display())]
    Model {
        /// Which one.
        path: PathBuf,
        /// Why, and what could be used.
        reason: String,
    },
    /// A configured value is none of those it may be.
    #[error("{key} is set to {value:?}; it must be {expected}")]
    Setting {
        /// The key in git's configuration.
        key: &'static str,
        /// What it is set to.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// Something that configuration must say is not said.
    #[error("{key} is not set; {mend}")]
    Unset {
        /// The key in git's configuration.
        key: &'static str,
        /// What it is for.
        mend: &'static str,
    },
    /// A model that can be fetched has not been.
    #[error("the model {name} is not in {}; run `git sverklo model fetch {name}`", folder.display())]
    NotFetched {
        /// Its name.
        name: String,
        /// Where it would be.
        folder: PathBuf,
    },
    /// No model has this name.
    #[error("no model is named {0:?}; `git sverklo model list` shows those that can be fetched")]
    Unknown(String),
    /// This program was built without the part that is needed.
    #[error("this git-sverklo was built without {what}; install it with the feature {feature}")]
    NotBuilt {
        /// What is missing.
        what: &'static str,
        /// The feature of the package that brings it.
        feature: &'static str,
    },
    /// A server did not do as it was asked.
    #[error("{url}: {reason}")]
    Server {
        /// What was asked.
        url: String,
        /// What it did.
        reason: String,
    },
    /// What was fetched is not what it should be. It was thrown away.
    #[error("{url} is not the file it was: {seen}, not {expected}; nothing was installed")]
    Changed {
        /// Where it came from.
        url: String,
        /// What came.
        seen: String,
        /// What should have come.
        expected: String,
    },
    /// The model ran and came to nothing that can be used.
    #[error("the model {id} failed: {reason}")]
    Run {
        /// Which model.
        id: String,
        /// How.
        reason: String,
    },
    /// The caller wanted no more.
    #[error("embedding was stopped")]
    Stopped,
}

/// Scales a vector to length one.
///
/// Returns `None` if it has no length, or a part that is not a number.
pub(crate) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let square: f64 = vector.iter().map(|v| f64::from(*v) * f64::from(*v)).sum();
    let length = square.sqrt();
    if !length.is_finite() || length == 0.0 {
        return None;
    }
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Some(vector)
}

/// Quantises a vector to a row of bytes: its largest part becomes 127 or -127.
///
/// Only the direction is kept, which is all that a cosine looks at. What is not a number counts
/// as 0.
pub fn quantise(vector: &[f32]) -> Vec<i8> {
    let peak = vector.iter().fold(0f32, |peak, v| peak.max(v.abs()));
    let scale = match peak > 0.0 && peak.is_finite() {
        true => 127.0 / peak,
        false => 0.0,
    };
    // At most 127 by construction; a cast of a float saturates and takes NaN to 0.
    vector.iter().map(|v| (v * scale).round() as i8).collect()
}

/// Returns `text` as part of a model's name: lower case, anything unusual as one `-`.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            '.' if !slug.is_empty() && !slug.ends_with(['.', '-']) => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with(['.', '-']) => slug.push('-'),
            _ => {}
        }
        // Names of folders and of chunks in a segment set; nobody needs more to tell models apart.
        if slug.len() >= 40 {
            break;
        }
    }
    let kept = slug.trim_end_matches(['.', '-']).len();
    slug.truncate(kept);
    slug
}

/// Returns the digits of a SHA-256.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_becomes_one_long_or_nothing() {
        assert_eq!(unit(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        assert_eq!(unit(vec![0.0, 0.0]), None);
        assert_eq!(unit(vec![f32::NAN, 1.0]), None);
        assert_eq!(unit(vec![f32::INFINITY, 1.0]), None);
        // Squares that would overflow in single precision.
        assert_eq!(unit(vec![0.0, 1e30]), Some(vec![0.0, 1.0]));
    }

    #[test]
    fn quantising_keeps_the_direction() {
        assert_eq!(quantise(&[0.5, -0.25, 0.0]), [127, -64, 0]);
        assert_eq!(quantise(&[-1e-6, 0.0]), [-127, 0]);
        assert_eq!(quantise(&[0.0, 0.0]), [0, 0]);
        assert_eq!(quantise(&[f32::NAN, 1.0]), [0, 127]);
        assert_eq!(quantise(&[f32::INFINITY, 1.0]), [0, 0]);
        assert_eq!(quantise(&[]), [0i8; 0]);
    }

    #[test]
    fn names_are_safe_as_a_path() {
        assert_eq!(slug("all-MiniLM-L6-v2"), "all-minilm-l6-v2");
        assert_eq!(slug("../..//etc"), "etc");
        assert_eq!(slug("nomic-embed-text:latest"), "nomic-embed-text-latest");
        assert_eq!(slug("ünï"), "n");
        assert_eq!(slug("..."), "");
        assert!(slug(&"long".repeat(50)).len() <= 40);
    }
}
