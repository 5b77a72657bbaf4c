//! Secrets, told by their form, before they are stored where push spreads them.
//!
//! Few rules with a name each, for forms that are made to be recognised, and one for a password that
//! is given beside its name. They miss secrets that look like words, and may stop an example; so the
//! user can insist.

/// What a token is made of after its prefix.
#[derive(Clone, Copy)]
enum Of {
    /// Letters, digits, `_` and `-`.
    Word,
    /// Letters and digits.
    Letters,
    /// Capital letters and digits.
    Capitals,
}

impl Of {
    fn has(self, c: char) -> bool {
        match self {
            Self::Word => c.is_ascii_alphanumeric() || matches!(c, '_' | '-'),
            Self::Letters => c.is_ascii_alphanumeric(),
            Self::Capitals => c.is_ascii_uppercase() || c.is_ascii_digit(),
        }
    }
}

/// Tokens that begin with what their issuer chose so that they can be found: name, prefix, what
/// follows, and at least how much of it. From the documentation of the issuers.
const PREFIXED: &[(&str, &str, Of, usize)] = &[
    ("an AWS access key", "AKIA", Of::Capitals, 16),
    ("an AWS access key", "ASIA", Of::Capitals, 16),
    ("a GitHub token", "ghp_", Of::Letters, 36),
    ("a GitHub token", "gho_", Of::Letters, 36),
    ("a GitHub token", "ghu_", Of::Letters, 36),
    ("a GitHub token", "ghs_", Of::Letters, 36),
    ("a GitHub token", "ghr_", Of::Letters, 36),
    ("a GitHub token", "github_pat_", Of::Word, 40),
    ("a GitLab token", "glpat-", Of::Word, 20),
    ("a Slack token", "xoxb-", Of::Word, 20),
    ("a Slack token", "xoxp-", Of::Word, 20),
    ("a Slack token", "xapp-", Of::Word, 20),
    ("a Slack token", "xoxa-", Of::Word, 20),
    ("a Slack token", "xoxr-", Of::Word, 20),
    ("a Slack token", "xoxs-", Of::Word, 20),
    (
        "a Slack webhook",
        "hooks.slack.com/services/T",
        Of::Capitals,
        6,
    ),
    ("a GitLab token", "glrt-", Of::Word, 20),
    ("a Google OAuth secret", "GOCSPX-", Of::Word, 24),
    ("a Google OAuth token", "ya29.", Of::Word, 30),
    ("a Vault token", "hvs.", Of::Word, 24),
    ("a Shopify token", "shpat_", Of::Letters, 32),
    ("a Databricks token", "dapi", Of::Letters, 32),
    ("an age key", "AGE-SECRET-KEY-1", Of::Capitals, 50),
    ("an OpenAI key", "sk-svcacct-", Of::Word, 32),
    ("an OpenAI key", "sk-", Of::Letters, 40),
    ("a Stripe key", "sk_live_", Of::Word, 16),
    ("a Stripe key", "rk_live_", Of::Word, 16),
    ("a Google API key", "AIza", Of::Word, 35),
    ("an npm token", "npm_", Of::Letters, 36),
    ("a PyPI token", "pypi-AgE", Of::Word, 40),
    ("an OpenAI key", "sk-proj-", Of::Word, 32),
    ("an Anthropic key", "sk-ant-", Of::Word, 32),
    ("a Hugging Face token", "hf_", Of::Letters, 34),
    ("a SendGrid key", "SG.", Of::Word, 20),
    ("a DigitalOcean token", "dop_v1_", Of::Word, 60),
];

/// Names beside which a value is taken for a secret, and how it must look then.
const NAMES: &[(&str, Value)] = &[
    ("password", Value::Chosen),
    ("passwd", Value::Chosen),
    ("passphrase", Value::Chosen),
    ("pwd", Value::Chosen),
    ("secret", Value::Random),
    ("secret_key", Value::Random),
    ("token", Value::Random),
    ("api_key", Value::Random),
    ("apikey", Value::Random),
    ("api-key", Value::Random),
    ("access_key", Value::Random),
    ("accountkey", Value::Random),
    ("private_key", Value::Random),
    ("client_secret", Value::Random),
    ("bearer", Value::Random),
];

/// How a value looks that is taken for a secret.
#[derive(Clone, Copy)]
enum Value {
    /// Chosen by somebody: [`CHOSEN`] characters, a letter and a digit among them.
    Chosen,
    /// Made by a machine, as [`RANDOM`] has it.
    Random,
}

/// Least length of a password. Shorter ones are too often words.
const CHOSEN: usize = 8;
/// Least length of a random value, and least bits of information a character of it has: words and names of
/// variables have fewer.
const RANDOM: (usize, f64) = (16, 3.4);

/// A secret that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Secret {
    /// What it looks like.
    pub rule: &'static str,
    /// The line it is on, from 1.
    pub line: usize,
}

/// Finds the first thing that looks like a secret.
pub fn find(text: &str) -> Option<Secret> {
    text.lines()
        .zip(1..)
        .find_map(|(text, line)| rule_of(text).map(|rule| Secret { rule, line }))
}

fn rule_of(line: &str) -> Option<&'static str> {
    if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY") {
        return Some("a private key");
    }
    for (name, prefix, of, least) in PREFIXED {
        if line.match_indices(prefix).any(|(at, _)| {
            let starts = !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            starts && run(&line[at + prefix.len()..], *of) >= *least
        }) {
            return Some(name);
        }
    }
    if line
        .split(|c: char| !(Of::Word.has(c) || c == '.'))
        .any(is_jwt)
    {
        return Some("a JSON web token");
    }
    if has_password_in_url(line) {
        return Some("a password in a URL");
    }
    has_named_value(line).then_some("a password or key beside its name")
}

