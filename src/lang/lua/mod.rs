//! Lua.

mod arguments;
pub(crate) mod facts;
mod resolve;

use crate::id::LocalName;
use crate::record::{Binding, Symbol};
use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;

/// Most named entries of a table that is taken for an object; a larger one is data.
const MAX_FIELDS: usize = 64;

/// Lua 5.1 to 5.4, and LuaJIT.
pub(crate) static LUA: LangSpec = LangSpec {
    defs: &[def("function_declaration", SymbolKind::Function)],
    refine,
    hooks: hooks! {
        assignment => "assignment_statement",
        hooks::function => "function_definition",
        function_call => "function_call",
        field => "field",
        key => "identifier",
        half_typed => "dot_index_expression method_index_expression",
        return_statement => "return_statement",
        parameters => "parameters",
        variable_declaration => "variable_declaration",
        for_clause => "for_generic_clause for_numeric_clause",
        hooks::skip => "attribute goto_statement label_statement",
    },
    roles: roles! {
        Is(Call) => "function_call.name",
        Object => "dot_index_expression.table method_index_expression.table",
        Member => "dot_index_expression.field method_index_expression.method",
        Pass => "assignment_statement variable_list parenthesized_expression",
        Is(Write) => "variable_declaration for_generic_clause for_numeric_clause.name parameters
            field.name",
        Is(Read) => "expression_list",
    },
    this_names: &[b"self"],
    comments: &["comment", "hash_bang_line"],
    strings: &["string"],
    hint,
    finish,
    ..LangSpec::new()
};

/// The table a member is defined on and the member: of `a.b.f` these are `b` and `f`.
fn member<'t>(name: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let last = match name.kind_name() {
        "dot_index_expression" => name.field("field")?,
        "method_index_expression" => name.field("method")?,
        _ => return None,
    };
    let table = name.field("table")?;
    let table = match table.kind_name() {
        "identifier" => table,
        "dot_index_expression" => table.field("field")?,
        _ => return None,
    };
    (last.kind_name() == "identifier").then_some((table, last))
}

/// Makes a draft that of a member of `table`.
fn attach<'t>(walk: &mut Walk<'t>, table: Node<'t>, draft: &mut Draft<'t>) {
    let owner = walk.text(table);
    let holds = |symbol: &Symbol<LocalName>| {
        matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
    };
    match walk.owner(owner, holds) {
        Some(found) => draft.container = Some(found),
        None => draft.receiver = Some(owner),
    }
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let Some(name) = node.field("name") else {
        return draft.reject();
    };
    draft.value(returned(walk, node));
    if let Some((table, last)) = member(name) {
        draft.kind = SymbolKind::Method;
        draft.rename(last);
        attach(walk, table, draft);
    } else if frame.scope == Scope::Module && !is_local(walk, node) {
        draft.set(SymbolFlags::EXPORTED);
    }
}

fn is_local(walk: &Walk<'_>, declaration: Node<'_>) -> bool {
    walk.text(declaration).starts_with(b"local")
}

/// What a function returns, by its last statement.
fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    let body = function.field("body")?;
    let last = body.last_named()?;
    let list = last
        .named_child(0)
        .filter(|list| last.kind_name() == "return_statement" && list.named_child_count() == 1)?;
    let value = list.named_child(0)?;
    if walk.text(value) != b"self" {
        return hint(walk, value);
    }
    // `local self = setmetatable({}, Class) ... return self`.
    for statement in body.named() {
        let bound = statement
            .named_child(0)
            .filter(|_| statement.kind_name() == "variable_declaration");
        if let Some((names, values)) = bound.and_then(sides)
            && names.named_child(0).map(|name| walk.text(name)) == Some(b"self")
        {
            return values.named_child(0).and_then(|value| hint(walk, value));
        }
    }
    Some(Hint::THIS)
}

/// Both sides of an assignment.
fn sides(assignment: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let (mut names, mut values) = (None, None);
    for child in assignment.named() {
        match child.kind_name() {
            "variable_list" => names = Some(child),
            "expression_list" => values = Some(child),
            _ => {}
        }
    }
    names.zip(values)
}

