//! Entry points in PHP: laravel, symfony, slim.

use crate::record::{EntryKind, Methods, PartKind, PathPart, Reached};
use crate::syntax::entry_points::{EntryReader, EntryRows, EntrySyntax, line, place};
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// What the frameworks say.
pub(crate) static ENTRIES: EntryRows = EntryRows {
    words: words!("Route Slim AsCommand withRouting AsMessageHandler"),
    kinds: EntrySyntax {
        functions: words!("anonymous_function arrow_function"),
        names: &["name"],
        members: &[
            ("member_access_expression", "object", "name"),
            ("class_constant_access_expression", "", ""),
        ],
        calls: &[
            ("member_call_expression", "name", "arguments"),
            ("scoped_call_expression", "name", "arguments"),
            ("function_call_expression", "function", "arguments"),
        ],
        strings: words!("string encapsed_string"),
        holes: words!("variable_name member_access_expression"),
        lists: &["array_creation_expression"],
        ..EntrySyntax::NONE
    },
    read,
};

fn read<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    match node.kind_name() {
        "scoped_call_expression" | "member_call_expression" => called(reader, node),
        "attribute" => attribute(reader, node),
        _ => {}
    }
}

/// The values of the arguments of a call, those with names left out.
fn arguments<'t>(call: Node<'t>) -> Vec<Node<'t>> {
    let list = call.field("arguments").or(call.field("parameters"));
    let list = list
        .map(|list| list.all_of("argument").collect::<Vec<_>>())
        .unwrap_or_default();
    let plain = list.into_iter().filter(|of| of.field("name").is_none());
    plain.filter_map(|of| of.last_named()).collect()
}

/// The value of an argument of a name.
fn named<'t>(reader: &EntryReader<'t>, call: Node<'t>, name: &str) -> Option<Node<'t>> {
    let list = call.field("arguments").or(call.field("parameters"))?;
    let mut all = list.all_of("argument");
    let found = all.find(|of| of.field("name").is_some_and(|of| reader.is(of, &[name])))?;
    found.last_named()
}

/// The value of a key of an array.
fn key<'t>(reader: &EntryReader<'t>, array: Node<'t>, name: &str) -> Option<Node<'t>> {
    let mut all = array.all_of("array_element_initializer");
    let found = all.find(|of| {
        let key = of.named_child(0).filter(|_| of.named_child_count() == 2);
        key.is_some_and(|key| reader.is_string(key) && reader.string(key) == name.as_bytes())
    })?;
    found.named_child(1)
}

/// Elements of an array.
fn elements(array: Node<'_>) -> Vec<Node<'_>> {
    let all = array.all_of("array_element_initializer");
    all.filter_map(|of| of.last_named()).collect()
}

fn text_range(reader: &EntryReader<'_>, string: Node<'_>) -> Reached {
    let range = reader.within_quotes(string);
    Reached::Text(range.start as u32..range.end.max(range.start) as u32)
}

/// What a handler is: `[C::class, 'm']`, `'C@m'`, `C::class`, a closure.
fn handler<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Reached {
    match node.kind_name() {
        "array_creation_expression" => match elements(node).first() {
            Some(class) if class.kind_name() == "class_constant_access_expression" => {
                match class.named_child(0) {
                    Some(class) => place(last_name(class)),
                    None => Reached::Nothing,
                }
            }
            _ => Reached::Nothing,
        },
        "class_constant_access_expression" => match node.named_child(0) {
            Some(class) => place(last_name(class)),
            None => Reached::Nothing,
        },
        _ if reader.is_function(node) => Reached::Inline(line(node)),
        _ if reader.is_string(node) => text_range(reader, node),
        "object_creation_expression" => match node.named_child(0) {
            Some(class) => place(last_name(class)),
            None => Reached::Nothing,
        },
        _ => Reached::Nothing,
    }
}

/// The method of `[C::class, 'm']`.
fn action<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<PathPart> {
    let named = match node.kind_name() {
        "array_creation_expression" => elements(node).get(1).copied(),
        _ => None,
    };
    let range = reader.within_quotes(named.filter(|of| reader.is_string(*of))?);
    Some(PathPart {
        kind: PartKind::Action,
        range: range.start as u32..range.end.max(range.start) as u32,
    })
}

/// The last name of a path of names.
fn last_name(node: Node<'_>) -> Node<'_> {
    match node.kind_name() {
        "qualified_name" | "relative_name" => node.last_of("name").unwrap_or(node),
        _ => node,
    }
}

/// A chain of calls that begins with `Route::` or a variable, the outermost first.
struct Chain<'t> {
    calls: Vec<Node<'t>>,
    base: Node<'t>,
}

fn chain<'t>(node: Node<'t>) -> Option<Chain<'t>> {
    let mut calls = Vec::new();
    let mut at = node;
    for _ in 0..64 {
        match at.kind_name() {
            "member_call_expression" => {
                calls.push(at);
                at = at.field("object")?;
            }
            "scoped_call_expression" => {
                calls.push(at);
                return Some(Chain {
                    calls,
                    base: at.field("scope")?,
                });
            }
            _ => return Some(Chain { calls, base: at }),
        }
    }
    None
}

