"""`RequestMiddleware`: gives each request its id and context, answers HEAD, and tells who asks how it ended."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .context import RequestContext

ID_HEADERS = (b"x-request-id", b"request-id")  # OpenAI's clients show the first, Anthropic's the second
CLIENT_CLOSED_REQUEST = 499  # nobody reads it; it shows in the log and the metrics


class RequestMiddleware:
    """The outermost one. on_end: called with the context of each request when its answer is over."""

    def __init__(self, app: ASGIApp, on_end: Callable[[RequestContext], None]) -> None:
        self._app = app
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        context = RequestContext.open(scope)
        request_id = context.request_id.encode("latin-1")

        is_head = scope["method"] == "HEAD"
        if is_head:  # answered as GET is, without the body
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
            if context.status is None:
                context.status = CLIENT_CLOSED_REQUEST
            route = scope.get("route")
            context.route = getattr(route, "path", None)
            self._on_end(context)
