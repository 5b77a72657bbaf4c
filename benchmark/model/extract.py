"""Documented functions of downloaded packages, as (comment, name, code) records.

    python extract.py DOWNLOADS SOURCES.tsv PAIRS.jsonl.gz

Reads the archives that fetch.py brought, keeps packages whose licence is permissive, and writes one
JSON line a function: language, package, name, doc (the first paragraph of its comment, may be
empty), code (signature and body without that comment). What was kept goes to SOURCES.tsv.
"""

import gzip
import hashlib
import io
import json
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_go
import tree_sitter_java
import tree_sitter_javascript
import tree_sitter_php
import tree_sitter_python
import tree_sitter_ruby
import tree_sitter_rust
import tree_sitter_typescript
from tree_sitter import Language, Parser, Query, QueryCursor

from licences import licence_of, permissive

MAX_FILE_BYTES = 400_000
MAX_DOCUMENTED = 1_200
MAX_BARE = 300
MAX_DOC_WORDS = 60
MAX_CODE_CHARS = 4_000

# Repositories that a benchmark of this project uses, and flagships that some other search
# benchmark is likely to use: never trained on, never tested on.
LEFT_OUT = re.compile(
    r"(^|[^a-z])(serde(_core|_derive|_json)?|aiohttp|fastapi|starlette|flask|gin|chi|gson|aeson|ecto"
    r"|phoenix|exposed|fmt(lib)?|curl|libcurl|laravel|illuminate|newtonsoft|nvm|rack|redux|requests"
    r"|sinatra|vitest|vite|zls|zod|express|lodash|prisma|babel|django|click|pydantic|pytest|scrapy"
    r"|celery|httpx|rich|textual|axios|preact|react|vue|svelte|pinia|tokio|axum|hyper|clap|ripgrep"
    r"|grep|ignore|globset|cobra|hugo|caddy|spring|junit|guava|okhttp|okio|redis-server|libuv|abseil"
    r"|spdlog|catch2|googletest|nlohmann|leveldb|rails|jekyll|devise|sidekiq|symfony|monolog|guzzle"
    r"|composer|slim|gix|gitoxide|jj|tantivy|rust-analyzer|black|git|nbdev|bulma|alamofire)"
    r"([^a-z]|$)"
)

LANGUAGES = {
    # language: (suffixes, grammar, query of functions)
    "python": ((".py",), tree_sitter_python.language, "(function_definition) @f"),
    "javascript": (
        (".js", ".mjs", ".cjs"),
        tree_sitter_javascript.language,
        """[(function_declaration) (method_definition) (generator_function_declaration)] @f
        (variable_declarator value: [(arrow_function) (function_expression)]) @f
        (assignment_expression right: [(arrow_function) (function_expression)]) @f
        (pair value: [(arrow_function) (function_expression)]) @f""",
    ),
    "typescript": (
        (".ts", ".mts"),
        tree_sitter_typescript.language_typescript,
        """[(function_declaration) (method_definition)] @f
        (variable_declarator value: [(arrow_function) (function_expression)]) @f""",
    ),
    "go": ((".go",), tree_sitter_go.language, "[(function_declaration) (method_declaration)] @f"),
    "rust": ((".rs",), tree_sitter_rust.language, "(function_item) @f"),
    "java": (
        (".java",),
        tree_sitter_java.language,
        "[(method_declaration) (constructor_declaration)] @f",
    ),
    "c": ((".c",), tree_sitter_c.language, "(function_definition) @f"),
    "cpp": (
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"),
        tree_sitter_cpp.language,
        "(function_definition) @f",
    ),
    "ruby": ((".rb",), tree_sitter_ruby.language, "[(method) (singleton_method)] @f"),
    "php": (
        (".php",),
        tree_sitter_php.language_php,
        "[(function_definition) (method_declaration)] @f",
    ),
}
BY_SUFFIX = {suffix: name for name, row in LANGUAGES.items() for suffix in row[0]}
WRAPPERS = {
    "export_statement", "lexical_declaration", "variable_declaration", "expression_statement",
    "template_declaration", "decorated_definition", "linkage_specification",
}  # fmt: skip
BESIDE = {"attribute_item", "decorator", "attribute_list"}
SKIP_PATH = re.compile(r"(^|/)(vendor|node_modules|third[_-]?party|\.min\.|dist/.*\.min)|\.d\.ts$|\.min\.|_pb2|\.pb\.go$|bundle")

_parsers = {}


def parser(language):
    if language not in _parsers:
        _, grammar, query = LANGUAGES[language]
        lang = Language(grammar())
        _parsers[language] = Parser(lang), Query(lang, query)
    return _parsers[language]


