//! Clojure: everything is a list, and the first symbol of a list says what it means.

mod bindings;
pub(crate) mod facts;
mod imports;
mod resolve;

use crate::syntax::prelude::*;

/// Clojure.
pub(crate) static CLOJURE: LangSpec = LangSpec {
    hooks: hooks! {
        list => "list_lit",
        anonymous => "anon_fn_lit",
        symbol => "sym_lit",
        keyword => "kwd_lit",
        string => "str_lit",
        meta => "meta_lit",
        discarded => "dis_expr",
    },
    roles: roles! {
        Pass => "list_lit vec_lit map_lit set_lit read_cond_lit quoting_lit meta_lit",
    },
    identifiers: &[],
    this_kinds: &[],
    this_names: &[],
    comments: &["comment"],
    strings: &["str_lit"],
    hint: hint_of,
    ..LangSpec::new()
};

/// Words of the language; to write one is no use of a name.
const SPECIAL: &[&[u8]] = byte_words!(
    "and binding case catch comment cond declare def defmacro defmethod defmulti defn defn-
     defonce defprotocol defrecord deftest deftype do doseq dotimes extend-protocol extend-type
     finally fn for if if-let if-not import let letfn loop ns or quote recur reify require throw
     try use when when-let when-not"
);

/// Keywords that speak to a form.
const OPTIONS: &[&[u8]] = &[
    b"as", b"default", b"doc", b"else", b"keys", b"let", b"or", b"strs", b"syms", b"when", b"while",
];

/// The name of a symbol without its namespace.
fn own_name<'t>(walk: &Walk<'t>, symbol: Node<'_>) -> &'t [u8] {
    symbol
        .field("name")
        .filter(|_| symbol.kind_name() == "sym_lit")
        .map_or(b"", |name| walk.text(name))
}

/// The symbol that a list begins with, and what follows it.
fn parts<'t>(walk: &Walk<'t>, list: Node<'t>) -> (&'t [u8], Vec<Node<'t>>) {
    let mut all = list.content();
    all.retain(|part| !matches!(part.kind_name(), "comment" | "dis_expr"));
    if all.is_empty() {
        return (b"", all);
    }
    let head = all.remove(0);
    (own_name(walk, head), all)
}

/// Finds what a name is without the signs around it by which interoperation and factories are written:
/// `Date.`, `.length`, `->Queue`, `map->Queue`.
fn bare(name: &[u8]) -> (usize, &[u8]) {
    for sign in [&b"map->"[..], b"->", b".-", b"."] {
        if let Some(rest) = name.strip_prefix(sign).filter(|rest| {
            let first = rest.first();
            first.is_some_and(|b| {
                b.is_ascii_alphabetic() && (sign != b"->" || b.is_ascii_uppercase())
            })
        }) {
            return (sign.len(), rest);
        }
    }
    match name.strip_suffix(b".").filter(|rest| !rest.is_empty()) {
        Some(class) => {
            let from = class
                .iter()
                .rposition(|b| *b == b'.')
                .map_or(0, |dot| dot + 1);
            (from, &class[from..])
        }
        None => (0, name),
    }
}

fn list<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role == Import {
        return;
    }
    frame.role = Read;
    let (head, rest) = parts(walk, node);
    if SPECIAL.contains(&head) {
        let name = node.named_child(0).and_then(|name| name.field("name"));
        walk.def_names.extend(name.map(|name| name.start_byte()));
    }
    match head {
        b"ns" => imports::namespace(walk, node, &rest, frame),
        b"require" | b"use" | b"import" if frame.scope == Scope::Module => {
            imports::clause(walk, head, &rest);
            frame.role = Import;
        }
        b"let" | b"loop" | b"for" | b"doseq" | b"when-let" | b"if-let" | b"when-some"
        | b"if-some" | b"when-first" | b"with-open" | b"dotimes" | b"with-local-vars"
        | b"go-loop" => bindings::of_vector(walk, node, &rest, frame),
        b"fn" | b"fn*" | b"bound-fn" => bindings::of_function(walk, node, &rest, frame),
        b"letfn" => bindings::of_functions(walk, node, &rest, frame),
        b"catch" => bindings::of_catch(walk, node, &rest),
        b"extend-type" | b"extend-protocol" | b"extend" | b"reify" | b"proxy" => {
            extension(walk, node, head, &rest, frame);
        }
        b"default" => {}
        _ if head.starts_with(b"def") || head == b"declare" => {
            definition(walk, node, head, &rest, frame);
        }
        _ if frame.scope == Scope::Class => bindings::of_method(walk, node, &rest, frame),
        _ => {}
    }
}

