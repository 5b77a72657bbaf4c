#!/usr/bin/env python3
"""Examples of secrets that others publish, as lines for `cargo benchmark secrets --examples`.

    examples.py gitleaks CLONE > gitleaks.tsv          what the rules of gitleaks/gitleaks are validated with
    examples.py detect-secrets CLONE > detect.tsv      what the tests of Yelp/detect-secrets expect

A line is T or F, the name of the rule, and the text, with tabs between. Where a rule of gitleaks makes
up its examples from a pattern so does this, from a fixed seed. Nothing of theirs is kept.
"""
import ast
import glob
import os
import random
import re
import sys

WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
SHORTHAND = {"w": WORD, "d": "0123456789", "s": " "}
# Patterns of gitleaks' cmd/generate/config/utils/patterns.go, before their `{size}`.
PATTERNS = {
    "Numeric": "[0-9]",
    "Hex": "[a-f0-9]",
    "AlphaNumeric": "[a-z0-9]",
    "AlphaNumericExtendedShort": "[a-z0-9_-]",
    "AlphaNumericExtended": r"[a-z0-9=_\-]",
    "AlphaNumericExtendedLong": r"[a-z0-9\/=_\-\+]",
}
UUID = "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}"


def put(is_true, rule, text):
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    print("T" if is_true else "F", rule, text, sep="\t")


def characters(inside):
    """The characters of a class, given what is between its brackets."""
    found, at = "", 0
    while at < len(inside):
        if inside[at] == "\\":
            found += SHORTHAND.get(inside[at + 1], inside[at + 1])
            at += 2
        elif at + 2 < len(inside) and inside[at + 1] == "-":
            found += "".join(map(chr, range(ord(inside[at]), ord(inside[at + 2]) + 1)))
            at += 3
        else:
            found += inside[at]
            at += 1
    return found


def closing(text, at):
    """Where the group that opens at a place is closed."""
    depth = 0
    while True:
        if text[at] == "\\":
            at += 1
        elif text[at] == "[":
            at = text.index("]", at)
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
        at += 1


def matching(pattern):
    """Makes up a text that matches a simple pattern."""
    pattern = re.sub(r"^\(\?i:?\)?|^\(\?i\)", "", pattern)
    out, at = "", 0
    while at < len(pattern):
        if pattern[at] == "[":
            end = pattern.index("]", at + 2)
            make = lambda of=characters(pattern[at + 1 : end]): random.choice(of)
            at = end + 1
        elif pattern[at] == "\\":
            make = lambda of=SHORTHAND.get(pattern[at + 1], pattern[at + 1]): random.choice(of)
            at += 2
        elif pattern[at] == "(":
            end = closing(pattern, at)
            inside = re.sub(r"^\?(:|i:)", "", pattern[at + 1 : end])
            one = inside if "(" in inside else random.choice(inside.split("|"))
            make = lambda of=one: matching(of)
            at = end + 1
        else:
            make = lambda of=pattern[at]: of
            at += 1
        count = re.match(r"\{(\d+)(,?)(\d*)\}", pattern[at:])
        if count:
            low = int(count[1])
            high = int(count[3]) if count[3] else low + (8 if count[2] else 0)
            times = random.randint(low, high)
            at += count.end()
        elif pattern[at : at + 1] == "?":
            times, at = random.randint(0, 1), at + 1
        elif pattern[at : at + 1] in ("+", "*"):
            times, at = 5, at + 1
        else:
            times = 1
        out += "".join(make() for _ in range(times))
    return out


def literal_end(text, at):
    """Behind the Go literal that opens at a place."""
    quote, end = text[at], at + 1
    while text[end] != quote:
        end += 2 if quote == '"' and text[end] == "\\" else 1
    return end + 1


