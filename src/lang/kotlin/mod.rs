//! Kotlin. Its grammar names few of its fields, so most of what a declaration consists of is found
//! by kind.

mod arguments;
mod destructuring;
mod doubts;
mod entry_points;
pub(crate) mod facts;
mod lambdas;
mod narrowing;
mod newer;
mod values;

use crate::syntax::prelude::*;

const fn def(node: &'static str, kind: SymbolKind, name: &'static str) -> DefRow {
    DefRow {
        node,
        kind,
        name,
        body: "",
    }
}

/// Kotlin.
pub(crate) static KOTLIN: LangSpec = LangSpec {
    entry_points: Some(&entry_points::ENTRIES),
    defs: &[
        def("class_declaration", SymbolKind::Class, "name"),
        def("object_declaration", SymbolKind::Class, "name"),
        def("companion_object", SymbolKind::Class, "name"),
        def("function_declaration", SymbolKind::Function, "name"),
        def("type_alias", SymbolKind::Type, "type"),
    ],
    refine,
    hooks: hooks! {
        enum_entry => "enum_entry",
        class_parameter => "class_parameter",
        property => "property_declaration",
        constructor => "secondary_constructor",
        hooks::class => "class_body",
        hooks::anonymous => "object_literal",
        hooks::function => "getter function_body block",
        setter => "setter",
        lambda => "lambda_literal",
        lambdas::it => "identifier",
        misread => "infix_expression",
        hooks::type_use => "user_type",
        values::parameter => "parameter",
        values::lambda_parameters => "lambda_parameters",
        narrowing::is_expression => "is_expression",
        narrowing::type_test => "type_test",
        narrowing::as_expression => "as_expression",
        values::for_statement => "for_statement",
        values::caught => "catch_block",
        values::when_subject => "when_subject",
        values::type_parameter => "type_parameter",
        argument => "value_argument",
        labelled => "this_expression",
        step => "unary_expression",
        binary => "binary_expression",
        call => "call_expression",
        package_header => "package_header",
        import => "import",
        interpolated::string => "string_literal",
    },
    roles: roles! {
        Is(Call) => "call_expression annotation file_annotation",
        Chain => "navigation_expression callable_reference user_type qualified_identifier",
        Infix => "infix_expression",
        Pass => "parenthesized_expression unary_expression.argument binary_expression.left
            constructor_invocation delegation_specifier",
        Is(Write) => "assignment.left type_parameter variable_declaration parameter catch_block",
        Is(Inherit) => "delegation_specifiers",
        First => "explicit_delegation class_parameter setter value_argument",
        Is(Type) => "type_arguments type_constraint",
        Is(Import) => "import",
    },
    this_kinds: &["this_expression", "super_expression"],
    comments: &["line_comment", "block_comment"],
    hint: values::hint,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let words = modifiers(walk, node, frame, draft);
    let body = node.part(&["class_body", "enum_class_body", "function_body", "block"]);
    draft.body_at(body);
    match node.kind_name() {
        "class_declaration" => {
            if node.part(&["interface"]).is_some() {
                draft.kind = SymbolKind::Interface;
            } else if words.contains(&&b"enum"[..]) {
                draft.kind = SymbolKind::Enum;
            }
            draft.set_if(SymbolFlags::DECLARATION, is_expected(walk, frame, &words));
        }
        "object_declaration" | "companion_object" => {
            draft.set_if(SymbolFlags::DECLARATION, is_expected(walk, frame, &words));
        }
        "function_declaration" => {
            draft.method_in(frame);
            draft.set_if(SymbolFlags::DECLARATION, body.is_none());
            extension(walk, node, draft);
            draft.value(values::returned(walk, node));
        }
        "type_alias" => draft.value(values::type_hint(walk, node)),
        _ => {}
    }
    unquote(walk, draft);
}

