//! Parameter lists and calls of Lua.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need, Parameters, Receiver, Strictness};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Lua, where any number of arguments is right.
pub(crate) static CALLS: CallRows = CallRows {
    strictness: Strictness::Loose,
    definitions: words!("function_declaration.parameters function_definition.parameters"),
    wraps: words!(
        "variable_declaration.assignment_statement assignment_statement.expression_list
         expression_list.value field.value"
    ),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "identifier",
        Take::One(By::Position, Need::Rest) => "vararg_expression",
    },
    rest: &[],
    this: (&["self"], Receiver::Object),
    finish,
    result: &[],
    asynchronous: &[],
    calls: words!("function_call.name"),
    members: words!("method_index_expression.method"),
    paths: words!("dot_index_expression.field"),
    gives: by_words! { Give::Several => "function_call vararg_expression" },
    ..CallRows::new()
};

/// `function M:f(a)` has `self` before its list.
fn finish(_: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    if node.field_of("name", "method_index_expression").is_some() {
        found.receiver = Receiver::Object;
    }
    true
}
