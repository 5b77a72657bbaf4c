//! What a file is to those that changed: their test, their translation, another implementation.
//!
//! All of it is read off paths and the graph. Files that belong together by their names are more likely to
//! change together before history has shown it, which is the one thing that [`kinship`] says.

use crate::view::role::{self, FileRole};

labelled! {
    /// What a file is to those that changed.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Relation {
        /// It says the same in another language.
        Translation = "translation",
        /// It says which versions a manifest was resolved to.
        Lock = "lock file",
        /// It changes what is stored.
        Migration = "migration",
        /// It tests.
        Test = "test",
        /// It is written by a program.
        Generated = "generated",
        /// It is read by people.
        Documentation = "docs",
        /// It implements what one of them implements too.
        Implementation = "other implementation",
        /// It has the name of one of them: a header, a style, a template.
        Counterpart = "counterpart",
        /// Nothing but history connects it with them.
        Companion = "companion",
    }
}

/// How likely a file is taken to change with one that it belongs to by its name, as if that had been seen
/// once. Between .15 and .5 all are as good ([`super::rules`]).
const KINSHIP: f64 = 0.3;
/// Names that say nothing of what is in a file: many folders have one.
const GENERIC: &[&str] = words!(
    "common config helper helpers index init lib main makefile mod package readme types util utils"
);
/// Shorter names are no names.
const LEAST_STEM: usize = 3;
/// Files that say what versions were chosen.
const LOCKS: &[&str] = words!(
    "cargo.lock composer.lock flake.lock gemfile.lock go.sum mix.lock npm-shrinkwrap.json
     package-lock.json pdm.lock pipfile.lock pnpm-lock.yaml podfile.lock poetry.lock pubspec.lock
     uv.lock yarn.lock"
);
/// Folders of steps from one form of what is stored to the next.
const MIGRATIONS: &[&str] = words!("migrate migration migrations");

/// What a file of this role is to `changed`. `is_sibling` says whether it implements what that does.
pub fn of(path: &[u8], role: FileRole, changed: &[&[u8]], is_sibling: bool) -> Relation {
    let lower = lower(path);
    if changed.iter().any(|one| is_translation(one, path)) {
        return Relation::Translation;
    }
    if is_lock(path) {
        return Relation::Lock;
    }
    if lower.split('/').any(|part| MIGRATIONS.contains(&part)) {
        return Relation::Migration;
    }
    match role {
        FileRole::Test => Relation::Test,
        FileRole::Generated => Relation::Generated,
        FileRole::Documentation | FileRole::Translation => Relation::Documentation,
        _ if is_sibling => Relation::Implementation,
        _ if changed.iter().any(|one| has_same_stem(one, path)) => Relation::Counterpart,
        _ => Relation::Companion,
    }
}

/// How likely `other` is taken to change with `path` before history says anything; 0 for strangers.
pub fn kinship(path: &[u8], other: &[u8], is_sibling: bool) -> f64 {
    let is_kin = match (is_lock(path), is_lock(other)) {
        (true, true) => false,
        (false, false) => has_same_stem(path, other) || is_translation(path, other),
        (of_path, _) => {
            let manifest = if of_path { other } else { path };
            FileRole::of_path(manifest) == FileRole::Settings && folder(path) == folder(other)
        }
    };
    if is_kin || is_sibling { KINSHIP } else { 0.0 }
}

/// The folder of a path; empty at the top.
pub fn folder(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte == b'/');
    &path[..end.unwrap_or(0)]
}

fn lower(path: &[u8]) -> String {
    String::from_utf8_lossy(path).to_lowercase()
}

fn is_lock(path: &[u8]) -> bool {
    let lower = lower(path);
    let name = lower.rsplit('/').next().unwrap_or_default();
    LOCKS.contains(&name)
}

/// Whether two files are named for the same thing: `pool.rs` and `tests/test_pool.py`, `a.c` and `a.h`.
fn has_same_stem(one: &[u8], other: &[u8]) -> bool {
    let stem = stem(one);
    stem.len() >= LEAST_STEM && !GENERIC.contains(&&*stem) && stem == self::stem(other)
}

