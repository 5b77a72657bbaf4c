//! Secrets whose form is more than a prefix and a run of characters.

use super::{Care, Span, begins_word, keys, random, run};
use std::ops::Range;

/// A form with a reading of its own.
#[derive(Clone, Copy)]
pub enum Shape {
    /// `scheme://user:password@host`.
    Url,
    /// A JSON web token: three parts, the first two JSON objects in base 64.
    Jwt,
    /// `hooks.slack.com/services/T.../B.../...`, of which the path is the secret.
    SlackHook,
    /// `discord.com/api/webhooks/id/token`.
    DiscordHook,
    /// `acme.webhook.office.com/webhookb2/...`, of which the path is the secret.
    TeamsHook,
    /// `Basic ` and a name and a password in base 64.
    Basic,
    /// A token of Telegram for a bot: its number, a colon, and `AA` and 33 more.
    Telegram,
    /// A signature in an address of Azure storage.
    Signature,
    /// A client secret of Azure, known by `Q~` in fifth place.
    Azure,
    /// A key of Mailchimp: 32 digits in base 16 and a data centre.
    Mailchimp,
    /// A token of Terraform Cloud.
    Terraform,
    /// A key of Heroku: an UUID beside that name.
    Heroku,
}

/// What each is looked for by.
pub const SHAPES: &[(&str, Shape)] = &[
    ("://", Shape::Url),
    ("eyJ", Shape::Jwt),
    ("hooks.slack.com/", Shape::SlackHook),
    (".webhook.office.com/webhookb2/", Shape::TeamsHook),
    ("basic ", Shape::Basic),
    ("/api/webhooks/", Shape::DiscordHook),
    (":AA", Shape::Telegram),
    ("&sig=", Shape::Signature),
    ("?sig=", Shape::Signature),
    ("Q~", Shape::Azure),
    ("-us", Shape::Mailchimp),
    (".atlasv1.", Shape::Terraform),
    ("heroku", Shape::Heroku),
];

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
}

/// How many of the bytes before a place are of a kind, at most `most`.
fn run_before(bytes: &[u8], at: usize, most: usize, of: impl Fn(u8) -> bool) -> usize {
    let before = bytes[at.saturating_sub(most)..at].iter().rev();
    before.take_while(|b| of(**b)).count()
}

