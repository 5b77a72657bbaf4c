#!/usr/bin/env python3
"""Measures how long questions about time take, beside git and beside other builds of the program.

    times.py CLONES [--each 10] [--runs 5] [--seed TEXT] [--program PATH]... WHAT REPOSITORY...

WHAT is

    history   the first `history` of a symbol in a new process, beside `git log -30 -L` of its lines
    ways      `history --first 'A ->* B'` between directories
    edges     `history --first 'A -> B'` between directories
    verify    a thousand citations in one call

Symbols are drawn as `lines.py` draws them (functions and methods of seven lines and more, one of a file, of files
that are no tests). Directories are those that hold the most files of source at depth two, `--each` pairs of the first
ones, in the order of their names. Citations are those of `check.py time`.

Each is asked once before it counts. Then the programs take turns, git among them, `--runs` times; of each the median
counts, wall clock and processor, and of all questions of a repository the median and the worst. Where two programs
say something else, that is printed.
"""
import argparse, collections, itertools, os, random, statistics, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "verify")]
import lines, check


def timed(repo, command):
    """Seconds of wall clock and of processor, and what was said."""
    begin = time.monotonic()
    process = subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    said = process.stdout.read()
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, said


def symbols(args, name):
    repo, rng = os.path.join(args.clones, name), random.Random(name + args.seed)
    files = lines.run(repo, "git", "ls-files").decode(errors="replace").splitlines()
    files = [path for path in files if lines.SOURCE.search(path) and not lines.ASIDE.search(path)]
    rng.shuffle(files)
    found = 0
    for path in files:
        if found == args.each:
            return
        all_of = list(lines.functions(lines.ask(repo, args.program[0], "symbol", path)))
        if all_of:
            found += 1
            chosen = rng.choice(all_of)
            start, end = chosen["start"], chosen["end"]
            yield f"{path}:{start}-{end}", {
                **{program: [program, "history", f"{path}:{start}-{end}"] for program in args.program},
                "git": ["git", "log", "-30", "-s", f"-L{start},{end}:{path}"],
            }


def pairs(args, name, arrow):
    repo = os.path.join(args.clones, name)
    files = lines.run(repo, "git", "ls-files").decode(errors="replace").splitlines()
    folders = collections.Counter("/".join(path.split("/")[:2]) for path in files
                                  if lines.SOURCE.search(path) and path.count("/") > 1)
    most = sorted(folder for folder, _ in folders.most_common(8))
    both = list(itertools.permutations(most, 2))
    random.Random(name + args.seed).shuffle(both)
    for one, other in both[:args.each]:
        edge = f"{one}/ {arrow} {other}/"
        yield edge, {program: [program, "history", "--first", edge] for program in args.program}


class Quick(check.Repo):
    """Draws from tags behind HEAD, which git lists in one call."""

    def tags(self, rng, count):
        names = self.git("tag", "--merged", "HEAD", "--sort=creatordate")[1].decode().split()
        return names[::max(1, len(names) // count)][:count]


def citations(args, name):
    repo = Quick(os.path.join(args.clones, name))
    cited = repo.citations(random.Random(f"1 {name}"), 1000)
    cited = [f"{path}:{first}-{last}@{tag}" for tag, path, first, last in cited]
    yield "1000 citations", {program: [program, "verify", "--", *cited] for program in args.program}


def measure(args, name):
    asked = {"history": lambda: symbols(args, name), "ways": lambda: pairs(args, name, "->*"),
             "edges": lambda: pairs(args, name, "->"), "verify": lambda: citations(args, name)}[args.what]()
    repo = os.path.join(args.clones, name)
    all_of = collections.defaultdict(list)
    for question, commands in asked:
        took = {who: [] for who in commands}
        said = {who: timed(repo, command)[2] for who, command in commands.items()}
        for _ in range(args.runs):
            for who, command in commands.items():
                wall, cpu, again = timed(repo, command)
                took[who].append((wall, cpu))
                if again != said[who]:
                    print("not the same twice:", who, name, question)
        ours = {said[program] for program in args.program}
        if len(ours) > 1:
            print("not the same:", name, question)
        row = []
        for who, times in took.items():
            wall, cpu = (statistics.median(part) * 1000 for part in zip(*times))
            all_of[who].append((wall, cpu))
            row.append(f"{os.path.basename(who)} {wall:.0f}/{cpu:.0f}")
        print(f"  {name} {question}: {', '.join(row)} ms wall/cpu", flush=True)
    for who, times in all_of.items():
        walls, cpus = zip(*times)
        print(f"{name} {args.what} {os.path.basename(who)}: wall median {statistics.median(walls):.0f}, most "
              f"{max(walls):.0f}; cpu median {statistics.median(cpus):.0f}, most {max(cpus):.0f} ms", flush=True)
    if "git" in all_of:
        for program in args.program:
            shares = [ours[1] / git[1] for ours, git in zip(all_of[program], all_of["git"])]
            walls = [ours[0] / git[0] for ours, git in zip(all_of[program], all_of["git"])]
            print(f"{name} {os.path.basename(program)} of git's: wall median {statistics.median(walls):.2f}, most "
                  f"{max(walls):.2f}; cpu median {statistics.median(shares):.2f}, most {max(shares):.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones")
    parser.add_argument("what", choices=["history", "ways", "edges", "verify"])
    parser.add_argument("repositories", nargs="+")
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seed", default="")
    parser.add_argument("--program", action="append")
    args = parser.parse_args()
    args.program = args.program or ["git-sverklo"]
    for name in args.repositories:
        measure(args, name)
