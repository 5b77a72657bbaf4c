//! What agents with nothing but a shell have in common: commands whose output is cut, whole files
//! read, and a feeling for what a definition or an import looks like.

use super::Answer;
use crate::Result;
use crate::subject::Subject;
use crate::task::Place;
use regex::Regex;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Characters of a command's output that an agent is shown; the usual limit of today's agents.
pub const OUTPUT_CHARS: usize = 30_000;
/// Lines of a file that an agent is shown when it reads it; likewise.
const FILE_LINES: usize = 2_000;

/// A folder and a part of it that may be looked at.
pub struct Shell {
    pub dir: PathBuf,
    pub root: Option<String>,
}

impl Shell {
    /// A shell in a subject.
    pub fn new(subject: &Subject) -> Self {
        Self {
            dir: subject.dir.clone(),
            root: subject.root.clone(),
        }
    }

    /// The folders to look at: those of the question, else the subject's root, else everything.
    pub fn paths(&self, scope: &[String]) -> Vec<String> {
        let mut paths = scope.to_vec();
        if paths.is_empty() {
            paths.extend(self.root.clone());
        }
        if paths.is_empty() {
            paths.push(".".to_owned());
        }
        paths
    }

    /// Runs a command as one call and returns what the agent sees of it.
    pub fn run(&self, answer: &mut Answer, command: &mut Command) -> Result<String> {
        let start = Instant::now();
        let out = command.current_dir(&self.dir).output()?;
        answer.wall += start.elapsed();
        if !matches!(out.status.code(), Some(0 | 1)) {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
        }
        let text = cut(&String::from_utf8_lossy(&out.stdout));
        answer.calls.push(text.clone());
        Ok(text)
    }

    /// Reads a file whole, as one call, with line numbers as agents see them.
    pub fn read(&self, answer: &mut Answer, path: &str) -> Result<String> {
        let start = Instant::now();
        let bytes = std::fs::read(self.dir.join(path)).map_err(|err| format!("{path}: {err}"))?;
        answer.wall += start.elapsed();
        let text = String::from_utf8_lossy(&bytes);
        let text: String = text.split_inclusive('\n').take(FILE_LINES).collect();
        let numbered = text
            .lines()
            .zip(1..)
            .map(|(line, n): (_, u32)| format!("{n}\t{line}\n"));
        answer.calls.push(numbered.collect());
        Ok(text)
    }
}

fn cut(text: &str) -> String {
    text.chars().take(OUTPUT_CHARS).collect()
}

/// Reads `path:line:text` lines; what is something else, such as a line that was cut, is passed over.
pub fn hits(output: &str) -> Vec<(Place, String)> {
    output
        .lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':');
            let path = parts.next()?.trim_start_matches("./");
            let number = parts.next()?.parse().ok()?;
            let place = Place {
                path: path.to_owned(),
                line: number,
            };
            Some((place, parts.next()?.to_owned()))
        })
        .collect()
}

/// The last component of a qualified name: what stands in the text.
pub fn last_component(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '/']).next().unwrap_or(name)
}

/// A pattern, in the syntax that grep -E, ripgrep and this program share, that lines which define
/// `name` match. `lang` narrows it; without one it is that of all languages.
pub fn definition_pattern(name: &str, lang: &str) -> String {
    let name = regex::escape(name);
    let rust = format!(
        r"\b(fn|struct|enum|union|trait|type|const|static|mod)\s+(mut\s+)?{name}\b|macro_rules!\s+{name}\b"
    );
    let python = format!(r"^\s*(async\s+)?(def|class)\s+{name}\b|^{name}\s*(:[^=]+)?=[^=]");
    let go =
        format!(r"^func\s+(\([^)]*\)\s*)?{name}\b|^\s*type\s+{name}\b|^\s*(var|const)\s+{name}\b");
    let script = format!(
        r"\b(function\*?|class|interface|type|enum|namespace|const|let|var)\s+{name}\b|\b{name}\s*[:=]\s*(async\s*)?(function|\()|\.{name}\s*=[^=]|^\s*(static\s+|async\s+|get\s+|set\s+|public\s+|private\s+|protected\s+)*{name}\s*\([^)]*\)[^;]*\{{"
    );
    let c = format!(
        r"^\s*#\s*define\s+{name}\b|\b(struct|enum|union|class|namespace)\s+{name}\b\s*[{{:]|\btypedef\b.*\b{name}\s*;|^[A-Za-z_][A-Za-z0-9_ \t*&:<>,]*[ *&:]{name}\s*\([^;]*$"
    );
    let java = format!(
        r"\b(class|interface|enum|record|@interface)\s+{name}\b|^\s*(public|private|protected|static|final|abstract|synchronized|default|@\w+|\s)+[A-Za-z_][A-Za-z0-9_<>\[\], .?]*\s+{name}\s*[(=;]"
    );
    match lang {
        "rust" => rust,
        "python" => python,
        "go" => go,
        "javascript" | "typescript" => script,
        "c" | "cpp" | "c++" => c,
        "java" => java,
        _ => [rust, python, go, script, c, java].join("|"),
    }
}