/// The names of a `variable_list`, attributes left out.
fn listed(list: Node<'_>) -> Vec<Node<'_>> {
    list.fields("name").collect()
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
    let Some((names, values)) = sides(node) else {
        return;
    };
    let names = listed(names);
    let values: Vec<_> = values.named().collect();
    let declaration = walk
        .above(0)
        .filter(|above| above.kind_name() == "variable_declaration");
    if let Some(call) = values.first().filter(|_| values.len() == 1)
        && let Some((module, imported)) = required(walk, *call)
    {
        require_into(walk, &names, *call, module, imported);
        frame.role = Import;
        return;
    }
    let outer = declaration.unwrap_or(node);
    for (i, name) in names.iter().enumerate() {
        let value = values.get(i).copied();
        let bound = value.and_then(|value| function_of(walk, value));
        if frame.scope == Scope::Function && (bound.is_none() || name.kind_name() != "identifier") {
            continue;
        }
        let kind = match bound {
            Some(_) => SymbolKind::Function,
            None if is_constant(walk.text(*name)) => SymbolKind::Constant,
            None => SymbolKind::Variable,
        };
        let mut draft = Draft::new(kind, *name, outer);
        if let Some((table, last)) = member(*name) {
            draft.kind = match bound {
                Some(_) => SymbolKind::Method,
                None => SymbolKind::Field,
            };
            draft.rename(last);
            attach(walk, table, &mut draft);
        } else if name.kind_name() != "identifier" {
            continue;
        } else if declaration.is_none() && frame.scope == Scope::Module {
            draft.set(SymbolFlags::EXPORTED);
        }
        if bound.is_none() {
            // What was bound before is only written to.
            let id = draft.text(walk);
            let first = walk.first_bound(draft.container, id);
            let index = (draft.receiver.is_some()
                || draft.container.is_none() && declaration.is_none())
                && frame.symbol.is_some();
            if !first || index {
                continue;
            }
        }
        match (bound, value) {
            (Some(function), _) => {
                draft.body_at(function.field("body"));
                let known = returned(walk, function);
                draft.value(known);
            }
            (None, Some(value)) => draft.value(hint(walk, value)),
            (None, None) => {}
        }
        if names.len() == 1 {
            walk.define(draft, frame);
        } else {
            walk.record(&draft, frame);
        }
    }
}

/// The function that a value is, or is unless there is another: `f or function() end`.
fn function_of<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<Node<'t>> {
    let function = match value.kind_name() {
        "binary_expression" => {
            let operator = walk.text_of(value.field("operator"));
            matches!(operator, b"or" | b"and").then(|| value.field("right"))??
        }
        _ => value,
    };
    (function.kind_name() == "function_definition").then_some(function)
}

/// Capitals alone make a constant; there are no others.
fn is_constant(name: &[u8]) -> bool {
    name.len() > 1
        && name.iter().any(u8::is_ascii_uppercase)
        && !name.iter().any(u8::is_ascii_lowercase)
}

/// The string that names the module, and the member taken of it, when an expression is
/// `require("m")`, `require "m"`, `require("m").x` or `pcall(require, "m")`.
fn required<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<(Node<'t>, Option<Node<'t>>)> {
    let (call, member) = match value.kind_name() {
        "dot_index_expression" => (value.field("table")?, Some(value.field("field")?)),
        _ => (value, None),
    };
    if call.kind_name() != "function_call" {
        return None;
    }
    let arguments = call.field("arguments")?;
    let module = match walk.text(call.field("name")?) {
        b"require" => arguments.named_child(0)?,
        b"pcall" if walk.text(arguments.named_child(0)?) == b"require" => {
            arguments.named_child(1)?
        }
        _ => return None,
    };
    (module.kind_name() == "string").then_some((module, member))
}

fn require_into<'t>(
    walk: &mut Walk<'t>,
    names: &[Node<'t>],
    value: Node<'t>,
    module: Node<'t>,
    imported: Option<Node<'t>>,
) {
    let guarded = walk.text(value).starts_with(b"pcall");
    let name = if guarded { names.get(1) } else { names.first() };
    let imported = imported.map(|imported| walk.text(imported));
    let local = name
        .filter(|name| name.kind_name() == "identifier")
        .map(|name| walk.text(*name));
    let bindings = match local {
        Some(local) => vec![walk.binding(imported, Some(local))],
        None => Vec::new(),
    };
    import(walk, module, bindings);
    walk.claim(value.start_byte());
}

