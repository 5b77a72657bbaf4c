//! C#: namespaces by the files that declare them. Those of a namespace see the ones around it.

use super::Resolution;
use super::namespaces::{Lookup, Namespaces};
use super::paths::Layout;
use crate::extract::record::Grammar;
use crate::view::live::FileId;

/// Namespaces of a view.
pub(super) struct DotNet {
    pub(super) namespaces: Namespaces,
}

impl DotNet {
    pub(super) fn new(layout: Layout<'_>) -> Self {
        Self {
            namespaces: Namespaces::new(layout, &[Grammar::CSharp], b'.', true),
        }
    }

    pub(super) fn resolve(&self, from: FileId, specifier: &[u8]) -> Resolution {
        let specifier = specifier.strip_prefix(b"global::").unwrap_or(specifier);
        // The arguments of a generic type are not part of its name.
        let end = specifier.iter().position(|b| *b == b'<');
        let specifier = specifier[..end.unwrap_or(specifier.len())].trim_ascii();
        let missing = match self.namespaces.find(specifier) {
            Lookup::Found(place) => return Resolution::Found(place),
            Lookup::Missing => true,
            Lookup::Unknown => false,
        };
        let mut around = self.namespaces.of(from).unwrap_or_default();
        while !around.is_empty() {
            if let Lookup::Found(place) = self.namespaces.find(&[around, b".", specifier].concat())
            {
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
