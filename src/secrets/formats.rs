//! Tokens that begin with what their issuer chose so that they can be found.
//!
//! From the documentation of the issuers. A row is what follows, how much of it, and what they begin with.

use super::{MAX_VALUE, Span, begins_word, checksum, judged, random, run};
use std::ops::{Range, RangeInclusive};

/// Longest token that ends with its checksum: GitHub's have 36 characters behind the prefix.
const SIGNED: usize = 48;

/// What a token is made of after its prefix.
#[derive(Clone, Copy)]
pub enum Of {
    /// Letters, digits, `_` and `-`.
    Word,
    /// Letters, digits, `_`, `-`, `.`, `=`, `+`, `/`, `~` and `%`.
    Any,
    /// Letters and digits.
    Letters,
    /// Capital letters and digits.
    Capitals,
    /// Digits in base 16, small letters.
    Hex,
}

impl Of {
    fn has(self, b: u8) -> bool {
        match self {
            Self::Word => b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'),
            Self::Any => b.is_ascii_alphanumeric() || b"_-.=+/~%".contains(&b),
            Self::Letters => b.is_ascii_alphanumeric(),
            Self::Capitals => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Hex => b.is_ascii_digit() || matches!(b, b'a'..=b'f'),
        }
    }

    /// Least bits of information of a byte; what people write in place of a token has less.
    fn bits(self) -> f64 {
        match self {
            Self::Hex | Self::Capitals => 2.5,
            Self::Word | Self::Any | Self::Letters => 2.8,
        }
    }
}

/// A form of a token.
pub struct Format {
    pub(super) rule: &'static str,
    /// What it begins with: one of these, in these letters.
    pub prefixes: &'static [&'static str],
    of: Of,
    length: RangeInclusive<usize>,
}

macro_rules! formats {
    ($($rule:literal, $of:ident, $length:expr => $prefixes:literal,)*) => {
        &[$(Format { rule: $rule, prefixes: words!($prefixes), of: Of::$of, length: $length },)*]
    };
}

/// The forms.
pub const FORMATS: &[Format] = formats! {
    "an AWS key", Capitals, 16..=16 => "AKIA ASIA ABIA ACCA",
    "a GitHub token", Letters, 36..=MAX_VALUE => "ghp_ gho_ ghu_ ghr_",
    "a GitHub token", Any, 36..=MAX_VALUE => "ghs_",
    "a GitHub token", Word, 40..=MAX_VALUE => "github_pat_",
    "a GitLab token", Any, 20..=MAX_VALUE => "glpat- glrt-",
    "a GitLab token", Word, 20..=MAX_VALUE => "gldt- glcbt- glsoat- glimt- glft- GR1348941",
    "a GitLab token", Word, 40..=MAX_VALUE => "glptt- glagent- gloas-",
    "a Slack token", Word, 20..=MAX_VALUE => "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxe- xapp-",
    "a Slack token", Any, 20..=MAX_VALUE => "xoxd- xoxe.",
    "a Stripe key", Letters, 16..=MAX_VALUE => "sk_live_ rk_live_",
    "a Stripe key", Any, 32..=MAX_VALUE => "whsec_",
    "a Google key", Word, 35..=35 => "AIza",
    "a Google secret", Word, 28..=28 => "GOCSPX-",
    "a Google token", Any, 30..=MAX_VALUE => "ya29.",
    "an OpenAI key", Word, 32..=MAX_VALUE => "sk-proj- sk-svcacct- sk-admin-",
    "an OpenAI key", Letters, 40..=64 => "sk-",
    "an Anthropic key", Word, 32..=MAX_VALUE => "sk-ant-",
    "an OpenRouter key", Hex, 32..=MAX_VALUE => "sk-or-v1-",
    "a Hugging Face token", Letters, 34..=34 => "hf_ api_org_",
    "an npm token", Letters, 36..=36 => "npm_",
    "a PyPI token", Word, 40..=MAX_VALUE => "pypi-AgE",
    "a DigitalOcean token", Hex, 60..=MAX_VALUE => "dop_v1_ doo_v1_ dor_v1_",
    // Account and key ids of Twilio are `AC` and `SK` before the same; `AC` is no secret.
    "a Twilio key", Hex, 32..=32 => "SK",
    "a SendGrid key", Any, 60..=80 => "SG.",
    "a Mailgun key", Hex, 32..=32 => "key-",
    "a Shopify token", Letters, 32..=32 => "shpat_ shpca_ shppa_",
    "a Shopify secret", Letters, 32..=32 => "shpss_",
    "a Square token", Word, 22..=22 => "sq0atp-",
    "a Square secret", Word, 43..=43 => "sq0csp-",
    "a Square token", Word, 56..=64 => "EAAA",
    "a Facebook token", Letters, 20..=MAX_VALUE => "EAACEdEose0cBA",
    "a Heroku key", Word, 36..=MAX_VALUE => "HRKU-",
    "a Cloudflare key", Any, 100..=MAX_VALUE => "v1.0-",
    "a Databricks token", Hex, 32..=32 => "dapi",
    "a Vault token", Word, 24..=MAX_VALUE => "hvs. hvr.",
    "a Vault token", Word, 60..=MAX_VALUE => "hvb.",
    "a Docker token", Word, 24..=MAX_VALUE => "dckr_pat_ dckr_oat_",
    "an age key", Capitals, 50..=MAX_VALUE => "AGE-SECRET-KEY-1",
    "a Grafana token", Word, 36..=MAX_VALUE => "glsa_",
    "a Grafana token", Any, 40..=MAX_VALUE => "glc_",
    "a Linear key", Letters, 40..=40 => "lin_api_",
    "a Notion token", Letters, 40..=MAX_VALUE => "ntn_",
    "a Postman key", Word, 50..=MAX_VALUE => "PMAK-",
    "a New Relic key", Capitals, 27..=27 => "NRAK-",
    "a Doppler token", Letters, 40..=MAX_VALUE => "dp.pt.",
    "a Doppler token", Any, 40..=MAX_VALUE => "dp.st.",
    "a Figma token", Word, 36..=MAX_VALUE => "figd_",
    "a Sentry token", Any, 60..=MAX_VALUE => "sntrys_",
    "a Sentry token", Hex, 64..=64 => "sntryu_",
    "a Supabase token", Hex, 40..=40 => "sbp_",
    "a PlanetScale token", Any, 32..=MAX_VALUE => "pscale_tkn_",
    "a PlanetScale password", Any, 32..=MAX_VALUE => "pscale_pw_",
    "a Fly.io token", Any, 60..=MAX_VALUE => "fm2_",
    "an Atlassian token", Any, 60..=MAX_VALUE => "ATATT3",
    "a Bitbucket token", Any, 32..=MAX_VALUE => "ATBB",
    "a Perplexity key", Letters, 40..=MAX_VALUE => "pplx-",
    "a Groq key", Letters, 52..=52 => "gsk_",
    "an xAI key", Letters, 80..=80 => "xai-",
    "a Replicate token", Word, 37..=37 => "r8_",
    "a RubyGems key", Hex, 48..=48 => "rubygems_",
    "a Pulumi token", Hex, 40..=MAX_VALUE => "pul-",
    "a Brevo key", Word, 64..=MAX_VALUE => "xkeysib-",
    "a Buildkite token", Hex, 40..=MAX_VALUE => "bkua_",
    "a Tailscale key", Word, 30..=MAX_VALUE => "tskey-",
    "an Alibaba key", Letters, 20..=20 => "LTAI",
    "an EasyPost key", Letters, 54..=54 => "EZAK",
    "a Sourcegraph token", Word, 40..=MAX_VALUE => "sgp_",
    "a Bedrock key", Any, 100..=MAX_VALUE => "ABSK",
    "an OpenShift token", Word, 43..=43 => "sha256~",
    "a 1Password token", Any, 200..=MAX_VALUE => "ops_eyJ",
    "a Shippo key", Hex, 40..=MAX_VALUE => "shippo_live_",
};

