//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another, and where a
//! processor of annotations may write members into the type.

use crate::syntax::calls::doubts::around;
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::{Variable, Variables, inside, is_capital, names};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// How variables are declared.
const VARIABLES: Variables = Variables {
    functions: words!(
        "method_declaration constructor_declaration compact_constructor_declaration lambda_expression static_initializer"
    ),
    unsaid: byte_words!("var"),
};
/// Processors that write members into types that are there, by a part of the names of their packages.
const WRITERS: &[&[u8]] = byte_words!("lombok manifold");
/// Types that are looked at.
const TYPES: &[&str] = words!("class_declaration interface_declaration record_declaration");

fn declares(node: Node<'_>) -> Option<Variable<'_>> {
    let (name, said, value) = match node.kind_name() {
        "variable_declarator" => {
            let around = node.parent()?;
            // `A... all` is an array.
            let said = around
                .field("type")
                .filter(|_| node.field("dimensions").is_none());
            (node.field("name"), said, node.field("value"))
        }
        "formal_parameter" | "resource" | "enhanced_for_statement" => {
            (node.field("name"), node.field("type"), None)
        }
        "catch_formal_parameter" => (node.field("name"), node.named_of("catch_type"), None),
        "instanceof_expression" => (node.field("name"), node.field("right"), None),
        "type_pattern" | "record_pattern_component" => {
            (node.last_named(), node.named().next(), None)
        }
        "identifier" => {
            let above = node.parent()?;
            let is_parameter = match above.kind_name() {
                "inferred_parameters" => true,
                "lambda_expression" => above.field("parameters") == Some(node),
                _ => false,
            };
            (Some(node).filter(|_| is_parameter), None, None)
        }
        _ => return None,
    };
    Some(Variable {
        name: name?,
        said,
        value,
    })
}

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    // An import stands for itself.
    if of.is_empty() {
        return false;
    }
    let call = name.parent().filter(|above| {
        above.kind_name() == "method_invocation" && above.field("name") == Some(name)
    });
    let Some(call) = call else {
        return true;
    };
    call.field("object")
        .is_some_and(|object| is_other(src, (call, of), object))
}

/// Whether the object of a call may be of another type than it seems.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let object = inside(object);
    match object.kind_name() {
        "this" | "super" => is_in_unnamed(call),
        "identifier" if is_capital(text(src, object)) => text(src, object) != of,
        "identifier" => VARIABLES.may_be_other(src, call, (text(src, object), of), false, declares),
        "field_access" => {
            let of_this = object
                .field("object")
                .is_some_and(|whose| whose.kind_name() == "this");
            let field = object.field("field").filter(|_| of_this);
            field.is_none_or(|field| {
                VARIABLES.may_be_other(src, call, (text(src, field), of), true, declares)
            })
        }
        "object_creation_expression" => !names(text(src, object), of),
        // What is known of its result is asked elsewhere.
        kind => kind != "method_invocation",
    }
}

/// The name of the call whose result a call by this name is of.
pub(super) fn result_called(name: Node<'_>) -> Option<Node<'_>> {
    let object = name.parent()?.field_of("object", "method_invocation")?;
    object.field("name")
}

/// Whether `this` at a call is an object of a class without a name, or a constant of an enum.
fn is_in_unnamed(call: Node<'_>) -> bool {
    let bodies = around(call).filter(|above| above.kind_name() == "class_body");
    let mut owners = bodies.filter_map(|body| body.parent());
    owners
        .next()
        .is_none_or(|owner| !TYPES.contains(&owner.kind_name()))
}

/// Whether a type may have members that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let mut writers = WRITERS.iter();
    !TYPES.contains(&class.kind_name())
        || writers.any(|name| memchr::memmem::find(src, name).is_some())
}
