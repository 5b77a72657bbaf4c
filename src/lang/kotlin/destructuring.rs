//! What is taken apart: `for ((key, value) in all)`, `all.forEach { (key, value) -> ... }`, `val (first, second) = pair`.
//!
//! Guarantee: only the second part of what a loop or a lambda goes over is said, as the value of an entry: of a list of data
//! classes there is none. Deliberately absent: the parts of data classes and pairs.

use super::values::hint;
use crate::syntax::prelude::*;
use std::ops::Range;
use tree_sitter::Point;

/// Names that `variable_declaration` nodes bind below a declaration.
pub(super) fn declared_names<'t>(declared: Node<'t>) -> Vec<Node<'t>> {
    if declared.kind_name() == "variable_declaration" {
        return declared.part(&["identifier"]).into_iter().collect();
    }
    declared
        .named()
        .filter_map(|part| part.part(&["identifier"]))
        .collect()
}

/// Binds what a loop or a lambda declares, one name or what is taken apart of what it goes over.
pub(super) fn bind<'t>(
    walk: &mut Walk<'t>,
    declared: Node<'t>,
    scope: &Range<Point>,
    (known, over): (Option<Hint>, Option<Node<'t>>),
) {
    let names = declared_names(declared);
    if declared.kind_name() == "variable_declaration" {
        walk.locals(names, scope, known);
        return;
    }
    let value = match names.len() {
        2 => over.and_then(|over| hint(walk, over)?.each_value()),
        _ => None,
    };
    for (at, name) in names.into_iter().enumerate() {
        walk.local(name, scope.clone(), value.filter(|_| at == 1));
    }
}
