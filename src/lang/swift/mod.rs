//! Swift.

mod arguments;
mod closures;
mod doubts;
mod expected;
pub(crate) mod facts;
mod patterns;
mod resolve;
mod values;

use crate::syntax::prelude::*;

/// Swift 6.
pub(crate) static SWIFT: LangSpec = LangSpec {
    defs: &[
        def("class_declaration", SymbolKind::Class),
        def("protocol_declaration", SymbolKind::Trait),
        def("function_declaration", SymbolKind::Function),
        def("protocol_function_declaration", SymbolKind::Function),
        def("init_declaration", SymbolKind::Constructor),
        def("typealias_declaration", SymbolKind::Type),
        def("associatedtype_declaration", SymbolKind::Type),
    ],
    refine,
    hooks: hooks! {
        keyword_member => "subscript_declaration deinit_declaration",
        enum_entry => "enum_entry",
        property => "property_declaration protocol_property_declaration",
        hooks::function => "function_body computed_property willset_didset_block lambda_literal",
        values::parameter => "parameter lambda_parameter",
        values::for_statement => "for_statement",
        values::condition => "if_statement guard_statement while_statement",
        values::type_parameter => "type_parameter",
        patterns::pattern => "pattern",
        closures::navigation => "navigation_expression",
        extension => "class_declaration",
        values::constraint => "inheritance_constraint",
        prefix => "prefix_expression",
        call => "call_expression",
        hooks::type_use => "user_type",
        attribute => "attribute",
        argument => "value_argument",
        macro_use => "macro_invocation",
        hooks::skip => "directive",
        import => "import_declaration",
        interpolated::string => "line_string_literal",
    },
    roles: roles! {
        Pass => "call_expression postfix_expression.target directly_assignable_expression",
        Is(Write) => "call_suffix.name constructor_suffix.name assignment.target
            parameter.external_name parameter.name lambda_parameter.external_name
            lambda_parameter.name capture_list_item.name computed_setter willset_clause
            didset_clause enum_type_parameters tuple_expression.name pattern.bound_identifier
            if_statement.bound_identifier guard_statement.bound_identifier
            while_statement.bound_identifier value_argument_label",
        Is(Call) => "constructor_expression.constructed_type",
        Object => "navigation_expression.target",
        Member => "navigation_expression.suffix navigation_suffix.suffix prefix_expression.target
            pattern",
        Chain => "user_type identifier",
        Is(Inherit) => "inheritance_specifier.inherits_from",
        Is(Type) => "inheritance_constraint.constrained_type equality_constraint.constrained_type",
        First => "type_parameter attribute",
        Pass => "additive_expression.rhs multiplicative_expression.rhs comparison_expression.rhs
            equality_expression.rhs conjunction_expression.rhs disjunction_expression.rhs
            infix_expression.rhs",
        Is(Import) => "import_declaration",
    },
    identifiers: &[("simple_identifier", Read), ("type_identifier", Type)],
    this_kinds: &["self_expression", "super_expression"],
    this_names: &[b"self", b"Self"],
    comments: &["comment", "multiline_comment"],
    hint: values::object,
    backquoted: true,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    modifiers(walk, node, frame, draft);
    match node.kind_name() {
        "class_declaration" => {
            let word = node.field("declaration_kind");
            draft.kind = match word.map_or("", |word| word.kind_name()) {
                "struct" => SymbolKind::Struct,
                "enum" => SymbolKind::Enum,
                "extension" => SymbolKind::Impl,
                _ => SymbolKind::Class,
            };
            if let Some(name) = node.field_of("name", "user_type") {
                extended(walk, draft, name);
            }
            draft.set_if(SymbolFlags::TEST, is_test_case(walk, node));
        }
        "function_declaration" | "protocol_function_declaration" => {
            draft.method_in(frame);
            let name = draft.text(walk);
            let in_case = walk.ancestor(1).is_some_and(|owner| {
                owner.node.kind_name() == "class_declaration" && is_test_case(walk, owner.node)
            });
            draft.set_if(SymbolFlags::TEST, in_case && name.starts_with(b"test"));
            draft.set_if(SymbolFlags::DECLARATION, draft.body.is_none());
            draft.value(values::returned(walk, node));
        }
        "typealias_declaration" => draft.value(values::aliased(walk, node)),
        "associatedtype_declaration" => draft.value(values::bound(walk, node)),
        "init_declaration" if draft.body.is_none() => draft.set(SymbolFlags::DECLARATION),
        _ => {}
    }
    unquote(walk, draft);
}

