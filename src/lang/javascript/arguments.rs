//! Parameter lists and calls of JavaScript and TypeScript.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need, Parameter, Parameters, Receiver, Strictness};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// JavaScript, where any number of arguments is right.
pub(crate) static JAVASCRIPT: CallRows = CallRows {
    strictness: Strictness::Loose,
    finish: not_accessors,
    ..TYPESCRIPT
};

/// TypeScript.
pub(crate) static TYPESCRIPT: CallRows = CallRows {
    definitions: words!(
        "function_declaration.parameters generator_function_declaration.parameters
         function_signature.parameters function_expression.parameters
         generator_function.parameters arrow_function.parameters|parameter
         method_definition.parameters method_signature.parameters
         abstract_method_signature.parameters function_type.parameters
         construct_signature.parameters call_signature.parameters"
    ),
    wraps: words!(
        "export_statement.declaration lexical_declaration.variable_declarator
         variable_declaration.variable_declarator variable_declarator.value
         public_field_definition.value field_definition.value pair.value
         assignment_expression.right expression_statement. property_signature.type
         type_annotation. ambient_declaration. parenthesized_expression."
    ),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "required_parameter identifier object_pattern
            array_pattern assignment_pattern",
        Take::One(By::Position, Need::Optional) => "optional_parameter",
        Take::One(By::Position, Need::Rest) => "rest_pattern",
    },
    optional: words!("= value"),
    rest: words!("rest_pattern"),
    names: words!("name pattern left"),
    this: (&["this"], Receiver::Implied),
    each,
    finish,
    types_called: words!("class_declaration.body class.body abstract_class_declaration.body"),
    constructors: words!("constructor"),
    calls: words!("call_expression.function new_expression.constructor"),
    passes: words!("non_null_expression. parenthesized_expression. instantiation_expression."),
    members: words!("member_expression.property"),
    gives: by_words! {
        Give::Spread => "spread_element",
        Give::OpenAlone => "template_string",
    },
    is_doubtful: super::doubts::is_doubtful,
    ..CallRows::new()
};

/// A parameter of type `void` may be left out.
fn each(_: &[u8], _: Node<'_>, parameter: &mut Parameter) {
    let declared = parameter.written_type.as_deref().unwrap_or("");
    let is_void = declared.split('|').any(|part| part.trim() == "void");
    if is_void && parameter.need == Need::Required {
        parameter.need = Need::Optional;
    }
}

/// An accessor is not called.
fn not_accessors(_: &[u8], node: Node<'_>, _: &mut Parameters) -> bool {
    node.part(&["get", "set"]).is_none()
}

/// A function in an object may take less than the type of the object says that it is given.
fn finish(src: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    let above = node.parent().map_or("", |above| above.kind_name());
    if matches!(above, "object" | "pair") {
        found.strictness = Strictness::Loose;
    }
    not_accessors(src, node, found)
}
