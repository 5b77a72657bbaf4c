//! What the text of a target may mean, as it is written: a symbol id, lines of a file, a path, a frame of a
//! stack trace, a name. One text may be several of them (`res.json` is a path and a name); which of them
//! exist is for [`super::target_matches`] to say.
//!
//! Whatever an answer prints as a place can be given back: `path`, `path:12`, `path:12-20`,
//! `path:12-20 method Router.use`, each with `@REV`.

use super::ids::ParsedId;
use super::search::frame::{Frame, frames};
use crate::extract::record::{Grammar, SymbolKind};
use crate::lang;

/// A target taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// All of it, as it was given.
    pub given: String,
    /// All of it, without white space around it.
    pub text: String,
    /// Lines of a file, when it ends in some.
    pub lines: Option<Lines>,
    /// The path it is, when it is one: no slash at its end, no `./` at its beginning; empty for the root.
    pub path: String,
    /// Whether it can only be a directory: it ends in a slash, or is a dot.
    pub is_folder: bool,
    /// The places that a stack trace names, the innermost call first or last as its language has it.
    pub frames: Vec<Frame>,
    /// The name it is, or that its frame has.
    pub name: Name,
}

/// Lines of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Path, as it is shown.
    pub path: String,
    /// First line, from 1.
    pub first: u32,
    /// Last line, inclusive.
    pub last: u32,
    /// The qualified name printed after the lines; empty when there is none.
    pub named: String,
}

/// A name with the containers it is said to lie in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Name {
    /// Symbols, modules or variables, the outermost first.
    pub containers: Vec<String>,
    /// The name itself; empty when the text is none.
    pub own: String,
    /// Whether it begins with the path of a module, whose first parts may be known nowhere here
    /// (`example.com/shop/store.New`).
    pub has_module_path: bool,
    /// Whether it is joined by `::`, so that its first part may be the name of the package.
    pub has_package: bool,
    /// Whether it ends in `!`, which marks a macro of Rust and is part of a name of Ruby.
    pub is_marked: bool,
}

impl Name {
    /// A name in no container.
    pub fn bare(own: &str) -> Self {
        Self {
            own: own.to_owned(),
            ..Self::default()
        }
    }
}

impl Target {
    /// Takes a target apart.
    pub fn read(given: &str) -> Self {
        let text = given.trim();
        let bare = text.strip_prefix('`').and_then(|t| t.strip_suffix('`'));
        let text = bare.unwrap_or(text);
        let frames = match is_frame(text) {
            true => frames(text),
            false => Vec::new(),
        };
        // A frame may lie in no file: `at f (<anonymous>)`.
        let is_call = text.starts_with("at ") && text.ends_with(')');
        let name = match frames.is_empty() && !is_call {
            true => Name::read(text),
            false => called(text).map(Name::read).unwrap_or_default(),
        };
        let path = plain_path(text);
        Self {
            given: given.to_owned(),
            text: text.to_owned(),
            lines: Lines::read(text),
            is_folder: text.ends_with('/') || (path.is_empty() && !text.is_empty()),
            path,
            frames,
            name,
        }
    }

    /// The symbol id it is, if it has the form of one: as it was given, then without white space around
    /// it.
    pub fn ids(&self) -> impl Iterator<Item = ParsedId<'_>> {
        [&self.given, &self.text]
            .into_iter()
            .filter_map(|text| ParsedId::parse(text))
    }

    /// Whether it is written like a path: it has a slash, or it ends like a file of a known kind. Some
    /// names are (`res.json`, `Context.C`).
    pub fn is_like_a_path(&self) -> bool {
        is_like_a_path(&self.path) || self.is_folder
    }
}

/// Whether a text has a slash or ends like a file of a known kind.
fn is_like_a_path(text: &str) -> bool {
    if text.contains("::") || text.contains(char::is_whitespace) {
        return false;
    }
    text.contains('/')
        || text.rsplit_once('.').is_some_and(|(_, extension)| {
            lang::by_file_name(text.as_bytes()) != Grammar::Text
                || matches!(
                    extension,
                    "json" | "toml" | "yaml" | "yml" | "txt" | "html" | "css" | "sum" | "lock"
                )
        })
}

