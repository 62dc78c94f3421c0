"""Kernels: one byte in states between lexemes, in literals, in numbers, and in strings that a DFA reads.

A step takes a configuration (code, stack) and a byte, and returns the next configuration; its code is DEAD if no text
goes on with the byte. codes.py explains codes and stacks. If Python must make something first, kernels wait: `ask`
never returns, but ends all running kernels, and the same step runs again later.

The frame on top of the stack decides which texts may come. At the beginning of a value, the frame's row has the code or
frame to begin with. A finished value has a class: a number for the kind of value, as far as later texts depend on it.
The frame that follows after this class then replaces the top frame (`end_value`). Example, `{"a":1}`:

    {    the root's frame stays; the object's frame is pushed
    "    a key begins, with the code in the object's row
    "    the key has ended. The frame of the member's value replaces the object's frame
    1    a number begins, with the code in that frame's row
    }    the number has ended before this byte, so a frame of the object replaces the value's frame. The byte ends the
         object, so this frame is popped, too: the object is a value of the root's frame
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, value_of_pair
from ...memory.kernel import kernel
from ...memory.structs import Array
from ..asking import FRAME, RETURN, ROW, ask
from ..codes import (
    class_map_of,
    code_at,
    context_of,
    count_of,
    counter_number_of,
    dfa_state_of,
    is_between_marks,
    push,
    stack_below,
    styled_code,
    top_frame,
)
from ..layout import (
    AFTER_ITEM,
    AFTER_MEMBER,
    ARRAY_FRAME,
    BETWEEN,
    COLON,
    DEAD,
    DONE,
    EXCLUDES,
    FALSE,
    FIRST_END,
    FIRST_ITEM,
    FIRST_KEY,
    IN_QUOTE,
    KEY,
    LITERAL,
    LITERAL_SHIFT,
    MARK_SHIFT,
    NO_WORD,
    NULL,
    NUM_CONTEXTS,
    NUMBER_CAPTURE,
    OBJECT_FRAME,
    OTHER_CAPTURE,
    ROOT_FRAME,
    STATE_BITS,
    STYLED_VALUE,
    TRUE,
    UNBUILT,
    VALUE,
    VERIFY,
    WS_STATES,
)
from ..lexemes.lone_steps import lone_target
from ..lexemes.set_rows import has_row
from ..machine import Machine
from ..rules.steps import follow_after
from ..structs import Counter, Dfa, FrameRow, Tables
from .containers import array_after, holds_different_words, member_after

QUOTE = ord('"')
_TAB, _NEWLINE, _RETURN, _SPACE = ord("\t"), ord("\n"), ord("\r"), ord(" ")
_COMMA, _MINUS, _ZERO, _NINE = ord(","), ord("-"), ord("0"), ord("9")
_OPEN_ARRAY, CLOSE_ARRAY, _OPEN_OBJECT, CLOSE_OBJECT = ord("["), ord("]"), ord("{"), ord("}")
_T, _F, _N = ord("t"), ord("f"), ord("n")
MAY_END = 4  # column of a whitespace row: 1 if the whitespace may end here


# ---- Frames.


@kernel
def top_row(machine: Machine, stack: int) -> FrameRow:
    """Return the row of the frame on top of a stack. The row is described if a text has read a byte in the frame."""
    return machine.frames[top_frame(machine, stack)]


@kernel
def described_row(machine: Machine, stack: int) -> FrameRow:
    """Return the row of the frame on top of a stack. Asks Python if the row is not described yet."""
    frame = top_frame(machine, stack)
    row = machine.frames[frame]
    if row.is_described == 0:
        ask(machine.request, FRAME, frame=frame)
    return row


@kernel
def _frame_after(machine: Machine, frame: int, returned: int, word: int) -> int:
    """Return the frame that follows a frame after a value or key of a class; 0 if the class is not allowed.

    Frames of plain containers are made here; Python is asked for others. word: see `end_value`.
    """
    row = machine.frames[frame]
    if row.after:
        return row.after
    if holds_different_words(machine, row):
        returned = word
    following = value_of_pair(machine.returns, frame, returned)
    if following >= 0:
        return following
    if not row.shape:
        ask(machine.request, RETURN, frame=frame, returned=returned)
    following = array_after(machine, frame, word) if row.kind == ARRAY_FRAME else member_after(machine, frame, returned)
    make_room(machine.returns)
    add(machine.returns, frame << 32 | returned, following)
    return following


@kernel
def _frame_after_text(machine: Machine, frame: int, returned: int, which: int) -> int:
    """Like `_frame_after`, if the text of the value or key matters, too; -1 if not allowed. which: see `end_value`."""
    following = machine.frames_after[which]
    if following == 0:
        machine.asked_capture = which
        ask(machine.request, RETURN, frame=frame, returned=returned, with_text=1)
    return following


@kernel
def end_value(machine: Machine, stack: int, returned: int, word: int, which: int) -> tuple[int, int]:
    """Return the configuration after the end of a value or key. After a document in rules, the rules go on.

    returned: class of the value or key.
    word: bit of its text if the text is a word of a set, as declared keys are; else NO_WORD.
    which: NUMBER_CAPTURE for numbers, else OTHER_CAPTURE.

    A capture is an undeclared key, or a value whose row says so: later texts may depend on its text. While a mask is
    made, the text is unknown. The result is then the same as after any text, and `captured` is set to the taint (see
    masks.py). A byte may end two captures, as in `[[1]`. VERIFY of the first capture then stays. Any other taint gives
    way to the second one, because the container that it names has ended.
    """
    frame, below = top_frame(machine, stack), stack_below(machine, stack)
    row = machine.frames[frame]
    if row.kind == ROOT_FRAME:
        return follow_after(machine, row.then - 1, below) if row.then else (DONE, 0)
    is_key, captures = row.kind == OBJECT_FRAME, row.captures
    if is_key:
        captures = max(captures, EXCLUDES) if word == NO_WORD else 0
    if captures and machine.is_exact:
        following = _frame_after_text(machine, frame, returned, which)
    else:
        following = _frame_after(machine, frame, returned, word)
    if following <= 0:
        return DEAD, 0
    if captures and not machine.is_exact and machine.captured != VERIFY:
        machine.captured = below + 1 if captures == EXCLUDES else VERIFY
    new_stack = push(machine, below, following)
    is_member = machine.frames[following].kind == OBJECT_FRAME
    if is_between_marks(machine, following):
        return styled_code(BETWEEN if is_member else STYLED_VALUE), new_stack
    if is_key:  # the colon belongs to a bare name
        return code_at(VALUE if row.style else COLON), new_stack
    return code_at(AFTER_MEMBER) if is_member else code_at(AFTER_ITEM), new_stack


# ---- Between lexemes.


@kernel
def step_after(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte after a member or an item; nothing can come after the whole document.

    A function of its own, since `step_number` calls it: otherwise `step_number`, `step_value` and
    `structural_steps.step_structural` would call each other in a circle.
    """
    context = context_of(code)
    if context != AFTER_MEMBER and context != AFTER_ITEM:
        return DEAD, 0
    if byte <= _SPACE:
        return step_whitespace(machine, code, stack, byte)
    if not whitespace_row(machine, code, stack)[MAY_END]:
        return DEAD, 0
    if byte == _COMMA:
        if not described_row(machine, stack).continues:
            return DEAD, 0
        return code_at(KEY) if context == AFTER_MEMBER else code_at(VALUE), stack
    if byte == (CLOSE_OBJECT if context == AFTER_MEMBER else CLOSE_ARRAY):
        return step_close(machine, stack)
    return DEAD, 0


