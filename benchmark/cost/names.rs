//! Names to ask for.

use crate::Result;
use crate::subject::Subject;
use git_sverklo::query::engine::{Engine, Pinned};
use git_sverklo::query::request::Revision;
use git_sverklo::query::{Quiet, ids::DocSymbols};
use std::collections::BTreeMap;

/// Names that a subject defines, from which questions are made.
pub struct Sample {
    names: Vec<Name>,
}

/// One name.
pub struct Name {
    pub text: String,
    /// Language of a file that defines it.
    pub lang: &'static str,
}

impl Sample {
    /// The names of a subject's `HEAD`.
    pub fn of(subject: &Subject) -> Result<Self> {
        let engine = Engine::open(&subject.dir)?;
        let pinned = engine.pin(&Revision::At("HEAD".to_owned()), &Quiet)?;
        Self::of_view(&pinned)
    }

    /// Distinct names of symbols, sorted: the sample is the same in every run.
    pub fn of_view(pinned: &Pinned) -> Result<Self> {
        let view = pinned.view();
        let mut names = BTreeMap::new();
        for file in view.files() {
            let Some(doc) = file.doc else { continue };
            let segment = &view.segment(doc.segment).segment;
            let lang = segment.doc(doc.doc).lang.label();
            let symbols = DocSymbols::load(segment, doc.doc);
            for i in 0..symbols.all().len() {
                names.entry(symbols.name(i)).or_insert(lang);
            }
        }
        // Headings are prose: looking one up is a search.
        names.retain(|name, _| !name.is_empty() && !name.contains([' ', '#', '/']));
        let names: Vec<Name> = names
            .into_iter()
            .map(|(text, lang)| Name { text, lang })
            .collect();
        if names.is_empty() {
            return Err("no symbol to ask for".into());
        }
        Ok(Self { names })
    }

    /// The i-th name; neighbours are far apart in the alphabet.
    pub fn name(&self, i: usize) -> &Name {
        &self.names[i * 7919 % self.names.len()]
    }

    /// Two names as somebody would say them.
    pub fn words(&self, i: usize) -> String {
        format!(
            "{} {}",
            words(&self.name(i).text),
            words(&self.name(i + 1).text)
        )
    }
}

/// A name as somebody would say it.
fn words(name: &str) -> String {
    let mut words = Vec::new();
    git_sverklo::extract::terms::for_each_subword(name.as_bytes(), |part| {
        words.push(String::from_utf8_lossy(part).into_owned());
    });
    words.join(" ")
}
