//! Measuring whole processes: CPU seconds, wall seconds, peak memory; and where raw runs go.

use crate::Result;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A repository under measurement: a clone in a temporary folder.
pub struct Subject {
    /// Name shown in reports: the last path component that says something.
    pub name: String,
    /// The clone.
    pub dir: PathBuf,
    _temp: tempfile::TempDir,
}

impl Subject {
    /// Clones a repository, so that the original is never written.
    pub fn clone_of(path: &Path) -> Result<Self> {
        let temp = tempfile::tempdir()?;
        let dir = temp.path().join("clone");
        let path = path.canonicalize()?;
        let out = Command::new("git")
            .args(["clone", "-q", "--no-hardlinks"])
            .arg(&path)
            .arg(&dir)
            .output()?;
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned().into());
        }
        let mut name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if matches!(name.as_str(), "repo" | ".git") {
            let parent = path.parent().and_then(Path::file_name).unwrap_or_default();
            name = parent
                .to_string_lossy()
                .rsplit('+')
                .next()
                .unwrap_or_default()
                .to_owned();
        }
        Ok(Self {
            name,
            dir,
            _temp: temp,
        })
    }

    /// Another clone of the same repository, checked out at a commit, beside this one.
    pub fn checkout(&self, commit: &str, name: &str) -> Result<PathBuf> {
        let dir = self.dir.with_file_name(name);
        let dir_text = dir.to_string_lossy().into_owned();
        self.git(&["clone", "-q", "--shared", "--no-checkout", ".", &dir_text])?;
        run_git(&dir, &["checkout", "-q", "--detach", commit])?;
        Ok(dir)
    }

    /// Runs git in the clone and returns what it said.
    pub fn git(&self, args: &[&str]) -> Result<String> {
        run_git(&self.dir, args)
    }

    /// Removes the index and every cache.
    pub fn forget_index(&self) -> Result<()> {
        self.git(&["update-ref", "-d", "refs/sverklo/v1/index"])?;
        match std::fs::remove_dir_all(self.dir.join(".git/sverklo")) {
            Err(err) if err.kind() != std::io::ErrorKind::NotFound => Err(err.into()),
            _ => Ok(()),
        }
    }
}

/// Runs git in a folder and returns what it said.
pub fn run_git(dir: &Path, args: &[&str]) -> Result<String> {
    let out = Command::new("git").arg("-C").arg(dir).args(args).output()?;
    if !out.status.success() {
        return Err(format!("git {args:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// The program under test.
pub fn sverklo(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_git-sverklo"));
    command.current_dir(dir).args(args);
    command
}

/// What a finished process used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// User and system CPU seconds, children included.
    pub cpu: f64,
    /// Wall seconds.
    pub wall: f64,
    /// Peak resident memory in MB, sampled; 0 where `/proc` is missing.
    pub peak_mb: f64,
}

impl Usage {
    /// The lesser of each figure but memory, of which the greater: noise only ever adds.
    pub fn least(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.min(other.cpu),
            wall: self.wall.min(other.wall),
            peak_mb: self.peak_mb.max(other.peak_mb),
        }
    }

    /// Wall time in milliseconds.
    pub fn wall_ms(&self) -> f64 {
        self.wall * 1e3
    }
}

/// Runs a command to its end.
pub fn measure(command: &mut Command) -> Result<(Usage, Output)> {
    let before = children_cpu();
    let start = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pid = child.id();
    let sampler = std::thread::spawn(move || {
        let mut peak = 0.0f64;
        // The file goes away with the process.
        while let Some(mb) = peak_mb(pid) {
            peak = peak.max(mb);
            std::thread::sleep(Duration::from_millis(1));
        }
        peak
    });
    let out = child.wait_with_output()?;
    let wall = start.elapsed().as_secs_f64();
    let cpu = children_cpu() - before;
    let peak_mb = sampler.join().unwrap_or(0.0);
    if !matches!(out.status.code(), Some(0 | 1)) {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&out.stderr)).into());
    }
    Ok((Usage { cpu, wall, peak_mb }, out))
}

/// Peak resident memory of a running process, in MB.
pub fn peak_mb(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kb: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kb / 1024.0)
}

/// CPU seconds of this process.
pub fn own_cpu() -> f64 {
    cpu(true)
}

fn children_cpu() -> f64 {
    cpu(false)
}

#[cfg(unix)]
fn cpu(own: bool) -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let who = if own {
        UsageWho::RUSAGE_SELF
    } else {
        UsageWho::RUSAGE_CHILDREN
    };
    let Ok(usage) = getrusage(who) else {
        return f64::NAN;
    };
    let seconds = |t: nix::sys::time::TimeVal| t.tv_sec() as f64 + t.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

#[cfg(not(unix))]
fn cpu(_own: bool) -> f64 {
    f64::NAN
}

/// The value below which a share of sorted samples lies.
pub fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let at = ((samples.len() as f64 * share).ceil() as usize).clamp(1, samples.len()) - 1;
    samples[at]
}

/// Adds one line to the raw run of today on this machine.
pub fn record(kind: &str, value: &serde_json::Value) -> Result<()> {
    let date = Command::new("date").arg("+%Y-%m-%d").output()?.stdout;
    let date = String::from_utf8_lossy(&date).trim().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let machine = format!(
        "{}-{}-{cores}core",
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benchmark/runs")
        .join(format!("{date}-{machine}"));
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{kind}.jsonl"));
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    writeln!(file, "{value}")?;
    Ok(())
}
