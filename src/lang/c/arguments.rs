//! Parameter lists and calls of C and C++.

use crate::syntax::calls::rows::{CallRows, Give, Take, text};
use crate::syntax::calls::{By, Need, Parameter, Parameters, Strictness};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// C.
pub(crate) static C: CallRows = CallRows {
    finish: finish_c,
    ..CPP
};

/// C++.
pub(crate) static CPP: CallRows = CallRows {
    definitions: words!(
        "function_definition.declarator declaration.declarator field_declaration.declarator"
    ),
    wraps: words!("template_declaration."),
    lists: Some(lists),
    takes: by_words! {
        Take::One(By::Position, Need::Required) => "parameter_declaration",
        Take::One(By::Position, Need::Optional) => "optional_parameter_declaration",
        Take::One(By::Position, Need::Rest) => "variadic_parameter variadic_parameter_declaration",
    },
    names: &["declarator"],
    each,
    finish,
    result: &["type"],
    asynchronous: &[],
    calls: words!("call_expression.function"),
    passes: words!("template_function.name template_method.name"),
    members: words!("field_expression.field dependent_name."),
    paths: words!("qualified_identifier.name"),
    gives: by_words! {
        Give::Spread => "parameter_pack_expansion",
        Give::Open => "preproc_if preproc_ifdef preproc_else preproc_elif",
    },
    ..CallRows::new()
};

/// How many declarators are around a name.
const MAX_DECLARATORS: usize = 16;

/// The list next to the name.
fn lists<'t>(_: &[u8], node: Node<'t>) -> Option<Vec<Node<'t>>> {
    let mut list = None;
    let mut inner = node.field("declarator");
    for _ in 0..MAX_DECLARATORS {
        let Some(declarator) = inner else { break };
        list = declarator.field_of("parameters", "parameter_list").or(list);
        let is_holder = declarator.kind_name().ends_with("_declarator");
        let last = || declarator.content().into_iter().next_back();
        let below = declarator.field("declarator").or_else(last);
        inner = below.filter(|_| is_holder);
    }
    list.map(|list| vec![list])
}

/// The type is what is left without the name and the value.
fn each(src: &[u8], node: Node<'_>, parameter: &mut Parameter) {
    let end = node.field("default_value").map(|value| value.start_byte());
    let whole = src.get(node.start_byte()..end.unwrap_or(node.end_byte()));
    let whole = String::from_utf8_lossy(whole.unwrap_or(b""));
    let words = whole.trim_end().trim_end_matches('=');
    let without = match words.rsplit_once(parameter.name.as_str()) {
        Some((before, after)) if !parameter.name.is_empty() => format!("{before}{after}"),
        _ => words.to_owned(),
    };
    let blanks = without.split_whitespace().collect::<Vec<_>>();
    parameter.written_type = Some(blanks.join(" "));
}

/// Whether a list is `(void)`, which is none.
fn is_void(found: &Parameters) -> bool {
    let [only] = found.list.as_slice() else {
        return false;
    };
    only.name.is_empty() && only.written_type.as_deref() == Some("void")
}

/// What is defined away from its class, or after a declaration, has its default values there.
fn finish(_: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    if is_void(found) {
        found.list.clear();
    }
    let above = node.parent().map_or("", |above| above.kind_name());
    if node.kind_name() == "function_definition" && above != "field_declaration_list" {
        found.strictness = Strictness::ValuesElsewhere;
    }
    true
}

/// An empty list of C says nothing.
fn finish_c(src: &[u8], node: Node<'_>, found: &mut Parameters) -> bool {
    let is_empty = found.list.is_empty() || text(src, node).is_empty();
    if is_void(found) {
        found.list.clear();
    }
    !is_empty
}
