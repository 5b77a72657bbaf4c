//! Which routes a path that somebody asks for means: a pattern as it is written anywhere, or a concrete path.

use crate::extract::record::Methods;

/// Most segments of a path that is compared.
const MAX_SEGMENTS: usize = 64;

/// A route that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    methods: Methods,
    segments: Vec<String>,
}

/// How well a route fits, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fit {
    /// Segments that anything may stand for, several or none.
    open: usize,
    /// Segments that are not the same letters, those that anything stands for among them.
    loose: usize,
    /// Whether the route answers any method where one is asked for.
    any: bool,
}

/// What a segment of a pattern stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Segment<'a> {
    Literal(&'a str),
    Parameter,
    /// Any number of segments.
    Rest,
}

impl Asked {
    /// Reads `GET /users/:id`, `/users/42`, `https://host/users?x=1` (a path of such).
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (methods, path) = match text.split_once(char::is_whitespace) {
            Some((method, path)) => {
                let methods = match method {
                    "ANY" | "ALL" => Methods::ANY,
                    method if method.bytes().all(|b| b.is_ascii_alphabetic()) => {
                        Methods::named(method.as_bytes())?
                    }
                    _ => return None,
                };
                (methods, path.trim())
            }
            None => (Methods::ANY, text),
        };
        if !path.starts_with('/') || path.contains(char::is_whitespace) {
            return None;
        }
        let segments = segments(path);
        (segments.len() <= MAX_SEGMENTS).then_some(Self { methods, segments })
    }

    /// How well a route fits; `None` when it is another.
    pub fn fit(&self, path: &str, methods: Methods) -> Option<Fit> {
        if !methods.answers(self.methods) {
            return None;
        }
        let route = segments(path);
        if route.len() > MAX_SEGMENTS {
            return None;
        }
        let route: Vec<Segment<'_>> = route.iter().map(|segment| read(segment)).collect();
        let (open, loose) = aligned(&route, &self.segments)?;
        Some(Fit {
            open,
            loose,
            any: methods == Methods::ANY && self.methods != Methods::ANY,
        })
    }
}

fn segments(path: &str) -> Vec<String> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    // An optional part at the end is left open: `/users(.:format)`, but a group of an expression is not cut.
    let path = path.strip_suffix("(.:format)").unwrap_or(path);
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

fn read(segment: &str) -> Segment<'_> {
    let is_rest = matches!(segment, "*" | "**" | "…" | "(.*)" | ".*" | "*any")
        || segment.starts_with("*")
        || segment.starts_with("{*")
        || segment.starts_with("{**")
        || segment.starts_with("[...")
        || segment.starts_with("[[...")
        || segment.starts_with("<path:")
        || segment.ends_with(":.*}")
        || segment.ends_with(":path}");
    let is_parameter = segment.starts_with(':')
        || segment.starts_with('{')
        || segment.starts_with('<')
        || segment.starts_with('[')
        || segment.contains("(?P<")
        || segment.contains(['{', '<', '…'])
        || segment.contains("\\d")
        || segment.contains("\\w");
    match (is_rest, is_parameter) {
        (true, _) => Segment::Rest,
        (false, true) => Segment::Parameter,
        (false, false) => Segment::Literal(segment),
    }
}

/// The fewest open and loose segments that lay one path along the other.
fn aligned(route: &[Segment<'_>], asked: &[String]) -> Option<(usize, usize)> {
    // By how many of those asked for are passed: the best so far.
    let mut best: Vec<Option<(usize, usize)>> = vec![None; asked.len() + 1];
    best[0] = Some((0, 0));
    for segment in route {
        let mut next: Vec<Option<(usize, usize)>> = vec![None; asked.len() + 1];
        for (at, so_far) in best.iter().enumerate() {
            let Some((open, loose)) = *so_far else {
                continue;
            };
            let mut reach = |at: usize, with: (usize, usize)| {
                if let Some(slot) = next.get_mut(at) {
                    *slot = Some(slot.map_or(with, |known| known.min(with)));
                }
            };
            let step = asked.get(at).map(|asked| (asked, read(asked)));
            match (segment, step) {
                (Segment::Rest, _) => {
                    for end in at..=asked.len() {
                        reach(end, (open + 1, loose + (end - at)));
                    }
                }
                (Segment::Literal(own), Some((asked, _))) if own.eq_ignore_ascii_case(asked) => {
                    reach(at + 1, (open, loose));
                }
                // Parameters have other names and forms in other places.
                (Segment::Parameter, Some((_, Segment::Parameter | Segment::Rest))) => {
                    reach(at + 1, (open, loose));
                }
                (Segment::Parameter, Some(_)) => reach(at + 1, (open, loose + 1)),
                _ => {}
            }
        }
        best = next;
    }
    best.last().copied().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(asked: &str, route: &str) -> bool {
        let asked = Asked::read(asked).unwrap();
        asked.fit(route, Methods::named(b"GET").unwrap()).is_some()
    }

    #[test]
    fn patterns_of_all_frameworks_and_concrete_paths_are_the_same_route() {
        let routes = [
            "/users/:id",
            "/users/{id}",
            "/users/<int:id>",
            "/users/[id]",
            "users/{id:[0-9]+}/",
        ];
        for route in routes {
            for asked in [
                "GET /users/:id",
                "/users/{user}",
                "/users/42",
                "/users/42/",
                "get /users/7?x=1",
            ] {
                assert!(fits(asked, route), "{asked} {route}");
            }
            for asked in ["POST /users/1", "/users", "/users/1/posts", "/posts/1"] {
                assert!(!fits(asked, route), "{asked} {route}");
            }
        }
        assert!(fits("/files/a/b", "/files/*path") && fits("/x/api", "…/api"));
        assert!(!fits("/files", "/files/:id"));
        let names = ["users", "GET users", "fetch /x", "src/a.js", ""];
        assert!(names.iter().all(|name| Asked::read(name).is_none()));
    }

    #[test]
    fn letters_fit_better_than_parameters() {
        let asked = Asked::read("/users/me").unwrap();
        let of = |route| asked.fit(route, Methods::ANY).unwrap();
        assert!(of("/users/me") < of("/users/:id") && of("/users/:id") < of("/*"));
        // What begins with something computed is not what is all computed.
        assert!(of("…/users/me") < of("…/me") && of("…/me") < of("…"));
    }
}
