//! Measuring whole processes: CPU seconds, wall seconds, peak memory.

use crate::Result;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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
