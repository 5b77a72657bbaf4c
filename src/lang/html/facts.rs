//! What sets HTML, Vue and Svelte apart.

use super::resolve;
use crate::lang::javascript::naming;
use crate::lang::language::*;
use crate::modules::ByPath;

/// Components of Vue.
pub(crate) static VUE: Language = components(Grammar::Vue, &["vue"]);

/// Components of Svelte.
pub(crate) static SVELTE: Language = components(Grammar::Svelte, &["svelte"]);

/// Components whose markup uses what their scripts define.
const fn components(grammar: Grammar, extensions: &'static [&'static str]) -> Language {
    Language {
        reader: Reader::Scanner(super::read),
        version: 6,
        extensions,
        parts: &[Grammar::JavaScript, Grammar::TypeScript, Grammar::Css],
        family: Grammar::JavaScript,
        naming: naming::JAVASCRIPT,
        liveness: Liveness {
            markup_uses_script: true,
            ..Liveness::new()
        },
        embedded: Some(super::embedded),
        ..Language::new(grammar)
    }
}

/// HTML.
pub(crate) static HTML: Language = Language {
    reader: Reader::Scanner(super::read),
    version: 4,
    extensions: &["html", "htm", "xhtml"],
    parts: &[Grammar::JavaScript, Grammar::TypeScript, Grammar::Css],
    genre: Genre::Page,
    resolver: Some(|_| Box::new(ByPath(resolve::resolve))),
    embedded: Some(super::embedded),
    ..Language::new(Grammar::Html)
};