def divided(text, sign):
    """The parts of a Go expression between signs that stand outside of brackets and literals."""
    parts, part, depth, at = [], "", 0, 0
    while at < len(text):
        if text[at] in '"`':
            end = literal_end(text, at)
            part += text[at:end]
            at = end
            continue
        if text.startswith("//", at):
            at = len(text) if "\n" not in text[at:] else text.index("\n", at)
            continue
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if text[at] == sign and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += text[at]
        at += 1
    return [part.strip() for part in parts + [part] if part.strip()]


def go_text(literal):
    return literal[1:-1] if literal[0] == "`" else bytes(literal[1:-1], "utf8").decode("unicode_escape")


def values(expression, samples):
    """The strings of a Go expression of gitleaks' rules."""
    parts = divided(expression, "+")
    if len(parts) > 1:
        return ["".join(values(part, samples)[0] for part in parts)]
    expression = parts[0]
    if expression[0] in '"`':
        return [go_text(expression)]
    call = re.match(r"([\w.]+)\((.*)\)$", expression, re.S)
    name, given = call[1].split(".")[-1], divided(call[2], ",")
    if name in ("NewSecret", "newPlausibleSecret", "NewSecretWithEntropy"):
        return [matching(values(given[0], samples)[0])]
    if name == "Hex8_4_4_4_12":
        return [UUID]
    if name in PATTERNS:
        return [PATTERNS[name] + "{" + go_text(given[0]) + "}"]
    if name == "ToUpper":
        return [values(given[0], samples)[0].upper()]
    who, secret = (values(one, samples)[0] for one in given)
    if name == "GenerateSampleSecret":
        return [f'{who}_api_token = "{secret}"']
    if name != "GenerateSampleSecrets":
        raise ValueError(name)
    fill = lambda text: text.replace("{i}", who).replace("{I}", who.upper()).replace("{s}", secret)
    return [fill(go_text(sample)) for sample in samples]


def gitleaks(clone):
    random.seed(7)
    base = os.path.join(clone, "cmd/generate/config")
    samples = re.findall(
        r'^\t\t"[^"]+":\s+("(?:[^"\\]|\\.)*"|`[^`]*`)',
        open(os.path.join(base, "utils/generate.go")).read(),
        re.M,
    )
    lost = 0
    for file in sorted(glob.glob(os.path.join(base, "rules/*.go"))):
        for function in re.split(r"\nfunc ", open(file).read())[1:]:
            rule = re.search(r'RuleID:\s+"([^"]+)"', function)
            if not rule:
                continue
            for found in re.finditer(r"\b(tps|fps)\s*:?=\s*", function):
                expression = divided(function[found.end() :], "\n")[0]
                if expression.startswith("[]string{"):
                    items = divided(expression[len("[]string{") : -1], ",")
                elif expression.startswith("append("):
                    items = divided(expression[len("append(") : -1], ",")[1:]
                else:
                    items = [expression]
                for item in items:
                    try:
                        made = values(item.removesuffix("..."), samples)
                    except (ValueError, TypeError, IndexError):
                        lost += 1
                        continue
                    for text in made:
                        put(found[1] == "tps", rule[1], text)
    print(f"{lost} examples are not plain and were left out", file=sys.stderr)


def detect_secrets(clone):
    for file in sorted(glob.glob(os.path.join(clone, "tests/plugins/*_test.py"))):
        rule = os.path.basename(file).removesuffix("_test.py")
        # An address is no secret, and the base class has none.
        if rule in ("ip_public", "base"):
            continue
        for node in ast.walk(ast.parse(open(file).read())):
            if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "parametrize":
                continue
            try:
                rows = ast.literal_eval(node.args[1])
            except ValueError:
                continue
            for row in rows:
                if not isinstance(row, (tuple, list)) or not isinstance(row[0], str):
                    continue
                truth = [value for value in row[1:] if isinstance(value, bool)]
                if truth:
                    put(truth[0], rule, row[0])


if __name__ == "__main__":
    {"gitleaks": gitleaks, "detect-secrets": detect_secrets}[sys.argv[1]](sys.argv[2])
