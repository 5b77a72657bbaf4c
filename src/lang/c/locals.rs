//! C and C++: names bound by parameters, variables and templates.

use super::declarators::declared;
use super::values::{designated, of_declared, of_value};
use crate::record::OccurrenceKind::Write;
use crate::syntax::prelude::*;

const BLOCKS: &[&str] = words!(
    "compound_statement for_statement if_statement while_statement switch_statement for_range_loop
     function_definition lambda_expression method_definition block_literal"
);

/// What a parameter is known in. That of a pointer to a function is known in that one's parameters.
const FUNCTIONS: &[&str] = words!(
    "parameter_declaration function_definition lambda_expression catch_clause declaration
     field_declaration type_definition template_declaration requires_expression block_literal"
);

/// The variables that a declaration in a function declares.
pub(super) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    // `extern int verbose;` speaks of what is defined elsewhere.
    if walk.text(node).starts_with(b"extern ") {
        return;
    }
    let declared_type = node.field("type");
    let block = walk.scope_within(BLOCKS);
    // Before the body of a function stand the types of its parameters, as K&R had it.
    let of_parameters = walk.kind_above(0) == "function_definition";
    for declarator in node.named_fields("declarator") {
        let scope = if of_parameters {
            block.clone()
        } else {
            declarator.end_position()..block.end
        };
        let inner = match declarator.kind_name() {
            "init_declarator" => declarator.field("declarator"),
            _ => Some(declarator),
        };
        let unwrapped = inner.map(|inner| match inner.kind_name() {
            "reference_declarator" => inner.named_child(0).unwrap_or(inner),
            _ => inner,
        });
        if let Some(parts) =
            unwrapped.filter(|inner| inner.kind_name() == "structured_binding_declarator")
        {
            walk.locals(parts.content(), &scope, None);
            continue;
        }
        let Some(found) = declared(walk, declarator).filter(|found| found.receiver.is_none())
        else {
            continue;
        };
        if found.name.kind_name() == "identifier" {
            let known = of_declared(walk, declared_type, declarator);
            walk.local(found.name, scope, known);
        }
    }
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(declarator) = node.field("declarator")
        && let Some(found) = declared(walk, declarator)
        && found.name.kind_name() == "identifier"
    {
        let declared_type = node.field("type");
        let known = of_declared(walk, declared_type, declarator);
        // `f(struct config config)`: before its name stands its type.
        let scope = found.name.start_position()..walk.scope_within(FUNCTIONS).end;
        walk.local(found.name, scope, known);
    }
}

/// `for (auto &x : xs)`.
pub(super) fn range_loop<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let (Some(declarator), Some(declared_type), Some(body)) = (
        node.field("declarator"),
        node.field("type"),
        node.field("body"),
    ) else {
        return;
    };
    let element = || {
        let right = node.field("right")?;
        of_value(walk, right)?.nested_element(1)
    };
    let known = match declared_type.kind_name() {
        "placeholder_type_specifier" => element(),
        _ => of_declared(walk, Some(declared_type), declarator),
    };
    if let Some(found) = declared(walk, declarator)
        && found.name.kind_name() == "identifier"
    {
        walk.local(found.name, body.span(), known);
    }
}

/// `typename T` and its kin among the parameters of a template.
pub(super) fn type_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field("name").or_else(|| node.named_child(0));
    if let Some(name) = name.filter(|name| name.kind_name() == "type_identifier") {
        walk.local_in(&["template_declaration"], name, None);
    }
}

/// `[n = x.y]`.
pub(super) fn capture<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("left") {
        let value = node.field("right");
        let known = value.and_then(|value| of_value(walk, value));
        let scope = walk.scope_from(node.end_position(), &["lambda_expression"]);
        walk.local(name, scope, known);
    }
}

/// The parameters of a macro.
pub(super) fn macro_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(&["preproc_function_def"]);
    walk.locals(node.content(), &scope, None);
}

/// `.field = value`.
pub(super) fn designator<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let object = designated(walk);
    if let Some(name) = node.named_child(0) {
        walk.field_name(name, Write, object);
    }
}

/// `A::A(int x) : x(x) {}`: what is initialised is the object's, whatever the parameters are called.
pub(super) fn field_initializer<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "field_identifier")
    {
        walk.field_name(name, Write, Some(Hint::THIS));
    }
}
