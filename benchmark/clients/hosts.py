"""The command lines of agents, and how each is made to talk to our endpoint: never with an account.

What `init --write` writes is left as it is; only what names the model goes into a home directory made for the
run, or into the environment. `consent` gives what a person would give at a prompt, in the way each maker has
for scripts; without it (`bed.py --no-consent`) one sees who asks.
"""
import json


class Claude:
    """https://code.claude.com/docs/en/mcp: servers of a project's .mcp.json wait for approval, which the user's
    settings may give as `enabledMcpjsonServers`."""

    label, program = "claude", "claude"

    @staticmethod
    def prepare(home, address):
        write(home / ".claude.json", {"hasCompletedOnboarding": True})
        write(home / ".claude/settings.json", {"permissions": {"allow": ["mcp__sverklo"]}})
        return {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}

    @staticmethod
    def consent(home, repo):
        settings = {"enabledMcpjsonServers": ["sverklo"], "permissions": {"allow": ["mcp__sverklo"]}}
        write(home / ".claude/settings.json", settings)

    @staticmethod
    def arguments(prompt):
        return ["-p", prompt, "--model", "claude-sonnet-4-5"]


class ClaudePlugin(Claude):
    """The same program with the plugin, which needs no approval of a project."""

    label = "claude-plugin"

    @staticmethod
    def consent(home, repo):
        write(home / ".claude/settings.json", {"permissions": {"allow": ["mcp__plugin_sverklo_sverklo"]}})


class Codex:
    """https://developers.openai.com/codex/config-reference: a project's .codex/config.toml is read once the
    user's own says that the project is trusted."""

    label, program = "codex", "codex"

    @staticmethod
    def prepare(home, address):
        (home / ".codex").mkdir(parents=True, exist_ok=True)
        (home / ".codex/config.toml").write_text(
            'model = "gpt-5"\nmodel_provider = "bed"\n'
            f'[model_providers.bed]\nname = "bed"\nbase_url = "{address}/v1"\n'
            'env_key = "BED_KEY"\nwire_api = "responses"\n')
        return {"BED_KEY": "none"}

    @staticmethod
    def consent(home, repo):
        with open(home / ".codex/config.toml", "a") as config:
            config.write(f'[projects."{repo}"]\ntrust_level = "trusted"\n')

    @staticmethod
    def arguments(prompt):
        return ["exec", "--dangerously-bypass-approvals-and-sandbox", prompt]


class Gemini:
    """https://geminicli.com/docs/cli/trusted-folders: settings of a project are read in a trusted folder."""

    label, program = "gemini", "gemini"

    @staticmethod
    def prepare(home, address):
        write(home / ".gemini/settings.json", {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": True}},
            "privacy": {"usageStatisticsEnabled": False}, "general": {"disableAutoUpdate": True}})
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": address}

    @staticmethod
    def consent(home, repo):
        write(home / ".gemini/trustedFolders.json", {str(repo): "TRUST_FOLDER"})

    @staticmethod
    def arguments(prompt):
        return ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-flash"]


class Opencode:
    """https://opencode.ai/docs/mcp-servers: a project's opencode.json is read without a question."""

    label, program = "opencode", "opencode"

    @staticmethod
    def prepare(home, address):
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "bed",
                    "options": {"baseURL": f"{address}/v1", "apiKey": "none"},
                    "models": {"bed": {"name": "bed", "tool_call": True, "limit": {"context": 200000, "output": 8000}}}}
        write(home / ".config/opencode/opencode.json",
              {"provider": {"bed": provider}, "autoupdate": False, "share": "disabled"})
        return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}

    @staticmethod
    def consent(home, repo):
        pass

    @staticmethod
    def arguments(prompt):
        return ["run", "--model", "bed/bed", prompt]


class Cline:
    """https://docs.cline.bot/mcp/mcp-overview: the command line's own list; it runs tools without a question."""

    label, program = "cline-cli", "cline"

    @staticmethod
    def prepare(home, address):
        settings = {"provider": "openai-compatible", "model": "gpt-5", "baseUrl": f"{address}/v1", "apiKey": "none"}
        provider = {"settings": settings, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
        write(home / ".cline/data/settings/providers.json", {
            "version": 1, "providers": {"openai-compatible": provider}, "lastUsedProvider": "openai-compatible"})
        return {"CLINE_TELEMETRY_DISABLED": "1"}

    @staticmethod
    def consent(home, repo):
        pass

    @staticmethod
    def arguments(prompt):
        return ["--provider", "openai-compatible", prompt]


HOSTS = [Claude, ClaudePlugin, Codex, Gemini, Opencode, Cline]


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
