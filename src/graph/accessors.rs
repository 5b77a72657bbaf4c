//! Fields under the names of the methods that read and write them: `getName()` of a field `name`.
//!
//! In Java a library writes them when the code is compiled (Lombok), so that no file has them; Kotlin calls those of Java as
//! if they were properties, and Java those that Kotlin makes of properties. A method that is written stands before all of
//! this. Left out: what a builder has (`builder().name(x)`), and prefixes that a project sets for itself.

use super::documents::{DocOccurrence, Document};
use super::names::Name;
use super::resolve::Resolver;
use super::table::SymbolId;
use crate::extract::record::{HintKind, OccurrenceKind, Qualifier, SymbolKind};
use crate::lang;
use crate::lang::naming::{Accessors, Naming};

/// Libraries that write accessors, by how imports of them begin.
const WRITERS: [&[u8]; 2] = [b"lombok", b"org.immutables"];
/// How names of accessors begin: Java Beans, 8.3.
const PREFIXES: [&[u8]; 3] = [b"get", b"is", b"set"];

/// Names under which what is not code may read a member: the property of an accessor (`description` of `getDescription`),
/// the attribute with underscores.
pub fn read_as(language: &Naming, member: &[u8]) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    if language.accessors != Accessors::None {
        names.extend(
            fields_of(member).filter(|name| name.first().is_some_and(u8::is_ascii_lowercase)),
        );
    }
    if language.attributes_underscored {
        names.extend(underscored(member));
    }
    names
}

/// `storage_metadata` of `storageMetadata`, and of Eloquent's `getStorageMetadataAttribute`.
fn underscored(member: &[u8]) -> Option<Vec<u8>> {
    let inner = member.strip_prefix(b"get").or(member.strip_prefix(b"set"));
    let inner = inner.and_then(|inner| inner.strip_suffix(b"Attribute"));
    let mut name = Vec::with_capacity(member.len() + 4);
    for (at, byte) in inner.unwrap_or(member).iter().enumerate() {
        if byte.is_ascii_uppercase() && at > 0 {
            name.push(b'_');
        }
        name.push(byte.to_ascii_lowercase());
    }
    (name != member && name.contains(&b'_')).then_some(name)
}

/// What Eloquent's `scopeActive` is called as: `active`.
pub fn scope_called(method: &[u8]) -> Option<Vec<u8>> {
    let rest = method.strip_prefix(b"scope")?;
    let first = rest.first().filter(|first| first.is_ascii_uppercase())?;
    Some([&[first.to_ascii_lowercase()], &rest[1..]].concat())
}

/// The method that is called as a scope: `scopeActive` of `active`.
pub(super) fn scope_of(called: &[u8]) -> Option<Vec<u8>> {
    let first = called.first().filter(|first| first.is_ascii_lowercase())?;
    Some([b"scope", &[first.to_ascii_uppercase()][..], &called[1..]].concat())
}

/// What an accessor is called for: names that the field may have.
pub(super) fn fields_of(accessor: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let rest = PREFIXES
        .iter()
        .filter_map(|prefix| accessor.strip_prefix(*prefix));
    let rest = rest.filter(|rest| rest.first().is_some_and(u8::is_ascii_uppercase));
    rest.flat_map(|rest| {
        let with = |prefix: &[u8], first: u8| [prefix, &[first], &rest[1..]].concat();
        // `setOpen` of `isOpen`; `getURL` of `URL`.
        [
            with(b"", rest[0].to_ascii_lowercase()),
            with(b"is", rest[0]),
            with(b"", rest[0]),
        ]
    })
}

/// What the accessors of a field may be called.
pub(super) fn accessors_of(field: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let first = field.first().filter(|first| first.is_ascii_alphabetic());
    let is_flag = field
        .strip_prefix(b"is")
        .filter(|rest| rest.first().is_some_and(u8::is_ascii_uppercase));
    let plain = first.map(|first| [&[first.to_ascii_uppercase()], &field[1..]].concat());
    let capital = plain.into_iter().chain(is_flag.map(<[u8]>::to_vec));
    capital.flat_map(|name| PREFIXES.map(|prefix| [prefix, &name[..]].concat()))
}

