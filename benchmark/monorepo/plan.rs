//! Which files a monorepo has, what each defines and which others each imports; no text yet.

use super::names::{Name, Vocabulary};
use super::random::{Random, Zipf};
use std::collections::HashSet;

/// Bytes of a source file, median. Measured: express 1.7 kB, gin 1.9, tokio 2.9, prisma 3.1, redis 4.6.
const MEDIAN_BYTES: f64 = 2500.0;
/// Deviation of the logarithm to base 2. In the same repositories it is 1.8 to 2.5, by the 84th
/// percentile; less here, so that the longest of 100,000 files has about 100 kB.
const SPREAD: f64 = 1.5;
/// Bytes of a source file, at least and at most.
const BYTES: (f64, f64) = (300.0, 110_000.0);
/// Bytes of source that one definition stands for.
const ITEM_BYTES: usize = 600;
/// Files of a package.
const PACKAGE_FILES: (usize, usize) = (10, 30);
/// Source files in a hundred that are tests.
const TESTS: usize = 14;
/// Folders at the top.
const AREAS: &[&str] = &["services", "libs", "apps", "tools", "platform"];
/// Packages that share a folder of an area, about.
const GROUP_PACKAGES: usize = 8;

/// A language, with how many packages in a hundred are written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    TypeScript,
    Python,
    Go,
    Rust,
    Java,
    C,
}

const SHARES: [(Language, usize); 6] = [
    (Language::TypeScript, 30),
    (Language::Python, 22),
    (Language::Go, 14),
    (Language::Rust, 12),
    (Language::Java, 12),
    (Language::C, 10),
];

/// A file by its number.
pub type FileId = usize;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `README.md` of a package, or of the whole.
    Readme,
    /// `package.json`, `Cargo.toml`, `go.mod` or settings.
    Manifest,
    /// What makes a folder a package: `lib.rs`, `__init__.py`.
    Root,
    Source,
    Test,
    /// A C header that declares what the file of this number defines.
    Header(FileId),
}

/// One file.
#[derive(Clone, Debug)]
pub struct File {
    pub package: usize,
    pub role: Role,
    /// Name without folder and extension.
    pub stem: Name,
    /// Folder within the package, in the languages that have such.
    pub folder: Option<Name>,
    /// How long its text is to be, in bytes.
    pub bytes: usize,
    pub items: Vec<Item>,
    pub imports: Vec<FileId>,
    /// Whether another file imports it, by its path.
    pub imported: bool,
}

/// A function or a class.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub name: Name,
    pub is_class: bool,
    /// How often it was edited.
    pub edits: u32,
}

/// Some files in one language below one folder.
#[derive(Clone, Debug)]
pub struct Package {
    pub language: Language,
    /// Folder from the top, without a slash at the end; empty for the top itself.
    pub path: String,
    pub files: Vec<FileId>,
    names: HashSet<Name>,
}

/// A whole monorepo.
pub struct Plan {
    pub seed: u64,
    pub vocabulary: Vocabulary,
    pub packages: Vec<Package>,
    pub files: Vec<File>,
    /// Packages of each language, by its number, in order.
    of_language: [Vec<usize>; SHARES.len()],
    law: Zipf,
}

impl Plan {
    /// Plans this many files.
    pub fn new(seed: u64, files: usize) -> Self {
        let mut plan = Self {
            seed,
            vocabulary: Vocabulary::new(),
            packages: Vec::new(),
            files: Vec::with_capacity(files),
            of_language: Default::default(),
            law: Zipf::new(files.max(64)),
        };
        let mut random = Random::of(&[seed, 0]);
        // The top: a page about the whole, and what Go needs to find its packages.
        let top = plan.package(Language::Go, String::new());
        let stem = plan.vocabulary.thing(&mut random);
        for role in [Role::Readme, Role::Manifest] {
            plan.push(top, role, stem, None, 600);
        }
        let mut paths = HashSet::new();
        while plan.files.len() < files {
            let language = share(&mut random);
            let left = files - plan.files.len();
            let wanted = random.between(PACKAGE_FILES.0, PACKAGE_FILES.1);
            // No rest that is too small to be a package.
            let count = if left < wanted + PACKAGE_FILES.0 {
                left
            } else {
                wanted
            };
            let path = plan.package_path(language, files, &mut paths, &mut random);
            plan.fill_package(language, path, count, &mut random);
        }
        plan
    }

    fn package_path(
        &self,
        language: Language,
        files: usize,
        paths: &mut HashSet<String>,
        random: &mut Random,
    ) -> String {
        let groups = files / (GROUP_PACKAGES * 20 * AREAS.len()) + 1;
        loop {
            let area = random.one_of(AREAS);
            // The groups of an area have fixed names, so that packages share them.
            let mut of_group = Random::of(&[self.seed, 1, random.below(groups) as u64]);
            let group = self.vocabulary.snake(self.vocabulary.thing(&mut of_group));
            let name = self.vocabulary.thing(random);
            let name = match language {
                Language::TypeScript => self.vocabulary.kebab(name),
                _ => self.vocabulary.snake(name),
            };
            let path = format!("{area}/{group}/{name}");
            if paths.insert(path.clone()) {
                return path;
            }
        }
    }

