//! One pass over a syntax tree: definitions, every identifier, imports, comments.
//!
//! Guarantees: the tree is visited once, in source order, without recursion other than into the
//! trees of macro arguments, which nest a few deep (nesting is bounded by [`MAX_NESTING`]). How an identifier is used is decided on the way down: every node tells each
//! child, by field, how identifiers below it are used. Deliberately absent: scopes of local
//! variables and resolution of any name.

use super::base::{is_base, is_base_call};
use super::hints::{Hint, HintsDraft};
use super::intern::Interner;
use super::node::NodeExt;
use super::recover::Recovered;
use super::rows::{Class, Rule, Tables};
use super::symbols::{Doc, Draft};
use crate::id::LocalName;
use crate::limits::{MAX_NAME_BYTES, MAX_NESTING};
use crate::record::{Import, Occurrence, OccurrenceKind, Qualifier, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use tree_sitter::{Node, Tree};

/// What kind of code a node stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Top level of a file, namespace or module: bindings are symbols.
    Module,
    /// Directly inside a class-like symbol: bindings are members.
    Class,
    /// Inside a function: bindings are local.
    Function,
}

/// A node whose children are being visited.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'t> {
    pub(crate) node: Node<'t>,
    /// Use of identifiers below.
    pub(crate) role: OccurrenceKind,
    pub(crate) scope: Scope,
    /// Nearest enclosing symbol.
    pub(crate) symbol: Option<u32>,
    /// Whether members of this node are visible outside the file.
    pub(crate) exported: bool,
    /// Bytes of the object of a member access.
    pub(crate) object: (usize, usize),
    /// Whether what stands below is left out.
    pub(crate) skipped: bool,
}

impl Frame<'_> {
    /// Leaves out what stands below the node: the hook has recorded whatever there is.
    pub(crate) fn skip(&mut self) {
        self.skipped = true;
    }

    /// Whether what is defined here may be seen from other files, as far as what is around it goes.
    pub(crate) fn is_open(&self) -> bool {
        match self.scope {
            Scope::Module => true,
            Scope::Class => self.exported,
            Scope::Function => false,
        }
    }
}

/// A comment, for doc comments and for the text fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) start_row: usize,
    pub(crate) end_row: usize,
}

/// Trees of parts of a file that are read in place of what its own tree says there, by their first
/// byte.
pub(crate) type InnerTrees = FxHashMap<usize, Tree>;

/// The walk over one tree, and what it has found so far.
pub(crate) struct Walk<'t> {
    pub(crate) src: &'t [u8],
    pub(super) tables: &'t Tables,
    /// What to visit in place of the tokens of a macro's argument.
    items: &'t InnerTrees,
    /// What to visit where the tree has a gap, in order.
    pub(super) groups: Option<&'t Recovered>,
    /// How many parts of these were visited.
    pub(super) passed: usize,
    /// End of the part that is being visited; what its tree has behind it is read elsewhere.
    pub(super) until: usize,
    pub(crate) names: &'t mut Interner,
    pub(crate) symbols: Vec<Symbol<LocalName>>,
    /// First line of each symbol with its doc comment and decorators, 1-based.
    pub(crate) leads: Vec<u32>,
    pub(crate) occurrences: Vec<Occurrence<LocalName>>,
    pub(crate) imports: Vec<Import<LocalName>>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) hints: HintsDraft,
    /// Enclosing nodes, outermost first.
    pub(crate) stack: Vec<Frame<'t>>,
    /// Starts of expressions whose meaning the code around them has already recorded.
    claimed: Vec<usize>,
    /// Attributes that stand before the next item (Rust).
    pub(crate) attributes: Option<Attributes>,
    /// Starts of identifiers that are names of definitions and not yet passed.
    pub(crate) def_names: FxHashSet<usize>,
    /// First symbol of each name that members may be declared for elsewhere.
    pub(crate) owners: FxHashMap<LocalName, u32>,
    /// Names bound so far, by container, where a language allows to bind again (Python).
    pub(crate) bound: FxHashSet<(Option<u32>, LocalName)>,
    /// Functions that say of what type the object itself is in them, by where they begin.
    pub(crate) typed_this: Vec<(usize, Hint)>,
    /// Functions in which a name of the object itself is bound to something else (Python), by symbol and name: where that
    /// name stands, and from where on it means that.
    pub(crate) rebound: FxHashMap<(u32, LocalName), (usize, usize)>,
    /// What variables of a class were given first whose accessors come later (Ruby), by class and name.
    pub(crate) awaited: FxHashMap<(Option<u32>, LocalName), Hint>,
    /// Members of what is expected where they stand, of which the code around them has said that: where they begin, and
    /// how they are used.
    pub(crate) implied: FxHashMap<usize, OccurrenceKind>,
    /// What stands above the definition before, by its row and the number of comments so far.
    pub(crate) last_doc: Option<((usize, usize), Doc)>,
    last_end: usize,
    /// End of the last expression that stands for the object itself.
    pub(crate) this_end: usize,
}