fn called<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    // Of a chain only its outermost call is looked at.
    let is_inner = node.parent().is_some_and(|above| {
        above.kind_name() == "member_call_expression" && above.field("object") == Some(node)
    });
    if is_inner {
        return;
    }
    let Some(chain) = chain(node) else { return };
    let base = reader.text(chain.base);
    let is_laravel = base == b"Route"
        || base.ends_with(b"\\Route")
        || base == b"$router"
        || base == b"$this->router";
    if is_laravel {
        return laravel(reader, node, &chain);
    }
    if is_slim(reader) && chain.base.kind_name() == "variable_name" {
        return slim(reader, &chain);
    }
    for call in &chain.calls {
        if call
            .field("name")
            .is_some_and(|name| reader.is(name, &["withRouting"]))
        {
            with_routing(reader, *call);
        }
    }
}

fn is_slim(reader: &EntryReader<'_>) -> bool {
    memchr::memmem::find(reader.src, b"Slim\\").is_some()
}

/// The path of a string, or of an expression.
fn path<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Vec<PathPart> {
    reader.path(node)
}

fn methods_of<'t>(reader: &EntryReader<'t>, list: Node<'t>) -> Methods {
    let all = match list.kind_name() {
        "array_creation_expression" => elements(list),
        _ => vec![list],
    };
    let named = all
        .into_iter()
        .filter_map(|of| Methods::named(reader.string(of)));
    named.fold(Methods::ANY, Methods::with)
}

