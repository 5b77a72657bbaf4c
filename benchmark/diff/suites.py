"""The repositories whose tests are selected, how their suites run, and which tests a run says failed.

A failed test is (path of its file, name or None). Suites run with low priority and within a time limit; one that
does not end counts as not detecting the bug.
"""

import json
import os
import re
import signal
import subprocess

LIMIT = 40


class Suite:
    """How one repository is mutated and tested."""

    def __init__(self, name, language, product, command, read):
        self.name, self.language, self.product = name, language, product
        self.command, self.read = command, read

    def run(self, folder, python):
        """Failed tests of a run; None when it could not begin, as after an edit that does not compile."""
        command = [part.replace("PYTHON", python) for part in self.command]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "CARGO_NET_OFFLINE": "true"}
        running = subprocess.Popen(
            ["nice", "-n", "10", *command],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, errors = running.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            # What the runner started would go on, and hold the pipes open.
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            return None
        return self.read(subprocess.CompletedProcess(command, running.returncode, said, errors), folder)


def pytest(done, _folder):
    """`FAILED path::Class::name[parameters] - why`; errors while tests are collected are no failure."""
    failed = set()
    for line in done.stdout.splitlines():
        match = re.match(r"(FAILED|ERROR) ([^:\s]+)(?:::(.+?))?(?:\[.*| - .*)?$", line)
        if match and not match.group(3):
            return None
        if match:
            failed.add((match.group(2), match.group(3)))
    return failed if done.returncode in (0, 1) else None


def mocha(done, folder):
    """The JSON reporter names the file of each failure."""
    start = done.stdout.find("{")
    try:
        report, _ = json.JSONDecoder().raw_decode(done.stdout[start:])
    except ValueError:
        return None
    if not report["tests"]:
        return None
    root = os.path.realpath(folder)
    return {(os.path.relpath(test["file"], root), None) for test in report["failures"] if test.get("file")}


def go(done, folder):
    """`go test -json`; a test's file is where its function stands."""
    failed = set()
    if re.search(r"\[(build|setup) failed\]", done.stdout):
        return None
    module = re.search(r"^module (\S+)", open(os.path.join(folder, "go.mod")).read(), re.M).group(1)
    for line in done.stdout.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        if said.get("Action") != "fail" or "Test" not in said:
            continue
        name = said["Test"].split("/")[0]
        below = os.path.join(folder, said["Package"][len(module) :].lstrip("/"))
        for file in sorted(os.listdir(below)):
            text = open(os.path.join(below, file)).read() if file.endswith("_test.go") else ""
            if re.search(rf"^func {name}\(", text, re.M):
                failed.add((os.path.relpath(os.path.join(below, file), folder), name))
    return failed


def cargo(done, folder):
    """`test name ... FAILED` below `Running path`."""
    if "could not compile" in done.stderr:
        return None
    failed = set()
    # What runs is said on standard error, what failed on standard output, in the same order.
    running = re.findall(r"Running (?:unittests )?(\S+)|Doc-tests", done.stderr)
    sections = re.split(r"^running \d+ tests?$", done.stdout, flags=re.M)[1:]
    for path, section in zip(running, sections):
        for name in re.findall(r"^test (\S+) \.\.\. FAILED$", section, re.M):
            failed.add((path, name))
    return failed


PYTEST = ["PYTHON", "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider"]

SUITES = {
    suite.name: suite
    for suite in [
        Suite("click", "py", "src/click", PYTEST, pytest),
        Suite("flask", "py", "src/flask", PYTEST, pytest),
        Suite("pluggy", "py", "src/pluggy", PYTEST, pytest),
        Suite("itsdangerous", "py", "src/itsdangerous", PYTEST, pytest),
        Suite(
            "express",
            "js",
            "lib",
            "node node_modules/mocha/bin/mocha.js --exit --require test/support/env --reporter json --check-leaks test/ test/acceptance/".split(),
            mocha,
        ),
        Suite("mux", "go", ".", ["go", "test", "-json", "./..."], go),
        Suite("semver", "rs", "src", ["cargo", "test", "--offline", "--no-fail-fast"], cargo),
    ]
}
