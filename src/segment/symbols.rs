//! The `SYMS` chunk: the symbols of each document as one stream of differences.

use super::varint::{Cursor, put, put32, unzigzag, zigzag};
use crate::extract::record::{Symbol, SymbolFlags, SymbolKind};
use crate::id::{LocalName, NameId};
use std::ops::Range;

/// Bits of a symbol's first byte that hold its kind.
const KIND: u8 = 0x1f;
/// Bit of the first byte: a receiver follows.
const RECEIVER: u8 = 0x20;
/// Bit of the first byte: a doc range follows; without it the range is `0..0`.
const DOC: u8 = 0x40;
/// Bit of the first byte: a container follows; without it, it is that of the symbol before.
const CONTAINER: u8 = 0x80;

/// Appends the stream of one document; `id` gives the segment's number of a name. The error says
/// what no stream can hold.
pub(super) fn encode(
    out: &mut Vec<u8>,
    symbols: &[Symbol<LocalName>],
    id: impl Fn(LocalName) -> u32,
) -> Result<(), &'static str> {
    let (mut container, mut start, mut line) = (None, 0, 0);
    for (symbol, i) in symbols.iter().zip(0u32..) {
        let (span, signature, doc) = (&symbol.span, &symbol.signature, &symbol.doc);
        let length = |range: &Range<u32>| range.end.checked_sub(range.start);
        let (Some(span_len), Some(signature_len), Some(doc_len)) =
            (length(span), length(signature), length(doc))
        else {
            return Err("a range of a symbol ends before it starts");
        };
        let distance = match symbol.container {
            None => 0,
            Some(outer) if outer < i => i - outer,
            Some(_) => return Err("a symbol's container is not before it"),
        };
        let mut head = symbol.kind.code() & KIND;
        for (bit, set) in [
            (RECEIVER, symbol.receiver.is_some()),
            (DOC, *doc != (0..0)),
            (CONTAINER, symbol.container != container),
        ] {
            head |= if set { bit } else { 0 };
        }
        out.extend_from_slice(&[head, symbol.flags.0]);
        put32(out, id(symbol.name));
        if let Some(receiver) = symbol.receiver {
            put32(out, id(receiver));
        }
        if head & CONTAINER != 0 {
            put32(out, distance);
        }
        put32(out, span.start.wrapping_sub(start));
        put32(out, span_len);
        put32(out, symbol.start_line.wrapping_sub(line));
        put32(out, symbol.start_col);
        put32(out, symbol.end_line.wrapping_sub(symbol.start_line));
        put32(out, symbol.end_col);
        if symbol.name_line == symbol.start_line {
            put(
                out,
                u64::from(symbol.name_col.wrapping_sub(symbol.start_col)) << 1,
            );
        } else {
            put(
                out,
                u64::from(symbol.name_line.wrapping_sub(symbol.start_line)) << 1 | 1,
            );
            put32(out, symbol.name_col);
        }
        if signature.start == span.start {
            put(out, u64::from(signature_len) << 1);
        } else {
            put(out, u64::from(signature_len) << 1 | 1);
            put32(out, zigzag(signature.start.wrapping_sub(span.start)));
        }
        if head & DOC != 0 {
            put32(out, doc_len);
            put32(out, zigzag(span.start.wrapping_sub(doc.end)));
        }
        out.extend_from_slice(&symbol.body_hash.to_le_bytes());
        (container, start, line) = (symbol.container, span.start, symbol.start_line);
    }
    Ok(())
}

/// Iterates over the symbols of one document.
#[derive(Clone)]
pub struct Symbols<'a> {
    cursor: Cursor<'a>,
    names: u32,
    index: u32,
    container: Option<u32>,
    start: u32,
    line: u32,
    /// Whether the stream was found to be malformed.
    pub(super) failed: bool,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(stream: &'a [u8], names: u32) -> Self {
        let cursor = Cursor::new(stream);
        Self {
            cursor,
            names,
            index: 0,
            container: None,
            start: 0,
            line: 0,
            failed: false,
        }
    }

    fn name(&mut self) -> Option<NameId> {
        self.cursor.u32().filter(|&id| id < self.names).map(NameId)
    }

    fn read(&mut self) -> Option<Symbol<NameId>> {
        let head = self.cursor.byte()?;
        let kind = SymbolKind::from_code(head & KIND)?;
        let flags = SymbolFlags(self.cursor.byte()?);
        let name = self.name()?;
        let receiver = if head & RECEIVER != 0 {
            Some(self.name()?)
        } else {
            None
        };
        if head & CONTAINER != 0 {
            self.container = match self.cursor.u32()? {
                0 => None,
                distance => Some(self.index.checked_sub(distance)?),
            };
        }
        let start = self.start.wrapping_add(self.cursor.u32()?);
        let end = start.checked_add(self.cursor.u32()?)?;
        let start_line = self.line.wrapping_add(self.cursor.u32()?);
        let start_col = self.cursor.u32()?;
        let end_line = start_line.wrapping_add(self.cursor.u32()?);
        let end_col = self.cursor.u32()?;
        let position = self.cursor.u64()?;
        let (name_line, name_col) = match (u32::try_from(position >> 1).ok()?, position & 1) {
            (column, 0) => (start_line, start_col.wrapping_add(column)),
            (line, _) => (start_line.wrapping_add(line), self.cursor.u32()?),
        };
        let extent = self.cursor.u64()?;
        let shift = if extent & 1 != 0 {
            unzigzag(self.cursor.u32()?)
        } else {
            0
        };
        let signature_start = start.wrapping_add(shift);
        let signature_end = signature_start.checked_add(u32::try_from(extent >> 1).ok()?)?;
        let mut doc = 0..0;
        if head & DOC != 0 {
            let len = self.cursor.u32()?;
            let end = start.wrapping_sub(unzigzag(self.cursor.u32()?));
            doc = end.checked_sub(len)?..end;
        }
        let body_hash = u64::from_le_bytes(self.cursor.take(8)?.try_into().ok()?);
        (self.index, self.start, self.line) = (self.index.checked_add(1)?, start, start_line);
        Some(Symbol {
            name,
            kind,
            flags,
            container: self.container,
            receiver,
            span: start..end,
            start_line,
            start_col,
            end_line,
            end_col,
            name_line,
            name_col,
            signature: signature_start..signature_end,
            doc,
            body_hash,
        })
    }
}

impl Iterator for Symbols<'_> {
    type Item = Symbol<NameId>;

    fn next(&mut self) -> Option<Symbol<NameId>> {
        if self.cursor.is_empty() {
            return None;
        }
        let symbol = self.read();
        if symbol.is_none() {
            self.failed = true;
            self.cursor = Cursor::default();
        }
        symbol
    }
}
