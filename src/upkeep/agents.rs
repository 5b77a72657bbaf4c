//! Telling coding agents of the server, in the files where each keeps its list ([`known`]).
//!
//! Files are edited in place: comments, order, indentation and trailing commas stay. A list in the home
//! directory serves every project, so there an entry starts the server in one repository and is named after
//! it: two repositories have two entries, and neither answers for the other.

mod known;

use super::journal::{self, BEGIN, Change, END, Part};
use super::{Error, place};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use known::{MORE_FILES, Shape};
use std::path::{Path, PathBuf};

pub(super) use known::PLUGIN;
pub use known::{AGENTS, Agent, Place};

/// Name of our server in the list of a project; the first word of it in others.
const SERVER: &str = "sverklo";

/// Largest file that is edited. Those in a project are whoever's wrote it, and adding to an object takes a
/// time that is quadratic in its properties: 100,000 of them took minutes.
const MAX_EDITED_BYTES: usize = 64 << 10;

/// Returns the names of all agents on the command line.
pub fn labels() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.label).collect()
}

/// Finds an agent by its name on the command line. Fails with [`Error::UnknownAgent`].
pub fn find(label: &str) -> Result<&'static Agent, Error> {
    AGENTS
        .iter()
        .find(|agent| agent.label == label)
        .ok_or_else(|| Error::UnknownAgent(label.to_owned()))
}

/// Where the files of agents are on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ground {
    /// Top of the work tree.
    pub top: Option<PathBuf>,
    /// The home directory.
    pub home: Option<PathBuf>,
}

impl Ground {
    /// The top of the work tree as arguments name it.
    fn top(&self) -> Option<String> {
        let top = self.top.as_ref()?.display().to_string();
        // What Windows calls the full name of a path, git does not understand.
        Some(top.strip_prefix(r"\\?\").unwrap_or(&top).to_owned())
    }

    fn path(&self, place: Place) -> Option<PathBuf> {
        match place {
            Place::Project(path) => self.top.as_ref().map(|top| top.join(path)),
            Place::Home(path) => self.home.as_ref().map(|home| home.join(path)),
        }
    }
}

/// A server as a file of an agent names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Name of the agent.
    pub agent: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The program that is started; `None` when the entry names none.
    pub command: Option<String>,
    /// What the agent wants first ([`Agent::wants`]).
    pub wants: Option<&'static str>,
}

impl Agent {
    /// Whether there are signs that it is used here.
    pub fn is_detected(&self, ground: &Ground) -> bool {
        let there = |base: &Option<PathBuf>, signs: &[&str]| {
            base.as_ref()
                .is_some_and(|base| signs.iter().any(|sign| base.join(sign).exists()))
        };
        there(&ground.home, self.signs.0) || there(&ground.top, self.signs.1)
    }

    /// Returns the file that is written.
    ///
    /// # Errors
    /// [`Error::NoWorkTree`] or [`Error::NoHome`] where there is no such place.
    pub fn path(&self, ground: &Ground) -> Result<PathBuf, Error> {
        ground.path(self.place).ok_or_else(|| match self.place {
            Place::Project(path) => Error::NoWorkTree(path.to_owned()),
            Place::Home(_) => Error::NoHome,
        })
    }

    /// The repository that an entry has to name: that of a list which serves every project.
    fn repository(&self, ground: &Ground) -> Option<String> {
        match (self.place, self.shape) {
            (Place::Home(_), Shape::Json { .. } | Shape::Toml) => ground.top(),
            _ => None,
        }
    }

    /// Returns the name of our server in its list: in one for every project with the name of the folder
    /// and a digest of its path, short enough for the limits that hosts have on names of tools.
    fn server(&self, ground: &Ground) -> String {
        let Some(top) = self.repository(ground) else {
            return SERVER.to_owned();
        };
        let folder = top.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let folder: String = folder.chars().filter(is_plain).take(20).collect();
        let digest = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(top.as_bytes()));
        match folder.is_empty() {
            true => format!("{SERVER}-{}", &digest[..6]),
            false => format!("{SERVER}-{folder}-{}", &digest[..6]),
        }
    }

    /// Returns the arguments of `git` that start the server.
    fn arguments(&self, ground: &Ground) -> Vec<String> {
        let repository = self.repository(ground).into_iter();
        let mut arguments: Vec<String> =
            repository.flat_map(|top| ["-C".to_owned(), top]).collect();
        arguments.extend(["sverklo".to_owned(), "mcp".to_owned()]);
        arguments
    }

