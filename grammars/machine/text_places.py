"""Places in the written text, for errors: a JSON pointer in a document, elsewhere the bytes before."""

from __future__ import annotations

import json

from ..errors import LimitExceededError
from ..json_paths import pointer_of

_SHOWN_BYTES = 30


def after_bytes(error: LimitExceededError, text: bytes) -> LimitExceededError:
    """Return the same error with the length and end of the text so far in its detail."""
    shown = f" {text[-_SHOWN_BYTES:].decode('utf-8', 'replace')!r}" if text else ""
    return error.located(f"after {len(text)} bytes of the text{shown}")


def in_document(error: LimitExceededError, text: bytes) -> LimitExceededError:
    """Return the same error with the JSON pointer of the current value in its detail. text: the document so far."""
    return error.located(f"for the value at {pointer_at(text)!r} of the document")


def pointer_at(text: bytes) -> str:
    """Return the JSON pointer of the last key or index in the beginning of a document.

    The pointer names the value that the text is in or before. A key that is still being written is not counted.
    """
    tokens: list[str | int] = []
    key, string, is_escaped = "", -1, False  # string: index where the open string began, or -1
    for index, byte in enumerate(text):
        if string >= 0:
            if is_escaped or byte == ord("\\"):
                is_escaped = not is_escaped
            elif byte == ord('"'):
                key, string = text[string : index + 1].decode(errors="replace"), -1
        elif byte == ord('"'):
            string = index
        elif byte == ord("{"):
            tokens.append("")
        elif byte == ord("["):
            tokens.append(0)
        elif byte in b"]}" and tokens:
            tokens.pop()
        elif byte == ord(":") and tokens:
            tokens[-1] = str(json.loads(key, strict=False))
        elif byte == ord(",") and tokens:
            last = tokens[-1]
            tokens[-1] = last + 1 if isinstance(last, int) else ""
    if tokens and tokens[-1] == "":
        tokens.pop()
    return pointer_of(tokens)
