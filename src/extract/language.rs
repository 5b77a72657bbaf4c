//! Which grammar reads a file: one table row per language.
//!
//! Guarantees: [`by_file_name`] looks at a name only and [`by_content`] at bytes only, so the view
//! can choose a grammar without reading blobs and extraction never sees a name.

use super::lang::{self, LangSpec};
use super::record::Grammar;

/// One language: how its files are recognised and how they are read.
pub(crate) struct Language {
    pub(crate) grammar: Grammar,
    pub(crate) parser: Parser,
    pub(crate) spec: Option<&'static LangSpec>,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    /// Programs named in a `#!` line.
    interpreters: &'static [&'static str],
}

/// What reads a language.
pub(crate) enum Parser {
    /// A scanner of ours.
    Scanner,
    /// A tree-sitter grammar; `None` when this build was made without it.
    Grammar(Option<fn() -> tree_sitter::Language>),
}

impl Parser {
    /// Makes the tree-sitter language; `None` for what is read, or not read, without one.
    pub(crate) fn language(&self) -> Option<tree_sitter::Language> {
        match self {
            Self::Grammar(make) => make.map(|make| make()),
            Self::Scanner => None,
        }
    }
}

/// The grammar of a crate, when the build has its feature.
macro_rules! grammar {
    ($feature:literal, $language:expr) => {{
        #[cfg(feature = $feature)]
        const PARSER: Parser = Parser::Grammar(Some(|| $language.into()));
        #[cfg(not(feature = $feature))]
        const PARSER: Parser = Parser::Grammar(None);
        PARSER
    }};
}