/// Names in backquotes lose them.
fn unquote(walk: &mut Walk<'_>, draft: &mut Draft<'_>) {
    let name = draft.text(walk);
    if name.len() > 2 && name.starts_with(b"`") {
        walk.def_names.insert(draft.name.start);
        draft.trim_name(1, 1);
    }
}

/// An extension is named by the last part of the type it extends. Of a path of two the first is where the type lies.
fn extended<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>, name: Node<'t>) {
    let path: Vec<Node<'t>> = name.all_of("type_identifier").collect();
    if let Some(last) = path.last() {
        draft.rename(*last);
    }
    if let [outer, _] = *path {
        draft.receiver = Some(walk.text(outer));
    }
}

/// The type that an extension is for is named there as well.
fn extension<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field_of("name", "user_type");
    if let Some(last) = name.and_then(|name| name.last_of("type_identifier")) {
        walk.names_another(last);
    }
}

fn is_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    class.all_of("inheritance_specifier").any(|base| {
        let base = walk.text(base);
        base.ends_with(b"TestCase") || base == b"QuickSpec"
    })
}

/// Attributes and visibility; whether a word says `static`. Whatever is not private to its file can
/// be seen from another.
fn modifiers<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    let (mut private, mut fixed) = (false, false);
    // They come first.
    let list = node
        .child(0)
        .filter(|first| first.kind_name() == "modifiers");
    if let Some(list) = list {
        let is_attribute = |kind: &str| kind == "attribute";
        draft.led_by(list, list.named(), is_attribute, |draft, modifier| {
            let text = walk.text(modifier);
            if is_attribute(modifier.kind_name()) {
                let test = text.starts_with(b"@Test") || text.starts_with(b"@Suite");
                let deprecated = text.windows(10).any(|window| window == b"deprecated");
                draft.set_if(SymbolFlags::TEST, test);
                let marked = text.starts_with(b"@available") && deprecated;
                draft.set_if(SymbolFlags::DEPRECATED, marked);
            } else {
                private |= matches!(text, b"private" | b"fileprivate");
                fixed |= text == b"static";
            }
        });
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.is_open() && !private);
    fixed
}

/// `subscript` and `deinit` are named by their keywords.
fn keyword_member<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(keyword) = node.part(&["subscript", "deinit"]) {
        let mut draft = Draft::new(SymbolKind::Method, keyword, node);
        modifiers(walk, node, frame, &mut draft);
        let body = node.part(&["computed_property", "function_body"]);
        draft.body_at(body);
        walk.define(draft, frame);
        walk.def_names.remove(&keyword.start_byte());
    }
}

/// `case a, b(Int)`.
fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for name in node.fields_of("name", "simple_identifier") {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        modifiers(walk, node, frame, &mut draft);
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        values::local_property(walk, node);
        return;
    }
    let patterns: Vec<_> = node.fields_of("name", "pattern").collect();
    let mut names = Vec::new();
    let mut known: Vec<Option<Hint>> = Vec::new();
    let hints = match node.kind_name() {
        "property_declaration" => values::property_hints(walk, node),
        _ => {
            let annotation = node.part(&["type_annotation"]);
            vec![annotation.and_then(|annotation| values::type_hint(walk, annotation))]
        }
    };
    for (at, pattern) in patterns.into_iter().enumerate() {
        let before = names.len();
        bound_names(pattern, &mut names);
        known.resize(names.len(), None);
        if names.len() == before + 1 {
            known[before] = hints.get(at).copied().flatten();
        }
    }
    let computed = node.part(&["computed_property", "willset_didset_block"]);
    let fixed = node
        .part(&["value_binding_pattern"])
        .and_then(|binding| binding.child(0))
        .is_some_and(|word| word.kind_name() == "let");
    for (name, hint) in names.into_iter().zip(known) {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        draft.value(hint);
        let of_type = modifiers(walk, node, frame, &mut draft);
        draft.kind = match frame.scope {
            Scope::Module if fixed => SymbolKind::Constant,
            Scope::Module => SymbolKind::Variable,
            _ if fixed && of_type => SymbolKind::Constant,
            _ => SymbolKind::Field,
        };
        draft.body_at(computed);
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    }
}

