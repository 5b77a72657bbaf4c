//! Renders what stands where nothing was found: a line each for where it was looked, what of that was
//! not understood, and what is near; the call that may help goes into the footer.

use super::layout::Item;
use super::upkeep::skip_list;
use super::{Voice, clean, count};
use crate::query::nothing::{Few, Nothing, Step};
use serde::Serialize;

/// Longest glob said back, and most of them.
const MAX_GLOB: usize = 60;
const MAX_GLOBS: usize = 4;
/// Longest argument of a proposed call, in characters.
const MAX_ARGUMENT: usize = 100;

/// The tool that has found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    /// `refs`.
    Refs,
    /// Any other: of a name they would ask `symbol`.
    Other,
}

/// The lines, the most important of the least rank, which is `rank`. Those of a question of which something
/// was found (a definition without uses) do not begin with "nothing found".
pub(super) fn items(nothing: &Nothing, rank: usize, is_all: bool) -> Vec<Item> {
    let label = if is_all { "nothing found: " } else { "" };
    let mut items = vec![Item::remark(
        rank,
        format!("{label}{}\n", searched(nothing)),
    )];
    let Few { total, first } = &nothing.hidden;
    if *total > 0 {
        let line = format!(
            "stands in lines that were not understood: {}\n",
            named(*total, first)
        );
        items.push(Item::remark(rank + 1, line));
    }
    let unclear = unclear(nothing);
    if !unclear.is_empty() {
        let line = format!("not understood: {}\n", unclear.join("; "));
        items.push(Item::remark(rank + 2, line));
    }
    let names = nothing.names.iter().map(|name| clean::whole(name));
    let paths = nothing.paths.iter().map(|path| clean::path(path));
    let near: Vec<String> = names.chain(paths).collect();
    if !near.is_empty() {
        let line = format!("near: {}\n", near.join(", "));
        items.push(Item::remark(rank + 1, line));
    }
    items
}

fn searched(nothing: &Nothing) -> String {
    let all = count(nothing.files as u64, "file");
    let mut text = match nothing.searched == nothing.files {
        true => format!("searched {all}"),
        false => format!("searched {} of {all}", nothing.searched),
    };
    let within = restrictions(nothing);
    if !within.is_empty() {
        text += &format!(" ({})", within.join("; "));
    }
    if nothing.beyond > 0 {
        text += &format!("; without that {} found", nothing.beyond);
    }
    text
}

/// What the question was restricted to.
fn restrictions(nothing: &Nothing) -> Vec<String> {
    let given = given_lists(nothing).map(|(label, list)| {
        let shown = list.iter().take(MAX_GLOBS);
        let shown: Vec<String> = shown
            .map(|text| clean::path(&clean::line(text, MAX_GLOB)))
            .collect();
        let more = if list.len() > MAX_GLOBS { " …" } else { "" };
        let text = format!("{label} {}{more}", shown.join(" "));
        text.trim_end().to_owned()
    });
    given.collect()
}

fn unclear(nothing: &Nothing) -> Vec<String> {
    let mut parts = Vec::new();
    let Few { total, first } = &nothing.broken;
    if *total > 0 {
        let files = count(*total as u64, "file");
        parts.push(format!(
            "syntax errors in {files} ({})",
            named(*total, first)
        ));
    }
    let Few { total, first } = &nothing.unread;
    if *total > 0 {
        let why = skip_list(&nothing.reasons);
        let named = match first.is_empty() {
            true => String::new(),
            false => format!(" ({})", named(*total, first)),
        };
        parts.push(format!("not read {why}{named}"));
    }
    parts
}

/// The first of some files, or of lines in them.
fn named(total: usize, first: &[String]) -> String {
    let paths: Vec<String> = first.iter().map(|path| clean::place(path)).collect();
    let more = if total > first.len() { ", …" } else { "" };
    format!("{}{more}", paths.join(", "))
}

/// Spells the call that may help.
pub(super) fn advice(nothing: &Nothing, tool: Tool, voice: Voice) -> Option<String> {
    let short = |text: &str| clean::line(text, MAX_ARGUMENT);
    let name = |text: &str| voice.last(&short(text));
    let path = |text: &str| voice.path(&short(text));
    Some(match (nothing.step.as_ref()?, tool, voice) {
        (Step::Widen, _, Voice::Tool) => format!("without {}", given(nothing, "")),
        (Step::Widen, _, Voice::Command) => format!("without {}", given(nothing, "--")),
        (Step::Below(folder), ..) => voice.set("scope", path(folder)),
        (Step::Instead(of), Tool::Refs, Voice::Tool) => format!("refs target={}", name(of)),
        (Step::Instead(of), Tool::Refs, Voice::Command) => format!("git sverklo refs {}", name(of)),
        (Step::Instead(of), _, Voice::Tool) => format!("symbol name={}", name(of)),
        (Step::Instead(of), _, Voice::Command) => format!("git sverklo symbol {}", name(of)),
        (Step::Outline(of), _, Voice::Tool) => format!("symbol name={}", path(of)),
        (Step::Outline(of), _, Voice::Command) => format!("git sverklo symbol {}", path(of)),
        (Step::Search(words), _, Voice::Tool) => format!("search query=\"{}\"", short(words)),
        (Step::Search(words), _, Voice::Command) => format!("git sverklo search {}", name(words)),
        (Step::Cover, ..) => "git sverklo status".to_owned(),
        (Step::Map, _, Voice::Tool) => "map".to_owned(),
        (Step::Map, _, Voice::Command) => "git sverklo map".to_owned(),
    })
}

