"""Kernels: one byte in an object in a style (STYLED): its members stand between marks.

    <parameter=NAME>VALUE</parameter>

The mark before a name, up to the name, is read here; in the example it is `<parameter=`. The name and the mark behind
it are one lexeme, like a key with its closing quote in JSON. A value that is no array or object is one lexeme with its
mark. Arrays and objects are JSON, and a mark follows. Before a value a line break may stand that belongs to the mark.

An object in a style has no last byte, but ends before a byte that neither begins a member nor is whitespace before one.
Whitespace and bytes of a mark read since the last member then belong to the text after the object, and rules read them.
The code holds these bytes until the end is known.

A deep style also writes inner values between marks. An array is then like an object whose names are the marks of its
items. The text after such an object or array is the mark behind the value. If a value may also be a text, the code
holds its first whitespace and mark bytes until it is known whether a member begins.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import exported, kernel
from ..codes import (
    code_at,
    is_between_marks,
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
    IN_QUOTE,
    LOCAL,
    MARK_SHIFT,
    NO_WORD,
    OTHER_CAPTURE,
    STYLED,
    STYLED_SHIFT,
    STYLED_START,
    STYLED_VALUE,
)
from ..machine import Machine
from ..rules.steps import step_local
from .steps import described_row, end_value, space_column
from .word_steps import step_text

_NEWLINE, _OPEN_ARRAY, _OPEN_OBJECT = ord("\n"), ord("["), ord("{")


@kernel
def step_styled(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte between members, in the mark before a name, or at the beginning of a value."""
    context = styled_context_of(code)
    if context == IN_QUOTE:
        return _step_quote(machine, code, stack, byte)
    if context < STYLED_VALUE:
        return _step_between(machine, code, stack, byte)
    return _step_value(machine, code, stack, byte)


