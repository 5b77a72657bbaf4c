//! Turning a definition that the walk met into a [`Symbol`].
//!
//! Guarantees: containers come before what they contain; spans, signatures and doc comments lie
//! inside the file; a symbol inside a test is a test.

use super::hints::Hint;
use super::node::NodeExt;
use super::walk::{Comment, Frame, Scope, Walk, string_content};
use crate::id::LocalName;
use crate::limits::{MAX_NAME_BYTES, MAX_SYMBOLS_PER_DOC};
use crate::record::{Occurrence, Symbol, SymbolFlags, SymbolKind};
use std::ops::Range;
use tree_sitter::{Node, Point};

/// A definition in the making.
pub(crate) struct Draft<'t> {
    pub(crate) kind: SymbolKind,
    /// Bytes of the name, and where they start.
    pub(crate) name: Range<usize>,
    pub(crate) name_at: Point,
    /// First byte of the definition.
    pub(crate) start: usize,
    pub(crate) start_at: Point,
    /// Just past its last byte.
    pub(crate) end: usize,
    pub(crate) end_at: Point,
    /// First byte of the body.
    pub(crate) body: Option<usize>,
    pub(crate) flags: SymbolFlags,
    pub(crate) receiver: Option<&'t [u8]>,
    /// Bytes of a docstring; without one the comments above are looked at.
    pub(crate) doc: Option<Range<usize>>,
    /// Row of the first decorator, or of the definition.
    pub(crate) lead_row: usize,
    /// Container other than the enclosing symbol.
    pub(crate) container: Option<u32>,
    /// What is known of its value, or of what it returns.
    pub(crate) value: Option<Hint>,
    /// What a decorator makes of it.
    pub(crate) maker: Option<Hint>,
    /// Whether it turned out to be no definition.
    pub(super) rejected: bool,
    /// Whether it holds beyond the part of a file that it stands in.
    pub(super) beyond: bool,
}

impl<'t> Draft<'t> {
    /// Starts a draft of what `name` names and `outer` spans.
    pub(crate) fn new(kind: SymbolKind, name: Node<'t>, outer: Node<'t>) -> Self {
        let mut draft = Self {
            kind,
            name: name.byte_range(),
            name_at: name.start_position(),
            start: 0,
            start_at: Point::default(),
            end: 0,
            end_at: Point::default(),
            body: None,
            flags: SymbolFlags::default(),
            receiver: None,
            doc: None,
            lead_row: 0,
            container: None,
            value: None,
            maker: None,
            rejected: false,
            beyond: false,
        };
        draft.span(outer);
        draft
    }

    /// Makes `outer` the span.
    pub(crate) fn span(&mut self, outer: Node<'t>) {
        self.begin(outer);
        self.lead_row = self.start_at.row;
        self.end = outer.end_byte();
        self.end_at = outer.end_position();
    }

    /// Makes the span begin where `node` does.
    pub(crate) fn begin(&mut self, node: Node<'t>) {
        self.start = node.start_byte();
        self.start_at = node.start_position();
    }

    /// Adds a fact.
    pub(crate) fn set(&mut self, flag: SymbolFlags) {
        self.flags = self.flags.with(flag);
    }

    /// Adds a fact that may hold.
    pub(crate) fn set_if(&mut self, flag: SymbolFlags, holds: bool) {
        if holds {
            self.set(flag);
        }
    }

    /// Finds that it is no definition.
    pub(crate) fn reject(&mut self) {
        self.rejected = true;
    }

    /// Makes it a method when it stands in a class.
    pub(crate) fn method_in(&mut self, frame: &Frame<'t>) {
        if frame.scope == Scope::Class {
            self.kind = SymbolKind::Method;
        }
    }

    /// Makes a node its name.
    pub(crate) fn rename(&mut self, name: Node<'t>) {
        self.name = name.byte_range();
        self.name_at = name.start_position();
    }

    /// Takes what stands between the quotes for its name, which is written as a string; `false` when
    /// there is nothing.
    pub(crate) fn unquote(&mut self, walk: &Walk<'t>) -> bool {
        let text = self.text(walk);
        let content = string_content(text);
        if !content.is_empty() {
            let start = content.as_ptr() as usize - text.as_ptr() as usize;
            self.trim_name(start, text.len() - start - content.len());
        }
        !content.is_empty()
    }