/// Whether a line defines a name, as a reader sees it: `return f(x)` has the shape of a definition in
/// some languages and is none in any.
pub fn is_definition(line: &str, pattern: &Regex) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    pattern.is_match(line)
        && !["return", "new", "throw", "await", "yield", "else", "case"].contains(&first)
}

/// Whether a line is only a comment.
pub fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "*", "/*", "--", "<!--"]
        .iter()
        .any(|mark| line.starts_with(mark))
        && !line.starts_with("#include")
        && !line.starts_with("#[")
        && !line.starts_with("#define")
}

/// What the lines of a file import, as written.
pub fn imports(text: &str) -> Vec<String> {
    let quoted = Regex::new(
        r#"(?m)(?:\bfrom\s*|\bimport\s*\(?|\brequire\s*\(\s*|^\s*#\s*include\s*|^\s*(?:import\s+)?(?:[\w.]+\s+)?)["'<]([^"'>\n]+)["'>]"#,
    )
    .expect("a constant pattern");
    let python =
        Regex::new(r"(?m)^\s*from\s+([.\w]+)\s+import\s+\(?([\w, ]*)|^\s*import\s+([\w.]+)")
            .expect("a constant pattern");
    let rust = Regex::new(r"(?m)^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use\s+((?:crate|super|self)(?:::\w+)+)|mod\s+(\w+)\s*;)")
        .expect("a constant pattern");
    let mut all = Vec::new();
    for found in quoted.captures_iter(text) {
        all.push(found[1].to_owned());
    }
    for found in python.captures_iter(text) {
        if let Some(from) = found.get(1) {
            all.push(from.as_str().to_owned());
            // `from . import a, b` names modules; of anything else the names are tried too.
            let names = found.get(2).map_or("", |names| names.as_str());
            let dot = if from.as_str().ends_with('.') {
                ""
            } else {
                "."
            };
            all.extend(
                names
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty())
                    .map(|name| format!("{}{dot}{name}", from.as_str())),
            );
        } else if let Some(module) = found.get(3) {
            all.push(module.as_str().to_owned());
        }
    }
    for found in rust.captures_iter(text) {
        all.push(match (found.get(1), found.get(2)) {
            (Some(path), _) => path.as_str().to_owned(),
            (_, name) => format!("self::{}", name.map_or("", |name| name.as_str())),
        });
    }
    all
}

/// The file of the subject that an import of `path` means, found by trying, as a reader would.
pub fn resolve(dir: &Path, path: &str, import: &str) -> Option<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let try_file = |candidate: &str| -> Option<String> {
        let candidate = normal(candidate)?;
        (candidate != path && dir.join(&candidate).is_file()).then_some(candidate)
    };
    let try_stem = |stem: &str| -> Option<String> {
        [
            "",
            ".js",
            ".ts",
            ".tsx",
            ".jsx",
            ".mjs",
            ".py",
            ".rs",
            ".h",
            "/index.js",
            "/index.ts",
            "/__init__.py",
            "/mod.rs",
        ]
        .iter()
        .find_map(|extension| try_file(&format!("{stem}{extension}")))
    };
    if let Some(rest) = import
        .strip_prefix("crate::")
        .or_else(|| import.strip_prefix("self::"))
        .or_else(|| import.strip_prefix("super::"))
    {
        let above = |folder: &str| {
            folder
                .rsplit_once('/')
                .map_or(String::new(), |(up, _)| up.to_owned())
        };
        let stem = path.strip_suffix(".rs")?;
        // The folder of a file's child modules.
        let own = match stem.rsplit_once('/') {
            Some((folder, "mod" | "lib" | "main")) => folder.to_owned(),
            _ => stem.to_owned(),
        };
        let base = if import.starts_with("crate::") {
            path.find("src/").map(|at| path[..at + 3].to_owned())?
        } else if import.starts_with("super::") {
            above(&own)
        } else {
            own
        };
        // The longest prefix of the path that is a module: what follows is an item in it.
        let mut parts: Vec<&str> = rest.split("::").collect();
        while !parts.is_empty() {
            if let Some(found) = try_stem(&format!("{base}/{}", parts.join("/"))) {
                return Some(found);
            }
            parts.pop();
        }
        return try_stem(&format!("{base}/mod")).or_else(|| try_stem(&base));
    }
    if import.starts_with("./") || import.starts_with("../") {
        return try_stem(&format!("{folder}/{import}"));
    }
    if path.ends_with(".py") {
        let dots = import.chars().take_while(|c| *c == '.').count();
        let rest = import[dots..].replace('.', "/");
        if dots > 0 {
            let mut base = folder.to_owned();
            for _ in 1..dots {
                base = base
                    .rsplit_once('/')
                    .map_or(String::new(), |(up, _)| up.to_owned());
            }
            return try_stem(&format!("{base}/{rest}"));
        }
        return try_stem(&rest).or_else(|| try_stem(&format!("src/{rest}")));
    }
    try_file(&format!("{folder}/{import}"))
        .or_else(|| try_file(import))
        .or_else(|| {
            path.ends_with(".java")
                .then(|| try_file(&format!("src/main/java/{}.java", import.replace('.', "/"))))?
        })
}

