"""How many tokens a document may have where nobody says it: a bound from the schema and from the text's length.

A model in a loop otherwise writes to the end of its context. What a text says is about as long as the text; names of
fields come on top, once, or with each item of a list. A document that needs more is cut, and says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .schema_walk import schemas

BASE_TOKENS = 256  # for whitespace, and for what is written otherwise than the text has it
SCHEMA_SHARE = 2  # tokens of the document for each token of the schema
TEXT_SHARE = 3  # for each token of the text: spellings with escapes take more tokens than the text itself
REPEATED_SHARE = 8  # the same where names of fields come with each item
_LEAST = ("minItems", "minProperties")


class AnswerBudget:
    """Of the documents of one schema. count: the tokens of a text."""

    def __init__(self, schema: Any, count: Callable[[str], int]) -> None:
        self._count = count
        parts = schemas(schema)
        num_schema = count(json.dumps(schema, ensure_ascii=False))
        least = sum(_number(part, "minLength") for part in parts)
        least += num_schema * sum(_number(part, name) for part in parts for name in _LEAST)
        self._share = REPEATED_SHARE if any(map(_repeats, parts)) else TEXT_SHARE
        self._own = BASE_TOKENS + SCHEMA_SHARE * num_schema + least

    def of(self, text: str) -> int:
        """The most tokens that the document of this text may have."""
        return self._own + self._share * self._count(text)


def _number(part: dict[str, Any], name: str) -> int:
    value = part.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def _repeats(part: dict[str, Any]) -> bool:
    """Fields may come again and again below it: in items, in other keys, or by recursion."""
    kind = part.get("type", ("array", "object"))
    kinds = {kind} if isinstance(kind, str) else set(kind)
    is_open = "object" in kinds and part.get("additionalProperties") is not False
    return "array" in kinds or is_open or "$ref" in part or "$dynamicRef" in part
