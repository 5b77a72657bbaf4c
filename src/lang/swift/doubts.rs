//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another, and of types
//! that a macro or an attribute may add to.

use crate::syntax::calls::doubts::{annotation, around, below};
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::{is_capital, names};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Types that are looked at.
const TYPES: &[&str] = words!("class_declaration protocol_declaration");
/// Attributes that add nothing.
const PLAIN: &[&[u8]] = byte_words!(
    "MainActor available discardableResult frozen inlinable preconcurrency unchecked usableFromInline"
);

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    let suffix = name
        .parent()
        .filter(|above| above.kind_name() == "navigation_suffix");
    let member = suffix
        .and_then(|suffix| suffix.parent())
        .filter(|above| above.kind_name() == "navigation_expression");
    let Some(member) = member else {
        return true;
    };
    let is_called = member
        .parent()
        .is_some_and(|call| call.kind_name() == "call_expression");
    let object = member.field("target").filter(|_| is_called);
    object.is_none_or(|object| match object.kind_name() {
        "self_expression" => is_in_extension(src, member),
        "simple_identifier" => is_other(src, (member, of), text(src, object)),
        _ => true,
    })
}

/// Whether `self` at a call is what an extension is of that says more of it: `extension A where T == Int`.
fn is_in_extension(_: &[u8], call: Node<'_>) -> bool {
    let class = around(call).find(|above| TYPES.contains(&above.kind_name()));
    class.is_none_or(|class| class.named_of("type_constraints").is_some())
}

/// Whether a name may be something else than a type, or than a parameter of one: something else declares it.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), name: &[u8]) -> bool {
    let Some(all) = around(call).last().and_then(|root| below(root, |_| true)) else {
        return true;
    };
    let is_function = |node: &Node<'_>| {
        matches!(
            node.kind_name(),
            "function_declaration" | "init_declaration" | "lambda_literal" | "computed_property"
        )
    };
    let bound = all.iter().filter(|node| {
        let above = node.parent().map_or("", |above| above.kind_name());
        let is_binding = matches!(
            above,
            "pattern"
                | "parameter"
                | "lambda_parameter"
                | "capture_list_item"
                | "if_statement"
                | "guard_statement"
                | "while_statement"
                | "tuple_expression"
        );
        node.kind_name() == "simple_identifier" && is_binding && text(src, **node) == name
    });
    let bound: Vec<&Node<'_>> = bound.collect();
    if is_capital(name) {
        return name != of || !bound.is_empty();
    }
    let function = around(call).find(|above| is_function(above));
    let [one] = bound[..] else {
        return true;
    };
    let parameter = one.parent().filter(|of| of.kind_name() == "parameter");
    let is_own =
        parameter.is_some_and(|of| function.is_some_and(|own| around(of).next() == Some(own)));
    // `T...` is an array.
    let said = parameter.filter(|of| !text(src, *of).ends_with(b"..."));
    let said = said.and_then(|of| of.named_of("user_type"));
    !is_own || !said.is_some_and(|said| names(text(src, said), of))
}

/// Whether a type, or an extension of it, may have members that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let attributes = class.named_of("modifiers").into_iter();
    let attributes = attributes.flat_map(|of| of.all_of("attribute"));
    let mut attributes = attributes.chain(class.all_of("attribute"));
    let adds = |of: Node<'_>| !PLAIN.contains(&annotation(text(src, of)));
    let mut members = class.field("body").into_iter().flat_map(NodeExt::named);
    !TYPES.contains(&class.kind_name())
        || attributes.any(adds)
        || members.any(|member| member.kind_name() == "macro_invocation")
}