/// `Route::get("/x", ...)->name("x")`, `Route::prefix("x")->group(function () { ... })`.
fn laravel<'t>(reader: &mut EntryReader<'t>, node: Node<'t>, chain: &Chain<'t>) {
    let around = reader.around(node);
    let (mut prefix, mut controller, mut group, mut stated) = (Vec::new(), None, None, None);
    // The innermost first, as they are written.
    for call in chain.calls.iter().rev() {
        let Some(name) = call.field("name") else {
            continue;
        };
        let given = arguments(*call);
        match reader.text(name) {
            b"prefix" => prefix = given.first().map_or(Vec::new(), |of| path(reader, *of)),
            b"controller" => controller = given.first().map(|of| handler(reader, *of)),
            b"group" => {
                if let [options, _, ..] = given[..]
                    && options.kind_name() == "array_creation_expression"
                {
                    prefix =
                        key(reader, options, "prefix").map_or(Vec::new(), |of| path(reader, of));
                }
                group = given.last().copied();
            }
            b"get" | b"post" | b"put" | b"patch" | b"delete" | b"options" | b"any" | b"match"
            | b"view" | b"redirect" | b"resource" | b"apiResource" | b"resources"
            | b"apiResources" | b"fallback" | b"singleton" | b"livewire" => {
                stated = stated.or(Some((*call, name, given)));
            }
            _ => {}
        }
    }
    if let Some(of) = group {
        if reader.is_function(of) {
            let reached = controller.unwrap_or(Reached::Nothing);
            let made = reader.state(
                EntryKind::Router,
                (around, node),
                Methods::ANY,
                prefix,
                reached,
            );
            if let Some(made) = made {
                reader.enter(of, made);
            }
        } else {
            // `group(base_path("routes/api.php"))`, `group(__DIR__."/routes.php")`
            let string = last_string(reader, of);
            if let Some(string) = string {
                let reached = text_range(reader, string);
                reader.state(
                    EntryKind::Mount,
                    (around, node),
                    Methods::ANY,
                    prefix,
                    reached,
                );
            }
        }
        return;
    }
    let Some((call, name, given)) = stated else {
        return;
    };
    let at = (around, call);
    let verb = reader.text(name);
    match verb {
        b"resource" | b"apiResource" => {
            if let [of, class, ..] = given[..] {
                resource(reader, at, of, class, (verb == b"apiResource", node, chain));
            }
        }
        b"resources" | b"apiResources" => {
            for of in given
                .first()
                .into_iter()
                .flat_map(|list| list.all_of("array_element_initializer"))
            {
                if let (Some(path), Some(class)) = (of.named_child(0), of.named_child(1)) {
                    resource(
                        reader,
                        at,
                        path,
                        class,
                        (verb == b"apiResources", node, chain),
                    );
                }
            }
        }
        b"match" => {
            if let [verbs, of, to, ..] = given[..] {
                let path = [prefix, path(reader, of)].concat();
                let path = path.into_iter().chain(action(reader, to)).collect();
                let (methods, reached) = (methods_of(reader, verbs), handler(reader, to));
                reader.state(EntryKind::Route, at, methods, path, reached);
            }
        }
        b"fallback" => {}
        _ => {
            let Some(first) = given.first().copied() else {
                return;
            };
            let methods = match verb {
                b"any" | b"redirect" => Methods::ANY,
                b"view" | b"livewire" => Methods::named(b"GET").unwrap_or_default(),
                verb => Methods::named(verb).unwrap_or_default(),
            };
            let is_handled = !matches!(verb, b"view" | b"redirect");
            let to = given.get(1).copied().filter(|_| is_handled);
            let own = to.and_then(|to| own_method(reader, around, to));
            let (reached, action) = match (own, to) {
                (Some((controller, method)), _) => (controller, Some(method)),
                (None, Some(to)) => (handler(reader, to), action(reader, to)),
                (None, None) => (Reached::Nothing, None),
            };
            let mut path = path(reader, first);
            if !prefix.is_empty() {
                path = [prefix, vec![PathPart::bare(PartKind::Slash)], path].concat();
            }
            path.extend(action);
            reader.state(EntryKind::Route, at, methods, path, reached);
        }
    }
}

/// The controller of a group, and the name of its method that a route gives.
fn own_method<'t>(
    reader: &EntryReader<'t>,
    around: Option<u32>,
    to: Node<'t>,
) -> Option<(Reached, PathPart)> {
    let entry = reader.entry(around?)?;
    let is_plain = reader.is_string(to) && !reader.string(to).contains(&b'@');
    if !is_plain || !matches!(entry.reached, Reached::Place(..)) {
        return None;
    }
    let range = reader.within_quotes(to);
    let part = PathPart {
        kind: PartKind::Action,
        range: range.start as u32..range.end.max(range.start) as u32,
    };
    Some((entry.reached.clone(), part))
}

/// The last string of an expression.
fn last_string<'t>(reader: &EntryReader<'t>, node: Node<'t>) -> Option<Node<'t>> {
    let mut at = node;
    for _ in 0..8 {
        if reader.is_string(at) {
            return Some(at);
        }
        at = match at.kind_name() {
            "function_call_expression" => arguments(at).last().copied()?,
            _ => at.last_named()?,
        };
    }
    None
}

