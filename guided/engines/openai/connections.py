"""The SDK's clients, with requests that tell the other side nothing of this machine."""

from __future__ import annotations

from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from .endpoint import EndpointSettings

_TOLD = "x-stainless-"  # the SDK's headers: operating system, processor, versions, retries


def new_client(settings: EndpointSettings) -> OpenAI:
    """One that sends nothing again."""
    http = DefaultHttpxClient(event_hooks={"request": [_tell_nothing]})
    return OpenAI(**settings.client_arguments | {"max_retries": 0, "http_client": http})


def new_async_client(settings: EndpointSettings) -> AsyncOpenAI:
    """The same for coroutines; it sends again what failed before its answer."""

    async def tell_nothing(request: Any) -> None:
        _tell_nothing(request)

    http = DefaultAsyncHttpxClient(event_hooks={"request": [tell_nothing]})
    return AsyncOpenAI(**settings.client_arguments, http_client=http)


def _tell_nothing(request: Any) -> None:
    for name in [name for name in request.headers if name.lower().startswith(_TOLD)]:
        del request.headers[name]
