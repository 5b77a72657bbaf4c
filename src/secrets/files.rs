//! Files that are kept for the secrets in them, by their names.

/// Whole names, in small letters.
const NAMES: &[&str] = words!(
    ".dockercfg .envrc .git-credentials .htpasswd .my.cnf .netrc .npmrc .pgpass .pypirc .s3cfg
     .boto .terraformrc .vault-token .yarnrc.yml .bash_history .zsh_history .psql_history
     .mysql_history _netrc accesskeys.csv application_default_credentials.json credentials
     credentials.csv credentials.json credentials.toml id_dsa id_ecdsa id_ecdsa_sk id_ed25519
     id_ed25519_sk id_rsa kubeconfig kubeconfig.yaml kubeconfig.yml rootkey.csv secrets.json
     secrets.toml secrets.yaml secrets.yml service-account.json service_account.json
     serviceaccount.json terraform.rc"
);
/// Names with the folder they are in.
const PLACES: &[&str] =
    words!(".aws/config .docker/config.json .kube/config .m2/settings.xml .config/gh/hosts.yml");
/// Ends of names.
const ENDS: &[&str] = words!(
    ".env .pem .key .p8 .p12 .pfx .pkcs12 .jks .keystore .keytab .ppk .kdbx .asc .ovpn .agekey
     .kubeconfig .tfvars .tfvars.json .tfstate"
);
/// Beginnings of names that end with `.json`: what consoles offer to save.
const DOWNLOADS: &[&str] = &["client_secret", "service-account-", "firebase-adminsdk"];
/// What editors and people add to the name of a copy.
const COPIES: &[&str] = &[
    "~", ".bak", ".backup", ".orig", ".old", ".save", ".swp", ".swo", ".copy", ".tmp",
];
/// Parts of a name, between dots, dashes and `_`, that make it a template for people.
const TEMPLATES: &[&str] =
    words!("example examples sample template tmpl tpl dist defaults schema stub placeholder");

/// Whether a file at this path (of the repository, with `/`) is likely to hold credentials.
pub fn is_secret(path: &[u8]) -> bool {
    let cut = memchr::memrchr(b'/', path).map_or(0, |at| at + 1);
    let lower = String::from_utf8_lossy(&path[cut..]).to_ascii_lowercase();
    let name = original(&lower);
    let env = name.strip_prefix(".env");
    let is_known = env.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        || NAMES.contains(&name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || name.ends_with(".json") && DOWNLOADS.iter().any(|start| name.contains(start))
        || PLACES.iter().any(|place| is_at(&path[..cut], name, place));
    is_known
        && !name
            .split(['.', '-', '_'])
            .any(|part| TEMPLATES.contains(&part))
}

/// Whether a name in a folder is that of a place.
fn is_at(folder: &[u8], name: &str, place: &str) -> bool {
    place.strip_suffix(name).is_some_and(|above| {
        let tail = folder
            .len()
            .checked_sub(above.len())
            .map(|at| &folder[at..]);
        above.ends_with('/') && tail.is_some_and(|tail| tail.eq_ignore_ascii_case(above.as_bytes()))
    })
}

/// Whether a path holds a secret itself, so that it may not be written down where it is shared.
pub fn names_secret(path: &[u8]) -> bool {
    secret_named(path).is_some()
}

/// What a path that holds a secret itself looks like to hold.
pub fn secret_named(path: &[u8]) -> Option<&'static str> {
    /// Nothing shorter without a sign between is a token.
    const LONG: usize = 16;
    let mut words = path.split(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')));
    let is_likely = words.any(|word| word.len() >= LONG && word.iter().any(u8::is_ascii_digit));
    match is_likely {
        true => super::spans(path).first().map(|span| span.rule),
        false => None,
    }
}

/// The name of what a file is a copy of.
fn original(name: &str) -> &str {
    let mut name = name.trim_matches('#');
    while let Some(shorter) = COPIES.iter().find_map(|end| name.strip_suffix(end)) {
        if shorter.is_empty() {
            break;
        }
        name = shorter;
    }
    // Vim's swap file of `.env` is `..env.swp`, or `.env.swp`.
    match name.strip_prefix('.').filter(|rest| rest.starts_with('.')) {
        Some(rest) => rest,
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_secrets_are_known_by_name_place_and_copy() {
        for path in *words!(
            ".env a/.env.production .env-prod .env~ .env.bak ..env.swp #.env# deploy/prod.env
             tls.KEY server.pem.old id_rsa keys/id_rsa~ x/terraform.tfvars prod.auto.tfvars
             vars.tfvars.json terraform.tfstate terraform.tfstate.backup kubeconfig
             home/.kube/config .docker/config.json a/b/.docker/config.json .aws/credentials
             .yarnrc.yml .npmrc .netrc AuthKey_1.p8 client_secret_1-x.apps.json
             proj-firebase-adminsdk-x1.json .m2/settings.xml .config/gh/hosts.yml"
        ) {
            assert!(is_secret(path.as_bytes()), "{path}");
        }
    }

    #[test]
    fn code_and_templates_are_read() {
        for path in *words!(
            ".env.example example.env .env.sample.local environment.ts src/env.rs src/.envelope
             config.json docker/config.json kube/config.go credentials.ts secrets.rs
             src/secrets/mod.rs terraform.tfvars.example main.tf yarn.lock monkey.ts keys.json
             service-account.example.json .environment"
        ) {
            assert!(!is_secret(path.as_bytes()), "{path}");
        }
    }
}
