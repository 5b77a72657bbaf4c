//! Reads our answers as a model has to: from their text, which is all of them.

use crate::task::Place;

/// A place that an answer names: `path:start-end kind name ...`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<'a> {
    pub path: &'a str,
    pub start: u32,
    pub end: u32,
    /// What the line says after it.
    pub rest: &'a str,
}

/// The places that stand at the beginning of a line, in order. What comes under a heading is not what was
/// asked for.
pub fn places(text: &str) -> impl Iterator<Item = Line<'_>> {
    let is_heading = |line: &str| {
        line.ends_with(':') && !line.starts_with(char::is_whitespace) && place(line).is_none()
    };
    let asked = text.lines().take_while(move |line| !is_heading(line));
    asked.filter_map(place)
}

fn place(line: &str) -> Option<Line<'_>> {
    let (path, rest) = path_of(line)?;
    let (lines, rest) = rest
        .strip_prefix(':')?
        .split_once(' ')
        .unwrap_or((&rest[1..], ""));
    let (start, end) = lines.split_once('-')?;
    Some(Line {
        path,
        start: start.parse().ok()?,
        end: end.parse().ok()?,
        rest: rest.trim_start(),
    })
}

/// Takes the path off a line: up to its line number, a space or the end, or in quotes.
fn path_of(line: &str) -> Option<(&str, &str)> {
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    if let Some(quoted) = line.strip_prefix('"') {
        return quoted.split_once('"');
    }
    let numbered = line.char_indices().find(|(at, c)| {
        *c == ':' && line[at + 1..].starts_with(|next: char| next.is_ascii_digit())
    });
    let end = numbered.map_or(line.len(), |(at, _)| at);
    let end = line.find(' ').map_or(end, |space| space.min(end));
    (end > 0).then(|| line.split_at(end))
}

/// Uses of a name, as `refs` tells them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// That it stands by: resolved, or inferred.
    pub meant: Vec<Place>,
    /// That may mean another.
    pub ambiguous: Vec<Place>,
    /// Lines where only the word stands.
    pub words: Vec<Place>,
}

/// Reads the uses of a name.
pub fn uses(text: &str) -> Uses {
    let mut uses = Uses::default();
    let (mut file, mut by_name) = ("", false);
    for line in body(text).skip(1).filter(|line| !line.starts_with("def ")) {
        if let Some(used) = line.strip_prefix("  ") {
            let mut words = used.split(' ');
            let Some(line) = words.next().and_then(|word| word.parse().ok()) else {
                continue;
            };
            let kind = words.next().unwrap_or_default();
            // A kind with a colon is followed by the line itself.
            let doubt = words.next().filter(|_| !kind.ends_with(':'));
            let place = Place {
                path: file.to_owned(),
                line,
            };
            match doubt.is_some_and(|doubt| doubt.starts_with('?') || doubt.starts_with("text")) {
                true => uses.ambiguous.push(place),
                false => uses.meant.push(place),
            }
        } else if line == "by name alone:" {
            by_name = true;
        } else if let Some((path, rest)) = path_of(line) {
            file = path;
            if by_name {
                let lines = rest.split(' ').map_while(|word| match word {
                    "" => Some(None),
                    word => word.parse().ok().map(Some),
                });
                uses.words.extend(lines.flatten().map(|line| Place {
                    path: path.to_owned(),
                    line,
                }));
            }
        }
    }
    uses
}

/// Files that a file imports, and that import it. Neither a use without an import is one, nor is `mod x;`
/// alone, which says where a module lies.
pub fn dependencies(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut imports, mut importers) = (Vec::new(), Vec::new());
    let mut side = &mut imports;
    for line in body(text).skip(1) {
        match line {
            "depends on:" => side = &mut imports,
            "depended on by:" => side = &mut importers,
            line => {
                let Some((path, rest)) = path_of(line) else {
                    continue;
                };
                let tie = rest.split(' ').find_map(|word| {
                    let word = word.split(':').next().unwrap_or_default();
                    word.starts_with(|c: char| c.is_ascii_alphabetic())
                        .then_some(word)
                });
                let declares = tie == Some("module") && !rest.contains(", ");
                let is_here = !matches!(path, "external" | "unresolved");
                if is_here && tie != Some("used") && !declares {
                    side.push(path.to_owned());
                }
            }
        }
    }
    (imports, importers)
}

