"""Kernels: one byte in strings that are words of a set, alone (WORDS) or beside a base lexeme (OVERLAY).

A state is a range of the sorted words: those that begin with the bytes read, given by the first of them and the number
of bytes. Nothing has to be built for it. The base lexeme's state beside it follows from the bytes read; it is run again
when it is needed.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .memory import kernel, load8, load32, load64, store32, store64
from .steps import QUOTE, counter_row, give_back, need, step_counted, step_string


@kernel
def word_info(m: int, first: int, word: int, field: int) -> int:
    """A field of a word of the set whose words begin at `first`."""
    return load32(load64(m, at.M_WORDS), (first + word) * at.WORD_FIELDS + field)


@kernel
def word_byte(m: int, first: int, word: int, depth: int) -> int:
    """Byte `depth` of a word."""
    return load8(load64(m, at.M_WORD_TEXT), word_info(m, first, word, at.I_START) + depth)


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
def word_code(code: int, word: int, depth: int) -> int:
    """The code of the same set at another place."""
    low_bits = at.WORD_BITS + at.DEPTH_BITS
    return (code >> low_bits) << low_bits | word << at.DEPTH_BITS | depth


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
    bitmap = load64(row, at.W_BITMAP)
    if bitmap:
        return (load64(bitmap, word >> 6) >> (word & 63)) & 1
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
        byte = QUOTE if index < 0 else index
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


@kernel
def copy_numbers(source: int, target: int, count: int) -> None:
    """Copy int64 numbers from one address to another."""
    for index in range(count):
        store64(target, index, load64(source, index))
