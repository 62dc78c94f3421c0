"""The SDK's clients. Requests tell the other server nothing about this machine; the size of answers is limited."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from openai import AsyncOpenAI, DefaultAsyncHttpxClient, DefaultHttpxClient, OpenAI

from .endpoint import EndpointSettings
from .failures import no_answer

MAX_ANSWER_BYTES = 16 * 2**20  # size of an event of a stream, or of an answer without a stream
MAX_ERROR_BYTES = 65_536  # size of an error's body that is read
_TOLD = "x-stainless-"  # prefix of the SDK's headers: operating system, processor, versions, retries
_EVENT_ENDS = (b"\n\n", b"\r\r", b"\n\r\n")


def new_client(settings: EndpointSettings) -> OpenAI:
    """A client that repeats no request."""
    http = DefaultHttpxClient(event_hooks={"request": [_tell_nothing], "response": [_bound]})
    return OpenAI(**settings.client_arguments | {"max_retries": 0, "http_client": http})


def new_async_client(settings: EndpointSettings) -> AsyncOpenAI:
    """A client for coroutines, which repeats requests that failed before their answer began."""

    async def tell_nothing(request: Any) -> None:
        _tell_nothing(request)

    http = DefaultAsyncHttpxClient(event_hooks={"request": [tell_nothing], "response": [_bound_async]})
    return AsyncOpenAI(**settings.client_arguments, http_client=http)


def _tell_nothing(request: Any) -> None:
    for name in [name for name in request.headers if name.lower().startswith(_TOLD)]:
        del request.headers[name]


def _bound(response: Any) -> None:
    read = response.iter_bytes

    def iter_bytes(*arguments: Any) -> Iterator[bytes]:
        meter = _Meter(response)
        for part in read(*arguments):
            yield part
            if meter.is_over(part):
                break
        response.close()

    response.iter_bytes = iter_bytes


async def _bound_async(response: Any) -> None:
    read = response.aiter_bytes

    async def aiter_bytes(*arguments: Any) -> AsyncIterator[bytes]:
        meter = _Meter(response)
        async with aclosing(read(*arguments)) as parts:
            async for part in parts:
                yield part
                if meter.is_over(part):
                    break
        await response.aclose()

    response.aiter_bytes = aiter_bytes


class _Meter:
    """Counts the bytes of a body, or of an event of a stream."""

    def __init__(self, response: Any) -> None:
        self._where = str(response.request.url)
        self._is_error = response.status_code >= 400
        self._is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
        self._num_bytes = 0
        self._tail = b""

    def is_over(self, part: bytes) -> bool:
        """True if the rest need not be read. Raises EndpointAnswerError if an answer is too large."""
        self._num_bytes += len(part)
        if self._is_error:
            return self._num_bytes > MAX_ERROR_BYTES
        if self._is_stream:
            joined = self._tail + part
            ends = [at + len(end) for end in _EVENT_ENDS if (at := joined.rfind(end)) >= 0]
            if ends:
                self._num_bytes = len(joined) - max(ends)
            self._tail = joined[-2:]
        if self._num_bytes > MAX_ANSWER_BYTES:
            raise no_answer(f"one piece of it has more than {MAX_ANSWER_BYTES} bytes", self._where)
        return False
