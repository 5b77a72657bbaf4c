//! `git sverklo man`.

use super::args::Arguments;
use super::help::TOPICS;
use super::prelude::*;
use clap::CommandFactory;

/// Arguments of `man`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The command to describe [default: all of git-sverklo]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, output: &Output) -> Result<Outcome, Error> {
    let mut command = Arguments::command();
    command.build();
    if let Some(name) = &args.command {
        let found = command.find_subcommand(name).cloned();
        command = found.ok_or_else(|| Error::NoSuchCommand(name.clone()))?;
        // The file name under which `git help` looks for it.
        command = command.display_name(format!("git-sverklo-{name}"));
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    if args.command.is_none() {
        for topic in &TOPICS {
            let heading = topic.name.to_uppercase();
            let (about, text) = (verbatim(topic.about()), verbatim(topic.text()));
            page.extend(format!(".SH {heading}\n{about}.PP\n.nf\n{text}.fi\n").bytes());
        }
    }
    output.raw(&page)?;
    Ok(Outcome::Found)
}

/// Text as roff shows it unchanged: no backslash is an escape, no line a request, no hyphen a dash.
fn verbatim(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with(['.', '\'']) {
            out += "\\&";
        }
        out += &line.replace('\\', "\\e").replace('-', "\\-");
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_character_of_a_page_is_read_as_roff() {
        assert_eq!(
            super::verbatim(".x --y\n'z' \\e\n a"),
            "\\&.x \\-\\-y\n\\&'z' \\ee\n a\n"
        );
    }
}
