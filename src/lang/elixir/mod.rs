//! Elixir: everything is a call, and definitions are calls of macros.

mod arguments;
pub(crate) mod facts;
mod imports;
mod resolve;

use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Elixir.
pub(crate) static ELIXIR: LangSpec = LangSpec {
    hooks: hooks! {
        call => "call",
        arguments => "arguments",
        attribute => "unary_operator",
        binary_operator => "binary_operator",
        stab_clause => "stab_clause",
        hooks::function => "anonymous_function",
        alias => "alias",
        atom => "atom",
        keyword => "keyword",
    },
    roles: roles! {
        Pass => "call.target arguments tuple list keywords pair.value map map_content
            binary_operator.left",
        Object => "dot.left",
        Member => "dot.right",
        Is(Call) => "struct",
        Is(Read) => "binary_operator.right",
    },
    this_names: &[b"__MODULE__"],
    hint,
    ..LangSpec::new()
};

/// Words that define or import; to call one is no use of a name.
const WORDS: &[&[u8]] = byte_words!(
    "alias def defdelegate defexception defguard defguardp defimpl defmacro defmacrop
     defmodule defn defnp defp defprotocol defstruct import require use"
);

/// Attributes that the language itself reads.
const RESERVED: &[&[u8]] = byte_words!(
    "after_compile before_compile behaviour callback compile deprecated derive dialyzer doc
     enforce_keys external_resource fallback_to_any impl macrocallback moduledoc moduletag
     on_definition opaque optional_callbacks spec tag type typedoc typep"
);

/// The word a call calls, when it is a bare one.
fn called<'t>(walk: &Walk<'t>, call: Node<'t>) -> (&'t [u8], Option<Node<'t>>) {
    let target = call.field_of("target", "identifier");
    (target.map_or(b"", |target| walk.text(target)), target)
}

/// First argument of a call.
fn first_argument(call: Node<'_>) -> Option<Node<'_>> {
    call.named_of("arguments")?.named_child(0)
}

fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (word, target) = called(walk, node);
    let plain = node.named_of("arguments").is_none() && node.named_of("do_block").is_none();
    frame.role = if plain { Read } else { Call };
    let Some(target) = target else { return };
    if WORDS.contains(&word) {
        walk.pass_over(target);
    }
    match word {
        b"defmodule" | b"defprotocol" | b"defimpl" => module(walk, node, word, frame),
        b"def" | b"defp" | b"defn" | b"defnp" | b"defdelegate" => {
            function(walk, node, SymbolKind::Function, word, frame);
        }
        b"defmacro" | b"defmacrop" | b"defguard" | b"defguardp" => {
            function(walk, node, SymbolKind::Macro, word, frame);
        }
        b"defstruct" | b"defexception" => fields(walk, node, frame),
        b"alias" | b"import" | b"use" | b"require" if frame.role == Call => {
            imports::imports(walk, node, word);
            frame.role = Import;
        }
        b"test" | b"describe" | b"property" => test(walk, node, frame),
        _ => {}
    }
}

/// What a call is called with is used as the call's target is only for imports.
fn arguments<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let above = walk.above(0);
    let (word, _) = above
        .filter(|above| above.kind_name() == "call")
        .map_or((&b""[..], None), |above| called(walk, above));
    frame.role = match word {
        b"alias" | b"import" | b"use" | b"require" => Import,
        b"behaviour" => Inherit,
        _ if is_head(walk) || above.is_some_and(|above| above.kind_name() == "stab_clause") => {
            Write
        }
        _ => Read,
    };
    let scope = above.map(|above| match above.kind_name() {
        "stab_clause" => above.span(),
        _ => definition(walk),
    });
    if frame.role == Write
        && let Some(scope) = scope
    {
        bind(walk, node, &scope, None);
    }
}

/// Whether the call whose arguments are being entered is the head of a definition.
fn is_head(walk: &Walk<'_>) -> bool {
    let node = |up| walk.above(up);
    let outer = match node(1).map(|above| above.kind_name()) {
        // `def f(x) when x > 0`.
        Some("binary_operator") => {
            let left = node(1).and_then(|when| when.field("left"));
            if left != node(0) {
                return false;
            }
            3
        }
        Some("arguments") => 2,
        _ => return false,
    };
    let first = node(outer - 1).and_then(|arguments| arguments.named_child(0));
    first == node(outer - 2)
        && node(outer).is_some_and(|outer| {
            let word = called(walk, outer).0;
            outer.kind_name() == "call" && word.starts_with(b"def") && WORDS.contains(&word)
        })
}

