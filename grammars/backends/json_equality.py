"""Equality of JSON values as JSON Schema means it: 1 equals 1.0, true does not equal 1, keys have no order."""

from __future__ import annotations

import json
from typing import Any


def equality_key(value: Any) -> str:
    """A text that is the same for equal JSON values and for no others; what a set or a dict can hold."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
