//! Keeps the code base to its own rules. Each failure says which rule, where, and how to mend it.
//!
//! Rules look at code only: comments, strings and `#[cfg(test)]` items are blanked out first.
//! `planted_violations_are_found` shows that every rule can fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "grammar-rust")]
#[path = "tidy/calls/mod.rs"]
mod calls;

/// What each top-level module may use, apart from itself, `id`, `limits` and `record`.
const ARROWS: &[(&str, &[&str])] = &[
    ("id", &[]),
    ("limits", &[]),
    ("labels", &[]),
    ("usual", &[]),
    ("words", &[]),
    ("home", &[]),
    ("cache", &["home"]),
    ("secrets", &[]),
    ("git", &["home", "cache"]),
    ("record", &[]),
    ("syntax", &[]),
    ("modules", &[]),
    ("lang", &["syntax", "modules"]),
    ("clean", &["git"]),
    ("extract", &["secrets", "syntax", "lang"]),
    ("trace", &[]),
    ("scip", &[]),
    ("segment", &["extract"]),
    ("vector", &["extract", "segment"]),
    ("history", &["git", "extract", "segment", "secrets"]),
    (
        "store",
        &[
            "cache", "git", "lang", "extract", "segment", "trace", "scip", "vector", "history",
        ],
    ),
    ("memory", &["cache", "git", "secrets"]),
    ("models", &["git", "home"]),
    (
        "view",
        &[
            "cache", "git", "lang", "extract", "segment", "store", "secrets",
        ],
    ),
    (
        "graph",
        &[
            "cache", "git", "modules", "lang", "extract", "segment", "store", "view",
        ],
    ),
    (
        "query",
        &[
            "git", "clean", "lang", "extract", "segment", "store", "view", "graph", "memory",
            "trace", "history", "vector", "models",
        ],
    ),
    (
        "upkeep",
        &[
            "git", "clean", "extract", "segment", "store", "view", "graph", "query", "trace",
            "scip", "history", "models", "vector", "memory", "secrets",
        ],
    ),
    (
        "render",
        &["clean", "extract", "graph", "query", "upkeep", "trace"],
    ),
    // `remember` writes.
    (
        "mcp",
        &["clean", "lang", "extract", "query", "upkeep", "render"],
    ),
    // Whoever feeds the readers bytes must reach them all; nothing uses it.
    (
        "fuzzing",
        &[
            "cache", "clean", "git", "modules", "lang", "extract", "segment", "trace", "scip",
            "vector", "history", "store", "memory", "models", "view", "graph", "query", "upkeep",
            "render", "mcp",
        ],
    ),
    (
        "cli",
        &[
            "clean", "git", "lang", "extract", "query", "upkeep", "render", "mcp", "trace",
        ],
    ),
];

/// Where a pattern may occur; anywhere else it is a violation.
struct Ban {
    patterns: &'static [&'static str],
    /// Path prefixes below `src/`.
    except: &'static [&'static str],
    mend: &'static str,
}

const BANS: &[Ban] = &[
    Ban {
        patterns: &["process::Command", "Command::new"],
        // The handshake starts this very program, as an agent would.
        except: &["git/", "mcp/handshake.rs"],
        mend: "only src/git starts processes; add what you need there",
    },
    Ban {
        // The macros are left to clippy (`src/lib.rs`).
        patterns: &["io::stdout", "io::stderr"],
        except: &["cli/"],
        mend: "only src/cli prints; return a value or an error instead",
    },
    Ban {
        patterns: &["serde_json::", "json!"],
        // The journal of `init` is a file of ours, which people may have to read. Reports of other
        // programs are what they are, and so are the files and servers of models, and memories that
        // others have kept.
        except: &[
            "cli/",
            "mcp/",
            "upkeep/journal.rs",
            "trace/",
            "models/",
            "memory/import/",
            "fuzzing/",
        ],
        mend: "only the faces know JSON; derive the shape on the report, or put it into src/render/wire",
    },
    Ban {
        patterns: &["schemars::"],
        except: &["mcp/", "render/", "query/state.rs", "query/audit/answer.rs"],
        mend: "only the shapes of answers have schemas: those of src/render/wire, and what they take over",
    },
    Ban {
        patterns: &["rmcp::", "tokio::"],
        // It reads what the server reads.
        except: &["mcp/", "fuzzing/"],
        mend: "only src/mcp is asynchronous",
    },
    Ban {
        patterns: &["clap::", "clap_complete::", "clap_mangen::", "indicatif::"],
        except: &["cli/"],
        mend: "only src/cli reads arguments and draws",
    },
    Ban {
        patterns: &["tree_sitter"],
        except: &["extract/", "lang/", "syntax/"],
        mend: "only src/extract, src/lang and src/syntax parse source code",
    },
    Ban {
        patterns: &["node.kind()", "child.kind()"],
        except: &["syntax/node.rs"],
        mend: "ask for `kind_name`, which does not read the name anew each time",
    },
    Ban {
        patterns: &["memmap2::"],
        except: &["cache/mmap.rs"],
        mend: "map files through src/cache, which checks them",
    },
    Ban {
        patterns: &["blake3::", "getrandom::"],
        except: &["cache/"],
        mend: "only src/cache seals files; keep what you have through it",
    },
    Ban {
        patterns: &["ureq::"],
        except: &["models/http.rs"],
        mend: "only src/models/http.rs speaks to servers; nothing else may leave the machine",
    },
    Ban {
        patterns: &["ort::"],
        except: &["models/onnx.rs"],
        mend: "networks are run in src/models/onnx.rs",
    },
];

