"""A client of the language server protocol, enough to ask where names are defined."""

import json
import subprocess
import threading
from pathlib import Path
from urllib.parse import unquote, urlparse


class Server:
    def __init__(self, command, root, settings):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.settings = settings
        self.answers = {}
        self.arrived = threading.Condition()
        self.number = 0
        threading.Thread(target=self.listen, daemon=True).start()
        uri = Path(root).as_uri()
        self.call("initialize", {
            "processId": None, "rootUri": uri, "workspaceFolders": [{"uri": uri, "name": "root"}],
            "capabilities": {
                "workspace": {"configuration": True, "workspaceFolders": True},
                "textDocument": {"definition": {"linkSupport": False}},
            },
            "initializationOptions": settings,
        })
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": settings})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        return self.number

    def wait(self, number, seconds=300):
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, seconds):
                raise TimeoutError("the language server does not answer")
            return self.answers.pop(number)

    def call(self, method, params):
        return self.wait(self.ask(method, params))

    def listen(self):
        out = self.process.stdout
        while True:
            length = 0
            while line := out.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if length == 0:
                return
            message = json.loads(out.read(length))
            if "method" in message and "id" in message:
                result = None
                if message["method"] == "workspace/configuration":
                    result = [self.section(item.get("section")) for item in message["params"]["items"]]
                self.send({"id": message["id"], "result": result})
            elif "id" in message:
                with self.arrived:
                    self.answers[message["id"]] = message.get("result")
                    self.arrived.notify_all()

    def section(self, name):
        found = self.settings
        for part in (name or "").split("."):
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return found

    def open(self, path, language):
        text = Path(path).read_text(encoding="utf-8")
        self.tell("textDocument/didOpen", {
            "textDocument": {"uri": Path(path).as_uri(), "languageId": language, "version": 1, "text": text},
        })
        return text

    def close(self, path):
        self.tell("textDocument/didClose", {"textDocument": {"uri": Path(path).as_uri()}})


def locations(result):
    """(path, line from 0, character) of what a definition request gave."""
    if result is None:
        return []
    for found in result if isinstance(result, list) else [result]:
        uri = found.get("uri") or found.get("targetUri")
        span = found.get("range") or found.get("targetSelectionRange")
        yield unquote(urlparse(uri).path), span["start"]["line"], span["start"]["character"]
