//! What names a model: vectors are comparable if and only if these agree.

use std::fmt;

/// The name of a model: 1 to 64 lower-case letters, digits, dots and hyphens, the first and the last a
/// letter or digit. So it is a component of a path on every system, and never `.` or `..`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModelId(String);

/// Longest name of a model, in bytes.
const MAX_BYTES: usize = 64;

impl ModelId {
    /// Takes a name; `None` when it is none.
    pub fn new(name: &str) -> Option<Self> {
        let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let bytes = name.as_bytes();
        let ends = bytes.first().is_some_and(plain) && bytes.last().is_some_and(plain);
        let inside = |b: &u8| plain(b) || matches!(b, b'.' | b'-');
        (ends && bytes.len() <= MAX_BYTES && bytes.iter().all(inside))
            .then(|| Self(name.to_owned()))
    }

    /// Whether models of this name are static: vectors are made of what a segment has counted, in
    /// integers, so whoever makes them makes the same, at little cost.
    pub fn is_static(&self) -> bool {
        self.0.starts_with("static-")
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A model as far as its vectors need to know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// Its name.
    pub id: ModelId,
    /// XXH3-64 of the file of the model: a model that is trained again is another one, whatever its name.
    pub fingerprint: u64,
    /// Dimensions of its vectors.
    pub dims: u32,
}

/// Version of what models of text are shown of a chunk. With another one their vectors are others.
const TEXT_VERSION: u32 = 1;

impl Model {
    /// A model of text, whose name says what it consists of; `None` when that is no name or the
    /// dimensions are none.
    pub fn of_text(id: &str, dims: usize) -> Option<Self> {
        let named = format!("{id}\n{TEXT_VERSION}");
        Some(Self {
            id: ModelId::new(id).filter(|id| !id.is_static())?,
            fingerprint: xxhash_rust::xxh3::xxh3_64(named.as_bytes()),
            dims: u32::try_from(dims).ok().filter(|dims| *dims > 0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_text_differ_by_name() {
        let of = |id| Model::of_text(id, 384).map(|model| model.fingerprint);
        assert!(of("a-1").is_some() && of("a-1") == of("a-1") && of("a-1") != of("a-2"));
        assert_eq!(of("static-v1"), None, "that is no model of text");
        assert_eq!(of("A"), None);
        assert_eq!(Model::of_text("a", 0), None);
    }

    #[test]
    fn names_are_components_of_paths() {
        for name in ["static-v1", "all-minilm-l6-v2.int8", "a", &"a".repeat(64)] {
            assert_eq!(ModelId::new(name).unwrap().as_str(), name);
        }
        let too_long = "a".repeat(65);
        for name in [
            "", ".", "..", "a.", "-a", "A", "a/b", "a\\b", "ä", "a b", &too_long,
        ] {
            assert_eq!(ModelId::new(name), None, "{name:?}");
        }
    }
}
