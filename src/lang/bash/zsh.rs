//! What only zsh has and the grammar, which is Bash's, stumbles over: flags of expansions (`${(f)lines}`), tests
//! for being set (`${+functions[f]}`, `$+commands[c]`), blocks on one line that end without a semicolon
//! (`f() { cd }`), files of what a command says (`=(ls)`), functions without a name, `always`, `&|`.
//!
//! Where a file has errors it is parsed again with these written as Bash would have them, byte for byte as
//! long: flags become space before the expansion, and the space before a brace becomes a semicolon. So are
//! expansions that are more than a name ([`expansions`]), in Bash as well.

use super::expansions;
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
        if places < MAX_PLACES {
            places += usize::from(rewrite(&mut changed[start..start + line.len()]));
        }
        start += line.len();
    }
    let is_short = expansions::shorten(&mut changed, MAX_PLACES);
    (places > 0 || is_short).then_some(Blanked {
        bytes: changed,
        words: Vec::new(),
    })
}

/// Writes what stands in one line; says whether there was anything.
fn rewrite(line: &mut [u8]) -> bool {
    let mut is_changed = false;
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&line[from..], b"$+") {
        let start = from + at;
        let end = start + 2 + tested(&line[start + 2..]);
        if end > start + 2 {
            line[start..end].fill(b' ');
            line[start] = b'1';
            is_changed = true;
        }
        from = end;
    }
    let files: Vec<usize> = memchr::memmem::find_iter(line, b" =(").collect();
    for at in files {
        line[at + 1] = b'<';
        is_changed = true;
    }
    let (start, len) = (
        line.len() - line.trim_ascii_start().len(),
        line.trim_ascii().len(),
    );
    let text = &mut line[start..][..len];
    let blanks = match &*text {
        b"function {" => 0..len - 1,
        b"() {" => 0..len - 1,
        b"} always {" => {
            text[1] = b';';
            2..len - 1
        }
        text if text.ends_with(b" &|") || text.ends_with(b" &!") => len - 1..len,
        _ => return is_changed,
    };
    text[blanks].fill(b' ');
    true
}

/// How long what is tested for being set is.
fn tested(rest: &[u8]) -> usize {
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    let name = rest.iter().take_while(is_part).count();
    let index = rest[name..].strip_prefix(b"[").filter(|_| name > 0);
    match index.and_then(|index| memchr::memchr(b']', index)) {
        Some(close) => name + close + 2,
        None => name,
    }
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
            ("(( $+a[b] ))", "(( 1      ))"),
            ("a =(b)", "a <(b)"),
            ("  } always {\n", "  };       {\n"),
            ("function {\n", "         {\n"),
            ("a &|\n", "a & \n"),
            ("echo ${a%%b}", "echo ${a}   "),
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