/// A run of attributes above an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes {
    pub(crate) start_row: usize,
    pub(crate) end_row: usize,
    pub(crate) test: bool,
    pub(crate) deprecated: bool,
    pub(crate) exported: bool,
}

/// The tree is nested deeper than [`MAX_NESTING`].
#[derive(Debug)]
pub(crate) struct TooDeep;

impl<'t> Walk<'t> {
    pub(crate) fn new(
        src: &'t [u8],
        tables: &'t Tables,
        items: &'t InnerTrees,
        names: &'t mut Interner,
    ) -> Self {
        Self {
            src,
            tables,
            items,
            groups: None,
            passed: 0,
            until: usize::MAX,
            names,
            symbols: Vec::new(),
            leads: Vec::new(),
            occurrences: Vec::with_capacity(src.len() / 24),
            imports: Vec::new(),
            comments: Vec::new(),
            hints: HintsDraft::default(),
            stack: Vec::with_capacity(64),
            claimed: Vec::new(),
            attributes: None,
            def_names: FxHashSet::default(),
            owners: FxHashMap::default(),
            bound: FxHashSet::default(),
            typed_this: Vec::new(),
            rebound: FxHashMap::default(),
            awaited: FxHashMap::default(),
            implied: FxHashMap::default(),
            last_doc: None,
            last_end: usize::MAX,
            this_end: usize::MAX,
        }
    }

    /// Visits the whole tree.
    pub(crate) fn run(&mut self, tree: &'t Tree) -> Result<(), TooDeep> {
        self.stack.push(Frame {
            node: tree.root_node(),
            role: OccurrenceKind::Read,
            scope: Scope::Module,
            symbol: None,
            exported: false,
            object: (0, 0),
            skipped: false,
        });
        self.visit(tree.root_node(), None)?;
        self.visit_parts(usize::MAX)?;
        (self.tables.spec.finish)(self);
        Ok(())
    }

    /// Visits the tree of one part of the document, which may be in another language than the part
    /// before.
    pub(crate) fn run_part(&mut self, tree: &'t Tree, tables: &'t Tables) -> Result<(), TooDeep> {
        self.tables = tables;
        self.stack.clear();
        self.claimed.clear();
        self.attributes = None;
        self.run(tree)
    }

