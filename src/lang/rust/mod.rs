//! Rust.

mod arguments;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod imports;
mod item_macros;
mod locals;
mod resolve;
mod values;

use crate::syntax::prelude::*;
use crate::syntax::walk::Attributes;

/// Rust.
pub(crate) static RUST: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("function_item", SymbolKind::Function),
        def("function_signature_item", SymbolKind::Function),
        def("struct_item", SymbolKind::Struct),
        def("enum_item", SymbolKind::Enum),
        def("union_item", SymbolKind::Union),
        def("trait_item", SymbolKind::Trait),
        def("type_item", SymbolKind::Type),
        def("associated_type", SymbolKind::Type),
        def("const_item", SymbolKind::Constant),
        def("static_item", SymbolKind::Variable),
        def("mod_item", SymbolKind::Module),
        def("macro_definition", SymbolKind::Macro),
        def("enum_variant", SymbolKind::Variant),
        def("field_declaration", SymbolKind::Field),
        DefRow {
            node: "impl_item",
            kind: SymbolKind::Impl,
            name: "type",
            body: "body",
        },
    ],
    refine,
    hooks: hooks! {
        attribute => "attribute_item",
        imports::module => "mod_item",
        imports::use_declaration => "use_declaration",
        imports::extern_crate => "extern_crate_declaration",
        hooks::skip => "visibility_modifier lifetime label",
        impl_item => "impl_item",
        hooks::function => "closure_expression",
        locals::closure_parameters => "closure_parameters",
        locals::parameter => "parameter",
        locals::let_declaration => "let_declaration",
        locals::let_condition => "let_condition",
        locals::match_arm => "match_arm",
        locals::for_expression => "for_expression",
        locals::type_parameter => "type_parameter const_parameter",
        locals::where_predicate => "where_predicate",
        locals::type_arguments => "type_arguments",
        locals::field_initializer => "field_initializer shorthand_field_initializer",
        locals::field_pattern => "field_pattern",
    },
    roles: roles! {
        Is(Call) => "call_expression.function struct_expression.name",
        Is(Expand) => "macro_invocation.macro",
        Pass => "generic_function.function generic_type.type generic_type_with_turbofish.type
            parenthesized_expression struct_pattern trait_bounds use_list scoped_use_list
            use_as_clause use_wildcard",
        Is(Type) => "generic_function.type_arguments generic_type.type_arguments type_arguments
            struct_pattern.type type_parameter.bounds where_predicate.bounds",
        Loose => "token_tree token_repetition",
        Object => "field_expression.value scoped_identifier.path scoped_type_identifier.path",
        Member => "field_expression.field scoped_identifier.name scoped_type_identifier.name",
        Is(Write) => "assignment_expression.left compound_assignment_expr.left
            let_declaration.pattern let_condition.pattern for_expression.pattern parameter.pattern
            closure_parameters match_arm.pattern const_item.name static_item.name
            type_parameter.name const_parameter.name",
        Pattern => "match_pattern tuple_pattern slice_pattern mut_pattern ref_pattern
            reference_pattern or_pattern captured_pattern tuple_struct_pattern
            field_pattern.pattern",
        Is(Read) => "match_pattern.condition tuple_struct_pattern.type",
        Is(Inherit) => "impl_item.trait trait_item.bounds",
        Is(Import) => "use_declaration extern_crate_declaration",
    },
    identifiers: &[
        ("identifier", Read),
        ("field_identifier", Read),
        ("shorthand_field_identifier", Read),
        ("type_identifier", Type),
        ("crate", Read),
        ("super", Read),
    ],
    this_kinds: &["self"],
    this_names: &[b"Self"],
    heads_are_read: true,
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal", "raw_string_literal"],
    hint: values::hint,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let kind = node.kind_name();
    let attributes = walk
        .attributes
        .take()
        .filter(|above| gap_is_comments(walk, above, draft.start_at.row));
    if let Some(above) = attributes {
        draft.set(SymbolFlags::DECORATED);
        draft.set_if(SymbolFlags::TEST, above.test);
        draft.set_if(SymbolFlags::DEPRECATED, above.deprecated);
        draft.set_if(SymbolFlags::EXPORTED, above.exported);
        doc_among_attributes(walk, above, draft);
        draft.lead_row = draft.lead_row.min(above.start_row);
    }
    if kind == "mod_item" && node.field("body").is_none() {
        return draft.reject();
    }
    let local_value = matches!(draft.kind, SymbolKind::Constant | SymbolKind::Variable);
    if local_value && frame.scope == Scope::Function {
        locals::local_item(walk, node);
        return draft.reject();
    }
    let visible = node
        .named_child(0)
        .is_some_and(|child| child.kind_name() == "visibility_modifier");
    let container = frame.symbol.map(|index| walk.symbols[index as usize].kind);
    // What a trait declares or an impl of a trait defines is as visible as the trait.
    let inherited = match container {
        Some(SymbolKind::Trait | SymbolKind::Impl) => frame.exported,
        Some(SymbolKind::Enum | SymbolKind::Variant) => {
            frame.exported && draft.kind == SymbolKind::Variant
        }
        _ => false,
    };
    draft.set_if(SymbolFlags::EXPORTED, visible || inherited);
    let known = match kind {
        "function_item" | "function_signature_item" => node.field("return_type"),
        "field_declaration" | "const_item" | "static_item" | "type_item" => node.field("type"),
        // What is said of an associated type is what its bounds are.
        "associated_type" => {
            let bounds = node.field("bounds");
            if let Some(bounds) = bounds {
                locals::several_bounds(walk, bounds);
            }
            bounds
        }
        _ => None,
    };
    let known = known.and_then(|known| values::of_type(walk, known));
    draft.value(known);
    match kind {
        "function_signature_item" | "associated_type" => draft.set(SymbolFlags::DECLARATION),
        // What a case makes is an instance of its enum; what is said of it is what it holds.
        "enum_variant" => draft.value(held(walk, node).or(Some(Hint::THIS))),
        "static_item"
            if !walk
                .text(node)
                .windows(4)
                .take(32)
                .any(|window| window == b"mut ") =>
        {
            draft.kind = SymbolKind::Constant;
        }
        "impl_item" => {
            draft.set_if(SymbolFlags::EXPORTED, node.field("trait").is_some());
            if let Some(name) = node.field("type").map(base_type) {
                draft.rename(name);
            }
        }
        _ => {}
    }
    if draft.kind == SymbolKind::Function && frame.scope == Scope::Class {
        draft.kind = SymbolKind::Method;
    }
}

