//! Readers of the public benchmarks' formats. Their sentences stay where they are: files are named by
//! path and nothing of them is copied into this project.

use super::{Place, Question, Sense, Target, Task};
use crate::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// bench:primitives, resolved tasks: one JSON object a line. `references_scope` is where the truth of
/// reference tasks was looked for (the library's folder), as the task's authors say it.
///
/// Definition tasks whose truth is empty are left out: their authors' resolver found nothing, so no
/// answer could be right.
pub fn primitives(path: &Path, references_scope: &[String]) -> Result<Vec<Task>> {
    #[derive(Deserialize)]
    struct Line {
        id: String,
        category: String,
        query: String,
        expected: Expected,
    }
    #[derive(Deserialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    enum Expected {
        Locations {
            locations: Vec<Location>,
        },
        Deps {
            imports: Vec<String>,
            importers: Vec<String>,
        },
        Names {
            names: Vec<String>,
        },
    }
    #[derive(Deserialize)]
    struct Location {
        file: String,
        line: u32,
    }
    let mut tasks = Vec::new();
    for line in lines::<Line>(path)? {
        let mut scope = Vec::new();
        let question = match (line.category.as_str(), line.expected) {
            (category @ ("P1" | "P2"), Expected::Locations { locations }) => {
                let truth: Vec<Place> = locations
                    .into_iter()
                    .map(|place| Place {
                        path: place.file,
                        line: place.line,
                    })
                    .collect();
                if category == "P1" {
                    if truth.is_empty() {
                        continue;
                    }
                    Question::Definition {
                        name: line.query,
                        truth,
                    }
                } else {
                    scope = references_scope.to_vec();
                    Question::References {
                        name: line.query,
                        truth,
                        sense: Sense::Word,
                    }
                }
            }
            ("P4", Expected::Deps { imports, importers }) => Question::Dependencies {
                path: line.query,
                imports,
                importers,
            },
            ("P5", Expected::Names { names }) => Question::Unused { truth: names },
            (category, _) => {
                return Err(format!(
                    "{}: task {} of category {category} has a truth of another kind",
                    path.display(),
                    line.id
                )
                .into());
            }
        };
        tasks.push(Task {
            id: line.id,
            set: "primitives".to_owned(),
            lang: String::new(),
            category: line.category,
            neutral: Vec::new(),
            scope,
            question,
        });
    }
    Ok(tasks)
}

/// Some of the same tasks with another truth, which was read from the code: references are what means
/// a definition of the name (imports and writes too, comments and strings not), dependencies are what
/// the statements lead to, tests included. One JSON object a line.
pub fn corrected(path: &Path, references_scope: &[String]) -> Result<Vec<Task>> {
    #[derive(Deserialize)]
    struct Line {
        id: String,
        #[serde(flatten)]
        truth: Truth,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Truth {
        References {
            name: String,
            references: BTreeMap<String, Vec<u32>>,
        },
        Dependencies {
            path: String,
            imports: Vec<String>,
            importers: Vec<String>,
        },
    }
    let tasks = lines::<Line>(path)?.into_iter().map(|line| {
        let (category, scope, question) = match line.truth {
            Truth::References { name, references } => {
                let truth = references.into_iter().flat_map(|(path, lines)| {
                    let place = move |line| Place {
                        path: path.clone(),
                        line,
                    };
                    lines.into_iter().map(place)
                });
                let question = Question::References {
                    name,
                    truth: truth.collect(),
                    sense: Sense::Meaning,
                };
                ("P2", references_scope.to_vec(), question)
            }
            Truth::Dependencies {
                path,
                imports,
                importers,
            } => {
                let question = Question::Dependencies {
                    path,
                    imports,
                    importers,
                };
                ("P4", Vec::new(), question)
            }
        };
        Task {
            id: format!("{}-corrected", line.id),
            set: "corrected".to_owned(),
            lang: String::new(),
            category: category.to_owned(),
            neutral: Vec::new(),
            scope,
            question,
        }
    });
    Ok(tasks.collect())
}

/// bench:swe: questions and the files that must be found. Those whose files do not exist at the
/// revision (`answerable` is false) are left out.
pub fn swe(path: &Path) -> Result<Vec<Task>> {
    #[derive(Deserialize)]
    struct Line {
        id: String,
        question: String,
        required_evidence: Vec<Evidence>,
        answerable: bool,
    }
    #[derive(Deserialize)]
    struct Evidence {
        file: String,
    }
    Ok(lines::<Line>(path)?
        .into_iter()
        .filter(|line| line.answerable)
        .map(|line| Task {
            id: line.id,
            set: "swe".to_owned(),
            lang: String::new(),
            category: String::new(),
            neutral: Vec::new(),
            scope: Vec::new(),
            question: Question::Locate {
                query: line.question,
                truth: line
                    .required_evidence
                    .into_iter()
                    .map(|evidence| Target {
                        path: evidence.file,
                        span: None,
                    })
                    .collect(),
                // As published: the first 50 results.
                depth: 50,
            },
        })
        .collect())
}

/// Where an annotated repository of the NDCG benchmark is, of `repos.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Annotated {
    pub name: String,
    pub language: String,
    /// `github:<owner>/<name>`.
    pub repository: String,
    pub revision: String,
    /// The folder below which everything is asked.
    pub root: Option<String>,
}

