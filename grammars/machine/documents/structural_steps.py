"""Kernels: one byte between lexemes, or inside of a literal."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ..codes import code_at, context_of
from ..layout import AFTER_ITEM, AFTER_MEMBER, COLON, DEAD, DONE, FIRST_ITEM, FIRST_KEY, KEY, LITERAL, VALUE
from ..machine import Machine
from .steps import (
    CLOSE_ARRAY,
    CLOSE_OBJECT,
    MAY_END,
    QUOTE,
    described_row,
    space_column,
    step_after,
    step_close,
    step_literal,
    step_value,
    step_whitespace,
    whitespace_row,
)
from .word_steps import step_text

_COLON = ord(":")


@kernel
def step_structural(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte between lexemes or inside a literal."""
    context = context_of(code)
    if context == LITERAL:
        return step_literal(machine, code, stack, byte)
    if code == DONE:
        return DEAD, 0
    if context == AFTER_MEMBER or context == AFTER_ITEM:
        return step_after(machine, code, stack, byte)
    if space_column(byte) >= 0:
        return step_whitespace(machine, code, stack, byte)
    if not whitespace_row(machine, code, stack)[MAY_END]:
        return DEAD, 0
    if context == COLON:
        return (code_at(VALUE), stack) if byte == _COLON else (DEAD, 0)
    if context == FIRST_KEY and byte == CLOSE_OBJECT:
        return step_close(machine, stack)
    if context == FIRST_KEY or context == KEY:
        return _step_key(machine, stack, byte)
    if context == FIRST_ITEM and byte == CLOSE_ARRAY:
        return step_close(machine, stack)
    return step_value(machine, stack, byte)


@kernel
def _step_key(machine: Machine, stack: int, byte: int) -> tuple[int, int]:
    """Step by the first byte of a key: a quote, or in a style with bare names the first byte of the name."""
    row = described_row(machine, stack)
    if row.style == 0:
        return (row.key, stack) if byte == QUOTE else (DEAD, 0)
    return step_text(machine, row.key, stack, byte) if row.key >= 0 else (DEAD, 0)
