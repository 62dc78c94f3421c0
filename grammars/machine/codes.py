"""Kernels that take the numbers of a machine apart and put them together.

A *code* is a state: a tag, and the data that states with this tag have (the table in layout.py). A *stack* is the
number of a stack node: a frame on top of another stack. A frame, too, is a number: the number of its row.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.hash_map import add, make_room, value_of_pair
from ..memory.kernel import exported, kernel
from .layout import (
    CHOICE,
    CHOICE_BITS,
    CONTEXT_SHIFT,
    COUNT_BITS,
    COUNTED,
    DEPTH_BITS,
    LITERAL_SHIFT,
    LOCAL,
    MARK_SHIFT,
    MASK32,
    MAX_CHOICES,
    MAX_CLASS_MAPS,
    MAX_COUNTERS,
    MAX_MARK_BYTES,
    MAX_SETS,
    MAX_STATES,
    MAX_WORDS,
    ROOT_VALUE,
    SPACES_SHIFT,
    STATE_BITS,
    STYLED,
    STYLED_SHIFT,
    STYLED_START,
    TAG_SHIFT,
    WORD_BITS,
    WS_STATES,
)
from .machine import Machine


@kernel
def tag_of(code: int) -> int:
    """Return the tag of a code: STRUCTURAL, STRING, NUMBER, COUNTED, ... (layout.py); below 0 for DEAD."""
    return code >> TAG_SHIFT


@kernel
def with_tag(code: int, tag: int) -> int:
    """Return the code with another tag, for tags whose codes have the same parts."""
    return (code & ((1 << TAG_SHIFT) - 1)) | tag << TAG_SHIFT


# ---- STRUCTURAL codes.


@kernel
def context_of(code: int) -> int:
    """Return the context of a STRUCTURAL code, such as FIRST_KEY or COLON; LITERAL inside of true, false and null."""
    return code >> CONTEXT_SHIFT


@kernel
def code_at(context: int) -> int:
    """Return the STRUCTURAL code of a context, before any whitespace."""
    return context << CONTEXT_SHIFT


@kernel
def literal_of(code: int) -> int:
    """Return the literal that a code with context LITERAL is in: TRUE, FALSE or NULL."""
    return (code & (WS_STATES - 1)) >> LITERAL_SHIFT


@kernel
def begins_document(code: int) -> int:
    """Return 1 at the beginning of a document, before anything is read, whitespace included. No other state has this
    code.
    """
    return 1 if code == code_at(ROOT_VALUE) or code == styled_code(STYLED_START) else 0


# ---- STYLED codes.


@kernel
def styled_code(context: int) -> int:
    """Return the STYLED code of a context, before any whitespace or mark."""
    return STYLED << TAG_SHIFT | context << STYLED_SHIFT


@kernel
def styled_context_of(code: int) -> int:
    """Return the context of a STYLED code."""
    return (code >> STYLED_SHIFT) & 7


@kernel
def is_between_marks(machine: Machine, frame: int) -> bool:
    """True for a frame of an object whose members stand between marks."""
    style = machine.frames[frame].style
    return style != 0 and machine.styles[style].is_quote == 0


@kernel
def mark_bytes_of(code: int) -> int:
    """Return how many bytes of the next member's opening mark are read."""
    return (code >> MARK_SHIFT) & MAX_MARK_BYTES


@kernel
def spaces_of(code: int) -> int:
    """Return how many characters of whitespace are read since the last member."""
    return (code >> SPACES_SHIFT) & ((1 << (MARK_SHIFT - SPACES_SHIFT)) - 1)


@kernel
def space_at(code: int, index: int) -> int:
    """Return the whitespace character at `index` since the last member, as a column of a whitespace row."""
    return (code >> (2 * index)) & 3


@kernel
def with_space(code: int, column: int) -> int:
    """Return the code after one more character of whitespace."""
    return code + (1 << SPACES_SHIFT) | column << (2 * spaces_of(code))


# ---- LOCAL codes.


@kernel
def local_code(state: int) -> int:
    """Return the code of a local state of rules."""
    return LOCAL << TAG_SHIFT | state