/// Length of the run of such characters that a text begins with.
fn run(text: &str, of: Of) -> usize {
    text.chars().take_while(|c| of.has(*c)).count()
}

fn is_jwt(word: &str) -> bool {
    let mut parts = word.split('.');
    let begins = |part: Option<&str>| part.is_some_and(|p| p.starts_with("eyJ") && p.len() >= 12);
    begins(parts.next()) && begins(parts.next()) && parts.next().is_some_and(|p| p.len() >= 16)
}

fn has_password_in_url(line: &str) -> bool {
    line.match_indices("://").any(|(at, _)| {
        let rest = &line[at + 3..];
        let end = rest
            .find(|c: char| c == '/' || c.is_whitespace())
            .unwrap_or(rest.len());
        let Some((who, _)) = rest[..end].rsplit_once('@') else {
            return false;
        };
        // `user:password@host` in an explanation is no secret, nor is a variable.
        let value = who.split_once(':').map_or("", |(_, value)| value);
        let spoken = ["password", "passwd", "pass", "pwd", "secret", "token"];
        value.len() >= 6
            && !value.starts_with(['$', '<', '{', '*'])
            && !spoken.contains(&value.to_ascii_lowercase().as_str())
    })
}

fn has_named_value(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    NAMES.iter().any(|(name, value)| {
        lower.match_indices(name).any(|(at, _)| {
            let rest = line[at + name.len()..].trim_start_matches(['"', '\'', '`', ']', ')']);
            let is_bearer = *name == "bearer" && rest.starts_with(' ');
            let rest = rest.trim_start();
            if !rest.starts_with(['=', ':']) && !is_bearer {
                return false;
            }
            let given = rest.trim_start_matches(['=', ':', '>', ' ', '"', '\'', '`']);
            let end = given
                .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';'));
            let given = &given[..end.unwrap_or(given.len())];
            match value {
                _ if is_code(given) => false,
                Value::Chosen => is_chosen(given),
                Value::Random => is_random(given),
            }
        })
    })
}

/// Whether a value is a variable, a call, a path or an address: where a secret comes from.
fn is_code(value: &str) -> bool {
    value.starts_with(['$', '<', '{', '/', '~', '%', '*', '&'])
        || value.contains(['(', '[', '{'])
        || value.contains("::")
        || value.contains("://")
        || (value.contains('/') && value.contains('.'))
}

fn is_chosen(value: &str) -> bool {
    value.len() >= CHOSEN
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().any(|b| b.is_ascii_alphabetic())
        && !value.contains(['_', '.'])
}

fn is_random(value: &str) -> bool {
    if value.len() < RANDOM.0 || !value.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let mut counts = [0_u32; 256];
    value
        .bytes()
        .for_each(|byte| counts[usize::from(byte)] += 1);
    let total = value.len() as f64;
    let bits = |n: u32| {
        let share = f64::from(n) / total;
        -share * share.log2()
    };
    counts.into_iter().filter(|n| *n > 0).map(bits).sum::<f64>() >= RANDOM.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found_and_named() {
        let word = "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LzXcVbNm12Qw3Er7Ty1Ui5Op2As8Df4Gh";
        for (name, prefix, of, _) in PREFIXED {
            let body = match of {
                Of::Capitals => "ABCDEFGHIJ234567".repeat(4),
                Of::Word | Of::Letters => word.to_owned(),
            };
            let text = format!("first line\nuse {prefix}{body} there");
            assert_eq!(
                find(&text),
                Some(Secret {
                    rule: name,
                    line: 2
                }),
                "{prefix}"
            );
        }
        for (text, rule) in [
            ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key"),
            ("https://ci:hunter2x@host/x", "a password in a URL"),
            (
                "API_KEY = \"q8Zr2Lm5Vx0Tn7Ks\"",
                "a password or key beside its name",
            ),
            (
                "password=hunter2secret99",
                "a password or key beside its name",
            ),
            (
                "password: Tr0ub4dor&3xyz",
                "a password or key beside its name",
            ),
            (
                "db_password = \"correcthorse9\"",
                "a password or key beside its name",
            ),
            (
                "\"SECRET_KEY\" => 'q8Zr2Lm5Vx0Tn7Ks'",
                "a password or key beside its name",
            ),
            (
                "Authorization: Bearer q8Zr2Lm5Vx0Tn7Ks",
                "a password or key beside its name",
            ),
            (
                "postgres://app:s3cr3tPassw0rd@db.example.com/x",
                "a password in a URL",
            ),
            (
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJlLWJ5dGVz",
                "a JSON web token",
            ),
        ] {
            assert_eq!(find(text).map(|s| s.rule), Some(rule), "{text}");
        }
    }

    #[test]
    fn what_people_write_about_secrets_passes() {
        for text in [
            "The token: read it from the environment, never from a file.",
            "password = os.environ[\"DATABASE_PASSWORD_2\"] is how tests get it",
            "Clone with https://user:password@host/repo is forbidden",
            "npm_config_registry must be set",
            "See https://example.com/a:b@c and git@github.com:o/r.git",
            "keys begin with AKIA",
            "token: src/auth/token2_validator.rs",
            "token=CancellationToken::child_token2()",
            "secret: load_secret_v2(x) reads it",
            "token: https://example.com/csrf2-explained-here",
            "npm_config_registry_of_the_whole_company_2 and hf_hub_download_of_the_model_v2_weights",
            "the password is checked twice; pwd: see login()",
            "password: bcrypt_rounds_12 is the constant",
            "secret: the cache is keyed by commit",
            "commit 2561fde1c0ffee2561fde1c0ffee2561fde1c0f",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
