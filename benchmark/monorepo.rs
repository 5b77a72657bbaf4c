//! Made-up monorepos of any size, the same for the same seed on every machine.
//!
//! What an index costs depends on how many files, names and uses there are and how often they are
//! repeated, so these are made as they are found in real ones: file sizes are log-normal with a
//! median of 2.5 kB and a tail to 100 kB; names are made of sub-words that follow Zipf's law;
//! packages of ten to thirty files in six languages import each other, old ones more than new ones,
//! and call what they import. The history edits, adds, renames and merges. What it means is
//! nothing; but every file parses, and every import leads to a file.

mod body;
mod dialect;
mod history;
mod names;
mod plan;
mod random;
mod source;

use crate::Result;
use plan::Plan;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Where to make one, to try things on.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the bare repository.
    dir: PathBuf,
    /// Files in its first commit.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
    files: u32,
    /// Another seed makes another repository of the same kind.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Makes a repository that stays.
pub fn run(args: &Args) -> Result<ExitCode> {
    let size = Monorepo {
        seed: args.seed,
        ..Monorepo::of_size(args.files as usize)
    };
    println!("{}", size.write(&args.dir)?);
    Ok(ExitCode::SUCCESS)
}

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct Monorepo {
    /// Files in the first commit.
    pub files: usize,
    /// Further commits on the main line.
    pub commits: usize,
    /// Another seed makes another repository of the same kind.
    pub seed: u64,
}

impl Monorepo {
    /// A repository of this size, with 40 to 200 commits: larger ones are older.
    pub fn of_size(files: usize) -> Self {
        Self {
            files,
            commits: (40 + files / 250).min(200),
            seed: 1,
        }
    }

