"""Kernels: one byte in strings that are words of a set, alone (WORDS) or beside a base lexeme (OVERLAY).

A state is a range of the sorted words: those that begin with the bytes read, given by the first of them and the number
of bytes. Nothing has to be built for it. The base lexeme's state beside it follows from the bytes read; it is run again
when it is needed.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import exported, kernel
from . import layout as at
from .asking import ask_for_row
from .steps import QUOTE, counter_of, give_back, step_counted, step_string
from .structs import DocumentMachine, WordSet


@kernel
def word_byte(machine: DocumentMachine, first: int, word: int, depth: int) -> int:
    """Byte `depth` of a word of the set whose words begin at `first`."""
    return machine.word_text[machine.words[first + word].start + depth]


@kernel
def word_length(machine: DocumentMachine, first: int, word: int) -> int:
    """The bytes of a word, closing quote included."""
    return machine.words[first + word + 1].start - machine.words[first + word].start


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
    """The code of the same set at another position."""
    low_bits = at.WORD_BITS + at.DEPTH_BITS
    return (code >> low_bits) << low_bits | word << at.DEPTH_BITS | depth


@kernel
def words_of(machine: DocumentMachine, code: int) -> WordSet:
    """The word set of a WORDS, OVERLAY or CORRECTION code."""
    return machine.sets[(code >> (at.WORD_BITS + at.DEPTH_BITS)) & (at.MAX_SETS - 1)]


@kernel
def group_end(machine: DocumentMachine, first: int, size: int, word: int, depth: int) -> int:
    """One past the last word that has its first `depth` bytes in common with `word`."""
    word += 1
    while word < size and machine.words[first + word].common >= depth:
        word += 1
    return word


@kernel
def find_group(machine: DocumentMachine, first: int, word: int, end: int, depth: int, byte: int) -> int:
    """The first of the words word .. end - 1 whose byte `depth` is `byte`; end when there is none."""
    low, high = word, end
    while low < high:
        middle = (low + high) >> 1
        if word_byte(machine, first, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and word_byte(machine, first, low, depth) == byte else end


@kernel
def is_allowed(machine: DocumentMachine, words: WordSet, word: int) -> int:
    """1 when a word of a set is allowed now."""
    if len(words.bitmap):
        return (words.bitmap[word >> 6] >> (word & 63)) & 1
    order = machine.words[words.first + word].order
    return 1 if words.start <= order < words.end else 0


@kernel
def any_allowed(machine: DocumentMachine, words: WordSet, word: int, end: int) -> int:
    """1 when any of the words word .. end - 1 is allowed now."""
    for index in range(word, end):
        if is_allowed(machine, words, index):
            return 1
    return 0


@kernel
def enter_group(machine: DocumentMachine, code: int, stack: int, words: WordSet, word: int) -> tuple[int, int]:
    """One byte further in a WORDS state; `word` is the first of its group there."""
    first, size, depth = words.first, words.size, word_depth(code) + 1
    if word_length(machine, first, word) == depth:
        if not is_allowed(machine, words, word):
            return at.DEAD, 0
        return give_back(machine, stack, machine.words[first + word].returned, 0, at.OTHER_CAPTURE)
    if not any_allowed(machine, words, word, group_end(machine, first, size, word, depth)):
        return at.DEAD, 0
    return word_code(code, word, depth), stack


@kernel
def step_words(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string that is one of the allowed words of a set."""
    words = words_of(machine, code)
    first, size = words.first, words.size
    depth, word = word_depth(code), word_index(code)
    end = size if depth == 0 else group_end(machine, first, size, word, depth)
    begin = find_group(machine, first, word, end, depth, byte)
    if begin == end:
        return at.DEAD, 0
    return enter_group(machine, code, stack, words, begin)


