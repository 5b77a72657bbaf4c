//! What only zsh has and the grammar, which is Bash's, stumbles over: flags of expansions (`${(f)lines}`), tests
//! for being set (`${+functions[f]}`), and blocks on one line that end without a semicolon (`f() { cd }`).
//!
//! Where a file has errors it is parsed again with these written as Bash would have them, byte for byte as
//! long: flags become space before the expansion, and the space before a brace becomes a semicolon.

use crate::syntax::blanked::Blanked;

/// Most places that are changed in one file.
const MAX_PLACES: usize = 8192;
/// Most bytes of the flags of an expansion.
const MAX_FLAGS: usize = 16;

/// Writes what only zsh has as Bash; `None` where there is none.
pub(super) fn blank(bytes: &[u8]) -> Option<Blanked> {
    let mut changed = bytes.to_vec();
    let mut places = 0;
    for at in memchr::memmem::find_iter(bytes, b"${").take(MAX_PLACES) {
        if let Some(len) = flags(&bytes[at + 2..]) {
            changed[at..at + len].fill(b' ');
            changed[at + len..at + len + 2].copy_from_slice(b"${");
            places += 1;
        }
    }
    let mut start = 0;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if let Some(space) = open_end(line).filter(|_| places < MAX_PLACES) {
            changed[start + space] = b';';
            places += 1;
        }
        start += line.len();
    }
    (places > 0).then_some(Blanked {
        bytes: changed,
        words: Vec::new(),
    })
}

/// How long the flags are that an expansion begins with behind its brace.
fn flags(rest: &[u8]) -> Option<usize> {
    if rest.starts_with(b"+") {
        return rest
            .get(1)
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            .then_some(1);
    }
    let inner = rest.strip_prefix(b"(")?;
    let len = inner.iter().take(MAX_FLAGS).position(|b| *b == b')')?;
    let is_flag = |b: &u8| b.is_ascii_alphanumeric() || b"@#%^~:.,_/-".contains(b);
    inner[..len].iter().all(is_flag).then_some(len + 2)
}

/// Where the space stands that a semicolon is missing for, in a line with a function in braces.
fn open_end(line: &[u8]) -> Option<usize> {
    let text = line.trim_ascii();
    let open = memchr::memchr(b'{', text)?;
    let head = text[..open].trim_ascii_end();
    if !(head.starts_with(b"function ") || head.ends_with(b"()")) {
        return None;
    }
    let inner = text.get(open + 1..)?.strip_suffix(b" }")?.trim_ascii();
    let is_ended = matches!(inner.last(), None | Some(b';' | b'&' | b'}'));
    let before = line.len() - line.trim_ascii_start().len();
    (!is_ended).then_some(before + text.len() - 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str) -> Option<String> {
        let found = blank(source.as_bytes())?;
        assert_eq!(found.bytes.len(), source.len());
        Some(String::from_utf8(found.bytes).unwrap())
    }

    #[test]
    fn flags_and_ends_are_written_as_in_bash() {
        for (zsh, bash) in [
            ("print ${(f)lines}", "print    ${lines}"),
            ("((${+functions[a]}))", "(( ${functions[a]}))"),
            ("function a() { cd b }\n", "function a() { cd b;}\n"),
            ("  a () { \"$b\" }", "  a () { \"$b\";}"),
        ] {
            assert_eq!(written(zsh).as_deref(), Some(bash), "{zsh}");
        }
        for same in [
            "${a}",
            "${(unclosed",
            "${+}",
            "a() { b; }",
            "a() { }",
            "{ b }",
            "${",
        ] {
            assert_eq!(written(same), None, "{same}");
        }
    }
}
