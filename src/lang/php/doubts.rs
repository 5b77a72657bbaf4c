//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another (it is given
//! several values, comments say so, it is asked what it is), where `$this` may be another than the class around, and where
//! a type answers to any name.

use crate::syntax::calls::doubts::{Given, around, below, is_handed_on};
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::{inside, names};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

const FUNCTIONS: &[&str] =
    words!("method_declaration function_definition anonymous_function arrow_function");
/// Types that are looked at.
const TYPES: &[&str] =
    words!("class_declaration interface_declaration trait_declaration enum_declaration");
const CALLS: &[&str] =
    words!("member_call_expression nullsafe_member_call_expression scoped_call_expression");
/// What in a function asks whether something has a method, or expects that it has not.
const ASKING: &[&[u8]] =
    byte_words!("method_exists is_callable BadMethodCallException expectError hasMethod");
/// What makes a type answer to names that it does not have.
const ANSWERING: &[&[u8]] = byte_words!("__call __callStatic");
/// What comments say of members that something else has.
const SAYING: &[&[u8]] = &[b"@mixin", b"@method"];
/// Beginnings of the functions of the language that call what they are given as it is.
const CALLING: &[&[u8]] =
    byte_words!("array_ call_user_func iterator_apply preg_replace_callback uasort uksort usort");

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    // An import stands for itself.
    if of.is_empty() {
        return false;
    }
    let call = name
        .parent()
        .filter(|above| CALLS.contains(&above.kind_name()) && above.field("name") == Some(name));
    let Some(call) = call else {
        return true;
    };
    let Some(object) = call.field("object").or_else(|| call.field("scope")) else {
        return true;
    };
    let function = around(call).find(|above| {
        matches!(
            above.kind_name(),
            "method_declaration" | "function_definition"
        )
    });
    let own = function.map_or(src, |function| text(src, function));
    if ASKING.iter().any(|word| holds(own, word)) {
        return true;
    }
    is_other(src, (call, of), object)
}

fn holds(src: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(src, word).is_some()
}

/// Whether the object of a call may be of another type than it seems.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let object = inside(object);
    match object.kind_name() {
        "relative_scope" => is_bound_elsewhere(src, call),
        "variable_name" if text(src, object) == b"$this" => is_bound_elsewhere(src, call),
        "variable_name" => is_other_variable(src, (call, of), object),
        "member_access_expression" | "nullsafe_member_access_expression" => {
            is_other_field(src, (call, of), object)
        }
        "name" | "qualified_name" | "relative_name" | "object_creation_expression" => {
            !names(text(src, object), of)
        }
        // What is known of its result is asked elsewhere.
        kind => !CALLS.contains(&kind),
    }
}