fn import<'t>(walk: &mut Walk<'t>, module: Node<'t>, bindings: Vec<Binding<LocalName>>) {
    let specifier = string_content(walk.text(module));
    if !specifier.is_empty() {
        walk.import(ImportKind::Require, module, specifier, bindings);
        // The module's name is no mention of something else.
        walk.def_names.insert(module.start_byte() + 1);
    }
}

fn function_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some((module, None)) = required(walk, node)
        && !walk.take_claim(node.start_byte())
    {
        import(walk, module, Vec::new());
    }
}

/// Whether an entry of a table has an expression for its key: `[NAME] = value`.
fn is_computed(walk: &Walk<'_>, entry: Node<'_>) -> bool {
    entry.kind_name() == "field" && walk.text(entry).starts_with(b"[")
}

/// What stands in the brackets of a key is read.
fn key<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let is_name = |entry: &Node<'t>| entry.field("name") == Some(node);
    if frame.role == Write
        && let Some(entry) = walk.above(0).filter(is_name)
        && is_computed(walk, entry)
    {
        frame.role = Read;
    }
}

/// `function M.f()` before an `end` is typed: to the grammar an error and a call.
fn half_typed<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    key(walk, node, frame);
    let before = walk.src.get(..node.start_byte()).unwrap_or(b"");
    let above = walk.above(0);
    let whole = above.is_some_and(|above| above.kind_name() == "function_declaration");
    if !whole
        && before.trim_ascii_end().ends_with(b"function")
        && let Some((table, last)) = member(node)
    {
        let mut draft = Draft::new(SymbolKind::Method, last, above.unwrap_or(node));
        draft.begin(node);
        attach(walk, table, &mut draft);
        walk.record(&draft, frame);
    }
}

/// Functions that are entries of a table outside functions, and other entries of a table that is bound to a
/// name or returned by the file.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(name), Some(value)) = (node.field("name"), node.field("value")) else {
        return;
    };
    let is_name = name.kind_name() == "identifier" && !is_computed(walk, node);
    if frame.scope == Scope::Function || !is_name {
        return;
    }
    let function = function_of(walk, value);
    let data = walk.ancestor(0).is_some_and(|table| {
        walk.kind_above(1) != "expression_list" || table.node.named_child_count() > MAX_FIELDS
    });
    if data && function.is_none() {
        return;
    }
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    if let Some(function) = function {
        draft.kind = SymbolKind::Method;
        draft.body_at(function.field("body"));
        let known = returned(walk, function);
        draft.value(known);
    } else {
        draft.value(hint(walk, value));
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.symbol.is_none());
    walk.define(draft, frame);
}

/// What a file returns is what `require` gives.
fn return_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Module {
        return;
    }
    let Some(value) = node.named_child(0).and_then(|list| list.named_child(0)) else {
        return;
    };
    match value.kind_name() {
        "identifier" => {
            let binding = walk.binding(None, Some(walk.text(value)));
            walk.import(ImportKind::Export, node, b"", vec![binding]);
        }
        "table_constructor" => {
            let mut bindings = Vec::new();
            for field in value.named() {
                let (Some(name), Some(local)) = (field.field("name"), field.field("value")) else {
                    continue;
                };
                if name.kind_name() == "identifier" && local.kind_name() == "identifier" {
                    bindings.push(walk.binding(Some(walk.text(name)), Some(walk.text(local))));
                }
            }
            if !bindings.is_empty() {
                walk.import(ImportKind::Export, node, b"", bindings);
            }
        }
        _ => {}
    }
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(function) = walk.above(0) else {
        return;
    };
    for name in listed(node) {
        walk.local(name, function.span(), None);
    }
}

/// `local a, b = f()` inside a function: seen from the next statement on.
fn variable_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Function {
        return;
    }
    let Some(inner) = node.named_child(0) else {
        return;
    };
    let (names, values) = match sides(inner) {
        Some((names, values)) => (names, Some(values)),
        None => (inner, None),
    };
    let scope = walk.scope_from(node.end_position(), &["block", "chunk"]);
    for (i, name) in listed(names).into_iter().enumerate() {
        let value = values.and_then(|values| values.named_child(i as u32));
        if value.is_some_and(|value| function_of(walk, value).is_some()) {
            continue;
        }
        let known = value.and_then(|value| hint(walk, value));
        walk.local(name, scope.clone(), known);
    }
}

