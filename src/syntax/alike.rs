//! Values that are written side by side and look alike: items of a list (`[User(a), User(b)]`), branches of a condition.
//!
//! Guarantee: what is told of one of them holds for all, by the words that each begins with up to what its hint follows
//! from. Deliberately absent: lists of more items than are looked through.

use super::hints::Hint;
use super::node::{MAX_PARTS, NodeExt};
use super::walk::Walk;
use crate::record::HintKind;
use tree_sitter::Node;

/// What each of some values is, with where each begins; `None` where they differ or there is none.
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

/// What both branches of a condition make, where each calls the same: what a name holds may be another thing in each.
pub(crate) fn made_alike<'t>(
    walk: &Walk<'_>,
    branches: impl Iterator<Item = (Node<'t>, Option<Hint>)>,
) -> Option<Hint> {
    let branches: Vec<_> = branches.take(2).collect();
    let is_both = branches.len() == 2;
    let made = alike(walk, branches.into_iter())?;
    let is_made = matches!(made.kind, HintKind::Result | HintKind::Literal);
    (is_made && is_both).then_some(made)
}

/// What a block holds, if that is no more than one statement: others may bind the names in it.
pub(crate) fn only_statement(block: Node<'_>) -> Option<Node<'_>> {
    let mut all = block.named().filter(|part| !part.is_extra());
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
