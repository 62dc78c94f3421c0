"""What two independent validators say of a value, and Python's `re` of a pattern of ECMA-262."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator

_SPACES = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_IN_PYTHON = {r"\s": f"[{_SPACES}]", r"\S": f"[^{_SPACES}]", "$": r"\Z", ".": "[^\n\r\u2028\u2029]", r"\B": r"(?!\b)"}


def found_by_ecma(pattern: str, text: str) -> bool:
    r"""Whether a pattern of ECMA-262 is found in a text. In brackets \S stands beside \s only."""
    parts = r"\\.|\[(?:\\.|[^\]])*\]|[.$]"
    written = re.sub(parts, lambda part: _IN_PYTHON.get(part[0], part[0].replace(r"\s", _SPACES)), pattern)
    return re.search(written, text, re.ASCII) is not None


class Oracles:
    """`jsonschema` and `jsonschema_rs`, draft 2020-12 and without formats, for one schema."""

    def __init__(self, schema: Any) -> None:
        self._python = Draft202012Validator(schema)
        self._rust = jsonschema_rs.Draft202012Validator(schema)

    def contradict(self, value: Any, is_taken: bool) -> bool:
        """Whether both say that a value is not what it was taken for; where only one does, nothing is proven.

        PERF: the slower one is asked only where the faster one contradicts, once in thousands of values.
        """
        return self._rust.is_valid(value) != is_taken and self._python.is_valid(value) != is_taken
