//! Dispatch that is no call in the repository's own code: where programs begin, what a language or its
//! standard library calls, what a base or interface calls that is not here.

use crate::extract::record::Grammar;
use crate::lang;
use crate::lang::liveness::Contract;
use crate::view::text::Text;

/// Names of functions and methods that a program begins at.
const ENTRY_POINTS: &[&[u8]] =
    byte_words!("main Main WinMain wmain LLVMFuzzerInitialize LLVMFuzzerTestOneInput premain");

/// Bases of the standard library that call nothing but what the language calls anyway.
pub const PLAIN_BASES: &[&str] =
    words!("ABC Error Exception Generic Object RuntimeError TypeError ValueError object");

/// Whether a program begins at a function of this name, at the top level of a file or in a type.
pub fn is_entry_point(lang: Grammar, name: &[u8], at_top: bool) -> bool {
    let own = lang::of(lang).liveness.entry_points;
    ENTRY_POINTS.contains(&name) || (at_top && own.contains(&name))
}

/// Whether a method of this name is called by the language or its standard library.
pub fn is_called_by_language(lang: Grammar, name: &[u8]) -> bool {
    let liveness = &lang::of(lang).liveness;
    let dunder = name.starts_with(b"__") && (liveness.calls_underscored || name.ends_with(b"__"));
    let operator = name.first().is_some_and(|b| b"+-*/%<=>!~&|^[".contains(b))
        || name.starts_with(b"operator");
    let known = || {
        let name = std::str::from_utf8(name).unwrap_or_default();
        let mut beginnings = liveness.called_beginnings.iter();
        liveness.called_methods.contains(&name)
            || beginnings.any(|begun| name.len() > begun.len() && name.starts_with(begun))
    };
    dunder || operator || known()
}

/// The interface of the standard library through which a method may be called, of a type that has the
/// methods for which `has` says so. Of several the one with most methods tells most.
pub fn contract(
    lang: Grammar,
    name: &[u8],
    mut has: impl FnMut(&str) -> bool,
) -> Option<&'static Contract> {
    let of_name = |contract: &&Contract| contract.methods.iter().any(|m| m.as_bytes() == name);
    let contracts = lang::of(lang).liveness.contracts.iter();
    let whole = contracts.filter(of_name).filter(|contract| {
        let mut others = contract.methods.iter().filter(|m| m.as_bytes() != name);
        others.all(|method| has(method))
    });
    whole.max_by_key(|contract| contract.methods.len())
}

/// What calls a type that a framework finds by the path of its file and by its name.
pub fn convention(lang: Grammar, path: &[u8], name: &[u8]) -> Option<&'static str> {
    let mut known = lang::of(lang).liveness.conventions.iter();
    let found = known.find(|of| {
        let mut folders = path.rsplit(|b| *b == b'/').skip(1);
        name.ends_with(of.ending.as_bytes()) && folders.any(|part| part == of.folder.as_bytes())
    });
    found.map(|of| of.by)
}

/// What calls the functions of a script that it runs: what builds packages, and what starts services.
pub fn runner(lang: Grammar, path: &[u8], text: &Text) -> Option<&'static str> {
    if !lang::of(lang).liveness.scripts_are_called {
        return None;
    }
    let name = path.rsplit(|b| *b == b'/').next().unwrap_or(path);
    match name {
        b"PKGBUILD" => return Some("makepkg"),
        b"APKBUILD" => return Some("abuild"),
        _ if name.ends_with(b".ebuild") || name.ends_with(b".eclass") => return Some("ebuild"),
        _ => {}
    }
    let first = text.line(1).trim_ascii_end();
    let is_service = [&b"openrc-run"[..], b"/runscript", b"/rc.common"]
        .iter()
        .any(|with| first.starts_with(b"#!") && first.ends_with(with));
    let mut lines = text.bytes().split(|b| *b == b'\n');
    let mut sources = || {
        lines.any(|line| {
            let of = sourced(line);
            of.is_some_and(|path| path.ends_with(b".subr") || path.ends_with(b"/rc.common"))
        })
    };
    (is_service || sources()).then_some("rc")
}

