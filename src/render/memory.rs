//! Renders memories. What others wrote is quoted: in the second column or later, control characters
//! made visible, with its author and the commit it was said of.

use super::wire::memory as wire;
use super::{Rendered, Style, clean, count, tokens};
use crate::query::memories::{Said, Sessions, Shown};
use crate::query::recall::akin::Akin;
use crate::query::recall::{Memory, RecallAnswer, State};
use crate::upkeep::memory::Written;

/// Most targets and tags shown of one memory.
const MAX_WORDS: usize = 8;
/// Longest first line of a target, in characters.
const MAX_TARGET: usize = 120;

/// Renders the answer of `recall`.
pub fn recall(answer: &RecallAnswer, style: Style) -> Rendered<wire::Recalled> {
    let mut text = String::new();
    let mut shown = 0;
    for memory in &answer.memories {
        let block = block(memory);
        let footer = footer(answer, answer.total, style);
        if shown > 0 && tokens::estimate(&format!("{text}{block}{footer}")) > style.budget {
            break;
        }
        text += &block;
        shown += 1;
    }
    text += &footer(answer, shown, style);
    Rendered {
        text,
        wire: wire::Recalled::new(answer, shown),
        found: shown > 0,
    }
}

fn footer(answer: &RecallAnswer, shown: usize, style: Style) -> String {
    let known = match &answer.known_at {
        Some(known) => format!("known at {known}"),
        None => "nothing is remembered".to_owned(),
    };
    let rest = match answer.total.saturating_sub(shown) {
        0 => String::new(),
        n => format!(
            "; {n} more: {}",
            style.voice.set("limit", answer.total.min(1000))
        ),
    };
    let all = answer.total;
    format!(
        "[at {}; {known}; {shown} of {all} shown{rest}]\n",
        answer.at
    )
}

/// One memory: a headline, its text, and what it is about.
fn block(memory: &Memory) -> String {
    let mut head = vec![memory.id.clone()];
    if memory.version != memory.id {
        head.push(format!("({})", memory.version));
    }
    if !memory.kind.is_empty() {
        head.push(memory.kind.to_owned());
    }
    if memory.core {
        head.push("core".to_owned());
    }
    if memory.state != State::Holds {
        head.push(format!("[{}]", memory.state.label()));
    }
    if !memory.contested.is_empty() {
        head.push("[contested]".to_owned());
    }
    let mut out = head.join(" ");
    out.push('\n');
    match &memory.text {
        Some(text) => clean::block(&mut out, text.split('\n')),
        None => out += "\t(its text was taken out)\n",
    }
    let about = words(&memory.targets);
    if !about.is_empty() {
        out += &format!("  about: {about}\n");
    }
    let tags = words(&memory.tags);
    if !tags.is_empty() {
        out += &format!("  tags: {tags}\n");
    }
    let by = match memory.author.is_empty() {
        true => String::new(),
        false => format!("{}, ", clean::line(&memory.author, MAX_TARGET)),
    };
    out += &format!(
        "  {by}since {} {}\n",
        memory.pin,
        clean::line(&memory.subject, MAX_TARGET)
    );
    if memory.why != "its commit is an ancestor" {
        out += &format!("  {}: {}\n", memory.state.label(), memory.why);
    }
    for why in &memory.contested {
        out += &format!("  contested: {why}\n");
    }
    out
}

fn words(all: &[String]) -> String {
    let shown = all.iter().take(MAX_WORDS);
    let mut out: Vec<String> = shown.map(|word| clean::line(word, MAX_TARGET)).collect();
    if all.len() > MAX_WORDS {
        out.push(format!("and {} more", all.len() - MAX_WORDS));
    }
    out.join(", ")
}

/// Renders the answer of `memory show`.
pub fn show(shown: &Shown) -> Rendered<wire::Shown> {
    let mut text: String = shown.versions.iter().map(block).collect();
    text.extend(shown.events.iter().map(said));
    text += &format!("[at {}]\n", shown.at);
    Rendered {
        text,
        wire: wire::Shown::new(shown),
        found: !shown.versions.is_empty(),
    }
}

fn said(event: &Said) -> String {
    let mut out = format!("{} {}", event.id, event.what);
    if !event.pin.is_empty() {
        out += &format!(" since {}", event.pin);
    }
    out += &format!(
        ", {}, {}\n",
        clean::line(&event.author, MAX_TARGET),
        event.date
    );
    if !event.text.is_empty() {
        clean::block(&mut out, event.text.split('\n'));
    }
    if !event.names.is_empty() {
        out += &format!("  of: {}\n", words(&event.names));
    }
    out
}

/// Renders the answer of `memory log`.
pub fn log(sessions: &Sessions) -> Rendered<wire::Sessions> {
    let mut text = String::new();
    for session in &sessions.sessions {
        text += &format!(
            "{} {}, {}\n",
            session.commit,
            clean::line(&session.author, MAX_TARGET),
            session.date()
        );
        for event in &session.events {
            let first = event.text.lines().next().unwrap_or_default();
            text += &format!(
                "  {} {} {}\n",
                event.what,
                event.id,
                clean::line(first, 100)
            );
        }
    }
    if sessions.has_more {
        text += "[more with a larger --limit]\n";
    }
    Rendered {
        text,
        wire: wire::Sessions::new(sessions),
        found: !sessions.sessions.is_empty(),
    }
}

/// Renders what was written for an agent: the id, and what should be known about it.
pub fn told(written: &Written) -> Rendered<wire::Written> {
    let mut rendered = self::written(written);
    let since = match written.pin.is_empty() {
        true => String::new(),
        false => format!(" since {}", written.pin),
    };
    rendered.text = format!("{} {}{since}\n", written.done, written.id);
    for line in written.notes.iter().cloned().chain(suggestions(written)) {
        rendered.text += &format!("{line}\n");
    }
    rendered
}

/// What a new memory may contradict or repeat, a line each.
pub fn suggestions(written: &Written) -> Vec<String> {
    let suggestion = |akin: &Akin| {
        format!(
            "compare {} {}: {} ({})",
            akin.id,
            akin.kind,
            clean::line(&akin.text, MAX_TARGET),
            clean::line(&akin.why, MAX_TARGET)
        )
    };
    written.akin.iter().map(suggestion).collect()
}

/// Renders what a command wrote: the id on standard output, as `git commit-tree` would.
pub fn written(written: &Written) -> Rendered<wire::Written> {
    let mut text = format!("{}\n", written.id);
    if !written.closed.is_empty() && written.done != "end" {
        text += &format!(
            "replaces {}: {}\n",
            count(written.closed.len() as u64, "version"),
            written.closed.join(", ")
        );
    }
    Rendered {
        text,
        wire: wire::Written::new(written),
        found: true,
    }
}