    /// Returns what a file with nothing else in it would hold.
    pub fn snippet(&self, ground: &Ground) -> String {
        match self.shape {
            Shape::Toml => self.toml(ground),
            Shape::Plugin => PLUGIN.to_owned(),
            Shape::Json { list, .. } => {
                let root = empty_object();
                let servers = root.object_value_or_set().object_value_or_set(list);
                servers.append(&self.server(ground), self.entry(ground));
                format!("{root}\n")
            }
        }
    }

    fn entry(&self, ground: &Ground) -> CstInputValue {
        let text = |text: &str| CstInputValue::String(text.to_owned());
        let Shape::Json {
            more,
            tools,
            joined,
            ..
        } = self.shape
        else {
            return CstInputValue::Null;
        };
        let mut entry: Vec<(String, CstInputValue)> = more
            .iter()
            .map(|(name, value)| ((*name).to_owned(), text(value)))
            .collect();
        let arguments = self.arguments(ground);
        let mut arguments: Vec<CstInputValue> = arguments.iter().map(|a| text(a)).collect();
        if joined {
            arguments.insert(0, text("git"));
            entry.push(("command".to_owned(), CstInputValue::Array(arguments)));
        } else {
            entry.push(("command".to_owned(), text("git")));
            entry.push(("args".to_owned(), CstInputValue::Array(arguments)));
        }
        if tools {
            let all = CstInputValue::Array(vec![text("*")]);
            entry.push(("tools".to_owned(), all));
        }
        CstInputValue::Object(entry)
    }

    fn toml(&self, ground: &Ground) -> String {
        let quoted: Vec<String> = self
            .arguments(ground)
            .iter()
            .map(|argument| format!("{argument:?}"))
            .collect();
        format!(
            "[mcp_servers.{}]\ncommand = \"git\"\nargs = [{}]\n",
            self.server(ground),
            quoted.join(", ")
        )
    }

    /// Decides how its file is to change; `None` when our server is listed already. Fails with
    /// [`Error::LeftAlone`] for a file that cannot be read as what it should be, or that lists another
    /// server under our name.
    pub fn change(&self, ground: &Ground) -> Result<Option<Change>, Error> {
        let path = self.path(ground)?;
        let within = match self.place {
            Place::Project(_) => ground.top.clone(),
            Place::Home(_) => None,
        };
        if let Some(top) = &within {
            place::stays_in(&path, top)?;
        }
        let before = journal::read(&path)?;
        let left_alone = |reason: String| Error::LeftAlone {
            path: path.clone(),
            reason,
        };
        let text = std::str::from_utf8(before.as_deref().unwrap_or_default())
            .map_err(|_| left_alone("it is not UTF-8".to_owned()))?;
        let part = match self.shape {
            Shape::Toml => Part::Block,
            Shape::Plugin => Part::Plugin,
            Shape::Json { list, .. } => Part::Property(list.to_owned(), self.server(ground)),
        };
        let after = self.with_us(text, ground);
        Ok(after.map_err(left_alone)?.map(|after| Change {
            path: path.clone(),
            before: before.clone(),
            after: Some(after.into_bytes()),
            executable: false,
            part,
            within,
        }))
    }

    /// Adds our server to the text of its file; `None` when it is listed already. Fails with what is
    /// wrong with the text.
    pub(crate) fn with_us(&self, text: &str, ground: &Ground) -> Result<Option<String>, String> {
        if text.len() > MAX_EDITED_BYTES {
            return Err("it is larger than 64 KiB; add our server by hand".to_owned());
        }
        match self.shape {
            Shape::Toml => self.toml_with_us(text, ground),
            Shape::Plugin => match text {
                "" => Ok(Some(PLUGIN.to_owned())),
                PLUGIN => Ok(None),
                _ => {
                    Err("it is another plugin's, or was changed; remove it, then try again".into())
                }
            },
            Shape::Json { list, .. } => self.json_with_us(text, list, ground),
        }
    }

