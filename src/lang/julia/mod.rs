//! Julia.

pub(crate) mod facts;
mod locals;
mod newer;
mod resolve;

use crate::syntax::prelude::*;

/// Julia 1.
pub(crate) static JULIA: LangSpec = LangSpec {
    hooks: hooks! {
        module => "module_definition",
        type_definition => "abstract_definition primitive_definition struct_definition",
        function_definition => "function_definition macro_definition",
        assignment => "assignment",
        written => "compound_assignment_expression",
        signature => "signature",
        type_head => "type_head",
        locals::where_expression => "where_expression",
        locals::arrow => "arrow_function_expression",
        locals::do_clause => "do_clause",
        locals::for_binding => "for_binding",
        locals::let_binding => "let_binding",
        locals::catch_clause => "catch_clause",
        block => "for_statement while_statement let_statement quote_statement",
        macro_call => "macrocall_expression",
        call => "call_expression",
        import => "using_statement import_statement",
        parameters => "argument_list parenthesized_expression",
        macro_identifier => "macro_identifier",
        raw => "prefixed_string_literal prefixed_command_literal",
        symbol => "quote_expression",
        string => "string_literal",
    },
    roles: roles! {
        Is(Call) => "call_expression broadcast_call_expression",
        Pass => "argument_list macro_identifier parametrized_type_expression splat_expression
            parenthesized_expression tuple_expression open_tuple",
        First => "named_argument named_field assignment let_binding compound_assignment_expression
            for_binding",
        Is(Read) => "macro_argument_list catch_clause index_expression",
        Object => "field_expression.value",
        Member => "field_expression",
        Rule::Chain => "scoped_identifier",
        FirstOr(Type) => "typed_expression where_expression",
        Is(Type) => "unary_typed_expression curly_expression",
        Is(Inherit) => "type_head",
        Rule::Arg => "binary_expression",
        Is(Import) => "using_statement import_statement selected_import import_alias import_path
            export_statement public_statement",
    },
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[],
    comments: &["line_comment", "block_comment"],
    strings: &[],
    hint: locals::hint_of,
    ..LangSpec::new()
};

/// The node that a definition is written in: itself, or the `const` or macro call around it.
fn outermost<'t>(walk: &Walk<'t>, node: Node<'t>) -> Node<'t> {
    let around = walk.stack.iter().rev().map(|frame| frame.node);
    let wraps = |above: &Node<'t>| {
        matches!(
            above.kind_name(),
            "const_statement" | "macro_argument_list" | "macrocall_expression"
        )
    };
    around.take_while(wraps).last().unwrap_or(node)
}

/// The string that stands above a definition, or above a field.
fn docstring<'t>(walk: &Walk<'t>, definition: Node<'t>) -> Option<Node<'t>> {
    let above = outermost(walk, definition).prev_named_sibling()?;
    is_docstring(above).then_some(above)
}

/// Whether a string is what documents the statement after it.
fn is_docstring(string: Node<'_>) -> bool {
    let documented = |next: Node<'_>| {
        let row = string.end_position().row;
        next.start_position().row == row + 1 && !next.kind_name().ends_with("_literal")
    };
    let statement = |above: Node<'_>| {
        matches!(
            above.kind_name(),
            "source_file" | "module_definition" | "struct_definition" | "compound_statement"
        ) || above.is_error()
    };
    string.kind_name() == "string_literal"
        && string.parent().is_some_and(statement)
        && string.next_named_sibling().is_some_and(documented)
}

/// Starts a draft with the documentation of what it defines.
fn draft<'t>(walk: &Walk<'t>, kind: SymbolKind, name: Node<'t>, node: Node<'t>) -> Draft<'t> {
    let outer = outermost(walk, node);
    let mut draft = Draft::new(kind, name, outer);
    if outer.kind_name() == "macrocall_expression" {
        draft.set(SymbolFlags::DECORATED);
    }
    if let Some(doc) = docstring(walk, node) {
        draft.lead_row = doc.start_position().row;
        draft.doc = Some(doc.byte_range());
    }
    draft
}

