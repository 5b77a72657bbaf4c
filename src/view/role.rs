//! What a file is for, judged by its path: product code before tests, examples, documentation and
//! what other people or programs wrote.
//!
//! Guarantee: a pure function of the path and the document's flags, so the same at any revision.
//! The words are common directory and file naming conventions, fitted to no one repository.

use crate::extract::record::{DocFlags, Grammar};

/// What a file is for. Order is the order of preference when answers are ranked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FileRole {
    /// The code the repository exists for.
    Product,
    /// Prose and the sources of documentation.
    Documentation,
    /// Tests and what only they use.
    Test,
    /// Examples, playgrounds, fixtures, benchmarks.
    Example,
    /// Prose that says in another language what the repository says in English.
    Translation,
    /// Written by a program.
    Generated,
    /// Other people's code kept in the tree.
    Vendored,
}

const VENDORED: &[&str] = &[
    "vendor",
    "vendored",
    "vendors",
    "third_party",
    "third-party",
    "thirdparty",
    "node_modules",
    "bower_components",
    "external",
    "externals",
    "deps",
];
const GENERATED: &[&str] = &[
    "dist",
    "generated",
    "__generated__",
    "__snapshots__",
    "snapshots",
    ".yarn",
    "gen",
];
const TEST: &[&str] = &[
    "test",
    "tests",
    "__tests__",
    "__test__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "e2e",
    "integration",
    "__mocks__",
    "mocks",
    "testutil",
    "testutils",
    "test-utils",
    "functional-tests",
    "unittest",
    "unittests",
    "testcases",
    "cypress",
    "playwright",
    "test-fixtures",
    "test_fixtures",
    "test-data",
    "test_data",
    "fuzz",
];
const EXAMPLE: &[&str] = &[
    "example",
    "examples",
    "_examples",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "fixture",
    "fixtures",
    "__fixtures__",
    "sample",
    "samples",
    "sandbox",
    "sandboxes",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "tutorial",
    "tutorials",
    ".storybook",
    "benchmarking",
];
const DOCUMENTATION: &[&str] = &[
    "doc",
    "docs",
    "documentation",
    "docs_src",
    "docs-src",
    "doc_src",
    "website",
    "man",
    "manual",
    "changelogs",
    "newsfragments",
];
/// Folders that hold one folder a language: documentation, and what applications show.
const TRANSLATED: &[&str] = &["i18n", "l10n", "translations", "locale", "locales"];
/// Languages that documentation is translated into, by their ISO 639-1 codes. Codes that are also
/// what programmers call a programming language or a system (`cs`, `ts`, `io`) are left out.
const LANGUAGES: &[&str] = &[
    "ar", "az", "be", "bg", "bn", "ca", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hi",
    "hr", "hu", "hy", "id", "it", "ja", "ka", "ko", "lt", "lv", "ms", "nb", "nl", "no", "pl", "pt",
    "ro", "ru", "sk", "sl", "sq", "sr", "sv", "ta", "te", "th", "tr", "uk", "ur", "uz", "vi", "zh",
];
/// Languages whose test files are named for a class: `ParserTest.java`, `ParserTests.cs`.
const CAMEL_TESTS: &[&str] = &[".java", ".kt", ".scala", ".cs", ".swift", ".php"];
const PROSE_SUFFIXES: &[&str] = &[".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc"];

impl FileRole {
    /// Judges a path.
    pub fn of_path(path: &[u8]) -> Self {
        let lower = path.to_ascii_lowercase();
        let text = String::from_utf8_lossy(&lower);
        let mut components: Vec<&str> = text.split('/').collect();
        let file = components.pop().unwrap_or_default();
        let any = |words: &[&str]| components.iter().any(|c| words.contains(c));
        if any(VENDORED) {
            Self::Vendored
        } else if any(GENERATED) || file.contains(".generated.") || file.contains(".min.") {
            Self::Generated
        } else if any(EXAMPLE) || is_story(file) {
            Self::Example
        } else if any(TEST) || components.iter().any(|c| is_test_folder(c)) || is_test_file(file) {
            Self::Test
        } else if any(DOCUMENTATION) || PROSE_SUFFIXES.iter().any(|s| file.ends_with(s)) {
            if is_translated(&components, file) {
                Self::Translation
            } else {
                Self::Documentation
            }
        } else {
            Self::Product
        }
    }

    /// Takes into account what the file says of itself.
    pub fn with_flags(self, flags: DocFlags) -> Self {
        if self == Self::Product && flags.contains(DocFlags::GENERATED) {
            Self::Generated
        } else {
            self
        }
    }

