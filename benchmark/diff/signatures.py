#!/usr/bin/env python3
"""Measures whether `git sverklo diff` finds the calls that no longer fit after a signature was changed.

A seed takes one function, method or constructor at random from what universal-ctags lists and either adds a required
parameter (last; first where the last may be left out or takes any number) or removes one, which its body then declares,
so that the body still compiles. The callers are left as they are. The compiler or type checker says which calls it
refuses: complaints that it had before, and those that are not about the arguments of a call of that name, do not count. A call
that it names at another of its lines is the same call.

    signatures.py LANGUAGE REPOSITORY --n 40 --seed 1 [--program git-sverklo] [--roots DIR ...] [--checked PREFIX]

A place that only `diff` names is probed: the name there is replaced by one that nothing has, and where the compiler does not
complain of that either, it does not look there (another platform, a value of no known type, a package behind one that is
broken): it is counted as `unseen`, neither right nor false.

Settings in the environment are those of dangling.py. Go is judged by gocheck/ (GOCHECK names the program), which goes
on after a package that is broken; WITH=MODULE=DIR tells it of a dependency. What `diff` says of files that the checker does not read is left out.
"""
import argparse, ast, importlib.util, json, os, pathlib, random, re, subprocess, sys

HERE = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("dangling", HERE / "dangling.py")
base = importlib.util.module_from_spec(spec)
spec.loader.exec_module(base)
run, lines_of = base.run, base.lines_of

ABOUT_CALLS = {
    "go": r"arguments in call|cannot use .* in argument|as .* value in argument",
    "typescript": r"TS2554|TS2555|TS2345|TS2769",
    "python": r"\[call-arg\]|\[arg-type\]|Too many|Missing positional|Too few",
    "java": r"cannot be applied to given types|no suitable (method|constructor)|incompatible types",
    "rust": r"E0061|E0308",
}
EXTRA = {"go": "zzExtra int", "typescript": "zzExtra: number", "python": "zzextra", "java": "int zzExtra",
         "rust": "zz_extra: u8"}
OPTIONAL = {"go": r"\.\.\.", "typescript": r"\?\s*:|\?$|=|^\.\.\.", "python": r"=|^\*|^/$", "java": r"\.\.\.", "rust": r"^$"}
KINDS = {"typescript": {"function", "method"}, "python": {"function", "member"}, "go": {"func"},
         "rust": {"function", "method"}, "java": {"method"}}
NAMES = {"typescript": "TypeScript", "python": "Python", "go": "Go", "rust": "Rust", "java": "Java"}


def complaints(language, repo):
    """Every complaint about the arguments of a call, as (path, line)."""
    env = os.environ
    if language == "go":
        out = run([env.get("GOCHECK", "gocheck"), *(["-skip", env["SKIP"]] if "SKIP" in env else []),
                   *(["-with", env["WITH"]] if "WITH" in env else []), "."], repo).stdout
        pattern = r"^(\S+\.go):(\d+):\d+: (.*)$"
    elif language == "typescript":
        info = os.path.abspath(str(repo)) + ".tsbuildinfo"
        out = run(["node", env["TSC"], "-p", env.get("TSCONFIG", "tsconfig.json"), "--noEmit", "--composite", "false",
                   "--incremental", "--pretty", "false", "--tsBuildInfoFile", info], repo).stdout
        pattern = r"^(\S[^(\n]*)\((\d+),\d+\): error (.*)$"
    elif language == "python":
        out = run([env.get("PYTHON", sys.executable), "-m", "mypy", "--check-untyped-defs", "--hide-error-context", "--no-pretty",
                   "--no-color-output", "--cache-dir", os.path.abspath(str(repo)) + ".mypy",
                   *env.get("ROOTS", "src").split()], repo).stdout
        pattern = r"^([^:\n]+\.pyi?):(\d+)(?::\d+)?: error: (.*)$"
    elif language == "java":
        files = [str(f) for root in env["ROOTS"].split() for f in pathlib.Path(repo, root).rglob("*.java")
                 if f.name not in ("module-info.java", "package-info.java")]
        into = os.path.abspath(str(repo)) + ".args"
        pathlib.Path(into).write_text("\n".join(os.path.relpath(f, repo) for f in files))
        out = run(["javac", "-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW", "-d",
                   into + ".d", "-cp", env.get("CLASSPATH", "."), "@" + into], repo).stderr
        pattern = r"^(\S+\.java):(\d+): error: (.*)$"
    else:
        out = run(["cargo", "check", "--keep-going", "--message-format=json", *env.get("TARGETS", "--all-targets").split()], repo)
        found = set()
        for line in out.stdout.splitlines():
            message = json.loads(line).get("message") if line.startswith("{") else None
            if message and message["level"] == "error":
                code = (message.get("code") or {}).get("code", "")
                found |= {(s["file_name"], s["line_start"], code) for s in message["spans"] if s["is_primary"]}
        return found
    found = set()
    for match in re.finditer(pattern, out, re.M):
        path = os.path.normpath(os.path.join(os.path.realpath(repo), match[1]))
        found.add((os.path.relpath(path, os.path.realpath(repo)), int(match[2]), match[3]))
    return found