/// Lines a source file may have, tests not counted.
const LONGEST_FILE: usize = 700;

/// What lies at the top of the repository. Names that begin with a dot are not looked at.
const TOP: &[&str] = &[
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "benchmark",
    "format-spec",
    "hooks",
    "src",
    "tests",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every Rust file below `folder`, by path relative to it, in order.
fn rust_files(folder: &str) -> BTreeMap<String, String> {
    let top = root().join(folder);
    let mut files = BTreeMap::new();
    let mut folders = vec![top.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path: PathBuf = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(&top).expect("below").to_string_lossy();
                let text = fs::read_to_string(&path).expect("source is UTF-8");
                files.insert(name.replace('\\', "/"), text);
            }
        }
    }
    files
}

/// Returns the files below `src`, blanked, without those that are only compiled for tests.
fn code_files() -> BTreeMap<String, String> {
    let raw = rust_files("src");
    let mut test_files = Vec::new();
    for (path, text) in &raw {
        let folder = match path.rsplit_once('/') {
            Some((folder, "mod.rs")) => format!("{folder}/"),
            Some((folder, file)) => format!("{folder}/{}/", file.trim_end_matches(".rs")),
            None => String::new(),
        };
        for name in test_modules(&blank(text)) {
            test_files.push(format!("{folder}{name}.rs"));
            test_files.push(format!("{folder}{name}/mod.rs"));
        }
    }
    let code = raw
        .into_iter()
        .filter(|(path, _)| !test_files.contains(path));
    code.map(|(path, text)| (path, without_tests(&blank(&text))))
        .collect()
}

/// Returns `source` with comments and the contents of literals replaced by spaces; line breaks
/// stay where they are.
fn blank(source: &str) -> String {
    let text: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut at = 0;
    let hide = |out: &mut String, from: usize, to: usize| {
        out.extend(
            text[from..to]
                .iter()
                .map(|c| if *c == '\n' { '\n' } else { ' ' }),
        );
    };
    while at < text.len() {
        let rest = &text[at..];
        let end = match rest {
            ['/', '/', ..] => at + rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => at + comment_len(rest),
            ['"', ..] => at + string_len(rest),
            ['\'', '\\', ..] => {
                at + 2
                    + rest[2..]
                        .iter()
                        .skip(1)
                        .position(|c| *c == '\'')
                        .map_or(0, |n| n + 2)
            }
            ['\'', _, '\'', ..] => at + 3,
            ['r', '"' | '#', ..]
                if !text[..at].last().is_some_and(|c| is_word(*c) && *c != 'b') =>
            {
                at + raw_len(rest).unwrap_or(0)
            }
            _ => at,
        };
        if end == at {
            out.push(text[at]);
            at += 1;
        } else {
            hide(&mut out, at, end.min(text.len()));
            at = end;
        }
    }
    out
}

