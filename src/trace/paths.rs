//! Which file of a tree is meant by a path in a report.
//!
//! Reports name files as the machine knew them that ran the tests: absolutely, relative to where a
//! tool was started, under the folder of a container, or by a Go module. In doubt no file is meant:
//! evidence for the wrong file is worse than none.

use rustc_hash::{FxHashMap, FxHashSet};

/// The tree, and what is known of where reports were made.
pub struct Places<'a> {
    files: FxHashMap<&'a [u8], usize>,
    /// Files in the order of their paths read backwards, so that those of one ending are neighbours.
    backwards: Vec<usize>,
    paths: Vec<&'a [u8]>,
    tops: Vec<String>,
    here: String,
    strip: Vec<String>,
    modules: Vec<(String, String)>,
}

/// Which file a path stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// The file at this position of the tree's list.
    File(usize),
    /// Several files fit equally well.
    Ambiguous,
    /// No file fits.
    Nowhere,
}

impl<'a> Places<'a> {
    /// Starts with the paths of a tree, relative to its top.
    pub fn new(paths: Vec<&'a [u8]>) -> Self {
        let mut backwards: Vec<usize> = (0..paths.len()).collect();
        backwards.sort_unstable_by(|a, b| paths[*a].iter().rev().cmp(paths[*b].iter().rev()));
        Self {
            files: paths
                .iter()
                .enumerate()
                .map(|(at, path)| (*path, at))
                .collect(),
            backwards,
            paths,
            tops: Vec::new(),
            here: String::new(),
            strip: Vec::new(),
            modules: Vec::new(),
        }
    }

    /// Adds an absolute path of the top of the tree.
    pub fn top(mut self, path: &str) -> Self {
        self.tops.push(normal(path));
        self
    }

    /// Says below which folder of the tree a tool was started.
    pub fn here(mut self, folder: &str) -> Self {
        self.here = normal(folder);
        self
    }

