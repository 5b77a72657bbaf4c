//! Peers that a user may have installed. The benchmark installs and downloads nothing for them.
//!
//! A peer is present when its program is on `PATH`, or when an environment variable names it:
//!
//! | peer       | program          | variable                   | model, if it has one                        |
//! |------------|------------------|----------------------------|---------------------------------------------|
//! | sverklo    | `sverklo`        | `SVERKLO_BENCH_SVERKLO`    | `SVERKLO_MODEL_DIR`, or `~/.sverklo/models` |
//! | jcodemunch | `jcodemunch-mcp` | `SVERKLO_BENCH_JCODEMUNCH` |                                             |
//! | semble     | `semble`         | `SVERKLO_BENCH_SEMBLE`     | `SEMBLE_MODEL_NAME`, or the hub's cache     |
//! | sifs       | `sifs`           | `SVERKLO_BENCH_SIFS`       | `SIFS_MODEL`, or the hub's cache (1)        |
//! | codegraph  | `codegraph`      | `SVERKLO_BENCH_CODEGRAPH`  |                                             |
//! | gitnexus   | `gitnexus`       | `SVERKLO_BENCH_GITNEXUS`   | `~/.lbdb` (its full-text search)            |
//!
//! The hub's cache is `HF_HOME`, or `~/.cache/huggingface`; (1) and its grammars, which are in
//! `tree-sitter-language-pack` in the user's cache. A peer whose model is not there answers as
//! well as it can without, and its version says so. Every process of a peer has a throw-away home and
//! an environment without the user's keys: what a peer writes stays there, and no peer spends money.
//!
//! Of the tools that a peer documents, the one is asked that answers the kind of question best; its
//! adapter says which. A question in a folder that is not the top of the repository is asked about an
//! index of that folder alone.

mod codegraph;
mod gitnexus;
mod install;
mod jcodemunch;
mod munch;
mod semble;
mod sifs;
mod sverklo;

use super::{Answer, Contender, Found, Session, Span, shell};
use crate::Result;
use crate::session;
use crate::subject::Subject;
use crate::task::{Place, Question, Task};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Definitions asked for: scores look at the first, and agents at a handful.
const DEFINITIONS: usize = 10;
/// Failures in a row after which a peer is not asked any more about a subject. Each may have taken
/// as long as a question may.
const MOST_FAILURES: usize = 3;
/// A failure that comes sooner is no lack of time.
const PROMPT: Duration = Duration::from_secs(10);

/// All peers, present or not.
pub fn all() -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(sverklo::Sverklo::default()),
        Box::new(jcodemunch::Jcodemunch::default()),
        Box::new(semble::Semble::default()),
        Box::new(sifs::Sifs::default()),
        Box::new(codegraph::Codegraph::default()),
        Box::new(gitnexus::Gitnexus::default()),
    ]
}

/// The folder that a peer indexes: a subject, or the part of it that questions are about.
struct Folder {
    dir: PathBuf,
    /// Its path from the top of the subject, with a `/` at the end, or nothing.
    prefix: String,
}

impl Folder {
    fn of(subject: &Subject) -> Self {
        Self::within(&subject.dir, subject.root.as_deref())
    }

    /// The same in a clone of the subject, for a peer that writes into the tree it indexes.
    fn cloned(subject: &Subject, name: &str) -> Result<Self> {
        let clone = subject.dir.with_file_name(name);
        match std::fs::remove_dir_all(&clone) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => return Err(err.into()),
            _ => {}
        }
        let clone = subject.checkout("HEAD", name)?;
        Ok(Self::within(&clone, subject.root.as_deref()))
    }

    fn within(top: &Path, root: Option<&str>) -> Self {
        let root = root.unwrap_or_default().trim_matches('/');
        match root {
            "" => Self {
                dir: top.to_owned(),
                prefix: String::new(),
            },
            root => Self {
                dir: top.join(root),
                prefix: format!("{root}/"),
            },
        }
    }

    /// A path that a peer said, from the top of the subject.
    fn outward(&self, path: &str) -> String {
        let own = self.dir.to_string_lossy();
        let path = path
            .strip_prefix(own.as_ref())
            .map_or(path, |path| path.trim_start_matches('/'));
        let path = path.strip_prefix("./").unwrap_or(path);
        format!("{}{path}", self.prefix)
    }

    /// A path from the top of the subject as a peer knows it.
    fn inward<'a>(&self, path: &'a str) -> &'a str {
        path.strip_prefix(self.prefix.as_str()).unwrap_or(path)
    }
}

