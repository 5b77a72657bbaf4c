//! What decorators of Python make of a function: a fixture, what a `with` statement opens, or an object of some class,
//! of which other files know.

use crate::syntax::prelude::*;

/// Decorators that leave a function what it is, or make of it what reading it gives.
const PLAIN: &[&[u8]] = byte_words!(
    "property staticmethod classmethod cached_property setter getter deleter overload override abstractmethod
     wraps cache lru_cache contextmanager asynccontextmanager"
);

/// The text of the decorators of the function that is so many nodes above.
pub(super) fn decorators<'t>(walk: &Walk<'t>, above: usize) -> &'t [u8] {
    let decorated = walk.ancestor(above).map(|above| above.node);
    let Some(decorated) = decorated.filter(|node| node.kind_name() == "decorated_definition")
    else {
        return b"";
    };
    let definition = decorated.field("definition");
    let end = definition.map_or(decorated.start_byte(), |node| node.start_byte());
    walk.src.get(decorated.start_byte()..end).unwrap_or(b"")
}

/// Whether decorators make a fixture of a function.
pub(super) fn is_fixture(decorators: &[u8]) -> bool {
    memchr::memmem::find(decorators, b"fixture").is_some()
}

/// Whether decorators make of a function what a `with` statement opens.
pub(super) fn makes_context(decorators: &[u8]) -> bool {
    const NAME: &[u8] = b"contextmanager";
    memchr::memmem::find_iter(decorators, NAME).any(|at| {
        let before = &decorators[..at];
        let before = before.strip_suffix(b"async").unwrap_or(before);
        let after = decorators.get(at + NAME.len());
        before.last().is_some_and(|byte| b"@. ".contains(byte))
            && !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    })
}

/// What the first decorator of the function that is entered makes of it, which is what all others have made before. The
/// object that its name is a member of has to have a name.
pub(super) fn maker(walk: &Walk<'_>) -> Option<Hint> {
    let decorated = walk.above(0)?;
    let decorator = decorated.named_of("decorator")?.named_child(0)?;
    let is_called = decorator.kind_name() == "call";
    let named = match is_called {
        true => decorator.field("function")?,
        false => decorator,
    };
    let mut object = named;
    while object.kind_name() == "attribute" {
        object = object.field("object")?;
    }
    let name = match named.kind_name() {
        "attribute" => named.field("attribute")?,
        _ => named,
    };
    let is_plain = PLAIN.contains(&walk.text(name)) || is_fixture(decorators(walk, 0));
    let kind = match is_called {
        true => HintKind::DecoratedByResult,
        false => HintKind::Decorated,
    };
    (object.kind_name() == "identifier" && !is_plain).then(|| Hint::value(name).with(kind))
}
