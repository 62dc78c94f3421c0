"""Kernels: one byte in an object in a style (STYLED): its members stand between marks.

    <parameter=NAME>VALUE</parameter>

The mark before a name, up to the name, is read here; in the example it is `<parameter=`. The name and the mark behind
it are one lexeme, like a key with its closing quote in JSON. A value that is no array or object is one lexeme with its
mark. Arrays and objects are JSON, and a mark follows. Before a value a line break may stand that belongs to the mark.

An object in a style has no last byte, but ends before a byte that neither begins a member nor is whitespace before one.
Whitespace and bytes of a mark read since the last member then belong to the text after the object, and rules read them.
The code holds these bytes until the end is known.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import exported, kernel
from ..codes import (
    code_at,
    mark_bytes_of,
    push,
    space_at,
    spaces_of,
    stack_below,
    styled_code,
    styled_context_of,
    tag_of,
    with_space,
)
from ..layout import (
    AFTER_BREAK,
    BETWEEN,
    DEAD,
    FIRST_ITEM,
    FIRST_KEY,
    LOCAL,
    MARK_SHIFT,
    NO_WORD,
    OTHER_CAPTURE,
    OVERLAY,
    STYLED_START,
    STYLED_VALUE,
    WORDS,
)
from ..machine import Machine
from ..rules.steps import step_local
from .steps import described_row, end_value, space_column
from .word_steps import step_base, step_overlay, step_words

_NEWLINE, _OPEN_ARRAY, _OPEN_OBJECT = ord("\n"), ord("["), ord("{")


@kernel
def step_styled(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte between members, in the mark before a name, or at the beginning of a value."""
    if styled_context_of(code) >= STYLED_VALUE:
        return _step_value(machine, code, stack, byte)
    if styled_context_of(code) == STYLED_START:
        code, stack = styled_code(BETWEEN), push(machine, stack, described_row(machine, stack).object)
    row = described_row(machine, stack)
    if row.continues:
        style, num_read = machine.styles[row.style], mark_bytes_of(code)
        if byte == machine.mark_text[style.first + num_read]:
            return (code + (1 << MARK_SHIFT), stack) if num_read + 1 < style.length else (row.key, stack)
        column = space_column(byte)
        if column >= 0 and num_read == 0 and spaces_of(code) < style.max_spaces:
            return with_space(code, column), stack
    code, stack = ended_object(machine, code, stack)
    return _step_rules(machine, code, stack, byte)


@kernel
def ended_object(machine: Machine, code: int, stack: int) -> tuple[int, int]:
    """Return the configuration in rules after an object that ends with its last member; DEAD if it can't end there.

    code, stack: configuration between members or inside an opening mark.

    The rules have then read the whitespace and bytes of a mark behind the last member.
    """
    if styled_context_of(code) >= STYLED_VALUE:
        return DEAD, 0
    if styled_context_of(code) == STYLED_START:
        code, stack = styled_code(BETWEEN), push(machine, stack, described_row(machine, stack).object)
    row = described_row(machine, stack)
    if row.close < 0:
        return DEAD, 0
    first = machine.styles[row.style].first
    following, new_stack = end_value(machine, stack_below(machine, stack), row.close, NO_WORD, OTHER_CAPTURE)
    for index in range(spaces_of(code)):
        column = space_at(code, index)
        space = ord(" ") if column == 0 else ord("\t") if column == 1 else _NEWLINE if column == 2 else ord("\r")
        following, new_stack = _step_rules(machine, following, new_stack, space)
    for index in range(mark_bytes_of(code)):
        following, new_stack = _step_rules(machine, following, new_stack, machine.mark_text[first + index])
    return following, new_stack


@kernel
def _step_rules(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte after an object, in rules."""
    return step_local(machine, code, stack, byte) if tag_of(code) == LOCAL else (DEAD, 0)


@kernel
def _step_value(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by the first byte of a value, or by the first byte after one."""
    following, new_stack = step_beside_text(machine, code, stack, byte)
    if following != DEAD:
        return following, new_stack
    text = text_code(machine, code, stack)
    tag = tag_of(text)
    if tag == WORDS:
        return step_words(machine, text, stack, byte)
    if tag == OVERLAY:
        return step_overlay(machine, text, stack, byte)
    return step_base(machine, text, stack, byte) if text != DEAD else (DEAD, 0)


@kernel
def text_code(machine: Machine, code: int, stack: int) -> int:
    """Return the first code of a value's texts that are no arrays or objects, with their mark; DEAD if there are
    none.
    """
    row = described_row(machine, stack)
    return row.number if styled_context_of(code) == AFTER_BREAK else row.string


@kernel
def beside_text(place: int) -> int:
    """Return one of the three bytes with which something other than such a text may begin."""
    return _NEWLINE if place == 0 else _OPEN_ARRAY if place == 1 else _OPEN_OBJECT


@kernel
def step_beside_text(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a line break that belongs to a mark, or by the bracket of an array or object; DEAD if it may not come."""
    row = described_row(machine, stack)
    if byte == _NEWLINE and row.continues and styled_context_of(code) == STYLED_VALUE:
        return styled_code(AFTER_BREAK), stack
    if byte == _OPEN_OBJECT and row.object:
        return code_at(FIRST_KEY), push(machine, stack, row.object)
    if byte == _OPEN_ARRAY and row.array:
        return code_at(FIRST_ITEM), push(machine, stack, row.array)
    return DEAD, 0


@exported(releases_gil=False)
def find_ended_object(address: int, code: int, stack: int) -> tuple[int, int]:
    """`ended_object`, for Python. address: address of the Machine."""
    return ended_object(Machine.at(address), code, stack)
