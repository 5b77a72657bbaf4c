//! Whether a variable or field of a language of written types is what it seems: what is said of it wherever the file
//! declares one of its name that the call may see.

use super::doubts::{around, below};
use super::rows::text;
use crate::syntax::node::NodeExt;
use tree_sitter::Node;

/// A variable or field where it is declared.
#[derive(Clone, Copy)]
pub(crate) struct Variable<'t> {
    pub name: Node<'t>,
    /// What is said of its type.
    pub said: Option<Node<'t>>,
    /// What it is given there.
    pub value: Option<Node<'t>>,
}

/// Which variables a language has.
pub(crate) struct Variables {
    /// Kinds of what has variables of its own.
    pub functions: &'static [&'static str],
    /// Words in the place of a type that say none, or that it is any.
    pub unsaid: &'static [&'static [u8]],
}

impl Variables {
    /// Whether an object of this name may be of another type than the one of a name: it is declared nowhere, or somewhere as
    /// something else.
    pub(crate) fn may_be_other(
        &self,
        src: &[u8],
        call: Node<'_>,
        (name, of): (&[u8], &[u8]),
        is_field: bool,
        declared: impl for<'t> Fn(Node<'t>) -> Option<Variable<'t>>,
    ) -> bool {
        let Some(root) = around(call).last() else {
            return true;
        };
        let is_function = |node: &Node<'_>| self.functions.contains(&node.kind_name());
        let holds = |node: &Node<'_>| {
            node.start_byte() <= call.start_byte() && call.end_byte() <= node.end_byte()
        };
        let Some(seen) = below(root, |node| !is_function(&node) || holds(&node)) else {
            return true;
        };
        let all = seen.iter().filter_map(|node| declared(*node));
        let all = all.filter(|one| text(src, one.name) == name);
        let (locals, fields): (Vec<_>, Vec<_>) = all.partition(|one| {
            let mut above = around(one.name);
            above.any(|node| is_function(&node))
        });
        let all = match is_field || locals.is_empty() {
            true => fields,
            false => locals,
        };
        all.is_empty() || !all.iter().all(|one| self.is_of(src, one, of))
    }

    /// Whether a variable is of a type by what is said of it, or else by what it is given.
    fn is_of(&self, src: &[u8], one: &Variable<'_>, of: &[u8]) -> bool {
        let said = one.said.map(|said| text(src, said).trim_ascii());
        let said = said.filter(|said| !self.unsaid.contains(said));
        let told = said.or_else(|| one.value.map(|value| text(src, value)));
        told.is_some_and(|told| names(told, of))
    }
}

/// Whether what is written of a type, or what makes a value, names one type and nothing around it: `a.Foo<T>?`,
/// `new Foo(1)`, but not `Foo[]`, `Optional<Foo>` or `new Foo() { .. }`.
pub(crate) fn names(written: &[u8], of: &[u8]) -> bool {
    let written = written.trim_ascii();
    let made = written.strip_prefix(b"new ").map(<[u8]>::trim_ascii_start);
    let said = made.unwrap_or(written);
    let said = said.strip_prefix(b"?").unwrap_or(said);
    let is_path =
        |b: &u8| b.is_ascii_alphanumeric() || *b >= 0x80 || matches!(b, b'_' | b'.' | b'\\' | b':');
    let end = said.iter().position(|b| !is_path(b)).unwrap_or(said.len());
    let (path, rest) = said.split_at(end);
    let last = path.rsplit(|b| matches!(b, b'.' | b'\\' | b':')).next();
    let rest = past(rest, (b'<', b'>')).trim_ascii();
    last == Some(of)
        && match rest {
            [] | b"?" => true,
            [b'(', ..] => past(rest, (b'(', b')')).is_empty(),
            [b'{', ..] => made.is_some(),
            _ => false,
        }
}

/// What is behind the brackets with which a text begins, if it does.
fn past(text: &[u8], (open, close): (u8, u8)) -> &[u8] {
    if text.first() != Some(&open) {
        return text;
    }
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return &text[at + 1..];
            }
        }
    }
    text
}

/// What stands in parentheses, however many.
pub(crate) fn inside(mut object: Node<'_>) -> Node<'_> {
    while object.kind_name() == "parenthesized_expression"
        && let Some(inner) = object.named().find(|part| !part.is_extra())
    {
        object = inner;
    }
    object
}

/// Whether a name begins as those of types do.
pub(crate) fn is_capital(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn types_are_named_alone() {
        let named = [
            "Foo",
            "a.b.Foo",
            "?Foo",
            "Foo?",
            "\\A\\Foo",
            "Foo<A, B<C>>",
            "new Foo(a, b(c))",
            "new Foo<A>(1)",
            "new Foo { A = 1 }",
            "Foo()",
            "a::Foo",
        ];
        let others = [
            "Foo[]",
            "Optional<Foo>",
            "new Foo() { int x; }",
            "new Foo(1).build()",
            "Foo|Bar",
            "Foo&Bar",
            "Food",
            "Foo.Bar",
            "Foo.() -> Unit",
            "Foo...",
            "foo()",
            "new Foo(",
            "",
        ];
        let is_named = |said: &&str| names(said.as_bytes(), b"Foo");
        assert_eq!(named.iter().filter(|said| !is_named(said)).count(), 0);
        assert_eq!(others.iter().filter(|said| is_named(said)).count(), 0);
    }
}
