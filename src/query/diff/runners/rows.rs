//! The usual runners: how a tree shows that it uses one, what it runs in a file, and how its tests are named.

use super::command::Shape;

/// One runner.
pub struct Runner {
    /// Its name.
    pub name: &'static str,
    /// Endings of the files that its tests stand in.
    pub endings: &'static [&'static str],
    /// What shows that a folder and those below it use it.
    pub signs: &'static [Sign],
    /// Whether it is taken where nothing shows which one is used.
    pub usual: bool,
    /// What a file of tests must say for that; nothing for any file.
    pub own: &'static [&'static str],
    /// What in a file is a test.
    pub tests: Tests,
    /// How its command is put together.
    pub(super) shape: Shape,
}

/// A file that shows that a runner is used.
pub struct Sign {
    /// Its name, or with a `*` before it the end of it.
    pub file: &'static str,
    /// It shows so when it holds one of these; without any, by being there.
    pub words: &'static [&'static str],
}

/// What in a file is a test of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tests {
    /// Nothing that has a name: the file is run as a whole.
    Files,
    /// Nothing that has a name here, in whatever file is there for tests.
    AnyFile,
    /// Callables whose names begin with one of these.
    Named(&'static [&'static str]),
    /// Callables marked by a decorator, attribute or annotation for tests, or named with this beginning where there is one.
    Marked(Option<&'static str>),
    /// Blocks with a title, and callables whose names begin with this where there is one.
    Titled(Option<&'static str>),
}

impl Tests {
    /// Whether a file is run as a whole.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Files | Self::AnyFile)
    }
}

const fn there(file: &'static str) -> Sign {
    Sign { file, words: &[] }
}

