//! Lua.

pub(crate) mod facts;
mod resolve;

use crate::id::LocalName;
use crate::record::{Binding, Flow, ImportKind, OccurrenceKind, Symbol, SymbolFlags, SymbolKind};
use crate::syntax::flows::Clue;
use crate::syntax::rows::{DefRow, LangSpec, Rule, Visit};
use crate::syntax::symbols::Draft;
use crate::syntax::walk::{Frame, Scope, Walk, string_content};
use OccurrenceKind::{Call, Import, Read, Write};
use Rule::{Is, Member, Object, Pass};
use rustc_hash::FxHashSet;
use tree_sitter::Node;

/// Most named entries of a table that is taken for an object; a larger one is data.
const MAX_FIELDS: usize = 64;

/// Lua 5.1 to 5.4, and LuaJIT.
pub(crate) static LUA: LangSpec = LangSpec {
    defs: &[DefRow {
        node: "function_declaration",
        kind: SymbolKind::Function,
        name: "name",
        body: "body",
    }],
    refine,
    hooks: &[
        ("assignment_statement", assignment),
        ("function_definition", function_definition),
        ("function_call", function_call),
        ("field", field),
        ("dot_index_expression", half_typed),
        ("method_index_expression", half_typed),
        ("return_statement", return_statement),
        ("parameters", parameters),
        ("variable_declaration", variable_declaration),
        ("for_generic_clause", for_clause),
        ("for_numeric_clause", for_clause),
        ("attribute", no_name),
        ("goto_statement", no_name),
        ("label_statement", no_name),
    ],
    roles: &[
        ("function_call", "name", Is(Call)),
        ("dot_index_expression", "table", Object),
        ("dot_index_expression", "field", Member),
        ("method_index_expression", "table", Object),
        ("method_index_expression", "method", Member),
        ("assignment_statement", "", Pass),
        ("variable_declaration", "", Is(Write)),
        ("for_generic_clause", "", Is(Write)),
        ("for_numeric_clause", "name", Is(Write)),
        ("variable_list", "", Pass),
        ("expression_list", "", Is(Read)),
        ("parenthesized_expression", "", Pass),
        ("parameters", "", Is(Write)),
        ("field", "name", Is(Write)),
    ],
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[b"self"],
    comments: &["comment", "hash_bang_line"],
    strings: &["string"],
    clue,
    finish,
};

fn no_name<'t>(_: &mut Walk<'t>, _: Node<'t>, _: &mut Frame<'t>) -> Visit {
    Visit::Skip
}

/// The table a member is defined on and the member: of `a.b.f` these are `b` and `f`.
fn member<'t>(name: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let last = match name.kind() {
        "dot_index_expression" => name.child_by_field_name("field")?,
        "method_index_expression" => name.child_by_field_name("method")?,
        _ => return None,
    };
    let table = name.child_by_field_name("table")?;
    let table = match table.kind() {
        "identifier" => table,
        "dot_index_expression" => table.child_by_field_name("field")?,
        _ => return None,
    };
    (last.kind() == "identifier").then_some((table, last))
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

fn refine<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> bool {
    let Some(name) = node.child_by_field_name("name") else {
        return false;
    };
    draft.value(returned(walk, node));
    if let Some((table, last)) = member(name) {
        draft.kind = SymbolKind::Method;
        draft.name = last.byte_range();
        draft.name_at = last.start_position();
        attach(walk, table, draft);
    } else if frame.scope == Scope::Module && !is_local(walk, node) {
        draft.set(SymbolFlags::EXPORTED);
    }
    true
}

fn is_local(walk: &Walk<'_>, declaration: Node<'_>) -> bool {
    walk.text(declaration).starts_with(b"local")
}

/// What a function returns, by its last statement.
fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Clue> {
    let body = function.child_by_field_name("body")?;
    let last = body.named_child(body.named_child_count().checked_sub(1)? as u32)?;
    let list = last
        .named_child(0)
        .filter(|list| last.kind() == "return_statement" && list.named_child_count() == 1)?;
    let value = list.named_child(0)?;
    if walk.text(value) != b"self" {
        return clue(walk, value);
    }
    // `local self = setmetatable({}, Class) ... return self`.
    let mut cursor = body.walk();
    for statement in body.named_children(&mut cursor) {
        let bound = statement
            .named_child(0)
            .filter(|_| statement.kind() == "variable_declaration");
        if let Some((names, values)) = bound.and_then(sides)
            && names.named_child(0).map(|name| walk.text(name)) == Some(b"self")
        {
            return values.named_child(0).and_then(|value| clue(walk, value));
        }
    }
    Some(Clue::THIS)
}

/// Both sides of an assignment.
fn sides(assignment: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let mut cursor = assignment.walk();
    let (mut names, mut values) = (None, None);
    for child in assignment.named_children(&mut cursor) {
        match child.kind() {
            "variable_list" => names = Some(child),
            "expression_list" => values = Some(child),
            _ => {}
        }
    }
    names.zip(values)
}

/// The names of a `variable_list`, attributes left out.
fn listed(list: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = list.walk();
    list.children_by_field_name("name", &mut cursor).collect()
}

fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.role = Write;
    let Some((names, values)) = sides(node) else {
        return Visit::Descend;
    };
    let names = listed(names);
    let mut cursor = values.walk();
    let values: Vec<_> = values.named_children(&mut cursor).collect();
    let declaration = walk
        .ancestor(0)
        .map(|above| above.node)
        .filter(|above| above.kind() == "variable_declaration");
    if let Some(call) = values.first().filter(|_| values.len() == 1)
        && let Some((module, imported)) = required(walk, *call)
    {
        require_into(walk, &names, *call, module, imported);
        frame.role = Import;
        return Visit::Descend;
    }
    let outer = declaration.unwrap_or(node);
    for (i, name) in names.iter().enumerate() {
        let value = values.get(i).copied();
        let bound = value.filter(|value| value.kind() == "function_definition");
        if frame.scope == Scope::Function && (bound.is_none() || name.kind() != "identifier") {
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
            draft.name = last.byte_range();
            draft.name_at = last.start_position();
            attach(walk, table, &mut draft);
        } else if name.kind() != "identifier" {
            continue;
        } else if declaration.is_none() && frame.scope == Scope::Module {
            draft.set(SymbolFlags::EXPORTED);
        }
        if bound.is_none() {
            // What was bound before is only written to.
            let id = walk.src.get(draft.name.clone()).unwrap_or(b"");
            let (id, _) = walk.names.intern(id);
            let first = walk.bound.insert((draft.container, id));
            let index = (draft.receiver.is_some()
                || draft.container.is_none() && declaration.is_none())
                && frame.symbol.is_some();
            if !first || index {
                continue;
            }
        }
        match (bound, value) {
            (Some(function), _) => {
                draft.body = function
                    .child_by_field_name("body")
                    .map(|body| body.start_byte());
                let known = returned(walk, function);
                draft.value(known);
            }
            (None, Some(value)) => draft.value(clue(walk, value)),
            (None, None) => {}
        }
        if names.len() == 1 {
            walk.define(draft, frame);
        } else {
            walk.record(&draft, frame);
        }
    }
    Visit::Descend
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
    let (call, member) = match value.kind() {
        "dot_index_expression" => (
            value.child_by_field_name("table")?,
            Some(value.child_by_field_name("field")?),
        ),
        _ => (value, None),
    };
    if call.kind() != "function_call" {
        return None;
    }
    let arguments = call.child_by_field_name("arguments")?;
    let module = match walk.text(call.child_by_field_name("name")?) {
        b"require" => arguments.named_child(0)?,
        b"pcall" if walk.text(arguments.named_child(0)?) == b"require" => {
            arguments.named_child(1)?
        }
        _ => return None,
    };
    (module.kind() == "string").then_some((module, member))
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
        .filter(|name| name.kind() == "identifier")
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
        let row = module.start_position().row;
        walk.import(ImportKind::Require, row, specifier, bindings);
        // The module's name is no mention of something else.
        walk.def_names.insert(module.start_byte() + 1);
    }
}

fn function_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    if let Some((module, None)) = required(walk, node)
        && !walk.take_claim(node.start_byte())
    {
        import(walk, module, Vec::new());
    }
    Visit::Descend
}

/// `function M.f()` before an `end` is typed: to the grammar an error and a call.
fn half_typed<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let before = walk.src.get(..node.start_byte()).unwrap_or(b"");
    let above = walk.ancestor(0).map(|above| above.node);
    let whole = above.is_some_and(|above| above.kind() == "function_declaration");
    if !whole
        && before.trim_ascii_end().ends_with(b"function")
        && let Some((table, last)) = member(node)
    {
        let mut draft = Draft::new(SymbolKind::Method, last, above.unwrap_or(node));
        draft.begin(node);
        attach(walk, table, &mut draft);
        walk.record(&draft, frame);
    }
    Visit::Descend
}

fn function_definition<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    frame.scope = Scope::Function;
    Visit::Descend
}

/// Entries of a table that is bound to a name, returned by the file, or an entry of such a table.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    let (Some(name), Some(value)) = (
        node.child_by_field_name("name"),
        node.child_by_field_name("value"),
    ) else {
        return Visit::Descend;
    };
    let kind = |up| walk.ancestor(up).map_or("", |above| above.node.kind());
    let owned = kind(1) == "expression_list" || (kind(1) == "field" && frame.symbol.is_some());
    if frame.scope == Scope::Function || name.kind() != "identifier" || !owned {
        return Visit::Descend;
    }
    let function = value.kind() == "function_definition";
    let data = walk.ancestor(0).is_some_and(|table| {
        kind(1) != "expression_list" || table.node.named_child_count() > MAX_FIELDS
    });
    if data && !function {
        return Visit::Descend;
    }
    let mut draft = Draft::new(SymbolKind::Field, name, node);
    if function {
        draft.kind = SymbolKind::Method;
        draft.body = value
            .child_by_field_name("body")
            .map(|body| body.start_byte());
        let known = returned(walk, value);
        draft.value(known);
    } else {
        draft.value(clue(walk, value));
    }
    if frame.symbol.is_none() {
        draft.set(SymbolFlags::EXPORTED);
    }
    walk.define(draft, frame);
    Visit::Descend
}

