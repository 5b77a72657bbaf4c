//! Parameter lists and calls of Java.

use crate::syntax::calls::rows::{CallRows, Take};
use crate::syntax::calls::{By, Need};

/// Java.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "method_declaration.parameters constructor_declaration.parameters
         record_declaration.parameters"
    ),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "formal_parameter",
        Take::One(By::Position, Need::Rest) => "spread_parameter",
        Take::Nothing => "receiver_parameter",
    },
    names: words!("name variable_declarator"),
    result: &["type"],
    asynchronous: &[],
    types_called: words!("class_declaration.body enum_declaration.body record_declaration.body"),
    constructors: words!("constructor_declaration"),
    calls: words!("method_invocation.name object_creation_expression.type"),
    passes: words!("generic_type."),
    paths: words!("scoped_type_identifier."),
    objects: words!("object"),
    is_doubtful: super::doubts::is_doubtful,
    result_called: super::doubts::result_called,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};
