//! Every form, true and false. True ones are put together here, so that no scanner takes this file for
//! a leak.

use super::*;

/// Noise in letters, digits and, lower case, in base 16.
const NOISE: &str = "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0LvXcVbNm8Qe3Rt7Yz1Iu5Po2Sa8Fd4Hg6kJ";
const HEX: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const BASE64: &str = "wJ7lrXUtnF3MI/K7MD9Ng+bPxRf1CYzQ4hT8kVsa";
/// Capitals and digits of base 32.
const CAPITALS: &str = "Q3EGWZ5XYB7TKL2MR4VHNC6PJUSD2FAO7XIQ5ZTB3WEYK4RLMN6HVCPG";

fn random() -> Vec<u8> {
    format!("{NOISE}{HEX}{CAPITALS}{NOISE}").into_bytes()
}

/// What is masked in a text, and as what.
fn masked(text: &str) -> Vec<(&str, &'static str)> {
    let found = spans(text.as_bytes()).into_iter();
    found.map(|s| (&text[s.range], s.rule)).collect()
}

#[track_caller]
fn one(text: &str, secret: &str, rule: &str) {
    assert_eq!(masked(text), [(secret, rule)], "{text}");
    let line = text[..text.find(secret).unwrap()].matches('\n').count() + 1;
    let found = find(text).map(|found| (found.rule, found.line));
    assert_eq!(
        found,
        Some((spans(text.as_bytes())[0].rule, line)),
        "{text}"
    );
}

#[track_caller]
fn none(text: &str) {
    assert_eq!(masked(text), [], "{text}");
}

#[test]
fn no_two_forms_have_one_mark() {
    let mut all: Vec<String> = { formats::FORMATS.iter() }
        .flat_map(|format| {
            format
                .prefixes
                .iter()
                .map(|prefix| prefix.to_ascii_lowercase())
        })
        .chain(named::NAMES.iter().map(|name| name.text.to_owned()))
        .chain(
            shapes::SHAPES
                .iter()
                .map(|(text, _)| text.to_ascii_lowercase()),
        )
        .collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(
        all.len(),
        count,
        "of two with one mark the second is never read"
    );
}

#[test]
fn every_prefixed_form_is_found_and_its_stand_in_is_not() {
    let each =
        |format: &'static formats::Format| format.prefixes.iter().map(move |it| (format, it));
    for (format, prefix) in formats::FORMATS.iter().flat_map(each) {
        let token = format.sample(prefix, &random());
        let text = format!("first line\nuse {token} there");
        one(&text, &token, format.rule);
        for fake in ["x", "0", "EXAMPLE0", "abc123"] {
            let stand_in = format.sample(prefix, fake.as_bytes());
            none(&format!("use {stand_in} there"));
        }
        none(&format!("see {prefix}"));
        none(&format!("a{token}"));
    }
}

#[test]
fn names_that_begin_like_a_token_are_none() {
    for text in [
        "npm_config_registry_of_the_whole_company_2 and hf_hub_download_of_the_model_v2_weights",
        "task-management-application-configuration-of-the-2nd-kind",
        "sk-button-container-with-a-very-long-name-1-of-the-design-system",
        "keys begin with AKIA and AKIAIOSFODNN7EXAMPLE is the one of the manual",
        "glpat-xxxxxxxxxxxxxxxxxxxx",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "integrity sha512-oRjTw/97aTBN0RHbYCdtF1MQfvusSIBQM0IZEgzl6426+8jSC0nF1a/GmnVLpfB9yyr6g6FTqWqiZVbxrtaCIg==",
        "commit 2561fde1c0ffee2561fde1c0ffee2561fde1c0f",
        "id: 550e8400-e29b-41d4-a716-446655440000",
    ] {
        none(text);
    }
}

