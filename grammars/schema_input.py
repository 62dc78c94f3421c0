"""Reads a user's JSON Schema strictly and within limits. Each backend then checks the keywords that it uses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from .errors import InvalidSchemaError, LimitExceededError, refuse_deep
from .json_paths import Path, pointer
from .limits import Limits
from .watch import MANY_ITEMS, checkpoint, parts_of

_MAX_INTEGER_DIGITS = 4000
_MAX_INTEGER_BITS = 3 * _MAX_INTEGER_DIGITS
_CONTAINERS = frozenset({dict, list})
_SCALARS = frozenset({str, int, float, bool, type(None)})
_STRINGS = frozenset({str})
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_DECODER = json.JSONDecoder()
_LONG_CHARS = 65_536  # Length of a text, in characters, that takes the decoder half a millisecond.


class ReadSchema(NamedTuple):
    """A schema in two forms. value: plain JSON data that nobody else holds; read-only. text: the same data as compact
    JSON text, with the keys in their order.
    """

    value: dict[str, Any] | bool
    text: str


def read_schema(json_schema: dict[str, Any] | bool | str, limits: Limits) -> ReadSchema:
    """Read a schema within the limits. The result may be an invalid schema: each backend checks schemas itself.

    json_schema: the schema itself or its JSON text.

    Raises InvalidSchemaError with a JSON pointer, or LimitExceededError.
    """
    is_text = isinstance(json_schema, str)
    schema = parse_schema(json_schema, limits) if isinstance(json_schema, str) else json_schema
    if not isinstance(schema, dict | bool):
        raise InvalidSchemaError(f"a schema is a JSON object or a boolean, not {_kind(schema)}")
    if not _is_surely_json(schema, limits):
        _check_json(schema, limits)
    checkpoint()
    text = json_text(schema)
    checkpoint()
    try:
        _check_size(text, limits)
    except UnicodeEncodeError:
        _check_json(schema, limits)  # raises an error that says where the surrogate is
        raise
    return ReadSchema(schema if is_text else _read_back(text), text)


def _read_back(text: str) -> Any:
    """Parse JSON text that this module wrote, into data of its own."""
    return (_DECODER if len(text) < _LONG_CHARS else _LONG_DECODER).raw_decode(text)[0]


def _as_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """PERF: 0.2 us more an object than the decoder alone, but checkpoints let other threads run."""
    checkpoint()
    return dict(pairs)


_LONG_DECODER = json.JSONDecoder(object_pairs_hook=_as_dict)


def read_plain_schema(json_schema: dict[str, Any] | bool | str, limits: Limits) -> dict[str, Any] | bool:
    """Return only the value of `read_schema`."""
    return read_schema(json_schema, limits).value


def json_text(value: Any, encoder: json.JSONEncoder = _ENCODER) -> str:
    """Write plain data as JSON text, compact by default, with the keys in their order.

    PERF: encoding 1 MB holds the interpreter for 5 to 12 ms. Containers with many values at the first or second level
    are therefore written in parts.
    """
    if type(value) is dict and any(type(one) in _CONTAINERS and len(one) > MANY_ITEMS for one in value.values()):
        colon = encoder.key_separator
        members = [f"{encoder.encode(key)}{colon}{_text_in_parts(one, encoder)}" for key, one in value.items()]
        return f"{{{encoder.item_separator.join(members)}}}"
    return _text_in_parts(value, encoder)


def _text_in_parts(value: Any, encoder: json.JSONEncoder) -> str:
    if type(value) not in _CONTAINERS or len(value) <= MANY_ITEMS:
        return encoder.encode(value)
    if type(value) is dict:
        texts = [encoder.encode(dict(part)) for part in parts_of(list(value.items()), MANY_ITEMS)]
    else:
        texts = [encoder.encode(part) for part in parts_of(value, MANY_ITEMS)]
    return texts[0][0] + encoder.item_separator.join([text[1:-1] for text in texts]) + texts[0][-1]


def parse_schema(text: str, limits: Limits) -> Any:
    """Parse JSON text strictly: no duplicate keys, no NaN. The value need not be a valid schema.

    Raises InvalidSchemaError or LimitExceededError.
    """
    if len(text) > limits.max_schema_bytes or len(text.encode("utf-8", "surrogatepass")) > limits.max_schema_bytes:
        raise LimitExceededError("max_schema_bytes", limits.max_schema_bytes, "bytes")
    try:
        with refuse_deep(limits):
            return json.loads(
                text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant, parse_int=_parse_int
            )
    except json.JSONDecodeError as error:
        raise InvalidSchemaError(f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None


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
    """Raise LimitExceededError if the text is too long; raises UnicodeEncodeError for a lone surrogate."""
    if len(text) > limits.max_schema_bytes or (not text.isascii() and len(text.encode()) > limits.max_schema_bytes):
        raise LimitExceededError("max_schema_bytes", limits.max_schema_bytes, "bytes")


def _is_surely_json(schema: dict[str, Any] | bool, limits: Limits) -> bool:
    """Return True if `_check_json` could only find lone surrogates.

    PERF: collects all values of one level at once, then checks the types of all levels together.
    """
    if type(schema) is not dict:
        return type(schema) is bool
    containers: list[Any] = [schema]
    keys: list[Any] = []
    scalars: list[Any] = []
    for depth in range(2, limits.max_schema_depth + 2):
        if len(containers) > MANY_ITEMS // 4:
            checkpoint()
        values: list[Any] = []
        for one in containers:
            if type(one) is dict:
                keys += one
                values += one.values()
            else:
                values += one
        containers = [one for one in values if type(one) in _CONTAINERS]
        scalars += values if not containers else [one for one in values if type(one) not in _CONTAINERS]
        if (values and depth > limits.max_schema_depth) or len(keys) + len(scalars) > limits.max_schema_bytes:
            return False
        if not containers:
            return _are_plain(keys, scalars, limits)
    return False


def _are_plain(keys: list[Any], scalars: list[Any], limits: Limits) -> bool:
    kinds = set(map(type, scalars))
    if not kinds <= _SCALARS or not set(map(type, keys)) <= _STRINGS or (float in kinds and not _are_finite(scalars)):
        return False
    if int in kinds and max([one.bit_length() for one in scalars if type(one) is int]) >= _MAX_INTEGER_BITS:
        return False
    strings = [one for one in scalars if type(one) is str]
    return len(scalars) + sum(map(len, keys)) + sum(map(len, strings)) <= limits.max_schema_bytes


def _are_finite(values: list[Any]) -> bool:
    return all(type(one) is not float or math.isfinite(one) for one in values)


def _check_json(schema: Any, limits: Limits) -> None:
    """Raise InvalidSchemaError for data that UTF-8 JSON can't hold, and LimitExceededError for size or depth.

    Examples of such data: other types, NaN, lone surrogates, keys that are no strings.
    """
    pending: list[tuple[Any, Path, int]] = [(schema, None, 1)]
    num_bytes = 0  # lower bound of the JSON text's size
    while pending:
        checkpoint()
        value, path, depth = pending.pop()
        num_bytes += len(value) if isinstance(value, str) else 1
        if num_bytes > limits.max_schema_bytes:  # Python objects that share parts can expand to many values
            raise LimitExceededError("max_schema_bytes", limits.max_schema_bytes, "bytes")
        if depth > limits.max_schema_depth:
            raise LimitExceededError("max_schema_depth", limits.max_schema_depth, "levels", f"at {pointer(path)[:100]}")
        if isinstance(value, dict | list):
            for key, item in _items(value):
                if isinstance(value, dict):
                    _check_key(key, path)
                    num_bytes += len(str(key)) + 3
                pending.append((item, (path, key), depth + 1))
        else:
            problem = _scalar_problem(value)
            if problem:
                raise InvalidSchemaError(problem, pointer(path))


def _items(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    return iter(value.items()) if isinstance(value, dict) else iter(enumerate(value))


def _check_key(key: Any, path: Path) -> None:
    if not isinstance(key, str):
        raise InvalidSchemaError(f"the key {key!r} is not a string", pointer(path))
    if not is_unicode(key):
        raise InvalidSchemaError(f"the key {key!r} holds a lone surrogate, which UTF-8 can't encode", pointer(path))


def _scalar_problem(value: Any) -> str:
    """Return why a value that is no container is not JSON; "" if it is JSON."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, str):
        return "" if is_unicode(value) else f"{value!r} holds a lone surrogate, which UTF-8 can't encode"
    if isinstance(value, int):
        return "" if value.bit_length() < _MAX_INTEGER_BITS else "an integer too long to write"
    if isinstance(value, float):
        return "" if math.isfinite(value) else f"{value!r} is not a JSON number"
    return f"{_kind(value)} is not JSON"


def is_unicode(text: str) -> bool:
    """Return True if UTF-8 can encode the text, that is, if the text has no surrogates."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _kind(value: Any) -> str:
    return f"a Python {type(value).__name__}" if not isinstance(value, list) else "an array"
