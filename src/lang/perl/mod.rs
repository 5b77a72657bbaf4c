//! Perl.

pub(crate) mod facts;
mod imports;
mod locals;
mod plain;
mod resolve;

use crate::syntax::prelude::*;
use tree_sitter::Point;

/// Perl 5.
pub(crate) static PERL: LangSpec = LangSpec {
    entry_points: None,
    defs: &[
        DefRow {
            node: "subroutine_declaration_statement",
            kind: SymbolKind::Function,
            name: "name",
            body: "body",
        },
        DefRow {
            node: "method_declaration_statement",
            kind: SymbolKind::Method,
            name: "name",
            body: "body",
        },
    ],
    refine,
    hooks: hooks! {
        package => "package_statement class_statement",
        imports::use_statement => "use_statement",
        imports::require => "require_expression",
        call => "function_call_expression ambiguous_function_call_expression",
        anonymous => "anonymous_subroutine_expression",
        locals::declaration => "variable_declaration",
        locals::signature => "signature",
        locals::for_statement => "for_statement",
        assignment => "assignment_expression",
        variable => "varname",
        bareword => "bareword package",
        function => "function",
        interpolated::string => "interpolated_string_literal",
        words => "quoted_word_list",
    },
    roles: roles! {
        Is(Call) => "function_call_expression.function ambiguous_function_call_expression.function",
        Is(Read) => "function_call_expression.arguments ambiguous_function_call_expression.arguments
            assignment_expression.right optional_parameter.default hash_element_expression.key
            array_element_expression.index block",
        Object => "method_call_expression.invocant",
        Rule::MemberIs(Call) => "method_call_expression.method",
        Pass => "assignment_expression.left use_statement require_expression mandatory_parameter
            optional_parameter slurpy_parameter scalar array hash parenthesized_expression
            list_expression",
        Is(Write) => "variable_declaration.variable variable_declaration.variables
            for_statement.variable postinc_expression.operand preinc_expression.operand signature",
    },
    identifiers: &[("method", Read), ("autoquoted_bareword", Mention)],
    this_kinds: &[],
    this_names: &[],
    heads_are_read: false,
    means_this: |_, _| true,
    backquoted: false,
    comments: &["comment", "pod"],
    strings: &["string_literal"],
    hint: locals::hint_of,
    finish,
};

/// Where the last part of a name begins: of `Shop::Queue` that is 6.
fn last_part(name: &[u8]) -> usize {
    let colons = name.windows(2).rposition(|pair| pair == b"::");
    colons.map_or(0, |at| at + 2)
}

/// Makes the last part of a package's name the name, and what stands before it the receiver.
fn narrow<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>, name: Node<'t>) {
    let whole = walk.text(name);
    let start = last_part(whole);
    if start > 0 {
        draft.name.start += start;
        draft.name_at.column += start;
        draft.receiver = whole.get(..start - 2);
    }
}

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let Some(name) = node.field("name") else {
        return draft.reject();
    };
    narrow(walk, draft, name);
    walk.def_names.insert(name.start_byte());
    let own = walk.src.get(draft.name.clone()).unwrap_or(b"");
    if !own.starts_with(b"_") && frame.scope != Scope::Function {
        draft.set(SymbolFlags::EXPORTED);
    }
    if draft.body.is_none() {
        draft.set(SymbolFlags::DECLARATION);
    }
}

/// `package A::B;` holds for what follows it, `package A::B { ... }` for its block.
fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let Some(name) = node.field("name") else {
        return;
    };
    let mut draft = Draft::new(SymbolKind::Module, name, node);
    narrow(walk, &mut draft, name);
    draft.body = Some(name.end_byte());
    draft.set(SymbolFlags::EXPORTED);
    walk.def_names.insert(name.start_byte());
    let block = node
        .content()
        .into_iter()
        .find(|child| child.kind_name() == "block");
    let is_of_file = walk.stack.len() == 1;
    if frame.scope == Scope::Module {
        // The package before is over.
        if let Some(before) = frame.symbol.filter(|_| is_of_file) {
            walk.ends_before(before, node.start_byte());
        }
        frame.symbol = None;
    }
    if block.is_some() {
        walk.define(draft, frame);
        return;
    }
    // One package ends where the next begins.
    let is_package =
        |node: &Node<'_>| matches!(node.kind_name(), "package_statement" | "class_statement");
    let mut last = node;
    while let Some(next) = last.next_named_sibling().filter(|next| !is_package(next)) {
        last = next;
    }
    draft.end = last.end_byte();
    draft.end_at = last.end_position();
    if is_of_file && last.next_named_sibling().is_none() {
        walk.holds_beyond(&mut draft);
    }
    walk.define(draft, frame);
    if let Some(above) = walk.stack.last_mut() {
        above.symbol = frame.symbol;
    }
}

