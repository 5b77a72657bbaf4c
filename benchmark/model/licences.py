"""What licence a package states, and whether it is permissive."""

import json
import re
import tomllib
from email.parser import HeaderParser

PERMISSIVE = re.compile(
    r"\b(mit|mit-0|expat|isc|bsd|[023]-clause|apache|apache-2|zlib|libpng|unlicense|cc0|psf|python"
    r"|postgresql|public-domain|boost|bsl-1|wtfpl|unicode|x11|ntp|hpnd|bouncy|curl|ruby|icu|blessing"
    r"|php-3|zpl|0bsd|historical|openssl|libtiff|ofl|artistic|vim|edl)",
    re.I,
)
COPYLEFT = re.compile(
    r"gpl|mpl|mozilla|epl|eclipse|cddl|osl|eupl|cc-by|cecill|sspl|busl|commercial|proprietary",
    re.I,
)


def licence_of(registry, notices):
    """The licence as the package's own metadata states it, or an empty text."""
    if registry == "debian":
        for name, text in notices:
            if name.lower().endswith("copyright"):
                return debian(text)
        return ""
    for name, text in sorted(notices, key=lambda n: n[0].count("/")):
        base = name.lower().rsplit("/", 1)[-1]
        try:
            if registry == "npm" and base == "package.json":
                stated = json.loads(text).get("license", "")
                return stated if isinstance(stated, str) else str(stated.get("type", ""))
            if registry == "crates.io" and base == "cargo.toml":
                return str(tomllib.loads(text).get("package", {}).get("license", ""))
        except (ValueError, AttributeError):
            continue
        if registry == "pypi" and base in ("metadata", "pkg-info"):
            head = HeaderParser().parsestr(text)
            stated = head.get("License-Expression") or ""
            classes = [
                c.split("::")[-1].strip()
                for c in head.get_all("Classifier", [])
                if c.startswith("License") and "OSI Approved" != c.split("::")[-1].strip()
            ]
            stated = stated or ", ".join(classes) or head.get("License", "").split("\n")[0]
            return stated[:80]
    return ""


def debian(text):
    """The licences of the upstream files by a machine-readable copyright file."""
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        files = re.search(r"^Files:\s*(.*)", paragraph, re.M)
        licence = re.search(r"^License:\s*(\S.*)", paragraph, re.M)
        if files and licence and not files[1].startswith("debian"):
            found.append(licence[1].strip())
    if found:
        return ", ".join(dict.fromkeys(found))[:200]
    for name in ("Apache", "MIT", "BSD", "Permission is hereby granted", "Redistribution and use"):
        if name in text and not re.search(r"GPL|General Public", text):
            return {"Permission is hereby granted": "MIT", "Redistribution and use": "BSD"}.get(name, name)
    return "unclear"


def permissive(licence):
    """Whether every licence named is permissive, or an alternative that is can be chosen."""
    if not licence:
        return False
    for part in licence.split(","):
        choices = re.split(r"\bor\b|/", part, flags=re.I)
        if not any(PERMISSIVE.search(c) and not COPYLEFT.search(c) for c in choices):
            return False
    return True
