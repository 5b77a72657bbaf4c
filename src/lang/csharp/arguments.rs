//! Parameter lists and calls of C#.

use crate::syntax::calls::rows::{CallRows, Give, Take, text};
use crate::syntax::calls::{By, Need, Parameters, Receiver};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// C#.
pub(crate) static CALLS: CallRows = CallRows {
    definitions: words!(
        "method_declaration.parameters constructor_declaration.parameters
         local_function_statement.parameters delegate_declaration.parameters
         record_declaration.parameter_list class_declaration.parameter_list
         struct_declaration.parameter_list"
    ),
    takes: by_words! {
        Take::One(By::Either, Need::Required) => "parameter",
        Take::Nothing => "attribute_list",
    },
    names: &["name"],
    finish,
    result: words!("returns type"),
    types_called: words!("class_declaration.body record_declaration.body struct_declaration.body"),
    constructors: words!("constructor_declaration"),
    calls: words!("invocation_expression.function object_creation_expression.type"),
    passes: words!("generic_name."),
    members: words!(
        "member_access_expression.name member_binding_expression.name conditional_access_expression."
    ),
    paths: words!("qualified_name.name alias_qualified_name.name"),
    through_types: true,
    gives: by_words! { Give::Wrapped => "argument" },
    mixes_names: true,
    is_doubtful: super::doubts::is_doubtful,
    result_called: super::doubts::result_called,
    is_open_type: Some(super::doubts::is_open_type),
    ..CallRows::new()
};

/// The first parameter of an extension is the object it is called through.
fn finish(src: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    let list = node.field("parameters");
    let first = list.and_then(|list| list.named_of("parameter"));
    let is_this = |modifier: Node<'_>| text(src, modifier) == b"this";
    if first.is_some_and(|first| first.all_of("modifier").any(is_this)) && !found.list.is_empty() {
        found.list.remove(0);
        found.receiver = Receiver::Object;
    }
    true
}
