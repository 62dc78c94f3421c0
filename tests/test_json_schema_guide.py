"""docs/json_schema.md does what it says: its Python runs."""

from __future__ import annotations

from tests.guides import Guide


def test_python() -> None:
    assert "fits" in Guide("json_schema.md").run_python("")
