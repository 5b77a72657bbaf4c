//! The definitions of the files that differ, made ready to be compared: what each is apart from its own name,
//! comments, formatting and the definitions inside it.

use super::tokens::{OwnNames, Token, Tokens, digest, masked, name_token};
use crate::extract::record::{Symbol, SymbolKind};
use crate::graph::edges::Graph;
use crate::graph::table::SymbolId;
use crate::id::NameId;
use crate::lang::{self, language::Genre};
use crate::query::answer::SymbolRef;
use crate::query::exposure;
use crate::query::ids::DocSymbols;
use crate::query::outside::{self, Written};
use crate::query::verified::VerifiedSymbols;
use crate::store::parallel;
use crate::view::comments::Comments;
use crate::view::live::{FileId, View};
use crate::view::text::{PARALLEL_FROM, Text, Texts};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

/// How decorators and attributes begin.
const LEADS: [&[u8]; 4] = [b"@", b"#[", b"[", b"#!["];
/// Lines above a definition that are looked at for them.
const MAX_LEAD_LINES: usize = 40;

/// Position of a unit among those of its side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

impl UnitId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A definition of a file that differs.
pub struct Unit {
    /// Its number in the graph of its side.
    pub id: SymbolId,
    /// Its file.
    pub file: FileId,
    /// Its position in the document.
    pub position: usize,
    /// Its name, after that of the receiver where one is written (`T.m` in Go).
    pub name: Box<[u8]>,
    /// What it is.
    pub kind: SymbolKind,
    /// The unit it is nested in.
    pub container: Option<UnitId>,
    /// How many units it is nested in.
    pub depth: usize,
    /// What it consists of, its name apart.
    pub digests: Digests,
    /// The bytes of its documentation and of itself; of what holds others, those of its signature.
    pub bytes: u64,
    /// Number of all its tokens.
    pub size: usize,
}

/// The tokens of a definition, its name apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digests {
    /// All of them, nested definitions and all.
    pub whole: u64,
    /// Those of its signature. A test that is called by a title has none.
    pub signature: u64,
    /// Those before it that belong to it: decorators, attributes, `export`.
    pub modifiers: u64,
    /// Those that are neither of its signature nor of a nested definition.
    pub body: u64,
}

/// One state of the repository, as far as it is compared.
pub struct Side<'a> {
    /// The files.
    pub view: &'a View,
    /// What their names mean.
    pub graph: &'a Graph,
    /// Definitions of the files that differ, containers before what they hold.
    pub units: Vec<Unit>,
    by_id: FxHashMap<SymbolId, UnitId>,
    codes: FxHashMap<FileId, Code<'a>>,
}

/// The text of a file that differs.
pub struct Code<'a> {
    /// The text.
    pub text: Arc<Text>,
    tokens: Tokens,
    /// Its definitions, decoded once however many are asked about.
    symbols: VerifiedSymbols<'a>,
    /// Where each begins with what stands before it.
    starts: Vec<u32>,
    /// Its units.
    units: Range<u32>,
    /// Tokens of no definition: imports, decorators, what runs when the file is loaded.
    pub top: u64,
}

impl<'a> Side<'a> {
    /// Reads the definitions of some files. A file without text, or in no language that people program in, has
    /// none.
    pub fn of(
        view: &'a View,
        graph: &'a Graph,
        texts: &mut Texts,
        files: impl Iterator<Item = FileId>,
    ) -> Self {
        let mut side = Self {
            view,
            graph,
            units: Vec::new(),
            by_id: FxHashMap::default(),
            codes: FxHashMap::default(),
        };
        let files: Vec<FileId> = files.filter(|file| is_code(view, *file)).collect();
        let read = texts.with_comments(view, &files);
        let read: Vec<_> = files.into_iter().zip(read).collect();
        let threads = match read.len() < PARALLEL_FROM {
            true => 1,
            false => parallel::cores(),
        };
        let code = |(): &mut (), (file, read): &(FileId, Option<_>)| {
            let (text, comments): &(Arc<Text>, Comments) = read.as_ref()?;
            Code::of(view, *file, text.clone(), comments)
        };
        let code = parallel::map(&read, threads, || (), code);
        for ((file, _), code) in read.iter().zip(code) {
            if let Some((code, parts)) = code {
                side.add(*file, code, parts);
            }
        }
        side
    }

