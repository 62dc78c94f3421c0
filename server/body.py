"""A request's body: read up to a limit, then unpacked, measured and parsed as strict JSON in a thread.

Limits apply before anything is built: to the bytes as they arrive, to the unpacked bytes, and to the number of JSON
values (`json_text.py`). Large bodies have threads of their own, so a small body never waits behind a large one.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from fastapi import Request

from guided.grammars.watch import checkpoint
from guided.params.checks import shown

from .errors import InvalidRequestError, Refusal, RefusedError
from .json_text import check_size
from .limits import check_messages
from .settings import ServerSettings
from .state import state_of

Result = TypeVar("Result")
LARGE_BODY_BYTES = 65_536
# Found in bodies that may have files, perhaps in the kept conversation that they continue. The last alternative finds
# keys whose letters are written as escapes.
_MAY_HAVE_FILES = re.compile(rb'"file_data"|"previous_response_id"\s*+:\s*+"|\\u00[4-7]')
_GZIP = 16 + zlib.MAX_WBITS  # tells zlib to expect the gzip format


@dataclass(frozen=True)
class Body:
    """A request's body as received.

    is_packed: True if it is gzip; its size then tells nothing about the size of its content.
    """

    content: bytes
    is_packed: bool

    @property
    def is_large(self) -> bool:
        """True if this body must be read in the threads for large bodies: also if it may contain files."""
        return self.is_packed or len(self.content) > LARGE_BODY_BYTES or bool(_MAY_HAVE_FILES.search(self.content))

    def parse(self, settings: ServerSettings) -> dict[str, Any]:
        """The body as a dict. Call it in a thread: it may take a tenth of a second.

        Raises RefusedError, RequestLimitError, RequestLimitExceededError, and what `parse_json_object` raises.
        """
        content = _unpack(self.content, settings.max_body_bytes) if self.is_packed else self.content
        check_size(content, settings.max_body_values, settings.max_body_depth)
        value = parse_json_object(content)
        # checked before any message is read, since reading a message costs far more than parsing it
        for name in ("messages", "input"):
            if isinstance(value.get(name), list):
                check_messages(value[name], settings, name)
        settings.request_limits.check(value)
        return value


async def read_request(request: Request, read: Callable[[dict[str, Any]], Result]) -> Result:
    """Read and parse the body, and return what `read` makes of it; both happen in a thread.

    Raises what `read` raises and what reading a body raises.
    """
    state = state_of(request)
    body = await read_body(request, state.settings)
    return await state.starter.run(lambda: read(body.parse(state.settings)), is_large=body.is_large)


async def read_body(request: Request, settings: ServerSettings) -> Body:
    """Receive the body, without unpacking or parsing it.

    Raises InvalidRequestError for a wrong content type. Raises RefusedError for an unknown encoding, if the client is
    too slow, and as soon as the limit is passed. A declared length over the limit is refused at once.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidRequestError(f"send the header 'Content-Type: application/json', not {shown(media_type)}")
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise RefusedError(Refusal.BODY_ENCODING, shown(encoding))
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > settings.max_body_bytes:
        raise RefusedError(Refusal.BODY_TOO_LARGE, settings.max_body_bytes)
    try:
        async with asyncio.timeout(settings.body_timeout_s):
            content = await _read(request, settings.max_body_bytes)
    except TimeoutError:
        raise RefusedError(Refusal.BODY_TOO_SLOW, settings.body_timeout_s) from None
    return Body(content, encoding in ("gzip", "x-gzip"))


async def _read(request: Request, max_body_bytes: int) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > max_body_bytes:
            raise RefusedError(Refusal.BODY_TOO_LARGE, max_body_bytes)
    return bytes(body)


def _unpack(content: bytes, max_body_bytes: int) -> bytes:
    """The content of a gzip file with one member, up to the limit that holds for a plain body."""
    unpacker = zlib.decompressobj(_GZIP)
    try:
        body = unpacker.decompress(content, max_body_bytes + 1)
    except zlib.error:
        raise InvalidRequestError("the body is not gzip, as its content-encoding says") from None
    if len(body) > max_body_bytes:
        raise RefusedError(Refusal.BODY_TOO_LARGE, max_body_bytes)
    if not unpacker.eof or unpacker.unused_data:
        raise InvalidRequestError("the body is not one whole gzip file; compress it once, in one piece")
    return body


def parse_json_object(body: bytes) -> dict[str, Any]:
    """Parse the body as a dict.

    Raises InvalidRequestError unless the body is one JSON object in UTF-8. Also refused are a repeated key, NaN, half
    of a surrogate pair, and a number that no float holds (1e999).
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
        if "\\ud" in text.lower():  # only an escape can produce a lone surrogate
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
            raise InvalidRequestError(f"the body is not usable JSON: an object has the key {shown(key)} twice")
        result[key] = value
    return result


def _finite(text: str) -> float:
    """The number of a JSON text. Refuses infinity, which can't be written into an answer or a prompt."""
    value = float(text)
    if not math.isfinite(value):
        raise InvalidRequestError(f"the body is not usable JSON: {shown(text)} is too large for a number")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidRequestError(f"the body is not valid JSON: {name} is not a JSON value")
