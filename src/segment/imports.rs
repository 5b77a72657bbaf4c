//! The `IMPS` chunk: the imports and exports of each document.

use super::varint::{Cursor, put, put32};
use crate::extract::record::{Binding, Import, ImportKind};
use crate::id::{LocalName, NameId};

/// Binding code: a name of the other module only.
const IMPORTED: u64 = 1;
/// Binding code: a name of this file only.
const LOCAL: u64 = 2;
/// Binding code: one name on both sides.
const SAME: u64 = 3;
/// Binding code: one name on either side; the second follows.
const BOTH: u64 = 4;

/// Appends the stream of one document; `id` gives the segment's number of a name.
pub(super) fn encode(
    out: &mut Vec<u8>,
    imports: &[Import<LocalName>],
    id: impl Fn(LocalName) -> u32,
) {
    let mut line = 0;
    for import in imports {
        out.push(import.kind.code());
        put32(out, import.line.wrapping_sub(line));
        put(out, import.specifier.len() as u64);
        out.extend_from_slice(&import.specifier);
        put(out, import.bindings.len() as u64);
        for binding in &import.bindings {
            let coded = |name, code| u64::from(id(name)) << 3 | code;
            match (binding.imported, binding.local) {
                (None, None) => out.push(0),
                (Some(name), None) => put(out, coded(name, IMPORTED)),
                (None, Some(name)) => put(out, coded(name, LOCAL)),
                (Some(a), Some(b)) if id(a) == id(b) => put(out, coded(a, SAME)),
                (Some(imported), Some(local)) => {
                    put(out, coded(imported, BOTH));
                    put32(out, id(local));
                }
            }
        }
        line = import.line;
    }
}

/// Iterates over the imports of one document.
#[derive(Clone)]
pub struct Imports<'a> {
    cursor: Cursor<'a>,
    names: u32,
    line: u32,
    /// Whether the stream was found to be malformed.
    pub(super) failed: bool,
}

impl<'a> Imports<'a> {
    pub(super) fn new(stream: &'a [u8], names: u32) -> Self {
        Self {
            cursor: Cursor::new(stream),
            names,
            line: 0,
            failed: false,
        }
    }

    fn known(&self, id: u64) -> Option<NameId> {
        u32::try_from(id)
            .ok()
            .filter(|&id| id < self.names)
            .map(NameId)
    }

    fn binding(&mut self) -> Option<Binding<NameId>> {
        let word = self.cursor.u64()?;
        if word == 0 {
            return Some(Binding {
                imported: None,
                local: None,
            });
        }
        let name = Some(self.known(word >> 3)?);
        let (imported, local) = match word & 7 {
            IMPORTED => (name, None),
            LOCAL => (None, name),
            SAME => (name, name),
            BOTH => {
                let local = self.cursor.u32()?;
                (name, Some(self.known(u64::from(local))?))
            }
            _ => return None,
        };
        Some(Binding { imported, local })
    }

    fn read(&mut self) -> Option<Import<NameId>> {
        let kind = ImportKind::from_code(self.cursor.byte()?)?;
        self.line = self.line.wrapping_add(self.cursor.u32()?);
        let specifier = self.cursor.bytes()?.to_vec();
        let count = self.cursor.u32()? as usize;
        // Each binding takes a byte at least.
        if count > self.cursor.len() {
            return None;
        }
        let bindings = (0..count).map(|_| self.binding()).collect::<Option<_>>()?;
        Some(Import {
            kind,
            line: self.line,
            specifier,
            bindings,
        })
    }
}

impl Iterator for Imports<'_> {
    type Item = Import<NameId>;

    fn next(&mut self) -> Option<Import<NameId>> {
        if self.cursor.is_empty() {
            return None;
        }
        let import = self.read();
        if import.is_none() {
            self.failed = true;
            self.cursor = Cursor::default();
        }
        import
    }
}