    /// Makes a bare repository and returns the commit that its branch `main` is at.
    pub fn write(&self, dir: &Path) -> Result<String> {
        let git = |args: &[&str]| {
            let mut command = Command::new("git");
            command.arg("-C").arg(dir).args(args);
            command
        };
        std::fs::create_dir_all(dir)?;
        let init = ["init", "-q", "--bare", "--object-format=sha1", "-b", "main"];
        if !git(&init).status()?.success() {
            return Err("git init failed; see above".into());
        }
        // Files are unlike each other, so looking for deltas and packing tightly only takes time.
        let import = [
            "-c",
            "pack.compression=1",
            "fast-import",
            "--quiet",
            "--depth=0",
        ];
        let mut child = git(&import).stdin(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().ok_or("stdin is piped")?;
        let mut stream = BufWriter::with_capacity(1 << 20, stdin);
        let mut plan = Plan::new(self.seed, self.files);
        let written =
            history::write(&mut plan, self.commits, &mut stream).and_then(|()| stream.flush());
        drop(stream);
        // When git stops, its message says more than the broken pipe does.
        if !child.wait()?.success() {
            return Err("git fast-import failed; see above".into());
        }
        written?;
        let out = git(&["rev-parse", "main"]).output()?;
        Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::run_git;
    use git_sverklo::extract::Extractor;
    use git_sverklo::extract::record::{DocFlags, ImportKind};
    use git_sverklo::lang::by_file_name;
    use std::collections::{BTreeMap, BTreeSet};

    const SMALL: Monorepo = Monorepo {
        files: 600,
        commits: 60,
        seed: 5,
    };

    fn made(monorepo: Monorepo) -> (tempfile::TempDir, String) {
        let dir = tempfile::tempdir().unwrap();
        let commit = monorepo.write(dir.path()).unwrap();
        (dir, commit)
    }

    /// Every file of a commit with its text.
    fn files_at(dir: &Path, commit: &str) -> BTreeMap<String, String> {
        let out = dir.join("work");
        std::fs::create_dir_all(&out).unwrap();
        let out_text = out.to_str().unwrap();
        run_git(
            dir,
            &["--work-tree", out_text, "checkout", "-q", "-f", commit, "."],
        )
        .unwrap();
        let listing = run_git(dir, &["ls-tree", "-r", "--name-only", commit]).unwrap();
        let read = |path: &str| std::fs::read_to_string(out.join(path)).unwrap();
        listing
            .lines()
            .map(|path| (path.to_owned(), read(path)))
            .collect()
    }

    #[test]
    fn the_same_seed_makes_the_same_commit() {
        let (_a, first) = made(SMALL);
        let (_b, second) = made(SMALL);
        let (_c, other) = made(Monorepo { seed: 6, ..SMALL });
        assert_eq!(first.len(), 40);
        assert_eq!(first, second);
        assert_ne!(first, other);
        // Nor does it depend on the machine: raise this when the generator changes.
        assert_eq!(first, "b616b0c654d789001b965fc06eafe50d192c1345");
    }

    #[test]
    fn every_file_parses_at_both_ends_of_history() {
        let (dir, _) = made(SMALL);
        let mut extractor = Extractor::new();
        let mut languages = BTreeSet::new();
        for commit in ["main", "main~60"] {
            for (path, text) in files_at(dir.path(), commit) {
                let name = path.rsplit('/').next().unwrap_or(&path);
                let record = extractor.extract(text.as_bytes(), by_file_name(name.as_bytes()));
                let broken = record.flags.contains(DocFlags::SYNTAX_ERRORS);
                assert!(!broken, "{path} has syntax errors:\n{text}");
                assert_eq!(record.skip, None, "{path} is skipped");
                languages.insert(record.lang.label());
            }
        }
        for language in [
            "typescript",
            "python",
            "go",
            "rust",
            "java",
            "c",
            "markdown",
            "text",
        ] {
            assert!(
                languages.contains(language),
                "no {language} in {languages:?}"
            );
        }
    }

    #[test]
    fn every_import_leads_to_a_file() {
        let (dir, _) = made(SMALL);
        let mut extractor = Extractor::new();
        for commit in ["main", "main~30"] {
            let files = files_at(dir.path(), commit);
            let mut resolved: BTreeMap<String, usize> = BTreeMap::new();
            for (path, text) in &files {
                let name = path.rsplit('/').next().unwrap_or(path);
                let record = extractor.extract(text.as_bytes(), by_file_name(name.as_bytes()));
                for import in &record.imports {
                    let specifier = String::from_utf8_lossy(&import.specifier).into_owned();
                    let leads = matches!(import.kind, ImportKind::Import | ImportKind::Include);
                    if !leads || is_standard(&specifier) {
                        continue;
                    }
                    let to = leads_to(path, &specifier, &files);
                    assert!(to.is_some(), "{path} imports {specifier}, which is nowhere");
                    let extension = name.rsplit('.').next().unwrap_or(name);
                    *resolved.entry(extension.to_owned()).or_default() += 1;
                }
            }
            for extension in ["ts", "py", "go", "rs", "java", "c"] {
                let count = resolved.get(extension).copied().unwrap_or(0);
                assert!(count > 5, "{extension}: {resolved:?}");
            }
        }
    }

    fn is_standard(specifier: &str) -> bool {
        matches!(specifier, "sys" | "log" | "<stdio.h>")
    }

    /// Resolves an import by the rules of its language, knowing nothing of the plan.
    fn leads_to(path: &str, specifier: &str, files: &BTreeMap<String, String>) -> Option<String> {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let known = |path: String| files.contains_key(&path).then_some(path);
        let first = |ends: String| files.keys().find(|path| path.ends_with(&ends)).cloned();
        match path.rsplit('.').next()? {
            "ts" => {
                let mut at: Vec<&str> = folder.split('/').collect();
                for step in specifier.split('/') {
                    match step {
                        "." => {}
                        ".." => drop(at.pop()?),
                        name => at.push(name),
                    }
                }
                known(format!("{}.ts", at.join("/")))
            }
            "py" => known(format!("{}.py", specifier.replace('.', "/"))),
            "go" => {
                let package = specifier.strip_prefix("example.com/mono/")?;
                let of_package = |path: &&String| {
                    path.rsplit_once('/')
                        .is_some_and(|(folder, _)| folder == package)
                };
                files
                    .keys()
                    .filter(|path| path.ends_with(".go"))
                    .find(of_package)
                    .cloned()
            }
            "rs" => {
                let mut parts = specifier.split("::");
                let package = match parts.next()? {
                    "crate" => folder.strip_suffix("/src")?.to_owned(),
                    name => {
                        let named = format!("name = \"{name}\"\n");
                        let manifest = files.iter().find(|(path, text)| {
                            path.ends_with("Cargo.toml") && text.contains(&named)
                        })?;
                        manifest.0.strip_suffix("/Cargo.toml")?.to_owned()
                    }
                };
                let module = parts.next()?;
                let root = files.get(&format!("{package}/src/lib.rs"))?;
                if !root.contains(&format!("pub mod {module};\n")) {
                    return None;
                }
                known(format!("{package}/src/{module}.rs"))
            }
            "java" => first(format!("/{}.java", specifier.replace('.', "/"))),
            _ => {
                let shown = specifier.trim_matches('"');
                known(format!("{folder}/{shown}")).or_else(|| known(shown.to_owned()))
            }
        }
    }

    #[test]
    fn sizes_are_as_planned() {
        let (dir, _) = made(Monorepo {
            files: 2000,
            commits: 0,
            seed: 9,
        });
        let mut sizes: Vec<usize> = files_at(dir.path(), "main")
            .iter()
            .filter(|(path, _)| !path.ends_with(".md") && !path.ends_with(".json"))
            .map(|(_, text)| text.len())
            .collect();
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        assert!((2000..3000).contains(&median), "{median}");
        let longest = sizes[sizes.len() - 1];
        assert!((30_000..150_000).contains(&longest), "{longest}");
    }

    #[test]
    fn history_edits_adds_renames_and_merges() {
        let (dir, _) = made(SMALL);
        let log = |args: &[&str]| {
            let mut all = vec!["log", "--format=%H"];
            all.extend_from_slice(args);
            run_git(dir.path(), &all).unwrap().lines().count()
        };
        assert_eq!(
            log(&["--first-parent", "main"]) - log(&["--merges", "main"]),
            61
        );
        assert!(log(&["--merges", "main"]) >= 2);
        let changes = run_git(
            dir.path(),
            &[
                "log",
                "--no-merges",
                "--format=",
                "--name-status",
                "-M",
                "main~59..main",
            ],
        )
        .unwrap();
        let count = |letter: char| {
            changes
                .lines()
                .filter(|line| line.starts_with(letter))
                .count()
        };
        assert!(count('M') > 60, "{changes}");
        assert!(count('A') > 5, "{changes}");
        assert!(count('R') > 2, "{changes}");
    }
}