/// A path without `./` at its beginning, a slash at its end, and steps up.
pub fn plain_path(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Splits a target from the revision written after it: `lib/a.js:3@v1.2`. Whether there is such a
/// revision is not asked.
pub fn split_revision(text: &str) -> Option<(&str, &str)> {
    let (target, rev) = text.trim().rsplit_once('@')?;
    let is_plain = !rev.is_empty() && !rev.contains([' ', '\t', '\n', '(', ')']);
    (is_plain && !target.is_empty()).then_some((target, rev))
}

impl Lines {
    /// Reads `path:12`, `path:12:5`, `path:12-20` and `path#L12-L20`, with or without the kind and the
    /// name that answers print after it.
    pub fn read(text: &str) -> Option<Self> {
        let mut words = text.splitn(3, ' ');
        let (head, kind, named) = (words.next()?, words.next(), words.next());
        let printed = kind.and_then(SymbolKind::from_label).and(named);
        let (place, named) = match printed {
            Some(named) => (head, named.split("  ").next().unwrap_or(named)),
            None => (text, ""),
        };
        let (path, first, last) = split_lines(place.trim_end_matches(':'))?;
        let path = plain_path(path);
        (!path.is_empty() && first >= 1).then(|| Self {
            path,
            first,
            last: last.max(first),
            named: named.to_owned(),
        })
    }
}

fn split_lines(place: &str) -> Option<(&str, u32, u32)> {
    let number = |text: &str| text.parse::<u32>().ok();
    if let Some((path, lines)) = place.rsplit_once("#L") {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        return Some((path, number(first)?, number(last.trim_start_matches('L'))?));
    }
    let (path, lines) = place.rsplit_once(':')?;
    if let Some((first, last)) = lines.split_once('-') {
        return Some((path, number(first)?, number(last)?));
    }
    let last = number(lines)?;
    match path.rsplit_once(':') {
        // A line and a column.
        Some((path, line)) if number(line).is_some() => Some((path, number(line)?, number(line)?)),
        _ => Some((path, last, last)),
    }
}

/// Whether a text is more than a path or a name: it has words, as a line of a stack trace does, or the
/// path of another machine.
fn is_frame(text: &str) -> bool {
    text.contains(char::is_whitespace)
        || text.contains("://")
        || text.contains('\\')
        || (text.starts_with('/') && split_lines(text).is_some())
        || (text.contains('(') && text.contains(':') && text.contains('.'))
}

/// The function that a frame says was running.
fn called(text: &str) -> Option<&str> {
    let text = text.trim();
    // Python: `File "x.py", line 3, in f`.
    if let Some((_, name)) = text.rsplit_once(", in ") {
        return name.split_whitespace().next();
    }
    // Go: `example.com/shop.(*Store).Get(...)` over a line with the place.
    if let Some((head, _)) = text.split_once("\n\t") {
        return head.lines().last().map(str::trim);
    }
    // JavaScript, Java: `at async Store.get (...)`, `at com.shop.Store.get(Store.java:3)`. Rust's names
    // stand on a line of their own: `3: shop::get`.
    let before = text.lines().next().unwrap_or(text).trim();
    let before = before.strip_prefix("at ").unwrap_or(before);
    let before = before.strip_prefix("async ").unwrap_or(before);
    let before = before.strip_prefix("new ").unwrap_or(before);
    let numbered = before.split_once(": ");
    let before = match numbered {
        Some((n, rest)) if n.trim().parse::<u32>().is_ok() => rest,
        _ => before,
    };
    let end = before.find([' ', '(']).unwrap_or(before.len());
    let name = &before[..end];
    let is_name = !name.is_empty() && !name.contains('/') && split_lines(name).is_none();
    is_name.then_some(name)
}

impl Name {
    /// Reads a name as people write it: `use`, `use()`, `Router.use`, `Router::use`, `Router#use`,
    /// `Router->use`, `(*Router).Use`, `shop.cli:main`, `Vec<T>::push`, `example.com/shop/store.New`.
    pub fn read(text: &str) -> Self {
        let text = without_arguments(text.trim());
        let text = without_generics(&text.replace("?.", "."));
        let (module, rest) = match text.rsplit_once('/') {
            Some((module, rest)) if !module.is_empty() && !module.contains(' ') => (module, rest),
            _ => ("", text.as_str()),
        };
        let (containers, own) = split_qualified(rest);
        if !module.is_empty() && containers.is_empty() {
            // A path, and nothing of it a name.
            return Self::default();
        }
        let clean = |part: &str| {
            part.trim_matches(|c| matches!(c, '(' | ')' | '*' | '&'))
                .to_owned()
        };
        let of_module = module.split('/').filter(|part| !part.is_empty());
        let bare = own.strip_suffix('!').filter(|own| !own.is_empty());
        let own = bare.unwrap_or(own);
        Self {
            containers: of_module.chain(containers).map(clean).collect(),
            own: match own.trim_matches(['(', ')']) {
                "" => own.to_owned(),
                bare => bare.to_owned(),
            },
            has_module_path: !module.is_empty(),
            has_package: rest.contains("::"),
            is_marked: bare.is_some(),
        }
    }

    /// The name with its containers, joined by dots.
    pub fn chain(&self) -> String {
        let parts = self.containers.iter().chain([&self.own]);
        parts.map(String::as_str).collect::<Vec<_>>().join(".")
    }
}

/// A name without the arguments of a call at its end.
fn without_arguments(text: &str) -> &str {
    let Some(inner) = text.strip_suffix(')') else {
        return text;
    };
    let mut depth = 1usize;
    for (at, c) in inner.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return match at {
                0 => text,
                at => &text[..at],
            };
        }
    }
    text
}

