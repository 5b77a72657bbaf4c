//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a class may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another, where `self` may
//! be another than the class around, and where something in a class may define methods.

use crate::syntax::calls::doubts::{Given, around, below, is_handed_on};
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::names;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

const METHODS: &[&str] = words!("method singleton_method");
/// What is only done on a condition, or may fail.
const GUARDS: &[&str] = words!(
    "begin block do_block if if_modifier method rescue rescue_modifier singleton_method unless unless_modifier case conditional
     body_statement"
);
const BLOCKS: &[&str] = words!("block do_block lambda");
/// What in a method asks whether something has one, or expects that it has not.
const ASKING: &[&[u8]] = byte_words!(
    "NoMethodError NameError respond_to method_defined defined? instance_eval instance_exec class_eval"
);
/// What in a class answers to names that it does not have, or defines methods.
const DEFINING: &[&[u8]] = byte_words!(
    "attr_internal class_eval class_exec class_variable_get const_missing define_method define_singleton_method eval
     instance_eval instance_exec method_added method_missing module_eval module_exec respond_to_missing
     remove_method undef_method singleton_class"
);
/// What is called in the body of a class without adding methods that are not written.
const PLAIN: &[&[u8]] = byte_words!(
    "alias_method attr_accessor attr_reader attr_writer autoload extend freeze include module_function prepend private
     private_class_method private_constant protected public public_class_method puts raise require
     require_relative using warn"
);

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    if of.is_empty() {
        return around(name).any(|above| GUARDS.contains(&above.kind_name()));
    }
    let call = name
        .parent()
        .filter(|above| above.kind_name() == "call" && above.field("method") == Some(name));
    let (Some(call), Some(method)) = (
        call,
        around(name).find(|above| METHODS.contains(&above.kind_name())),
    ) else {
        return true;
    };
    let own = text(src, method);
    let asks = |word: &&[u8]| memchr::memmem::find(own, word).is_some();
    let is_rescued = around(name).any(|above| above.kind_name() == "rescue_modifier");
    let Some(object) = call.field("receiver") else {
        return true;
    };
    is_rescued || ASKING.iter().any(asks) || is_other(src, (call, method), object, of)
}

/// Whether the object of a call may be of another type than it seems.
fn is_other(src: &[u8], (call, method): (Node<'_>, Node<'_>), object: Node<'_>, of: &[u8]) -> bool {
    match object.kind_name() {
        // Whom a block is given to says what `self` is in it.
        "self" | "super" => {
            let mut inside = around(call).take_while(|above| *above != method);
            let is_odd = method
                .field("object")
                .is_some_and(|object| object.kind_name() != "self");
            is_odd || inside.any(|above| BLOCKS.contains(&above.kind_name()))
        }
        "constant" | "scope_resolution" => !names(text(src, object), of),
        "identifier" => is_given_otherwise(src, method, (object, of)),
        "instance_variable" => {
            let class = around(method).find(|above| above.kind_name() == "class");
            class.is_none_or(|class| is_given_otherwise(src, class, (object, of)))
        }
        "call" => !makes(src, object, of),
        _ => true,
    }
}

/// Whether a value is a new instance of a class of a name, which no block may change.
fn makes(src: &[u8], value: Node<'_>, of: &[u8]) -> bool {
    let is_new = value
        .field("method")
        .is_some_and(|of| text(src, of) == b"new");
    let class = value.field("receiver").filter(|_| is_new);
    class.is_some_and(|class| names(text(src, class), of)) && value.field("block").is_none()
}

/// Whether what a name is given in a method or class is not one and the same.
fn is_given_otherwise(src: &[u8], within: Node<'_>, (object, of): (Node<'_>, &[u8])) -> bool {
    let whole = text(src, object);
    let Some(all) = below(within, |_| true) else {
        return true;
    };
    let is_it = |node: Option<Node<'_>>| node.is_some_and(|node| text(src, node) == whole);
    let given: Vec<Given<'_>> = all
        .iter()
        .filter(|node| node.kind_name() == "assignment" && is_it(node.field("left")))
        .map(|node| Given {
            value: node.field("right"),
            said: None,
            is_either: false,
        })
        .collect();
    let is_taken = all.iter().any(|node| match node.kind_name() {
        "operator_assignment" => is_it(node.field("left")),
        "identifier" | "instance_variable" => {
            let above = node.parent().map_or("", |above| above.kind_name());
            text(src, *node) == whole
                && matches!(
                    above,
                    "block_parameters"
                        | "method_parameters"
                        | "lambda_parameters"
                        | "optional_parameter"
                        | "keyword_parameter"
                        | "left_assignment_list"
                        | "destructured_parameter"
                        | "exception_variable"
                        | "for"
                )
        }
        _ => false,
    });
    let is_mixed = given
        .iter()
        .any(|given| given.value.is_none_or(|value| !makes(src, value, of)));
    let changes = [
        &b".extend"[..],
        b".singleton_class",
        b".define_singleton_method",
        b".instance_eval",
    ];
    let is_changed = changes.iter().any(|word| {
        let words = [whole, word].concat();
        memchr::memmem::find(text(src, within), &words).is_some()
    });
    given.is_empty()
        || is_taken
        || is_mixed
        || is_changed
        || is_handed_on(src, &all, whole, ("call", "method"))
}

/// Whether a class may have methods that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let kind = class.kind_name();
    if !matches!(kind, "class" | "module" | "singleton_class") {
        return true;
    }
    let base = class
        .field("superclass")
        .and_then(|base| base.named().next());
    if base.is_some_and(|base| !matches!(base.kind_name(), "constant" | "scope_resolution")) {
        return true;
    }
    let own = text(src, class);
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut words = own.split(|b| !is_word(b));
    if words.any(|word| DEFINING.contains(&word)) {
        return true;
    }
    let inside = |node: Node<'_>| !METHODS.contains(&node.kind_name());
    let Some(all) = below(class, inside) else {
        return true;
    };
    all.iter().any(|node| {
        let above = node.parent().map_or("", |above| above.kind_name());
        match node.kind_name() {
            // A word alone may be a call.
            "identifier" if above == "body_statement" => !PLAIN.contains(&text(src, *node)),
            "call" if node.field("receiver").is_none() => {
                let called = node.field("method").map_or(&b""[..], |of| text(src, of));
                let is_mixing = matches!(called, b"include" | b"extend" | b"prepend");
                let mut given = node.field("arguments").into_iter().flat_map(NodeExt::named);
                !PLAIN.contains(&called)
                    || (is_mixing
                        && given.any(|one| {
                            !matches!(one.kind_name(), "constant" | "scope_resolution" | "self")
                        }))
            }
            _ => false,
        }
    })
}