    /// Visits what stands below `root`, whose frame is on the stack; only what begins in `within`, if that is
    /// given.
    pub(super) fn visit(
        &mut self,
        root: Node<'t>,
        within: Option<&Range<usize>>,
    ) -> Result<(), TooDeep> {
        let tables = self.tables;
        let base = self.stack.len();
        let above = self.stack.last().map_or(root, |frame| frame.node);
        let mut parent = tables.kind(above.kind_id());
        let mut cursor = root.walk();
        if !cursor.goto_first_child() {
            return Ok(());
        }
        loop {
            let node = cursor.node();
            let entry = tables.kind(node.kind_id());
            let is_left_out = match within {
                Some(within) => {
                    let start = node.start_byte();
                    start >= self.until || self.stack.len() == base && !within.contains(&start)
                }
                None => {
                    self.visit_parts(node.start_byte())?;
                    self.is_passed(node)
                }
            };
            if is_left_out {
                // Read elsewhere.
            } else if entry.class != Class::Token {
                let rule = if parent.rules.0 == parent.rules.1 {
                    parent.other
                } else {
                    tables.rule(parent, cursor.field_id().map_or(0, |id| id.get()))
                };
                let rule = self.placed(node, rule);
                if let Some(items) = self.items_in(node) {
                    let root = items.root_node();
                    let frame = self.child_frame(root, Rule::Is(OccurrenceKind::Read));
                    self.stack.push(frame);
                    self.visit(root, Some(&(0..usize::MAX)))?;
                    self.stack.pop();
                } else if self.enter(node, entry, rule) {
                    if cursor.goto_first_child() {
                        if self.stack.len() > MAX_NESTING {
                            return Err(TooDeep);
                        }
                        parent = entry;
                        continue;
                    }
                    self.stack.pop();
                }
            } else if tables.is_error(parent) {
                self.loose_brace(node);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() || self.stack.len() <= base {
                    return Ok(());
                }
                self.stack.pop();
                let above = self.stack.last().map_or(root, |frame| frame.node);
                parent = tables.kind(above.kind_id());
            }
        }
    }

    /// What a rule that goes by position means for `node`.
    fn placed(&self, node: Node<'t>, rule: Rule) -> Rule {
        match rule {
            Rule::Chain => {
                let mut next = node.next_named_sibling();
                while let Some(sibling) = next {
                    if let Class::Identifier(_) = self.tables.kind(sibling.kind_id()).class {
                        return Rule::Object;
                    }
                    next = sibling.next_named_sibling();
                }
                Rule::Member
            }
            Rule::First | Rule::FirstOr(_) => {
                let mut before = node.prev_named_sibling();
                while let Some(sibling) = before.filter(|sibling| is_lead(sibling.kind_name())) {
                    before = sibling.prev_named_sibling();
                }
                match (before, rule) {
                    (None, _) => Rule::Pass,
                    (Some(_), Rule::FirstOr(kind)) => Rule::Is(kind),
                    (Some(_), _) => Rule::Is(OccurrenceKind::Read),
                }
            }
            Rule::Ends => match (node.prev_named_sibling(), node.next_named_sibling()) {
                (Some(_), Some(_)) => Rule::Is(OccurrenceKind::Read),
                _ => Rule::Pass,
            },
            Rule::Bound => match self.tables.kind(node.kind_id()).class {
                Class::Identifier(_) => {
                    let first = self.text(node).first();
                    Rule::Is(match first.is_some_and(u8::is_ascii_uppercase) {
                        true => OccurrenceKind::Read,
                        false => OccurrenceKind::Write,
                    })
                }
                _ => Rule::Is(OccurrenceKind::Read),
            },
            Rule::Infix => match (node.prev_named_sibling(), node.next_named_sibling()) {
                (None, _) => Rule::Object,
                (Some(_), Some(_)) => Rule::MemberIs(OccurrenceKind::Call),
                (Some(_), None) => Rule::Is(OccurrenceKind::Read),
            },
            _ => rule,
        }
    }

    /// Follows the braces of an error, which has those of a function or class that does not end: what
    /// comes after `) {` is local, what comes after `class A {` is a member.
    fn loose_brace(&mut self, node: Node<'t>) {
        let (scope, symbol) = self
            .ancestor(1)
            .map_or((Scope::Module, None), |above| (above.scope, above.symbol));
        let before = self.src.get(..node.start_byte()).unwrap_or(b"");
        let open = self.text(node) == b"{";
        if open && self.open_class(node) {
            return;
        }
        let Some(error) = self.stack.last_mut() else {
            return;
        };
        if open && before.trim_ascii_end().ends_with(b")") {
            error.scope = Scope::Function;
        } else if self.src.get(node.byte_range()) == Some(b"}") {
            if error.scope == Scope::Function && error.symbol != symbol {
                error.scope = Scope::Class;
            } else {
                (error.scope, error.symbol) = (scope, symbol);
            }
        }
    }

