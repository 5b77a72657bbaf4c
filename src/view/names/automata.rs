//! What is looked for among names, as automata over their bytes.
//!
//! Tables hold names as they are written, so what ignores case is handed the lower-case form, character by character
//! ([`Folded`]). An automaton may take a few names too many (bytes that are no UTF-8 are folded
//! otherwise as a whole); whoever asks looks at what it gets.

use fst::Automaton;
use levenshtein_automata::{DFA, Distance, LevenshteinAutomatonBuilder, SINK_STATE};
use regex_automata::Anchored;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_syntax::hir::Look;
use std::sync::LazyLock;

/// Longest expression that is read, in bytes.
const MAX_EXPRESSION: usize = 1 << 10;
/// Most bytes that an expression may take as an automaton: `\w{1,20}` in all scripts takes less.
const MAX_AUTOMATON: usize = 4 << 20;

/// What reads the lower-case forms of names, byte by byte.
pub trait OfFolded {
    /// How far it is.
    type State: Clone;
    /// Before the first byte.
    fn begin(&self) -> Self::State;
    /// After one more byte.
    fn step(&self, state: &Self::State, byte: u8) -> Self::State;
    /// Whether it takes a name that ends here.
    fn takes(&self, state: &Self::State) -> bool;
    /// Whether it takes any name that goes on from here.
    fn may_take(&self, state: &Self::State) -> bool;
}

/// Hands the lower-case form of what it reads on, as [`crate::extract::terms::fold`] makes it.
pub struct Folded<A>(pub A);

/// A state of what reads the lower-case form, and the bytes of a character that has begun.
#[derive(Clone)]
pub struct FoldedState<S> {
    /// State of what reads it.
    pub inner: S,
    begun: [u8; 4],
    len: u8,
}

impl<A: OfFolded> Automaton for Folded<A> {
    type State = FoldedState<A::State>;

    fn start(&self) -> Self::State {
        FoldedState {
            inner: self.0.begin(),
            begun: [0; 4],
            len: 0,
        }
    }

    fn is_match(&self, state: &Self::State) -> bool {
        state.len == 0 && self.0.takes(&state.inner)
    }

    fn can_match(&self, state: &Self::State) -> bool {
        self.0.may_take(&state.inner)
    }

    fn accept(&self, state: &Self::State, byte: u8) -> Self::State {
        let mut next = state.clone();
        let feed = |inner: &mut A::State, bytes: &[u8]| {
            bytes
                .iter()
                .for_each(|byte| *inner = self.0.step(inner, *byte));
        };
        if byte.is_ascii() && state.len == 0 {
            feed(&mut next.inner, &[byte.to_ascii_lowercase()]);
            return next;
        }
        next.begun[usize::from(next.len)] = byte;
        next.len += 1;
        let begun = &next.begun[..usize::from(next.len)];
        match std::str::from_utf8(begun) {
            Ok(text) => {
                let mut buffer = [0; 4];
                for c in text.chars().flat_map(char::to_lowercase) {
                    feed(&mut next.inner, c.encode_utf8(&mut buffer).as_bytes());
                }
                next.len = 0;
            }
            // Its end is still to come.
            Err(error) if error.error_len().is_none() && begun.len() < 4 => {}
            Err(_) => {
                feed(&mut next.inner, &begun.to_ascii_lowercase());
                next.len = 0;
            }
        }
        next
    }
}

/// Takes what begins with some bytes.
pub struct Begins<'a>(pub &'a [u8]);

impl OfFolded for Begins<'_> {
    /// How many of the bytes have been read; `None` when it begins with others.
    type State = Option<usize>;

    fn begin(&self) -> Option<usize> {
        Some(0)
    }

    fn step(&self, read: &Option<usize>, byte: u8) -> Option<usize> {
        let read = (*read)?;
        match self.0.get(read) {
            Some(next) => (*next == byte).then_some(read + 1),
            None => Some(read),
        }
    }

    fn takes(&self, read: &Option<usize>) -> bool {
        *read == Some(self.0.len())
    }

    fn may_take(&self, read: &Option<usize>) -> bool {
        read.is_some()
    }
}

/// Takes what is a few letters off a word.
pub struct Near(DFA);

impl Near {
    /// Takes what is at most `edits` (one or two) insertions, deletions and replacements of a character off `word`.
    pub fn new(word: &str, edits: u32) -> Self {
        static ONE: LazyLock<LevenshteinAutomatonBuilder> =
            LazyLock::new(|| LevenshteinAutomatonBuilder::new(1, false));
        static TWO: LazyLock<LevenshteinAutomatonBuilder> =
            LazyLock::new(|| LevenshteinAutomatonBuilder::new(2, false));
        let builder = if edits < 2 { &ONE } else { &TWO };
        Self(builder.build_dfa(word))
    }

