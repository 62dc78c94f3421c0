"""Compare JSON values as JSON Schema does: 1 equals 1.0, true does not equal 1, keys have no order."""

from __future__ import annotations

import json
from typing import Any


def equality_key(value: Any) -> str:
    """Return a text that is the same for equal JSON values and differs for others, to be put into sets and dicts."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value
