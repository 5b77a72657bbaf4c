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
    let wanted = Wanted::of(wanted);
    let mut name = String::new();
    let mut found: BTreeSet<(Distance, String)> = BTreeSet::new();
    let mut consider = |bytes: &[u8], is_folder: bool| {
        lower_last(bytes, &mut name);
        let Some(differs) = wanted.differs(&name) else {
            return;
        };
        let path = String::from_utf8_lossy(bytes).to_lowercase();
        let distance = (differs, wanted.elsewhere(&path), path.len());
        let end: &[u8] = if is_folder { b"/" } else { b"" };
        found.insert((distance, quoting::quoted(&[bytes, end].concat())));
        if found.len() > limit {
            found.pop_last();
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

/// Writes the last component of a path in small letters.
fn lower_last(path: &[u8], name: &mut String) {
    let begin = path.iter().rposition(|byte| *byte == b'/');
    let last = &path[begin.map_or(0, |at| at + 1)..];
    name.clear();
    match std::str::from_utf8(last) {
        Ok(last) if last.is_ascii() => {
            name.push_str(last);
            name.make_ascii_lowercase();
        }
        _ => name.push_str(&String::from_utf8_lossy(last).to_lowercase()),
    }
}

/// The path that is looked for, in small letters.
struct Wanted<'a> {
    components: Vec<&'a str>,
    name: &'a str,
    stem: &'a str,
    letters: u64,
    /// Letters of the stem that may be wrong; `None` where it is too short to tell.
    most: Option<usize>,
}

impl<'a> Wanted<'a> {
    fn of(path: &'a str) -> Self {
        let components: Vec<&str> = path.split('/').collect();
        let name = components.last().copied().unwrap_or_default();
        let stem = stem(name);
        let most = match stem.chars().count() {
            0..MIN_PART => None,
            MIN_PART..8 => Some(1),
            _ => Some(2),
        };
        Self {
            letters: letters(stem),
            components,
            name,
            stem,
            most,
        }
    }

    /// How the last component of a path differs; `None` when it is not near.
    fn differs(&self, name: &str) -> Option<usize> {
        let (asked, stem) = (self.stem, stem(name));
        let holds = |long: &str, short: &str| short.len() >= MIN_PART && long.contains(short);
        let is_short = || stem.len() >= MIN_START && asked.starts_with(stem);
        if self.name == name {
            Some(0)
        } else if asked == stem && !stem.is_empty() {
            Some(1)
        } else if let Some(wrong) = self.slips(stem) {
            Some(1 + wrong)
        } else if holds(stem, asked) || holds(asked, stem) || is_short() {
            Some(4)
        } else {
            None
        }
    }

    /// Letters that are wrong, where they are few.
    fn slips(&self, stem: &str) -> Option<usize> {
        let most = self.most?;
        // One wrong letter takes one from a set and adds another.
        let apart = (self.letters ^ letters(stem)).count_ones() as usize;
        if self.stem.len().abs_diff(stem.len()) > most || apart > 2 * most {
            return None;
        }
        let wrong = strsim::osa_distance(self.stem, stem);
        (wrong <= most).then_some(wrong)
    }

    /// Components of what is looked for that a path lacks.
    fn elsewhere(&self, path: &str) -> usize {
        let parts = path.split('/');
        let alike = parts.filter(|part| self.components.contains(part)).count();
        self.components.len().saturating_sub(alike)
    }
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The letters of a word as a set of classes: letters that are the same are in the same one.
fn letters(word: &str) -> u64 {
    word.chars()
        .fold(0, |set, c| set | 1 << (u32::from(c) % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(wanted: &str, path: &str) -> Option<usize> {
        let mut name = String::new();
        lower_last(path.as_bytes(), &mut name);
        Wanted::of(wanted).differs(&name)
    }

    #[test]
    fn what_ends_alike_is_near() {
        assert_eq!(differs("src/router.js", "lib/router.js"), Some(0));
        assert_eq!(differs("router", "lib/router.js"), Some(1));
        assert_eq!(differs("lib/ruoter.js", "lib/router.js"), Some(2));
        assert_eq!(differs("router", "lib/router_test.go"), Some(4));
        assert_eq!(differs("library", "lib"), Some(4));
        assert_eq!(differs("app", "test/app.js"), Some(1));
        assert_eq!(differs("app", "test/app.get.js"), None);
        assert_eq!(differs("src/a", "lib/b"), None);
        assert_eq!(differs("ab", "lib/abc"), None);
        assert_eq!(differs("straße", "lib/STRASE.c"), Some(2));
        assert_eq!(differs("zähler", "lib/ZÄHLER.c"), Some(1));
        assert_eq!(differs("abcdefgh", "lib/abcdwxyz"), None);
    }

    #[test]
    fn what_has_the_same_folders_is_nearer() {
        let wanted = Wanted::of("lib/http/router.js");
        assert_eq!(wanted.elsewhere("lib/http/router.ts"), 1);
        assert_eq!(wanted.elsewhere("test/router.ts"), 3);
    }
}
