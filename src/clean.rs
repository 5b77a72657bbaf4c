//! Makes repository content safe to show: it is written by others and may be hostile.
//!
//! Control characters (terminal escapes among them) become visible control pictures, direction
//! overrides and other invisible format characters that reorder text become replacement
//! characters. Paths that could be taken for something else stand in quotes. JSON is not cleaned, but for
//! what people say in memories: it escapes control characters itself, and its readers want the content as
//! it is.

pub use crate::git::quoting::defused;
use crate::git::quoting::{self, is_deceptive};
use crate::git::shell;
use serde::Serializer;

/// Longest headline, signature or line of code shown on one line, in characters.
pub const MAX_LINE_CHARS: usize = 160;
/// Longest name of somebody whose memories are told of, in characters.
pub const MAX_PERSON_CHARS: usize = 120;
/// Stands for what was cut off.
const ELLIPSIS: char = '…';

/// Returns the character shown in place of `c`, which may be `c` itself.
fn shown(c: char) -> char {
    match c {
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        c if is_deceptive(c) => '\u{fffd}',
        _ => c,
    }
}

/// Returns `text` with its lines and tabs as they are.
pub fn text(text: &str) -> String {
    let clean = |c: char| match c {
        '\n' | '\t' => c,
        _ => shown(c),
    };
    unarmed(text.chars().map(clean).collect())
}

/// Returns `text` on one line: leading and trailing white space removed, tabs as spaces, at most
/// `max` characters, and no command to the runner of a pipeline.
pub fn line(text: &str, max: usize) -> String {
    let text = text.trim();
    let clean = |c: char| if c == '\t' { ' ' } else { shown(c) };
    if text.chars().nth(max).is_none() {
        return unarmed(text.chars().map(clean).collect());
    }
    let cut: String = text
        .chars()
        .take(max.saturating_sub(1))
        .map(clean)
        .collect();
    unarmed(format!("{}{ELLIPSIS}", cut.trim_end()))
}

/// Returns `text` on one line, however long: paths and names must stay whole to be of use.
pub fn whole(text: &str) -> String {
    line(text, usize::MAX)
}

/// Serializes a text on one line, as [`whole`] shows it. Errors are those of the serializer.
pub fn serialize_whole<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&whole(text))
}

/// Serializes a text with its lines, as [`text`] shows it. Errors are those of the serializer.
pub fn serialize_text<S: Serializer>(
    given: impl AsRef<str>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text(given.as_ref()))
}

/// Whether a runner of a pipeline would read a command in a line: `##`, letters (none, `vso`, `teamcity`) and a bracket.
/// Headings and macros are none.
fn commands(text: &str) -> bool {
    text.match_indices("##").any(|(at, _)| {
        let rest = text[at..].trim_start_matches('#');
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        rest.starts_with('[')
    })
}

/// A text with its lines, in which a runner reads no command.
fn unarmed(text: String) -> String {
    match commands(&text) {
        true => defused(&text),
        false => text,
    }
}

/// A line of what somebody said, as it may stand alone: runners pass over white space before a command as well.
pub fn alone(line: &str) -> String {
    let start = line.len() - line.trim_start().len();
    let line = match line[start..].strip_prefix("::") {
        Some(rest) => format!("{}: :{rest}", &line[..start]),
        None => line.to_owned(),
    };
    unarmed(line)
}

/// A path, in quotes where it could be taken for the beginning of a line of ours, for the end of what
/// it stands in, for several paths, or for a command to the runner of a pipeline. The quotes are git's, so it can be given
/// back as it is.
pub fn path(path: &str) -> String {
    let is_quoted = path.starts_with('"');
    let commands = path.contains("##");
    let quoted = match !is_quoted && (commands || path.starts_with("::") || is_ambiguous(path)) {
        true => format!("\"{path}\""),
        false => path.to_owned(),
    };
    match commands {
        true => quoted.replace("##", r"\043\043"),
        false => quoted,
    }
}