/// A name without what stands in angle brackets, where these are balanced.
fn without_generics(text: &str) -> String {
    let (mut kept, mut depth) = (String::with_capacity(text.len()), 0usize);
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '<' if before.is_alphanumeric() || before == ':' || depth > 0 => depth += 1,
            '>' if depth > 0 => {
                depth -= 1;
                before = c;
                continue;
            }
            _ => {}
        }
        if depth == 0 {
            kept.push(c);
        }
        before = c;
    }
    match depth == 0 && !kept.is_empty() {
        // `Vec::<T>::new` leaves two separators side by side.
        true => kept.replace("::::", "::"),
        false => text.to_owned(),
    }
}

/// Splits a name as people write it (`Router.use`, `Router::use`, `Router#use`, `Router->use`,
/// `module:function`) into its containers and its own name.
pub fn split_qualified(target: &str) -> (Vec<&str>, &str) {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = target;
    while let Some((at, len)) = first_separator(rest) {
        let (head, tail) = (&rest[..at], &rest[at + len..]);
        if tail.is_empty() {
            break;
        }
        // A leading separator is part of the name: `#private`, `.gitignore`.
        if head.is_empty() {
            return (parts, rest);
        }
        parts.push(head);
        rest = tail;
    }
    (parts, rest)
}