@kernel
def _step_between(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte between members, or in the mark before a name."""
    if styled_context_of(code) == STYLED_START:
        code, stack = styled_code(BETWEEN), push(machine, stack, described_row(machine, stack).object)
    row = described_row(machine, stack)
    if row.continues:
        style, num_read = machine.styles[row.style], mark_bytes_of(code)
        if num_read == style.length:
            key, new_stack = step_text(machine, row.key, stack, byte)
            if key != DEAD:
                return key, new_stack
        elif byte == machine.mark_text[style.first + num_read]:
            is_before_name = num_read + 1 == style.length and not style.is_shared
            return (row.key, stack) if is_before_name else (code + (1 << MARK_SHIFT), stack)
        column = space_column(byte)
        if column >= 0 and num_read == 0 and spaces_of(code) < style.max_spaces:
            return with_space(code, column), stack
    code, stack = ended_object(machine, code, stack)
    return _step_behind(machine, code, stack, byte)


@kernel
def _step_quote(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of the mark before a string, after the mark's first byte."""
    row, num_read = described_row(machine, stack), mark_bytes_of(code)
    style = machine.styles[row.style]
    if byte != machine.mark_text[style.first + num_read]:
        return DEAD, 0
    return (code + (1 << MARK_SHIFT), stack) if num_read + 1 < style.length else (row.string, stack)


@kernel
def ended_object(machine: Machine, code: int, stack: int) -> tuple[int, int]:
    """Return the configuration in rules after an object that ends with its last member; DEAD if it can't end there.

    code, stack: configuration between members or inside an opening mark.

    The function replays the whitespace and mark bytes that the code holds as text behind the object.
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
        following, new_stack = _step_behind(machine, following, new_stack, space_byte(space_at(code, index)))
    for index in range(mark_bytes_of(code)):
        following, new_stack = _step_behind(machine, following, new_stack, machine.mark_text[first + index])
    return following, new_stack


@kernel
def _step_behind(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte after an object or array: in rules, or in the mark behind a value in a deep style."""
    if code == DEAD:
        return DEAD, 0
    if tag_of(code) == LOCAL:
        return step_local(machine, code, stack, byte)
    text = text_code(machine, code, stack) if tag_of(code) == STYLED else code
    return step_text(machine, text, stack, byte) if text != DEAD else (DEAD, 0)


@kernel
def _step_value(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by one of the first bytes of a value, or by the first byte after one."""
    if not may_be_opened(machine, stack):
        following, new_stack = step_beside_text(machine, code, stack, byte)
        if following != DEAD:
            return following, new_stack
    elif described_row(machine, stack).string == DEAD:
        code, stack = opened(machine, code, stack)
        return _step_between(machine, code, stack, byte)
    else:
        following, new_stack = _step_opening(machine, code, stack, byte)
        if following != DEAD:
            return following, new_stack
    text = text_code(machine, code, stack)
    return step_text(machine, text, stack, byte) if text != DEAD else (DEAD, 0)


@kernel
def may_be_opened(machine: Machine, stack: int) -> bool:
    """True where a value may be an object or array in a deep style: it begins with the mark of its first member."""
    row = described_row(machine, stack)
    return row.object != 0 and is_between_marks(machine, row.object)


@kernel
def opened(machine: Machine, code: int, stack: int) -> tuple[int, int]:
    """Enter the object or array that the bytes in the code begin.

    Return the configuration with its frame pushed and with these bytes still in the code.
    """
    frame = described_row(machine, stack).object
    stack = push(machine, stack, frame)
    if mark_bytes_of(code) == machine.styles[machine.frames[frame].style].length:
        return described_row(machine, stack).key, stack
    return code + ((BETWEEN - STYLED_VALUE) << STYLED_SHIFT), stack


@kernel
def _step_opening(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a first byte of a value that may be a text, or such an object or array; DEAD if it can only be a text.

    The first name's mark decides which of the two the value is. Until the mark's end the code holds the bytes read.
    """
    style = machine.styles[machine.frames[described_row(machine, stack).object].style]
    num_read, column = mark_bytes_of(code), space_column(byte)
    if num_read == style.length:
        key, new_stack = opened(machine, code, stack)
        return step_text(machine, key, new_stack, byte) if key != DEAD else (DEAD, 0)
    if byte == machine.mark_text[style.first + num_read]:
        return code + (1 << MARK_SHIFT), stack
    if column >= 0 and num_read == 0 and spaces_of(code) < style.max_spaces:
        return with_space(code, column), stack
    return DEAD, 0


@kernel
def text_code(machine: Machine, code: int, stack: int) -> int:
    """Return the code of a value's texts that are no arrays or objects, with their mark, after the held bytes; DEAD if
    there are none.
    """
    row = described_row(machine, stack)
    text = row.number if styled_context_of(code) == AFTER_BREAK else row.string
    if text == DEAD or code == styled_code(styled_context_of(code)):
        return text
    first = machine.styles[machine.frames[row.object].style].first
    for index in range(spaces_of(code)):
        if text != DEAD:
            text, _ = step_text(machine, text, stack, space_byte(space_at(code, index)))
    for index in range(mark_bytes_of(code)):
        if text != DEAD:
            text, _ = step_text(machine, text, stack, machine.mark_text[first + index])
    return text


@kernel
def space_byte(column: int) -> int:
    """The byte of a column of a whitespace row."""
    return ord(" ") if column == 0 else ord("\t") if column == 1 else _NEWLINE if column == 2 else ord("\r")


@kernel
def beside_text(place: int) -> int:
    """Return one of the three bytes that begin no text between marks: a line break, `[` or `{`."""
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
    machine = Machine.at(address)
    machine.is_exact = 0
    return ended_object(machine, code, stack)


@exported(releases_gil=False)
def find_text(address: int, code: int, stack: int) -> int:
    """`text_code`, for Python. address: address of the Machine."""
    machine = Machine.at(address)
    machine.is_exact = 0
    return text_code(machine, code, stack)
