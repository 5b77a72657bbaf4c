//! C and C++: one specification, since the C++ grammar extends the C grammar.

use super::{DefRow, LangSpec, Rule, Visit};
use crate::extract::flows::no_clue;
use crate::extract::record::{ImportKind, OccurrenceKind, Qualifier, SymbolFlags, SymbolKind};
use crate::extract::symbols::Draft;
use crate::extract::terms::for_each_word;
use crate::extract::walk::{Frame, Scope, Walk, string_content};
use OccurrenceKind::{Call, Import, Inherit, Read, Type, Write};
use Rule::{Is, Member, Object, Pass};
use tree_sitter::Node;

/// C and C++.
pub(crate) static C: LangSpec = LangSpec {
    defs: &[
        DefRow {
            node: "enumerator",
            kind: SymbolKind::Variant,
            name: "name",
            body: "body",
        },
        DefRow {
            node: "namespace_definition",
            kind: SymbolKind::Module,
            name: "name",
            body: "body",
        },
        DefRow {
            node: "preproc_def",
            kind: SymbolKind::Macro,
            name: "name",
            body: "value",
        },
        DefRow {
            node: "preproc_function_def",
            kind: SymbolKind::Macro,
            name: "name",
            body: "value",
        },
        DefRow {
            node: "alias_declaration",
            kind: SymbolKind::Type,
            name: "name",
            body: "body",
        },
        DefRow {
            node: "concept_definition",
            kind: SymbolKind::Type,
            name: "name",
            body: "body",
        },
    ],
    refine,
    hooks: &[
        ("struct_specifier", specifier),
        ("class_specifier", specifier),
        ("union_specifier", specifier),
        ("enum_specifier", specifier),
        ("type_definition", type_definition),
        ("function_definition", function_definition),
        ("declaration", declaration),
        ("field_declaration", declaration),
        ("lambda_expression", function_scope),
        ("compound_statement", function_scope),
        ("preproc_include", include),
        ("preproc_arg", macro_text),
        ("using_declaration", using),
    ],
    roles: &[
        ("call_expression", "function", Is(Call)),
        ("field_expression", "argument", Object),
        ("field_expression", "field", Member),
        ("qualified_identifier", "scope", Object),
        ("qualified_identifier", "name", Member),
        ("template_function", "name", Member),
        ("template_method", "name", Member),
        ("template_type", "name", Member),
        ("dependent_name", "", Pass),
        ("new_expression", "type", Is(Call)),
        ("base_class_clause", "", Is(Inherit)),
        ("parenthesized_expression", "", Pass),
        ("assignment_expression", "left", Is(Write)),
        ("update_expression", "argument", Is(Write)),
        ("init_declarator", "declarator", Pass),
        ("declaration", "declarator", Is(Write)),
        ("field_declaration", "declarator", Is(Write)),
        ("parameter_declaration", "declarator", Is(Write)),
        ("optional_parameter_declaration", "declarator", Is(Write)),
        ("variadic_parameter_declaration", "declarator", Is(Write)),
        ("for_range_loop", "declarator", Is(Write)),
        ("condition_clause", "value", Is(Read)),
        ("function_definition", "declarator", Is(Write)),
        ("pointer_declarator", "declarator", Pass),
        ("reference_declarator", "", Pass),
        ("array_declarator", "declarator", Pass),
        ("function_declarator", "declarator", Pass),
        ("parenthesized_declarator", "", Pass),
        ("attributed_declarator", "", Pass),
        ("variadic_declarator", "", Pass),
        ("structured_binding_declarator", "", Pass),
        ("field_designator", "", Is(Write)),
        ("field_initializer", "", Is(Write)),
        ("type_parameter_declaration", "", Is(Write)),
        ("optional_type_parameter_declaration", "name", Is(Write)),
        ("preproc_params", "", Is(Write)),
        ("using_declaration", "", Is(Import)),
    ],
    identifiers: &[
        ("identifier", Read),
        ("field_identifier", Read),
        ("type_identifier", Type),
        ("namespace_identifier", Read),
    ],
    this_kinds: &["this"],
    this_names: &[],
    comments: &["comment"],
    strings: &["string_literal", "raw_string_literal"],
    clue: no_clue,
    finish: |_| {},
};

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    match node.kind() {
        "enumerator" if frame.exported => draft.set(SymbolFlags::EXPORTED),
        "enumerator" => {}
        "preproc_def" | "preproc_function_def" => draft.set(SymbolFlags::EXPORTED),
        _ if frame.scope == Scope::Function => return false,
        _ => {
            draft.set(SymbolFlags::EXPORTED);
            widen(walk, draft);
        }
    }
    true
}

