//! R. Much of what defines names in it are assignments and calls.

pub(crate) mod facts;
mod resolve;

use crate::syntax::prelude::*;

/// R 4.
pub(crate) static R: LangSpec = LangSpec {
    hooks: hooks! {
        binary_operator => "binary_operator",
        function_definition => "function_definition",
        parameters => "parameters",
        for_statement => "for_statement",
        call => "call",
        argument => "argument",
        string => "string",
    },
    roles: roles! {
        Pass => "binary_operator.lhs call.arguments arguments argument.value subset.function
            subset2.function parenthesized_expression",
        Is(Call) => "call.function",
        Is(Write) => "argument.name parameter.name for_statement.variable",
        Is(Read) => "subset.arguments subset2.arguments",
        Object => "extract_operator.lhs namespace_operator.lhs",
        Member => "extract_operator.rhs namespace_operator.rhs",
    },
    identifiers: &[("identifier", Read)],
    this_kinds: &[],
    this_names: &[b"self", b"private", b"super"],
    comments: &["comment"],
    strings: &["string"],
    hint: hint_of,
    finish,
    ..LangSpec::new()
};

/// Calls that make a class. The first argument names it.
const CLASSES: &[&[u8]] = byte_words!("setClass setRefClass R6Class new_class ggproto");

/// Where the members of a class are listed.
const MEMBERS: &[&[u8]] =
    byte_words!("public private active methods fields slots representation properties");

/// A name without the quotes that let it have other signs than letters.
fn name_range(walk: &Walk<'_>, node: Node<'_>) -> std::ops::Range<usize> {
    let quoted = walk.text(node).first().is_some_and(|b| b"`\"'".contains(b));
    let (start, end) = (node.start_byte(), node.end_byte());
    match quoted && end - start > 2 {
        true => start + 1..end - 1,
        false => start..end,
    }
}

/// Starts a draft of what an identifier or a string names.
fn draft<'t>(walk: &mut Walk<'t>, kind: SymbolKind, name: Node<'t>, outer: Node<'t>) -> Draft<'t> {
    let mut draft = Draft::new(kind, name, outer);
    draft.name = name_range(walk, name);
    let quotes = draft.name.start - name.start_byte();
    draft.name_at.column += quotes;
    // A name may have other signs than those of words.
    walk.def_names.insert(match name.kind_name() {
        "string" => draft.name.start,
        _ => name.start_byte(),
    });
    draft
}

/// Names with a dot in front are a file's own by custom.
fn visible(walk: &Walk<'_>, draft: &mut Draft<'_>, frame: &Frame<'_>) {
    let name = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if frame.scope != Scope::Function && !name.starts_with(b".") {
        draft.set(SymbolFlags::EXPORTED);
    }
}

/// Both sides of an assignment, the name first.
fn sides(node: Node<'_>) -> Option<(Node<'_>, Node<'_>, &'static [u8])> {
    let (left, right) = (node.field("lhs")?, node.field("rhs")?);
    match node.field("operator")?.kind_name() {
        "<-" | "=" | ":=" => Some((left, right, b"<-")),
        "<<-" => Some((left, right, b"<<-")),
        "->" => Some((right, left, b"<-")),
        "->>" => Some((right, left, b"<<-")),
        _ => None,
    }
}