/// The span of the definition around the node being entered.
fn definition(walk: &Walk<'_>) -> Range<Point> {
    let found = walk
        .stack
        .iter()
        .rev()
        .map(|frame| frame.node)
        .find(|node| {
            node.kind_name() == "call" && {
                let word = called(walk, *node).0;
                word.starts_with(b"def") || word == b"test"
            }
        });
    let found = found.or(walk.stack.first().map(|frame| frame.node));
    found.map_or(Point::default()..Point::default(), |node| node.span())
}

/// Binds the variables of a pattern.
fn bind<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, scope: &Range<Point>, hint: Option<Hint>) {
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "identifier" => {
                let hint = hint.filter(|_| node == pattern);
                walk.local(node, scope.clone(), hint);
            }
            // Pinned, called, or the default of a parameter.
            "call" | "unary_operator" | "struct" => {}
            "binary_operator" => {
                let operator = node.field("operator");
                let text = walk.text_of(operator);
                open.extend(node.field("left"));
                if text != b"\\\\" && text != b"when" {
                    open.extend(node.field("right"));
                }
            }
            _ => {
                open.extend(node.named());
            }
        }
    }
}

fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, word: &[u8], frame: &mut Frame<'t>) {
    let Some(mut name) = first_argument(node) else {
        return;
    };
    if name.kind_name() != "alias" {
        return;
    }
    let full = walk.text(name);
    let kind = match word {
        b"defprotocol" => SymbolKind::Trait,
        b"defimpl" => SymbolKind::Impl,
        _ => SymbolKind::Module,
    };
    if word == b"defimpl"
        && let Some(target) = option(walk, node, b"for:").filter(|node| node.kind_name() == "alias")
    {
        name = target;
    }
    let mut draft = Draft::new(kind, name, node);
    narrow(walk, &mut draft);
    draft.body_at(node.named_of("do_block"));
    draft.set(SymbolFlags::EXPORTED);
    draft.set_if(
        SymbolFlags::TEST,
        full.ends_with(b"Test") && word == b"defmodule",
    );
    draft.doc = node
        .named_of("do_block")
        .and_then(|body| module_doc(walk, body));
    if word != b"defimpl" && frame.symbol.is_none() {
        walk.import(ImportKind::Package, node, full, Vec::new());
    }
    walk.define(draft, frame);
    frame.scope = Scope::Module;
    frame.exported = true;
}

/// Makes the last part of a module's name the name: of `Shop.Cart` that is `Cart`.
fn narrow(walk: &Walk<'_>, draft: &mut Draft<'_>) {
    let text = draft.text(walk);
    if let Some(dot) = text.iter().rposition(|b| *b == b'.') {
        draft.name.start += dot + 1;
        draft.name_at.column += dot + 1;
    }
}

fn module_doc(walk: &Walk<'_>, body: Node<'_>) -> Option<Range<usize>> {
    let doc = body
        .named()
        .find_map(|node| documented(walk, node, b"moduledoc"));
    doc.map(|doc| doc.byte_range())
}

/// The text of `@doc "..."`.
fn documented<'t>(walk: &Walk<'t>, node: Node<'t>, attribute: &[u8]) -> Option<Node<'t>> {
    let operand = node
        .field("operand")
        .filter(|operand| node.kind_name() == "unary_operator" && operand.kind_name() == "call")?;
    (called(walk, operand).0 == attribute)
        .then(|| first_argument(operand))?
        .filter(|text| matches!(text.kind_name(), "string" | "sigil"))
}

/// The value of an option: `to: Other`.
fn option<'t>(walk: &Walk<'t>, call: Node<'t>, key: &[u8]) -> Option<Node<'t>> {
    let arguments = call.named_of("arguments")?;
    let keywords = arguments.named_of("keywords")?;
    let pair = keywords.named().find(|pair| {
        let name = pair.field("key");
        name.is_some_and(|name| walk.text(name).trim_ascii_end() == key)
    });
    pair?.field("value")
}

/// The name in a head, and how many parameters follow it.
fn head<'t>(mut head: Node<'t>, walk: &Walk<'t>) -> Option<(Node<'t>, usize)> {
    let operator = |node: Node<'t>| node.field("operator");
    if head.kind_name() == "binary_operator"
        && operator(head).map(|when| walk.text(when)) == Some(b"when")
    {
        head = head.field("left")?;
    }
    match head.kind_name() {
        "identifier" => Some((head, 0)),
        "binary_operator" => Some((operator(head)?, 2)),
        "call" => {
            let name = head.field_of("target", "identifier")?;
            let arity = head
                .named_of("arguments")
                .map_or(0, |list| list.named_child_count());
            Some((name, arity))
        }
        _ => None,
    }
}