    fn json_with_us(
        &self,
        text: &str,
        list: &str,
        ground: &Ground,
    ) -> Result<Option<String>, String> {
        let bare = text.trim_start_matches('\u{feff}');
        if bare.trim().is_empty() {
            return Ok(Some(self.snippet(ground)));
        }
        let root = parse(bare)?;
        let object = root
            .object_value()
            .ok_or("its top is not a JSON object; mend it, then try again")?;
        let servers = object
            .object_value_or_create(list)
            .ok_or_else(|| format!("\"{list}\" in it is not a JSON object; mend it first"))?;
        let server = self.server(ground);
        let (program, arguments) = (Some("git".to_owned()), self.arguments(ground));
        let is_ours = |name: &str| {
            let there = servers.get(name).and_then(|there| there.object_value());
            there.is_some_and(|there| command_of(&there) == (program.clone(), arguments.clone()))
        };
        // A list for every project may have ours under the name that earlier versions gave it.
        if is_ours(&server) || is_ours(SERVER) {
            return Ok(None);
        }
        if servers.get(&server).is_some() {
            return Err(format!(
                "it lists another \"{server}\" server; remove or rename that entry, then try again"
            ));
        }
        servers.append(&server, self.entry(ground));
        let bom = &text[..text.len() - bare.len()];
        Ok(Some(format!("{bom}{root}")))
    }

    fn toml_with_us(&self, text: &str, ground: &Ground) -> Result<Option<String>, String> {
        let parse = |text: &str| {
            toml_edit::Document::parse(text.to_owned())
                .map_err(|err| format!("it cannot be read as TOML ({})", err.message()))
        };
        let ours = self.toml(ground);
        let entry = |document: &toml_edit::Document<String>| {
            let entry = document.get("mcp_servers")?.get(SERVER)?;
            let arguments = entry.get("args")?.as_array()?.iter();
            let arguments = arguments.map(|a| a.as_str().map(str::to_owned));
            Some((
                entry.get("command")?.as_str()?.to_owned(),
                arguments.collect::<Option<Vec<String>>>()?,
            ))
        };
        let document = parse(text)?;
        let there = document.get("mcp_servers").and_then(|s| s.get(SERVER));
        if there.is_some() {
            return match entry(&document) == entry(&parse(&ours)?) {
                true => Ok(None),
                false => Err(format!(
                    "it lists another \"{SERVER}\" server; remove or rename that table, then try \
                     again"
                )),
            };
        }
        let newline = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let after = format!(
            "{text}{newline}# {BEGIN} (`git sverklo init --undo` takes this block out)\n{ours}# {END}\n"
        );
        // A list that is written inline cannot be extended by a table.
        match parse(&after) {
            Ok(_) => Ok(Some(after)),
            Err(_) => Err("\"mcp_servers\" in it is not made of tables; add ours by hand".into()),
        }
    }

    /// Returns how a file lists our server; `None` when it does not.
    fn listed(&self, path: &Path, ground: &Ground) -> Option<Listed> {
        // Not of a pipe, for which everybody would wait.
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let text = is_file.then(|| std::fs::read_to_string(path).ok())??;
        Some(Listed {
            agent: self.name,
            path: path.to_owned(),
            command: self.listed_in(&text, ground)?,
            wants: self.wants,
        })
    }

    /// Returns the program that the entry of our server names, if any; `None` without an entry, or with one
    /// that starts the server in another repository.
    pub(crate) fn listed_in(&self, text: &str, ground: &Ground) -> Option<Option<String>> {
        let server = self.server(ground);
        let names = [server.as_str(), SERVER];
        let (command, arguments) = match self.shape {
            Shape::Plugin => return (text == PLUGIN).then(|| Some("git".to_owned())),
            Shape::Toml => {
                let document = toml_edit::Document::parse(text).ok()?;
                let servers = document.get("mcp_servers")?;
                let entry = names.iter().find_map(|name| servers.get(name))?;
                let text = |item: &toml_edit::Value| item.as_str().map(str::to_owned);
                let arguments = entry.get("args").and_then(|args| args.as_array());
                let arguments = arguments.into_iter().flatten().filter_map(text);
                let command = entry.get("command").and_then(|c| c.as_str());
                (command.map(str::to_owned), arguments.collect())
            }
            Shape::Json { list, .. } => {
                // The tree that can be edited takes much longer to make.
                let text = text.trim_start_matches('\u{feff}');
                let (collect, parse) = Default::default();
                let read = jsonc_parser::parse_to_ast(text, &collect, &parse).ok()?;
                let root = read.value?;
                let servers = root.as_object()?.get_object(list)?;
                let entry = names.iter().find_map(|name| servers.get(name))?;
                entry.value.as_object().map(command_in).unwrap_or_default()
            }
        };
        let elsewhere = arguments.windows(2).any(|two| {
            two.first().is_some_and(|flag| flag == "-C") && two.get(1) != ground.top().as_ref()
        });
        (!elsewhere).then_some(command)
    }
}

