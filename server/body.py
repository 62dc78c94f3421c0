"""A request's body: read up to a limit, parsed as strict JSON."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from fastapi import Request

from .errors import BodyTooLargeError, InvalidRequestError, shorten


async def read_json_object(request: Request, max_body_bytes: int) -> dict[str, Any]:
    """The body as a dict.

    Raises BodyTooLargeError as soon as the limit is passed (a declared length is believed, an undeclared one counted),
    InvalidRequestError for a wrong content type, for anything that is not one JSON object in UTF-8, and for what JSON
    leaves undefined: the same key twice, NaN, half of a surrogate pair.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise InvalidRequestError(f"send the header 'Content-Type: application/json', not {shorten(media_type)}")
    value = _parse(await _read(request, max_body_bytes))
    if not isinstance(value, dict):
        raise InvalidRequestError(f"the body must be a JSON object, not {type(value).__name__}")
    return value


async def _read(request: Request, max_body_bytes: int) -> bytes:
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > max_body_bytes:
        raise BodyTooLargeError(max_body_bytes)
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > max_body_bytes:
            raise BodyTooLargeError(max_body_bytes)
    return bytes(body)


def _parse(body: bytes) -> Any:
    try:
        text = body.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
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
    except ValueError as error:  # an integer with thousands of digits
        raise InvalidRequestError(f"the body is not usable JSON: {error}") from None
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InvalidRequestError(f"the body is not usable JSON: an object has the key {shorten(key)} twice")
        result[key] = value
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidRequestError(f"the body is not valid JSON: {name} is not a JSON value")