/// Whatever a module holds can be named from other files; what it exports is only said to be meant for it.
fn visible(draft: &mut Draft<'_>, frame: &Frame<'_>) {
    if frame.scope != Scope::Function {
        draft.set(SymbolFlags::EXPORTED);
    }
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let mut draft = draft(walk, SymbolKind::Module, name, node);
        draft.body = Some(name.end_byte());
        visible(&mut draft, frame);
        walk.define(draft, frame);
    }
}

/// The name in the head of a type: of `A{T} <: B` that is `A`.
fn head_name(mut head: Node<'_>) -> Option<Node<'_>> {
    while matches!(
        head.kind_name(),
        "type_head" | "binary_expression" | "parametrized_type_expression" | "where_expression"
    ) {
        head = head.named_child(0)?;
    }
    (head.kind_name() == "identifier").then_some(head)
}

fn type_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(head) = node
        .content()
        .into_iter()
        .find(|child| child.kind_name() == "type_head")
    else {
        return;
    };
    let Some(name) = head_name(head) else {
        return;
    };
    let kind = match node.kind_name() {
        "struct_definition" => SymbolKind::Struct,
        "abstract_definition" => SymbolKind::Interface,
        _ => SymbolKind::Type,
    };
    let mut draft = draft(walk, kind, name, node);
    draft.body = Some(head.end_byte());
    visible(&mut draft, frame);
    locals::type_parameters(walk, head, node);
    walk.define(draft, frame);
    if kind == SymbolKind::Struct {
        fields(walk, node, frame);
        frame.scope = Scope::Class;
    }
}

/// The members of a struct, with a type, a default, both or neither.
fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>) {
    for member in node.content() {
        let mut name = member;
        let mut declared = None;
        while matches!(
            name.kind_name(),
            "assignment" | "const_statement" | "typed_expression" | "binary_expression"
        ) {
            if name.kind_name() == "typed_expression" {
                declared = name.named_child(1);
            }
            let Some(inner) = name.named_child(0) else {
                break;
            };
            name = inner;
        }
        if name.kind_name() != "identifier" {
            continue;
        }
        let mut draft = Draft::new(SymbolKind::Field, name, member);
        if let Some(doc) = member.prev_named_sibling().filter(|doc| is_docstring(*doc)) {
            draft.lead_row = doc.start_position().row;
            draft.doc = Some(doc.byte_range());
        }
        draft.set(SymbolFlags::EXPORTED);
        let known = declared.and_then(|declared| locals::of_type(walk, declared));
        draft.value(known);
        walk.record(&draft, frame);
    }
}

/// The call in the head of a function, and the type of what it returns.
fn called(mut head: Node<'_>) -> Option<(Node<'_>, Option<Node<'_>>)> {
    let mut returned = None;
    loop {
        match head.kind_name() {
            "typed_expression" => {
                returned = head.named_child(1);
                head = head.named_child(0)?;
            }
            "where_expression" | "signature" => head = head.named_child(0)?,
            "call_expression" | "identifier" => return Some((head, returned)),
            _ => return None,
        }
    }
}

