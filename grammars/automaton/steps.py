"""Kernels: one byte in one state. `step` is the automaton; everything else walks with it.

They return a pair (code, stack node). The code is DEAD where no text goes on with the byte, and NEED where Python must
build something first: register M_NEED says what; afterwards the same step is made again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .memory import kernel, load8, load32, load64, store32, store64

_QUOTE = 0x22


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


def hash_pair(a: int, b: int, mask: int) -> int:
    """`pair_hash` for Python's numbers, without a call into compiled code."""
    return ((a * 0x9E3779B1 + b * 0x85EBCA6B) >> 15) & mask


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
            store64(m, at.M_CAPTURED, parent + 1)
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
    if byte == _QUOTE:
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
    if byte != _QUOTE:
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


@kernel
def word_info(m: int, first: int, word: int, field: int) -> int:
    """A field of a word of the set whose words begin at `first`."""
    return load32(load64(m, at.M_WORDS), (first + word) * at.WORD_FIELDS + field)


@kernel
def word_byte(m: int, first: int, word: int, depth: int) -> int:
    """Byte `depth` of a word."""
    return load8(load64(m, at.M_WORD_TEXT), word_info(m, first, word, at.I_START) + depth)


@kernel
def set_row(m: int, code: int) -> int:
    """The address of the word set of a WORDS, OVERLAY or CORRECTION code."""
    index = (code >> (at.WORD_BITS + at.DEPTH_BITS)) & (at.MAX_SETS - 1)
    return load64(m, at.M_SETS) + index * (at.SET_FIELDS * 8)


@kernel
def group_end(m: int, first: int, size: int, word: int, depth: int) -> int:
    """One past the last word that has its first `depth` bytes in common with `word`."""
    word += 1
    while word < size and word_info(m, first, word, at.I_COMMON) >= depth:
        word += 1
    return word