/// The names that a pattern binds, in order.
fn bound_names<'t>(pattern: Node<'t>, names: &mut Vec<Node<'t>>) {
    let mut pending = vec![pattern];
    while let Some(pattern) = pending.pop() {
        let children: Vec<_> = pattern.parts().collect();
        if children
            .first()
            .is_some_and(|first| first.kind_name() == ".")
        {
            continue;
        }
        for child in children.into_iter().rev() {
            match child.kind_name() {
                "simple_identifier" => names.push(child),
                "pattern" => pending.push(child),
                _ => {}
            }
        }
    }
}

/// `.name` is a member of whatever is expected there.
fn prefix<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    match node.field("operation") {
        Some(dot) if dot.kind_name() == "." => {
            frame.object = (dot.start_byte(), dot.end_byte());
            let name = node.field("target").and_then(values::first_name);
            if let Some((name, of)) = name.zip(expected::expected(walk, node)) {
                walk.receiver(expected::place(walk, name), of);
            }
        }
        Some(step) if matches!(step.kind_name(), "++" | "--" | "&") => frame.role = Write,
        _ => frame.role = Read,
    }
}

/// `f(name: value)`.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let label = node.field("name");
    let Some(name) = label.and_then(|label| label.part(&["simple_identifier"])) else {
        return;
    };
    let call = walk.above(2);
    let call = call.filter(|call| call.kind_name() != "macro_invocation");
    let callee = call.and_then(|call| call.named_child(0));
    hooks::told_label(walk, name, callee.and_then(expected::called));
}

/// `#require(x)` calls nothing that has a name of its own in what is recorded.
fn macro_use<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.part(&["simple_identifier"]) {
        walk.def_names.insert(name.start_byte());
    }
}

/// The arguments of `@available` are words of their own.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Call;
    if walk.text(node).starts_with(b"@available") {
        frame.skip();
        return;
    }
    let callee = node.part(&["user_type"]).and_then(expected::called);
    for label in expected::attribute_labels(node) {
        match callee {
            Some(callee) => {
                let of = Hint::value(callee).with(HintKind::Named);
                walk.receiver(label.start_position(), of);
                walk.implied.insert(label.start_byte(), Write);
            }
            None => walk.pass_over(label),
        }
    }
}

/// `a[i]` has the form of a call. Quick declares tests by call.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let suffix = node.part(&["call_suffix"]);
    let arguments = suffix.and_then(|suffix| suffix.part(&["value_arguments"]));
    let index = arguments
        .and_then(|arguments| arguments.child(0))
        .is_some_and(|first| first.kind_name() == "[");
    frame.role = if index { Read } else { Call };
    let Some(name) = node
        .child(0)
        .filter(|name| name.kind_name() == "simple_identifier")
    else {
        return;
    };
    if !matches!(walk.text(name), b"describe" | b"context" | b"it")
        || !walk
            .imports
            .iter()
            .any(|import| import.specifier == b"Quick")
    {
        return;
    }
    let lambda = suffix.and_then(|suffix| suffix.part(&["lambda_literal"]));
    let title = arguments
        .and_then(|arguments| arguments.named_child(0))
        .and_then(|argument| argument.named_child(0))
        .filter(|title| title.kind_name() == "line_string_literal");
    if let Some((lambda, title)) = lambda.zip(title) {
        walk.define_test(node, frame, title, Some(lambda));
    }
}

/// Words that say that one name is imported.
const KINDS: &[&str] = words!("class struct enum protocol func var let typealias");

/// `import A` takes every name; `import struct A.B` takes `B` from `A`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(path) = node.part(&["identifier"]) else {
        return;
    };
    let names_one = || {
        let kind = |part: Node<'_>| KINDS.contains(&part.kind_name());
        node.parts().any(kind)
    };
    let text = walk.text(path);
    let split = text
        .iter()
        .rposition(|b| *b == b'.')
        .filter(|_| names_one());
    let (module, binding) = match split {
        Some(at) => {
            let last = Some(&text[at + 1..]);
            (&text[..at], walk.binding(last, last))
        }
        None => (text, walk.binding(None, None)),
    };
    let exported = node
        .part(&["modifiers"])
        .is_some_and(|list| walk.text(list).starts_with(b"@_exported"));
    let kind = if exported {
        ImportKind::Reexport
    } else {
        ImportKind::Import
    };
    walk.import(kind, node, module, vec![binding]);
}
