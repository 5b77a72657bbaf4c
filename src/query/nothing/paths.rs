//! Paths that end like one that is not there.

use crate::git::quoting;
use crate::view::live::View;
use std::collections::BTreeSet;

/// Shortest part of a name that makes two names near: shorter ones are in most.
const MIN_PART: usize = 4;
/// Shortest name that what is asked for may begin with (`library` with `lib`).
const MIN_START: usize = 3;

/// How near a path is: how its last component differs, then how many components in front of it differ,
/// then its length.
type Distance = (usize, usize, usize);

/// Files and folders (with a slash at their end) whose last component is like that of `wanted`, nearest
/// first, as they are shown.
pub(super) fn near(view: &View, wanted: &str, limit: usize) -> Vec<String> {
    let wanted = wanted.trim_matches(['/', '*', ' ']).to_lowercase();
    let wanted = wanted.strip_prefix("./").unwrap_or(&wanted);
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut found: BTreeSet<(Distance, String)> = BTreeSet::new();
    let mut consider = |bytes: &[u8], is_folder: bool| {
        let path = String::from_utf8_lossy(bytes);
        if let Some(distance) = distance(wanted, &path.to_lowercase()) {
            let end: &[u8] = if is_folder { b"/" } else { b"" };
            found.insert((distance, quoting::quoted(&[bytes, end].concat())));
            if found.len() > limit {
                found.pop_last();
            }
        }
    };
    let mut folder: &[u8] = b"";
    for file in view.files() {
        let path = file.path.as_bytes();
        consider(path, false);
        let above = path.iter().rposition(|byte| *byte == b'/');
        let above = &path[..above.unwrap_or_default()];
        if above == folder {
            continue;
        }
        // Paths are in order: of what is above the last one nothing is new.
        let ends = (0..=above.len()).filter(|end| *end == above.len() || above[*end] == b'/');
        for end in ends.filter(|end| *end > 0) {
            let is_known = folder.starts_with(&above[..end])
                && folder.get(end).is_none_or(|byte| *byte == b'/');
            if !is_known {
                consider(&above[..end], true);
            }
        }
        folder = above;
    }
    found.into_iter().map(|(_, path)| path).collect()
}

/// How far a path is from the one that was asked for; `None` when it is not near.
fn distance(wanted: &str, path: &str) -> Option<Distance> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let (asked, name) = (last(wanted), last(path));
    let stem = |name: &str| {
        name.rsplit_once('.')
            .map_or(name, |(stem, _)| stem)
            .to_owned()
    };
    let (asked_stem, name_stem) = (stem(&asked), stem(&name));
    let holds = |long: &str, short: &str| short.len() >= MIN_PART && long.contains(short);
    let is_short = name_stem.len() >= MIN_START && asked_stem.starts_with(&name_stem);
    let differs = if asked == name {
        0
    } else if asked_stem == name_stem && !name_stem.is_empty() {
        1
    } else if let Some(wrong) = slips(&asked_stem, &name_stem) {
        1 + wrong
    } else if holds(&name_stem, &asked_stem) || holds(&asked_stem, &name_stem) || is_short {
        4
    } else {
        return None;
    };
    let asked: Vec<&str> = wanted.split('/').collect();
    let alike = path.split('/').filter(|part| asked.contains(part)).count();
    let elsewhere = asked.len().saturating_sub(alike);
    Some((differs, elsewhere, path.len()))
}

/// Letters that are wrong, where they are few.
fn slips(asked: &str, name: &str) -> Option<usize> {
    let most = match asked.chars().count() {
        0..MIN_PART => return None,
        MIN_PART..8 => 1,
        _ => 2,
    };
    if asked.len().abs_diff(name.len()) > most {
        return None;
    }
    let wrong = strsim::osa_distance(asked, name);
    (wrong <= most).then_some(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_alike_is_near() {
        let differs = |wanted, path| distance(wanted, path).map(|(differs, ..)| differs);
        assert_eq!(differs("src/router.js", "lib/router.js"), Some(0));
        assert_eq!(differs("router", "lib/router.js"), Some(1));
        assert_eq!(differs("lib/ruoter.js", "lib/router.js"), Some(2));
        assert_eq!(differs("router", "lib/router_test.go"), Some(4));
        assert_eq!(differs("library", "lib"), Some(4));
        assert_eq!(differs("app", "test/app.js"), Some(1));
        assert_eq!(differs("app", "test/app.get.js"), None);
        assert_eq!(differs("src/a", "lib/b"), None);
        assert_eq!(differs("ab", "lib/abc"), None);
    }

    #[test]
    fn what_has_the_same_folders_is_nearer() {
        let near = distance("lib/http/router.js", "lib/http/router.ts");
        let far = distance("lib/http/router.js", "test/router.ts");
        assert!(near < far);
    }
}