    fn package(&mut self, language: Language, path: String) -> usize {
        self.packages.push(Package {
            language,
            path,
            files: Vec::new(),
            names: HashSet::new(),
        });
        self.packages.len() - 1
    }

    fn fill_package(
        &mut self,
        language: Language,
        path: String,
        count: usize,
        random: &mut Random,
    ) {
        let package = self.package(language, path);
        self.of_language[language as usize].push(package);
        let end = self.files.len() + count;
        let stem = self.vocabulary.thing(random);
        for role in [Role::Root, Role::Readme, Role::Manifest] {
            let has = role != Role::Root || matches!(language, Language::Rust | Language::Python);
            if has && self.files.len() < end {
                let bytes = random.log_normal(700.0, 1.0).clamp(200.0, 6000.0) as usize;
                self.push(package, role, stem, None, bytes);
            }
        }
        let folders: Vec<Name> = (0..random.between(1, 3))
            .map(|_| self.vocabulary.thing(random))
            .collect();
        while self.files.len() < end {
            let folder = match language {
                Language::TypeScript | Language::Python if random.percent(50) => {
                    Some(*random.one_of(&folders))
                }
                _ => None,
            };
            let room = end - self.files.len();
            self.add_source(package, folder, room, random);
        }
    }

    /// Adds a source file, and its header where the language has them and `room` for two is left.
    /// Returns the numbers of what was added.
    pub fn add_source(
        &mut self,
        package: usize,
        folder: Option<Name>,
        room: usize,
        random: &mut Random,
    ) -> Vec<FileId> {
        let stem = self.unused_name(package, random, Vocabulary::thing);
        let bytes = random
            .log_normal(MEDIAN_BYTES, SPREAD)
            .clamp(BYTES.0, BYTES.1) as usize;
        let tested = self.importable(package).len();
        if tested > 0 && random.percent(TESTS) {
            let bytes = bytes.min(20_000);
            let id = self.push(package, Role::Test, stem, None, bytes);
            let about = self.law.among(tested, random);
            let about = self.importable(package)[about];
            self.import(id, about);
            self.add_items(id, random);
            return vec![id];
        }
        let id = self.push(package, Role::Source, stem, folder, bytes);
        self.add_imports(id, random);
        self.add_items(id, random);
        if self.packages[package].language == Language::C && room >= 2 {
            let header = self.push(package, Role::Header(id), stem, folder, 0);
            self.import(id, header);
            return vec![id, header];
        }
        vec![id]
    }

    fn push(
        &mut self,
        package: usize,
        role: Role,
        stem: Name,
        folder: Option<Name>,
        bytes: usize,
    ) -> FileId {
        let id = self.files.len();
        self.files.push(File {
            package,
            role,
            stem,
            folder,
            bytes,
            items: Vec::new(),
            imports: Vec::new(),
            imported: false,
        });
        self.packages[package].files.push(id);
        id
    }

    fn add_items(&mut self, id: FileId, random: &mut Random) {
        let package = self.files[id].package;
        let is_test = self.files[id].role == Role::Test;
        for _ in 0..self.files[id].bytes / ITEM_BYTES + 1 {
            let is_class = !is_test && random.percent(25);
            let name = if is_class {
                self.unused_name(package, random, Vocabulary::thing)
            } else {
                self.unused_name(package, random, Vocabulary::action)
            };
            self.files[id].items.push(Item {
                name,
                is_class,
                edits: 0,
            });
        }
    }

    /// Some files of the same package, and some of packages of the same language: of those that
    /// were there first most often. So imports make no circle.
    fn add_imports(&mut self, id: FileId, random: &mut Random) {
        let package = self.files[id].package;
        let language = self.packages[package].language;
        // Files of a Go package see each other without importing.
        if language != Language::Go {
            let near = self.importable(package);
            for _ in 0..random.below(4).min(near.len()) {
                self.import(id, near[self.law.among(near.len(), random)]);
            }
        }
        let known = &self.of_language[language as usize];
        let others = known.partition_point(|other| *other < package);
        if others == 0 {
            return;
        }
        for _ in 0..random.below(4) {
            let other = self.law.among(others, random);
            let other = self.of_language[language as usize][other];
            let far = self.importable(other);
            if !far.is_empty() {
                self.import(id, far[self.law.among(far.len(), random)]);
            }
        }
    }

    fn import(&mut self, id: FileId, target: FileId) {
        if id != target && !self.files[id].imports.contains(&target) {
            self.files[id].imports.push(target);
            self.files[target].imported = true;
        }
    }

    /// What others may import of a package: headers in C, elsewhere sources.
    fn importable(&self, package: usize) -> Vec<FileId> {
        let package = &self.packages[package];
        let of = |id: &FileId| match self.files[*id].role {
            Role::Header(_) => true,
            Role::Source => package.language != Language::C,
            _ => false,
        };
        package.files.iter().copied().filter(of).collect()
    }