/// The name that a method is defined for: of `Base.show` that is `show`, of `Queue{T}` it is `Queue`.
fn method_name(call: Node<'_>) -> Option<Node<'_>> {
    let mut name = match call.kind_name() {
        "call_expression" => call.named_child(0)?,
        _ => call,
    };
    loop {
        match name.kind_name() {
            "identifier" | "operator" => return Some(name),
            "field_expression" => name = name.named_child(1)?,
            "parametrized_type_expression" | "quote_expression" | "parenthesized_expression" => {
                name = name.named_child(0)?;
            }
            // `(q::Queue)(x)`: objects of the type can be called.
            "typed_expression" => name = name.named_child(name.named_child_count() as u32 - 1)?,
            _ => return None,
        }
    }
}

/// Defines a method; `body` is where its head ends.
fn method<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    head: Node<'t>,
    kind: SymbolKind,
    frame: &mut Frame<'t>,
) -> bool {
    let Some((call, returned)) = called(head) else {
        return false;
    };
    let Some(name) = method_name(call) else {
        return false;
    };
    let mut draft = draft(walk, kind, name, node);
    draft.body = Some(head.end_byte());
    visible(&mut draft, frame);
    if call.kind_name() == "identifier" {
        draft.set(SymbolFlags::DECLARATION);
    }
    if kind == SymbolKind::Function {
        let owner = walk.owner(walk.text(name), |symbol| symbol.kind == SymbolKind::Struct);
        if owner.is_some() {
            draft.kind = SymbolKind::Constructor;
            draft.container = owner;
        }
    }
    let known = returned.and_then(|declared| locals::of_type(walk, declared));
    draft.value(known);
    // `(q::Queue)(x)` uses the type, whose name it has.
    let object = call.kind_name() == "call_expression" && walk.text(call).starts_with(b"(");
    if object {
        draft.kind = SymbolKind::Method;
    }
    walk.define(draft, frame);
    frame.scope = Scope::Function;
    match object {
        true => walk.def_names.remove(&name.start_byte()),
        // A name may end with `!`.
        false => walk.def_names.insert(name.start_byte()),
    };
    locals::parameters(walk, call, node);
    true
}

fn function_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let kind = match node.kind_name() {
        "macro_definition" => SymbolKind::Macro,
        _ => SymbolKind::Function,
    };
    let head = node
        .content()
        .into_iter()
        .find(|child| child.kind_name() == "signature");
    let named = head.is_some_and(|head| method(walk, node, head, kind, frame));
    if !named {
        frame.scope = Scope::Function;
        if let Some(list) = head.and_then(|head| head.named_child(0)) {
            locals::parameters(walk, list, node);
        }
    }
}

/// The head of a function is no call of it. One that stands in an error is that of a function that is
/// being typed.
fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(error) = walk.stack.last_mut().filter(|above| above.node.is_error()) {
        error.scope = Scope::Function;
        frame.scope = Scope::Module;
        method(walk, node, node, SymbolKind::Function, frame);
    }
    frame.role = Read;
}

/// The head of a type that is being typed.
fn type_head<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let loose = walk.ancestor(0).is_some_and(|above| above.node.is_error());
    if let Some(name) = head_name(node).filter(|_| loose) {
        let mut draft = Draft::new(SymbolKind::Struct, name, node);
        visible(&mut draft, frame);
        walk.record(&draft, frame);
    }
}

/// Parameters are written, arguments read.
fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.take_claim(node.start_byte()) {
        frame.role = Write;
    } else if node.kind_name() == "argument_list" {
        frame.role = Read;
    }
}

/// `@name` is called, but where it is imported or exported.
fn macro_identifier<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role != Import {
        frame.role = Call;
    }
}

/// `r"..."`: its prefix is no name that is written anywhere else.
fn raw<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.skip();
}

fn written<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
}

/// Bindings of a loop or a `let` at the top of a file are its own.
fn block<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Class {
        frame.scope = Scope::Function;
    }
}

