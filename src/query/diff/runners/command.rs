//! Commands of runners, and the names that they give their tests.

use super::names::{self, Place};
use crate::git::shell::{path, word};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Runs what CMake built.
const CTEST: &str = "ctest --test-dir build";

/// How the command of a runner is put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// All there is: tests have no names that a command could take.
    Whole(&'static str),
    /// All that CMake built.
    Ctest,
    /// A variable with patterns of suites and cases, whichever program holds them.
    Gtest,
    /// Paths and the names of what they hold: `pytest a.py::Class::name`.
    Pytest,
    /// Names of modules and what they hold: `python -m unittest a.Class.name`.
    Unittest,
    /// Paths behind this.
    Paths(&'static str),
    /// Paths with lines behind this.
    Places(&'static str),
    /// Packages, and an expression that names match.
    Go,
    /// Targets, and whole names; this is the subcommand.
    Cargo(&'static str),
    /// Classes and their methods, each behind `--tests`.
    Gradle,
    /// Classes with their methods, in one property.
    Maven,
    /// One file a command, and an expression.
    Minitest,
    /// One expression.
    Phpunit,
    /// One expression of conditions.
    Dotnet,
    /// One expression of classes and methods.
    Swift,
}

/// A test, or a file of tests, that a runner is to run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// Path of its file, from where the runner runs.
    pub path: String,
    /// The names around it and its own, outermost first; none for all of the file.
    pub names: Vec<String>,
    /// The line it begins on.
    pub line: u32,
}

/// Where a runner runs.
pub struct Site<'a> {
    /// The folder, empty or with a slash at its end.
    pub folder: &'a str,
    /// Whether there is a file at a path from that folder.
    pub has_file: &'a dyn Fn(&str) -> bool,
}

impl Site<'_> {
    /// A command that is to run in the folder; `None` when the folder cannot be named in a shell.
    fn inside(&self, command: String) -> Option<String> {
        match self.folder.strip_suffix('/') {
            None => Some(command),
            Some(folder) => Some(format!("(cd {} && {command})", path(folder)?)),
        }
    }

    /// An option that names a file of the folder, for runners that need not run in it.
    fn option(&self, option: &str, file: &str) -> Option<String> {
        match self.folder.is_empty() {
            true => Some(String::new()),
            false => Some(format!(
                " {option} {}",
                path(&format!("{}{file}", self.folder))?
            )),
        }
    }
}

impl Shape {
    /// The name that the runner gives a test.
    pub(super) fn id(self, site: &Site<'_>, target: &Target) -> String {
        let Place { folder, stem, .. } = Place::of(&target.path);
        let whole = format!("{}{}", site.folder, target.path);
        let joined = |separator: &str| target.names.join(separator);
        if target.names.is_empty() && self != Self::Go {
            return whole;
        }
        match self {
            Self::Pytest => format!("{whole}::{}", joined("::")),
            Self::Unittest => match names::module(&target.path) {
                Some(module) => format!("{module}.{}", joined(".")),
                None => whole,
            },
            Self::Paths(_) | Self::Whole(_) | Self::Ctest => whole,
            Self::Gtest => {
                names::case(&target.names).map_or(whole, |(suite, case)| format!("{suite}.{case}"))
            }
            Self::Places(_) => format!("{whole}:{}", target.line),
            Self::Go => {
                let package = format!("./{}{folder}", site.folder);
                format!("{} {}", package.trim_end_matches('/'), joined("."))
                    .trim_end()
                    .to_owned()
            }
            Self::Cargo(_) => names::of_crate(&target.path, &target.names).1,
            Self::Gradle | Self::Maven => {
                let class = names::class(&target.path, &target.names);
                match (self, target.names.last().filter(|_| target.names.len() > 1)) {
                    (_, None) => class,
                    (Self::Maven, Some(method)) => format!("{class}#{method}"),
                    (_, Some(method)) => format!("{class}.{method}"),
                }
            }
            Self::Minitest => joined("#"),
            Self::Phpunit => joined("::"),
            Self::Dotnet => joined("."),
            Self::Swift => match target.names.len() {
                1 => format!("{stem}/{}", joined("/")),
                _ => joined("/"),
            },
        }
    }