/// A template's parameters belong to what they are for.
fn widen<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>) {
    if let Some(above) = walk
        .ancestor(0)
        .filter(|above| above.node.kind() == "template_declaration")
    {
        draft.begin(above.node);
        draft.lead_row = draft.lead_row.min(draft.start_at.row);
    }
}

fn specifier_kind(node: Node<'_>) -> Option<SymbolKind> {
    match node.kind() {
        "struct_specifier" => Some(SymbolKind::Struct),
        "class_specifier" => Some(SymbolKind::Class),
        "union_specifier" => Some(SymbolKind::Union),
        "enum_specifier" => Some(SymbolKind::Enum),
        _ => None,
    }
}

/// A struct, class, union or enum with a name and a body.
fn specifier<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let (Some(kind), Some(body)) = (specifier_kind(node), node.child_by_field_name("body")) else {
        return Visit::Descend;
    };
    if let Some(name) = node.child_by_field_name("name") {
        let (name, receiver) = unqualified(walk, name);
        let mut draft = Draft::new(kind, name, node);
        draft.receiver = receiver;
        draft.body = Some(body.start_byte());
        draft.set(SymbolFlags::EXPORTED);
        widen(walk, &mut draft);
        walk.define(draft, frame);
    }
    frame.scope = Scope::Class;
    Visit::Descend
}

/// `typedef struct { ... } A` names the struct; any other typedef is an alias.
fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        return Visit::Descend;
    }
    let aliased = node.child_by_field_name("type");
    let anonymous = aliased.filter(|a| {
        a.child_by_field_name("name").is_none() && a.child_by_field_name("body").is_some()
    });
    let mut cursor = node.walk();
    let declarators: Vec<_> = node
        .children_by_field_name("declarator", &mut cursor)
        .collect();
    for (i, declarator) in declarators.into_iter().enumerate() {
        let Some(found) = declared(walk, declarator) else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Type, found.name, node);
        draft.set(SymbolFlags::EXPORTED);
        if let Some((kind, body)) =
            anonymous.and_then(|a| specifier_kind(a).zip(a.child_by_field_name("body")))
            && i == 0
        {
            draft.kind = kind;
            draft.body = Some(body.start_byte());
            walk.define(draft, frame);
            continue;
        }
        walk.record(&draft, frame);
    }
    Visit::Descend
}

/// What a declarator declares.
struct Declared<'t> {
    name: Node<'t>,
    receiver: Option<&'t [u8]>,
    function: Option<Node<'t>>,
}

/// Follows a declarator inwards to its name. A pointer met inside a function's parentheses makes
/// it a pointer to a function.
fn declared<'t>(walk: &Walk<'t>, mut node: Node<'t>) -> Option<Declared<'t>> {
    let mut function = None;
    for _ in 0..32 {
        let inner = match node.kind() {
            "identifier" | "field_identifier" | "type_identifier" | "destructor_name"
            | "operator_name" | "operator_cast" | "primitive_type" => break,
            "qualified_identifier" | "template_function" | "template_method" => break,
            "function_declarator" => {
                function = Some(node);
                node.child_by_field_name("declarator")
            }
            "pointer_declarator" => {
                function = None;
                node.child_by_field_name("declarator")
            }
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                if node.kind() == "reference_declarator" {
                    function = None;
                }
                (0..node.named_child_count())
                    .filter_map(|i| node.named_child(i as u32))
                    .find(|child| {
                        let kind = child.kind();
                        kind.ends_with("declarator")
                            || kind.ends_with("identifier")
                            || kind.ends_with("_name")
                    })
            }
            _ => node.child_by_field_name("declarator"),
        };
        node = inner?;
    }
    let (name, receiver) = unqualified(walk, node);
    let usable = matches!(
        name.kind(),
        "identifier"
            | "field_identifier"
            | "type_identifier"
            | "destructor_name"
            | "operator_name"
            | "operator_cast"
    );
    usable.then_some(Declared {
        name,
        receiver,
        function,
    })
}

