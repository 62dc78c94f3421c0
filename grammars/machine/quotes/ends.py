"""Kernels: where quotes may end."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ..documents.steps import QUOTE, next_dfa_state
from ..layout import FIRST_END
from ..machine import Machine
from .structs import QuoteLexeme


@kernel
def accepts(machine: Machine, state: int) -> int:
    """1 if the string's DFA accepts it here."""
    if state < 0:
        return 1
    return 1 if next_dfa_state(machine, state, QUOTE) <= FIRST_END else 0


@kernel
def has_length(lexeme: QuoteLexeme, start: int, place: int) -> int:
    """1 if the text from a start to a place has an allowed number of characters."""
    if lexeme.low <= 1 and lexeme.high < 0:
        return 1
    count = lexeme.characters[place] - lexeme.characters[start]
    return 1 if lexeme.low <= count and (lexeme.high < 0 or count <= lexeme.high) else 0


@kernel
def may_end(machine: Machine, lexeme: QuoteLexeme, first: int, count: int, depth: int, state: int) -> int:
    """1 if the text so far is a quote and fits the string's other conditions."""
    if depth == 0 or not has_length(lexeme, lexeme.order[first], lexeme.order[first] + depth):
        return 0
    for index in range(first, first + count):
        if lexeme.ends[lexeme.order[index] + depth]:
            return accepts(machine, state)
    return 0
