//! Scala 2 and 3.

mod arguments;
pub(crate) mod facts;
mod imports;
mod lambdas;
mod values;

use crate::syntax::prelude::*;

/// Scala.
pub(crate) static SCALA: LangSpec = LangSpec {
    defs: &[
        def("class_definition", SymbolKind::Class),
        def("trait_definition", SymbolKind::Trait),
        def("object_definition", SymbolKind::Class),
        def("package_object", SymbolKind::Module),
        def("enum_definition", SymbolKind::Enum),
        def("simple_enum_case", SymbolKind::Variant),
        def("full_enum_case", SymbolKind::Variant),
        def("function_definition", SymbolKind::Function),
        def("function_declaration", SymbolKind::Function),
        def("type_definition", SymbolKind::Type),
        def("given_definition", SymbolKind::Constant),
    ],
    refine,
    hooks: hooks! {
        value_definition => "val_definition val_declaration var_definition var_declaration",
        class_parameter => "class_parameter",
        template => "template_body",
        hooks::class => "with_template_body enum_body",
        hooks::function => "block indented_block",
        case_clause => "case_clause",
        lambda => "lambda_expression",
        values::parameter => "parameter",
        values::binding => "binding",
        values::type_parameters => "type_parameters",
        enumerator => "enumerator",
        infix => "infix_expression",
        assignment => "assignment_expression",
        values::self_type => "self_type",
        call => "call_expression",
        interpolated_string => "interpolated_string_expression",
        imports::package_clause => "package_clause",
        imports::package_identifier => "package_identifier",
        imports::import => "import_declaration export_declaration",
    },
    roles: roles! {
        Is(Call) => "call_expression.function instance_expression annotation.name",
        Pass => "generic_function.function generic_type.type annotated_type compound_type
            applied_constructor_type parenthesized_expression namespace_selectors
            arrow_renamed_identifier as_renamed_identifier",
        Object => "field_expression.value projected_type.type infix_expression.left",
        Member => "field_expression.field projected_type.selector",
        Chain => "stable_identifier stable_type_identifier import_declaration.path
            export_declaration.path",
        Is(Read) => "instance_expression.arguments",
        MemberIs(Call) => "infix_expression.operator",
        Is(Type) => "infix_type.operator derives_clause.type",
        Is(Inherit) => "extends_clause.type",
        Is(Write) => "parameter.name class_parameter.name binding.name lambda_expression.parameters
            colon_argument.lambda_start type_parameters.name covariant_type_parameter.name
            contravariant_type_parameter.name assignment_expression.left val_declaration.name
            var_declaration.name identifiers capture_pattern.name",
        Bound => "val_definition.pattern var_definition.pattern case_clause.pattern
            case_class_pattern.pattern tuple_pattern infix_pattern.left infix_pattern.right
            typed_pattern.pattern alternative_pattern capture_pattern.pattern",
        First => "enumerator self_type",
        Is(Import) => "import_declaration export_declaration",
    },
    identifiers: &[
        ("identifier", Read),
        ("type_identifier", Type),
        ("operator_identifier", Read),
    ],
    this_names: &[b"this", b"super"],
    comments: &["comment", "block_comment"],
    strings: &["string"],
    hint: values::hint,
    ..LangSpec::new()
};

