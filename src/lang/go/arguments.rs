//! Parameter lists and calls of Go.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need, Parameters, Receiver};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Go.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "function_declaration.parameters method_declaration.parameters method_elem.parameters
         func_literal.parameters"
    ),
    wraps: words!("var_declaration.var_spec var_spec.value expression_list."),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "parameter_declaration",
        Take::One(By::Position, Need::Rest) => "variadic_parameter_declaration",
    },
    names: &["name"],
    many_names: true,
    finish,
    result: &["result"],
    asynchronous: &[],
    calls: words!("call_expression.function"),
    passes: words!(
        "index_expression.operand type_instantiation_expression.type parenthesized_expression."
    ),
    members: words!("selector_expression.field"),
    through_types: true,
    gives: by_words! {
        Give::WholeRest => "variadic_argument",
        Give::SeveralAlone => "call_expression",
    },
    // Built in.
    gives_one: words!(
        "append bool byte cap complex copy error float32 float64 imag int int16 int32 int64 int8 len
         make max min new real rune string uint uint16 uint32 uint64 uint8 uintptr"
    ),
    ..CallRows::new()
};

/// The receiver has a list of its own, and is the first argument of `T.method(value)`.
fn finish(_: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    if matches!(node.kind_name(), "method_declaration" | "method_elem") {
        found.receiver = Receiver::Object;
    }
    true
}
