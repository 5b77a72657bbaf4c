//! Python.

use super::{DefRow, LangSpec, Rule, Visit};
use crate::extract::flows::no_clue;
use crate::extract::record::{ImportKind, OccurrenceKind, SymbolFlags, SymbolKind};
use crate::extract::symbols::Draft;
use crate::extract::walk::{Comment, Frame, Scope, Walk, string_content};
use crate::id::LocalName;
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Arg, Is, Member, Object, Pass};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// Python 3 (and what the grammar still takes of Python 2).
pub(crate) static PYTHON: LangSpec = LangSpec {
    defs: &[
        DefRow {
            node: "function_definition",
            kind: SymbolKind::Function,
            name: "name",
            body: "body",
        },
        DefRow {
            node: "class_definition",
            kind: SymbolKind::Class,
            name: "name",
            body: "body",
        },
    ],
    refine,
    hooks: &[
        ("import_statement", import_statement),
        ("import_from_statement", import_from),
        ("future_import_statement", import_from),
        ("assignment", assignment),
        ("type_alias_statement", type_alias),
        ("expression_statement", expression_statement),
        ("lambda", lambda),
        ("string", string),
    ],
    roles: &[
        ("call", "function", Is(Call)),
        ("attribute", "object", Object),
        ("attribute", "attribute", Member),
        ("argument_list", "", Pass),
        ("class_definition", "superclasses", Is(Inherit)),
        ("call", "arguments", Is(Read)),
        ("keyword_argument", "name", Is(Write)),
        ("keyword_argument", "value", Is(Read)),
        ("decorator", "", Is(Call)),
        ("subscript", "value", Pass),
        ("subscript", "subscript", Arg),
        ("parenthesized_expression", "", Pass),
        ("assignment", "left", Is(Write)),
        ("assignment", "type", Is(Type)),
        ("augmented_assignment", "left", Is(Write)),
        ("named_expression", "name", Is(Write)),
        ("for_statement", "left", Is(Write)),
        ("for_in_clause", "left", Is(Write)),
        ("as_pattern_target", "", Is(Write)),
        ("pattern_list", "", Pass),
        ("tuple_pattern", "", Pass),
        ("list_pattern", "", Pass),
        ("list_splat_pattern", "", Pass),
        ("dictionary_splat_pattern", "", Pass),
        ("parameters", "", Is(Write)),
        ("lambda_parameters", "", Is(Write)),
        ("default_parameter", "name", Is(Write)),
        ("typed_parameter", "", Is(Write)),
        ("typed_parameter", "type", Is(Type)),
        ("typed_default_parameter", "name", Is(Write)),
        ("typed_default_parameter", "type", Is(Type)),
        ("function_definition", "return_type", Is(Type)),
        ("type", "", Pass),
        ("generic_type", "", Pass),
        ("type_parameter", "", Is(Type)),
        ("union_type", "", Is(Type)),
        ("member_type", "", Is(Type)),
        ("constrained_type", "", Is(Type)),
        ("binary_operator", "", Arg),
        ("list", "", Arg),
        ("tuple", "", Arg),
        ("type_alias_statement", "right", Is(Type)),
        ("import_statement", "", Is(Import)),
        ("import_from_statement", "", Is(Import)),
        ("future_import_statement", "", Is(Import)),
        ("aliased_import", "", Pass),
        ("relative_import", "", Pass),
        ("dotted_name", "", Pass),
        ("case_pattern", "", Pass),
        ("class_pattern", "", Is(Call)),
    ],
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[b"self", b"cls"],
    comments: &["comment"],
    strings: &["string"],
    clue: no_clue,
    finish,
};

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if frame.scope == Scope::Class && draft.kind == SymbolKind::Function {
        draft.kind = if name == b"__init__" {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
    }
    let in_class = frame.scope == Scope::Class;
    if !is_private(name) && (frame.exported || (frame.scope == Scope::Module && !in_class)) {
        draft.set(SymbolFlags::EXPORTED);
    }
    let test = match draft.kind {
        SymbolKind::Class => name.starts_with(b"Test") || inherits_test_case(walk, node),
        _ => name.starts_with(b"test_") || name == b"test",
    };
    if test {
        draft.set(SymbolFlags::TEST);
    }
    if let Some(above) = walk
        .ancestor(0)
        .filter(|above| above.node.kind() == "decorated_definition")
    {
        draft.decorated(above.node);
        let decorators = walk
            .src
            .get(above.node.start_byte()..draft.start)
            .unwrap_or(b"");
        for decorator in decorators.split(|b| *b == b'@') {
            let name: Vec<u8> = decorator
                .iter()
                .copied()
                .take_while(|b| is_path_byte(*b))
                .collect();
            if name.ends_with(b"deprecated") {
                draft.set(SymbolFlags::DEPRECATED);
            }
            if name.ends_with(b"overload") || name.ends_with(b"abstractmethod") {
                draft.set(SymbolFlags::DECLARATION);
            }
        }
    }
    if let Some(doc) = node.child_by_field_name("body").and_then(docstring) {
        draft.doc = Some(doc.byte_range());
    }
    true
}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

fn inherits_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    let Some(bases) = class.child_by_field_name("superclasses") else {
        return false;
    };
    walk.src
        .get(bases.byte_range())
        .unwrap_or(b"")
        .windows(8)
        .any(|window| window == b"TestCase")
}

/// A leading underscore means private; names like `__init__` are the language's own.
fn is_private(name: &[u8]) -> bool {
    name.starts_with(b"_") && !(name.starts_with(b"__") && name.ends_with(b"__"))
}

