//! The JSON of Istanbul: for each file a map of statements and how often each ran.
//!
//! A statement counts where it begins: one that spans lines has others inside it, and a function
//! that is declared has run nothing yet of what it holds.

use super::{Collected, lines};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct File {
    /// Where the file was; the key is the same as a rule, unless a tool has rewritten it.
    #[serde(default)]
    path: Option<String>,
    #[serde(rename = "statementMap", default)]
    statements: BTreeMap<String, Statement>,
    #[serde(rename = "s", default)]
    counts: BTreeMap<String, Option<f64>>,
}

#[derive(Deserialize)]
struct Statement {
    start: Place,
}

#[derive(Deserialize)]
struct Place {
    line: Option<f64>,
}

/// Reads a report.
pub(super) fn read(bytes: &[u8], found: &mut Collected) -> Result<(), String> {
    let report: BTreeMap<String, File> = super::json(bytes)?;
    for (key, file) in report {
        let path = file.path.filter(|path| !path.is_empty()).unwrap_or(key);
        let mut malformed = 0;
        let ranges = found.file(&path);
        for (id, statement) in &file.statements {
            let line = statement.start.line.and_then(lines::from_number);
            let count = file.counts.get(id).copied().flatten();
            match line.zip(count) {
                Some((line, count)) => ranges.add(line, line, count > 0.0),
                None => malformed += 1,
            }
        }
        found.malformed += malformed;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::trace::tests::shown;
    use crate::trace::{Format, read};

    #[test]
    fn a_report_of_two_files() {
        let text = r#"{
          "/ci/work/src/cart.js": {
            "path": "/ci/work/src/cart.js",
            "statementMap": {
              "0": {"start": {"line": 1, "column": 0}, "end": {"line": 1, "column": 30}},
              "1": {"start": {"line": 3, "column": 2}, "end": {"line": 7, "column": 3}},
              "2": {"start": {"line": 4, "column": 4}, "end": {"line": 4, "column": 11}},
              "3": {"start": {"line": 9, "column": 2}, "end": {"line": 9, "column": null}},
              "4": {"start": {"line": null, "column": 2}, "end": {"line": 9, "column": 1}},
              "5": {"start": {"line": 12, "column": 2}, "end": {"line": 12, "column": 1}}
            },
            "fnMap": {"0": {"name": "add", "line": 2, "decl": {}, "loc": {}}},
            "branchMap": {},
            "s": {"0": 1, "1": 2, "2": 0, "3": 2, "4": 1},
            "f": {"0": 2}, "b": {}, "hash": "d41d8cd9"
          },
          "src\\windows.js": {"statementMap": {"0": {"start": {"line": 2}}}, "s": {"0": 0}}
        }"#;
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(report.format, Format::Istanbul);
        assert_eq!(
            shown(&report),
            "/ci/work/src/cart.js: 1,3,9 / 1,3-4,9\nsrc\\windows.js:  / 2\n"
        );
        assert_eq!(
            report.malformed, 2,
            "a line without number, a missing count"
        );
    }
}
