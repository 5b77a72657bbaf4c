//! C#: what is taken apart: `foreach (var (key, value) in all)`, `var (first, second) = pair`.
//!
//! Guarantee: only the second part of what a loop goes over is said, as the value of an entry: of a list of records there
//! is none. Deliberately absent: the parts of tuples, records and of what has `Deconstruct`.

use super::values::{BLOCKS, hint};
use crate::syntax::prelude::*;

/// Names that a loop or a declaration takes something apart into.
pub(super) fn taken_apart<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: &mut Frame<'t>) {
    let above = walk.above(0);
    let looped = above.filter(|above| above.kind_name() == "foreach_statement");
    let scope = match looped {
        Some(looped) => looped.span(),
        None => walk.scope_from(node.start_position(), BLOCKS),
    };
    let parts = node.content();
    let over = looped.filter(|_| parts.len() == 2);
    let over = over.and_then(|looped| looped.field("right"));
    let value = over.and_then(|over| hint(walk, over)?.each_value());
    for (at, part) in parts.into_iter().enumerate() {
        if part.kind_name() == "identifier" {
            walk.local(part, scope.clone(), value.filter(|_| at == 1));
        }
    }
}