static LANGUAGES: &[Language] = &[
    Language {
        grammar: Grammar::TypeScript,
        parser: grammar!(
            "grammar-typescript",
            tree_sitter_typescript::LANGUAGE_TYPESCRIPT
        ),
        spec: Some(&lang::javascript::TYPESCRIPT),
        extensions: &["ts", "mts", "cts"],
        file_names: &[],
        interpreters: &["ts-node", "tsx", "deno"],
    },
    Language {
        grammar: Grammar::Tsx,
        parser: grammar!("grammar-typescript", tree_sitter_typescript::LANGUAGE_TSX),
        spec: Some(&lang::javascript::TYPESCRIPT),
        extensions: &["tsx"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::JavaScript,
        parser: grammar!("grammar-javascript", tree_sitter_javascript::LANGUAGE),
        spec: Some(&lang::javascript::JAVASCRIPT),
        extensions: &["js", "jsx", "mjs", "cjs"],
        file_names: &["Jakefile"],
        interpreters: &["node", "nodejs", "bun"],
    },
    Language {
        grammar: Grammar::Python,
        parser: grammar!("grammar-python", tree_sitter_python::LANGUAGE),
        spec: Some(&lang::python::PYTHON),
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConstruct", "SConscript", "wscript"],
        interpreters: &["python", "python2", "python3", "pypy", "pypy3"],
    },
    Language {
        grammar: Grammar::Go,
        parser: grammar!("grammar-go", tree_sitter_go::LANGUAGE),
        spec: Some(&lang::go::GO),
        extensions: &["go"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Rust,
        parser: grammar!("grammar-rust", tree_sitter_rust::LANGUAGE),
        spec: Some(&lang::rust::RUST),
        extensions: &["rs"],
        file_names: &[],
        interpreters: &["rust-script"],
    },
    Language {
        grammar: Grammar::Java,
        parser: grammar!("grammar-java", tree_sitter_java::LANGUAGE),
        spec: Some(&lang::java::JAVA),
        extensions: &["java"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::C,
        parser: grammar!("grammar-c", tree_sitter_c::LANGUAGE),
        spec: Some(&lang::c::C),
        extensions: &["c"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Cpp,
        parser: grammar!("grammar-cpp", tree_sitter_cpp::LANGUAGE),
        spec: Some(&lang::c::C),
        extensions: &[
            "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp", "cu", "cuh",
        ],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Markdown,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["md", "markdown", "mdx", "mdown", "mkd"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::CSharp,
        parser: grammar!("grammar-c-sharp", tree_sitter_c_sharp::LANGUAGE),
        spec: Some(&lang::csharp::CSHARP),
        extensions: &["cs", "csx"],
        file_names: &[],
        interpreters: &["dotnet-script"],
    },
    Language {
        grammar: Grammar::Php,
        parser: grammar!("grammar-php", tree_sitter_php::LANGUAGE_PHP),
        spec: Some(&lang::php::PHP),
        extensions: &[
            "php", "phtml", "php3", "php4", "php5", "php7", "phps", "phpt",
        ],
        file_names: &[],
        interpreters: &["php"],
    },
    Language {
        grammar: Grammar::Kotlin,
        parser: grammar!("grammar-kotlin", tree_sitter_kotlin_ng::LANGUAGE),
        spec: Some(&lang::kotlin::KOTLIN),
        extensions: &["kt", "kts"],
        file_names: &[],
        interpreters: &["kotlin", "kotlinc"],
    },
    Language {
        grammar: Grammar::Ruby,
        parser: grammar!("grammar-ruby", tree_sitter_ruby::LANGUAGE),
        spec: Some(&lang::ruby::RUBY),
        extensions: &[
            "rb", "rake", "gemspec", "ru", "rbw", "jbuilder", "podspec", "thor",
        ],
        file_names: &[
            "Rakefile",
            "Gemfile",
            "Vagrantfile",
            "Guardfile",
            "Capfile",
            "Brewfile",
            "Podfile",
            "Fastfile",
            "Dangerfile",
            "Appraisals",
            "Thorfile",
            "Berksfile",
            ".irbrc",
            ".pryrc",
        ],
        interpreters: &["ruby", "jruby", "rake", "macruby"],
    },
    Language {
        grammar: Grammar::Swift,
        parser: grammar!("grammar-swift", tree_sitter_swift::LANGUAGE),
        spec: Some(&lang::swift::SWIFT),
        extensions: &["swift", "swiftinterface"],
        file_names: &[],
        interpreters: &["swift"],
    },
    Language {
        grammar: Grammar::Scala,
        parser: grammar!("grammar-scala", tree_sitter_scala::LANGUAGE),
        spec: Some(&lang::scala::SCALA),
        extensions: &["scala", "sc", "sbt", "mill"],
        file_names: &[],
        interpreters: &["scala", "scala-cli", "amm"],
    },
    Language {
        grammar: Grammar::Dart,
        parser: grammar!("grammar-dart", tree_sitter_dart::LANGUAGE),
        spec: Some(&lang::dart::DART),
        extensions: &["dart"],
        file_names: &[],
        interpreters: &["dart"],
    },
    Language {
        grammar: Grammar::Bash,
        parser: grammar!("grammar-bash", tree_sitter_bash::LANGUAGE),
        spec: Some(&lang::bash::BASH),
        extensions: &["sh", "bash", "zsh", "ksh", "dash", "bats", "ebuild"],
        file_names: &[
            ".bash_aliases",
            ".bash_login",
            ".bash_logout",
            ".bash_profile",
            ".bashrc",
            ".kshrc",
            ".profile",
            ".zprofile",
            ".zshenv",
            ".zshrc",
            "APKBUILD",
            "PKGBUILD",
        ],
        interpreters: &["sh", "bash", "dash", "ksh", "zsh", "ash", "bats"],
    },
    Language {
        grammar: Grammar::Lua,
        parser: grammar!("grammar-lua", tree_sitter_lua::LANGUAGE),
        spec: Some(&lang::lua::LUA),
        extensions: &["lua", "rockspec"],
        file_names: &[".luacheckrc"],
        interpreters: &["lua", "luajit", "texlua"],
    },
    Language {
        grammar: Grammar::Json,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["json", "jsonc", "json5", "webmanifest", "code-workspace"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Yaml,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["yaml", "yml"],
        file_names: &[".clang-format", ".clang-tidy"],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Toml,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["toml"],
        file_names: &["Pipfile"],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Vue,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["vue"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Svelte,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["svelte"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Html,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["html", "htm", "xhtml"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Css,
        parser: grammar!("grammar-css", tree_sitter_css::LANGUAGE),
        spec: Some(&lang::css::CSS),
        extensions: &["css"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Elixir,
        parser: grammar!("grammar-elixir", tree_sitter_elixir::LANGUAGE),
        spec: Some(&lang::elixir::ELIXIR),
        extensions: &["ex", "exs"],
        file_names: &[],
        interpreters: &["elixir"],
    },
    Language {
        grammar: Grammar::Hcl,
        parser: grammar!("grammar-hcl", tree_sitter_hcl::LANGUAGE),
        spec: Some(&lang::hcl::HCL),
        extensions: &["hcl", "tf", "nomad"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Zig,
        parser: grammar!("grammar-zig", tree_sitter_zig::LANGUAGE),
        spec: Some(&lang::zig::ZIG),
        extensions: &["zig", "zon"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Haskell,
        parser: grammar!("grammar-haskell", tree_sitter_haskell::LANGUAGE),
        spec: Some(&lang::haskell::HASKELL),
        extensions: &["hs", "hsc"],
        file_names: &[],
        interpreters: &["runhaskell", "runghc"],
    },
    Language {
        grammar: Grammar::OCaml,
        parser: grammar!("grammar-ocaml", tree_sitter_ocaml::LANGUAGE_OCAML),
        spec: Some(&lang::ocaml::OCAML),
        extensions: &["ml"],
        file_names: &[],
        interpreters: &["ocaml"],
    },
    Language {
        grammar: Grammar::OCamlInterface,
        parser: grammar!("grammar-ocaml", tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE),
        spec: Some(&lang::ocaml::OCAML),
        extensions: &["mli"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Sql,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["sql", "ddl", "pgsql", "psql"],
        file_names: &[],
        interpreters: &[],
    },
    Language {
        grammar: Grammar::Notebook,
        parser: Parser::Scanner,
        spec: None,
        extensions: &["ipynb"],
        file_names: &[],
        interpreters: &[],
    },
];

/// Returns the row of a grammar; `None` for those without one (`Text`, `CHeader`).
pub(crate) fn language(grammar: Grammar) -> Option<&'static Language> {
    LANGUAGES
        .iter()
        .find(|language| language.grammar == grammar)
}

/// Whether this build can read documents of a grammar: it has the grammar, and those of what such
/// documents are made of. One that resolves to a grammar it lacks is not read at all, since records
/// do not depend on how the program was built.
pub fn is_built(grammar: Grammar) -> bool {
    let parts: &[Grammar] = match grammar {
        Grammar::CHeader => &[Grammar::C, Grammar::Cpp],
        Grammar::Html | Grammar::Vue | Grammar::Svelte => {
            &[Grammar::JavaScript, Grammar::TypeScript, Grammar::Css]
        }
        Grammar::Notebook => &[Grammar::Python],
        _ => &[],
    };
    let has = |grammar: &Grammar| {
        language(*grammar).is_none_or(|row| !matches!(row.parser, Parser::Grammar(None)))
    };
    has(&grammar) && parts.iter().all(has)
}

/// Chooses the grammar for a file by its name: the last path component, without folders.
///
/// `.h` is [`Grammar::CHeader`], to be resolved by content; an unknown name is [`Grammar::Text`].
pub fn by_file_name(name: &[u8]) -> Grammar {
    // A name that is not UTF-8 has an extension that is.
    let name = &*String::from_utf8_lossy(name);
    if let Some(language) = LANGUAGES
        .iter()
        .find(|language| language.file_names.contains(&name))
    {
        return language.grammar;
    }
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return Grammar::Text;
    };
    if stem.is_empty() {
        return Grammar::Text;
    }
    // `.C` and `.H` are C++ by an old custom; every other extension is known in either case.
    match extension {
        "C" | "H" => return Grammar::Cpp,
        "h" => return Grammar::CHeader,
        _ => {}
    }
    let extension = extension.to_ascii_lowercase();
    let found = LANGUAGES
        .iter()
        .find(|language| language.extensions.contains(&extension.as_str()));
    found.map_or(Grammar::Text, |language| language.grammar)
}

/// Resolves the grammar asked for by what the content says: the `#!` line of a [`Grammar::Text`],
/// C or C++ for a [`Grammar::CHeader`]; every other grammar stays as it is.
pub fn by_content(bytes: &[u8], grammar: Grammar) -> Grammar {
    match grammar {
        Grammar::Text => by_interpreter(bytes).unwrap_or(Grammar::Text),
        Grammar::CHeader if is_cpp_header(bytes) => Grammar::Cpp,
        Grammar::CHeader => Grammar::C,
        other => other,
    }
}

fn by_interpreter(bytes: &[u8]) -> Option<Grammar> {
    let line = bytes.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let mut program = words.next()?.rsplit('/').next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    // `python3.12` is `python3`.
    let program = program.rsplit('/').next()?.split('.').next()?;
    LANGUAGES
        .iter()
        .find(|language| language.interpreters.contains(&program))
        .map(|language| language.grammar)
}

/// Whether a header is C++: a line that only C++ can have, outside an `#ifdef __cplusplus` block.
///
/// `extern "C"` inside such a block is how C headers make themselves usable from C++, so whatever
/// stands in one says nothing.
fn is_cpp_header(bytes: &[u8]) -> bool {
    let mut guarded = Vec::new();
    let mut in_comment = false;
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        if in_comment {
            in_comment = !has(line, b"*/");
            continue;
        }
        if line.starts_with(b"/*") {
            in_comment = !has(line, b"*/");
            continue;
        }
        if let Some(directive) = line.strip_prefix(b"#") {
            let directive = directive.trim_ascii_start();
            if directive.starts_with(b"if") {
                guarded.push(has(directive, b"__cplusplus"));
            } else if directive.starts_with(b"else") || directive.starts_with(b"elif") {
                if let Some(last) = guarded.last_mut() {
                    *last = false;
                }
            } else if directive.starts_with(b"endif") {
                guarded.pop();
            }
            continue;
        }
        if guarded.contains(&true) || line.starts_with(b"//") || line.starts_with(b"*") {
            continue;
        }
        let starts = |word: &[u8]| line.starts_with(word);
        if starts(b"class ")
            || starts(b"namespace ")
            || starts(b"template <")
            || starts(b"template<")
            || starts(b"using ")
            || starts(b"public:")
            || starts(b"private:")
            || starts(b"protected:")
            || starts(b"extern \"C++\"")
            || starts(b"constexpr ")
            || has_scope(line)
        {
            return true;
        }
    }
    false
}

/// Whether `::` stands in the code of a line.
fn has_scope(line: &[u8]) -> bool {
    let code = line.split(|b| *b == b'"').next().unwrap_or(line);
    let comment = code
        .windows(2)
        .position(|pair| pair == b"//" || pair == b"/*")
        .unwrap_or(code.len());
    has(&code[..comment], b"::")
}

fn has(line: &[u8], needle: &[u8]) -> bool {
    line.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_grammars() {
        assert_eq!(by_file_name(b"a.ts"), Grammar::TypeScript);
        assert_eq!(by_file_name(b"a.d.ts"), Grammar::TypeScript);
        assert_eq!(by_file_name(b"A.TSX"), Grammar::Tsx);
        assert_eq!(by_file_name(b"a.cjs"), Grammar::JavaScript);
        assert_eq!(by_file_name(b"README.md"), Grammar::Markdown);
        assert_eq!(by_file_name(b"stdio.h"), Grammar::CHeader);
        assert_eq!(by_file_name(b".py"), Grammar::Text);
        assert_eq!(by_file_name(b"Makefile"), Grammar::Text);
        assert_eq!(by_file_name(b"Dockerfile"), Grammar::Text);
        assert_eq!(by_file_name(b".bashrc"), Grammar::Bash);
        assert_eq!(by_file_name(b"Cargo.toml"), Grammar::Toml);
        assert_eq!(by_file_name(b"a.test.vue"), Grammar::Vue);
        assert_eq!(by_file_name(b"caf\xe9.py"), Grammar::Python);
    }

    #[test]
    fn shebangs_resolve_text() {
        assert_eq!(
            by_content(b"#!/usr/bin/env -S python3.12 -u\n", Grammar::Text),
            Grammar::Python
        );
        assert_eq!(
            by_content(b"#!/usr/bin/node\n", Grammar::Text),
            Grammar::JavaScript
        );
        assert_eq!(by_content(b"#!/bin/sh\n", Grammar::Text), Grammar::Bash);
        assert_eq!(by_content(b"#!/bin/awk\n", Grammar::Text), Grammar::Text);
        assert_eq!(
            by_content(b"#!/usr/bin/node\n", Grammar::Python),
            Grammar::Python
        );
        assert_eq!(by_content(b"#!", Grammar::Text), Grammar::Text);
    }

    #[test]
    fn headers_are_c_unless_they_cannot_be() {
        let guarded =
            b"#ifdef __cplusplus\nextern \"C\" {\nnamespace x {\n#endif\nint f(void); // std::x\n";
        assert_eq!(by_content(guarded, Grammar::CHeader), Grammar::C);
        assert_eq!(by_content(b"class A;\n", Grammar::CHeader), Grammar::Cpp);
        assert_eq!(
            by_content(b"void f(std::string s);\n", Grammar::CHeader),
            Grammar::Cpp
        );
        assert_eq!(
            by_content(b"/*\n class of its own\n*/\nint a;\n", Grammar::CHeader),
            Grammar::C
        );
    }

    #[test]
    fn what_is_built_follows_the_features() {
        let features = [
            (Grammar::Python, cfg!(feature = "grammar-python")),
            (Grammar::Notebook, cfg!(feature = "grammar-python")),
            (Grammar::Bash, cfg!(feature = "grammar-bash")),
            (
                Grammar::CHeader,
                cfg!(all(feature = "grammar-c", feature = "grammar-cpp")),
            ),
            (
                Grammar::Vue,
                cfg!(all(
                    feature = "grammar-javascript",
                    feature = "grammar-typescript",
                    feature = "grammar-css"
                )),
            ),
            (Grammar::Text, true),
            (Grammar::Json, true),
        ];
        for (grammar, built) in features {
            assert_eq!(is_built(grammar), built, "{grammar:?}");
        }
    }

    #[test]
    fn every_row_is_its_grammars_only_one() {
        for (i, row) in LANGUAGES.iter().enumerate() {
            assert!(
                LANGUAGES[i + 1..]
                    .iter()
                    .all(|other| other.grammar != row.grammar)
            );
        }
    }
}