/// Whether a type is only declared: what lies in an expected one is expected, too.
fn is_expected(walk: &Walk<'_>, frame: &Frame<'_>, words: &[&[u8]]) -> bool {
    let around = frame.symbol.map(|at| &walk.symbols[at as usize]);
    let is_in_declared = around.is_some_and(|of| of.flags.contains(SymbolFlags::DECLARATION));
    words.contains(&&b"expect"[..]) || (frame.scope == Scope::Class && is_in_declared)
}

/// Names in backquotes lose them.
fn unquote(walk: &mut Walk<'_>, draft: &mut Draft<'_>) {
    let text = draft.text(walk);
    if text.len() > 2 && text.starts_with(b"`") {
        walk.def_names.insert(draft.name.start);
        draft.trim_name(1, 1);
    }
}

/// `fun Type.name()`. Where the type has arguments the grammar takes the name for a part of it.
fn extension<'t>(walk: &Walk<'t>, function: Node<'t>, draft: &mut Draft<'t>) {
    let Some(name) = function.field("name") else {
        return;
    };
    let mut before = name.prev_named_sibling();
    while let Some(wrapped) =
        before.filter(|node| matches!(node.kind_name(), "nullable_type" | "parenthesized_type"))
    {
        before = wrapped.named_child(0);
    }
    let Some(receiver) = before.filter(|node| node.kind_name() == "user_type") else {
        return;
    };
    let mut parts: Vec<_> = receiver.all_of("identifier").collect();
    if name.byte_range().is_empty()
        && let Some(last) = parts.pop()
    {
        draft.rename(last);
    }
    if let Some(owner) = parts.last() {
        draft.receiver = Some(walk.text(*owner));
        draft.kind = SymbolKind::Method;
    }
}

/// Annotations and words in front of a declaration; returns the words. Whatever is not private can
/// be seen from another file.
fn modifiers<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    frame: &Frame<'t>,
    draft: &mut Draft<'t>,
) -> Vec<&'t [u8]> {
    let mut words = Vec::new();
    if let Some(list) = node
        .child(0)
        .filter(|first| first.kind_name() == "modifiers")
    {
        let is_annotation = |kind: &str| kind == "annotation";
        draft.led_by(list, list.named(), is_annotation, |draft, modifier| {
            if !is_annotation(modifier.kind_name()) {
                words.push(walk.text(modifier));
                return;
            }
            let name = annotation_name(walk, modifier);
            draft.set_if(SymbolFlags::TEST, name.ends_with(b"Test"));
            draft.set_if(SymbolFlags::DEPRECATED, name == b"Deprecated");
        });
    }
    let private = words.contains(&&b"private"[..]);
    draft.set_if(SymbolFlags::EXPORTED, frame.is_open() && !private);
    words
}

/// The last part of an annotation's name.
fn annotation_name<'t>(walk: &Walk<'t>, annotation: Node<'t>) -> &'t [u8] {
    let mut node = annotation.part(&["user_type", "constructor_invocation"]);
    if let Some(invocation) = node.filter(|node| node.kind_name() == "constructor_invocation") {
        node = invocation.part(&["user_type"]);
    }
    let text = walk.text_of(node);
    text.rsplit(|b| *b == b'.').next().unwrap_or(text)
}

fn enum_entry<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.part(&["identifier"]) {
        let mut draft = Draft::new(SymbolKind::Variant, name, node);
        modifiers(walk, node, frame, &mut draft);
        draft.body_at(node.part(&["class_body"]));
        walk.define(draft, frame);
    }
}

/// A parameter of a primary constructor is a property when it says `val` or `var`.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
    if node.part(&["val", "var"]).is_some()
        && let Some(name) = node.part(&["identifier"])
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        modifiers(walk, node, frame, &mut draft);
        draft.value(values::type_hint(walk, node));
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    } else {
        values::plain_class_parameter(walk, node);
    }
}

