"""A scripted server that speaks the OpenAI chat protocol on loopback, without delay.

    with ScriptedOpenAI({"extract": {"profiles": [...]}, "consolidate": (Fail(429, retry_after=0), {...})}) as server:
        llm = LiteLlm(server.environ)
        ...
    assert [request.task for request in server.requests] == ["extract", "consolidate", "consolidate"]

The script maps a task's name to a reply, or is a callable from ``Request`` to a reply. A task that the script does not
name gets an empty answer (``EMPTY``). A reply is

- a dict or list: sent as JSON text of the assistant;
- a str: sent as it is (prose, fences, half JSON); ``Cut`` says in addition that it ended at the token limit;
- ``Fail``, ``Hang`` or ``Disconnect``: no answer;
- a tuple of replies: one after another, the last stays.

Every request is recorded, with its tokens (cl100k) as the server reports them in ``usage``.
"""

import importlib.util
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

EMPTY: dict[str, Any] = {
    "extract": {"profile_useful": False, "playbook_useful": False, "profiles": [], "playbooks": []},
    "gate": {"profile_useful": False, "playbook_useful": False},
    "consolidate": {"decisions": []},
}
API_KEY = "sk-scripted-key-of-the-double"


@dataclass(frozen=True)
class Fail:
    """An HTTP error. ``retry_after`` in seconds becomes a header; ``body`` replaces the usual error object."""

    status: int
    retry_after: float | None = None
    body: str | None = None


@dataclass(frozen=True)
class Hang:
    """Say nothing until the server closes."""


@dataclass(frozen=True)
class Disconnect:
    """Close the connection without an answer."""


@dataclass(frozen=True)
class Cut:
    """A text that ended at the token limit (``finish_reason`` "length")."""

    text: str


Reply = dict[str, Any] | list[Any] | str | Cut | Fail | Hang | Disconnect
Script = Mapping[str, Reply | tuple[Reply, ...]] | Callable[["Request"], Reply]


@dataclass(frozen=True)
class Request:
    """A recorded completion request. ``form`` is its response format; ``prompt_tokens`` counts the schema too."""

    task: str
    form: str
    body: dict[str, Any]
    headers: dict[str, str]
    prompt_tokens: int

    @property
    def text(self) -> str:
        """All messages, one after the other."""
        return "\n\n".join(message["content"] for message in self.body["messages"])


@dataclass
class ScriptedOpenAI:
    """The server; a context manager. ``refuses`` lists response formats that it answers with ``refuse_status``."""

    script: Script = field(default_factory=dict)
    refuses: Collection[str] = ()
    refuse_status: int = 400
    refuses_temperature: bool = False
    models: tuple[str, ...] = ("gpt-5.5",)
    requests: list[Request] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        """Value for ``OPENAI_BASE_URL``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def environ(self) -> dict[str, str]:
        """The variables that lead a client here."""
        return {"OPENAI_API_KEY": API_KEY, "OPENAI_BASE_URL": self.base_url}

    @property
    def prompt_tokens(self) -> int:
        """Tokens of all prompts so far."""
        return sum(request.prompt_tokens for request in self.requests)

    def __enter__(self) -> Self:
        count_tokens("")  # loads the vocabulary, which no request should wait for
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._asked: dict[str, int] = {}
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.double = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        _forget_connections(self.base_url)

    def wait_for_close(self) -> None:
        """Block until the server closes."""
        self._closing.wait()

    def reply(self, request: Request) -> Reply:
        """Record a request and find its reply."""
        with self._lock:
            self.requests.append(request)
            number = self._asked.get(request.task, 0)
            refused = request.form in self.refuses or (self.refuses_temperature and "temperature" in request.body)
            if refused:
                word = "temperature" if request.form not in self.refuses else "response_format"
                return Fail(self.refuse_status, body=json.dumps({"error": {"message": f"{word} is not supported"}}))
            self._asked[request.task] = number + 1
        if callable(self.script):
            return self.script(request)
        reply = self.script.get(request.task, EMPTY.get(request.task, ""))
        return reply[min(number, len(reply) - 1)] if isinstance(reply, tuple) else reply


@cache
def _encoding() -> Any:
    """cl100k from the vocabulary that LiteLLM ships, found without importing it: nothing is fetched."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "litellm_core_utils" / "tokenizers"
    os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(folder))
    import tiktoken

    return tiktoken.get_encoding("cl100k_base")


def count_tokens(text: str) -> int:
    """Tokens of ``text`` by cl100k."""
    return len(_encoding().encode(text, disallowed_special=()))


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """Tokens of a request: its messages and, if there is one, its JSON schema."""
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    texts = [message["content"] for message in body["messages"]]
    texts += [json.dumps(schema, separators=(",", ":"))] if schema else []
    return sum(count_tokens(text) for text in texts)


def _forget_connections(base_url: str) -> None:
    """Close what LiteLLM keeps open to a server that is gone; else each test leaves a socket behind."""
    library = sys.modules.get("litellm")
    kept = library.in_memory_llm_clients_cache.cache_dict if library else {}
    for name, client in list(kept.items()):
        if str(getattr(client, "base_url", "")).startswith(base_url):
            kept.pop(name).close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    double: ScriptedOpenAI

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no fault of the double."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.server.double.paths.append(self.path)
        self._send(200, {"object": "list", "data": [{"id": name} for name in self.server.double.models]})

    def do_POST(self) -> None:
        double = self.server.double
        double.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(
            task=_task(body),
            form=(body.get("response_format") or {"type": "plain"})["type"],
            body=body,
            headers={name.lower(): value for name, value in self.headers.items()},
            prompt_tokens=prompt_tokens(body),
        )
        reply = double.reply(request)
        if isinstance(reply, Fail):
            self._fail(reply)
        elif isinstance(reply, Hang):
            double.wait_for_close()
            self.close_connection = True
        elif isinstance(reply, Disconnect):
            self.close_connection = True
        else:
            self._send(200, _completion(request, reply))

    def _fail(self, reply: Fail) -> None:
        headers = {} if reply.retry_after is None else {"Retry-After": f"{reply.retry_after:g}"}
        error = {"error": {"message": f"scripted failure {reply.status}", "type": "scripted", "code": None}}
        self._send(reply.status, json.loads(reply.body) if reply.body else error, headers)

    def _send(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _task(body: Mapping[str, Any]) -> str:
    """The task by its schema's name, or by the first line of the prompt."""
    named = (body.get("response_format") or {}).get("json_schema", {}).get("name")
    if named:
        return str(named)
    found = re.match(r"Task: (\w+)", body["messages"][0]["content"])
    return found[1] if found else ""


def _completion(request: Request, reply: dict[str, Any] | list[Any] | str | Cut) -> dict[str, Any]:
    text = reply.text if isinstance(reply, Cut) else reply if isinstance(reply, str) else json.dumps(reply)
    reason = "length" if isinstance(reply, Cut) else "stop"
    spent = count_tokens(text)
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": request.prompt_tokens,
            "completion_tokens": spent,
            "total_tokens": request.prompt_tokens + spent,
        },
    }
