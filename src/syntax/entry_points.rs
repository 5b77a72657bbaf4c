//! Entry points that a document states: a second look at a tree, for files that name a framework.
//!
//! What a framework's calls and decorators look like is said by the rows of each language ([`EntryRows`]); here is what
//! these are written with: the paths that texts spell, the routers that names stand for, what a handler is.
//!
//! Guarantees: the tree is visited once, in source order and without recursion; what is recorded are places and
//! ranges, never words. What cannot be read as a path is recorded as computed.

use super::node::NodeExt;
use crate::id::LocalName;
use crate::limits::{MAX_ENTRIES_PER_DOC, MAX_ENTRY_PARTS};
use crate::record::{Entry, EntryKind, Methods, PartKind, PathPart, Reached, Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// Steps taken from an argument towards the function it hands over.
const MAX_STEPS: usize = 12;
/// Longest range that is taken for a path, in bytes.
const MAX_PATH_BYTES: usize = 512;

/// What a language says of entry points.
pub(crate) struct EntryRows {
    /// Words of which a file that states any has one.
    pub(crate) words: &'static [&'static str],
    pub(crate) kinds: EntrySyntax,
    /// Reads one node; those below it come next.
    pub(crate) read: for<'t> fn(&mut EntryReader<'t>, Node<'t>),
}

/// Kinds of nodes.
pub(crate) struct EntrySyntax {
    /// Functions that are values.
    pub(crate) functions: &'static [&'static str],
    pub(crate) names: &'static [&'static str],
    /// Member accesses: kind, field of the object, field of the name.
    pub(crate) members: &'static [(&'static str, &'static str, &'static str)],
    /// Calls: kind, field of what is called, field of the arguments.
    pub(crate) calls: &'static [(&'static str, &'static str, &'static str)],
    /// What stands for its first content.
    pub(crate) wrappers: &'static [&'static str],
    /// Lists, of which the last element is the handler.
    pub(crate) lists: &'static [&'static str],
    pub(crate) strings: &'static [&'static str],
    /// What is computed in a string.
    pub(crate) holes: &'static [&'static str],
    /// Texts put together.
    pub(crate) joins: &'static [&'static str],
    /// Methods that give their object in another form: `f.bind(this)`.
    pub(crate) through: &'static [&'static str],
}

impl EntrySyntax {
    pub(crate) const NONE: Self = Self {
        functions: &[],
        names: &["identifier"],
        members: &[],
        calls: &[],
        wrappers: &["parenthesized_expression"],
        lists: &[],
        strings: &[],
        holes: &[],
        joins: &["binary_expression"],
        through: &[],
    };
}

/// A name that stands for a router in a part of the file.
struct Bound<'t> {
    name: &'t [u8],
    within: Range<usize>,
    entry: u32,
}

/// What is being read of one document.
pub(crate) struct EntryReader<'t> {
    pub(crate) src: &'t [u8],
    kinds: &'static EntrySyntax,
    symbols: &'t [Symbol<LocalName>],
    /// Symbols by the places of their names.
    named: FxHashMap<(u32, u32), u32>,
    entries: Vec<Entry>,
    /// Routers that blocks of code belong to, by where these end.
    around: Vec<(usize, Option<u32>)>,
    bound: Vec<Bound<'t>>,
    /// Routers by the bytes of the expressions that make them.
    made: FxHashMap<(usize, usize), u32>,
    /// Routers that stand on others that come after them.
    moved: Vec<(u32, u32)>,
    /// The names of resources, by their routers.
    resources: FxHashMap<u32, Range<u32>>,
    /// Methods that are said behind a call, by where that ends.
    said: FxHashMap<usize, Methods>,
    /// Lists that names stand for.
    lists: FxHashMap<&'t [u8], Node<'t>>,
    /// Names of texts that the file gives once.
    constants: FxHashMap<&'t [u8], Option<Vec<PathPart>>>,
}

/// A call taken apart.
#[derive(Clone, Copy)]
pub(crate) struct CallParts<'t> {
    pub(crate) node: Node<'t>,
    /// The object whose method is called, if it is one.
    pub(crate) object: Option<Node<'t>>,
    /// The node of the called name.
    pub(crate) name: Node<'t>,
    pub(crate) arguments: Option<Node<'t>>,
}

