"""Logit processors of requests that are sent to other processes and servers."""

from __future__ import annotations

from typing import Any


def is_plain(spec: Any) -> bool:
    """True if a processor is given by name or as signed text, so that it can be sent to another process."""
    if isinstance(spec, dict):
        return isinstance(spec.get("name"), str)
    return isinstance(spec[0] if isinstance(spec, list | tuple) and spec else spec, str)
