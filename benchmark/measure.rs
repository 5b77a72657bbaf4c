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

/// The middle of some samples; `None` when there are none.
pub fn median(samples: &mut [f64]) -> Option<f64> {
    (!samples.is_empty()).then(|| percentile(samples, 0.5))
}

/// The median of each figure but memory, of which the greatest.
pub fn median_of(samples: &[Usage]) -> Option<Usage> {
    let each =
        |figure: fn(&Usage) -> f64| median(&mut samples.iter().map(figure).collect::<Vec<_>>());
    Some(Usage {
        cpu: each(|usage| usage.cpu)?,
        wall: each(|usage| usage.wall)?,
        peak_mb: samples
            .iter()
            .map(|usage| usage.peak_mb)
            .fold(0.0, f64::max),
    })
}

/// The value below which a share of sorted samples lies.
pub fn percentile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    let at = ((samples.len() as f64 * share).ceil() as usize).clamp(1, samples.len()) - 1;
    samples[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples() {
        let mut samples = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(percentile(&mut samples, 0.5), 2.0);
        assert_eq!(percentile(&mut samples, 0.95), 4.0);
        assert_eq!(percentile(&mut [7.0], 0.5), 7.0);
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [9.0, 1.0, 5.0]), Some(5.0));
    }

    #[test]
    fn figures_are_taken_each_for_itself() {
        let usage = |cpu, wall, peak_mb| Usage { cpu, wall, peak_mb };
        let least = usage(1.0, 5.0, 10.0).least(usage(2.0, 3.0, 20.0));
        assert_eq!((least.cpu, least.wall, least.peak_mb), (1.0, 3.0, 20.0));
        let samples = [
            usage(1.0, 9.0, 10.0),
            usage(2.0, 7.0, 40.0),
            usage(3.0, 8.0, 20.0),
        ];
        let median = median_of(&samples).unwrap();
        assert_eq!((median.cpu, median.wall, median.peak_mb), (2.0, 8.0, 40.0));
        assert!(median_of(&[]).is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_measured() {
        let (usage, out) = measure(Command::new("sh").args(["-c", "echo found"])).unwrap();
        assert_eq!(out.stdout, b"found\n");
        assert!(usage.wall > 0.0);
        assert!(measure(Command::new("sh").args(["-c", "exit 3"])).is_err());
        assert!(peak_mb(std::process::id()).unwrap() > 1.0);
    }
}