/// Where the first separator of containers is, and its length. Looks no further than that: a name may have
/// a million of them.
fn first_separator(text: &str) -> Option<(usize, usize)> {
    let length = |at: usize| match &text.as_bytes()[at..] {
        [b':', b':', ..] | [b'-', b'>', ..] => Some((at, 2)),
        // `shop.cli:main`, but no time and no line.
        [b':', next, ..] if next.is_ascii_alphabetic() || *next == b'_' => Some((at, 1)),
        [b'.' | b'#' | b'\\', ..] => Some((at, 1)),
        _ => None,
    };
    (0..text.len()).find_map(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualified_names_are_split_at_any_separator() {
        assert_eq!(split_qualified("use"), (vec![], "use"));
        assert_eq!(split_qualified("Router.use"), (vec!["Router"], "use"));
        assert_eq!(split_qualified("a::b::C->d"), (vec!["a", "b", "C"], "d"));
        assert_eq!(split_qualified("Router#use"), (vec!["Router"], "use"));
        assert_eq!(
            split_qualified("shop.cli:main"),
            (vec!["shop", "cli"], "main")
        );
        assert_eq!(
            split_qualified(r"App\Http\Kernel"),
            (vec!["App", "Http"], "Kernel")
        );
        assert_eq!(split_qualified("#private"), (vec![], "#private"));
        assert_eq!(split_qualified("Foo.#private"), (vec!["Foo"], "#private"));
        assert_eq!(split_qualified("foo."), (vec![], "foo."));
        assert_eq!(split_qualified("12:30"), (vec![], "12:30"));
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for (text, chain) in [
            ("use", "use"),
            ("use()", "use"),
            ("Router.use(path, fn)", "Router.use"),
            ("(*Engine).Run", "Engine.Run"),
            ("gin.(*Context).Next(0xc000, 0x1)", "gin.Context.Next"),
            ("Vec<T>::push", "Vec.push"),
            ("Vec::<u8>::new", "Vec.new"),
            ("println!", "println"),
            ("a?.b", "a.b"),
            ("operator<", "operator<"),
            ("example.com/shop/store.New", "example.com.shop.store.New"),
            ("lib/router", ""),
            ("()", "()"),
            ("!", "!"),
        ] {
            let name = Name::read(text);
            assert_eq!(name.chain(), chain, "{text}");
        }
    }

    #[test]
    fn lines_are_read_as_answers_print_them() {
        for (text, path, first, last, named) in [
            ("a.js:3", "a.js", 3, 3, ""),
            ("./a.js:3:9", "a.js", 3, 3, ""),
            ("a.js:3-9", "a.js", 3, 9, ""),
            ("a b.js:3-9", "a b.js", 3, 9, ""),
            ("a.js#L3-L9", "a.js", 3, 9, ""),
            ("a.js#L3", "a.js", 3, 3, ""),
            (
                "a.js:3-9 method Router.use~2  use(fn)",
                "a.js",
                3,
                9,
                "Router.use~2",
            ),
        ] {
            let lines = Lines::read(text).unwrap();
            let read = (
                lines.path.as_str(),
                lines.first,
                lines.last,
                lines.named.as_str(),
            );
            assert_eq!(read, (path, first, last, named), "{text}");
        }
        for text in ["a.js", "a::b", "a.js:x", "a.js:0", ":3", "a.js:99999999999"] {
            assert_eq!(Lines::read(text), None, "{text}");
        }
    }

    #[test]
    fn frames_have_the_name_of_what_was_running() {
        for (text, name) in [
            ("File \"x.py\", line 3, in run", "run"),
            ("    at Store.get (/srv/app/store.js:3:5)", "Store.get"),
            ("at async load (store.js:3:5)", "load"),
            ("at com.shop.Store.get(Store.java:3)", "com.shop.Store.get"),
            ("at src/x.rs:3:5", ""),
            ("3: shop::get\n             at ./src/x.rs:3:5", "shop.get"),
            (
                "example.com/shop.(*Store).Get(0x1)\n\t/home/x/shop/store.go:12 +0x2b",
                "example.com.shop.Store.Get",
            ),
        ] {
            let target = Target::read(text);
            assert_eq!(target.frames.len(), 1, "{text}");
            assert_eq!(target.name.chain(), name, "{text}");
        }
    }

    #[test]
    fn revisions_are_split_off() {
        assert_eq!(split_revision("a.js:3@v1.2"), Some(("a.js:3", "v1.2")));
        assert_eq!(split_revision("use@HEAD~3"), Some(("use", "HEAD~3")));
        assert_eq!(split_revision("@types"), None);
        assert_eq!(split_revision("lib/@v1"), Some(("lib/", "v1")));
        assert_eq!(split_revision("mail a@b.c now"), None);
    }

    #[test]
    fn paths_are_made_plain() {
        assert_eq!(plain_path("./lib//a.js"), "lib/a.js");
        assert_eq!(plain_path("lib/../src/"), "src");
        assert_eq!(plain_path("../a.js"), "../a.js");
        assert_eq!(plain_path("./"), "");
        assert!(Target::read("lib/").is_folder && Target::read(".").is_folder);
        assert!(
            !Target::read("lib").is_like_a_path() && Target::read("Context.C").is_like_a_path()
        );
    }
}