/// The name of the call whose result a call by this name is of.
pub(super) fn result_called(name: Node<'_>) -> Option<Node<'_>> {
    let call = name.parent()?;
    let object = call.field("object").or_else(|| call.field("scope"))?;
    let object = Some(object).filter(|object| CALLS.contains(&object.kind_name()))?;
    object.field("name")
}

/// Whether what `$this` is may be said by who gets a function in which a call stands, or it is in a class without a name.
fn is_bound_elsewhere(src: &[u8], call: Node<'_>) -> bool {
    for above in around(call) {
        match above.kind_name() {
            "class_declaration" => return false,
            "anonymous_class" => return true,
            "anonymous_function" | "arrow_function" => {
                let mut outer =
                    around(above).filter(|of| !matches!(of.kind_name(), "argument" | "arguments"));
                let called = outer
                    .next()
                    .and_then(|taking| taking.field_of("function", "name"));
                let is_called = called.is_some_and(|name| {
                    let name = text(src, name);
                    CALLING.iter().any(|begin| name.starts_with(begin))
                });
                if !is_called {
                    return true;
                }
            }
            _ => {}
        }
    }
    true
}

fn is_other_variable(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let whole = text(src, object);
    let mut functions = around(call).filter(|above| FUNCTIONS.contains(&above.kind_name()));
    let Some(scope) = functions.next().or_else(|| around(call).last()) else {
        return true;
    };
    // What a closure takes with it is given around it.
    let scope = match scope.kind_name() {
        "anonymous_function" | "arrow_function" => around(scope)
            .find(|above| {
                matches!(
                    above.kind_name(),
                    "method_declaration" | "function_definition"
                )
            })
            .or_else(|| around(call).last())
            .unwrap_or(scope),
        _ => scope,
    };
    let Some(all) = below(scope, |_| true) else {
        return true;
    };
    let given: Vec<Given<'_>> = all
        .iter()
        .filter_map(|node| given_to(src, *node, whole))
        .collect();
    let is_open = given.iter().any(|given| {
        given.is_either
            || !(given.said.or(given.value)).is_some_and(|told| names(text(src, told), of))
    });
    let is_asked = all.iter().any(|node| {
        let operator = node.field("operator").map(|of| text(src, of));
        let left = node.field("left").map(|of| text(src, of));
        operator.is_some_and(|of| of.eq_ignore_ascii_case(b"instanceof")) && left == Some(whole)
    });
    given.is_empty()
        || is_open
        || is_asked
        || is_handed_on(src, &all, whole, ("function_call_expression", "function"))
        || is_said_to_be_more(src, scope, whole)
}

/// Whether a comment in a function or before it speaks of a variable, as of several types or of one that is not written.
fn is_said_to_be_more(src: &[u8], scope: Node<'_>, name: &[u8]) -> bool {
    let before = scope
        .prev_sibling()
        .filter(|node| node.kind_name() == "comment");
    let start = before.map_or(scope.start_byte(), |comment| comment.start_byte());
    let own = src.get(start..scope.end_byte()).unwrap_or_default();
    let mut lines = own.split(|b| *b == b'\n');
    lines.any(|line| {
        holds(line, name)
            && (holds(line, b"@var")
                || holds(line, b"assert")
                || (holds(line, b"@param") && line.iter().any(|b| matches!(b, b'|' | b'&'))))
    })
}

/// What a node gives to a variable; `None` where it gives something to another.
fn given_to<'t>(src: &[u8], node: Node<'t>, name: &[u8]) -> Option<Given<'t>> {
    let is_it = |field: &str| node.field(field).is_some_and(|of| text(src, of) == name);
    let given = |value, said, is_either| {
        Some(Given {
            value,
            said,
            is_either,
        })
    };
    match node.kind_name() {
        "simple_parameter" | "property_promotion_parameter" if is_it("name") => {
            given(None, node.field("type"), false)
        }
        "variadic_parameter" if is_it("name") => given(None, None, true),
        "assignment_expression" if is_it("left") => given(node.field("right"), None, false),
        "augmented_assignment_expression" | "reference_assignment_expression" if is_it("left") => {
            given(None, None, true)
        }
        "static_variable_declaration" if is_it("name") => given(None, None, true),
        "catch_clause" if is_it("name") => given(None, node.field("type"), false),
        "variable_name" if text(src, node) == name => {
            let above = node.parent()?;
            let is_opened = match above.kind_name() {
                "by_ref" | "list_literal" | "global_declaration" | "array_element_initializer" => {
                    true
                }
                "pair" => around(above).next().is_some_and(|of| {
                    matches!(of.kind_name(), "foreach_statement" | "list_literal")
                }),
                "foreach_statement" => true,
                _ => false,
            };
            is_opened.then(|| given(None, None, true))?
        }
        _ => None,
    }
}

/// Whether a property may be of another type than it seems: none is written where it is declared, or several are, or it is
/// not one of `$this`.
fn is_other_field(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let (Some(whose), Some(name)) = (object.field("object"), object.field("name")) else {
        return true;
    };
    if text(src, whose) != b"$this" || is_bound_elsewhere(src, call) {
        return true;
    }
    let name = [b"$", text(src, name)].concat();
    let Some(root) = around(call).last() else {
        return true;
    };
    let Some(all) = below(root, |_| true) else {
        return true;
    };
    let declared = all.iter().filter_map(|node| {
        let (named, said) = match node.kind_name() {
            "property_element" => (node.field("name"), node.parent()?.field("type")),
            "property_promotion_parameter" => (node.field("name"), node.field("type")),
            _ => return None,
        };
        named
            .filter(|named| text(src, *named) == name)
            .map(|_| (*node, said))
    });
    let declared: Vec<(Node<'_>, Option<Node<'_>>)> = declared.collect();
    let is_open = |(node, said): &(Node<'_>, Option<Node<'_>>)| {
        let comment = node
            .parent()
            .and_then(|of| of.prev_sibling())
            .filter(|before| before.kind_name() == "comment");
        !said.is_some_and(|said| names(text(src, said), of))
            || comment.is_some_and(|of| text(src, of).iter().any(|b| matches!(b, b'|' | b'&')))
    };
    let asks = [b"instanceof", &b"assert("[..]];
    let path = text(src, object);
    let is_asked = src
        .split(|b| *b == b'\n')
        .any(|line| holds(line, path) && asks.iter().any(|word| holds(line, word)));
    declared.is_empty() || is_asked || declared.iter().any(is_open)
}

/// Whether a type may have members that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let comment = class
        .prev_sibling()
        .filter(|before| before.kind_name() == "comment");
    let says = comment.is_some_and(|comment| {
        let comment = text(src, comment);
        SAYING.iter().any(|word| holds(comment, word))
    });
    let methods = class.field("body").into_iter();
    let mut methods = methods.flat_map(|body| body.all_of("method_declaration"));
    let mut answers = |method: Node<'_>| {
        method.field("name").is_some_and(|name| {
            let name = text(src, name);
            ANSWERING.iter().any(|word| name.eq_ignore_ascii_case(word))
        })
    };
    !TYPES.contains(&class.kind_name()) || says || methods.any(&mut answers)
}
