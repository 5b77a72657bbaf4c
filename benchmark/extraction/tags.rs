//! Running universal-ctags and reading what it says.

use crate::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A definition by ctags.
#[derive(Clone, Default, Deserialize)]
pub struct Tag {
    /// Its name, which may be qualified.
    pub name: String,
    /// Where it stands.
    pub path: String,
    /// Line, 1-based.
    pub line: u32,
    /// What ctags calls it.
    #[serde(default)]
    pub kind: String,
    /// What kind of thing it stands in.
    #[serde(default, rename = "scopeKind")]
    pub scope_kind: String,
    /// Its last line, where ctags knows it.
    #[serde(default)]
    pub end: u32,
}

/// Which ctags is here, or why there is none.
pub fn version() -> std::result::Result<String, String> {
    let absent = "no universal-ctags on PATH; install universal-ctags";
    let out = Command::new("ctags").arg("--version").output();
    let out = out.map_err(|_| absent.to_owned())?;
    let text = String::from_utf8_lossy(&out.stdout);
    let line = text.lines().next().unwrap_or_default();
    if !line.starts_with("Universal Ctags") {
        return Err(absent.to_owned());
    }
    let features = Command::new("ctags").arg("--list-features").output();
    let features = features.map_err(|_| absent.to_owned())?;
    if !String::from_utf8_lossy(&features.stdout).contains("json") {
        return Err("this universal-ctags cannot write JSON".to_owned());
    }
    Ok(line.split(", Copyright").next().unwrap_or(line).to_owned())
}

/// The definitions in files of one language, by path.
pub fn tell(dir: &Path, language: &str, paths: &[&str]) -> Result<BTreeMap<String, Vec<Tag>>> {
    let mut child = Command::new("ctags")
        .current_dir(dir)
        // No settings of the user or of the repository.
        .args(["--options=NONE", "--output-format=json", "--fields=+nKSsEe"])
        // What has no name and what is a file is no definition.
        .args([
            "--extras=-F-f-{anonymous}",
            "--sort=no",
            "-L",
            "-",
            "-f",
            "-",
        ])
        .arg(format!("--language-force={language}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut to = child.stdin.take().ok_or("ctags reads a list")?;
    let list = paths.join("\n") + "\n";
    let writer = std::thread::spawn(move || to.write_all(list.as_bytes()));
    let out = child.wait_with_output()?;
    writer.join().map_err(|_| "a thread failed")??;
    let mut told: BTreeMap<String, Vec<Tag>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        // Names may be bytes that are no text.
        if let Ok(tag) = serde_json::from_str::<Tag>(line) {
            told.entry(tag.path.clone()).or_default().push(tag);
        }
    }
    Ok(told)
}
