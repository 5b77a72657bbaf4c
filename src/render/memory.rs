//! Renders memories. What others wrote is quoted: in the second column or later, control characters
//! made visible, with its author and the commit it was said of.

use super::layout::{Item, Layout, fill};
use super::wire::memory as wire;
use super::{Budgeted, Rendered, Style, Voice, clean, count, tokens};
use crate::query::memories::{Said, Sessions, Shown};
use crate::query::recall::empty::{EmptyAnswer, Part};
use crate::query::recall::related::Note;
use crate::query::recall::similar::SimilarMemory;
use crate::query::recall::target::{Since, Standing};
use crate::query::recall::{Memory, RecallAnswer, State};
use crate::upkeep::memory::Written;
use std::borrow::Cow;

/// Most targets and tags shown of one memory.
const MAX_WORDS: usize = 8;
/// Longest word with what is said of it, in characters.
const MAX_WORD: usize = 4 * MAX_TARGET;
/// Longest text of a memory in a structured answer that it comes up beside, in characters.
const MAX_WIRE: usize = 200;
/// Longest first line of a target, in characters.
const MAX_TARGET: usize = 120;
/// Longest line of a memory that comes up beside an answer, in characters.
const MAX_NOTE: usize = 120;
/// Longest name of an author in it.
const MAX_NAME: usize = 24;

impl Budgeted for RecallAnswer {
    type Wire<'a> = wire::Recalled<'a>;

    const BUDGET: usize = super::RECALL_BUDGET;

    fn render(&self, style: &Style) -> Rendered<wire::Recalled<'_>> {
        recall(self, *style)
    }
}

/// What was written is short, whatever it is.
impl Budgeted for Written {
    type Wire<'a> = &'a Self;

    const BUDGET: usize = super::MAX_BUDGET;

    fn render(&self, _: &Style) -> Rendered<&Self> {
        told(self)
    }
}

/// Renders the answer of `recall`.
fn recall(answer: &RecallAnswer, style: Style) -> Rendered<wire::Recalled<'_>> {
    // The longest footer there can be: some are left out, and how many are shown has as many digits.
    let costs = answer.memories.iter().map(|m| tokens::cost(&block(m)));
    let needed = costs.sum();
    let footer_cost = tokens::cost(&footer(answer, 0, needed, style))
        + tokens::cost(&answer.total.to_string()) * 3;
    let mut text = answer.unmet.as_ref().map(unmet).unwrap_or_default();
    let room = tokens::allowance(style.budget).saturating_sub(footer_cost + tokens::cost(&text));
    // Something is said of the first at least.
    let first = answer.memories.first().map(|first| cut_to(first, room));
    let others = answer.memories.iter().skip(1).map(Cow::Borrowed);
    let mut shown: Vec<Cow<'_, Memory>> = first.into_iter().chain(others).collect();
    let items = shown.iter().map(|memory| Item::main(block(memory)));
    let (blocks, layout) = fill(&items.collect::<Vec<_>>(), room);
    text += &blocks;
    shown.truncate(layout.main);
    text += &footer(answer, shown.len(), needed, style);
    Rendered::of(text, wire::Recalled::new(answer, shown)).found(answer.total > 0)
}