fn property<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        values::local_property(walk, node);
        return;
    }
    let Some(declared) = node.part(&["variable_declaration", "multi_variable_declaration"]) else {
        return;
    };
    let names: Vec<_> = if declared.kind_name() == "variable_declaration" {
        vec![declared]
    } else {
        declared.named().collect()
    };
    for name in names
        .into_iter()
        .filter_map(|declared| declared.part(&["identifier"]))
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let words = modifiers(walk, node, frame, &mut draft);
        let getter = node.part(&["getter"]);
        let fixed = node.part(&["val"]).is_some() && getter.is_none();
        if words.contains(&&b"const"[..]) || (fixed && frame.scope == Scope::Module) {
            draft.kind = SymbolKind::Constant;
        } else if frame.scope == Scope::Module {
            draft.kind = SymbolKind::Variable;
        }
        if declared.kind_name() == "variable_declaration" {
            draft.value(getter.and_then(|getter| values::type_hint(walk, getter)));
            draft.value(values::property_hint(walk, node));
        }
        let body = getter.or_else(|| node.part(&["setter"]));
        draft.body_at(body);
        draft.receiver = node.part(&["user_type"]).and_then(|owner| {
            let last = owner.last_of("identifier")?;
            Some(walk.text(last))
        });
        unquote(walk, &mut draft);
        walk.record(&draft, frame);
    }
}

fn constructor<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(keyword) = node.part(&["constructor"]) {
        let mut draft = Draft::new(SymbolKind::Constructor, keyword, node);
        modifiers(walk, node, frame, &mut draft);
        draft.body_at(node.part(&["block"]));
        walk.define(draft, frame);
        walk.def_names.remove(&keyword.start_byte());
    }
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.scope = match walk.take_claim(node.start_byte()) {
        true => Scope::Class,
        false => Scope::Function,
    };
    lambdas::within(walk, node);
    lambdas::gives(walk, node);
}

/// After annotations the grammar takes `annotation class A`, `actual class A {}`, `const val A` and `actual fun a() {}`
/// for an infix call, whose right side is the name, or a call of it with the body as lambda. What is given by `=`
/// is assigned to it.
fn misread<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let mut parts = node.named().filter(|part| !part.is_extra());
    let (Some(first), Some(word), Some(mut right)) = (parts.next(), parts.next(), parts.next())
    else {
        return;
    };
    if misread_name(walk, frame, node, [first, word, right]) {
        return;
    }
    // `a or b or c`: what stands before the second is no member of `b`.
    if first.kind_name() == "infix_expression" {
        walk.implied.insert(word.start_byte(), Call);
    }
    let kind = match walk.text(word) {
        b"class" | b"object" => SymbolKind::Class,
        b"interface" => SymbolKind::Interface,
        b"val" => SymbolKind::Constant,
        b"var" => SymbolKind::Variable,
        b"fun" => SymbolKind::Function,
        _ => return,
    };
    let mut body = None;
    while right.kind_name() == "call_expression" {
        let lambda = right.part(&["annotated_lambda"]);
        body = body.or(lambda.and_then(|lambda| lambda.part(&["lambda_literal"])));
        let Some(inner) = right.named_child(0) else {
            break;
        };
        right = inner;
    }
    if first.kind_name() != "identifier" || right.kind_name() != "identifier" {
        return;
    }
    let above = |up: usize, kind: &str| {
        let node = walk.ancestor(up).map(|above| above.node);
        node.filter(|node| node.kind_name() == kind)
    };
    let annotated = above(0, "annotated_expression");
    let assigned = annotated.and_then(|_| above(1, "assignment"));
    let has_no_body = matches!(
        kind,
        SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Function
    );
    if annotated.is_none() && has_no_body {
        return;
    }
    let mut draft = Draft::new(kind, right, assigned.unwrap_or(node));
    draft.begin(node);
    if let Some(body) = body {
        draft.body = Some(body.start_byte());
        if kind != SymbolKind::Function {
            walk.claim(body.start_byte());
        }
    }
    if let Some(annotated) = annotated {
        decorate(walk, &mut draft, annotated);
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.scope != Scope::Function);
    walk.def_names
        .extend([first.start_byte(), word.start_byte()]);
    match kind {
        SymbolKind::Constant | SymbolKind::Variable => {
            if frame.scope != Scope::Function {
                let value = assigned.and_then(|assigned| assigned.field("right"));
                draft.value(value.and_then(|value| values::hint(walk, value)));
                walk.record(&draft, frame);
            }
        }
        _ => {
            walk.define(draft, frame);
        }
    }
}

