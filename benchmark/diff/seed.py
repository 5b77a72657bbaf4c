"""Bugs for the measurement of test selection: small wrong edits of product code, deterministic by seed.

An edit negates a condition, changes a constant, drops a statement or swaps two arguments, on one line inside a
function. Lines are chosen, not parsed: an edit that does not compile is told by the suite and thrown away.
"""

import ast
import random
import re

NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
TRUTH = {
    "py": [("True", "False"), ("False", "True")],
    "other": [("true", "false"), ("false", "true")],
}
CONDITION = {
    "py": (re.compile(r"^(\s*(?:if|elif|while) )(.+):\s*$"), r"\1not (\2):"),
    "js": (re.compile(r"^(\s*(?:\} else )?if \()(.+)(\) ?\{?.*)$"), r"\1!(\2)\3"),
    "go": (re.compile(r"^(\s*(?:\} else )?if )([^;{]+)( \{)\s*$"), r"\1!(\2)\3"),
    "rs": (re.compile(r"^(\s*(?:\} else )?if )((?!let )[^{]+)( \{)\s*$"), r"\1!(\2)\3"),
}
SWAP = re.compile(r"(\w\()([\w.]+), ([\w.]+)(\))")
STATEMENT = {
    "js": re.compile(r"^\s+(?!return|var|let|const|throw|break|import|export)[\w.\[\]'\"]+( = |\().*;\s*$"),
    "go": re.compile(r"^\s+(?!return|defer|if|for|func|var|case|switch|panic)[\w.\[\]]+( = |\().*[^{,(]\s*$"),
    "rs": re.compile(r"^\s+(?!return|let|use|const|break|panic)[\w.\[\]*]+( \+?= |\(|!\().*;\s*$"),
}


def bodies(language, text):
    """Numbers of the lines (from 0) that stand inside functions."""
    lines = text.split("\n")
    if language == "py":
        inside, whole = set(), ast.parse(text)
        for node in ast.walk(whole):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = node.body[0]
                is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
                start = first.end_lineno if is_doc else first.lineno - 1
                inside.update(range(start, node.end_lineno))
        return inside
    inside = set()
    for number, line in enumerate(lines):
        if line.startswith("#[cfg(test)]"):
            break
        code = line.strip()
        if line[:1] in " \t" and code and not code.startswith(("//", "*", "/*", "#")):
            inside.add(number)
    return inside


def edits(language, text, number):
    """All edits of one line, as (kind, new line)."""
    line = text.split("\n")[number]
    found = []
    pattern, negated = CONDITION[language]
    if pattern.match(line):
        found.append(("negate", pattern.sub(negated, line)))
    for match in NUMBER.finditer(line):
        changed = str(int(match.group(1)) + 1)
        found.append(("constant", line[: match.start()] + changed + line[match.end() :]))
    for was, becomes in TRUTH["py" if language == "py" else "other"]:
        if re.search(rf"\b{was}\b", line):
            found.append(("constant", re.sub(rf"\b{was}\b", becomes, line, count=1)))
    match = SWAP.search(line)
    if match and match.group(2) != match.group(3) and "def " not in line and "fn" not in line and "func" not in line:
        swapped = f"{match.group(1)}{match.group(3)}, {match.group(2)}{match.group(4)}"
        found.append(("swap", line[: match.start()] + swapped + line[match.end() :]))
    if language == "py":
        found.extend(dropped(text, number, line))
    elif STATEMENT[language].match(line):
        found.append(("drop", re.match(r"\s*", line).group(0) + (";" if language == "js" else "")))
    return found


def dropped(text, number, line):
    """The line as `pass`, when it is one whole statement that is neither a return nor an import."""
    for node in ast.walk(ast.parse(text)):
        simple = isinstance(node, (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise))
        if simple and node.lineno == node.end_lineno == number + 1:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            return [("drop", re.match(r"\s*", line).group(0) + "pass")]
    return []


def bugs(language, files, seed):
    """An endless choice of (path, line, kind, new text); `files` maps paths to texts."""
    chance = random.Random(seed)
    places = [(path, number) for path in sorted(files) for number in sorted(bodies(language, files[path]))]
    chance.shuffle(places)
    for path, number in places:
        found = edits(language, files[path], number)
        if not found:
            continue
        kind, line = chance.choice(found)
        lines = files[path].split("\n")
        lines[number] = line
        yield path, number + 1, kind, "\n".join(lines)
