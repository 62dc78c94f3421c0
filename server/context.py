"""`RequestContext`: one HTTP request, with facts for its log line, metrics and errors. It also has the request's place
among those in flight, and the generation that answers it.

`RequestMiddleware` creates the context, answers HEAD requests, and reports each request when its answer is over.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import quote

from fastapi import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from guided.errors import GenerationCancelledError

if TYPE_CHECKING:
    from guided.output.completion import Completion, CompletionChunk
    from guided.output.generation import Generation

    from .model import ModelHolder
    from .protocol.base import Call, ResponseBuilder

TRACE_HEADERS = (b"traceparent", b"tracestate")  # W3C's trace context
ID_HEADERS = (b"x-request-id", b"request-id")  # OpenAI's clients show the first, Anthropic's the second
CLIENT_CLOSED_REQUEST = 499  # status for the log and the metrics only; no client reads it
MAX_LOGGED_CHARS = 200  # maximum length of a client's text in the log
_SAFE = "/:@!$&'()*+,;=~"  # characters allowed in a path beside letters and digits (RFC 3986, 3.3)
_STATE_NAME = "guided_context"
_USABLE_ID = re.compile(r"[\x21-\x7e]{1,128}")  # fits in a header and in a log line


class Cancellable(Protocol):
    """A running answer that can be cancelled."""

    def cancel(self) -> None:
        """End the answer before the engine's next step. May be called from any thread."""


def _do_nothing(*_: object) -> None:
    pass