impl Shape {
    /// Reads a secret of the form, whose mark stands at a place.
    pub(super) fn read(self, bytes: &[u8], at: Range<usize>, care: Care) -> Option<Span> {
        let exact = &bytes[at.clone()];
        let (range, rule) = match self {
            Self::Url => (password_in_url(bytes, at.end, care)?, "a password in a URL"),
            Self::Jwt => (jwt(bytes, at.start)?, "a JSON web token"),
            Self::SlackHook => {
                let length = run(bytes, at.end, |b| is_word(b) || b == b'/');
                let path = &bytes[at.end..at.end + length];
                let kinds: [&[u8]; 3] = [b"services/T", b"workflows/T", b"triggers/T"];
                let is_hook = kinds.iter().any(|kind| path.starts_with(kind));
                let mut parts = path.split(|b| *b == b'/').skip(1);
                if !is_hook
                    || !parts.any(|part| part.len() >= 16)
                    || random::is_stand_in(path.rsplit(|b| *b == b'/').next()?)
                {
                    return None;
                }
                let kind = memchr::memchr(b'/', path)? + 1;
                (at.end + kind..at.end + length, "a Slack webhook")
            }
            Self::TeamsHook => {
                let length = run(bytes, at.end, |b| is_word(b) || matches!(b, b'/' | b'@'));
                let path = &bytes[at.end..at.end + length];
                if length < 64 || random::is_stand_in(path) || !random::is_random(path) {
                    return None;
                }
                (at.end..at.end + length, "a Teams webhook")
            }
            Self::Basic => (basic(bytes, at.end, care)?, "a basic login"),
            Self::DiscordHook => {
                let id = run(bytes, at.end, |b| b.is_ascii_digit());
                let from = at.end + id + 1;
                let length = run(bytes, from, is_word);
                let token = bytes.get(from..from + length)?;
                if id < 15 || bytes[from - 1] != b'/' || length < 50 || random::is_stand_in(token) {
                    return None;
                }
                (from..from + length, "a Discord webhook")
            }
            Self::Telegram => {
                let id = run_before(bytes, at.start, 12, |b| b.is_ascii_digit());
                let length = run(bytes, at.start + 1, is_word);
                let token = &bytes[at.start + 1..at.start + 1 + length];
                let is_token = (8..=10).contains(&id) && length == 35 && exact == b":AA";
                if !is_token || !random::is_random(token) {
                    return None;
                }
                (at.start - id..at.start + 1 + length, "a Telegram token")
            }
            Self::Signature => {
                let length = run(bytes, at.end, |b| is_word(b) || b"%+/=".contains(&b));
                let value = &bytes[at.end..at.end + length];
                if length < 43 || !random::is_random(value) || random::is_stand_in(value) {
                    return None;
                }
                (at.end..at.end + length, "an Azure signature")
            }
            Self::Azure => {
                let of = |b: u8| is_word(b) || matches!(b, b'~' | b'.');
                let start = at.start - run_before(bytes, at.start, 5, of);
                let length = run(bytes, at.end, of);
                let token = &bytes[start..at.end + length];
                let is_token = at.start - start == 4
                    && exact == b"Q~"
                    && bytes[at.start - 1].is_ascii_digit()
                    && (31..=34).contains(&length);
                if !is_token || random::bits(token) < 3.5 || random::is_stand_in(token) {
                    return None;
                }
                (start..at.end + length, "an Azure secret")
            }
            Self::Mailchimp => {
                let digits = run(bytes, at.end, |b| b.is_ascii_digit());
                if !(1..=2).contains(&digits) {
                    return None;
                }
                let hex = |b: u8| b.is_ascii_digit() || matches!(b, b'a'..=b'f');
                let start = at.start - run_before(bytes, at.start, 33, hex);
                let value = &bytes[start..at.start];
                let is_key = value.len() == 32 && begins_word(bytes, start);
                if !is_key || random::bits(value) < 2.9 || random::is_stand_in(value) {
                    return None;
                }
                (start..at.end + digits, "a Mailchimp key")
            }
            Self::Terraform => {
                let start =
                    at.start - run_before(bytes, at.start, 15, |b| b.is_ascii_alphanumeric());
                let length = run(bytes, at.end, is_word);
                let is_token = at.start - start == 14 && (60..=70).contains(&length);
                if !is_token || random::is_stand_in(&bytes[at.end..at.end + length]) {
                    return None;
                }
                (start..at.end + length, "a Terraform token")
            }
            Self::Heroku => (heroku(bytes, at.end)?, "a Heroku key"),
        };
        Some(Span { range, rule })
    }
}

fn password_in_url(bytes: &[u8], from: usize, care: Care) -> Option<Range<usize>> {
    /// Longest name and password together that are looked at.
    const LONGEST: usize = 300;
    let rest = &bytes[from..bytes.len().min(from + LONGEST)];
    let end = { rest.iter() }
        .position(|b| b.is_ascii_whitespace() || b"/\"'`<>\\?#".contains(b))
        .unwrap_or(rest.len());
    let at = memchr::memrchr(b'@', &rest[..end])?;
    let colon = memchr::memchr(b':', &rest[..at])?;
    let (user, value, host) = (&rest[..colon], &rest[colon + 1..at], &rest[at + 1..end]);
    // `user:password@host` in an explanation is no secret, nor is a variable.
    let is_variable = value.starts_with(b"%") && value.len() < 4
        || value.iter().any(|b| b"${}<>()[]*".contains(b))
        || value.iter().all(|b| b.is_ascii_uppercase() || *b == b'_');
    let is_here = [&b"localhost"[..], b"127.0.0.1", b"example", b"host"];
    let is_here = care == Care::Mask && is_here.iter().any(|here| host.starts_with(here));
    let is_other = value != user && !is_variable && !is_here;
    (is_other && is_password(value, care)).then_some(from + colon + 1..from + at)
}