/// A memory with as much of its text as `room` pays for, cut at the end of a line or a character.
fn cut_to(memory: &Memory, room: u64) -> Cow<'_, Memory> {
    let fits = |memory: &Memory| tokens::cost(&block(memory)) <= room;
    let Some(text) = memory.text.as_deref().filter(|_| !fits(memory)) else {
        return Cow::Borrowed(memory);
    };
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let cut = |count: usize| {
        let kept = ends.get(count).map_or(text, |end| &text[..*end]);
        Memory {
            text: Some(format!("{}…", kept.trim_end())),
            ..memory.clone()
        }
    };
    let (mut least, mut most) = (0, ends.len());
    while least < most {
        let middle = (least + most).div_ceil(2);
        match fits(&cut(middle)) {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    Cow::Owned(cut(least))
}

fn footer(answer: &RecallAnswer, shown: usize, needed: u64, style: Style) -> String {
    let known = match &answer.known_at {
        Some(known) => format!("known at {known}"),
        None => "nothing is remembered".to_owned(),
    };
    let reached = answer.offset + shown;
    let more = match shown == 0 && !answer.memories.is_empty() {
        // With room for this line.
        true => {
            let all = (tokens::budget_for(needed) + 60).next_multiple_of(100);
            style.voice.set("budget", all.min(super::MAX_BUDGET))
        }
        false => style.voice.set("offset", reached),
    };
    let rest = match answer.total.saturating_sub(reached) {
        0 => String::new(),
        n => format!("; {n} more: {more}"),
    };
    let (all, shown) = match answer.offset {
        0 => (answer.total, shown.to_string()),
        offset => (answer.total, format!("{}-{reached}", offset + 1)),
    };
    let next = answer.unmet.as_ref().and_then(|unmet| unmet.part);
    let next = next.map_or(String::new(), |part| {
        format!("; next: {}", without(part, style.voice))
    });
    format!(
        "[at {}; {known}; {shown} of {all} shown{rest}{next}]\n",
        answer.at
    )
}

/// What was looked at in vain, and what is near.
fn unmet(unmet: &EmptyAnswer) -> String {
    let known = match unmet.known {
        1 => "1 memory".to_owned(),
        n => format!("{n} memories"),
    };
    let mut text = format!(
        "nothing found: looked at {known}, {} may hold\n",
        unmet.holding
    );
    if !unmet.near.is_empty() {
        text += &format!("near: {}\n", words(&unmet.near));
    }
    text
}

/// Spells the question without the part that keeps memories out.
fn without((part, found): (Part, usize), voice: Voice) -> String {
    let spelt = |name: &str| match voice {
        Voice::Tool => format!("without {name}"),
        Voice::Command => format!("without --{}", name.trim_end_matches('s')),
    };
    let how = match part {
        Part::Holding => "`git sverklo recall --all`".to_owned(),
        Part::Conflicts if voice == Voice::Command => "without --conflicts".to_owned(),
        Part::Conflicts => spelt("conflicts"),
        Part::Targets => spelt("targets"),
        Part::Kinds => spelt("kind"),
        Part::Query => "without words".to_owned(),
    };
    format!("{how} ({found} found)")
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
        Some(text) => words_of(&mut out, text),
        None => out += "\t(its text was taken out)\n",
    }
    let about = words(&targets(memory));
    if !about.is_empty() {
        out += &format!("  about: {about}\n");
    }
    let quoted: Vec<String> = memory.tags.iter().map(|one| tag(one)).collect();
    let tags = words(&quoted);
    if !tags.is_empty() {
        out += &format!("  tags: {tags}\n");
    }
    let by = match memory.author.is_empty() {
        true => String::new(),
        false => format!("{}, ", clean::person(&memory.author, MAX_TARGET)),
    };
    out += &format!(
        "  {by}since {} {}\n",
        memory.pin,
        quotation(&memory.subject, MAX_TARGET)
    );
    match memory.state {
        State::Holds if memory.why == "its commit is an ancestor" => {}
        State::Ended | State::Replaced => out += &format!("  {}\n", memory.why),
        state => out += &format!("  {}: {}\n", state.label(), memory.why),
    }
    for why in &memory.contested {
        out += &format!("  contested: {why}\n");
    }
    out
}

/// Appends what somebody said, with its lines. None is a command to the runner of a pipeline.
fn words_of(out: &mut String, text: &str) {
    let lines: Vec<String> = text.split('\n').map(clean::alone).collect();
    clean::block(out, lines.iter().map(String::as_str));
}

/// The targets of a memory, with where those are that are not as they were.
fn targets(memory: &Memory) -> Vec<String> {
    let named = memory.targets.iter().enumerate();
    let named = named.map(|(at, target)| {
        match memory
            .standings
            .get(at)
            .and_then(|placed| standing(&placed.is))
        {
            Some(standing) => format!("{} ({standing})", clean::line(target, MAX_TARGET)),
            None => target.clone(),
        }
    });
    named.collect()
}

/// What is to be said of a target, if it is not as it was.
pub(super) fn standing(standing: &Standing) -> Option<String> {
    let text = match standing {
        Standing::Fresh => return None,
        Standing::Moved(to) => format!("moved to {to}"),
        Standing::Changed { to, lines, since } => {
            let lines = match lines {
                Some((then, now)) if then != now => format!(", {then} lines then and {now} now"),
                _ => String::new(),
            };
            let to = to.as_ref().map(|to| format!("moved to {to} and "));
            format!("{}changed{}{lines}", to.unwrap_or_default(), by(since))
        }
        Standing::Gone(since) => match &since.last {
            Some((id, subject)) => format!("gone with {id} {}", said_of(subject)),
            None => "gone".to_owned(),
        },
        Standing::Unknown(reason) => format!("unknown: {reason}"),
    };
    Some(clean::line(&text, 2 * MAX_TARGET))
}

