"""A model that is a script: an HTTP server that speaks as the APIs of four makers do.

It answers every request that offers the tools of our server with calls of them, one a turn, and with
an end of the turn when all were called. Everything else (titles, token counts, quotas) gets a short answer.
Each request is recorded; of each answer of a tool, what the model was shown.
"""
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

END = "That is all."


class Script:
    """What is asked, in order, and what came back."""

    def __init__(self, questions):
        self.questions = questions
        self.requests = []
        self.shown = {}
        self.offered = []
        self.lock = threading.Lock()

    def next(self, dialect, body):
        """The call to answer a request with: (index, name, arguments); None for the end of the turn."""
        with self.lock:
            for index, text in dialect.results(body):
                self.shown.setdefault(index, text)
            tools = [tool for tool in dialect.tools(body) if ours(tool["name"])]
            if not tools:
                return None
            self.offered = self.offered or tools
            index = len(self.shown)
            if index >= len(self.questions):
                return None
            tool, arguments = self.questions[index]
            names = [t for t in tools if bare(t["name"]) == tool]
            if not names:
                return None
            return index, names[0], arguments


def ours(name):
    """Whether a tool is of our server. Hosts put its name before that of the tool, each in its own way."""
    return "sverklo" in name


def bare(name):
    return re.split(r"[_.]+", name)[-1]


def text_of(content):
    """A text as it is, a list of parts with text as their texts, anything else as JSON."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(p, dict) and isinstance(p.get("text"), str) for p in content):
        return "\n".join(p["text"] for p in content)
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def call_id(index):
    return f"call_{index:04}"


def index_of(call):
    found = re.fullmatch(r"call_(\d+)", call or "")
    return int(found.group(1)) if found else None


class Anthropic:
    """https://docs.claude.com/en/api/messages, also streamed."""

    path = re.compile(r"/v1/messages$")

    @staticmethod
    def tools(body):
        return [{"name": t["name"], "said": t} for t in body.get("tools", []) if "name" in t]

    @staticmethod
    def results(body):
        for message in body.get("messages", []):
            for part in message["content"] if isinstance(message["content"], list) else []:
                if part.get("type") == "tool_result" and index_of(part["tool_use_id"]) is not None:
                    # Claude Code hangs reminders of its own on some results.
                    text = text_of(part.get("content", "")).split("\n\n<system-reminder>")[0]
                    yield index_of(part["tool_use_id"]), text

    @staticmethod
    def answer(body, call):
        usage = {"input_tokens": 10, "output_tokens": 10}
        if call:
            block = {"type": "tool_use", "id": call_id(call[0]), "name": call[1]["name"], "input": call[2]}
        else:
            block = {"type": "text", "text": END}
        stop = "tool_use" if call else "end_turn"
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": body.get("model", "m"),
                   "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
        if not body.get("stream"):
            return message, None
        empty = {**block, "input": {}} if call else {**block, "text": ""}
        delta = ({"type": "input_json_delta", "partial_json": json.dumps(call[2])} if call
                 else {"type": "text_delta", "text": END})
        return None, [
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": empty},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]


class Responses:
    """https://platform.openai.com/docs/api-reference/responses, streamed."""

    path = re.compile(r"/responses$")

    @staticmethod
    def tools(body):
        for tool in body.get("tools", []):
            if tool.get("type") == "namespace":
                for inner in tool.get("tools", []):
                    yield {"name": f"{tool['name'].rstrip('_')}__{inner['name']}", "said": inner,
                           "namespace": tool["name"], "inner": inner["name"]}
            elif "name" in tool:
                yield {"name": tool["name"], "said": tool}

    @staticmethod
    def results(body):
        for item in body.get("input", []):
            if isinstance(item, dict) and item.get("type") == "function_call_output":
                if index_of(item.get("call_id")) is not None:
                    yield index_of(item["call_id"]), text_of(item.get("output", ""))

    @staticmethod
    def answer(body, call):
        if call:
            item = {"type": "function_call", "id": f"fc_{call[0]}", "call_id": call_id(call[0]),
                    "name": call[1].get("inner", call[1]["name"]), "arguments": json.dumps(call[2]),
                    "status": "completed"}
            if "namespace" in call[1]:
                item["namespace"] = call[1]["namespace"]
        else:
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": END, "annotations": []}]}
        usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 20}
        response = {"id": "resp_1", "object": "response", "created_at": 0, "model": body.get("model", "m"),
                    "status": "completed", "output": [item], "usage": usage}
        if not body.get("stream"):
            return response, None
        begun = {**response, "status": "in_progress", "output": [], "usage": None}
        return None, [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        ]


