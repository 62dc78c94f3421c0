"""Kernels: one byte in states between lexemes, in numbers, and in strings that a DFA reads.

They return a pair (code, stack node); the code is DEAD where no text goes on with the byte. Where Python must make
something first they wait (see `asking`), and the same step is made again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.hash_map import add, make_room, slot_of
from ..memory.kernel import exported, kernel
from . import layout as at
from .asking import ask_for_frame, ask_for_row, ask_what_follows
from .structs import Counter, Dfa, DocumentMachine, Machine, Tables

QUOTE = 0x22


@kernel
def push(machine: Machine, parent: int, frame: int) -> int:
    """The stack node of a frame on top of a stack."""
    key = parent << 32 | frame
    context = slot_of(machine.node_index, key)
    if context >= 0:
        return machine.node_index.values[context]
    make_room(machine.node_index)
    node = machine.nodes.reserve(1)
    machine.nodes[node] = key
    add(machine.node_index, key, node)
    return node


@exported(releases_gil=False)
def push_first(address: int, frame: int) -> int:
    """The stack node of a frame at the bottom of the stack. address: of the Machine."""
    return push(Machine.at(address), 0, frame)


@kernel
def top_frame(machine: DocumentMachine, stack: int) -> int:
    """The frame on top of a stack."""
    return machine.nodes[stack] & at.MASK32


@kernel
def next_frame(machine: DocumentMachine, frame: int, returned: int) -> int:
    """What follows a frame after a class; 0 not allowed."""
    context = slot_of(machine.returns, frame << 32 | returned)
    if context < 0:
        ask_what_follows(machine, frame, returned, 0)
    return machine.returns.values[context]


@kernel
def give_back(machine: DocumentMachine, stack: int, returned: int, is_open: int, slot: int) -> tuple[int, int]:
    """A value or a key of class `returned` has ended: where the text goes on.

    is_open: 1 for what would be an open key. slot: where the frame after a capture is (NUMBER_CAPTURE, OTHER_CAPTURE).
    """
    node = machine.nodes[stack]
    frame, parent = node & at.MASK32, node >> 32
    row = machine.frames[frame]
    kind = row.kind
    if kind == at.ROOT_FRAME:
        return at.DONE, 0
    captures = is_open if kind == at.OBJECT_FRAME else row.captures
    if captures and machine.is_exact:
        following = machine.followers[slot]
        if following == 0:
            machine.slot = slot
            ask_what_follows(machine, frame, returned, 1)
        if following < 0:
            return at.DEAD, 0
    else:
        following = next_frame(machine, frame, returned)
        if following == 0:
            return at.DEAD, 0
        if captures:
            machine.captured = parent + 1 if captures == 1 else at.VERIFY
    new_stack = push(machine, parent, following)
    if kind == at.OBJECT_FRAME:
        return at.COLON << 6, new_stack
    if machine.frames[following].kind == at.OBJECT_FRAME:
        return at.AFTER_MEMBER << 6, new_stack
    return at.AFTER_ITEM << 6, new_stack


@kernel
def step_value(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """The first byte of a value."""
    frame = top_frame(machine, stack)
    row = machine.frames[frame]
    if row.is_described == 0:
        ask_for_frame(machine, frame)
    if byte == QUOTE:
        return row.string, stack
    if byte == 0x7B or byte == 0x5B:
        entered = row.object if byte == 0x7B else row.array
        if entered == 0:
            return at.DEAD, 0
        new_stack = push(machine, stack, entered)
        return (at.FIRST_KEY << 6) if byte == 0x7B else (at.FIRST_ITEM << 6), new_stack
    if byte == 0x2D or 0x30 <= byte <= 0x39:
        number = row.number
        if number < 0:
            return at.DEAD, 0
        return step_number(machine, number, stack, byte)
    literal = 0 if byte == 0x74 else 1 if byte == 0x66 else 2
    if (literal < 2 or byte == 0x6E) and row.literals[literal] >= 0:
        return at.LITERAL << 6 | literal << 3 | 1, stack
    return at.DEAD, 0


@kernel
def step_literal(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of true, false or null after the first."""
    offset = code & 63
    literals = machine.tables.literals
    if byte != literals[offset]:
        return at.DEAD, 0
    if literals[offset + 1] != 0:
        return code + 1, stack
    row = machine.frames[top_frame(machine, stack)]
    return give_back(machine, stack, row.literals[offset >> 3], 0, at.OTHER_CAPTURE)


@kernel
def step_key(machine: DocumentMachine, stack: int, byte: int) -> tuple[int, int]:
    """The quote that begins a key."""
    frame = top_frame(machine, stack)
    row = machine.frames[frame]
    if byte != QUOTE:
        return at.DEAD, 0
    if row.is_described == 0:
        ask_for_frame(machine, frame)
    return row.key, stack


@kernel
def step_close(machine: DocumentMachine, stack: int) -> tuple[int, int]:
    """The bracket that closes the container on top."""
    node = machine.nodes[stack]
    frame = node & at.MASK32
    row = machine.frames[frame]
    if row.is_described == 0:
        ask_for_frame(machine, frame)
    returned = row.close
    if returned < 0:
        return at.DEAD, 0
    return give_back(machine, node >> 32, returned, 0, at.OTHER_CAPTURE)


