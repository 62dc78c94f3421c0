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

    def is_valid(self, value: Any) -> bool | None:
        """Whether the value is valid; None where the two do not agree, so that neither proves anything."""
        verdict = bool(self._rust.is_valid(value))
        return verdict if self._python.is_valid(value) == verdict else None