/// A path with lines that we found behind it, as [`path`] shows it: they stand outside of its quotes.
pub fn place(at: &str) -> String {
    let is_lines = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    match at.rsplit_once(':').filter(|(_, lines)| is_lines(lines)) {
        Some((file, lines)) => format!("{}:{lines}", path(file)),
        None => path(at),
    }
}

/// The bytes of a path that is given as answers have it, in git's quotes or not.
pub fn path_bytes(shown: &str) -> Vec<u8> {
    quoting::unquoted(shown).unwrap_or_else(|| shown.as_bytes().to_vec())
}

/// Whether a path has white space where our lines have some: in its first component, after what could be the name of a
/// file, or beside anything but letters and what joins words; or a number of a line.
fn is_ambiguous(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    // In an id of a symbol two stand before its name.
    let is_place = path.match_indices(':').any(|(at, _)| {
        !path[..at].ends_with(':') && path[at + 1..].starts_with(|c: char| c.is_ascii_digit())
    });
    let after_name = path.split('/').any(|part| {
        let last = part.rfind(char::is_whitespace).unwrap_or_default();
        part[..last].contains(['.', ':'])
    });
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "-_.".contains(c));
    let is_odd = |(at, space): (usize, char)| {
        let before = path[..at].chars().next_back();
        let after = path[at + space.len_utf8()..].chars().next();
        space != ' ' || !joins(before) || !joins(after)
    };
    let mut spaces = path.char_indices().filter(|(_, c)| c.is_whitespace());
    first.contains(char::is_whitespace) || is_place || after_name || spaces.any(is_odd)
}

/// A name inside a line, in quotes where it is not one word.
pub fn word(name: &str) -> String {
    let is_word = |c: char| !c.is_whitespace() && !matches!(c, '|' | '"');
    match whole(name) {
        plain if plain.chars().all(is_word) => plain,
        other => format!("\"{}\"", other.replace('"', "'")),
    }
}

/// A word that a shell reads as what is shown of a text, whatever that holds. Where something had to be made visible,
/// the word names nothing.
pub fn argument(text: &str) -> String {
    shell::word(&defused(&whole(text))).unwrap_or_else(|| "''".to_owned())
}

/// The same as the last words of a command, where they must not be taken for an option.
pub fn last_argument(text: &str) -> String {
    match text.starts_with('-') {
        true => format!("-- {}", argument(text)),
        false => argument(text),
    }
}

/// The name of somebody inside a line, at most `max` characters. Our own words are small letters and numbers, so what is
/// not plainly the name of a person stands in quotes.
pub fn person(name: &str, max: usize) -> String {
    let shown = line(name, max);
    let (alone, mail) = match shown
        .strip_suffix('>')
        .and_then(|rest| rest.split_once(" <"))
    {
        Some((alone, mail)) => (alone, mail),
        None => (&*shown, ""),
    };
    let is_plain = |c: char| c.is_alphabetic() || matches!(c, ' ' | '.' | '\'' | '-' | '…');
    let of_mail = |c: char| c.is_ascii_alphanumeric() || "@._+-".contains(c);
    let is_small = alone.chars().next().is_none_or(char::is_lowercase);
    match alone.chars().all(is_plain) && !is_small && mail.chars().all(of_mail) {
        true => shown,
        false => format!("\"{}\"", shown.replace('"', "'")),
    }
}

