"""Typed errors of requests to another server: what went wrong, where, and what to do."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError

from ...errors import (
    EndpointAccessError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointError,
    EndpointRefusedError,
    EndpointTimeoutError,
)

MAX_REASON_CHARS = 500


@contextmanager
def typed_errors(where: str, has_begun: Callable[[], bool] = bool) -> Iterator[None]:
    """Convert the SDK's errors within the block to ours.

    where: the server's address.
    has_begun: function that tells if a part of the answer has arrived.
    """
    try:
        yield
    except APIStatusError as error:
        raise _of_status(error, where) from error
    except _or_http(APITimeoutError, "TimeoutException") as error:
        advice = "give it more time with engine_args timeout_s or connect_timeout_s, or ask for less"
        raise EndpointTimeoutError(f"the endpoint was silent for too long{_cause(error)}; {advice}", where) from error
    except _or_http(APIConnectionError, "RequestError") as error:
        advice = "check base_url, the network, proxies (HTTPS_PROXY) and certificates (SSL_CERT_FILE)"
        if isinstance(error.__cause__, EndpointError):  # our own error, which old versions of the SDK wrap
            raise error.__cause__ from None
        is_reached = has_begun()
        what = "cut its answer off" if is_reached else "can't be reached"
        message = f"the endpoint {what}{_cause(error)}; {advice}"
        raise EndpointError(message, where, is_reached=is_reached) from error
    except APIError as error:  # an event of a stream
        raise of_event(error.body, where) from error
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise no_answer(f"it is no JSON ({error})", where) from error


def of_event(error: Any, where: str) -> EndpointError:
    """The error in an event of a stream."""
    code = error.get("code") if isinstance(error, Mapping) else None
    if code in ("rate_limit_exceeded", "server_overloaded", 429, 503):
        return EndpointBusyError(f"the endpoint has too much to do{_reason(error)}; try again later", where)
    return EndpointError(f"the endpoint failed while it answered{_reason(error)}", where)


def no_answer(what: str, where: str) -> EndpointAnswerError:
    """The error for an answer that breaks the protocol."""
    return EndpointAnswerError(f"the endpoint's answer breaks OpenAI's protocol: {what}", where)


def read_retry_after(text: str | None) -> float | None:
    """The seconds in a `retry-after`, which may be a date; None if it can't be read."""
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(text).timestamp() - time.time()
        except ValueError:
            return None
    return max(0.0, seconds) if seconds == seconds and seconds < float("inf") else None


def _or_http(sdk: type[Exception], name: str) -> tuple[type[Exception], ...]:
    """An error class of the SDK, and one of its HTTP library (httpx before 3.0), which old versions let through."""
    modules = (sys.modules.get(module) for module in ("httpx", "httpx2"))
    return (sdk, *(getattr(module, name) for module in modules if module is not None))


def _of_status(error: APIStatusError, where: str) -> EndpointError:
    status, reason = error.status_code, _reason(error.body)
    told: Any = {"status": status}
    if status in (401, 403):
        message = f"the endpoint does not take the API key ({status}){reason}; check api_key and what it may use"
        return EndpointAccessError(message, where, **told)
    if status in (429, 503):
        message = f"the endpoint has too much to do, or our share is used up ({status}){reason}; try again later"
        wait_s = read_retry_after(error.response.headers.get("retry-after"))
        return EndpointBusyError(message, where, retry_after_s=wait_s, **told)
    if status in (408, 504):
        return EndpointTimeoutError(f"the endpoint took too long ({status}){reason}; ask for less", where, **told)
    if status == 404:
        advice = "check the model's name, and base_url, which mostly ends in /v1"
        message = f"the endpoint does not know this path or model (404){reason}; {advice}"
        return EndpointRefusedError(message, where, **told)
    if 400 <= status < 500:
        return EndpointRefusedError(f"the endpoint refuses the request ({status}){reason}", where, **told)
    return EndpointError(f"the endpoint failed ({status}){reason}; look into its log", where, **told)


def _cause(error: Exception) -> str:
    cause = error.__cause__ or error
    return f" ({str(cause) or type(cause).__name__})"


def _reason(body: Any) -> str:
    """The message in an error's body, as ": message"."""
    for name in ("error", "message", "detail"):
        if isinstance(body, Mapping) and name in body:
            body = body[name]
    text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
    shown = " ".join(text.split())
    return f": {shown[:MAX_REASON_CHARS]}" if shown else ""
