"""What two independent validators say of a value."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
from jsonschema import Draft202012Validator


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