/// The routes of `Route::resource("photos", C::class)`.
fn resource<'t>(
    reader: &mut EntryReader<'t>,
    at: (Option<u32>, Node<'t>),
    of: Node<'t>,
    class: Node<'t>,
    (is_api, _, chain): (bool, Node<'t>, &Chain<'t>),
) {
    const ACTIONS: &[(&str, &str, Option<PartKind>)] = &[
        ("index", "GET", None),
        ("create", "GET", Some(PartKind::Create)),
        ("store", "POST", None),
        ("show", "GET", Some(PartKind::Id)),
        ("edit", "GET", Some(PartKind::Edit)),
        ("update", "PUT,PATCH", Some(PartKind::Id)),
        ("destroy", "DELETE", Some(PartKind::Id)),
    ];
    let list = |reader: &EntryReader<'t>, word: &str| {
        let mut calls = chain.calls.iter();
        let call = calls.find(|call| call.field("name").is_some_and(|of| reader.is(of, &[word])));
        // `->except('show', 'edit')`, or one list of them.
        let from_call = call.map(|call| arguments(*call));
        let options = arguments(at.1).get(2).copied();
        let from_options = options.and_then(|options| key(reader, options, word));
        let all = from_call.or(from_options.map(|list| vec![list]))?;
        let all = all.into_iter().flat_map(|of| match of.kind_name() {
            "array_creation_expression" => elements(of),
            _ => vec![of],
        });
        Some(all.map(|of| reader.string(of)).collect::<Vec<_>>())
    };
    let (only, except) = (
        list(reader, "only"),
        list(reader, "except").unwrap_or_default(),
    );
    let nested = nested(reader, of);
    let shallow = chain.calls.iter().any(|call| {
        let name = call.field("name");
        name.is_some_and(|of| reader.is(of, &["shallow"]))
    });
    let path = nested.clone().unwrap_or_else(|| path(reader, of));
    let reached = handler(reader, class);
    for (action, methods, part) in ACTIONS {
        let is_form = matches!(*action, "create" | "edit");
        let is_left_out = is_api && is_form
            || except.contains(&action.as_bytes())
            || only
                .as_ref()
                .is_some_and(|only| !only.contains(&action.as_bytes()));
        if is_left_out {
            continue;
        }
        let named = methods
            .split(',')
            .filter_map(|name| Methods::named(name.as_bytes()));
        let methods = named.fold(Methods::ANY, Methods::with);
        let last = part.map(PathPart::bare);
        let many = PathPart::bare(PartKind::Many);
        // One of many has a name of its own, whatever it lies in.
        let is_own = shallow && part.is_some_and(|part| part != PartKind::Create);
        let own = path.iter().skip(match is_own && nested.is_some() {
            true => path.len() - 1,
            false => 0,
        });
        let path = own.cloned().chain([many]).chain(last).collect();
        reader.state(EntryKind::Route, at, methods, path, reached.clone());
    }
}

/// The parts of a resource in others: `albums.songs` is `/albums/:album_id/songs`.
fn nested(reader: &EntryReader<'_>, of: Node<'_>) -> Option<Vec<PathPart>> {
    let is_plain = reader.is_string(of) && !reader.string(of).contains(&b'$');
    if !is_plain || !reader.string(of).contains(&b'.') {
        return None;
    }
    let mut start = reader.within_quotes(of).start as u32;
    let mut parts = Vec::new();
    for name in reader.string(of).split(|b| *b == b'.') {
        let range = start..start + name.len() as u32;
        start = range.end + 1;
        let named = |kind| PathPart {
            kind,
            range: range.clone(),
        };
        parts.extend([named(PartKind::Name), named(PartKind::ParentId)]);
    }
    parts.pop();
    Some(parts)
}

/// `->withRouting(api: __DIR__."/../routes/api.php")`: the routes of that file are below `api`.
fn with_routing<'t>(reader: &mut EntryReader<'t>, call: Node<'t>) {
    let Some(list) = call.field("arguments") else {
        return;
    };
    let prefix = named(reader, call, "apiPrefix");
    for argument in list.all_of("argument") {
        let Some(name) = argument.field("name").filter(|of| reader.is(*of, &["api"])) else {
            continue;
        };
        let path = match prefix {
            Some(prefix) => reader.path(prefix),
            None => vec![EntryReader::part(PartKind::Text, name)],
        };
        let string = argument.last_named().and_then(|of| last_string(reader, of));
        if let Some(string) = string {
            let reached = text_range(reader, string);
            reader.state(
                EntryKind::Mount,
                (None, argument),
                Methods::ANY,
                path,
                reached,
            );
        }
    }
}

