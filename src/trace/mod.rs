//! Reports of coverage tools: bytes in, lines by path out.
//!
//! Guarantees: a pure function of the bytes. A report may be hostile: it is parsed with bounds and
//! without recursion of ours, and a record that makes no sense is left out and counted. Counts are
//! not kept, only whether a line ran, so that reports unite by set union.
//! Deliberately absent: files, trees and blobs; [`paths`] matches the paths that a report names
//! with those it is given, and whoever calls knows what they stand for.

mod coverage_py;
mod go_cover;
mod istanbul;
mod lcov;
pub mod lines;
mod llvm_cov;
pub mod paths;

use lines::{LineSet, Lines};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

labelled! {
    /// A format of reports.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Format {
        /// The tracefiles of LCOV, which many tools write besides.
        Lcov = "lcov",
        /// What `coverage json` writes for Python.
        CoveragePy = "coverage.py",
        /// The `coverage-final.json` of Istanbul, which nyc, c8, Jest and Vitest write.
        Istanbul = "istanbul",
        /// What `go test -coverprofile` writes.
        Go = "go",
        /// What `llvm-cov export` writes, also through `cargo llvm-cov --json`.
        LlvmCov = "llvm-cov",
    }
}

/// Why a report cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// It is of no format that is known.
    #[error("it is none of the formats that are known ({})", labels())]
    Unknown,
    /// It is not what its format asks for.
    #[error("it is no report of {}: {reason}", .format.label())]
    Malformed {
        /// The format it was read as.
        format: Format,
        /// Why.
        reason: String,
    },
}

fn labels() -> String {
    Format::ALL.map(Format::label).join(", ")
}

/// What a report says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The format it was read as.
    pub format: Format,
    /// The lines of each file, by the path that the report gives it, in order.
    pub files: Vec<(String, Lines)>,
    /// Records that were left out because they make no sense.
    pub malformed: usize,
}

/// Reads a report, by default as the format that its content shows.
pub fn read(bytes: &[u8], format: Option<Format>) -> Result<Report, Error> {
    let format = format.or_else(|| detect(bytes)).ok_or(Error::Unknown)?;
    let mut found = Collected::default();
    let read = match format {
        Format::Lcov => lcov::read(bytes, &mut found),
        Format::Go => go_cover::read(bytes, &mut found),
        Format::CoveragePy => coverage_py::read(bytes, &mut found),
        Format::Istanbul => istanbul::read(bytes, &mut found),
        Format::LlvmCov => llvm_cov::read(bytes, &mut found),
    };
    read.map_err(|reason| Error::Malformed { format, reason })?;
    Ok(Report {
        format,
        malformed: found.malformed,
        files: found.finish(),
    })
}

/// The keys that tell JSON reports apart, whatever stands under them.
#[derive(Deserialize)]
struct Keys {
    meta: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
    data: Option<IgnoredAny>,
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
}

/// Tells a format by the content of a report.
fn detect(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"{") {
        let keys: Keys = serde_json::from_slice(text).ok()?;
        return Some(match (keys.meta, keys.files, keys.data, keys.kind) {
            (_, _, Some(_), Some(_)) => Format::LlvmCov,
            (Some(_), Some(_), _, _) => Format::CoveragePy,
            _ => Format::Istanbul,
        });
    }
    if text.starts_with(b"mode:") {
        return Some(Format::Go);
    }
    let mut lines = text.split(|b| *b == b'\n').take(HEAD_LINES);
    lines
        .any(|line| line.starts_with(b"SF:"))
        .then_some(Format::Lcov)
}

/// Lines within which a tracefile must have named its first source file.
const HEAD_LINES: usize = 64;

/// Reads JSON; numbers beyond what a type holds are errors, not panics, and nesting is bounded.
fn json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|err| err.to_string())
}

/// What is collected while a report is read.
#[derive(Default)]
struct Collected {
    files: BTreeMap<String, Ranges>,
    malformed: usize,
}

/// Half-open ranges of lines, in any order.
#[derive(Default)]
struct Ranges {
    executed: Vec<(u32, u32)>,
    missed: Vec<(u32, u32)>,
}