/// The repositories of the NDCG benchmark by name.
pub fn annotated(path: &Path) -> Result<BTreeMap<String, Annotated>> {
    let list: Vec<Annotated> =
        serde_json::from_str(&read(path)?).map_err(|err| format!("{}: {err}", path.display()))?;
    Ok(list
        .into_iter()
        .map(|repo| (repo.name.clone(), repo))
        .collect())
}

/// Annotations of one repository of the NDCG benchmark.
pub fn annotations(path: &Path, lang: &str) -> Result<Vec<Task>> {
    #[derive(Deserialize)]
    struct Line {
        query: String,
        relevant: Vec<Relevant>,
        #[serde(default)]
        secondary: Vec<Relevant>,
        #[serde(default)]
        category: String,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Relevant {
        Path(String),
        Lines {
            path: String,
            start_line: Option<u32>,
            end_line: Option<u32>,
        },
    }
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let list: Vec<Line> =
        serde_json::from_str(&read(path)?).map_err(|err| format!("{}: {err}", path.display()))?;
    Ok(list
        .into_iter()
        .enumerate()
        .map(|(at, line)| Task {
            id: format!("{name}-{:02}", at + 1),
            set: "ndcg".to_owned(),
            lang: lang.to_owned(),
            category: line.category,
            neutral: Vec::new(),
            scope: Vec::new(),
            question: Question::Locate {
                query: line.query,
                // As published, secondary targets count like the relevant ones.
                truth: line
                    .relevant
                    .into_iter()
                    .chain(line.secondary)
                    .map(|relevant| match relevant {
                        Relevant::Path(path) => Target { path, span: None },
                        Relevant::Lines {
                            path,
                            start_line,
                            end_line,
                        } => Target {
                            path,
                            span: start_line.zip(end_line),
                        },
                    })
                    .collect(),
                depth: 10,
            },
        })
        .collect())
}

/// Reads a file of JSON lines.
pub fn lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<T>> {
    read(path)?
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|err| format!("{}:{}: {err}", path.display(), at + 1).into())
        })
        .collect()
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|err| format!("{}: {err}", path.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join(name);
        std::fs::write(&path, text).unwrap();
        (temp, path)
    }

    #[test]
    fn primitives_become_the_four_kinds() {
        let (_temp, path) = file(
            "x.jsonl",
            concat!(
                r#"{"id":"a","category":"P1","dataset":"x","query":"f","expected":{"kind":"locations","locations":[{"file":"a.js","line":3}]}}"#,
                "\n",
                r#"{"id":"b","category":"P1","dataset":"x","query":"g","expected":{"kind":"locations","locations":[]}}"#,
                "\n\n",
                r#"{"id":"c","category":"P2","dataset":"x","query":"f","expected":{"kind":"locations","locations":[]}}"#,
                "\n",
                r#"{"id":"d","category":"P4","dataset":"x","query":"a.js","expected":{"kind":"deps","imports":["b"],"importers":[]}}"#,
                "\n",
                r#"{"id":"e","category":"P5","dataset":"x","query":"","expected":{"kind":"names","names":[]}}"#,
            ),
        );
        let tasks = primitives(&path, &["lib/".to_owned()]).unwrap();
        let kinds: Vec<String> = tasks
            .iter()
            .map(|t| format!("{} {}", t.id, t.question.kind()))
            .collect();
        assert_eq!(
            kinds,
            ["a definition", "c references", "d dependencies", "e unused"]
        );
        assert_eq!(tasks[1].scope, ["lib/"]);
        assert!(tasks[0].scope.is_empty());
    }

    #[test]
    fn a_truth_of_the_wrong_kind_is_named() {
        let (_temp, path) = file(
            "x.jsonl",
            r#"{"id":"a","category":"P1","query":"f","expected":{"kind":"names","names":[]}}"#,
        );
        let err = primitives(&path, &[]).unwrap_err().to_string();
        assert!(err.contains("task a"), "{err}");
        let (_temp, path) = file("y.jsonl", "{}\n");
        let err = swe(&path).unwrap_err().to_string();
        assert!(err.contains("y.jsonl:1: "), "{err}");
    }

    #[test]
    fn annotations_have_files_and_lines() {
        let (_temp, path) = file(
            "gin.json",
            r#"[{"query":"q","relevant":["a.go",{"path":"b.go","start_line":3,"end_line":9}],
                 "secondary":["c.go"],"category":"symbol"}]"#,
        );
        let tasks = annotations(&path, "go").unwrap();
        assert_eq!(
            (tasks[0].id.as_str(), tasks[0].category.as_str()),
            ("gin-01", "symbol")
        );
        let Question::Locate { truth, .. } = &tasks[0].question else {
            panic!()
        };
        assert_eq!(
            truth[1],
            Target {
                path: "b.go".to_owned(),
                span: Some((3, 9))
            }
        );
        assert_eq!(truth.len(), 3);
    }

    #[test]
    fn questions_without_an_answer_at_the_revision_are_left_out() {
        let (_temp, path) = file(
            "x.jsonl",
            concat!(
                r#"{"id":"a","question":"q","required_evidence":[{"file":"a"}],"answerable":true}"#,
                "\n",
                r#"{"id":"b","question":"q","required_evidence":[{"file":"b"}],"answerable":false}"#,
            ),
        );
        let tasks = swe(&path).unwrap();
        assert_eq!(tasks.len(), 1);
    }
}