/// How a peer is asked, and what its words mean. All paths are from the folder that was indexed.
trait Dialect {
    /// Definitions of a name, best first.
    fn definition(&self, talk: &mut Talk, name: &str) -> Result<Option<Vec<Place>>>;

    /// Uses of a name.
    fn references(&self, _talk: &mut Talk, _name: &str) -> Result<Option<Vec<Place>>> {
        Ok(None)
    }

    /// What a file imports, and what imports it.
    fn dependencies(&self, _talk: &mut Talk, _path: &str) -> Result<Option<Dependencies>> {
        Ok(None)
    }

    /// Names that nothing uses.
    fn unused(&self, _talk: &mut Talk) -> Result<Option<Vec<String>>> {
        Ok(None)
    }

    /// What a sentence is about, best first, about `depth` of them.
    fn locate(&self, talk: &mut Talk, query: &str, depth: usize) -> Result<Option<Vec<Span>>>;
}

#[derive(Debug, Default, PartialEq)]
struct Dependencies {
    imports: Vec<String>,
    importers: Vec<String>,
}

/// What is said while one question is answered.
struct Talk {
    server: session::Session,
    calls: Vec<String>,
    structured: Vec<String>,
    wall: Duration,
}

impl Talk {
    /// Calls a tool and returns what the agent reads.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<String> {
        let start = Instant::now();
        let said = self.server.call(tool, arguments)?;
        self.wall += start.elapsed();
        if said.is_error {
            return Err(said.text.into());
        }
        self.calls.push(said.text.clone());
        self.structured.extend(said.structured_first());
        Ok(said.text)
    }
}

/// A peer that has indexed a folder and is being asked.
struct Asked {
    dialect: Box<dyn Dialect>,
    talk: Talk,
    folder: Folder,
    failures: usize,
}

/// Starts the conversation.
fn ask(
    dialect: impl Dialect + 'static,
    server: session::Session,
    folder: Folder,
) -> Box<dyn Session> {
    Box::new(Asked {
        dialect: Box::new(dialect),
        talk: Talk {
            server,
            calls: Vec::new(),
            structured: Vec::new(),
            wall: Duration::ZERO,
        },
        folder,
        failures: 0,
    })
}

impl Session for Asked {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        if self.failures == MOST_FAILURES {
            return Err(format!("not asked after {MOST_FAILURES} failures in a row").into());
        }
        self.talk.calls.clear();
        self.talk.structured.clear();
        self.talk.wall = Duration::ZERO;
        let found = self.found(task);
        match &found {
            Ok(_) => self.failures = 0,
            Err(_) => self.failures += 1,
        }
        Ok(found?.map(|found| Answer {
            calls: std::mem::take(&mut self.talk.calls),
            structured: std::mem::take(&mut self.talk.structured),
            found,
            wall: self.talk.wall,
        }))
    }

    fn peak_mb(&self) -> Option<f64> {
        Some(self.talk.server.peak_mb())
    }
}