    /// Adds prefixes that are to be taken off.
    pub fn strip<'p>(mut self, prefixes: impl IntoIterator<Item = &'p str>) -> Self {
        self.strip.extend(prefixes.into_iter().map(normal));
        self
    }

    /// Adds a Go module and the folder of the tree that holds it.
    pub fn module(mut self, name: &str, folder: &str) -> Self {
        self.modules.push((normal(name), normal(folder)));
        // The innermost module owns a path.
        self.modules
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        self
    }

    /// Finds the file of each path of one report.
    ///
    /// A path is looked for, in this order: without a prefix that is to be taken off; below the top
    /// of the tree when it is absolute; below the folder the tool was started in; from the top;
    /// below the folder of its Go module. What is left is taken to come from another machine: then
    /// the foreign prefix, or the missing one, is that with which most paths of the report are
    /// files.
    pub fn find(&self, reported: &[&str]) -> Vec<Found> {
        let paths: Vec<String> = reported.iter().map(|path| normal(path)).collect();
        let known: Vec<Option<usize>> = paths.iter().map(|path| self.known(path)).collect();
        let native: FxHashSet<usize> = known.iter().copied().flatten().collect();
        let mut foreign: FxHashMap<&str, usize> = FxHashMap::default();
        let mut missing: FxHashMap<&[u8], usize> = FxHashMap::default();
        for (path, _) in paths
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
        {
            for (prefix, _) in self.shortened(path) {
                *foreign.entry(prefix).or_default() += 1;
            }
            for (prefix, _) in self.lengthened(path) {
                *missing.entry(prefix).or_default() += 1;
            }
        }
        let most = foreign.values().copied().max().unwrap_or_default();
        let guess = |path: &str| {
            // A bare name at the top fits anything, so only what most others say counts.
            let believed = self.shortened(path).filter(|(prefix, file)| {
                self.paths[*file].contains(&b'/')
                    || (native.is_empty() && foreign.get(prefix) == Some(&most))
            });
            // Of prefixes with equal support the shortest comes last.
            let best = believed.rev().max_by_key(|(prefix, _)| foreign.get(prefix));
            match best {
                Some((_, file)) => Found::File(file),
                None => best_of(self.lengthened(path), &missing),
            }
        };
        let found = paths.iter().zip(known).map(|(path, known)| match known {
            Some(file) => Found::File(file),
            // What is known to be a file is not also another machine's.
            None => match guess(path) {
                Found::File(file) if native.contains(&file) => Found::Nowhere,
                found => found,
            },
        });
        found.collect()
    }

    /// Finds a path without guessing.
    fn known(&self, path: &str) -> Option<usize> {
        let stripped = self.strip.iter().filter_map(|prefix| below(path, prefix));
        let mut inside = self.tops.iter().filter_map(|top| below(path, top));
        let at = |path: &str| self.files.get(path.as_bytes()).copied();
        stripped
            .into_iter()
            .find_map(at)
            .or_else(|| inside.find_map(at))
            .or_else(|| at(&join(&self.here, path)))
            .or_else(|| at(path))
            .or_else(|| {
                let in_module =
                    |(name, folder): &(String, String)| at(&join(folder, below(path, name)?));
                self.modules.iter().find_map(in_module)
            })
    }

    /// The files that a path names without its first components, with what was taken off: the
    /// shortest prefix first.
    fn shortened<'p>(
        &self,
        path: &'p str,
    ) -> impl DoubleEndedIterator<Item = (&'p str, usize)> + use<'p, 'a, '_> {
        let cuts = path.match_indices('/').map(|(at, _)| at);
        let cuts: Vec<usize> = cuts.take(MAX_DEPTH).collect();
        cuts.into_iter().filter_map(|at| {
            let file = self.files.get(&path.as_bytes()[at + 1..])?;
            Some((&path[..at], *file))
        })
    }

    /// The files whose paths end in a path, with what is before it; none where they are too many to tell apart.
    fn lengthened(&self, path: &str) -> impl Iterator<Item = (&'a [u8], usize)> {
        let ending = format!("/{path}").into_bytes();
        let is_before = |at: &usize| self.paths[*at].iter().rev().lt(ending.iter().rev());
        let all = match path.starts_with('/') || path.is_empty() {
            true => &[],
            false => &self.backwards[self.backwards.partition_point(is_before)..],
        };
        let all = all.iter().map_while(|at| {
            let prefix = self.paths[*at].strip_suffix(&*ending)?;
            Some((prefix, *at))
        });
        let all: Vec<_> = all.take(MAX_NAMESAKES + 1).collect();
        let is_few = all.len() <= MAX_NAMESAKES;
        all.into_iter().filter(move |_| is_few)
    }
}

/// Files that one path may stand for.
const MAX_NAMESAKES: usize = 4096;
/// Deepest folder at which a foreign prefix is looked for.
const MAX_DEPTH: usize = 64;

/// Picks the file whose prefix has the most support.
fn best_of<'a>(
    candidates: impl Iterator<Item = (&'a [u8], usize)>,
    support: &FxHashMap<&[u8], usize>,
) -> Found {
    let mut best: Option<(usize, usize)> = None;
    let mut is_tie = false;
    for (prefix, file) in candidates {
        let count = support.get(prefix).copied().unwrap_or_default();
        match best {
            Some((most, _)) if count < most => {}
            Some((most, _)) if count == most => is_tie = true,
            _ => (best, is_tie) = (Some((count, file)), false),
        }
    }
    match best {
        Some(_) if is_tie => Found::Ambiguous,
        Some((_, file)) => Found::File(file),
        None => Found::Nowhere,
    }
}

