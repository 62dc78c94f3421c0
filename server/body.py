"""A request's body: read up to a limit, then unpacked, looked over and parsed as strict JSON, off the event loop.

What is made of a body is bounded before it is made: its bytes as they come and as they unpack, and the values that it
holds (`json_text.py`). Large bodies have threads of their own, so that a small one never waits behind one.
"""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from fastapi import Request

from guided.grammars.watch import checkpoint

from .errors import BodyEncodingError, BodyTimeoutError, BodyTooLargeError, InvalidRequestError, shorten
from .json_text import check_size
from .limits import check_messages
from .settings import ServerSettings
from .state import state_of

Result = TypeVar("Result")
LARGE_BODY_BYTES = 65_536
_GZIP = 16 + zlib.MAX_WBITS  # zlib's number for the gzip format


@dataclass(frozen=True)
class Body:
    """What came. is_packed: as gzip; its size tells nothing then of what is in it."""

    content: bytes
    is_packed: bool

    @property
    def is_large(self) -> bool:
        """To be read beside other large ones."""
        return self.is_packed or len(self.content) > LARGE_BODY_BYTES

    def parse(self, settings: ServerSettings) -> dict[str, Any]:
        """The body as a dict; for a thread, as it may take a tenth of a second.

        Raises BodyTooLargeError, RequestLimitError, RequestLimitExceededError, and what `parse_json_object` raises.
        """
        content = _unpack(self.content, settings.max_body_bytes) if self.is_packed else self.content
        check_size(content, settings.max_body_values, settings.max_body_depth)
        value = parse_json_object(content)
        for name in ("messages", "input"):  # before any message is read: each is more work than its values are
            if isinstance(value.get(name), list):
                check_messages(value[name], settings, name)
        settings.request_limits.check(value)
        return value


async def read_request(request: Request, read: Callable[[dict[str, Any]], Result]) -> Result:
    """What `read` makes of the body, in a thread. Raises what it raises, and what reading a body raises."""
    state = state_of(request)
    body = await read_body(request, state.settings)
    return await state.starter.run(lambda: read(body.parse(state.settings)), is_large=body.is_large)


async def read_body(request: Request, settings: ServerSettings) -> Body:
    """The body as it came.

    Raises InvalidRequestError for a wrong content type, BodyEncodingError, BodyTooLargeError as soon as the limit is
    passed (a declared length is believed, an undeclared one counted), and BodyTimeoutError.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidRequestError(f"send the header 'Content-Type: application/json', not {shorten(media_type)}")
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise BodyEncodingError(encoding)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > settings.max_body_bytes:
        raise BodyTooLargeError(settings.max_body_bytes)
    try:
        async with asyncio.timeout(settings.body_timeout_s):
            content = await _read(request, settings.max_body_bytes)
    except TimeoutError:
        raise BodyTimeoutError(settings.body_timeout_s) from None
    return Body(content, encoding in ("gzip", "x-gzip"))


async def _read(request: Request, max_body_bytes: int) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > max_body_bytes:
            raise BodyTooLargeError(max_body_bytes)
    return bytes(body)


def _unpack(content: bytes, max_body_bytes: int) -> bytes:
    """What a gzip file (of one member) holds, up to the same limit as a plain body."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        body = unpacker.decompress(content, max_body_bytes + 1)
    except zlib.error:
        raise InvalidRequestError("the body is not gzip, as its content-encoding says") from None
    if len(body) > max_body_bytes:
        raise BodyTooLargeError(max_body_bytes)
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidRequestError("the body is not one whole gzip file; compress it once, in one piece")
    return body


def parse_json_object(body: bytes) -> dict[str, Any]:
    """The body as a dict.

    Raises InvalidRequestError for anything that is not one JSON object in UTF-8, and for what JSON leaves undefined:
    the same key twice, NaN, half of a surrogate pair, a number that no float holds (1e999).
    """
    value = _parse(body)
    if not isinstance(value, dict):
        raise InvalidRequestError(f"the body must be a JSON object, not {type(value).__name__}")
    return value


def _parse(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
        value = json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_float=_finite,
        )
        if "\\ud" in text.lower():  # only an escape can bring in a lone surrogate
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequestError(f"the body is not UTF-8: {error.reason} at byte {error.start}") from None
    except UnicodeEncodeError:
        raise InvalidRequestError("the body holds half of a surrogate pair; no text can hold that") from None
    except json.JSONDecodeError as error:
        raise InvalidRequestError(
            f"the body is not valid JSON: {error.msg} at line {error.lineno} column {error.colno}"
        ) from None
    except RecursionError:
        raise InvalidRequestError("the body is not usable JSON: it is nested too deeply") from None
    except ValueError:
        raise InvalidRequestError("the body is not usable JSON: an integer has thousands of digits") from None
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    checkpoint()
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InvalidRequestError(f"the body is not usable JSON: an object has the key {shorten(key)} twice")
        result[key] = value
    return result


def _finite(text: str) -> float:
    """Infinity, which Python would make of it, can't be written into an answer or a prompt."""
    value = float(text)
    if not math.isfinite(value):
        raise InvalidRequestError(f"the body is not usable JSON: {shorten(text)} is too large for a number")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidRequestError(f"the body is not valid JSON: {name} is not a JSON value")
