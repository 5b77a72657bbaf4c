//! The table of agents: which file each reads, in what shape, and what it wants to be asked first.
//!
//! A project's own file is preferred to one in the home directory: it speaks of this repository alone.
//! Paths, shapes and questions are those of the makers' manuals as of November 2026, named with each agent;
//! those of Claude Code, Codex, Gemini CLI, opencode and Cline's command line are also what their programs
//! were seen to do (`benchmark/clients/`).

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
pub(super) enum Shape {
    /// A JSON object under this name, whose entries have these texts more than the command.
    Json {
        list: &'static str,
        more: &'static [(&'static str, &'static str)],
        /// Whether an entry must say which tools may be used.
        tools: bool,
        /// Whether the program and its arguments are one array.
        joined: bool,
    },
    /// TOML tables below `mcp_servers`.
    Toml,
    /// A file of its own, which is [`PLUGIN`].
    Plugin,
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
    pub(super) shape: Shape,
    /// Files and folders that show that it is used: in the home directory, in the project.
    pub(super) signs: (&'static [&'static str], &'static [&'static str]),
    /// Its own command that does the same, where it has one.
    pub command: Option<&'static str>,
    /// What it wants of its user before it starts the server, or the tools work; a phrase after its name.
    pub wants: Option<&'static str>,
}

/// The manifest of the plugin, which is all of it. Only `name` is required; a version is left out, so that
/// a file of any release is known again.
pub(in crate::upkeep) const PLUGIN: &str = "\
{
  \"name\": \"sverklo\",
  \"description\": \"Code index of the repository: definitions, uses, search, memories\",
  \"mcpServers\": {
    \"sverklo\": {
      \"command\": \"git\",
      \"args\": [\"sverklo\", \"mcp\"]
    }
  }
}
";

const fn json(list: &'static str, more: &'static [(&'static str, &'static str)]) -> Shape {
    Shape::Json {
        list,
        more,
        tools: false,
        joined: false,
    }
}

const PLAIN: Shape = json("mcpServers", &[]);

/// A path below the folder in which programs of this system keep their data.
macro_rules! app_data {
    ($path:literal) => {
        if cfg!(target_os = "macos") {
            concat!("Library/Application Support/", $path)
        } else if cfg!(windows) {
            concat!("AppData/Roaming/", $path)
        } else {
            concat!(".config/", $path)
        }
    };
}

const CLINE_IN_CODE: &str = app_data!("Code/User/globalStorage/saoudrizwan.claude-dev");
const CLINE_SETTINGS: &str =
    app_data!("Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json");
const CLAUDE_DESKTOP: &str = app_data!("Claude");
const CLAUDE_DESKTOP_CONFIG: &str = app_data!("Claude/claude_desktop_config.json");

