"""Kernels: rows of sets whose product states need nothing more, and of the leaves of product states."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from .. import layout as at
from ..structs import Dfa
from .products import class_byte, leaves_of, position_of, product_of
from .runs import note_position_runs
from .sets import members_of, product_state_of
from .source_rows import build_place_row, is_place
from .subsets import build_set_row


@kernel
def build(dfa: Dfa, state: int) -> None:
    """Make the row of a set, and find the best run of its positions."""
    build_set_row(dfa, state)
    note_position_runs(dfa, state)


@kernel
def _has_products(dfa: Dfa, state: int) -> bool:
    """Return True for a set with product states."""
    count = 0
    for member in members_of(dfa, dfa.set_of[state]):
        count += product_state_of(dfa, member) >= 0
    return count > 0


@kernel
def make_leaf_rows(dfa: Dfa, number: int) -> int:
    """Make the rows of the leaves of a product state. Returns 0, or 1 + the state of a leaf whose row is needed
    first.
    """
    for leaf_state in leaves_of(dfa, number):
        if position_of(dfa, leaf_state) >= 0:
            continue
        for char_class in range(product_of(dfa, number).num_classes):
            state = leaf_state
            for index in range(4):
                byte = class_byte(dfa, number, char_class, index)
                if byte == 0 or state == at.DEAD:
                    continue
                if dfa.rows[state][0] == at.UNBUILT:
                    if is_place(dfa, state):
                        build_place_row(dfa, state)
                    elif dfa.set_of[state].count == 0 or _has_products(dfa, state):
                        return state + 1
                    else:
                        build(dfa, state)
                state = dfa.rows[state][byte]
    return 0
