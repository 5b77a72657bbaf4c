#!/usr/bin/env python3
"""Moves at random in a clone and asks a server that has been there all the time, and one that has just begun.

usage: benchmark/moves.py --program FILE --repository DIR [--moves 2000] [--seed 1] [--bare-every 50]
                           [--think 0]

The repository is cloned into a temporary folder with a home directory of its own. Each move is one of: edit lines of a
file, add a file, remove one, rename one, copy one, commit, check out a commit or a branch, merge, stash and take it back,
reset, add and remove a linked work tree (which is asked in the place of the first while it is there). After each
move both servers are asked the same five questions of 13 kinds; their answers must be the same to the letter, but for the
numbers of callers beside the hits of a search, which are said where the graph is known already.
Between a move and the questions pass up to `--think` seconds, in which the server may get ready.
After every `--bare-every` moves a third one answers in a copy without any index or cache. Exit status: 0 when all are
the same, 1 when not.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{3,30}")
CALLERS = re.compile(r", \d+ (?:caller|test)s?(?=[,\]])")
CODE = (".py", ".go", ".js", ".ts", ".tsx", ".c", ".h", ".rs", ".java", ".rb", ".kt", ".php")


class Server:
    """A server of one work tree, asked over its standard input."""

    def __init__(self, program, folder, env):
        self.process = subprocess.Popen([program, "mcp"], cwd=folder, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                 "clientInfo": {"name": "moves", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the server has ended")
            message = json.loads(line)
            if message.get("id") == self.number:
                return message

    def ask(self, tool, arguments):
        done = self.call("tools/call", {"name": tool, "arguments": arguments})
        text = done["result"]["content"][0]["text"] if "result" in done else str(done["error"])
        # Who calls a hit of a search is said where the graph is known already.
        if tool == "search":
            text = CALLERS.sub("", text)
        # What else the index holds is no answer about the tree.
        return "\n".join(line for line in text.splitlines() if not line.startswith("stored: "))

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Walk:
    """A clone that somebody works in."""

    def __init__(self, options, scratch):
        self.random = random.Random(options.seed)
        self.program, self.scratch = options.program, scratch
        self.main = scratch / "main"
        (scratch / "home").mkdir()
        self.env = {"HOME": str(scratch / "home"), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", "clone", "-q", str(options.repository), str(self.main)], check=True, env=self.env)
        for key, value in [("user.name", "moves"), ("user.email", "moves@example.org"), ("gc.auto", "0"),
                           ("advice.detachedHead", "false"), ("commit.gpgsign", "false")]:
            self.git("config", key, value)
        self.start = self.git("rev-parse", "HEAD").strip()
        self.history = self.git("rev-list", "--first-parent", "-n", "300", "HEAD").split()
        self.linked, self.stashed, self.count = None, False, 0

    @property
    def folder(self):
        return self.linked or self.main

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=getattr(self, "linked", None) or self.main, env=self.env,
                              capture_output=True, text=True).stdout

    def files(self):
        listed = self.git("ls-files", "-co", "--exclude-standard", "-z").split("\0")
        return [name for name in listed if name.endswith(CODE) and (self.folder / name).is_file()]

    def words(self):
        files = self.files()
        found = collections.Counter()
        for name in self.random.sample(files, min(3, len(files))):
            found.update(WORD.findall((self.folder / name).read_bytes()))
        return [word.decode() for word in sorted(found)] or ["main"]

    def edit(self):
        name = self.random.choice(self.files())
        lines = (self.folder / name).read_bytes().splitlines(True)
        at = self.random.randrange(len(lines) + 1)
        kind = self.random.randrange(3)
        if kind == 0 and lines:
            del lines[at:at + self.random.randrange(1, 9)]
        elif kind == 1 and lines:
            word = self.random.choice(self.words()).encode()
            other = self.random.choice(self.words()).encode()
            lines = [re.sub(rb"\b" + word + rb"\b", other, line) for line in lines]
        else:
            lines[at:at] = lines[:self.random.randrange(1, 20)]
        (self.folder / name).write_bytes(b"".join(lines))

    def add(self):
        name = self.random.choice(self.files())
        self.count += 1
        path = pathlib.PurePosixPath(name)
        new = path.with_name(f"{path.stem}_{self.count}{path.suffix}")
        (self.folder / new).write_bytes((self.folder / name).read_bytes())

    def remove(self):
        (self.folder / self.random.choice(self.files())).unlink()

    def rename(self):
        name = self.random.choice(self.files())
        self.count += 1
        path = pathlib.PurePosixPath(name)
        (self.folder / name).rename(self.folder / path.with_name(f"moved_{self.count}{path.suffix}"))

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", f"move {self.count}")

    def checkout(self):
        self.git("checkout", "-qf", self.random.choice(self.history + [self.start]))

    def branch(self):
        self.count += 1
        self.git("checkout", "-q", "-b", f"branch-{self.count}")

    def merge(self):
        self.git("merge", "-q", "-m", "merge", self.random.choice(self.history[:50]))
        self.git("merge", "--abort")

    def stash(self):
        self.git(*(("stash", "pop", "-q") if self.stashed else ("stash", "push", "-q", "-u")))
        self.stashed = not self.stashed

    def reset(self):
        self.git("reset", "-q", "--hard", self.random.choice([self.start] + self.history[:100]))
        self.git("clean", "-qfd")

    def work_tree(self):
        if self.linked:
            gone, self.linked = self.linked, None
            self.git("worktree", "remove", "--force", str(gone))
        else:
            self.count += 1
            place = self.scratch / f"linked-{self.count}"
            self.git("worktree", "add", "-q", "--detach", str(place), self.random.choice(self.history[:100]))
            self.linked = place if place.exists() else None

    def questions(self):
        words = self.words()
        word = lambda: self.random.choice(words)
        files = self.files() or ["x.py"]
        file = self.random.choice(files)
        kinds = [
            ("symbol", {"name": word()}), ("symbol", {"name": word(), "detail": "body"}), ("symbol", {"name": file}),
            ("symbol", {"name": word()[:4] + "*"}), ("symbol", {"name": word()[:-1]}),
            ("symbol", {"name": f"{file}:{self.random.randrange(1, 60)}"}),
            ("refs", {"target": word()}), ("refs", {"target": file}), ("refs", {"target": word(), "direction": "out"}),
            ("search", {"query": f"{word()} {word()} {word()}"}), ("search", {"query": word(), "mode": "text"}),
            ("map", {}), ("diff", {}),
        ]
        # Hits of a search tell their callers once there is a graph, so a definition is asked for first.
        return kinds[:1] + self.random.sample(kinds[1:], 4)


def bare(walk, questions):
    """Answers in a copy of the clone that has neither index nor caches."""
    copy = walk.scratch / "bare"
    shutil.copytree(walk.folder, copy, symlinks=True)
    if (copy / ".git").is_file():
        shutil.rmtree(copy)
        return None
    shutil.rmtree(copy / ".git" / "sverklo", ignore_errors=True)
    subprocess.run(["git", "update-ref", "-d", "refs/sverklo/v1/index"], cwd=copy, env=walk.env)
    server = Server(walk.program, copy, walk.env)
    # The first answers of a large repository come from a few files; a search by text waits for all.
    server.ask("map", {})
    told = [server.ask(*question) for question in questions]
    server.end()
    shutil.rmtree(copy)
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--repository", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bare-every", type=int, default=50)
    parser.add_argument("--think", type=float, default=0)
    options = parser.parse_args()
    moves = ["edit"] * 6 + ["add", "remove", "rename", "commit", "commit", "checkout", "branch", "merge", "stash",
                            "reset", "work_tree"]
    done, asked, differing, without = collections.Counter(), 0, 0, 0
    pauses = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        walk = Walk(options, pathlib.Path(scratch))
        servers = {walk.main: Server(options.program, walk.main, walk.env)}
        for number in range(options.moves):
            if not walk.files():
                walk.reset()
            move = walk.random.choice(moves)
            getattr(walk, move)()
            done[move] += 1
            for gone in [folder for folder in servers if not folder.exists()]:
                servers.pop(gone).end()
            if walk.folder not in servers:
                servers[walk.folder] = Server(options.program, walk.folder, walk.env)
            questions = walk.questions()
            time.sleep(pauses.uniform(0, options.think))
            lasting = [servers[walk.folder].ask(*question) for question in questions]
            fresh = Server(options.program, walk.folder, walk.env)
            others = [("fresh", [fresh.ask(*question) for question in questions])]
            fresh.end()
            if options.bare_every and number % options.bare_every == 0:
                told = bare(walk, questions)
                if told is not None:
                    without += len(told)
                    others.append(("without index", told))
            for who, told in others:
                for question, ours, theirs in zip(questions, lasting, told):
                    asked += 1
                    if ours != theirs:
                        differing += 1
                        print(f"move {number} ({move}): {question} differs, {who}:\n--- lasting\n{ours}\n--- {who}\n{theirs}",
                              flush=True)
        for server in servers.values():
            server.end()
    print(f"{options.moves} moves ({', '.join(f'{n} {move}' for move, n in sorted(done.items()))}), "
          f"{asked} answers compared, {without} of them without an index, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
