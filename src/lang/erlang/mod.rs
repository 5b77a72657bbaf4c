//! Erlang.

pub(crate) mod facts;
mod resolve;
mod template;

use crate::syntax::prelude::*;
use rustc_hash::FxHashSet;

/// Erlang.
pub(crate) static ERLANG: LangSpec = LangSpec {
    hooks: hooks! {
        module => "module_attribute",
        behaviour => "behaviour_attribute",
        include => "pp_include pp_include_lib",
        import => "import_attribute",
        export => "export_attribute export_type_attribute",
        define => "pp_define",
        record => "record_decl",
        alias => "type_alias opaque nominal",
        callback => "callback",
        spec => "spec",
        function => "fun_decl",
        call => "call",
        remote => "remote_module module",
        macro_call => "macro_call_expr",
        record_name => "record_name",
        fields_of => "record_expr record_update_expr",
        field_name => "record_field_name",
        atom => "atom",
        variable => "var",
        condition => "pp_ifdef pp_ifndef pp_undef",
        no_names => "attr_name compile_options_attribute arity",
    },
    roles: roles! {
        MemberIs(Call) => "call.expr",
        Object => "remote.module external_fun.module",
        Member => "remote.fun external_fun.fun",
        Is(Read) => "internal_fun.fun record_field_expr.expr",
        Is(Inherit) => "behaviour_attribute.name",
        Is(Import) => "import_attribute export_attribute export_type_attribute",
        Pass => "fa.fun",
        Is(Call) => "macro_call_expr.name",
    },
    identifiers: &[],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &["string"],
    hint: hint_of,
    finish,
    ..LangSpec::new()
};

fn no_names<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.skip();
}

/// What a quoted atom says.
fn unquoted<'t>(walk: &Walk<'t>, atom: Node<'_>) -> (usize, &'t [u8]) {
    let whole = walk.text(atom);
    let inner = whole
        .strip_prefix(b"'")
        .and_then(|rest| rest.strip_suffix(b"'"));
    inner.map_or((0, whole), |inner| (1, inner))
}

/// Starts a draft of what an atom names.
fn draft<'t>(walk: &mut Walk<'t>, kind: SymbolKind, name: Node<'t>, outer: Node<'t>) -> Draft<'t> {
    let mut draft = Draft::new(kind, name, outer);
    let (quote, inner) = unquoted(walk, name);
    draft.name = name.start_byte() + quote..name.start_byte() + quote + inner.len();
    draft.name_at.column += quote;
    walk.def_names.insert(name.start_byte());
    draft
}

/// `-module(a).`: all of the file is in it.
fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // One that comes later is an error.
    let file = walk.stack.first().filter(|root| root.symbol.is_none());
    if let (Some(name), Some(file)) = (node.field("name"), file.map(|root| root.node))
        && name.kind_name() == "atom"
        && !template::is_put_in(walk.text(name))
    {
        let mut draft = draft(walk, SymbolKind::Module, name, node);
        draft.end = file.end_byte();
        draft.end_at = file.end_position();
        walk.holds_beyond(&mut draft);
        draft.body = Some(node.end_byte());
        draft.set(SymbolFlags::EXPORTED);
        walk.define(draft, frame);
        if let Some(root) = walk.stack.first_mut() {
            root.symbol = frame.symbol;
        }
    }
}

/// A behaviour is another module, which says what functions this one has.
fn behaviour<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name").filter(|name| name.kind_name() == "atom") {
        let binding = walk.binding(Some(walk.text(name)), Some(walk.text(name)));
        walk.import(ImportKind::Require, node, walk.text(name), vec![binding]);
    }
}

/// `-include("a.hrl").`, `-include_lib("app/include/a.hrl").`.
fn include<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    for file in node.named_fields("file") {
        let path = string_content(walk.text(file));
        if !path.is_empty() {
            let all = vec![walk.binding(None, None)];
            walk.import(ImportKind::Include, node, path, all);
        }
    }
    frame.skip();
}

/// `-import(lists, [map/2]).`.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(module) = node.field("module") else {
        return;
    };
    let mut bindings = Vec::new();
    for name in node.named_fields("funs") {
        if let Some(name) = name.field("fun") {
            let (_, name) = unquoted(walk, name);
            bindings.push(walk.binding(Some(name), Some(name)));
        }
    }
    walk.import(ImportKind::Import, node, walk.text(module), bindings);
}

