//! Parameter lists and calls of Dart.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need};

/// Dart.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "function_signature.parameters constructor_signature.parameters
         factory_constructor_signature.parameters constant_constructor_signature.parameters"
    ),
    wraps: words!(
        "function_declaration.signature method_declaration.signature method_signature. declaration.
         member_declaration. local_function_declaration."
    ),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "formal_parameter",
        Take::Group => "optional_formal_parameters",
    },
    optional: &[],
    names: words!("name field_formal_parameter super_formal_parameter identifier"),
    asynchronous: &[],
    calls: words!(
        "call_expression.function new_expression.type const_object_expression.type
         cascade_call_expression.property"
    ),
    passes: words!("instantiation_expression.function type."),
    members: words!("member_expression.property null_aware_member_expression.property"),
    gives: by_words! { Give::Named => "named_argument" },
    ..CallRows::new()
};