impl Ranges {
    /// Notes lines, both ends included; those that no file may have are left out.
    fn add(&mut self, first: u32, last: u32, executed: bool) {
        let first = first.max(1);
        let last = last.min(lines::MAX_LINE);
        if first > last {
            return;
        }
        let to = match executed {
            true => &mut self.executed,
            false => &mut self.missed,
        };
        match to.last_mut() {
            // Reports are in order as a rule, and then there is nothing left to sort.
            Some((_, end)) if *end == first => *end = last + 1,
            _ => to.push((first, last + 1)),
        }
    }
}

impl Collected {
    /// The lines of a file; a report may come back to it.
    fn file(&mut self, path: &str) -> &mut Ranges {
        self.files.entry(path.to_owned()).or_default()
    }

    fn finish(self) -> Vec<(String, Lines)> {
        let files = self.files.into_iter().map(|(path, ranges)| {
            let executed = LineSet::of_ranges(ranges.executed);
            let missed = LineSet::of_ranges(ranges.missed);
            (path, Lines::new(executed, missed))
        });
        files.filter(|(_, lines)| !lines.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Shows a report as `path: executed / executable`.
    pub(super) fn shown(report: &Report) -> String {
        let files = report.files.iter().map(|(path, lines)| {
            let (executed, executable) = (lines.executed(), lines.executable());
            format!("{path}: {executed} / {executable}\n")
        });
        files.collect()
    }

    #[test]
    fn formats_are_told_by_content() {
        for (format, text) in [
            (Format::Lcov, "TN:\nSF:a.c\nDA:1,1\nend_of_record\n"),
            (Format::Go, "mode: set\nm/a.go:1.1,2.2 1 1\n"),
            (
                Format::CoveragePy,
                r#"{"meta":{},"files":{"a.py":{"executed_lines":[1],"missing_lines":[]}}}"#,
            ),
            (
                Format::Istanbul,
                r#"{"/w/a.js":{"statementMap":{"0":{"start":{"line":1}}},"s":{"0":1}}}"#,
            ),
            (
                Format::LlvmCov,
                "\u{feff} {\"data\":[],\"type\":\"llvm.coverage.json.export\"}",
            ),
        ] {
            assert_eq!(detect(text.as_bytes()), Some(format), "{text}");
            assert_eq!(Format::from_label(format.label()), Some(format));
        }
        for other in ["", "[]", "<coverage/>", "{", "hello\nSFX\n"] {
            assert_eq!(read(other.as_bytes(), None), Err(Error::Unknown), "{other}");
        }
        let err = read(b"{}", Some(Format::CoveragePy)).unwrap_err();
        assert!(err.to_string().contains("coverage.py"), "{err}");
    }

    #[test]
    fn a_file_that_is_named_twice_has_the_lines_of_both() {
        let text = "SF:a.c\nDA:1,0\nDA:2,1\nend_of_record\nSF:b.c\nDA:1,1\nend_of_record\n\
                    SF:a.c\nDA:1,5\nDA:9,0\nend_of_record\n";
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(shown(&report), "a.c: 1-2 / 1-2,9\nb.c: 1 / 1\n");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(
            bytes in proptest::collection::vec(any::<u8>(), 0..300),
            at in 0_usize..5,
        ) {
            let _ = read(&bytes, None);
            let _ = read(&bytes, Some(Format::ALL[at]));
        }

        #[test]
        fn numbers_of_any_size_are_read_without_harm(a: u64, b: i64, c: u64) {
            for text in [
                format!("SF:a\nDA:{a},{b}\nDA:{b},{a},{c}\n"),
                format!("mode: set\na:{a}.1,{b}.2 1 {c}\na:1.1,{a}.2 1 1\n"),
                format!(r#"{{"meta":0,"files":{{"a":{{"executed_lines":[{a},{b}],"missing_lines":[{c}]}}}}}}"#),
                format!(r#"{{"a":{{"statementMap":{{"0":{{"start":{{"line":{a}}},"end":{{"line":{b}}}}}}},"s":{{"0":{c}}}}}}}"#),
                format!(r#"{{"type":"x","data":[{{"files":[{{"filename":"a","segments":[[{a},1,{b},true,true,false],[{c},1,0,false,false]]}}]}}]}}"#),
            ] {
                let report = read(text.as_bytes(), None).unwrap();
                for (_, lines) in &report.files {
                    prop_assert!(lines.executable().last().unwrap() <= lines::MAX_LINE);
                }
            }
        }
    }
}