/// One clause of a function. A clause that follows another of the same name and arity belongs to
/// the symbol that is there already.
fn function<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    kind: SymbolKind,
    word: &[u8],
    frame: &mut Frame<'t>,
) {
    let Some((name, arity)) = first_argument(node).and_then(|first| head(first, walk)) else {
        return;
    };
    let (id, _) = walk.names.intern(walk.text(name));
    if let Some(before) = clause_before(node)
        && head_of(walk, before)
            .is_some_and(|(other, count)| walk.text(other) == walk.text(name) && count == arity)
        && let Some(index) = walk.symbols.iter().rposition(|symbol| {
            symbol.container == frame.symbol && symbol.span.end as usize == before.end_byte()
        })
        && walk.symbols[index].name == id
    {
        let symbol = &mut walk.symbols[index];
        let end = node.end_position();
        symbol.span.end = node.end_byte() as u32;
        symbol.end_line = end.row as u32 + 1;
        symbol.end_col = end.column as u32;
        walk.pass_over(name);
        frame.symbol = Some(index as u32);
        frame.scope = Scope::Function;
        return;
    }
    let mut draft = Draft::new(kind, name, node);
    draft.body_at(node.named_of("do_block"));
    if draft.body.is_none() {
        let keywords = node
            .named_of("arguments")
            .and_then(|list| list.named_of("keywords"));
        draft.body_at(keywords);
    }
    draft.set_if(
        SymbolFlags::EXPORTED,
        !matches!(word, b"defp" | b"defmacrop" | b"defguardp" | b"defnp"),
    );
    let in_protocol = frame
        .symbol
        .is_some_and(|outer| walk.symbols[outer as usize].kind == SymbolKind::Trait);
    draft.set_if(
        SymbolFlags::DECLARATION,
        in_protocol && draft.body.is_none(),
    );
    lead(walk, node, &mut draft);
    walk.define(draft, frame);
    frame.scope = Scope::Function;
}

/// The definition just before a clause, comments left out.
fn clause_before(node: Node<'_>) -> Option<Node<'_>> {
    let mut before = node.prev_named_sibling();
    while let Some(comment) = before.filter(|before| before.kind_name() == "comment") {
        before = comment.prev_named_sibling();
    }
    before
}

fn head_of<'t>(walk: &Walk<'t>, definition: Node<'t>) -> Option<(Node<'t>, usize)> {
    let word = called(walk, definition).0;
    (word.starts_with(b"def") && WORDS.contains(&word))
        .then(|| first_argument(definition))?
        .and_then(|first| head(first, walk))
}

/// Takes the attributes above a definition for its documentation.
fn lead<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft<'t>) {
    let mut above = node.prev_named_sibling();
    while let Some(attribute) = above {
        let operand = attribute.field("operand");
        let ours = attribute.kind_name() == "unary_operator"
            && operand.is_some_and(|operand| {
                matches!(
                    called(walk, operand).0,
                    b"doc" | b"spec" | b"impl" | b"deprecated" | b"tag"
                )
            });
        if !ours {
            break;
        }
        draft.lead_row = draft.lead_row.min(attribute.start_position().row);
        if let Some(doc) = documented(walk, attribute, b"doc") {
            draft.doc = Some(doc.byte_range());
        }
        above = attribute.prev_named_sibling();
    }
}

/// `defstruct [:a, b: 1]`.
fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(list) = node.named_of("arguments") else {
        return;
    };
    let mut open = vec![list];
    let mut found = Vec::new();
    while let Some(outer) = open.pop() {
        for item in outer.named() {
            match item.kind_name() {
                "list" | "keywords" => open.push(item),
                "atom" => found.push((item, item, 1)),
                "pair" => {
                    if let Some(key) = item.field("key") {
                        found.push((key, item, 0));
                    }
                }
                _ => {}
            }
        }
    }
    found.sort_by_key(|(name, ..)| name.start_byte());
    for (name, outer, skip) in found {
        let len = walk.text(name)[skip..]
            .iter()
            .take_while(|b| **b != b':')
            .count();
        let mut draft = Draft::new(SymbolKind::Field, name, outer);
        draft.name = name.start_byte() + skip..name.start_byte() + skip + len;
        draft.name_at.column += skip;
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
    }
}

fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(title), Some(body)) = (first_argument(node), node.named_of("do_block")) else {
        return;
    };
    let Some(content) = title
        .named_of("quoted_content")
        .filter(|_| title.kind_name() == "string")
    else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Test, content, node);
    draft.body = Some(body.start_byte());
    draft.set(SymbolFlags::TEST);
    walk.define(draft, frame);
}