    /// Returns the tree of a macro's argument that is items.
    fn items_in(&self, node: Node<'t>) -> Option<&'t Tree> {
        if self.items.is_empty() {
            return None;
        }
        let items = self.items.get(&node.start_byte())?;
        (node.kind_name() == "token_tree").then_some(items)
    }

    pub(super) fn child_frame(&self, node: Node<'t>, rule: Rule) -> Frame<'t> {
        let above = self.stack[self.stack.len() - 1];
        let role = match rule {
            Rule::Is(kind) => kind,
            Rule::Pass
            | Rule::Member
            | Rule::Chain
            | Rule::First
            | Rule::FirstOr(_)
            | Rule::Ends
            | Rule::Infix
            | Rule::Bound => above.role,
            Rule::Arg => match above.role {
                OccurrenceKind::Type | OccurrenceKind::Inherit => OccurrenceKind::Type,
                _ => OccurrenceKind::Read,
            },
            Rule::Object if above.role == OccurrenceKind::Import => OccurrenceKind::Import,
            Rule::Object => OccurrenceKind::Read,
            Rule::MemberIs(kind) => kind,
            Rule::Capital(kind) => {
                let text = self.text(node);
                let component =
                    text.first().is_some_and(u8::is_ascii_uppercase) || text.contains(&b'.');
                if component {
                    kind
                } else {
                    OccurrenceKind::Read
                }
            }
            Rule::Pattern => {
                let capital = || self.text(node).first().is_some_and(u8::is_ascii_uppercase);
                let constant = match node.child_count() {
                    0 => capital(),
                    _ => node.kind_name() == "scoped_identifier",
                };
                if constant {
                    OccurrenceKind::Read
                } else {
                    above.role
                }
            }
            Rule::Loose => {
                let after = self.src.get(node.end_byte()..).unwrap_or(b"");
                match after {
                    [b'!', b'(' | b'[' | b'{', ..] => OccurrenceKind::Expand,
                    [b'(', ..] => OccurrenceKind::Call,
                    _ => OccurrenceKind::Read,
                }
            }
        };
        // `a::b<T>`: the name is one level further down.
        let object = if rule == Rule::Member {
            above.object
        } else {
            (0, 0)
        };
        Frame {
            node,
            role,
            object,
            ..above
        }
    }

    /// Records a node; when it is to be descended into, its frame is on the stack.
    fn enter(&mut self, node: Node<'t>, entry: &super::rows::KindEntry, rule: Rule) -> bool {
        let mut outer = (0, 0);
        if rule == Rule::Object
            && let Some(above) = self.stack.last_mut()
        {
            // In `a::(b::c)` the object `b` is itself qualified by `a`.
            outer = std::mem::replace(&mut above.object, (node.start_byte(), node.end_byte()));
        }
        match entry.class {
            Class::Identifier(default) => {
                let mut frame = self.child_frame(node, rule);
                if let Some(hook) = entry.hook {
                    hook(self, node, &mut frame);
                }
                let role = if frame.role == OccurrenceKind::Read {
                    default
                } else {
                    frame.role
                };
                let object = match rule {
                    Rule::Member | Rule::MemberIs(_) => self.stack.last().map(|above| above.object),
                    Rule::Object => Some(outer),
                    Rule::Loose => self.loose_object(node.start_byte()),
                    _ => None,
                };
                let object = object.filter(|(_, end)| *end > 0);
                self.identifier(node, role, object);
                false
            }
            Class::This => {
                if let Some(hook) = entry.hook {
                    let mut frame = self.child_frame(node, rule);
                    hook(self, node, &mut frame);
                }
                self.this_end = node.end_byte();
                false
            }
            Class::Comment => {
                self.comment(node);
                false
            }
            Class::String => {
                let mut frame = self.child_frame(node, rule);
                if let Some(hook) = entry.hook {
                    hook(self, node, &mut frame);
                }
                let interpolated = self.string(node, frame.role);
                if interpolated {
                    self.stack.push(frame);
                }
                interpolated
            }
            Class::Plain | Class::Token => {
                let mut frame = self.child_frame(node, rule);
                if let Some(row) = entry.def {
                    self.define_row(node, row, &mut frame);
                }
                if let Some(hook) = entry.hook {
                    hook(self, node, &mut frame);
                }
                if !frame.skipped {
                    self.stack.push(frame);
                }
                !frame.skipped
            }
        }
    }

    fn define_row(&mut self, node: Node<'t>, row: &super::rows::DefRow, frame: &mut Frame<'t>) {
        let Some(name) = node.field(row.name) else {
            return;
        };
        let mut draft = Draft::new(row.kind, name, node);
        draft.body = node.field(row.body).map(|body| body.start_byte());
        (self.tables.spec.refine)(self, node, frame, &mut draft);
        if !draft.rejected {
            self.define(draft, frame);
        }
    }

    fn identifier(&mut self, node: Node<'t>, kind: OccurrenceKind, object: Option<(usize, usize)>) {
        let start = node.start_byte();
        if self.def_names.remove(&start) {
            self.last_end = usize::MAX;
            return;
        }
        let end = node.end_byte();
        let Some(name) = self.src.get(start..end) else {
            return;
        };
        let spec = self.tables.spec;
        if spec.this_names.contains(&name) && (spec.means_this)(self, node) {
            self.this_end = end;
            return;
        }
        if !self.implied.is_empty()
            && let Some(kind) = self.implied.remove(&start)
        {
            self.occurrence_at(node, kind, Qualifier::Expression);
            self.last_end = end;
            return;
        }
        let qualifier = match object {
            None => Qualifier::None,
            Some((_, object_end)) if object_end == self.last_end => Qualifier::Previous,
            Some((_, object_end)) if object_end == self.this_end => Qualifier::This,
            Some((start, end)) if self.is_base(start, end, is_base_call) => Qualifier::This,
            Some(_) => Qualifier::Expression,
        };
        let point = node.start_position();
        if qualifier == Qualifier::Expression
            && let Some((start, end)) = object
            && let Some(access) = self.access(start)
            && let Some(object) = access.descendant_for_byte_range(start, end)
            && let Some(hint) = (self.tables.spec.hint)(self, object)
        {
            self.receiver(point, hint);
        }
        if qualifier == Qualifier::This
            && let Some((start, end)) = object
            && (!self.typed_this.is_empty() || self.is_labelled_this(start))
            && let Some(access) = self.stack.last().map(|above| above.node)
            && let Some(object) = access.descendant_for_byte_range(start, end)
            && let Some(hint) = (self.tables.spec.hint)(self, object)
            && hint != Hint::THIS
        {
            self.receiver(point, hint);
        }
        if qualifier == Qualifier::This
            && let Some((start, end)) = object
            && self.is_base(start, end, is_base)
        {
            self.receiver(point, Hint::SUPER);
        }
        self.occurrence(name, point.row, point.column, kind, qualifier);
        self.last_end = end;
    }

    fn is_base(&self, start: usize, end: usize, is: fn(&[u8], &[&[u8]]) -> bool) -> bool {
        let object = self.src.get(start..end);
        object.is_some_and(|object| is(object, self.tables.spec.this_names))
    }

    /// The innermost node around that holds the object which begins at a byte: `?.b` of C# is a node of its own.
    fn access(&self, object: usize) -> Option<Node<'t>> {
        let mut around = self.stack.iter().rev().map(|above| above.node);
        around.find(|node| node.start_byte() <= object)
    }

    /// What stands before `.name` or `::name` in a token stream: the last byte of it.
    fn loose_object(&self, start: usize) -> Option<(usize, usize)> {
        let before = self.src.get(..start)?;
        let dotted = before
            .strip_suffix(b".")
            .or_else(|| before.strip_suffix(b"::"))?;
        let end = dotted.len();
        (!dotted.ends_with(b".")).then_some((end.saturating_sub(1), end))
    }

    /// Notes that the occurrence just recorded ends at `end`, and so qualifies a member after it.
    pub(crate) fn qualifies(&mut self, end: usize) {
        self.last_end = end;
    }

    /// How a member is qualified by an object that ends at `end`.
    pub(crate) fn before(&self, end: usize) -> Qualifier {
        match end {
            end if end == self.last_end => Qualifier::Previous,
            end if end == self.this_end => Qualifier::This,
            _ => Qualifier::Expression,
        }
    }

    /// Notes that the expression at `start` is accounted for.
    pub(crate) fn claim(&mut self, start: usize) {
        self.claimed.push(start);
    }

    /// Whether the expression at `start` is accounted for; asking ends the claim.
    pub(crate) fn take_claim(&mut self, start: usize) -> bool {
        self.claimed.retain(|at| *at >= start);
        match self.claimed.iter().position(|at| *at == start) {
            Some(at) => {
                self.claimed.swap_remove(at);
                true
            }
            None => false,
        }
    }

    /// Records a comment. A grammar may count the line break as part of it; we do not.
    pub(crate) fn comment(&mut self, node: Node<'t>) {
        let (start, end) = (node.start_byte(), node.end_byte().min(self.until));
        let text = self.src.get(start..end).unwrap_or(b"").trim_ascii_end();
        let rows = text.iter().filter(|b| **b == b'\n').count();
        let start_row = node.start_position().row;
        self.comments.push(Comment {
            start: start as u32,
            end: (start + text.len()) as u32,
            start_row,
            end_row: start_row + rows,
        });
    }

    /// Records a string that is a name and nothing else; says whether it holds code to descend to.
    fn string(&mut self, node: Node<'t>, role: OccurrenceKind) -> bool {
        let (start, end) = (node.start_byte(), node.end_byte());
        let Some(text) = self.src.get(start..end) else {
            return false;
        };
        let prefix = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        if prefix > 0
            && text[..prefix]
                .iter()
                .any(|b| matches!(b, b'f' | b'F' | b't' | b'T'))
        {
            return true;
        }
        let content = string_content(text);
        if role != OccurrenceKind::Import && is_name(content) {
            let point = node.start_position();
            let offset = content.as_ptr() as usize - text.as_ptr() as usize;
            if self.def_names.remove(&(start + offset)) {
                return false;
            }
            let kind = if role == OccurrenceKind::Type {
                role
            } else {
                OccurrenceKind::Mention
            };
            self.occurrence(
                content,
                point.row,
                point.column + offset,
                kind,
                Qualifier::None,
            );
        }
        false
    }

    /// Returns the bytes of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'t [u8] {
        self.src.get(node.byte_range()).unwrap_or(b"")
    }

    /// Returns the bytes of a node that may be missing; then there are none.
    pub(crate) fn text_of(&self, node: Option<Node<'_>>) -> &'t [u8] {
        node.map_or(b"", |node| self.text(node))
    }
}

/// Whether a node of this kind stands in front of what it belongs to.
fn is_lead(kind: &str) -> bool {
    kind.ends_with("modifiers") || kind.ends_with("annotation")
}

/// Returns what stands between the quotes of a string literal, prefix letters dropped.
pub(crate) fn string_content(text: &[u8]) -> &[u8] {
    let prefix = text.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let Some(quote) = text.get(prefix).copied().filter(|b| b"\"'`".contains(b)) else {
        return b"";
    };
    let body = &text[prefix..];
    let wide = if body.len() >= 6 && body[1] == quote && body[2] == quote {
        3
    } else {
        1
    };
    body.get(wide..body.len().saturating_sub(wide))
        .unwrap_or(b"")
}

/// Whether bytes could be an identifier: at least two letters, digits or `_`, no digit first.
pub(crate) fn is_name(bytes: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'$' || *b >= 0x80;
    (2..=MAX_NAME_BYTES).contains(&bytes.len())
        && !bytes[0].is_ascii_digit()
        && bytes.iter().all(word)
}
