//! Whether what is called on an object may be there although the type that the object seems to be of does not have it.
//!
//! Guarantees: only what is written around the call is looked at. It says yes where the object may be another (it is given
//! several values, it is asked what it is), where `self` is not the class around, and where what goes wrong is expected.

use crate::syntax::calls::doubts::{Given, around, below, differ, is_handed_on, type_is_open};
use crate::syntax::calls::rows::text;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

const FUNCTIONS: &[&str] = words!("function_definition lambda");
/// Gives one of several values, or what an operator makes of it.
const MIXED: &[&str] = words!(
    "boolean_operator conditional_expression binary_operator comparison_operator unary_operator lambda named_expression
     yield"
);
/// What is raised where a name or a member is missing, and what asks for it to be raised.
const EXPECTED: &[&[u8]] = byte_words!(
    "AttributeError Exception BaseException ImportError ModuleNotFoundError NameError TypeError"
);

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, _: &[u8]) -> bool {
    if is_tried(src, name) {
        return true;
    }
    let member = name
        .parent()
        .filter(|above| above.kind_name() == "attribute" && above.field("attribute") == Some(name));
    let Some(object) = member.and_then(|member| member.field("object")) else {
        return false;
    };
    let object = inner(object);
    match object.kind_name() {
        "identifier" => {
            let own = text(src, object);
            matches!(own, b"self" | b"cls") && is_other_self(src, object, own)
                || is_other(src, object, true)
        }
        "attribute" => is_other(src, object, false),
        "call" => {
            let callee = object.field("function");
            callee.is_some_and(|of| text(src, of) == b"super") && is_other_self(src, object, b"")
        }
        kind => MIXED.contains(&kind),
    }
}

/// What is in parentheses and the like.
fn inner(mut node: Node<'_>) -> Node<'_> {
    while matches!(node.kind_name(), "parenthesized_expression" | "await") {
        let Some(within) = node.named().find(|part| !part.is_extra()) else {
            break;
        };
        node = within;
    }
    node
}

/// Whether something is written for the case that a name is not there: an import in `try`, a call where `AttributeError`
/// is caught or asked for.
fn is_tried(src: &[u8], name: Node<'_>) -> bool {
    let is_import = around(name)
        .take(3)
        .any(|above| above.kind_name().starts_with("import"));
    let is_expected = |said: &[u8]| {
        let mut words = said.split(|b| !b.is_ascii_alphanumeric());
        words.any(|word| EXPECTED.contains(&word) && (is_import || word != b"Exception"))
    };
    around(name).any(|above| match above.kind_name() {
        "try_statement" => {
            let mut handlers = above.all_of("except_clause");
            handlers.any(|handler| {
                let head = handler
                    .named()
                    .next()
                    .filter(|part| part.kind_name() != "block");
                is_import || head.is_none_or(|head| is_expected(text(src, head)))
            })
        }
        "with_statement" => {
            let head = above.named_of("with_clause");
            head.is_some_and(|head| is_expected(text(src, head)))
        }
        _ => false,
    })
}

/// Whether `self` or `cls` is something else than the class around: that of a function in a method, or of a static method.
fn is_other_self(src: &[u8], object: Node<'_>, own: &[u8]) -> bool {
    for function in around(object) {
        let kind = function.kind_name();
        if kind == "class_definition" {
            return false;
        }
        if !FUNCTIONS.contains(&kind) {
            continue;
        }
        let parameters = function.field("parameters");
        let mut takes = parameters.into_iter().flat_map(NodeExt::named);
        let place = takes.position(|one| text(src, one) == own);
        let (block, decorated) = match function.parent() {
            Some(above) if above.kind_name() == "decorated_definition" => {
                (above.parent(), Some(above))
            }
            above => (above, None),
        };
        let class = block.and_then(|block| block.parent());
        let is_method = class.is_some_and(|of| of.kind_name() == "class_definition");
        if !is_method || kind == "lambda" {
            // What a function takes hides what is around it.
            match place {
                Some(_) => return true,
                None => continue,
            }
        }
        let is_static = decorated.is_some_and(|of| {
            let mut decorators = of.all_of("decorator");
            decorators.any(|one| text(src, one).ends_with(b"staticmethod"))
        });
        return is_static || (!own.is_empty() && place != Some(0));
    }
    false
}

/// Whether a value may be more than what it is made of.
fn is_open(value: Node<'_>) -> bool {
    MIXED.contains(&inner(value).kind_name())
}

/// Whether an object by name, or a field, may be given more than one value, or more members.
fn is_other(src: &[u8], object: Node<'_>, is_local: bool) -> bool {
    let whole = text(src, object);
    let name = match object.field("attribute") {
        Some(attribute) => text(src, attribute),
        None => whole,
    };
    let is_scope = |above: &Node<'_>| FUNCTIONS.contains(&above.kind_name());
    let Some(module) = around(object).last() else {
        return true;
    };
    let locals = around(object).filter(|above| is_local && is_scope(above));
    let scopes: Vec<Node<'_>> = locals.chain([module]).collect();
    for scope in scopes {
        let enters = |node: Node<'_>| {
            !is_local || !(is_scope(&node) || node.kind_name() == "class_definition")
        };
        let Some(own) = below(scope, enters) else {
            return true;
        };
        let given: Vec<Given<'_>> = own
            .iter()
            .filter_map(|node| given_to(src, *node, (whole, name), is_local))
            .collect();
        if given.is_empty() && scope != module {
            continue;
        }
        let Some(all) = below(scope, |_| true) else {
            return true;
        };
        let is_rebound = all.iter().any(|node| match node.kind_name() {
            "nonlocal_statement" | "global_statement" | "delete_statement" => {
                node.named().any(|one| text(src, one) == whole)
            }
            "augmented_assignment" => {
                let left = node.field("left");
                left.is_some_and(|left| text(src, left) == whole)
            }
            "assignment" => {
                let left = node.field_of("left", "attribute");
                let of = left.filter(|left| {
                    let part = left.field("attribute");
                    part.is_some_and(|part| text(src, part) == b"__class__")
                });
                of.and_then(|left| left.field("object"))
                    .is_some_and(|of| text(src, of) == whole)
            }
            _ => false,
        });
        let is_open = given.iter().any(|given| {
            given.is_either
                || given.value.is_some_and(is_open)
                || given.said.is_some_and(|said| type_is_open(text(src, said)))
        });
        return is_rebound
            || is_open
            || differ(src, &given)
            || is_handed_on(src, &all, whole, ("call", "function"));
    }
    false
}

