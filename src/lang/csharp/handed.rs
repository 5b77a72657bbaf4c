//! C#: what calls of the language's library give by what they are handed: `users.Select(user => user.Team)`.
//!
//! It is said of the name of what is called, and counts only where the repository defines nothing that the name means.

use super::values::{hint, of_type, simple};
use crate::syntax::prelude::*;

/// Calls that give what they are called on, as far as its members go.
const KEEP: &[&[u8]] = byte_words!("AsTask ConfigureAwait GetAwaiter GetResult WaitAsync");

/// Calls of `Task` that give what they are handed, or what a function gives that they are handed.
const TASKS: &[&[u8]] = byte_words!("FromResult Run WhenAll WhenAny");

/// Notes what a call gives by what it is handed.
pub(super) fn call<'t>(walk: &mut Walk<'t>, call: Node<'t>, _: &mut Frame<'t>) {
    if let Some((name, object)) = parts(call) {
        let given = given(walk, call, name, object);
        walk.gives(name, given);
    }
}

/// The name of the member that is called, and on what.
pub(super) fn parts(call: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let function = call.field("function")?;
    let (name, object) = match function.kind_name() {
        "member_access_expression" => (function.field("name")?, function.field("expression")?),
        // `xs?.Select(x => ...)`
        "conditional_access_expression" => {
            let name = function.last_named()?.field("name")?;
            (name, function.field("condition")?)
        }
        _ => return None,
    };
    Some((simple(name)?, object))
}

fn given<'t>(walk: &Walk<'t>, call: Node<'t>, name: Node<'t>, object: Node<'t>) -> Option<Hint> {
    let arguments = call.field("arguments")?;
    let handed = || arguments.named_child(0)?.last_named();
    match walk.text(name) {
        b"Select" => gives(walk, handed()?)?.listed(),
        b"SelectMany" if arguments.named_child_count() == 1 => {
            Some(gives(walk, handed()?)?.copied())
        }
        b"Cast" | b"OfType" => {
            let types = name.next_named_sibling()?;
            of_type(walk, types.named_child(0)?)?.collections(1)
        }
        b"ToDictionary" => match (arguments.named_child(1), arguments.named_child(2)) {
            (None, _) => Some(hint(walk, object)?.copied().mapped()),
            (Some(second), None) => Some(gives(walk, second.last_named()?)?.listed()?.mapped()),
            _ => None,
        },
        name if KEEP.contains(&name) => hint(walk, object),
        name if TASKS.contains(&name) && walk.text(object) == b"Task" => {
            let handed = handed()?;
            match handed.kind_name() {
                "lambda_expression" => gives(walk, handed),
                _ => hint(walk, handed),
            }
        }
        _ => None,
    }
}

/// What a lambda gives that is handed over.
fn gives(walk: &Walk<'_>, lambda: Node<'_>) -> Option<Hint> {
    let body = lambda
        .field("body")
        .filter(|_| lambda.kind_name() == "lambda_expression")?;
    let body = match body.kind_name() {
        "block" => {
            let last = body.last_named()?;
            last.named_child(0)
                .filter(|_| last.kind_name() == "return_statement")?
        }
        _ => body,
    };
    hint(walk, body)
}