def closing(text, at):
    """Where the bracket at a place closes, strings and comments left out; None where it does not."""
    depth, quote = 0, None
    pairs = {"(": ")", "[": "]", "{": "}"}
    while at < len(text):
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif text.startswith(quote, at):
                at += len(quote) - 1
                quote = None
        elif text.startswith('"""', at) or text.startswith("'''", at):
            quote = text[at:at + 3]
            at += 2
        elif char in "\"`" or char == "'" and re.match(r"'(\\.|[^'\\\n])*'", text[at:at + 200]):
            quote = char
        elif text.startswith("//", at) or char == "#" and text[at:at + 2] == "# ":
            at = text.find("\n", at)
            if at < 0:
                return None
        elif char in pairs:
            depth += 1
        elif char in pairs.values():
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return None


def split(params):
    """The parts of a list at its outermost commas."""
    parts, depth, part = [], 0, ""
    for at, char in enumerate(params):
        depth += char in "([{<"
        depth -= char in ")]}" or char == ">" and params[at - 1:at] not in ("-", "=")
        if char == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    return parts + [part] if part.strip() else parts


def receiver(language, part):
    part = part.strip()
    return language == "python" and part in ("self", "cls") or language == "rust" and re.match(r"(&\s*('\w+\s+)?)?(mut\s+)?self\b", part) \
        or language == "typescript" and part.startswith("this:") or language == "java" and part.endswith(" this")


def declared(language, part):
    """(name, statement that declares it) of a parameter that may be removed."""
    part = part.strip()
    if language == "go":
        match = re.fullmatch(r"(\w+) ([^.].*)", part, re.S)
        return match and (match[1], f" var {match[1]} {match[2]}; _ = {match[1]};")
    if language == "typescript":
        match = re.fullmatch(r"(\w+)\??\s*(:.*)?", part, re.S)
        return match and "=" not in part.replace("=>", "") and (match[1], f" let {match[1]} = undefined as any;")
    if language == "python":
        match = re.fullmatch(r"(\w+)\s*(:[^=]*)?", part, re.S)
        return match and (match[1], f"from typing import Any as _Zz; {match[1]}: _Zz = None")
    if language == "java":
        match = re.fullmatch(r"(?:final )?(?:@\w+ )?([\w.<>\[\], ?]+) (\w+)", part, re.S)
        return match and (match[2], f" {match[1]} {match[2]} = ({match[1]}) (Object) null;")
    match = re.fullmatch(r"(mut )?(\w+)\s*:\s*(.*)", part, re.S)
    return match and "impl " not in match[3] and (match[2], f" let {match[1] or ''}{match[2]}: {match[3]} = todo!();")