/// The same where a body follows the name at once, or nothing but what is annotated next (`annotation class A`, `@B class
/// C`): the keyword stands on the left, and the name where a function would. Says whether it is so.
fn misread_name<'t>(
    walk: &mut Walk<'t>,
    frame: &mut Frame<'t>,
    node: Node<'t>,
    [first, name, right]: [Node<'t>; 3],
) -> bool {
    let keyword = match first.kind_name() {
        "infix_expression" => first.last_named(),
        _ => Some(first),
    };
    let kind = match keyword.map(|keyword| walk.text(keyword)) {
        Some(b"class" | b"object") => SymbolKind::Class,
        Some(b"interface") => SymbolKind::Interface,
        _ => return false,
    };
    let annotated = walk.above(0);
    let annotated = annotated.filter(|above| above.kind_name() == "annotated_expression");
    let has_body = right.kind_name() == "lambda_literal";
    let (Some(annotated), "identifier") = (annotated, name.kind_name()) else {
        return false;
    };
    if !has_body && right.kind_name() != "annotated_expression" {
        return false;
    }
    let words: Vec<_> = match first.kind_name() {
        "infix_expression" => first.named().collect(),
        _ => vec![first],
    };
    let is_private = words.iter().any(|word| walk.text(*word) == b"private");
    let words = words.into_iter().map(|word| word.start_byte());
    walk.def_names.extend(words);
    let mut draft = Draft::new(kind, name, node);
    decorate(walk, &mut draft, annotated);
    let is_seen = frame.scope != Scope::Function && !is_private;
    draft.set_if(SymbolFlags::EXPORTED, is_seen);
    if has_body {
        draft.body = Some(right.start_byte());
        walk.claim(right.start_byte());
        walk.define(draft, frame);
    } else {
        draft.end = name.end_byte();
        draft.end_at = name.end_position();
        walk.record(&draft, frame);
    }
    true
}

/// Adds what annotations say.
fn decorate<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>, annotated: Node<'t>) {
    draft.decorated(annotated);
    let annotations = annotated.all_of("annotation");
    let names: Vec<_> = annotations.map(|it| annotation_name(walk, it)).collect();
    let is_test = names.iter().any(|name| name.ends_with(b"Test"));
    draft.set_if(SymbolFlags::TEST, is_test);
    draft.set_if(SymbolFlags::DEPRECATED, names.contains(&&b"Deprecated"[..]));
}

/// `this@Outer` names a type.
fn labelled<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(label) = node.part(&["identifier"])
        && walk.text(label).first().is_some_and(u8::is_ascii_uppercase)
    {
        walk.occurrence_at(label, Type, Qualifier::None);
    }
}

fn setter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    values::setter_parameter(walk, node);
    frame.scope = Scope::Function;
    frame.role = Write;
}

/// `f(name = value)`.
fn argument<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Read;
    if node
        .child(1)
        .is_some_and(|second| second.kind_name() == "=")
        && let Some(name) = node.part(&["identifier"])
    {
        let call = walk.above(1);
        let callee = call.and_then(|call| call.named_child(0));
        let callee = callee.and_then(|callee| match callee.kind_name() {
            "navigation_expression" | "user_type" => callee.last_of("identifier"),
            _ => Some(callee),
        });
        let callee = callee.filter(|callee| callee.kind_name() == "identifier");
        hooks::label(walk, name, callee);
    }
}

/// `x++` writes; `x!!` and `-x` are what they stand before or after.
fn step<'t>(_: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = node.field("operator");
    match operator.map_or("", |operator| operator.kind_name()) {
        "++" | "--" => frame.role = Write,
        "!!" => {}
        _ => frame.role = Read,
    }
}