impl Asked {
    fn found(&mut self, task: &Task) -> Result<Option<Found>> {
        let Self {
            dialect,
            talk,
            folder,
            ..
        } = self;
        let scoped = |places: Vec<Place>| {
            let places = places.into_iter().map(|place| Place {
                path: folder.outward(&place.path),
                ..place
            });
            Found::Places(places.filter(|p| in_scope(&p.path, &task.scope)).collect())
        };
        let outward = |paths: Vec<String>| paths.iter().map(|path| folder.outward(path)).collect();
        Ok(match &task.question {
            Question::Definition { name, .. } => {
                by_name(talk, name, |talk, name| dialect.definition(talk, name))?.map(scoped)
            }
            Question::References { name, .. } => {
                by_name(talk, name, |talk, name| dialect.references(talk, name))?.map(scoped)
            }
            Question::Dependencies { path, .. } => {
                let found = dialect.dependencies(talk, folder.inward(path))?;
                found.map(|found| Found::Dependencies {
                    imports: outward(found.imports),
                    importers: outward(found.importers),
                })
            }
            Question::Unused { .. } => dialect.unused(talk)?.map(Found::Names),
            Question::Locate { query, depth, .. } => {
                let found = dialect.locate(talk, query, *depth)?;
                found.map(|spans| {
                    let spans = spans.into_iter().map(|span| Span {
                        path: folder.outward(&span.path),
                        ..span
                    });
                    Found::Spans(spans.filter(|s| in_scope(&s.path, &task.scope)).collect())
                })
            }
        })
    }
}

/// Asks for a name as it was said and, when a qualified one is not known, for its last component, as
/// an agent would.
fn by_name(
    talk: &mut Talk,
    name: &str,
    look: impl Fn(&mut Talk, &str) -> Result<Option<Vec<Place>>>,
) -> Result<Option<Vec<Place>>> {
    let found = look(talk, name)?;
    let last = shell::last_component(name);
    match found {
        Some(places) if places.is_empty() && last != name => look(talk, last),
        found => Ok(found),
    }
}

/// Whether a path lies where the question says that answers lie. Most peers cannot be told; an agent
/// passes over the rest.
fn in_scope(path: &str, scope: &[String]) -> bool {
    scope.is_empty() || scope.iter().any(|part| path.starts_with(part.as_str()))
}

/// `path:12` or `path:12-34` as a path with its first and last line.
fn located(text: &str) -> Option<(&str, u32, u32)> {
    let (path, lines) = text.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    (!path.is_empty()).then_some((path, first.parse().ok()?, last.parse().ok()?))
}

/// Asks a server that makes its index with its first answer, however often that takes longer than a
/// question may. What it costs is not the first question's.
fn first_answer(server: &mut session::Session, tool: &str, arguments: &Value) -> Result<String> {
    let until = Instant::now() + install::INDEX_PATIENCE;
    loop {
        let start = Instant::now();
        match server.call(tool, arguments.clone()) {
            Ok(said) if said.is_error => return Err(said.text.into()),
            Ok(said) => return Ok(said.text),
            // A failure that comes at once is no lack of time.
            Err(err) if start.elapsed() < PROMPT || Instant::now() > until => return Err(err),
            Err(_) => {}
        }
    }
}

/// Lends a throw-away home a folder of the user's own that a peer reads and that takes a download to
/// make.
fn lend(own: Option<PathBuf>, home: &Path, name: &str) {
    let lent = home.join(name);
    if let Some(own) = own.filter(|own| own.is_dir() && !lent.exists()) {
        // Without it the peer runs reduced, and its version says so.
        #[cfg(unix)]
        let _ = lent
            .parent()
            .map(std::fs::create_dir_all)
            .and_then(|_| std::os::unix::fs::symlink(own, lent).ok());
        #[cfg(not(unix))]
        let _ = (own, lent);
    }
}

