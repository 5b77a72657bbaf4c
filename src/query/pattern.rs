//! Patterns of names, as people and agents write them where a name is asked for: `get*Session`, `Router.use*`,
//! `createApp|createServer`, `^use.*Query$`, `/Handler(Func)?$/`.
//!
//! A text is a pattern only where nothing is called so: `*`, `$` and `|` stand in names too.

use super::target::{Name, Target};

/// Fewest letters and digits of a pattern: what has fewer matches nearly everything.
const MIN_LETTERS: usize = 2;

/// A pattern of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// It as a regular expression, which matches anywhere in a name.
    pub expression: String,
    /// Whether letters match both cases: when none of the pattern is a capital.
    pub ignores_case: bool,
    /// The containers that what it matches lies in, if it names some.
    pub inside: Name,
    /// Whether it stands between slashes, so that it is hardly anything else.
    pub is_delimited: bool,
}

impl Pattern {
    /// Reads a target as a pattern, if it is written like one; what may be two (`get.*`: members of `get`, or names with `get`
    /// in them) as both, the narrower first.
    pub fn read(target: &Target) -> Vec<Self> {
        let text = target.text.as_str();
        if !is_telling(text) || text.contains(char::is_whitespace) {
            return Vec::new();
        }
        let whole = |expression: String| Self {
            ignores_case: !has_capitals(&expression),
            expression,
            inside: Name::default(),
            is_delimited: text.starts_with('/'),
        };
        if let Some(inner) = text.strip_prefix('/').and_then(|t| t.strip_suffix('/')) {
            let is_path = !inner.contains(['^', '$', '*', '+', '?', '|', '[', '(', '\\']);
            return Vec::from_iter((!is_path).then(|| whole(inner.to_owned())));
        }
        if text.contains('/') {
            return Vec::new();
        }
        if text.contains('|') {
            let names: Option<Vec<&str>> = (text.split('|'))
                .map(|name| Some(name.trim_matches(['(', ')'])).filter(|name| is_word(name)))
                .collect();
            let names = names.map(|names| whole(format!("^(?:{})$", names.join("|"))));
            return Vec::from_iter(names);
        }
        let is_expression = text.starts_with('^') || text.ends_with('$') || text.contains(".*");
        let expression = is_expression && regex_syntax::parse(text).is_ok();
        let expression = expression.then(|| whole(text.to_owned()));
        // `render.*Template` has no member that is called so.
        let glob =
            Self::glob(&target.name).filter(|_| expression.is_none() || text.ends_with(".*"));
        glob.into_iter().chain(expression).collect()
    }

    /// A name in which `*` stands for anything. With few letters it is read only as members of something.
    fn glob(name: &Name) -> Option<Self> {
        let literals: Vec<&str> = name.own.split('*').collect();
        let is_glob = literals.len() > 1
            && literals.iter().all(|part| part.is_empty() || is_word(part))
            && (is_telling(&name.own) || !name.containers.is_empty());
        is_glob.then(|| {
            let literals: Vec<String> = literals
                .iter()
                .map(|part| regex_syntax::escape(part))
                .collect();
            Self {
                expression: format!("^{}$", literals.join(".*")),
                ignores_case: !has_capitals(&name.own),
                inside: name.clone(),
                is_delimited: false,
            }
        })
    }

    /// What the members of which are meant, where the pattern says so little of their names that it would match nearly all.
    pub fn members_of(&self) -> Option<&str> {
        let container = self.inside.containers.last().map(String::as_str);
        container.filter(|_| !is_telling(&self.inside.own))
    }
}

/// Whether a text has enough letters to be looked for.
fn is_telling(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_LETTERS
}

/// Whether a text may be a name, or a part of one.
fn is_word(text: &str) -> bool {
    let is_part =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '?' | '!' | '@' | '#');
    !text.is_empty() && text.chars().all(is_part)
}

/// Whether an expression has capitals, but for those after a backslash.
fn has_capitals(expression: &str) -> bool {
    let mut before = ' ';
    expression.chars().any(|c| {
        let is_escaped = std::mem::replace(&mut before, c) == '\\';
        c.is_uppercase() && !is_escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, bool, String)> {
        let all = Pattern::read(&Target::read(text)).into_iter();
        all.map(|pattern| {
            let inside = pattern.inside.containers.join(".");
            (pattern.expression, pattern.ignores_case, inside)
        })
        .collect()
    }

    #[test]
    fn patterns_are_read_as_they_are_written() {
        for (text, expression, ignores_case, inside) in [
            ("get*Session", "^get.*Session$", false, ""),
            ("*handler", "^.*handler$", true, ""),
            ("Router.use*", "^use.*$", true, "Router"),
            ("shop::Cart::add*", "^add.*$", true, "shop.Cart"),
            (
                "createApp|createServer",
                "^(?:createApp|createServer)$",
                false,
                "",
            ),
            ("(open|close)", "^(?:open|close)$", true, ""),
            ("^use.*Query$", "^use.*Query$", false, ""),
            ("render.*Template", "render.*Template", false, ""),
            ("/Handler(Func)?$/", "Handler(Func)?$", false, ""),
            (r"/\Wx[a-z]+/", r"\Wx[a-z]+", true, ""),
        ] {
            let wanted = (expression.to_owned(), ignores_case, inside.to_owned());
            assert_eq!(read(text), [wanted], "{text}");
        }
        let own = |text: &str| {
            Pattern::read(&Target::read(text))[0]
                .members_of()
                .map(str::to_owned)
        };
        assert_eq!(own("shop::Cart.*").as_deref(), Some("Cart"));
        assert_eq!(own("Cart.a*").as_deref(), Some("Cart"));
        assert_eq!(own("Cart.add*"), None);
        let both = read("get.*").into_iter().map(|(expression, ..)| expression);
        assert_eq!(both.collect::<Vec<_>>(), ["^.*$", "get.*"]);
    }

    #[test]
    fn what_is_a_name_or_a_path_is_no_pattern() {
        for text in [
            "use",
            "Router.use",
            "*",
            "a*",
            "**",
            "(*Router).Use",
            "/src/",
            "src/*.ts",
            "lib/a.js:3",
            "operator*=",
            "a || b",
            "x|",
            "GET /users/:id",
            "^(",
            "",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