/// `f(x) = ...`, `const A = ...`, `a, b = ...`, `x.y = ...`.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let parts = node.content();
    let (Some(left), Some(right)) = (parts.first().copied(), parts.last().copied()) else {
        return;
    };
    let head = matches!(
        left.kind_name(),
        "call_expression" | "where_expression" | "typed_expression"
    );
    if head
        && called(left).is_some_and(|(call, _)| call.kind_name() == "call_expression")
        && method(walk, node, left, SymbolKind::Function, frame)
    {
        frame.role = Read;
        return;
    }
    frame.role = Write;
    if frame.scope == Scope::Class {
        return;
    }
    if frame.scope == Scope::Function {
        locals::assigned(walk, node, left, right);
        return;
    }
    let constant = walk
        .ancestor(0)
        .is_some_and(|above| above.node.kind_name() == "const_statement");
    let names = match left.kind_name() {
        "open_tuple" | "tuple_expression" => left.content(),
        _ => vec![left],
    };
    for name in &names {
        let (name, declared) = match name.kind_name() {
            "typed_expression" => (name.named_child(0).unwrap_or(*name), name.named_child(1)),
            // `const A{T} = B{T, Int}`.
            "parametrized_type_expression" => (name.named_child(0).unwrap_or(*name), None),
            _ => (*name, None),
        };
        if !matches!(name.kind_name(), "identifier" | "operator") {
            continue;
        }
        let (id, _) = walk.names.intern(walk.text(name));
        if !walk.bound.insert((frame.symbol, id)) {
            continue;
        }
        let kind = match right.kind_name() {
            "arrow_function_expression" | "function_definition" => SymbolKind::Function,
            "parametrized_type_expression" | "where_expression" if constant => SymbolKind::Type,
            _ if constant => SymbolKind::Constant,
            _ => SymbolKind::Variable,
        };
        let mut draft = draft(walk, kind, name, node);
        visible(&mut draft, frame);
        let known = match declared {
            Some(declared) => locals::of_type(walk, declared),
            None if names.len() == 1 => locals::of_value(walk, right),
            None => None,
        };
        draft.value(known);
        if kind == SymbolKind::Function {
            draft.body = Some(right.start_byte());
            walk.define(draft, frame);
            frame.role = Write;
        } else {
            walk.record(&draft, frame);
        }
    }
}

/// The last name of a macro that is called.
fn macro_name<'t>(walk: &Walk<'t>, call: Node<'t>) -> &'t [u8] {
    let name = call
        .content()
        .into_iter()
        .find(|child| child.kind_name() == "macro_identifier");
    let name = name.map_or(&b""[..], |name| walk.text(name));
    name.rsplit(|b| matches!(b, b'.' | b'@'))
        .next()
        .unwrap_or(name)
}

fn macro_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(arguments) = node
        .content()
        .into_iter()
        .find(|child| matches!(child.kind_name(), "macro_argument_list" | "argument_list"))
    else {
        return;
    };
    let arguments = arguments.content();
    match macro_name(walk, node) {
        b"enum" => enumeration(walk, node, &arguments, frame),
        b"testset" | b"testitem" | b"testcase" => test(walk, node, &arguments, frame),
        _ => {}
    }
}

/// `@enum Color RED GREEN=2`, its cases on one line or in a block.
fn enumeration<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    arguments: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    let Some((head, cases)) = arguments.split_first() else {
        return;
    };
    let name = match head.kind_name() {
        "typed_expression" => head.named_child(0).unwrap_or(*head),
        _ => *head,
    };
    if name.kind_name() != "identifier" {
        return;
    }
    let mut draft = draft(walk, SymbolKind::Enum, name, node);
    draft.body = Some(head.end_byte());
    visible(&mut draft, frame);
    walk.define(draft, frame);
    let mut cases = cases.to_vec();
    if let [block] = cases[..]
        && block.kind_name() == "compound_statement"
    {
        cases = block.content();
    }
    // `GREEN=2 BLUE` reads as a product.
    let mut open: Vec<_> = cases.into_iter().rev().collect();
    let mut left = open.len() + locals::MAX_NAMES;
    while let Some(case) = open.pop().filter(|_| left > 0) {
        left -= 1;
        match case.kind_name() {
            "identifier" => {
                let mut draft = Draft::new(SymbolKind::Variant, case, case);
                draft.set(SymbolFlags::EXPORTED);
                walk.record(&draft, frame);
            }
            "assignment" | "juxtaposition_expression" => {
                open.extend(case.content().into_iter().rev());
            }
            _ => {}
        }
    }
    frame.scope = Scope::Class;
}

