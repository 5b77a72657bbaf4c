//! Parameter lists and calls of Swift.

use crate::syntax::calls::rows::{CallRows, Give, Take, text, written};
use crate::syntax::calls::{By, Need, Parameter};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Swift. Initialisers are not read for the calls of a type: extensions anywhere may have more.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!("function_declaration. protocol_function_declaration. init_declaration."),
    takes: by_words! { Take::One(By::Name, Need::Required) => "parameter" },
    optional: &[],
    names: words!("external_name name"),
    each,
    result: &["->"],
    calls: words!("call_expression."),
    members: words!("navigation_expression.suffix navigation_suffix.suffix"),
    arguments: words!("call_suffix"),
    gives: by_words! { Give::Wrapped => "value_argument" },
    named: &["name"],
    trailing: words!("lambda_literal"),
    is_doubtful: super::doubts::is_doubtful,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};

/// A label of `_` is none; what follows the first argument of a rest has none either.
fn each(src: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    let label = node.field("external_name").or_else(|| node.field("name"));
    parameter.by = match label {
        Some(label) if text(src, label) == b"_" => By::Position,
        _ if parameter.need == Need::Rest => By::Either,
        _ => By::Name,
    };
    if parameter.by == By::Position {
        let name = node.field("name").map(|name| written(src, name));
        parameter.name = name.unwrap_or_default();
    }
    let declared = node.fields("name").last();
    parameter.written_type = declared.map(|declared| written(src, declared));
}