/// Appends `lines` to `out`, each in the second column or later, so that no content can pass for
/// a header or a footer. Tabs are kept; carriage returns before line ends are dropped.
pub fn block<'a>(out: &mut String, lines: impl Iterator<Item = &'a str>) {
    for text in lines {
        let text = text.strip_suffix('\r').unwrap_or(text);
        if !text.is_empty() {
            out.push('\t');
            out.extend(text.chars().map(|c| if c == '\t' { c } else { shown(c) }));
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_become_visible() {
        assert_eq!(line("a\u{1b}[31mred\u{7}\r\n", 80), "a␛[31mred␇");
        assert_eq!(line("x\u{202e}y\u{9b}z\u{7f}", 80), "x\u{fffd}y\u{fffd}z␡");
        let mut out = String::new();
        block(&mut out, "\tok\r\n\u{1b}]0;t\n\nindex forged".split('\n'));
        assert_eq!(out, "\t\tok\n\t␛]0;t\n\n\tindex forged\n");
    }

    #[test]
    fn an_argument_is_one_word_that_runs_nothing() {
        assert_eq!(argument("a\nb $(id)"), "'a␊b $(id)'");
        assert_eq!(argument(""), "''");
        assert_eq!(defused("###vso[a] ####[b]"), "# # #vso[a] # # # #[b]");
        assert_eq!(last_argument("--color"), "-- --color");
        assert_eq!(last_argument("find"), "find");
    }

    #[test]
    fn a_person_cannot_be_taken_for_words_of_ours() {
        for plain in [
            "Ann Lee",
            "J. O'Neil-Smith",
            "Élodie",
            "李雷",
            "A. Author <a.b+c@example.com>",
        ] {
            assert_eq!(person(plain, 40), plain);
        }
        for odd in [
            "renamed",
            "first tag v9.9",
            "Next: git sverklo trust",
            "Memory 1a2b3c4 rule",
            "a | b",
            "Ann <a@b.c> memory <x y>",
            "",
        ] {
            assert_eq!(person(odd, 40), format!("\"{odd}\""));
        }
        assert_eq!(person("say \"it\"", 40), "\"say 'it'\"");
    }

    #[test]
    fn a_path_cannot_be_taken_for_a_line_of_ours() {
        for plain in [
            "src/a.rs",
            "docs/My File.md",
            "app/(group)/[id]/page.tsx",
            "a/std::fmt.md",
            "größe/ñ.py",
            "\"a\\n\"",
        ] {
            assert_eq!(path(plain), plain);
        }
        assert_eq!(path("##vso[a]/b.py"), r#""\043\043vso[a]/b.py""#);
        assert_eq!(path_bytes(&path("##[error]/b.py")), b"##[error]/b.py");
        assert_eq!(path("::error::/b.py"), "\"::error::/b.py\"");
        for odd in [
            "index 3fce3b5b9d | shown 5 of 5",
            "memory 1a2b3c4 rule (Ann): do it",
            "[at 0000; 5 of 5 shown]",
            "> memory",
            "a/b | warning: c.rs",
            "a/b, c/d.rs",
            " a",
            "a/b ",
            "a/x\u{a0}y",
            // Each would be a line about another file.
            "src/auth.py:10-12 function check",
            "src/auth.py:10",
            "src/auth.py function check",
        ] {
            assert_eq!(path(odd), format!("\"{odd}\""));
        }
        assert_eq!(place("src/a.rs:10-12"), "src/a.rs:10-12");
        assert_eq!(place("src/a.rs:10:3"), "\"src/a.rs:10\":3");
        assert_eq!(place("a b:3"), "\"a b\":3");
        assert_eq!(word("Router.use"), "Router.use");
        assert_eq!(word("it works | next: \"x\""), "\"it works | next: 'x'\"");
    }

    #[test]
    fn no_line_of_a_strangers_words_is_a_command() {
        let command = "##vso[task.setvariable variable=X]y";
        for shown in [
            line(command, 80),
            text(command),
            word(command),
            person(command, 80),
            alone(command),
        ] {
            assert!(shown.contains("# #vso[task"), "{shown}");
        }
        assert_eq!(word("###[error]a"), "\"# # #[error]a\"");
        assert_eq!(alone("  ::error::a"), "  : :error::a");
        // Neither a heading nor a macro is one.
        for plain in ["## Usage", "#define F(a) f_##a", "std::fmt", "x ## [a]"] {
            assert_eq!(
                (line(plain, 80), alone(plain)),
                (plain.into(), plain.into())
            );
        }
    }

    #[test]
    fn cutting_counts_characters() {
        assert_eq!(line("  ééééé ", 5), "ééééé");
        assert_eq!(line("éééééé", 5), "éééé…");
        assert_eq!(line("ab cd", 4), "ab…");
        assert_eq!(whole("a\nb"), "a␊b");
    }
}