/// Every agent that is known, in the order they are listed.
pub const AGENTS: [Agent; 15] = [
    // code.claude.com/docs/en/mcp
    Agent {
        label: "claude",
        name: "Claude Code",
        place: Place::Project(".mcp.json"),
        shape: json("mcpServers", &[("type", "stdio")]),
        signs: (&[".claude", ".claude.json"], &[".claude", ".mcp.json"]),
        command: Some("claude mcp add --scope project sverklo -- git sverklo mcp"),
        wants: Some("asks in its next session whether this project's server may be used"),
    },
    // code.claude.com/docs/en/plugins-reference; `claude plugin init` makes plugins in this folder.
    Agent {
        label: "claude-plugin",
        name: "Claude Code, every repository",
        place: Place::Home(".claude/skills/sverklo/.claude-plugin/plugin.json"),
        shape: Shape::Plugin,
        signs: (&[], &[]),
        command: None,
        wants: Some("loads the plugin in its next session"),
    },
    // modelcontextprotocol.io/docs/develop/connect-local-servers
    Agent {
        label: "claude-desktop",
        name: "Claude Desktop",
        place: Place::Home(CLAUDE_DESKTOP_CONFIG),
        shape: PLAIN,
        signs: (&[CLAUDE_DESKTOP], &[]),
        command: None,
        wants: Some("reads its file when it starts: quit it and start it again"),
    },
    // cursor.com/docs/mcp
    Agent {
        label: "cursor",
        name: "Cursor",
        place: Place::Project(".cursor/mcp.json"),
        shape: PLAIN,
        signs: (&[".cursor"], &[".cursor"]),
        command: None,
        wants: Some("may want the server switched on in its settings, under MCP"),
    },
    // docs.windsurf.com/windsurf/cascade/mcp
    Agent {
        label: "windsurf",
        name: "Windsurf",
        place: Place::Home(".codeium/windsurf/mcp_config.json"),
        shape: PLAIN,
        signs: (&[".codeium/windsurf"], &[".windsurf"]),
        command: None,
        wants: None,
    },
    // zed.dev/docs/ai/mcp, zed.dev/docs/worktree-trust
    Agent {
        label: "zed",
        name: "Zed",
        place: Place::Project(".zed/settings.json"),
        shape: json("context_servers", &[]),
        signs: (
            &[
                ".config/zed",
                "Library/Application Support/Zed",
                "AppData/Roaming/Zed",
            ],
            &[".zed"],
        ),
        command: None,
        wants: Some("starts the server once you trust the work tree"),
    },
    // code.visualstudio.com/docs/agent-customization/mcp-servers
    Agent {
        label: "vscode",
        name: "VS Code",
        place: Place::Project(".vscode/mcp.json"),
        shape: json("servers", &[("type", "stdio")]),
        signs: (&[".vscode"], &[".vscode"]),
        command: None,
        wants: Some("asks whether you trust the server when it first starts"),
    },
    // docs.cline.bot/mcp/mcp-overview: the extension and the command line have a file each.
    Agent {
        label: "cline",
        name: "Cline",
        place: Place::Home(CLINE_SETTINGS),
        shape: PLAIN,
        signs: (&[CLINE_IN_CODE], &[".clinerules"]),
        command: None,
        wants: Some("asks before each call of a tool, unless its settings say otherwise"),
    },
    Agent {
        label: "cline-cli",
        name: "Cline CLI",
        place: Place::Home(".cline/data/settings/cline_mcp_settings.json"),
        shape: PLAIN,
        signs: (&[".cline/data"], &[]),
        command: None,
        wants: None,
    },
    // developers.openai.com/codex/mcp
    Agent {
        label: "codex",
        name: "Codex CLI",
        place: Place::Project(".codex/config.toml"),
        shape: Shape::Toml,
        signs: (&[".codex"], &[".codex"]),
        command: Some("codex mcp add sverklo -- git sverklo mcp"),
        wants: Some(
            "reads the file only in a project that it trusts: agree when it asks, or `codex exec --trust`",
        ),
    },
    // geminicli.com/docs/tools/mcp-server, geminicli.com/docs/cli/trusted-folders
    Agent {
        label: "gemini",
        name: "Gemini CLI",
        place: Place::Project(".gemini/settings.json"),
        shape: PLAIN,
        signs: (&[".gemini/settings.json"], &[".gemini"]),
        command: Some("gemini mcp add --scope project sverklo git sverklo mcp"),
        wants: Some(
            "reads the file only in a folder that it trusts, and asks before the first call of a tool",
        ),
    },
    Agent {
        label: "antigravity",
        name: "Antigravity",
        place: Place::Project(".agents/mcp_config.json"),
        shape: PLAIN,
        signs: (
            words!(".gemini/antigravity .gemini/antigravity-cli .antigravity"),
            &[".agents"],
        ),
        command: None,
        wants: None,
    },
    // opencode.ai/docs/mcp-servers; version 2 reads what version 1 reads (opencode.ai/docs/migrate-v1).
    Agent {
        label: "opencode",
        name: "opencode",
        place: Place::Project("opencode.json"),
        shape: Shape::Json {
            list: "mcp",
            more: &[("type", "local")],
            tools: false,
            joined: true,
        },
        signs: (
            &[".config/opencode", ".local/share/opencode"],
            &["opencode.json", "opencode.jsonc", ".opencode"],
        ),
        command: None,
        wants: None,
    },
    // docs.github.com/en/copilot/how-tos/copilot-cli
    Agent {
        label: "copilot",
        name: "Copilot CLI",
        place: Place::Project(".github/mcp.json"),
        shape: Shape::Json {
            list: "mcpServers",
            more: &[("type", "local")],
            tools: true,
            joined: false,
        },
        signs: (&[".copilot"], &[".github/mcp.json"]),
        command: None,
        wants: Some("asks whether you trust the files of the folder"),
    },
    // junie.jetbrains.com/docs/junie-cli-mcp-configuration.html, jetbrains.com/help/ai-assistant/mcp.html
    Agent {
        label: "junie",
        name: "JetBrains Junie",
        place: Place::Project(".junie/mcp/mcp.json"),
        shape: PLAIN,
        signs: (&[".junie"], &[".junie"]),
        command: None,
        wants: Some(
            "asks before each call of a tool, unless its allowlist says otherwise; AI Assistant takes the same \
             JSON in its settings, under MCP",
        ),
    },
];

/// Files that agents read as well: written by people or by the agents' own commands, never by us.
pub(super) const MORE_FILES: [(&str, Place); 9] = [
    ("cursor", Place::Home(".cursor/mcp.json")),
    ("zed", Place::Home(".config/zed/settings.json")),
    ("codex", Place::Home(".codex/config.toml")),
    ("gemini", Place::Home(".gemini/settings.json")),
    ("antigravity", Place::Home(".gemini/config/mcp_config.json")),
    (
        "antigravity",
        Place::Home(".gemini/antigravity/mcp_config.json"),
    ),
    ("opencode", Place::Home(".config/opencode/opencode.json")),
    ("copilot", Place::Home(".copilot/mcp-config.json")),
    ("junie", Place::Home(".junie/mcp/mcp.json")),
];
