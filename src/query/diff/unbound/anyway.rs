//! What a language has by itself, so that a name means something that nothing binds.

use crate::extract::record::Grammar;
use crate::lang;

/// What of a language is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Habit {
    /// Variables, too: a bare name is no member of something that is not written there.
    pub(super) locals: bool,
    /// An import that names none binds what the package calls itself, which its path does not always say.
    pub(super) packages_are_named: bool,
}

impl Habit {
    /// That of a language; `None` where nothing is judged.
    pub(super) fn of(grammar: Grammar) -> Option<Self> {
        let (locals, packages_are_named) = match grammar {
            Grammar::Go => (true, true),
            Grammar::Rust
            | Grammar::Java
            | Grammar::CSharp
            | Grammar::C
            | Grammar::Cpp
            | Grammar::Python
            | Grammar::JavaScript
            | Grammar::TypeScript
            | Grammar::Tsx => (true, false),
            Grammar::Kotlin | Grammar::Php => (false, false),
            _ => return None,
        };
        Some(Self {
            locals,
            packages_are_named,
        })
    }
}

/// Words of lines that may bind a name in a way that is not understood.
const BINDING: &[&str] = &[
    "import ", "from ", "use ", "using ", "require", "include", "extern ", "declare ", "global ",
    "load", "macro",
];

/// Whether a line may bind names in a way that is not understood.
pub(super) fn may_bind(line: &[u8]) -> bool {
    let has = |word: &&str| memchr::memmem::find(line, word.as_bytes()).is_some();
    BINDING.iter().any(has)
}

/// Names that tests and pages of JavaScript have without an import, as libraries are set up.
const GIVEN: &[&[u8]] = byte_words!(
    "React JSX NodeJS Vue Ember jQuery angular d3 L google chrome browser describe it test expect vi jest suite
     beforeAll beforeEach afterAll afterEach assert cy Cypress sinon page context jasmine mocha bench
     ref computed reactive watch h defineProps defineEmits defineExpose defineModel defineOptions defineSlots withDefaults
     Response Request Headers FormData Blob File FileReader URL URLSearchParams AbortController AbortSignal Event
     EventTarget EventSource WebSocket Node Element Document Text TextEncoder TextDecoder ReadableStream WritableStream
     TransformStream MessageChannel MessagePort Worker BroadcastChannel crypto Crypto caches fetch performance
     structuredClone queueMicrotask setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate
     process Buffer global globalThis window self document console navigator location history storage
     require module exports arguments undefined NaN Infinity"
);

/// Names that Rust has in every module, by edition, beyond what is known of it otherwise.
const PRELUDE: &[&[u8]] = byte_words!(
    "TryFrom TryInto FromIterator Future IntoFuture std core alloc crate self super Self"
);

/// Modules of Node, what is in which no host has by itself but for what is given.
const NODE: &[&[u8]] = byte_words!(
    "fs path os child_process util http https http2 net assert stream events zlib readline vm worker_threads querystring"
);

/// Whether a name is there without being bound. `specifier` says what it was imported from, if it was.
pub(super) fn is_there(grammar: Grammar, name: &[u8], specifier: Option<&[u8]>) -> bool {
    let naming = &lang::of(grammar).naming;
    let is_of_node = specifier.is_some_and(|specifier| {
        let root = specifier.split(|byte| matches!(byte, b'.' | b'/')).next();
        specifier.starts_with(b"node:") || root.is_some_and(|root| NODE.contains(&root))
    });
    let functions = naming.library_functions.filter(|_| !is_of_node);
    if functions.is_some_and(|is_there| is_there(name)) {
        return true;
    }
    match grammar {
        Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx => {
            let script = &lang::of(Grammar::JavaScript).naming;
            (script.globals)(name) || GIVEN.contains(&name)
        }
        Grammar::Rust => (naming.globals)(name) || PRELUDE.contains(&name),
        _ => (naming.globals)(name),
    }
}

