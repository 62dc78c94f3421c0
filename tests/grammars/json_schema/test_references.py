"""References that several threads expand."""

from __future__ import annotations

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema.formula import TRUE, Reference


def test_a_reference_that_is_expanded_while_another_thread_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """At its checkpoint a thread lets go of the lock, and the next one expands the same reference."""
    reference = Reference("#/a", lambda: TRUE)

    def pause() -> None:
        monkeypatch.setattr(fm, "checkpoint", lambda: None)
        assert reference.target is TRUE

    monkeypatch.setattr(fm, "checkpoint", pause)
    assert reference.target is TRUE
