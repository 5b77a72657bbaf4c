//! `git sverklo help`: of a command, or of a topic.
//!
//! A topic is a page of plain text beside this file: its first line says what it is about, and what
//! follows fits a terminal of 84 columns. The manual page has all of them.

use super::args::Arguments;
use super::prelude::*;
use clap::CommandFactory;
use std::io::ErrorKind;

/// What `git sverklo help` has to say on one thing.
pub struct Topic {
    /// Its name on the command line.
    pub name: &'static str,
    page: &'static str,
}

impl Topic {
    /// Says in a line what it is about.
    pub fn about(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default()
    }

    /// Returns what it says, after that line.
    pub fn text(&self) -> &'static str {
        let rest = self.page.split_once('\n').map_or("", |(_, rest)| rest);
        rest.trim_start_matches('\n')
    }
}

macro_rules! topics {
    ($($name:literal)*) => {
        [$(Topic { name: $name, page: include_str!(concat!("help/", $name, ".txt")) }),*]
    };
}

/// Every topic, in the order they are listed.
pub const TOPICS: [Topic; 9] = topics!(
    "agents" "certainty" "ranking" "memory" "sharing" "ci" "configuration" "storage" "limits"
);

/// What `help help` says.
pub const LONG_ABOUT: &str = "\
Print the help of a command, or a page on a topic.

Without either, list both. A word that names a command and a topic, such as 'memory', prints both.";

/// Arguments of `help`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A topic, or a command and its sub-command
    #[arg(value_name = "TOPIC|COMMAND")]
    words: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> Result<Outcome, Error> {
    let topic = match args.words.as_slice() {
        [word] => TOPICS.iter().find(|topic| topic.name == word),
        _ => None,
    };
    let is_command = names_command(&args.words);
    if !is_command && topic.is_none() {
        return Err(Error::NoSuchTopic(args.words.join(" ")));
    }
    if is_command {
        help_of(&args.words)?;
    }
    if args.words.is_empty() {
        output.raw(list().as_bytes())?;
    }
    if let Some(topic) = topic {
        let gap = if is_command { "\n" } else { "" };
        let page = format!("{gap}{}\n\n{}", topic.about(), topic.text());
        output.raw(page.as_bytes())?;
    }
    Ok(Outcome::Found)
}

/// Whether words name a command, or nothing at all, which is the program.
fn names_command(words: &[String]) -> bool {
    let mut command = &Arguments::command();
    for word in words {
        match command.find_subcommand(word) {
            Some(found) => command = found,
            None => return false,
        }
    }
    true
}

/// Prints the long help of a command as `--help` after it would, which is how clap prints it best.
fn help_of(words: &[String]) -> Result<(), Error> {
    let program = ["git-sverklo".to_owned()];
    let flag = ["--help".to_owned()];
    let line = program.iter().chain(words).chain(&flag);
    match <Arguments as clap::Parser>::try_parse_from(line) {
        Err(help) => match help.print() {
            Err(err) if err.kind() != ErrorKind::BrokenPipe => Err(err.into()),
            _ => Ok(()),
        },
        Ok(_) => Ok(()),
    }
}

/// The topics, a line each.
fn list() -> String {
    let mut text = String::from("\nTopics, each with 'git sverklo help TOPIC':\n");
    for topic in &TOPICS {
        text += &format!("  {:13}  {}\n", topic.name, topic.about());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Command;

    /// Most words that README.md may have: what a person reads in five minutes.
    const MAX_README_WORDS: usize = 1_200;

    fn readme() -> String {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn the_readme_is_read_in_five_minutes() {
        let readme = readme();
        let words = readme.split_whitespace();
        let words = words.filter(|word| word.contains(char::is_alphanumeric));
        let count = words.count();
        assert!(count <= MAX_README_WORDS, "README.md has {count} words");
    }

    #[test]
    fn topics_fit_a_terminal_and_say_what_they_are_about() {
        for topic in &TOPICS {
            assert!(topic.about().len() > 20, "{}", topic.name);
            assert!(topic.text().ends_with('\n'), "{}", topic.name);
            for line in topic.page.lines() {
                assert!(line.chars().count() <= 84, "{}: {line}", topic.name);
                assert_eq!(line.trim_end(), line, "{}", topic.name);
            }
        }
    }

    /// The command lines in a text, from after `git sverklo` to where the command ends.
    fn command_lines(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in text.lines() {
            for (at, _) in line.match_indices("git sverklo ") {
                let rest = &line[at + "git sverklo ".len()..];
                let end = rest.find(['`', '\'', '|', '#', '&', ';', ':', ')', ']', ',', '?']);
                // What stands two spaces on explains the command.
                let rest = &rest[..end.unwrap_or(rest.len())];
                let rest = rest.split("  ").next().unwrap_or_default();
                lines.push(rest.trim_end_matches('.').to_owned());
            }
        }
        lines
    }

    /// Whether a command or one of its sub-commands takes a flag.
    fn takes(command: &Command, flag: &str) -> bool {
        let flag = flag.split('=').next().unwrap_or(flag);
        let name = flag.trim_start_matches('-');
        command.get_arguments().any(|argument| {
            let short = argument.get_short().map(String::from);
            argument.get_long() == Some(name) || short.as_deref() == Some(name)
        })
    }

    /// Every command that README.md and the pages speak of exists, with its flags.
    #[test]
    fn commands_that_are_spoken_of_exist() {
        let mut root = Arguments::command();
        root.build();
        let readme = readme();
        let pages = TOPICS.iter().map(|topic| (topic.name, topic.page));
        let mut seen = 0;
        for (page, text) in pages.chain([("README.md", readme.as_str())]) {
            for line in command_lines(text) {
                let mut words = line.split_whitespace().peekable();
                let Some(first) = words.next() else { continue };
                let mut command = root
                    .find_subcommand(first)
                    .unwrap_or_else(|| panic!("{page}: no command {first} in {line:?}"));
                while let Some(inner) = words.peek().and_then(|word| command.find_subcommand(word))
                {
                    command = inner;
                    words.next();
                }
                if command.get_name() == "help" {
                    let word = words.next().unwrap_or("help");
                    let known = TOPICS.iter().any(|topic| topic.name == word);
                    let is_general = word.chars().all(|c| c.is_ascii_uppercase());
                    let is_command = root.find_subcommand(word).is_some();
                    assert!(known || is_general || is_command, "{page}: {line}");
                }
                for flag in words.filter(|word| word.starts_with('-')) {
                    assert!(takes(command, flag), "{page}: {flag} in {line:?}");
                }
                seen += 1;
            }
        }
        assert!(seen > 50, "only {seen} commands were found");
    }

    #[test]
    fn a_word_that_is_both_prints_both() {
        assert!(names_command(&[]));
        assert!(names_command(&["memory".into(), "show".into()]));
        assert!(!names_command(&["ranking".into()]));
        let both = |topic: &&Topic| names_command(&[topic.name.to_owned()]);
        let both: Vec<&str> = TOPICS.iter().filter(both).map(|topic| topic.name).collect();
        assert_eq!(both, ["memory"]);
    }
}
