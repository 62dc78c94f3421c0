"""Counts the values of a JSON text before anything is built from it.

A megabyte of `[],[],[],` becomes a third of a million lists, while a megabyte of long strings becomes few objects.
Texts are therefore limited in values as well as in bytes. Most texts have too few commas and brackets to need a count.
Other texts are counted with a regex that skips each string at once, up to the limit: about 1 us a value.
"""

from __future__ import annotations

import re

from guided.grammars.watch import checkpoint

from .errors import InvalidRequestError, RequestLimitError

# A whole string (an unclosed one ends with the text), or one structural character. Quantifiers are possessive, so no
# text is read twice.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{]|[\]}]|,', re.DOTALL)
TOKENS_A_CHECKPOINT = 1024  # about 1 ms
_OPENING, _CLOSING, _COMMA = b"[{", b"]}", b","


def check_size(text: bytes, max_values: int, max_depth: int) -> None:
    """Raise if the JSON text of a body holds too many values or nests them too deeply. Other syntax is not checked.

    max_values: the most list elements and object members, at all depths together.
    Raises RequestLimitError for too many values, InvalidRequestError for too deep nesting.
    """
    num_openings = text.count(b"[") + text.count(b"{")
    if num_openings <= max_depth and num_openings + text.count(b",") <= max_values:
        return  # within the limits even if all of them were structure
    num_values, depth = 0, 0
    for place, found in enumerate(_TOKEN.finditer(text)):
        if place % TOKENS_A_CHECKPOINT == 0:
            checkpoint()
        first = found[0][:1]
        if first == _COMMA:
            num_values += 1
        elif first in _OPENING:
            num_values += 1
            depth += 1
            if depth > max_depth:
                raise InvalidRequestError(f"the body is nested too deeply: more than {max_depth} levels")
        elif first in _CLOSING:
            depth -= 1
        if num_values > max_values:
            raise RequestLimitError(f"the body holds over {max_values} values", max_values, "max_body_values", None)
