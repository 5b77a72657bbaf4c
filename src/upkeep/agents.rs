//! The coding agents we know, and where each keeps its list of MCP servers.
//!
//! A project's own file is preferred to one in the home directory: it speaks of this repository
//! alone. Paths and shapes are those of the makers' documentation as of November 2026.
//!
//! Files are edited in place: comments, order, indentation and trailing commas stay.

use super::journal::{self, BEGIN, Change, END, Part};
use super::{Error, place};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use std::path::{Path, PathBuf};

/// Name of our server in every list.
const SERVER: &str = "sverklo";

/// Where a file is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Below the top of the work tree.
    Project(&'static str),
    /// Below the home directory.
    Home(&'static str),
}

/// How a list of servers is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// A JSON object under this name, whose entries have these texts more than the command.
    Json {
        list: &'static str,
        more: &'static [(&'static str, &'static str)],
        /// Whether an entry must say which tools may be used.
        tools: bool,
    },
    /// TOML tables below `mcp_servers`.
    Toml,
}

/// One coding agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agent {
    /// Its name on the command line.
    pub label: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The file that is written.
    pub place: Place,
    shape: Shape,
    /// Files and folders that show that it is used: in the home directory, in the project.
    signs: (&'static [&'static str], &'static [&'static str]),
    /// Its own command that does the same, where it has one.
    pub command: Option<&'static str>,
}

const PLAIN: Shape = Shape::Json {
    list: "mcpServers",
    more: &[],
    tools: false,
};

/// Every agent that is known, in the order they are listed.
pub const AGENTS: [Agent; 8] = [
    Agent {
        label: "claude",
        name: "Claude Code",
        place: Place::Project(".mcp.json"),
        shape: Shape::Json {
            list: "mcpServers",
            more: &[("type", "stdio")],
            tools: false,
        },
        signs: (&[".claude", ".claude.json"], &[".claude", ".mcp.json"]),
        command: Some("claude mcp add --scope project sverklo -- git sverklo mcp"),
    },
    Agent {
        label: "cursor",
        name: "Cursor",
        place: Place::Project(".cursor/mcp.json"),
        shape: PLAIN,
        signs: (&[".cursor"], &[".cursor"]),
        command: None,
    },
    Agent {
        label: "windsurf",
        name: "Windsurf",
        place: Place::Home(".codeium/windsurf/mcp_config.json"),
        shape: PLAIN,
        signs: (&[".codeium/windsurf"], &[".windsurf"]),
        command: None,
    },
    Agent {
        label: "zed",
        name: "Zed",
        place: Place::Project(".zed/settings.json"),
        shape: Shape::Json {
            list: "context_servers",
            more: &[],
            tools: false,
        },
        signs: (
            &[
                ".config/zed",
                "Library/Application Support/Zed",
                "AppData/Roaming/Zed",
            ],
            &[".zed"],
        ),
        command: None,
    },
    Agent {
        label: "vscode",
        name: "VS Code",
        place: Place::Project(".vscode/mcp.json"),
        shape: Shape::Json {
            list: "servers",
            more: &[("type", "stdio")],
            tools: false,
        },
        signs: (&[".vscode"], &[".vscode"]),
        command: None,
    },
    Agent {
        label: "codex",
        name: "Codex CLI",
        place: Place::Project(".codex/config.toml"),
        shape: Shape::Toml,
        signs: (&[".codex"], &[".codex"]),
        command: Some("codex mcp add sverklo -- git sverklo mcp"),
    },
    Agent {
        label: "antigravity",
        name: "Antigravity",
        place: Place::Project(".agents/mcp_config.json"),
        shape: PLAIN,
        signs: (
            &[
                ".gemini/antigravity",
                ".gemini/antigravity-cli",
                ".antigravity",
            ],
            &[".agents"],
        ),
        command: None,
    },
    Agent {
        label: "copilot",
        name: "Copilot CLI",
        place: Place::Project(".github/mcp.json"),
        shape: Shape::Json {
            list: "mcpServers",
            more: &[("type", "local")],
            tools: true,
        },
        signs: (&[".copilot"], &[".github/mcp.json"]),
        command: None,
    },
];

/// Files that agents read as well: written by people or by the agents' own commands, never by us.
const MORE_FILES: [(&str, Place); 6] = [
    ("cursor", Place::Home(".cursor/mcp.json")),
    ("zed", Place::Home(".config/zed/settings.json")),
    ("codex", Place::Home(".codex/config.toml")),
    ("antigravity", Place::Home(".gemini/config/mcp_config.json")),
    (
        "antigravity",
        Place::Home(".gemini/antigravity/mcp_config.json"),
    ),
    ("copilot", Place::Home(".copilot/mcp-config.json")),
];

/// Largest file that is edited. Those in a project are whoever's wrote it, and adding to an object takes a
/// time that is quadratic in its properties: 100,000 of them took minutes.
const MAX_EDITED_BYTES: usize = 64 << 10;

/// Returns the names of all agents on the command line.
pub fn labels() -> Vec<&'static str> {
    AGENTS.iter().map(|agent| agent.label).collect()
}

