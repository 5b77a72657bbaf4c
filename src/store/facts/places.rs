//! Whether facts stand where they say.

use super::blob::BlobFacts;

/// The lines of a blob.
pub struct Lines<'a> {
    lines: Vec<&'a [u8]>,
}

impl<'a> Lines<'a> {
    /// Cuts a text into its lines.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self {
            lines: bytes.split(|byte| *byte == b'\n').collect(),
        }
    }

    /// A line, from 1.
    pub fn get(&self, line: u32) -> Option<&'a [u8]> {
        let at = (line as usize).checked_sub(1)?;
        self.lines.get(at).copied()
    }

    /// Whether a name stands at a place, and is no part of a longer one.
    pub fn has(&self, line: u32, col: u32, name: &str) -> bool {
        let Some((before, rest)) = self
            .get(line)
            .and_then(|line| line.split_at_checked(col as usize))
        else {
            return false;
        };
        let continues = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        rest.strip_prefix(name.as_bytes()).is_some_and(|after| {
            let ends = |byte: Option<&u8>, of: Option<u8>| {
                !(byte.is_some_and(continues) && of.is_some_and(|of| continues(&of)))
            };
            ends(before.last(), name.bytes().next()) && ends(after.first(), name.bytes().last())
        })
    }

    /// Whether the name of every symbol stands where the facts say.
    pub fn hold(&self, facts: &BlobFacts) -> bool {
        let mut all = facts.all();
        all.all(|(line, col, symbol)| self.has(line, col, symbol.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_alone() {
        let lines = Lines::of(b"let add = 1;\nself.add2(add)\n\xc3\xa9add #x $y");
        for (line, col, name, want) in [
            (1, 4, "add", true),
            (1, 4, "ad", false),
            (1, 5, "dd", false),
            (2, 5, "add", false),
            (2, 5, "add2", true),
            (2, 10, "add", true),
            (2, 13, "add", false),
            (2, 99, "add", false),
            (3, 2, "add", false),
            (3, 6, "#x", true),
            (3, 7, "x", true),
            (3, 9, "$y", true),
            (0, 0, "let", false),
            (9, 0, "let", false),
        ] {
            assert_eq!(lines.has(line, col, name), want, "{line}:{col} {name}");
        }
    }
}
