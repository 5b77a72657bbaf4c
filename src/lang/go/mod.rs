//! Go.

mod arguments;
mod contracts;
mod entry_points;
pub(crate) mod facts;
mod locals;
mod manifests;
mod resolve;
mod values;

use crate::syntax::prelude::*;

/// Go.
pub(crate) static GO: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("function_declaration", SymbolKind::Function),
        def("method_declaration", SymbolKind::Method),
        def("type_spec", SymbolKind::Type),
        def("type_alias", SymbolKind::Type),
        def("method_elem", SymbolKind::Method),
    ],
    refine,
    hooks: hooks! {
        value_spec => "const_spec var_spec",
        field_declaration => "field_declaration",
        hooks::function => "func_literal",
        locals::parameter => "parameter_declaration variadic_parameter_declaration",
        locals::type_parameter => "type_parameter_declaration",
        locals::short_var => "short_var_declaration",
        locals::receive => "receive_statement",
        locals::range => "range_clause",
        locals::type_switch => "type_switch_statement",
        locals::type_case => "type_case",
        keyed_element => "keyed_element",
        index_expression => "index_expression",
        type_elem => "type_elem",
        package_clause => "package_clause",
        import_spec => "import_spec",
    },
    roles: roles! {
        Is(Call) => "call_expression.function composite_literal.type
            type_conversion_expression.type",
        Is(Type) => "call_expression.type_arguments generic_type.type_arguments type_constraint
            type_arguments",
        Object => "selector_expression.operand qualified_type.package",
        Member => "selector_expression.field qualified_type.name",
        Pass => "generic_type.type type_instantiation_expression.type index_expression.operand
            parenthesized_expression pointer_type literal_element expression_list type_elem",
        Is(Write) => "assignment_statement.left short_var_declaration.left range_clause.left
            receive_statement.left inc_statement dec_statement type_switch_statement.alias
            parameter_declaration.name variadic_parameter_declaration.name
            type_parameter_declaration.name var_spec.name const_spec.name field_declaration.name",
        // Only an embedded type finds something to pass: the hook sets it.
        Pass => "field_declaration.type",
        Is(Inherit) => "interface_type",
        Is(Import) => "import_spec",
    },
    identifiers: &[
        ("identifier", Read),
        ("field_identifier", Read),
        ("type_identifier", Type),
        ("package_identifier", Read),
    ],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    hint: values::of_value,
    ..LangSpec::new()
};

/// A capital makes a name visible to other packages.
fn is_exported(name: &[u8]) -> bool {
    std::str::from_utf8(name)
        .ok()
        .and_then(|name| name.chars().next())
        .is_some_and(char::is_uppercase)
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let name = draft.text(walk);
    draft.set_if(
        SymbolFlags::EXPORTED,
        frame.scope != Scope::Function && is_exported(name),
    );
    match node.kind_name() {
        "function_declaration" => {
            let signature = walk
                .src
                .get(draft.start..draft.body.unwrap_or(draft.end))
                .unwrap_or(b"");
            draft.set_if(SymbolFlags::TEST, is_test(name, signature));
            draft.value(values::of_result(walk, node));
        }
        "method_declaration" => {
            if let Some(list) = node.field("receiver") {
                if let Some(owner) = receiver_type(walk, list) {
                    attach(walk, owner, draft);
                }
                locals::receiver_parameters(walk, node, list);
            }
            draft.value(values::of_result(walk, node));
        }
        "method_elem" => {
            draft.set(SymbolFlags::DECLARATION);
            draft.value(values::of_result(walk, node));
        }
        _ => {
            if let Some(value) = node.field("type") {
                let kind = match value.kind_name() {
                    "struct_type" => Some(SymbolKind::Struct),
                    "interface_type" => Some(SymbolKind::Interface),
                    _ => None,
                };
                if let Some(kind) = kind.filter(|_| node.kind_name() == "type_spec") {
                    draft.kind = kind;
                    let text = walk.text(value);
                    draft.body = text
                        .iter()
                        .position(|b| *b == b'{')
                        .map(|n| value.start_byte() + n);
                } else {
                    // `type Count int` is a type of its own, whatever holds its values.
                    let stands_for = values::of_type(walk, value);
                    let stands_for = stands_for.filter(|known| known.kind != HintKind::Literal);
                    draft.value(stands_for);
                }
            }
            widen(walk, draft);
        }
    }
}

/// `type A struct` spans its keyword; in a group each part spans itself.
fn widen<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>) {
    if let Some(above) = walk.ancestor(0) {
        let declaration = matches!(
            above.node.kind_name(),
            "type_declaration" | "const_declaration" | "var_declaration"
        );
        if declaration && above.node.child_count() == 2 {
            draft.span(above.node);
        }
    }
}

fn is_test(name: &[u8], signature: &[u8]) -> bool {
    const PREFIXES: &[&[u8]] = &[b"Test", b"Benchmark", b"Fuzz", b"Example"];
    let rest = PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(*prefix));
    if rest.is_none_or(|rest| rest.first().is_some_and(u8::is_ascii_lowercase)) {
        return false;
    }
    name.starts_with(b"Example") || signature.windows(8).any(|window| window == b"testing.")
}

/// Name of the type a method is declared on.
fn receiver_type<'t>(walk: &Walk<'t>, list: Node<'t>) -> Option<&'t [u8]> {
    let mut node = list.named_child(0)?.field("type")?;
    for _ in 0..4 {
        node = match node.kind_name() {
            "type_identifier" => return Some(walk.text(node)),
            "generic_type" => node.field("type")?,
            _ => node.named_child(0)?,
        };
    }
    None
}