fn refine<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    // A case stands in `case A, B`, which has what is written before it.
    let lead = walk
        .above(0)
        .filter(|above| above.kind_name() == "enum_case_definitions");
    modifiers(walk, lead.unwrap_or(node), frame, draft);
    if let Some(case) = lead
        && case.named_child_count() > 1
    {
        draft.begin(node);
    }
    let name = draft.text(walk);
    match node.kind_name() {
        "function_definition" | "function_declaration" => {
            if name == b"this" {
                draft.kind = SymbolKind::Constructor;
            } else if frame.scope == Scope::Class {
                draft.kind = SymbolKind::Method;
            }
            draft.set_if(
                SymbolFlags::DECLARATION,
                node.kind_name() == "function_declaration",
            );
            extension(walk, draft);
            let around = frame.symbol.and_then(|at| walk.symbols.get(at as usize));
            let is_extending = around.is_some_and(|of| of.flags.contains(SymbolFlags::EXTENSION));
            draft.set_if(SymbolFlags::EXTENSION, is_extending);
            draft.value(values::returned(walk, node));
        }
        "class_definition" | "object_definition" if is_test_class(walk, node) => {
            draft.set(SymbolFlags::TEST);
        }
        "package_object" => imports::package_object(walk, node),
        "type_definition" => draft.value(values::type_hint(walk, node, "type")),
        "given_definition" => draft.value(values::type_hint(walk, node, "return_type")),
        _ => {}
    }
    if name.iter().any(|b| b.is_ascii_punctuation() && *b != b'_') {
        // `unary_!`, whose parts are no uses of anything.
        walk.def_names.insert(draft.name.start);
    }
    if name.len() > 2 && name.starts_with(b"`") {
        draft.trim_name(1, 1);
    }
}

/// A method of an extension belongs to the type of what it extends.
fn extension<'t>(walk: &Walk<'t>, draft: &mut Draft<'t>) {
    let Some(above) = walk.above(0) else { return };
    if above.kind_name() != "extension_definition" {
        return;
    }
    draft.kind = SymbolKind::Method;
    let extended = above
        .part(&["parameters"])
        .and_then(|list| list.part(&["parameter"]))
        .and_then(|parameter| parameter.field("type"))
        .and_then(type_name);
    draft.receiver = extended.map(|name| walk.text(name));
}

/// The name of a type, its arguments and path left out.
fn type_name(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind_name() {
            "type_identifier" => return Some(node),
            "generic_type" => node.field("type")?,
            "stable_type_identifier" => node.part(&["type_identifier"])?,
            _ => return None,
        };
    }
}

/// Annotations and visibility. Whatever is not private can be seen from another file; what is
/// private to a package can, too.
fn modifiers<'t>(walk: &Walk<'t>, node: Node<'t>, frame: &Frame<'t>, draft: &mut Draft<'t>) {
    let mut private = false;
    let mut begin = None;
    for part in node.parts() {
        match part.kind_name() {
            "annotation" => {
                draft.decorated(part);
                let name = walk.text_of(part.field("name"));
                draft.set_if(SymbolFlags::TEST, name.ends_with(b"Test"));
                draft.set_if(SymbolFlags::DEPRECATED, name == b"deprecated");
            }
            "comment" | "block_comment" => {}
            "modifiers" => {
                begin = begin.or(Some(part));
                let access = part.part(&["access_modifier"]);
                private = access.is_some_and(|access| walk.text(access) == b"private");
                let mut words = walk.text(part).split(u8::is_ascii_whitespace);
                let is_implicit =
                    node.kind_name() == "class_definition" && words.any(|word| word == b"implicit");
                draft.set_if(SymbolFlags::EXTENSION, is_implicit);
            }
            _ => {
                begin = begin.or(Some(part));
                break;
            }
        }
    }
    if let Some(begin) = begin {
        draft.begin(begin);
    }
    draft.set_if(SymbolFlags::EXPORTED, frame.is_open() && !private);
}

/// Whether a class extends a suite of some test framework.
fn is_test_class(walk: &Walk<'_>, class: Node<'_>) -> bool {
    let Some(bases) = class.field("extend") else {
        return false;
    };
    bases.fields("type").filter_map(type_name).any(|base| {
        let base = walk.text(base);
        [
            &b"Suite"[..],
            b"Spec",
            b"FunSpec",
            b"TestCase",
            b"Specification",
        ]
        .iter()
        .any(|end| base.ends_with(end))
            || base.starts_with(b"AnyF")
            || base.starts_with(b"AnyWord")
    })
}

fn in_test_class(walk: &Walk<'_>, frame: &Frame<'_>) -> bool {
    let symbol = frame.symbol.and_then(|at| walk.symbols.get(at as usize));
    symbol.is_some_and(|symbol| symbol.flags.contains(SymbolFlags::TEST))
}

