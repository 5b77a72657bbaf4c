//! Ruby. Much of what defines names in it are calls.

mod arguments;
mod calls;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod library;
mod locals;
mod resolve;
mod values;

use crate::syntax::prelude::*;
use rustc_hash::FxHashMap;

/// Ruby 3.
pub(crate) static RUBY: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("class", SymbolKind::Class),
        def("module", SymbolKind::Module),
        def("method", SymbolKind::Function),
        def("singleton_method", SymbolKind::Function),
    ],
    refine,
    hooks: hooks! {
        body => "body_statement",
        hooks::class => "singleton_class",
        alias => "alias",
        assignment => "assignment",
        locals::assigned => "operator_assignment",
        locals::parameters => "method_parameters block_parameters lambda_parameters",
        locals::rescued => "rescue",
        locals::matched => "array_pattern find_pattern",
        calls::call => "call",
        values::yielded => "yield",
        argument_list => "argument_list",
        element => "element_reference",
        symbol => "simple_symbol",
        pair => "pair",
        interpolated::string => "string",
    },
    roles: roles! {
        Object => "call.receiver scope_resolution.scope",
        Member => "call.method scope_resolution.name",
        Pass => "element_reference.object argument_list left_assignment_list destructured_left_assignment rest_assignment
            destructured_parameter",
        Is(Inherit) => "superclass",
        Is(Type) => "exceptions",
        Is(Write) => "exception_variable assignment.left operator_assignment.left for.pattern
            as_pattern.name method_parameters block_parameters lambda_parameters
            optional_parameter.name keyword_parameter.name splat_parameter.name
            hash_splat_parameter.name block_parameter.name",
        Bound => "array_pattern find_pattern",
    },
    identifiers: &[
        ("identifier", Read),
        ("constant", Read),
        ("instance_variable", Read),
        ("class_variable", Read),
        ("global_variable", Read),
        ("hash_key_symbol", Write),
    ],
    this_kinds: &["self", "super"],
    hint: values::hint,
    finish,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let Some(name) = node.field("name") else {
        return draft.reject();
    };
    if name.kind_name() == "scope_resolution"
        && let Some(last) = name.field("name")
    {
        draft.rename(last);
        draft.receiver = name.field("scope").map(|scope| walk.text(scope));
    }
    let text = draft.text(walk);
    if matches!(node.kind_name(), "method" | "singleton_method") {
        expect(walk, text, draft.name.start);
        if frame.symbol.is_some() {
            draft.kind = match text {
                b"initialize" => SymbolKind::Constructor,
                _ => SymbolKind::Method,
            };
        }
        if let Some(object) = node
            .field("object")
            .filter(|object| object.kind_name() != "self")
        {
            let owner = walk.text(object);
            let inside = frame
                .symbol
                .is_some_and(|outer| walk.names.get(walk.symbols[outer as usize].name) == owner);
            if !inside {
                draft.receiver = Some(owner);
                draft.kind = SymbolKind::Method;
            }
        }
        draft.value(values::returned(walk, node));
        draft.set_if(SymbolFlags::TEST, text.starts_with(b"test_"));
        if draft.body.is_none() {
            draft.body = node
                .field("parameters")
                .or(Some(name))
                .map(|last| last.end_byte());
        }
    } else if draft.kind == SymbolKind::Class && is_test_case(walk, node) {
        draft.set(SymbolFlags::TEST);
    }
    visible(walk, node, frame, draft);
}

/// Makes sure that a name with `?`, `!` or `=` at its end is not taken for a use of it.
fn expect(walk: &mut Walk<'_>, name: &[u8], start: usize) {
    if name.last().is_some_and(|last| b"?!=".contains(last)) {
        walk.def_names.insert(start);
    }
}

/// Everything can be seen from other files but what [`body`] found to be private.
fn visible<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let private = walk.take_claim(node.start_byte());
    let open = frame.symbol.is_none() || frame.exported;
    draft.set_if(
        SymbolFlags::EXPORTED,
        !private && open && frame.scope != Scope::Function,
    );
}

fn is_test_case(walk: &Walk<'_>, class: Node<'_>) -> bool {
    class.field("superclass").is_some_and(|base| {
        let base = walk.text(base);
        base.ends_with(b"TestCase") || base.ends_with(b"::Test")
    })
}

/// Finds the private members of a class or module: those below a lone `private`, and those it is
/// told the names of.
fn body<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let owner = walk.kind_above(0);
    if !matches!(owner, "class" | "module" | "singleton_class") {
        return;
    }
    let mut named: FxHashMap<&[u8], bool> = FxHashMap::default();
    for call in node.all_of("call") {
        let Some(private) = visibility(walk, call.field("method")) else {
            continue;
        };
        let Some(arguments) = call.field("arguments") else {
            continue;
        };
        for argument in arguments.named() {
            match argument.kind_name() {
                "simple_symbol" => {
                    named.insert(symbol_name(walk, argument), private);
                }
                "method" | "singleton_method" if private => walk.claim(argument.start_byte()),
                _ => {}
            }
        }
    }
    let mut below = false;
    for member in node.named() {
        match member.kind_name() {
            "identifier" => below = visibility(walk, Some(member)).unwrap_or(below),
            "method" | "singleton_method" | "assignment" => {
                let field = if member.kind_name() == "assignment" {
                    "left"
                } else {
                    "name"
                };
                let name = walk.text_of(member.field(field));
                let private = named
                    .get(name)
                    .copied()
                    .unwrap_or(below && member.kind_name() == "method");
                if private {
                    walk.claim(member.start_byte());
                }
            }
            "call" if below => walk.claim(member.start_byte()),
            _ => {}
        }
    }
}

