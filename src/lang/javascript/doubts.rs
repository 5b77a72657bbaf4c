//! Whether what is called on an object may be there although the type that the object seems to be of does not have it.
//!
//! Guarantees: only what is written around the call is looked at. It says yes where the object may be another (it is given
//! several values, a cast, a guard), where `this` is not the class around, and where the call is only made if the member
//! is there.

use crate::syntax::calls::doubts::{Given, around, below, differ, is_handed_on, type_is_open};
use crate::syntax::calls::rows::text;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

const ARROW: &str = "arrow_function";
const FUNCTIONS: &[&str] = words!(
    "arrow_function function_declaration function_expression generator_function generator_function_declaration
     method_definition"
);
/// Around an object without being another.
const WRAPS: &[&str] = words!("parenthesized_expression non_null_expression await_expression");
const CASTS: &[&str] = words!("as_expression satisfies_expression type_assertion");
/// Gives one of several values, or a new one.
const MIXED: &[&str] = words!(
    "ternary_expression binary_expression augmented_assignment_expression object array yield_expression
     sequence_expression"
);
/// Objects of libraries whose functions give what they are handed, and more.
const MIXERS: &[&[u8]] = byte_words!("Object Reflect _ $ jQuery lodash R vi jest sinon angular");

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, _: &[u8]) -> bool {
    // Names in the object of `with` are its members.
    if around(name).any(|above| above.kind_name() == "with_statement") {
        return true;
    }
    let member = name
        .parent()
        .filter(|above| above.kind_name() == "member_expression");
    let Some(object) = member.and_then(|member| member.field("object")) else {
        return false;
    };
    let call =
        around(name).find(|above| !WRAPS.contains(&above.kind_name()) && Some(*above) != member);
    let Some(call) = call.filter(|call| call.kind_name() == "call_expression") else {
        return true;
    };
    let is_optional = |part: Node<'_>| matches!(part.kind_name(), "?." | "optional_chain");
    if call.parts().any(is_optional) {
        return true;
    }
    let object = inner(object);
    match object.kind_name() {
        "this" | "super" => is_other_this(src, call),
        "identifier" => is_other(src, call, object, true),
        "member_expression" => is_other(src, call, object, false),
        _ => is_open(src, object),
    }
}

