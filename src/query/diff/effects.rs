//! What a change of a definition means for those who use it as before, by the rules of its language
//! ([`Versioning`](crate::lang::versioning)) and by what it takes.

use super::changes::Change as SymbolChange;
use super::signatures::{Signatures, State};
use super::units::{Side, UnitId};
use crate::extract::calls::{By, Change, Need, Parameter, Parameters};
use crate::extract::record::{SymbolFlags, SymbolKind};
use crate::graph::semantics;
use crate::lang;
use crate::lang::language::Language;
use crate::lang::versioning::{Part, Versioning};
use crate::view::text::Texts;

/// What a change of a definition means for those who use it as before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effect {
    /// Nothing, as far as the language looks at it.
    None,
    /// They may give more, or less.
    Additive,
    /// It cannot be said.
    Unknown(Because),
    /// They may fail.
    Breaking(Because),
}

labelled! {
    /// Why a change may break others, or may not be told not to.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Because {
        /// It takes something else.
        Parameters = "takes something else",
        /// It has another type.
        Type = "another type",
        /// Its head is another, in a way that was not read.
        Head = "another head, not read",
        /// Fewer may see it.
        Narrowed = "fewer may see it",
        /// It throws what callers have to take care of, or no longer.
        Throws = "throws otherwise",
        /// It throws something else, and whether callers have to take care of it is not known.
        Thrown = "throws what is not known here",
        /// Others may not list its parts any more.
        Opened = "its parts may not be listed any more",
        /// All parts were seen, so others may make it or list them.
        AllSeen = "all its parts were seen",
        /// Others may look at each case.
        Exhaustive = "others may list each case",
        /// Who has the interface has to have it too.
        Wanted = "each implementation has to have it",
        /// Who makes one has to give it, who gets one may use it.
        MakersOnly = "breaks who makes one, not who gets one",
        /// Programs that were compiled before know another layout.
        Layout = "another layout for what was compiled before",
        /// Its type has one more case, or one less.
        Wider = "a wider or a narrower type",
        /// Its type is not written down in one of the states.
        Unwritten = "its type may be another",
        /// It is part of another type, which may be part of what it was in.
        Regrouped = "in another type, which may be part of it",
        /// Another definition has its name.
        Replaced = "another has its name",
    }
}