/// Returns every file of an agent that lists our server.
pub fn listed(ground: &Ground) -> Vec<Listed> {
    let own = AGENTS.iter().map(|agent| (agent, agent.place));
    let more = MORE_FILES
        .iter()
        .filter_map(|(label, place)| Some((find(label).ok()?, *place)));
    let own = own.filter_map(|(agent, place)| agent.listed(&ground.path(place)?, ground));
    // What an agent wants before it reads a project's file, it does not want for its user's own.
    let more = more.filter_map(|(agent, place)| {
        Some(Listed {
            wants: None,
            ..agent.listed(&ground.path(place)?, ground)?
        })
    });
    own.chain(more).collect()
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|err| format!("it cannot be read as JSON ({err}); mend it, then try again"))
}

fn empty_object() -> CstRootNode {
    parse("{}").expect("it is an object")
}

/// The program and the arguments of an entry.
type CommandLine = (Option<String>, Vec<String>);

/// Makes one of what stands under `command`, a text or an array that begins with it, and under `args`.
fn command_line(command: Vec<String>, arguments: Vec<String>) -> CommandLine {
    let mut words = command.into_iter();
    (words.next(), words.chain(arguments).collect())
}

/// Returns the command line of an entry that can be edited.
fn command_of(entry: &CstObject) -> CommandLine {
    let text = |node: jsonc_parser::cst::CstNode| node.as_string_lit()?.decoded_value().ok();
    let words = |name: &str| -> Vec<String> {
        let Some(value) = entry.get(name).and_then(|property| property.value()) else {
            return Vec::new();
        };
        match value.as_array() {
            Some(array) => array.elements().into_iter().filter_map(text).collect(),
            None => text(value).into_iter().collect(),
        }
    };
    command_line(words("command"), words("args"))
}