fn anonymous<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = Scope::Function;
    frame.role = Read;
}

fn assignment<'t>(_: &mut Walk<'t>, _: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
}

/// Records the last part of a package's name, or the last two of a function's: of `Shop::Log::info` these
/// are `Log` and its `info`.
fn record<'t>(walk: &mut Walk<'t>, name: Node<'t>, kind: OccurrenceKind, function: bool) {
    let whole = walk.text(name);
    let at = name.start_position();
    let start = last_part(whole);
    let mut qualifier = Qualifier::None;
    if function && start > 2 {
        let package = &whole[..start - 2];
        let from = last_part(package);
        walk.occurrence(
            &package[from..],
            at.row,
            at.column + from,
            Read,
            Qualifier::None,
        );
        qualifier = Qualifier::Previous;
    }
    walk.occurrence(&whole[start..], at.row, at.column + start, kind, qualifier);
    walk.qualifies(name.end_byte());
}

/// A variable without its sigil; the block of `@{ ... }` stands in its place.
fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if node.named_child_count() > 0 {
        frame.role = Read;
        return;
    }
    let name = walk.text(node);
    if locals::THIS.contains(&name) {
        walk.this_end = node.end_byte();
    } else if !walk.def_names.remove(&node.start_byte()) && is_variable(name) {
        let from = last_part(name);
        let at = node.start_position();
        walk.occurrence(
            &name[from..],
            at.row,
            at.column + from,
            frame.role,
            Qualifier::None,
        );
        walk.qualifies(node.end_byte());
    }
    frame.skip();
}

/// Whether a name is that of a variable of the program: `$1` and `@_` are the language's.
fn is_variable(name: &[u8]) -> bool {
    name != b"_"
        && name
            .first()
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
}

/// A package, a constant or a function without parentheses. `sub name` before a `}` is typed is an error
/// and a bare word.
fn bareword<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if walk.def_names.remove(&node.start_byte()) {
        return frame.skip();
    }
    let above = walk.ancestor(0).map(|above| above.node);
    let before = walk.src.get(..node.start_byte()).unwrap_or(b"");
    if above.is_some_and(|above| above.is_error()) && before.trim_ascii_end().ends_with(b"sub") {
        let mut draft = Draft::new(SymbolKind::Function, node, node);
        draft.set(SymbolFlags::EXPORTED);
        walk.record(&draft, frame);
        walk.def_names.remove(&node.start_byte());
        if let Some(error) = walk.stack.last_mut() {
            error.scope = Scope::Function;
        }
        return frame.skip();
    }
    let constructs = above.is_some_and(|above| {
        let method = above.field("method");
        method.is_some_and(|method| walk.text(method) == b"new")
    });
    let kind = match frame.role {
        Read | Write if constructs => Call,
        Write => Read,
        role => role,
    };
    record(walk, node, kind, false);
    frame.skip();
}

/// A function that is called; those of the language itself are no names.
fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    // `&f` has its name inside.
    let name = node
        .named_child(0)
        .filter(|name| name.kind_name() == "varname");
    if let Some(name) = name {
        record(walk, name, Call, true);
    } else if node.child_count() == 0 {
        record(walk, node, frame.role, true);
    }
    frame.skip();
}

/// What a string or word says, and where it begins.
type Word<'t> = (&'t [u8], usize, Point);

/// The words of `qw(a b)`.
fn listed<'t>(walk: &Walk<'t>, list: Node<'t>) -> Vec<Word<'t>> {
    let Some(content) = list.field("content") else {
        return Vec::new();
    };
    let bytes = walk.text(content);
    let mut at = content.start_position();
    let mut found = Vec::new();
    let mut begun: Option<(usize, Point)> = None;
    for (i, byte) in bytes.iter().chain(b" ").enumerate() {
        match (byte.is_ascii_whitespace(), begun) {
            (true, Some((start, place))) => {
                found.push((&bytes[start..i], content.start_byte() + start, place));
                begun = None;
            }
            (false, None) => begun = Some((i, at)),
            _ => {}
        }
        match byte {
            b'\n' => at = Point::new(at.row + 1, 0),
            _ => at.column += 1,
        }
    }
    found
}

