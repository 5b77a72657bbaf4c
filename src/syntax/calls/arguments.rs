//! Reading what a call gives.

use super::rows::{CallRows, Give, children, first_of, part_of, text, told};
use super::{Arguments, Through};
use crate::syntax::node::NodeExt;
use tree_sitter::{Node, Tree};

/// How many nodes lie between a name and the call of which it is the callee.
const MAX_STEPS: usize = 16;
/// Most arguments of a call that are counted.
const MAX_ARGUMENTS: usize = 1 << 12;

/// Kinds of argument lists; anything else in their place is one argument.
const LISTS: &[&str] = words!("arguments argument_list value_arguments");

/// What the call gives whose callee's name begins at a byte; `None` where nothing is called by it.
pub(crate) fn of(src: &[u8], tree: &Tree, rows: &CallRows, at: usize) -> Option<Arguments> {
    let mut node = tree.root_node().descendant_for_byte_range(at, at + 1)?;
    if node.start_byte() != at {
        return None;
    }
    let mut through = Through::Nothing;
    if node
        .parent()
        .is_some_and(|above| rows.tokens.contains(&above.kind_name()))
    {
        return in_tokens(rows, node);
    }
    for _ in 0..MAX_STEPS {
        let above = node.parent()?;
        if is_part(above, node, part_of(rows.calls, above.kind_name()), false) {
            return read(src, rows, above, through);
        }
        let is = |words, last| is_part(above, node, part_of(words, above.kind_name()), last);
        if is(rows.members, true) {
            through = match rows.through_types && may_be_type(src, above, node) {
                true => Through::Either,
                false => Through::Object,
            };
        } else if is(rows.paths, true) {
            through = Through::Path;
        } else if !is(rows.passes, false) {
            return None;
        }
        node = above;
    }
    None
}

/// What a name is given that stands in tokens which a macro takes: `assert_eq!(f(1), 2)`. `None` where commas may
/// stand for something else.
fn in_tokens(rows: &CallRows, name: Node<'_>) -> Option<Arguments> {
    let list = name.next_sibling()?;
    let is_list = rows.tokens.contains(&list.kind_name());
    if !is_list || list.child(0)?.kind_name() != "(" || list.child_count() as usize > MAX_ARGUMENTS
    {
        return None;
    }
    let (mut positional, mut is_open) = (0, false);
    for token in list.parts().skip(1) {
        match token.kind_name() {
            ")" | "," => {
                positional += usize::from(is_open);
                is_open = false;
            }
            "|" | "||" | "<" | "$" | "=>" | ".." | ";" | "metavariable" => return None,
            _ if token.is_extra() => {}
            _ => is_open = true,
        }
    }
    Some(Arguments {
        positional,
        named: Vec::new(),
        spreads: false,
        gives_rest: false,
        spreads_names: false,
        trailing: 0,
        through: match name.prev_sibling().map(|before| before.kind_name()) {
            Some(".") => Through::Object,
            Some("::") => Through::Path,
            Some("$" | "fn" | "!") => return None,
            _ => Through::Nothing,
        },
        may_be_several: false,
        several_of: None,
        names_are_a_hash: rows.names_are_a_hash,
        end_line: last_line(list),
    })
}

/// The line that a node ends in, from 1.
fn last_line(node: Node<'_>) -> u32 {
    u32::try_from(node.end_position().row).map_or(u32::MAX, |row| row.saturating_add(1))
}

/// Whether a node is the part of another that a row names: by field, or by its place.
fn is_part(above: Node<'_>, node: Node<'_>, part: Option<&str>, last: bool) -> bool {
    match part {
        None => false,
        Some("") if last => above.last_named() == Some(node),
        Some("") => above.named().next() == Some(node),
        Some(part) => above.fields(part).any(|child| child == node),
    }
}

/// Whether what stands before a name may be a type, by how types are written.
fn may_be_type(src: &[u8], access: Node<'_>, name: Node<'_>) -> bool {
    let before = src
        .get(access.start_byte()..name.start_byte())
        .unwrap_or(b"");
    let before = before.trim_ascii_end().trim_ascii_end();
    let before = before.strip_suffix(b".").unwrap_or(before);
    if matches!(before, b"self" | b"this") || before.starts_with(b"super(") {
        return false;
    }
    let last = before.rsplit(|byte| *byte == b'.').next().unwrap_or(b"");
    let is_name = last
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let bare = last.iter().find(|byte| **byte != b'_');
    !is_name && last.ends_with(b")") && last.starts_with(b"(")
        || matches!(last, b"cls" | b"klass" | b"type(self)" | b"__class__")
        || is_name && bare.is_some_and(u8::is_ascii_uppercase)
}

