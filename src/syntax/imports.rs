//! Building import and export records.

use super::walk::Walk;
use crate::id::LocalName;
use crate::limits::{MAX_NAME_BYTES, MAX_SPECIFIER_BYTES};
use crate::record::{Binding, Import, ImportKind};
use tree_sitter::Node;

impl<'t> Walk<'t> {
    /// Makes a binding; names that are empty or too long count as absent.
    pub(crate) fn binding(
        &mut self,
        imported: Option<&[u8]>,
        local: Option<&[u8]>,
    ) -> Binding<LocalName> {
        Binding {
            imported: self.binding_name(imported),
            local: self.binding_name(local),
        }
    }

    fn binding_name(&mut self, name: Option<&[u8]>) -> Option<LocalName> {
        let name = name.filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len()))?;
        Some(self.names.intern(name).0)
    }

    /// Records an import where `at` starts, unless its specifier is over the limit.
    pub(crate) fn import(
        &mut self,
        kind: ImportKind,
        at: Node<'_>,
        specifier: &[u8],
        bindings: Vec<Binding<LocalName>>,
    ) {
        if specifier.len() <= MAX_SPECIFIER_BYTES {
            self.imports.push(Import {
                kind,
                line: at.start_position().row as u32 + 1,
                specifier: specifier.to_vec(),
                bindings,
            });
        }
    }
}
