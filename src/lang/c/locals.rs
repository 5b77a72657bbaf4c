//! C and C++: names bound by parameters, variables and templates.

use super::declarators::declared;
use super::values::{designated, of_declared, of_value};
use crate::record::OccurrenceKind::Write;
use crate::syntax::flows::Clue;
use crate::syntax::rows::Visit;
use crate::syntax::values::{Known, children, in_field, span};
use crate::syntax::walk::{Frame, Walk};
use tree_sitter::Node;

const BLOCKS: &[&str] = &[
    "compound_statement",
    "for_statement",
    "if_statement",
    "while_statement",
    "switch_statement",
    "for_range_loop",
    "function_definition",
    "lambda_expression",
    "method_definition",
    "block_literal",
];

/// What a parameter is known in. That of a pointer to a function is known in that one's parameters.
const FUNCTIONS: &[&str] = &[
    "parameter_declaration",
    "function_definition",
    "lambda_expression",
    "catch_clause",
    "declaration",
    "field_declaration",
    "type_definition",
    "template_declaration",
    "requires_expression",
    "block_literal",
];

/// The variables that a declaration in a function declares.
pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    // `extern int verbose;` speaks of what is defined elsewhere.
    if walk.text(node).starts_with(b"extern ") {
        return;
    }
    let declared_type = node.child_by_field_name("type");
    let block = walk.scope_within(BLOCKS);
    // Before the body of a function stand the types of its parameters, as K&R had it.
    let of_parameters = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind() == "function_definition");
    for declarator in in_field(node, "declarator") {
        let scope = if of_parameters {
            block.clone()
        } else {
            declarator.end_position()..block.end
        };
        let inner = match declarator.kind() {
            "init_declarator" => declarator.child_by_field_name("declarator"),
            _ => Some(declarator),
        };
        let unwrapped = inner.map(|inner| match inner.kind() {
            "reference_declarator" => inner.named_child(0).unwrap_or(inner),
            _ => inner,
        });
        if let Some(parts) =
            unwrapped.filter(|inner| inner.kind() == "structured_binding_declarator")
        {
            for name in children(parts) {
                walk.local(name, scope.clone(), None);
            }
            continue;
        }
        let Some(found) = declared(walk, declarator).filter(|found| found.receiver.is_none())
        else {
            continue;
        };
        if found.name.kind() == "identifier" {
            let known = of_declared(walk, declared_type, declarator);
            walk.local(found.name, scope, known.map(Known::clue));
        }
    }
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(declarator) = node.child_by_field_name("declarator")
        && let Some(found) = declared(walk, declarator)
        && found.name.kind() == "identifier"
    {
        let declared_type = node.child_by_field_name("type");
        let known = of_declared(walk, declared_type, declarator);
        // `f(struct config config)`: before its name stands its type.
        let scope = found.name.start_position()..walk.scope_within(FUNCTIONS).end;
        walk.local(found.name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// `for (auto &x : xs)`.
pub(super) fn range_loop<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let (Some(declarator), Some(declared_type), Some(body)) = (
        node.child_by_field_name("declarator"),
        node.child_by_field_name("type"),
        node.child_by_field_name("body"),
    ) else {
        return Visit::Descend;
    };
    let element = || {
        let right = node.child_by_field_name("right")?;
        of_value(walk, right)?.element(1)
    };
    let known = match declared_type.kind() {
        "placeholder_type_specifier" => element(),
        _ => of_declared(walk, Some(declared_type), declarator),
    };
    if let Some(found) = declared(walk, declarator)
        && found.name.kind() == "identifier"
    {
        walk.local(found.name, span(body), known.map(Known::clue));
    }
    Visit::Descend
}

/// `typename T` and its kin among the parameters of a template.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let name = node
        .child_by_field_name("name")
        .or_else(|| node.named_child(0));
    if let Some(name) = name.filter(|name| name.kind() == "type_identifier") {
        let scope = walk.scope_within(&["template_declaration"]);
        walk.local(name, scope, None);
    }
    Visit::Descend
}

/// `[n = x.y]`.
pub(super) fn capture<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some(name) = node.child_by_field_name("left") {
        let value = node.child_by_field_name("right");
        let known = value.and_then(|value| of_value(walk, value));
        let scope = node.end_position()..walk.scope_within(&["lambda_expression"]).end;
        walk.local(name, scope, known.map(Known::clue));
    }
    Visit::Descend
}

/// The parameters of a macro.
pub(super) fn macro_parameters<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    let scope = walk.scope_within(&["preproc_function_def"]);
    for name in children(node) {
        walk.local(name, scope.clone(), None);
    }
    Visit::Descend
}

/// `.field = value`.
pub(super) fn designator<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let object = designated(walk).map(Known::clue);
    if let Some(name) = node.named_child(0) {
        walk.field_name(name, Write, object);
    }
    Visit::Descend
}

/// `A::A(int x) : x(x) {}`: what is initialised is the object's, whatever the parameters are called.
pub(super) fn field_initializer<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    _: &mut Frame<'t>,
) -> Visit {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind() == "field_identifier")
    {
        walk.field_name(name, Write, Some(Clue::THIS));
    }
    Visit::Descend
}