/// The user's own folder of cached models of the hub that semble and sifs share, if there is one.
fn hub_cache() -> Option<PathBuf> {
    let named = std::env::var_os("HF_HOME").map(PathBuf::from);
    let usual = || Some(std::env::home_dir()?.join(".cache/huggingface"));
    named.or_else(usual).filter(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_in_and_out_of_the_indexed_folder() {
        let folder = Folder::within(Path::new("/tmp/x"), Some("src/lib/"));
        assert_eq!(folder.dir, Path::new("/tmp/x/src/lib"));
        assert_eq!(folder.outward("a/b.py"), "src/lib/a/b.py");
        assert_eq!(folder.outward("/tmp/x/src/lib/a.py"), "src/lib/a.py");
        assert_eq!(folder.inward("src/lib/a/b.py"), "a/b.py");
        let whole = Folder::within(Path::new("/tmp/x"), None);
        assert_eq!(whole.outward("./a.py"), "a.py");
        assert_eq!(whole.inward("a.py"), "a.py");
    }

    #[test]
    fn a_place_may_have_one_line_or_two() {
        assert_eq!(located("a/b.rs:7"), Some(("a/b.rs", 7, 7)));
        assert_eq!(located("C:/b.rs:7-9"), Some(("C:/b.rs", 7, 9)));
        assert_eq!(located("a/b.rs"), None);
        assert_eq!(located("a:b"), None);
    }

    #[test]
    fn a_question_may_say_where_to_look() {
        let scope = ["lib/".to_owned(), "index.js".to_owned()];
        assert!(in_scope("lib/a.js", &scope));
        assert!(in_scope("index.js", &scope));
        assert!(!in_scope("test/lib/a.js", &scope));
        assert!(in_scope("test/a.js", &[]));
    }

    #[test]
    fn every_peer_has_a_name_of_its_own() {
        let peers = all();
        let names: std::collections::BTreeSet<_> = peers.iter().map(|peer| peer.name()).collect();
        assert_eq!(names.len(), peers.len());
    }

    /// With every peer that is installed: `cargo test -p benchmark -- --ignored installed_peers`.
    #[test]
    #[ignore = "runs the peers that are installed"]
    fn installed_peers_find_a_function_and_leave_what_they_say() {
        let temp = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = temp.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let rate = "\n\n\ndef conversion_rate(currency):\n    \"\"\"The rate of a currency.\"\"\"\n    return 1\n";
        write("src/rates.py", rate);
        write(
            "src/money.py",
            "from rates import conversion_rate\n\nprint(conversion_rate(1))\n",
        );
        write("other.py", "def conversion_rate():\n    pass\n");
        for args in [
            &["init", "-q"][..],
            &["add", "-A"],
            &[
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@b",
                "commit",
                "-qm",
                "c",
            ],
        ] {
            crate::subject::run_git(temp.path(), args).unwrap();
        }
        let root = Some("src".to_owned());
        let subject = Subject::clone_at(temp.path(), None, root).unwrap();
        let task = |question| Task {
            id: "1".to_owned(),
            set: "test".to_owned(),
            lang: "python".to_owned(),
            category: String::new(),
            scope: Vec::new(),
            neutral: Vec::new(),
            question,
        };
        let definition = task(Question::Definition {
            name: "conversion_rate".to_owned(),
            truth: Vec::new(),
        });
        for peer in all() {
            let name = peer.name();
            let version = match peer.version() {
                Ok(version) => version,
                Err(reason) => {
                    println!("{name}: absent: {reason}");
                    continue;
                }
            };
            println!("{name}: {version}");
            let mut session = peer.open(&subject).unwrap();
            let answer = session.answer(&definition).unwrap().unwrap();
            let place = Place {
                path: "src/rates.py".to_owned(),
                line: 4,
            };
            let Found::Places(found) = answer.found else {
                panic!("{name}: {:?}", answer.found);
            };
            assert_eq!(found.first(), Some(&place), "{name}");
            drop(session);

            let dir = subject.checkout("HEAD", &format!("cost-{name}")).unwrap();
            let paths = peer.index_paths(&dir);
            assert!(paths.iter().all(|path| !path.join("x").exists()), "{name}");
            for _ in 0..2 {
                install::index(&mut peer.index_command(&dir).unwrap()).unwrap();
                assert!(paths.iter().any(|path| path.exists()), "{name}");
            }
            let left = crate::subject::run_git(&dir, &["status", "--porcelain"]).unwrap();
            let own = paths.iter().filter_map(|path| path.strip_prefix(&dir).ok());
            let own: Vec<String> = own.map(|path| format!("?? {}/", path.display())).collect();
            assert!(
                left.lines().all(|line| own.iter().any(|own| own == line)),
                "{name}: {left}"
            );
        }
    }
}
