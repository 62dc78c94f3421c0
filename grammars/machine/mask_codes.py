"""Kernels: the code with the same masks as another code, for states that differ only in distant counts."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import kernel
from .codes import dfa_state_of, local_state_of, tag_of
from .layout import COUNTED, LOCAL, NUMBER, STRING
from .lexemes.mask_states import has_far_end, mask_state_of
from .machine import Machine
from .rules.entries import local_mask_state_of


@kernel
def mask_code_of(machine: Machine, code: int) -> int:
    """Return the code that stands for `code` in masks: both have the same mask on any stack. Mostly `code` itself."""
    tag = tag_of(code)
    if tag == LOCAL:
        state = local_state_of(code)
        return code - state + local_mask_state_of(machine.rules, state)
    if tag != STRING and tag != COUNTED and tag != NUMBER:
        return code
    state = dfa_state_of(code)
    found = mask_state_of(machine.tables.dfa, state)
    if tag == COUNTED and has_far_end(machine.tables.dfa, found):
        return code
    return code - state + found
