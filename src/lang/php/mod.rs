//! PHP, with the HTML around it.

mod arguments;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod imports;
mod narrowing;
mod resolve;
mod values;

use crate::syntax::prelude::*;

/// PHP 8. Variables and properties go by their names without `$`.
pub(crate) static PHP: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("function_definition", SymbolKind::Function),
        def("class_declaration", SymbolKind::Class),
        def("interface_declaration", SymbolKind::Interface),
        def("trait_declaration", SymbolKind::Trait),
        def("enum_declaration", SymbolKind::Enum),
        def("enum_case", SymbolKind::Variant),
        def("method_declaration", SymbolKind::Method),
        def("namespace_definition", SymbolKind::Module),
    ],
    refine,
    hooks: hooks! {
        imports::namespace => "namespace_definition",
        imports::use_declaration => "namespace_use_declaration",
        const_declaration => "const_declaration",
        property_declaration => "property_declaration",
        promoted => "property_promotion_parameter",
        property_hook => "property_hook",
        anonymous_class => "anonymous_class",
        hooks::function => "anonymous_function arrow_function",
        call => "function_call_expression",
        assignment => "assignment_expression",
        binary => "binary_expression",
        foreach => "foreach_statement",
        values::parameter => "simple_parameter variadic_parameter",
        values::caught => "catch_clause",
        values::static_variable => "static_variable_declaration",
        target => "pair by_ref list_literal variable_name member_access_expression",
        imports::include => "include_expression include_once_expression require_expression
            require_once_expression",
        interpolated::string => "string encapsed_string",
    },
    roles: roles! {
        Is(Call) => "function_call_expression.function object_creation_expression attribute",
        Object => "member_call_expression.object nullsafe_member_call_expression.object
            scoped_call_expression.scope member_access_expression.object
            nullsafe_member_access_expression.object scoped_property_access_expression.scope
            qualified_name.prefix relative_name.prefix",
        MemberIs(Call) => "member_call_expression.name nullsafe_member_call_expression.name
            scoped_call_expression.name",
        Member => "member_access_expression.name nullsafe_member_access_expression.name
            scoped_property_access_expression.name variable_name qualified_name relative_name",
        Chain => "class_constant_access_expression namespace_name",
        Pass => "parenthesized_expression binary_expression.right list_literal pair by_ref
            namespace_use_group namespace_use_clause",
        Is(Type) => "named_type",
        Is(Inherit) => "base_clause class_interface_clause use_declaration",
        Is(Read) => "attribute.parameters",
        Is(Write) => "argument.name simple_parameter.name variadic_parameter.name
            property_promotion_parameter.name catch_clause.name static_variable_declaration.name
            assignment_expression.left augmented_assignment_expression.left
            reference_assignment_expression.left update_expression.argument",
        Is(Import) => "namespace_use_declaration",
    },
    identifiers: &[("name", Read)],
    this_kinds: &["relative_scope"],
    // `class` is the constant of every class that holds its name.
    this_names: &[b"this", b"self", b"static", b"parent", b"class"],
    means_this,
    hint: values::hint,
    finish,
    ..LangSpec::new()
};

/// Of variables `$this` alone is the object, and a member of an object is never it: `$parent`, `$node->class`.
fn means_this(walk: &Walk<'_>, name: Node<'_>) -> bool {
    match walk.kind_above(0) {
        "variable_name" => walk.text(name) == b"this",
        "member_access_expression"
        | "nullsafe_member_access_expression"
        | "member_call_expression"
        | "nullsafe_member_call_expression" => false,
        _ => true,
    }
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    match node.kind_name() {
        "namespace_definition" => {
            name_parts(walk, node);
            draft.set(SymbolFlags::EXPORTED);
            // `namespace A;` contains nothing: what follows it stands beside it.
            if draft.body.is_none() {
                draft.reject();
            }
            return;
        }
        "method_declaration" => {
            if name.eq_ignore_ascii_case(b"__construct") {
                draft.kind = SymbolKind::Constructor;
            }
            draft.set_if(SymbolFlags::DECLARATION, draft.body.is_none());
            draft.set_if(
                SymbolFlags::TEST,
                name.starts_with(b"test") && in_test_case(walk),
            );
            draft.value(values::returned(walk, node));
        }
        "function_definition" => draft.value(values::returned(walk, node)),
        "class_declaration" if is_test_case(walk, node) => draft.set(SymbolFlags::TEST),
        _ => {}
    }
    modifiers(walk, node, frame, draft);
}

