//! JSON reports of coverage.py: for each file the numbers of lines that ran and that did not.

use super::{Collected, lines};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, File>,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    executed_lines: Vec<f64>,
    #[serde(default)]
    missing_lines: Vec<f64>,
}

/// Reads a report.
pub(super) fn read(bytes: &[u8], found: &mut Collected) -> Result<(), String> {
    let report: Report = super::json(bytes)?;
    for (path, file) in report.files {
        let mut malformed = 0;
        let ranges = found.file(&path);
        for (numbers, executed) in [(file.executed_lines, true), (file.missing_lines, false)] {
            for number in numbers {
                match lines::from_number(number) {
                    Some(line) => ranges.add(line, line, executed),
                    None => malformed += 1,
                }
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
    fn a_report_with_contexts_and_functions() {
        let text = r#"{
          "meta": {"format": 3, "version": "7.6.1", "branch_coverage": false},
          "files": {
            "shop/cart.py": {
              "executed_lines": [1, 3, 4, 9],
              "summary": {"covered_lines": 4, "num_statements": 6},
              "missing_lines": [6, 7],
              "excluded_lines": [12],
              "functions": {"total": {"executed_lines": [4], "missing_lines": [6, 7]}}
            },
            "shop/__init__.py": {"executed_lines": [], "missing_lines": []},
            "odd.py": {"executed_lines": [-1, 0, 2, 1.5]}
          },
          "totals": {"covered_lines": 4}
        }"#;
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(report.format, Format::CoveragePy);
        assert_eq!(
            shown(&report),
            "odd.py: 2 / 2\nshop/cart.py: 1,3-4,9 / 1,3-4,6-7,9\n"
        );
        assert_eq!(report.malformed, 3);
    }
}
