//! Raw runs: one JSON object a line, in a folder named by date and machine.

use crate::Result;
use crate::program::{Program, root};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the lines of this run go.
pub struct Run {
    folder: PathBuf,
    header: Value,
    begun: RefCell<BTreeSet<String>>,
}

impl Run {
    /// Opens the folder that was named, or that of today on this machine.
    pub fn open(named: Option<&Path>, program: &Program) -> Result<Self> {
        let folder = match named {
            Some(folder) => folder.to_path_buf(),
            None => root()
                .join("benchmark/runs")
                .join(format!("{}-{}", today()?, machine())),
        };
        let command: Vec<String> = std::env::args().skip(1).collect();
        let header = json!({
            "bench": "run",
            "command": format!("cargo benchmark {}", command.join(" ")),
            "program": program.version()?,
            "commit": commit(),
            "machine": machine(),
            "cpu": cpu_model(),
            "date": today()?,
        });
        Ok(Self {
            folder,
            header,
            begun: RefCell::default(),
        })
    }

    /// Adds one line to `<kind>.jsonl`; before the first of a kind goes the line that says which
    /// command on which program and machine made what follows (`"bench": "run"`).
    pub fn record(&self, kind: &str, value: &Value) -> Result<()> {
        std::fs::create_dir_all(&self.folder)
            .map_err(|err| format!("{}: {err}", self.folder.display()))?;
        let mut file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join(format!("{kind}.jsonl")))?;
        if self.begun.borrow_mut().insert(kind.to_owned()) {
            writeln!(file, "{}", self.header)?;
        }
        writeln!(file, "{value}")?;
        Ok(())
    }

    /// The folder of the lines.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

fn today() -> Result<String> {
    let out = Command::new("date").arg("+%Y-%m-%d").output()?;
    Ok(String::from_utf8_lossy(&out.stdout).trim().to_owned())
}

/// System, architecture and cores, such as `linux-x86_64-2core`.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}-{}-{cores}core",
        std::env::consts::OS,
        std::env::consts::ARCH
    )
}

/// The processor's name where the system tells it.
fn cpu_model() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split(": ").nth(1)?.to_owned())
}

/// The commit of the sources, with `+` when they were edited.
fn commit() -> Option<String> {
    let out = Command::new("git")
        .arg("-C")
        .arg(root())
        .args([
            "describe",
            "--always",
            "--abbrev=10",
            "--dirty=+",
            "--exclude=*",
        ])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&out.stdout).trim().to_owned();
    (!text.is_empty()).then_some(text)
}
