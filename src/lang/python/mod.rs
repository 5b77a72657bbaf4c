//! Python.

mod arguments;
mod bindings;
mod decorators;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod imports;
mod itself;
mod library;
mod narrowing;
mod parameters;
mod patterns;
mod quoted;
mod resolve;
mod settings;
mod values;

use crate::syntax::prelude::*;
use crate::syntax::walk::Comment;
use bindings::{
    assignment, augmented_assignment, block, for_in_clause, for_statement, global_statement,
    named_expression,
};
use imports::{finish, import_from, import_statement};
use parameters::{parameters, type_parameter};
use patterns::{as_pattern, case_pattern, keyword_argument, keyword_pattern, splat_pattern};
use values::{hint, return_statement, several_types, type_hint, yield_expression};

/// Python 3 (and what the grammar still takes of Python 2).
pub(crate) static PYTHON: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("function_definition", SymbolKind::Function),
        def("class_definition", SymbolKind::Class),
    ],
    refine,
    hooks: hooks! {
        import_statement => "import_statement",
        import_from => "import_from_statement future_import_statement",
        call => "call",
        assignment => "assignment",
        augmented_assignment => "augmented_assignment",
        named_expression => "named_expression",
        for_statement => "for_statement",
        for_in_clause => "for_in_clause",
        as_pattern => "as_pattern",
        global_statement => "global_statement nonlocal_statement",
        case_pattern => "case_pattern",
        splat_pattern => "splat_pattern",
        keyword_pattern => "keyword_pattern",
        keyword_argument => "keyword_argument",
        parameters => "parameters lambda_parameters",
        type_parameter => "type_parameter",
        return_statement => "return_statement",
        several_types => "union_type binary_operator",
        yield_expression => "yield",
        block => "block",
        type_alias => "type_alias_statement",
        expression_statement => "expression_statement",
        hooks::function => "lambda",
        string => "string",
    },
    roles: roles! {
        Is(Call) => "call.function decorator class_pattern",
        Object => "attribute.object",
        Member => "attribute.attribute",
        Pass => "argument_list subscript.value parenthesized_expression pattern_list tuple_pattern
            list_pattern list_splat_pattern dictionary_splat_pattern type generic_type
            aliased_import relative_import dotted_name case_pattern keyword_pattern",
        Is(Inherit) => "class_definition.superclasses",
        // `class A(Base if it_is_here else object)`, `class A(object if it_is_gone else Base)`.
        Ends => "conditional_expression",
        Is(Read) => "call.arguments keyword_argument.value",
        Is(Write) => "keyword_argument.name assignment.left augmented_assignment.left
            named_expression.name for_statement.left for_in_clause.left as_pattern_target parameters
            lambda_parameters default_parameter.name typed_parameter typed_default_parameter.name
            splat_pattern",
        Arg => "subscript.subscript binary_operator list tuple",
        Is(Type) => "assignment.type typed_parameter.type typed_default_parameter.type
            function_definition.return_type type_parameter union_type member_type constrained_type
            type_alias_statement.right",
        Is(Import) => "import_statement import_from_statement future_import_statement",
    },
    this_names: &[b"self", b"cls"],
    means_this: itself::means_this,
    strings: &["string"],
    hint,
    finish,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    if frame.scope == Scope::Class && draft.kind == SymbolKind::Function {
        draft.kind = if name == b"__init__" {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
    }
    let in_class = frame.scope == Scope::Class;
    draft.set_if(
        SymbolFlags::EXPORTED,
        !is_private(name) && (frame.exported || (frame.scope == Scope::Module && !in_class)),
    );
    let test = match draft.kind {
        SymbolKind::Class => name.starts_with(b"Test") || inherits_test_case(walk, node),
        _ => name.starts_with(b"test_") || name == b"test",
    };
    draft.set_if(SymbolFlags::TEST, test);
    if let Some(above) = walk
        .ancestor(0)
        .filter(|above| above.node.kind_name() == "decorated_definition")
    {
        draft.decorated(above.node);
        if node.kind_name() == "function_definition" {
            draft.maker = decorators::maker(walk);
        }
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
            draft.set_if(SymbolFlags::DEPRECATED, name.ends_with(b"deprecated"));
            draft.set_if(
                SymbolFlags::DECLARATION,
                name.ends_with(b"overload") || name.ends_with(b"abstractmethod"),
            );
        }
    }
    if let Some(doc) = node.field("body").and_then(docstring) {
        draft.doc = Some(doc.byte_range());
    }
    if let Some(holder) = frame.symbol.filter(|_| frame.scope == Scope::Function) {
        bindings::reserve(walk, holder, name);
    }
    let returned = node.field("return_type");
    let known = returned.and_then(|returned| type_hint(walk, returned));
    // `with opened() as file`: what is yielded once is what the call gives.
    let is_held = decorators::makes_context(decorators::decorators(walk, 0));
    draft.value(known.and_then(|known| match is_held {
        true => known.element(),
        false => Some(known),
    }));
}

fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

fn inherits_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    let Some(bases) = class.field("superclasses") else {
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
        .filter(|node| node.kind_name() == "expression_statement")?;
    first
        .named_child(0)
        .filter(|node| matches!(node.kind_name(), "string" | "concatenated_string"))
}

/// Calls that import, and those that check what something is.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    imports::call(walk, node);
    narrowing::is_instance(walk, node, frame);
}

/// A string that is a statement of its own is documentation, wherever it stands.
fn expression_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    match node.named_child(0) {
        Some(string) if string.kind_name() == "string" && node.named_child_count() == 1 => {
            push_doc(walk, string);
            frame.skip();
        }
        _ => {}
    }
}

/// Text in triple quotes that runs over lines is written for people.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role == Type && !quoted::is_text(walk) && quoted::record(walk, node) {
        return frame.skip();
    }
    let text = walk.text(node);
    if text.ends_with(b"\"\"\"") && text.contains(&b'\n') {
        push_doc(walk, node);
    }
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

fn is_constant(name: &[u8]) -> bool {
    name.iter().any(u8::is_ascii_uppercase) && !name.iter().any(u8::is_ascii_lowercase)
}

fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(mut name) = node.field("left") {
        while let Some(inner) = name.named_child(0) {
            name = inner;
        }
        if frame.scope != Scope::Function {
            let mut draft = Draft::new(SymbolKind::Type, name, node);
            draft.set_if(SymbolFlags::EXPORTED, !is_private(walk.text(name)));
            walk.record(&draft, frame);
        }
    }
}