    /// Factor on a fused search score. Halving what is not product code was chosen for its
    /// effect (a definition beats its tests and its manual, a page that alone speaks of the
    /// question still shows), not fitted.
    pub fn weight(self) -> f64 {
        match self {
            Self::Product => 1.0,
            Self::Documentation | Self::Test | Self::Example => 0.5,
            Self::Generated | Self::Vendored | Self::Translation => 0.4,
        }
    }

    /// The word shown to people and agents; empty for product code.
    pub fn label(self) -> &'static str {
        match self {
            Self::Product => "",
            Self::Documentation => "docs",
            Self::Test => "test",
            Self::Example => "example",
            Self::Translation => "translation",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
        }
    }
}

/// Whether prose says in another language what is there in English: it lies in the folder of a
/// language (`docs/ja/`, `i18n/pt-br/`), or its name ends in one (`README.zh-CN.md`).
fn is_translated(components: &[&str], file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let of_name = stem
        .rsplit_once(['.', '_'])
        .is_some_and(|(_, last)| is_language(last));
    let of_folder = components.windows(2).any(|pair| {
        is_language(pair[1]) && (DOCUMENTATION.contains(&pair[0]) || TRANSLATED.contains(&pair[0]))
    });
    of_name || of_folder
}

/// Whether a word is a language code, alone or with a region or script (`zh`, `pt-br`, `zh_hant`).
fn is_language(word: &str) -> bool {
    let (language, region) = word.split_once(['-', '_']).unwrap_or((word, ""));
    LANGUAGES.contains(&language) && (region.is_empty() || matches!(region.len(), 2 | 4))
}

/// Folders named for tests in more than one word: `e2e-tests`, `integration_tests`,
/// `Project.Tests`.
fn is_test_folder(lower: &str) -> bool {
    let last = lower.rsplit_once(['-', '_', '.']);
    last.is_some_and(|(_, last)| matches!(last, "test" | "tests" | "e2e"))
}

/// Stories show a component to people: `Button.stories.tsx`.
fn is_story(lower: &str) -> bool {
    lower.contains(".stories.") || lower.contains(".story.")
}

/// Test file names: `x_test.go`, `test_x.py`, `x.test.ts`, `x.spec.js`, `XTest.java` and the like.
fn is_test_file(lower: &str) -> bool {
    let stem = lower.split('.').next().unwrap_or(lower);
    lower.contains(".test.")
        || lower.contains(".spec.")
        || lower.contains(".e2e.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || lower == "conftest.py"
        || (CAMEL_TESTS.iter().any(|suffix| lower.ends_with(suffix))
            && (stem.ends_with("test") || stem.ends_with("tests")))
}

/// Whether a language is one people write programs in, as opposed to prose and data.
pub fn is_code(lang: Grammar) -> bool {
    !matches!(lang, Grammar::Text | Grammar::Markdown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_follow_naming_conventions() {
        for (path, role) in [
            ("lib/router/index.js", FileRole::Product),
            ("src/test_map.rs", FileRole::Test),
            ("tests/it/main.rs", FileRole::Test),
            ("pkg/tree_test.go", FileRole::Test),
            ("src/app.spec.ts", FileRole::Test),
            ("src/main/java/FooTests.java", FileRole::Test),
            ("docs/guide.html", FileRole::Documentation),
            ("README.md", FileRole::Documentation),
            ("playground/hmr/main.js", FileRole::Example),
            ("deps/lua/src/lapi.c", FileRole::Vendored),
            ("packages/a/dist/index.js", FileRole::Generated),
            ("docs/ja/guide.md", FileRole::Translation),
            ("docs/en/guide.md", FileRole::Documentation),
            ("README.zh-CN.md", FileRole::Translation),
            ("src/de/lib.rs", FileRole::Product),
            ("Src/Json.Tests/Big.cs", FileRole::Test),
            ("integration-tests/run.ts", FileRole::Test),
            ("test-fixtures/a.json", FileRole::Test),
            ("app/Parser.Tests.Unit/ParserTest.php", FileRole::Test),
            ("src/latest-contest/run.ts", FileRole::Product),
            ("ui/Button.stories.tsx", FileRole::Example),
            ("contest.py", FileRole::Product),
            ("latest/greatest.rs", FileRole::Product),
        ] {
            assert_eq!(FileRole::of_path(path.as_bytes()), role, "{path}");
        }
    }

    #[test]
    fn a_file_that_says_it_is_generated_is() {
        assert_eq!(
            FileRole::Product.with_flags(DocFlags::GENERATED),
            FileRole::Generated
        );
        assert_eq!(
            FileRole::Test.with_flags(DocFlags::GENERATED),
            FileRole::Test
        );
    }
}
