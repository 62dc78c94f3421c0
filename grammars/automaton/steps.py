"""Kernels: one byte in states between lexemes, in numbers, and in strings that a DFA reads.

They return a pair (code, stack node). The code is DEAD where no text goes on with the byte, and NEED where Python must
build something first: register M_NEED says what; afterwards the same step is made again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .memory import kernel, load8, load32, load64, store32, store64

QUOTE = 0x22


@kernel
def need(m: int, kind: int, a: int, b: int) -> tuple[int, int]:
    """Ask Python for something."""
    store64(m, at.M_NEED, kind)
    store64(m, at.M_NEED_A, a)
    store64(m, at.M_NEED_B, b)
    return at.NEED, 0


@kernel
def pair_hash(a: int, b: int, mask: int) -> int:
    """A place in a hash table of mask + 1 places, for two numbers below 2 ** 31. `hash_pair` is the same in Python."""
    return ((a * 0x9E3779B1 + b * 0x85EBCA6B) >> 15) & mask


@kernel
def refill_pairs(old_keys: int, old_values: int, num_old: int, keys: int, values: int, mask: int) -> None:
    """Put the pairs of a hash table into a larger one, which is empty."""
    for index in range(num_old):
        key = load64(old_keys, index)
        if key != 0:
            place = pair_hash(key >> 32, key & at.MASK32, mask)
            while load64(keys, place) != 0:
                place = (place + 1) & mask
            store64(keys, place, key)
            store32(values, place, load32(old_values, index))


@kernel
def push(m: int, parent: int, frame: int) -> int:
    """The stack node of a frame on top of a stack; NEED when the table is full."""
    nodes, table, mask = load64(m, at.M_NODES), load64(m, at.M_NODE_TABLE), load64(m, at.M_NODE_MASK)
    key = parent << 32 | frame
    place = pair_hash(parent, frame, mask)
    while True:
        node = load32(table, place)
        if node == 0:
            break
        if load64(nodes, node) == key:
            return node
        place = (place + 1) & mask
    node = load64(m, at.M_NODES + 1)
    if node >= load64(m, at.M_NODES + 2) or 2 * node > mask:
        need(m, at.NEED_STACK, 0, 0)
        return at.NEED
    store64(nodes, node, key)
    store64(m, at.M_NODES + 1, node + 1)
    store32(table, place, node)
    return node


@kernel
def frame_row(m: int, frame: int) -> int:
    """The address of a frame's row."""
    return load64(m, at.M_FRAMES) + frame * (at.FRAME_FIELDS * 8)


@kernel
def next_frame(m: int, frame: int, returned: int) -> int:
    """What follows a frame after a class; 0 not allowed, NEED when it is not built."""
    keys, values, mask = load64(m, at.M_RETURN_KEYS), load64(m, at.M_RETURN_VALUES), load64(m, at.M_RETURN_MASK)
    key = frame << 32 | returned
    place = pair_hash(frame, returned, mask)
    while True:
        found = load64(keys, place)
        if found == key:
            return load32(values, place)
        if found == 0:
            need(m, at.NEED_RETURN, frame, returned)
            return at.NEED
        place = (place + 1) & mask


@kernel
def give_back(m: int, stack: int, returned: int, is_open: int, slot: int) -> tuple[int, int]:
    """A value or a key of class `returned` has ended: where the text goes on.

    is_open: 1 for what would be an open key. slot: register of the frame after a capture (M_CAPTURE_A or M_CAPTURE_B).
    """
    node = load64(load64(m, at.M_NODES), stack)
    frame, parent = node & at.MASK32, node >> 32
    row = frame_row(m, frame)
    kind = load64(row, at.F_KIND)
    if kind == at.ROOT_FRAME:
        return at.DONE, 0
    captures = is_open if kind == at.OBJECT_FRAME else load64(row, at.F_CAPTURES)
    if captures and load64(m, at.M_EXACT):
        following = load64(m, slot)
        if following == 0:
            store64(m, at.M_NEED_SLOT, slot)
            return need(m, at.NEED_CAPTURE, frame, returned)
        if following < 0:
            return at.DEAD, 0
    else:
        following = next_frame(m, frame, returned)
        if following == 0:
            return at.DEAD, 0
        if captures:
            store64(m, at.M_CAPTURED, parent + 1 if captures == 1 else at.VERIFY)
    if following < 0:
        return at.NEED, 0
    new_stack = push(m, parent, following)
    if new_stack < 0:
        return at.NEED, 0
    if kind == at.OBJECT_FRAME:
        return at.COLON << 6, new_stack
    if load64(frame_row(m, following), at.F_KIND) == at.OBJECT_FRAME:
        return at.AFTER_MEMBER << 6, new_stack
    return at.AFTER_ITEM << 6, new_stack