    /// Reads the words and annotations in front of it. It begins with what follows the last annotation.
    pub(crate) fn led_by(
        &mut self,
        list: Node<'t>,
        words: impl Iterator<Item = Node<'t>>,
        is_annotation: fn(&str) -> bool,
        mut read: impl FnMut(&mut Self, Node<'t>),
    ) {
        let mut begin = None;
        for word in words.filter(|word| !word.is_extra()) {
            begin = if is_annotation(word.kind_name()) {
                self.decorated(list);
                None
            } else {
                begin.or(Some(word))
            };
            read(self, word);
        }
        // A comment may stand behind the last annotation.
        let mut behind = list.next_sibling();
        while let Some(comment) = behind.filter(Node::is_extra) {
            behind = comment.next_sibling();
        }
        if let Some(begin) = begin.or(behind) {
            self.begin(begin);
        }
    }

    /// Drops bytes at the start and at the end of its name, which stand on one line.
    pub(crate) fn trim_name(&mut self, start: usize, end: usize) {
        self.name = self.name.start + start..self.name.end - end;
        self.name_at.column += start;
    }

    /// Notes where its body begins, if it has one.
    pub(crate) fn body_at(&mut self, body: Option<Node<'t>>) {
        self.body = body.map(|body| body.start_byte());
    }

    /// The bytes of its name.
    pub(crate) fn text<'s>(&self, walk: &Walk<'s>) -> &'s [u8] {
        walk.src.get(self.name.clone()).unwrap_or(b"")
    }

    /// Notes that decorators begin at `node`.
    pub(crate) fn decorated(&mut self, node: Node<'t>) {
        self.set(SymbolFlags::DECORATED);
        self.lead_row = self.lead_row.min(node.start_position().row);
    }
}

/// What is written about a definition.
#[derive(Clone)]
pub(crate) struct Doc {
    /// Empty when there is nothing.
    span: Range<u32>,
    /// Row of a comment's first line.
    first_row: usize,
    deprecated: bool,
}

impl<'t> Walk<'t> {
    /// Records a definition and makes it the container of what lies below `frame`.
    pub(crate) fn define(&mut self, draft: Draft<'t>, frame: &mut Frame<'t>) -> Option<u32> {
        let index = self.record(&draft, frame)?;
        frame.symbol = Some(index);
        frame.exported = self.symbols[index as usize]
            .flags
            .contains(SymbolFlags::EXPORTED);
        match draft.kind {
            SymbolKind::Function
            | SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Test => {
                frame.scope = Scope::Function;
                frame.exported = false;
            }
            SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Enum
            | SymbolKind::Union
            | SymbolKind::Impl => frame.scope = Scope::Class,
            SymbolKind::Module => frame.scope = Scope::Module,
            _ => {}
        }
        Some(index)
    }

    /// Records a test that a call declares, named by a string.
    pub(crate) fn define_test(
        &mut self,
        call: Node<'t>,
        frame: &mut Frame<'t>,
        title: Node<'t>,
        body: Option<Node<'t>>,
    ) {
        let mut draft = Draft::new(SymbolKind::Test, title, call);
        if draft.unquote(self) {
            draft.body_at(body);
            draft.set(SymbolFlags::TEST);
            self.define(draft, frame);
        }
    }

