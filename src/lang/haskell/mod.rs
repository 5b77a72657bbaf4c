//! Haskell.

pub(crate) mod facts;
mod foreign;
mod resolve;

use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;

/// Haskell.
pub(crate) static HASKELL: LangSpec = LangSpec {
    hooks: hooks! {
        header => "header",
        import => "import",
        module => "module",
        signature => "signature",
        equation => "function bind",
        type_definition => "data_type newtype type_synonym type_family data_family",
        class => "class",
        instance => "instance",
        constructor => "data_constructor newtype_constructor gadt_constructor",
        field_name => "field_name",
    },
    roles: roles! {
        Is(Call) => "apply.function",
        Is(Type) => "apply.constructor",
        Is(Import) => "header import",
        Pass => "exports export module_export children import_list import_name tuple parens",
        Object => "qualified.module",
        Member => "qualified.id",
        Is(Inherit) => "deriving instance.name",
    },
    identifiers: &[("variable", Read), ("constructor", Read), ("name", Type)],
    comments: &["comment", "haddock"],
    finish,
    ..LangSpec::new()
};

/// `module A.B (exports) where`.
fn header<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("module") {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    let Some(exports) = node.field("exports") else {
        return;
    };
    let mut bindings = Vec::new();
    for export in exports.named() {
        match export.kind_name() {
            "export" => {
                if let Some(name) = export.named_child(0) {
                    let name = bare(walk.text(name));
                    bindings.push(walk.binding(Some(name), Some(name)));
                }
            }
            "module_export" => {
                if let Some(name) = export.field("module") {
                    let name = walk.text(name);
                    let all = vec![walk.binding(None, None)];
                    walk.import(ImportKind::Reexport, export, name, all);
                }
            }
            _ => {}
        }
    }
    walk.import(ImportKind::Export, node, b"", bindings);
}

/// An operator without its parentheses.
fn bare(name: &[u8]) -> &[u8] {
    let inner = name
        .strip_prefix(b"(")
        .and_then(|name| name.strip_suffix(b")"));
    inner.map_or(name, <[u8]>::trim_ascii)
}

/// `import qualified A.B as C (d, e)`, `import A hiding (b)`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(module) = node.field("module") else {
        return;
    };
    let has = |word: &[u8]| {
        let mut words = walk
            .text(node)
            .split(|b| b.is_ascii_whitespace() || *b == b'(');
        words.any(|found| found == word)
    };
    let (qualified, hides) = (has(b"qualified"), has(b"hiding"));
    let alias = node.field("alias");
    let mut bindings = Vec::new();
    if qualified || alias.is_some() {
        let name = walk.text(alias.unwrap_or(module));
        bindings.push(walk.binding(None, Some(name)));
    }
    if !qualified {
        match node.field("names").filter(|_| !hides) {
            Some(list) => {
                for name in list.named() {
                    if let Some(name) = name.named_child(0) {
                        let name = bare(walk.text(name));
                        bindings.push(walk.binding(Some(name), Some(name)));
                    }
                }
            }
            None => bindings.push(walk.binding(None, None)),
        }
    }
    walk.import(ImportKind::Import, node, walk.text(module), bindings);
}

/// `Data.Map` where a module is named or qualifies a name.
fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let own = walk.kind_above(0) == "header";
    if own {
        return frame.skip();
    }
    for (i, part) in node.named().enumerate() {
        let at = part.start_position();
        let qualifier = if i == 0 {
            Qualifier::None
        } else {
            Qualifier::Previous
        };
        walk.occurrence(walk.text(part), at.row, at.column, frame.role, qualifier);
    }
    walk.qualifies(node.end_byte());
    frame.skip();
}

/// The name that a signature or an equation is for: a variable, or an operator.
fn named<'t>(node: Node<'t>) -> Option<Node<'t>> {
    if let Some(name) = node.field("name") {
        return match name.kind_name() {
            "prefix_id" => name.named_child(0),
            "variable" => Some(name),
            _ => None,
        };
    }
    // `a <+> b = ...`.
    let infix = node.named_of("infix")?;
    infix.field("operator")
}

/// A type signature begins its definition; the equations below belong to it.
fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = named(node) else { return };
    if frame.scope == Scope::Function {
        walk.pass_over(name);
        return;
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
    draft.set_if(SymbolFlags::DECLARATION, frame.scope == Scope::Class);
    walk.record(&draft, frame);
}

/// `f x = ...` and `x = ...`: one more clause of what is defined already, or a definition.
fn equation<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parameters = node.kind_name() == "function";
    let Some(name) = named(node) else { return };
    // A binding of a `let` or `do` is local.
    if frame.scope == Scope::Function && !parameters {
        walk.pass_over(name);
        return;
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
        walk.pass_over(name);
        frame.symbol = Some(index as u32);
        frame.scope = Scope::Function;
        return;
    }
    let kind = match (frame.scope, parameters) {
        (Scope::Class, _) => SymbolKind::Method,
        (_, true) => SymbolKind::Function,
        (_, false) => SymbolKind::Constant,
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body_at(node.field("match"));
    walk.define(draft, frame);
    frame.scope = Scope::Function;
}

fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let constructors = node.field("constructors");
    let kind = match node.kind_name() {
        "newtype" => SymbolKind::Struct,
        "data_type" if constructors.is_some_and(|list| list.named_child_count() > 1) => {
            SymbolKind::Enum
        }
        "data_type" => SymbolKind::Struct,
        _ => SymbolKind::Type,
    };
    let mut draft = Draft::new(kind, name, node);
    draft.body_at(constructors.or(node.field("constructor")));
    walk.define(draft, frame);
}

fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let mut draft = Draft::new(SymbolKind::Trait, name, node);
        draft.body_at(node.field("declarations"));
        walk.define(draft, frame);
        frame.scope = Scope::Class;
    }
}

/// `instance Class Type`: named by the type.
fn instance<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut target = node.field("patterns");
    while let Some(inner) = target.filter(|node| node.kind_name() != "name") {
        target = inner.field("constructor").or(inner.named_child(0));
    }
    if let Some(name) = target {
        let mut draft = Draft::new(SymbolKind::Impl, name, node);
        draft.body_at(node.field("declarations"));
        walk.define(draft, frame);
        // The type is used here, not defined.
        walk.def_names.remove(&name.start_byte());
    }
    frame.scope = Scope::Class;
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let inner = node.field("constructor").unwrap_or(node);
    let name = inner.field("name").or(inner.field("operator"));
    if let Some(name) = name {
        let draft = Draft::new(SymbolKind::Variant, name, node);
        walk.record(&draft, frame);
    }
}

fn field_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let declared = walk.above(0).filter(|above| above.kind_name() == "field");
    if let Some(field) = declared
        && frame.scope != Scope::Function
        && let Some(name) = node.named_child(0)
    {
        let draft = Draft::new(SymbolKind::Field, name, field);
        walk.record(&draft, frame);
    }
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