const fn says(file: &'static str, words: &'static [&'static str]) -> Sign {
    Sign { file, words }
}

/// Endings of scripts.
const SCRIPTS: &[&str] = words!(".js .jsx .mjs .cjs .ts .tsx .mts .cts");
/// Endings of what runs on a Java machine and is built as Java is.
const JVM: &[&str] = words!(".java .kt .groovy");
/// Endings of what a compiler of C and C++ reads.
const CPP: &[&str] = words!(".c .cc .cpp .cxx .m .mm");

/// Every runner; of several that a folder shows, the first.
pub static RUNNERS: &[Runner] = &[
    Runner {
        name: "pytest",
        endings: &[".py"],
        signs: &[
            there("pytest.ini"),
            says("pyproject.toml", &["pytest"]),
            says("setup.cfg", &["pytest"]),
            says("tox.ini", &["pytest"]),
            says("noxfile.py", &["pytest"]),
            says("requirements.txt", &["pytest"]),
            says("requirements-dev.txt", &["pytest"]),
        ],
        usual: true,
        own: &[],
        tests: Tests::Named(&["test"]),
        shape: Shape::Pytest,
    },
    Runner {
        name: "unittest",
        endings: &[".py"],
        signs: &[],
        usual: true,
        own: &["unittest"],
        tests: Tests::Named(&["test"]),
        shape: Shape::Unittest,
    },
    Runner {
        name: "vitest",
        endings: SCRIPTS,
        signs: &[
            there("vitest.config.ts"),
            there("vitest.config.js"),
            there("vitest.config.mts"),
            says("package.json", &["\"vitest\""]),
        ],
        usual: false,
        own: &[],
        tests: Tests::Files,
        shape: Shape::Paths("npx vitest run"),
    },
    Runner {
        name: "jest",
        endings: SCRIPTS,
        signs: &[
            there("jest.config.ts"),
            there("jest.config.js"),
            there("jest.config.mjs"),
            there("jest.config.cjs"),
            says("package.json", &["\"jest\"", "react-scripts"]),
        ],
        usual: false,
        own: &[],
        tests: Tests::Files,
        shape: Shape::Paths("npx jest"),
    },
    Runner {
        name: "mocha",
        endings: SCRIPTS,
        signs: &[
            there(".mocharc.json"),
            there(".mocharc.js"),
            there(".mocharc.cjs"),
            there(".mocharc.yml"),
            says("package.json", &["\"mocha\""]),
        ],
        usual: false,
        own: &[],
        tests: Tests::Files,
        shape: Shape::Paths("npx mocha"),
    },
    Runner {
        name: "node",
        endings: SCRIPTS,
        signs: &[says("package.json", &["node --test"])],
        usual: true,
        own: &[],
        tests: Tests::Files,
        shape: Shape::Paths("node --test"),
    },
    Runner {
        name: "go",
        endings: &["_test.go"],
        signs: &[there("go.mod")],
        usual: true,
        own: &[],
        tests: Tests::Named(&["Test", "Example", "Fuzz"]),
        shape: Shape::Go,
    },
    Runner {
        name: "nextest",
        endings: &[".rs"],
        signs: &[there(".config/nextest.toml")],
        usual: false,
        own: &[],
        tests: Tests::Marked(None),
        shape: Shape::Cargo("nextest run"),
    },
    Runner {
        name: "cargo",
        endings: &[".rs"],
        signs: &[there("Cargo.toml")],
        usual: true,
        own: &[],
        tests: Tests::Marked(None),
        shape: Shape::Cargo("test"),
    },
    Runner {
        name: "gradle",
        endings: JVM,
        signs: &[there("build.gradle"), there("build.gradle.kts")],
        usual: false,
        own: &[],
        tests: Tests::Marked(Some("test")),
        shape: Shape::Gradle,
    },
    Runner {
        name: "maven",
        endings: JVM,
        signs: &[there("pom.xml")],
        usual: true,
        own: &[],
        tests: Tests::Marked(Some("test")),
        shape: Shape::Maven,
    },
    Runner {
        name: "rspec",
        endings: &["_spec.rb"],
        signs: &[
            there(".rspec"),
            says("Gemfile", &["rspec"]),
            says("*.gemspec", &["rspec"]),
        ],
        usual: true,
        own: &[],
        tests: Tests::Titled(None),
        shape: Shape::Places("bundle exec rspec"),
    },
    Runner {
        name: "rails",
        endings: &[".rb"],
        signs: &[there("bin/rails")],
        usual: false,
        own: &[],
        tests: Tests::Titled(Some("test_")),
        shape: Shape::Places("bin/rails test"),
    },
    Runner {
        name: "minitest",
        endings: &[".rb"],
        signs: &[
            says("Gemfile", &["minitest", "test-unit"]),
            there("Rakefile"),
        ],
        usual: true,
        own: &[],
        tests: Tests::Titled(Some("test_")),
        shape: Shape::Minitest,
    },
    Runner {
        name: "phpunit",
        endings: &[".php"],
        signs: &[
            there("phpunit.xml"),
            there("phpunit.xml.dist"),
            says("composer.json", &["phpunit"]),
        ],
        usual: true,
        own: &[],
        tests: Tests::Marked(Some("test")),
        shape: Shape::Phpunit,
    },
    Runner {
        name: "dotnet",
        endings: &[".cs", ".fs", ".vb"],
        signs: &[there("*.csproj"), there("*.fsproj"), there("*.sln")],
        usual: true,
        own: &[],
        tests: Tests::Marked(None),
        shape: Shape::Dotnet,
    },
    Runner {
        name: "swift",
        endings: &[".swift"],
        signs: &[there("Package.swift")],
        usual: true,
        own: &[],
        tests: Tests::Marked(Some("test")),
        shape: Shape::Swift,
    },
    Runner {
        name: "gtest",
        endings: CPP,
        signs: &[says(
            "CMakeLists.txt",
            &["gtest", "gmock", "GTest", "googletest"],
        )],
        usual: false,
        own: &[],
        tests: Tests::Titled(None),
        shape: Shape::Gtest,
    },
    Runner {
        name: "bazel",
        endings: CPP,
        signs: &[
            there("MODULE.bazel"),
            there("WORKSPACE"),
            there("WORKSPACE.bazel"),
        ],
        usual: false,
        own: &[],
        tests: Tests::AnyFile,
        shape: Shape::Whole("bazel test //..."),
    },
    Runner {
        name: "ctest",
        endings: CPP,
        signs: &[there("CMakeLists.txt")],
        usual: false,
        own: &[],
        tests: Tests::AnyFile,
        shape: Shape::Ctest,
    },
    Runner {
        name: "make",
        endings: CPP,
        signs: &[there("Makefile"), there("GNUmakefile")],
        usual: true,
        own: &[],
        tests: Tests::AnyFile,
        shape: Shape::Whole("make test"),
    },
    Runner {
        name: "mix",
        endings: &[".exs"],
        signs: &[there("mix.exs")],
        usual: true,
        own: &[],
        tests: Tests::Titled(None),
        shape: Shape::Places("mix test"),
    },
];