/// Returns a path with slashes, without a scheme, a final slash and components that mean nothing.
fn normal(path: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let is_windows = path.contains('\\') && !path.contains('/')
        || path
            .as_bytes()
            .get(1..3)
            .is_some_and(|drive| drive == b":\\");
    let path = match is_windows {
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    let mut out: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if out.last().is_some_and(|last| *last != "..") => drop(out.pop()),
            _ => out.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", out.join("/"))
}

/// Returns what of a path is below a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    match folder {
        "" => None,
        "/" => path.strip_prefix('/'),
        _ => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

fn join(folder: &str, path: &str) -> String {
    match folder {
        "" => path.to_owned(),
        // It may go up again (`../lib/a.js`).
        _ => normal(&format!("{folder}/{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: [&str; 8] = *words!(
        "index.js src/cart.js src/api/user.js packages/one/src/util.js packages/two/src/util.js
         packages/two/src/only.js go/cart/cart.go go/tools/gen/main.go"
    );

    fn places() -> Places<'static> {
        Places::new(TREE.iter().map(|path| path.as_bytes()).collect())
            .top("/home/me/shop")
            .module("example.org/shop", "go")
            .module("example.org/shop/tools", "go/tools")
    }

    fn one(places: &Places, path: &str) -> Found {
        places.find(&[path])[0]
    }

    #[track_caller]
    fn check(places: &Places, reported: &[(&str, Option<&str>)]) {
        let paths: Vec<&str> = reported.iter().map(|(path, _)| *path).collect();
        for (found, (path, want)) in places.find(&paths).into_iter().zip(reported) {
            let file = match found {
                Found::File(at) => Some(TREE[at]),
                _ => None,
            };
            assert_eq!(file, *want, "{path}");
        }
    }

    #[test]
    fn what_is_known_is_not_guessed() {
        let cart = Some("src/cart.js");
        check(
            &places(),
            &[
                ("src/cart.js", cart),
                ("./src/api/../cart.js", cart),
                ("/home/me/shop/src/cart.js", cart),
                ("file:///home/me/shop/src/cart.js", cart),
                ("src\\cart.js", cart),
                ("/home/me/shop2/src/none.js", None),
                ("example.org/shop/cart/cart.go", Some("go/cart/cart.go")),
                (
                    "example.org/shop/tools/gen/main.go",
                    Some("go/tools/gen/main.go"),
                ),
                ("/home/me/shop", None),
                ("", None),
                ("..", None),
            ],
        );
        let inner = places().here("packages/one");
        check(
            &inner,
            &[
                ("src/util.js", Some("packages/one/src/util.js")),
                ("../two/src/only.js", Some("packages/two/src/only.js")),
                ("src/cart.js", cart),
            ],
        );
        let stripped = places().strip(["/build/packages/", "/build"]);
        check(&stripped, &[("/build/src/cart.js", cart)]);
    }

    #[test]
    fn the_prefix_of_a_container_is_the_one_that_fits_most() {
        check(
            &places(),
            &[
                ("/app/src/cart.js", Some("src/cart.js")),
                ("/app/index.js", Some("index.js")),
                ("/app/src/api/user.js", Some("src/api/user.js")),
                ("/app/node_modules/left-pad/index.js", None),
                ("/usr/lib/node/index.js", None),
            ],
        );
        check(
            &places(),
            &[
                ("/home/me/shop/src/cart.js", Some("src/cart.js")),
                ("/usr/lib/node/index.js", None),
                ("/usr/share/src/cart.js", None),
            ],
        );
    }

    #[test]
    fn a_missing_prefix_is_the_one_that_fits_most() {
        let places = places();
        assert_eq!(one(&places, "src/util.js"), Found::Ambiguous);
        assert_eq!(one(&places, "util.js"), Found::Ambiguous);
        assert_eq!(one(&places, "til.js"), Found::Nowhere);
        check(
            &places,
            &[
                ("src/util.js", Some("packages/two/src/util.js")),
                ("src/only.js", Some("packages/two/src/only.js")),
            ],
        );
    }

    #[test]
    fn the_longest_end_of_a_lonely_path_is_meant() {
        let files: [&[u8]; 2] = [b"src/cart.js", b"cart.js"];
        let places = Places::new(files.to_vec());
        assert_eq!(one(&places, "/app/src/cart.js"), Found::File(0));
        assert_eq!(one(&places, "/app/cart.js"), Found::File(1));
    }
}
