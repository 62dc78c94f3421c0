"""The default token limit of a document, computed from the schema and the text's length.

Without a limit, a model in a loop writes until its context is full. A document's values are about as long as the text;
field names come on top, once or with each list item. A document that would need more tokens is cut and marked as cut.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .schema_walk import schemas

BASE_TOKENS = 256  # tokens for whitespace, and for values with another spelling than in the text
SCHEMA_SHARE = 2  # tokens of the document for each token of the schema
# tokens of the document for each token of the text; escaped spellings need more tokens than the text itself
TEXT_SHARE = 3
REPEATED_SHARE = 8  # like TEXT_SHARE, if field names repeat with each list item
_LEAST = ("minItems", "minProperties")


class AnswerBudget:
    """Token limits for the documents of one schema. count: returns the number of tokens of a text.

    repeats: attribute; True if a document may have any number of values, as lists have.
    """

    def __init__(self, schema: Any, count: Callable[[str], int]) -> None:
        self._count = count
        parts = schemas(schema)
        num_schema = count(json.dumps(schema, ensure_ascii=False))
        least = sum(_number(part, "minLength") for part in parts)
        least += num_schema * sum(_number(part, name) for part in parts for name in _LEAST)
        self.repeats = any(map(_repeats, parts))
        self._share = REPEATED_SHARE if self.repeats else TEXT_SHARE
        self._own = BASE_TOKENS + SCHEMA_SHARE * num_schema + least

    def of(self, text: str) -> int:
        """The most tokens that the document of this text may have."""
        return self._own + self._share * self._count(text)


def _number(part: dict[str, Any], name: str) -> int:
    value = part.get(name, 0)
    return int(value) if isinstance(value, int | float) else 0


def _repeats(part: dict[str, Any]) -> bool:
    """True if fields may repeat below this part: in list items, in undeclared keys, or by recursion."""
    kind = part.get("type", ("array", "object"))
    kinds = {kind} if isinstance(kind, str) else set(kind)
    is_open = "object" in kinds and part.get("additionalProperties") is not False
    return "array" in kinds or is_open or "$ref" in part or "$dynamicRef" in part
