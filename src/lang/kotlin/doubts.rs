//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another, be it by what is
//! asked of it, and of types that a plugin of the compiler may add to.

use crate::syntax::calls::doubts::{annotation, around, below};
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::{Variable, Variables, is_capital, names};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// How variables are declared.
const VARIABLES: Variables = Variables {
    functions: words!(
        "function_declaration secondary_constructor anonymous_function lambda_literal getter setter anonymous_initializer"
    ),
    unsaid: &[],
};
/// Types that are looked at.
const TYPES: &[&str] = words!("class_declaration object_declaration companion_object");
/// Annotations that add nothing.
const PLAIN: &[&[u8]] = byte_words!(
    "Deprecated ExperimentalStdlibApi JvmInline JvmName JvmOverloads JvmStatic OptIn PublishedApi Suppress SuppressWarnings Throws"
);

fn declares(node: Node<'_>) -> Option<Variable<'_>> {
    let is_type = |part: &Node<'_>| {
        matches!(
            part.kind_name(),
            "user_type" | "nullable_type" | "function_type" | "parenthesized_type"
        )
    };
    let name = || node.named_of("identifier");
    let said = || node.named().find(is_type);
    let (name, said, value) = match node.kind_name() {
        "variable_declaration" => {
            let above = node
                .parent()
                .filter(|above| above.kind_name() == "property_declaration");
            let value = above
                .and_then(|above| above.last_named())
                .filter(|last| *last != node);
            // What stands for it, or what gives it anew each time, is no value.
            let value = value.filter(|value| value.kind_name() == "call_expression");
            (name(), said(), value)
        }
        // `vararg` gives an array.
        "parameter" | "class_parameter" | "catch_block" => {
            (name(), said().filter(|_| !has_modifiers(node)), None)
        }
        _ => return None,
    };
    Some(Variable {
        name: name?,
        said,
        value,
    })
}

/// Whether something is said of a parameter before its name.
fn has_modifiers(parameter: Node<'_>) -> bool {
    let before = parameter.prev_sibling();
    let before = before.filter(|before| before.kind_name() == "parameter_modifiers");
    before.is_some()
        || parameter
            .named_of("modifiers")
            .is_some_and(|of| of.named_of("parameter_modifier").is_some())
}

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    // An import stands for itself.
    if of.is_empty() {
        return false;
    }
    let member = name
        .parent()
        .filter(|above| above.kind_name() == "navigation_expression");
    let Some(member) = member.filter(|member| member.last_named() == Some(name)) else {
        return true;
    };
    let is_called = member.parent().is_some_and(|call| {
        call.kind_name() == "call_expression" && call.named().next() == Some(member)
    });
    let object = member.named().next().filter(|_| is_called);
    object.is_none_or(|object| is_other(src, (member, of), object))
}

/// Whether the object of a call may be of another type than it seems.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let whole = text(src, object);
    match object.kind_name() {
        // What a block is called on is `this` in it.
        "this_expression" | "super_expression" => around(call)
            .take_while(|above| !TYPES.contains(&above.kind_name()))
            .any(|above| {
                matches!(
                    above.kind_name(),
                    "lambda_literal" | "annotated_lambda" | "object_literal" | "anonymous_function"
                ) || (above.kind_name() == "function_declaration" && is_extension(above))
            }),
        "identifier" if is_capital(whole) => whole != of || is_declared(src, call, whole),
        "identifier" => {
            VARIABLES.may_be_other(src, call, (whole, of), false, declares)
                || is_asked(src, call, whole)
        }
        "call_expression" => !names(whole, of),
        _ => true,
    }
}

/// Whether a function is written for a type that stands elsewhere.
fn is_extension(function: Node<'_>) -> bool {
    let name = function.field("name");
    let mut before = function
        .named()
        .take_while(|part| Some(*part) != name)
        .filter(|part| {
            matches!(
                part.kind_name(),
                "user_type" | "nullable_type" | "parenthesized_type"
            )
        });
    before.next().is_some()
}

/// Whether a file declares a variable of a name anywhere.
fn is_declared(src: &[u8], call: Node<'_>, name: &[u8]) -> bool {
    let all = around(call).last().and_then(|root| below(root, |_| true));
    all.is_none_or(|all| {
        let mut declared = all.into_iter().filter_map(declares);
        declared.any(|one| text(src, one.name) == name)
    })
}

/// Whether a file asks of something by this name what it is, or makes it another.
fn is_asked(src: &[u8], call: Node<'_>, name: &[u8]) -> bool {
    let all = around(call).last().and_then(|root| below(root, |_| true));
    all.is_none_or(|all| {
        all.iter().any(|node| {
            let asks = matches!(
                node.kind_name(),
                "is_expression" | "as_expression" | "when_subject"
            );
            let mut of = node.named();
            asks && of.any(|of| text(src, of) == name)
        })
    })
}

/// Whether a type may have members that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let annotations = class.named_of("modifiers").into_iter();
    let mut annotations = annotations.flat_map(|of| of.all_of("annotation"));
    let words = |of: Node<'_>| !PLAIN.contains(&annotation(text(src, of)));
    // By another type (`class A(b: B) : B by b`), and what a build defines for each platform.
    let is_shared = class.named_of("modifiers").is_some_and(|of| {
        let words = text(src, of).split(|b| b.is_ascii_whitespace());
        words
            .into_iter()
            .any(|word| matches!(word, b"expect" | b"actual" | b"external"))
    });
    !TYPES.contains(&class.kind_name()) || is_shared || annotations.any(words)
}