@kernel
def step_base(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte in a STRING or COUNTED state."""
    if code >> at.TAG_SHIFT == at.STRING:
        return step_string(machine, code, stack, byte)
    return step_counted(machine, code, stack, byte)


@kernel
def run_base(machine: DocumentMachine, code: int, first: int, word: int, start: int, end: int) -> int:
    """The base lexeme's code after bytes start .. end - 1 of a word (not its last), from `code`; DEAD too."""
    for depth in range(start, end):
        if code < 0:
            return code
        code, _ = step_base(machine, code, 0, word_byte(machine, first, word, depth))
    return code


@kernel
def base_at(machine: DocumentMachine, code: int) -> int:
    """The base lexeme's code beside an OVERLAY state; DEAD where the base reads nothing like it."""
    words = words_of(machine, code)
    return run_base(machine, words.base, words.first, word_index(code), 0, word_depth(code))


@kernel
def base_takes(machine: DocumentMachine, code: int, byte: int) -> int:
    """1 when the base lexeme goes on, or ends, with a byte; 0."""
    is_string = code >> at.TAG_SHIFT == at.STRING
    state = code & at.MASK32 if is_string else code & (at.MAX_STATES - 1)
    following = machine.tables.dfa.rows[state][byte]
    if following == at.UNBUILT:
        ask_for_row(machine.request, state)
    if following == at.DEAD:
        return 0
    if following <= at.FIRST_END:
        if is_string:
            return 1
        count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
        return 1 if count >= counter_of(machine.tables, code).low else 0
    return 1 if is_string or step_counted(machine, code, 0, byte)[0] >= 0 else 0


@kernel
def leaves_words(machine: DocumentMachine, base: int, first: int, word: int, end: int, depth: int) -> int:
    """1 when the base lexeme goes on with a byte with which none of the words word .. end - 1 goes on; 0.

    All the words share `depth` bytes. The closing quote is tried first: most bases may end anywhere.
    """
    for index in range(-1, 256):
        byte = QUOTE if index < 0 else index
        if base_takes(machine, base, byte) and find_group(machine, first, word, end, depth, byte) == end:
            return 1
    return 0


@kernel
def is_base_alive(machine: DocumentMachine, words: WordSet, base: int, word: int, end: int, depth: int) -> int:
    """1 when a base lexeme's state accepts a text that is none of the words word .. end - 1 (sharing `depth` bytes).

    All states of a DFA are alive, so it is enough to find a byte that leaves the tree of the words.
    """
    first, size = words.first, words.size
    for index in range(word, end):
        start = depth if index == word else max(depth, machine.words[first + index].common + 1)
        state = run_base(machine, base, first, index, depth, start)
        for offset in range(start, word_length(machine, first, index)):
            if state < 0:
                break
            if leaves_words(machine, state, first, index, group_end(machine, first, size, index, offset), offset):
                return 1
            if offset + 1 < word_length(machine, first, index):
                state = run_base(machine, state, first, index, offset, offset + 1)
    return 0


@kernel
def enter_overlay_group(machine: DocumentMachine, code: int, stack: int, base: int, word: int) -> tuple[int, int]:
    """One byte further in an OVERLAY state along its words; `word` is the first of the group there.

    base: the base lexeme's code before the byte.
    """
    words, depth = words_of(machine, code), word_depth(code) + 1
    first, size = words.first, words.size
    if word_length(machine, first, word) == depth:
        return enter_group(machine, code, stack, words, word)
    end = group_end(machine, first, size, word, depth)
    if not any_allowed(machine, words, word, end):
        base = run_base(machine, base, first, word, depth - 1, depth)
        if base < 0:
            return base, 0
        if not is_base_alive(machine, words, base, word, end, depth):
            return at.DEAD, 0
    return word_code(code, word, depth), stack


@kernel
def step_overlay(machine: DocumentMachine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """A byte of a string of a base lexeme beside which words are allowed or excluded."""
    words = words_of(machine, code)
    first, size = words.first, words.size
    depth, word = word_depth(code), word_index(code)
    end = size if depth == 0 else group_end(machine, first, size, word, depth)
    base = base_at(machine, code)
    begin = find_group(machine, first, word, end, depth, byte)
    if begin < end:
        return enter_overlay_group(machine, code, stack, base, begin)
    return step_base(machine, base, stack, byte) if base >= 0 else (at.DEAD, 0)


@exported(releases_gil=False)
def set_window(address: int, first: int, size: int, start: int) -> None:
    """Finish the rows of new words, whose `start` holds their length: their bytes are neighbours from `start` on."""
    machine = DocumentMachine.at(address)
    text, words, before = machine.word_text.span(), machine.words.span(), start
    for word in range(first, first + size):
        length, common = words[word].start, 0
        if word > first:
            while common < length and text[start + common] == text[before + common]:
                common += 1
        words[word].start = start
        words[word].common = common
        before, start = start, start + length
    words[first + size].start = start
