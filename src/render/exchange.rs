//! Renders what is taken over from elsewhere, and memories for use elsewhere.

use super::memory::quotation;
use super::wire::memory as wire;
use super::{Rendered, clean};
use crate::query::recall::{Memory, RecallAnswer};
use crate::upkeep::import::Imported;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Longest first line of a memory that is shown, in characters.
const MAX_FIRST: usize = 100;
/// Places shown of what was not taken.
const MAX_LEFT: usize = 20;

/// Renders what became of sources.
pub fn imported(imported: &Imported, dry_run: bool) -> Rendered<&Imported> {
    let mut text = String::new();
    for taken in &imported.taken {
        let id = match taken.id.is_empty() {
            true => "-",
            false => &taken.id,
        };
        text += &format!(
            "{id} {} {} (from {}, since {})\n",
            taken.kind,
            clean::line(&taken.text, MAX_FIRST),
            clean::whole(&taken.from),
            taken.pin
        );
    }
    for left in imported.left.iter().take(MAX_LEFT) {
        text += &format!(
            "left {}: {}\n",
            clean::whole(&left.from),
            clean::whole(&left.reason)
        );
    }
    let verb = if dry_run { "would take" } else { "took" };
    let took = match imported.taken.len() {
        1 => "1 memory".to_owned(),
        n => format!("{n} memories"),
    };
    text += &format!("[{verb} {took}, left out {}]\n", imported.left.len());
    Rendered::of(text, imported).found(!imported.taken.is_empty())
}

/// Renders memories as a page of Markdown, by kind, those that everybody should know first.
pub fn markdown(answer: &RecallAnswer) -> Rendered<wire::Recalled<'_>> {
    let mut text = format!("# Memories\n\nWhat holds at {}.\n", answer.at);
    let mut kinds: Vec<&'static str> = Vec::new();
    for memory in &answer.memories {
        if !kinds.contains(&memory.kind) {
            kinds.push(memory.kind);
        }
    }
    kinds.sort_unstable();
    for kind in kinds {
        let title = if kind.is_empty() { "taken out" } else { kind };
        text += &format!("\n## {title}\n");
        let of_kind = answer.memories.iter().filter(|memory| memory.kind == kind);
        for memory in of_kind {
            item(memory, &mut text);
        }
    }
    Rendered::of(
        text,
        wire::Recalled::new(answer, answer.memories.iter().map(Cow::Borrowed).collect()),
    )
    .found(!answer.memories.is_empty())
}

/// One memory as a list item; its further lines stay inside the item.
fn item(memory: &Memory, out: &mut String) {
    let said = memory.text.as_deref().unwrap_or("(its text was taken out)");
    let mut lines = said.lines().map(|line| clean::alone(&clean::whole(line)));
    let core = if memory.core { "**core** " } else { "" };
    let first = lines.next().unwrap_or_default();
    out.push('\n');
    out.push_str(&format!("- {core}{first}\n"));
    for line in lines {
        match line.is_empty() {
            true => out.push('\n'),
            false => out.push_str(&format!("  {line}\n")),
        }
    }
    let mut facts = vec![memory.id.clone()];
    facts.push(format!(
        "since {} ({})",
        memory.pin,
        clean::defused(&quotation(&memory.subject, usize::MAX))
    ));
    facts.push(clean::person(&memory.author, clean::MAX_PERSON_CHARS));
    if memory.state.label() != "holds" {
        facts.push(format!(
            "**{}**: {}",
            memory.state.label(),
            clean::whole(&memory.why)
        ));
    }
    facts.extend(
        memory
            .contested
            .iter()
            .map(|why| format!("contested: {}", clean::whole(why))),
    );
    for target in &memory.targets {
        let mut about = String::from("about `");
        // A backquote would end the code; writing to a string cannot fail.
        let _ = write!(about, "{}`", clean::whole(target).replace('`', "'"));
        facts.push(about);
    }
    facts.extend(
        memory
            .tags
            .iter()
            .map(|tag| format!("#{}", clean::word(tag))),
    );
    out.push_str(&format!("\n  {}\n", facts.join(" · ")));
}
