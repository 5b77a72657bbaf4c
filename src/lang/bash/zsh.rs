//! What only zsh has and the grammar, which is Bash's, stumbles over: flags of expansions (`${(f)lines}`), tests
//! for being set (`${+functions[f]}`, `$+commands[c]`), blocks on one line that end without a semicolon
//! (`f() { cd }`), files of what a command says (`=(ls)`), functions without a name or with several, `always`, `&|`, lists of
//! loops in parentheses (`for a ($b); do`), braces without space.
//!
//! Where a file has errors it is parsed again with these written as Bash would have them, byte for byte as
//! long: flags become space before the expansion, and the space before a brace becomes a semicolon. So are
//! expansions that are more than a name ([`expansions`]), in Bash as well.

use super::expansions;
use crate::syntax::blanked::Blanked;
use std::ops::Range;

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
    let (mut start, mut in_names) = (0, false);
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        if let Some(others) = names(line, &mut in_names).filter(|_| places < MAX_PLACES) {
            changed[start + others.start..start + others.end].fill(b' ');
            places += 1;
        }
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
    let globs: Vec<usize> = memchr::memmem::find_iter(line, b"*(").collect();
    for at in globs {
        let end = qualifiers(&line[at + 1..]);
        line[at + 1..at + 1 + end].fill(b' ');
        is_changed |= end > 0;
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
    if let Some(open) = list(text) {
        text[..=open].fill(b' ');
        text[..5].copy_from_slice(b"while");
        text[len - b"); do".len()] = b' ';
        return true;
    }
    if let Some(open) = brace(text) {
        text[open] = b' ';
        text[len - 1] = b' ';
        return true;
    }
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

/// Where the parenthesis stands of `for a ($b); do`, which is written as a loop over a command.
fn list(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"for ")?;
    let name = rest.iter().position(|b| *b == b' ')?;
    let is_list = rest[name + 1..].starts_with(b"(") && !rest[name + 1..].starts_with(b"((");
    (is_list && text.ends_with(b"); do")).then_some(text.len() - rest.len() + name + 1)
}

/// Where the brace stands of `a || {b; c}`.
fn brace(text: &[u8]) -> Option<usize> {
    let inner = text.strip_suffix(b"}")?;
    let opens = [&b"|| {"[..], b"&& {"].into_iter();
    let mut found = opens.filter_map(|open| memchr::memmem::find(inner, open));
    let open = found.next()? + 3;
    let is_begun = inner.get(open + 1).is_some_and(u8::is_ascii_alphabetic);
    let is_only = memchr::memchr_iter(b'{', inner).count() == 1;
    (is_begun && is_only && !inner.ends_with(b" ") && !inner.ends_with(b";")).then_some(open)
}

/// Where the other names of a function with several stand in a line, which may go on in the next: `function a b() {`.
fn names(line: &[u8], in_names: &mut bool) -> Option<Range<usize>> {
    let text = line.trim_ascii_end();
    let start = match *in_names {
        true => 0,
        false => {
            let head = text.strip_prefix(b"function ")?;
            let name = head.iter().position(u8::is_ascii_whitespace)?;
            text.len() - head.len() + name
        }
    };
    let rest = &text[start..];
    let len = rest
        .iter()
        .position(|b| matches!(b, b'{' | b'(' | b'\\'))
        .unwrap_or(rest.len());
    let is_open = &rest[len..] == b"\\";
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"_-:. \t".contains(b);
    let are_names = rest[..len].iter().all(is_name);
    let is_head = matches!(&rest[len..], b"{" | b"() {" | b"(){");
    *in_names = is_open && are_names;
    let end = start + len + usize::from(is_open);
    let is_written = is_open || !rest[..len].trim_ascii().is_empty();
    (are_names && is_written && (is_open || is_head)).then_some(start..end)
}

/// How long what is said of the files of a pattern is: `(N)` of `for a in b/*(N); do`.
fn qualifiers(rest: &[u8]) -> usize {
    let inner = rest.get(1..).unwrap_or(b"");
    let len = inner
        .iter()
        .take_while(|b| b.is_ascii_alphabetic() || b"@./^-".contains(b))
        .count();
    let is_closed = inner.get(len) == Some(&b')');
    let next = inner.get(len + 1);
    let is_end = next.is_none_or(|b| b.is_ascii_whitespace() || b";)\"".contains(b));
    match len > 0 && len <= MAX_FLAGS && is_closed && is_end {
        true => len + 2,
        false => 0,
    }
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
    // `${+a}` is whether it is set, `${=a}` its words, `${~a}` a pattern, `${^a}` each of its elements.
    if matches!(rest.first(), Some(b'+' | b'=' | b'~' | b'^')) {
        return rest
            .get(1)
            .is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
            .then_some(1);
    }
    let inner = rest.strip_prefix(b"(")?;
    let len = inner.iter().take(MAX_FLAGS).position(|b| *b == b')')?;
    let is_flag = |b: &u8| b.is_ascii_alphanumeric() || b"@#%^~:.,_/- ".contains(b);
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
            ("a | ${=b} c", "a |  ${b} c"),
            ("${(j: :)b}", "      ${b}"),
            ("function a() { cd b }\n", "function a() { cd b;}\n"),
            ("  a () { \"$b\" }", "  a () { \"$b\";}"),
            ("(( $+a[b] ))", "(( 1      ))"),
            ("a =(b)", "a <(b)"),
            ("  } always {\n", "  };       {\n"),
            ("function {\n", "         {\n"),
            ("a &|\n", "a & \n"),
            ("echo ${a%%b}", "echo ${a}   "),
            ("for a ($b); do\n", "while  $b ; do\n"),
            ("for a in b/*(N); do", "for a in b/*   ; do"),
            ("a=\"${${(%):-b}:a}\"", "a=\"______________\""),
            ("a || {b; return 1}\n", "a ||  b; return 1 \n"),
            ("function a b() {\n", "function a  () {\n"),
            (
                "function a \\\n  b \\\n  c {\n",
                "function a  \n     \n    {\n",
            ),
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
            "function a() {",
            "function a {",
            "for ((a; b; c)); do",
            "a || { b; }",
            "*(a|b)",
            "${",
        ] {
            assert_eq!(written(same), None, "{same}");
        }
    }
}