/// The file that a line of a script takes in, wherever in the line: `[ -f /etc/rc.common ] && source /etc/rc.common`.
fn sourced(line: &[u8]) -> Option<&[u8]> {
    let mut commands = line.split(|b| matches!(b, b';' | b'&' | b'|' | b'{' | b'#'));
    commands.find_map(|command| {
        let command = command.trim_ascii();
        let words = [&b"then "[..], b"else ", b"do ", b"if "];
        let behind = words.iter().find_map(|word| command.strip_prefix(*word));
        let command = behind.unwrap_or(command).trim_ascii_start();
        let path = command
            .strip_prefix(b". ")
            .or_else(|| command.strip_prefix(b"source "))?;
        let path = path.trim_ascii_start();
        let path = path.strip_prefix(b"\"").unwrap_or(path);
        path.split(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\''))
            .next()
    })
}

/// Parts of the paths of scripts that set variables and call nothing.
const SETTINGS: &[&[u8]] = byte_words!(
    "/dev/ -release /default/ /sysconfig/ /environment .conf .env /activate /profile bashrc venv"
);

/// The first line at which a script takes in one that is not of the repository, and may call what this one has: a path from
/// the root of the machine, of which none is known that says it holds settings.
pub fn sources_outside(text: &Text) -> Option<u32> {
    let mut lines = text.bytes().split(|b| *b == b'\n').zip(1..);
    lines.find_map(|(line, at)| {
        let path = sourced(line).filter(|path| path.starts_with(b"/"))?;
        let is_setting = |part: &&[u8]| memchr::memmem::find(path, part).is_some();
        (!SETTINGS.iter().any(is_setting)).then_some(at)
    })
}

/// Whether the language reads what has this name, in a language that has such names: `_ENV` (Lua).
pub fn is_read_by_language(lang: Grammar, name: &[u8]) -> bool {
    lang::of(lang).liveness.read_names.contains(&name)
}

/// Whether a constant at the top of a file is a setting, which who loads that module reads by its name.
pub fn is_setting(lang: Grammar, path: &[u8], name: &[u8]) -> bool {
    let Some(word) = lang::of(lang).liveness.settings else {
        return false;
    };
    let is_upper = name.first().is_some_and(u8::is_ascii_uppercase)
        && !name.iter().any(u8::is_ascii_lowercase);
    let mut parts = path.rsplit(|b| *b == b'/');
    let file = parts.next().unwrap_or_default();
    let stem = file.split(|b| *b == b'.').next().unwrap_or_default();
    let is_named = stem.split(|b| *b == b'_').any(|part| part == word);
    is_upper && (is_named || parts.next() == Some(word))
}

/// Whether a base of this name is that of what is thrown.
pub fn is_thrown(base: &str) -> bool {
    base.ends_with("Exception") || base.ends_with("Error")
}

/// Lines of a head that are looked at.
const MAX_HEAD_LINES: u32 = 4;
/// Lines before a definition in which it is looked for what stands before it.
const MAX_LINES_BEFORE: u32 = 8;

/// Whether a definition stands where a value does, so that its name is for reading only: `return function f() {}`,
/// `on('end', function f() {})`. Only languages that name values are asked (`Liveness::names_values`).
pub fn is_value(lang: Grammar, text: &Text, (line, col): (u32, u32)) -> bool {
    if !lang::of(lang).liveness.names_values {
        return false;
    }
    let own = text.line(line);
    let own = own.get(..col as usize).unwrap_or(own).trim_ascii_end();
    let own = own.strip_suffix(b"async").unwrap_or(own);
    let above = (line.saturating_sub(MAX_LINES_BEFORE).max(1)..line).rev();
    let lines = std::iter::once(own).chain(above.map(|line| text.line(line)));
    let mut written = lines.map(|line| line.trim_ascii()).filter(|line| {
        let is_comment =
            line.starts_with(b"//") || line.starts_with(b"*") || line.starts_with(b"/*");
        !line.is_empty() && !is_comment
    });
    let Some(before) = written.next() else {
        return false;
    };
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || *b >= 0x80;
    let word = before
        .iter()
        .rposition(|b| !is_word(b))
        .map_or(0, |at| at + 1);
    match (&before[word..], before.last()) {
        (b"return" | b"yield" | b"await" | b"new" | b"typeof" | b"void" | b"throw", _) => true,
        (b"", Some(b'(' | b',' | b'=' | b':' | b'[' | b'?' | b'|' | b'&' | b'!')) => true,
        (b"", Some(b'>')) => before.ends_with(b"=>"),
        _ => false,
    }
}

