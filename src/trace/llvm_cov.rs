//! The JSON that `llvm-cov export` writes: for each file the places at which a count begins to hold.
//!
//! A segment is `[line, column, count, has count, is the entry of a region, is a gap]` and holds
//! until the next. A line has code if a counted region begins on it or goes on over it, and runs as
//! often as the most frequent of these; gaps between statements count for no line on which they
//! begin.

use super::Collected;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Report {
    data: Vec<Export>,
}

#[derive(Deserialize)]
struct Export {
    #[serde(default)]
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    filename: String,
    #[serde(default)]
    segments: Vec<Vec<Value>>,
}

#[derive(Clone, Copy)]
struct Segment {
    line: u32,
    ran: bool,
    has_count: bool,
    is_entry: bool,
    is_gap: bool,
}

impl Segment {
    fn read(fields: &[Value]) -> Option<Self> {
        let flag = |at: usize| fields.get(at).and_then(Value::as_bool).unwrap_or(false);
        let line = u32::try_from(fields.first()?.as_u64()?).ok()?;
        (line > 0).then_some(Self {
            line,
            ran: fields.get(2)?.as_f64()? > 0.0,
            has_count: flag(3),
            is_entry: flag(4),
            is_gap: flag(5),
        })
    }

    /// Whether a region with code begins here.
    fn begins(&self) -> bool {
        self.has_count && self.is_entry && !self.is_gap
    }
}

/// Reads a report.
pub(super) fn read(bytes: &[u8], found: &mut Collected) -> Result<(), String> {
    let report: Report = super::json(bytes)?;
    for file in report.data.into_iter().flat_map(|export| export.files) {
        let all = file.segments.len();
        let mut segments: Vec<Segment> = file
            .segments
            .iter()
            .filter_map(|fields| Segment::read(fields))
            .collect();
        found.malformed += all - segments.len();
        segments.sort_by_key(|segment| segment.line);
        let ranges = found.file(&file.filename);
        let mut holds: Option<Segment> = None;
        let mut next = 1;
        for on_line in segments.chunk_by(|a, b| a.line == b.line) {
            let (Some(head), Some(last)) = (on_line.first(), on_line.last()) else {
                continue;
            };
            // What holds over the lines between.
            if let Some(over) = holds.filter(|over| over.has_count)
                && head.line > next
            {
                ranges.add(next, head.line - 1, over.ran);
            }
            let is_skipped = !head.has_count && head.is_entry;
            let goes_on = holds.is_some_and(|over| over.has_count);
            let begins = on_line.iter().any(Segment::begins);
            if begins || (goes_on && !is_skipped) {
                let ran_on = goes_on && holds.is_some_and(|over| over.ran);
                let ran = on_line
                    .iter()
                    .any(|segment| segment.begins() && segment.ran);
                ranges.add(head.line, head.line, ran || ran_on);
            }
            holds = Some(*last);
            next = head.line.saturating_add(1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::trace::tests::shown;
    use crate::trace::{Format, read};

    /// ```text
    /// 1 fn add(a: u32) -> u32 {
    /// 2     if a > 1 {
    /// 3         return 2;
    /// 4     }
    /// 5     a
    /// 6 }
    /// 8 fn never() {
    /// 9 }
    /// ```
    #[test]
    fn a_report_of_one_file() {
        let text = r#"{"data":[{"files":[{"filename":"/w/src/lib.rs","branches":[],"segments":[
            [1,1,5,true,true,false],
            [2,8,5,true,true,false],
            [2,13,0,true,false,true],
            [2,14,0,true,true,false],
            [4,6,5,true,false,true],
            [5,5,5,true,true,false],
            [6,2,0,false,false,false],
            [8,1,0,true,true,false],
            [9,2,0,false,false,false],
            ["x"]
        ],"summary":{}}],"functions":[],"totals":{}}],
        "type":"llvm.coverage.json.export","version":"2.0.1"}"#;
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(report.format, Format::LlvmCov);
        assert_eq!(shown(&report), "/w/src/lib.rs: 1-2,5-6 / 1-6,8-9\n");
        assert_eq!(report.malformed, 1);
    }
}
