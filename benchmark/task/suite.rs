//! A suite: which tasks are asked about which repositories at which revisions. Written as a JSON list,
//! with paths below two folders that the user names, so that it can be committed.

use super::{Task, documented, history, own, public};
use crate::Result;
use crate::subject::{Subject, name_of};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Tasks and the repository they are about.
pub struct Batch {
    pub subject: Subject,
    pub tasks: Vec<Task>,
}

/// One entry of a suite file.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase", deny_unknown_fields)]
pub enum Entry {
    /// bench:primitives, resolved: a file of JSON lines.
    Primitives {
        tasks: PathBuf,
        repository: String,
        revision: String,
        /// Where references count, as the tasks' authors resolved them.
        #[serde(default)]
        references_scope: Vec<String>,
        /// Whether a file of the same name in `benchmark/suites/corrected` has a truth read by hand
        /// for some of the tasks; they are asked too, as the set `corrected`.
        #[serde(default)]
        corrected: bool,
    },
    /// bench:swe: a file of JSON lines.
    Swe {
        tasks: PathBuf,
        repository: String,
        revision: String,
    },
    /// Annotations with a `repos.json` that says repository, revision and root.
    Ndcg { tasks: PathBuf, repos: PathBuf },
    /// Commits of the repository's own history.
    History { repository: String, count: usize },
    /// Doc comments of the repository's own definitions, taken out of its tree before it is indexed.
    Documented { repository: String, count: usize },
    /// Our own format, from any folder; the default is `benchmark/tasks`.
    Own { tasks: Option<PathBuf> },
}

/// Where the files and repositories of a suite are.
pub struct Roots {
    /// Task files are named from here.
    pub data: PathBuf,
    /// Repositories are looked for here, as `<owner>/<name>`, `<owner>+<name>/repo`, `<owner>+<name>` or `<name>`.
    pub repositories: PathBuf,
}

/// The folder of truths that were read by hand.
fn corrections() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/corrected")
}

/// Reads a suite file.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = std::fs::read_to_string(path).map_err(|err| format!("{}: {err}", path.display()))?;
    serde_json::from_str(&text).map_err(|err| format!("{}: {err}", path.display()).into())
}

impl Entry {
    /// Reads the tasks and clones the repositories, those of them whose name is wanted.
    pub fn load(&self, roots: &Roots, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<Batch>> {
        let batch = |repository: &str,
                     revision: &str,
                     root: Option<String>,
                     tasks: Vec<Task>|
         -> Result<Vec<Batch>> {
            let path = roots.repository(repository)?.canonicalize()?;
            if !wanted(&name_of(&path)) {
                return Ok(Vec::new());
            }
            let subject = Subject::clone_at(&path, Some(revision), root)?;
            Ok(vec![Batch { subject, tasks }])
        };
        match self {
            Self::Primitives {
                tasks,
                repository,
                revision,
                references_scope,
                corrected,
            } => {
                let published = roots.data.join(tasks);
                let mut tasks = public::primitives(&published, references_scope)?;
                if *corrected {
                    let name = published.file_name().unwrap_or_default();
                    let path = corrections().join(name);
                    tasks.extend(public::corrected(&path, references_scope)?);
                }
                batch(repository, revision, None, tasks)
            }
            Self::Swe {
                tasks,
                repository,
                revision,
            } => batch(
                repository,
                revision,
                None,
                public::swe(&roots.data.join(tasks))?,
            ),
            Self::Ndcg { tasks, repos } => {
                let stem = tasks
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                let repos = public::annotated(&roots.data.join(repos))?;
                let repo = repos
                    .get(&stem)
                    .ok_or_else(|| format!("{stem} is not in repos.json"))?;
                let tasks = public::annotations(&roots.data.join(tasks), &repo.language)?;
                let repository = repo.repository.trim_start_matches("github:");
                batch(repository, &repo.revision, repo.root.clone(), tasks)
            }
            Self::History { repository, count } => {
                let path = roots.repository(repository)?.canonicalize()?;
                if !wanted(&name_of(&path)) {
                    return Ok(Vec::new());
                }
                let (revision, tasks) = history::generate(&path, *count)?;
                let subject = Subject::past(&path, &revision)?;
                Ok(vec![Batch { subject, tasks }])
            }
            Self::Documented { repository, count } => {
                let path = roots.repository(repository)?.canonicalize()?;
                if !wanted(&name_of(&path)) {
                    return Ok(Vec::new());
                }
                let subject = Subject::clone_of(&path)?;
                let tasks = documented::generate(&subject, *count)?;
                Ok(vec![Batch { subject, tasks }])
            }
            Self::Own { tasks } => {
                let folder = tasks
                    .as_ref()
                    .map_or_else(own::folder, |path| roots.data.join(path));
                own::read(&folder)?
                    .into_iter()
                    // A folder of a crate goes by the crate's name.
                    .filter(|(name, _)| wanted(name.split('/').next().unwrap_or(name)))
                    .map(|(name, written)| {
                        let subject = own::subject(&name)?;
                        let tasks = own::resolve(&written, &subject)?;
                        Ok(Batch { subject, tasks })
                    })
                    .collect()
            }
        }
    }
}

impl Roots {
    fn repository(&self, name: &str) -> Result<PathBuf> {
        let joined = name.replace('/', "+");
        let last = name.rsplit('/').next().unwrap_or(name);
        [name.to_owned(), format!("{joined}/repo"), joined, last.to_owned(), format!("{last}.git")]
            .iter()
            .map(|path| self.repositories.join(path))
            .find(|path| path.exists())
            .ok_or_else(|| {
                format!("no repository {name} in {}; clone it there, or name its folder with --repositories", self.repositories.display()).into()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_found_under_the_names_they_are_kept_by() {
        let temp = tempfile::tempdir().unwrap();
        let roots = Roots {
            data: PathBuf::new(),
            repositories: temp.path().to_owned(),
        };
        assert!(roots.repository("a/b").is_err());
        std::fs::create_dir_all(temp.path().join("b")).unwrap();
        assert!(roots.repository("a/b").unwrap().ends_with("b"));
        std::fs::create_dir_all(temp.path().join("a+b/repo")).unwrap();
        assert!(roots.repository("a/b").unwrap().ends_with("a+b/repo"));
    }

    #[test]
    fn an_entry_with_a_misspelt_field_is_refused() {
        let entry = r#"[{"format":"swe","tasks":"x","repository":"a/b","revison":"v1"}]"#;
        assert!(serde_json::from_str::<Vec<Entry>>(entry).is_err());
    }
}