/// What a file is named for: its name without endings and without what makes it a test, in lower case.
fn stem(path: &[u8]) -> String {
    let lower = lower(path);
    let name = lower.rsplit('/').next().unwrap_or_default();
    let name = name.trim_start_matches('.');
    let mut stem = name.split('.').next().unwrap_or_default();
    for word in ["tests", "test", "specs", "spec"] {
        let fix = |rest: &&str| !rest.is_empty();
        stem = stem.strip_suffix(word).filter(fix).unwrap_or(stem);
        let before = stem.strip_prefix(word);
        let before = before.and_then(|rest| rest.strip_prefix(['_', '-']));
        stem = before.filter(fix).unwrap_or(stem);
    }
    stem.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Whether two paths differ in nothing but the language that one part of them names: `locale/de/app.po` and
/// `locale/fr/app.po`, `messages_de.properties` and `messages_fr.properties`.
fn is_translation(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (lower(one), lower(other));
    let parts = |path: &str| -> Vec<String> { path.split(['/', '.']).map(str::to_owned).collect() };
    let (one, other) = (parts(&one), parts(&other));
    if one.len() != other.len() {
        return false;
    }
    let mut differing = one.iter().zip(&other).filter(|(a, b)| a != b);
    match (differing.next(), differing.next()) {
        (Some((a, b)), None) => name_languages(a, b),
        _ => false,
    }
}

/// Whether two parts of paths are languages, or end in one after the same word.
fn name_languages(one: &str, other: &str) -> bool {
    let is_language = |word: &str| word == "en" || role::is_language(word);
    if is_language(one) && is_language(other) {
        return true;
    }
    let ends = |at: char| match (one.split_once(at), other.split_once(at)) {
        (Some((a, x)), Some((b, y))) => a == b && is_language(x) && is_language(y),
        _ => false,
    };
    ends('_') || ends('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(path: &str, changed: &[&str]) -> Relation {
        let changed: Vec<&[u8]> = changed.iter().map(|path| path.as_bytes()).collect();
        let role = FileRole::of_path(path.as_bytes());
        of(path.as_bytes(), role, &changed, false)
    }

    #[test]
    fn a_file_is_what_its_path_says_of_it() {
        for (path, changed, is) in [
            (
                "locale/fr/app.po",
                "locale/de/app.po",
                Relation::Translation,
            ),
            ("i18n/pt-br.json", "i18n/en.json", Relation::Translation),
            (
                "m/text_fr.properties",
                "m/text_de.properties",
                Relation::Translation,
            ),
            (
                "res/values-fr/strings.xml",
                "res/values-de/strings.xml",
                Relation::Translation,
            ),
            ("src/fr/app.rs", "src/de/main.rs", Relation::Companion),
            ("web/package-lock.json", "web/package.json", Relation::Lock),
            (
                "db/migrate/7_add.rb",
                "app/models/user.rb",
                Relation::Migration,
            ),
            ("tests/test_pool.py", "src/pool.py", Relation::Test),
            ("docs/pool.md", "src/pool.py", Relation::Documentation),
            ("include/pool.h", "src/pool.c", Relation::Counterpart),
            ("src/index.ts", "lib/index.ts", Relation::Companion),
        ] {
            assert_eq!(relation(path, &[changed]), is, "{path}");
        }
        assert_eq!(
            of(b"a.rs", FileRole::Product, &[b"b.rs"], true),
            Relation::Implementation
        );
    }

    #[test]
    fn names_make_kin() {
        let kin = |one: &str, other: &str| kinship(one.as_bytes(), other.as_bytes(), false) > 0.0;
        for (one, other) in [
            ("src/pool.py", "tests/test_pool.py"),
            ("src/Pool.java", "src/test/PoolTest.java"),
            ("lib/pool.rb", "spec/pool_spec.rb"),
            ("ui/Button.tsx", "ui/Button.test.tsx"),
            ("go.mod", "go.sum"),
            ("a/Cargo.lock", "a/Cargo.toml"),
            ("l/de.yml", "l/fr.yml"),
        ] {
            assert!(kin(one, other) && kin(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("a/index.js", "b/index.js"),
            ("a/Cargo.toml", "b/Cargo.lock"),
            ("src/a.c", "src/a.h"),
            ("src/latest.py", "src/la.py"),
            ("yarn.lock", "package-lock.json"),
        ] {
            assert!(!kin(one, other), "{one} {other}");
        }
        assert!(kinship(b"x.rs", b"y.rs", true) > 0.0);
    }
}