/// Starts a draft of what a symbol names. Its name has signs that those of other languages lack.
fn draft<'t>(walk: &mut Walk<'t>, kind: SymbolKind, name: Node<'t>, outer: Node<'t>) -> Draft<'t> {
    let own = name.field("name").unwrap_or(name);
    let mut draft = Draft::new(kind, own, outer);
    walk.def_names.insert(own.start_byte());
    let data = name.field("meta").map(|data| walk.text(data));
    let data = data.unwrap_or_default();
    let says = |word: &[u8]| memchr::memmem::find(data, word).is_some();
    if says(b":deprecated") {
        draft.set(SymbolFlags::DEPRECATED);
    }
    if says(b":test") || says(b":dynamic") || says(b":const") {
        draft.set(SymbolFlags::DECORATED);
    }
    if !says(b":private") {
        draft.set(SymbolFlags::EXPORTED);
    }
    draft
}

/// `(defn name "doc" [x] ...)` and its relatives, those that macros add included.
fn definition<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    head: &[u8],
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    if head == b"declare" {
        for name in rest.iter().filter(|name| name.kind_name() == "sym_lit") {
            let mut draft = draft(walk, SymbolKind::Variable, *name, node);
            draft.set(SymbolFlags::DECLARATION);
            walk.record(&draft, frame);
        }
        return;
    }
    let Some((name, rest)) = rest
        .split_first()
        .filter(|(name, _)| name.kind_name() == "sym_lit")
    else {
        return;
    };
    let vector = |part: &Node<'t>| part.kind_name() == "vec_lit";
    let arity = |part: &Node<'t>| {
        part.kind_name() == "list_lit" && part.named_child(0).is_some_and(|first| vector(&first))
    };
    let kind = match head {
        b"defmacro" => SymbolKind::Macro,
        b"defprotocol" | b"definterface" => SymbolKind::Trait,
        b"defrecord" | b"defstruct" => SymbolKind::Struct,
        b"deftype" => SymbolKind::Class,
        b"defmethod" => SymbolKind::Method,
        b"defmulti" | b"deftest" | b"defn" | b"defn-" => SymbolKind::Function,
        b"def" | b"defonce" => match rest.last() {
            Some(value) if parts(walk, *value).0 == b"fn" => SymbolKind::Function,
            _ => SymbolKind::Constant,
        },
        // What macros add, when parameters follow the name.
        _ if rest
            .iter()
            .find(|part| !matches!(part.kind_name(), "str_lit" | "map_lit"))
            .is_some_and(|part| vector(part) || arity(part)) =>
        {
            SymbolKind::Function
        }
        _ => SymbolKind::Constant,
    };
    let mut draft = draft(walk, kind, *name, node);
    match head {
        b"deftest" => draft.set(SymbolFlags::TEST),
        _ if head.ends_with(b"-") => draft.flags.0 &= !SymbolFlags::EXPORTED.0,
        _ => {}
    }
    if frame.scope == Scope::Function {
        draft.flags.0 &= !SymbolFlags::EXPORTED.0;
    }
    let doc = rest.iter().position(|part| part.kind_name() == "str_lit");
    // The value of a `def` is no documentation of it.
    let doc = doc.filter(|at| at + 1 < rest.len()).map(|at| rest[at]);
    if let Some(doc) = doc {
        draft.doc = Some(doc.byte_range());
        walk.claim(doc.start_byte());
    }
    if matches!(head, b"def" | b"defonce") && kind == SymbolKind::Constant {
        draft.value(rest.last().and_then(|value| hint_of(walk, *value)));
        walk.record(&draft, frame);
        return;
    }
    let list = rest.iter().find(|part| vector(part));
    draft.body = list.map(|list| list.end_byte());
    match kind {
        SymbolKind::Trait => {
            draft.body = Some(name.end_byte());
            walk.record(&draft, frame);
            // A method of a protocol is a function of the namespace.
            for method in rest.iter().filter(|part| part.kind_name() == "list_lit") {
                signature(walk, *method, frame);
            }
        }
        SymbolKind::Struct | SymbolKind::Class => {
            walk.define(draft, frame);
            if let Some(list) = list {
                bindings::fields(walk, node, *list, frame);
            }
            bases(walk, rest);
            frame.scope = Scope::Class;
        }
        SymbolKind::Method => {
            walk.define(draft, frame);
            // One more method of a function that is defined elsewhere.
            let own = name.field("name").unwrap_or(*name);
            walk.def_names.insert(own.start_byte());
            bindings::of_function(walk, node, rest.get(1..).unwrap_or_default(), frame);
        }
        SymbolKind::Constant => {
            walk.record(&draft, frame);
        }
        _ => {
            walk.define(draft, frame);
            frame.scope = Scope::Function;
            bindings::of_function(walk, node, rest, frame);
        }
    }
}