@kernel
def step_value(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """The first byte of a value."""
    frame = load64(load64(m, at.M_NODES), stack) & at.MASK32
    row = frame_row(m, frame)
    if load64(row, at.F_DESCRIBED) == 0:
        return need(m, at.NEED_FRAME, frame, 0)
    if byte == QUOTE:
        return load64(row, at.F_STRING), stack
    if byte == 0x7B or byte == 0x5B:
        entered = load64(row, at.F_OBJECT if byte == 0x7B else at.F_ARRAY)
        if entered == 0:
            return at.DEAD, 0
        new_stack = push(m, stack, entered)
        if new_stack < 0:
            return at.NEED, 0
        return (at.FIRST_KEY << 6) if byte == 0x7B else (at.FIRST_ITEM << 6), new_stack
    if byte == 0x2D or 0x30 <= byte <= 0x39:
        number = load64(row, at.F_NUMBER)
        if number < 0:
            return at.DEAD, 0
        return step_number(m, number, stack, byte)
    literal = 0 if byte == 0x74 else 1 if byte == 0x66 else 2
    if (literal < 2 or byte == 0x6E) and load64(row, at.F_TRUE + literal) >= 0:
        return at.LITERAL << 6 | literal << 3 | 1, stack
    return at.DEAD, 0


@kernel
def step_literal(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of true, false or null after the first."""
    offset = code & 63
    literals = load64(load64(m, at.M_LEXICON), at.L_LITERALS)
    if byte != load8(literals, offset):
        return at.DEAD, 0
    if load8(literals, offset + 1) != 0:
        return code + 1, stack
    row = frame_row(m, load64(load64(m, at.M_NODES), stack) & at.MASK32)
    return give_back(m, stack, load64(row, at.F_TRUE + (offset >> 3)), 0, at.M_CAPTURE_B)


@kernel
def step_key(m: int, stack: int, byte: int) -> tuple[int, int]:
    """The quote that begins a key."""
    frame = load64(load64(m, at.M_NODES), stack) & at.MASK32
    row = frame_row(m, frame)
    if byte != QUOTE:
        return at.DEAD, 0
    if load64(row, at.F_DESCRIBED) == 0:
        return need(m, at.NEED_FRAME, frame, 0)
    return load64(row, at.F_KEY), stack


@kernel
def step_close(m: int, stack: int) -> tuple[int, int]:
    """The bracket that closes the container on top."""
    node = load64(load64(m, at.M_NODES), stack)
    frame = node & at.MASK32
    row = frame_row(m, frame)
    if load64(row, at.F_DESCRIBED) == 0:
        return need(m, at.NEED_FRAME, frame, 0)
    returned = load64(row, at.F_CLOSE)
    if returned < 0:
        return at.DEAD, 0
    return give_back(m, node >> 32, returned, 0, at.M_CAPTURE_B)


@kernel
def step_comma(m: int, stack: int, following: int) -> tuple[int, int]:
    """A comma between members or items."""
    frame = load64(load64(m, at.M_NODES), stack) & at.MASK32
    row = frame_row(m, frame)
    if load64(row, at.F_DESCRIBED) == 0:
        return need(m, at.NEED_FRAME, frame, 0)
    if load64(row, at.F_CONTINUES) == 0:
        return at.DEAD, 0
    return following << 6, stack


@kernel
def step_after(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte after a value.

    Apart from `step_structural`, so that kernels do not call each other in a circle (a number ends at what follows it):
    numba 0.68 compiles that rightly, but what it then reads from its cache crashes.
    """
    place = code >> 6
    if place != at.AFTER_MEMBER and place != at.AFTER_ITEM:
        return at.DEAD, 0
    if byte <= 0x20:
        return step_whitespace(m, code, stack, byte)
    if load32(load64(m, at.M_WHITESPACE), code * 8 + 4) == 0:
        return at.DEAD, 0
    if byte == 0x2C:
        return step_comma(m, stack, at.KEY if place == at.AFTER_MEMBER else at.VALUE)
    if byte == (0x7D if place == at.AFTER_MEMBER else 0x5D):
        return step_close(m, stack)
    return at.DEAD, 0


@kernel
def step_whitespace(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte up to 0x20 between lexemes."""
    column = 0 if byte == 0x20 else 1 if byte == 9 else 2 if byte == 10 else 3 if byte == 13 else -1
    if column < 0:
        return at.DEAD, 0
    following = load32(load64(m, at.M_WHITESPACE), code * 8 + column)
    return (following, stack) if following >= 0 else (at.DEAD, 0)


@kernel
def step_structural(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte between lexemes or inside a literal."""
    place = code >> 6
    if place >= at.LITERAL:
        return step_literal(m, code, stack, byte) if place == at.LITERAL else (at.DEAD, 0)
    if place == at.AFTER_MEMBER or place == at.AFTER_ITEM:
        return step_after(m, code, stack, byte)
    whitespace = load64(m, at.M_WHITESPACE)
    if byte <= 0x20:
        return step_whitespace(m, code, stack, byte)
    if load32(whitespace, code * 8 + 4) == 0:
        return at.DEAD, 0
    if place == at.COLON:
        return (at.VALUE << 6, stack) if byte == 0x3A else (at.DEAD, 0)
    if place == at.KEY or place == at.FIRST_KEY:
        if byte == 0x7D and place == at.FIRST_KEY:
            return step_close(m, stack)
        return step_key(m, stack, byte)
    if byte == 0x5D and place == at.FIRST_ITEM:
        return step_close(m, stack)
    return step_value(m, code, stack, byte)


@kernel
def state_field(lexicon: int, state: int, field: int) -> int:
    """A field of a DFA state."""
    return load32(load64(lexicon, at.L_STATES), state * at.STATE_FIELDS + field)


@kernel
def step_string(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string that a DFA reads."""
    lexicon = load64(m, at.M_LEXICON)
    state = code & at.MASK32
    following = load32(load64(lexicon, at.L_ROWS), state * 256 + byte)
    if following >= 0:
        return code - state + following, stack
    if following > at.FIRST_END:
        return need(m, at.NEED_ROW, state, 0) if following == at.UNBUILT else (at.DEAD, 0)
    return give_back(m, stack, class_at(lexicon, code, at.FIRST_END - following), 1, at.M_CAPTURE_B)


@kernel
def class_at(lexicon: int, code: int, index: int) -> int:
    """The class of language `index` of the STRING or NUMBER lexeme of a code."""
    return load32(load64(lexicon, at.L_CLASS_MAPS), ((code >> 32) & (at.MAX_CLASS_MAPS - 1)) + index)


@kernel
def step_number(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a number, or the one after it: a number has no end of its own."""
    lexicon = load64(m, at.M_LEXICON)
    state = code & at.MASK32
    following = load32(load64(lexicon, at.L_ROWS), state * 256 + byte)
    if following >= 0:
        return code - state + following, stack
    if following == at.UNBUILT:
        return need(m, at.NEED_ROW, state, 0)
    index = state_field(lexicon, state, at.D_ACCEPT)
    if index < 0:
        return at.DEAD, 0
    ended, new_stack = give_back(m, stack, class_at(lexicon, code, index), 0, at.M_CAPTURE_A)
    if ended < 0:
        return ended, 0
    return step_after(m, ended, new_stack, byte)


@kernel
def counter_row(lexicon: int, code: int) -> int:
    """The address of the counter of a COUNTED code."""
    counter = (code >> (at.COUNT_BITS + at.STATE_BITS)) & (at.MAX_COUNTERS - 1)
    return load64(lexicon, at.L_COUNTERS) + counter * (at.COUNTER_FIELDS * 8)


@kernel
def step_counted(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string whose characters are counted."""
    lexicon = load64(m, at.M_LEXICON)
    state = code & (at.MAX_STATES - 1)
    following = load32(load64(lexicon, at.L_ROWS), state * 256 + byte)
    if following == at.UNBUILT:
        return need(m, at.NEED_ROW, state, 0)
    if following == at.DEAD:
        return at.DEAD, 0
    row = counter_row(lexicon, code)
    low, high = load64(row, at.K_LOW), load64(row, at.K_HIGH)
    count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
    if following <= at.FIRST_END:
        if count < low:
            return at.DEAD, 0
        return give_back(m, stack, load64(row, at.K_CLASS), 1, at.M_CAPTURE_B)
    begun = state_field(lexicon, state, at.D_BOUNDARY)
    if high >= 0 and count + begun + state_field(lexicon, following, at.D_SHORTEST) > high:
        return at.DEAD, 0
    if begun and (high >= 0 or count < low):
        code += 1 << at.STATE_BITS
    return code - state + following, stack
