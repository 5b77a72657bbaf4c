//! C#.

mod arguments;
mod conditions;
mod destructuring;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod handed;
mod resolve;
mod values;

use crate::syntax::prelude::*;

/// C#.
pub(crate) static CSHARP: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("namespace_declaration", SymbolKind::Module),
        def("class_declaration", SymbolKind::Class),
        def("struct_declaration", SymbolKind::Struct),
        def("record_declaration", SymbolKind::Struct),
        def("interface_declaration", SymbolKind::Interface),
        def("enum_declaration", SymbolKind::Enum),
        def("enum_member_declaration", SymbolKind::Variant),
        def("delegate_declaration", SymbolKind::Type),
        def("method_declaration", SymbolKind::Method),
        def("local_function_statement", SymbolKind::Function),
        def("constructor_declaration", SymbolKind::Constructor),
        def("destructor_declaration", SymbolKind::Method),
        def("property_declaration", SymbolKind::Field),
        def("event_declaration", SymbolKind::Field),
    ],
    refine,
    hooks: hooks! {
        indexer => "indexer_declaration",
        operator => "operator_declaration conversion_operator_declaration",
        field_declaration => "event_field_declaration field_declaration",
        parameter => "parameter",
        argument => "argument",
        counted => "argument_list",
        handed::call => "invocation_expression",
        values::rest => "parameter_list",
        hooks::function => "accessor_declaration arrow_expression_clause anonymous_method_expression
            block",
        lambda => "lambda_expression",
        values::variable => "variable_declarator",
        values::designation => "declaration_expression declaration_pattern recursive_pattern
            var_pattern list_pattern parenthesized_variable_designation",
        destructuring::taken_apart => "tuple_pattern",
        values::foreach => "foreach_statement",
        values::caught => "catch_declaration",
        values::from => "from_clause",
        values::initialized => "assignment_expression",
        values::changed => "with_initializer",
        values::anonymous => "anonymous_object_creation_expression",
        values::type_parameter => "type_parameter",
        hooks::keyword_object => "member_access_expression",
        step => "postfix_unary_expression prefix_unary_expression",
        using_directive => "using_directive",
        file_namespace => "file_scoped_namespace_declaration",
        namespace => "namespace_declaration",
        interpolated::string => "string_literal",
    },
    roles: roles! {
        Is(Call) => "invocation_expression.function object_creation_expression.type",
        Object => "member_access_expression.expression conditional_access_expression.condition
            qualified_name.qualifier alias_qualified_name.alias",
        Member => "member_access_expression.name conditional_access_expression
            member_binding_expression.name qualified_name.name alias_qualified_name.name
            generic_name",
        Is(Type) => "attribute.name type_argument_list explicit_interface_specifier type_parameter_constraint.type
            type_parameter_constraints_clause tuple_element.type function_pointer_type.returns
            function_pointer_parameter.type array_creation_expression.type
            stackalloc_expression.type cast_expression.type as_expression.right is_expression.right
            typeof_expression.type sizeof_expression.type default_expression.type
            refvalue_expression.type variable_declaration.type parameter.type
            bracketed_parameter_list.type lambda_expression.type method_declaration.returns
            local_function_statement.type delegate_declaration.type property_declaration.type
            indexer_declaration.type event_declaration.type operator_declaration.type
            conversion_operator_declaration.type declaration_expression.type
            declaration_pattern.type recursive_pattern.type type_pattern.type catch_declaration.type
            foreach_statement.type from_clause.type join_clause.type",
        Pass => "parenthesized_expression postfix_unary_expression prefix_unary_expression
            primary_constructor_base_type.type nullable_type.type array_type.type pointer_type.type
            ref_type.type scoped_type.type tuple_type",
        Is(Write) => "assignment_expression.left attribute_argument.name argument.name
            type_parameter.name tuple_element.name variable_declarator.name parameter.name
            bracketed_parameter_list.name lambda_expression.parameters declaration_expression.name
            declaration_pattern.name recursive_pattern.name var_pattern.name list_pattern.name
            parenthesized_variable_designation.name tuple_pattern.name catch_declaration.name
            foreach_statement.left from_clause.name join_into_clause",
        Is(Inherit) => "base_list",
        // A `params` array stands in the list itself.
        Is(Type) => "parameter_list.type",
        Is(Write) => "parameter_list.name",
        Is(Import) => "using_directive extern_alias_directive.name",
    },
    identifiers: &[("identifier", Read), ("implicit_parameter", Write)],
    hint: values::hint,
    ..LangSpec::new()
};

/// What the words and attributes in front of a declaration say.
#[derive(Default)]
struct Modifiers {
    visible: bool,
    hidden: bool,
    constant: bool,
    fixed: bool,
    readonly: bool,
    only_declared: bool,
}

