#!/usr/bin/env python3
"""What do the real command lines of agents put in front of a model?

usage: benchmark/clients/bed.py --program FILE --repository DIR --clients DIR [--counter FILE]

Clones the repository into a temporary folder, lets `git sverklo init --write` tell each host of the server,
runs the host with a script in place of a model (endpoint.py), and compares what the model was shown
with what the server said. README.md beside this file says how to install the hosts.
Exit status: 0 when every host that is there read every answer, 1 when one did not, 2 on wrong usage.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import endpoint
import hosts

PROMPT = "Answer from the code index."
# Of the questions beside this file those that a transcript tells: a card, and one of an old release.
TOLD = (0, 3)


def said_by_server(program, repo, env, questions):
    """What the server itself answers: (text, structured content or None) of each question; its instructions."""
    server = subprocess.Popen([program, "mcp"], cwd=repo, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    def ask(id_, method, params):
        send({"id": id_, "method": method, "params": params})
        while True:
            message = json.loads(server.stdout.readline())
            if message.get("id") == id_:
                return message["result"]

    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bed", "version": "1"}}
    instructions = ask(0, "initialize", hello).get("instructions", "")
    send({"method": "notifications/initialized"})
    answers = []
    for index, (tool, arguments) in enumerate(questions):
        result = ask(index + 1, "tools/call", {"name": tool, "arguments": arguments})
        answers.append((endpoint.text_of(result["content"]), result.get("structuredContent")))
    server.stdin.close()
    server.wait()
    return answers, instructions


def kind_of(shown, text, structured):
    """Which form of an answer the model was shown; hosts may put words of their own around it."""
    if not shown:
        return "nothing"
    if shown == text:
        return "text"
    json_forms = [json.dumps(structured, separators=s, ensure_ascii=False) for s in [(",", ":"), (", ", ": ")]]
    if structured is not None and shown in json_forms:
        return "json"
    # What some show is an object that holds the answer.
    try:
        inner = list(nested(json.loads(shown)))
    except ValueError:
        inner = []
    has_text = any(text in part for part in [shown, *inner] if isinstance(part, str))
    has_json = structured is not None and (structured in inner or any(form in shown for form in json_forms))
    forms = [name for name, has in [("text", has_text), ("json", has_json)] if has]
    return " and ".join(forms) + ", wrapped" if forms else "other"


def nested(value):
    """A JSON value and every one in it."""
    yield value
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    for inner in values:
        yield from nested(inner)


def counted(counter, texts):
    """Tokens of each text under o200k, by the benchmark's own counter."""
    if not counter:
        return [len(text.encode()) // 4 for text in texts]
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    out = subprocess.run([counter, "tokens"], input=lines, capture_output=True, text=True, check=True).stdout
    return [int(line) for line in out.split()]


def visit(host, args, questions, scratch):
    """Runs one host; returns what was recorded, or why it could not be."""
    program = args.clients / host.program
    if not program.exists():
        return {"host": host.label, "absent": f"no {program}"}
    home, repo = scratch / host.label / "home", scratch / host.label / "repo"
    home.mkdir(parents=True)
    git_env = {"HOME": str(home), "PATH": f"{args.program.parent}:{os.environ['PATH']}"}
    subprocess.run(["git", "clone", "-q", str(args.repository), str(repo)], check=True, env=git_env)
    if not args.no_init:
        command = [args.program, "init", "--write", host.label, "--no-hooks", "-q"]
        subprocess.run(command, cwd=repo, check=True, env=git_env)
    script = endpoint.Script(questions)
    server, address = endpoint.serve(script)
    env = {**git_env, "TERM": "dumb", **host.prepare(home, address)}
    if not args.no_consent:
        host.consent(home, repo)
    command = [str(program), *host.arguments(PROMPT)]
    try:
        done = subprocess.run(command, cwd=repo, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=args.timeout)
        status, printed = done.returncode, done.stdout[-2000:] + done.stderr[-4000:]
    except subprocess.TimeoutExpired as slow:
        status = "timeout"
        printed = "".join((s or b"").decode(errors="replace")[-4000:] for s in [slow.stdout, slow.stderr])
    server.shutdown()
    version = subprocess.run([str(program), "--version"], env=env, capture_output=True, text=True).stdout.strip()
    said, instructions = said_by_server(args.program, repo, git_env, questions)
    told = any(contains(request["body"], instructions[:60]) for request in script.requests)
    return {"host": host.label, "version": version, "command": [host.program, *command[1:]], "status": status,
            "printed": printed, "requests": script.requests, "instructed": told, "offered": script.offered,
            "shown": [script.shown.get(i) for i in range(len(questions))], "said": said}


def contains(value, text):
    """Whether a text is in any string of a JSON value."""
    return any(text in part for part in nested(value) if isinstance(part, str))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    path = lambda text: pathlib.Path(text).absolute()
    parser.add_argument("--program", type=path, required=True, help="git-sverklo")
    parser.add_argument("--repository", type=path, required=True, help="the repository to ask about")
    parser.add_argument("--clients", type=path, required=True, help="folder with the hosts' programs")
    parser.add_argument("--counter", type=path, help="the benchmark program, for its `tokens`; else bytes / 4")
    parser.add_argument("--questions", type=path, default=pathlib.Path(__file__).with_name("questions.jsonl"),
                        help="JSON lines of [tool, arguments]; default: those beside this file, about express")
    parser.add_argument("--out", type=path, help="folder for the requests as they came")
    parser.add_argument("--host", action="append", choices=[h.label for h in hosts.HOSTS])
    parser.add_argument("--no-consent", action="store_true", help="do not consent where a person would be asked")
    parser.add_argument("--transcript", type=path, help="a page to append two questions to, as models saw them")
    parser.add_argument("--no-init", action="store_true", help="the clone has the configuration already")
    parser.add_argument("--timeout", type=int, default=300)
    args = parser.parse_args()
    questions = [json.loads(line) for line in args.questions.read_text().splitlines()]
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for host in hosts.HOSTS:
            if args.host and host.label not in args.host:
                continue
            seen = visit(host, args, questions, pathlib.Path(scratch).resolve())
            if args.out:
                args.out.mkdir(parents=True, exist_ok=True)
                (args.out / f"{host.label}.json").write_text(json.dumps(seen, indent=1, ensure_ascii=False))
            bad += report(seen, args, questions)
            if args.transcript:
                transcribe(seen, questions, args.transcript)
    sys.exit(1 if bad else 0)


def report(seen, args, questions):
    """Prints what a host did; returns how many answers did not reach the model."""
    if "absent" in seen:
        print(f"{seen['host']}: skipped, {seen['absent']}")
        return 0
    shown = [text or "" for text in seen["shown"]]
    texts = [text for text, _ in seen["said"]]
    tools = [json.dumps(tool["said"], separators=(",", ":")) for tool in seen["offered"]]
    tokens = counted(args.counter, shown + texts + tools)
    of_shown, of_texts, of_tools = tokens[:len(shown)], tokens[len(shown):2 * len(shown)], tokens[2 * len(shown):]
    print(f"{seen['host']} ({seen['version']}), exit {seen['status']}")
    print(f"  {len(tools)} tools, {sum(of_tools)} tokens of definitions; "
          f"instructions {'shown' if seen['instructed'] else 'not shown'}")
    kinds = [kind_of(text, *said) for text, said in zip(shown, seen["said"])]
    for (tool, arguments), kind, here, there in zip(questions, kinds, of_shown, of_texts):
        print(f"  {here:6} of {there:5} {kind:22} {tool} {json.dumps(arguments)}")
    print(f"  {sum(of_shown):6} of {sum(of_texts):5} tokens shown of the tokens of the texts")
    bad = sum(kind in ("nothing", "other") for kind in kinds)
    if bad:
        print("  " + seen["printed"].replace("\n", "\n  "))
    return bad


def transcribe(seen, questions, page):
    """Appends two questions of a host to a page, as its model saw them."""
    if "absent" in seen:
        return
    names = {tool["name"].split("__")[-1].split("_")[-1]: tool["name"] for tool in seen["offered"]}
    lines = [f"## {seen['host']}: {seen['version']}", "", "```console", "$ " + shlex.join(seen["command"])]
    for index in TOLD:
        (tool, arguments), shown = questions[index], seen["shown"][index] or "(nothing)"
        lines += [f"model: {names.get(tool, tool)} {json.dumps(arguments)}", "shown to the model:", shown.rstrip("\n")]
    lines += [f"model: {endpoint.END}", "```", ""]
    with open(page, "a") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