/// `@name value` in a module: types, callbacks and constants.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(operand) = node.field("operand") else {
        return;
    };
    if !walk.text(node).starts_with(b"@") || operand.kind_name() != "call" {
        return;
    }
    let (word, Some(target)) = called(walk, operand) else {
        return;
    };
    let reserved = RESERVED.contains(&word);
    if reserved {
        walk.pass_over(target);
    }
    if frame.scope == Scope::Function {
        return;
    }
    let declared = first_argument(operand).map(|first| match first.kind_name() {
        "binary_operator" => first.field("left").unwrap_or(first),
        _ => first,
    });
    let declared = declared.and_then(|declared| head(declared, walk));
    match word {
        b"doc" | b"moduledoc" | b"typedoc" => {
            if let Some(text) = documented(walk, node, word) {
                walk.comment(text);
            }
            frame.skip();
        }
        b"type" | b"typep" | b"opaque" => {
            if let Some((name, _)) = declared {
                let mut draft = Draft::new(SymbolKind::Type, name, node);
                draft.set_if(SymbolFlags::EXPORTED, word != b"typep");
                walk.record(&draft, frame);
            }
        }
        b"callback" | b"macrocallback" => {
            if let Some((name, _)) = declared {
                let mut draft = Draft::new(SymbolKind::Method, name, node);
                draft.set(SymbolFlags::EXPORTED);
                draft.set(SymbolFlags::DECLARATION);
                lead(walk, node, &mut draft);
                walk.record(&draft, frame);
            }
        }
        // A specification names its function again.
        b"spec" => walk
            .def_names
            .extend(declared.map(|(name, _)| name.start_byte())),
        _ if !reserved && walk.first_bound(frame.symbol, word) => {
            let draft = Draft::new(SymbolKind::Constant, target, node);
            walk.record(&draft, frame);
        }
        _ => {}
    }
}

/// `pattern = value` and `pattern <- value`.
fn binary_operator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = walk.text_of(node.field("operator"));
    if !matches!(operator, b"=" | b"<-") || frame.role == Write {
        return;
    }
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    if frame.scope == Scope::Function {
        let outer = walk.scope_within(&["do_block", "stab_clause", "anonymous_function"]);
        let known = if operator == b"=" {
            hint(walk, right)
        } else {
            None
        };
        bind(walk, left, &(node.end_position()..outer.end), known);
    }
    frame.role = Write;
}

fn stab_clause<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
}

/// `Shop.Cart`: each part qualifies the next.
fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let at = node.start_position();
    let mut offset = 0;
    for part in walk.text(node).split(|b| *b == b'.') {
        let start = node.start_byte() + offset;
        if !walk.def_names.remove(&start) {
            let qualifier = if offset == 0 {
                Qualifier::None
            } else {
                Qualifier::Previous
            };
            let kind = match frame.role {
                Write => Type,
                role => role,
            };
            walk.occurrence(part, at.row, at.column + offset, kind, qualifier);
            walk.qualifies(node.end_byte());
        }
        offset += part.len() + 1;
    }
    frame.skip();
}

/// `:name` may name a function.
fn atom<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = walk.text(node).get(1..).unwrap_or(b"");
    let start = node.start_byte() + 1;
    if !walk.def_names.remove(&start) && is_name(name) && !matches!(name, b"ok" | b"error") {
        let at = node.start_position();
        walk.occurrence(name, at.row, at.column + 1, Mention, Qualifier::None);
    }
    frame.skip();
}

/// `name: value`.
fn keyword<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let text = walk.text(node).trim_ascii_end();
    let name = text.strip_suffix(b":").unwrap_or(text);
    let start = node.start_byte();
    if !walk.def_names.remove(&start)
        && is_name(name)
        && !matches!(name, b"do" | b"else" | b"as" | b"only" | b"for")
    {
        let at = node.start_position();
        walk.occurrence(name, at.row, at.column, Write, Qualifier::None);
    }
    frame.skip();
}

fn hint(walk: &Walk<'_>, value: Node<'_>) -> Option<Hint> {
    match value.kind_name() {
        "identifier" if walk.text(value) == b"__MODULE__" => Some(Hint::THIS),
        "identifier" => Some(Hint::value(value)),
        "call" => {
            let target = value.field("target")?;
            let name = match target.kind_name() {
                "identifier" => target,
                "dot" => target.field("right")?,
                _ => return None,
            };
            match value.named_of("arguments") {
                _ if name.kind_name() != "identifier" => None,
                Some(_) => Some(Hint::result(name)),
                None => Some(Hint::value(name)),
            }
        }
        "string" | "integer" | "float" | "list" | "tuple" | "atom" | "boolean" | "nil"
        | "charlist" | "anonymous_function" => Some(Hint::LITERAL),
        _ => None,
    }
}
