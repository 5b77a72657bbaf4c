"""Which tests does `diff --tests` select for a seeded bug, and is the one that fails among them?

    tests.py seed NAME FOLDER --python PYTHON --out BUGS.json [--bugs 40] [--seed 1]
    tests.py measure NAME FOLDER BUGS.json --program GIT_SVERKLO [--out RESULTS.json]
    tests.py table RESULTS.json...

`seed` edits product code, runs the whole suite and keeps the edits that it detects, with the tests that failed.
`measure` applies each bug again, asks which tests to run, and compares: with what failed, with files that changed
together in the past, and with all test files that import the changed file, however many steps away.
Run `measure` a second time after `git sverklo trace import` for the figures with recorded coverage.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time

import baselines
import seed
from suites import SUITES


def git(folder, *arguments):
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def product(suite, folder):
    """Paths and texts of the product code of a repository."""
    endings = {"py": ".py", "js": ".js", "go": ".go", "rs": ".rs"}
    files = {}
    for path in git(folder, "ls-files", suite.product).splitlines():
        is_test = re.search(r"(^|/)(tests?|examples?)/|_test\.go$|/test_", path)
        if path.endswith(endings[suite.language]) and not is_test:
            with open(os.path.join(folder, path), newline="") as file:
                files[path] = file.read()
    return files


def write(folder, path, text):
    with open(os.path.join(folder, path), "w", newline="") as file:
        file.write(text)


def seed_bugs(options):
    suite = SUITES[options.name]
    files = product(suite, options.folder)
    healthy = suite.run(options.folder, options.python)
    assert healthy is not None, "the suite does not run"
    kept, tried, begun = [], 0, time.time()
    for path, line, kind, text in seed.bugs(suite.language, files, options.seed):
        if len(kept) == options.bugs or time.time() - begun > options.seconds:
            break
        tried += 1
        write(options.folder, path, text)
        failed = suite.run(options.folder, options.python)
        write(options.folder, path, files[path])
        failed = (failed or set()) - healthy
        if failed:
            kept.append({"path": path, "line": line, "kind": kind, "text": text, "failed": sorted(failed, key=str)})
            print(f"{len(kept)}/{tried} {path}:{line} {kind}: {len(failed)} failed", file=sys.stderr)
    head = git(options.folder, "rev-parse", "HEAD").strip()
    with open(options.out, "w") as out:
        json.dump({"name": options.name, "head": head, "tried": tried, "bugs": kept}, out)


def selected(program, folder):
    """What the program selects, best first, as (path, name or None); and how long it took."""
    begun = time.time()
    done = subprocess.run([program, "diff", "HEAD", "--tests", "--json"], cwd=folder, capture_output=True, text=True)
    took = time.time() - begun
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    answer = json.loads(done.stdout)
    return answer, took


def covers(chosen, failed):
    """Whether a selected test runs a failed one: the same, the class around it, or all of its file."""
    (path, name), (of, wanted) = chosen, failed
    if path != of:
        return False
    return name is None or wanted is None or wanted == name or wanted.startswith(name + "::")


def judge(chosen, failed):
    """Whether one is selected, whether all are, and the place of the first hit."""
    hits = [any(covers(test, one) for test in chosen) for one in failed]
    first = next((at for at, test in enumerate(chosen) if any(covers(test, one) for one in failed)), None)
    return any(hits), all(hits), first


def measure(options):
    suite = SUITES[options.name]
    with open(options.file) as file:
        seeded = json.load(file)
    results = []
    for bug in seeded["bugs"]:
        with open(os.path.join(options.folder, bug["path"]), newline="") as file:
            was = file.read()
        write(options.folder, bug["path"], bug["text"])
        try:
            answer, took = selected(options.program, options.folder)
            others = baselines.all_of(suite, options.folder, bug["path"])
        finally:
            write(options.folder, bug["path"], was)
        failed = [tuple(test) for test in bug["failed"]]
        chosen = [(test["path"], test.get("name")) for test in answer["tests"]]
        one, every, first = judge(chosen, failed)
        files = {path for path, _ in chosen}
        result = {
            "bug": f"{bug['path']}:{bug['line']} {bug['kind']}",
            "one": one,
            "all": every,
            "first": first,
            "share": answer["share"],
            "files": len(files) / max(answer["test_files"], 1),
            "seconds": took,
            "others": {},
        }
        for name, paths in others.items():
            one, every, _ = judge([(path, None) for path in paths], failed)
            result["others"][name] = {"one": one, "all": every, "files": len(paths) / max(answer["test_files"], 1)}
        results.append(result)
        if not result["all"]:
            missed = [test for test in failed if not any(covers(one, test) for one in chosen)]
            print(f"missed {len(missed)} of {len(failed)}: {result['bug']}: {missed[:3]}", file=sys.stderr)
    said = {"name": options.name, "coverage": options.coverage, "results": results}
    if options.out:
        with open(options.out, "w") as out:
            json.dump(said, out, indent=1)
    print(row(said))


def row(said):
    """One line of the table."""
    results = said["results"]
    count = max(len(results), 1)

    def mean(values):
        return sum(values) / count

    cells = [f"{said['name']}{' +coverage' if said['coverage'] else ''}", str(len(results))]
    cells.append(f"{mean(r['one'] for r in results):.3f}")
    cells.append(f"{mean(r['all'] for r in results):.3f}")
    cells.append(f"{mean(r['share'] for r in results):.3f}")
    cells.append(f"{mean(r['files'] for r in results):.3f}")
    firsts = sorted(r["first"] for r in results if r["first"] is not None)
    cells.append(str(firsts[len(firsts) // 2] + 1 if firsts else "-"))
    for other in ("together", "imports"):
        of = [r["others"][other] for r in results]
        cells.append(" ".join(f"{mean(o[key] for o in of):.3f}" for key in ("one", "all", "files")))
    return "| " + " | ".join(cells) + " |"


def table(options):
    print("| repository | bugs | one | all | share of tests | share of files | first hit (median) | together | imports |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in options.files:
        with open(path) as file:
            print(row(json.load(file)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ways = parser.add_subparsers(required=True)
    one = ways.add_parser("seed")
    one.set_defaults(run=seed_bugs)
    one.add_argument("name", choices=SUITES)
    one.add_argument("folder")
    one.add_argument("--python", default=sys.executable)
    one.add_argument("--bugs", type=int, default=40)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--seconds", type=float, default=600)
    one.add_argument("--out", required=True)
    two = ways.add_parser("measure")
    two.set_defaults(run=measure)
    two.add_argument("name", choices=SUITES)
    two.add_argument("folder")
    two.add_argument("file")
    two.add_argument("--program", default="git-sverklo")
    two.add_argument("--coverage", action="store_true", help="say in the table that coverage was recorded")
    two.add_argument("--out")
    three = ways.add_parser("table")
    three.set_defaults(run=table)
    three.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
