//! Functions that a module has for what it uses: the callbacks of behaviours (Elixir), of which no code of the
//! repository says who calls them.
//!
//! Guarantee: what the text says is believed, and nothing else: a mark above a function (`@impl`), or the name of a
//! known callback in a module that uses what has it, or that uses what may do so in its place.

use crate::extract::record::Grammar;
use crate::lang::{self, liveness::Contract};
use crate::view::text::Text;
use std::ops::RangeInclusive;

/// Lines above a function in which its attributes stand.
const MAX_LINES_ABOVE: u32 = 60;
/// Lines of a module in which it says what it uses.
const MAX_LINES: usize = 200;

/// Why something outside may call a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callback {
    /// A mark on this line says so.
    Marked(u32),
    /// It is one of those of this module.
    Of(&'static str),
}

/// Whether a function that others see, which begins on a line and lies in a module, is a callback.
pub fn callback(
    lang: Grammar,
    text: &Text,
    (name, start): (&[u8], u32),
    module: RangeInclusive<u32>,
) -> Option<Callback> {
    let known = lang::of(lang).liveness.behaviours;
    if known.is_empty() {
        return None;
    }
    if let Some(line) = marked(text, start) {
        return Some(Callback::Marked(line));
    }
    let has = |of: &&Contract| of.methods.iter().any(|m| m.as_bytes() == name);
    let named: Vec<&Contract> = known.iter().filter(has).collect();
    let first = named.first()?;
    let used = module
        .take(MAX_LINES)
        .filter_map(|line| used(text.line(line)));
    let mut indirect = false;
    for (module, rest) in used {
        if let Some(of) = named.iter().find(|of| of.name.as_bytes() == module) {
            return Some(Callback::Of(of.name));
        }
        // `use ShopWeb, :live_view` uses what the macro of that name says.
        let argument = rest.trim_ascii_start().strip_prefix(b",");
        indirect |= argument.is_some_and(|word| word.trim_ascii_start().starts_with(b":"));
    }
    indirect.then_some(Callback::Of(first.name))
}

/// The line of `@impl` above a function, past its other attributes and their texts.
fn marked(text: &Text, start: u32) -> Option<u32> {
    let mut in_text = false;
    for line in (start.saturating_sub(MAX_LINES_ABOVE).max(1)..start).rev() {
        let written = text.line(line).trim_ascii();
        let is_edge = written.ends_with(b"\"\"\"");
        match (in_text, is_edge) {
            (true, true) => in_text = false,
            (true, false) => {}
            (false, true) if !written.starts_with(b"@") || written == b"\"\"\"" => in_text = true,
            (false, _) => {
                if let Some(rest) = written.strip_prefix(b"@impl") {
                    let rest = rest.trim_ascii();
                    return (rest != b"false").then_some(line);
                }
                let passes =
                    written.is_empty() || written.starts_with(b"@") || written.starts_with(b"#");
                if !passes {
                    return None;
                }
            }
        }
    }
    None
}

/// The module that a line uses, or whose behaviour it names, and what follows its name.
fn used(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let written = line.trim_ascii();
    let rest = written
        .strip_prefix(b"use ")
        .or_else(|| written.strip_prefix(b"@behaviour "))?
        .trim_ascii();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
    let end = rest.iter().position(|b| !is_part(b)).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    let is_module = name.first().is_some_and(u8::is_ascii_uppercase);
    is_module.then_some((name, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "defmodule A do\n  use Oban.Worker, queue: :a\n  @impl true\n  @doc \"\"\"\n  Text.\n  \"\"\"\n  \
                          def marked(x), do: x\n  def perform(x), do: x\n  def other(x), do: x\nend\n\
                          defmodule B do\n  use ShopWeb, :live\n  def mount(x), do: x\nend\n\
                          defmodule C do\n  use GenServer\n  def mount(x), do: x\nend\n";

    #[test]
    fn callbacks_are_told_by_marks_and_by_what_is_used() {
        let text = Text::new(SOURCE.as_bytes().to_vec());
        let of = |name: &[u8], line, module| callback(Grammar::Elixir, &text, (name, line), module);
        assert_eq!(of(b"marked", 7, 1..=10), Some(Callback::Marked(3)));
        assert_eq!(of(b"perform", 8, 1..=10), Some(Callback::Of("Oban.Worker")));
        assert_eq!(of(b"other", 9, 1..=10), None);
        assert_eq!(
            of(b"mount", 13, 11..=14),
            Some(Callback::Of("Phoenix.LiveView"))
        );
        assert_eq!(of(b"mount", 17, 15..=18), None);
        assert_eq!(
            callback(Grammar::Ruby, &text, (b"perform", 8), 1..=10),
            None
        );
    }
}
