"""Server-sent events, as bytes."""

from __future__ import annotations

import json
from typing import Any

DONE_EVENT = b"data: [DONE]\n\n"


def event(data: dict[str, Any], name: str | None = None) -> bytes:
    """One event. name: its type, in a line of its own."""
    line = b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
    return line if name is None else b"event: " + name.encode() + b"\n" + line