    fn add(&mut self, file: FileId, mut code: Code<'a>, parts: Vec<Parts>) {
        let symbols = code.symbols.symbols();
        let first = self.units.len() as u32;
        // Units by position in the document; a heading or a key of data is none.
        let mut known: Vec<Option<UnitId>> = Vec::with_capacity(parts.len());
        for ((position, symbol), parts) in symbols.all().iter().enumerate().zip(parts) {
            let id = self.graph.symbol(file, position);
            let id = id.filter(|_| symbol.kind != SymbolKind::Section);
            let Some(id) = id else {
                known.push(None);
                continue;
            };
            let container = symbol
                .container
                .and_then(|outer| *known.get(outer as usize)?);
            let depth = container.map_or(0, |outer| self.units[outer.index()].depth + 1);
            let unit = UnitId(self.units.len() as u32);
            known.push(Some(unit));
            self.by_id.insert(id, unit);
            self.units.push(Unit {
                id,
                file,
                position,
                name: parts.name,
                kind: symbol.kind,
                container,
                depth,
                digests: parts.digests,
                bytes: parts.bytes,
                size: parts.size,
            });
        }
        code.units = first..self.units.len() as u32;
        self.codes.insert(file, code);
    }

    /// A unit.
    ///
    /// # Panics
    /// When it is the other side's.
    pub fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    /// Every unit.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = UnitId> + use<> {
        (0..self.units.len() as u32).map(UnitId)
    }

    /// The units of a file, in order.
    pub fn of_file(&self, file: FileId) -> impl Iterator<Item = UnitId> + use<> {
        let units = self.code(file).map(|code| code.units.clone());
        units.unwrap_or_default().map(UnitId)
    }

    /// The unit of a definition, if its file differs.
    pub fn find(&self, id: SymbolId) -> Option<UnitId> {
        self.by_id.get(&id).copied()
    }

    /// The text of a file that differs.
    pub fn code(&self, file: FileId) -> Option<&Code<'a>> {
        self.codes.get(&file)
    }

    /// What a definition's document says of it.
    pub fn symbol(&self, unit: UnitId) -> Option<Symbol<NameId>> {
        let unit = self.unit(unit);
        let symbols = self.code(unit.file)?.symbols.symbols();
        symbols.get(unit.position).cloned()
    }

    /// Whether others see a unit: it and all around it is exported, and nothing says that it is the library's own.
    pub fn is_given_out(&self, unit: UnitId) -> bool {
        let of = self.unit(unit);
        let written = self.written(of.file);
        written.is_some_and(|written| written.is_given_out(of.position))
    }

    /// Whether a unit and all around it counts as exported.
    pub fn is_exported(&self, unit: UnitId) -> bool {
        let of = self.unit(unit);
        let code = self.code(of.file);
        code.is_some_and(|code| outside::is_exported(code.symbols.symbols(), of.position))
    }

    /// Whether a unit, or something around it, is for the library alone although it counts as exported.
    pub fn is_own(&self, unit: UnitId) -> bool {
        let of = self.unit(unit);
        let written = self.written(of.file);
        written.is_some_and(|written| written.is_own(of.position))
    }

    fn written(&self, file: FileId) -> Option<Written<'_>> {
        let code = self.code(file)?;
        Some(Written {
            liveness: &exposure::language(self.view, file).liveness,
            text: &code.text,
            symbols: code.symbols.symbols(),
        })
    }

    /// A unit in the fewest words, each of which stands in its file.
    pub fn reference(&self, texts: &mut Texts, unit: UnitId) -> Option<SymbolRef> {
        let unit = self.unit(unit);
        let code = self.code(unit.file)?;
        code.symbols.reference(texts, unit.position)
    }

    /// What stands before a unit and belongs to it: attributes, decorators, `export`.
    pub fn lead(&self, unit: UnitId) -> &[u8] {
        let found = self.symbol(unit).and_then(|symbol| {
            let text = &self.code(self.unit(unit).file)?.text;
            Some(text.slice(lead(text, &symbol, 0)..symbol.span.start))
        });
        found.unwrap_or_default()
    }

    /// The tokens of a unit, its own name masked.
    pub fn masked(&self, unit: UnitId) -> Vec<u64> {
        let (Some(symbol), Some(code)) = (self.symbol(unit), self.code(self.unit(unit).file))
        else {
            return Vec::new();
        };
        let own = OwnNames::one(self.own_name(unit));
        masked(code.tokens.within(&symbol.span).iter(), own).collect()
    }

    /// What a unit consists of, with another name masked beside its own.
    pub fn digests_without(&self, unit: UnitId, other: u64) -> Option<Digests> {
        let own = OwnNames::both(self.own_name(unit), other);
        let of = self.unit(unit);
        let code = self.code(of.file)?;
        let symbols = code.symbols.symbols();
        let symbol = symbols.get(of.position)?;
        let reader = Reader {
            text: &code.text,
            tokens: &code.tokens,
            symbols,
            starts: &code.starts,
        };
        Some(reader.digests(of.position, symbol, own))
    }

    /// The units that lie directly in a unit.
    pub fn inside(&self, outer: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let file = self.unit(outer).file;
        let after = self.of_file(file).skip_while(move |id| *id <= outer);
        after.filter(move |id| self.unit(*id).container == Some(outer))
    }

    /// The units that a unit lies in, innermost first, itself before them.
    pub fn around(&self, unit: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        std::iter::successors(Some(unit), |at| self.unit(*at).container)
    }

    /// The last part of a unit's name: without a receiver. A title is one name.
    pub fn own_name(&self, unit: UnitId) -> u64 {
        let name = &self.unit(unit).name;
        if self.unit(unit).kind == SymbolKind::Test {
            return name_token(name);
        }
        let own = name.rsplit(|b| *b == b'.').next().unwrap_or(name);
        name_token(own)
    }
}