/// `(push [this item] "doc")` in a protocol.
fn signature<'t>(walk: &mut Walk<'t>, method: Node<'t>, frame: &Frame<'t>) {
    let all = method.content();
    let Some(name) = all.first().filter(|name| name.kind_name() == "sym_lit") else {
        return;
    };
    let mut draft = draft(walk, SymbolKind::Method, *name, method);
    draft.set(SymbolFlags::DECLARATION);
    if let Some(doc) = all.iter().find(|part| part.kind_name() == "str_lit") {
        draft.doc = Some(doc.byte_range());
        walk.claim(doc.start_byte());
    }
    walk.record(&draft, frame);
    let method = (method.start_position(), method.end_position());
    for list in all.iter().filter(|part| part.kind_name() == "vec_lit") {
        bindings::bind(walk, *list, &(method.0..method.1));
    }
}

/// The protocols that a type implements are named between its methods.
fn bases<'t>(walk: &mut Walk<'t>, rest: &[Node<'t>]) {
    for base in rest.iter().filter(|part| part.kind_name() == "sym_lit") {
        if let Some(name) = base.field("name") {
            // Its end, where no name begins.
            walk.claim(name.end_byte());
        }
    }
}

/// `(extend-type String P (f [x] ...))`: methods of a type, or of several.
fn extension<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    head: &[u8],
    rest: &[Node<'t>],
    frame: &mut Frame<'t>,
) {
    let first = rest.first().filter(|first| first.kind_name() == "sym_lit");
    if let Some(first) = first.filter(|_| head.starts_with(b"extend")) {
        let mut draft = draft(walk, SymbolKind::Impl, *first, node);
        draft.body = Some(first.end_byte());
        walk.define(draft, frame);
        // The type is used here, not defined.
        let own = first.field("name").unwrap_or(*first);
        walk.def_names.remove(&own.start_byte());
    }
    bases(
        walk,
        rest.get(usize::from(head.starts_with(b"extend-type"))..)
            .unwrap_or_default(),
    );
    frame.scope = Scope::Class;
}

fn anonymous<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
}

fn discarded<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    walk.comment(node);
    frame.skip();
}

/// `^String x`: a type. Flags and maps say nothing of names.
fn meta<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let value = node.field("value");
    if value.is_none_or(|value| value.kind_name() != "sym_lit") {
        return frame.skip();
    }
    frame.role = Type;
}

