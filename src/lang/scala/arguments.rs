//! Parameter lists and calls of Scala: the first list, unless it is one that the compiler fills.

use crate::syntax::calls::rows::{CallRows, Give, Take};
use crate::syntax::calls::{By, Need, Parameter};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Scala. Parameters of a class are not read for its calls: `apply` of its object may take others.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!("function_definition.parameters function_declaration.parameters"),
    lists: Some(lists),
    takes: by_words! { Take::One(By::Either, Need::Required) => "parameter" },
    names: &["name"],
    each,
    asynchronous: &[],
    calls: words!("call_expression.function"),
    passes: words!("generic_function.function"),
    members: words!("field_expression.field"),
    gives: by_words! {
        Give::Named => "assignment_expression",
        Give::Spread => "vararg",
        Give::Open => "colon_argument",
    },
    ..CallRows::new()
};

fn lists<'t>(_: &[u8], node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let first = node.field("parameters")?;
    let is_filled = first.part(&["implicit", "using"]).is_some();
    (!is_filled).then(|| vec![first])
}

/// `names: String*`.
fn each(_: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    if node.field_of("type", "repeated_parameter_type").is_some() {
        parameter.need = Need::Rest;
    }
}