/// What the case of an enum holds: `Circle(Circle)`.
fn held(walk: &Walk<'_>, case: Node<'_>) -> Option<Hint> {
    let parts = case.part(&["ordered_field_declaration_list"])?;
    let mut types = parts.fields("type").filter(|part| part.is_named());
    let only = types.next()?;
    let is_only = types.next().is_none();
    values::of_type(walk, only).filter(|_| is_only)
}

/// The identifier a type is named by: the `A` of `x::A<T>`.
fn base_type(mut node: Node<'_>) -> Node<'_> {
    for _ in 0..8 {
        let inner = match node.kind_name() {
            "generic_type" | "reference_type" | "pointer_type" => node.field("type"),
            "scoped_type_identifier" => node.field("name"),
            "dynamic_type" => node.field("trait"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// Whether only comments stand between attributes and the item on `row`.
fn gap_is_comments(walk: &Walk<'_>, above: &Attributes, row: usize) -> bool {
    let mut at = row;
    for comment in walk.comments.iter().rev() {
        if at <= above.end_row + 1 || comment.end_row + 1 != at {
            break;
        }
        at = comment.start_row;
    }
    at <= above.end_row + 1
}

/// A doc comment may stand between attributes.
fn doc_among_attributes(walk: &Walk<'_>, above: Attributes, draft: &mut Draft<'_>) {
    let inside = walk
        .comments
        .iter()
        .rev()
        .take_while(|comment| comment.start_row >= above.start_row);
    let docs = inside.filter(|comment| {
        let text = &walk.src[comment.start as usize..];
        text.starts_with(b"///") || text.starts_with(b"/**")
    });
    let (mut start, mut end) = (u32::MAX, 0);
    for comment in docs {
        start = start.min(comment.start);
        end = end.max(comment.end);
    }
    if start < end {
        draft.doc = Some(start as usize..end as usize);
    }
}

fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let text = walk.text(node);
    let has = |needle: &[u8]| text.windows(needle.len()).any(|window| window == needle);
    let path = text
        .trim_ascii_start()
        .strip_prefix(b"#")
        .unwrap_or(text)
        .trim_ascii_start();
    let path = path.strip_prefix(b"[").unwrap_or(path).trim_ascii_start();
    let end = path
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b':')))
        .unwrap_or(path.len());
    let path = &path[..end];
    let (start_row, end_row) = (node.start_position().row, node.end_position().row);
    let before = walk
        .attributes
        .filter(|above| above.end_row < start_row || above.start_row == start_row);
    let before = before.filter(|above| gap_is_comments(walk, above, start_row));
    let mut now = Attributes {
        start_row,
        end_row,
        test: path.ends_with(b"test")
            || (path == b"cfg" && has(b"(test") && !has(b"not(test"))
            || path == b"rstest",
        deprecated: path == b"deprecated",
        exported: path == b"macro_export",
    };
    if let Some(above) = before {
        now.start_row = above.start_row;
        now.test |= above.test;
        now.deprecated |= above.deprecated;
        now.exported |= above.exported;
    }
    walk.attributes = Some(now);
}

/// The type an impl is for is named there as well.
fn impl_item<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("type").map(base_type) {
        walk.names_another(name);
    }
}
