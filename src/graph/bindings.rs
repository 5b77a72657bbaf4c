//! Which imports bind a name, and where it is seen: in all of a file, or in the function that the import is written in.
//!
//! An import says its line, and no column. Where a function begins above that line, the import is written in it: what
//! stands on the line on which one begins is taken for the file's, since it may stand beside it.

use super::documents::{DocBinding, DocImport, DocSymbol};
use super::names::Name;
use super::owners::Owners;
use crate::extract::record::{ImportKind, SymbolKind};

/// What the imports of a document bind.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// By name, then by where they are seen, then in source order.
    all: Vec<Bound>,
    /// Whether one is seen in a function alone.
    has_scoped: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Bound {
    name: Name,
    /// The function, whose position is one less; 0 for all of the file.
    scope: u32,
    import: u32,
    binding: u32,
}

/// Where names are looked for that imports bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Seen {
    /// In all of the file.
    Everywhere,
    /// In a function, by its position.
    In(u32),
    /// In any function.
    Somewhere,
}

impl Bindings {
    /// What some imports bind.
    pub fn of(imports: &[DocImport]) -> Self {
        let mut all = Vec::new();
        for (import, i) in imports.iter().zip(0..) {
            if matches!(import.kind, ImportKind::Export | ImportKind::Package) {
                continue;
            }
            let scope = import.scope.map_or(0, |scope| scope + 1);
            let locals = import.bindings.iter().map(|binding| binding.local);
            let bound = locals.zip(0..).filter_map(|(name, binding)| {
                Some(Bound {
                    name: name?,
                    scope,
                    import: i,
                    binding,
                })
            });
            all.extend(bound);
        }
        all.sort_unstable();
        Self {
            has_scoped: all.iter().any(|bound| bound.scope > 0),
            all,
        }
    }

    /// Number of names that are bound, each counted as often as it is.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Where the bindings of a name are among all; `None` when it is not bound so.
    pub fn first(&self, name: Name, seen: Seen) -> Option<usize> {
        let least = match seen {
            Seen::Everywhere => 0,
            Seen::In(_) | Seen::Somewhere if !self.has_scoped => return None,
            Seen::In(function) => function + 1,
            Seen::Somewhere => 1,
        };
        let is_before = |bound: &Bound| (bound.name, bound.scope) < (name, least);
        let first = self.all.partition_point(is_before);
        let found = self.all.get(first)?;
        let is_it = found.name == name && (seen == Seen::Somewhere || found.scope == least);
        is_it.then_some(first)
    }

    /// The bindings of a name, in source order, each with the position of its import.
    pub fn named<'a>(
        &'a self,
        imports: &'a [DocImport],
        name: Name,
        seen: Seen,
    ) -> impl Iterator<Item = (u32, &'a DocBinding)> {
        let first = self.first(name, seen).unwrap_or(self.all.len());
        let scope = self.all.get(first).map(|bound| bound.scope);
        let same = self.all[first..].iter().take_while(move |bound| {
            bound.name == name && (seen == Seen::Somewhere || Some(bound.scope) == scope)
        });
        same.map(|bound| {
            let import = &imports[bound.import as usize];
            (bound.import, &import.bindings[bound.binding as usize])
        })
    }
}

/// Notes of each import in which function it is written, if in one.
pub(super) fn find_scopes(imports: &mut [DocImport], symbols: &[DocSymbol]) {
    let is_sorted = imports.is_sorted_by_key(|import| import.line);
    if symbols.is_empty() || !is_sorted {
        return;
    }
    let mut owners = Owners::new(symbols);
    for import in imports {
        let binds = matches!(import.kind, ImportKind::Import | ImportKind::Require)
            && import
                .bindings
                .iter()
                .any(|binding| binding.local.is_some());
        if !binds {
            continue;
        }
        // What begins above the line, and does not end there.
        let above = (import.line.saturating_sub(1), u32::MAX);
        let inside = owners.at(above).checked_sub(1);
        let mut around = std::iter::successors(inside, |i| symbols[*i as usize].container);
        import.scope = around.find(|i| {
            matches!(
                symbols[*i as usize].kind,
                SymbolKind::Function
                    | SymbolKind::Method
                    | SymbolKind::Constructor
                    | SymbolKind::Test
            )
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::record::SymbolFlags;

    fn function(from: u32, to: u32, container: Option<u32>) -> DocSymbol {
        DocSymbol {
            name: Name(0),
            receiver: None,
            kind: SymbolKind::Function,
            flags: SymbolFlags::default(),
            container,
            start: (from, 0),
            end: (to, 1),
        }
    }

    fn import(line: u32, local: u32) -> DocImport {
        let binding = DocBinding {
            imported: None,
            local: Some(Name(local)),
        };
        DocImport {
            kind: ImportKind::Import,
            line,
            scope: None,
            specifier: Box::default(),
            bindings: [binding].into(),
        }
    }

    #[test]
    fn an_import_is_of_the_innermost_function_that_begins_above_it() {
        let symbols = [
            function(2, 9, None),
            function(4, 6, Some(0)),
            function(10, 10, None),
            function(12, 13, None),
        ];
        let lines = [1, 2, 3, 5, 7, 10, 13, 14];
        let mut imports: Vec<DocImport> = lines.iter().map(|line| import(*line, 7)).collect();
        find_scopes(&mut imports, &symbols);
        let scopes: Vec<Option<u32>> = imports.iter().map(|import| import.scope).collect();
        assert_eq!(
            scopes,
            [None, None, Some(0), Some(1), Some(0), None, Some(3), None]
        );
        let bindings = Bindings::of(&imports);
        let found = |seen| {
            let named = bindings.named(&imports, Name(7), seen);
            named.map(|(i, _)| i).collect::<Vec<_>>()
        };
        assert_eq!(found(Seen::Everywhere), [0, 1, 5, 7]);
        assert_eq!(found(Seen::In(0)), [2, 4]);
        assert_eq!(found(Seen::In(1)), [3]);
        assert_eq!(found(Seen::In(2)), [0; 0]);
        assert_eq!(found(Seen::Somewhere), [2, 4, 3, 6]);
        assert_eq!(
            bindings.named(&imports, Name(8), Seen::Everywhere).count(),
            0
        );
    }
}
