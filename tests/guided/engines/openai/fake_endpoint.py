"""A server in OpenAI's protocol that answers what a test says, in a thread of the test process."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from guided.output.completion import Completion

MODEL = "fake"
Chunk = Mapping[str, Any] | bytes
Answer = Callable[["Handler"], None]


class FakeEndpoint:
    """answer: what the next requests get. bodies, headers, paths: of the requests so far.

    models: what its list of models has, but while it is loading, as a guided server does; num_loading: how many times
    it will say that it is. models_status: of that list. left: set when a client has gone in the middle of `forever`.
    """

    def __init__(self) -> None:
        self.answer: Answer = stream_of(text("Hello"))
        self.models: list[dict[str, Any]] = [{"id": MODEL, "owned_by": "somebody"}]
        self.models_status = 200
        self.num_loading = 0
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.left = threading.Event()
        self.url = ""


class Handler(BaseHTTPRequestHandler):
    """One connection of a `FakeEndpoint`."""

    protocol_version = "HTTP/1.1"
    endpoint: FakeEndpoint
    body: dict[str, Any]

    def do_GET(self) -> None:
        """The list of models."""
        if self.path == "/v1/models":
            status = 503 if self.endpoint.num_loading else self.endpoint.models_status
            self.send_json(status, {"object": "list", "data": self.endpoint.models})
        elif self.path == "/health" and self.endpoint.num_loading:
            self.endpoint.num_loading -= 1
            self.send_json(503, {"status": "loading", "model_loaded": False})
        else:
            self.send_json(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        """A request: noted, and answered."""
        body = self.rfile.read(int(self.headers["content-length"]))
        self.body = json.loads(body)
        self.endpoint.bodies.append(self.body)
        self.endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.endpoint.paths.append(self.path)
        with suppress(OSError):  # the client may have gone
            self.endpoint.answer(self)

    def send_json(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        """A whole answer."""
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle(self) -> None:
        """Its requests, until the client closes it or breaks it."""
        with suppress(OSError):
            super().handle()

    def begin_stream(self) -> None:
        """The head of a stream."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def send_chunk(self, data: bytes) -> None:
        """Bytes of a stream, at once."""
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""


def choice(delta: Mapping[str, Any] | None = None, finish_reason: str | None = None, **fields: Any) -> dict[str, Any]:
    """An object of a stream."""
    one = {"index": 0, "delta": delta or {}, "finish_reason": finish_reason, **fields}
    return {"id": "1", "object": "chat.completion.chunk", "model": MODEL, "choices": [one]}


def text(*parts: str, finish_reason: str | None = "stop") -> list[Chunk]:
    """The objects of an answer in these parts; finish_reason: None for none."""
    chunks: list[Chunk] = [choice({"role": "assistant", "content": ""}), *(choice({"content": part}) for part in parts)]
    return chunks if finish_reason is None else [*chunks, choice(finish_reason=finish_reason)]


def call(name: str, *arguments: str, index: int = 0) -> list[Chunk]:
    """The objects of a tool's call, its arguments in these parts; without the end of the answer."""
    first = {"index": index, "id": f"c{index}", "type": "function", "function": {"name": name, "arguments": ""}}
    rest = [{"index": index, "function": {"arguments": part}} for part in arguments]
    return [choice({"tool_calls": [delta]}) for delta in (first, *rest)]


def usage(num_prompt: int, num_new: int) -> Chunk:
    """The object that ends a stream with `include_usage`."""
    return {"choices": [], "usage": {"prompt_tokens": num_prompt, "completion_tokens": num_new}}


def stream_of(chunks: list[Chunk], *, is_cut: bool = False, has_done: bool = True) -> Answer:
    """These objects (bytes: as they are) as a stream. is_cut: the connection breaks after them."""

    def answer(handler: Handler) -> None:
        handler.begin_stream()
        for chunk in chunks:
            data = chunk if isinstance(chunk, bytes) else b"data: " + json.dumps(chunk).encode() + b"\n\n"
            handler.send_chunk(data)
        if is_cut:
            handler.close_connection = True
            return
        if has_done:
            handler.send_chunk(b"data: [DONE]\n\n")
        handler.wfile.write(b"0\r\n\r\n")

    return answer


def failing(status: int, message: str = "a reason", headers: Mapping[str, str] | None = None) -> Answer:
    """An error."""
    return lambda handler: handler.send_json(status, {"error": {"message": message}}, headers)


def by_text(answers: Mapping[str, Answer]) -> Answer:
    """Each request gets that of the word in its last message, in whatever order requests sent side by side arrive."""

    def answer(handler: Handler) -> None:
        asked = handler.body["messages"][-1]["content"]
        (found,) = (one for word, one in answers.items() if word in asked)
        found(handler)

    return answer


def one_by_one(*answers: Answer) -> Answer:
    """Each request gets the next of these. Only for requests that come one after another."""
    rest = iter(answers)
    return lambda handler: next(rest)(handler)


def forever(handler: Handler) -> None:
    """Words without an end, until the client has gone."""
    handler.begin_stream()
    try:
        while not handler.endpoint.left.wait(0.005):
            handler.send_chunk(b"data: " + json.dumps(choice({"content": "on and "})).encode() + b"\n\n")
    except OSError:
        handler.close_connection = True
        handler.endpoint.left.set()


def error_of(completion: Completion) -> Exception:
    """Why it failed."""
    assert completion.finish_reason == "error"
    assert completion.error is not None
    return completion.error


@contextmanager
def fake_endpoint() -> Iterator[FakeEndpoint]:
    """One that listens on a free port of this machine until the block ends."""
    endpoint = FakeEndpoint()
    handler = type("BoundHandler", (Handler,), {"endpoint": endpoint})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.left.set()
            server.shutdown()
            thread.join()
