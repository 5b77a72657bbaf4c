//! Words for a POSIX shell: whatever a file or a test is called, it stays one argument and runs nothing.

use super::quoting::is_deceptive;

/// One word that a shell reads as exactly `text`; `None` where there is none that may be pasted: terminals act on
/// control characters before any shell sees them, people cannot see what a deceptive one hides, and runners of pipelines
/// take `##[...]` and `##vso[...]` in a log for commands.
pub fn word(text: &str) -> Option<String> {
    let unfit = |c: char| c.is_control() || is_deceptive(c);
    if text.contains(unfit) || text.contains("##") {
        return None;
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_./:@%+,-".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        return Some(text.to_owned());
    }
    // In single quotes nothing is special but the single quote (POSIX.1-2024, 2.2.2 of Shell Command Language).
    Some(format!("'{}'", text.replace('\'', r"'\''")))
}

/// As [`word`] for a path, which must not be taken for an option, or for a file of arguments (`@file`).
pub fn path(text: &str) -> Option<String> {
    match text.starts_with(['-', '@']) {
        true => word(&format!("./{text}")),
        false => word(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    /// What a shell makes of a command line: the arguments, one a line.
    fn read_back(words: &str) -> String {
        let script = format!("printf '%s\\n' {words}");
        let out = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    }

    #[test]
    fn hostile_names_stay_words() {
        for name in [
            "a b.py",
            "$(touch pwned).py",
            "`id`.py",
            "it's.py",
            "a;b&c|d>e<f",
            "*",
            "~root",
            "#no",
            "\\",
            "''",
            "!!",
            "a=b",
            "{a,b}",
            "",
        ] {
            assert_eq!(read_back(&word(name).unwrap()), format!("{name}\n"));
        }
        assert_eq!(path("-rf.py").as_deref(), Some("./-rf.py"));
        assert_eq!(path("@args.py").as_deref(), Some("./@args.py"));
        assert_eq!(path("tests/test_a.py").as_deref(), Some("tests/test_a.py"));
        for name in ["##vso[a]", "x##[y]"] {
            assert_eq!(word(name), None);
        }
        for name in ["a\nb", "\u{1b}[31m", "a\r", "a\u{202e}b", "\u{3}"] {
            assert_eq!(word(name), None);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_name_is_read_back_as_it_was(names in proptest::collection::vec("[ -~äß€]{0,12}", 1..8)) {
            let names: Vec<String> = names.into_iter().filter(|name| !name.contains("##")).collect();
            prop_assume!(!names.is_empty());
            let words: Vec<String> = names.iter().map(|name| word(name).unwrap()).collect();
            prop_assert_eq!(read_back(&words.join(" ")), names.join("\n") + "\n");
        }

        #[test]
        fn words_hold_no_character_that_a_terminal_acts_on(name in any::<String>()) {
            if let Some(word) = word(&name) {
                prop_assert!(!word.contains(|c: char| c.is_control() || is_deceptive(c)));
            }
        }
    }
}