@kernel
def counted_code(state: int, count: int) -> int:
    """Return the code of a local state of rules. count: see `Branch.num_units`."""
    return LOCAL << TAG_SHIFT | count << 32 | state


@kernel
def local_count_of(code: int) -> int:
    """Return the count of a LOCAL code, see `Branch.num_units`."""
    return (code >> 32) & ((1 << COUNT_BITS) - 1)


@kernel
def local_state_of(code: int) -> int:
    """Return the local state of a LOCAL code."""
    return code & MASK32


# ---- CHOICE codes.


@kernel
def choice_code(low: int, high: int) -> int:
    """Return the code of the words low .. high - 1."""
    return CHOICE << TAG_SHIFT | low << CHOICE_BITS | high


@kernel
def first_choice_of(code: int) -> int:
    """Return the first word of a CHOICE code."""
    return (code >> CHOICE_BITS) & MAX_CHOICES


@kernel
def end_choice_of(code: int) -> int:
    """Return one past the last word of a CHOICE code."""
    return code & MAX_CHOICES


# ---- Codes in strings and numbers that a DFA reads.


@kernel
def dfa_state_of(code: int) -> int:
    """Return the DFA state of a STRING, NUMBER or COUNTED code."""
    return code & (MAX_STATES - 1 if tag_of(code) == COUNTED else MASK32)


@kernel
def class_map_of(code: int) -> int:
    """Return the index in `class_maps` where the classes of a STRING or NUMBER code's lexeme begin."""
    return (code >> 32) & (MAX_CLASS_MAPS - 1)


@kernel
def count_of(code: int) -> int:
    """Return how many characters of the string a COUNTED code has counted."""
    return (code >> STATE_BITS) & ((1 << COUNT_BITS) - 1)


@kernel
def counter_number_of(code: int) -> int:
    """Return the number of a COUNTED code's counter."""
    return (code >> (COUNT_BITS + STATE_BITS)) & (MAX_COUNTERS - 1)


# ---- WORDS, OVERLAY and CORRECTION codes.


@kernel
def set_number_of(code: int) -> int:
    """Return the number of the word set of a WORDS, OVERLAY or CORRECTION code."""
    return (code >> (WORD_BITS + DEPTH_BITS)) & (MAX_SETS - 1)


@kernel
def first_word_of(code: int) -> int:
    """Return the first word of the set that begins with the bytes read."""
    return (code >> DEPTH_BITS) & (MAX_WORDS - 1)


@kernel
def depth_of(code: int) -> int:
    """Return how many bytes of the string are read."""
    return code & ((1 << DEPTH_BITS) - 1)


@kernel
def moved_to(code: int, first_word: int, depth: int) -> int:
    """Return the code of the same set after other bytes."""
    low_bits = WORD_BITS + DEPTH_BITS
    return (code >> low_bits) << low_bits | first_word << DEPTH_BITS | depth


# ---- Stack nodes.


@kernel
def top_frame(machine: Machine, stack: int) -> int:
    """Return the frame on top of a stack."""
    return machine.nodes[stack] & MASK32


@kernel
def stack_below(machine: Machine, stack: int) -> int:
    """Return the stack without its top frame."""
    return machine.nodes[stack] >> 32


@kernel
def push(machine: Machine, below: int, frame: int) -> int:
    """Return the stack with `frame` on top of `below`. Equal stacks have equal numbers."""
    known = value_of_pair(machine.node_index, below, frame)
    if known >= 0:
        return known
    make_room(machine.node_index)  # room comes first: growing a table starts the exported kernel again
    machine.depths.ensure(machine.nodes.used + 1)
    node, stack = below << 32 | frame, machine.nodes.reserve(1)
    machine.nodes[stack] = node
    machine.depths[stack] = machine.depths[below] + 1
    add(machine.node_index, node, stack)
    return stack


@exported(releases_gil=False)
def push_frame(address: int, below: int, frame: int) -> int:
    """`push`, for Python. address: address of the Machine."""
    return push(Machine.at(address), below, frame)
