"""What goes wrong between us and another server, as typed errors: what, where, what to do."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from ...errors import (
    EndpointAccessError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointError,
    EndpointRefusedError,
    EndpointTimeoutError,
)

MAX_REASON_CHARS = 500
REFUSED = (400, 404, 405, 409, 410, 411, 413, 414, 415, 422)


def of_status(status: int, headers: Mapping[str, str], body: bytes, where: str) -> EndpointError:
    """The error of an answer that is none. headers: with names in lower case."""
    reason = _reason(body)
    retry_after_s = read_retry_after(headers.get("retry-after"))
    told: Any = {"status": status}
    if status in (401, 403):
        message = f"the endpoint does not take the API key ({status}){reason}; check api_key and what it may use"
        return EndpointAccessError(message, where, **told)
    if status in (429, 503):
        message = f"the endpoint has too much to do, or our share is used up ({status}){reason}; try again later"
        return EndpointBusyError(message, where, retry_after_s=retry_after_s, **told)
    if status in (408, 504):
        return EndpointTimeoutError(f"the endpoint took too long ({status}){reason}; ask for less", where, **told)
    if status == 404:
        advice = "check the model's name, and base_url, which mostly ends in /v1"
        return EndpointRefusedError(
            f"the endpoint does not know this path or model (404){reason}; {advice}", where, **told
        )
    if status in REFUSED:
        return EndpointRefusedError(f"the endpoint refuses the request ({status}){reason}", where, **told)
    if 300 <= status < 400:
        target = headers.get("location", "elsewhere")
        return EndpointError(f"the endpoint has moved ({status}) to {target}; change base_url", where, **told)
    return EndpointError(f"the endpoint failed ({status}){reason}; look into its log", where, **told)


def of_event(error: Any, where: str) -> EndpointError:
    """The error that a stream tells in place of an answer."""
    reason = _reason(json.dumps({"error": error}).encode())
    code = error.get("code") if isinstance(error, Mapping) else None
    if code in ("rate_limit_exceeded", "server_overloaded", 429, 503):
        return EndpointBusyError(f"the endpoint has too much to do{reason}; try again later", where)
    return EndpointError(f"the endpoint failed while it answered{reason}", where)


def of_transport(error: httpx.HTTPError | httpx.InvalidURL, where: str, *, has_begun: bool) -> EndpointError:
    """The error of a connection. has_begun: an answer had begun."""
    reason = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectTimeout):
        return EndpointTimeoutError(f"connecting to the endpoint took too long ({reason}); is it there?", where)
    if isinstance(error, httpx.TimeoutException):
        advice = "give it more time with engine_args timeout_s, or ask for less"
        return EndpointTimeoutError(f"the endpoint was silent for too long ({reason}); {advice}", where)
    if isinstance(error, httpx.ConnectError | httpx.ProxyError | httpx.UnsupportedProtocol):
        advice = "check base_url, the network, proxies (HTTPS_PROXY) and certificates (SSL_CERT_FILE)"
        return EndpointError(f"the endpoint can't be reached ({reason}); {advice}", where)
    if has_begun:
        return EndpointError(f"the endpoint cut its answer off ({reason}); send the request again", where)
    return EndpointError(f"the connection to the endpoint broke ({reason}); send the request again", where)


def no_answer(what: str, where: str) -> EndpointAnswerError:
    """The error of an answer that is none of the protocol's."""
    return EndpointAnswerError(f"the endpoint's answer is none of OpenAI's protocol: {what}", where)


def is_safe_to_repeat(error: Exception) -> bool:
    """The other side surely has not begun with the request."""
    if isinstance(error, EndpointBusyError):
        return error.status in (429, 503)
    return isinstance(error.__cause__, httpx.ConnectError | httpx.ConnectTimeout)


def read_retry_after(text: str | None) -> float | None:
    """The seconds of a `retry-after`, which may be a date; None where it says nothing that can be read."""
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


def _reason(body: bytes) -> str:
    """What an error's body says, as ": reason"."""
    text = body.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = text
    for name in ("error", "message", "detail"):
        if isinstance(found, Mapping) and name in found:
            found = found[name]
    text = found if isinstance(found, str) else json.dumps(found)
    shown = " ".join(text.split())
    return f": {shown[:MAX_REASON_CHARS]}" if shown else ""