fn binary_operator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
    let operator = node.field("operator");
    if let Some(operator) = operator.filter(|operator| operator.kind_name() == "special") {
        // `a %+% b` calls what is defined as `%+%`.
        let at = operator.start_position();
        walk.occurrence(
            walk.text(operator),
            at.row,
            at.column,
            Call,
            Qualifier::None,
        );
    }
    let Some((name, value, sign)) = sides(node) else {
        return;
    };
    frame.role = Write;
    let function = value.kind_name() == "function_definition";
    let named = match name.kind_name() {
        "identifier" => true,
        // `"f<-" <- function(x, value)`.
        "string" => function,
        _ => false,
    };
    if !named || frame.scope == Scope::Class {
        return;
    }
    if !function {
        if sign == b"<<-" {
            return;
        }
        if frame.scope == Scope::Function {
            let known = hint_of(walk, value);
            local(walk, name, known);
            return;
        }
    }
    let class = made_class(walk, value).is_some();
    let written = walk.src.get(name_range(walk, name)).unwrap_or(b"");
    let (id, _) = walk.names.intern(written);
    if !function && !walk.bound.insert((frame.symbol, id)) {
        return;
    }
    let kind = match () {
        () if function => SymbolKind::Function,
        () if class => SymbolKind::Class,
        () if is_constant(written) => SymbolKind::Constant,
        () => SymbolKind::Variable,
    };
    let mut draft = draft(walk, kind, name, node);
    visible(walk, &mut draft, frame);
    if function {
        draft.body = value.field("body").map(|body| body.start_byte());
        walk.define(draft, frame);
    } else if class {
        draft.body = value
            .field("arguments")
            .map(|arguments| arguments.start_byte());
        walk.define(draft, frame);
        walk.claim(value.start_byte());
    } else {
        draft.value(hint_of(walk, value));
        walk.record(&draft, frame);
    }
}

/// Capitals alone make a constant; there are no others.
fn is_constant(name: &[u8]) -> bool {
    name.len() > 1
        && name.iter().any(u8::is_ascii_uppercase)
        && !name.iter().any(u8::is_ascii_lowercase)
}

/// Binds a variable of the function around it; outside of functions, of the outermost test.
fn local<'t>(walk: &mut Walk<'t>, name: Node<'t>, known: Option<Hint>) {
    let mut around = walk.stack.iter().rev();
    let function = around.find(|frame| frame.node.kind_name() == "function_definition");
    let test = || {
        walk.stack
            .iter()
            .find(|frame| frame.scope == Scope::Function)
    };
    if let Some(frame) = function.or_else(test) {
        walk.local(name, frame.node.span(), known);
    }
}

fn function_definition<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
    frame.role = Read;
}

fn parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(function) = walk.ancestor(0).map(|above| above.node) else {
        return;
    };
    for parameter in node.content() {
        let name = parameter.field("name");
        if let Some(name) = name.filter(|name| name.kind_name() == "identifier") {
            walk.local(name, function.span(), None);
        }
    }
}

fn for_statement<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.field("variable")
        && frame.scope == Scope::Function
    {
        local(walk, name, None);
    }
}

/// The function that a call calls, without its package.
fn called<'t>(walk: &Walk<'t>, call: Node<'_>) -> &'t [u8] {
    let Some(mut function) = call.field("function") else {
        return b"";
    };
    if function.kind_name() == "namespace_operator"
        && let Some(last) = function.field("rhs")
    {
        function = last;
    }
    match function.kind_name() {
        "identifier" => walk.text(function),
        _ => b"",
    }
}

/// The arguments of a call: their names and values.
fn arguments<'t>(call: Node<'t>) -> Vec<(Option<Node<'t>>, Node<'t>)> {
    let list = call.field("arguments").map(NodeExt::content);
    let list = list.unwrap_or_default().into_iter();
    list.filter_map(|argument| {
        let value = argument.field("value")?;
        Some((argument.field("name"), value))
    })
    .collect()
}

/// The argument of a name, or at a position among those without one.
fn argument_of<'t>(walk: &Walk<'t>, call: Node<'t>, name: &[u8], at: usize) -> Option<Node<'t>> {
    let all = arguments(call);
    let named = all
        .iter()
        .find(|(found, _)| found.is_some_and(|found| walk.text(found) == name));
    let unnamed = || all.iter().filter(|(name, _)| name.is_none()).nth(at);
    named.or_else(unnamed).map(|(_, value)| *value)
}

