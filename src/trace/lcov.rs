//! Tracefiles of LCOV: lines of text, a section for each source file. Only `SF` and `DA` are read.

use super::{Collected, Ranges};

/// Reads a tracefile.
pub(super) fn read(bytes: &[u8], found: &mut Collected) -> Result<(), String> {
    let (mut named, mut malformed) = (false, 0);
    let mut section: Option<&mut Ranges> = None;
    for line in bytes.split(|b| *b == b'\n') {
        let line = line.trim_ascii();
        if let Some(name) = line.strip_prefix(b"SF:") {
            section = Some(
                found
                    .files
                    .entry(String::from_utf8_lossy(name).into_owned())
                    .or_default(),
            );
            named = true;
        } else if let Some(fields) = line.strip_prefix(b"DA:") {
            match section.as_deref_mut().zip(data(fields)) {
                Some((ranges, (line, executed))) => ranges.add(line, line, executed),
                None => malformed += 1,
            }
        } else if line == b"end_of_record" {
            section = None;
        }
    }
    found.malformed += malformed;
    match named {
        true => Ok(()),
        false => Err("it names no source file (SF:)".to_owned()),
    }
}

/// Reads `<line>,<count>` with perhaps a checksum behind. Merging tools write counts as any number.
fn data(fields: &[u8]) -> Option<(u32, bool)> {
    let text = std::str::from_utf8(fields).ok()?;
    let mut fields = text.split(',');
    let line = fields.next()?.trim().parse().ok()?;
    let count: f64 = fields.next()?.trim().parse().ok()?;
    (line > 0).then_some((line, count > 0.0))
}

#[cfg(test)]
mod tests {
    use crate::trace::tests::shown;
    use crate::trace::{Format, read};

    #[test]
    fn a_tracefile_of_two_files() {
        let text = "\
TN:unit tests
SF:/build/project/src/parse.c
FN:3,parse
FNDA:2,parse
FNF:1
FNH:1
DA:3,2
DA:4,2,K6lYpGPvsdCsPBFBTZ5Seg
DA:5,0
DA:6,-1
DA:9,1e3
BRDA:4,0,0,1
LF:5
LH:3
end_of_record
DA:1,1
SF:src/empty.c
end_of_record
SF:src/print.c\r
DA:7,=====
DA:x,1
DA:0,1
DA:1,1\r
end_of_record
";
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(report.format, Format::Lcov);
        assert_eq!(
            shown(&report),
            "/build/project/src/parse.c: 3-4,9 / 3-6,9\nsrc/print.c: 1 / 1\n"
        );
        assert_eq!(report.malformed, 4, "one without a file, three of nonsense");
        assert!(read(b"DA:1,1\n", Some(Format::Lcov)).is_err());
    }
}