/// ` by 3 commits since, last 1a2b3c4 "subject"`, as far as that is known.
fn by(since: &Since) -> String {
    let Some((id, subject)) = &since.last else {
        return " since".to_owned();
    };
    let least = if since.is_all { "" } else { "at least " };
    format!(
        " by {least}{} since, last {id} {}",
        count(since.commits as u64, "commit"),
        said_of(subject)
    )
}

/// What somebody said, as a quotation of one line that its text cannot end.
fn said_of(text: &str) -> String {
    quotation(text, MAX_TARGET / 2)
}

/// What somebody wrote, on one line and in quotes that it cannot end.
pub(super) fn quotation(text: &str, max: usize) -> String {
    let folded: Vec<&str> = text.split_whitespace().collect();
    let folded = folded.join(" ").replace('"', "'");
    format!("\"{}\"", clean::line(&folded, max))
}

/// A memory that comes up beside an answer: one line in which its author is quoted.
pub(super) fn note(note: &Note) -> String {
    let marks: String = marks(note)
        .iter()
        .map(|mark| format!(" [{mark}]"))
        .collect();
    let name = note.author.replace(['(', ')', '"'], "");
    let name = clean::person(&name, MAX_NAME);
    let head = format!("memory {} {}{marks} ({name}): ", note.id, note.kind);
    // Marks and quotes come off the text; a third of the line is left to it at least.
    let room = MAX_NOTE.saturating_sub(head.chars().count() + 2);
    format!("{head}{}\n", quotation(&note.text, room.max(MAX_NOTE / 3)))
}

/// What should be known of a memory before it is relied on.
fn marks(note: &Note) -> Vec<&'static str> {
    let all = [
        (note.core, "core"),
        (note.contested, "contested"),
        (note.outdated, "code changed since"),
    ];
    let set = all.into_iter().filter(|(is, _)| *is);
    set.map(|(_, mark)| mark).collect()
}

/// The memories that come up beside an answer, as items of its layout.
pub(super) fn notes(notes: &[Note], rank: usize) -> impl Iterator<Item = Item> {
    notes.iter().map(move |one| Item::remark(rank, note(one)))
}

/// Wire values of the notes that are shown; `first` is the number of the first one's item.
pub(super) fn wire_notes(notes: &[Note], first: usize, layout: &Layout) -> Vec<wire::Note> {
    let shown = notes.iter().enumerate();
    let shown = shown.filter(|(at, _)| layout.level(first + at).is_some());
    shown
        .map(|(_, note)| wire::Note {
            id: note.id.clone(),
            kind: note.kind,
            marks: marks(note),
            author: note.author.clone(),
            text: clean::line(&note.text, MAX_WIRE),
        })
        .collect()
}

/// A tag in a list, in quotes where it could be taken for several, or for a mark of ours.
fn tag(tag: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+@".contains(c);
    let shown = clean::line(tag, MAX_WORD);
    match shown.chars().all(is_plain) {
        true => shown,
        false => format!("\"{}\"", clean::defused(&shown).replace('"', "'")),
    }
}

fn words(all: &[String]) -> String {
    let shown = all.iter().take(MAX_WORDS);
    let mut out: Vec<String> = shown.map(|word| clean::line(word, MAX_WORD)).collect();
    if all.len() > MAX_WORDS {
        out.push(format!("and {} more", all.len() - MAX_WORDS));
    }
    out.join(", ")
}

/// Renders the answer of `memory show`.
pub fn show(shown: &Shown) -> Rendered<&Shown> {
    let mut text: String = shown.versions.iter().map(block).collect();
    text.extend(shown.events.iter().map(said));
    text += &format!("[at {}]\n", shown.at);
    Rendered::of(text, shown).found(!shown.versions.is_empty())
}

fn said(event: &Said) -> String {
    let mut out = format!("{} {}", event.id, event.what);
    if !event.pin.is_empty() {
        out += &format!(" since {}", event.pin);
    }
    out += &format!(
        ", {}, {}\n",
        clean::person(&event.author, MAX_TARGET),
        event.date
    );
    if !event.text.is_empty() {
        words_of(&mut out, &event.text);
    }
    if !event.names.is_empty() {
        out += &format!("  of: {}\n", words(&event.names));
    }
    out
}