/// The strings and words of an argument list, however it is written; those that begin with a dash are
/// options.
fn strings<'t>(walk: &Walk<'t>, list: Node<'t>) -> Vec<Word<'t>> {
    let mut open = vec![list];
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        match node.kind_name() {
            "string_literal" | "interpolated_string_literal" => {
                if let Some(content) = node.field("content") {
                    let at = content.start_position();
                    found.push((walk.text(content), content.start_byte(), at));
                }
            }
            "autoquoted_bareword" => {
                found.push((walk.text(node), node.start_byte(), node.start_position()));
            }
            "quoted_word_list" => found.extend(listed(walk, node)),
            "list_expression" | "parenthesized_expression" | "anonymous_array_expression" => {
                open.extend(node.content().into_iter().rev());
            }
            _ => {}
        }
    }
    found.retain(|(word, ..)| !word.starts_with(b"-"));
    found
}

/// `qw(a b)`: words that may name something.
fn words<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let kind = match frame.role {
        Import | Inherit => frame.role,
        _ => Mention,
    };
    for (word, start, at) in listed(walk, node) {
        let from = last_part(word);
        if !walk.def_names.remove(&start) && crate::syntax::walk::is_name(&word[from..]) {
            walk.occurrence(
                &word[from..],
                at.row,
                at.column + from,
                kind,
                Qualifier::None,
            );
        }
    }
    frame.skip();
}

/// Calls that define: accessors, and tests with a title.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let (Some(function), Some(arguments)) = (node.field("function"), node.field("arguments"))
    else {
        return;
    };
    match walk.text(function) {
        b"has" if frame.scope == Scope::Module => accessors(walk, node, arguments, frame),
        b"extends" | b"with" if frame.scope == Scope::Module => {
            imports::inherit(walk, arguments);
        }
        b"subtest" => test(walk, node, arguments, frame),
        _ => {}
    }
}

/// `has name => (...)`, `has [qw(a b)] => ...`.
fn accessors<'t>(walk: &mut Walk<'t>, node: Node<'t>, arguments: Node<'t>, frame: &mut Frame<'t>) {
    let first = match arguments.kind_name() {
        "list_expression" => arguments.named_child(0),
        _ => Some(arguments),
    };
    let Some(first) = first else {
        return;
    };
    for (word, start, at) in strings(walk, first) {
        let mut draft = Draft::new(SymbolKind::Field, first, node);
        let plus = usize::from(word.starts_with(b"+"));
        draft.name = start + plus..start + word.len();
        draft.name_at = Point::new(at.row, at.column + plus);
        if !word.starts_with(b"_") {
            draft.set(SymbolFlags::EXPORTED);
        }
        walk.record(&draft, frame);
        walk.def_names.insert(start);
    }
}

/// `subtest "title" => sub { ... }`.
fn test<'t>(walk: &mut Walk<'t>, node: Node<'t>, arguments: Node<'t>, frame: &mut Frame<'t>) {
    let parts = arguments.content();
    let body = parts.iter().find_map(|part| {
        (part.kind_name() == "anonymous_subroutine_expression").then(|| part.field("body"))?
    });
    let title = parts.first().and_then(|title| title.field("content"));
    if let (Some(title), Some(body)) = (title, body) {
        let mut draft = Draft::new(SymbolKind::Test, title, node);
        draft.body = Some(body.start_byte());
        draft.set(SymbolFlags::TEST);
        walk.define(draft, frame);
    }
}

/// A package that has a constructor, accessors or a base is a class, and its functions are methods.
fn finish(walk: &mut Walk<'_>) {
    let mut classes = vec![false; walk.symbols.len()];
    for symbol in &walk.symbols {
        let made = symbol.kind == SymbolKind::Field
            || matches!(walk.names.get(symbol.name), b"new" | b"BUILD" | b"ISA");
        if let Some(container) = symbol.container.filter(|_| made) {
            classes[container as usize] = true;
        }
    }
    // A base is named below the package that has it.
    let lines = walk
        .occurrences
        .iter()
        .filter(|found| found.kind == Inherit);
    let lines: Vec<u32> = lines.map(|found| found.line).collect();
    for (symbol, class) in walk.symbols.iter().zip(&mut classes) {
        let from = lines.partition_point(|line| *line < symbol.start_line);
        *class |= symbol.kind == SymbolKind::Module
            && lines.get(from).is_some_and(|line| *line <= symbol.end_line);
    }
    for index in 0..walk.symbols.len() {
        let symbol = &walk.symbols[index];
        let in_class = symbol
            .container
            .is_some_and(|outer| classes[outer as usize]);
        walk.symbols[index].kind = match symbol.kind {
            SymbolKind::Module if classes[index] => SymbolKind::Class,
            SymbolKind::Function if in_class => SymbolKind::Method,
            kind => kind,
        };
    }
}