impl Resolver<'_> {
    /// The call of a method that the writing of a member is, where something is called so. The name of an argument
    /// writes nothing.
    pub(super) fn setter(
        &self,
        doc: &Document,
        at: u32,
        found: &DocOccurrence,
    ) -> Option<DocOccurrence> {
        let ending = lang::of(doc.lang).naming.setter_ending;
        let is_label = || {
            let of = doc.receiver(at);
            of.is_some_and(|of| of.kind == HintKind::Named)
        };
        if ending.is_empty()
            || found.kind != OccurrenceKind::Write
            || found.qualifier == Qualifier::None
            || is_label()
        {
            return None;
        }
        let setter = [self.names.bytes(found.name), ending].concat();
        let mut called = *found;
        (called.name, called.kind) = (self.names.find(&setter)?, OccurrenceKind::Call);
        Some(called)
    }

    /// The field of a type, or of a base of it, that a method reads or writes which no file has; whether it is a base's.
    pub(super) fn field_accessed(&self, class: SymbolId, name: Name) -> Option<(SymbolId, bool)> {
        if self.accessors(class) == Accessors::None {
            return None;
        }
        let is_field = |id: &SymbolId| {
            use SymbolKind::{Constant, Field, Variable};
            matches!(self.table.symbol(*id).kind, Field | Variable | Constant)
        };
        fields_of(self.names.bytes(name)).find_map(|field| {
            let (all, inherited) = self.members_named(class, self.names.find(&field)?);
            Some((all.into_iter().find(is_field)?, inherited))
        })
    }

    /// The method of a type, or of a base of it, that reads or writes what is named as a property; whether it is a base's.
    pub(super) fn property_accessed(
        &self,
        class: SymbolId,
        found: &DocOccurrence,
    ) -> Option<(SymbolId, bool)> {
        let is_write = match found.kind {
            OccurrenceKind::Read => false,
            OccurrenceKind::Write => true,
            _ => return None,
        };
        if self.accessors(class) != Accessors::Methods {
            return None;
        }
        let called = accessors_of(self.names.bytes(found.name));
        let mut called = called.filter(|called| called.starts_with(b"set") == is_write);
        called.find_map(|called| {
            let (all, inherited) = self.members_named(class, self.names.find(&called)?);
            let is_method = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Method;
            Some((all.into_iter().find(is_method)?, inherited))
        })
    }

    /// The method of a type, or of a base of it, that a call of a scope means; whether it is a base's.
    pub(super) fn scope_called(
        &self,
        class: SymbolId,
        found: &DocOccurrence,
    ) -> Option<(SymbolId, bool)> {
        let knows = lang::of(self.table.lang(class)).naming.scopes;
        if !knows || !found.kind.is_call() {
            return None;
        }
        let method = self.names.find(&scope_of(self.names.bytes(found.name))?)?;
        let (all, inherited) = self.members_named(class, method);
        let is_method = |id: &SymbolId| self.table.symbol(*id).kind == SymbolKind::Method;
        Some((all.into_iter().find(is_method)?, inherited))
    }

    /// Whether a symbol is a field that only its accessor can be called for.
    pub(super) fn has_accessors(&self, id: SymbolId) -> bool {
        self.table.symbol(id).kind == SymbolKind::Field && self.accessors(id) == Accessors::Methods
    }

    /// What accessors a type has of its fields.
    pub(super) fn accessors(&self, class: SymbolId) -> Accessors {
        lang::of(self.table.lang(class)).naming.accessors
    }

    /// Whether the file of a field says that accessors are written for it, or its language always does so.
    pub(super) fn has_written_accessors(&self, field: SymbolId) -> bool {
        let Some(doc) = self.docs.get(self.table.file(field)) else {
            return false;
        };
        let is_writer = |specifier: &[u8]| WRITERS.iter().any(|name| specifier.starts_with(name));
        self.accessors(field) == Accessors::Properties
            || doc
                .imports
                .iter()
                .any(|import| is_writer(&import.specifier))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::record::Grammar;

    fn text(names: impl Iterator<Item = Vec<u8>>) -> Vec<String> {
        let names = names.map(|name| String::from_utf8(name).unwrap());
        names.collect()
    }

    #[test]
    fn what_is_not_code_reads_members_as_properties() {
        let of =
            |language: &Naming, name: &str| text(read_as(language, name.as_bytes()).into_iter());
        let java = &lang::of(Grammar::Java).naming;
        let php = &lang::of(Grammar::Php).naming;
        assert_eq!(of(java, "getDescription"), ["description", "isDescription"]);
        assert_eq!(of(java, "describe"), [""; 0]);
        assert_eq!(of(php, "storageMetadata"), ["storage_metadata"]);
        assert_eq!(of(php, "getFullNameAttribute"), ["full_name"]);
        assert_eq!(of(php, "update"), [""; 0]);
        assert_eq!(of(&lang::of(Grammar::Go).naming, "getX"), [""; 0]);
    }

    #[test]
    fn scopes_are_called_without_their_prefix() {
        assert_eq!(
            scope_called(b"scopeOfType").as_deref(),
            Some(&b"ofType"[..])
        );
        assert_eq!(scope_of(b"ofType").as_deref(), Some(&b"scopeOfType"[..]));
        for other in ["scoped", "scope", "active", "Scope"] {
            assert_eq!(scope_called(other.as_bytes()), None, "{other}");
        }
        assert_eq!((scope_of(b""), scope_of(b"Active")), (None, None));
    }

    #[test]
    fn names_of_accessors_and_fields_lead_to_each_other() {
        assert_eq!(text(fields_of(b"getName")), ["name", "isName", "Name"]);
        assert_eq!(text(fields_of(b"issue")), Vec::<String>::new());
        assert_eq!(text(fields_of(b"get")), Vec::<String>::new());
        for field in ["name", "isOpen", "URL", "x", "id"] {
            let all = text(accessors_of(field.as_bytes()));
            for accessor in &all {
                let fields = text(fields_of(accessor.as_bytes()));
                assert!(
                    fields.contains(&field.to_owned()),
                    "{field} {accessor}: {fields:?}"
                );
            }
            assert!(all.len() >= 3, "{all:?}");
        }
        assert_eq!(text(accessors_of("é".as_bytes())), Vec::<String>::new());
    }
}
