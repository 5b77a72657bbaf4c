//! A value that is given beside a name that says it is a secret: `api_key = "..."`,
//! `"password": "..."`, `setToken("...")`, `<secret>...</secret>`, `TOKEN=...`.

use super::{Care, Span, judged, random, run};
use std::ops::Range;

/// How a value must look beside a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Chosen by somebody: letters and digits, no words.
    Chosen,
    /// Made by a machine, as [`random::is_random`] has it.
    Random,
}

/// A name of a secret, or the end of one.
pub struct Name {
    /// In small letters.
    pub text: &'static str,
    value: Value,
}

const fn chosen(text: &'static str) -> Name {
    Name {
        text,
        value: Value::Chosen,
    }
}

const fn random(text: &'static str) -> Name {
    Name {
        text,
        value: Value::Random,
    }
}

/// The names.
pub const NAMES: &[Name] = &[
    chosen("password"),
    chosen("passwd"),
    chosen("passphrase"),
    chosen("pwd"),
    random("secret"),
    random("token"),
    random("apikey"),
    random("api_key"),
    random("api-key"),
    random("appkey"),
    random("app_key"),
    random("app-key"),
    random("application_key"),
    random("accesskey"),
    random("access_key"),
    random("access-key"),
    random("accountkey"),
    random("account_key"),
    random("privatekey"),
    random("private_key"),
    random("private-key"),
    random("encryption_key"),
    random("encryptionkey"),
    random("signing_key"),
    random("signingkey"),
    random("master_key"),
    random("masterkey"),
    random("credential"),
    random("bearer"),
    random("_auth"),
    random("\"auth\""),
];

/// Words that a name of a secret goes on with and stays one.
const TAILS: &[&str] = words!(
    "access key base value string text production prod live development dev staging default token
     secret data plain clear s"
);
/// Longest rest of a name.
const MAX_TAIL: usize = 40;
/// Length of a password that somebody chose.
const CHOSEN: std::ops::RangeInclusive<usize> = 8..=64;
/// Different bytes it has at least.
const DISTINCT: usize = 6;
/// Bytes of a value that are looked at; of a longer one the rest stays.
const LONGEST: usize = 1 << 10;
/// Longest type between a name and its value, as in `token: &'static str = "..."`.
const MAX_TYPE: usize = 40;

/// A value and how it is given.
struct Given {
    range: Range<usize>,
    is_quoted: bool,
}

impl Name {
    /// Reads what is given beside the name that stands at a place.
    pub(super) fn read(&self, bytes: &[u8], at: Range<usize>, care: Care) -> Option<Span> {
        // In `publicKey` and the like lies no secret; nor in what has no sign behind it.
        let tail = run(
            bytes,
            at.end,
            |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            MAX_TAIL + 1,
        );
        let after = at.end + tail;
        let next = *bytes.get(after)?;
        if !b"=:\"'`]) (>,\\?|.".contains(&next) || tail > MAX_TAIL {
            return None;
        }
        let given = given(bytes, after, self.text == "bearer")?;
        if tail > 0 && !goes_on(&bytes[at.end..after]) {
            return None;
        }
        if is_public(bytes, at.start) {
            return None;
        }
        let value = judged(&bytes[given.range.clone()]);
        let (rule, is_secret) = match self.value {
            Value::Chosen => ("a password", is_chosen(value, &given, care)),
            Value::Random => ("a key beside its name", false),
        };
        let is_secret = is_secret
            || random::is_random(value)
                && is_plain(value, given.is_quoted)
                && !names_thing(bytes, at.start, value);
        let is_code = is_code(value) || !given.is_quoted && is_expression(bytes, &given.range);
        if !is_secret || is_code || random::is_stand_in(value) {
            return None;
        }
        let range = given.range;
        Some(Span { range, rule })
    }
}

/// Whether the name that ends in one of a secret says that it is shown to everybody, or stands for a
/// place in a list.
fn is_public(bytes: &[u8], start: usize) -> bool {
    const WORDS: &[&str] =
        words!("public csrf xsrf authenticity page next continuation cursor sync design");
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    let before = &bytes[start.saturating_sub(MAX_TAIL)..start];
    let from = before
        .iter()
        .rposition(|b| !is_name(b))
        .map_or(0, |at| at + 1);
    let lead = before[from..].to_ascii_lowercase();
    WORDS
        .iter()
        .any(|word| memchr::memmem::find(&lead, word.as_bytes()).is_some())
}

/// Whether the rest of a name leaves it that of a secret.
fn goes_on(tail: &[u8]) -> bool {
    let mut rest = tail.to_ascii_lowercase();
    'more: loop {
        let skip = rest
            .iter()
            .take_while(|b| b"_-0123456789".contains(b))
            .count();
        rest.drain(..skip);
        if rest.is_empty() {
            return true;
        }
        for word in TAILS {
            if rest.starts_with(word.as_bytes()) {
                rest.drain(..word.len());
                continue 'more;
            }
        }
        return false;
    }
}

