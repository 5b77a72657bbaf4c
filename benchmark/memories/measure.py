#!/usr/bin/env python3
"""How long memories take in a large repository.

    measure.py PROGRAM CLONE [COUNT]

CLONE is a clone that may be spoilt, without memories. A log of COUNT claims (10,000) is put there with
`git fast-import`: each is pinned to a commit drawn from the history of HEAD and is about a file of HEAD.
Then the program is asked, on the command line for what is cold and over MCP for what is warm. What is
printed are milliseconds of wall clock, but for the bytes that a push sends. With a seed that is fixed, the
log is the same each time.
"""

import hashlib
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

WORDS = """retry client server cache index parser token branch merge commit limit timeout queue worker schema
table append only never always before after because breaks windows macos linux build test flaky deploy rollback
feature flag config default secret rotation latency budget memory leak thread pool""".split()
KINDS = "decision rule fact howto preference todo correction".split()
MEMORY = "refs/sverklo/v1/memory"


def git(repo, *args):
    return subprocess.run(["git", *args], cwd=repo, check=True, capture_output=True, text=True).stdout


def generate(repo, count, rng):
    """Writes the log as a stream for fast-import."""
    lines = git(repo, "log", "--no-merges", "--format=%H%x00%T%x00%aI%x00%s", "HEAD").splitlines()
    commits = rng.sample([line.split("\0") for line in lines], count)
    files = [line.split("\t") for line in git(repo, "ls-tree", "-r", "HEAD").splitlines() if '"' not in line]
    out, entries = [], []

    def blob(data):
        out.append(b"blob\nmark :%d\ndata %d\n%s\n" % (len(out) + 1, len(data), data))
        return len(out)

    form = blob(b"sverklo memory\nlayout 1\nhash sha1\n")
    for commit, tree, date, subject in commits:
        subject = "".join(c if c.isprintable() else " " for c in subject)[:100].strip()
        meta, path = rng.choice(files)
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(8, 40)))
        event = f"sverklo memory 1\nassert\nkind {rng.choice(KINDS)}\npin {commit}\npin-tree {tree}\n"
        event += f"pin-date {date.replace('Z', '+00:00').replace('-00:00', '+00:00')}\n"
        event += f"pin-subject {subject}\n" if subject else ""
        event += f"path {path} {meta.split()[2]}\ntag {rng.choice(WORDS)}\n"
        event += f"author Ann Author <ann@example.com>\ntool cli\ndate 2026-01-01T00:00:00+00:00\n\n{text}\n"
        data = event.encode()
        name = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        entries.append((name, blob(data)))
    out.append(b"commit %s\ncommitter A <a@example.com> 1700000000 +0000\ndata 0\n" % MEMORY.encode())
    out.append(b"M 100644 :%d format\n" % form)
    out += [b"M 100644 :%d event/%s/%s\n" % (mark, n[:2].encode(), n[2:].encode()) for n, mark in entries]
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo, input=b"".join(out), check=True)


def timed(repo, *command):
    start = time.monotonic()
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return (time.monotonic() - start) * 1e3


class Server:
    """The program as an MCP server."""

    def __init__(self, program, repo):
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process = subprocess.Popen([program, "mcp"], cwd=repo, text=True, bufsize=1, **pipes)
        self.number = 0
        info = dict(name="measure", version="1")
        self.request("initialize", dict(protocolVersion="2025-06-18", capabilities={}, clientInfo=info))
        self.send(dict(jsonrpc="2.0", method="notifications/initialized"))

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")

    def request(self, method, params):
        self.number += 1
        self.send(dict(jsonrpc="2.0", id=self.number, method=method, params=params))
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def ask(self, tool, **arguments):
        start = time.monotonic()
        answer = self.request("tools/call", dict(name=tool, arguments=arguments))
        took = (time.monotonic() - start) * 1e3
        assert "error" not in answer and not answer["result"].get("isError"), answer
        return took


def tell(what, took):
    took.sort()
    p95 = took[int(len(took) * 0.95)]
    print(f"{what:42} n {len(took):3}  p50 {took[len(took) // 2]:7.1f}  p95 {p95:7.1f}  max {took[-1]:7.1f}", flush=True)


def main():
    program, repo = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    rng = random.Random(7)
    if subprocess.run(["git", "rev-parse", "-q", "--verify", MEMORY], cwd=repo, capture_output=True).returncode:
        generate(repo, count, rng)
    print(f"{git(repo, 'rev-list', '--count', 'HEAD').strip()} commits, {count} memories")
    kept = Path(git(repo, "rev-parse", "--path-format=absolute", "--git-common-dir").strip()) / "sverklo" / "memory"
    question = lambda: " ".join(rng.sample(WORDS, rng.randint(1, 4)))
    cold = []
    for _ in range(5):
        shutil.rmtree(kept, ignore_errors=True)
        cold.append(timed(repo, program, "recall", question()))
    tell("recall, nothing kept (a process each)", cold)
    walks = []
    for _ in range(5):
        shutil.rmtree(kept / "at", ignore_errors=True)
        walks.append(timed(repo, program, "recall", question()))
    tell("recall, a commit not asked before", walks)
    tell("recall, again (a process each)", [timed(repo, program, "recall", question()) for _ in range(20)])
    tell("remember (a process each)", [timed(repo, program, "remember", f"never {question()} {n}") for n in range(20)])
    server = Server(program, repo)
    first_parents = git(repo, "rev-list", "--first-parent", "HEAD").split()
    for part in (0.0, 0.1, 0.3, 0.6):
        rev = first_parents[int(part * (len(first_parents) - 1))]
        server.ask("recall", query="retry", at=rev)
        tell(f"recall --at {rev[:10]}, warm", [server.ask("recall", query=question(), at=rev) for _ in range(60)])
    tell("recall without a question, warm", [server.ask("recall") for _ in range(60)])
    say = lambda: server.ask("remember", text=f"always {question()} {rng.randrange(10**9)}")
    tell("remember, warm", [say() for _ in range(40)])
    tell("recall right after a remember", [(say(), server.ask("recall", query=question()))[1] for _ in range(20)])
    server.process.stdin.close()
    server.process.wait()
    hub = kept.parent / "hub"
    git(repo, "init", "-q", "--bare", str(hub))
    git(repo, "push", "-q", str(hub), MEMORY)
    timed(repo, program, "remember", "one more thing to share")
    pack = subprocess.run(
        ["git", "pack-objects", "--revs", "--stdout", "-q", "--thin"], cwd=repo, check=True, capture_output=True,
        input=f"{MEMORY}\n^{git(hub, 'rev-parse', MEMORY).strip()}\n".encode(),
    )
    print(f"a push of one new memory sends a pack of {len(pack.stdout)} bytes")
    shutil.rmtree(hub)


if __name__ == "__main__":
    main()
