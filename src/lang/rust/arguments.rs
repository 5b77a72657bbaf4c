//! Parameter lists and calls of Rust. What stands in a macro is no call.

use crate::syntax::calls::rows::{CallRows, Take};
use crate::syntax::calls::{By, Need, Receiver};

/// Rust.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "function_item.parameters function_signature_item.parameters closure_expression.parameters"
    ),
    wraps: words!("let_declaration.value"),
    tokens: words!("token_tree"),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "parameter identifier",
        Take::One(By::Position, Need::Rest) => "variadic_parameter",
        Take::This => "self_parameter",
        Take::Nothing => "attribute_item",
    },
    optional: &[],
    names: &["pattern"],
    this: (&["self"], Receiver::Object),
    calls: words!("call_expression.function"),
    passes: words!("generic_function.function"),
    members: words!("field_expression.field"),
    paths: words!("scoped_identifier.name"),
    is_doubtful: super::doubts::is_doubtful,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};