/// Whether what stands where a password does may be one.
fn is_password(value: &[u8], care: Care) -> bool {
    let is_secret = match care {
        Care::Refuse => !is_spoken(value),
        Care::Mask => !random::is_weak(value) && !random::is_wordy(value),
    };
    value.len() >= 6 && is_secret && !random::is_stand_in(value)
}

/// What follows `Basic `, if it is a name and a password, both of characters that can be typed.
fn basic(bytes: &[u8], from: usize, care: Care) -> Option<Range<usize>> {
    let length = run(bytes, from, |b| {
        b.is_ascii_alphanumeric() || b"+/=".contains(&b)
    });
    let text = keys::decoded(&bytes[from..from + length]);
    let colon = memchr::memchr(b':', &text)?;
    let typed = |b: &u8| b.is_ascii_graphic() || *b == b' ';
    let is_login = length >= 12 && text.iter().all(typed);
    (is_login && is_password(&text[colon + 1..], care)).then_some(from..from + length)
}

/// Whether a value is a word for what stands there.
fn is_spoken(value: &[u8]) -> bool {
    let spoken: [&[u8]; 6] = [b"password", b"passwd", b"pass", b"pwd", b"secret", b"token"];
    spoken.contains(&value.to_ascii_lowercase().as_slice())
}

fn jwt(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    if bytes[start..].get(..3) != Some(b"eyJ") {
        return None;
    }
    let starts = start == 0 || !(is_word(bytes[start - 1]) || bytes[start - 1] == b'/');
    let length = run(bytes, start, |b| is_word(b) || b == b'.');
    let whole = &bytes[start..start + length];
    let mut parts = whole.split(|b| *b == b'.');
    let (head, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    let is_object = |part: &[u8]| part.starts_with(b"eyJ") && part.len() >= 12;
    if !starts || !is_object(head) || !is_object(claims) || signature.len() < 16 {
        return None;
    }
    let said = keys::decoded(claims);
    let examples: [&[u8]; 4] = [b"1234567890", b"example", b"John Doe", b"\"test"];
    if examples
        .iter()
        .any(|word| memchr::memmem::find(&said, word).is_some())
    {
        return None;
    }
    let end = head.len() + claims.len() + signature.len() + 2;
    Some(start..start + end)
}

/// An UUID behind the name, on the same line, with a word for a secret between the two.
fn heroku(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    const NEAR: usize = 60;
    let line = run(bytes, from, |b| b != b'\n').min(NEAR);
    let rest = &bytes[from..from + line];
    let lower = rest.to_ascii_lowercase();
    let words: [&[u8]; 4] = [b"key", b"token", b"secret", b"auth"];
    let named = words
        .iter()
        .filter_map(|word| memchr::memmem::find(&lower, word))
        .min()?;
    let is_uuid_byte = |b: u8| b.is_ascii_hexdigit() || b == b'-';
    let mut at = from + named;
    while at < from + line {
        let length = run(bytes, at, is_uuid_byte);
        let value = &bytes[at..at + length];
        if length == 36 && [8, 13, 18, 23].iter().all(|n| value[*n] == b'-') {
            return (!random::is_stand_in(value)).then_some(at..at + length);
        }
        at += length.max(1);
    }
    None
}

/// Finds tokens of Discord: the number of a bot in base 64, a time in six characters, and 27 to 38
/// more, with dots between.
pub fn dotted(bytes: &[u8]) -> Vec<Span> {
    let mut found = Vec::new();
    for dot in memchr::memchr_iter(b'.', bytes) {
        if bytes.get(dot + 7) != Some(&b'.') || dot < 24 {
            continue;
        }
        let id = run_before(bytes, dot, 27, is_word);
        let tail = run(bytes, dot + 8, is_word);
        let is_token = (24..=26).contains(&id)
            // Numbers begin with a digit, and digits in base 64 with one of these.
            && matches!(bytes[dot - id], b'M' | b'N' | b'O')
            && run(bytes, dot + 1, is_word) == 6
            && (27..=38).contains(&tail);
        if is_token && random::is_random(&bytes[dot + 8..dot + 8 + tail]) {
            found.push(Span {
                range: dot - id..dot + 8 + tail,
                rule: "a Discord token",
            });
        }
    }
    found
}