/// Reads the trees of a document.
pub(crate) fn read<'t>(
    src: &'t [u8],
    trees: impl Iterator<Item = &'t Tree>,
    entry_points: &'static EntryRows,
    symbols: &'t [Symbol<LocalName>],
) -> Vec<Entry> {
    let is_named = |word: &&str| memchr::memmem::find(src, word.as_bytes()).is_some();
    if !entry_points.words.iter().any(is_named) {
        return Vec::new();
    }
    let places = (0u32..).zip(symbols);
    let mut reader = EntryReader {
        src,
        kinds: &entry_points.kinds,
        symbols,
        named: places
            .map(|(at, symbol)| ((symbol.name_line, symbol.name_col), at))
            .collect(),
        entries: Vec::new(),
        around: Vec::new(),
        bound: Vec::new(),
        made: FxHashMap::default(),
        said: FxHashMap::default(),
        moved: Vec::new(),
        resources: FxHashMap::default(),
        lists: FxHashMap::default(),
        constants: FxHashMap::default(),
    };
    for tree in trees {
        reader.visit(tree.root_node(), entry_points.read);
    }
    reader.finished()
}

impl<'t> EntryReader<'t> {
    fn visit(&mut self, root: Node<'t>, read: for<'r> fn(&mut EntryReader<'r>, Node<'r>)) {
        let mut cursor = root.walk();
        loop {
            let node = cursor.node();
            if node.is_named() {
                read(self, node);
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Whether nobody can reach a router that nothing is registered on: a class, one without a name, a
    /// parameter.
    fn is_idle(&self, at: u32) -> bool {
        let Some(entry) = self
            .entries
            .get(at as usize)
            .filter(|of| of.kind.is_router())
        else {
            return false;
        };
        let symbol = match entry.reached {
            Reached::Nothing | Reached::Inline(_) => return true,
            Reached::Symbol(symbol) => self.symbols.get(symbol as usize),
            Reached::Place(..) | Reached::Text(_) => None,
        };
        symbol.is_some_and(|symbol| {
            use SymbolKind::{Class, Constructor, Function, Interface, Method, Struct};
            match symbol.kind {
                Class | Interface | Struct => true,
                Function | Method | Constructor => entry.kind == EntryKind::Branch,
                _ => false,
            }
        })
    }

    /// The entries without routers that nobody can reach, what one stands on before it.
    fn finished(mut self) -> Vec<Entry> {
        for (router, other) in std::mem::take(&mut self.moved) {
            if let Some(entry) = self.entries.get_mut(router as usize) {
                entry.on = entry.on.or(Some(other));
            }
        }
        let mut used = vec![false; self.entries.len()];
        for on in self.entries.iter().filter_map(|entry| entry.on) {
            if let Some(used) = used.get_mut(on as usize) {
                *used = true;
            }
        }
        let mut places: Vec<Option<u32>> = vec![None; self.entries.len()];
        let mut kept: Vec<Entry> = Vec::with_capacity(self.entries.len());
        for (at, is_used) in used.into_iter().enumerate() {
            let is_idle = !is_used && self.is_idle(at as u32);
            if is_idle {
                continue;
            }
            // What it stands on and is not placed yet, the nearest first.
            let mut open = vec![at];
            while let Some(on) = open.last().and_then(|last| self.entries[*last].on) {
                let on = on as usize;
                if places.get(on).is_none_or(Option::is_some) || open.contains(&on) {
                    break;
                }
                open.push(on);
            }
            while let Some(next) = open.pop() {
                if places[next].is_some() {
                    continue;
                }
                places[next] = Some(kept.len() as u32);
                let mut entry = self.entries[next].clone();
                entry.on = entry
                    .on
                    .and_then(|on| places.get(on as usize).copied().flatten());
                entry.on = entry.on.filter(|on| (*on as usize) < kept.len());
                kept.push(entry);
            }
        }
        kept
    }

    /// The text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'t [u8] {
        self.src.get(node.byte_range()).unwrap_or(b"")
    }

    /// Whether the text of a node is one of some words.
    pub(crate) fn is(&self, node: Node<'_>, words: &[&str]) -> bool {
        let text = self.text(node);
        words.iter().any(|word| word.as_bytes() == text)
    }

    /// The symbol whose name a node is.
    pub(crate) fn symbol(&self, name: Node<'_>) -> Option<u32> {
        let at = name.start_position();
        let place = (at.row as u32 + 1, at.column as u32);
        self.named.get(&place).copied()
    }

    /// The symbol of a function or class with a field `name`.
    pub(crate) fn symbol_of(&self, definition: Node<'t>) -> Reached {
        let name = definition.field("name");
        name.and_then(|name| self.symbol(name))
            .map_or(Reached::Inline(line(definition)), Reached::Symbol)
    }

    /// A name as it is written, as part of a path.
    pub(crate) fn part(kind: PartKind, node: Node<'_>) -> PathPart {
        PathPart {
            kind,
            range: node.start_byte() as u32..node.end_byte() as u32,
        }
    }

    /// Adds an entry and gives its number. Past the most that are recorded there is none.
    pub(crate) fn add(&mut self, entry: Entry) -> Option<u32> {
        if self.entries.len() >= MAX_ENTRIES_PER_DOC {
            return None;
        }
        let mut entry = entry;
        if entry.path.len() > MAX_ENTRY_PARTS {
            entry.path = vec![PathPart::bare(PartKind::Computed)];
        }
        self.entries.push(entry);
        Some(self.entries.len() as u32 - 1)
    }

    /// Adds an entry in the fewest words.
    pub(crate) fn state(
        &mut self,
        kind: EntryKind,
        (on, at): (Option<u32>, Node<'t>),
        methods: Methods,
        path: Vec<PathPart>,
        reached: Reached,
    ) -> Option<u32> {
        self.add(Entry {
            kind,
            methods,
            on,
            line: line(at),
            path,
            reached,
        })
    }

    /// An entry that was added.
    pub(crate) fn entry_mut(&mut self, at: u32) -> Option<&mut Entry> {
        self.entries.get_mut(at as usize)
    }

    /// Whether an entry is a router that answers nothing by itself.
    pub(crate) fn is_branch(&self, at: u32) -> bool {
        let entry = self.entries.get(at as usize);
        entry.is_some_and(|entry| entry.kind == EntryKind::Branch)
    }

    /// Whether an entry is a class.
    pub(crate) fn is_class(&self, at: u32) -> bool {
        let entry = self.entries.get(at as usize);
        let symbol = entry.and_then(|entry| match entry.reached {
            Reached::Symbol(symbol) => self.symbols.get(symbol as usize),
            _ => None,
        });
        symbol.is_some_and(|symbol| symbol.kind == SymbolKind::Class)
    }

    /// From here on a name stands for a router, within a node.
    pub(crate) fn bind(&mut self, name: &'t [u8], within: Node<'t>, entry: u32) {
        self.bound.push(Bound {
            name,
            within: within.byte_range(),
            entry,
        });
    }

    /// Whether a name stands for a router that comes from outside of a function.
    pub(crate) fn is_shadowed(&self, name: Node<'_>, function: Node<'_>) -> bool {
        let (text, at) = (self.text(name), name.start_byte());
        let bound = self.bound.iter().rev();
        let mut found = bound.filter(|bound| bound.name == text && bound.within.contains(&at));
        found
            .next()
            .is_some_and(|bound| bound.within != function.byte_range())
    }

    /// The router that a name stands for at a place.
    pub(crate) fn bound(&self, name: &[u8], at: Node<'_>) -> Option<u32> {
        let at = at.start_byte();
        let bound = self.bound.iter().rev();
        let mut found = bound.filter(|bound| bound.name == name && bound.within.contains(&at));
        found.next().map(|bound| bound.entry)
    }

    /// The code of a node belongs to a router.
    pub(crate) fn enter(&mut self, node: Node<'t>, entry: u32) {
        self.around.push((node.end_byte(), Some(entry)));
    }

    /// The code of a node belongs to no router, whatever is around it.
    pub(crate) fn leave(&mut self, node: Node<'t>) {
        self.around.push((node.end_byte(), None));
    }

    /// The router that a place belongs to.
    pub(crate) fn around(&mut self, at: Node<'_>) -> Option<u32> {
        let at = at.start_byte();
        while self.around.last().is_some_and(|(end, _)| *end <= at) {
            self.around.pop();
        }
        self.around.last().and_then(|(_, entry)| *entry)
    }

    /// Remembers a text that a name stands for. Of a name that is given twice nothing is known.
    pub(crate) fn hold(&mut self, name: Node<'t>, value: Node<'t>) {
        let value = self.unwrapped(value);
        if !self.kinds.strings.contains(&value.kind_name()) {
            return;
        }
        let path = self.path(value);
        let name = self.text(name);
        let known = self.constants.contains_key(name);
        self.constants.insert(name, (!known).then_some(path));
    }

    /// Remembers the router that an expression makes.
    pub(crate) fn note_made(&mut self, maker: Node<'t>, router: u32) {
        let place = (maker.start_byte(), maker.end_byte());
        self.made.insert(place, router);
    }

    /// The router that an expression makes, if it was met before.
    pub(crate) fn made(&self, maker: Node<'t>) -> Option<u32> {
        let place = (maker.start_byte(), maker.end_byte());
        self.made.get(&place).copied()
    }

    /// Remembers methods that are said behind a call.
    pub(crate) fn note_methods(&mut self, call: Node<'t>, methods: Methods) {
        self.said.insert(call.end_byte(), methods);
    }

    /// The methods that are said behind a call.
    pub(crate) fn said_methods(&self, call: Node<'t>) -> Option<Methods> {
        self.said.get(&call.end_byte()).copied()
    }

    /// Puts a router that stands on nothing on another one, which was added after it.
    pub(crate) fn put_on(&mut self, router: u32, other: u32) {
        let is_free = self
            .entries
            .get(router as usize)
            .is_some_and(|entry| entry.on.is_none());
        if is_free && router < other {
            self.moved.push((router, other));
        }
    }

    /// The router that another one stands on.
    pub(crate) fn above(&self, router: u32) -> Option<u32> {
        self.entries.get(router as usize)?.on
    }

    /// An entry that was added.
    pub(crate) fn entry(&self, at: u32) -> Option<&Entry> {
        self.entries.get(at as usize)
    }

    /// Remembers the name of what a router is the resource of.
    pub(crate) fn note_resource(&mut self, router: u32, name: Range<u32>) {
        self.resources.insert(router, name);
    }

    /// The name of what a router is the resource of.
    pub(crate) fn resource(&self, router: u32) -> Option<Range<u32>> {
        self.resources.get(&router).cloned()
    }

    /// Remembers a list that a name stands for.
    pub(crate) fn note_list(&mut self, name: Node<'t>, list: Node<'t>) {
        self.lists.insert(self.text(name), list);
    }

    /// The list that a name stands for.
    pub(crate) fn list(&self, name: Node<'t>) -> Option<Node<'t>> {
        self.lists.get(self.text(name)).copied()
    }

    /// Whether a node is a string.
    pub(crate) fn is_string(&self, node: Node<'_>) -> bool {
        self.kinds.strings.contains(&node.kind_name())
    }

    /// Whether a node is a function that is a value.
    pub(crate) fn is_function(&self, node: Node<'_>) -> bool {
        self.kinds.functions.contains(&node.kind_name())
    }

    /// The bytes between the quotes of a string.
    pub(crate) fn within_quotes(&self, node: Node<'_>) -> Range<usize> {
        let text = self.text(node);
        let (start, end) = (node.start_byte(), node.end_byte());
        let is_prefix = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'@' | b'$' | b'#');
        let prefix = text.iter().take_while(|b| is_prefix(b)).count();
        let Some(quote) = text.get(prefix).filter(|b| b"\"'`".contains(b)) else {
            return start..end;
        };
        let quotes = text[prefix..].iter().take_while(|b| *b == quote).count();
        let wide = match quotes {
            3.. if text.len() >= prefix + 6 => 3,
            _ => 1,
        };
        let hashes = text.iter().rev().take_while(|b| **b == b'#').count();
        let (first, last) = (start + prefix + wide, end.saturating_sub(wide + hashes));
        first.min(last)..last
    }

    /// The text of a string.
    pub(crate) fn string(&self, node: Node<'_>) -> &'t [u8] {
        self.src.get(self.within_quotes(node)).unwrap_or(b"")
    }

    /// Through parentheses and the like.
    pub(crate) fn unwrapped(&self, node: Node<'t>) -> Node<'t> {
        let mut at = node;
        for _ in 0..MAX_STEPS {
            if !self.kinds.wrappers.contains(&at.kind_name()) {
                break;
            }
            let Some(inner) = at.named().find(|inner| !inner.is_extra()) else {
                break;
            };
            at = inner;
        }
        at
    }

    /// What an expression spells as a path.
    pub(crate) fn path(&self, node: Node<'t>) -> Vec<PathPart> {
        let mut parts = Vec::new();
        // What is still to be read, the next one last.
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            let node = self.unwrapped(node);
            if parts.len() + left.len() > MAX_ENTRY_PARTS {
                return vec![PathPart::bare(PartKind::Computed)];
            }
            if self.is_string(node) {
                self.pieces(node, &mut parts);
            } else if self.kinds.joins.contains(&node.kind_name()) && node.named_child_count() == 2
            {
                left.extend(node.named_child(1));
                left.extend(node.named_child(0));
            } else if let Some(Some(known)) = self.constants.get(self.text(node)) {
                parts.extend(known.iter().cloned());
            } else {
                computed(&mut parts);
            }
        }
        parts
    }

    /// The pieces of a string, which may have holes.
    fn pieces(&self, node: Node<'t>, parts: &mut Vec<PathPart>) {
        let range = self.within_quotes(node);
        if range.len() > MAX_PATH_BYTES {
            return computed(parts);
        }
        let mut start = range.start;
        let holes = node
            .named()
            .filter(|hole| self.kinds.holes.contains(&hole.kind_name()));
        for hole in holes.take(MAX_ENTRY_PARTS) {
            text_part(parts, start..hole.start_byte());
            computed(parts);
            start = hole.end_byte();
        }
        text_part(parts, start..range.end);
    }

    /// A call taken apart; `None` of what is none.
    pub(crate) fn call(&self, node: Node<'t>) -> Option<CallParts<'t>> {
        let calls = self.kinds.calls.iter();
        let (_, callee, arguments) = calls
            .into_iter()
            .find(|(kind, ..)| *kind == node.kind_name())?;
        let callee = self.unwrapped(node.field(callee)?);
        let (object, name) = self
            .member(callee)
            .map_or((None, callee), |(object, name)| (object, name));
        Some(CallParts {
            node,
            object,
            name,
            arguments: node.field(arguments),
        })
    }

    /// The object and the name of a member access.
    pub(crate) fn member(&self, node: Node<'t>) -> Option<(Option<Node<'t>>, Node<'t>)> {
        let mut members = self.kinds.members.iter();
        let (_, object, name) = members.find(|(kind, ..)| *kind == node.kind_name())?;
        Some((node.field(object), node.field(name)?))
    }

    /// What a handler that is handed over stands for.
    pub(crate) fn handler(&self, node: Node<'t>) -> Reached {
        let mut at = node;
        for _ in 0..MAX_STEPS {
            at = self.unwrapped(at);
            if self.is_function(at) {
                return Reached::Inline(line(at));
            }
            if self.kinds.names.contains(&at.kind_name()) {
                return place(at);
            }
            if let Some((_, name)) = self.member(at) {
                return place(name);
            }
            if let Some(call) = self.call(at) {
                if self.is(call.name, self.kinds.through)
                    && let Some(object) = call.object
                {
                    at = object;
                    continue;
                }
                let arguments = call.arguments.map(|list| list.content());
                let mut handed = arguments.into_iter().flatten().map(argument);
                match handed.rfind(|of| self.may_be_function(*of)) {
                    Some(handed) => at = handed,
                    None => return place(call.name),
                }
                continue;
            }
            if self.kinds.lists.contains(&at.kind_name())
                && let Some(last) = at.last_named()
            {
                at = last;
                continue;
            }
            break;
        }
        Reached::Nothing
    }

    /// Whether an argument may be a function: it is one, or named, or made by a call.
    pub(crate) fn may_be_function(&self, node: Node<'t>) -> bool {
        let node = self.unwrapped(node);
        self.is_function(node)
            || self.kinds.names.contains(&node.kind_name())
            || self.member(node).is_some()
            || self
                .kinds
                .calls
                .iter()
                .any(|(kind, ..)| *kind == node.kind_name())
    }

    /// The nearest node around that is of one of some kinds, or the outermost one.
    pub(crate) fn enclosing(&self, node: Node<'t>, kinds: &[&str]) -> Node<'t> {
        let mut at = node;
        while let Some(above) = at.parent() {
            at = above;
            if kinds.contains(&at.kind_name()) {
                break;
            }
        }
        at
    }

    /// The name of a symbol's line and column, to compare symbols by.
    pub(crate) fn symbols(&self) -> &'t [Symbol<LocalName>] {
        self.symbols
    }
}

/// An argument without the node around it that some grammars have.
pub(crate) fn argument(node: Node<'_>) -> Node<'_> {
    match node.kind_name() {
        "argument" | "value_argument" => node.last_named().unwrap_or(node),
        "keyword_argument" => node.field("value").unwrap_or(node),
        _ => node,
    }
}

fn computed(parts: &mut Vec<PathPart>) {
    parts.push(PathPart::bare(PartKind::Computed));
}

fn text_part(parts: &mut Vec<PathPart>, range: Range<usize>) {
    if !range.is_empty() {
        parts.push(PathPart {
            kind: PartKind::Text,
            range: range.start as u32..range.end as u32,
        });
    }
}

/// The line of a node, from 1.
pub(crate) fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

/// What the name means that a node is.
pub(crate) fn place(name: Node<'_>) -> Reached {
    let at = name.start_position();
    Reached::Place(at.row as u32 + 1, at.column as u32)
}