impl Signatures<'_> {
    /// What a change means for those who use the definition, or what it is a part of, as before.
    pub fn effect(&mut self, texts: &mut Texts, change: SymbolChange) -> Effect {
        match change {
            SymbolChange::Changed { old, new, how } => {
                let signed = match how.signature {
                    true => self.of_signature(texts, old, new),
                    false => Effect::None,
                };
                let marked = match how.modifiers {
                    true => self.of_marks(old, new),
                    false => Effect::None,
                };
                signed.max(marked)
            }
            SymbolChange::Added(new) => self.of_part(new),
            SymbolChange::Removed(_) => Effect::None,
        }
    }

    /// What another signature means.
    fn of_signature(&mut self, texts: &mut Texts, old: UnitId, new: UnitId) -> Effect {
        let (before, after) = (self.side(State::Old), self.side(State::New));
        let rules = versioning(after, new);
        let (was, is) = (head(before, old), head(after, new));
        let heads = narrowed(rules, &was, &is).max(thrown(rules, &was, &is));
        let checks_types = self.checks_types(new);
        let before = self.parameters(texts, State::Old, old);
        let after = self.parameters(texts, State::New, new);
        let kind = self.side(State::New).unit(new).kind;
        let taken = match (before, after) {
            (Some(before), Some(after)) => parameters(&before, &after, checks_types),
            _ if !checks_types => Effect::None,
            _ if semantics::is_callable(kind) || semantics::is_type(kind) => {
                Effect::Unknown(Because::Head)
            }
            _ => Effect::Breaking(Because::Type),
        };
        heads.max(taken)
    }

    /// What other attributes mean.
    fn of_marks(&self, old: UnitId, new: UnitId) -> Effect {
        let (before, after) = (self.side(State::Old), self.side(State::New));
        let Some(mark) = versioning(after, new).open_mark else {
            return Effect::None;
        };
        match (is_marked(before, old, mark), is_marked(after, new, mark)) {
            (false, true) => Effect::Breaking(Because::Opened),
            _ => Effect::None,
        }
    }

    /// What a part means for those who know the whole.
    fn of_part(&self, new: UnitId) -> Effect {
        let side = self.side(State::New);
        let unit = side.unit(new);
        let Some(outer) = unit.container else {
            return Effect::Additive;
        };
        let rules = versioning(side, new);
        let around = side.unit(outer).kind;
        let is_interface = matches!(around, SymbolKind::Interface | SymbolKind::Trait);
        let is_bare = side
            .symbol(new)
            .is_some_and(|symbol| symbol.flags.contains(SymbolFlags::DECLARATION));
        let text = head(side, new);
        let is_abstract = has_word(&text, "abstract");
        let (rule, because) = match unit.kind {
            SymbolKind::Field if is_interface => (rules.wanted, Because::Wanted),
            SymbolKind::Field if around == SymbolKind::Variant => {
                (rules.variant, Because::Exhaustive)
            }
            SymbolKind::Field => (rules.field, Because::AllSeen),
            SymbolKind::Variant => (rules.variant, Because::Exhaustive),
            _ if is_interface && is_bare || is_abstract => (rules.wanted, Because::Wanted),
            _ if is_bare => match rules.wanted {
                Part::UnknownWith(word) => (Part::UnknownWith(word), Because::Layout),
                _ => (Part::Additive, Because::Wanted),
            },
            _ => (Part::Additive, Because::Wanted),
        };
        let open = rules.open_mark;
        if open.is_some_and(|mark| is_marked(side, outer, mark)) {
            return Effect::Additive;
        }
        match rule {
            Part::Additive => Effect::Additive,
            Part::Breaking => Effect::Breaking(because),
            Part::BreakingUnlessHidden => match self.has_hidden(outer) {
                true => Effect::Additive,
                false => Effect::Breaking(because),
            },
            Part::UnknownUnlessOptional => match is_abstract {
                true => Effect::Breaking(because),
                false if is_optional(side, new) => Effect::Additive,
                false => Effect::Unknown(Because::MakersOnly),
            },
            Part::UnknownWith("") => Effect::Unknown(Because::Layout),
            Part::UnknownWith(word) => match has_word(&text, word) {
                true => Effect::Unknown(Because::Layout),
                false => Effect::Additive,
            },
        }
    }

    /// Whether something had parts, before it changed, that others do not see.
    fn has_hidden(&self, outer: UnitId) -> bool {
        let before = self.side(State::Old);
        let was = self.matches().old_of(outer);
        was.is_some_and(|was| {
            let mut parts = before.inside(was).filter_map(|part| before.symbol(part));
            parts.any(|part| !part.flags.contains(SymbolFlags::EXPORTED))
        })
    }
}

/// What other parameters and another result mean.
fn parameters(before: &Parameters, after: &Parameters, checks_types: bool) -> Effect {
    let reached = |name: &String| {
        let of = |all: &Parameters| -> Option<By> {
            let found: Option<&Parameter> = all.list.iter().find(|one| one.name == *name);
            found.map(|one| one.by)
        };
        // Two ways instead of one.
        match of(after) {
            Some(By::Either) => Effect::Additive,
            _ => Effect::Breaking(Because::Parameters),
        }
    };
    let changes = Parameters::compare(before, after);
    let effects = changes.iter().map(|change| match change {
        Change::Retyped(_) | Change::Result if !checks_types => Effect::None,
        Change::Renamed { is_used: false, .. } => Effect::None,
        Change::Added(_, Need::Optional | Need::Rest) | Change::Relaxed(_) => Effect::Additive,
        Change::Reached(name) => reached(name),
        Change::Retyped(_) | Change::Result => Effect::Breaking(Because::Type),
        _ => Effect::Breaking(Because::Parameters),
    });
    effects.max().unwrap_or(Effect::None)
}