/// `a`, `ns/a`, `.method`, `Class.`, `->Record`.
fn symbol<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let at = name.start_position();
    half_typed(walk, node, name, frame);
    if walk.def_names.remove(&name.start_byte()) {
        return;
    }
    let above = walk.ancestor(0).map(|above| above.node);
    let first = above.filter(|above| above.kind_name() == "list_lit");
    let called = first.and_then(|list| list.named_child(0)) == Some(node)
        || above.is_some_and(|above| {
            above.kind_name() == "anon_fn_lit" && above.named_child(0) == Some(node)
        });
    let bound = walk.take_claim(name.start_byte());
    let base = walk.take_claim(name.end_byte());
    let kind = match frame.role {
        Read if bound => Write,
        Read if base => Inherit,
        Read if called => Call,
        role => role,
    };
    let whole = walk.text(name);
    if matches!(whole, b"&" | b"_" | b"." | b"%") {
        return;
    }
    let mut qualifier = Qualifier::None;
    if let Some(space) = node.field("namespace") {
        let at = space.start_position();
        let kind = if kind == Import { Import } else { Read };
        walk.occurrence(walk.text(space), at.row, at.column, kind, Qualifier::None);
        qualifier = Qualifier::Previous;
    } else if whole.starts_with(b".") {
        qualifier = Qualifier::Expression;
    }
    let (from, own) = bare(whole);
    let kind = if from > 0 && kind == Read { Call } else { kind };
    walk.occurrence(own, at.row, at.column + from, kind, qualifier);
    walk.qualifies(node.end_byte());
}

/// `(defn name` before its `)` is typed is no list.
fn half_typed<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, frame: &Frame<'t>) {
    let listed = walk
        .ancestor(0)
        .is_some_and(|above| !above.node.is_error() && above.node.kind_name() != "source");
    if listed {
        return;
    }
    let before = walk.src.get(..node.start_byte()).unwrap_or(b"");
    let before = before.trim_ascii_end();
    for (word, kind) in [
        (&b"(defn"[..], SymbolKind::Function),
        (b"(defn-", SymbolKind::Function),
        (b"(defmacro", SymbolKind::Macro),
        (b"(def", SymbolKind::Constant),
    ] {
        if before.ends_with(word) {
            let mut draft = Draft::new(kind, name, node);
            draft.set(SymbolFlags::EXPORTED);
            walk.record(&draft, frame);
            walk.def_names.insert(name.start_byte());
            return;
        }
    }
}

/// `:name` may mean a field of a record.
fn keyword<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = node.field("name");
    let plain = node.field("namespace").is_none() && !walk.text(node).starts_with(b"::");
    if let Some(name) = name.filter(|_| plain && frame.role != Import)
        && walk.text(name).len() > 1
        && !OPTIONS.contains(&walk.text(name))
    {
        let at = name.start_position();
        walk.occurrence(walk.text(name), at.row, at.column, Mention, Qualifier::None);
    }
    frame.skip();
}

/// Documentation is prose.
fn string<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.take_claim(node.start_byte()) {
        walk.comment(node);
    }
    frame.skip();
}

fn hint_of(walk: &Walk<'_>, value: Node<'_>) -> Option<Hint> {
    match value.kind_name() {
        "sym_lit" => {
            let name = value.field("name")?;
            Some(Hint::of_part(
                HintKind::Value,
                name,
                bare(walk.text(name)).0,
            ))
        }
        "list_lit" => {
            let name = value.named_child(0)?.field("name")?;
            Some(Hint::of_part(
                HintKind::Result,
                name,
                bare(walk.text(name)).0,
            ))
        }
        "num_lit" | "str_lit" | "kwd_lit" | "bool_lit" | "nil_lit" | "vec_lit" | "map_lit"
        | "set_lit" | "anon_fn_lit" | "regex_lit" | "char_lit" | "quoting_lit" => {
            Some(Hint::LITERAL)
        }
        _ => None,
    }
}
