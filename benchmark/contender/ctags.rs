//! universal-ctags: definitions by name, from one index file.

use super::shell::{self, Shell};
use super::{Answer, Contender, Found, Session};
use crate::Result;
use crate::subject::Subject;
use crate::task::{Place, Question, Task};
use std::path::{Path, PathBuf};
use std::process::Command;

/// universal-ctags and its `readtags`.
pub struct Ctags;

impl Contender for Ctags {
    fn name(&self) -> &'static str {
        "ctags"
    }

    fn version(&self) -> std::result::Result<String, String> {
        let absent = "no universal-ctags on PATH; install universal-ctags";
        let out = Command::new("ctags")
            .arg("--version")
            .output()
            .map_err(|_| absent.to_owned())?;
        let text = String::from_utf8_lossy(&out.stdout);
        let line = text.lines().next().unwrap_or_default();
        if !line.starts_with("Universal Ctags") {
            return Err(absent.to_owned());
        }
        Command::new("readtags")
            .arg("-h")
            .output()
            .map_err(|_| "universal-ctags is here but its `readtags` is not on PATH".to_owned())?;
        Ok(line.split(", Copyright").next().unwrap_or(line).to_owned())
    }

    fn open(&self, subject: &Subject) -> Result<Box<dyn Session>> {
        let out = index(&subject.dir).output()?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned().into());
        }
        Ok(Box::new(Tagged {
            shell: Shell::new(subject),
        }))
    }

    fn index_command(&self, dir: &Path) -> Option<Command> {
        Some(index(dir))
    }

    fn index_paths(&self, dir: &Path) -> Vec<PathBuf> {
        vec![dir.join(".git/ctags")]
    }
}

fn index(dir: &Path) -> Command {
    let mut command = Command::new("ctags");
    command.current_dir(dir);
    command.args([
        "-R",
        "--languages=all",
        "--fields=+nKSs",
        "--sort=yes",
        "-f",
        ".git/ctags",
        "--exclude=.git",
        ".",
    ]);
    command
}

struct Tagged {
    shell: Shell,
}

impl Session for Tagged {
    fn answer(&mut self, task: &Task) -> Result<Option<Answer>> {
        // It has reference tags for includes and imports of a few languages, which answer none of the
        // other questions.
        let Question::Definition { name, .. } = &task.question else {
            return Ok(None);
        };
        let mut answer = Answer::default();
        let mut command = Command::new("readtags");
        command.args(["-t", ".git/ctags", "-n", "-e", shell::last_component(name)]);
        let text = self.shell.run(&mut answer, &mut command)?;
        let mut tags: Vec<Tag> = text.lines().filter_map(tag).collect();
        let folders = self.shell.paths(&task.scope);
        tags.retain(|tag| {
            folders
                .iter()
                .any(|folder| folder == "." || tag.place.path.starts_with(folder.as_str()))
        });
        // Of a qualified name the container is asked for too, as editors do with the scope field.
        if let Some((container, _)) = name.rsplit_once(['.', ':', '#']) {
            let container = shell::last_component(container.trim_end_matches(':'));
            tags.sort_by_key(|tag| !tag.scope.ends_with(container));
        }
        answer.found = Found::Places(tags.into_iter().map(|tag| tag.place).take(10).collect());
        Ok(Some(answer))
    }
}

struct Tag {
    place: Place,
    /// The container's qualified name, or nothing.
    scope: String,
}

/// A line of `readtags -n -e`: name, file, pattern, then fields such as `line:12`.
fn tag(line: &str) -> Option<Tag> {
    const SCOPES: &[&str] = &[
        "class",
        "struct",
        "interface",
        "implementation",
        "namespace",
        "module",
        "enum",
        "trait",
        "union",
        "package",
        "function",
    ];
    let path = line.split('\t').nth(1)?.trim_start_matches("./").to_owned();
    let mut number = None;
    let mut scope = String::new();
    for field in line.split('\t').skip(3) {
        if let Some((key, value)) = field.split_once(':') {
            match key {
                "line" => number = value.parse().ok(),
                key if SCOPES.contains(&key) => value.clone_into(&mut scope),
                _ => {}
            }
        }
    }
    Some(Tag {
        place: Place {
            path,
            line: number?,
        },
        scope,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_a_file_a_line_and_a_container() {
        let line = "use\t./lib/router.js\t/^  use(a) {$/;\"\tkind:method\tline:12\tclass:Router\tsignature:(a)";
        let tag = tag(line).unwrap();
        assert_eq!(
            tag.place,
            Place {
                path: "lib/router.js".to_owned(),
                line: 12
            }
        );
        assert_eq!(tag.scope, "Router");
        assert!(super::tag("use\tlib/router.js\t/^x$/").is_none());
    }
}