@kernel
def step_comma(machine: DocumentMachine, stack: int, following: int) -> tuple[int, int]:
    """A comma between members or items."""
    frame = top_frame(machine, stack)
    row = machine.frames[frame]
    if row.is_described == 0:
        ask_for_frame(machine, frame)
    if row.continues == 0:
        return at.DEAD, 0
    return following << 6, stack


@kernel
def step_after(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte after a value.

    Apart from `step_structural`, so that kernels do not call each other in a circle (a number ends at what follows it):
    numba 0.68 compiles that rightly, but what it then reads from its cache crashes.
    """
    context = code >> 6
    if context != at.AFTER_MEMBER and context != at.AFTER_ITEM:
        return at.DEAD, 0
    if byte <= 0x20:
        return step_whitespace(machine, code, stack, byte)
    if machine.whitespace[code][4] == 0:
        return at.DEAD, 0
    if byte == 0x2C:
        return step_comma(machine, stack, at.KEY if context == at.AFTER_MEMBER else at.VALUE)
    if byte == (0x7D if context == at.AFTER_MEMBER else 0x5D):
        return step_close(machine, stack)
    return at.DEAD, 0


@kernel
def step_whitespace(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte up to 0x20 between lexemes."""
    column = 0 if byte == 0x20 else 1 if byte == 9 else 2 if byte == 10 else 3 if byte == 13 else -1
    if column < 0:
        return at.DEAD, 0
    following = machine.whitespace[code][column]
    return (following, stack) if following >= 0 else (at.DEAD, 0)


@kernel
def step_structural(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte between lexemes or inside a literal."""
    context = code >> 6
    if context >= at.LITERAL:
        return step_literal(machine, code, stack, byte) if context == at.LITERAL else (at.DEAD, 0)
    if context == at.AFTER_MEMBER or context == at.AFTER_ITEM:
        return step_after(machine, code, stack, byte)
    if byte <= 0x20:
        return step_whitespace(machine, code, stack, byte)
    if machine.whitespace[code][4] == 0:
        return at.DEAD, 0
    if context == at.COLON:
        return (at.VALUE << 6, stack) if byte == 0x3A else (at.DEAD, 0)
    if context == at.KEY or context == at.FIRST_KEY:
        if byte == 0x7D and context == at.FIRST_KEY:
            return step_close(machine, stack)
        return step_key(machine, stack, byte)
    if byte == 0x5D and context == at.FIRST_ITEM:
        return step_close(machine, stack)
    return step_value(machine, code, stack, byte)


@kernel
def step_string(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string that a DFA reads."""
    dfa = machine.tables.dfa
    state = code & at.MASK32
    following = dfa.rows[state][byte]
    if following >= 0:
        return code - state + following, stack
    if following == at.UNBUILT:
        ask_for_row(machine.request, state)
    if following == at.DEAD:
        return at.DEAD, 0
    return give_back(machine, stack, class_at(dfa, code, at.FIRST_END - following), 1, at.OTHER_CAPTURE)


@kernel
def class_at(dfa: Dfa, code: int, index: int) -> int:
    """The class of language `index` of the STRING or NUMBER lexeme of a code."""
    return dfa.class_maps[((code >> 32) & (at.MAX_CLASS_MAPS - 1)) + index]


@kernel
def step_number(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a number, or the one after it: a number has no end of its own."""
    dfa = machine.tables.dfa
    state = code & at.MASK32
    following = dfa.rows[state][byte]
    if following >= 0:
        return code - state + following, stack
    if following == at.UNBUILT:
        ask_for_row(machine.request, state)
    index = dfa.states[state].accepts
    if index < 0:
        return at.DEAD, 0
    ended, new_stack = give_back(machine, stack, class_at(dfa, code, index), 0, at.NUMBER_CAPTURE)
    if ended < 0:
        return ended, 0
    return step_after(machine, ended, new_stack, byte)


@kernel
def counter_of(tables: Tables, code: int) -> Counter:
    """The counter of a COUNTED code."""
    return tables.counters[(code >> (at.COUNT_BITS + at.STATE_BITS)) & (at.MAX_COUNTERS - 1)]


@kernel
def step_counted(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string whose characters are counted."""
    dfa = machine.tables.dfa
    state = code & (at.MAX_STATES - 1)
    following = dfa.rows[state][byte]
    if following == at.UNBUILT:
        ask_for_row(machine.request, state)
    if following == at.DEAD:
        return at.DEAD, 0
    counter = counter_of(machine.tables, code)
    low, high = counter.low, counter.high
    count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
    if following <= at.FIRST_END:
        if count < low:
            return at.DEAD, 0
        return give_back(machine, stack, counter.returned, 1, at.OTHER_CAPTURE)
    begun = dfa.states[state].is_between
    if high >= 0 and count + begun + dfa.states[following].shortest > high:
        return at.DEAD, 0
    if begun and (high >= 0 or count < low):
        code += 1 << at.STATE_BITS
    return code - state + following, stack
