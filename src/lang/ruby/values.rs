//! What expressions of Ruby say of values.

use super::locals;
use crate::syntax::prelude::*;

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string integer float hash simple_symbol true false regex string_array symbol_array
     lambda range heredoc_beginning chained_string delimited_symbol"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind_name() {
            "identifier" if walk.text(node) == b"new" && locals::makes(walk) => {
                return Some(Hint::THIS);
            }
            "identifier" | "instance_variable" | "class_variable" | "global_variable"
            | "constant" => return Some(Hint::value(node)),
            "scope_resolution" => {
                return Some(Hint::value(node.field("name")?));
            }
            "self" => return Some(Hint::THIS),
            "parenthesized_statements" if node.named_child_count() == 1 => {
                node = node.named_child(0)?;
            }
            "assignment" | "operator_assignment" => node = node.field("right")?,
            "binary" => {
                if node.field("operator")?.kind_name() != "||" {
                    return None;
                }
                // `a || A.new`: what is made says more than what was there.
                let right = value(walk, node.field("right")?, left);
                if right.is_some_and(|right| right.kind == HintKind::Result) {
                    return right;
                }
                node = node.field("left")?;
            }
            "call" => {
                let method = node.field("method")?;
                let receiver = node.field("receiver");
                match (walk.text(method), receiver) {
                    (b"new", None) => return Some(Hint::THIS),
                    (b"new", Some(class)) if is_own_class(walk, class) => return Some(Hint::THIS),
                    (b"new", Some(class)) if walk.text(class) == b"Class" => {
                        return class_below(node);
                    }
                    (b"new", Some(class)) if class.kind_name() == "constant" => {
                        return Some(Hint::result(class));
                    }
                    (b"new", Some(class)) if class.kind_name() == "scope_resolution" => {
                        let name = class.field("name")?;
                        return Some(Hint::result(name));
                    }
                    (b"new", Some(class))
                        if class.kind_name() == "identifier"
                            && locals::is_of_one_value(walk, class) =>
                    {
                        return Some(Hint::result(class));
                    }
                    // These give back what they are called on.
                    (b"freeze" | b"dup" | b"clone" | b"tap" | b"itself", Some(object)) => {
                        node = object;
                    }
                    _ if matches!(method.kind_name(), "identifier" | "constant") => {
                        return Some(Hint::result(method));
                    }
                    _ => return None,
                }
            }
            "element_reference" => {
                return value(walk, node.field("object")?, left)?.element();
            }
            "array" => {
                let items = node.named().filter(|item| !item.is_extra());
                let list = list_of(walk, items, |item| value(walk, item, left));
                return Some(list.unwrap_or(Hint::LITERAL));
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// `Class.new(Base)` makes a class that has all of its base; with a block nobody knows.
fn class_below(call: Node<'_>) -> Option<Hint> {
    let base = call
        .field("arguments")
        .filter(|_| call.field("block").is_none())?;
    // `&block` is another block.
    let base = base
        .named_child(0)
        .filter(|_| base.named_child_count() == 1)?;
    match base.kind_name() {
        "constant" => Some(Hint::value(base)),
        "scope_resolution" => Some(Hint::value(base.field("name")?)),
        _ => None,
    }
}

/// What a method yields is told as a use of the word, whose object is the first value; [`Hint::NEVER`] where that tells
/// nothing, for what else the method yields is not all then.
pub(super) fn yielded<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let given = node.named_child(0);
    let mut given = given.into_iter().flat_map(|given| given.named());
    let Some(first) = given.find(|given| !given.is_extra()) else {
        return;
    };
    // What is not there has no members.
    if first.kind_name() == "nil" {
        return;
    }
    let hint = hint(walk, first).unwrap_or(Hint::NEVER);
    let at = node.start_position();
    walk.occurrence(
        b"yield",
        at.row,
        at.column,
        OccurrenceKind::Call,
        Qualifier::None,
    );
    walk.receiver(at, hint);
}

/// Whether an expression is the class of the object itself; in a method of the class that is `self`.
fn is_own_class(walk: &Walk<'_>, class: Node<'_>) -> bool {
    class.kind_name() == "self"
        || walk.text_of(class.field("method")) == b"class"
            && class
                .field("receiver")
                .is_some_and(|object| object.kind_name() == "self")
}

/// The last statement of a body that stands before `rescue` and `ensure`, when what it gives is all that the body does.
fn last_of<'t>(walk: &Walk<'_>, body: Node<'t>) -> Option<Node<'t>> {
    let mut last = None;
    for part in body.named().filter(|part| !part.is_extra()) {
        match part.kind_name() {
            "ensure" => {}
            "rescue" if gives_nothing(walk, part) => {}
            "rescue" | "else" => return None,
            _ => last = Some(part),
        }
    }
    last
}

/// Whether a `rescue` ends with another fault, or with `nil`.
fn gives_nothing(walk: &Walk<'_>, rescue: Node<'_>) -> bool {
    let last = match rescue.field("body") {
        Some(body) => body.named().filter(|part| !part.is_extra()).last(),
        None => None,
    };
    last.is_none_or(|last| match last.kind_name() {
        "nil" | "retry" => true,
        "identifier" => matches!(walk.text(last), b"raise" | b"fail"),
        "call" if last.field("receiver").is_none() => {
            matches!(walk.text_of(last.field("method")), b"raise" | b"fail")
        }
        _ => false,
    })
}

/// Whether the last statement of a method is `new` alone, which makes an object where it is no variable and the method
/// is not one of the object.
fn is_made(walk: &Walk<'_>, method: Node<'_>, last: Node<'_>) -> bool {
    if method.kind_name() != "singleton_method" && walk.kind_above(1) != "singleton_class" {
        return false;
    }
    // The words are looked for, for variables of the method are not known yet.
    let before = method.start_byte()..last.start_byte();
    let before = walk.src.get(before).unwrap_or_default();
    let mut words = before.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    before.len() <= MAX_BEFORE && !words.any(|word| word == b"new")
}

/// Bytes of a method in which a variable is looked for.
const MAX_BEFORE: usize = 4096;

/// What the last statement of a method gives back, when it tells.
pub(super) fn returned(walk: &Walk<'_>, method: Node<'_>) -> Option<Hint> {
    let mut last = method.field("body")?;
    for _ in 0..MAX_STEPS {
        last = match last.kind_name() {
            "body_statement" | "begin" => last_of(walk, last)?,
            "return" => {
                let given = last.named_child(0)?;
                given
                    .named_child(0)
                    .filter(|_| given.named_child_count() == 1)?
            }
            _ => break,
        };
    }
    match last.kind_name() {
        "identifier" if walk.text(last) == b"new" => {
            is_made(walk, method, last).then_some(Hint::THIS)
        }
        _ => hint(walk, last),
    }
}
