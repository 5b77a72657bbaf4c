//! Values that are written side by side and look alike: items of a list (`[User(a), User(b)]`), branches of a condition.
//!
//! Guarantee: what is told of one of them holds for all, by the words that each begins with up to what its hint follows
//! from. Deliberately absent: lists of more items than are looked through.

use super::hints::Hint;
use super::node::{MAX_PARTS, NodeExt};
use super::walk::Walk;
use crate::record::HintKind;
use tree_sitter::Node;

/// What each of some values is; `None` where they differ or there is none. Of each the node that it begins with is given.
pub(crate) fn alike<'t>(
    walk: &Walk<'_>,
    values: impl Iterator<Item = (Node<'t>, Option<Hint>)>,
) -> Option<Hint> {
    let mut known: Option<(Hint, &[u8])> = None;
    for ((first, hint), passed) in values.zip(0..) {
        let hint = hint.filter(|_| passed < MAX_PARTS)?;
        let words = words_before(walk, first, hint)?;
        match known {
            None => known = Some((hint, words)),
            Some((of, same)) if of.kind == hint.kind && same == words => {}
            Some(_) => return None,
        }
    }
    known.map(|(hint, _)| hint)
}

/// A list of some items, where they are alike.
pub(crate) fn list_of<'t>(
    walk: &Walk<'_>,
    items: impl Iterator<Item = Node<'t>>,
    hint: impl Fn(Node<'t>) -> Option<Hint>,
) -> Option<Hint> {
    alike(walk, items.map(|item| (item, hint(item))))?.listed()
}

/// What both branches of a condition make, where each calls the same: what a name holds may be another thing in each.
pub(crate) fn made_alike<'t>(
    walk: &Walk<'_>,
    branches: [Node<'t>; 2],
    hint: impl Fn(Node<'t>) -> Option<Hint>,
) -> Option<Hint> {
    let made = alike(
        walk,
        branches.map(|branch| (branch, hint(branch))).into_iter(),
    )?;
    matches!(made.kind, HintKind::Result | HintKind::Literal).then_some(made)
}

/// What a branch gives, where it is no block of more than one statement: others may bind the names in it.
pub(crate) fn only_statement<'t>(branch: Node<'t>, blocks: &[&str]) -> Option<Node<'t>> {
    if !blocks.contains(&branch.kind_name()) {
        return Some(branch);
    }
    let mut all = branch.named().filter(|part| !part.is_extra());
    let only = all.next()?;
    all.next().is_none().then_some(only)
}

/// The source from where a value begins to the end of the name that its hint follows from; nothing for a hint that
/// follows from none, and `None` for a name on another line.
fn words_before<'s>(walk: &Walk<'s>, first: Node<'_>, hint: Hint) -> Option<&'s [u8]> {
    let Some(name) = hint.place() else {
        return Some(&[]);
    };
    let from = first.start_position();
    let before = name.column.checked_sub(from.column)?;
    if name.row != from.row {
        return None;
    }
    let rest = walk.src.get(first.start_byte()..)?;
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_$?!".contains(byte);
    let word = rest
        .get(before..)?
        .iter()
        .take_while(|byte| is_word(byte))
        .count();
    rest.get(..before + word)
}
