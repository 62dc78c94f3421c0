"""A request's body: read up to a limit, parsed as strict JSON."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any, NoReturn

from fastapi import Request

from .errors import BodyTimeoutError, BodyTooLargeError, InvalidRequestError, shorten
from .settings import ServerSettings


async def read_json_object(request: Request, settings: ServerSettings) -> dict[str, Any]:
    """The body as a dict, for small requests: it is parsed on the event loop. Raises as the two functions below."""
    return parse_json_object(await read_body(request, settings))


async def read_body(request: Request, settings: ServerSettings) -> bytes:
    """The body's bytes.

    Raises InvalidRequestError for a wrong content type, BodyTooLargeError as soon as the limit is passed (a declared
    length is believed, an undeclared one counted), and BodyTimeoutError.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidRequestError(f"send the header 'Content-Type: application/json', not {shorten(media_type)}")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > settings.max_body_bytes:
        raise BodyTooLargeError(settings.max_body_bytes)
    try:
        async with asyncio.timeout(settings.body_timeout_s):
            return await _read(request, settings.max_body_bytes)
    except TimeoutError:
        raise BodyTimeoutError(settings.body_timeout_s) from None


async def _read(request: Request, max_body_bytes: int) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > max_body_bytes:
            raise BodyTooLargeError(max_body_bytes)
    return bytes(body)


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