/// The `f` of `A::B::f` and the `B` before it, template arguments dropped.
fn unqualified<'t>(walk: &Walk<'t>, mut node: Node<'t>) -> (Node<'t>, Option<&'t [u8]>) {
    let mut receiver = None;
    for _ in 0..32 {
        match node.kind() {
            "qualified_identifier" => {
                if let Some(scope) = node.child_by_field_name("scope") {
                    let text = walk.text(scope);
                    receiver = text
                        .split(|b| *b == b'<')
                        .next()
                        .map(<[u8]>::trim_ascii_end);
                }
                match node.child_by_field_name("name") {
                    Some(name) => node = name,
                    None => break,
                }
            }
            "template_function" | "template_method" | "template_type" => {
                match node.child_by_field_name("name") {
                    Some(name) => node = name,
                    None => break,
                }
            }
            "dependent_name" => match node.named_child(0) {
                Some(name) => node = name,
                None => break,
            },
            _ => break,
        }
    }
    (node, receiver)
}

fn is_static(walk: &Walk<'_>, node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    let mut children = node.children(&mut cursor);
    children.any(|child| child.kind() == "storage_class_specifier" && walk.text(child) == b"static")
}

/// A draft of a function, a prototype or a method.
fn function_draft<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    found: &Declared<'t>,
    frame: &Frame<'t>,
) -> Draft<'t> {
    let mut draft = Draft::new(SymbolKind::Function, found.name, node);
    let name = walk.text(found.name);
    let in_class = frame.scope == Scope::Class;
    let class = frame
        .symbol
        .filter(|_| in_class)
        .map(|index| walk.names.get(walk.symbols[index as usize].name));
    if found.name.kind() == "operator_cast" {
        // `operator bool() const`: the name ends where the parameters begin.
        let end = name.iter().position(|b| *b == b'(').unwrap_or(name.len());
        draft.name.end = draft.name.start + name[..end].trim_ascii_end().len();
    }
    if in_class {
        draft.kind = if class == Some(name) {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
        if frame.exported {
            draft.set(SymbolFlags::EXPORTED);
        }
    } else if !is_static(walk, node) {
        draft.set(SymbolFlags::EXPORTED);
    }
    if let Some(owner) = found.receiver {
        draft.kind = if owner == name {
            SymbolKind::Constructor
        } else {
            SymbolKind::Method
        };
        let known = walk.owner(owner, |symbol| {
            matches!(
                symbol.kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Union | SymbolKind::Module
            )
        });
        match known {
            Some(known) => {
                if walk.symbols[known as usize].kind == SymbolKind::Module {
                    draft.kind = SymbolKind::Function;
                }
                draft.container = Some(known);
            }
            None => draft.receiver = Some(owner),
        }
    }
    widen(walk, &mut draft);
    draft
}

fn function_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let Some(declarator) = node.child_by_field_name("declarator") else {
        return Visit::Descend;
    };
    let Some(found) = declared(walk, declarator) else {
        return Visit::Descend;
    };
    let mut draft = function_draft(walk, node, &found, frame);
    draft.body = node
        .child_by_field_name("body")
        .map(|body| body.start_byte());
    let initializers = (0..node.child_count())
        .filter_map(|i| node.child(i))
        .find(|c| c.kind() == "field_initializer_list");
    if let Some(initializers) = initializers {
        draft.body = Some(initializers.start_byte());
    }
    // `TEST(Suite, Case) { ... }` looks like a function without a type.
    if matches!(
        walk.text(found.name),
        b"TEST" | b"TEST_F" | b"TEST_P" | b"TYPED_TEST" | b"TEST_CASE"
    ) && let Some(parameters) = found
        .function
        .and_then(|f| f.child_by_field_name("parameters"))
        && parameters.end_byte() > parameters.start_byte() + 2
    {
        draft.kind = SymbolKind::Test;
        draft.set(SymbolFlags::TEST);
        draft.name = parameters.start_byte() + 1..parameters.end_byte() - 1;
        draft.name_at = parameters.start_position();
        draft.name_at.column += 1;
    }
    walk.define(draft, frame);
    Visit::Descend
}

