//! Parameter lists and calls of PHP.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need, Parameter, Parameters, Strictness};
use tree_sitter::Node;

/// PHP, which lets a call give more than there are parameters.
pub(crate) static CALLS: CallRows = CallRows {
    strictness: Strictness::Surplus,
    definitions: words!(
        "function_definition.parameters method_declaration.parameters
         anonymous_function.parameters arrow_function.parameters"
    ),
    wraps: words!("expression_statement. assignment_expression.right"),
    takes: by_words! {
        Take::One(By::Either, Need::Required) => "simple_parameter property_promotion_parameter",
        Take::One(By::Position, Need::Rest) => "variadic_parameter",
    },
    names: &["name"],
    finish,
    types_called: words!("class_declaration.body"),
    constructors: words!("__construct"),
    calls: words!(
        "function_call_expression.function member_call_expression.name
         nullsafe_member_call_expression.name scoped_call_expression.name object_creation_expression."
    ),
    paths: words!("qualified_name."),
    gives: by_words! {
        Give::Wrapped => "argument",
        Give::Open => "variadic_placeholder",
    },
    spread: words!("variadic_unpacking"),
    is_doubtful: super::doubts::is_doubtful,
    result_called: super::doubts::result_called,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};

/// A rest takes arguments of other names as well.
fn finish(_: &[u8], _: Node<'_>, found: &mut Parameters) -> bool {
    let rest = found
        .list
        .iter()
        .find(|one| one.need == Need::Rest)
        .cloned();
    if let Some(rest) = rest {
        found.list.push(Parameter {
            name: String::new(),
            by: By::Name,
            ..rest
        });
    }
    true
}