#[test]
fn shapes_are_found() {
    let word = &NOISE[..35];
    let hook = format!(
        "T0{}/B0{}/{}",
        &CAPITALS[..8],
        &CAPITALS[8..16],
        &NOISE[..24]
    );
    let telegram = format!("7181920213:AA{}", &NOISE[..33]);
    let azure = format!("{}8Q~{}", &NOISE[..3], &NOISE[5..38]);
    let chimp = format!("{}-us12", &HEX[..32]);
    let terraform = format!("{}.atlasv1.{}{}", &NOISE[..14], &NOISE[..62], "w");
    let discord = format!("MTE2MzI4MzQ4MTYyODg0NDA4.G{}.{}", &NOISE[..5], &NOISE[..38]);
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI4NzEzNCJ9.{}", &NOISE[..43]);
    let sig = format!("{}%3D", &NOISE[..43]);
    for (text, secret, rule) in [
        (
            "https://hooks.slack.com/services/@",
            hook.as_str(),
            "a Slack webhook",
        ),
        (
            "https://discord.com/api/webhooks/1163283481628844082/@",
            &NOISE[..60],
            "a Discord webhook",
        ),
        (
            "https://acme.webhook.office.com/webhookb2/@",
            &NOISE[..64],
            "a Teams webhook",
        ),
        // `ann:kX9!vqLz`
        (
            "Authorization: Basic @",
            "YW5uOmtYOSF2cUx6",
            "a basic login",
        ),
        (
            "curl https://api.telegram.org/bot@/getMe",
            &telegram,
            "a Telegram token",
        ),
        ("x = '@'", &azure, "an Azure secret"),
        ("mc = '@'", &chimp, "a Mailchimp key"),
        ("tf = '@'", &terraform, "a Terraform token"),
        ("client.login('@')", &discord, "a Discord token"),
        ("cookie = \"@\"", &jwt, "a JSON web token"),
        (
            "https://a.blob.core.windows.net/c?sv=2020&sig=@",
            &sig,
            "an Azure signature",
        ),
        (
            "HEROKU_API_KEY=@",
            "3f2a8c1d-9b4e-4f7a-8d6c-1e5b7a9c2d4f",
            "a Heroku key",
        ),
        (
            "postgres://app:@@db.acme.io/x",
            "s3cr8tZq9v",
            "a password in a URL",
        ),
    ] {
        let text = text.replacen('@', secret, 1);
        one(&text, secret, rule);
    }
    none(&format!("eyJhbGciOiJIUzI1NiJ9.{word}.{word}"));
    none("https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX");
    none("postgres://postgres:postgres@localhost:5432/test");
    none("https://user:password@host/repo and https://u:${PASS}@host/r, see a:b@c");
    // `Aladdin:open sesame`, the example of the standard, and `user:pass`.
    none("Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ== or Basic dXNlcjpwYXNz");
    none("a basic understanding of basic authentication");
    none("git@github.com:o/r.git ssh://git@example.com:22/x");
}

#[test]
fn an_aws_key_has_its_other_half_near() {
    let text = format!("Credentials(\"AKIA{}\",\n  \"{BASE64}\")", &CAPITALS[..16]);
    let found: Vec<_> = masked(&text).into_iter().map(|(_, rule)| rule).collect();
    assert_eq!(found, ["an AWS key", "an AWS secret"]);
    // Another between the two is found as well.
    let twice = format!("ID = \"AKIA{}\"\nKEYS = {text}", &CAPITALS[..16]);
    let found: Vec<_> = masked(&twice).into_iter().map(|(_, rule)| rule).collect();
    assert_eq!(found, ["an AWS key", "an AWS key", "an AWS secret"]);
}