    /// Makes names until one is new in the package. Where short names run out, longer ones are made.
    fn unused_name(
        &mut self,
        package: usize,
        random: &mut Random,
        make: fn(&Vocabulary, &mut Random) -> Name,
    ) -> Name {
        loop {
            let name = make(&self.vocabulary, random);
            if self.packages[package].names.insert(name) {
                return name;
            }
        }
    }

    /// Gives a file another name.
    pub fn rename(&mut self, id: FileId, random: &mut Random) {
        let package = self.files[id].package;
        self.files[id].stem = self.unused_name(package, random, Vocabulary::thing);
    }

    /// The path of a file from the top.
    pub fn path(&self, id: FileId) -> String {
        let file = &self.files[id];
        let package = &self.packages[file.package];
        let words = &self.vocabulary;
        let below = |rest: &str| match package.path.as_str() {
            "" => rest.to_owned(),
            path => format!("{path}/{rest}"),
        };
        let folder = file.folder.map(|name| match package.language {
            Language::TypeScript => format!("{}/", words.kebab(name)),
            _ => format!("{}/", words.snake(name)),
        });
        let folder = folder.unwrap_or_default();
        let (kebab, snake) = (words.kebab(file.stem), words.snake(file.stem));
        below(&match (file.role, package.language) {
            (Role::Readme, _) => "README.md".to_owned(),
            (Role::Manifest, Language::TypeScript) => "package.json".to_owned(),
            (Role::Manifest, Language::Rust) => "Cargo.toml".to_owned(),
            (Role::Manifest, _) if package.path.is_empty() => "go.mod".to_owned(),
            (Role::Manifest, _) => "settings.json".to_owned(),
            (Role::Root, Language::Rust) => "src/lib.rs".to_owned(),
            (Role::Root, _) => "__init__.py".to_owned(),
            (Role::Test, Language::TypeScript) => format!("src/{kebab}.test.ts"),
            (Role::Test, Language::Python) => format!("tests/test_{snake}.py"),
            (Role::Test, Language::Go) => format!("{snake}_test.go"),
            (Role::Test, Language::Rust) => format!("tests/{snake}.rs"),
            (Role::Test, Language::Java) => {
                format!("src/test/java/{}Test.java", words.pascal(file.stem))
            }
            (Role::Test, Language::C) => format!("tests/test_{snake}.c"),
            (_, Language::TypeScript) => format!("src/{folder}{kebab}.ts"),
            (_, Language::Python) => format!("{folder}{snake}.py"),
            (_, Language::Go) => format!("{snake}.go"),
            (_, Language::Rust) => format!("src/{snake}.rs"),
            (_, Language::Java) => {
                format!(
                    "src/main/java/com/example/{}/{}.java",
                    package.path,
                    words.pascal(file.stem)
                )
            }
            (Role::Header(_), Language::C) => format!("{snake}.h"),
            (_, Language::C) => format!("{snake}.c"),
        })
    }
}

fn share(random: &mut Random) -> Language {
    let mut at = random.below(SHARES.iter().map(|(_, share)| share).sum());
    for (language, share) in SHARES {
        match at.checked_sub(share) {
            Some(rest) => at = rest,
            None => return language,
        }
    }
    Language::C
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_as_many_files_as_wanted_at_distinct_paths() {
        for files in [40, 1000, 3001] {
            let plan = Plan::new(1, files);
            assert_eq!(plan.files.len(), files);
            let paths: BTreeSet<String> =
                (0..files).map(|id| plan.path(id).to_lowercase()).collect();
            assert_eq!(paths.len(), files);
        }
    }

    #[test]
    fn sizes_have_the_median_and_a_tail() {
        let plan = Plan::new(2, 6000);
        let mut sizes: Vec<usize> = plan
            .files
            .iter()
            .filter(|file| file.role == Role::Source)
            .map(|file| file.bytes)
            .collect();
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        assert!((2300..2700).contains(&median), "{median}");
        assert!(sizes[sizes.len() - 1] > 40_000);
    }

    #[test]
    fn the_first_packages_are_imported_most() {
        let plan = Plan::new(3, 4000);
        let mut counts = vec![0; plan.packages.len()];
        for file in &plan.files {
            for target in &file.imports {
                let to = plan.files[*target].package;
                counts[to] += usize::from(to != file.package);
            }
        }
        let half = counts.len() / 2;
        let early: usize = counts[..half].iter().sum();
        let late: usize = counts[half..].iter().sum();
        assert!(early > 3 * late, "{early} and {late}");
    }

    #[test]
    fn every_language_has_its_share() {
        let plan = Plan::new(4, 20_000);
        for (language, share) in SHARES {
            let packages = plan
                .packages
                .iter()
                .filter(|p| p.language == language)
                .count();
            let percent = 100.0 * packages as f64 / plan.packages.len() as f64;
            assert!(
                (percent - share as f64).abs() < 5.0,
                "{language:?}: {percent}"
            );
        }
    }
}