def name_of(node, source):
    for field in ("name", "left", "key", "declarator"):
        child = node.child_by_field_name(field)
        if child is None:
            continue
        while (inner := child.child_by_field_name("declarator")) is not None:
            child = inner
        if child.type == "member_expression" and (last := child.child_by_field_name("property")):
            child = last
        text = source[child.start_byte : child.end_byte].decode(errors="replace")
        return text.split("::")[-1].strip("\"'") if len(text) < 100 else ""
    return ""


def comment_before(node, source):
    """The comments that stand directly before a function or before what wraps it."""
    while node.parent is not None and node.parent.type in WRAPPERS:
        if node.parent.named_children and node.parent.named_children[0].start_byte < node.start_byte:
            first = node.parent.named_children[0]
            if first.type not in BESIDE and first.type != "decorator" and node.parent.type not in (
                "template_declaration", "decorated_definition"
            ):
                break
        node = node.parent
    found, below = [], node.start_point[0]
    before = node.prev_named_sibling
    while before is not None and len(found) < 60:
        if before.type in BESIDE:
            below = before.start_point[0]
        elif "comment" in before.type and below - before.end_point[0] <= 1:
            found.append(source[before.start_byte : before.end_byte].decode(errors="replace"))
            below = before.start_point[0]
        else:
            break
        before = before.prev_named_sibling
    return "\n".join(reversed(found))


def docstring(node, source):
    body = node.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    if first is not None and first.type == "expression_statement" and first.named_children:
        first = first.named_children[0]
    if first is None or first.type != "string":
        return None
    return first.start_byte, first.end_byte


MARKS = re.compile(r"^\s*(/\*+!?|//+[/!]?|\*+/|\*+|#+!?|[rRuUbB]*(\"\"\"|'''|\"|'))?\s?")
END = re.compile(r"(\*+/|\"\"\"|'''|\"|')\s*$")
STOP = re.compile(
    r"^\s*([@\\](?!brief|link|code)\w|:\w+[^:]*:|-{3,}|={3,}|Args?:|Arguments:|Parameters|Returns?:"
    r"|Raises:|Examples?:?\s*$|#\s*\w+|```|>>>|\.\. |\+-|call-seq)",
)
JUNK = re.compile(
    r"copyright|licen[sc]e|eslint|@internal|todo|fixme|nolint|noqa|\{\{|generated|inheritdoc"
    r"|istanbul|deprecated|see also|^\W*$|jshint|rubocop|see parent|overrid",
    re.I,
)


def first_paragraph(comment, name):
    """The first paragraph of a comment as one line of prose; empty when it says too little."""
    lines = []
    for line in comment.splitlines():
        line = END.sub("", MARKS.sub("", line, count=1)).strip()
        if not line or re.fullmatch(r"[\W_]+", line):
            if lines:
                break
            continue
        if STOP.match(line):
            break
        lines.append(line)
    text = re.sub(r"^[@\\]brief\s+", "", " ".join(lines))
    text = re.sub(r"\{@\w+\s+([^}]*)\}|<[^<>]{1,40}>", r"\1", text)
    words = text.split()
    # The convention of Go begins with the name itself: a question would not know it.
    if words and name and words[0].strip("`()*.:") == name:
        words = words[1:]
    text = " ".join(words[:MAX_DOC_WORDS])
    letters = sum(c.isascii() and c.isalpha() for c in text)
    if len(words) < 4 or letters < 0.6 * len(text) or JUNK.search(text):
        return ""
    return text


def functions(source, language):
    """Every function of one file as (name, doc, code)."""
    tree_parser, query = parser(language)
    tree = tree_parser.parse(source)
    nodes = QueryCursor(query).captures(tree.root_node).get("f", [])
    for node in nodes:
        start, end = node.start_byte, node.end_byte
        if end - start < 80 or node.end_point[0] - node.start_point[0] < 2:
            continue
        name = name_of(node, source)
        code = source[start:end]
        comment = ""
        if language == "python":
            if (at := docstring(node, source)) is not None:
                comment = source[at[0] : at[1]].decode(errors="replace")
                code = source[start : at[0]] + source[at[1] : end]
        if not comment:
            comment = comment_before(node, source)
        if len(code) < 70:
            continue
        yield (
            name,
            first_paragraph(comment, name),
            code.decode(errors="replace")[:MAX_CODE_CHARS],
        )