@dataclass(eq=False)
class RequestContext:
    """A request; its fields are filled in while it is answered.

    A request that needs a model is in flight from `enter` to `close`. The context is a context manager, whose block
    closes the request at its end, unless `closes_later` is set.

    request_id: the client's `x-request-id`, or a new id.
    key_label: label of the request's API key; None if it has none.
    constraint_param, prompt_param: the request's fields that errors about its grammar and prompt name.
    field_names: name in chat completions -> name in this wire format (see `WireFormat`). After the request is read,
        also parameter -> name that the request used.
    status: HTTP status of the answer; 499 if the client left first.
    completions: finished outputs, `num_choices` for each prompt.
    trace: the client's trace headers.
    error_code: code of the error, also of one in mid-stream, after the status was sent.
    deadline: a time of `time.monotonic()`, in seconds.
    is_large: the body is large.
    call, served, generation: None until the request is read, its model found, and its generation started.
    is_left: event that is set when nobody wants the answer any more; it stops compilations.
    """

    request_id: str
    method: str
    path: str
    started_s: float = field(default_factory=time.monotonic)
    key_label: str | None = None
    constraint_param: str | None = None
    prompt_param: str | None = None
    field_names: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    is_stream: bool = False
    status: int = CLIENT_CLOSED_REQUEST
    error_code: str | None = None
    route: str | None = None
    prompt_text: str | None = None
    completions: list[Completion] = field(default_factory=list)
    num_choices: int = 1
    trace: Mapping[str, str] = field(default_factory=dict)
    deadline: float = math.inf
    is_large: bool = False
    call: Call | None = None
    served: ModelHolder | None = None
    generation: Generation | None = None
    is_left: threading.Event = field(default_factory=threading.Event)
    closes_later: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _running: Cancellable | None = None
    _leave: Callable[[], None] = _do_nothing
    _on_close: Callable[[RequestContext], None] = _do_nothing
    _num_holds: int = 0
    _is_closed: bool = True

    @classmethod
    def open(cls, scope: Scope) -> RequestContext:
        """Create the context of a new request and store it in the scope, where `context_of` finds it."""
        given = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"").decode("latin-1")
        request_id = given if _USABLE_ID.fullmatch(given) else f"req_{uuid.uuid4().hex}"
        headers = [(name, value) for name, value in scope["headers"] if name in TRACE_HEADERS]
        trace = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        context = cls(request_id, scope["method"], scope["path"], trace=trace)
        scope.setdefault("state", {})[_STATE_NAME] = context
        return context

    @property
    def elapsed_s(self) -> float:
        """Seconds since the request arrived."""
        return time.monotonic() - self.started_s

    @property
    def what(self) -> str:
        """Method and URL-quoted path in one line, each cut to MAX_LOGGED_CHARS."""
        return f"{_shortened(self.method)} {_shortened(quote(self.path, safe=_SAFE))}"

    def log_fields(self) -> dict[str, Any]:
        """The fields of the request's log line, in order. The client's texts in it are the method, path, model name
        and, with `log_prompts`, the prompt.
        """
        fields: dict[str, Any] = {
            "request_id": self.request_id,
            "method": _shortened(self.method),
            "path": _shortened(self.path),
            "status": self.status,
            "duration_s": round(self.elapsed_s, 4),
            "key": self.key_label,
            "model": None if self.model is None else _shortened(self.model),
            "error": self.error_code,
            "prompt": self.prompt_text,
        }
        if self.completions:
            first = self.completions[0]
            fields |= {
                "stream": self.is_stream,
                "prompt_tokens": first.num_prompt_tokens,
                "completion_tokens": sum(one.num_tokens for one in self.completions),
                "finish_reasons": [one.finish_reason for one in self.completions],
                "unheld_tools": len(first.unheld_tools) or None,
                "foreign_calls": first.foreign_calls or None,
            }
        return {name: value for name, value in fields.items() if value is not None}

    def enter(
        self,
        leave: Callable[[], None],
        deadline: float,
        *,
        is_large: bool = False,
        on_close: Callable[[RequestContext], None] = _do_nothing,
    ) -> Self:
        """Begin to count as in flight.

        leave: called when the request is closed and no thread works for it any more; gives its place back.
        on_close: called when the request closes.
        """
        self._leave, self._on_close = leave, on_close
        self.deadline, self.is_large = deadline, is_large
        self._num_holds, self._is_closed = 1, False
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.closes_later:
            self.close()

    def note(self, call: Call, *, with_prompts: bool = False) -> None:
        """Learn what the request asks, for errors and the log. with_prompts: also the texts of its prompts."""
        self.model, self.is_stream, self.num_choices = call.model, call.is_stream, call.params.n
        self.constraint_param, self.prompt_param = call.constraint_param, call.prompt_param
        self.field_names = call.names_as_sent(self.field_names)
        if with_prompts:
            prompts = [getattr(prompt, "messages", prompt) for prompt in call.prompts]
            self.prompt_text = json.dumps(prompts, ensure_ascii=False)

    @property
    def num_outputs(self) -> int:
        """Number of outputs of all prompts together."""
        assert self.call is not None
        return len(self.call.prompts) * self.call.params.n

    def new_builder(self) -> ResponseBuilder:
        """The builder of the answer, when the generation has started."""
        assert self.generation is not None
        assert self.served is not None
        assert self.call is not None
        assert self.call.make_builder is not None
        prompts = [request.prompt_token_ids for request in self.generation.requests]
        return self.call.make_builder(prompts, self.served.require().vocabulary, self.served.require_name())

    def begin(self, generation: Generation) -> None:
        """Set the generation that `next_chunk` reads. May be called from any thread. Raises like `attach`."""
        self.attach(generation)
        self.generation = generation

    def attach(self, running: Cancellable) -> None:
        """Set the running answer, from any thread. If the request is already cancelled, cancels it and raises
        GenerationCancelledError.
        """
        with self._lock:
            is_cancelled = self.is_left.is_set()
            self._running = None if is_cancelled else running
        if is_cancelled:
            running.cancel()
            raise GenerationCancelledError

    async def next_chunk(self) -> CompletionChunk:
        """The next piece of any output. The piece's `index` counts over all prompts; the last piece of an output has a
        finish_reason.

        Raises the error that ended an output, and GenerationCancelledError after `cancel`.
        """
        assert self.generation is not None
        assert self.call is not None
        placed = await self.generation.next_chunk_async()
        if placed is None:
            raise GenerationCancelledError
        prompt, chunk = placed
        if chunk.finish_reason == "error":
            raise chunk.error or RuntimeError("the request failed without saying why")
        return replace(chunk, index=prompt * self.call.params.n + chunk.index) if prompt else chunk

    def cancel(self) -> None:
        """End the generation before the engine's next step, and a compilation at its next checkpoint.

        Reading the answer raises GenerationCancelledError from then on.
        """
        with self._lock:
            self.is_left.set()
            running = self._running
        if running is not None:
            running.cancel()

    def close(self) -> None:
        """End the request, whether it was answered or not. Repeated calls do nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        self.cancel()
        self._on_close(self)
        self.release()

    def forget(self) -> None:
        """Drop the call and its generation, since the connection keeps the context until its next request."""
        self.call = self.generation = self._running = None

    def hold(self) -> None:
        """Keep the request's place until `release`. A thread that works for the request may run longer than the request
        itself.
        """
        self._num_holds += 1

    def release(self) -> None:
        """Undo one `hold`; the last one gives the place back."""
        self._num_holds -= 1
        if not self._num_holds:
            self._leave()


def _shortened(text: str) -> str:
    """A client's text for one log line: its first MAX_LOGGED_CHARS characters, with "..." if it is longer."""
    return text if len(text) <= MAX_LOGGED_CHARS else f"{text[:MAX_LOGGED_CHARS]}..."


def context_of(request: Request) -> RequestContext:
    """The context of a request that came through `RequestMiddleware`."""
    context: RequestContext = request.scope["state"][_STATE_NAME]
    return context


class RequestMiddleware:
    """The outermost middleware.

    on_end: called with a request's context when its answer is over.
    """

    def __init__(self, app: ASGIApp, on_end: Callable[[RequestContext], None]) -> None:
        self._app = app
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry point."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        context = RequestContext.open(scope)
        bind_contextvars(request_id=context.request_id)  # bound in the request's own task, and gone with it
        request_id = context.request_id.encode("latin-1")

        is_head = scope["method"] == "HEAD"
        if is_head:  # answered like GET, without the body
            scope = {**scope, "method": "GET"}

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                context.status = message["status"]
                message.setdefault("headers", []).extend((name, request_id) for name in ID_HEADERS)
            elif is_head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            route = scope.get("route")
            context.route = getattr(route, "path", None)
            self._on_end(context)
            context.forget()