@kernel
def whitespace_row(machine: Machine, code: int, stack: int) -> Array[int]:
    """Return the row of a code between lexemes in its document's whitespace table. The root frame knows the table."""
    if len(machine.whitespace) == NUM_CONTEXTS * WS_STATES:
        return machine.whitespace[code]
    row = top_row(machine, stack)
    while row.kind != ROOT_FRAME:
        stack = stack_below(machine, stack)
        row = top_row(machine, stack)
    return machine.whitespace[row.whitespace + code]


@kernel
def space_column(byte: int) -> int:
    """Return the column of a whitespace byte in a row of a whitespace table; -1 for any other byte."""
    return 0 if byte == _SPACE else 1 if byte == _TAB else 2 if byte == _NEWLINE else 3 if byte == _RETURN else -1


@kernel
def step_whitespace(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte up to 0x20 between lexemes."""
    column = space_column(byte)
    if column < 0:
        return DEAD, 0
    following = whitespace_row(machine, code, stack)[column]
    return (following, stack) if following >= 0 else (DEAD, 0)


@kernel
def step_close(machine: Machine, stack: int) -> tuple[int, int]:
    """Step by the bracket that closes the container on top: a value of the frame below has ended."""
    container_class = described_row(machine, stack).close
    if container_class < 0:
        return DEAD, 0
    return end_value(machine, stack_below(machine, stack), container_class, NO_WORD, OTHER_CAPTURE)


@kernel
def step_value(machine: Machine, stack: int, byte: int) -> tuple[int, int]:
    """Step by the first byte of a value. A value that can't come has DEAD (string, number) or 0 (container) in the
    row.
    """
    row = described_row(machine, stack)
    if row.style:
        style = machine.styles[row.style]
        if byte == machine.mark_text[style.first] and row.string >= 0:
            return (styled_code(IN_QUOTE) + (1 << MARK_SHIFT), stack) if style.length > 1 else (row.string, stack)
    elif byte == QUOTE:
        return row.string, stack
    if byte == _OPEN_OBJECT:
        return (code_at(FIRST_KEY), push(machine, stack, row.object)) if row.object else (DEAD, 0)
    if byte == _OPEN_ARRAY:
        return (code_at(FIRST_ITEM), push(machine, stack, row.array)) if row.array else (DEAD, 0)
    if byte == _MINUS or _ZERO <= byte <= _NINE:
        return step_number(machine, row.number, stack, byte) if row.number >= 0 else (DEAD, 0)
    literal = TRUE if byte == _T else FALSE if byte == _F else NULL if byte == _N else -1
    if literal < 0 or row.literals[literal] < 0:
        return DEAD, 0
    return code_at(LITERAL) | literal << LITERAL_SHIFT | 1, stack


@kernel
def step_literal(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of true, false or null after the first byte."""
    place = code & (WS_STATES - 1)  # index in `literals` of the byte that must come
    literals = machine.tables.literals
    if byte != literals[place]:
        return DEAD, 0
    if literals[place + 1] != 0:
        return code + 1, stack
    returned = top_row(machine, stack).literals[place >> LITERAL_SHIFT]
    return end_value(machine, stack, returned, NO_WORD, OTHER_CAPTURE)


# ---- In strings and numbers.


@kernel
def next_dfa_state(machine: Machine, state: int, byte: int) -> int:
    """Return the entry of a DFA's row for a byte: the next state, DEAD, or an end.

    A text's own states in distant counts have no rows, since masks don't need them.
    """
    following = lone_target(machine.tables.dfa, state, byte) if machine.is_exact else UNBUILT
    if following != UNBUILT:
        return following
    make_row(machine, state)
    return machine.tables.dfa.rows[state][byte]


@kernel
def make_row(machine: Machine, state: int) -> None:
    """Make the row of a DFA's state if it does not exist. Asks Python if Python must make it or count the rows."""
    dfa = machine.tables.dfa
    if dfa.rows[state][0] != UNBUILT:
        return
    if machine.rows_left == 0 or not has_row(dfa, state):
        ask(machine.request, ROW, state=state)
    machine.rows_left -= 1
    machine.num_rows += dfa.states[state].is_between


@kernel
def class_of_language(dfa: Dfa, code: int, language: int) -> int:
    """Return the class of a text of a language, for the lexeme of a STRING or NUMBER code."""
    return dfa.class_maps[class_map_of(code) + language]


@kernel
def step_string(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a string that a DFA reads."""
    state = dfa_state_of(code)
    following = next_dfa_state(machine, state, byte)
    if following >= 0:
        language = machine.tables.dfa.states[following].accepts  # set if the byte ends the mark behind a text; else -1
        if language < 0:
            return code - state + following, stack
    elif following == DEAD:
        return DEAD, 0
    else:
        language = FIRST_END - following  # the closing quote: the row's entry names the string's language
    string_class = class_of_language(machine.tables.dfa, code, language)
    return end_value(machine, stack, string_class, NO_WORD, OTHER_CAPTURE)


@kernel
def step_number(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a number, or by the byte after it: a number has no end of its own."""
    dfa, state = machine.tables.dfa, dfa_state_of(code)
    following = next_dfa_state(machine, state, byte)
    if following >= 0:
        return code - state + following, stack
    language = dfa.states[state].accepts
    if language < 0:  # the number can't end yet
        return DEAD, 0
    number_class = class_of_language(dfa, code, language)
    code_after, stack_after = end_value(machine, stack, number_class, NO_WORD, NUMBER_CAPTURE)
    return step_after(machine, code_after, stack_after, byte) if code_after >= 0 else (DEAD, 0)


@kernel
def counter_of(tables: Tables, code: int) -> Counter:
    """Return the bounds on the characters of a COUNTED code's string."""
    return tables.counters[counter_number_of(code)]


@kernel
def step_counted(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a string whose characters are counted.

    A character counts with its first byte. Without an upper bound, counting stops at the lower bound. With an upper
    bound, the shortest text from the next state on must still fit.
    """
    state, count, counter = dfa_state_of(code), count_of(code), counter_of(machine.tables, code)
    following = next_dfa_state(machine, state, byte)
    if following == DEAD:
        return DEAD, 0
    if following <= FIRST_END:
        if count < counter.low:
            return DEAD, 0
        return end_value(machine, stack, counter.returned, NO_WORD, OTHER_CAPTURE)
    states, is_bounded = machine.tables.dfa.states, counter.high >= 0
    begins_character = states[state].is_between  # 1 or 0
    if states[following].accepts >= 0:  # the byte ends the mark behind a text
        if count + begins_character < counter.low or (is_bounded and count + begins_character > counter.high):
            return DEAD, 0
        return end_value(machine, stack, counter.returned, NO_WORD, OTHER_CAPTURE)
    if is_bounded and count + begins_character + states[following].shortest > counter.high:
        return DEAD, 0
    if begins_character and (is_bounded or count < counter.low):
        code += 1 << STATE_BITS
    return code - state + following, stack