/// The same of one that is only read.
fn command_in(entry: &jsonc_parser::ast::Object<'_>) -> CommandLine {
    let text =
        |value: &jsonc_parser::ast::Value<'_>| Some(value.as_string_lit()?.value.to_string());
    let words = |name: &str| -> Vec<String> {
        match entry.get(name).map(|property| &property.value) {
            Some(jsonc_parser::ast::Value::Array(array)) => {
                array.elements.iter().filter_map(text).collect()
            }
            Some(value) => text(value).into_iter().collect(),
            None => Vec::new(),
        }
    };
    command_line(words("command"), words("args"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground() -> (tempfile::TempDir, Ground) {
        let dir = tempfile::tempdir().unwrap();
        let ground = Ground {
            top: Some(dir.path().join("repo é")),
            home: Some(dir.path().join("home")),
        };
        (dir, ground)
    }

    fn edited(agent: &Agent, ground: &Ground, text: &str) -> String {
        let path = agent.path(ground).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let change = agent.change(ground).unwrap().unwrap();
        assert_eq!(change.before.as_deref(), Some(text.as_bytes()));
        String::from_utf8(change.after.unwrap()).unwrap()
    }

    #[test]
    fn what_is_written_is_found_again_and_taken_out_again() {
        let (_dir, ground) = ground();
        for agent in &AGENTS {
            let change = agent.change(&ground).unwrap().unwrap();
            assert_eq!(change.before, None, "{}", agent.label);
            std::fs::create_dir_all(change.path.parent().unwrap()).unwrap();
            let after = change.after.unwrap();
            std::fs::write(&change.path, &after).unwrap();
            assert_eq!(agent.change(&ground).unwrap(), None, "{}", agent.label);
            let rest = change.part.remove(&after).unwrap();
            assert!(!rest.windows(7).any(|w| w == b"sverklo"), "{}", agent.label);
        }
        let listed = listed(&ground);
        assert_eq!(listed.len(), AGENTS.len());
        assert!(listed.iter().all(|l| l.command.as_deref() == Some("git")));
    }

    #[test]
    fn comments_order_and_commas_stay() {
        let (_dir, ground) = ground();
        let zed = find("zed").unwrap();
        let text = "// mine\n{\n\t\"theme\": \"One\", // dark\n\t\"context_servers\": {\n\t\t\"b\": {\"command\": \"b\"},\n\t},\n\t\"a\": [1,2,],\n}\n";
        let after = edited(zed, &ground, text);
        for line in text.lines() {
            assert!(after.contains(line), "{line} is missing from {after}");
        }
        assert!(after.contains("\n\t\t\"sverklo\": {\n"), "{after}");
        let crlf = "{\r\n  \"context_servers\": {}\r\n}\r\n";
        let after = edited(zed, &ground, crlf);
        assert_eq!(after.matches('\n').count(), after.matches("\r\n").count());
        let codex = find("codex").unwrap();
        let text = "# mine\nmodel  =  'x'\n[mcp_servers.other]\ncommand='y' # why\n";
        assert!(edited(codex, &ground, text).starts_with(text));
    }

    #[test]
    fn what_cannot_be_edited_is_left_alone_with_a_reason() {
        let (_dir, ground) = ground();
        let large = format!("{{{}}}", "\"a\": 1, ".repeat(10_000));
        let cases = [
            ("cursor", large.as_str(), "larger than 64 KiB"),
            ("cursor", "{", "JSON"),
            ("cursor", "[]", "not a JSON object"),
            ("cursor", "{\"mcpServers\": []}", "not a JSON object"),
            (
                "cursor",
                "{\"mcpServers\": {\"sverklo\": {\"command\": \"x\"}}}",
                "another",
            ),
            ("cursor", "{\"mcpServers\": {\"sverklo\": 1}}", "another"),
            ("codex", "a = ", "TOML"),
            ("codex", "mcp_servers = { a = 1 }\n", "not made of tables"),
            (
                "codex",
                "[mcp_servers.sverklo]\ncommand = \"x\"\n",
                "another",
            ),
        ];
        for (label, text, reason) in cases {
            let agent = find(label).unwrap();
            let path = agent.path(&ground).unwrap();
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let said = agent.change(&ground).unwrap_err().to_string();
            assert!(said.contains(reason), "{text}: {said}");
        }
        let bare = Ground::default();
        let said = find("zed").unwrap().change(&bare).unwrap_err();
        assert!(matches!(said, Error::NoWorkTree(_)));
    }

    #[test]
    fn a_list_for_all_projects_names_the_repository() {
        let (_dir, ground) = ground();
        let other = Ground {
            top: ground.top.as_ref().map(|top| top.join("../b/repo é")),
            home: ground.home.clone(),
        };
        for label in ["windsurf", "cline", "cline-cli", "claude-desktop"] {
            let agent = find(label).unwrap();
            let snippet = agent.snippet(&ground);
            assert!(
                snippet.contains("\"-C\"") && snippet.contains("repo é"),
                "{snippet}"
            );
            assert!(snippet.contains("\"sverklo-repo-"), "{snippet}");
            // The other repository has an entry of its own, and neither speaks for the other.
            assert_eq!(agent.listed_in(&snippet, &other), None);
            let both = agent.with_us(&snippet, &other).unwrap().unwrap();
            assert_eq!(both.matches("\"sverklo-repo-").count(), 2, "{both}");
            for one in [&ground, &other] {
                assert_eq!(agent.listed_in(&both, one), Some(Some("git".to_owned())));
                assert_eq!(agent.with_us(&both, one), Ok(None));
            }
        }
        assert!(!find("cursor").unwrap().snippet(&ground).contains("-C"));
    }

    #[test]
    fn an_entry_that_an_earlier_version_wrote_is_known_again() {
        let (_dir, ground) = ground();
        let top = serde_json::to_string(&ground.top()).unwrap();
        let windsurf = find("windsurf").unwrap();
        let entry = |top: &str| {
            format!(
                "{{\"mcpServers\": {{\"sverklo\": {{\"command\": \"git\", \"args\": [\"-C\", {top}, \"sverklo\", \"mcp\"]}}}}}}"
            )
        };
        assert_eq!(windsurf.with_us(&entry(&top), &ground), Ok(None));
        assert!(windsurf.listed_in(&entry(&top), &ground).is_some());
        let elsewhere = entry("\"/elsewhere\"");
        assert_eq!(windsurf.listed_in(&elsewhere, &ground), None);
        let after = windsurf.with_us(&elsewhere, &ground).unwrap().unwrap();
        assert!(after.contains("/elsewhere") && after.contains("\"sverklo-repo-"));
    }

    #[test]
    fn a_plugin_that_is_not_ours_stays() {
        let (_dir, ground) = ground();
        let plugin = find("claude-plugin").unwrap();
        assert_eq!(plugin.with_us(PLUGIN, &ground), Ok(None));
        let theirs = PLUGIN.replace("git", "other");
        assert!(plugin.with_us(&theirs, &ground).is_err());
        assert_eq!(plugin.listed_in(&theirs, &ground), None);
        serde_json::from_str::<serde_json::Value>(PLUGIN).unwrap();
    }
}
