"""Kernels that advance a configuration by one byte or one token, and find the only byte that may come."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import exported, kernel
from .choices.choice_steps import step_choice
from .codes import tag_of
from .documents.steps import step_counted, step_number, step_string
from .documents.structural_steps import step_structural
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
from .mask_codes import mask_code_of
from .quotes.places import step_quote
from .rules.steps import known_mask, may_fork, step_local


@kernel
def step(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Advance a configuration by one byte, by the stepper of its tag."""
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
def may_be_structural(machine: Machine, code: int, byte: int) -> bool:
    """False where no document has a byte in a state between lexemes."""
    return tag_of(code) != STRUCTURAL or machine.styles.used > 1 or machine.tables.is_structural[byte] != 0


@kernel
def _forget_captures(machine: Machine) -> None:
    machine.frames_after[NUMBER_CAPTURE] = 0
    machine.frames_after[OTHER_CAPTURE] = 0


@exported(releases_gil=False)
def advance(address: int, code: int, stack: int, token: int, position: int) -> tuple[int, int, int]:
    """Advance a configuration by a token's bytes from `position` on. Returns the code, the stack and the mask's number.

    address: address of the Machine.
    position: number of the token's bytes that are already read; 0 at first.

    The code is DEAD if the token is not allowed, and BESIDE if a document or other text may begin inside the token. The
    mask's number is -1 if no mask is kept yet, and BESIDE if documents or tokens by id may come as well. If the kernel
    waits for Python, the machine's `position`, `code` and `stack` say where to go on. Captures are exact: Python is
    asked for the captured texts.
    """
    machine = Machine.at(address)
    trie = machine.tables.trie
    start, end = trie.text_start[token], trie.text_start[token + 1]
    if start == end:  # a token without text, which a grammar can only name by its id
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
    """Return the only byte that may come next; DEAD if there is none or more than one.

    address: address of the Machine.
    resume: 0 at first; 1 to go on after the kernel waited for Python.

    Captures are passed without their text. If the machine's `captured` is set afterwards, the answer is only a
    candidate.
    """
    machine = Machine.at(address)
    machine.is_exact = 0
    if not resume:
        machine.byte = 0
        machine.found = DEAD
        machine.captured = UNTAINTED
    code = mask_code_of(machine, code)
    for byte in range(machine.byte, 256):
        if may_be_structural(machine, code, byte):
            machine.byte = byte
            following, _ = step(machine, code, stack, byte)
            if following >= 0:
                if machine.found >= 0:
                    return DEAD
                machine.found = byte
    return machine.found


@exported(releases_gil=False)
def step_vaguely(address: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """`step`, for Python; captures are passed without their text. address: address of the Machine."""
    machine = Machine.at(address)
    machine.is_exact = 0
    return step(machine, code, stack, byte)
