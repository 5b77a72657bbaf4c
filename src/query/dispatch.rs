//! Dispatch that is no call in the repository's own code: where programs begin, what a language or its
//! standard library calls, what a base or interface calls that is not here.

use crate::extract::record::Grammar;
use crate::lang;
use crate::lang::liveness::Contract;

/// Names of functions and methods that a program begins at.
const ENTRY_POINTS: &[&[u8]] =
    byte_words!("main Main WinMain wmain LLVMFuzzerTestOneInput premain");

/// Bases of the standard library that call nothing but what the language calls anyway.
pub const PLAIN_BASES: &[&str] =
    words!("ABC Error Exception Generic Object RuntimeError TypeError ValueError object");

/// Whether a program begins at a function of this name, at the top level of a file or in a type.
pub fn is_entry_point(lang: Grammar, name: &[u8], at_top: bool) -> bool {
    let own = lang::of(lang).liveness.entry_points;
    ENTRY_POINTS.contains(&name) || (at_top && own.contains(&name))
}

/// Whether a method of this name is called by the language or its standard library.
pub fn is_called_by_language(lang: Grammar, name: &[u8]) -> bool {
    let liveness = &lang::of(lang).liveness;
    let dunder = name.starts_with(b"__") && (liveness.calls_underscored || name.ends_with(b"__"));
    let operator = name.first().is_some_and(|b| b"+-*/%<=>!~&|^[".contains(b))
        || name.starts_with(b"operator");
    let known = || {
        let name = std::str::from_utf8(name).unwrap_or_default();
        liveness.called_methods.contains(&name)
    };
    dunder || operator || known()
}

/// The interface of the standard library through which a method may be called, of a type that has the
/// methods for which `has` says so. Of several the one with most methods tells most.
pub fn contract(
    lang: Grammar,
    name: &[u8],
    mut has: impl FnMut(&str) -> bool,
) -> Option<&'static Contract> {
    let of_name = |contract: &&Contract| contract.methods.iter().any(|m| m.as_bytes() == name);
    let contracts = lang::of(lang).liveness.contracts.iter();
    let whole = contracts.filter(of_name).filter(|contract| {
        let mut others = contract.methods.iter().filter(|m| m.as_bytes() != name);
        others.all(|method| has(method))
    });
    whole.max_by_key(|contract| contract.methods.len())
}

/// Whether a base that is not here does not know a method of this name: it is private by its name.
pub fn is_private(name: &[u8]) -> bool {
    name.starts_with(b"_") && !name.starts_with(b"__")
}
