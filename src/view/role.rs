//! What a file is for, judged by its path: product code before settings, tests, examples, documentation
//! and what other people or programs wrote.
//!
//! Guarantee: a pure function of the path and the document's flags, so the same at any revision.
//! The words are common directory and file naming conventions, fitted to no one repository.

use crate::extract::record::DocFlags;
use crate::lang::{self, language::Roles};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

labelled! {
    /// What a file is for. Order is the order of preference when answers are ranked.
    /// The word of product code is empty.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum FileRole {
        /// The code the repository exists for.
        Product = "",
        /// Types of code that is elsewhere: `index.d.ts`, `lib.pyi`.
        Declaration = "declaration",
        /// What the project is built, checked and released with: manifests, pipelines, settings of tools.
        Settings = "settings",
        /// Prose and the sources of documentation.
        Documentation = "docs",
        /// Tests and what only they use.
        Test = "test",
        /// Examples, playgrounds, fixtures, benchmarks.
        Example = "example",
        /// Prose that says in another language what the repository says in English.
        Translation = "translation",
        /// Written by a program.
        Generated = "generated",
        /// Other people's code kept in the tree.
        Vendored = "vendored",
    }
}

const VENDORED: &[&str] = words!(
    "vendor vendored vendors third_party third-party thirdparty node_modules bower_components
     external externals deps"
);
const GENERATED: &[&str] = words!("dist generated __generated__ __snapshots__ snapshots .yarn gen");
const TEST: &[&str] = words!(
    "test tests __tests__ __test__ spec specs testing testdata e2e __mocks__ mocks
     testutil testutils test-utils functional-tests unittest unittests testcases cypress
     playwright test-fixtures test_fixtures test-data test_data fuzz"
);
const EXAMPLE: &[&str] = words!(
    "example examples _examples demo demos playground playgrounds fixture fixtures __fixtures__
     sample samples sandbox sandboxes bench benches benchmark benchmarks tutorial tutorials
     .storybook benchmarking"
);
const DOCUMENTATION: &[&str] = words!(
    "doc docs documentation docs_src docs-src doc_src website man manual changelogs newsfragments"
);
/// Folders that hold one folder a language: documentation, and what applications show.
const TRANSLATED: &[&str] = &["i18n", "l10n", "translations", "locale", "locales"];
/// Languages that documentation is translated into, by their ISO 639-1 codes. Codes that are also
/// what programmers call a programming language or a system (`cs`, `ts`, `io`) are left out.
const LANGUAGES: &[&str] = &[
    "ar", "az", "be", "bg", "bn", "ca", "da", "de", "el", "es", "et", "fa", "fi", "fr", "he", "hi",
    "hr", "hu", "hy", "id", "it", "ja", "ka", "ko", "lt", "lv", "ms", "nb", "nl", "no", "pl", "pt",
    "ro", "ru", "sk", "sl", "sq", "sr", "sv", "ta", "te", "th", "tr", "uk", "ur", "uz", "vi", "zh",
];
const PROSE_SUFFIXES: &[&str] =
    words!(".md .mdx .markdown .rst .txt .adoc .rdoc .textile .org .pod");
/// First words of the names of files that every project has for people, with any suffix or none.
const PROSE_NAMES: &[&str] = words!(
    "authors changelog changes contributing contributors copying history licence license
     maintainers news notice readme security upgrading"
);
/// Formats that hold settings and lists. Those that pages and drawings are made of are not among them.
const SETTINGS_SUFFIXES: &[&str] = words!(
    ".cfg .conf .gemspec .ini .json .json5 .jsonc .lock .podspec .properties .sbt .toml .yaml .yml"
);
/// Manifests and recipes of no language that is known, or in one of their own. What languages have of
/// the kind is theirs to say.
const SETTINGS_NAMES: &[&str] = words!(
    "build.gradle cmakelists.txt configure.ac jenkinsfile justfile meson.build pom.xml procfile
     requirements.txt settings.gradle"
);

