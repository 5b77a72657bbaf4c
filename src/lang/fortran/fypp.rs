//! Fortran that is written for the preprocessor fypp: lines for it (`#:if DEBUG`, `#! a note`, `$:made()`, `@:ASSERT(a)`) and
//! what it puts into others (`subroutine get${KIND}$(a)`).
//!
//! Where a file has errors it is parsed again without the lines, and with what a line may have in the other places: nothing
//! behind a name, a part of the name within one, and a type where a line begins with it.

/// Writes a file plainly; says whether there was anything.
pub(super) fn plain(bytes: &mut [u8]) -> bool {
    if memchr::memmem::find(bytes, b"#:").is_none() && memchr::memmem::find(bytes, b"${").is_none()
    {
        return false;
    }
    let mut changed = false;
    let mut goes_on = false;
    for line in bytes.split_mut(|b| *b == b'\n') {
        let text = line.trim_ascii_start();
        let is_for_it = [&b"#:"[..], b"#!", b"$:", b"@:"]
            .iter()
            .any(|sign| text.starts_with(sign));
        if is_for_it || goes_on {
            goes_on = line.trim_ascii_end().ends_with(b"&");
            line.fill(b' ');
            changed = true;
        } else {
            changed |= values(line);
        }
    }
    changed
}

/// Writes what is put into a line.
fn values(line: &mut [u8]) -> bool {
    const TYPE: &[u8] = b"real";
    let (mut from, mut changed) = (0, false);
    while let Some(at) = memchr::memmem::find(&line[from..], b"${") {
        let start = from + at;
        let Some(len) = memchr::memmem::find(&line[start..], b"}$") else {
            break;
        };
        let end = start + len + 2;
        let is_part = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let is_behind = start > 0 && is_part(line.get(start - 1));
        let is_first = line[..start].trim_ascii().is_empty();
        let fill = match is_part(line.get(end)) {
            false if is_behind || is_first => b' ',
            _ => b'x',
        };
        line[start..end].fill(fill);
        if is_first && fill == b' ' {
            line[start..start + TYPE.len()].copy_from_slice(TYPE);
        }
        (from, changed) = (end, true);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_values_of_the_preprocessor_are_written_plainly() {
        for (source, expected) in [
            ("#:if A\ncall b()\n#:endif\n", "      \ncall b()\n       \n"),
            (
                "#:set A = [1, &\n  & 2]\nend\n",
                "               \n      \nend\n",
            ),
            ("subroutine a${B}$(c)\n", "subroutine a    (c)\n"),
            ("call a${B}$_c(d)\n", "call axxxxx_c(d)\n"),
            ("  ${A}$, intent(in) :: b\n", "  real , intent(in) :: b\n"),
            ("  a = ${B}$ + 1\n", "  a = xxxxx + 1\n"),
        ] {
            let mut bytes = source.as_bytes().to_vec();
            assert!(plain(&mut bytes), "{source}");
            assert_eq!(bytes.len(), source.len());
            let expected = expected.replace("a    (c)", "a     (c)");
            assert_eq!(String::from_utf8(bytes).unwrap(), expected);
        }
        let mut same = b"# 1 \"a.F90\"\ncall a(\"${b\")\n".to_vec();
        assert!(!plain(&mut same));
    }
}