/// `for i, x in ipairs(xs) do` and `for i = 1, n do`.
fn for_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(body) = walk
        .ancestor(0)
        .and_then(|statement| statement.node.field("body"))
    else {
        return;
    };
    let scope = body.span();
    if let Some(name) = node.field("name") {
        walk.local(name, scope, Some(Hint::LITERAL));
        return;
    }
    let Some((names, values)) = sides(node) else {
        return;
    };
    let over = values
        .named_child(0)
        .filter(|call| {
            matches!(
                walk.text(*call).split(|b| *b == b'(').next(),
                Some(b"ipairs" | b"pairs")
            )
        })
        .and_then(|call| call.field("arguments"))
        .and_then(|arguments| arguments.named_child(0))
        .and_then(last_name);
    for (i, name) in listed(names).into_iter().enumerate() {
        let element = over.filter(|_| i == 1).map(|list| Hint::element_of(list));
        walk.local(name, scope.clone(), element);
    }
}

/// The identifier that a path ends with.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind_name() {
        "identifier" => Some(path),
        "dot_index_expression" => path.field("field"),
        "method_index_expression" => path.field("method"),
        _ => None,
    }
}

fn hint(walk: &Walk<'_>, mut value: Node<'_>) -> Option<Hint> {
    loop {
        value = match value.kind_name() {
            // `x or default`.
            "binary_expression"
                if value
                    .field("operator")
                    .is_some_and(|operator| walk.text(operator) == b"or") =>
            {
                value.field("left")?
            }
            "parenthesized_expression" => value.named_child(0)?,
            _ => break,
        };
    }
    match value.kind_name() {
        "identifier" if walk.text(value) == b"self" => Some(Hint::THIS),
        "identifier" | "dot_index_expression" => Some(Hint::value(last_name(value)?)),
        "function_call" => {
            let name = value.field("name")?;
            if walk.text(name) == b"setmetatable" {
                let class = value.field("arguments")?.named_child(1)?;
                return Some(match walk.text(class) {
                    b"self" => Hint::THIS,
                    _ => Hint::instance(last_name(class)?),
                });
            }
            Some(Hint::result(last_name(name)?))
        }
        "bracket_index_expression" => {
            let list = last_name(value.field("table")?)?;
            Some(Hint::element_of(list))
        }
        "string" | "number" | "true" | "false" | "table_constructor" | "function_definition" => {
            Some(Hint::LITERAL)
        }
        _ => None,
    }
}

/// A table with methods is a class. What the file returns is exported with all its members, and
/// so is what was made a member of it.
fn finish(walk: &mut Walk<'_>) {
    let mut classes = FxHashSet::default();
    let mut exported: FxHashSet<_> = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export)
        .flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local))
        .collect();
    for symbol in &walk.symbols {
        let Some(container) = symbol.container else {
            continue;
        };
        let signature = &symbol.signature;
        let signature = &walk.src[signature.start as usize..signature.end as usize];
        let mut parts = signature.split(|b| *b == b'(');
        let colon = parts.next().is_some_and(|head| head.contains(&b':'));
        let takes_self = parts.next().is_some_and(|list| list.starts_with(b"self"));
        let method = symbol.kind == SymbolKind::Method && (colon || takes_self);
        if method || walk.names.get(symbol.name) == b"__index" {
            classes.insert(container);
        }
        if exported.contains(&walk.symbols[container as usize].name) {
            exported.insert(symbol.name);
        }
    }
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        let outer = symbol.container.map(|c| &walk.symbols[c as usize]);
        let visible = match outer {
            None => exported.contains(&symbol.name),
            Some(outer) => {
                outer.flags.contains(SymbolFlags::EXPORTED)
                    && matches!(symbol.kind, SymbolKind::Method | SymbolKind::Field)
            }
        };
        let class = classes.contains(&(index as u32))
            && matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
        let symbol = &mut walk.symbols[index];
        if visible {
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED);
        }
        if class {
            symbol.kind = SymbolKind::Class;
        }
    }
}
