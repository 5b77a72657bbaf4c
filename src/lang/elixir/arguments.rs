//! Parameter lists and calls of Elixir.

use crate::syntax::calls::rows::{CallRows, Take, text};
use crate::syntax::calls::{By, Need, Parameter};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Elixir. Clauses of one name and another number of parameters are other functions.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!("call.arguments"),
    lists: Some(lists),
    other: Some(Take::One(By::Position, Need::Required)),
    optional: &[],
    rest: &[],
    each,
    result: &[],
    asynchronous: &[],
    calls: words!("call.target"),
    paths: words!("dot.right"),
    trailing: words!("do_block"),
    pipes: words!("|>"),
    ..CallRows::new()
};

/// What defines something that is called.
const DEFINES: &[&[u8]] = byte_words!("def defdelegate defguard defguardp defmacro defmacrop defp");

/// The list of the call that a definition is written as.
fn lists<'t>(src: &[u8], node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let target = node.field("target")?;
    if !DEFINES.contains(&text(src, target)) {
        return None;
    }
    let mut head = node.named_of("arguments")?.content().into_iter().next()?;
    let is_guarded = head
        .field("operator")
        .is_some_and(|operator| operator.kind_name() == "when");
    if is_guarded {
        head = head.field("left")?;
    }
    match head.kind_name() {
        "identifier" => Some(Vec::new()),
        "call" => Some(head.all_of("arguments").collect()),
        _ => None,
    }
}

/// A pattern has no name; `a \\ 1` may be left out.
fn each(_: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    let is_value = |operator: Node<'_>| operator.kind_name() == "\\\\";
    if node.field("operator").is_some_and(is_value) {
        parameter.need = Need::Optional;
    }
    if node.kind_name() != "identifier" {
        parameter.name.clear();
    }
}
