#!/usr/bin/env python3
"""Compares `git sverklo history fix:COMMIT` with the versions that security advisories call affected.

    advisories.py CLONES [--program git-sverklo] [NAME...]

CLONES is the folder of the clones, each called as in `FIXES`; with names, only advisories whose line has one of them
are asked about. Of each the public fix is given and nothing else; releases alone are compared, without those that were
not released yet. `only ours` and `only theirs` are affected in the one and not in the other; `git` is how many of the
releases that both sides call fixed `git tag --contains COMMIT` does not list.
"""
import argparse, json, re, subprocess, sys, time

# Repository, advisory, fix, and from which version on (inclusive) to which (exclusive) are affected as it says.
FIXES = """
flask      CVE-2023-30861  8646edca6f    0:2.2.5 2.3.0:2.3.2
requests   CVE-2018-18074  c45d7c49ea7   0:2.20.0
requests   CVE-2023-32681  74ea7cf7a6    2.3.0:2.31.0
requests   CVE-2024-35195  c0813a2d      0:2.32.0
requests   CVE-2024-47081  96ba401c12    0:2.32.4
axios      CVE-2020-28168  c7329fefc8    0:0.21.1
axios      CVE-2021-3749   5b457116e3    0:0.21.2
axios      CVE-2023-45857  96ee232bd3    0.8.1:0.28.0 1.0.0:1.6.0
axios      CVE-2024-39338  6b6b605eaf    1.3.2:1.7.4
express    CVE-2024-29041  0867302d^..0b746953 0:4.19.2 5.0.0:5.0.0
express    CVE-2024-43796  54271f69b5    0:4.20.0
rack       CVE-2024-25126  6efb2ceea0    0.4:2.2.8.1 3.0.0:3.0.9.1
rack       CVE-2024-26141  62457686b2    1.3.0:2.2.8.1 3.0.0:3.0.9.1
puma       CVE-2022-24790  5bb7d202e2    0:4.3.12 5.0.0:5.6.4
sinatra    CVE-2022-45442  ea8fc9495a    2.0.0:2.2.3 3.0.0:3.0.4
scrapy     CVE-2022-0577   8ce01b3b76    0:1.8.2 2.0.0:2.6.0
tornado    CVE-2023-28370  32ad07c54e    0:6.3.2
got        CVE-2022-33987  861ccd9ac2    0:11.8.5 12.0.0:12.1.0
guzzle     CVE-2022-29248  74a8602c6f    0:6.5.6 7.0.0:7.4.3
Twig       CVE-2024-45411  11f68e2aeb    1.0.0:1.44.8 2.0.0:2.16.1 3.0.0:3.14.0
gin        CVE-2023-29401  2d4bbec941    1.3.1:1.9.1
hyper      CVE-2021-32714  1068b994df    0:0.14.10
hyper      CVE-2021-21299  8f93123efe    0.12.0:0.13.10 0.14.0:0.14.3
okhttp     CVE-2021-0341   f574ea2f5     0:4.9.2
libuv      CVE-2024-24806  0f2d7e784a    1.24.0:1.48.0
zlib       CVE-2018-25032  5c44459c3b    0:1.2.12
zlib       CVE-2022-37434  eff308af42    0:1.2.13
redis      CVE-2022-31144  2825b6057     7.0.0:7.0.4
redis      CVE-2023-28425  48e0d47884    7.0.8:7.0.10
redis      CVE-2023-28856  bc7fe41e58    0:6.0.19 6.2.0:6.2.12 7.0.0:7.0.11
redis      CVE-2023-41056  f7b1d0287d    7.0.9:7.0.15 7.2.0:7.2.4
redis      CVE-2023-45145  03345ddc7f    2.6.0:6.2.14 7.0.0:7.0.14 7.2.0:7.2.2
vite       CVE-2025-30208  f234b5744     0:4.5.10 5.0.0:5.4.15 6.0.0:6.0.12 6.1.0:6.1.2 6.2.0:6.2.3
"""

RELEASE = re.compile(r"^(?:v|V|version_|parent-|okhttp-|(?:REL_)?)?(\d+(?:\.\d+)+)(?:\.Final)?$")


def number(text):
    numbers = [int(part) for part in text.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


def run(repo, *command):
    return subprocess.run(command, cwd=repo, capture_output=True, text=True)


def versions(numbers):
    """Numbers as ranges of releases that follow each other among `of`."""
    return " ".join(".".join(map(str, n)) for n in sorted(numbers))


def brief(names, everything):
    """Names as ranges over all releases in order."""
    order = sorted(everything, key=lambda name: number(RELEASE.match(name)[1]))
    out, start, last = [], None, None
    for name in order + [None]:
        if name in names:
            start, last = start or name, name
        elif start:
            out.append(start if start == last else f"{start}..{last}")
            start = None
    return ", ".join(out) or "-"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("clones")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--program", default="git-sverklo")
    args = parser.parse_args()
    print("| repository | advisory | releases | both | only ours | only theirs | unknown | git | s |")
    print("| --- | --- | ---: | ---: | --- | --- | --- | ---: | ---: |")
    for line in FIXES.strip().splitlines():
        if args.names and not any(name in line for name in args.names):
            continue
        name, advisory, commit, *ranges = line.split()
        repo = f"{args.clones}/{name}"
        begin = time.time()
        out = run(repo, args.program, "history", f"fix:{commit}", "-n", "1000", "--json", "--budget", "100000")
        took = time.time() - begin
        if out.returncode:
            print(f"| {name} | {advisory} | {out.stderr.strip()} |")
            continue
        answer = json.loads(out.stdout)
        if answer["shown"] < answer["total"]:
            sys.exit(f"{advisory}: {answer['shown']} of {answer['total']} ranges")
        stands = {}
        for found in answer["ranges"]:
            for tag in found["tags"]:
                if RELEASE.match(tag):
                    stands[tag] = found["standing"]
        bounds = [tuple(map(number, part.split(":"))) for part in ranges]
        said = {tag for tag in stands if any(low <= number(RELEASE.match(tag)[1]) < high for low, high in bounds)}
        ours = {tag for tag, standing in stands.items() if standing in ("affected", "partly fixed")}
        unknown = {tag for tag, standing in stands.items() if standing in ("unknown", "perhaps affected")}
        fixed = {tag for tag, standing in stands.items() if standing == "fixed" and tag not in said}
        listed = set(run(repo, "git", "tag", "--contains", commit.split("..")[-1]).stdout.split())
        print(f"| {name} | {advisory} | {len(stands)} | {len(ours & said)} | {brief(ours - said, stands)} "
              f"| {brief(said - ours - unknown, stands)} | {brief(unknown, stands)} | {len(fixed - listed)} | {took:.1f} |", flush=True)


main()
