//! Commit localisation, generated from any repository's history: the subject line of a commit is the
//! question, the files that it changed are the answer, and what is searched is the tree of a commit
//! before all of them, so that none of the answers has been made yet. The subject line alone is asked:
//! bodies name files and functions, and many projects write none.

use super::{Question, Target, Task};
use crate::Result;
use crate::subject::run_git;
use std::collections::BTreeSet;
use std::path::Path;

/// First-parent commits between the tree that is searched and `HEAD`.
const WINDOW: usize = 400;
/// A commit that changed more product files than this sweeps through the code and has no place to be
/// found.
const MOST_FILES: usize = 10;
/// A subject of fewer words says too little.
const LEAST_WORDS: usize = 4;
/// Results that are looked at.
const DEPTH: usize = 20;

/// The revision to search and the questions about it, at most `count`, spread evenly over the commits
/// that qualify.
pub fn generate(repository: &Path, count: usize) -> Result<(String, Vec<Task>)> {
    let base = base(repository)?;
    let listing = run_git(repository, &["ls-tree", "-r", "-z", "--name-only", &base])?;
    let existing: BTreeSet<&str> = listing.split_terminator('\0').collect();
    let log = run_git(
        repository,
        &[
            "-c",
            "core.quotePath=false",
            "log",
            "--no-merges",
            "--reverse",
            "--no-renames",
            "--diff-filter=AMD",
            "--name-status",
            "--format=%x01%H %s",
            &format!("{base}..HEAD"),
        ],
    )?;
    let qualified: Vec<Task> = log
        .split('\u{1}')
        .filter_map(|entry| task(entry, &existing))
        .collect();
    let step = (qualified.len() as f64 / count as f64).max(1.0);
    let tasks = (0..count)
        .map(|i| (i as f64 * step) as usize)
        .map_while(|at| qualified.get(at).cloned())
        .collect();
    Ok((base, tasks))
}

/// The commit `WINDOW` first parents before `HEAD`, or a third of a shorter history.
fn base(repository: &Path) -> Result<String> {
    let log = run_git(
        repository,
        &[
            "rev-list",
            "--first-parent",
            &format!("-n{}", 3 * WINDOW),
            "HEAD",
        ],
    )?;
    let commits: Vec<&str> = log.lines().collect();
    commits
        .get(WINDOW.min(commits.len() / 3))
        .map(|commit| (*commit).to_owned())
        .ok_or_else(|| "the repository has no commits".into())
}

/// A commit as a question, if it is one: `<id> <subject>`, then `<status>\t<path>` lines.
fn task(entry: &str, existing: &BTreeSet<&str>) -> Option<Task> {
    let (head, rest) = entry.split_once('\n')?;
    let (id, subject) = head.split_once(' ')?;
    let query = question(subject)?;
    let mut targets = Vec::new();
    for line in rest.lines() {
        let Some((status, path)) = line.split_once('\t') else {
            continue;
        };
        if !is_product(path) {
            continue;
        }
        // A change that also makes or removes code is about files that cannot be found.
        if status != "M" || !existing.contains(path) {
            return None;
        }
        if is_version(path) {
            continue;
        }
        targets.push(Target {
            path: path.to_owned(),
            span: None,
        });
    }
    (1..=MOST_FILES).contains(&targets.len()).then(|| Task {
        id: id[..10.min(id.len())].to_owned(),
        set: "history".to_owned(),
        lang: String::new(),
        category: String::new(),
        neutral: Vec::new(),
        scope: Vec::new(),
        question: Question::Locate {
            query,
            truth: targets,
            depth: DEPTH,
        },
    })
}

/// The subject line without what the forge and the convention add to it.
fn question(subject: &str) -> Option<String> {
    let upkeep = [
        "chore",
        "bump",
        "bumps",
        "release",
        "revert",
        "docs",
        "doc",
        "build",
        "ci",
        "style",
        "merge",
        "prepare",
        "update dependency",
        "update dependencies",
        "deps",
        "dependencies",
        "v0.",
        "v1.",
        "v2.",
        "fix typo",
        "typo",
    ];
    // Some projects begin with a picture.
    let subject = subject.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && c != '`');
    let lower = subject.to_ascii_lowercase();
    let is_upkeep = |words: &str| {
        lower
            .strip_prefix(words)
            .is_some_and(|rest| words.ends_with('.') || !rest.starts_with(char::is_alphanumeric))
    };
    if upkeep.iter().any(|words| is_upkeep(words)) || !subject.is_ascii() {
        return None;
    }
    let mut text = subject.trim();
    // "(#123)" at the end.
    if let Some(at) = text.rfind(" (#").filter(|_| text.ends_with(')')) {
        text = text[..at].trim_end();
    }
    // "fix(scope): " or "net: " at the start; a scope often is the answer's name.
    if let Some((prefix, rest)) = text.split_once(": ")
        && prefix.split_whitespace().count() == 1
    {
        text = rest.trim_start();
    }
    (text.split_whitespace().count() >= LEAST_WORDS).then(|| text.to_owned())
}

