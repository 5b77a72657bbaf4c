//! Stems: what the forms of an English word have in common.
//!
//! Used where a question meets the name of a file or a definition, which are of few words: who asks
//! how *routing* is done means `router.js`, and speaks of routes. The index holds whole words; the
//! forms of a stem are looked up one by one. A stem is only ever compared with stems.

/// Letters that a stem keeps at least.
const MIN_STEM: usize = 3;

/// Endings taken off, of which the first that fits counts: longer ones come first.
const ENDINGS: &[&[u8]] = &[
    b"ations", b"ation", b"ating", b"ators", b"ator", b"ated", b"ate", b"ings", b"ing", b"ions",
    b"ion", b"ers", b"er", b"ors", b"or", b"ed", b"e",
];

/// Returns the stem of a folded sub-word; other scripts are left as they are.
pub fn stem(word: &[u8]) -> Vec<u8> {
    if word.len() <= MIN_STEM || !word.is_ascii() {
        return word.to_vec();
    }
    let mut stem = singular(word);
    let ending = ENDINGS
        .iter()
        .find(|ending| stem.ends_with(ending) && stem.len() >= ending.len() + MIN_STEM);
    if let Some(ending) = ending {
        stem.truncate(stem.len() - ending.len());
    }
    // `running`, `mapper`: the letter was doubled for the ending.
    if let [.., before, last] = stem[..]
        && ending.is_some()
        && stem.len() > MIN_STEM
        && before == last
        && !matches!(last, b'l' | b's')
    {
        stem.pop();
    }
    stem
}

/// Returns the words that have a stem, as far as endings alone make them: what to look up in a
/// dictionary of whole words.
pub fn forms(of: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![of.to_vec()];
    if of.len() < MIN_STEM || !of.is_ascii() {
        return forms;
    }
    let mut add = |base: &[u8], ending: &[u8]| {
        let form = [base, ending].concat();
        if stem(&form) == of && !forms.contains(&form) {
            forms.push(form);
        }
    };
    for ending in ENDINGS.iter().chain(&[&b"s"[..], b"es", b"ates"]) {
        add(of, ending);
    }
    if let Some(base) = of.strip_suffix(b"y") {
        add(base, b"ies");
    }
    let doubled = [of, &of[of.len() - 1..]].concat();
    for ending in [&b"ed"[..], b"er", b"ers", b"ing"] {
        add(&doubled, ending);
    }
    forms
}

/// Takes the mark of a plural off.
fn singular(word: &[u8]) -> Vec<u8> {
    let mut word = word.to_vec();
    if word.ends_with(b"ies") && word.len() > MIN_STEM + 1 {
        word.truncate(word.len() - 3);
        word.push(b'y');
    } else if word.ends_with(b"s")
        && ![&b"ss"[..], b"us", b"is"]
            .iter()
            .any(|end| word.ends_with(end))
    {
        word.pop();
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            &["route", "router", "routers", "routing", "routes", "routed"][..],
            &["parse", "parser", "parsing", "parses"],
            &["validate", "validation", "validator", "validations"],
            &["run", "runner", "running", "runs"],
            &["query", "queries"],
            &["map", "mapper", "mapping"],
        ] {
            for form in forms {
                assert_eq!(
                    String::from_utf8(stem(form.as_bytes())),
                    String::from_utf8(stem(forms[0].as_bytes())),
                    "{form}"
                );
            }
        }
    }

    #[test]
    fn the_forms_of_a_stem_have_that_stem() {
        for word in *words!("routing validation queries mapper class x größe") {
            let of = stem(word.as_bytes());
            let forms = forms(&of);
            assert!(
                forms.iter().all(|form| *form == of || stem(form) == of),
                "{word}"
            );
            assert!(
                *word.as_bytes() == of[..] || forms.contains(&word.as_bytes().to_vec()),
                "{word}"
            );
        }
    }

    #[test]
    fn short_words_and_other_words_stay_apart() {
        assert_eq!(stem(b"user"), b"user");
        assert_eq!(stem(b"class"), b"class");
        assert_eq!(stem(b"status"), b"status");
        assert_ne!(stem(b"form"), stem(b"format"));
        assert_ne!(stem(b"port"), stem(b"part"));
        assert_eq!(stem("größer".as_bytes()), "größer".as_bytes());
        assert_eq!(stem(b""), b"");
    }
}
