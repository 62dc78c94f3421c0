"""Finds a JSON Schema written in a system message, for models whose chat template shows schemas.

Many clients ask for JSON only in the prompt: they write the schema into a system message. A model trained on its
template's own format of schemas can't read it there. The template then shows it like any schema; it is not enforced.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..schemas.python_types import is_valid_schema

MAX_SCHEMA_CHARS = 16_000  # checking a longer schema takes over 0.1 s
SYSTEM_ROLES = ("system", "developer")
MAX_TRIES = 8  # places in a message where JSON may begin
_DECODER = json.JSONDecoder()


def written_schema(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The first valid schema of an object in a system message; None if there is none."""
    found = (_schema_in(message.get("content") or "") for message in messages if message["role"] in SYSTEM_ROLES)
    return next((schema for schema in found if schema is not None), None)


def _schema_in(text: str) -> dict[str, Any] | None:
    end = 0
    for _ in range(MAX_TRIES):
        start = text.find("{", end)
        if start < 0:
            return None
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):  # no JSON begins here
            end = start + 1
            continue
        names = value.get("properties")
        if isinstance(names, dict) and names and end - start <= MAX_SCHEMA_CHARS and is_valid_schema(value):
            return dict(value)
    return None