    /// The commands that run all there is.
    pub(super) fn all(self, site: &Site<'_>) -> Option<String> {
        match self {
            Self::Pytest => site.inside("pytest".into()),
            Self::Unittest => site.inside("python -m unittest".into()),
            Self::Paths(program) | Self::Places(program) => site.inside(program.into()),
            Self::Go => site.inside("go test ./...".into()),
            Self::Whole(command) => site.inside(command.into()),
            // What CMake built lies at the top, whichever folder says how.
            Self::Gtest | Self::Ctest => Some(CTEST.into()),
            Self::Cargo(command) => {
                let manifest = site.option("--manifest-path", "Cargo.toml")?;
                Some(format!("cargo {command}{manifest}"))
            }
            Self::Gradle => Some(format!(
                "{} {}",
                gradle(site),
                word(&format!("{}test", project(site)))?
            )),
            Self::Maven => Some(format!("mvn{} test", site.option("-f", "pom.xml")?)),
            Self::Minitest => site.inside("bundle exec rake test".into()),
            Self::Phpunit => site.inside("vendor/bin/phpunit".into()),
            Self::Dotnet => Some(format!("dotnet test{}", site.option_folder()?)),
            Self::Swift => Some(format!("swift test{}", site.package_path()?)),
        }
    }

    /// The commands that run some tests, and how many of the tests no command can name.
    pub(super) fn some(self, site: &Site<'_>, targets: &[Target]) -> (Vec<String>, usize) {
        let mut left_out = 0;
        let mut kept: Vec<&Target> = Vec::new();
        for target in targets {
            let fits =
                word(&target.path).is_some() && target.names.iter().all(|n| word(n).is_some());
            match fits {
                true => kept.push(target),
                false => left_out += 1,
            }
        }
        if kept.is_empty() {
            return (Vec::new(), left_out);
        }
        let found = match self {
            Self::Pytest | Self::Unittest | Self::Paths(_) | Self::Places(_) => {
                self.listed(site, &kept)
            }
            Self::Go => go(site, &kept),
            Self::Whole(_) | Self::Ctest => self.all(site).map(|all| vec![all]),
            Self::Gtest => gtest(&kept),
            Self::Cargo(command) => cargo(command, site, &kept),
            Self::Gradle | Self::Maven => self.by_class(site, &kept),
            Self::Minitest => minitest(site, &kept),
            Self::Phpunit | Self::Dotnet | Self::Swift => self.by_expression(site, &kept),
        };
        match found {
            Some(commands) => (commands, left_out),
            None => (Vec::new(), targets.len()),
        }
    }

    /// Runners that take what they are to run as arguments.
    fn listed(self, site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
        let (mut arguments, mut seen) = (Vec::new(), FxHashSet::default());
        for target in kept {
            let local = Site {
                folder: "",
                has_file: site.has_file,
            };
            let argument = path(&self.id(&local, target))?;
            if seen.insert(argument.clone()) {
                arguments.push(argument);
            }
        }
        let program = match self {
            Self::Paths(program) | Self::Places(program) => program,
            Self::Unittest => "python -m unittest",
            _ => "pytest",
        };
        Some(vec![
            site.inside(format!("{program} {}", arguments.join(" ")))?,
        ])
    }

