//! What kinds of symbols can be, and which names say little.

use super::names::{Name, Names};
use crate::extract::record::SymbolKind::{self, *};

/// Whether a symbol has members of its own.
pub fn has_members(kind: SymbolKind) -> bool {
    matches!(
        kind,
        Class | Struct | Interface | Trait | Enum | Union | Type | Module | Impl
    )
}

/// Whether a symbol names a type.
pub fn is_type(kind: SymbolKind) -> bool {
    has_members(kind) && !matches!(kind, Impl)
}

/// Whether a symbol can be called.
pub fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        Function | Method | Constructor | Macro | Class | Struct | Enum | Variant
    )
}

/// Whether other code can refer to a symbol by its name.
pub fn is_referable(kind: SymbolKind) -> bool {
    !matches!(kind, Section | Test | Impl)
}

/// Member names so common in the libraries of their languages that one definition of the name in
/// the repository says nothing about an object of unknown type.
const COMMON: &[&str] = words!(
    "add all any append apply assert begin bind call catch clear clone close collect concat
     contains copy count data decode default delete describe drop emit empty encode end endsWith
     endswith entries eq equals error every exec exists expect extend fill filter find first flat
     flatMap flush fmt fold forEach format from get hasNext has hash hashCode id includes index
     indexOf info insert into is_empty isEmpty it items iter join key keys last len length lines
     list load lock log lower map match max message min name new next of on once open parse path
     pop port print push put query read reduce remove render repeat replace reset resolve result
     reverse run save search seek send set shift size skip slice some sort splice split start
     startsWith startswith status stop stream strip sum swap take test text then toArray toList
     toString to_owned to_string to_vec top trim type unwrap update upper url value valueOf values
     version wait with write zip"
);

/// The names of [`COMMON`] as a view numbers them.
pub struct CommonNames(rustc_hash::FxHashSet<Name>);

impl CommonNames {
    /// Looks the names up.
    pub fn of(names: &Names) -> Self {
        let found = COMMON.iter().filter_map(|name| names.find(name.as_bytes()));
        Self(found.collect())
    }

    /// Whether a name is one of them.
    pub fn contains(&self, name: Name) -> bool {
        self.0.contains(&name)
    }
}