@kernel
def find_group(m: int, first: int, word: int, end: int, depth: int, byte: int) -> int:
    """The first of the words word .. end - 1 whose byte `depth` is `byte`; end when there is none."""
    low, high = word, end
    while low < high:
        middle = (low + high) >> 1
        if word_byte(m, first, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and word_byte(m, first, low, depth) == byte else end


@kernel
def is_allowed(m: int, row: int, word: int) -> int:
    """1 when a word of a set is allowed now."""
    order = word_info(m, load64(row, at.W_FIRST), word, at.I_ORDER)
    return 1 if load64(row, at.W_FROM) <= order < load64(row, at.W_TO) else 0


@kernel
def any_allowed(m: int, row: int, word: int, end: int) -> int:
    """1 when any of the words word .. end - 1 is allowed now."""
    for index in range(word, end):
        if is_allowed(m, row, index):
            return 1
    return 0


@kernel
def word_code(code: int, word: int, depth: int) -> int:
    """The code of the same set at another place."""
    low_bits = at.WORD_BITS + at.DEPTH_BITS
    return (code >> low_bits) << low_bits | word << at.DEPTH_BITS | depth


@kernel
def word_length(m: int, first: int, word: int) -> int:
    """The bytes of a word, closing quote included."""
    return word_info(m, first, word + 1, at.I_START) - word_info(m, first, word, at.I_START)


@kernel
def word_depth(code: int) -> int:
    """How many bytes of the word are read in a WORDS or OVERLAY state."""
    return code & ((1 << at.DEPTH_BITS) - 1)


@kernel
def word_index(code: int) -> int:
    """The first word of its set that a WORDS or OVERLAY state can become."""
    return (code >> at.DEPTH_BITS) & (at.MAX_WORDS - 1)


@kernel
def step_words(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string that is one of the allowed words of a set."""
    row = set_row(m, code)
    first, size = load64(row, at.W_FIRST), load64(row, at.W_SIZE)
    depth, word = word_depth(code), word_index(code)
    end = size if depth == 0 else group_end(m, first, size, word, depth)
    begin = find_group(m, first, word, end, depth, byte)
    if begin == end:
        return at.DEAD, 0
    return enter_group(m, code, stack, row, begin)


@kernel
def enter_group(m: int, code: int, stack: int, row: int, word: int) -> tuple[int, int]:
    """One byte further in a WORDS state; `word` is the first of its group there."""
    first, size, depth = load64(row, at.W_FIRST), load64(row, at.W_SIZE), word_depth(code) + 1
    if word_length(m, first, word) == depth:
        if not is_allowed(m, row, word):
            return at.DEAD, 0
        return give_back(m, stack, word_info(m, first, word, at.I_CLASS), 0, at.M_CAPTURE_B)
    if not any_allowed(m, row, word, group_end(m, first, size, word, depth)):
        return at.DEAD, 0
    return word_code(code, word, depth), stack


@kernel
def step_base(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte in a STRING or COUNTED state."""
    if code >> at.TAG_SHIFT == at.STRING:
        return step_string(m, code, stack, byte)
    return step_counted(m, code, stack, byte)


@kernel
def run_base(m: int, code: int, first: int, word: int, start: int, end: int) -> int:
    """The base lexeme's code after bytes start .. end - 1 of a word (not its last), from `code`; DEAD or NEED too."""
    for depth in range(start, end):
        if code < 0:
            return code
        code, _ = step_base(m, code, 0, word_byte(m, first, word, depth))
    return code


@kernel
def base_at(m: int, code: int) -> int:
    """The base lexeme's code beside an OVERLAY state; DEAD where the base reads nothing like it; NEED."""
    row = set_row(m, code)
    return run_base(m, load64(row, at.W_BASE), load64(row, at.W_FIRST), word_index(code), 0, word_depth(code))


@kernel
def base_takes(m: int, code: int, byte: int) -> int:
    """1 when the base lexeme goes on, or ends, with a byte; 0; NEED."""
    lexicon = load64(m, at.M_LEXICON)
    is_string = code >> at.TAG_SHIFT == at.STRING
    state = code & at.MASK32 if is_string else code & (at.MAX_STATES - 1)
    following = load32(load64(lexicon, at.L_ROWS), state * 256 + byte)
    if following == at.UNBUILT:
        need(m, at.NEED_ROW, state, 0)
        return at.NEED
    if following == at.DEAD:
        return 0
    if following <= at.FIRST_END:
        if is_string:
            return 1
        count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
        return 1 if count >= load64(counter_row(lexicon, code), at.K_LOW) else 0
    return 1 if is_string or step_counted(m, code, 0, byte)[0] >= 0 else 0


@kernel
def leaves_words(m: int, base: int, first: int, word: int, end: int, depth: int) -> int:
    """1 when the base lexeme goes on with a byte with which none of the words word .. end - 1 goes on; 0; NEED.

    All the words share `depth` bytes. The closing quote is tried first: most bases may end anywhere.
    """
    for index in range(-1, 256):
        byte = _QUOTE if index < 0 else index
        takes = base_takes(m, base, byte)
        if takes < 0:
            return takes
        if takes and find_group(m, first, word, end, depth, byte) == end:
            return 1
    return 0


@kernel
def is_base_alive(m: int, row: int, base: int, word: int, end: int, depth: int) -> int:
    """1 when a base lexeme's state accepts a text that is none of the words word .. end - 1 (sharing `depth` bytes).

    All states of a DFA are alive, so it is enough to find a byte that leaves the tree of the words.
    """
    first, size = load64(row, at.W_FIRST), load64(row, at.W_SIZE)
    for index in range(word, end):
        start = depth if index == word else max(depth, word_info(m, first, index, at.I_COMMON) + 1)
        state = run_base(m, base, first, index, depth, start)
        for place in range(start, word_length(m, first, index)):
            if state == at.NEED:
                return at.NEED
            if state < 0:
                break
            leaves = leaves_words(m, state, first, index, group_end(m, first, size, index, place), place)
            if leaves != 0:
                return leaves
            if place + 1 < word_length(m, first, index):
                state = run_base(m, state, first, index, place, place + 1)
    return 0


@kernel
def enter_overlay_group(m: int, code: int, stack: int, base: int, word: int) -> tuple[int, int]:
    """One byte further in an OVERLAY state along its words; `word` is the first of the group there.

    base: the base lexeme's code before the byte.
    """
    row, depth = set_row(m, code), word_depth(code) + 1
    first, size = load64(row, at.W_FIRST), load64(row, at.W_SIZE)
    if word_length(m, first, word) == depth:
        return enter_group(m, code, stack, row, word)
    end = group_end(m, first, size, word, depth)
    if not any_allowed(m, row, word, end):
        base = run_base(m, base, first, word, depth - 1, depth)
        if base < 0:
            return base, 0
        alive = is_base_alive(m, row, base, word, end, depth)
        if alive <= 0:
            return (at.NEED if alive < 0 else at.DEAD), 0
    return word_code(code, word, depth), stack


@kernel
def step_overlay(m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string of a base lexeme beside which words are allowed or excluded."""
    row = set_row(m, code)
    first, size = load64(row, at.W_FIRST), load64(row, at.W_SIZE)
    depth, word = word_depth(code), word_index(code)
    end = size if depth == 0 else group_end(m, first, size, word, depth)
    base = base_at(m, code)
    if base == at.NEED:
        return at.NEED, 0
    begin = find_group(m, first, word, end, depth, byte)
    if begin < end:
        return enter_overlay_group(m, code, stack, base, begin)
    return step_base(m, base, stack, byte) if base >= 0 else (at.DEAD, 0)


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


@kernel
def place_words(m: int, first: int, size: int, start: int) -> None:
    """Finish the rows of new words, whose I_START holds their length: their bytes are neighbours from `start` on."""
    text, words = load64(m, at.M_WORD_TEXT), load64(m, at.M_WORDS)
    before = start
    for word in range(first, first + size):
        row = words + word * (at.WORD_FIELDS * 4)
        length, common = load32(row, at.I_START), 0
        if word > first:
            while common < length and load8(text, start + common) == load8(text, before + common):
                common += 1
        store32(row, at.I_START, start)
        store32(row, at.I_COMMON, common)
        before, start = start, start + length
    store32(words + (first + size) * (at.WORD_FIELDS * 4), at.I_START, start)