/// `-export([push/2]).`.
fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let mut bindings = Vec::new();
    for name in node
        .named_fields("funs")
        .into_iter()
        .chain(node.named_fields("types"))
    {
        if let Some(name) = name.field("fun") {
            let (_, name) = unquoted(walk, name);
            bindings.push(walk.binding(Some(name), Some(name)));
        }
    }
    walk.import(ImportKind::Export, node, b"", bindings);
}

/// `-define(NAME(Args), ...).`.
fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let head = node.field("lhs");
    if let Some(name) = head.and_then(|head| head.field("name")) {
        let mut draft = draft(walk, SymbolKind::Macro, name, node);
        draft.body = node.field("replacement").map(|body| body.start_byte());
        walk.record(&draft, frame);
    }
}

fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let mut record = draft(walk, SymbolKind::Struct, name, node);
    record.body = Some(name.end_byte());
    walk.define(record, frame);
    for field in node.named_fields("fields") {
        if let Some(name) = field.field("name") {
            let mut member = draft(walk, SymbolKind::Field, name, field);
            let kind = field.field("ty");
            let kind = kind.and_then(|kind| kind.field("expr"));
            member.value(kind.and_then(|kind| of_type(walk, kind)));
            walk.record(&member, frame);
        }
    }
}

/// `-type a() :: ...`, `-opaque a() :: ...`.
fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let head = node.field("name");
    if let Some(name) = head.and_then(|head| head.field("name")) {
        let mut draft = draft(walk, SymbolKind::Type, name, node);
        let kind = node.field("ty");
        draft.value(kind.and_then(|kind| of_type(walk, kind)));
        walk.record(&draft, frame);
    }
    frame.role = Type;
}

/// `-callback f(A) -> B.`: a function that modules of this behaviour have.
fn callback<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("fun") {
        let mut draft = draft(walk, SymbolKind::Method, name, node);
        draft.set(SymbolFlags::DECLARATION);
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
}

/// A specification names its function again.
fn spec<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field("fun");
    walk.def_names.extend(name.map(|name| name.start_byte()));
}

/// The head of a clause: its name and how many arguments it has.
fn head(declaration: Node<'_>) -> Option<(Node<'_>, usize)> {
    let clause = declaration.field("clause")?;
    let name = clause.field("name")?;
    let arity = clause
        .field("args")
        .map_or(0, |list| list.named_child_count());
    (name.kind_name() == "atom").then_some((name, arity))
}

/// One clause of a function. One that follows another of the same name and number of arguments belongs to
/// the symbol that is there already.
fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some((name, arity)) = head(node) else {
        frame.scope = Scope::Function;
        return;
    };
    let mut before = node.prev_named_sibling();
    while let Some(comment) = before.filter(|before| before.is_extra()) {
        before = comment.prev_named_sibling();
    }
    let same = before
        .filter(|before| before.kind_name() == "fun_decl")
        .and_then(head)
        .is_some_and(|(other, count)| walk.text(other) == walk.text(name) && count == arity);
    let last = walk.symbols.len().checked_sub(1).filter(|_| same);
    if let Some(index) = last.filter(|index| walk.symbols[*index].kind == SymbolKind::Function) {
        let symbol = &mut walk.symbols[index];
        let end = node.end_position();
        symbol.span.end = node.end_byte() as u32;
        symbol.end_line = end.row as u32 + 1;
        symbol.end_col = end.column as u32;
        walk.def_names.insert(name.start_byte());
        frame.symbol = Some(index as u32);
        frame.scope = Scope::Function;
        return;
    }
    let mut draft = draft(walk, SymbolKind::Function, name, node);
    let body = node.field("clause").and_then(|clause| clause.field("body"));
    draft.body = body.map(|body| body.start_byte());
    // What is written about a function stands above its specification.
    if let Some(spec) = before.filter(|before| before.kind_name() == "spec") {
        draft.lead_row = spec.start_position().row;
    }
    if arity == 0 && (walk.text(name).ends_with(b"_test") || walk.text(name).ends_with(b"_test_")) {
        draft.set(SymbolFlags::TEST);
    }
    walk.define(draft, frame);
}

