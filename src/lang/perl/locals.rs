//! Variables of Perl, and what its expressions say of values.

use super::last_part;
use crate::syntax::prelude::*;

/// What a variable is visible in, from where it is declared on.
const BLOCKS: &[&str] = words!(
    "block cstyle_for_statement for_statement conditional_statement loop_statement
     subroutine_declaration_statement method_declaration_statement anonymous_subroutine_expression"
);

/// Names that the object, or the class, has by custom.
pub(super) const THIS: &[&[u8]] = &[b"self", b"this", b"class"];

/// The name below a sigil.
fn name_of(variable: Node<'_>) -> Option<Node<'_>> {
    let name = variable.named_child(0)?;
    (name.kind_name() == "varname" && name.child_count() == 0).then_some(name)
}

/// `my $a`, `our @b`, `my ($c, %d)`: variables of a file are symbols, those of a block are local.
pub(super) fn declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let shared = walk.text(node).starts_with(b"our");
    let mut names = node.named_fields("variable");
    names.extend(node.named_fields("variables"));
    let assigned = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind_name() == "assignment_expression" && names.len() == 1)
        .and_then(|above| above.field("right"));
    let value = assigned.and_then(|value| hint_of(walk, value));
    let in_block = walk.stack.iter().zip(walk.stack.iter().skip(1));
    let in_block = in_block
        .filter(|(outer, _)| {
            !matches!(
                outer.node.kind_name(),
                "package_statement" | "class_statement"
            )
        })
        .any(|(_, frame)| BLOCKS.contains(&frame.node.kind_name()));
    for name in names.into_iter().filter_map(name_of) {
        if in_block || frame.scope == Scope::Function {
            let scope = node.start_position()..walk.scope_within(BLOCKS).end;
            walk.local(name, scope, value);
            continue;
        }
        let (id, _) = walk.names.intern(walk.text(name));
        if !walk.bound.insert((frame.symbol, id)) {
            continue;
        }
        let outer = walk
            .stack
            .iter()
            .rev()
            .map(|frame| frame.node)
            .take_while(|outer| matches!(outer.kind_name(), "assignment_expression"))
            .last();
        let mut draft = Draft::new(SymbolKind::Variable, name, outer.unwrap_or(node));
        if shared {
            draft.set(SymbolFlags::EXPORTED);
        }
        draft.value(value);
        walk.record(&draft, frame);
    }
}

/// `sub f($a, $b = 1, @rest)`.
pub(super) fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = node.start_position()..walk.scope_within(BLOCKS).end;
    for parameter in node.content() {
        let variable = parameter.named_child(0);
        if let Some(name) = variable.and_then(name_of) {
            walk.local(name, scope.clone(), None);
        }
    }
}

/// `foreach my $a (@list)`.
pub(super) fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field("variable").and_then(name_of);
    if let Some(name) = name {
        walk.local(name, node.start_position()..node.end_position(), None);
    }
}

pub(super) fn hint_of(walk: &Walk<'_>, value: Node<'_>) -> Option<Hint> {
    match value.kind_name() {
        "scalar" | "array" | "hash" => {
            let name = name_of(value)?;
            Some(match walk.text(name) {
                name if THIS.contains(&name) => Hint::THIS,
                _ => Hint::value(name),
            })
        }
        "bareword" => {
            let start = last_part(walk.text(value));
            Some(Hint::of_part(HintKind::Value, value, start))
        }
        "method_call_expression" => {
            let method = value.field("method")?;
            let object = value.field("invocant")?;
            // `Shop::Queue->new`.
            if walk.text(method) == b"new" && object.kind_name() == "bareword" {
                let start = last_part(walk.text(object));
                return Some(Hint::of_part(HintKind::Result, object, start));
            }
            Some(Hint::result(method))
        }
        "function_call_expression" | "ambiguous_function_call_expression" => {
            let name = value.field("function")?;
            let start = last_part(walk.text(name));
            Some(Hint::of_part(HintKind::Result, name, start))
        }
        "string_literal"
        | "interpolated_string_literal"
        | "number"
        | "anonymous_hash_expression"
        | "anonymous_array_expression"
        | "anonymous_subroutine_expression"
        | "quoted_word_list" => Some(Hint::LITERAL),
        _ => None,
    }
}
