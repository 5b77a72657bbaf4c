//! What the definitions of a document take and what its calls give, asked by position.
//!
//! A document is parsed once, as for its record, and then asked about as many definitions and calls as there
//! are. Guarantees: the same budgets and the same masked bytes as for the record; what cannot be told (a
//! language nobody described, a syntax error, a notebook, whose positions are not those of its code) is
//! `None`. Nothing of this is recorded.

use super::skip;
use crate::lang::{self, Reader};
use crate::record::Grammar;
use crate::syntax::calls::rows::CallRows;
use crate::syntax::calls::{arguments, parameters, variables};
use crate::syntax::found::{line_starts, range};
use crate::syntax::{blanked, parse};
use std::ops::Range;
use tree_sitter::Tree;

pub use crate::syntax::calls::{
    Arguments, By, Change, Fit, Misfit, Need, Parameter, Parameters, Receiver, Strictness, Takes,
    Through, displaced, fit, fit_any,
};

/// Whether what is written of a type names one of this name and nothing around it: not `Foo[]` or `Optional<Foo>`.
pub fn names_type(written: &[u8], of: &[u8]) -> bool {
    variables::names(written, of)
}

/// Most parts of a document that are parsed, as for its record.
const MAX_PARTS: usize = 256;

/// A document, parsed.
pub struct Parsed {
    bytes: Vec<u8>,
    lines: Vec<u32>,
    parts: Vec<Part>,
}

/// What of it is in one language.
struct Part {
    bytes: Range<usize>,
    tree: Tree,
    rows: &'static CallRows,
}

impl Parsed {
    /// Parses a document in which secrets are masked; `None` where nothing of it can be asked about.
    pub fn of(grammar: Grammar, bytes: &[u8]) -> Option<Self> {
        let grammar = lang::by_content(bytes, grammar);
        if skip::reason(bytes, grammar).is_some() {
            return None;
        }
        let bytes = bytes.to_vec();
        let lines = line_starts(&bytes);
        let mut parts = Vec::new();
        match lang::of(grammar).embedded {
            None => parts.extend(whole(grammar, &bytes)),
            Some(find) => {
                for (within, grammar) in find(&bytes, grammar).into_iter().take(MAX_PARTS) {
                    let (Some(rows), Some(tables)) =
                        (lang::of(grammar).calls, lang::tables(grammar))
                    else {
                        continue;
                    };
                    let tree = parse::parse_range(&bytes, tables, range(&lines, &within));
                    parts.extend(tree.map(|tree| Part {
                        bytes: within,
                        tree,
                        rows,
                    }));
                }
            }
        }
        (!parts.is_empty()).then_some(Self {
            bytes,
            lines,
            parts,
        })
    }

    fn part(&self, at: usize) -> Option<&Part> {
        let mut parts = self.parts.iter();
        parts.find(|part| part.bytes.contains(&at))
    }

    /// What the definition in a range of bytes takes; of a type, what stands in its head.
    pub fn parameters(&self, definition: Range<u32>) -> Option<Parameters> {
        let (part, definition) = self.defined(definition)?;
        parameters::of(&self.bytes, &part.tree, part.rows, &definition)
    }

    /// What the constructors take that stand in the type in a range of bytes, overloads of each other;
    /// `None` where none is written or one cannot be read.
    pub fn constructors(&self, definition: Range<u32>) -> Option<Vec<Parameters>> {
        let (part, definition) = self.defined(definition)?;
        parameters::of_constructors(&self.bytes, &part.tree, part.rows, &definition)
    }

    /// Where the type of the result is written of the definition in a range of bytes.
    pub fn result(&self, definition: Range<u32>) -> Option<Range<u32>> {
        let (part, definition) = self.defined(definition)?;
        let found = parameters::result_range(&part.tree, part.rows, &definition)?;
        Some(found.start as u32..found.end as u32)
    }

    fn defined(&self, definition: Range<u32>) -> Option<(&Part, Range<usize>)> {
        let definition = definition.start as usize..definition.end as usize;
        let is_there = definition.start < definition.end && definition.end <= self.bytes.len();
        let part = self.part(definition.start).filter(|_| is_there)?;
        Some((part, definition))
    }

    /// What the call gives whose callee's name stands at a line, from 1, and a column in bytes, from 0;
    /// `None` where the name is not called there.
    pub fn arguments(&self, line: u32, column: u32) -> Option<Arguments> {
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let at = start.checked_add(column)? as usize;
        let part = self.part(at)?;
        arguments::of(&self.bytes, &part.tree, part.rows, at)
    }

    /// Whether the type, or the part of one, in a range of bytes may have members that are not written; so may what cannot be
    /// read.
    pub fn is_open_type(&self, definition: Range<u32>) -> bool {
        self.defined(definition).is_none_or(|(part, definition)| {
            let root = part.tree.root_node();
            let node = root.named_descendant_for_byte_range(definition.start, definition.end);
            let is_open = part.rows.is_open_type.zip(node);
            is_open.is_none_or(|(is_open, node)| is_open(&self.bytes, node))
        })
    }

    /// Whether a name at a line, from 1, and a column in bytes, from 0, may mean something else than the types and names
    /// around it say; so may what cannot be read.
    pub fn is_doubtful(&self, (line, column): (u32, u32), of: &[u8]) -> bool {
        let line = (line as usize).checked_sub(1);
        let start = line.and_then(|line| self.lines.get(line));
        let at = start.and_then(|start| start.checked_add(column));
        let part = at.and_then(|at| Some((at as usize, self.part(at as usize)?)));
        part.is_none_or(|(at, part)| {
            let root = part.tree.root_node();
            let name = root.descendant_for_byte_range(at, at + 1);
            name.is_none_or(|name| (part.rows.is_doubtful)(&self.bytes, name, of))
        })
    }

    /// Where the name stands, as a line and a column, of the call whose result a call by a name at such a place is of.
    pub fn result_called(&self, (line, column): (u32, u32)) -> Option<(u32, u32)> {
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let at = start.checked_add(column)? as usize;
        let part = self.part(at)?;
        let name = part
            .tree
            .root_node()
            .descendant_for_byte_range(at, at + 1)?;
        let called = (part.rows.result_called)(name)?.start_byte() as u32;
        let line = self.lines.partition_point(|start| *start <= called);
        let start = *self.lines.get(line.checked_sub(1)?)?;
        Some((line as u32, called - start))
    }
}

/// A document that is in one language.
fn whole(grammar: Grammar, bytes: &[u8]) -> Option<Part> {
    let language = lang::of(grammar);
    let (rows, tables) = (language.calls?, lang::tables(grammar)?);
    let Reader::Tree(reader) = &language.reader else {
        return None;
    };
    let (tree, _) = blanked::parse(bytes, tables, reader.blank, reader.blank_for_less)?;
    Some(Part {
        bytes: 0..bytes.len(),
        tree,
        rows,
    })
}

#[cfg(test)]
mod declared;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
