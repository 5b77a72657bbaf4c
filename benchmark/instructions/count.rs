//! Counting instructions with valgrind.

use crate::Result;
use crate::program::Program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Valgrind, and a place for what it says.
pub struct Counter {
    /// A processor that this process may run on, to keep all threads on: how many there are decides
    /// how some work is cut, and in which order threads meet decides who waits.
    cpu: Option<String>,
    temp: tempfile::TempDir,
}

impl Counter {
    /// `None` where valgrind is not installed.
    pub fn find() -> Result<Option<Self>> {
        let runs = |program: &str| {
            let out = Command::new(program).arg("--version").output();
            out.is_ok_and(|out| out.status.success())
        };
        if !runs("valgrind") {
            return Ok(None);
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        Ok(Some(Self {
            cpu: first_cpu(&status).filter(|_| runs("taskset")),
            temp: tempfile::tempdir()?,
        }))
    }

    /// A command that runs the program under valgrind, in an environment that is the same
    /// everywhere. [`Counter::read`] has the count once it has ended.
    ///
    /// Cachegrind without its cache is the fastest of valgrind's tools that count: on a cold index
    /// of gin 4 s of CPU where callgrind took 10, for counts that differ by 0.2 %.
    pub fn command(&self, program: &Program, dir: &Path, args: &[&str]) -> Command {
        let mut command = match &self.cpu {
            Some(cpu) => {
                let mut command = Command::new("taskset");
                command.args(["-c", cpu, "valgrind"]);
                command
            }
            None => Command::new("valgrind"),
        };
        command
            .args(["--tool=cachegrind", "--cache-sim=no", "--branch-sim=no"])
            .arg("--cachegrind-out-file=/dev/null")
            // Standard error stays the program's own.
            .arg(format!("--log-file={}", self.log().display()))
            .arg(program.path())
            .args(args)
            .current_dir(dir);
        self.settle(&mut command);
        command
    }

    /// The same command without counting: for what has to run before. The environment is the same,
    /// because caches belong to the user whose home it names.
    pub fn uncounted(&self, program: &Program, dir: &Path, args: &[&str]) -> Command {
        let mut command = program.command(dir, args);
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.temp.path())
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null");
    }

    /// The count of the command that has just ended.
    pub fn read(&self) -> Result<u64> {
        let log = std::fs::read_to_string(self.log())?;
        std::fs::remove_file(self.log())?;
        instructions(&log).ok_or_else(|| format!("valgrind gave no count:\n{log}").into())
    }

    fn log(&self) -> PathBuf {
        self.temp.path().join("log")
    }
}

/// The first processor of `Cpus_allowed_list: 2-5,8`.
fn first_cpu(status: &str) -> Option<String> {
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let first = list.trim().split(['-', ',']).next()?;
    first.parse::<u32>().ok().map(|cpu| cpu.to_string())
}

/// The number of `==7== I   refs:      1,520,873,079`; newer versions write one space.
fn instructions(log: &str) -> Option<u64> {
    let (_, number) = log
        .lines()
        .filter(|line| line.starts_with("=="))
        .find_map(|line| line.split_once("refs:").filter(|(kind, _)| is_total(kind)))?;
    number.trim().replace(',', "").parse().ok()
}

fn is_total(kind: &str) -> bool {
    kind.trim_end().ends_with(" I")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_what_valgrind_says() {
        let log = "==7== Cachegrind, a cache profiler\n--7-- warning: L3 cache found\n==7== \n\
                   ==7== I   refs:      1,520,873,079\n";
        assert_eq!(instructions(log), Some(1_520_873_079));
        assert_eq!(instructions("==7== I refs: 12\n"), Some(12));
        assert_eq!(instructions("==7== D refs: 12\n"), None);
        assert_eq!(instructions("I refs: 12\n"), None);
    }

    #[test]
    fn the_first_allowed_processor_is_taken() {
        let status = |list: &str| format!("Name:\tx\nCpus_allowed_list:\t{list}\nMems:\t0\n");
        assert_eq!(first_cpu(&status("0-1")).as_deref(), Some("0"));
        assert_eq!(first_cpu(&status("3,5")).as_deref(), Some("3"));
        assert_eq!(first_cpu("Name:\tx\n"), None);
    }
}