/// Finds an agent by its name on the command line.
///
/// # Errors
/// [`Error::UnknownAgent`].
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

    /// Returns the arguments of `git` that start the server. A list in the home directory serves
    /// every project, so there the repository must be named.
    fn arguments(&self, ground: &Ground) -> Vec<String> {
        let mut arguments = Vec::new();
        if let (Place::Home(_), Some(top)) = (self.place, &ground.top) {
            let top = top.display().to_string();
            // What Windows calls the full name of a path, git does not understand.
            let top = top.strip_prefix(r"\\?\").unwrap_or(&top).to_owned();
            arguments = vec!["-C".to_owned(), top];
        }
        arguments.extend(["sverklo".to_owned(), "mcp".to_owned()]);
        arguments
    }

    /// Returns what a file with nothing else in it would hold.
    pub fn snippet(&self, ground: &Ground) -> String {
        match self.shape {
            Shape::Toml => self.toml(ground),
            Shape::Json { list, .. } => {
                let root = empty_object();
                let servers = root.object_value_or_set().object_value_or_set(list);
                servers.append(SERVER, self.entry(ground));
                format!("{root}\n")
            }
        }
    }

    fn entry(&self, ground: &Ground) -> CstInputValue {
        let text = |text: &str| CstInputValue::String(text.to_owned());
        let Shape::Json { more, tools, .. } = self.shape else {
            return CstInputValue::Null;
        };
        let mut entry: Vec<(String, CstInputValue)> = more
            .iter()
            .map(|(name, value)| ((*name).to_owned(), text(value)))
            .collect();
        let arguments = self.arguments(ground);
        let arguments = arguments.iter().map(|a| text(a)).collect();
        entry.push(("command".to_owned(), text("git")));
        entry.push(("args".to_owned(), CstInputValue::Array(arguments)));
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
            "[mcp_servers.{SERVER}]\ncommand = \"git\"\nargs = [{}]\n",
            quoted.join(", ")
        )
    }

    /// Decides how its file is to change; `None` when our server is listed already.
    ///
    /// # Errors
    /// [`Error::LeftAlone`] for a file that cannot be read as what it should be, or that lists
    /// another server under our name.
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
            Shape::Json { list, .. } => Part::Property(list.to_owned(), SERVER.to_owned()),
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

    /// Adds our server to the text of its file; `None` when it is listed already.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(crate) fn with_us(&self, text: &str, ground: &Ground) -> Result<Option<String>, String> {
        if text.len() > MAX_EDITED_BYTES {
            return Err("it is larger than 64 KiB; add our server by hand".to_owned());
        }
        match self.shape {
            Shape::Toml => self.toml_with_us(text, ground),
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
        if let Some(there) = servers.get(SERVER) {
            let ours = self.snippet(ground);
            let ours = parse(&ours)?
                .object_value()
                .and_then(|o| o.object_value(list));
            let ours = ours.and_then(|servers| servers.get(SERVER));
            let same = match (there.object_value(), ours.and_then(|o| o.object_value())) {
                (Some(there), Some(ours)) => command_of(&there) == command_of(&ours),
                _ => false,
            };
            return match same {
                true => Ok(None),
                false => Err(format!(
                    "it lists another \"{SERVER}\" server; remove or rename that entry, then try \
                     again"
                )),
            };
        }
        servers.append(SERVER, self.entry(ground));
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
    fn listed(&self, path: &Path) -> Option<Listed> {
        let text = std::fs::read_to_string(path).ok()?;
        Some(Listed {
            agent: self.name,
            path: path.to_owned(),
            command: self.listed_in(&text)?,
        })
    }

    /// Returns the program that the entry of our server names, if any; `None` without an entry.
    pub(crate) fn listed_in(&self, text: &str) -> Option<Option<String>> {
        Some(match self.shape {
            Shape::Toml => {
                let document = toml_edit::Document::parse(text).ok()?;
                let entry = document.get("mcp_servers")?.get(SERVER)?;
                entry
                    .get("command")
                    .and_then(|c| c.as_str())
                    .map(str::to_owned)
            }
            Shape::Json { list, .. } => {
                // The tree that can be edited takes much longer to make.
                let text = text.trim_start_matches('\u{feff}');
                let (collect, parse) = Default::default();
                let read = jsonc_parser::parse_to_ast(text, &collect, &parse).ok()?;
                let root = read.value?;
                let servers = root.as_object()?.get_object(list)?;
                let entry = servers.get(SERVER)?.value.as_object();
                entry.and_then(|entry| Some(entry.get_string("command")?.value.to_string()))
            }
        })
    }
}

/// Returns every file of an agent that lists our server.
pub fn listed(ground: &Ground) -> Vec<Listed> {
    let own = AGENTS.iter().map(|agent| (agent, agent.place));
    let more = MORE_FILES
        .iter()
        .filter_map(|(label, place)| Some((find(label).ok()?, *place)));
    own.chain(more)
        .filter_map(|(agent, place)| agent.listed(&ground.path(place)?))
        .collect()
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|err| format!("it cannot be read as JSON ({err}); mend it, then try again"))
}

fn empty_object() -> CstRootNode {
    parse("{}").expect("it is an object")
}

/// Returns the program and the arguments of an entry.
fn command_of(entry: &CstObject) -> (Option<String>, Vec<String>) {
    let text = |node: jsonc_parser::cst::CstNode| node.as_string_lit()?.decoded_value().ok();
    let command = entry.get("command").and_then(|c| text(c.value()?));
    let arguments = entry.array_value("args").map(|a| a.elements());
    let arguments = arguments.unwrap_or_default().into_iter();
    (command, arguments.filter_map(text).collect())
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
        let snippet = find("windsurf").unwrap().snippet(&ground);
        assert!(
            snippet.contains("\"-C\"") && snippet.contains("repo é"),
            "{snippet}"
        );
        assert!(!find("cursor").unwrap().snippet(&ground).contains("-C"));
    }
}
