//! What a target of `history` is, as it is written: a thing, or something that holds between things.

use crate::query::Error;

/// What is asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Asked<'t> {
    /// A name, an id, a place, a path.
    Thing(&'t str),
    /// `A -> B`: one uses the other.
    Edge(&'t str, &'t str),
    /// `A ->* B`: the files of one load those of the other, over any number of imports.
    Way(&'t str, &'t str),
    /// `cycle:PATH`: a file loads itself again.
    Cycle(&'t str),
}

/// What stands between the ends of an edge, and what after it for any number of edges.
const ARROW: &str = "->";
const MANY: &str = "*";
/// What stands before a file that may be in a cycle.
const CYCLE: &str = "cycle:";

impl<'t> Asked<'t> {
    /// Reads a target. Fails on an edge that lacks an end.
    pub fn read(target: &'t str) -> Result<Self, Error> {
        // `Router->use` is a name.
        let is_end =
            |side: &str, c: Option<char>| side.is_empty() || c.is_some_and(char::is_whitespace);
        if let Some(file) = target.trim_start().strip_prefix(CYCLE) {
            return match file.trim() {
                "" => Err(Error::BadEdge(target.to_owned())),
                file => Ok(Self::Cycle(file)),
            };
        }
        for (at, _) in target.match_indices(ARROW) {
            let (from, to) = (&target[..at], &target[at + ARROW.len()..]);
            let many = to.strip_prefix(MANY);
            let to = many.unwrap_or(to);
            if !is_end(from, from.chars().last()) || !is_end(to, to.chars().next()) {
                continue;
            }
            let (from, to) = (from.trim(), to.trim());
            return match from.is_empty() || to.is_empty() {
                true => Err(Error::BadEdge(target.to_owned())),
                false if many.is_some() => Ok(Self::Way(from, to)),
                false => Ok(Self::Edge(from, to)),
            };
        }
        Ok(Self::Thing(target))
    }

    /// The same target with its parts changed.
    pub fn map(target: &str, part: impl Fn(&str) -> String) -> String {
        match Asked::read(target) {
            Ok(Asked::Edge(from, to)) => format!("{} {ARROW} {}", part(from), part(to)),
            Ok(Asked::Way(from, to)) => format!("{} {ARROW}{MANY} {}", part(from), part(to)),
            Ok(Asked::Cycle(file)) => format!("{CYCLE}{}", part(file)),
            _ => part(target),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_between_spaces_makes_an_edge() {
        assert_eq!(Asked::read("a -> b.c").unwrap(), Asked::Edge("a", "b.c"));
        assert_eq!(Asked::read("this->a").unwrap(), Asked::Thing("this->a"));
        assert_eq!(
            Asked::read("this->a -> lib/b.c").unwrap(),
            Asked::Edge("this->a", "lib/b.c")
        );
        assert_eq!(Asked::read("a ->* b").unwrap(), Asked::Way("a", "b"));
        assert_eq!(Asked::read("cycle: a.c").unwrap(), Asked::Cycle("a.c"));
        for bad in ["-> b", "->* b", "cycle:", "a ->", "->", " -> "] {
            assert!(Asked::read(bad).is_err(), "{bad}");
        }
        let upper = |part: &str| part.to_uppercase();
        assert_eq!(Asked::map("a  ->  b", upper), "A -> B");
        assert_eq!(Asked::map("a->b", upper), "A->B");
        assert_eq!(Asked::map("a ->* b", upper), "A ->* B");
        assert_eq!(Asked::map("cycle:a", upper), "cycle:A");
    }
}