const VENDORED_FOLDER: u8 = 1;
const GENERATED_FOLDER: u8 = 2;
const EXAMPLE_FOLDER: u8 = 4;
const TEST_FOLDER: u8 = 8;
const DOCUMENTATION_FOLDER: u8 = 16;

/// All these words and those of the languages, put together once: a view asks of each of its paths.
struct Words {
    /// Names of folders, with what they are for.
    folders: FxHashMap<&'static str, u8>,
    settings: FxHashSet<&'static str>,
    tests: FxHashSet<&'static str>,
    built: Vec<&'static str>,
    test_endings: Vec<&'static str>,
    class_tests: Vec<&'static str>,
    declarations: Vec<&'static str>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut folders: FxHashMap<&str, u8> = FxHashMap::default();
    for (words, of) in [
        (VENDORED, VENDORED_FOLDER),
        (GENERATED, GENERATED_FOLDER),
        (EXAMPLE, EXAMPLE_FOLDER),
        (TEST, TEST_FOLDER),
        (DOCUMENTATION, DOCUMENTATION_FOLDER),
    ] {
        for word in words {
            *folders.entry(word).or_default() |= of;
        }
    }
    let said = |says: fn(&Roles) -> &'static [&'static str]| {
        let languages = lang::LANGUAGES.iter();
        languages.flat_map(move |language| says(&language.roles).iter().copied())
    };
    let distinct = |says| {
        let mut words: Vec<&str> = said(says).collect();
        words.sort_unstable();
        words.dedup();
        words
    };
    Words {
        folders,
        settings: said(|roles| roles.settings)
            .chain(SETTINGS_NAMES.iter().copied())
            .collect(),
        tests: said(|roles| roles.tests).collect(),
        built: distinct(|roles| roles.built),
        test_endings: distinct(|roles| roles.test_endings),
        class_tests: distinct(|roles| roles.class_tests),
        declarations: distinct(|roles| roles.declarations),
    }
});

