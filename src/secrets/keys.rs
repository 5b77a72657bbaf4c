//! Private keys in the armour that tools write them in: at the start of a line or indented, in a
//! comment, or on one line with `\n` for its ends.

use super::{Span, random, run};
use std::ops::Range;

/// Bytes behind the start of armour that can be the key. An RSA key of 16,384 bits has 12,700, a
/// keyring of somebody with many names some more.
pub const MAX_ARMOUR: usize = 32 << 10;
/// Characters of encoded armour that its title lies in.
const HEAD: usize = 66;
/// Length of a line of a key: less is an explanation of what a key looks like.
const LINE: usize = 24;
/// Length of what is masked behind the first line.
const REST: usize = 4;
/// Different characters that a key has.
const DISTINCT: usize = 12;

/// What armour begins with.
#[derive(Clone, Copy)]
pub enum Armour {
    /// `-----BEGIN ... PRIVATE KEY-----`, of RFC 7468 and of OpenPGP.
    Text,
    /// The same in base 64, as in Kubernetes' files.
    Encoded,
    /// `Private-Lines: 8` of PuTTY.
    Putty,
}

/// What each begins with.
pub const ARMOURS: &[(&str, Armour)] = &[
    ("-----BEGIN ", Armour::Text),
    ("LS0tLS1CRUdJTi", Armour::Encoded),
    ("Private-Lines: ", Armour::Putty),
];

impl Armour {
    /// Reads a key whose mark stands at a place: the lines of base 64 between head and foot, without
    /// what quotes, escapes and joins them, so that code around a key stays code.
    pub fn read(self, bytes: &[u8], at: Range<usize>) -> Vec<Span> {
        let body = self.body(bytes, at).unwrap_or(0..0);
        let found = match self {
            Self::Encoded => vec![body],
            Self::Text | Self::Putty => lines(bytes, body),
        };
        let material: Vec<u8> = { found.iter() }
            .flat_map(|range| &bytes[range.clone()])
            .copied()
            .collect();
        if random::distinct(&material) < DISTINCT {
            return Vec::new();
        }
        let span = |range| Span {
            range,
            rule: "a private key",
        };
        found.into_iter().map(span).collect()
    }

    /// Where the key can be.
    fn body(self, bytes: &[u8], at: Range<usize>) -> Option<Range<usize>> {
        let rest = &bytes[at.end..bytes.len().min(at.end + MAX_ARMOUR)];
        let (from, length) = match self {
            Self::Text => {
                let dashes = memchr::memmem::find(&rest[..rest.len().min(60)], b"-----")?;
                let title = rest[..dashes].trim_ascii();
                if !(title.ends_with(b"PRIVATE KEY") || title.ends_with(b"PRIVATE KEY BLOCK")) {
                    return None;
                }
                let body = &rest[dashes + 5..];
                let foot = memchr::memmem::find(body, b"-----");
                (at.end + dashes + 5, foot.unwrap_or_else(|| plausible(body)))
            }
            Self::Encoded => {
                let head = decoded(&bytes[at.start..at.end + rest.len().min(HEAD)]);
                memchr::memmem::find(&head, b"PRIVATE KEY")?;
                let length = run(bytes, at.end, is_base64, MAX_ARMOUR);
                (at.start, at.end - at.start + length)
            }
            Self::Putty => {
                let line = memchr::memchr(b'\n', rest)?;
                (at.end + line, plausible(&rest[line..]))
            }
        };
        Some(from..from + length)
    }
}

/// The runs of base 64 that are lines of a key: long ones, and what follows the first of them.
fn lines(bytes: &[u8], body: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let length = run(&bytes[..body.end], at, is_base64, MAX_ARMOUR);
        // The letter of `\n` is no part of it.
        let escape = usize::from(length > 0 && at > 0 && bytes[at - 1] == b'\\');
        let least = if found.is_empty() { LINE } else { REST };
        if length >= least + escape {
            found.push(at + escape..at + length);
        }
        at += length + 1;
    }
    found
}

/// How much of what follows the head may be the key, where there is no foot: lines of base 64, and what
/// quotes, escapes and joins them.
fn plausible(body: &[u8]) -> usize {
    let may_be = |b: &u8| is_base64(*b) || b.is_ascii_whitespace() || b"\\\"'`,#*".contains(b);
    let run = body.iter().position(|b| !may_be(b)).unwrap_or(body.len());
    // Words of the text that goes on are shorter than lines of a key.
    let words = body[..run].split(|b| !is_base64(*b));
    let mut end = 0;
    let mut at = 0;
    for word in words {
        at += word.len();
        if word.len() >= LINE || word.ends_with(b"=") {
            end = at;
        }
        at += 1;
    }
    end
}

fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// Decodes base 64 up to what is none.
pub(super) fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = (bits << 6 | u32::from(digit)) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}
