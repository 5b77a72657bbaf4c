//! Whether what a call gives fits what a definition takes.

use super::{Arguments, By, Change, Need, Parameter, Parameters, Receiver, Strictness, Through};
use std::cmp::Ordering;

/// Why a call does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// Fewer arguments than have to be given.
    TooFew {
        /// How many the call gives.
        given: usize,
        /// How many are taken.
        takes: Takes,
    },
    /// More arguments than can be taken.
    TooMany {
        /// How many the call gives.
        given: usize,
        /// How many are taken.
        takes: Takes,
    },
    /// A parameter that has to be named and is not, or that no argument reaches.
    Missing(String),
    /// A name that no parameter has.
    Unexpected(String),
    /// A parameter that is given by its place and by its name.
    Twice(String),
    /// What is given for one parameter is taken for another, which has its place now.
    Displaced {
        /// The one it is given for.
        meant: String,
        /// The one that takes it.
        taken: String,
    },
}

/// How many arguments are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takes {
    /// How many have to be given.
    pub least: usize,
    /// How many can be; `None` for any number.
    pub most: Option<usize>,
}

/// Whether a call fits a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fit {
    /// It does.
    Fits,
    /// It is an error of the language.
    No(Misfit),
    /// The numbers differ, which the language lets pass: it may no longer do what was meant.
    Loosely(Misfit),
    /// It cannot be said.
    Unknown,
}

/// Whether what a call gives fits what a definition takes.
pub fn fit(parameters: &Parameters, arguments: &Arguments) -> Fit {
    if arguments.may_be_several {
        return Fit::Unknown;
    }
    let as_given = || misfit(parameters, arguments, true);
    let as_bound = || misfit(parameters, arguments, false);
    let found = match (parameters.receiver, arguments.through) {
        (Receiver::None | Receiver::Implied, _) | (_, Through::Object) => as_bound(),
        (Receiver::Object, Through::Path) => as_given(),
        (Receiver::Object, Through::Nothing | Through::Either) => match as_bound() {
            Some(misfit) if as_given().is_some() => Some(misfit),
            _ => None,
        },
    };
    let Some(misfit) = found else {
        return Fit::Fits;
    };
    // Before Ruby 3 a hash in the last place was taken for names.
    let takes_names = || parameters.list.iter().any(|one| one.by == By::Name);
    if arguments.names_are_a_hash && arguments.named.is_empty() && takes_names() {
        return Fit::Unknown;
    }
    let is_surplus = matches!(misfit, Misfit::TooMany { .. });
    match parameters.strictness {
        Strictness::Checked => Fit::No(misfit),
        Strictness::Surplus if !is_surplus => Fit::No(misfit),
        Strictness::ValuesElsewhere if is_surplus => Fit::No(misfit),
        Strictness::ValuesElsewhere => Fit::Unknown,
        Strictness::Surplus | Strictness::Loose => Fit::Loosely(misfit),
    }
}

/// Whether what a call gives fits one of several definitions that it may mean, of which the first is asked
/// about; `None` where one cannot be read.
pub fn fit_any(overloads: &[Option<Parameters>], arguments: &Arguments) -> Fit {
    let each = overloads.iter().map(|parameters| match parameters {
        Some(parameters) => fit(parameters, arguments),
        None => Fit::Unknown,
    });
    let mut worst = None;
    let mut is_unknown = overloads.is_empty();
    for found in each {
        match found {
            Fit::Fits => return Fit::Fits,
            Fit::Unknown => is_unknown = true,
            other => worst = worst.or(Some(other)),
        }
    }
    match worst {
        Some(worst) if !is_unknown => worst,
        _ => Fit::Unknown,
    }
}

/// Whether what a call gives by place for one parameter of a definition is taken for another since it changed,
/// though the numbers fit. `None` too where it cannot be said.
pub fn displaced(before: &Parameters, after: &Parameters, given: &Arguments) -> Option<Misfit> {
    let is_bound =
        |of: &Parameters| of.receiver != Receiver::Object || given.through == Through::Object;
    if given.may_be_several || given.spreads || !is_bound(before) || !is_bound(after) {
        return None;
    }
    let changes = Parameters::compare(before, after);
    let is_renamed = |old: &Parameter, new: &Parameter| {
        let mut all = changes.iter();
        all.any(|change| match change {
            Change::Renamed { from, to, .. } => *from == old.name && *to == new.name,
            _ => false,
        })
    };
    let mut both = (0..given.positional).map_while(|at| Some((before.at(at)?, after.at(at)?)));
    let (old, new) = both.find(|(old, new)| {
        let is_named = !old.name.is_empty() && !new.name.is_empty();
        // What takes all that is given takes this, too.
        let is_rest = new.need == Need::Rest;
        is_named && !is_rest && old.name != new.name && !is_renamed(old, new)
    })?;
    Some(Misfit::Displaced {
        meant: old.name.clone(),
        taken: new.name.clone(),
    })
}