fn call<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
}

/// `module:` before a function.
fn remote<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.named_child(0) else {
        return;
    };
    match name.kind_name() {
        "atom" => {
            let (quote, inner) = unquoted(walk, name);
            let at = name.start_position();
            walk.occurrence(inner, at.row, at.column + quote, Read, Qualifier::None);
            walk.qualifies(node.end_byte());
            frame.skip()
        }
        "macro_call_expr" if walk.text(name) == b"?MODULE" => {
            walk.this_end = node.end_byte();
            frame.skip()
        }
        _ => (),
    }
}

/// `?NAME`, `?NAME(Args)`.
fn macro_call<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let word = walk.text(name);
    if !matches!(
        word,
        b"MODULE" | b"LINE" | b"FILE" | b"FUNCTION_NAME" | b"MACHINE"
    ) {
        let kind = match node.field("args") {
            Some(_) => Call,
            None => Read,
        };
        let at = name.start_position();
        walk.occurrence(word, at.row, at.column, kind, Qualifier::None);
    }
    walk.def_names.insert(name.start_byte());
}

/// `#state`.
fn record_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name").filter(|name| name.kind_name() == "atom") {
        let at = name.start_position();
        let (quote, inner) = unquoted(walk, name);
        walk.occurrence(inner, at.row, at.column + quote, Type, Qualifier::None);
        frame.skip();
    }
}

/// The record that an expression is of.
fn record_of<'t>(expression: Node<'t>) -> Option<Node<'t>> {
    let name = expression.field("name")?.field("name")?;
    (name.kind_name() == "atom").then_some(name)
}

/// `#state{items = Items}`: fields are written, in a pattern as well.
fn fields_of<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
    let Some(record) = record_of(node) else {
        return;
    };
    for field in node.named_fields("fields") {
        if let Some(name) = field
            .field("name")
            .filter(|name| name.kind_name() == "atom")
        {
            walk.receiver(name.start_position(), Hint::instance(record));
            walk.claim(name.start_byte());
        }
    }
}

/// `State#state.items`.
fn field_name<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let expression = walk.ancestor(0).map(|above| above.node);
    let (Some(name), Some(record)) = (
        node.field("name").filter(|name| name.kind_name() == "atom"),
        expression.and_then(record_of),
    ) else {
        return;
    };
    let at = name.start_position();
    walk.receiver(at, Hint::instance(record));
    walk.occurrence(
        walk.text(name),
        at.row,
        at.column,
        Read,
        Qualifier::Expression,
    );
    frame.skip();
}

/// An atom: a name where the code around it makes it one, else it may mention one.
fn atom<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.def_names.remove(&node.start_byte()) {
        return frame.skip();
    }
    let at = node.start_position();
    let (quote, inner) = unquoted(walk, node);
    if walk.take_claim(node.start_byte()) {
        let kind = Write;
        walk.occurrence(
            inner,
            at.row,
            at.column + quote,
            kind,
            Qualifier::Expression,
        );
        return frame.skip();
    }
    let above = walk.ancestor(0).copied();
    let field = |name: &str| {
        let found = above.and_then(|above| above.node.field(name));
        found == Some(node)
    };
    let parent = above.map_or("", |above| above.node.kind_name());
    let named = match parent {
        "call" => field("expr"),
        "remote" | "external_fun" | "internal_fun" => field("fun"),
        "fa" | "import_attribute" | "behaviour_attribute" => true,
        _ => false,
    };
    if !named {
        if is_name(inner) && !matches!(inner, b"ok" | b"error" | b"true" | b"false" | b"undefined")
        {
            walk.occurrence(inner, at.row, at.column + quote, Mention, Qualifier::None);
        }
        return frame.skip();
    }
    let object = above.map_or((0, 0), |above| above.object);
    let qualifier = match (parent, object.1) {
        ("call" | "remote" | "external_fun", end) if end > 0 => walk.before(end),
        _ => Qualifier::None,
    };
    let kind = match frame.role {
        _ if parent == "call" && in_type(walk) => Type,
        _ if parent == "call" => Call,
        role => role,
    };
    walk.occurrence(inner, at.row, at.column + quote, kind, qualifier);
    frame.skip();
}

