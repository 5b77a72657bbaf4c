//! Haskell.

pub(crate) mod facts;
mod resolve;

use crate::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::syntax::flows::no_clue;
use crate::syntax::rows::{LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk};
use OccurrenceKind::{Call, Import, Inherit, Read, Type};
use Rule::{Is, Member, Object, Pass};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// Haskell.
pub(crate) static HASKELL: LangSpec = LangSpec {
    defs: &[],
    refine: |_, _, _, _| true,
    hooks: &[
        ("header", header),
        ("import", import),
        ("module", module),
        ("signature", signature),
        ("function", equation),
        ("bind", equation),
        ("data_type", type_definition),
        ("newtype", type_definition),
        ("type_synonym", type_definition),
        ("type_family", type_definition),
        ("data_family", type_definition),
        ("class", class),
        ("instance", instance),
        ("data_constructor", constructor),
        ("newtype_constructor", constructor),
        ("gadt_constructor", constructor),
        ("field_name", field_name),
    ],
    roles: &[
        ("apply", "function", Is(Call)),
        ("apply", "constructor", Is(Type)),
        ("header", "", Is(Import)),
        ("exports", "", Pass),
        ("export", "", Pass),
        ("module_export", "", Pass),
        ("children", "", Pass),
        ("import", "", Is(Import)),
        ("import_list", "", Pass),
        ("import_name", "", Pass),
        ("qualified", "module", Object),
        ("qualified", "id", Member),
        ("deriving", "", Is(Inherit)),
        ("instance", "name", Is(Inherit)),
        ("tuple", "", Pass),
        ("parens", "", Pass),
    ],
    identifiers: &[("variable", Read), ("constructor", Read), ("name", Type)],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment", "haddock"],
    strings: &[],
    clue: no_clue,
    finish,
};

/// `module A.B (exports) where`.
fn header<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let row = node.start_position().row;
    if let Some(name) = node.child_by_field_name("module") {
        walk.import(ImportKind::Package, row, walk.text(name), Vec::new());
    }
    let Some(exports) = node.child_by_field_name("exports") else {
        return Visit::Descend;
    };
    let mut bindings = Vec::new();
    let mut cursor = exports.walk();
    for export in exports.named_children(&mut cursor) {
        match export.kind() {
            "export" => {
                if let Some(name) = export.named_child(0) {
                    let name = bare(walk.text(name));
                    bindings.push(walk.binding(Some(name), Some(name)));
                }
            }
            "module_export" => {
                if let Some(name) = export.child_by_field_name("module") {
                    let name = walk.text(name);
                    let all = vec![walk.binding(None, None)];
                    let row = export.start_position().row;
                    walk.import(ImportKind::Reexport, row, name, all);
                }
            }
            _ => {}
        }
    }
    walk.import(ImportKind::Export, row, b"", bindings);
    Visit::Descend
}

/// An operator without its parentheses.
fn bare(name: &[u8]) -> &[u8] {
    let inner = name
        .strip_prefix(b"(")
        .and_then(|name| name.strip_suffix(b")"));
    inner.map_or(name, <[u8]>::trim_ascii)
}

/// `import qualified A.B as C (d, e)`, `import A hiding (b)`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(module) = node.child_by_field_name("module") else {
        return Visit::Descend;
    };
    let has = |word: &[u8]| {
        let mut words = walk
            .text(node)
            .split(|b| b.is_ascii_whitespace() || *b == b'(');
        words.any(|found| found == word)
    };
    let (qualified, hides) = (has(b"qualified"), has(b"hiding"));
    let alias = node.child_by_field_name("alias");
    let mut bindings = Vec::new();
    if qualified || alias.is_some() {
        let name = walk.text(alias.unwrap_or(module));
        bindings.push(walk.binding(None, Some(name)));
    }
    if !qualified {
        match node.child_by_field_name("names").filter(|_| !hides) {
            Some(list) => {
                let mut cursor = list.walk();
                for name in list.named_children(&mut cursor) {
                    if let Some(name) = name.named_child(0) {
                        let name = bare(walk.text(name));
                        bindings.push(walk.binding(Some(name), Some(name)));
                    }
                }
            }
            None => bindings.push(walk.binding(None, None)),
        }
    }
    let row = node.start_position().row;
    walk.import(ImportKind::Import, row, walk.text(module), bindings);
    Visit::Descend
}

/// `Data.Map` where a module is named or qualifies a name.
fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let own = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind() == "header");
    if own {
        return Visit::Skip;
    }
    let mut cursor = node.walk();
    for (i, part) in node.named_children(&mut cursor).enumerate() {
        let at = part.start_position();
        let qualifier = if i == 0 {
            Qualifier::None
        } else {
            Qualifier::Previous
        };
        walk.occurrence(walk.text(part), at.row, at.column, frame.role, qualifier);
    }
    walk.qualifies(node.end_byte());
    Visit::Skip
}

/// The name that a signature or an equation is for: a variable, or an operator.
fn named<'t>(node: Node<'t>) -> Option<Node<'t>> {
    if let Some(name) = node.child_by_field_name("name") {
        return match name.kind() {
            "prefix_id" => name.named_child(0),
            "variable" => Some(name),
            _ => None,
        };
    }
    // `a <+> b = ...`.
    let mut cursor = node.walk();
    let infix = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "infix")?;
    infix.child_by_field_name("operator")
}

