//! Properties of beans: what templates, languages of expressions and serialisers call `getNiceName` and `isWide` by, `niceName`
//! and `wide` (JavaBeans 1.01, sections 8.3 and 8.8).
//!
//! Guarantee: only what is no code is read, and only places are told where the property is written as a member, a key or a
//! text. Deliberately absent: setters, whose names say as little as those of fields.

use super::holders::{Among, holders};
use super::unexplained::MIN_NAME_BYTES;
use crate::extract::record::Grammar;
use crate::lang;
use crate::lang::naming::Accessors;
use crate::view::live::{FileId, View};
use crate::view::text::Texts;

/// The property that a method gives by its name, in a language whose fields are read by such methods.
pub fn of_getter(lang: Grammar, name: &[u8]) -> Option<Vec<u8>> {
    if lang::of(lang).naming.accessors != Accessors::Methods {
        return None;
    }
    let rest = [&b"get"[..], b"is"]
        .iter()
        .find_map(|word| name.strip_prefix(*word))?;
    let (first, second) = (rest.first()?, rest.get(1));
    let is_property = first.is_ascii_uppercase() && rest.len() >= MIN_NAME_BYTES;
    let mut property = rest.to_vec();
    // `getURL` gives `URL`.
    if !second.is_some_and(u8::is_ascii_uppercase) {
        property[0].make_ascii_lowercase();
    }
    is_property.then_some(property)
}

/// The first place outside of code at which the property of a getter is written.
pub fn read_of(
    view: &View,
    texts: &mut Texts,
    (lang, name): (Grammar, &[u8]),
) -> Option<(FileId, u32)> {
    let property = of_getter(lang, name)?;
    holders(view, Grammar::Text, &property, Among::All)
        .into_iter()
        .find_map(|file| {
            let text = texts.if_here(view, file)?;
            let bytes = text.bytes();
            let mut words = text.words(&property);
            let at = words.find(|at| {
                let before = (*at as usize).checked_sub(1).and_then(|at| bytes.get(at));
                before.is_some_and(|byte| b".{\"'!".contains(byte))
            })?;
            Some((file, text.place(at).0))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_getter_has_the_property_of_its_name() {
        let property = |name: &str| of_getter(Grammar::Java, name.as_bytes());
        assert_eq!(property("getNiceName").unwrap(), b"niceName");
        assert_eq!(property("isWide").unwrap(), b"wide");
        assert_eq!(property("getURL").unwrap(), b"URL");
        for none in ["get", "getter", "issue", "getId", "is"] {
            assert_eq!(property(none), None, "{none}");
        }
        assert_eq!(of_getter(Grammar::Go, b"getNiceName"), None);
    }
}