impl FileRole {
    /// Judges a path.
    pub fn of_path(path: &[u8]) -> Self {
        let lower = path.to_ascii_lowercase();
        let text = String::from_utf8_lossy(&lower);
        let mut components: Vec<&str> = text.split('/').collect();
        let file = components.pop().unwrap_or_default();
        let words = &*WORDS;
        // What lies below is a package, which may be called `samples` or `com.example.demo`.
        let sources = components.windows(2).position(|pair| {
            matches!(pair[0], "main" | "test")
                && matches!(pair[1], "java" | "kotlin" | "scala" | "groovy")
        });
        // The page of a program for its users' documents: `templates/docs/show.html.heex`.
        let pages = components
            .iter()
            .position(|c| matches!(*c, "views" | "templates"));
        let ends = sources.map(|at| at + 2).into_iter().chain(pages);
        let purposes = &components[..ends.min().unwrap_or(components.len())];
        let named = purposes.iter().filter_map(|c| words.folders.get(c));
        let named = named.fold(0, |all, of| all | of);
        let any = |folders: u8| named & folders != 0;
        if any(VENDORED_FOLDER) || purposes.iter().any(|c| is_release_of_library(c)) {
            Self::Vendored
        } else if any(GENERATED_FOLDER) || file.contains(".generated.") || file.contains(".min.") {
            Self::Generated
        } else if any(EXAMPLE_FOLDER) || is_story(file) {
            Self::Example
        } else if any(TEST_FOLDER)
            || purposes.iter().any(|c| is_test_folder(c))
            || has_test_sources(path)
            // Deeper it is what a program has to do with others: `internal/integration/`.
            || components.first() == Some(&"integration")
            || is_test_file(words, file)
        {
            Self::Test
        } else if is_settings(words, &components, file) {
            Self::Settings
        } else if any(DOCUMENTATION_FOLDER) || is_site(&components, file) || is_prose(file) {
            if is_translated(&components, file) {
                Self::Translation
            } else {
                Self::Documentation
            }
        } else if ends_in(file, &words.declarations) {
            Self::Declaration
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
    /// question still shows), not fitted. Halving settings too was worth .001 of NDCG@10 on questions and
    /// .011 to .013 on the 24 repositories of commit localisation, and .6 measures the same.
    pub fn weight(self) -> f64 {
        match self {
            Self::Product => 1.0,
            Self::Declaration
            | Self::Settings
            | Self::Documentation
            | Self::Test
            | Self::Example => 0.5,
            Self::Generated | Self::Vendored | Self::Translation => 0.4,
        }
    }
}

/// Whether a path leads through the folder that Maven makes a project's pages from, to what is no code.
fn is_site(components: &[&str], file: &str) -> bool {
    let genre = lang::of(lang::by_file_name(file.as_bytes())).genre;
    !genre.is_code() && components.windows(2).any(|pair| pair == ["src", "site"])
}

/// Whether a file is prose: by its suffix, by the name that such files have in every project
/// (`ChangeLog`, `LICENSE-MIT`), or as a page of the manual (`jq.1`, `jq.1.prebuilt`).
fn is_prose(file: &str) -> bool {
    let mut parts = file.split(['.', '-', '_']);
    let first = parts.next().unwrap_or(file);
    // A class of a program may be called `History.java` or `notice.py`.
    let is_named = PROSE_NAMES.contains(&first) && !file.contains('.');
    let mut suffixes = file.split('.').skip(1);
    let is_page = matches!(
        (suffixes.next(), suffixes.next()),
        (
            Some("1" | "2" | "3" | "4" | "5" | "6" | "7" | "8"),
            None | Some("in" | "prebuilt")
        )
    );
    is_named || is_page || PROSE_SUFFIXES.iter().any(|s| file.ends_with(s))
}

/// Whether a file says how the project is built or how a tool is to behave: by its name, by its format, or
/// because it is hidden, alone or with its folder (`.github/`, `.eslintrc.js`).
fn is_settings(words: &Words, components: &[&str], file: &str) -> bool {
    let is_hidden = |name: &&str| name.len() > 1 && name.starts_with('.');
    let of_tool = file
        .split_once(".config.")
        .is_some_and(|(_, suffix)| matches!(suffix, "js" | "mjs" | "cjs" | "ts" | "mts" | "cts"));
    of_tool
        || components.iter().any(is_hidden)
        || is_hidden(&file)
        || words.settings.contains(file)
        || SETTINGS_SUFFIXES.iter().any(|s| file.ends_with(s))
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
pub(crate) fn is_language(word: &str) -> bool {
    let (language, region) = word.split_once(['-', '_']).unwrap_or((word, ""));
    LANGUAGES.contains(&language) && (region.is_empty() || matches!(region.len(), 2 | 4))
}

/// Folders that are called as releases of libraries are: `pdfjs-5.2.133`, `jquery.minicolors-2.2.3`.
fn is_release_of_library(lower: &str) -> bool {
    let Some((name, release)) = lower.rsplit_once('-') else {
        return false;
    };
    let mut numbers = release.split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    // `version-1.2` holds what is one's own.
    numbers.clone().count() > 1
        && numbers.all(is_number)
        && !matches!(name, "version" | "release" | "api" | "v")
}

/// Folders named for tests in more than one word: `e2e-tests`, `integration_tests`,
/// `Project.Tests`, `test_lib_json`.
fn is_test_folder(lower: &str) -> bool {
    let last = lower.rsplit_once(['-', '_', '.']);
    last.is_some_and(|(_, last)| matches!(last, "test" | "tests" | "e2e"))
        || lower.starts_with("test_")
}

/// Whether a path leads through a folder that Gradle and the like call so: `src/integrationTest/`, `commonTest`.
fn has_test_sources(path: &[u8]) -> bool {
    let folders = path.rsplit(|b| *b == b'/').skip(1);
    let mut heads = folders.filter_map(|folder| {
        let head = folder.strip_suffix(b"s").unwrap_or(folder);
        head.strip_suffix(b"Test")
    });
    heads.any(|head| {
        head.first().is_some_and(u8::is_ascii_lowercase)
            && head.last().is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// Stories show a component to people: `Button.stories.tsx`.
fn is_story(lower: &str) -> bool {
    lower.contains(".stories.") || lower.contains(".story.")
}

/// Test file names: `x_test.go`, `test_x.py`, `x.test.ts`, `x.test-d.ts`, `x.spec.js`, `XTest.java` and the like.
fn is_test_file(words: &Words, lower: &str) -> bool {
    let stem = lower.split('.').next().unwrap_or(lower);
    if ends_in(lower, &words.built) {
        return stem.ends_with("_test");
    }
    lower.contains(".test.")
        || lower.contains(".test-d.")
        || lower.contains(".spec.")
        || lower.contains(".e2e.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_unittest")
        || stem.ends_with("_spec")
        || words.tests.contains(lower)
        || ends_in(lower, &words.test_endings)
        || (stem.ends_with("test") || stem.ends_with("tests")) && ends_in(lower, &words.class_tests)
}

fn ends_in(file: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| file.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_follow_naming_conventions() {
        for (path, role) in [
            ("lib/router/index.js", FileRole::Product),
            ("src/test_map.rs", FileRole::Test),
            ("cli/test_routing.go", FileRole::Product),
            ("cli/routing_test.go", FileRole::Test),
            ("src/site/es/xdoc/java-api.xml", FileRole::Documentation),
            ("core/api/core.api", FileRole::Declaration),
            ("tests/it/main.rs", FileRole::Test),
            ("pkg/tree_test.go", FileRole::Test),
            ("src/app.spec.ts", FileRole::Test),
            ("src/main/java/FooTests.java", FileRole::Test),
            ("src/Shop.Tests.ps1", FileRole::Test),
            ("src/Vault.t.sol", FileRole::Test),
            ("GNUmakefile", FileRole::Settings),
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
            ("integration/run.ts", FileRole::Test),
            ("test/integration/run.ts", FileRole::Test),
            ("internal/integration/slack/client.go", FileRole::Product),
            ("src/message_unittest.cc", FileRole::Test),
            ("test-fixtures/a.json", FileRole::Test),
            ("app/Parser.Tests.Unit/ParserTest.php", FileRole::Test),
            ("src/latest-contest/run.ts", FileRole::Product),
            ("ui/Button.stories.tsx", FileRole::Example),
            ("contest.py", FileRole::Product),
            ("core/src/integrationTest/Bench.java", FileRole::Test),
            ("okio/src/commonTest/kotlin/okio/Sinks.kt", FileRole::Test),
            ("src/LoadTest/Runner.cs", FileRole::Product),
            ("src/test_lib_json/main.cpp", FileRole::Test),
            ("latest/greatest.rs", FileRole::Product),
            ("types/index.d.ts", FileRole::Declaration),
            ("src/attr/__init__.pyi", FileRole::Declaration),
            ("src/id.ts", FileRole::Product),
            ("src/main/java/com/example/demo/App.java", FileRole::Product),
            ("lib/web/templates/docs/_nav.html.heex", FileRole::Product),
            ("docs/templates/page.html", FileRole::Documentation),
            (
                "public/plugins/pdfjs-5.2.133/build/pdf.mjs",
                FileRole::Vendored,
            ),
            ("src/version-1.2/run.ts", FileRole::Product),
            ("src/ipv6-1/run.ts", FileRole::Product),
            ("examples/a/src/main/java/com/a/App.java", FileRole::Example),
            ("src/test/java/com/example/AppIT.java", FileRole::Test),
            ("types/store.test-d.ts", FileRole::Test),
            ("package.json", FileRole::Settings),
            (".github/workflows/ci.yml", FileRole::Settings),
            (".eslintrc.js", FileRole::Settings),
            ("packages/a/vite.config.mts", FileRole::Settings),
            ("src/app.config.reader.rs", FileRole::Product),
            ("site/main.css", FileRole::Product),
            ("ChangeLog", FileRole::Documentation),
            ("LICENSE-MIT", FileRole::Documentation),
            ("src/History.java", FileRole::Product),
            ("src/history/mod.rs", FileRole::Product),
            ("CHANGELOG.rdoc", FileRole::Documentation),
            ("jq.1.prebuilt", FileRole::Documentation),
            ("src/v2.1/lib.rs", FileRole::Product),
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