impl Format {
    /// Reads a token whose prefix stands at a place.
    pub fn read(&self, bytes: &[u8], at: Range<usize>) -> Option<Span> {
        let stands = |prefix: &&str| prefix.as_bytes() == &bytes[at.clone()];
        if !self.prefixes.iter().any(stands) || !begins_word(bytes, at.start) {
            return None;
        }
        let length = run(bytes, at.end, |b| self.of.has(b), MAX_VALUE);
        let mut end = at.end + length;
        // A sentence may end behind it.
        while matches!(bytes.get(end - 1), Some(b'.' | b'/' | b'-'))
            && end - at.end > *self.length.start()
        {
            end -= 1;
        }
        let random = &bytes[at.end..end];
        if !self.length.contains(&random.len()) {
            return None;
        }
        let goes_on = bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric());
        let is_sure = random.len() <= SIGNED && checksum::fits(random);
        let seen = judged(random);
        let is_token = random::bits(seen) >= self.of.bits() && !random::is_stand_in(seen);
        (is_sure || !goes_on && is_token && self.is_mixed(seen)).then_some(Span {
            range: at.start..end,
            rule: self.rule,
        })
    }

    /// Whether there is a digit where there should be some; a long run of letters and dashes is a name.
    fn is_mixed(&self, random: &[u8]) -> bool {
        match self.of {
            Of::Word | Of::Any => {
                random.iter().any(u8::is_ascii_digit) && !random::is_wordy(random)
            }
            Of::Letters => !random::is_wordy(random),
            Of::Capitals | Of::Hex => true,
        }
    }

    #[cfg(test)]
    pub(super) fn sample(&self, prefix: &str, random: &[u8]) -> String {
        let fits = random.iter().filter(|b| self.of.has(**b));
        let body: Vec<u8> = fits.cycle().take(*self.length.start()).copied().collect();
        format!("{prefix}{}", String::from_utf8_lossy(&body))
    }
}

/// The secret half of an AWS key, if it follows within a few lines of the id: 40 characters of base 64
/// that stand alone.
pub fn pair_of(bytes: &[u8], id: &Span) -> Option<Span> {
    /// How far away it is looked for.
    const NEAR: usize = 160;
    const LENGTH: usize = 40;
    if id.rule != "an AWS key" {
        return None;
    }
    let of = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+');
    let mut at = id.range.end;
    let end = bytes.len().min(at + NEAR);
    while at < end {
        let length = run(bytes, at, of, MAX_VALUE);
        let value = &bytes[at..at + length];
        if length == LENGTH && random::is_random(value) && !random::is_stand_in(value) {
            return Some(Span {
                range: at..at + length,
                rule: "an AWS secret",
            });
        }
        at += length.max(1);
    }
    None
}