fn read(src: &[u8], rows: &CallRows, call: Node<'_>, through: Through) -> Option<Arguments> {
    let mut given = Arguments {
        positional: 0,
        named: Vec::new(),
        spreads: false,
        gives_rest: false,
        spreads_names: false,
        trailing: 0,
        through,
        may_be_several: false,
        several_of: None,
        names_are_a_hash: rows.names_are_a_hash,
        end_line: last_line(call),
    };
    if first_of(call, rows.objects).is_some() {
        given.through = Through::Object;
    }
    // `a.b = c` calls something else.
    let is_set = |above: Node<'_>| above.field("left").is_some_and(|left| left == call);
    if rows.bare_calls && call.parent().is_some_and(is_set) {
        return None;
    }
    let lists = lists(rows, call);
    // Behind the parentheses of this call, or of one whose callee is this one.
    given.trailing = trailing(rows, call);
    if given.trailing == 0
        && let Some(above) = call
            .parent()
            .filter(|above| above.kind_name() == call.kind_name())
        && is_part(above, call, part_of(rows.calls, above.kind_name()), false)
        && self::lists(rows, above).is_empty()
    {
        given.trailing = trailing(rows, above);
    }
    if lists.is_empty() && given.trailing == 0 && !rows.bare_calls {
        return None;
    }
    for list in lists {
        if list.has_error() {
            return None;
        }
        // One argument without parentheses: `f { }` of Scala, a comprehension of Python.
        if !LISTS.contains(&list.kind_name()) {
            if let Some(Give::Open | Give::OpenAlone) = told(rows.gives, list.kind_name()) {
                return None;
            }
            given.positional += 1;
            continue;
        }
        let all = list.content();
        let count = all.len();
        if count > MAX_ARGUMENTS {
            return None;
        }
        for (at, node) in all.into_iter().enumerate() {
            let place = (at, count);
            give(src, rows, node, place, &mut given)?;
        }
    }
    let piped = call.parent().filter(|above| {
        let operator = above.field("operator");
        let is_pipe = operator.is_some_and(|operator| rows.pipes.contains(&operator.kind_name()));
        is_pipe && above.field("right").is_some_and(|right| right == call)
    });
    given.positional += usize::from(piped.is_some());
    Some(given)
}

/// The argument lists of a call.
fn lists<'t>(rows: &CallRows, call: Node<'t>) -> Vec<Node<'t>> {
    let words = rows.arguments.iter();
    let mut found = words.map(|word| {
        let lists = children(call, word);
        // A list that is held by another.
        match lists.as_slice() {
            [one] if one.kind_name() == "call_suffix" => children(*one, "value_arguments"),
            _ => lists,
        }
    });
    found.find(|lists| !lists.is_empty()).unwrap_or_default()
}

/// How many functions stand behind the parentheses.
fn trailing(rows: &CallRows, call: Node<'_>) -> usize {
    let behind = call.named_of("call_suffix").unwrap_or(call);
    let is_trailing = |node: &Node<'_>| rows.trailing.contains(&node.kind_name());
    behind
        .named()
        .skip_while(|node| behind == call && node.start_byte() == call.start_byte())
        .filter(is_trailing)
        .count()
}

/// Where the name stands that a call calls: its line, from 1, and its column in bytes, from 0.
fn name_of(rows: &CallRows, call: Node<'_>) -> Option<(u32, u32)> {
    let callee = call.field(part_of(rows.calls, call.kind_name())?)?;
    let name = match part_of(rows.members, callee.kind_name()) {
        Some(part) => callee.field(part)?,
        None if callee.named_child_count() == 0 => callee,
        None => return None,
    };
    let at = name.start_position();
    let line = u32::try_from(at.row).ok()?.checked_add(1)?;
    Some((line, u32::try_from(at.column).ok()?))
}

/// Adds one argument; `None` where the call is none.
fn give(
    src: &[u8],
    rows: &CallRows,
    node: Node<'_>,
    (at, count): (usize, usize),
    given: &mut Arguments,
) -> Option<()> {
    match told(rows.gives, node.kind_name()) {
        None | Some(Give::OpenAlone) => given.positional += 1,
        Some(Give::Nothing) => {}
        Some(Give::Open) => return None,
        Some(Give::Spread) => given.spreads = true,
        Some(Give::WholeRest) => given.gives_rest = true,
        Some(Give::SpreadNames) => given.spreads_names = true,
        Some(kind @ (Give::Several | Give::SeveralAlone)) => {
            given.positional += 1;
            let callee = node
                .field("function")
                .map_or(&b""[..], |callee| text(src, callee));
            let is_one = rows.gives_one.iter().any(|one| one.as_bytes() == callee);
            let is_placed = match kind {
                Give::Several => at + 1 == count,
                _ => count == 1,
            };
            given.may_be_several |= is_placed && !is_one;
            if kind == Give::SeveralAlone && given.may_be_several {
                given.several_of = name_of(rows, node);
            }
        }
        Some(Give::Named) => given.named.push(label(src, node)),
        Some(Give::Wrapped) => {
            if node.part(rows.spread).is_some() {
                given.spreads = true;
            } else if first_of(node, rows.named).is_some() {
                given.named.push(label(src, node));
            } else if node.named_of("variadic_placeholder").is_some() {
                return None;
            } else {
                given.positional += 1;
                if rows.mixes_names {
                    given.positional += std::mem::take(&mut given.named).len();
                }
            }
        }
    }
    Some(())
}

/// The name under which an argument is given.
fn label(src: &[u8], node: Node<'_>) -> String {
    let name = first_of(node, &["name", "key", "left"]).or_else(|| node.named().next());
    let text = name.map_or(&b""[..], |name| text(src, name));
    let text = String::from_utf8_lossy(text);
    let is_sign = |c: char| matches!(c, ':' | '$' | '"' | '\'') || c.is_whitespace();
    text.trim_matches(is_sign).to_owned()
}
