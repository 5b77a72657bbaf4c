//! What a runner calls a test, from the path of its file and the names around it.

/// A path in parts.
pub struct Place<'a> {
    /// Its folder, empty or with a slash at its end.
    pub folder: &'a str,
    /// The name of the file up to its last dot.
    pub stem: &'a str,
}

impl<'a> Place<'a> {
    /// Takes a path apart.
    pub fn of(path: &'a str) -> Self {
        let at = path.rfind('/').map_or(0, |at| at + 1);
        let (folder, name) = path.split_at(at);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Self { folder, stem }
    }
}

/// Whether a word is a name in nearly every language, so that it means itself in an expression.
pub fn is_identifier(word: &str) -> bool {
    let begins = |b: &u8| b.is_ascii_alphabetic() || *b == b'_';
    word.as_bytes().first().is_some_and(begins)
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The Python module of a file; `None` when its path is not made of names.
pub fn module(path: &str) -> Option<String> {
    let path = path.strip_suffix(".py")?;
    path.split('/')
        .all(is_identifier)
        .then(|| path.replace('/', "."))
}

/// The class that a test is in, by the package that its path says.
pub fn class(path: &str, names: &[String]) -> String {
    let Place { folder, stem } = Place::of(path);
    let own = match names {
        [] | [_] => names.first().map_or(stem.to_owned(), String::clone),
        [classes @ .., _] => classes.join("$"),
    };
    // Sources begin below a folder that is called like their language: `src/test/java/`.
    let parts: Vec<&str> = folder.split_terminator('/').collect();
    let language = |part: &&str| matches!(*part, "java" | "kotlin" | "groovy");
    match parts.iter().rposition(language) {
        Some(at) => {
            let mut parts = parts[at + 1..].to_vec();
            parts.push(&own);
            parts.join(".")
        }
        None => format!("*{own}"),
    }
}

/// The suite and the case of a test that is titled with both: `TEST(Suite, Case)`.
pub fn case(names: &[String]) -> Option<(&str, &str)> {
    let (suite, case) = names.last()?.split_once(',')?;
    let case = case.trim();
    (is_identifier(suite) && is_identifier(case)).then_some((suite, case))
}

/// The target of a package that a file belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The library.
    Library,
    /// A program.
    Program,
    /// A test of its own, with its name.
    Test(String),
}

/// The target that a file of a package belongs to, and the path of a test in it.
pub fn of_crate(path: &str, names: &[String]) -> (Part, String) {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    let (part, modules) = match parts.as_slice() {
        ["src", "bin", _, modules @ ..] => (Part::Program, modules),
        ["src", "main"] => (Part::Program, &[][..]),
        ["src", modules @ ..] => (Part::Library, modules),
        ["tests", name] => (Part::Test((*name).to_owned()), &[][..]),
        ["tests", name, modules @ ..] => (Part::Test((*name).to_owned()), modules),
        _ => (Part::Library, &[][..]),
    };
    let modules = match modules {
        [outer @ .., "mod" | "lib" | "main"] => outer,
        all => all,
    };
    let own = names.iter().map(String::as_str);
    let all: Vec<&str> = modules.iter().copied().chain(own).collect();
    (part, all.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn classes_are_named_with_their_package() {
        let names = strings(&["FooTest", "Inner", "works"]);
        assert_eq!(
            class("core/src/test/java/org/a/FooTest.java", &names),
            "org.a.FooTest$Inner"
        );
        assert_eq!(class("src/test/kotlin/FooTest.kt", &[]), "FooTest");
        assert_eq!(
            class("t/FooTest.java", &strings(&["FooTest", "m"])),
            "*FooTest"
        );
    }

    #[test]
    fn tests_of_a_crate_are_named_with_their_modules() {
        let of = |path: &str| of_crate(path, &strings(&["tests", "works"]));
        let test = |name: &str| Part::Test(name.to_owned());
        assert_eq!(of("src/lib.rs"), (Part::Library, "tests::works".into()));
        assert_eq!(
            of("src/a/mod.rs"),
            (Part::Library, "a::tests::works".into())
        );
        assert_eq!(
            of("src/a/b.rs"),
            (Part::Library, "a::b::tests::works".into())
        );
        assert_eq!(of("src/main.rs"), (Part::Program, "tests::works".into()));
        assert_eq!(of("tests/it.rs"), (test("it"), "tests::works".into()));
        assert_eq!(of("tests/it/main.rs"), (test("it"), "tests::works".into()));
        assert_eq!(
            of("tests/it/gate.rs"),
            (test("it"), "gate::tests::works".into())
        );
    }

    #[test]
    fn modules_are_made_of_names() {
        assert_eq!(module("tests/test_a.py").as_deref(), Some("tests.test_a"));
        assert_eq!(module("my-tests/test_a.py"), None);
    }
}
