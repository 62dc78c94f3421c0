"""Put what the parts of a JSON Schema ask of a value into words, and find the value's name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...schemas.subschemas import SchemaPart

MAX_TEXT = 60  # characters of a pattern or a number that are shown


def name_of(parts: Sequence[SchemaPart]) -> str | None:
    """Return the `title` of a value's schema, else the key of its definition in `$defs`; None if the schema has
    neither.
    """
    for part in parts:
        if isinstance(part.schema, dict) and isinstance(part.schema.get("title"), str):
            return shortened(part.schema["title"])
    for part in parts:
        *_, before, last = ["", "", *part.pointer.split("/")]
        if before in ("$defs", "definitions"):
            return shortened(last)
    return None


def string_words(parts: Sequence[SchemaPart]) -> str:
    """Say what the parts ask of strings: " of format date, 2 to 40 characters"; "" for nothing."""
    schemas = [part.schema for part in parts if isinstance(part.schema, dict)]
    found = [f"that is a quote of {_source_of(one)}" for one in _said(schemas, "x-quote")]
    found += [f"of format {one}" for one in _said(schemas, "format")]
    found += [f"matching /{shortened(str(one))}/" for one in _said(schemas, "pattern")]
    found += [f"of {one}" for one in _bounds(schemas, "minLength", "maxLength", "characters")]
    return f" {', '.join(found)}" if found else ""


def number_words(parts: Sequence[SchemaPart]) -> str:
    """Say what the parts ask of numbers: " of 0 to 150"; "" for nothing."""
    schemas = [part.schema for part in parts if isinstance(part.schema, dict)]
    found = [_range(_said(schemas, "minimum"), _said(schemas, "maximum"))]
    found += [f"above {one}" for one in _said(schemas, "exclusiveMinimum") if not isinstance(one, bool)]
    found += [f"below {one}" for one in _said(schemas, "exclusiveMaximum") if not isinstance(one, bool)]
    found += [f"a multiple of {one}" for one in _said(schemas, "multipleOf")]
    return "".join([f"{', ' if index else ' '}{one}" for index, one in enumerate(filter(None, found))])


def count_words(parts: Sequence[SchemaPart], low: str, high: str, of_what: str) -> str:
    """Say how many members the parts ask for: " of 1 to 3 items"; "" for any number."""
    found = _bounds([part.schema for part in parts if isinstance(part.schema, dict)], low, high, of_what)
    return f" of {', '.join(found)}" if found else ""


def listed_numbers(parts: Sequence[SchemaPart]) -> list[str]:
    """Return the numbers of the first `const` or `enum` among the parts; [] where there is none."""
    for part in parts:
        if isinstance(part.schema, dict) and ("const" in part.schema or isinstance(part.schema.get("enum"), list)):
            values = [part.schema["const"]] if "const" in part.schema else part.schema["enum"]
            return [json.dumps(one) for one in values if isinstance(one, int | float) and not isinstance(one, bool)]
    return []


def is_integer(parts: Sequence[SchemaPart]) -> bool:
    """Return True if some part asks for integers."""
    return any(_types(part.schema) == {"integer"} for part in parts if isinstance(part.schema, dict))


def listed(words: Sequence[str], last: str = "or", most: int = 12) -> str:
    """List words as people do: "a, b or c". A longer list than `most` is cut: "a, b or 9 more"."""
    if len(words) > most:
        return f"{', '.join(words[:most])} {last} {len(words) - most} more"
    return f" {last} ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Cut a text to `most` characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def as_json(value: Any) -> str:
    """Return a value as JSON, cut to MAX_TEXT characters."""
    return shortened(json.dumps(value, ensure_ascii=False))


def _source_of(quote: Any) -> str:
    """Return the name of the source in an `x-quote`."""
    return shortened(str(quote.get("source", "a source") if isinstance(quote, dict) else quote))


def _types(schema: dict[str, Any]) -> set[str]:
    types = schema.get("type")
    numeric = {types} if isinstance(types, str) else set(types) if isinstance(types, list) else set[str]()
    return numeric & {"integer", "number"}


def _said(schemas: Sequence[dict[str, Any]], keyword: str) -> list[Any]:
    """Return the values of a keyword in several schemas, each value once."""
    return list({repr(schema[keyword]): schema[keyword] for schema in schemas if keyword in schema}.values())


def _range(low: list[Any], high: list[Any]) -> str:
    if low and high:
        return f"of {max(low)} to {min(high)}"
    return f"of at least {max(low)}" if low else f"of at most {min(high)}" if high else ""


def _bounds(schemas: Sequence[dict[str, Any]], low: str, high: str, of_what: str) -> list[str]:
    lows, highs = _said(schemas, low), _said(schemas, high)
    if lows and highs:
        least, most = max(lows), min(highs)
        return [f"exactly {least} {of_what}" if least == most else f"{least} to {most} {of_what}"]
    return [f"at least {max(lows)} {of_what}"] if lows else [f"at most {min(highs)} {of_what}"] if highs else []