/// Attributes and visibility. Whatever is not private can be seen from another file.
fn modifiers<'t>(walk: &Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    if let Some(list) = node.field("attributes") {
        draft.decorated(list);
        for name in attribute_names(walk, list) {
            match name {
                b"Test" => draft.set(SymbolFlags::TEST),
                b"Deprecated" => draft.set(SymbolFlags::DEPRECATED),
                _ => {}
            }
        }
        if let Some(next) = list.next_sibling() {
            draft.begin(next);
        }
    }
    let private = node.parts().any(|child| {
        child.kind_name() == "visibility_modifier" && walk.text(child).starts_with(b"private")
    });
    let visible = match frame.scope {
        Scope::Module => true,
        Scope::Class => frame.exported && !private,
        Scope::Function => false,
    };
    draft.set_if(SymbolFlags::EXPORTED, visible);
}

/// Last parts of the names in a list of attributes.
fn attribute_names<'t>(walk: &Walk<'t>, list: Node<'t>) -> Vec<&'t [u8]> {
    let mut names = Vec::new();
    for group in list.named() {
        for attribute in group.named() {
            if let Some(name) = attribute.named_child(0) {
                let text = walk.text(name);
                names.push(text.rsplit(|b| *b == b'\\').next().unwrap_or(text));
            }
        }
    }
    names
}

/// PHPUnit's way: a class that extends some `TestCase`.
fn is_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    class
        .all_of("base_clause")
        .any(|base| walk.text(base).ends_with(b"TestCase"))
}

fn in_test_case(walk: &Walk<'_>) -> bool {
    walk.ancestor(1).is_some_and(|owner| {
        owner.node.kind_name() == "class_declaration" && is_test_case(walk, owner.node)
    })
}

/// The names in a namespace's own declaration are no uses.
fn name_parts(walk: &mut Walk<'_>, namespace: Node<'_>) {
    let Some(name) = namespace.field("name") else {
        return;
    };
    for part in name.named() {
        walk.pass_over(part);
    }
}

fn const_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for element in node.all_of("const_element") {
        if let Some(name) = element
            .named_child(0)
            .filter(|name| name.kind_name() == "name")
        {
            let mut draft = Draft::new(SymbolKind::Constant, name, node);
            modifiers(walk, node, frame, &mut draft);
            let value = element.named_child(1);
            draft.value(value.and_then(|value| values::hint(walk, value)));
            walk.record(&draft, frame);
        }
    }
}

/// The name in `$name`.
fn bare(mut variable: Node<'_>) -> Option<Node<'_>> {
    while variable.kind_name() == "by_ref" {
        variable = variable.named_child(0)?;
    }
    let named = variable.kind_name() == "variable_name";
    let name = variable.named_child(0).filter(|_| named);
    name.filter(|name| name.kind_name() == "name")
}

fn property_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for element in node.all_of("property_element") {
        if let Some(name) = element.field("name").and_then(bare) {
            let mut draft = Draft::new(SymbolKind::Field, name, node);
            modifiers(walk, node, frame, &mut draft);
            let value = element.field("default_value");
            draft.value(value.and_then(|value| values::hint(walk, value)));
            draft.value(values::type_hint(walk, node.field("type")));
            walk.record(&draft, frame);
        }
    }
}