/// Whether a word before its name says that a definition is called as what is declared elsewhere: `actual fun now()`.
pub fn is_actual(lang: Grammar, text: &Text, (line, col): (u32, u32)) -> bool {
    lang::of(lang).liveness.actual_mark.is_some_and(|mark| {
        let before = text.line(line);
        let before = before.get(..col as usize).unwrap_or(before);
        before
            .split(|b| b.is_ascii_whitespace())
            .any(|word| word == mark)
    })
}

/// Whether the head of a function that no type is known of says that it overrides a member of one (C++).
pub fn says_override(text: &Text, line: u32) -> bool {
    let heads = (line..line.saturating_add(MAX_HEAD_LINES)).map(|line| text.line(line));
    for line in heads {
        let end = line.iter().position(|b| matches!(b, b'{' | b';'));
        let head = &line[..end.unwrap_or(line.len())];
        let mut words = head.split(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        if words.any(|word| word == b"override") {
            return true;
        }
        if end.is_some() {
            return false;
        }
    }
    false
}

/// Whether a word or a mark at its name hides a member from all but its type: `private f()`, `#f()`.
pub fn is_hidden(text: &Text, (line, col): (u32, u32)) -> bool {
    let before = text.line(line);
    let (before, name) = before
        .split_at_checked(col as usize)
        .unwrap_or((before, b""));
    let mut words = before.split(|b| b.is_ascii_whitespace());
    name.starts_with(b"#") || words.any(|word| matches!(word, b"private" | b"protected"))
}

/// Whether a base that is not here does not know a method of this name: it is private by its name.
pub fn is_private(name: &[u8]) -> bool {
    name.starts_with(b"_") && !name.starts_with(b"__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_a_module_of_settings_are_settings() {
        let is =
            |path: &str, name: &str| is_setting(Grammar::Python, path.as_bytes(), name.as_bytes());
        for path in [
            "app/settings.py",
            "settings/dev.py",
            "local_settings.py",
            "settings_test.py",
        ] {
            assert!(
                is(path, "USE_TZ") && !is(path, "helper") && !is(path, "Path"),
                "{path}"
            );
        }
        assert!(!is("app/settings/forms/views.py", "LIMIT") && !is("app/models.py", "LIMIT"));
        assert!(!is_setting(Grammar::Go, b"settings/a.go", b"LIMIT"));
    }

    #[test]
    fn scripts_that_take_in_others_from_outside_say_so() {
        let at = |source: &str| sources_outside(&Text::new(source.as_bytes().to_vec()));
        assert_eq!(
            at("set -e\n[ -f /lib/lsb/f ] && source /lib/lsb/f # so\n"),
            Some(2)
        );
        assert_eq!(at("if true; then . \"/usr/lib/a.sh\"; fi\n"), Some(1));
        for none in [
            ". /etc/os-release",
            ". ./lib.sh",
            "# see . /lib/a",
            "echo source /lib/a",
            "find . /lib -name a",
        ] {
            assert_eq!(at(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_actual_says_so() {
        let text = Text::new(b"actual fun now() = actual(1)\nfun actualNow() = 1\n".to_vec());
        assert!(is_actual(Grammar::Kotlin, &text, (1, 11)));
        assert!(!is_actual(Grammar::Kotlin, &text, (2, 4)));
        assert!(!is_actual(Grammar::Java, &text, (1, 11)));
    }

    #[test]
    fn what_stands_where_a_value_does_is_handed_on() {
        let source = b"on('x', function a() {});\nreturn function b() {};\nf(\n  // why\n  async function c() {}\n);\n\
            x = 1;\nfunction d() {}\nexport default function e() {}\nif (x) { function g() {} }\nreturns\nfunction h() {}\n";
        let text = Text::new(source.to_vec());
        let is = |place| is_value(Grammar::JavaScript, &text, place);
        for place in [(1, 8), (2, 7), (5, 2), (5, 8)] {
            assert!(is(place), "{place:?}");
        }
        for place in [(8, 0), (9, 15), (10, 9), (12, 0)] {
            assert!(!is(place), "{place:?}");
        }
        assert!(!is_value(Grammar::Python, &text, (1, 8)));
    }
}
