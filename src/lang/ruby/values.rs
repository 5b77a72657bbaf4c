//! What expressions of Ruby say of values.

use crate::syntax::prelude::*;

/// What an expression says of its own value.
pub(super) fn hint(walk: &Walk<'_>, node: Node<'_>) -> Option<Hint> {
    value(walk, node, MAX_STEPS)
}

/// Expressions whose values are literals, or of a type of the language itself.
const LITERALS: &[&str] = words!(
    "string integer float array hash simple_symbol true false regex string_array symbol_array
     lambda range heredoc_beginning chained_string delimited_symbol"
);

fn value(walk: &Walk<'_>, mut node: Node<'_>, steps: usize) -> Option<Hint> {
    for left in (0..steps).rev() {
        match node.kind() {
            "identifier" if walk.text(node) == b"new" => return Some(Hint::THIS),
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
                if node.field("operator")?.kind() != "||" {
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
                    (b"new", Some(class)) if class.kind() == "constant" => {
                        return Some(Hint::result(class));
                    }
                    (b"new", Some(class)) if class.kind() == "scope_resolution" => {
                        let name = class.field("name")?;
                        return Some(Hint::result(name));
                    }
                    // These give back what they are called on.
                    (b"freeze" | b"dup" | b"clone" | b"tap" | b"itself", Some(object)) => {
                        node = object;
                    }
                    _ if matches!(method.kind(), "identifier" | "constant") => {
                        return Some(Hint::result(method));
                    }
                    _ => return None,
                }
            }
            "element_reference" => {
                return value(walk, node.field("object")?, left)?.element();
            }
            kind if LITERALS.contains(&kind) => return Some(Hint::LITERAL),
            _ => return None,
        }
    }
    None
}

/// What a method yields is told as a use of the word, whose object is the first value.
pub(super) fn yielded<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let first = node.named_child(0).and_then(|given| given.named_child(0));
    let Some(hint) = first.and_then(|first| hint(walk, first)) else {
        return;
    };
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
    class.kind() == "self"
        || walk.text_of(class.field("method")) == b"class"
            && class
                .field("receiver")
                .is_some_and(|object| object.kind() == "self")
}

/// What stands behind the statements of a body, which gives back what comes before it.
const BEHIND: &[&str] = words!("rescue else ensure comment");

/// What the last statement of a method gives back, when it tells.
pub(super) fn returned(walk: &Walk<'_>, method: Node<'_>) -> Option<Hint> {
    let mut last = method.field("body")?;
    for _ in 0..MAX_STEPS {
        last = match last.kind() {
            "body_statement" | "begin" => {
                let mut statement = last.last_named()?;
                while BEHIND.contains(&statement.kind()) {
                    statement = statement.prev_named_sibling()?;
                }
                statement
            }
            "return" => {
                let given = last.named_child(0)?;
                given
                    .named_child(0)
                    .filter(|_| given.named_child_count() == 1)?
            }
            _ => break,
        };
    }
    hint(walk, last)
}