/// Puts a method into its type when that is already known, else notes the type's name.
fn attach<'t>(walk: &mut Walk<'t>, owner: &'t [u8], draft: &mut Draft<'t>) {
    let is_type = |kind| {
        matches!(
            kind,
            SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Type
        )
    };
    let found = walk.owner(owner, |symbol| {
        symbol.container.is_none() && is_type(symbol.kind)
    });
    match found {
        Some(found) => draft.container = Some(found),
        None => draft.receiver = Some(owner),
    }
}

fn value_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        locals::value_spec(walk, node);
        return;
    }
    let kind = if node.kind_name() == "const_spec" {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    let names = node.named_fields("name");
    let hints = locals::spec_hints(walk, node, &names);
    for (name, hint) in names.iter().zip(hints) {
        let text = walk.text(*name);
        if text == b"_" {
            continue;
        }
        let mut draft = Draft::new(kind, *name, node);
        widen(walk, &mut draft);
        draft.set_if(SymbolFlags::EXPORTED, is_exported(text));
        draft.value(hint.filter(|_| !is_struct(node)));
        let symbol = walk.record(&draft, frame);
        // The fields of an anonymous struct are the variable's.
        if names.len() == 1 && is_struct(node) {
            frame.symbol = symbol;
        }
    }
}

/// Whether what is declared is of a struct type that has no name.
fn is_struct(node: Node<'_>) -> bool {
    node.field("type")
        .is_some_and(|declared| declared.kind_name() == "struct_type")
}

fn field_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let names = node.named_fields("name");
    let declared = node.field("type");
    let mut hint = declared.and_then(|declared| values::of_type(walk, declared));
    // Above the field are its list and its struct.
    let owner = walk.kind_above(2);
    let named = match owner {
        "type_spec" | "type_alias" => true,
        "field_declaration" | "var_spec" => frame.scope != Scope::Function,
        _ => false,
    };
    if !named {
        for name in names {
            walk.field_name(name, Write, Some(Hint::LITERAL));
        }
        return;
    }
    if names.is_empty() {
        // An embedded type is a field of its name as well.
        frame.role = Inherit;
        if let Some(name) = declared.and_then(embedded_name) {
            let mut draft = Draft::new(SymbolKind::Field, name, node);
            draft.set_if(SymbolFlags::EXPORTED, is_exported(walk.text(name)));
            draft.value(Some(Hint::instance(name)));
            walk.record(&draft, frame);
            walk.names_another(name);
        }
        return;
    }
    if is_struct(node) {
        hint = None;
    }
    let mut symbol = None;
    for name in &names {
        let mut draft = Draft::new(SymbolKind::Field, *name, node);
        draft.set_if(SymbolFlags::EXPORTED, is_exported(walk.text(*name)));
        draft.value(hint);
        symbol = walk.record(&draft, frame);
    }
    if is_struct(node) && names.len() == 1 {
        frame.symbol = symbol;
    }
}

/// The name by which an embedded type is a field.
fn embedded_name(mut node: Node<'_>) -> Option<Node<'_>> {
    for _ in 0..4 {
        node = match node.kind_name() {
            "type_identifier" => return Some(node),
            "qualified_type" => node.field("name")?,
            "generic_type" => node.field("type")?,
            _ => node.named_child(0)?,
        };
    }
    None
}

/// A key of a composite literal names a field, unless the literal is a map or an array.
fn keyed_element<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let key = node
        .field("key")
        .and_then(|key| key.named_child(0))
        .filter(|key| key.kind_name() == "identifier");
    let Some(key) = key else { return };
    let Some(values::Keys::Fields { object, elsewhere }) = values::keys(walk) else {
        return;
    };
    // Fields of another package's struct are capitalised: this is a map by another name.
    if !elsewhere || is_exported(walk.text(key)) {
        walk.field_name(key, Write, object);
    }
}

/// `New[Job]()` calls what it indexes, if that is a type; `hooks[i]()` does not.
fn index_expression<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let instantiates = || {
        let index = node.field("index")?;
        Some(match index.kind_name() {
            "identifier" => values::may_be_type(walk.text(index)),
            kind => kind.ends_with("_type"),
        })
    };
    if frame.role != Call || instantiates() != Some(true) {
        frame.role = Read;
    }
}

/// In an interface a single type is embedded; several are what a type argument may be.
fn type_elem<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role == Inherit && node.named_child_count() > 1 {
        frame.role = Type;
    }
}

fn package_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.named_child(0) {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    frame.skip();
}

/// Without an alias the local name is taken to be the last part of the path that is no version.
fn import_spec<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(path) = node.field("path") else {
        return;
    };
    let path = string_content(walk.text(path));
    let bindings = match node.field("name") {
        Some(name) => match walk.text(name) {
            b"_" => Vec::new(),
            b"." => vec![walk.binding(None, None)],
            alias => vec![walk.binding(None, Some(alias))],
        },
        None => vec![walk.binding(None, Some(last_part(path)))],
    };
    walk.import(ImportKind::Import, node, path, bindings);
}

fn last_part(path: &[u8]) -> &[u8] {
    let mut parts = path.rsplit(|b| *b == b'/');
    let last = parts.next().unwrap_or(path);
    let version = last.len() > 1 && last[0] == b'v' && last[1..].iter().all(u8::is_ascii_digit);
    let name = if version {
        parts.next().unwrap_or(last)
    } else {
        last
    };
    // `gopkg.in/yaml.v3` is `yaml`.
    name.split(|b| *b == b'.').next().unwrap_or(name)
}
