"""Kernels: what Python asks about a state in a string that is one of a set of words."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton.machine import Machine
from ..automaton.word_steps import base_at, is_allowed, word_set_of
from ..memory.kernel import exported


@exported(releases_gil=False)
def is_word_allowed(address: int, code: int, word: int) -> int:
    """1 when a word of the set of a state may come now. address: of the machine. word: its number in the set."""
    machine = Machine.at(address)
    return is_allowed(machine, word_set_of(machine, code), word)


@exported(releases_gil=False)
def base_code(address: int, code: int) -> int:
    """The code of the base lexeme beside an OVERLAY state; DEAD. address: of the machine."""
    return base_at(Machine.at(address), code)