fn comment_len(text: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_len(text: &[char]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != '"' {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// Length of a raw string; `None` for a raw identifier.
fn raw_len(text: &[char]) -> Option<usize> {
    let hashes = text[1..].iter().take_while(|c| **c == '#').count();
    if text.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let body = 2 + hashes;
    let ends = |at: &usize| {
        text[*at] == '"'
            && text[at + 1..]
                .iter()
                .take(hashes)
                .filter(|c| **c == '#')
                .count()
                == hashes
    };
    let end = (body..text.len()).find(ends)?;
    Some(end + 1 + hashes)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the start of every `#[cfg(test)]` in blanked code, and the end of its item.
fn test_items(code: &str) -> Vec<(usize, usize)> {
    const MARK: &str = "#[cfg(test)]";
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(start) = code[from..].find(MARK).map(|n| from + n) {
        let mut depth = 0;
        let after = start + MARK.len();
        let end = code[after..].char_indices().find_map(|(n, c)| {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth -= 1,
                _ => {}
            }
            let closed = depth == 0 && matches!(c, '}' | ';');
            closed.then_some(after + n + 1)
        });
        let end = end.unwrap_or(code.len());
        items.push((start, end));
        from = end;
    }
    items
}

/// Returns the names of modules in files of their own that are only compiled for tests.
fn test_modules(code: &str) -> Vec<String> {
    let items = test_items(code).into_iter();
    let named = items.filter_map(|(start, end)| {
        let item = code[start..end].trim_end().strip_suffix(';')?;
        let (_, name) = item.rsplit_once("mod ")?;
        name.chars().all(is_word).then(|| name.to_owned())
    });
    named.collect()
}

/// Returns blanked code without its test items; line numbers stay true.
fn without_tests(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    let mut from = 0;
    for (start, end) in test_items(code) {
        out.push_str(&code[from..start]);
        out.extend(code[start..end].chars().filter(|c| *c == '\n'));
        from = end;
    }
    out + &code[from..]
}

/// Returns the byte offsets at which `pattern` stands as whole words.
fn find_all<'a>(code: &'a str, pattern: &'a str) -> impl Iterator<Item = usize> + 'a {
    let begins = pattern.starts_with(is_word);
    let ends = pattern.ends_with(is_word);
    code.match_indices(pattern)
        .map(|(at, _)| at)
        .filter(move |&at| {
            let before = code[..at].chars().next_back();
            let after = code[at + pattern.len()..].chars().next();
            !(begins && before.is_some_and(is_word) || ends && after.is_some_and(is_word))
        })
}

fn line_of(code: &str, at: usize) -> usize {
    code[..at].matches('\n').count() + 1
}

/// Returns the top-level module a file below `src` belongs to.
fn module_of(path: &str) -> &str {
    path.split('/')
        .next()
        .unwrap_or(path)
        .trim_end_matches(".rs")
}

/// Returns the modules named right after `crate::`, with where they stand.
fn crate_uses(code: &str) -> Vec<(usize, String)> {
    let mut uses: Vec<(usize, String)> = Vec::new();
    for at in find_all(code, "crate::") {
        let rest = &code[at + "crate::".len()..];
        let word = |text: &str| {
            text.trim_start()
                .chars()
                .take_while(|c| is_word(*c))
                .collect()
        };
        if !rest.starts_with('{') {
            uses.push((at, word(rest)));
            continue;
        }
        let mut depth = 0;
        let mut part = 1;
        for (n, c) in rest.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if (c == ',' && depth == 1) || depth == 0 {
                uses.push((at, word(&rest[part..n])));
                part = n + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    uses.retain(|(_, name)| !name.is_empty());
    uses
}

fn arrow_violations(path: &str, code: &str) -> Vec<String> {
    let module = module_of(path);
    if matches!(module, "lib" | "main") {
        return Vec::new();
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
        return vec![format!(
            "src/{path}: module `{module}` has no place in ARROWS of tests/tidy.rs"
        )];
    };
    let mut found = Vec::new();
    for (at, used) in crate_uses(code) {
        let free = used == module || matches!(used.as_str(), "id" | "limits" | "record");
        if !free
            && ARROWS.iter().any(|(name, _)| *name == used)
            && !allowed.contains(&used.as_str())
        {
            found.push(format!(
                "src/{path}:{}: `{module}` must not use `{used}`; it may use {allowed:?}. Move the \
                 code to the layer that may, or pass a value in",
                line_of(code, at)
            ));
        }
    }
    found
}

fn ban_violations(path: &str, code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for ban in BANS
        .iter()
        .filter(|ban| !ban.except.iter().any(|e| path.starts_with(e)))
    {
        for pattern in ban.patterns {
            let lines = find_all(code, pattern).map(|at| line_of(code, at));
            found.extend(lines.map(|n| format!("src/{path}:{n}: `{pattern}`: {}", ban.mend)));
        }
    }
    found
}

fn length_violations(path: &str, code: &str) -> Vec<String> {
    let tests = test_items(code)
        .first()
        .map_or(code.len(), |(start, _)| *start);
    let lines = code[..tests].lines().count();
    match lines > LONGEST_FILE {
        true => vec![format!(
            "src/{path}: {lines} lines without tests; split it by subject (goal: 150 to 500)"
        )],
        false => Vec::new(),
    }
}

#[track_caller]
fn nothing_in(found: &[String]) {
    let mut text = String::new();
    for line in found {
        let _ = writeln!(text, "{line}");
    }
    assert!(found.is_empty(), "{} violations:\n{text}", found.len());
}

#[test]
fn layers_use_only_what_lies_to_their_left() {
    let found = code_files()
        .iter()
        .flat_map(|(p, c)| arrow_violations(p, c))
        .collect::<Vec<_>>();
    nothing_in(&found);
}

#[test]
fn each_thing_is_done_in_its_place() {
    let found = code_files()
        .iter()
        .flat_map(|(p, c)| ban_violations(p, c))
        .collect::<Vec<_>>();
    nothing_in(&found);
}

#[test]
fn files_are_short() {
    let files = rust_files("src");
    let found = files
        .iter()
        .flat_map(|(p, c)| length_violations(p, &blank(c)));
    nothing_in(&found.collect::<Vec<_>>());
}

/// The one reason to be left out of a run: other tests start it as a process of its own.
const CHILD: &str = "run as a child process by other tests";

#[test]
fn no_test_is_switched_off() {
    let mut found = Vec::new();
    // What lies in tests/corpus is data.
    for folder in ["src", "tests/it", "tests/siege"] {
        for (path, text) in rust_files(folder) {
            let code = blank(&text);
            let marks = code
                .match_indices("#[ignore")
                .map(|(at, _)| line_of(&code, at));
            let lines = marks.filter(|n| {
                let line = text.lines().nth(n - 1).unwrap_or_default();
                !line.contains(CHILD)
            });
            found.extend(
                lines.map(|n| format!("{folder}/{path}:{n}: make it quick and sure, or delete it")),
            );
        }
    }
    nothing_in(&found);
}

#[test]
fn the_top_of_the_repository_is_tidy() {
    let names = fs::read_dir(root()).expect("the repository").map(|entry| {
        entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    // `target` is where cargo builds; git ignores it.
    let mut names: Vec<String> = names
        .filter(|name| !name.starts_with('.') && name != "target")
        .collect();
    names.sort();
    assert_eq!(
        names, TOP,
        "put new things into one of the folders, or add what is missing"
    );
}

/// Returns the value of every `pub const NAME: T = value;` of a file that is a number or a byte
/// string.
fn constants(source: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for part in source.split("pub const ").skip(1) {
        let Some((head, rest)) = part.split_once('=') else {
            continue;
        };
        let Some((name, _)) = head.split_once(':') else {
            continue;
        };
        let Some((value, _)) = rest.split_once(";\n") else {
            continue;
        };
        if let Some(value) = value_of(value.trim()) {
            found.insert(name.trim().to_owned(), value);
        }
    }
    found
}

/// Evaluates a literal or one shift or product of literals, as written in code or in a table.
fn value_of(text: &str) -> Option<String> {
    let plain = |text: &str| -> Option<u128> {
        let text = text.trim().replace('_', "");
        match text.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        }
    };
    if let Some((base, shift)) = text.split_once("<<") {
        return Some((plain(base)? << plain(shift)?).to_string());
    }
    if let Some((one, two)) = text.split_once('*').filter(|(one, _)| !one.is_empty()) {
        return Some((plain(one)? * plain(two)?).to_string());
    }
    if text.contains("b\"") {
        return Some(text.trim_start_matches('*').to_owned());
    }
    plain(text).map(|n| n.to_string())
}

/// Returns name and value of every table row that begins with a constant's name in backquotes.
fn table_rows(page: &str) -> Vec<(String, String)> {
    let rows = page.lines().filter_map(|line| {
        let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let value = cells.next()?.trim_matches('`');
        (name.len() > 2 && name.chars().all(upper)).then(|| (name.to_owned(), value.to_owned()))
    });
    rows.collect()
}

/// Compares the tables of a page of the specification with the constants of a source file.
fn table_violations(page: &str, tables: &str, file: &str, source: &str) -> Vec<String> {
    let constants = constants(source);
    let rows = table_rows(tables);
    let mut found = Vec::new();
    for (name, value) in &rows {
        let told = value_of(value).unwrap_or_else(|| value.clone());
        match constants.get(name) {
            None => found.push(format!(
                "{page}: `{name}` is no constant of {file}; drop the row"
            )),
            Some(real) if *real != told => {
                found.push(format!(
                    "{page}: `{name}` is {real} in {file}, not {told}; correct the page"
                ));
            }
            Some(_) => {}
        }
    }
    // Magic bytes are described in prose; every number has a row.
    let numbers = constants
        .iter()
        .filter(|(_, value)| !value.starts_with('b'));
    for name in numbers
        .map(|(name, _)| name)
        .filter(|name| !rows.iter().any(|(row, _)| row == *name))
    {
        found.push(format!(
            "{page}: a row for `{name}` of {file} is missing; add it"
        ));
    }
    found
}

#[test]
fn the_specification_repeats_the_constants() {
    let mut found = Vec::new();
    for (page, file) in [
        ("format-spec/50-limits.md", "src/limits.rs"),
        ("format-spec/20-segment.md", "src/segment/format.rs"),
    ] {
        match (
            fs::read_to_string(root().join(page)),
            fs::read_to_string(root().join(file)),
        ) {
            (Ok(tables), Ok(source)) => {
                found.extend(table_violations(page, &tables, file, &source))
            }
            (tables, _) => {
                let missing = if tables.is_err() { page } else { file };
                found.push(format!("{missing} is missing; write it"));
            }
        }
    }
    nothing_in(&found);
}

#[test]
fn planted_violations_are_found() {
    let bad = "use crate::{id::BlobId, store};\nfn f() { rmcp::serve(); io::stdout(); }\n";
    assert_eq!(arrow_violations("extract/a.rs", bad).len(), 1);
    assert_eq!(arrow_violations("store/a.rs", bad).len(), 0);
    assert_eq!(arrow_violations("nowhere/a.rs", bad).len(), 1);
    assert_eq!(
        arrow_violations("git/a.rs", "fn f() { crate::view::open() }").len(),
        1
    );
    let found = ban_violations("query/a.rs", bad);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .all(|line| line.starts_with("src/query/a.rs:2: ")),
        "{found:?}"
    );
    for ban in BANS {
        for pattern in ban.patterns {
            assert!(
                !ban_violations("nowhere.rs", pattern).is_empty(),
                "{pattern}"
            );
            for except in ban.except {
                assert!(
                    ban_violations(&format!("{except}x.rs"), pattern).is_empty(),
                    "{pattern}"
                );
            }
        }
    }
    assert_eq!(length_violations("a.rs", &"x\n".repeat(701)).len(), 1);
    let tail = "x\n".repeat(700) + "#[cfg(test)]\nmod tests {\n\n}\n";
    assert_eq!(length_violations("a.rs", &tail).len(), 0);
    let source = "pub const A_B: usize = 4 << 10;\npub const CD_E: [u8; 2] = *b\"x\\n\";\npub const F_G: u8 = 1;\n";
    let page = "| `A_B` | 4096 | ok |\n| `CD_E` | `b\"y\"` | wrong |\n| `H_I` | 1 | unknown |\n";
    let found = table_violations("p", page, "f", source);
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn only_code_is_looked_at() {
    let source = r####"
        // rmcp::x()
        /* /* ureq:: */ ort:: */
        let a = "json!\" ort::"; let b = r#"json!" clap::"#; let c = '"'; let d = '\'';
        fn f<'a>(x: &'a str) -> u8 { b'"' }
        #[cfg(test)]
        fn helper() { io::stdout(); { } }
        fn g() { unsafe_json(); }
        #[cfg(test)]
        mod samples;
        #[cfg(test)]
        mod tests { use super::*; fn t() { ort::run() } }
    "####;
    let code = blank(source);
    assert_eq!(code.lines().count(), source.lines().count());
    assert_eq!(test_modules(&code), ["samples"]);
    let code = without_tests(&code);
    assert_eq!(ban_violations("query/a.rs", &code), Vec::<String>::new());
    assert!(code.contains("fn g()") && code.contains("fn f<'a>") && !code.contains("helper"));
}
