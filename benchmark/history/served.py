#!/usr/bin/env python3
"""How long an agent waits for `history` from a server that has answered before, beside git.

    served.py PROGRAM CLONE [EACH]

The functions are those of `times.py CLONES history` (EACH of them, 12 if nothing is said). Wall clock in milliseconds: the first
question about a function, the same again, and `git log -30 -s -L` of its lines (median of three).
"""
import argparse, json, os, statistics, subprocess, sys, time

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
import times


class Server:
    def __init__(self, program, repo):
        self.last = 0
        self.process = subprocess.Popen([program, "mcp"], cwd=repo, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        told = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "served", "version": "1"}}
        self.ask("initialize", told)
        self.say({"method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.say({"id": self.last, "method": method, "params": params})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.last:
                return answer
        sys.exit("the server has ended")

    def timed(self, tool, **arguments):
        begin = time.monotonic()
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.get("result", {}).get("isError") or "error" in answer:
            sys.exit(f"{tool} {arguments}: {answer}")
        return 1e3 * (time.monotonic() - begin)


def by_git(repo, command):
    begin = time.monotonic()
    subprocess.run(command, cwd=repo, stdout=subprocess.DEVNULL, check=True)
    return 1e3 * (time.monotonic() - begin)


def main():
    program, clone, *each = sys.argv[1:]
    repo = os.path.abspath(clone)
    of = argparse.Namespace(clones=os.path.dirname(repo), program=[program], seed="1", each=int(each[0]) if each else 12)
    server = Server(program, repo)
    # Until a server has answered once and is idle it gets ready.
    server.timed("symbol", name="main")
    time.sleep(3)
    rows = []
    for where, commands in times.symbols(of, os.path.basename(repo)):
        first, second = server.timed("history", target=where), server.timed("history", target=where)
        git = statistics.median(by_git(repo, commands["git"]) for _ in range(3))
        rows.append((first, second, git))
        print(f"{first:8.1f} {second:6.1f} {git:8.1f}  {where}")
    if not rows:
        sys.exit(f"{clone}: no functions were drawn")
    medians = [statistics.median(column) for column in zip(*rows)]
    shares = [first / git for first, _, git in rows]
    print("median {:.1f}, {:.1f}, {:.1f}".format(*medians), f"share {statistics.median(shares):.2f}, most {max(shares):.2f}")


if __name__ == "__main__":
    main()