    /// How far off the word a name is that ends in a state, if it is taken.
    pub fn distance(&self, state: u32) -> Option<u32> {
        match self.0.distance(state) {
            Distance::Exact(edits) => Some(u32::from(edits)),
            Distance::AtLeast(_) => None,
        }
    }
}

impl OfFolded for Near {
    type State = u32;

    fn begin(&self) -> u32 {
        self.0.initial_state()
    }

    fn step(&self, state: &u32, byte: u8) -> u32 {
        self.0.transition(*state, byte)
    }

    fn takes(&self, state: &u32) -> bool {
        self.distance(*state).is_some()
    }

    fn may_take(&self, state: &u32) -> bool {
        *state != SINK_STATE
    }
}

/// Takes names in which a regular expression matches, anywhere unless it says where.
pub struct Expression {
    dfa: dense::DFA<Vec<u32>>,
    start: StateID,
}

/// An expression that cannot be looked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadExpression {
    /// It is none: why.
    #[error("{0}")]
    Syntax(String),
    /// It takes more memory than names are worth.
    #[error("it takes too much memory; a shorter one may do")]
    TooLarge,
}

impl Expression {
    /// Reads an expression in the syntax of `search -E`. Fails on bad syntax, on boundaries of words (`\b`) outside of
    /// ASCII, and on what takes too much memory.
    pub fn new(pattern: &str, ignores_case: bool) -> Result<Self, BadExpression> {
        if pattern.len() > MAX_EXPRESSION {
            return Err(BadExpression::TooLarge);
        }
        let syntax = syntax::Config::new()
            .case_insensitive(ignores_case)
            .dot_matches_new_line(true)
            .utf8(false);
        let hir = syntax::parse_with(pattern, &syntax)
            .map_err(|error| BadExpression::Syntax(first_line(&error.to_string())))?;
        let nfa = thompson::Config::new()
            .utf8(false)
            .nfa_size_limit(Some(MAX_AUTOMATON));
        let nfa = thompson::Compiler::new()
            .configure(nfa)
            .build_from_hir(&hir);
        let nfa = nfa.map_err(|_| BadExpression::TooLarge)?;
        // What begins at the beginning need not be looked for behind it, which rules out most names at once.
        let begins = hir.properties().look_set_prefix().contains(Look::Start);
        let (start_kind, anchored) = match begins {
            true => (StartKind::Anchored, Anchored::Yes),
            false => (StartKind::Unanchored, Anchored::No),
        };
        let config = dense::Config::new()
            .start_kind(start_kind)
            .unicode_word_boundary(true)
            .match_kind(regex_automata::MatchKind::All)
            .dfa_size_limit(Some(MAX_AUTOMATON))
            .determinize_size_limit(Some(MAX_AUTOMATON));
        let built = dense::Builder::new().configure(config).build_from_nfa(&nfa);
        let dfa = built.map_err(|_| BadExpression::TooLarge)?;
        let at_start = start::Config::new().anchored(anchored);
        let start = dfa
            .start_state(&at_start)
            .map_err(|_| BadExpression::TooLarge)?;
        Ok(Self { dfa, start })
    }

    /// Whether it takes a name.
    pub fn takes(&self, name: &[u8]) -> bool {
        let end = name
            .iter()
            .fold(self.start(), |state, byte| self.accept(&state, *byte));
        self.is_match(&end)
    }
}

/// What an error says in its last line, which is the reason; those before it draw the place.
fn first_line(error: &str) -> String {
    let last = error.lines().last().unwrap_or(error);
    last.trim_start_matches("error: ").to_owned()
}

/// A state of an expression.
#[derive(Clone)]
pub enum Reading {
    /// It has matched.
    Matched,
    /// It may match yet.
    At(StateID),
}

impl Automaton for Expression {
    type State = Reading;

    fn start(&self) -> Reading {
        Reading::At(self.start)
    }

    fn is_match(&self, state: &Reading) -> bool {
        match state {
            Reading::Matched => true,
            Reading::At(state) => self.dfa.is_match_state(self.dfa.next_eoi_state(*state)),
        }
    }

    fn can_match(&self, state: &Reading) -> bool {
        match state {
            Reading::Matched => true,
            Reading::At(state) => !self.dfa.is_dead_state(*state),
        }
    }

    fn will_always_match(&self, state: &Reading) -> bool {
        matches!(state, Reading::Matched)
    }

    fn accept(&self, state: &Reading, byte: u8) -> Reading {
        let Reading::At(state) = state else {
            return Reading::Matched;
        };
        // Matches are told one byte late.
        let next = self.dfa.next_state(*state, byte);
        match self.dfa.is_match_state(next) {
            true => Reading::Matched,
            false => Reading::At(next),
        }
    }
}