/// Whether what an import was from has to be imported to be named so, by a file of a package.
pub(super) fn needs_import(
    grammar: Grammar,
    (name, specifier): (&[u8], &[u8]),
    package: &[u8],
) -> bool {
    let around = |mark: u8| {
        let end = specifier.iter().rposition(|byte| *byte == mark);
        end.map_or(&[][..], |end| &specifier[..end])
    };
    match grammar {
        Grammar::Java => around(b'.') != package && around(b'.') != b"java.lang",
        Grammar::Kotlin => {
            // A bare name in lower case may be a member of what a lambda is called on.
            let is_type = name.first().is_some_and(u8::is_ascii_uppercase);
            let is_given = [&b"kotlin."[..], b"java.lang."]
                .iter()
                .any(|begin| specifier.starts_with(begin));
            is_type && !is_given && around(b'.') != package
        }
        Grammar::Php => {
            let is_function = specifier.contains(&b'.');
            let path = specifier.strip_prefix(b"\\").unwrap_or(specifier);
            let end = path.iter().rposition(|byte| *byte == b'\\');
            let around = end.map_or(&[][..], |end| &path[..end]);
            !is_function && around != package
        }
        Grammar::Rust => {
            // What is no path of the language or of this crate may be a crate of that name.
            let root = specifier.split(|byte| matches!(byte, b':' | b'.')).next();
            let is_own = matches!(
                root,
                Some(b"crate" | b"self" | b"super" | b"std" | b"core" | b"alloc")
            );
            is_own || name.first().is_some_and(u8::is_ascii_uppercase)
        }
        _ => true,
    }
}

/// Whether an import names a type in a type, which who extends the outer one sees without it.
pub(super) fn is_nested(specifier: &[u8]) -> bool {
    let mut parts = specifier
        .split(|byte| matches!(byte, b'.' | b'\\' | b':'))
        .rev();
    let outer = parts.nth(1).and_then(|part| part.first());
    outer.is_some_and(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_import_is_told_apart() {
        let needs = |grammar, name: &str, specifier: &str, package: &str| {
            let of = (name.as_bytes(), specifier.as_bytes());
            needs_import(grammar, of, package.as_bytes())
        };
        assert!(needs(Grammar::Java, "A", "x.A", "y"));
        assert!(!needs(Grammar::Java, "A", "x.A", "x"));
        assert!(!needs(Grammar::Java, "List", "java.lang.List", "x"));
        assert!(!needs(Grammar::Kotlin, "call", "io.call", "x"));
        assert!(!needs(
            Grammar::Kotlin,
            "List",
            "kotlin.collections.List",
            "x"
        ));
        assert!(needs(Grammar::Kotlin, "Call", "io.Call", "x"));
        assert!(needs(Grammar::Php, "A", "X\\A", "Y"));
        assert!(!needs(Grammar::Php, "A", "X\\A", "X"));
        assert!(!needs(
            Grammar::Php,
            "RuntimeException",
            "RuntimeException",
            ""
        ));
        assert!(!needs(Grammar::Rust, "bytes", "tokio_util.bytes", ""));
        assert!(needs(Grammar::Rust, "fmt", "std.fmt", ""));
        assert!(is_nested(b"java.util.Map.Entry") && !is_nested(b"java.util.Map"));
    }

    #[test]
    fn what_the_language_has_is_there() {
        assert!(is_there(
            Grammar::TypeScript,
            b"Response",
            Some(b"node-fetch.Response")
        ));
        assert!(is_there(Grammar::Python, b"range", None));
        assert!(is_there(Grammar::Java, b"String", None));
        assert!(is_there(
            Grammar::JavaScript,
            b"process",
            Some(b"node:process")
        ));
        assert!(!is_there(
            Grammar::TypeScript,
            b"readFile",
            Some(b"fs.readFile")
        ));
        assert!(!is_there(Grammar::TypeScript, b"chalk", Some(b"chalk")));
        assert!(!is_there(Grammar::Python, b"os", Some(b"os")));
    }
}