    /// Records a definition that contains nothing; `frame` says where it stands.
    pub(crate) fn record(&mut self, draft: &Draft<'t>, frame: &Frame<'t>) -> Option<u32> {
        let name = self.src.get(draft.name.clone())?;
        let is_blank = name.first().is_none_or(u8::is_ascii_whitespace);
        let unusable = is_blank || name.len() > MAX_NAME_BYTES || draft.start >= draft.end;
        if unusable || self.symbols.len() >= MAX_SYMBOLS_PER_DOC {
            return None;
        }
        let container = draft.container.or(frame.symbol);
        let doc = match &draft.doc {
            Some(doc) => self.docstring(doc.clone(), draft.lead_row),
            None => self.doc_above(draft.lead_row),
        };
        let mut flags = draft.flags;
        if let Some(container) = container {
            flags.0 |= self.symbols[container as usize].flags.0 & SymbolFlags::TEST.0;
        }
        if doc.deprecated {
            flags = flags.with(SymbolFlags::DEPRECATED);
        }
        let (mut end, mut end_at) = match draft.beyond {
            true => (draft.end, draft.end_at),
            false => (self.end_in_file(draft.start, draft.end), draft.end_at),
        };
        let span = self.src.get(draft.start..end)?;
        let trimmed = span.trim_ascii_end();
        let trims = trimmed.len() < span.len() && span.ends_with(b"\n");
        if trims || end != draft.end {
            end = draft.start + trimmed.len();
            end_at = self.point_of(end, draft.start, draft.start_at);
        }
        let receiver = draft
            .receiver
            .filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len()));
        let receiver = receiver.map(|receiver| self.names.intern(receiver).0);
        self.expect_name(draft.name.start, name);
        let signature = self.signature(draft.start, end, draft.body);
        let (name, _) = self.names.intern(name);
        if can_own(draft.kind, container) {
            self.owners.entry(name).or_insert(self.symbols.len() as u32);
        }
        let symbol = Symbol {
            name,
            kind: draft.kind,
            flags,
            container,
            receiver,
            span: draft.start as u32..end as u32,
            start_line: draft.start_at.row as u32 + 1,
            start_col: draft.start_at.column as u32,
            end_line: end_at.row as u32 + 1,
            end_col: end_at.column as u32,
            name_line: draft.name_at.row as u32 + 1,
            name_col: draft.name_at.column as u32,
            signature,
            doc: doc.span,
            body_hash: 0,
        };
        self.leads
            .push(doc.first_row.min(draft.lead_row) as u32 + 1);
        if let Some(hint) = draft.maker {
            self.decorated(self.symbols.len() as u32, hint);
        }
        if let Some(hint) = draft.value {
            self.value(self.symbols.len() as u32, hint);
        }
        self.symbols.push(symbol);
        Some(self.symbols.len() as u32 - 1)
    }

    /// Keeps the identifiers that make up a definition's name from being recorded as uses.
    fn expect_name(&mut self, start: usize, name: &[u8]) {
        // `ready?`, `push!` and `fold'` are one identifier each.
        let part = |b: &u8| b.is_ascii_alphanumeric() || b"_$#?!'".contains(b) || *b >= 0x80;
        if !name.iter().all(|b| part(b) || matches!(b, b'.' | b':')) {
            return;
        }
        for (at, byte) in name.iter().enumerate() {
            if part(byte) && (at == 0 || !part(&name[at - 1])) {
                self.def_names.insert(start + at);
            }
        }
    }

    /// Lets the identifiers in a range be uses, whatever they define.
    pub(crate) fn expect_no_names(&mut self, range: Range<usize>) {
        for at in range {
            self.def_names.remove(&at);
        }
    }

    pub(super) fn point_of(&self, end: usize, start: usize, start_at: Point) -> Point {
        let text = &self.src[start..end];
        match memchr::memrchr(b'\n', text) {
            Some(last) => Point {
                row: start_at.row + memchr::memchr_iter(b'\n', text).count(),
                column: text.len() - last - 1,
            },
            None => Point {
                row: start_at.row,
                column: start_at.column + text.len(),
            },
        }
    }

    /// Up to the body, or the first line where there is none.
    fn signature(&self, start: usize, end: usize, body: Option<usize>) -> Range<u32> {
        let stop = match body {
            Some(body) if body > start && body <= end => body,
            _ => memchr::memchr(b'\n', &self.src[start..end]).map_or(end, |n| start + n),
        };
        let stop = stop.min(self.head_end(start));
        let text = self.src[start..stop].trim_ascii_end();
        start as u32..(start + text.len()) as u32
    }

    /// The doc that a definition has inside, as in Python.
    fn docstring(&self, span: Range<usize>, row: usize) -> Doc {
        Doc {
            deprecated: says_deprecated(self.src.get(span.clone()).unwrap_or(b"")),
            span: span.start as u32..span.end as u32,
            first_row: row,
        }
    }

    /// Finds the comment that ends on the line above `row`: one block comment, or a run of line
    /// comments. Comments that share their line with code belong to that code. Of definitions on one
    /// line only the first has to look.
    fn doc_above(&mut self, row: usize) -> Doc {
        let place = (row, self.comments.len());
        if let Some((_, doc)) = self.last_doc.as_ref().filter(|(last, _)| *last == place) {
            return doc.clone();
        }
        let (span, first_row) = self.comment_above(row);
        let doc = Doc {
            deprecated: says_deprecated(&self.src[span.start as usize..span.end as usize]),
            span,
            first_row,
        };
        self.last_doc = Some((place, doc.clone()));
        doc
    }

    fn comment_above(&self, row: usize) -> (Range<u32>, usize) {
        let mut first = row;
        let mut span: Option<Range<u32>> = None;
        for comment in self.comments.iter().rev() {
            let text = &self.src[comment.start as usize..];
            let block = text.starts_with(b"/*");
            let adjacent = comment.end_row + 1 == first
                || (span.is_none() && comment.end_row == first)
                // Some write an empty line below their doc comments.
                || (text.starts_with(b"/**") && comment.end_row + 2 == first && self.blank_before(first, comment));
            if !adjacent || (block && span.is_some()) || !self.begins_line(comment.start as usize) {
                break;
            }
            span = Some(comment.start..span.map_or(comment.end, |span| span.end));
            first = comment.start_row;
            if block {
                break;
            }
        }
        (span.unwrap_or(0..0), first)
    }

    fn begins_line(&self, at: usize) -> bool {
        let blank = self.src[..at]
            .iter()
            .rev()
            .find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        blank.is_none_or(|b| *b == b'\n')
    }

    /// Whether nothing stands on the line between a comment and `row`, two lines below its end.
    fn blank_before(&self, row: usize, comment: &Comment) -> bool {
        let after = self.src.get(comment.end as usize..).unwrap_or(b"");
        let blank = after.iter().take_while(|b| b.is_ascii_whitespace());
        blank.filter(|b| **b == b'\n').count() >= row - comment.end_row
    }

    /// The symbol that a member declared elsewhere (`A.prototype.m`, `A::f`) belongs to.
    pub(crate) fn owner(
        &mut self,
        name: &[u8],
        fits: impl Fn(&Symbol<LocalName>) -> bool,
    ) -> Option<u32> {
        if name.len() > MAX_NAME_BYTES {
            return None;
        }
        let (name, _) = self.names.intern(name);
        let found = *self.owners.get(&name)?;
        fits(&self.symbols[found as usize]).then_some(found)
    }

    /// Puts symbols in order of their start (containers first) should a language have met them in
    /// another order, as with decorators that hold definitions.
    pub(crate) fn order_symbols(&mut self) {
        let key = |symbol: &Symbol<_>| (symbol.span.start, u32::MAX - symbol.span.end);
        if self.symbols.is_sorted_by_key(key) {
            return;
        }
        let mut order: Vec<u32> = (0..self.symbols.len() as u32).collect();
        order.sort_by_key(|i| (key(&self.symbols[*i as usize]), *i));
        let mut new_index = vec![0u32; order.len()];
        for (new, old) in order.iter().enumerate() {
            new_index[*old as usize] = new as u32;
        }
        self.hints.reorder_symbols(&new_index);
        let symbols = order.iter().enumerate().map(|(new, old)| {
            let mut symbol = self.symbols[*old as usize].clone();
            // A container assigned from elsewhere in the file may come later; then it is none.
            symbol.container = symbol
                .container
                .map(|c| new_index[c as usize])
                .filter(|c| (*c as usize) < new);
            symbol
        });
        let symbols: Vec<_> = symbols.collect();
        self.leads = order.iter().map(|old| self.leads[*old as usize]).collect();
        self.symbols = symbols;
    }

    /// Puts names in the order of the file should a language have met them in another, as Clojure does where a
    /// file is cut off.
    pub(crate) fn order_occurrences(&mut self) {
        let place = |found: &Occurrence<_>| (found.line, found.col);
        if !self.occurrences.is_sorted_by_key(place) {
            self.occurrences.sort_by_key(place);
        }
    }
}

/// Whether members declared elsewhere may belong to a symbol.
fn can_own(kind: SymbolKind, container: Option<u32>) -> bool {
    match kind {
        SymbolKind::Class
        | SymbolKind::Struct
        | SymbolKind::Interface
        | SymbolKind::Trait
        | SymbolKind::Enum
        | SymbolKind::Union
        | SymbolKind::Type
        | SymbolKind::Module => true,
        SymbolKind::Function | SymbolKind::Constant | SymbolKind::Variable => container.is_none(),
        _ => false,
    }
}

/// The words documentation uses in several languages to say that something is deprecated.
fn says_deprecated(doc: &[u8]) -> bool {
    let has = |needle: &[u8]| memchr::memmem::find(doc, needle).is_some();
    !doc.is_empty() && (has(b"@deprecated") || has(b"Deprecated:") || has(b".. deprecated::"))
}