/// `val a, (b, c) = ...`: the names of its pattern.
fn value_definition<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    if frame.scope == Scope::Function {
        values::local_value(walk, node);
        return;
    }
    let mut names = Vec::new();
    for pattern in node.fields("name").chain(node.field("pattern")) {
        bound_names(walk, pattern, &mut names);
    }
    let fixed = node.kind_name().starts_with("val");
    let tuple = node
        .field("pattern")
        .is_some_and(|pattern| pattern.kind_name().ends_with("pattern"));
    let hint = values::value_hint(walk, node).filter(|_| !tuple);
    for name in names {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        draft.value(hint);
        modifiers(walk, node, frame, &mut draft);
        draft.kind = match frame.scope {
            Scope::Module if fixed => SymbolKind::Constant,
            Scope::Module => SymbolKind::Variable,
            _ if fixed && is_constant(walk, name, node) => SymbolKind::Constant,
            _ => SymbolKind::Field,
        };
        draft.set_if(
            SymbolFlags::DECLARATION,
            !node.kind_name().ends_with("definition"),
        );
        walk.record(&draft, frame);
    }
}

/// `final val Name = ...` is how constants are written.
fn is_constant(walk: &Walk<'_>, name: Node<'_>, node: Node<'_>) -> bool {
    let modifiers = walk.text_of(node.part(&["modifiers"]));
    let capital = walk.text(name).first().is_some_and(u8::is_ascii_uppercase);
    capital && modifiers.windows(5).any(|word| word == b"final")
}

/// The names that a pattern binds, in order.
fn bound_names<'t>(walk: &Walk<'t>, pattern: Node<'t>, names: &mut Vec<Node<'t>>) {
    let mut pending = vec![pattern];
    while let Some(pattern) = pending.pop() {
        match pattern.kind_name() {
            // A name alone is bound; inside a pattern one with a capital is compared with.
            "identifier" => {
                let capital = walk
                    .text(pattern)
                    .first()
                    .is_some_and(u8::is_ascii_uppercase);
                let alone = pattern
                    .parent()
                    .is_none_or(|above| !above.kind_name().ends_with("pattern"));
                if alone || !capital {
                    names.push(pattern);
                }
            }
            "identifiers" | "tuple_pattern" | "case_class_pattern" | "typed_pattern"
            | "capture_pattern" | "infix_pattern" => {
                let children: Vec<_> = pattern.named().collect();
                let operator = pattern.field("operator");
                pending.extend(
                    children
                        .into_iter()
                        .rev()
                        .filter(|child| Some(*child) != operator),
                );
            }
            _ => {}
        }
    }
}

/// Parameters of a class are its fields when they say so, or when it is a case class.
fn class_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let owner = walk.above(1);
    let case = owner.is_some_and(|owner| {
        owner.kind_name() == "full_enum_case" || owner.part(&["case"]).is_some()
    });
    if let Some(name) = node
        .field("name")
        .filter(|_| case || node.part(&["val", "var"]).is_some())
    {
        let mut draft = Draft::new(SymbolKind::Field, name, node);
        let inside = Frame {
            scope: Scope::Class,
            ..*frame
        };
        modifiers(walk, node, &inside, &mut draft);
        draft.value(values::type_hint(walk, node, "type"));
        walk.record(&draft, frame);
    } else {
        values::plain_parameter(walk, node);
    }
}

/// The members of a class, or of one without a name: `new Reader { ... }`.
fn template<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let exported = frame.exported;
    match walk.kind_above(0) {
        "instance_expression" => hooks::anonymous(walk, node, frame),
        _ => hooks::class(walk, node, frame),
    }
    frame.exported = exported;
}

fn case_clause<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    values::case(walk, node);
    hooks::function(walk, node, frame)
}

fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    values::lambda(walk, node);
    hooks::function(walk, node, frame)
}

fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = if node.part(&["<-", "="]).is_some() {
        values::enumerator(walk, node);
        Write
    } else {
        Read
    };
}

/// The interpolators of the language itself are no uses of anything.
fn interpolated_string<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("interpolator")
        && matches!(walk.text(name), b"s" | b"f" | b"raw")
    {
        walk.pass_over(name);
    }
}