impl<'a> Code<'a> {
    /// A file and, by position, what of its definitions is read from its text.
    fn of(
        view: &'a View,
        file: FileId,
        text: Arc<Text>,
        comments: &[Range<u32>],
    ) -> Option<(Self, Vec<Parts>)> {
        let doc = view.file(file).doc?;
        let segment = &view.segment(doc.segment).segment;
        let language = lang::of(segment.doc(doc.doc).lang);
        let tokens = Tokens::of(text.bytes(), comments, language.indented);
        let verified = VerifiedSymbols::of(view, file)?;
        let symbols = verified.symbols();
        let starts = starts(&text, symbols);
        let reader = Reader {
            text: &text,
            tokens: &tokens,
            symbols,
            starts: &starts,
        };
        let all = symbols.all().iter().enumerate();
        let parts = all.map(|(position, symbol)| reader.parts(position, symbol));
        let (parts, top) = (parts.collect(), reader.top());
        let code = Self {
            text,
            tokens,
            symbols: verified,
            starts,
            units: 0..0,
            top,
        };
        Some((code, parts))
    }
}

/// Whether a file is in a language that people program in.
fn is_code(view: &View, file: FileId) -> bool {
    view.file(file).doc.is_some_and(|doc| {
        let genre = lang::of(view.segment(doc.segment).segment.doc(doc.doc).lang).genre;
        genre.is_code() && genre != Genre::Data
    })
}

/// A file while its definitions are read.
struct Reader<'a> {
    text: &'a Text,
    tokens: &'a Tokens,
    symbols: &'a DocSymbols<'a>,
    /// Where each definition begins with what stands before it.
    starts: &'a [u32],
}

/// What of a [`Unit`] is read from the text.
struct Parts {
    name: Box<[u8]>,
    digests: Digests,
    bytes: u64,
    size: usize,
}

impl Reader<'_> {
    fn parts(&self, position: usize, symbol: &Symbol<NameId>) -> Parts {
        let own = self.symbols.bytes(symbol.name);
        let token = name_token(&own);
        let name = match symbol.receiver {
            Some(receiver) => [&self.symbols.bytes(receiver)[..], b".", &own].concat(),
            None => own,
        };
        let mut bytes = Xxh3::new();
        bytes.update(self.text.slice(symbol.doc.clone()));
        let shown = match self.nested(position, symbol).is_empty() {
            true => &symbol.span,
            false => &symbol.signature,
        };
        bytes.update(self.text.slice(shown.clone()));
        Parts {
            name: name.into_boxed_slice(),
            digests: self.digests(position, symbol, OwnNames::one(token)),
            bytes: bytes.digest(),
            size: self.tokens.within(&symbol.span).len(),
        }
    }

    fn digests(&self, position: usize, symbol: &Symbol<NameId>, own: OwnNames) -> Digests {
        let whole = self.tokens.within(&symbol.span);
        let before = self.starts[position]..symbol.span.start;
        let nested = self.nested(position, symbol);
        let is_titled = symbol.kind == SymbolKind::Test;
        let signature = head(symbol, self.text.bytes());
        let own_tokens = |tokens, without: Range<u32>| OwnTokens {
            tokens: <[Token]>::iter(tokens),
            nested: &nested,
            without,
        };
        let signed = match is_titled {
            true => &[],
            false => self.tokens.within(&signature),
        };
        Digests {
            whole: digest(whole.iter(), own),
            signature: digest(own_tokens(signed, 0..0), own),
            modifiers: digest(self.tokens.within(&before).iter(), own),
            body: digest(own_tokens(whole, signature), own),
        }
    }

    /// Where the definitions lie that are nested in one, with what stands before them: in order, and none over another.
    fn nested(&self, position: usize, symbol: &Symbol<NameId>) -> Vec<Range<u32>> {
        let all = self.symbols.all().iter().enumerate().skip(position + 1);
        let inside = all.take_while(|(_, inner)| inner.span.start < symbol.span.end);
        let direct = inside.filter(|(_, inner)| inner.container == Some(position as u32));
        let mut found: Vec<Range<u32>> = direct
            .map(|(at, inner)| self.starts[at]..inner.span.end)
            .collect();
        found.sort_unstable_by_key(|range| range.start);
        found.dedup_by(|next, last| {
            let overlaps = next.start <= last.end;
            last.end = match overlaps {
                true => last.end.max(next.end),
                false => last.end,
            };
            overlaps
        });
        found
    }

    /// The tokens that lie in no definition.
    fn top(&self) -> u64 {
        let all = self.symbols.all().iter().zip(self.starts);
        let mut spans = all
            .filter(|(symbol, _)| symbol.container.is_none() && symbol.kind != SymbolKind::Section)
            .map(|(symbol, start)| *start..symbol.span.end)
            .peekable();
        let end = self.text.bytes().len() as u32;
        let all = self.tokens.within(&(0..end)).iter();
        let outside: Vec<&Token> = all
            .filter(|token| {
                while spans.peek().is_some_and(|span| span.end <= token.start) {
                    spans.next();
                }
                spans.peek().is_none_or(|span| token.start < span.start)
            })
            .collect();
        digest(outside.into_iter(), OwnNames::one(0))
    }
}