/// Prototypes, globals, fields and method declarations.
fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope == Scope::Function {
        return Visit::Descend;
    }
    let member = frame.scope == Scope::Class;
    // A field of an anonymous struct belongs to no symbol.
    if member && frame.symbol.is_none() {
        return Visit::Descend;
    }
    let mut cursor = node.walk();
    let declarators: Vec<_> = node
        .children_by_field_name("declarator", &mut cursor)
        .collect();
    for declarator in declarators {
        let Some(found) = declared(walk, declarator) else {
            continue;
        };
        if found.function.is_some() || found.name.kind() == "operator_cast" {
            let mut draft = function_draft(walk, node, &found, frame);
            draft.set(SymbolFlags::DECLARATION);
            draft.body = Some(draft.end);
            walk.record(&draft, frame);
            continue;
        }
        if found.receiver.is_some() {
            continue;
        }
        let constant =
            walk.text(node).starts_with(b"const ") || walk.text(node).starts_with(b"constexpr ");
        let kind = match (member, constant) {
            (true, _) => SymbolKind::Field,
            (_, true) => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        let mut draft = Draft::new(kind, found.name, node);
        let visible = if member {
            frame.exported
        } else {
            !is_static(walk, node)
        };
        if visible {
            draft.set(SymbolFlags::EXPORTED);
        }
        if walk.text(node).starts_with(b"extern ") {
            draft.set(SymbolFlags::DECLARATION);
        }
        widen(walk, &mut draft);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn function_scope<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// `<a.h>` keeps its brackets, `"a.h"` loses its quotes.
fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(path) = node.child_by_field_name("path") {
        let text = walk.text(path);
        let specifier = if path.kind() == "string_literal" {
            string_content(text)
        } else {
            text
        };
        walk.import(
            ImportKind::Include,
            node.start_position().row,
            specifier,
            Vec::new(),
        );
    }
    Visit::Skip
}

const KEYWORDS: &[&[u8]] = &[
    b"break",
    b"case",
    b"char",
    b"class",
    b"const",
    b"continue",
    b"defined",
    b"do",
    b"double",
    b"else",
    b"enum",
    b"extern",
    b"float",
    b"for",
    b"goto",
    b"if",
    b"inline",
    b"int",
    b"long",
    b"return",
    b"short",
    b"signed",
    b"sizeof",
    b"static",
    b"struct",
    b"switch",
    b"typedef",
    b"union",
    b"unsigned",
    b"void",
    b"volatile",
    b"while",
];

/// The text of a macro has no syntax; its identifiers are uses all the same.
fn macro_text<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    // Other directives take prose (`#error`, `#pragma`).
    if !walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind().ends_with("def"))
    {
        return Visit::Skip;
    }
    let text = walk.text(node);
    let (mut row, mut line_start, mut seen) = (node.start_position().row, 0, 0);
    let first_col = node.start_position().column;
    let mut quoted = false;
    for_each_word(text, |word, at| {
        for (i, byte) in text[seen..at].iter().enumerate() {
            match byte {
                b'\n' => {
                    row += 1;
                    line_start = seen + i + 1;
                    quoted = false;
                }
                b'"' => quoted = !quoted,
                _ => {}
            }
        }
        seen = at + word.len();
        if quoted || word[0].is_ascii_digit() || KEYWORDS.contains(&word) {
            return;
        }
        let col = if line_start == 0 {
            first_col + at
        } else {
            at - line_start
        };
        let kind = if text[seen..].starts_with(b"(") {
            Call
        } else {
            Read
        };
        walk.occurrence(word, row, col, kind, Qualifier::None);
    });
    Visit::Skip
}

/// `using namespace a` takes everything, `using a::b` one name.
fn using<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(path) = node.named_child(0) else {
        return Visit::Descend;
    };
    let text = walk.text(path);
    let row = node.start_position().row;
    if node
        .child(1)
        .is_some_and(|child| child.kind() == "namespace")
    {
        let binding = walk.binding(None, None);
        walk.import(ImportKind::Import, row, text, vec![binding]);
    } else {
        let (name, _) = unqualified(walk, path);
        let name = walk.text(name);
        let scope = text
            .strip_suffix(name)
            .and_then(|scope| scope.strip_suffix(b"::"))
            .unwrap_or(b"");
        let binding = walk.binding(Some(name), Some(name));
        walk.import(ImportKind::Import, row, scope, vec![binding]);
    }
    Visit::Descend
}