def edited(language, text, line, name, chance):
    """The text with another signature, and what was done; None where that cannot be."""
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n":
            starts.append(at + 1)
    found = re.compile(r"\b" + re.escape(name) + r"\s*(<[^(]*>|\[[^(]*\])?\s*\(").search(text, starts[line - 1])
    if not found or text.count("\n", starts[line - 1], found.start()) > 0:
        return None
    opened = found.end() - 1
    closed = closing(text, opened)
    if closed is None:
        return None
    inner = text[opened + 1:closed]
    if "//" in inner or "/*" in inner or language == "python" and "#" in inner:
        return None
    parts = split(inner)
    own = [i for i, part in enumerate(parts) if not receiver(language, part)]
    first = own[0] if own else len(parts)
    if chance.random() < 0.5:
        optional = [i for i in own if re.search(OPTIONAL[language], parts[i].strip())]
        if language == "python":
            at = optional[0] if optional else len(parts)
        else:
            at = first if optional else len(parts)
        parts.insert(at, (" " if at else "") + EXTRA[language])
        return text[:opened + 1] + ",".join(parts).strip() + text[closed:], "added"
    removable = [i for i in own if declared(language, parts[i])]
    if language == "go":
        # `a, b int`: what has no type of its own stays, and so does what it takes its type from.
        removable = [i for i in removable if i == 0 or declared("go", parts[i - 1])]
    if not removable:
        return None
    at = chance.choice(removable)
    gone, statement = declared(language, parts[at])
    del parts[at]
    if language == "python":
        rest = re.compile(r":[ ]*\n(\s*)").search(text, closed)
        body = rest and rest.end()
    else:
        rest = re.compile(r"[^;]*?\{").match(text, closed + 1) if language != "typescript" else re.compile(
            r"\s*(:[^;{]*)?(=>\s*)?\{").match(text, closed + 1)
        body = rest and rest.end()
    if not body:
        return None
    if language == "python":
        indent = rest[1].rsplit("\n", 1)[-1]
        statement = statement + "\n" + indent
    return text[:opened + 1] + ",".join(parts).strip() + text[closed:body] + statement + text[body:], "removed"


def owner(language, path, text, line, name):
    """What a constructor is called by, else the name itself."""
    if language == "python" and name in ("__init__", "__new__"):
        before = "\n".join(text.split("\n")[:line])
        classes = re.findall(r"(?m)^\s*class (\w+)", before)
        return classes[-1] if classes else name
    if language == "typescript" and name == "constructor":
        classes = re.findall(r"\bclass (\w+)", "\n".join(text.split("\n")[:line]))
        return classes[-1] if classes else name
    return name


def spans(repo, path, line, names):
    """The lines of the calls of some names that begin on a line."""
    text = "\n".join(lines_of(repo, path))
    start = sum(len(one) + 1 for one in text.split("\n")[:line - 1])
    end = text.find("\n", start)
    found = []
    for name in names:
        for match in re.finditer(r"(?<![\w$])" + re.escape(name) + r"\s*(<[^()\n]*>|\[[^()\n]*\]|!)?\s*(?=[({])", text[start:end if end >= 0 else None]):
            close = closing(text, start + match.end())
            if close:
                found.append((line, text.count("\n", 0, close) + 1))
    return found


def statement(repo, path, line):
    """The lines of the statement of Python that a line is of."""
    try:
        tree = ast.parse("\n".join(lines_of(repo, path)))
    except SyntaxError:
        return line, line
    best = (line, line)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno <= line <= node.end_lineno:
            best = node.lineno, node.end_lineno
        if isinstance(node, (ast.With, ast.If, ast.While, ast.For)) and node.lineno <= line < node.body[0].lineno:
            best = node.lineno, node.body[0].lineno - 1
    return best


def judge(language, repo, names, complaint):
    """The line of the call that a complaint is about; None where it is about none of these names."""
    path, line = complaint
    at = lines_of(repo, path)
    for start in range(line, max(0, line - 30), -1):
        if any(first <= line <= last for first, last in spans(repo, path, start, names)):
            return path, start
    if language == "python":
        first, last = statement(repo, path, line)
        for start in range(first, last + 1):
            if spans(repo, path, start, names):
                return path, start
    return (path, line) if any(re.search(r"(?<![\w$])" + re.escape(name) + r"(?![\w$])", at[line - 1]) for name in names) \
        and language in ("go", "rust") else None


