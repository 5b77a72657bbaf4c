//! Private keys in the armour that tools write them in: at the start of a line or indented, in a
//! comment, or on one line with `\n` for its ends.

use super::{Span, random};
use std::ops::Range;

/// Bytes behind the start of armour that can be the key. An RSA key of 16,384 bits has 12,700, a
/// keyring of somebody with many names some more.
pub const MAX_ARMOUR: usize = 32 << 10;
/// Characters of base 64 that must stand together, and different ones among all: less is an
/// explanation of what such a key looks like.
const LEAST: (usize, usize) = (24, 12);

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
    /// Reads a key whose mark stands at a place: what is between head and foot.
    pub fn read(self, bytes: &[u8], at: Range<usize>) -> Option<Span> {
        let rest = &bytes[at.end..bytes.len().min(at.end + MAX_ARMOUR)];
        let range = match self {
            Self::Text => {
                let dashes = memchr::memmem::find(&rest[..rest.len().min(60)], b"-----")?;
                let title = rest[..dashes].trim_ascii();
                if !(title.ends_with(b"PRIVATE KEY") || title.ends_with(b"PRIVATE KEY BLOCK")) {
                    return None;
                }
                let body = &rest[dashes + 5..];
                let length =
                    memchr::memmem::find(body, b"-----").unwrap_or_else(|| plausible(body));
                let from = at.end + dashes + 5;
                from..from + length
            }
            Self::Encoded => {
                let length = rest
                    .iter()
                    .position(|b| !is_base64(*b))
                    .unwrap_or(rest.len());
                let head = decoded(&bytes[at.start..at.end + length.min(66)]);
                memchr::memmem::find(&head, b"PRIVATE KEY")?;
                at.start..at.end + length
            }
            Self::Putty => {
                let line = memchr::memchr(b'\n', rest)?;
                let body = &rest[line..];
                at.end + line..at.end + line + plausible(body)
            }
        };
        let range = trimmed(bytes, range);
        is_material(&bytes[range.clone()]).then_some(Span {
            range,
            rule: "a private key",
        })
    }
}

fn is_base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=')
}

/// How much of what follows the head may be the key, where there is no foot: lines of base 64, and what
/// quotes, escapes and joins them.
fn plausible(body: &[u8]) -> usize {
    let may_be = |b: &u8| is_base64(*b) || b.is_ascii_whitespace() || b"\\\"'`,#*:-".contains(b);
    let run = body.iter().position(|b| !may_be(b)).unwrap_or(body.len());
    // Behind the last long run of it the text goes on.
    let mut end = 0;
    let mut at = 0;
    while at < run {
        let length = body[at..run]
            .iter()
            .position(|b| !is_base64(*b))
            .unwrap_or(run - at);
        at += length;
        if length >= LEAST.0 || (end > 0 && length > 0 && at - end < 80 && body[at - 1] == b'=') {
            end = at;
        }
        at += 1;
    }
    end
}

/// Leaves white space, quotes and escapes at both ends where they are.
fn trimmed(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let body = &bytes[range.clone()];
    let first = body
        .iter()
        .position(|b| is_base64(*b))
        .unwrap_or(body.len());
    let last = body
        .iter()
        .rposition(|b| is_base64(*b))
        .map_or(first, |n| n + 1);
    range.start + first..range.start + last
}

fn is_material(body: &[u8]) -> bool {
    let mut runs = body.split(|b| !is_base64(*b));
    runs.any(|run| run.len() >= LEAST.0) && random::distinct(body) >= LEAST.1
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