/// Whether a word makes members private; `None` when it says nothing of that.
fn visibility(walk: &Walk<'_>, word: Option<Node<'_>>) -> Option<bool> {
    match walk.text(word?) {
        b"private" | b"private_class_method" | b"private_constant" => Some(true),
        b"public" | b"protected" | b"public_class_method" | b"module_function" => Some(false),
        _ => None,
    }
}

/// What `:name` names.
fn symbol_name<'t>(walk: &Walk<'t>, symbol: Node<'t>) -> &'t [u8] {
    let text = walk.text(symbol);
    text.strip_prefix(b":").unwrap_or(text)
}

fn alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node
        .field("name")
        .filter(|name| matches!(name.kind_name(), "identifier" | "simple_symbol"))
    {
        let mut draft = Draft::new(SymbolKind::Method, name, node);
        calls::unsign(walk, &mut draft);
        visible(walk, node, frame, &mut draft);
        let text = draft.text(walk);
        expect(walk, text, draft.name.start);
        walk.record(&draft, frame);
    }
}

/// Constants, and the classes that calls make: `Point = Struct.new(:x) do ... end`.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(left) = node.field_of("left", "constant") else {
        return locals::assigned(walk, node, frame);
    };
    let right = node.field("right");
    let made = right.and_then(|right| calls::made_class(walk, right));
    let mut draft = Draft::new(made.unwrap_or(SymbolKind::Constant), left, node);
    visible(walk, node, frame, &mut draft);
    match (made, right) {
        (Some(_), Some(right)) => {
            draft.body_at(right.field("block"));
            if walk.define(draft, frame).is_some() {
                calls::struct_members(walk, right, frame);
            }
        }
        _ => {
            draft.value(right.and_then(|right| values::hint(walk, right)));
            walk.record(&draft, frame);
        }
    }
}

/// What is mixed in or given as a class's base is inherited from; what is required is no mention.
fn argument_list<'t>(walk: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    let Some(call) = walk.above(0) else { return };
    let method = walk.text_of(call.field("method"));
    let receiver = call.field("receiver").map(|receiver| walk.text(receiver));
    frame.role = match (receiver, method) {
        (None, b"include" | b"extend" | b"prepend") if frame.scope != Scope::Function => Inherit,
        (Some(b"Class"), b"new") => Inherit,
        (None, b"require" | b"require_relative" | b"load" | b"autoload") => Import,
        _ => Read,
    };
}

/// `class AddTags < ActiveRecord::Migration[8.0]` has a base. Of what is in another place only an element is used so.
fn element<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    if frame.role != Inherit {
        frame.role = Read;
    }
}

/// `:name` mentions what it names.
fn symbol<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let name = symbol_name(walk, node);
    let start = node.end_byte() - name.len();
    if walk.def_names.remove(&start) {
        return frame.skip();
    }
    let stem = match name {
        [stem @ .., b'?' | b'!' | b'='] => stem,
        _ => name,
    };
    if is_name(stem) {
        let at = node.start_position();
        let column = at.column + node.byte_range().len() - name.len();
        let kind = OccurrenceKind::Mention;
        walk.occurrence(name, at.row, column, kind, Qualifier::None);
    }
    frame.skip();
}

/// `{ key: value }`: the key is a symbol. In `{ name: }` it is what it is called like, too.
fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let key = node.field_of("key", "hash_key_symbol");
    if let Some(key) = key.filter(|_| node.field("value").is_some()) {
        let (name, at) = (walk.text(key), key.start_position());
        walk.occurrence(
            name,
            at.row,
            at.column,
            OccurrenceKind::Mention,
            Qualifier::None,
        );
        walk.def_names.insert(key.start_byte());
    }
}

/// `A.new` constructs an `A`; a name that is no variable is a call.
fn finish(walk: &mut Walk<'_>) {
    locals::calls_of_lone_names(walk);
    let (new, _) = walk.names.intern(b"new");
    for i in 1..walk.occurrences.len() {
        let member = walk.occurrences[i];
        if member.name != new || member.qualifier != Qualifier::Previous {
            continue;
        }
        let object = &mut walk.occurrences[i - 1];
        let capital = walk.names.get(object.name).first();
        if object.kind == Read && capital.is_some_and(u8::is_ascii_uppercase) {
            object.kind = Call;
        }
    }
}