#[test]
fn private_keys_are_found_however_they_are_written() {
    let lines = [&NOISE[..64], &HEX[..64], &NOISE[..30]];
    let pem = |end: &str| {
        let title = "RSA PRIVATE KEY";
        format!(
            "-----BEGIN {title}-----{end}{}{end}-----END {title}-----",
            lines.join(end)
        )
    };
    for text in [
        pem("\n"),
        pem("\r\n"),
        format!("key: |\n    {}", pem("\n    ")),
        format!("\"private_key\": \"{}\\n\"", pem("\\n")),
        format!("const K = \"{}\";", pem("\\n\" +\n    \"")),
        format!("// {}", pem("\n// ")),
        pem("\n").rsplit_once("-----END").unwrap().0.to_owned(),
        pem("\n").replace(
            "RSA PRIVATE KEY-----\n",
            "RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n",
        ),
        pem("\n").replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
        pem("\n").replace("RSA ", "OPENSSH "),
        format!(
            "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 3\n{}\n",
            lines.join("\n")
        ),
    ] {
        let hidden = mask(text.as_bytes());
        let hidden = String::from_utf8_lossy(&hidden);
        for line in lines {
            assert!(!hidden.contains(&line[..20]), "{hidden}");
        }
        assert_eq!(hidden.len(), text.len());
        assert_eq!(hidden.lines().count(), text.lines().count());
        assert_eq!(find(&text).unwrap().rule, "a private key");
    }
    // In base 64, as Kubernetes has it: `-----BEGIN RSA PRIVATE KEY-----`.
    let encoded = format!("LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo{NOISE}");
    one(
        &format!("client-key-data: {encoded}"),
        &encoded,
        "a private key",
    );
    none("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCVENDQWUyZ0F3SUJBZ0lJ");
    none("if line == \"-----BEGIN RSA PRIVATE KEY-----\" { return }");
    none("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----");
    none(&format!(
        "-----BEGIN PUBLIC KEY-----\n{NOISE}\n-----END PUBLIC KEY-----"
    ));
    none(&format!(
        "-----BEGIN CERTIFICATE-----\n{NOISE}\n-----END CERTIFICATE-----"
    ));
}

#[test]
fn a_random_value_beside_a_name_is_found() {
    let key = "q8Zr2Lm5Vx0Tn7Ks";
    for text in [
        "API_KEY = \"@\"",
        "api-key: @",
        "\"client_secret\": \"@\",",
        "'SECRET_KEY' => '@'",
        "secretKeyBase: '@'",
        "Authorization: Bearer @",
        "var authToken string = \"@\"",
        "const token: &'static str = \"@\";",
        "client.setToken(\"@\")",
        "config.put(\"api_key\", \"@\")",
        "<secret>@</secret>",
        "export AUTH_TOKEN=@",
        "//registry.npmjs.org/:_authToken=@",
        "https://x.io/a?access_token=@&page=2",
        "{\\\"api_key\\\": \\\"@\\\"}",
        "token := `@`",
        "AccountName=x;AccountKey=@;EndpointSuffix=y",
        "if (apiKey == '@') {",
    ] {
        one(&text.replace('@', key), key, "a key beside its name");
    }
    one("password = \"kX9!vqLz\"", "kX9!vqLz", "a password");
    one("db_passwd: 'zq7Lw-0pRx'", "zq7Lw-0pRx", "a password");
}

#[test]
fn what_is_none_beside_a_name_passes() {
    for text in [
        "The token: read it from the environment, never from a file.",
        "password = os.environ[\"DATABASE_PASSWORD_2\"] is how tests get it",
        "token: src/auth/token2_validator.rs",
        "token=CancellationToken::child_token2()",
        "secret: load_secret_v2(x) reads it",
        "token: https://example.com/csrf2-explained-here",
        "the password is checked twice; pwd: see login()",
        "password: bcrypt_rounds_12 is the constant",
        "secret: the cache is keyed by commit",
        "token_hash = \"9f86d081884c7d659a2feaa0c55ad015\"",
        "password = \"password123\"",
        "password: 'P@ssw0rd!1'",
        "password: \"test1234\"",
        "secret = \"my-super-secret-value-1\"",
        "api_key: \"your-api-key-goes-here-1234\"",
        "token: \"access_token_for_user_42\"",
        "token = parser.next_token2(kind, 12345678)",
        "public_key = \"q8Zr2Lm5Vx0Tn7Ks\"",
        "publicToken = \"q8Zr2Lm5Vx0Tn7Ks\"",
        "<input name=\"csrf-token\" csrf_token=\"q8Zr2Lm5Vx0Tn7Ks\">",
        "nextPageToken: 'q8Zr2Lm5Vx0Tn7Ks'",
        "compile io.jsonwebtoken:jjwt-jackson-0.11.2",
        "primary_key: q8Zr2Lm5Vx0Tn7Ks",
        "tokenizer = \"q8Zr2Lm5Vx0Tn7Ks\"",
        "token: '550e8400-e29b-41d4-a716-446655440000'",
        "password: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'",
        "password: ${DB_PASSWORD_2024}",
        "token = Token2Kind.IdentifierOrKeyword9",
        "let token = self.tokens[i2].clone();",
        "secret: &secretV1Core.SecretSpec2",
        "<input type=\"password\" name=\"user2password3field4\">",
    ] {
        none(text);
    }
}