/// The string a block begins with.
fn docstring(body: Node<'_>) -> Option<Node<'_>> {
    let first = body
        .named_child(0)
        .filter(|node| node.kind() == "expression_statement")?;
    first
        .named_child(0)
        .filter(|node| matches!(node.kind(), "string" | "concatenated_string"))
}

/// A string that is a statement of its own is documentation, wherever it stands.
fn expression_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    match node.named_child(0) {
        Some(string) if string.kind() == "string" && node.named_child_count() == 1 => {
            push_doc(walk, string);
            Visit::Skip
        }
        _ => Visit::Descend,
    }
}

/// Text in triple quotes that runs over lines is written for people.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let text = walk.text(node);
    if text.ends_with(b"\"\"\"") && text.contains(&b'\n') {
        push_doc(walk, node);
    }
    Visit::Descend
}

fn push_doc(walk: &mut Walk<'_>, string: Node<'_>) {
    walk.comments.push(Comment {
        start: string.start_byte() as u32,
        end: string.end_byte() as u32,
        start_row: string.start_position().row,
        // Never the comment above a definition: a docstring documents what it is in.
        end_row: usize::MAX - 2,
    });
}

fn lambda<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// Module-level bindings and class attributes.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        return Visit::Descend;
    }
    let Some(left) = node.child_by_field_name("left") else {
        return Visit::Descend;
    };
    let names = match left.kind() {
        "identifier" => vec![left],
        "pattern_list" | "tuple_pattern" => {
            let mut cursor = left.walk();
            left.named_children(&mut cursor)
                .filter(|node| node.kind() == "identifier")
                .collect()
        }
        _ => return Visit::Descend,
    };
    for name in names {
        let text = walk.text(name);
        if text == b"__all__" {
            all_names(walk, node);
        }
        // Bound again: the first binding is the definition, this one a write.
        let (id, _) = walk.names.intern(text);
        if !walk.bound.insert((frame.symbol, id)) {
            continue;
        }
        let kind = if frame.scope == Scope::Class {
            SymbolKind::Field
        } else if is_constant(text) {
            SymbolKind::Constant
        } else {
            SymbolKind::Variable
        };
        let mut draft = Draft::new(kind, name, node);
        if !is_private(text) && (frame.scope == Scope::Module || frame.exported) {
            draft.set(SymbolFlags::EXPORTED);
        }
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn is_constant(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase)
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if let Some(mut name) = node.child_by_field_name("left") {
        while let Some(inner) = name.named_child(0) {
            name = inner;
        }
        if frame.scope != Scope::Function {
            let mut draft = Draft::new(SymbolKind::Type, name, node);
            if !is_private(walk.text(name)) {
                draft.set(SymbolFlags::EXPORTED);
            }
            walk.record(&draft, frame);
        }
    }
    Visit::Descend
}

/// `__all__ = ["a", "b"]`.
fn all_names<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(list) = node.child_by_field_name("right") else {
        return;
    };
    let mut bindings = Vec::new();
    let mut cursor = list.walk();
    for item in list
        .named_children(&mut cursor)
        .filter(|item| item.kind() == "string")
    {
        let name = string_content(walk.text(item));
        bindings.push(walk.binding(Some(name), Some(name)));
    }
    walk.import(ImportKind::Export, node.start_position().row, b"", bindings);
}

/// `import a.b`, `import a.b as c`: without an alias the first part is bound.
fn import_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        let row = child.start_position().row;
        let (module, local) = match child.kind() {
            "aliased_import" => (
                child.child_by_field_name("name"),
                child.child_by_field_name("alias"),
            ),
            "dotted_name" => (Some(child), child.named_child(0)),
            _ => continue,
        };
        if let (Some(module), Some(local)) = (module, local) {
            let binding = walk.binding(None, Some(walk.text(local)));
            walk.import(ImportKind::Import, row, walk.text(module), vec![binding]);
        }
    }
    Visit::Descend
}

/// `from x import a, b as c`, `from . import d`, `from x import *`.
fn import_from<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let module = node.child_by_field_name("module_name");
    let specifier = module.map_or(&b"__future__"[..], |module| walk.text(module));
    let mut bindings = Vec::new();
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        if Some(child) == module {
            continue;
        }
        match child.kind() {
            "dotted_name" => {
                let name = walk.text(child);
                bindings.push(walk.binding(Some(name), Some(name)));
            }
            "aliased_import" => {
                let name = child
                    .child_by_field_name("name")
                    .map(|name| walk.text(name));
                let alias = child
                    .child_by_field_name("alias")
                    .map(|alias| walk.text(alias));
                bindings.push(walk.binding(name, alias));
            }
            "wildcard_import" => bindings.push(walk.binding(None, None)),
            _ => {}
        }
    }
    walk.import(
        ImportKind::Import,
        node.start_position().row,
        specifier,
        bindings,
    );
    Visit::Descend
}

/// Where `__all__` is given, it alone says what is exported at module level.
fn finish(walk: &mut Walk<'_>) {
    let mut listed: FxHashSet<LocalName> = FxHashSet::default();
    let exports = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export);
    listed.extend(
        exports.flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local)),
    );
    if listed.is_empty() {
        return;
    }
    for symbol in walk
        .symbols
        .iter_mut()
        .filter(|symbol| symbol.container.is_none())
    {
        if listed.contains(&symbol.name) {
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED);
        } else {
            symbol.flags.0 &= !SymbolFlags::EXPORTED.0;
        }
    }
    for i in 0..walk.symbols.len() {
        if let Some(container) = walk.symbols[i].container
            && !walk.symbols[container as usize]
                .flags
                .contains(SymbolFlags::EXPORTED)
        {
            walk.symbols[i].flags.0 &= !SymbolFlags::EXPORTED.0;
        }
    }
}