/// Finds the value behind a name that ends at a place.
fn given(bytes: &[u8], after: usize, is_bearer: bool) -> Option<Given> {
    let is = |at: usize, of: &[u8]| bytes.get(at).is_some_and(|b| of.contains(b));
    let blank = |at: usize| at + run(bytes, at, |b| matches!(b, b' ' | b'\t'), LONGEST);
    let mut at = after;
    let mut closes_quote = false;
    while is(at, b"\"'`]\\") && at - after < 4 {
        closes_quote |= is(at, b"\"'`");
        at += 1;
    }
    let signs = blank(at);
    at = signs;
    // `name)` and `name, ` are no values, but `"name", "value"` is a pair.
    let pairs = closes_quote && is(at, b",");
    if pairs || is(at, b"(") || (at == after && is(at, b">")) {
        at += 1;
    } else {
        // `?=`, `||=` and `.=` set too.
        let sign = run(bytes, at, |b| b"=:>?|.".contains(&b), LONGEST);
        if memchr::memchr3(b'=', b':', b'>', &bytes[at..at + sign]).is_some() {
            at += sign.min(4);
        }
    }
    let (is_open, is_call) = (is(signs, b">"), is(signs, b"("));
    let has_sign = at > signs || is_bearer && signs > after;
    at = if is_open {
        at + run(bytes, at, |b| b.is_ascii_whitespace(), LONGEST)
    } else {
        blank(at)
    };
    if let Some(given) = quoted(bytes, at).filter(|_| has_sign) {
        return Some(given);
    }
    // A type, and then the value.
    let line = run(
        bytes,
        at,
        |b| b.is_ascii_alphanumeric() || b" _<>&'?:.[]".contains(&b),
        LONGEST,
    );
    if line > 0 && line <= MAX_TYPE && is(at + line, b"=") {
        let value = blank(at + line + 1);
        if let Some(given) = quoted(bytes, value) {
            return Some(given);
        }
    }
    if pairs || is_call || !has_sign {
        return None;
    }
    let ends =
        |b: u8| b.is_ascii_whitespace() || b"\"'`,;<\\|".contains(&b) || (b == b'&' && !is_open);
    let length = run(bytes, at, |b| !ends(b), LONGEST);
    (length > 0).then_some(Given {
        range: at..at + length,
        is_quoted: false,
    })
}

/// A literal in quotes at a place, with at most two letters before it (`b"..."`, `r#"..."`).
fn quoted(bytes: &[u8], at: usize) -> Option<Given> {
    let lead = run(
        bytes,
        at,
        |b| b.is_ascii_lowercase() || b"@$#".contains(&b),
        LONGEST,
    );
    let escape = usize::from(bytes.get(at + lead) == Some(&b'\\'));
    let open = at + lead + escape;
    let quote = *bytes.get(open)?;
    if lead > 2 || !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let length = run(bytes, open + 1, |b| b != quote && b != b'\n', LONGEST);
    if bytes.get(open + 1 + length) != Some(&quote) {
        return None;
    }
    // The quote was escaped, and so is the other.
    let range = open + 1..open + 1 + length - escape.min(length);
    Some(Given {
        range,
        is_quoted: true,
    })
}

/// Whether a value is a variable, a call, a path, an address or a hash: where a secret comes from, or
/// what is made of it.
fn is_code(value: &[u8]) -> bool {
    let has = |text: &[u8]| memchr::memmem::find(value, text).is_some();
    let hashes: [&[u8]; 6] = [b"sha1", b"sha2", b"sha3", b"sha5", b"md5", b"$2"];
    value.first().is_none_or(|b| b"$<{/~%*&@".contains(b))
        || value.iter().any(|b| b"({[ ".contains(b))
        || has(b"::")
        || has(b"://")
        || has(b"/") && has(b".")
        || hashes.iter().any(|hash| value.starts_with(hash))
}

/// Whether a value without quotes is what a program says: a name, a member, a number, a call.
fn is_expression(bytes: &[u8], range: &Range<usize>) -> bool {
    let value = &bytes[range.clone()];
    let mut next = bytes[range.end..].iter().take_while(|b| **b != b'\n');
    let goes_on = next.find(|b| !b.is_ascii_whitespace());
    // A word with dots in it is a member; a statement ends with a sign.
    value.ends_with(b")") || value.starts_with(b"0x") || matches!(goes_on, Some(b'(' | b'.' | b'+'))
}

/// Whether every byte is one of those that keys are written in. What has no quotes may be a version, a
/// path or a member.
fn is_plain(value: &[u8], is_quoted: bool) -> bool {
    let signs: &[u8] = if is_quoted {
        b"+/=_.~-!:%@#^&*$"
    } else {
        b"+/=_~-%"
    };
    let of = |b: &u8| b.is_ascii_alphanumeric() || signs.contains(b);
    value.iter().all(of)
}

/// Whether a value is an UUID, which names a thing; `_authToken`s of npm are secrets, and older ones
/// look so.
fn names_thing(bytes: &[u8], name: usize, value: &[u8]) -> bool {
    let is_uuid = value.len() == 36 && [8, 13, 18, 23].iter().all(|n| value[*n] == b'-');
    is_uuid && !bytes[..name].ends_with(b"_auth")
}

fn is_chosen(value: &[u8], given: &Given, care: Care) -> bool {
    let has = |of: fn(&u8) -> bool| value.iter().any(of);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let fits = value.len() >= *CHOSEN.start() && mixed && !value.contains(&b'_');
    match care {
        Care::Refuse => fits && !value.contains(&b'.'),
        Care::Mask => {
            fits && given.is_quoted
                && value.len() <= *CHOSEN.end()
                && random::distinct(value) >= DISTINCT
                && !random::is_wordy(value)
                && !random::is_weak(value)
        }
    }
}
