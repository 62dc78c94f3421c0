"""docs/how_to.md does what it says: its Python runs and prints what stands below it."""

from __future__ import annotations

from tests.guides import Guide


def test_python() -> None:
    assert "note" in Guide("how_to.md").run_python("")