/// Why a call does not fit; the object is an argument where `gives_object`.
fn misfit(parameters: &Parameters, arguments: &Arguments, gives_object: bool) -> Option<Misfit> {
    let object = usize::from(gives_object && parameters.receiver == Receiver::Object);
    let has_names = parameters.list.iter().any(|one| one.by != By::Position);
    let hash = arguments.names_are_a_hash && !has_names && !arguments.named.is_empty();
    let given = arguments.positional + usize::from(hash);
    let named: &[String] = if hash { &[] } else { &arguments.named };
    let is_placed = |one: &&Parameter| one.by != By::Name && one.need != Need::Rest;
    let placed: Vec<&Parameter> = parameters.list.iter().filter(is_placed).collect();
    let most = object + placed.len();
    let required = placed
        .iter()
        .filter(|one| one.need == Need::Required)
        .count();
    // A rest that has a label takes what follows its first without one.
    let any_rest = |one: &Parameter| one.need == Need::Rest;
    let takes_more = parameters.is_variadic()
        || !parameters.takes_any_name() && parameters.list.iter().any(any_rest);
    let takes = Takes {
        least: object + required,
        most: (!takes_more).then_some(most),
    };
    if arguments.gives_rest {
        // What is handed on as the rest is no other parameter, so each of those is given by itself.
        let takes = Takes {
            least: most,
            most: Some(most),
        };
        return match given.cmp(&most) {
            Ordering::Less => Some(Misfit::TooFew { given, takes }),
            Ordering::Greater => Some(Misfit::TooMany { given, takes }),
            Ordering::Equal if parameters.is_variadic() => None,
            Ordering::Equal => Some(Misfit::TooMany {
                given: given + 1,
                takes,
            }),
        };
    }
    if given > most && !takes_more {
        return Some(Misfit::TooMany { given, takes });
    }
    for name in named {
        let place = placed.iter().position(|one| one.name == *name);
        let may_be_named = |one: &Parameter| one.by != By::Position && one.name == *name;
        match (place, parameters.list.iter().any(may_be_named)) {
            (Some(at), true) if object + at < given => return Some(Misfit::Twice(name.clone())),
            (_, true) => {}
            (_, false) if parameters.takes_any_name() => {}
            (_, false) => return Some(Misfit::Unexpected(name.clone())),
        }
    }
    let is_named = |one: &Parameter| named.contains(&one.name);
    let is_missing = |one: &&Parameter| one.need == Need::Required && !is_named(one);
    // By place: what is left of those that are required when the given ones are used up.
    let behind = placed.len().saturating_sub(arguments.trailing);
    let may_skip = placed.iter().any(|one| one.by == By::Either);
    let lack = if may_skip {
        let places = placed.iter().enumerate();
        let open =
            places.filter(|(at, one)| object + at >= given && *at < behind && is_missing(one));
        open.count() + object.saturating_sub(given)
    } else {
        (object + required).saturating_sub(given + arguments.trailing)
    };
    if lack > 0 && !arguments.spreads && !arguments.spreads_names {
        let mut open = placed.iter().skip(given.saturating_sub(object));
        return Some(match open.find(|one| is_missing(one)) {
            Some(one) if may_skip && !named.is_empty() && !one.name.is_empty() => {
                Misfit::Missing(one.name.clone())
            }
            _ => Misfit::TooFew {
                given: given + arguments.trailing,
                takes,
            },
        });
    }
    let by_name = parameters.list.iter().filter(|one| one.by == By::Name);
    let mut missing: Vec<&Parameter> = by_name.filter(is_missing).collect();
    missing.truncate(missing.len().saturating_sub(arguments.trailing));
    match missing.first() {
        Some(one) if !arguments.spreads_names => Some(Misfit::Missing(one.name.clone())),
        _ => None,
    }
}
