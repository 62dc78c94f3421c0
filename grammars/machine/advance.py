"""Kernels: one byte in any state, a token, and the only byte that may come."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import exported, kernel
from .choices.choice_steps import step_choice
from .codes import tag_of
from .documents.steps import step_counted, step_number, step_string, step_structural
from .documents.styled_steps import step_styled
from .documents.word_steps import step_overlay, step_words
from .layout import (
    BESIDE,
    COUNTED,
    DEAD,
    LOCAL,
    NUMBER,
    NUMBER_CAPTURE,
    OTHER_CAPTURE,
    OVERLAY,
    QUOTED,
    STRING,
    STRUCTURAL,
    STYLED,
    UNTAINTED,
    WORDS,
)
from .machine import Machine
from .quotes.places import step_quote
from .rules.steps import known_mask, may_fork, step_local


@kernel
def step(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte in any state."""
    tag = tag_of(code)
    if tag == STRUCTURAL:
        return step_structural(machine, code, stack, byte)
    if tag == STRING:
        return step_string(machine, code, stack, byte)
    if tag == LOCAL:
        return step_local(machine, code, stack, byte)
    if tag == NUMBER:
        return step_number(machine, code, stack, byte)
    if tag == WORDS:
        return step_words(machine, code, stack, byte)
    if tag == OVERLAY:
        return step_overlay(machine, code, stack, byte)
    if tag == COUNTED:
        return step_counted(machine, code, stack, byte)
    if tag == QUOTED:
        return step_quote(machine, code, stack, byte)
    if tag == STYLED:
        return step_styled(machine, code, stack, byte)
    return step_choice(machine, code, stack, byte)


@kernel
def _forget_captures(machine: Machine) -> None:
    machine.frames_after[NUMBER_CAPTURE] = 0
    machine.frames_after[OTHER_CAPTURE] = 0


@exported(releases_gil=False)
def advance(address: int, code: int, stack: int, token: int, position: int) -> tuple[int, int, int]:
    """The configuration after a token's bytes from `position` on, and the number of its mask, -1 where that is unknown.

    The code is DEAD where there is none; BESIDE where documents may begin beside something else inside of the token.
    The mask is BESIDE where something else may come beside the configuration. address: of the Machine.
    Where it waits, the machine's `position`, `code` and `stack` say where to go on. Captures are exact: they are asked
    for.
    """
    machine = Machine.at(address)
    trie = machine.tables.trie
    start, end = trie.text_start[token], trie.text_start[token + 1]
    if start == end:  # it counts by its id, if at all
        return DEAD, 0, -1
    machine.is_exact = 1
    for index in range(start + position, end):
        if index > start and may_fork(machine, code):
            return BESIDE, 0, -1
        machine.position = index - start
        machine.code = code
        machine.stack = stack
        code, stack = step(machine, code, stack, trie.text[index])
        _forget_captures(machine)
        if code < 0:
            return code, 0, -1
    return code, stack, known_mask(machine, code, stack) if tag_of(code) == LOCAL else -1


@exported(releases_gil=False)
def forced_byte(address: int, code: int, stack: int, resume: int) -> int:
    """The only byte that may come next; DEAD when there are none or several. Where it waits, call with resume = 1.

    address: of the Machine. Captures are passed without their text, so the answer is a candidate where the
    machine's `captured` is set afterwards.
    """
    machine = Machine.at(address)
    is_structural = machine.tables.is_structural
    machine.is_exact = 0
    if not resume:
        machine.byte = 0
        machine.found = DEAD
        machine.captured = UNTAINTED
    for byte in range(machine.byte, 256):
        if tag_of(code) != STRUCTURAL or is_structural[byte]:
            machine.byte = byte
            following, _ = step(machine, code, stack, byte)
            if following >= 0:
                if machine.found >= 0:
                    return DEAD
                machine.found = byte
    return machine.found


@exported(releases_gil=False)
def step_vaguely(address: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """`step`, for Python. Captures are passed without their text. address: of the Machine."""
    machine = Machine.at(address)
    machine.is_exact = 0
    return step(machine, code, stack, byte)