/// What is in parentheses and the like.
fn inner(mut node: Node<'_>) -> Node<'_> {
    while WRAPS.contains(&node.kind_name()) {
        let Some(within) = node.named().find(|part| !part.is_extra()) else {
            break;
        };
        node = within;
    }
    node
}

/// Whether a value may be more than what it is made of.
fn is_open(src: &[u8], value: Node<'_>) -> bool {
    let value = inner(value);
    let kind = value.kind_name();
    if CASTS.contains(&kind) {
        let said = value.named().filter(|part| !part.is_extra());
        return said
            .skip(usize::from(kind != "type_assertion"))
            .take(1)
            .any(|said| type_is_open(text(src, said)));
    }
    if kind != "call_expression" {
        return MIXED.contains(&kind);
    }
    let mut given = value
        .field("arguments")
        .into_iter()
        .flat_map(NodeExt::named);
    let of = value
        .field_of("function", "member_expression")
        .and_then(|callee| callee.field("object"));
    of.is_some_and(|of| MIXERS.contains(&text(src, of)))
        || given.any(|one| inner(one).kind_name() == "new_expression")
}

/// Whether `this` is something else than the class around: that of a function in a method, or of a literal's own method.
fn is_other_this(src: &[u8], call: Node<'_>) -> bool {
    let mut functions = around(call).filter(|above| {
        let kind = above.kind_name();
        kind != ARROW && (FUNCTIONS.contains(&kind) || kind == "class_body")
    });
    let Some(own) = functions.next() else {
        return false;
    };
    let says_this = own.field("parameters").is_some_and(|parameters| {
        parameters.named().any(|one| {
            one.field("pattern")
                .is_some_and(|name| text(src, name) == b"this")
        })
    });
    match own.kind_name() {
        "class_body" => false,
        "method_definition" => {
            says_this
                || own
                    .parent()
                    .is_some_and(|of| of.kind_name() != "class_body")
        }
        _ => {
            let is_given = own.parent().is_some_and(|of| of.kind_name() == "arguments");
            says_this || is_given || functions.next().is_some()
        }
    }
}

/// Whether an object by name, or a field, may be given more than one value, or more members.
fn is_other(src: &[u8], call: Node<'_>, object: Node<'_>, is_local: bool) -> bool {
    let whole = text(src, object);
    let name = match object.field("property") {
        Some(property) => text(src, property),
        None => whole,
    };
    let is_scope = |above: &Node<'_>| FUNCTIONS.contains(&above.kind_name());
    let mut scopes: Vec<Node<'_>> = around(call).filter(is_scope).collect();
    let Some(program) = around(call).last() else {
        return true;
    };
    scopes.push(program);
    if !is_local {
        scopes = vec![program];
    }
    for scope in scopes {
        let is_own = |node: Node<'_>| !is_local || !FUNCTIONS.contains(&node.kind_name());
        let Some(own) = below(scope, is_own) else {
            return true;
        };
        let reaches = |given: &Node<'_>| !is_local || block_holds(*given, call);
        let declared = own.iter().filter(|node| reaches(node));
        let mut given: Vec<Given<'_>> = declared
            .filter_map(|node| declared_as(src, *node, name))
            .collect();
        if given.is_empty() && scope != program {
            continue;
        }
        let Some(all) = below(scope, |_| true) else {
            return true;
        };
        let assigned = all.iter().filter_map(|node| {
            let left = node.field("left")?;
            let is_it = match is_local {
                true => text(src, left) == whole,
                false => left
                    .field("property")
                    .is_some_and(|of| text(src, of) == name),
            };
            let is_assignment = node.kind_name() == "assignment_expression";
            (is_assignment && is_it).then(|| Given {
                value: node.field("right"),
                said: None,
                is_either: false,
            })
        });
        given.extend(assigned);
        // `x['a' + 1] = ..`, what counts up or adds, and `'a' in x`.
        let is_filled = all.iter().any(|node| {
            let left = node.field("left");
            let of = left.and_then(|left| left.field("object"));
            let is_index = left.is_some_and(|left| left.kind_name() == "subscript_expression");
            let adds = node.kind_name() == "augmented_assignment_expression";
            (is_index && of.is_some_and(|of| text(src, of) == whole))
                || (adds && left.is_some_and(|left| text(src, left) == whole))
                || (asks_for_member(*node)
                    && node.field("right").is_some_and(|of| text(src, of) == whole))
        });
        let is_open = given.iter().any(|given| {
            given.is_either
                || given.value.is_some_and(|value| is_open(src, value))
                || given.said.is_some_and(|said| type_is_open(text(src, said)))
        });
        return is_filled
            || is_open
            || differ(src, &given)
            || is_handed_on(src, &all, whole, ("call_expression", "function"));
    }
    false
}

fn asks_for_member(node: Node<'_>) -> bool {
    let operator = node.field("operator").map(|of| of.kind_name());
    node.kind_name() == "binary_expression" && operator == Some("in")
}

/// Whether the block in which something is declared holds a call.
fn block_holds(declared: Node<'_>, call: Node<'_>) -> bool {
    let block = around(declared).find(|above| {
        let kind = above.kind_name();
        kind == "statement_block"
            || kind == "program"
            || kind == "for_statement"
            || kind == "for_in_statement"
            || kind == "catch_clause"
            || kind == "switch_body"
            || FUNCTIONS.contains(&kind)
    });
    block.is_none_or(|block| {
        let range = block.byte_range();
        range.start <= call.start_byte() && call.end_byte() <= range.end
    })
}

/// What a node gives to a name that it declares; `None` where it declares another, or gives it nothing.
fn declared_as<'t>(src: &[u8], node: Node<'t>, name: &[u8]) -> Option<Given<'t>> {
    let is_it = |field: &str| node.field(field).is_some_and(|of| text(src, of) == name);
    let (value, said) = (node.field("value"), node.field("type"));
    let given = |value, is_either| {
        let of = Given {
            value,
            said,
            is_either,
        };
        Some(of)
    };
    let has_any = value.is_some() || said.is_some();
    match node.kind_name() {
        "variable_declarator" if has_any && is_it("name") => given(value, false),
        "public_field_definition" if has_any && is_it("name") => given(value, false),
        "field_definition" if has_any && is_it("property") => given(value, false),
        "required_parameter" | "optional_parameter" if is_it("pattern") => given(None, false),
        "for_in_statement" if is_it("left") => given(None, false),
        "arrow_function" if is_it("parameter") => given(None, false),
        "assignment_pattern" | "object_assignment_pattern" if is_it("left") => given(None, true),
        "identifier" | "shorthand_property_identifier_pattern" if text(src, node) == name => {
            let above = node.parent().map(|above| above.kind_name());
            let is_declared = matches!(
                above,
                Some("formal_parameters" | "object_pattern" | "array_pattern" | "catch_clause")
            );
            is_declared.then(|| given(None, false))?
        }
        _ => None,
    }
}