/// What a node gives to a name or a field; `None` where it gives something to another.
fn given_to<'t>(
    src: &[u8],
    node: Node<'t>,
    (whole, name): (&[u8], &[u8]),
    is_local: bool,
) -> Option<Given<'t>> {
    let is_it = |of: Node<'_>| match is_local {
        true => text(src, of) == whole,
        // In the body of a class a field stands alone.
        false => match of.field("attribute") {
            Some(attribute) => text(src, attribute) == name,
            None => text(src, of) == name && is_in_class(of),
        },
    };
    let given = |value, is_either| {
        Some(Given {
            value,
            said: node.field("type"),
            is_either,
        })
    };
    let holds = |field: &str| node.field(field).is_some_and(&is_it);
    match node.kind_name() {
        "assignment" if holds("left") => match (node.field("right"), node.field("type")) {
            (None, None) => None,
            (value, _) => given(value, false),
        },
        "named_expression" if is_local && holds("name") => given(node.field("value"), false),
        "typed_parameter" if is_local && node.named().next().is_some_and(is_it) => {
            given(None, false)
        }
        "typed_default_parameter" if is_local && holds("name") => given(None, false),
        "default_parameter" if is_local && holds("name") => given(None, true),
        // A list of names, what is run through, opened or caught.
        "identifier" if is_local && text(src, node) == whole => {
            let above = node.parent()?;
            match above.kind_name() {
                "parameters" | "lambda_parameters" => given(None, false),
                "for_statement" | "for_in_clause" if above.field("left") == Some(node) => {
                    given(None, false)
                }
                "pattern_list" | "tuple_pattern" | "list_pattern" => given(None, false),
                // What is opened is what opening it gives.
                "as_pattern_target" => given(None, true),
                "dotted_name" if is_imported(above) => given(Some(above), false),
                "aliased_import" if above.field("alias") == Some(node) => given(Some(above), false),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a name of one part is imported as such.
fn is_imported(path: Node<'_>) -> bool {
    let above = path.parent().map(|above| above.kind_name());
    above == Some("import_statement") && path.named_child_count() == 1
}

fn is_in_class(node: Node<'_>) -> bool {
    let mut blocks = around(node).filter(|above| {
        matches!(
            above.kind_name(),
            "class_definition" | "function_definition" | "lambda"
        )
    });
    blocks
        .next()
        .is_some_and(|of| of.kind_name() == "class_definition")
}