fn modifiers<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'t>) -> Modifiers {
    let mut found = Modifiers::default();
    let mut begin = None;
    for child in node.parts() {
        match child.kind_name() {
            "attribute_list" => {
                draft.decorated(child);
                attributes(walk, child, draft);
                continue;
            }
            "comment" | "preproc_if_in_attribute_list" => continue,
            "modifier" => match walk.text(child) {
                b"public" | b"internal" | b"protected" => found.visible = true,
                b"private" | b"file" => found.hidden = true,
                b"const" => found.constant = true,
                b"static" => found.fixed = true,
                b"readonly" => found.readonly = true,
                b"abstract" | b"extern" | b"partial" => found.only_declared = true,
                _ => {}
            },
            _ => {
                begin = begin.or(Some(child));
                break;
            }
        }
        begin = begin.or(Some(child));
    }
    if let Some(begin) = begin {
        draft.begin(begin);
    }
    found
}

/// Attributes of test frameworks, without the `Attribute` their classes end in.
const TEST_ATTRIBUTES: &[&[u8]] = byte_words!(
    "Test TestCase TestCaseSource TestFixture TestMethod DataTestMethod TestClass Fact Theory"
);

fn attributes<'t>(walk: &Walk<'t>, list: Node<'t>, draft: &mut Draft<'t>) {
    for attribute in list.named() {
        let name = walk.text_of(attribute.field("name"));
        let name = name.rsplit(|b| *b == b'.').next().unwrap_or(name);
        let name = name.strip_suffix(b"Attribute").unwrap_or(name);
        draft.set_if(SymbolFlags::TEST, TEST_ATTRIBUTES.contains(&name));
        draft.set_if(SymbolFlags::DEPRECATED, name == b"Obsolete");
    }
}

/// Whether a constructor is none, but a block of members for a type: `extension(Request request) { ... }`.
fn is_extension_block(walk: &Walk<'_>, node: Node<'_>) -> bool {
    node.kind_name() == "constructor_declaration"
        && walk.text_of(node.field("name")) == b"extension"
}

/// Whatever is not private can be seen from another file: types without a word are internal, members
/// private unless they are those of an interface or enum.
fn visibility<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> Modifiers {
    let found = modifiers(walk, node, draft);
    let open = walk.ancestor(1).is_some_and(|owner| {
        matches!(
            owner.node.kind_name(),
            "interface_declaration" | "enum_declaration"
        )
    });
    let explicit = node
        .field("name")
        .and_then(|name| name.prev_named_sibling())
        .is_some_and(|before| before.kind_name() == "explicit_interface_specifier");
    let visible = match frame.scope {
        Scope::Module => !found.hidden,
        Scope::Class if is_extension_block(walk, node) => frame.exported,
        Scope::Class => frame.exported && (found.visible || explicit || (open && !found.hidden)),
        // The grammar takes a block of extensions for a constructor, and its members for functions in that.
        Scope::Function => {
            let mut above = (1..).map_while(|up| walk.ancestor(up));
            let block = above
                .next()
                .filter(|block| is_extension_block(walk, block.node));
            found.visible && block.is_some() && above.next().is_some_and(|list| list.exported)
        }
    };
    draft.set_if(SymbolFlags::EXPORTED, visible);
    found
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    if draft.kind == SymbolKind::Module {
        draft.set(SymbolFlags::EXPORTED);
        return;
    }
    visibility(walk, node, frame, draft);
    let is_type = !matches!(draft.kind, SymbolKind::Method | SymbolKind::Function);
    let is_generic = is_type && node.part(&["type_parameter_list"]).is_some();
    draft.set_if(SymbolFlags::GENERIC, is_generic);
    let field = match node.kind_name() {
        "method_declaration" => "returns",
        _ => "type",
    };
    draft.value(values::type_hint(walk, node, field));
    match node.kind_name() {
        "method_declaration" => {
            draft.set_if(SymbolFlags::DECLARATION, draft.body.is_none());
            let list = node.field("parameters");
            let first = list.and_then(|list| list.named_of("parameter"));
            let is_this = |modifier| walk.text(modifier) == b"this";
            let is_object = first.is_some_and(|first| first.all_of("modifier").any(is_this));
            draft.set_if(SymbolFlags::EXTENSION, is_object);
        }
        "destructor_declaration" => {
            // `~Name` is its name; the identifier in it is no use of the class.
            walk.def_names.insert(draft.name.start);
            if draft.name.start > 0 && walk.src.get(draft.name.start - 1) == Some(&b'~') {
                draft.name.start -= 1;
                draft.name_at.column -= 1;
            }
        }
        "property_declaration" | "event_declaration" => {
            let accessors = node.field("accessors");
            let body = accessors.or_else(|| {
                let value = node.field("value")?;
                (value.kind_name() == "arrow_expression_clause").then_some(value)
            });
            draft.body_at(body);
        }
        "record_declaration" | "class_declaration" | "struct_declaration"
            if test_case(walk, node) =>
        {
            draft.set(SymbolFlags::TEST);
        }
        _ => {}
    }
}

