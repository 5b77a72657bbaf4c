//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes where the object may be another, and where a
//! generator may write a part of the type.

use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::{Variable, Variables, inside, is_capital, names};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// How variables are declared.
const VARIABLES: Variables = Variables {
    functions: words!(
        "method_declaration constructor_declaration destructor_declaration local_function_statement lambda_expression
         anonymous_method_expression accessor_declaration operator_declaration conversion_operator_declaration
         indexer_declaration"
    ),
    unsaid: byte_words!("var dynamic object"),
};
/// Types that are looked at.
const TYPES: &[&str] =
    words!("class_declaration struct_declaration record_declaration interface_declaration");

fn declares(node: Node<'_>) -> Option<Variable<'_>> {
    let (name, said, value) = match node.kind_name() {
        "variable_declarator" => {
            let around = node.parent()?;
            let value = node
                .last_named()
                .filter(|last| Some(*last) != node.field("name"));
            (node.field("name"), around.field("type"), value)
        }
        "parameter"
        | "parameter_list"
        | "declaration_expression"
        | "declaration_pattern"
        | "recursive_pattern"
        | "catch_declaration"
        | "property_declaration" => (node.field("name"), node.field("type"), None),
        "foreach_statement" => (
            node.field_of("left", "identifier"),
            node.field("type"),
            None,
        ),
        "implicit_parameter" => (Some(node), None, None),
        "var_pattern" | "from_clause" | "list_pattern" | "join_into_clause" => {
            (node.field("name"), None, None)
        }
        "identifier" => {
            let above = node.parent()?;
            let is_taken = matches!(
                above.kind_name(),
                "tuple_pattern"
                    | "parenthesized_variable_designation"
                    | "let_clause"
                    | "join_clause"
            );
            (Some(node).filter(|_| is_taken), None, None)
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
    let above = name.parent().map(|above| match above.kind_name() {
        "generic_name" => (above.parent(), above),
        _ => (Some(above), name),
    });
    let Some((Some(member), name)) = above else {
        return true;
    };
    let is_called = member.parent().is_some_and(|call| {
        call.kind_name() == "invocation_expression" && call.field("function") == Some(member)
    });
    let is_member =
        member.kind_name() == "member_access_expression" && member.field("name") == Some(name);
    let object = member
        .field("expression")
        .filter(|_| is_called && is_member);
    object.is_none_or(|object| is_other(src, (member, of), object))
}

/// Whether the object of a call may be of another type than it seems.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let object = inside(object);
    match object.kind_name() {
        "this" | "base" | "this_expression" | "base_expression" => false,
        "identifier" => {
            let name = text(src, object);
            let is_other = VARIABLES.may_be_other(src, call, (name, of), false, declares);
            // A type, or a property that is called like its type.
            is_other && (name != of || !is_capital(name) || is_declared(src, call, name))
        }
        "member_access_expression" => {
            let of_this = object
                .field("expression")
                .is_some_and(|whose| text(src, whose) == b"this");
            let field = object.field("name").filter(|_| of_this);
            field.is_none_or(|field| {
                VARIABLES.may_be_other(src, call, (text(src, field), of), true, declares)
            })
        }
        "object_creation_expression" => !names(text(src, object), of),
        // What is known of its result is asked elsewhere.
        kind => kind != "invocation_expression",
    }
}

/// The name of the call whose result a call by this name is of.
pub(super) fn result_called(name: Node<'_>) -> Option<Node<'_>> {
    let above = name.parent()?;
    let member = match above.kind_name() {
        "generic_name" => above.parent()?,
        _ => above,
    };
    let called = member
        .field_of("expression", "invocation_expression")?
        .field("function")?;
    let named = match called.kind_name() {
        "member_access_expression" => called.field("name")?,
        _ => called,
    };
    match named.kind_name() {
        "generic_name" => named.named_of("identifier"),
        _ => Some(named),
    }
}

/// Whether a file declares a variable of a name anywhere.
fn is_declared(src: &[u8], call: Node<'_>, name: &[u8]) -> bool {
    let all = crate::syntax::calls::doubts::around(call)
        .last()
        .and_then(|root| crate::syntax::calls::doubts::below(root, |_| true));
    all.is_none_or(|all| {
        let mut declared = all.into_iter().filter_map(declares);
        declared.any(|one| text(src, one.name) == name)
    })
}

/// Whether a type may have members that are not written.
pub(super) fn is_open_type(src: &[u8], class: Node<'_>) -> bool {
    let mut modifiers = class.all_of("modifier");
    !TYPES.contains(&class.kind_name()) || modifiers.any(|word| text(src, word) == b"partial")
}