/// The tokens that lie in no nested definition, nor in a range.
#[derive(Clone)]
struct OwnTokens<'a> {
    tokens: std::slice::Iter<'a, Token>,
    /// What is still ahead of them, in order and none over another.
    nested: &'a [Range<u32>],
    without: Range<u32>,
}

impl<'a> Iterator for OwnTokens<'a> {
    type Item = &'a Token;

    fn next(&mut self) -> Option<&'a Token> {
        loop {
            let token = self.tokens.next()?;
            while let [inner, rest @ ..] = self.nested
                && inner.end <= token.start
            {
                self.nested = rest;
            }
            let inner = self.nested.first();
            let is_nested = inner.is_some_and(|inner| inner.start <= token.start);
            if !is_nested && !self.without.contains(&token.start) {
                return Some(token);
            }
        }
    }
}

/// Where each definition of a file begins with what stands before it.
fn starts(text: &Text, symbols: &DocSymbols<'_>) -> Vec<u32> {
    let all = symbols.all();
    // Where the definition before in the same container ends, or the container's own signature.
    let mut free: Vec<u32> = all.iter().map(|symbol| symbol.signature.end).collect();
    let mut free_top = 0;
    let mut starts = Vec::with_capacity(all.len());
    for (position, symbol) in all.iter().enumerate() {
        let outer = symbol.container.map(|outer| outer as usize);
        let outer = outer.filter(|outer| *outer < position);
        let free = match outer {
            Some(outer) => &mut free[outer],
            None => &mut free_top,
        };
        starts.push(lead(text, symbol, *free));
        *free = symbol.span.end.max(*free);
    }
    starts
}

/// Where what belongs to a definition and stands before it begins, not before `free`: the rest of its line, and
/// decorators and attributes on the lines right above.
fn lead(text: &Text, symbol: &Symbol<NameId>, free: u32) -> u32 {
    let bytes = text.bytes();
    let mut start = symbol.span.start as usize;
    let free = (free as usize).min(start);
    let line_of = |at: usize| memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    let mut line = line_of(start.min(bytes.len()));
    start = line.max(free);
    for _ in 0..MAX_LEAD_LINES {
        if line <= free {
            break;
        }
        let above = line_of(line - 1);
        let written = bytes[above..line].trim_ascii();
        if written.is_empty() || above < free {
            break;
        }
        line = above;
        if LEADS.iter().any(|mark| written.starts_with(mark)) {
            start = line;
        }
    }
    start as u32
}

/// The bytes that say what a definition is to others. Of a value that is what stands before it.
fn head(symbol: &Symbol<NameId>, bytes: &[u8]) -> Range<u32> {
    let signature = symbol.signature.clone();
    if !matches!(
        symbol.kind,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Field
    ) {
        return signature;
    }
    let written = bytes.get(signature.start as usize..signature.end as usize);
    let value = written.and_then(|written| memchr::memchr(b'=', written));
    value.map_or(signature.clone(), |at| {
        signature.start..signature.start + at as u32
    })
}
