"""Kernels: one byte in any state, a token, and the only byte that may come."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .memory import kernel, load8, load32, load64, store64
from .steps import step_counted, step_number, step_string, step_structural
from .word_steps import step_overlay, step_words


@kernel
def step(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte in any state."""
    tag = code >> at.TAG_SHIFT
    if tag == at.STRUCTURAL:
        return step_structural(m, code, stack, byte)
    if tag == at.STRING:
        return step_string(m, code, stack, byte)
    if tag == at.NUMBER:
        return step_number(m, code, stack, byte)
    if tag == at.WORDS:
        return step_words(m, code, stack, byte)
    if tag == at.OVERLAY:
        return step_overlay(m, code, stack, byte)
    return step_counted(m, code, stack, byte)


@kernel
def _forget_captures(m: int) -> None:
    store64(m, at.M_CAPTURE_A, 0)
    store64(m, at.M_CAPTURE_B, 0)


@kernel
def advance(m: int, code: int, stack: int, token: int, position: int) -> tuple[int, int]:
    """The state after a token's bytes from `position` on; DEAD; NEED.

    After a NEED, registers M_POSITION, M_CODE and M_STACK say where to go on. Captures are exact: they are asked for.
    """
    lexicon = load64(m, at.M_LEXICON)
    text, starts = load64(lexicon, at.L_TEXT), load64(lexicon, at.L_TEXT_START)
    start, end = load32(starts, token), load32(starts, token + 1)
    store64(m, at.M_EXACT, 1)
    for index in range(start + position, end):
        following, new_stack = step(m, code, stack, load8(text, index))
        if following < 0:
            store64(m, at.M_POSITION, index - start)
            store64(m, at.M_CODE, code)
            store64(m, at.M_STACK, stack)
            if following == at.DEAD:
                _forget_captures(m)
            return following, 0
        code, stack = following, new_stack
        _forget_captures(m)
    return code, stack


@kernel
def forced_byte(m: int, code: int, stack: int, resume: int) -> int:
    """The only byte that may come next; DEAD when there are none or several; NEED, then call with resume = 1.

    Captures are passed without their text, so the answer is a candidate where register M_CAPTURED is set afterwards.
    """
    lexicon = load64(m, at.M_LEXICON)
    structural = load64(lexicon, at.L_STRUCTURAL_BYTE)
    store64(m, at.M_EXACT, 0)
    if not resume:
        store64(m, at.M_BYTE, 0)
        store64(m, at.M_FOUND, at.DEAD)
        store64(m, at.M_CAPTURED, 0)
    for byte in range(load64(m, at.M_BYTE), 256):
        if code >> at.TAG_SHIFT != at.STRUCTURAL or load8(structural, byte):
            following, _ = step(m, code, stack, byte)
            if following == at.NEED:
                store64(m, at.M_BYTE, byte)
                return at.NEED
            if following >= 0:
                if load64(m, at.M_FOUND) >= 0:
                    return at.DEAD
                store64(m, at.M_FOUND, byte)
    return load64(m, at.M_FOUND)
