//! Recording uses of identifiers.

use super::hints::Hint;
use super::walk::Walk;
use crate::limits::{MAX_NAME_BYTES, MAX_OCCURRENCES_PER_DOC};
use crate::record::{Occurrence, OccurrenceKind, Qualifier};
use tree_sitter::Node;

impl<'t> Walk<'t> {
    /// Records a use of `name`, at a 0-based row, unless a limit forbids it.
    pub(crate) fn occurrence(
        &mut self,
        name: &[u8],
        row: usize,
        col: usize,
        kind: OccurrenceKind,
        qualifier: Qualifier,
    ) {
        let (name, col) = match name {
            [b'`', inner @ .., b'`'] if self.tables.spec.backquoted => (inner, col + 1),
            name => (name, col),
        };
        // A name of blanks was read where the parser was given something else.
        if name.first().is_none_or(u8::is_ascii_whitespace)
            || name.len() > MAX_NAME_BYTES
            || self.occurrences.len() >= MAX_OCCURRENCES_PER_DOC
        {
            return;
        }
        let (name, _) = self.names.intern(name);
        self.occurrences.push(Occurrence {
            name,
            line: row as u32 + 1,
            col: col as u32,
            kind,
            qualifier,
        });
    }

    /// Records a node as one identifier.
    pub(crate) fn occurrence_at(
        &mut self,
        node: Node<'_>,
        kind: OccurrenceKind,
        qualifier: Qualifier,
    ) {
        let at = node.start_position();
        self.occurrence(self.text(node), at.row, at.column, kind, qualifier);
    }

    /// Records names that stand each in the one before: all but the last are used like `before`.
    pub(crate) fn path(
        &mut self,
        names: &[Node<'t>],
        first: Qualifier,
        before: OccurrenceKind,
        last: OccurrenceKind,
    ) {
        let mut qualifier = first;
        for (i, name) in names.iter().enumerate() {
            let kind = if i + 1 < names.len() { before } else { last };
            self.occurrence_at(*name, kind, qualifier);
            qualifier = Qualifier::Previous;
        }
    }

    /// Records `name`, the next identifier of the walk, as a member of something written elsewhere.
    pub(crate) fn member_name(&mut self, name: Node<'t>, kind: OccurrenceKind, of: Option<Hint>) {
        if let Some(of) = of {
            self.receiver(name.start_position(), of);
        }
        self.occurrence_at(name, kind, Qualifier::Expression);
        self.pass_over(name);
    }

    /// Records the name of a field where a value is put together or taken apart by fields, as a
    /// member of what `object` says.
    pub(crate) fn field_name(
        &mut self,
        name: Node<'t>,
        kind: OccurrenceKind,
        object: Option<Hint>,
    ) {
        if object == Some(Hint::THIS) {
            self.occurrence_at(name, kind, Qualifier::This);
            self.pass_over(name);
        } else {
            self.member_name(name, kind, object);
        }
    }

    /// Keeps an identifier that is recorded already from being recorded again.
    pub(crate) fn pass_over(&mut self, name: Node<'_>) {
        self.def_names.insert(name.start_byte());
    }

    /// Lets the name of a definition be an occurrence as well, as it names something else too.
    pub(crate) fn names_another(&mut self, name: Node<'t>) {
        let start = name.start_byte();
        self.def_names.remove(&start);
    }
}