/// Code that is shipped, told by its path: no tests, examples, documents or fixtures.
pub(super) fn is_product(path: &str) -> bool {
    const CODE: &[&str] = &[
        "rs", "go", "py", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "c", "h", "cc",
        "cpp", "hpp", "java", "vue", "svelte", "kt", "scala", "cs", "php", "rb", "ex", "hs", "ml",
        "mli", "dart", "swift", "lua", "zig",
    ];
    const ELSE: &[&str] = &[
        "test",
        "tests",
        "__tests__",
        "spec",
        "specs",
        "example",
        "examples",
        "docs",
        "doc",
        "docs_src",
        "doc",
        "fixture",
        "fixtures",
        "playground",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "e2e",
        "scripts",
        "deps",
        "vendor",
        "third_party",
        "tests-integration",
        "helpers",
        "testing",
        "testdata",
        "tutorial",
        "tutorials",
        "demo",
        "demos",
        "samples",
    ];
    // `commonTest`, `core-tests`, `Dapper.Tests`.
    let is_apart = |folder: &str| {
        let lower = folder.to_ascii_lowercase();
        let last = lower.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
        ELSE.contains(&lower.as_str())
            || matches!(last, Some("test" | "tests"))
            || folder.ends_with("Test")
            || folder.ends_with("Tests")
    };
    let mut components = path.rsplit('/');
    let name = components.next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return false;
    };
    let test = stem.ends_with("_test")
        || stem.starts_with("test_")
        || stem.contains(".test")
        || stem.contains(".spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("Spec")
        || stem.ends_with("_spec");
    CODE.contains(&extension) && !test && !components.any(is_apart)
}

/// Whether a file says little but the version of the whole.
fn is_version(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    matches!(stem.as_str(), "version" | "_version" | "__version__")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_becomes_a_question() {
        assert_eq!(
            question("fix(router): match the last segment (#12)").as_deref(),
            Some("match the last segment")
        );
        assert_eq!(
            question("Keep the body of a failed request").as_deref(),
            Some("Keep the body of a failed request")
        );
        assert_eq!(
            question("\u{1f41b} Fix the order of the middleware (#7)").as_deref(),
            Some("Fix the order of the middleware")
        );
        assert_eq!(question("\u{1f4dd} Docs for the order of things"), None);
        assert_eq!(
            question("Circular imports are no longer followed twice").as_deref(),
            Some("Circular imports are no longer followed twice")
        );
        assert_eq!(question("chore: bump everything to the newest"), None);
        assert_eq!(question("fix: too short"), None);
    }

    #[test]
    fn only_changes_of_shipped_files_that_exist_are_questions() {
        let existing = BTreeSet::from(["src/a.rs", "src/b.rs", "tests/t.rs"]);
        let entry = |files: &str| {
            format!(
                "{} make the lock wait for readers\n\n{files}",
                "a".repeat(40)
            )
        };
        let paths = |files: &str| {
            task(&entry(files), &existing).map(|task| match task.question {
                Question::Locate { truth, .. } => {
                    truth.into_iter().map(|t| t.path).collect::<Vec<_>>()
                }
                _ => unreachable!(),
            })
        };
        assert_eq!(paths("M\tsrc/a.rs\nM\ttests/t.rs\n").unwrap(), ["src/a.rs"]);
        assert_eq!(paths("M\tsrc/a.rs\nA\tsrc/new.rs\n"), None);
        assert_eq!(paths("M\ttests/t.rs\n"), None);
        assert_eq!(
            paths("M\tsrc/a.rs\nA\ttests/new.rs\n").unwrap(),
            ["src/a.rs"]
        );
        assert!(is_product("lib/src/version.dart") && is_version("lib/src/version.dart"));
        for path in [
            "okio/src/commonTest/kotlin/A.kt",
            "tests/Dapper.Tests/A.cs",
            "lib/a_test.go",
        ] {
            assert!(!is_product(path), "{path}");
        }
        assert!(is_product("src/latest/contest.rs"));
    }

    #[test]
    fn what_is_searched_is_older_than_what_is_asked() {
        let temp = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| run_git(temp.path(), args).unwrap();
        git(&["init", "-q"]);
        git(&["config", "user.name", "t"]);
        git(&["config", "user.email", "t@localhost"]);
        for i in 0..9 {
            std::fs::write(temp.path().join("lib.rs"), format!("// {i}\n")).unwrap();
            git(&["add", "."]);
            git(&[
                "commit",
                "-q",
                "-m",
                &format!("change number {i} of the file"),
            ]);
        }
        let (base, tasks) = generate(temp.path(), 2).unwrap();
        // A third of nine commits lies after the base; two of the three are taken.
        assert_eq!(git(&["rev-parse", "HEAD~3"]).trim(), base);
        let queries: Vec<&str> = tasks.iter().map(|task| task.question.query()).collect();
        assert_eq!(
            queries,
            ["change number 6 of the file", "change number 7 of the file"]
        );
        let subject = crate::subject::Subject::past(temp.path(), &base).unwrap();
        let known = subject
            .git(&["log", "--all", "HEAD", "--format=%s"])
            .unwrap();
        assert_eq!(known.lines().count(), 6);
        assert!(!known.contains("number 6"));
    }
}
