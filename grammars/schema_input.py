"""A JSON Schema as users give it: read strictly, bounded, and checked against its meta-schema."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NoReturn

from .errors import InvalidSchemaError, LimitExceededError
from .limits import Limits
from .watch import checkpoint

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MAX_INTEGER_DIGITS = 4000
_MAX_MESSAGE_CHARS = 300


def read_schema(json_schema: dict[str, Any] | bool | str, limits: Limits) -> dict[str, Any] | bool:
    """The schema as plain JSON data, within the limits and valid under its meta-schema.

    json_schema: the schema itself or its JSON text.
    Raises InvalidSchemaError with a JSON pointer, or LimitExceededError.
    """
    schema = read_plain_schema(json_schema, limits)
    check_meta_schema(schema, dialect_of(schema), limits)
    return schema


def read_plain_schema(json_schema: dict[str, Any] | bool | str, limits: Limits) -> dict[str, Any] | bool:
    """The same, not yet checked against its meta-schema (10 us a byte): each backend checks what it reads."""
    schema = parse_schema(json_schema, limits) if isinstance(json_schema, str) else json_schema
    if not isinstance(schema, dict | bool):
        raise InvalidSchemaError(f"a schema is a JSON object or a boolean, not {_kind(schema)}")
    _check_json(schema, limits)
    _check_size(schema_text(schema), limits)
    return schema


def schema_text(schema: dict[str, Any] | bool) -> str:
    """The schema as compact JSON text, keys in their order."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def dialect_of(schema: dict[str, Any] | bool) -> str:
    """The URI of the meta-schema that `$schema` names, 2020-12 where it names none.

    Raises InvalidSchemaError, which lists the known drafts, for any other.
    """
    from .meta_schema import DIALECTS

    named = schema.get("$schema", DEFAULT_DIALECT) if isinstance(schema, dict) else DEFAULT_DIALECT
    if not isinstance(named, str) or named.rstrip("#") not in DIALECTS:
        raise InvalidSchemaError(f"unknown draft {named!r}; known are {', '.join(DIALECTS)}", "/$schema")
    return named.rstrip("#")


def parse_schema(text: str, limits: Limits) -> Any:
    """The value of JSON text, read strictly: no key twice in an object, no NaN. It need not be a valid schema.

    Raises InvalidSchemaError or LimitExceededError.
    """
    _check_size(text, limits)
    try:
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_int=_parse_int)
    except json.JSONDecodeError as error:
        raise InvalidSchemaError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise LimitExceededError("max_schema_depth", limits.max_schema_depth, "levels") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InvalidSchemaError(f"the key {twice!r} occurs twice in one object")
    return result


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidSchemaError(f"{name} is not JSON")


def _parse_int(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_DIGITS:
        raise InvalidSchemaError(f"an integer of more than {_MAX_INTEGER_DIGITS} digits")
    return int(digits)


def _check_size(text: str, limits: Limits) -> None:
    if len(text) > limits.max_schema_bytes or len(text.encode("utf-8", "surrogatepass")) > limits.max_schema_bytes:
        raise LimitExceededError("max_schema_bytes", limits.max_schema_bytes, "bytes")


_Path = tuple["_Path", str | int] | None
"""Where a value is: (path of the container, key), None for the root. A pointer is written only for an error."""


def _check_json(schema: Any, limits: Limits) -> None:
    """Raise on what UTF-8 JSON can't hold (other types, NaN, lone surrogates, other keys than strings) and on depth."""
    pending: list[tuple[Any, _Path, int]] = [(schema, None, 1)]
    num_bytes = 0  # at least
    while pending:
        checkpoint()
        value, path, depth = pending.pop()
        num_bytes += len(value) if isinstance(value, str) else 1
        if num_bytes > limits.max_schema_bytes:  # Python objects that share parts can be many
            raise LimitExceededError("max_schema_bytes", limits.max_schema_bytes, "bytes")
        if depth > limits.max_schema_depth:
            raise LimitExceededError(
                "max_schema_depth", limits.max_schema_depth, "levels", f"at {_pointer(path)[:100]}"
            )
        if isinstance(value, dict | list):
            for key, item in _items(value):
                if isinstance(value, dict):
                    _check_key(key, path)
                    num_bytes += len(str(key)) + 3
                pending.append((item, (path, key), depth + 1))
        else:
            problem = _scalar_problem(value)
            if problem:
                raise InvalidSchemaError(problem, _pointer(path))


def _items(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    return iter(value.items()) if isinstance(value, dict) else iter(enumerate(value))


def _check_key(key: Any, path: _Path) -> None:
    if not isinstance(key, str):
        raise InvalidSchemaError(f"the key {key!r} is not a string", _pointer(path))
    if not _is_unicode(key):
        raise InvalidSchemaError(f"the key {key!r} holds a lone surrogate, which UTF-8 can't encode", _pointer(path))


def _scalar_problem(value: Any) -> str:
    """Why a value that is no container is not JSON; "" when it is."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "" if _is_unicode(value) else f"{value!r} holds a lone surrogate, which UTF-8 can't encode"
    if isinstance(value, int):
        return "" if value.bit_length() < 3 * _MAX_INTEGER_DIGITS else "an integer too long to write"
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{value!r} is not a JSON number"
    return f"{_kind(value)} is not JSON"


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _kind(value: Any) -> str:
    return f"a Python {type(value).__name__}" if not isinstance(value, list) else "an array"


def check_meta_schema(schema: dict[str, Any] | bool, dialect: str, limits: Limits, pointer: str = "") -> None:
    """Raise InvalidSchemaError where a schema breaks the rules of its draft.

    pointer: where the schema stands in its document.
    """
    from .jsonschema_library import jsonschema  # 0.1 s to import
    from .meta_schema import DRAFT_3, meta_validator

    try:
        errors = meta_validator(dialect).iter_errors(schema)
        best_match = jsonschema.exceptions.best_match
        error = next(errors, None) if dialect == DRAFT_3 else best_match(errors)  # which fails on draft 3's "type"
    except RecursionError:
        raise LimitExceededError(
            "max_schema_depth", limits.max_schema_depth, "levels", "checking the meta-schema"
        ) from None
    if error is not None:
        if error.validator == "anyOf" and error.context:  # "type": one name or a list of them; speak of the name
            error = error.context[0]
        message = (
            error.message if len(error.message) <= _MAX_MESSAGE_CHARS else f"{error.message[:_MAX_MESSAGE_CHARS]}..."
        )
        raise InvalidSchemaError(message, pointer + "".join(f"/{_escape(str(key))}" for key in error.absolute_path))


def _pointer(path: _Path) -> str:
    keys = []
    while path is not None:
        path, key = path
        keys.append(_escape(str(key)))
    return "".join(f"/{key}" for key in reversed(keys))


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")
