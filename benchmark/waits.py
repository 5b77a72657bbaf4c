#!/usr/bin/env python3
"""How long an agent waits: milliseconds from the request to the end of the answer, over MCP, p50 / p95.

usage: benchmark/waits.py --program FILE [--program FILE] --repository DIR [--repository DIR] [--rounds 15]
                           [--think 0]

Each repository is cloned into a temporary folder, with the index that it has, and with a home directory of its own.
Several programs are asked in turns in clones of their own. Columns:

- begun: the first `symbol` of a session, asked at once; later: of a session that begins a second before it.
- symbol, refs, search, map: nothing has changed since the last question; names and words differ each time.
- edit, file, search: the first `symbol` after one edited file, after one new file, the first `search` after an edit.
- checkout: the first `symbol` after a checkout of the commit 100 before, which has been indexed.
- `--think` is how many seconds pass between such a change and the question; agents think for some.
- MB: what the server holds by itself at the end (RssAnon), and at its peak with mapped files (VmHWM).
"""
import argparse
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from moves import CODE, Server  # noqa: E402

WORD = re.compile(rb"[A-Za-z][A-Za-z0-9_]{4,30}")


class Clone:
    def __init__(self, program, repository, scratch, number):
        self.program, self.folder = program, scratch / f"{number}" / "clone"
        home = scratch / f"{number}" / "home"
        home.mkdir(parents=True)
        self.env = {"HOME": str(home), "PATH": os.environ["PATH"]}
        self.git("clone", "-q", str(repository), str(self.folder), cwd=scratch)
        self.git("fetch", "-q", str(repository), "+refs/sverklo/v1/index:refs/sverklo/v1/index")
        self.commits = self.git("rev-list", "--first-parent", "-n", "101", "HEAD").split()
        subprocess.run([program, "index", "HEAD", self.commits[-1]], cwd=self.folder, env=self.env, check=True,
                       capture_output=True)
        self.words, self.random = self.some_words(), random.Random(3)

    def git(self, *arguments, cwd=None):
        done = subprocess.run(["git", *arguments], cwd=cwd or self.folder, env=self.env, capture_output=True, text=True)
        return done.stdout

    def files(self):
        return [name for name in self.git("ls-files").split("\n") if name.endswith(CODE)]

    def some_words(self):
        chosen, found = random.Random(2), set()
        for name in chosen.sample(self.files(), min(40, len(self.files()))):
            found.update(WORD.findall((self.folder / name).read_bytes()))
        return [word.decode() for word in sorted(found)]

    def question(self, tool):
        word = lambda: self.random.choice(self.words)
        return tool, {"symbol": {"name": word()}, "refs": {"target": word()}, "map": {},
                      "search": {"query": f"{word()} {word()} {word()}"}}[tool]

    def timed(self, server, tool):
        question = self.question(tool)
        start = time.perf_counter()
        server.ask(*question)
        return (time.perf_counter() - start) * 1000

    def edit(self, number):
        path = self.folder / self.random.choice(self.files())
        path.write_bytes(path.read_bytes() + b"\n// %d\n" % number)

    def add(self, number):
        path = self.folder / self.random.choice(self.files())
        path.with_name(f"new_{number}{path.suffix}").write_bytes(path.read_bytes())


def server_of(clone):
    return Server(clone.program, clone.folder, clone.env)


def memory(server):
    lines = dict(line.split(":", 1) for line in open(f"/proc/{server.process.pid}/status"))
    return [int(lines[name].split()[0]) // 1024 for name in ("RssAnon", "VmHWM")]


def measure(clones, rounds, think):
    times = [{} for _ in clones]
    note = lambda i, column, value: times[i].setdefault(column, []).append(value)
    for clone in clones:
        server = server_of(clone)
        for tool in ("symbol", "refs", "search", "map"):
            server.ask(*clone.question(tool))
        server.end()
    for _ in range(5):
        for column, pause in (("begun", 0), ("later", 1)):
            for i, clone in enumerate(clones):
                server = server_of(clone)
                time.sleep(pause)
                note(i, column, clone.timed(server, "symbol"))
                server.end()
    servers = [server_of(clone) for clone in clones]
    for i, clone in enumerate(clones):
        for tool in ("symbol", "refs", "search", "map"):
            clone.timed(servers[i], tool)
    for tool in ("symbol", "refs", "search", "map"):
        for _ in range(rounds * 2):
            for i, clone in enumerate(clones):
                note(i, tool, clone.timed(servers[i], tool))
    for number in range(rounds):
        for i, clone in enumerate(clones):
            clone.edit(number)
            time.sleep(think)
            note(i, "edit", clone.timed(servers[i], "symbol"))
            clone.edit(number)
            time.sleep(think)
            note(i, "edit, search", clone.timed(servers[i], "search"))
    for number in range(rounds):
        for i, clone in enumerate(clones):
            clone.add(number)
            time.sleep(think)
            note(i, "file", clone.timed(servers[i], "symbol"))
    for i, clone in enumerate(clones):
        clone.git("reset", "-q", "--hard")
        clone.git("clean", "-qfd")
        clone.timed(servers[i], "symbol")
    for number in range(6):
        for i, clone in enumerate(clones):
            clone.git("checkout", "-q", clone.commits[-1 if number % 2 == 0 else 0])
            time.sleep(think)
            note(i, "checkout", clone.timed(servers[i], "symbol"))
    held = []
    for server in servers:
        time.sleep(2)
        held.append(memory(server))
        server.end()
    return times, held


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, action="append", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--repository", required=True, action="append", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--think", type=float, default=0)
    options = parser.parse_args()
    heads = None
    for repository in options.repository:
        with tempfile.TemporaryDirectory() as scratch:
            clones = [Clone(program, repository, pathlib.Path(scratch), number)
                      for number, program in enumerate(options.program)]
            files = len(clones[0].git("ls-files").split("\n")) - 1
            times, held = measure(clones, options.rounds, options.think)
        for program, columns, (rest, peak) in zip(options.program, times, held):
            if heads is None:
                heads = list(columns)
                print("| | files | " + " | ".join(heads) + " | MB |")
                print("|---|---:|" + "---:|" * (len(heads) + 1))
            cells = []
            for head in heads:
                values = sorted(columns[head])
                last = values[min(len(values) - 1, int(len(values) * .95))]
                cells.append(f"{statistics.median(values):.1f} / {last:.1f}")
            name = repository.name + (f", {pathlib.Path(program).name}" if len(options.program) > 1 else "")
            print(f"| {name} | {files:,} | " + " | ".join(cells) + f" | {rest}, {peak} |", flush=True)


if __name__ == "__main__":
    main()
