//! Expansions of parameters that do more than say what one holds: `${out:+${out};}`, `${list[(I)$a]}`.
//!
//! The grammar loses its way in many of them, and with it all that follows. Where a file has errors it is parsed
//! again with the name alone, byte for byte as long; one that runs a command stays as it is.

use std::ops::Range;

/// Longest expansion that is seen through.
const LONGEST: usize = 512;

/// Shortens the expansions of a file, at most `most` of them; says whether there were any.
pub(super) fn shorten(bytes: &mut [u8], most: usize) -> bool {
    let (mut from, mut found) = (0, 0);
    while found < most
        && let Some(at) = memchr::memmem::find(&bytes[from..], b"${")
    {
        let start = from + at;
        let Some(end) = end(&bytes[start..]) else {
            from = start + 2;
            continue;
        };
        let inner = start + 2..start + end - 1;
        from = match shortened(&bytes[inner.clone()]) {
            Some(_) if runs(&bytes[inner.clone()]) => start + 2,
            Some(name) => {
                write(bytes, inner, name);
                found += 1;
                start + end
            }
            None => start + end,
        };
    }
    found > 0
}

/// Where an expansion ends that a text begins with, on its line.
fn end(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, 2);
    while at < text.len().min(LONGEST) {
        match text[at] {
            b'\n' => return None,
            b'\\' => at += 1,
            b'{' if text[at - 1] == b'$' => depth += 1,
            b'}' if depth == 0 => return Some(at + 1),
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// How much of what stands in braces is the name; `None` where there is nothing else.
fn shortened(inner: &[u8]) -> Option<usize> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let sign = usize::from(matches!(inner.first(), Some(b'#' | b'!')));
    let word = inner[sign..].iter().take_while(|b| is_part(b)).count();
    let is_special = |b: &u8| b"@*?!-".contains(b);
    let mut name = match word {
        0 if inner.get(sign).is_some_and(is_special) => sign + 1,
        // `${${a}:-b}`, `${(f)a}` of zsh: the name is further in, and flags before it are space already.
        0 if inner.first().is_some_and(|b| b"$(^=~".contains(b)) => return Some(0),
        0 if inner.trim_ascii_start().starts_with(b"${") => return Some(0),
        0 => return None,
        word => sign + word,
    };
    if let Some(index) = inner[name..].strip_prefix(b"[")
        && let Some(close) = memchr::memchr(b']', index)
        && index[..close]
            .iter()
            .all(|b| is_part(b) || b"@*$#-".contains(b))
    {
        name += close + 2;
    }
    (name < inner.len()).then_some(name)
}

fn runs(inner: &[u8]) -> bool {
    memchr::memchr(b'`', inner).is_some() || memchr::memmem::find(inner, b"$(").is_some()
}

/// Writes the first bytes of what stands in braces alone; what goes is space where it ends a word.
fn write(bytes: &mut [u8], inner: Range<usize>, name: usize) {
    let close = inner.end;
    let is_last = !bytes
        .get(close + 1)
        .is_some_and(|b| b.is_ascii_alphanumeric() || b"_$./-{:,%+".contains(b));
    let filler = if is_last { b' ' } else { b'_' };
    if name == 0 {
        bytes[inner.start - 2..=close].fill(b'_');
    } else {
        bytes[inner.start + name] = b'}';
        bytes[inner.start + name + 1..=close].fill(filler);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_is_left() {
        for (source, short) in [
            ("echo \"${a:+${b};}\"", "echo \"${a}       \""),
            ("${a%%]*}/b", "${a}____/b"),
            ("${a[1]:-c}", "${a[1]}   "),
            ("(( ${a[(I)$b]} ))", "(( ${a}        ))"),
            ("${${a}:-b}", "__________"),
            ("${a:-$(b ${c:-d})}", "${a:-$(b ${c}   )}"),
        ] {
            let mut bytes = source.as_bytes().to_vec();
            assert!(shorten(&mut bytes, 9), "{source}");
            assert_eq!(String::from_utf8(bytes).unwrap(), short);
        }
        for same in ["${a}", "${#a}", "${a[@]}", "${a\n:-b}", "${", "${a:-`b`}"] {
            assert!(!shorten(&mut same.as_bytes().to_vec(), 9), "{same}");
        }
        assert!(!shorten(&mut b"${a:-b}".to_vec(), 0));
    }
}
