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

/// Whether a symbol is a name that something is given to.
pub fn is_value(kind: SymbolKind) -> bool {
    matches!(kind, Field | Variable | Constant)
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
    "add all any any? append apply assert begin bind blank? call catch clear clone close collect
     compact concat contains copy count data decode default delete describe detect dig downcase drop
     dup each each_pair each_with_index emit empty empty? encode end endsWith endswith entries eq
     equals error every exec exists expect extend fetch fill filter find first flat flatMap flatten
     flush fmt fold forEach format freeze from get group_by gsub has hash hashCode hasNext id
     include? includes index indexOf info inject insert into is_a? is_empty isEmpty it items iter
     join key key? keys last len length lines list load lock log lower map match max merge message
     min name new next nil? none? of on once open parse path pop port present? print push put query
     read reduce reject remove render repeat replace reset resolve respond_to? result reverse run
     save search seek select send set shift size skip slice some sort sort_by splice split start
     startsWith startswith status stop stream strip sub sum swap take tap test text then to_a to_h
     to_i to_owned to_s to_string to_sym to_vec toArray toList top toString trim type uniq unwrap
     upcase update upper url value valueOf values version wait with write zip"
);

/// Whether a name is one of [`COMMON`], in whatever case.
pub fn is_common(name: &[u8]) -> bool {
    let mut common = COMMON.iter();
    common.any(|common| common.as_bytes().eq_ignore_ascii_case(name))
}

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
