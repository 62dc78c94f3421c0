"""Reads JSON values through the frames of a `Document`, member by member: what the machine does, without bytes."""

from __future__ import annotations

import json
from typing import Any

from guided.grammars.json_schema.document import Document
from guided.grammars.regex import algebra as lang


def accepts(document: Document, value: Any) -> bool:
    """Whether the document's frames let this value through, keys in its order."""
    return returned_class(document.root(), value) is not None


def returned_class(frame: Any, value: Any) -> int | None:
    """The class that a value returns to a frame that expects one; None when it is not allowed."""
    spec = frame.value_spec()
    if spec is None:
        return None
    if value is None:
        return spec.null
    if value is True:
        return spec.true
    if value is False:
        return spec.false
    if isinstance(value, str):
        return None if value in spec.excluded_strings else _member(spec.strings, value)
    if isinstance(value, int | float):
        text = json.dumps(value)
        return None if text in spec.excluded_numbers else _member(spec.numbers, text)
    if isinstance(value, list):
        return None if spec.array is None else _array(spec.array, value)
    return None if spec.object is None else _object(spec.object, value)


def _member(lexeme: Any, text: str) -> int | None:
    return next((cls for language, cls in lexeme if lang.matches(language, text)), None)


def _array(frame: Any, value: list[Any]) -> int | None:
    for item in value:
        cls = returned_class(frame, item)
        if cls is None:
            return None
        spec = frame.value_spec()
        frame = frame.on_capture(cls, _text(item)) if spec.captures else frame.on_return(cls)
        if frame is None:
            return None
    return frame.close_class


def _object(frame: Any, value: dict[str, Any]) -> int | None:
    for key, member in value.items():
        keys = frame.key_spec()
        if keys is None:
            return None
        if key in keys.words:
            inner = frame.on_return(keys.words[key])
        else:
            cls = None if key in keys.excluded else _member(keys.open, key)
            inner = None if cls is None else frame.on_capture(cls, _text(key))
        if inner is None:
            return None
        returned = returned_class(inner, member)
        frame = None if returned is None else inner.on_return(returned)
        if frame is None:
            return None
    return frame.close_class


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