/// Names of what `audit` says nothing reaches, without their containers' names.
pub fn unreached(text: &str) -> Vec<String> {
    let findings = body(text).filter_map(place).filter_map(|line| {
        let (what, judged) = line.rest.split_once(" | ")?;
        let (kind, name) = what.split_once(' ')?;
        let verdict = judged.split([' ', ':']).nth(1);
        (verdict == Some("unreached") && kind != "file,").then_some(name)
    });
    findings
        .map(|name| super::shell::last_component(name).to_owned())
        .collect()
}

/// How much is shown of how much there is, from the last line.
pub fn shown(text: &str) -> Option<(u64, u64)> {
    let (_, after) = text.lines().last()?.split_once("| shown ")?;
    let mut words = after.split(' ');
    let shown = words.next()?.parse().ok()?;
    Some((shown, words.nth(1)?.parse().ok()?))
}

/// The lines before the footer.
fn body(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| !line.starts_with("index "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(places: &[Place]) -> Vec<String> {
        let told = places.iter().map(|p| format!("{}:{}", p.path, p.line));
        told.collect()
    }

    #[test]
    fn places_stand_at_the_beginning_of_lines() {
        let text = "lib/a.js:187-201 method app.use  app.use = function {  [name]\n  \
                    also in old/a.js:90-104\n\tproto.use = 3:4-5\n\"a b.md\":12-13\nc.py:1-2 class C  class C:\nnear:\nb.js:1-2\n\
                    index 3fce3b5b9d+2 dirty | shown 3 of 57 | next: limit=10\n";
        let found: Vec<_> = places(text).map(|l| (l.path, l.start, l.end)).collect();
        let asked = [("lib/a.js", 187, 201), ("a b.md", 12, 13), ("c.py", 1, 2)];
        assert_eq!(found, asked);
        assert_eq!(shown(text), Some((3, 57)));
    }

    #[test]
    fn uses_have_a_file_and_a_certainty() {
        let text = "use: 57 uses in 12 files\ndef lib/a.js:1-2 method app.use\nlib/a.js\n  \
                    190 call in a::b: x ? text : use();\n  224 call\n  225 call ~ in app: use()\n\
                    test/b.js (52 uses)\n  9 read: text ~\nmay mean another:\ntest/c.js (3 uses)\n  \
                    4 call ?1 of 2: either.use(blog);\nby name alone:\nHistory.md 7 90 and 3 more\n\
                    index 3fce3b5b9d | shown 4 of 57\n";
        let uses = uses(text);
        let meant = [
            "lib/a.js:190",
            "lib/a.js:224",
            "lib/a.js:225",
            "test/b.js:9",
        ];
        assert_eq!(told(&uses.meant), meant);
        assert_eq!(told(&uses.ambiguous), ["test/c.js:4"]);
        assert_eq!(told(&uses.words), ["History.md:7", "History.md:90"]);
    }

    #[test]
    fn imports_are_told_from_uses_and_declarations() {
        let text = "lib/r.ts depends on 3 files, depended on by 1 file\ndepends on:\n\
                    lib/layer.ts import:1 {Layer, init as start}\nlib/names.ts used:40\n\
                    src/x.rs module:3 {x}\nsrc/y.rs module:3 {y, Z}\nexternal node:path {* as path}\n\
                    depended on by:\nlib/app.ts:7 import {Router}\nindex 3f | shown 4 of 4\n";
        let (imports, importers) = dependencies(text);
        assert_eq!(imports, ["lib/layer.ts", "src/y.rs"]);
        assert_eq!(importers, ["lib/app.ts"]);
    }

    #[test]
    fn what_is_uncertain_is_not_named() {
        let text = "lib/old.ts:1-90 file, 4 definitions | 0.80 unreached\n\
                    lib/r.ts:3-9 function A.helper | 0.48 unreached: named in a string\n\
                    lib/r.ts:12-13 function other | 0.20 uncertain: unreached\nindex 3f | shown 2 of 7\n";
        assert_eq!(unreached(text), ["helper"]);
    }
}