def files_of(path):
    """(name, bytes) of the source files in an archive or folder; also files that state a licence."""

    def wanted(name, size):
        low = name.lower()
        if re.search(r"(^|/)(copyright|package\.json|metadata|pkg-info|cargo\.toml)$", low):
            return size < 2_000_000
        return (
            size <= MAX_FILE_BYTES
            and Path(low).suffix in BY_SUFFIX
            and not SKIP_PATH.search(low)
        )

    def tar(data, mode="r:*"):
        with tarfile.open(fileobj=data, mode=mode) as archive:
            for member in archive:
                if member.isfile() and wanted(member.name, member.size):
                    yield member.name, archive.extractfile(member).read()

    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.is_file() and wanted(str(file.relative_to(path)), file.stat().st_size):
                yield str(file.relative_to(path)), file.read_bytes()
    elif path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if wanted(info.filename, info.file_size):
                    yield info.filename, archive.read(info)
    elif path.suffix == ".deb":
        out = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], capture_output=True, check=True)
        yield from tar(io.BytesIO(out.stdout))
    elif path.suffix == ".dsc":
        stem = path.name.rsplit("-", 1)[0] if "-" in path.name.split("_", 1)[1] else path.stem
        for part in sorted(path.parent.glob(stem.removesuffix(".dsc") + "*.tar.*")):
            if part.suffix != ".asc":
                with part.open("rb") as data:
                    yield from tar(data)
    else:
        with path.open("rb") as data:
            yield from tar(data)


def package_of(path):
    """(registry, package, version) by the name of its archive."""
    registry = path.parent.name
    name = path.name
    if registry == "pypi":
        parts = re.sub(r"\.(tar\.gz|zip|whl)$", "", name).split("-")
        return (registry, parts[0].lower(), parts[1] if len(parts) > 1 else "")
    if registry == "npm":
        package, version = re.fullmatch(r"(.*?)-(\d[^-]*.*)\.tgz", name).groups()
        return registry, package, version
    if registry in ("deb", "dsc"):
        package, version = re.sub(r"\.(deb|dsc)$", "", name).split("_")[:2]
        return "debian", package, version
    package, version = re.fullmatch(r"(.*?)-(\d.*)", name).groups()
    return "crates.io", package, version


def read_package(path):
    registry, package, version = package_of(path)
    if LEFT_OUT.search(package.lower()):
        return (registry, package, version, "left out"), []
    notices, found, seen = [], defaultdict(list), set()
    try:
        for name, data in files_of(path):
            base = name.lower().rsplit("/", 1)[-1]
            language = BY_SUFFIX.get(Path(base).suffix)
            if language is None:
                notices.append((name, data.decode(errors="replace")))
                continue
            if b"@generated" in data[:2000] or b"DO NOT EDIT" in data[:2000]:
                continue
            digest = hashlib.sha1(data).digest()
            if digest in seen:
                continue
            seen.add(digest)
            for record in functions(data, language):
                body = hashlib.sha1(re.sub(r"\s+", "", record[2]).encode()).digest()
                if body not in seen:
                    seen.add(body)
                    found[language].append(record)
    except (tarfile.TarError, zipfile.BadZipFile, subprocess.CalledProcessError, OSError) as error:
        return (registry, package, version, f"unreadable: {error}"), []
    licence = licence_of(registry, notices)
    if not permissive(licence):
        return (registry, package, version, f"not used: {licence}"), []
    rng = random.Random(package)
    out = []
    for language, records in sorted(found.items()):
        rng.shuffle(records)
        times = Counter(doc for _, doc, _ in records)
        documented = [r for r in records if r[1] and times[r[1]] == 1][:MAX_DOCUMENTED]
        bare = [r for r in records if not r[1] and len(r[0]) > 5][:MAX_BARE]
        out += [
            json.dumps(
                {"lang": language, "pkg": f"{registry}:{package}", "name": n, "doc": d, "code": c},
                ensure_ascii=False,
            )
            for n, d, c in documented + bare
        ]
    return (registry, package, version, licence), out


def main():
    downloads, sources, pairs = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    paths = []
    # The order of records decides the batches of training: keep it.
    for folder, pattern in (("pypi", "*"), ("npm", "*.tgz"), ("deb", "*.deb")):
        paths += sorted((downloads / folder).glob(pattern))
    for folder in sys.argv[4:]:  # unpacked crates: cargo's own registry/src
        paths += sorted(p for p in Path(folder).iterdir() if re.search(r"-\d", p.name))
    paths += sorted((downloads / "dsc").glob("*.dsc"))
    rows, count = [], Counter()
    with gzip.open(pairs, "wt", compresslevel=1) as out, ProcessPoolExecutor(2) as pool:
        for row, records in pool.map(read_package, paths, chunksize=2):
            documented = sum('"doc": ""' not in r for r in records)
            rows.append((*row, str(documented), str(len(records))))
            for record in records:
                out.write(record + "\n")
                at = json.loads(record)
                count[at["lang"], bool(at["doc"])] += 1
    with sources.open("w") as out:
        out.write("registry\tpackage\tversion\tlicence\tdocumented\tfunctions\n")
        for row in sorted(rows):
            out.write("\t".join(row) + "\n")
    for key, n in sorted(count.items()):
        print(*key, n)


if __name__ == "__main__":
    main()