/// The string that names the class a call makes.
fn made_class<'t>(walk: &Walk<'t>, value: Node<'t>) -> Option<Node<'t>> {
    if value.kind_name() != "call" || !CLASSES.contains(&called(walk, value)) {
        return None;
    }
    argument_of(walk, value, b"Class", 0).or_else(|| argument_of(walk, value, b"classname", 0))
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
    let word = called(walk, node);
    match word {
        b"library" | b"require" | b"requireNamespace" | b"loadNamespace" => {
            let Some(package) = argument_of(walk, node, b"package", 0) else {
                return;
            };
            let name = match package.kind_name() {
                "string" => string_content(walk.text(package)),
                "identifier" => walk.text(package),
                _ => return,
            };
            let mut bindings = vec![walk.binding(None, Some(name))];
            if matches!(word, b"library" | b"require") {
                bindings.push(walk.binding(None, None));
            }
            walk.import(ImportKind::Import, node, name, bindings);
            frame.role = Import;
        }
        b"source" | b"sys.source" => source(walk, node, frame),
        b"setGeneric" | b"setMethod" | b"setReplaceMethod" => method(walk, node, word, frame),
        b"test_that" | b"describe" | b"it" => test(walk, node, frame),
        _ if CLASSES.contains(&word) => class(walk, node, frame),
        _ => {}
    }
}

/// `source("a/b.R")`, `source(file.path("a", "b.R"))`.
fn source<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(file) = argument_of(walk, node, b"file", 0) else {
        return;
    };
    let path = match file.kind_name() {
        "string" => string_content(walk.text(file)).to_vec(),
        "call" if matches!(called(walk, file), b"file.path" | b"here") => {
            let parts: Vec<&[u8]> = arguments(file)
                .iter()
                .filter(|(_, value)| value.kind_name() == "string")
                .map(|(_, value)| string_content(walk.text(*value)))
                .collect();
            parts.join(&b"/"[..])
        }
        _ => return,
    };
    if !path.is_empty() {
        let all = vec![walk.binding(None, None)];
        walk.import(ImportKind::Include, node, &path, all);
        frame.role = Import;
    }
}

/// `setGeneric("area", ...)`, `setMethod("area", "Circle", function(shape) ...)`.
fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &[u8], frame: &mut Frame<'t>) {
    let Some(name) =
        argument_of(walk, node, b"name", 0).or_else(|| argument_of(walk, node, b"f", 0))
    else {
        return;
    };
    if name.kind_name() != "string" || frame.scope == Scope::Function {
        return;
    }
    let mut draft = draft(walk, SymbolKind::Function, name, node);
    visible(walk, &mut draft, frame);
    if word != b"setGeneric" {
        draft.kind = SymbolKind::Method;
        let mut class = argument_of(walk, node, b"signature", 1);
        while let Some(inner) = class.filter(|class| class.kind_name() == "call") {
            class = arguments(inner).first().map(|(_, value)| *value);
        }
        draft.receiver = class
            .filter(|class| class.kind_name() == "string")
            .map(|class| string_content(walk.text(class)));
    }
    let function = arguments(node)
        .into_iter()
        .find(|(_, value)| value.kind_name() == "function_definition");
    draft.body = function
        .and_then(|(_, function)| function.field("body"))
        .map(|body| body.start_byte());
    walk.define(draft, frame);
}

/// `test_that("title", { ... })`.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let title = argument_of(walk, node, b"desc", 0).filter(|title| title.kind_name() == "string");
    let code = argument_of(walk, node, b"code", 1);
    let (Some(title), Some(code)) = (title, code) else {
        return;
    };
    if code.kind_name() == "braced_expression" {
        let mut draft = draft(walk, SymbolKind::Test, title, node);
        draft.body = Some(code.start_byte());
        draft.set(SymbolFlags::TEST);
        walk.define(draft, frame);
    }
}

