//! Coverage profiles of Go: a mode, then a block of code a line.
//!
//! ```text
//! example.org/mod/pkg/file.go:12.34,15.2 3 1
//! ```
//!
//! That is, from line 12, column 34, to line 15, column 2, there are three statements, which ran
//! once. Blocks of several packages' tests repeat; a block ran if it did in any.

use super::Collected;

/// Reads a profile.
pub(super) fn read(bytes: &[u8], found: &mut Collected) -> Result<(), String> {
    let mut lines = bytes
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    if !lines.next().is_some_and(|line| line.starts_with(b"mode:")) {
        return Err("it does not begin with a mode".to_owned());
    }
    for line in lines {
        // Profiles that were put behind one another bring their modes along.
        if line.starts_with(b"mode:") {
            continue;
        }
        match std::str::from_utf8(line).ok().and_then(block) {
            Some(block) if block.statements > 0 => {
                let executed = block.count > 0;
                found
                    .file(block.path)
                    .add(block.first, block.last, executed);
            }
            // An empty body, such as that of a method that does nothing.
            Some(_) => {}
            None => found.malformed += 1,
        }
    }
    Ok(())
}

struct Block<'a> {
    path: &'a str,
    first: u32,
    last: u32,
    statements: u64,
    count: u64,
}

fn block(line: &str) -> Option<Block<'_>> {
    // A path may contain blanks and colons, so from the right.
    let mut fields = line.rsplitn(3, ' ');
    let count = fields.next()?.parse().ok()?;
    let statements = fields.next()?.parse().ok()?;
    let (path, range) = fields.next()?.rsplit_once(':')?;
    let (from, to) = range.split_once(',')?;
    let (first, _) = place(from)?;
    let (last, column) = place(to)?;
    // A block that ends before the first column of a line has nothing on it.
    let last = if column <= 1 {
        last.checked_sub(1)?
    } else {
        last
    };
    (0 < first && first <= last && !path.is_empty()).then_some(Block {
        path,
        first,
        last,
        statements,
        count,
    })
}

fn place(text: &str) -> Option<(u32, u32)> {
    let (line, column) = text.split_once('.')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use crate::trace::tests::shown;
    use crate::trace::{Format, read};

    #[test]
    fn a_profile_of_two_packages() {
        let text = "\
mode: atomic
example.org/shop/cart/cart.go:10.32,13.16 2 4
example.org/shop/cart/cart.go:13.16,15.3 1 0
example.org/shop/cart/cart.go:17.2,17.12 1 4
example.org/shop/cart/cart.go:20.20,20.21 0 0
mode: atomic
example.org/shop/cart/cart.go:13.16,15.3 1 0
example.org/shop/a dir/x.go:3.10,6.1 2 1
example.org/shop/cart/cart.go:9.1,4.1 1 1
nonsense
";
        let report = read(text.as_bytes(), None).unwrap();
        assert_eq!(report.format, Format::Go);
        assert_eq!(
            shown(&report),
            "example.org/shop/a dir/x.go: 3-5 / 3-5\n\
             example.org/shop/cart/cart.go: 10-13,17 / 10-15,17\n"
        );
        assert_eq!(report.malformed, 2);
    }
}
