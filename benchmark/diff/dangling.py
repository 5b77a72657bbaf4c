#!/usr/bin/env python3
"""Measures whether `git sverklo diff` finds the uses that an unfinished edit leaves behind.

A seed renames one function or method, chosen at random from what universal-ctags lists, where it is defined and
nowhere else. The compiler or type checker of the language then says which lines no longer fit. Compilers stop early
(a failed import silences the uses behind it; Go does not check packages that depend on a broken one), so each
complaint is mended by writing the new name on its line, and the compiler is asked again until it says nothing new:
the truth is every line that it complained of and had not complained of before the edit. A line that holds the old
name is a use; others are consequences (a type that no longer implements its interface). What `diff` says of files
that the checker does not read is left out.

    dangling.py LANGUAGE REPOSITORY --n 60 --seed 1 [--program git-sverklo] [--out seeds.jsonl] [--show]

LANGUAGE is one of typescript, python, go, rust, java. REPOSITORY is a clone with a clean work tree whose HEAD is
indexed; it is edited and restored. What each language asks of it is said in README.md.
"""
import argparse, json, os, pathlib, random, re, subprocess, sys

HERE = pathlib.Path.cwd()


def run(command, cwd, **more):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, errors="replace", **more)


def complaints(text, pattern, cwd):
    """Places that a checker names: (path, line)."""
    found = set()
    for match in re.finditer(pattern, text, re.M):
        path = os.path.normpath(os.path.join(cwd, match[1]))
        found.add((os.path.relpath(path, os.path.realpath(cwd)), int(match[2])))
    return found


def check_typescript(repo):
    tsc = os.environ["TSC"]
    info = os.path.abspath(str(repo)) + ".tsbuildinfo"
    project = os.environ.get("TSCONFIG", "tsconfig.json")
    out = run(["node", tsc, "-p", project, "--noEmit", "--composite", "false", "--incremental", "--pretty", "false",
               "--tsBuildInfoFile", info], repo)
    return complaints(out.stdout, r"^(\S[^(\n]*)\((\d+),\d+\): error", repo)


def check_python(repo):
    roots = os.environ.get("ROOTS", "src").split()
    out = run([sys.executable, "-m", "mypy", "--check-untyped-defs", "--hide-error-context", "--no-pretty", "--no-color-output",
               "--cache-dir", os.path.abspath(str(repo)) + ".mypy", *roots], repo)
    return complaints(out.stdout, r"^([^:\n]+\.pyi?):(\d+)(?::\d+)?: error", repo)


def check_go(repo):
    packages = os.environ.get("ROOTS", "./...").split()
    out = run(["go", "test", "-vet=off", "-gcflags=-e", "-exec", "/bin/true", *packages], repo)
    return complaints(out.stdout + out.stderr, r"^(\S+\.go):(\d+):\d+: ", repo)


def check_rust(repo):
    targets = os.environ.get("TARGETS", "--workspace --all-targets").split()
    out = run(["cargo", "check", "--keep-going", "--message-format=json", *targets], repo)
    found = set()
    for line in out.stdout.splitlines():
        message = json.loads(line).get("message") if line.startswith("{") else None
        if message and message["level"] == "error":
            found |= {(s["file_name"], s["line_start"]) for s in message["spans"] if s["is_primary"]}
    return found


def check_java(repo):
    roots = os.environ["ROOTS"].split()
    files = [str(f) for root in roots for f in pathlib.Path(repo, root).rglob("*.java")
             if f.name not in ("module-info.java", "package-info.java")]
    into = os.path.abspath(str(repo)) + ".args"
    pathlib.Path(into).write_text("\n".join(os.path.relpath(f, repo) for f in files))
    out = run(["javac", "-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW", "-d", into + ".d",
               "-cp", os.environ.get("CLASSPATH", "."), "@" + into], repo)
    return complaints(out.stderr, r"^(\S+\.java):(\d+): error", repo)


LANGUAGES = {
    "typescript": (check_typescript, "TypeScript", {"function", "method"}),
    "python": (check_python, "Python", {"function", "member"}),
    "go": (check_go, "Go", {"func"}),
    "rust": (check_rust, "Rust", {"function", "method"}),
    "java": (check_java, "Java", {"method"}),
}


def lines_of(repo, path):
    return pathlib.Path(repo, path).read_text(errors="surrogateescape").split("\n")


def write(repo, path, lines):
    pathlib.Path(repo, path).write_text("\n".join(lines), errors="surrogateescape")


def word(name):
    return re.compile(r"(?<![\w$])" + re.escape(name) + r"(?![\w$])")


def definitions(repo, roots, language, kinds):
    out = run(["ctags", "--output-format=json", "--fields=+neK", "--languages=" + language, "-R", "-f", "-",
               "--exclude=node_modules", "--exclude=target", *roots], repo)
    for line in out.stdout.splitlines():
        tag = json.loads(line)
        if tag.get("kind") in kinds and re.fullmatch(r"[A-Za-z_]\w{2,}", tag["name"]):
            yield tag["path"].removeprefix("./"), tag["line"], tag["name"]


def broken(program, repo):
    out = run([program, "diff", "HEAD", "--json", "--budget", "100000"], repo)
    if out.returncode > 1 or not out.stdout:
        sys.exit(f"diff says {out.returncode}: {out.stderr}")
    answer = json.loads(out.stdout)
    return {(b["path"], b["line"]): (b["fault"], b["certainty"]) for b in answer.get("broken", [])}


