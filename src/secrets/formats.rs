//! Tokens that begin with what their issuer chose so that they can be found.
//!
//! From the documentation of the issuers. A row is a prefix, what follows, and how much of it.

use super::{MAX_VALUE, Span, begins_word, checksum, judged, random, run};
use std::ops::Range;

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
    /// What it begins with, in these letters.
    pub prefix: &'static str,
    of: Of,
    least: usize,
    most: usize,
}

/// Of one length.
const fn exact(rule: &'static str, prefix: &'static str, of: Of, length: usize) -> Format {
    between(rule, prefix, of, length, length)
}

/// Of a length or more.
const fn least(rule: &'static str, prefix: &'static str, of: Of, length: usize) -> Format {
    between(rule, prefix, of, length, MAX_VALUE)
}

const fn between(
    rule: &'static str,
    prefix: &'static str,
    of: Of,
    least: usize,
    most: usize,
) -> Format {
    Format {
        rule,
        prefix,
        of,
        least,
        most,
    }
}

/// The forms.
pub const FORMATS: &[Format] = &[
    exact("an AWS key", "AKIA", Of::Capitals, 16),
    exact("an AWS key", "ASIA", Of::Capitals, 16),
    exact("an AWS key", "ABIA", Of::Capitals, 16),
    exact("an AWS key", "ACCA", Of::Capitals, 16),
    least("a GitHub token", "ghp_", Of::Letters, 36),
    least("a GitHub token", "gho_", Of::Letters, 36),
    least("a GitHub token", "ghu_", Of::Letters, 36),
    least("a GitHub token", "ghs_", Of::Any, 36),
    least("a GitHub token", "ghr_", Of::Letters, 36),
    least("a GitHub token", "github_pat_", Of::Word, 40),
    least("a GitLab token", "glpat-", Of::Any, 20),
    least("a GitLab token", "gldt-", Of::Word, 20),
    least("a GitLab token", "glrt-", Of::Any, 20),
    least("a GitLab token", "glptt-", Of::Word, 40),
    least("a GitLab token", "glcbt-", Of::Word, 20),
    least("a GitLab token", "glsoat-", Of::Word, 20),
    least("a GitLab token", "glagent-", Of::Word, 40),
    least("a GitLab token", "glimt-", Of::Word, 20),
    least("a GitLab token", "glft-", Of::Word, 20),
    least("a GitLab token", "gloas-", Of::Word, 40),
    least("a GitLab token", "GR1348941", Of::Word, 20),
    least("a Slack token", "xoxb-", Of::Word, 20),
    least("a Slack token", "xoxp-", Of::Word, 20),
    least("a Slack token", "xoxa-", Of::Word, 20),
    least("a Slack token", "xoxr-", Of::Word, 20),
    least("a Slack token", "xoxs-", Of::Word, 20),
    least("a Slack token", "xoxo-", Of::Word, 20),
    least("a Slack token", "xoxc-", Of::Word, 20),
    least("a Slack token", "xoxd-", Of::Any, 20),
    least("a Slack token", "xoxe-", Of::Word, 20),
    least("a Slack token", "xoxe.", Of::Any, 20),
    least("a Slack token", "xapp-", Of::Word, 20),
    least("a Stripe key", "sk_live_", Of::Letters, 16),
    least("a Stripe key", "rk_live_", Of::Letters, 16),
    least("a Stripe key", "whsec_", Of::Any, 32),
    exact("a Google key", "AIza", Of::Word, 35),
    exact("a Google secret", "GOCSPX-", Of::Word, 28),
    least("a Google token", "ya29.", Of::Any, 30),
    least("an OpenAI key", "sk-proj-", Of::Word, 32),
    least("an OpenAI key", "sk-svcacct-", Of::Word, 32),
    least("an OpenAI key", "sk-admin-", Of::Word, 32),
    between("an OpenAI key", "sk-", Of::Letters, 40, 64),
    least("an Anthropic key", "sk-ant-", Of::Word, 32),
    least("an OpenRouter key", "sk-or-v1-", Of::Hex, 32),
    exact("a Hugging Face token", "hf_", Of::Letters, 34),
    exact("a Hugging Face token", "api_org_", Of::Letters, 34),
    exact("an npm token", "npm_", Of::Letters, 36),
    least("a PyPI token", "pypi-AgE", Of::Word, 40),
    least("a DigitalOcean token", "dop_v1_", Of::Hex, 60),
    least("a DigitalOcean token", "doo_v1_", Of::Hex, 60),
    least("a DigitalOcean token", "dor_v1_", Of::Hex, 60),
    // Account and key ids of Twilio are `AC` and `SK` before the same; `AC` is no secret.
    exact("a Twilio key", "SK", Of::Hex, 32),
    between("a SendGrid key", "SG.", Of::Any, 60, 80),
    exact("a Mailgun key", "key-", Of::Hex, 32),
    exact("a Shopify token", "shpat_", Of::Letters, 32),
    exact("a Shopify token", "shpca_", Of::Letters, 32),
    exact("a Shopify token", "shppa_", Of::Letters, 32),
    exact("a Shopify secret", "shpss_", Of::Letters, 32),
    exact("a Square token", "sq0atp-", Of::Word, 22),
    exact("a Square secret", "sq0csp-", Of::Word, 43),
    between("a Square token", "EAAA", Of::Word, 56, 64),
    least("a Facebook token", "EAACEdEose0cBA", Of::Letters, 20),
    least("a Heroku key", "HRKU-", Of::Word, 36),
    least("a Cloudflare key", "v1.0-", Of::Any, 100),
    exact("a Databricks token", "dapi", Of::Hex, 32),
    least("a Vault token", "hvs.", Of::Word, 24),
    least("a Vault token", "hvb.", Of::Word, 60),
    least("a Vault token", "hvr.", Of::Word, 24),
    least("a Docker token", "dckr_pat_", Of::Word, 24),
    least("a Docker token", "dckr_oat_", Of::Word, 24),
    least("an age key", "AGE-SECRET-KEY-1", Of::Capitals, 50),
    least("a Grafana token", "glsa_", Of::Word, 36),
    least("a Grafana token", "glc_", Of::Any, 40),
    exact("a Linear key", "lin_api_", Of::Letters, 40),
    least("a Notion token", "ntn_", Of::Letters, 40),
    least("a Postman key", "PMAK-", Of::Word, 50),
    exact("a New Relic key", "NRAK-", Of::Capitals, 27),
    least("a Doppler token", "dp.pt.", Of::Letters, 40),
    least("a Doppler token", "dp.st.", Of::Any, 40),
    least("a Figma token", "figd_", Of::Word, 36),
    least("a Sentry token", "sntrys_", Of::Any, 60),
    exact("a Sentry token", "sntryu_", Of::Hex, 64),
    exact("a Supabase token", "sbp_", Of::Hex, 40),
    least("a PlanetScale token", "pscale_tkn_", Of::Any, 32),
    least("a PlanetScale password", "pscale_pw_", Of::Any, 32),
    least("a Fly.io token", "fm2_", Of::Any, 60),
    least("an Atlassian token", "ATATT3", Of::Any, 60),
    least("a Bitbucket token", "ATBB", Of::Any, 32),
    least("a Perplexity key", "pplx-", Of::Letters, 40),
    exact("a Groq key", "gsk_", Of::Letters, 52),
    exact("an xAI key", "xai-", Of::Letters, 80),
    exact("a Replicate token", "r8_", Of::Word, 37),
    exact("a RubyGems key", "rubygems_", Of::Hex, 48),
    least("a Pulumi token", "pul-", Of::Hex, 40),
    least("a Brevo key", "xkeysib-", Of::Word, 64),
    least("a Buildkite token", "bkua_", Of::Hex, 40),
    least("a Tailscale key", "tskey-", Of::Word, 30),
    exact("an Alibaba key", "LTAI", Of::Letters, 20),
    exact("an EasyPost key", "EZAK", Of::Letters, 54),
    least("a Sourcegraph token", "sgp_", Of::Word, 40),
    least("a Bedrock key", "ABSK", Of::Any, 100),
    exact("an OpenShift token", "sha256~", Of::Word, 43),
    least("a 1Password token", "ops_eyJ", Of::Any, 200),
    least("a Shippo key", "shippo_live_", Of::Hex, 40),
];

impl Format {
    /// Reads a token whose prefix stands at a place.
    pub fn read(&self, bytes: &[u8], at: Range<usize>) -> Option<Span> {
        if &bytes[at.clone()] != self.prefix.as_bytes() || !begins_word(bytes, at.start) {
            return None;
        }
        let length = run(bytes, at.end, |b| self.of.has(b), MAX_VALUE);
        let mut end = at.end + length;
        // A sentence may end behind it.
        while matches!(bytes.get(end - 1), Some(b'.' | b'/' | b'-')) && end - at.end > self.least {
            end -= 1;
        }
        let random = &bytes[at.end..end];
        if !(self.least..=self.most).contains(&random.len()) {
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
    pub(super) fn sample(&self, random: &[u8]) -> String {
        let fits = random.iter().filter(|b| self.of.has(**b));
        let body: Vec<u8> = fits.cycle().take(self.least).copied().collect();
        format!("{}{}", self.prefix, String::from_utf8_lossy(&body))
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
