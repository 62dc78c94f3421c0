"""References that several threads expand."""

from __future__ import annotations

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema.formula import TRUE, Formula, Reference


def test_a_reference_that_is_expanded_while_another_thread_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """At its checkpoint a thread lets go of the lock, and the next one expands the same reference."""
    reference = Reference("#/a", lambda: TRUE)

    def pause() -> None:
        monkeypatch.setattr(fm, "checkpoint", lambda: None)
        assert reference.target is TRUE

    monkeypatch.setattr(fm, "checkpoint", pause)
    assert reference.target is TRUE


class _Raced(Reference):
    """A reference that another thread expands right after this one has looked for the formula.

    raced_at: number of the look after which that happens.
    """

    raced_at = num_looks = 0

    @property
    def _target(self) -> Formula | None:  # type: ignore[override]
        self.num_looks += 1
        if self.num_looks == self.raced_at:
            self._let_go()
        return TRUE if self.num_looks > self.raced_at else None

    @_target.setter
    def _target(self, found: Formula | None) -> None:
        self.num_looks = 0


@pytest.mark.parametrize("look", [1, 2])
def test_two_threads_expand_one_reference(look: int) -> None:
    reference = _Raced("#", lambda: TRUE)
    reference.raced_at = look
    assert reference.target is TRUE