/// A class that a call makes: bound to a name, or known by the name that it is given.
fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.take_claim(node.start_byte()) {
        frame.scope = Scope::Class;
        return;
    }
    let Some(name) = made_class(walk, node).filter(|name| name.kind_name() == "string") else {
        return;
    };
    if frame.scope == Scope::Module {
        let mut draft = draft(walk, SymbolKind::Class, name, node);
        draft.body = Some(name.end_byte());
        visible(walk, &mut draft, frame);
        walk.define(draft, frame);
    }
}

/// Members of a class, and what it inherits from.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope != Scope::Class {
        return;
    }
    let name = node.field("name");
    let above = |up| walk.ancestor(up).map(|above| above.node);
    let of_class =
        |call: Option<Node<'t>>| call.is_some_and(|call| CLASSES.contains(&called(walk, call)));
    if of_class(above(1)) {
        let word = name.map_or(&b""[..], |name| walk.text(name));
        if matches!(word, b"contains" | b"inherit" | b"parent") {
            frame.role = Inherit;
        }
        // In ggproto the members are the arguments.
        if word.is_empty() || above(1).is_none_or(|call| called(walk, call) != b"ggproto") {
            return;
        }
    } else if !of_class(above(4)) {
        return;
    }
    let list = above(1).map_or(&b""[..], |list| called(walk, list));
    let listed = above(2)
        .and_then(|outer| outer.field("name"))
        .map_or(list, |name| walk.text(name));
    if !MEMBERS.contains(&listed) && list != b"ggproto" {
        return;
    }
    let Some(name) = name.filter(|name| matches!(name.kind_name(), "identifier" | "string")) else {
        return;
    };
    let value = node.field("value");
    let function = value.filter(|value| value.kind_name() == "function_definition");
    let kind = match function {
        Some(_) if walk.text(name) == b"initialize" => SymbolKind::Constructor,
        Some(_) => SymbolKind::Method,
        None => SymbolKind::Field,
    };
    let mut draft = draft(walk, kind, name, node);
    draft.body = function
        .and_then(|function| function.field("body"))
        .map(|body| body.start_byte());
    if listed != b"private" {
        draft.set(SymbolFlags::EXPORTED);
    }
    if function.is_some() {
        walk.define(draft, frame);
    } else {
        draft.value(value.and_then(|value| hint_of(walk, value)));
        walk.record(&draft, frame);
    }
}

/// The name of a base class may stand in quotes.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = string_content(walk.text(node));
    if frame.role == Inherit && is_name(name) {
        let at = node.start_position();
        walk.occurrence(name, at.row, at.column + 1, Inherit, Qualifier::None);
        walk.def_names.insert(node.start_byte() + 1);
    }
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] =
    words!("string integer float complex true false null na inf nan function_definition");

fn hint_of(walk: &Walk<'_>, value: Node<'_>) -> Option<Hint> {
    match value.kind_name() {
        "identifier" if matches!(walk.text(value), b"self" | b"private") => Some(Hint::THIS),
        "identifier" => Some(Hint::value(value)),
        "extract_operator" | "namespace_operator" => {
            let name = value.field("rhs")?;
            (name.kind_name() == "identifier").then(|| Hint::value(name))
        }
        "call" => {
            let function = value.field("function")?;
            match function.kind_name() {
                "identifier" => Some(Hint::result(function)),
                "extract_operator" | "namespace_operator" => {
                    let name = function.field("rhs")?;
                    let object = function.field("lhs")?;
                    // `Person$new(...)`.
                    if walk.text(name) == b"new" && object.kind_name() == "identifier" {
                        return Some(Hint::result(object));
                    }
                    (name.kind_name() == "identifier").then(|| Hint::result(name))
                }
                _ => None,
            }
        }
        kind if LITERALS.contains(&kind) => Some(Hint::LITERAL),
        _ => None,
    }
}

/// Operators are recorded before what stands on their left.
fn finish(walk: &mut Walk<'_>) {
    walk.occurrences
        .sort_by_key(|found| (found.line, found.col));
}