/// What a file returns is what `require` gives.
fn return_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope != Scope::Module {
        return Visit::Descend;
    }
    let Some(value) = node.named_child(0).and_then(|list| list.named_child(0)) else {
        return Visit::Descend;
    };
    let row = node.start_position().row;
    match value.kind() {
        "identifier" => {
            let binding = walk.binding(None, Some(walk.text(value)));
            walk.import(ImportKind::Export, row, b"", vec![binding]);
        }
        "table_constructor" => {
            let mut bindings = Vec::new();
            let mut cursor = value.walk();
            for field in value.named_children(&mut cursor) {
                let (Some(name), Some(local)) = (
                    field.child_by_field_name("name"),
                    field.child_by_field_name("value"),
                ) else {
                    continue;
                };
                if name.kind() == "identifier" && local.kind() == "identifier" {
                    bindings.push(walk.binding(Some(walk.text(name)), Some(walk.text(local))));
                }
            }
            if !bindings.is_empty() {
                walk.import(ImportKind::Export, row, b"", bindings);
            }
        }
        _ => {}
    }
    Visit::Descend
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(function) = walk.ancestor(0).map(|above| above.node) else {
        return Visit::Descend;
    };
    for name in listed(node) {
        walk.local(
            name,
            function.start_position()..function.end_position(),
            None,
        );
    }
    Visit::Descend
}

/// `local a, b = f()` inside a function: seen from the next statement on.
fn variable_declaration<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) -> Visit {
    if frame.scope != Scope::Function {
        return Visit::Descend;
    }
    let Some(inner) = node.named_child(0) else {
        return Visit::Descend;
    };
    let (names, values) = match sides(inner) {
        Some((names, values)) => (names, Some(values)),
        None => (inner, None),
    };
    let scope = node.end_position()..walk.scope_within(&["block", "chunk"]).end;
    for (i, name) in listed(names).into_iter().enumerate() {
        let value = values.and_then(|values| values.named_child(i as u32));
        if value.is_some_and(|value| value.kind() == "function_definition") {
            continue;
        }
        let known = value.and_then(|value| clue(walk, value));
        walk.local(name, scope.clone(), known);
    }
    Visit::Descend
}

/// `for i, x in ipairs(xs) do` and `for i = 1, n do`.
fn for_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) -> Visit {
    let Some(body) = walk
        .ancestor(0)
        .and_then(|statement| statement.node.child_by_field_name("body"))
    else {
        return Visit::Descend;
    };
    let scope = body.start_position()..body.end_position();
    if let Some(name) = node.child_by_field_name("name") {
        walk.local(name, scope, Some(Clue::LITERAL));
        return Visit::Descend;
    }
    let Some((names, values)) = sides(node) else {
        return Visit::Descend;
    };
    let over = values
        .named_child(0)
        .filter(|call| {
            matches!(
                walk.text(*call).split(|b| *b == b'(').next(),
                Some(b"ipairs" | b"pairs")
            )
        })
        .and_then(|call| call.child_by_field_name("arguments"))
        .and_then(|arguments| arguments.named_child(0))
        .and_then(last_name);
    for (i, name) in listed(names).into_iter().enumerate() {
        let element = over
            .filter(|_| i == 1)
            .map(|list| Clue::of(Flow::Element, list));
        walk.local(name, scope.clone(), element);
    }
    Visit::Descend
}

/// The identifier that a path ends with.
fn last_name(path: Node<'_>) -> Option<Node<'_>> {
    match path.kind() {
        "identifier" => Some(path),
        "dot_index_expression" => path.child_by_field_name("field"),
        "method_index_expression" => path.child_by_field_name("method"),
        _ => None,
    }
}

fn clue(walk: &Walk<'_>, mut value: Node<'_>) -> Option<Clue> {
    loop {
        value = match value.kind() {
            // `x or default`.
            "binary_expression"
                if value
                    .child_by_field_name("operator")
                    .is_some_and(|operator| walk.text(operator) == b"or") =>
            {
                value.child_by_field_name("left")?
            }
            "parenthesized_expression" => value.named_child(0)?,
            _ => break,
        };
    }
    match value.kind() {
        "identifier" if walk.text(value) == b"self" => Some(Clue::THIS),
        "identifier" | "dot_index_expression" => Some(Clue::of(Flow::Value, last_name(value)?)),
        "function_call" => {
            let name = value.child_by_field_name("name")?;
            if walk.text(name) == b"setmetatable" {
                let class = value.child_by_field_name("arguments")?.named_child(1)?;
                return Some(match walk.text(class) {
                    b"self" => Clue::THIS,
                    _ => Clue::of(Flow::Type, last_name(class)?),
                });
            }
            Some(Clue::of(Flow::Result, last_name(name)?))
        }
        "bracket_index_expression" => {
            let list = last_name(value.child_by_field_name("table")?)?;
            Some(Clue::of(Flow::Element, list))
        }
        "string" | "number" | "true" | "false" | "table_constructor" | "function_definition" => {
            Some(Clue::LITERAL)
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