/// `"a thing" should "do something" in { ... }`, in a test class.
fn infix<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    let operator = node.field("operator");
    let word = walk.text_of(operator);
    // What compares and joins truths is of the language; an operator that ends so is a member of what follows it.
    if let Some(operator) = operator
        && (matches!(word, b"==" | b"!=" | b"&&" | b"||") || word.ends_with(b":"))
    {
        walk.pass_over(operator);
    } else if let Some(operator) = operator
        && let Some(left) = node.field_of("left", "infix_expression")
    {
        // `a or b or c`: what stands before the second is no member of `b`.
        walk.implied.insert(operator.start_byte(), Call);
        if let Some(of) = values::hint(walk, left) {
            walk.receiver(operator.start_position(), of);
        }
    }
    let body = node
        .field("right")
        .filter(|right| matches!(right.kind_name(), "block" | "indented_block" | "case_block"));
    if !matches!(
        word,
        b"in" | b"should" | b"when" | b"must" | b"can" | b"ignore" | b"which"
    ) || body.is_none()
        || !in_test_class(walk, frame)
    {
        return;
    }
    let left = node.field("left");
    let title = match left {
        Some(left) if left.kind_name() == "infix_expression" => left.field("right"),
        other => other,
    };
    if let Some(title) = title {
        titled(walk, node, frame, title, body);
    }
}

/// `f(name = value)` names a parameter.
fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let name = node.field_of("left", "identifier");
    let call = walk.above(1).filter(|_| walk.kind_above(0) == "arguments");
    let (Some(name), Some(call)) = (name, call) else {
        return;
    };
    let mut callee = call.field("function");
    if let Some(generic) = callee.filter(|callee| callee.kind_name() == "generic_function") {
        callee = generic.field("function");
    }
    let callee = match (call.kind_name(), callee) {
        ("instance_expression", _) => call.named_child(0).and_then(type_name),
        (_, Some(callee)) if callee.kind_name() == "identifier" => Some(callee),
        (_, Some(callee)) => callee.field("field"),
        _ => None,
    };
    // What is copied has the fields that are named.
    match callee.filter(|callee| walk.text(*callee) == b"copy") {
        Some(copy) => hooks::told_label(walk, name, Some(copy)),
        None => hooks::label(walk, name, callee),
    }
}

/// How many arguments are in the first list that a method is called with.
fn counted<'t>(walk: &mut Walk<'t>, call: Node<'t>) {
    let mut callee = call.field("function");
    if let Some(generic) = callee.filter(|of| of.kind_name() == "generic_function") {
        callee = generic.field("function");
    }
    if let Some(access) = callee.filter(|of| of.kind_name() == "field_expression") {
        callee = access.field("field");
    }
    let Some(name) = callee.filter(|of| of.kind_name() == "identifier") else {
        return;
    };
    let count = match call.field("arguments") {
        Some(list) if list.kind_name() == "arguments" => match list.named_of("vararg") {
            Some(_) => None,
            None => list.argument_count(),
        },
        Some(_) => Some(1),
        None => None,
    };
    walk.count(name, count);
}

/// `test("title") { ... }`, in a test class.
fn call<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    counted(walk, node);
    let inner = node.field_of("function", "call_expression");
    let body = node
        .field("arguments")
        .filter(|body| body.kind_name() != "arguments");
    let (Some(inner), Some(_)) = (inner, body) else {
        return;
    };
    let name = walk.text_of(inner.field("function"));
    if !matches!(
        name,
        b"test" | b"it" | b"describe" | b"feature" | b"scenario" | b"property"
    ) || !in_test_class(walk, frame)
    {
        return;
    }
    let title = inner
        .field("arguments")
        .and_then(|arguments| arguments.named_child(0));
    if let Some(title) = title {
        titled(walk, node, frame, title, body);
    }
}

fn titled<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    frame: &mut Frame<'t>,
    title: Node<'t>,
    body: Option<Node<'t>>,
) {
    if title.kind_name() == "string" {
        walk.define_test(node, frame, title, body);
    }
}