def seed(repo, check, before, place, program):
    path, line, name = place
    fresh = name + "Zz"
    text = lines_of(repo, path)
    text[line - 1] = word(name).sub(fresh, text[line - 1], count=1)
    write(repo, path, text)
    ours = broken(program, repo)
    truth = set()
    for _ in range(6):
        new = check(repo) - before - truth
        truth |= new
        changed = False
        for at, number in new:
            lines = lines_of(repo, at)
            mended = word(name).sub(fresh, lines[number - 1])
            changed |= mended != lines[number - 1]
            lines[number - 1] = mended
            write(repo, at, lines)
        if not changed:
            break
    run(["git", "checkout", "-q", "."], repo)
    named = {at for at in truth if word(name).search(lines_of(repo, at[0])[at[1] - 1])}
    return ours, named, truth - named


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("repository")
    parser.add_argument("--n", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="git-sverklo")
    parser.add_argument("--roots", nargs="*", default=["."], help="folders whose functions are renamed")
    parser.add_argument("--checked", default="", help="prefixes of paths that the checker reads, with commas between")
    parser.add_argument("--skip", default="\0", help="prefixes of paths that it does not read")
    parser.add_argument("--out")
    parser.add_argument("--again", help="a file of --out, whose seeds and truth are taken: only `diff` is run")
    args = parser.parse_args()
    repo = os.path.realpath(args.repository)
    check, language, kinds = LANGUAGES[args.language]
    checked, skipped = tuple(args.checked.split(",")), tuple(args.skip.split(","))
    sure = {"resolved": [0, 0], "inferred": [0, 0]}
    behind = unjudged = 0
    if args.again:
        seeds = [json.loads(line) for line in open(args.again)]
    else:
        every = sorted(set(definitions(repo, args.roots, language, kinds)))
        random.Random(args.seed).shuffle(every)
        before = check(repo)
        print(f"{len(every)} functions, {len(before)} complaints before", file=sys.stderr, flush=True)
        seeds = every
    out = open(args.out, "w") if args.out and not args.again else None
    right = wrong = missed = done = aside = 0
    for one in seeds:
        if done == args.n:
            break
        if args.again:
            place = one["path"], one["line"], one["name"]
            path, line, name = place
            text = lines_of(repo, path)
            text[line - 1] = word(name).sub(name + "Zz", text[line - 1], count=1)
            write(repo, path, text)
            ours = broken(args.program, repo)
            run(["git", "checkout", "-q", "."], repo)
            named, others = {tuple(x) for x in one["uses"]}, {tuple(x) for x in one["others"]}
        else:
            place = one
            found = run(["git", "grep", "-wc", "-F", place[2]], repo).stdout.splitlines()
            if sum(int(line.rsplit(":", 1)[1]) for line in found) < 2:
                continue
            ours, named, others = seed(repo, check, before, place, args.program)
        # Its own line is the edit, and no use.
        own = {(place[0], place[1])} & named
        named, others = named - own, others | own
        ours = {at: how for at, how in ours.items() if at[0].startswith(checked) and not at[0].startswith(skipped)}
        if not named and not ours:
            continue
        name = place[2]
        several = re.compile(r"(?m)^\s*(async )?def " + name + r"\b")
        if args.language == "python" and len(several.findall("\n".join(lines_of(repo, place[0])))) > 1 \
                or args.language == "go" and others - {(place[0], place[1])}:
            unjudged += 1
            continue
        done += 1
        if args.language in ("typescript", "python"):
            behind += sum(how[0] == "left behind" for how in ours.values())
            ours = {at: how for at, how in ours.items() if how[0] != "left behind"}
        # An annotation stands above the method that it is about.
        near = {(path, line + step) for path, line in named | others for step in (0, 1, 2)}
        false = [at for at in ours if at not in named | others
                 and not (ours[at][0] != "dangling" and at in near)]
        lost = [at for at in named if at not in ours]
        right += len(named) - len(lost)
        for at, how in ours.items():
            sure.setdefault(how[1], [0, 0])[at in false] += 1
        wrong, missed, aside = wrong + len(false), missed + len(lost), aside + len(others)
        if out:
            print(json.dumps({"path": place[0], "line": place[1], "name": place[2], "uses": sorted(named),
                              "others": sorted(others)}), file=out, flush=True)
        for what, places in (("false", false), ("missed", lost)):
            for at in sorted(places):
                quoted = lines_of(repo, at[0])[at[1] - 1].strip()[:110]
                print(f"{what} {place[0]}:{place[1]} {place[2]} | {at[0]}:{at[1]} {ours.get(at, ('', ''))} | {quoted}", flush=True)
    precision = right / (right + wrong) if right + wrong else 1
    recall = right / (right + missed) if right + missed else 1
    said = ", ".join(f"{word} {good}/{good + bad}" for word, (good, bad) in sure.items())
    print(f"{args.language} {os.path.basename(repo)}: {done} seeds, {right + missed} uses, {aside} consequences; "
          f"precision {precision:.3f} ({wrong} false), recall {recall:.3f} ({missed} missed); "
          f"{said} right; {unjudged} seeds set aside, {behind} left behind")


if __name__ == "__main__":
    main()
