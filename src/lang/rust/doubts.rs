//! Whether what is called on an object may be there although the type that the object seems to be of does not have it, and
//! whether a type may have more than is written for it.
//!
//! Guarantees: only what is written in one file is looked at. It says yes of all objects but `self`, what is called by the
//! path of a type, and what takes its type from where it is declared, and of types that attributes or macros may add to.

use crate::syntax::calls::doubts::{around, below};
use crate::syntax::calls::rows::text;
use crate::syntax::calls::variables::names;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// Attributes that add no method.
const PLAIN: &[&[u8]] = byte_words!(
    "allow cfg cold deny deprecated derive doc doc_hidden expect inline must_use non_exhaustive repr track_caller warn"
);
/// Traits that may be derived: what they give is known.
const DERIVED: &[&[u8]] = byte_words!("Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd");
/// What binds names, apart from what declares parameters.
const BINDING: &[&str] = words!(
    "captured_pattern closure_parameters field_pattern for_expression match_pattern mut_pattern or_pattern
     ref_pattern reference_pattern slice_pattern tuple_pattern tuple_struct_pattern let_condition
     shorthand_field_identifier"
);

pub(super) fn is_doubtful(src: &[u8], name: Node<'_>, of: &[u8]) -> bool {
    let Some(above) = name.parent() else {
        return true;
    };
    // In a macro anything may become of it.
    if around(name).any(|above| matches!(above.kind_name(), "token_tree" | "macro_invocation")) {
        return true;
    }
    match above.kind_name() {
        "scoped_identifier" if above.field("name") == Some(name) => {
            let path = above.field("path");
            path.is_none_or(|path| text(src, path) != b"Self" && !names(text(src, path), of))
        }
        "field_expression" if above.field("field") == Some(name) => {
            let object = above.field("value");
            object.is_none_or(|object| match object.kind_name() {
                "self" => false,
                "identifier" => is_other(src, (above, of), object),
                _ => true,
            })
        }
        _ => true,
    }
}

/// Whether a variable may be of another type than it seems: it is not a parameter whose type is a path, or something else
/// in the function binds its name.
fn is_other(src: &[u8], (call, of): (Node<'_>, &[u8]), object: Node<'_>) -> bool {
    let name = text(src, object);
    let Some(function) = around(call).find(|above| above.kind_name() == "function_item") else {
        return true;
    };
    let Some(all) = below(function, |_| true) else {
        return true;
    };
    let bound = all.iter().filter(|node| {
        let above = node.parent().map_or("", |above| above.kind_name());
        let is_name = matches!(
            node.kind_name(),
            "identifier" | "shorthand_field_identifier"
        );
        is_name
            && text(src, **node) == name
            && (BINDING.contains(&above)
                || BINDING.contains(&node.kind_name())
                || (matches!(above, "parameter" | "let_declaration" | "match_arm")
                    && node.parent().and_then(|of| of.field("pattern")) == Some(**node)))
    });
    let bound: Vec<&Node<'_>> = bound.collect();
    let [one] = bound[..] else {
        return true;
    };
    let said = one.parent().filter(|of| of.kind_name() == "parameter");
    let said = said.and_then(|of| of.field("type"));
    said.is_none_or(|said| {
        let mut said = said;
        while let Some(inner) = said
            .field("type")
            .filter(|_| said.kind_name() == "reference_type")
        {
            said = inner;
        }
        !names(text(src, said), of)
    })
}

/// Whether a type, or a block of members of it, may have members that are not written.
pub(super) fn is_open_type(src: &[u8], part: Node<'_>) -> bool {
    let body = match part.kind_name() {
        "struct_item" => None,
        "impl_item" | "trait_item" => part.field("body"),
        _ => return true,
    };
    let mut before = std::iter::successors(part.prev_sibling(), |node| node.prev_sibling());
    let before = before
        .by_ref()
        .take_while(|node| node.is_extra() || node.kind_name() == "attribute_item");
    let mut attributes = before.filter(|node| node.kind_name() == "attribute_item");
    let members = body.into_iter().flat_map(NodeExt::named);
    let mut made = members.filter(|member| member.kind_name() == "macro_invocation");
    // What stands in a macro may be given more by that.
    let is_in_macro = around(part).any(|above| above.kind_name() == "token_tree");
    is_in_macro || made.next().is_some() || attributes.any(|of| adds_more(src, of))
}

/// Whether an attribute may add methods.
fn adds_more(src: &[u8], item: Node<'_>) -> bool {
    let attribute = item.named_of("attribute");
    attribute.is_none_or(|attribute| {
        let name = attribute
            .named()
            .next()
            .map_or(&b""[..], |name| text(src, name));
        if !PLAIN.contains(&name) {
            return true;
        }
        let given = attribute.field("arguments").filter(|_| name == b"derive");
        let given = given.map_or(&b""[..], |given| text(src, given));
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(*b, b'_' | b':');
        let mut derived = given.split(|b| !is_word(b)).filter(|word| !word.is_empty());
        derived.any(|word| !DERIVED.contains(&word))
    })
}