/// Names of the parameters that restrict the question.
fn given(nothing: &Nothing, dashes: &str) -> String {
    let given = given_lists(nothing).map(|(label, _)| format!("{dashes}{label}"));
    given.collect::<Vec<_>>().join(", ")
}

/// The parameters that restrict the question, with what they were given.
fn given_lists(nothing: &Nothing) -> impl Iterator<Item = (&'static str, &[String])> {
    let scope = &nothing.scope;
    let lists = [
        ("scope", &scope.globs[..]),
        ("lang", &scope.languages),
        ("kind", &scope.kinds),
        ("changed", scope.changed.as_slice()),
    ];
    lists.into_iter().filter(|(_, list)| !list.is_empty())
}

/// Where nothing was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Wire {
    /// Files looked at.
    pub searched: usize,
    /// Files there are.
    pub files: usize,
    /// How much there is without scope, lang and kind.
    pub beyond: u64,
    /// Files with syntax errors.
    pub syntax_errors: usize,
    /// Files not read.
    pub not_read: usize,
    /// Places where the name stands in lines that were not understood.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// The first of the files with syntax errors and of those not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_understood: Vec<String>,
    /// Names spelt alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Paths that end alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
}

impl Wire {
    /// The wire form.
    pub(super) fn of(nothing: Option<&Nothing>) -> Option<Self> {
        let nothing = nothing?;
        Some(Self {
            searched: nothing.searched,
            files: nothing.files,
            beyond: nothing.beyond,
            syntax_errors: nothing.broken.total,
            not_read: nothing.unread.total,
            hidden: nothing.hidden.first.clone(),
            not_understood: [&nothing.broken.first[..], &nothing.unread.first].concat(),
            names: super::wire::texts(&nothing.names),
            paths: nothing.paths.clone(),
        })
    }
}

/// What stands where nothing was found, with names that are near.
#[cfg(test)]
pub(crate) fn sample(names: &[&str]) -> Option<Box<Nothing>> {
    let paths = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    Some(Box::new(Nothing {
        searched: 12,
        files: 412,
        scope: crate::query::request::Scope {
            globs: paths(&["src/", "!*.min.js"]),
            languages: paths(&["rust"]),
            ..Default::default()
        },
        beyond: 7,
        broken: Few {
            total: 4,
            first: paths(&["src/a.rs", "src/b.rs"]),
        },
        hidden: Few {
            total: 1,
            first: paths(&["src/a.rs:12"]),
        },
        unread: Few {
            total: 1,
            first: paths(&["src/logo.png"]),
        },
        reasons: crate::query::state::Skipped::most_first([("binary", 2), ("lock file", 1)].into()),
        names: names.iter().map(|name| (*name).into()).collect(),
        paths: paths(&["src/users/"]),
        step: Some(Step::Widen),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(nothing: &Nothing, is_all: bool) -> String {
        let items = items(nothing, 0, is_all);
        items.iter().map(|item| item.levels[0].as_str()).collect()
    }

    #[test]
    fn what_was_searched_and_what_was_not_is_said_in_a_line_each() {
        let mut nothing = *sample(&["user", "uses"]).unwrap();
        insta::assert_snapshot!(said(&nothing, true), @"
        nothing found: searched 12 of 412 files (scope src/ !*.min.js; lang rust); without that 7 found
        stands in lines that were not understood: src/a.rs:12
        not understood: syntax errors in 4 files (src/a.rs, src/b.rs, …); not read 2 binary, 1 lock file (src/logo.png)
        near: user, uses, src/users/
        ");
        nothing.searched = 412;
        nothing.scope = Default::default();
        nothing.beyond = 0;
        nothing.broken = Few::default();
        nothing.hidden = Few::default();
        nothing.unread = Few::default();
        nothing.names.clear();
        nothing.paths.clear();
        assert_eq!(said(&nothing, false), "searched 412 files\n");
    }

    #[test]
    fn a_step_is_spelt_for_who_asked() {
        let mut nothing = *sample(&["user"]).unwrap();
        let mut spelt = |step: Step, tool| {
            nothing.step = Some(step);
            let spelt = [Voice::Tool, Voice::Command].map(|voice| advice(&nothing, tool, voice));
            spelt.map(Option::unwrap_or_default).join(" | ")
        };
        assert_eq!(
            spelt(Step::Widen, Tool::Other),
            "without scope, lang | without --scope, --lang"
        );
        assert_eq!(
            spelt(Step::Instead("a".into()), Tool::Refs),
            "refs target=a | git sverklo refs a"
        );
        assert_eq!(
            spelt(Step::Below("lib/".into()), Tool::Other),
            "scope=lib/ | --scope lib/"
        );
    }
}