class Chat:
    """https://platform.openai.com/docs/api-reference/chat, streamed."""

    path = re.compile(r"/chat/completions$")

    @staticmethod
    def tools(body):
        return [{"name": t["function"]["name"], "said": t["function"]} for t in body.get("tools", [])]

    @staticmethod
    def results(body):
        for message in body.get("messages", []):
            if message.get("role") == "tool" and index_of(message.get("tool_call_id")) is not None:
                yield index_of(message["tool_call_id"]), text_of(message.get("content", ""))

    @staticmethod
    def answer(body, call):
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        message = {"role": "assistant", "content": None if call else END}
        if call:
            function = {"name": call[1]["name"], "arguments": json.dumps(call[2])}
            message["tool_calls"] = [{"index": 0, "id": call_id(call[0]), "type": "function", "function": function}]
        stop = "tool_calls" if call else "stop"
        head = {"id": "chat_1", "created": 0, "model": body.get("model", "m")}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": stop}
            return {**head, "object": "chat.completion", "choices": [choice], "usage": usage}, None
        chunk = {**head, "object": "chat.completion.chunk"}
        return None, [
            {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": usage},
            "[DONE]",
        ]


class Gemini:
    """https://ai.google.dev/api/generate-content, streamed. It knows calls by order, not by a name of ours."""

    path = re.compile(r":(streamGenerateContent|generateContent)$")

    @staticmethod
    def tools(body):
        for group in body.get("tools", []):
            for tool in group.get("functionDeclarations", []):
                yield {"name": tool["name"], "said": tool}

    @staticmethod
    def results(body):
        index = 0
        for content in body.get("contents", []):
            for part in content.get("parts", []):
                response = part.get("functionResponse")
                if response and ours(response.get("name", "")):
                    yield index, text_of(response.get("response"))
                    index += 1

    @staticmethod
    def answer(body, call):
        part = {"functionCall": {"name": call[1]["name"], "args": call[2]}} if call else {"text": END}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
        candidate = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}
        answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}
        return answer, [answer]


DIALECTS = [Anthropic, Responses, Chat, Gemini]


def serve(script):
    """Serves a script on a free port of this machine; returns the server and its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, bytes_, kind, status=200):
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(bytes_)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(bytes_)

        def do_HEAD(self):
            self.reply(b"", "text/plain")

        def do_GET(self):
            self.do_POST()

        def do_POST(self):
            length = int(self.headers.get("content-length") or 0)
            raw = self.rfile.read(length)
            try:
                body = json.loads(raw) if raw else {}
            except ValueError:
                body = {}
            path, _, query = self.path.partition("?")
            script.requests.append({"method": self.command, "path": self.path, "body": body})
            if path.endswith("/count_tokens") or path.endswith(":countTokens"):
                return self.reply(b'{"input_tokens":10,"totalTokens":10}', "application/json")
            dialect = next((d for d in DIALECTS if d.path.search(path)), None)
            if dialect is None or self.command != "POST":
                return self.reply(b'{"data":[],"models":[]}', "application/json")
            answer, events = dialect.answer(body, script.next(dialect, body))
            streamed = body.get("stream") or "streamGenerateContent" in path and "alt=sse" in query
            if not streamed:
                return self.reply(json.dumps(answer).encode(), "application/json")
            lines = []
            for event in events:
                if isinstance(event, dict) and "type" in event:
                    lines.append(f"event: {event['type']}\n")
                lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
            self.reply("".join(lines).encode(), "text/event-stream")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}"