def is_looked_at(language, repo, names, place, said):
    """Whether the compiler complains of a name that nothing has at a place. The tree is left as it was."""
    path, line = place
    file = pathlib.Path(repo, path)
    text = file.read_text(errors="surrogateescape")
    lines = text.split("\n")
    first, last = (spans(repo, path, line, names) or [(line, line)])[0]
    probe = re.sub(r"(?<![\w$])(" + "|".join(map(re.escape, names)) + r")(?![\w$])", "zzProbe", lines[line - 1])
    if probe == lines[line - 1]:
        return True
    lines[line - 1] = probe
    file.write_text("\n".join(lines), errors="surrogateescape")
    found = complaints(language, repo)
    file.write_text(text, errors="surrogateescape")
    return any(one[0] == path and first <= one[1] <= last for one in found - said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=NAMES)
    parser.add_argument("repository")
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="git-sverklo")
    parser.add_argument("--roots", nargs="*", default=["."])
    parser.add_argument("--checked", default="")
    parser.add_argument("--skip", default="\0")
    parser.add_argument("--seconds", type=int, default=3600, help="begin no seed after so many")
    args = parser.parse_args()
    language, repo = args.language, os.path.realpath(args.repository)
    checked, skipped = tuple(args.checked.split(",")), tuple(args.skip.split(","))
    import time
    start = time.time()
    every = sorted(set(base.definitions(repo, args.roots, NAMES[language], KINDS[language])))
    chance = random.Random(args.seed)
    chance.shuffle(every)
    before = complaints(language, repo)
    print(f"{len(every)} functions, {len(before)} complaints before", file=sys.stderr, flush=True)
    known = {(path, message) for path, _, message in before}
    right = wrong = missed = done = perhaps = aside = unseen = 0
    for path, line, name in every:
        if done == args.n or time.time() - start > args.seconds:
            break
        text = "\n".join(lines_of(repo, path))
        made = edited(language, text, line, name, chance)
        if not made:
            continue
        names = {name, owner(language, path, text, line, name)}
        found = run(["git", "grep", "-wcF", *[w for one in names for w in ("-e", one)]], repo).stdout.splitlines()
        if sum(int(one.rsplit(":", 1)[1]) for one in found) < 2:
            continue
        pathlib.Path(repo, path).write_text(made[0], errors="surrogateescape")
        out = run([args.program, "diff", "HEAD", "--json", "--budget", "100000"], repo)
        answer = json.loads(out.stdout)
        said = complaints(language, repo)
        new = {one for one in said if (one[0], one[2]) not in known}
        about = {(p, n) for p, n, message in new if re.search(ABOUT_CALLS[language], message)}
        others = {(p, n) for p, n, message in new} - about
        truth = {judge(language, repo, names, one) for one in about} - {None}
        ours = {(b["path"], b["line"]): (b["fault"], b["certainty"]) for b in answer.get("broken", [])
                if b["path"].startswith(checked) and not b["path"].startswith(skipped) and b["fault"] == "misfit"}
        may = {(b["path"], b["line"]) for b in answer.get("possible", [])}
        quoted = {at: lines_of(repo, at[0])[at[1] - 1].strip()[:110] for at in truth | set(ours)}
        # The edit itself does not compile: another one has to do.
        own = [one for one in others if one[0] == path and line <= one[1] <= line + made[0].count("\n", 0, 1) + 3]
        is_bad = any("does not parse" in m or "syntax" in m.lower() for _, _, m in new)
        # The compiler says where it names another of the call's lines.
        near = others | about
        false = sorted(at for at in ours if at not in truth and at not in near)
        passed = [at for at in false if not is_bad and not is_looked_at(language, repo, names, at, said)]
        false = [at for at in false if at not in passed]
        run(["git", "checkout", "-q", "."], repo)
        if is_bad or not truth and not ours:
            aside += is_bad
            continue
        done += 1
        lost = sorted(at for at in truth if at not in ours)
        right += len(truth) - len(lost)
        unseen += len(passed)
        wrong, missed, perhaps = wrong + len(false), missed + len(lost), perhaps + sum(at in may for at in lost)
        for what, places in (("false", false), ("unseen", passed), ("missed", lost)):
            for at in places:
                more = " (told as possible)" if at in may else ""
                print(f"{what}{more} {made[1]} {path}:{line} {name} | {at[0]}:{at[1]} {ours.get(at, '')} | {quoted[at]}", flush=True)
        if not false and not lost:
            print(f"ok {made[1]} {path}:{line} {name} {len(truth)}", flush=True)
    precision = right / (right + wrong) if right + wrong else 1
    recall = right / (right + missed) if right + missed else 1
    print(f"{language} {os.path.basename(repo)}: {done} seeds, {right + missed} calls; precision {precision:.3f} ({wrong} false, {unseen} unseen), "
          f"recall {recall:.3f} ({missed} missed, {perhaps} of them told as possible); {aside} seeds set aside")


if __name__ == "__main__":
    main()