/// Whether a class holds tests that the framework finds by their attributes.
fn test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    let Some(body) = class.field("body") else {
        return false;
    };
    body.named().any(|member| {
        member.kind_name() == "method_declaration" && {
            let lists = member.named();
            lists
                .take_while(|child| child.kind_name() == "attribute_list")
                .any(|list| {
                    let mut draft = Draft::new(SymbolKind::Method, list, list);
                    attributes(walk, list, &mut draft);
                    draft.flags.contains(SymbolFlags::TEST)
                })
        }
    })
}

/// `this[...]` is named by its keyword.
fn indexer<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let keyword = node.parts().find(|child| child.kind_name() == "this");
    if let Some(name) = keyword {
        let mut draft = Draft::new(SymbolKind::Method, name, node);
        visibility(walk, node, frame, &mut draft);
        draft.value(values::type_hint(walk, node, "type"));
        let body = node.field("accessors").or_else(|| node.field("value"));
        draft.body_at(body);
        walk.define(draft, frame);
        walk.def_names.remove(&name.start_byte());
    }
}

/// `operator +` and `operator Type` are named from the keyword on.
fn operator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let keyword = node.parts().find(|child| child.kind_name() == "operator");
    let last = node.field("operator").or_else(|| node.field("type"));
    if let Some((keyword, last)) = keyword.zip(last)
        && keyword.start_position().row == last.end_position().row
        && keyword.end_byte() <= last.start_byte()
    {
        let mut draft = Draft::new(SymbolKind::Method, keyword, node);
        draft.name.end = last.end_byte();
        visibility(walk, node, frame, &mut draft);
        draft.body_at(node.field("body"));
        walk.define(draft, frame);
    }
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(declaration) = node.named_of("variable_declaration") else {
        return;
    };
    for declarator in declaration.all_of("variable_declarator") {
        let Some(name) = declarator.field("name") else {
            continue;
        };
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let found = visibility(walk, node, frame, &mut draft);
        if found.constant || (found.fixed && found.readonly) {
            draft.kind = SymbolKind::Constant;
        }
        draft.value(values::type_hint(walk, declaration, "type"));
        walk.record(&draft, frame);
    }
}

/// The parameters of a record are its properties.
fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.kind_above(1) == "record_declaration"
        && let Some(name) = node.field("name")
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        modifiers(walk, node, &mut draft);
        draft.set_if(SymbolFlags::EXPORTED, frame.exported);
        draft.value(values::type_hint(walk, node, "type"));
        walk.record(&draft, frame);
    } else {
        values::parameter(walk, node);
    }
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    values::lambda(walk, node);
    hooks::function(walk, node, frame)
}

/// `x++` writes; `x!` and `-x` are what they stand before or after.
fn step<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let steps = (0..node.child_count())
        .filter_map(|i| node.child(i))
        .any(|child| matches!(child.kind_name(), "++" | "--"));
    if steps {
        frame.role = Write;
    }
}

/// A namespace says where its types belong; one inside another is named in full.
fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let outer: Vec<_> = walk
        .stack
        .iter()
        .filter(|frame| frame.node.kind_name() == "namespace_declaration")
        .filter_map(|frame| frame.node.field("name"))
        .chain(node.field("name"))
        .map(|name| walk.text(name))
        .collect();
    walk.import(ImportKind::Package, node, &outer.join(&b'.'), Vec::new());
}

fn file_namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    frame.skip();
}

/// `using A.B` and `using static A.B` take every name; `using C = A.B` binds the whole of `A.B`.
fn using_directive<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let alias = node.field("name");
    let path = node.named().filter(|child| Some(*child) != alias).last();
    if let Some(path) = path {
        let binding = walk.binding(None, alias.map(|alias| walk.text(alias)));
        walk.import(ImportKind::Import, node, walk.text(path), vec![binding]);
    }
}

/// How many arguments a method is called with, if any.
fn counted<'t>(walk: &mut Walk<'t>, list: Node<'t>, _: &mut Frame<'t>) {
    let call = walk.above(0);
    let is_call = |call: &Node<'t>| call.kind_name() == "invocation_expression";
    let call = call.filter(|call| list.named_child_count() > 0 && is_call(call));
    let mut callee = call.and_then(|call| call.field("function"));
    for _ in 0..MAX_STEPS {
        let Some(of) = callee else { return };
        callee = match of.kind_name() {
            "identifier" => {
                walk.count(of, list.argument_count());
                return;
            }
            "generic_name" => of.named_child(0),
            "member_access_expression" | "member_binding_expression" => of.field("name"),
            "conditional_access_expression" => of.last_named(),
            _ => return,
        };
    }
}

/// `new Dog(name: value)`; what is called otherwise has parameters that are nothing else.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let made = walk.above(1).and_then(|call| call.field("type"));
        let class = made.and_then(|made| match made.kind_name() {
            "identifier" => Some(made),
            "generic_name" => made.named_child(0),
            "qualified_name" => made.field("name"),
            _ => None,
        });
        let is_name = |class: &Node<'t>| class.kind_name() == "identifier";
        hooks::label(walk, name, class.filter(is_name));
    }
}