#[test]
fn a_memory_is_refused_for_less() {
    for text in [
        "password=hunter2secret99",
        "password: Tr0ub4dor&3xyz",
        "db_password = \"correcthorse9\"",
        "https://ci:hunter2x@host/x",
    ] {
        none(text);
        assert!(find(text).is_some(), "{text}");
    }
    for text in [
        "Clone with https://user:password@host/repo is forbidden",
        "The token: read it from the environment, never from a file.",
        "password: bcrypt_rounds_12 is the constant",
        "the password is checked twice; pwd: see login()",
        "secret: the cache is keyed by commit",
        "See https://example.com/a:b@c and git@github.com:o/r.git",
    ] {
        assert_eq!(find(text), None, "{text}");
    }
}

#[test]
fn a_right_checksum_outweighs_a_look() {
    // The body says that it is an example, and is signed as a token.
    let token = "ghp_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEX";
    none(&format!("{token}aaaaaa"));
}

#[test]
fn masks_keep_length_and_lines_and_marks_say_what() {
    let secret = format!("AKIA{}", &CAPITALS[..16]);
    let text = format!("a = '{secret}' # ä\r\nb = 'https://me:Zq8#x@h'\n");
    let found = spans(text.as_bytes());
    let mut shown = blank(text.as_bytes(), &found).into_owned();
    assert_eq!(shown.len(), text.len());
    mark(&mut shown, &found);
    let shown = String::from_utf8(shown).unwrap();
    assert!(
        shown.starts_with("a = '[secret: AWS key]...' # ä\r\n"),
        "{shown}"
    );
    assert!(matches!(mask(b"fn main() {}"), Cow::Borrowed(_)));
}

#[test]
fn any_bytes_are_read_in_bounds() {
    use proptest::prelude::*;
    let piece = prop_oneof![
        Just("password".to_owned()),
        Just("AKIA".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----".to_owned()),
        Just("://a:b@".to_owned()),
        Just(":AA".to_owned()),
        Just("Q~".to_owned()),
        Just("-us1".to_owned()),
        Just("eyJ.eyJ.".to_owned()),
        Just("heroku key ".to_owned()),
        Just(".atlasv1.".to_owned()),
        "[ =:\"'\\\\\\n(<>,`@~.-]{0,4}",
        "[A-Za-z0-9+/=]{0,70}",
        any::<String>(),
    ];
    let texts = proptest::collection::vec(piece, 0..12);
    let mut runner = proptest::test_runner::TestRunner::default();
    let outcome = runner.run(&texts, |pieces| {
        let text = pieces.concat();
        for care in [Care::Mask, Care::Refuse] {
            let found = scan(text.as_bytes(), care);
            for pair in found.windows(2) {
                prop_assert!(pair[0].range.end <= pair[1].range.start);
            }
            for span in &found {
                prop_assert!(span.range.start < span.range.end && span.range.end <= text.len());
            }
        }
        let once = mask(text.as_bytes()).into_owned();
        prop_assert_eq!(once.len(), text.len());
        let mut shown = once.clone();
        mark(&mut shown, &spans(text.as_bytes()));
        prop_assert!(std::str::from_utf8(&shown).is_ok());
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
}
