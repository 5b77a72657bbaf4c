//! Decorators, attributes and annotations above a definition, read from its text: the index knows
//! that there are some, not which.

use crate::view::text::Text;

/// Lines looked at above a definition. A decorator with a long table of arguments stays under it.
const MAX_LINES: u32 = 60;

/// Decorators that change what a definition does and call it from nowhere. Anything else may
/// register it with a framework.
const HARMLESS: [&[&str]; 3] = [
    // Python
    words!(
        "abstractmethod abstractproperty asynccontextmanager cache cached_property classmethod
         contextmanager coroutine dataclass dataclasses deleter deprecated final functools getter
         lru_cache no_type_check overload override property runtime_checkable setter staticmethod
         total_ordering typing wraps"
    ),
    // Rust
    words!(
        "allow async_trait automatically_derived cfg cfg_attr clippy cold deny derive doc expect
         inline instrument must_use non_exhaustive repr rustfmt serde target_feature track_caller
         warn"
    ),
    // Java, Kotlin, C#, Swift
    words!(
        "CheckForNull CheckReturnValue Deprecated FunctionalInterface JvmField JvmOverloads
         JvmStatic MethodImpl NonNull Nonnull NotNull Nullable Obsolete SafeVarargs Serializable
         Suppress SuppressWarnings Throws VisibleForTesting available discardableResult frozen
         inlinable"
    ),
];

/// The names of the decorators above a definition, nearest first, as far as they may make somebody
/// call it.
pub fn registering(text: &Text, start: (u32, u32)) -> Vec<String> {
    let mut names = above(text, start);
    names.retain(|name| {
        let mut parts = name.split(['.', ':']).filter(|part| !part.is_empty());
        let (first, last) = (parts.next(), parts.next_back());
        let is_harmless = |part: &&str| HARMLESS.iter().any(|list| list.contains(part));
        ![first, last].iter().flatten().any(is_harmless)
    });
    names
}

/// The names of all decorators above a definition, nearest first.
fn above(text: &Text, (line, col): (u32, u32)) -> Vec<String> {
    let mut names = Vec::new();
    let own = text.line(line);
    let before = &own[..own.len().min(col as usize)];
    names.extend(named(before.trim_ascii()));
    let mut open = 0i32;
    for above in (line.saturating_sub(MAX_LINES).max(1)..line).rev() {
        let written = text.line(above).trim_ascii();
        for byte in written {
            match byte {
                b')' | b']' | b'}' => open += 1,
                b'(' | b'[' | b'{' => open -= 1,
                _ => {}
            }
        }
        if open <= 0
            && let Some(name) = named(written)
        {
            names.push(name);
            open = 0;
        } else if open < 0 || (open == 0 && !(written.is_empty() || is_comment(written))) {
            break;
        }
    }
    names
}

/// The name of the decorator that a line begins with.
fn named(line: &[u8]) -> Option<String> {
    let rest = [&b"@"[..], b"#[", b"["]
        .iter()
        .find_map(|mark| line.strip_prefix(*mark))?;
    let name: Vec<u8> = rest
        .iter()
        .copied()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':') || *b >= 0x80)
        .collect();
    (!name.is_empty()).then(|| String::from_utf8_lossy(&name).into_owned())
}

fn is_comment(line: &[u8]) -> bool {
    [&b"//"[..], b"/*", b"*", b"#"]
        .iter()
        .any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(source: &str, line: u32) -> Vec<String> {
        registering(&Text::new(source.as_bytes().to_vec()), (line, 0))
    }

    #[test]
    fn what_may_register_a_definition_is_named() {
        let source = "x = f(1)\n@app.route(\n    '/a',\n    methods=['GET'],\n)\n# why\n@functools.wraps(f)\ndef view():\n";
        assert_eq!(at(source, 8), ["app.route"]);
        assert_eq!(
            at("#[inline]\n#[no_mangle]\npub fn f() {}\n", 3),
            ["no_mangle"]
        );
        assert_eq!(at("#[tokio::main]\nasync fn f() {}\n", 2), ["tokio::main"]);
        assert_eq!(at("}\n\n/// Doc.\nfn f() {}\n", 4), [""; 0]);
        assert_eq!(at("@property\ndef f(self):\n", 2), [""; 0]);
        assert_eq!(at("@x.setter\ndef x(self, v):\n", 2), [""; 0]);
    }

    #[test]
    fn a_decorator_may_stand_on_the_line_itself() {
        let text = Text::new(b"  @Get() handle() {}\n".to_vec());
        assert_eq!(registering(&text, (1, 9)), ["Get"]);
    }
}