/// Whether the code being visited is a type.
fn in_type(walk: &Walk<'_>) -> bool {
    let form = walk.stack.get(1).map_or("", |frame| frame.node.kind_name());
    matches!(
        form,
        "spec" | "callback" | "type_alias" | "opaque" | "nominal" | "record_decl"
    )
}

/// A variable is bound where it is first met in a clause, and known in all of it.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = walk.text(node);
    if walk.def_names.remove(&node.start_byte()) || name == b"_" {
        return frame.skip();
    }
    let at = node.start_position();
    let mut kind = Read;
    if let Some(form) = walk.stack.get(1).map(|frame| frame.node) {
        let (id, _) = walk.names.intern(name);
        if walk.bound.insert((Some(form.start_byte() as u32), id)) {
            kind = Write;
            let matched = walk
                .ancestor(0)
                .map(|above| above.node)
                .filter(|above| above.kind_name() == "match_expr");
            let value = matched
                .filter(|matched| matched.field("lhs") == Some(node))
                .and_then(|matched| matched.field("rhs"));
            let known = value.and_then(|value| hint_of(walk, value));
            walk.local(node, form.span(), known);
        }
    }
    walk.occurrence(name, at.row, at.column, kind, Qualifier::None);
    walk.qualifies(node.end_byte());
    frame.skip();
}

/// `-ifdef(NAME).`.
fn condition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let at = name.start_position();
        walk.occurrence(walk.text(name), at.row, at.column, Read, Qualifier::None);
    }
    frame.skip();
}

/// What a type says: a record, or a type by its name.
fn of_type(walk: &Walk<'_>, kind: Node<'_>) -> Option<Hint> {
    match kind.kind_name() {
        "record_expr" => Some(Hint::instance(record_of(kind)?)),
        "call" => {
            let name = kind.field("expr")?;
            let plain = matches!(
                walk.text(name),
                b"list" | b"integer" | b"binary" | b"atom" | b"term" | b"pid" | b"map" | b"boolean"
            );
            Some(match plain {
                true => Hint::LITERAL,
                false => Hint::instance(name),
            })
        }
        _ => None,
    }
}

fn hint_of(_: &Walk<'_>, value: Node<'_>) -> Option<Hint> {
    match value.kind_name() {
        "var" => Some(Hint::value(value)),
        "call" => {
            let name = value.field("expr")?;
            (name.kind_name() == "atom").then(|| Hint::result(name))
        }
        "remote" => {
            let call = value.field("fun")?;
            let name = call.field("expr")?;
            (name.kind_name() == "atom").then(|| Hint::result(name))
        }
        "record_expr" | "record_update_expr" => Some(Hint::instance(record_of(value)?)),
        "atom" | "string" | "integer" | "float" | "list" | "tuple" | "binary" | "map_expr"
        | "anonymous_fun" | "char" => Some(Hint::LITERAL),
        _ => None,
    }
}

/// What a module exports is seen outside; of a header, or a script, everything.
fn finish(walk: &mut Walk<'_>) {
    let module = walk
        .symbols
        .iter()
        .any(|symbol| symbol.kind == SymbolKind::Module);
    let exports = walk
        .imports
        .iter()
        .filter(|import| import.kind == ImportKind::Export);
    let listed: FxHashSet<_> = exports
        .flat_map(|import| import.bindings.iter().filter_map(|binding| binding.local))
        .collect();
    let all = memchr::memmem::find(walk.src, b"export_all").is_some();
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        let exported = match symbol.kind {
            SymbolKind::Function | SymbolKind::Type => {
                !module || all || listed.contains(&symbol.name)
            }
            SymbolKind::Field => symbol.container.is_some_and(|outer| {
                walk.symbols[outer as usize]
                    .flags
                    .contains(SymbolFlags::EXPORTED)
            }),
            _ => !module,
        };
        if exported {
            let symbol = &mut walk.symbols[index];
            symbol.flags = symbol.flags.with(SymbolFlags::EXPORTED);
        }
    }
    walk.occurrences
        .sort_by_key(|found| (found.line, found.col));
}