/// The grammar takes `A<B>(c)` for comparisons where a line ends after it.
fn binary<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let above = walk.above(0);
    let called = is_generic_call(node)
        || above.is_some_and(|above| is_generic_call(above) && above.field("left") == Some(node));
    frame.role = if called { Call } else { Read };
}

fn is_generic_call(node: Node<'_>) -> bool {
    let is = |node: Node<'_>, sign: &str| {
        node.field("operator")
            .is_some_and(|operator| operator.kind_name() == sign)
    };
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return false;
    };
    node.kind_name() == "binary_expression"
        && is(node, ">")
        && is(left, "<")
        && right.kind_name() == "parenthesized_expression"
        && left.end_byte() + 1 == right.start_byte()
}

/// Calls that declare tests in the styles of Kotest and Spek.
const TEST_CALLS: &[&[u8]] =
    byte_words!("test it describe context should feature scenario given then expect group");

/// How many arguments a function is called with: a lambda may stand behind the parentheses.
fn counted<'t>(walk: &mut Walk<'t>, call: Node<'t>) {
    let is_behind = call
        .last_named()
        .is_some_and(|last| last.kind_name() == "annotated_lambda");
    let mut listed = call;
    if is_behind
        && let Some(inner) = call
            .child(0)
            .filter(|inner| inner.kind_name() == "call_expression")
    {
        listed = inner;
    }
    let mut callee = listed.named_child(0);
    if let Some(access) = callee.filter(|of| of.kind_name() == "navigation_expression") {
        callee = access.last_named();
    }
    let Some(name) = callee.filter(|of| of.kind_name() == "identifier") else {
        return;
    };
    let list = listed.named_of("value_arguments");
    let is_spread = |list: Node<'t>| {
        let mut arguments = list.named();
        arguments.any(|argument| argument.named_of("spread_expression").is_some())
    };
    let count = match list {
        None => Some(0),
        Some(list) => list.argument_count().filter(|_| !is_spread(list)),
    };
    walk.count(name, count.map(|count| count + usize::from(is_behind)));
}

/// `test("title") { ... }`.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    counted(walk, node);
    let Some(inner) = node
        .child(0)
        .filter(|inner| inner.kind_name() == "call_expression")
    else {
        return;
    };
    let Some(lambda) = node.part(&["annotated_lambda"]) else {
        return;
    };
    let name = walk.text_of(inner.child(0));
    let has = |path: &[u8], word: &[u8]| path.windows(word.len()).any(|window| window == word);
    let framework = walk
        .imports
        .iter()
        .any(|import| has(&import.specifier, b"kotest") || has(&import.specifier, b"spek"));
    if !framework || !TEST_CALLS.contains(&name) {
        return;
    }
    let title = inner
        .part(&["value_arguments"])
        .and_then(|arguments| arguments.named_child(0))
        .and_then(|argument| argument.named_child(0))
        .filter(|title| title.kind_name() == "string_literal");
    if let Some(title) = title {
        walk.define_test(node, frame, title, Some(lambda));
    }
}

fn package_header<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if let Some(name) = node.part(&["qualified_identifier"]) {
        walk.import(ImportKind::Package, node, walk.text(name), Vec::new());
    }
    frame.skip();
}

/// `import a.b.C` binds `C` to the whole of `a.b.C`, which may be a type, function or property.
fn import<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let Some(path) = node.part(&["qualified_identifier"]) else {
        return;
    };
    let text = walk.text(path);
    let last = text.rsplit(|b| *b == b'.').next().unwrap_or(text);
    let alias = node.part(&["identifier"]).map(|alias| walk.text(alias));
    let local = match node.part(&["*"]) {
        Some(_) => None,
        None => Some(alias.unwrap_or(last)),
    };
    let binding = walk.binding(None, local);
    walk.import(ImportKind::Import, node, text, vec![binding]);
}
