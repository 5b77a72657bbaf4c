"""What test selection is compared with: files that changed together, and a graph of imports alone."""

import os
import re
import subprocess
from collections import Counter

# Commits that are looked at, and files of the largest that counts.
COMMITS, MOST_FILES = 5000, 30
# Commits in which a test file must have changed with the product file.
SUPPORT = 2

TEST = re.compile(r"(^|/)(tests?|testing)/|_test\.go$|(^|/)test_[^/]*\.py$|\.test\.[jt]sx?$")
CODE = re.compile(r"\.(py|js|mjs|cjs|go|rs)$")

_together, _graphs = {}, {}


def all_of(suite, folder, path):
    """Test files by each other way of selecting them."""
    tests = [file for file in tracked(folder) if TEST.search(file) and CODE.search(file)]
    return {
        "together": [file for file in together(folder).get(path, []) if file in set(tests)],
        "imports": sorted(importing(suite, folder, path) & set(tests)),
    }


def tracked(folder):
    listed = subprocess.run(["git", "ls-files"], cwd=folder, check=True, capture_output=True, text=True)
    return listed.stdout.splitlines()


def together(folder):
    """For each file those that changed with it at least SUPPORT times, most often first."""
    if folder in _together:
        return _together[folder]
    command = ["git", "log", f"-{COMMITS}", "--no-merges", "--format=%x00", "--name-only"]
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    counts = {}
    for commit in said.split("\0"):
        files = [line for line in commit.splitlines() if line]
        if len(files) > MOST_FILES:
            continue
        for one in files:
            counts.setdefault(one, Counter()).update(other for other in files if other != one)
    _together[folder] = {
        one: [other for other, count in others.most_common() if count >= SUPPORT] for one, others in counts.items()
    }
    return _together[folder]


def importing(suite, folder, path):
    """All files that import a file, however many steps away."""
    if folder not in _graphs:
        files = [file for file in tracked(folder) if CODE.search(file)]
        _graphs[folder] = GRAPHS[suite.language](folder, files)
    graph = _graphs[folder]
    found, queue = {path}, [path]
    while queue:
        for one in graph.get(queue.pop(), ()):
            if one not in found:
                found.add(one)
                queue.append(one)
    return found


def text_of(folder, path):
    with open(os.path.join(folder, path), errors="replace") as file:
        return file.read()


def python_graph(folder, files):
    """Importers of each file. A package's own file is loaded with each of its modules."""
    modules = {}
    for file in files:
        if file.endswith(".py"):
            name = re.sub(r"^(src|testing|tests)/", "", file)[:-3].replace("/", ".")
            modules[re.sub(r"\.__init__$", "", name)] = file
    graph = {}
    for name, file in modules.items():
        package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
        for dots, start, rest in re.findall(
            r"^\s*(?:from (\.*)([\w.]*) import \(?([\w, \n]+)|import [\w., ]+)", text_of(folder, file), re.M
        ):
            outer = package.split(".")
            if dots:
                outer = outer[: len(outer) - len(dots) + 1]
                start = ".".join(outer + [start] if start else outer)
            for part in re.findall(r"\w+", rest):
                note(graph, modules, [f"{start}.{part}", start], file)
        for names in re.findall(r"^\s*import ([\w., ]+)", text_of(folder, file), re.M):
            for one in re.findall(r"[\w.]+", names):
                note(graph, modules, [one, one.split(".")[0]], file)
    return graph


def note(graph, modules, names, file):
    """Notes that a file imports the modules of these names, and the packages around them."""
    for name in names:
        while name:
            if name in modules and modules[name] != file:
                graph.setdefault(modules[name], set()).add(file)
            name = name.rpartition(".")[0]


def script_graph(folder, files):
    known, graph = set(files), {}
    for file in files:
        for said in re.findall(r"(?:require\(|from |import )\s*['\"](\.[^'\"]*)['\"]", text_of(folder, file)):
            to = os.path.normpath(os.path.join(os.path.dirname(file), said))
            tries = [to, f"{to}.js", f"{to}.mjs", os.path.join(to, "index.js"), "index.js" if to == "." else to]
            for one in tries:
                if one in known:
                    graph.setdefault(one, set()).add(file)
                    break
    return graph


def package_graph(folder, files):
    """In Go all files of a folder are one package; packages of these repositories do not import each other."""
    graph = {}
    for file in files:
        for other in files:
            if os.path.dirname(file) == os.path.dirname(other) and file != other:
                graph.setdefault(file, set()).add(other)
    return graph


def crate_graph(folder, files):
    """All tests of a crate are linked with all of it."""
    return {file: set(files) - {file} for file in files}


GRAPHS = {"py": python_graph, "js": script_graph, "go": package_graph, "rs": crate_graph}
