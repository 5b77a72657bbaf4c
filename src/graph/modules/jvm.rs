//! Java, Kotlin and Scala: packages as their files declare them, across all source roots.

use super::Resolution;
use super::namespaces::{Lookup, Namespaces};
use super::paths::Layout;
use crate::extract::record::Grammar;
use crate::view::live::FileId;

/// Packages of a view.
pub(super) struct Jvm {
    pub(super) packages: Namespaces,
}

impl Jvm {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        let languages = [Grammar::Java, Grammar::Kotlin, Grammar::Scala];
        Self {
            packages: Namespaces::new(layout, &languages, b'.', false),
        }
    }

    pub(super) fn resolve(&self, from: FileId, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"_root_.").unwrap_or(specifier);
        let absolute = self.packages.find(specifier);
        let missing = match absolute {
            Lookup::Found(place) => return Resolution::Found(place),
            Lookup::Missing => true,
            Lookup::Unknown => false,
        };
        // Scala's imports may start at any package around them.
        let mut around = self.packages.of(from).unwrap_or_default();
        while !around.is_empty() {
            let whole = [around, b".", specifier].concat();
            if let Lookup::Found(place) = self.packages.find(&whole) {
                return Resolution::Found(place);
            }
            around = memchr::memrchr(b'.', around).map_or(b"", |at| &around[..at]);
        }
        match missing {
            true => Resolution::Unresolved,
            false => Resolution::External,
        }
    }
}