/// `$app->get("/x", C::class)`, `$app->group("/x", function (Group $group) { ... })`.
fn slim<'t>(reader: &mut EntryReader<'t>, chain: &Chain<'t>) {
    // `$app->get()->add()`: the first call of the chain states it.
    let Some(call) = chain.calls.last().copied() else {
        return;
    };
    let Some(name) = call.field("name") else {
        return;
    };
    let given = arguments(call);
    let on = reader.bound(reader.text(chain.base), chain.base);
    let at = (on, call);
    match reader.text(name) {
        b"group" => {
            if let [of, function] = given[..]
                && reader.is_function(function)
            {
                let path = reader.path(of);
                let made =
                    reader.state(EntryKind::Router, at, Methods::ANY, path, Reached::Nothing);
                let parameter = function
                    .field("parameters")
                    .and_then(|list| list.named().next());
                let parameter = parameter.and_then(|of| of.field("name"));
                // Before Slim 4 a group is what its function is bound to.
                let name = parameter.map_or(&b"$this"[..], |of| reader.text(of));
                if let Some(made) = made {
                    reader.bind(name, function, made);
                }
            }
        }
        b"map" => {
            if let [verbs, of, to] = given[..] {
                let (methods, path, reached) = (
                    methods_of(reader, verbs),
                    reader.path(of),
                    handler(reader, to),
                );
                reader.state(EntryKind::Route, at, methods, path, reached);
            }
        }
        verb => {
            let methods = match verb {
                b"any" => Some(Methods::ANY),
                verb if verb.iter().all(u8::is_ascii_lowercase) => Methods::named(verb),
                _ => None,
            };
            if let (Some(methods), [of, to]) = (methods, &given[..])
                && reader.is_string(*of)
            {
                let path = reader
                    .path(*of)
                    .into_iter()
                    .chain(action(reader, *to))
                    .collect();
                let reached = handler(reader, *to);
                reader.state(EntryKind::Route, at, methods, path, reached);
            }
        }
    }
}

/// symfony's `#[Route("/x", methods: ["GET"])]`, `#[AsCommand(name: "app:x")]`.
fn attribute<'t>(reader: &mut EntryReader<'t>, node: Node<'t>) {
    let Some(name) = node.named_child(0) else {
        return;
    };
    let name = last_name(name);
    let target = node
        .parent()
        .and_then(|group| group.parent())
        .and_then(|list| list.parent());
    let Some(target) = target else { return };
    let is_class = target.kind_name() == "class_declaration";
    let reached = reader.symbol_of(target);
    match reader.text(name) {
        b"Route" => {
            let given = arguments(node).first().copied();
            let given = given.or_else(|| named(reader, node, "path"));
            let on = reader.around(target);
            let methods = named(reader, node, "methods").map(|list| methods_of(reader, list));
            let methods = methods.unwrap_or_default();
            // A path may be given for each language.
            let paths = match given {
                Some(list) if list.kind_name() == "array_creation_expression" => elements(list)
                    .into_iter()
                    .map(|of| reader.path(of))
                    .collect(),
                Some(given) => vec![reader.path(given)],
                None => vec![Vec::new()],
            };
            for path in paths {
                let is_invoked = is_class && invokes(reader, target);
                if is_class && !is_invoked {
                    let made = reader.state(
                        EntryKind::Router,
                        (None, node),
                        methods,
                        path,
                        reached.clone(),
                    );
                    if let Some(made) = made {
                        reader.enter(target, made);
                    }
                } else {
                    let on = on.filter(|_| !is_class);
                    reader.state(EntryKind::Route, (on, node), methods, path, reached.clone());
                }
            }
        }
        b"AsCommand" => {
            let given = named(reader, node, "name").or_else(|| arguments(node).first().copied());
            if let Some(given) = given {
                let path = reader.path(given);
                reader.state(
                    EntryKind::Command,
                    (None, node),
                    Methods::ANY,
                    path,
                    reached,
                );
            }
        }
        b"AsMessageHandler" | b"AsEventListener" => {
            if let Some(own) = target.field("name") {
                let path = vec![EntryReader::part(PartKind::Text, own)];
                reader.state(
                    EntryKind::Message,
                    (None, node),
                    Methods::ANY,
                    path,
                    reached,
                );
            }
        }
        _ => {}
    }
}

/// Whether a class is called itself.
fn invokes<'t>(reader: &EntryReader<'t>, class: Node<'t>) -> bool {
    let body = class.field("body");
    let methods = body
        .into_iter()
        .flat_map(|body| body.all_of("method_declaration").collect::<Vec<_>>());
    let mut names = methods.filter_map(|of| of.field("name"));
    names.any(|name| reader.is(name, &["__invoke"]))
}
