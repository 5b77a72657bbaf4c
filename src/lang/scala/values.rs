//! Parameters, variables, and what expressions and types of Scala say of values.

use super::{bound_names, lambdas, type_name};
use crate::syntax::prelude::*;

const OWNERS: &[&str] = words!(
    "function_definition function_declaration extension_definition given_definition
     class_definition trait_definition enum_definition full_enum_case type_definition"
);

const BLOCKS: &[&str] = &["block", "indented_block", "case_clause", "template_body"];

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string interpolated_string_expression integer_literal floating_point_literal
     boolean_literal character_literal lambda_expression unit tuple_expression"
);

/// What an expression says of its own value.
pub(super) fn hint<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

fn value<'t>(walk: &Walk<'t>, mut node: Node<'t>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "identifier" => {
                return Some(match walk.text(node) {
                    b"this" | b"super" => Hint::THIS,
                    _ => Hint::value(node),
                });
            }
            "parenthesized_expression" => node = node.named_child(0)?,
            "field_expression" => {
                return Some(Hint::value(node.field("field")?));
            }
            "generic_function" => return converted(walk, node),
            "wildcard" | "_" => return lambdas::placeholder(walk, node),
            "call_expression" => {
                let mut function = node.field("function")?;
                if function.kind_name() == "generic_function" {
                    function = function.field("function")?;
                }
                let name = match function.kind_name() {
                    "identifier" => match made_collection(walk, node, function, left) {
                        Some(made) => return Some(made),
                        None => function,
                    },
                    "field_expression" => function.field("field")?,
                    // `f(a)(b)`.
                    "call_expression" => {
                        node = function;
                        continue;
                    }
                    _ => return None,
                };
                return Some(Hint::result(name));
            }
            "infix_expression" => {
                let operator = node.field("operator")?;
                if walk.text(operator).ends_with(b":") {
                    return None;
                }
                return Some(Hint::result(operator));
            }
            "instance_expression" => {
                let name = node.named_child(0).and_then(type_name)?;
                return Some(Hint::result(name));
            }
            "if_expression" => {
                let blocks = &["block", "indented_block"];
                let then = only_statement(node.field("consequence")?, blocks)?;
                let other = only_statement(node.field("alternative")?, blocks)?;
                return made_alike(walk, [then, other], |branch| value(walk, branch, left));
            }
            "ascription_expression" => {
                return of_type(walk, node.field("type")?);
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// The collection that a call of its type makes: `List(new User(a), new User(b))`, `Map("a" -> new User(a))`,
/// `ListBuffer[User]()`.
fn made_collection<'t>(
    walk: &Walk<'t>,
    call: Node<'t>,
    name: Node<'t>,
    steps: usize,
) -> Option<Hint> {
    let is_map = CONTAINERS.maps.contains(&walk.text(name));
    if !is_map && !CONTAINERS.collections.contains(&walk.text(name)) {
        return None;
    }
    let types = call
        .field("function")
        .and_then(|called| called.field("type_arguments"));
    if let Some(types) = types {
        return of_type(walk, types.named_child(u32::from(is_map))?)?.collections(1);
    }
    let items = call.field_of("arguments", "arguments")?;
    let items = items
        .named()
        .filter(|item| !item.is_extra())
        .filter_map(|item| match is_map {
            true => item
                .field("right")
                .filter(|_| item.kind_name() == "infix_expression"),
            false => Some(item),
        });
    list_of(walk, items, |item| value(walk, item, steps))
}

/// `x.asInstanceOf[T]` and `implicitly[T]` are a `T`.
fn converted(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    let function = node.field("function")?;
    let name = function.field("field").unwrap_or(function);
    let is_known = matches!(walk.text(name), b"asInstanceOf" | b"implicitly" | b"summon");
    let types = node.field("type_arguments").filter(|_| is_known)?;
    of_type(walk, types.named_child(0)?)
}

/// What paths of types of the language itself begin with.
const LIBRARIES: &[&[u8]] = byte_words!("scala java javax Predef");

/// Types of the language itself.
const BUILT_IN: &[&[u8]] =
    byte_words!("String Int Long Short Byte Char Boolean Double Float Unit Any AnyRef Nothing");

static CONTAINERS: Containers = Containers {
    wrappers: byte_words!("Option Some Future Try IO Task"),
    collections: byte_words!(
        "List Seq Vector Set Array Iterable Iterator IndexedSeq ListBuffer ArrayBuffer Buffer Queue Stack LazyList Stream
         HashSet TreeSet ListSet SortedSet LinearSeq Traversable TraversableOnce IterableOnce ArraySeq"
    ),
    maps: byte_words!("Map HashMap ListMap TreeMap SortedMap LinkedHashMap TrieMap"),
    ..Containers::NONE
};

/// What a type says of its instances.
pub(super) fn of_type(walk: &Walk<'_>, mut node: Node<'_>) -> Option<Hint> {
    let mut collections = 0;
    for _ in 0..MAX_STEPS {
        // `=> T`, `T*`.
        if matches!(
            node.kind_name(),
            "lazy_parameter_type" | "repeated_parameter_type"
        ) {
            collections += usize::from(node.kind_name() == "repeated_parameter_type");
            node = node.field("type")?;
            continue;
        }
        let name = type_name(node)?;
        let word = walk.text(name);
        if !may_be_own(walk.text(node), LIBRARIES) {
            return Hint::instance(name).collections(collections);
        }
        if BUILT_IN.contains(&word) {
            return Hint::LITERAL.collections(collections);
        }
        let arguments = node.field("type_arguments");
        let arguments = arguments.filter(|list| list.named_child_count() > 0);
        let Some(((at, levels), list)) = CONTAINERS.held(word).zip(arguments) else {
            return Hint::instance(name).collections(collections);
        };
        (node, collections) = (list.named_child(at)?, collections + levels);
    }
    None
}

