"""semble without its embedding model, served as its own MCP server would be.

semble refuses to answer without a model. This gives it one that knows a single word, and searches with
the weight of meaning at zero, which its library offers: what is left is its BM25 and its ranking rules.

usage: python semble_lexical.py MODEL-FOLDER [--model-only]
"""

import json
import sys
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from semble import SembleIndex
from semble.utils import format_results
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

# What semble's own server shows of each result unless it is told otherwise.
SNIPPET_LINES = 10


def model(folder):
    if not Path(folder, "config.json").exists():
        tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = Whitespace()
        StaticModel(np.ones((1, 1), dtype=np.float32), tokenizer).save_pretrained(folder)
    return folder


def search(indexes, folder, arguments):
    repo = arguments["repo"]
    if repo not in indexes:
        indexes[repo] = SembleIndex.from_path(repo, model_path=model(folder))
    results = indexes[repo].search(arguments["query"], top_k=arguments["top_k"], alpha=0.0)
    lines = arguments.get("max_snippet_lines", SNIPPET_LINES)
    return json.dumps(format_results(arguments["query"], results, lines))


def main():
    # Libraries print too; only answers may go to the client.
    answers, sys.stdout = sys.stdout, sys.stderr
    indexes = {}
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            if message["method"] == "tools/call":
                text = search(indexes, sys.argv[1], message["params"]["arguments"])
                answer["result"] = {"content": [{"type": "text", "text": text}]}
            else:
                answer["result"] = {}
        except Exception as error:
            answer["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    if sys.argv[2:] == ["--model-only"]:
        model(sys.argv[1])
    else:
        main()
