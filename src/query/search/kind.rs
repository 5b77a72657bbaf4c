//! What sort of question a query is, and what sort of file it asks for.
//!
//! Guarantee: a pure function of the query. Each channel has its weight by kind: somebody who types a name
//! wants its definition, somebody who asks a question in words seldom knows any name.

use super::query::QueryTerms;
use crate::view::role::FileRole;

/// What sort of question a query is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueryKind {
    /// One name, qualified or not: `Router`, `Context.JSON`, `std::fmt`.
    Symbol,
    /// A few words, no sentence: `http retry limit`.
    Keywords,
    /// A sentence, or many words.
    Question,
}

/// Words of a query, stop words left out, up to which it is keywords.
const MOST_KEYWORDS: usize = 3;

impl QueryKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Symbol, Self::Keywords, Self::Question];

    /// Judges a query as typed, with its words.
    pub fn of(typed: &str, query: &QueryTerms) -> Self {
        let typed = typed.trim();
        if !typed.contains(char::is_whitespace) {
            Self::Symbol
        } else if query.words.len() <= MOST_KEYWORDS
            && typed.split_whitespace().count() == query.words.len()
        {
            Self::Keywords
        } else {
            Self::Question
        }
    }
}

/// Weights of the channels in the fusion: chosen on the annotated questions of 26 repositories, where
/// no single one moves NDCG@10 by more than .005 between half and one and a half of what it is, and kept
/// because `cargo benchmark fit`, which learns them from commits and doc comments of other
/// repositories, finds nothing that is better on all kinds of questions (benchmark/REPORT.md).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// Full text.
    pub text: f64,
    /// Definitions whose name is made of words of the query.
    pub name: f64,
    /// Definitions of the one name that the query is.
    pub symbol: f64,
    /// Words in paths.
    pub path: f64,
    /// Files whose whole name is words of the query.
    pub file: f64,
    /// Definitions whose whole name is a word of the query.
    pub definition: f64,
    /// Files that matching commits touched.
    pub history: f64,
    /// Chunks near the question in the space of the model.
    pub vector: f64,
    /// Places that the query spells out.
    pub frame: f64,
    /// Chunks that hold what the query quotes.
    pub phrase: f64,
    /// Files that changed together with those of the best hits.
    pub cochange: f64,
}

impl Weights {
    /// The weights for a kind of query.
    pub fn of(kind: QueryKind) -> Self {
        // A name says what it is; what is near it in meaning is something else.
        let (name, vector) = match kind {
            QueryKind::Symbol => (0.4, 0.0),
            QueryKind::Keywords | QueryKind::Question => (0.2, 0.5),
        };
        Self {
            text: 1.2,
            name,
            symbol: 3.0,
            path: 0.5,
            file: 0.3,
            definition: 0.2,
            history: 0.5,
            vector,
            // Who pastes a trace or a message means these places and no others.
            frame: 4.0,
            phrase: 3.0,
            cochange: 0.2,
        }
    }
}

/// Words that ask for files which otherwise come after product code.
const ASKS: &[(FileRole, &[&str])] = by_words! {
    FileRole::Test => "test tests tested testing spec specs unittest e2e mock mocks assertion
        assertions coverage fixture fixtures",
    FileRole::Example => "example examples sample samples demo demos tutorial playground fixture
        fixtures benchmark benchmarks bench story stories",
    FileRole::Documentation => "doc docs documentation documented readme changelog guide manual
        tutorial markdown",
    FileRole::Settings => "ci dependencies dockerfile json lockfile makefile manifest pipeline
        pipelines toml workflow workflows yaml yml",
    FileRole::Declaration => "declaration declarations stub stubs typings",
    FileRole::Translation => "translation translations translated i18n l10n",
    FileRole::Generated => "generated snapshot snapshots minified",
    FileRole::Vendored => "vendor vendored bundled",
};

/// Which roles a query asks for by name.
#[derive(Clone, Debug, Default)]
pub struct AskedFor {
    roles: Vec<FileRole>,
}

impl AskedFor {
    /// Looks for the words that name a role. A name that merely holds one (`testClient`) asks for
    /// nothing: product code is full of them.
    pub fn of(query: &QueryTerms) -> Self {
        let words: Vec<String> = query.words.iter().map(|w| w.to_lowercase()).collect();
        let named = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        let roles = ASKS.iter().filter(|(_, names)| named(names));
        Self {
            roles: roles.map(|(role, _)| *role).collect(),
        }
    }

    /// Factor on the score of a file of a role: that of the role, unless it was asked for.
    pub fn weight(&self, role: FileRole) -> f64 {
        if self.roles.contains(&role) {
            1.0
        } else {
            role.weight()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(query: &str) -> QueryKind {
        QueryKind::of(query, &QueryTerms::parse(query))
    }

    #[test]
    fn a_name_is_no_sentence() {
        for (query, expected) in [
            ("Router", QueryKind::Symbol),
            (" Context.JSON ", QueryKind::Symbol),
            ("http retry limit", QueryKind::Keywords),
            ("how retries work", QueryKind::Question),
            ("where is the limit of retries kept?", QueryKind::Question),
        ] {
            assert_eq!(kind(query), expected, "{query}");
        }
    }

    #[test]
    fn what_is_asked_for_by_name_is_not_put_last() {
        let asked = |query: &str, role| AskedFor::of(&QueryTerms::parse(query)).weight(role);
        assert_eq!(asked("tests of the parser", FileRole::Test), 1.0);
        assert_eq!(asked("an example of a plugin", FileRole::Example), 1.0);
        assert!(asked("an example of a plugin", FileRole::Test) < 1.0);
        assert!(asked("testClient", FileRole::Test) < 1.0);
        assert_eq!(asked("parser", FileRole::Product), 1.0);
        assert_eq!(asked("jobs of the ci workflow", FileRole::Settings), 1.0);
        assert!(asked("read settings", FileRole::Settings) < 1.0);
    }
}
