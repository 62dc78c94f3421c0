"""Logits processors of requests that other processes and servers get."""

from __future__ import annotations

from typing import Any


def is_plain(spec: Any) -> bool:
    """A processor that is given by its name or its signed text, and can be sent to another process."""
    if isinstance(spec, dict):
        return isinstance(spec.get("name"), str)
    return isinstance(spec[0] if isinstance(spec, list | tuple) and spec else spec, str)