    fn by_class(self, site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
        let mut classes: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for target in kept {
            let class = names::class(&target.path, &target.names);
            let methods = classes.entry(class).or_default();
            let method = target.names.last().filter(|_| target.names.len() > 1);
            // An empty name stands for all of the class.
            let plain = method
                .filter(|m| names::is_identifier(m) || self == Self::Gradle && !m.contains('*'));
            methods.insert(plain.map_or("", String::as_str));
        }
        if self == Self::Gradle {
            let mut command = format!(
                "{} {}",
                gradle(site),
                word(&format!("{}test", project(site)))?
            );
            for (class, methods) in &classes {
                for method in methods
                    .iter()
                    .filter(|m| !methods.contains("") || m.is_empty())
                {
                    let pattern = format!("{class}.{method}");
                    command += &format!(" --tests {}", word(pattern.trim_end_matches('.'))?);
                }
            }
            return Some(vec![command]);
        }
        let patterns: Vec<String> = classes
            .iter()
            .map(|(class, methods)| match methods.contains("") {
                true => class.clone(),
                false => {
                    let methods: Vec<&str> = methods.iter().copied().collect();
                    format!("{class}#{}", methods.join("+"))
                }
            })
            .collect();
        let manifest = site.option("-f", "pom.xml")?;
        let tests = word(&format!("-Dtest={}", patterns.join(",")))?;
        Some(vec![format!("mvn{manifest} test {tests}")])
    }

    fn by_expression(self, site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
        let (mut parts, mut seen) = (Vec::new(), FxHashSet::default());
        for target in kept {
            let plain = target.names.iter().all(|name| names::is_identifier(name));
            let stem = Place::of(&target.path).stem;
            let part = match (self, plain && !target.names.is_empty()) {
                (Self::Dotnet, true) => format!("FullyQualifiedName~{}", target.names.join(".")),
                (Self::Dotnet, false) => format!("FullyQualifiedName~{stem}"),
                (Self::Phpunit, true) => target.names.join("::"),
                (_, true) => target.names.join("/"),
                (_, false) => stem.to_owned(),
            };
            let fits = part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_.:/~".contains(&b));
            if fits && seen.insert(part.clone()) {
                parts.push(part);
            }
        }
        let all = parts.join("|");
        let command = match self {
            Self::Dotnet => format!(
                "dotnet test{} --filter {}",
                site.option_folder()?,
                word(&all)?
            ),
            Self::Phpunit => {
                let filter = word(&format!("/\\b({all})\\b/"))?;
                site.inside(format!("vendor/bin/phpunit --filter {filter}"))?
            }
            _ => format!(
                "swift test{} --filter {}",
                site.package_path()?,
                word(&format!("({all})"))?
            ),
        };
        (!parts.is_empty()).then(|| vec![command])
    }
}

impl Site<'_> {
    /// The folder as an argument.
    fn option_folder(&self) -> Option<String> {
        match self.folder.strip_suffix('/') {
            None => Some(String::new()),
            Some(folder) => Some(format!(" {}", path(folder)?)),
        }
    }

    fn package_path(&self) -> Option<String> {
        match self.folder.strip_suffix('/') {
            None => Some(String::new()),
            Some(folder) => Some(format!(" --package-path {}", path(folder)?)),
        }
    }
}

/// The project that a folder is, with colons around it as Gradle names it.
fn project(site: &Site<'_>) -> String {
    match site.folder.is_empty() {
        true => String::new(),
        false => format!(":{}", site.folder.replace('/', ":")),
    }
}

