#!/usr/bin/env python3
"""Walks through README.md from top to bottom as somebody new would, and compares every line of output.

usage: benchmark/walk.py --program FILE --repository DIR [--write]

--repository is a clone of expressjs/express that has a3714473fe and the tag 4.0.0. It is cloned into a
temporary folder, at that commit, with a home directory of its own. There
- what a `console` block says is what its commands print, to the letter (`--write` puts what they print
  into README.md),
- the `git sverklo` lines of `sh` blocks end with status 0, in the order of the page,
- the server of the `json` block answers.
Exit status: 0 when all of it holds, 1 when not.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"
COMMIT = "a3714473fe"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "walk", "version": "1"}}}


class Walk:
    def __init__(self, program, repository, scratch):
        self.clone = scratch / "express"
        (scratch / "home").mkdir()
        path = f"{program.parent}:{os.environ['PATH']}"
        self.env = {"HOME": str(scratch / "home"), "PATH": path, "TERM": "dumb"}
        subprocess.run(["git", "clone", "-q", str(repository), str(self.clone)], check=True, env=self.env)
        subprocess.run(["git", "checkout", "-q", COMMIT], check=True, cwd=self.clone, env=self.env)
        self.problems = 0

    def run(self, command, **more):
        return subprocess.run(command, cwd=self.clone, env=self.env, capture_output=True, text=True, **more)

    def say(self, ok, what, detail=""):
        self.problems += not ok
        print(("ok    " if ok else "FAIL  ") + what + (f"\n{detail}" if detail and not ok else ""))

    def console(self, text):
        """Compares what the commands of a block print; returns the block with what they print."""
        parts = re.split(r"^\$ (.*)\n", text, flags=re.M)
        out = parts[0]
        for command, told in zip(parts[1::2], parts[2::2]):
            done = self.run(["sh", "-c", command])
            gap = "\n" if told.endswith("\n\n") else ""
            self.say(done.stdout + gap == told, f"$ {command}", done.stdout + done.stderr)
            out += f"$ {command}\n{done.stdout}{gap}"
        return out

    def shell(self, text):
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:2] == ["git", "sverklo"]:
                done = self.run(words)
                self.say(done.returncode == 0, f"{' '.join(words)}: status {done.returncode}", done.stdout + done.stderr)
            elif words:
                print(f"      not run: {' '.join(words)}")

    def server(self, text):
        entry = json.loads(text)["mcpServers"]["sverklo"]
        done = self.run([entry["command"], *entry["args"]], input=json.dumps(HELLO) + "\n")
        self.say("serverInfo" in done.stdout, "the server of the JSON answers", done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    path = lambda text: pathlib.Path(text).absolute()
    parser.add_argument("--program", type=path, required=True, help="git-sverklo")
    parser.add_argument("--repository", type=path, required=True, help="a clone of expressjs/express")
    parser.add_argument("--write", action="store_true", help="put what the commands print into README.md")
    args = parser.parse_args()
    readme = README.read_text()
    with tempfile.TemporaryDirectory() as scratch:
        walk = Walk(args.program, args.repository, pathlib.Path(scratch).resolve())

        def visit(block):
            kind, text = block.groups()
            if kind == "console":
                text = walk.console(text)
            elif kind == "sh":
                walk.shell(text)
            elif kind == "json":
                walk.server(text)
            return f"```{kind}\n{text}```"

        walked = BLOCK.sub(visit, readme)
    if args.write:
        README.write_text(walked)
    sys.exit(1 if walk.problems else 0)


if __name__ == "__main__":
    main()