/// What other words for who may see something mean.
fn narrowed(rules: &Versioning, was: &str, is: &str) -> Effect {
    let words = rules.visibilities;
    if words.is_empty() {
        return Effect::None;
    }
    let rank = |head: &str| {
        let found = words.iter().position(|word| has_word(head, word));
        // Without a word: between the last two.
        found.map_or(2 * words.len() - 3, |at| 2 * at)
    };
    match rank(is) > rank(was) {
        true => Effect::Breaking(Because::Narrowed),
        false => Effect::None,
    }
}

/// What other exceptions mean.
fn thrown(rules: &Versioning, was: &str, is: &str) -> Effect {
    let Some(word) = rules.throws else {
        return Effect::None;
    };
    let names = |head: &str| -> Vec<String> {
        let behind = head.split_once(&format!(" {word} "));
        let names = behind.map_or("", |(_, names)| names).split(',');
        let last = names.map(|name| name.trim().trim_end_matches(['{', ';']).trim());
        let last = last.map(|name| name.rsplit('.').next().unwrap_or(name).to_owned());
        last.filter(|name| !name.is_empty()).collect()
    };
    let (was, is) = (names(was), names(is));
    let differ = was
        .iter()
        .filter(|name| !is.contains(name))
        .chain(is.iter().filter(|name| !was.contains(name)));
    let differ = differ.filter(|name| !rules.unchecked.contains(&name.as_str()));
    // What the repository or a library declares may be of either sort.
    let effects = differ.map(|name| match CHECKED.contains(&name.as_str()) {
        true => Effect::Breaking(Because::Throws),
        false => Effect::Unknown(Because::Thrown),
    });
    effects.max().unwrap_or(Effect::None)
}

/// Exceptions of standard libraries that callers have to take care of.
const CHECKED: [&str; 8] = [
    "Exception",
    "Throwable",
    "IOException",
    "FileNotFoundException",
    "InterruptedException",
    "ClassNotFoundException",
    "SQLException",
    "TimeoutException",
];

/// The rules of the language of a definition.
fn versioning(side: &Side<'_>, unit: UnitId) -> &'static Versioning {
    let doc = side.view.file(side.unit(unit).file).doc;
    let language: Option<&'static Language> = doc.map(|doc| {
        let segment = &side.view.segment(doc.segment).segment;
        lang::of(segment.doc(doc.doc).lang)
    });
    match language {
        Some(language) => &language.versioning,
        None => &USUAL,
    }
}

const USUAL: Versioning = Versioning::new();

/// What stands before the body of a definition, blanks made one.
fn head(side: &Side<'_>, unit: UnitId) -> String {
    let text = side.symbol(unit).and_then(|symbol| {
        let code = side.code(side.unit(unit).file)?;
        Some(String::from_utf8_lossy(code.text.slice(symbol.signature)).into_owned())
    });
    let text = text.unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_word(text: &str, word: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|of| of == word)
}

/// Whether a definition bears an attribute.
fn is_marked(side: &Side<'_>, unit: UnitId, mark: &str) -> bool {
    has_word(&String::from_utf8_lossy(side.lead(unit)), mark)
}

/// Whether a mark behind the name says that a part may be left out.
fn is_optional(side: &Side<'_>, unit: UnitId) -> bool {
    let found = side.symbol(unit).and_then(|symbol| {
        let code = side.code(side.unit(unit).file)?;
        let line = code.text.line(symbol.name_line);
        let own = super::dangling::own_bytes(&side.unit(unit).name).len();
        line.get(symbol.name_col as usize + own).copied()
    });
    found == Some(b'?')
}