/// A path without `.` and `..`; `None` when it leaves the subject.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a file is of a language, told by its name; every file is when no language is named.
pub fn is_of_language(path: &str, lang: &str) -> bool {
    let extensions: &[&str] = match lang {
        "rust" => &["rs"],
        "python" => &["py", "pyi"],
        "go" => &["go"],
        "javascript" => &["js", "mjs", "cjs", "jsx"],
        "typescript" => &["ts", "tsx", "mts", "cts"],
        "c" => &["c", "h"],
        "cpp" => &["cpp", "cc", "cxx", "h", "hpp", "hh", "def"],
        "java" => &["java"],
        "markdown" => &["md", "markdown"],
        _ => return true,
    };
    path.rsplit_once('.')
        .is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// The words of a question that are worth looking for, as written, in its order.
pub fn words(query: &str) -> Vec<String> {
    const COMMON: &[&str] = &[
        "the",
        "and",
        "are",
        "for",
        "how",
        "what",
        "where",
        "which",
        "when",
        "why",
        "who",
        "does",
        "that",
        "this",
        "with",
        "from",
        "into",
        "not",
        "can",
        "will",
        "has",
        "have",
        "was",
        "were",
        "its",
        "their",
        "they",
        "between",
        "after",
        "before",
        "than",
        "then",
        "all",
        "any",
        "but",
        "code",
        "file",
        "files",
        "function",
        "functions",
        "class",
        "implemented",
        "implementation",
        "used",
        "uses",
        "use",
        "using",
    ];
    let mut words: Vec<String> = Vec::new();
    for word in query.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let known = words.iter().any(|known| known.eq_ignore_ascii_case(word));
        if word.len() >= 3 && !known && !COMMON.contains(&word.to_ascii_lowercase().as_str()) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_told_from_uses() {
        let defines = |lang: &str, name: &str, line: &str| {
            is_definition(line, &Regex::new(&definition_pattern(name, lang)).unwrap())
        };
        for (lang, line) in [
            ("rust", "pub(crate) fn run(x: u8) {"),
            ("python", "    async def run(self):"),
            ("go", "func (s *Server) run(ctx Context) error {"),
            ("javascript", "exports.run = function (a) {"),
            ("typescript", "  private run(a: number): void {"),
            ("c", "static int run(struct s *s,"),
            ("java", "    public static int run(String[] args) {"),
        ] {
            assert!(defines(lang, "run", line), "{lang}: {line}");
            assert!(defines("", "run", line), "any: {line}");
        }
        for (lang, line) in [
            ("rust", "    let x = run(1);"),
            ("python", "    self.run()"),
            ("go", "	s.run(ctx)"),
            ("javascript", "  app.run();"),
            ("c", "  run(s);"),
            ("java", "        run(args);"),
            ("java", "        return run(args);"),
        ] {
            assert!(!defines(lang, "run", line), "{lang}: {line}");
        }
    }

    #[test]
    fn imports_are_read_and_resolved() {
        let temp = tempfile::tempdir().unwrap();
        for path in [
            "lib/router/index.js",
            "lib/view.js",
            "pkg/a.py",
            "pkg/b/__init__.py",
            "src/git/refs.rs",
            "src/git/mod.rs",
            "inc/x.h",
        ] {
            std::fs::create_dir_all(temp.path().join(path).parent().unwrap()).unwrap();
            std::fs::write(temp.path().join(path), "").unwrap();
        }
        let of = |path: &str, text: &str| -> Vec<String> {
            imports(text)
                .iter()
                .filter_map(|import| resolve(temp.path(), path, import))
                .collect()
        };
        assert_eq!(
            of(
                "lib/app.js",
                "var r = require('./router');\nimport v from \"./view\"\nrequire('http')\n"
            ),
            ["lib/router/index.js", "lib/view.js"]
        );
        assert_eq!(
            of("pkg/c.py", "from . import a\nfrom .b import x\nimport os\n"),
            ["pkg/a.py", "pkg/b/__init__.py"]
        );
        assert_eq!(
            of("src/cli.rs", "use crate::git::refs::swap;\n"),
            ["src/git/refs.rs"]
        );
        assert_eq!(
            of("src/git/tree.rs", "use super::refs::swap;\n"),
            ["src/git/refs.rs"]
        );
        assert_eq!(
            of("inc/y.c", "#include \"x.h\"\n#include <stdio.h>\n"),
            ["inc/x.h"]
        );
    }

    #[test]
    fn the_words_of_a_question() {
        assert_eq!(
            words("Where does the router match paths, and the Router?"),
            ["router", "match", "paths"]
        );
    }

    #[test]
    fn hits_of_grep() {
        let found = hits("./a.rs:3:fn x() {}\nb/c.rs:12:  y: 1\ncut li");
        assert_eq!(
            found[0].0,
            Place {
                path: "a.rs".to_owned(),
                line: 3
            }
        );
        assert_eq!(found[1].1, "  y: 1");
        assert_eq!(found.len(), 2);
    }
}