/// What the type in a field of a node says.
pub(super) fn type_hint(walk: &Walk<'_>, node: Node<'_>, field: &str) -> Option<Hint> {
    of_type(walk, node.field(field)?)
}

/// What a definition is of: its type, else what it is said to be.
pub(super) fn value_hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    type_hint(walk, node, "type").or_else(|| hint(walk, node.field("value")?))
}

pub(super) fn returned(walk: &Walk<'_>, function: Node<'_>) -> Option<Hint> {
    type_hint(walk, function, "return_type").or_else(|| hint(walk, function.field("body")?))
}

pub(super) fn parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    plain_parameter(walk, node);
    let Some(name) = node.field("name") else {
        return;
    };
    let (Some(list), Some(function)) = (walk.above(0), walk.above(1)) else {
        return;
    };
    let is_filled = list
        .child(1)
        .is_some_and(|word| matches!(word.kind_name(), "implicit" | "using"));
    let first = function.fields_of("parameters", "parameters").next();
    let at = name.start_position();
    if is_filled
        || first.is_some_and(|first| first != list)
        || node.field("default_value").is_some()
    {
        walk.receiver(at, Hint::PRESET);
    } else if node.field_of("type", "repeated_parameter_type").is_some() {
        walk.receiver(at, Hint::REST);
    }
}

/// A parameter that is no field.
pub(super) fn plain_parameter<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field("name") {
        let function = node
            .field("type")
            .and_then(|known| lambdas::taken(walk, name, known));
        let hint = function.or_else(|| type_hint(walk, node, "type"));
        walk.local_in(OWNERS, name, hint);
    }
}

pub(super) fn binding<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    if let Some(name) = node.field("name") {
        let handed = || {
            let (list, lambda) = (walk.above(0)?, walk.above(1)?);
            if lambda.kind_name() != "lambda_expression" || list.is_wide() {
                return None;
            }
            let place = list.named().position(|binding| binding == node)?;
            lambdas::parameter(walk, lambda, 2, place)
        };
        let hint = match node.field("type") {
            Some(known) => of_type(walk, known),
            None => handed(),
        };
        walk.local_in(&["lambda_expression", "colon_argument"], name, hint);
    }
}

/// `trait A { self => ... }`: another name of `this`.
pub(super) fn self_type<'t>(walk: &mut Walk<'t>, node: Node<'t>, frame: &mut Frame<'t>) {
    frame.role = Write;
    if let Some(name) = node.part(&["identifier"])
        && walk.text(name) != b"this"
    {
        walk.local_in(
            &["template_body", "with_template_body"],
            name,
            Some(Hint::THIS),
        );
    }
}

/// `x => ...`: the parameter is the list.
pub(super) fn lambda<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    if let Some(name) = node.field_of("parameters", "identifier") {
        let hint = lambdas::parameter(walk, node, 0, 0);
        walk.local(name, node.span(), hint);
    }
}

/// `val x = ...` inside a function.
pub(super) fn local_value<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let mut names = Vec::new();
    if let Some(pattern) = node.field("pattern") {
        bound_names(walk, pattern, &mut names);
    }
    let hint = value_hint(walk, node).filter(|_| names.len() == 1);
    let scope = walk.scope_from(node.start_position(), BLOCKS);
    walk.locals(names, &scope, hint);
}

/// `x <- xs` and `x = y`, in a comprehension.
pub(super) fn enumerator<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(pattern) = node.named_child(0) else {
        return;
    };
    let draws = node.part(&["<-"]).is_some();
    let mut names = Vec::new();
    bound_names(walk, pattern, &mut names);
    let value = node.named_child(1).and_then(|value| hint(walk, value));
    let value = value.and_then(|value| if draws { value.element() } else { Some(value) });
    let known = value.filter(|_| names.len() == 1);
    let scope = walk.scope_from(node.start_position(), &["for_expression"]);
    walk.locals(names, &scope, known);
}

/// The names that the pattern of a case binds.
pub(super) fn case<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(pattern) = node.field("pattern") else {
        return;
    };
    let mut names = Vec::new();
    bound_names(walk, pattern, &mut names);
    for name in names {
        let capital = walk.text(name).first().is_some_and(u8::is_ascii_uppercase);
        if capital {
            continue;
        }
        let typed = name
            .parent()
            .filter(|above| above.kind_name() == "typed_pattern");
        let hint = match typed {
            Some(typed) => type_hint(walk, typed, "type"),
            // `case x =>` of what is handed to a call: all that it takes.
            None if name == pattern => walk
                .above(0)
                .filter(|above| above.kind_name() == "case_block")
                .and_then(|block| lambdas::parameter(walk, block, 1, 0)),
            None => None,
        };
        walk.local(name, node.span(), hint);
    }
}

pub(super) fn type_parameters<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let scope = walk.scope_within(OWNERS);
    let is_of_function = walk.kind_above(0).starts_with("function_");
    let names = node.fields("name");
    for name in names.filter(|name| name.kind_name() == "identifier") {
        walk.local(name, scope.clone(), None);
        if is_of_function {
            walk.receiver(name.start_position(), Hint::TYPE_PARAMETER);
        }
    }
}