/// Gradle as the repository brings it; for a folder below the top that is the one at the top.
fn gradle(site: &Site<'_>) -> &'static str {
    let is_bare = site.folder.is_empty() && !(site.has_file)("gradlew");
    if is_bare { "gradle" } else { "./gradlew" }
}

/// Patterns rather than names: suites with types or parameters have more before and behind theirs.
fn gtest(kept: &[&Target]) -> Option<Vec<String>> {
    let cases = kept.iter().map(|target| names::case(&target.names));
    let pattern = |(suite, case)| format!("*{suite}*.{case}*");
    // What cannot be named is run with all others.
    let command = match cases
        .map(|case| case.map(pattern))
        .collect::<Option<BTreeSet<_>>>()
    {
        Some(patterns) => {
            let patterns: Vec<String> = patterns.into_iter().collect();
            format!("GTEST_FILTER={} {CTEST}", word(&patterns.join(":"))?)
        }
        None => CTEST.to_owned(),
    };
    Some(vec![command])
}

fn go(site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
    let mut whole: BTreeSet<String> = BTreeSet::new();
    let (mut packages, mut tests) = (BTreeSet::new(), BTreeSet::new());
    let package = |target: &Target| {
        let folder = Place::of(&target.path).folder.trim_end_matches('/');
        path(&format!("./{folder}"))
    };
    for target in kept {
        match target
            .names
            .first()
            .filter(|name| names::is_identifier(name))
        {
            Some(name) => {
                packages.insert(package(target)?);
                tests.insert(name.as_str());
            }
            None => {
                whole.insert(package(target)?);
            }
        }
    }
    packages.retain(|package| !whole.contains(package));
    let listed = |packages: BTreeSet<String>| packages.into_iter().collect::<Vec<_>>().join(" ");
    let mut commands = Vec::new();
    if !packages.is_empty() {
        let tests: Vec<&str> = tests.into_iter().collect();
        let expression = word(&format!("^({})$", tests.join("|")))?;
        commands.push(site.inside(format!("go test -run {expression} {}", listed(packages)))?);
    }
    if !whole.is_empty() {
        commands.push(site.inside(format!("go test {}", listed(whole)))?);
    }
    Some(commands)
}

fn cargo(command: &str, site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
    let manifest = site.option("--manifest-path", "Cargo.toml")?;
    let (mut whole, mut targets, mut tests) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for target in kept {
        let (kind, name) = names::of_crate(&target.path, &target.names);
        let option = match kind {
            names::Part::Library if (site.has_file)("src/lib.rs") => "--lib".to_owned(),
            names::Part::Library | names::Part::Program => "--bins".to_owned(),
            // Behind a blank it would be an option of its own.
            names::Part::Test(name) if name.starts_with('-') => format!("--test={}", word(&name)?),
            names::Part::Test(name) => format!("--test {}", word(&name)?),
        };
        let plain = name.split("::").all(names::is_identifier) && !target.names.is_empty();
        match plain {
            true => {
                targets.insert(option);
                tests.insert(name);
            }
            false => {
                whole.insert(option);
            }
        }
    }
    let listed = |all: BTreeSet<String>, by: &str| all.into_iter().collect::<Vec<_>>().join(by);
    let mut commands = Vec::new();
    if !tests.is_empty() {
        let targets = listed(targets, " ");
        commands.push(match command {
            "test" => format!(
                "cargo test{manifest} {targets} -- --exact {}",
                listed(tests, " ")
            ),
            _ => {
                let tests = tests
                    .into_iter()
                    .map(|test| format!("test(={test})"))
                    .collect();
                let expression = word(&listed(tests, " + "))?;
                format!("cargo {command}{manifest} {targets} -E {expression}")
            }
        });
    }
    if !whole.is_empty() {
        commands.push(format!("cargo {command}{manifest} {}", listed(whole, " ")));
    }
    Some(commands)
}

fn minitest(site: &Site<'_>, kept: &[&Target]) -> Option<Vec<String>> {
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for target in kept {
        let name = target
            .names
            .last()
            .filter(|name| names::is_identifier(name));
        let tests = files.entry(&target.path).or_default();
        tests.push(name.map_or("", String::as_str));
    }
    let mut commands = Vec::new();
    // Ruby runs one program, which loads the others.
    let (whole, some): (BTreeMap<_, _>, BTreeMap<_, _>) = files
        .into_iter()
        .partition(|(_, tests)| tests.contains(&""));
    if whole.len() > 1 {
        let load = "-e 'ARGV.each { |file| load file }'";
        let files: Option<Vec<String>> = whole.keys().map(|file| path(file)).collect();
        commands.push(site.inside(format!("ruby -Ilib -Itest {load} {}", files?.join(" ")))?);
    } else {
        for file in whole.keys() {
            commands.push(site.inside(format!("ruby -Ilib -Itest {}", path(file)?))?);
        }
    }
    for (file, tests) in some {
        let filter = word(&format!("/^({})$/", tests.join("|")))?;
        let command = format!("ruby -Ilib -Itest {} -n {filter}", path(file)?);
        commands.push(site.inside(command)?);
    }
    Some(commands)
}