/// `@testset "title" begin ... end`.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, arguments: &[Node<'t>], frame: &mut Frame<'t>) {
    let title = arguments
        .iter()
        .find(|child| child.kind_name() == "string_literal");
    let Some(content) = title.and_then(|title| title.named_child(0)) else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Test, content, node);
    draft.name.end = title.map_or(draft.name.end, |title| title.end_byte() - 1);
    draft.set(SymbolFlags::TEST);
    draft.body = title.map(|title| title.end_byte());
    walk.define(draft, frame);
}

/// `include("x.jl")`.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let parts = node.content();
    let [name, arguments, ..] = parts[..] else {
        return;
    };
    if walk.text(name) != b"include" {
        return;
    }
    let Some(last) = arguments.content().last().copied() else {
        return;
    };
    let path = match last.kind_name() {
        "string_literal" => string_content(walk.text(last)).to_vec(),
        // `joinpath("a", "b.jl")`.
        "call_expression" => {
            let parts = last
                .named_child(1)
                .map(NodeExt::content)
                .unwrap_or_default();
            let parts: Vec<&[u8]> = parts
                .iter()
                .filter(|part| part.kind_name() == "string_literal")
                .map(|part| string_content(walk.text(*part)))
                .collect();
            parts.join(&b"/"[..])
        }
        _ => Vec::new(),
    };
    if !path.is_empty() && !path.contains(&b'$') {
        // The file's name is no mention of something else.
        walk.def_names.insert(last.start_byte() + 1);
        let all = vec![walk.binding(None, None)];
        walk.import(ImportKind::Include, node, &path, all);
    }
}

/// The names that `a`, `@a`, `a as b` import and bind.
fn imported<'t>(walk: &Walk<'t>, item: Node<'t>) -> Option<(&'t [u8], &'t [u8])> {
    let name = |node: Node<'t>| {
        let text = walk.text(node);
        text.strip_prefix(b"@").unwrap_or(text)
    };
    match item.kind_name() {
        "import_alias" => Some((name(item.named_child(0)?), name(item.named_child(1)?))),
        _ => Some((name(item), name(item))),
    }
}

/// `using A, B.C`, `using ..A: b, c as d`, `import A as B`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    for item in node.content() {
        if item.kind_name() == "selected_import" {
            let parts = item.content();
            let Some((module, names)) = parts.split_first() else {
                continue;
            };
            let bindings = names
                .iter()
                .filter_map(|name| imported(walk, *name))
                .collect::<Vec<_>>()
                .into_iter()
                .map(|(name, local)| walk.binding(Some(name), Some(local)))
                .collect();
            walk.import(ImportKind::Import, node, walk.text(*module), bindings);
            continue;
        }
        let Some((module, local)) = imported(walk, item) else {
            continue;
        };
        let last = local.rsplit(|b| *b == b'.').next().unwrap_or(local);
        let mut bindings = vec![walk.binding(None, Some(last))];
        if node.kind_name() == "using_statement" {
            bindings.push(walk.binding(None, None));
        }
        walk.import(ImportKind::Import, node, module, bindings);
    }
}

/// `:name` mentions what it names.
fn symbol<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node
        .named_child(0)
        .filter(|name| name.kind_name() == "identifier" && is_name(walk.text(*name)))
    else {
        return;
    };
    if !walk.def_names.remove(&name.start_byte()) {
        let at = name.start_position();
        walk.occurrence(walk.text(name), at.row, at.column, Mention, Qualifier::None);
    }
    frame.skip();
}

/// Documentation is prose; another string is a mention, or holds code.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if is_docstring(node) {
        walk.comment(node);
        return frame.skip();
    }
    crate::syntax::interpolated::string(walk, node, frame)
}