/// A parameter with a visibility is a property, too.
fn promoted<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name").and_then(bare) else {
        return;
    };
    let Some(class) = walk.ancestor(2).copied() else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    modifiers(walk, node, &class, &mut draft);
    draft.value(values::type_hint(walk, node.field("type")));
    // It belongs to the class that the constructor builds.
    draft.container = class.symbol;
    walk.record(&draft, frame);
}

fn property_hook<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_of("name") {
        walk.pass_over(name);
    }
    frame.scope = Scope::Function;
}

/// Members of an anonymous class are members too.
fn anonymous_class<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Class;
    frame.exported = false;
}

/// What a script assigns at its top level is a global variable; the first assignment defines it.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Module
        && walk.kind_above(0) == "expression_statement"
        && let Some(name) = node.field("left").and_then(bare)
    {
        let text = walk.text(name);
        let (id, _) = walk.names.intern(text);
        if text != b"this" && walk.bound.insert((frame.symbol, id)) {
            let mut draft = Draft::new(SymbolKind::Variable, name, node);
            draft.set(SymbolFlags::EXPORTED);
            let value = node.field("right");
            draft.value(value.and_then(|value| values::hint(walk, value)));
            walk.record(&draft, frame);
        }
    } else if let Some(left) = node.field("left") {
        match bare(left) {
            Some(name) => {
                let value = node.field("right");
                let hint = value.and_then(|value| values::hint(walk, value));
                values::bind(walk, frame, name, hint, node.end_position());
            }
            None if left.kind_name() == "list_literal" => {
                values::bind_targets(walk, frame, left, None);
            }
            None => values::property(walk, frame, left, node.field("right")),
        }
    }
}

fn binary<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = node.field("operator");
    let tests = operator.is_some_and(|operator| operator.kind_name() == "instanceof");
    if tests {
        narrowing::instance_of(walk, node, frame);
    }
    frame.role = if tests { Type } else { Read };
}

/// Claims what a loop assigns to; [`target`] meets it.
fn foreach<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let body = node.field("body");
    if let Some(bound) = node.named_child(1).filter(|bound| Some(*bound) != body) {
        walk.claim(bound.start_byte());
        values::bind_targets(walk, frame, bound, node.named_child(0));
    }
}

fn target<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.take_claim(node.start_byte()) {
        frame.role = Write;
    }
}

const TEST_CALLS: &[&[u8]] = byte_words!("it test describe todo");

/// `define('NAME', ...)`, and the tests that Pest declares by call.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let function = node.field("function");
    let called = walk.text_of(function);
    if called != b"define" && !TEST_CALLS.contains(&called) {
        return;
    }
    let Some(arguments) = node.field("arguments") else {
        return;
    };
    let values: Vec<_> = arguments
        .named()
        .filter_map(|argument| argument.named_child(0))
        .collect();
    let Some(title) = values
        .first()
        .filter(|title| matches!(title.kind_name(), "string" | "encapsed_string"))
    else {
        return;
    };
    if title.byte_range().len() <= 2 {
        return;
    }
    let function = values
        .iter()
        .find(|value| matches!(value.kind_name(), "anonymous_function" | "arrow_function"));
    let kind = if called == b"define" {
        SymbolKind::Constant
    } else if function.is_some() {
        SymbolKind::Test
    } else {
        return;
    };
    let mut draft = Draft::new(kind, *title, node);
    draft.trim_name(1, 1);
    if kind == SymbolKind::Constant {
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    } else {
        draft.set(SymbolFlags::TEST);
        draft.body = function.and_then(|function| {
            let body = function.field("body")?;
            Some(body.start_byte())
        });
        walk.define(draft, frame);
    }
}

/// Tests that only their documentation marks.
fn finish(walk: &mut Walk<'_>) {
    for symbol in &mut walk.symbols {
        let doc = symbol.doc.start as usize..symbol.doc.end as usize;
        let doc = walk.src.get(doc).unwrap_or(b"");
        if symbol.kind == SymbolKind::Method && doc.windows(6).any(|window| window == b"@test ") {
            symbol.flags = symbol.flags.with(SymbolFlags::TEST);
        }
    }
}
