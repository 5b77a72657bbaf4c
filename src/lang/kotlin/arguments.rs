//! Parameter lists and calls of Kotlin.

use crate::syntax::calls::rows::{CallRows, Give, Take, text};
use crate::syntax::calls::{By, Need, Parameter};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Kotlin.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "function_declaration.function_value_parameters
         secondary_constructor.function_value_parameters primary_constructor.class_parameters"
    ),
    takes: by_words! {
        Take::One(By::Either, Need::Required) => "parameter class_parameter",
        Take::Nothing => "parameter_modifiers",
    },
    rest_words: &["vararg"],
    names_after_rest: true,
    names: &["identifier"],
    each,
    result: &[":"],
    asynchronous: &["suspend"],
    types_called: words!("class_declaration.class_body"),
    constructors: words!("primary_constructor secondary_constructor"),
    calls: words!("call_expression. constructor_invocation."),
    members: words!("navigation_expression."),
    paths: words!("user_type."),
    arguments: words!("value_arguments"),
    gives: by_words! { Give::Wrapped => "value_argument" },
    mixes_names: true,
    named: &["="],
    spread: words!("spread_expression *"),
    trailing: words!("annotated_lambda lambda_literal"),
    is_doubtful: super::doubts::is_doubtful,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};

/// `vararg val names: String` of a constructor.
fn each(src: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    let words = text(src, node).split(|byte| byte.is_ascii_whitespace());
    let mut before = words.take_while(|word| !word.contains(&b':'));
    if node.kind_name() == "class_parameter" && before.any(|word| word == b"vararg") {
        parameter.need = Need::Rest;
    }
}