/// A type signature begins its definition; the equations below belong to it.
fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = named(node) else {
        return Visit::Descend;
    };
    if frame.scope == Scope::Function {
        walk.def_names.insert(name.start_byte());
        return Visit::Descend;
    }
    let text = walk.text(node);
    let function = text.windows(2).any(|pair| pair == b"->")
        || text
            .split(u8::is_ascii_whitespace)
            .any(|word| word == b"IO");
    let kind = match (frame.scope, function) {
        (Scope::Class, _) => SymbolKind::Method,
        (_, true) => SymbolKind::Function,
        (_, false) => SymbolKind::Constant,
    };
    let mut draft = Draft::new(kind, name, node);
    if frame.scope == Scope::Class {
        draft.set(SymbolFlags::DECLARATION);
    }
    walk.record(&draft, frame);
    Visit::Descend
}

/// `f x = ...` and `x = ...`: one more clause of what is defined already, or a definition.
fn equation<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let parameters = node.kind() == "function";
    let Some(name) = named(node) else {
        return Visit::Descend;
    };
    // A binding of a `let` or `do` is local.
    if frame.scope == Scope::Function && !parameters {
        walk.def_names.insert(name.start_byte());
        return Visit::Descend;
    }
    let (id, _) = walk.names.intern(walk.text(name));
    let before = walk.symbols.iter().rposition(|symbol| {
        symbol.name == id
            && symbol.container == frame.symbol
            && matches!(
                symbol.kind,
                SymbolKind::Function | SymbolKind::Constant | SymbolKind::Method
            )
    });
    if let Some(index) = before {
        let symbol = &mut walk.symbols[index];
        let end = node.end_position();
        symbol.flags.0 &= !SymbolFlags::DECLARATION.0;
        if symbol.span.end as usize <= node.start_byte() {
            symbol.span.end = node.end_byte() as u32;
            symbol.end_line = end.row as u32 + 1;
            symbol.end_col = end.column as u32;
        }
        walk.def_names.insert(name.start_byte());
        frame.symbol = Some(index as u32);
        frame.scope = Scope::Function;
        return Visit::Descend;
    }
    let kind = match (frame.scope, parameters) {
        (Scope::Class, _) => SymbolKind::Method,
        (_, true) => SymbolKind::Function,
        (_, false) => SymbolKind::Constant,
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body = node
        .child_by_field_name("match")
        .map(|body| body.start_byte());
    walk.define(draft, frame);
    frame.scope = Scope::Function;
    Visit::Descend
}

fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(name) = node.child_by_field_name("name") else {
        return Visit::Descend;
    };
    let constructors = node.child_by_field_name("constructors");
    let kind = match node.kind() {
        "newtype" => SymbolKind::Struct,
        "data_type" if constructors.is_some_and(|list| list.named_child_count() > 1) => {
            SymbolKind::Enum
        }
        "data_type" => SymbolKind::Struct,
        _ => SymbolKind::Type,
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body = constructors
        .or(node.child_by_field_name("constructor"))
        .map(|body| body.start_byte());
    walk.define(draft, frame);
    Visit::Descend
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("name") {
        let mut draft = Draft::new(SymbolKind::Trait, name, node);
        draft.body = node
            .child_by_field_name("declarations")
            .map(|body| body.start_byte());
        walk.define(draft, frame);
        frame.scope = Scope::Class;
    }
    Visit::Descend
}

/// `instance Class Type`: named by the type.
fn instance<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let mut target = node.child_by_field_name("patterns");
    while let Some(inner) = target.filter(|node| node.kind() != "name") {
        target = inner
            .child_by_field_name("constructor")
            .or(inner.named_child(0));
    }
    if let Some(name) = target {
        let mut draft = Draft::new(SymbolKind::Impl, name, node);
        draft.body = node
            .child_by_field_name("declarations")
            .map(|body| body.start_byte());
        walk.define(draft, frame);
        // The type is used here, not defined.
        walk.def_names.remove(&name.start_byte());
    }
    frame.scope = Scope::Class;
    Visit::Descend
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let inner = node.child_by_field_name("constructor").unwrap_or(node);
    let name = inner
        .child_by_field_name("name")
        .or(inner.child_by_field_name("operator"));
    if let Some(name) = name {
        let draft = Draft::new(SymbolKind::Variant, name, node);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn field_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let declared = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "field");
    if let Some(field) = declared
        && frame.scope != Scope::Function
        && let Some(name) = node.named_child(0)
    {
        let draft = Draft::new(SymbolKind::Field, name, field);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// What the header lists is exported, or everything without a list; members go with their owner.
fn finish(walk: &mut Walk<'_>) {
    let mut exports = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export)
        .peekable();
    let listed = exports.peek().is_some();
    let names: FxHashSet<_> = exports
        .flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local))
        .collect();
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        let exported = match symbol.container.map(|outer| &walk.symbols[outer as usize]) {
            None => !listed || names.contains(&symbol.name) || symbol.kind == SymbolKind::Impl,
            // What is bound in a function is its own.
            Some(outer) => {
                outer.flags.contains(SymbolFlags::EXPORTED)
                    && !matches!(outer.kind, SymbolKind::Function | SymbolKind::Constant)
            }
        };
        if exported {
            walk.symbols[index].flags = walk.symbols[index].flags.with(SymbolFlags::EXPORTED);
        }
    }
}