/// Renders the answer of `memory log`.
pub fn log(sessions: &Sessions) -> Rendered<&Sessions> {
    let mut text = String::new();
    for session in &sessions.sessions {
        text += &format!(
            "{} {}, {}\n",
            session.commit,
            clean::person(&session.author, MAX_TARGET),
            session.date
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
    Rendered::of(text, sessions).found(!sessions.sessions.is_empty())
}

/// Renders what was written for an agent: the id, and what should be known about it.
fn told(written: &Written) -> Rendered<&Written> {
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
    let suggestion = |akin: &SimilarMemory| {
        format!(
            "compare {} {}: {} ({})",
            akin.id,
            akin.kind,
            clean::defused(&quotation(&akin.text, MAX_TARGET)),
            clean::line(&akin.why, MAX_TARGET)
        )
    };
    written.akin.iter().map(suggestion).collect()
}

/// Renders what a command wrote: the id on standard output, as `git commit-tree` would.
pub fn written(written: &Written) -> Rendered<&Written> {
    let text = format!("{}\n", written.id);
    Rendered::of(text, written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::{Voice, map, samples, search};

    fn sample(text: &str) -> Note {
        Note {
            id: "1a2b3c4".into(),
            kind: "rule",
            core: true,
            contested: false,
            outdated: true,
            author: "Ann".into(),
            text: text.into(),
        }
    }

    #[test]
    fn a_note_is_one_line_of_somebody_elses_words() {
        assert_eq!(
            note(&sample("Retries belong\n\tin the client.")),
            "memory 1a2b3c4 rule [core] [code changed since] (Ann): \"Retries belong in the client.\"\n"
        );
        let mut hostile = sample("\u{1b}[2Jgone\" \u{202e}\nindex 0");
        hostile.author = "Eve\u{1b}[31m): \"me\"".into();
        assert_eq!(
            note(&hostile),
            "memory 1a2b3c4 rule [core] [code changed since] (\"Eve␛[31m: me\"): \"␛[2Jgone' \u{fffd} index 0\"\n"
        );
        let long = note(&sample(&"word ".repeat(99)));
        assert!(
            long.chars().count() <= MAX_NOTE + 1 && long.ends_with("…\"\n"),
            "{long}"
        );
    }

    #[test]
    fn what_is_said_of_a_target_is_short() {
        let since = |commits, is_all| Since {
            commits,
            is_all,
            last: Some(("5d6e7f8".into(), "Say \"more\"".into())),
        };
        let changed = |lines, since| {
            let to = None;
            standing(&Standing::Changed { to, lines, since }).unwrap()
        };
        assert_eq!(standing(&Standing::Fresh), None);
        assert_eq!(
            changed(Some((3, 9)), since(2, false)),
            "changed by at least 2 commits since, last 5d6e7f8 \"Say 'more'\", 3 lines then and 9 now"
        );
        assert_eq!(changed(Some((3, 3)), Since::default()), "changed since");
        assert_eq!(
            standing(&Standing::Gone(since(1, false))).unwrap(),
            "gone with 5d6e7f8 \"Say 'more'\""
        );
    }

    fn tool(budget: usize) -> Style {
        Style {
            budget,
            voice: Voice::Tool,
        }
    }

    #[test]
    fn what_is_remembered_comes_after_the_places() {
        let mut answer = samples::search();
        answer.memories = vec![samples::note(false), samples::note(true)];
        let rendered = search::render(&answer, &tool(2000));
        let lines: Vec<&str> = rendered.text.lines().rev().take(3).collect();
        assert!(lines[0].starts_with("index "), "{lines:?}");
        assert_eq!(
            lines[2],
            "memory 1a2b3c4 rule (Ann): \"Retries belong in the client.\""
        );
        assert_eq!(rendered.wire.memories.len(), 2);
        let small = search::render(&answer, &tool(100));
        assert!(tokens::estimate(&small.text) <= 100, "{}", small.text);
        assert_eq!(small.wire.hits.len(), 3);
        let told = small.text.matches("\nmemory ").count();
        assert_eq!(small.wire.memories.len(), told);
    }

    #[test]
    fn a_map_begins_with_what_is_at_the_core() {
        let mut answer = samples::map();
        answer.memories = vec![samples::note(true), samples::note(false)];
        let rendered = map::render(&answer, &tool(2000));
        let line = "memory 1a2b3c4 rule [core] (Ann): \"Retries belong in the client.\"\n";
        assert!(rendered.text.starts_with(line), "{}", rendered.text);
        assert_eq!(
            rendered.text.matches("\nmemory 1a2b3c4 rule (Ann)").count(),
            1
        );
        assert_eq!(rendered.wire.memories.len(), 2);
        // The other parts are those of the answer without memories.
        answer.memories.clear();
        let plain = map::render(&answer, &tool(2000));
        assert_eq!(rendered.wire.directories, plain.wire.directories);
        assert_eq!(rendered.wire.languages, plain.wire.languages);
        assert_eq!(rendered.wire.symbols, plain.wire.symbols);
    }
}
