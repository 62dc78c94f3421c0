"""Kernels: one byte in strings that are words of a set, alone (WORDS) or beside a base lexeme (OVERLAY).

A set has its words sorted by their bytes, each with its closing quote but without the opening one. Words are numbered
from 0. Some are allowed now, others are not: used keys, say. An OVERLAY state allows the allowed words, and all texts
of the base lexeme that are none of the words.

A state has the number of bytes read (`depth`) and the first word that begins with these bytes. All such words are
neighbours. Neighbours with the same next byte are a group, named by its first word. Nothing is built for a state. The
base lexeme's code beside it follows from the bytes read, and is computed again on each use.

Example: the words ab" ac" b" (0, 1, 2), after the byte a. Depth is 1; the words are 0 and 1, in two groups, by the
    bytes b and c.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int64s, UInt8s
from ...memory.kernel import exported, kernel
from ...memory.structs import Array, uint8
from ..codes import count_of, depth_of, dfa_state_of, first_word_of, moved_to, set_number_of, tag_of
from ..layout import DEAD, FIRST_END, OTHER_CAPTURE, OVERLAY, QUOTED, STRING, WORDS
from ..machine import Machine
from ..quotes.places import place_of, step_quote
from ..structs import WordSet
from .steps import QUOTE, counter_of, end_value, next_dfa_state, step_counted, step_string

# ---- Words.


@kernel
def word_set_of(machine: Machine, code: int) -> WordSet:
    """Return the word set of a WORDS, OVERLAY or CORRECTION code."""
    return machine.sets[set_number_of(code)]


@kernel
def word_byte(machine: Machine, word_set: WordSet, word: int, place: int) -> int:
    """Return a byte of a word."""
    return machine.word_text[machine.words[word_set.first + word].start + place]


@kernel
def word_length(machine: Machine, word_set: WordSet, word: int) -> int:
    """Return the number of bytes of a word, closing quote included."""
    return machine.words[word_set.first + word + 1].start - machine.words[word_set.first + word].start


@kernel
def is_allowed(machine: Machine, word_set: WordSet, word: int) -> int:
    """Return 1 if a word of a set is allowed now."""
    bit = machine.words[word_set.first + word].bit
    return machine.keys[word_set.allowed + (bit >> 6)] >> (bit & 63) & 1 if bit >= 0 else 0


@kernel
def any_allowed(machine: Machine, word_set: WordSet, word: int, end: int) -> int:
    """Return 1 if any of the words word .. end - 1 is allowed now."""
    for index in range(word, end):
        if is_allowed(machine, word_set, index):
            return 1
    return 0


# ---- Groups.


@kernel
def group_end(machine: Machine, word_set: WordSet, word: int, depth: int) -> int:
    """Return one past the last word that shares its first `depth` bytes with `word`."""
    word += 1
    while word < word_set.size and machine.words[word_set.first + word].common >= depth:
        word += 1
    return word


@kernel
def next_group(machine: Machine, word_set: WordSet, group: int, depth: int) -> int:
    """Return the first word after a group, whose words share `depth` + 1 bytes."""
    return group_end(machine, word_set, group, depth + 1)


@kernel
def range_end(machine: Machine, word_set: WordSet, first_word: int, depth: int) -> int:
    """Return one past the last word of a state. Like `group_end`, but quick before anything is read."""
    return word_set.size if depth == 0 else group_end(machine, word_set, first_word, depth)


@kernel
def find_group(machine: Machine, word_set: WordSet, word: int, end: int, depth: int, byte: int) -> int:
    """Return the group that goes on with a byte among the words word .. end - 1; end if there is none. By bisection.

    The words share `depth` bytes.
    """
    low, high = word, end
    while low < high:
        middle = (low + high) >> 1
        if word_byte(machine, word_set, middle, depth) < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and word_byte(machine, word_set, low, depth) == byte else end


# ---- Words alone.


@kernel
def step_words(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a string that is one of the allowed words of a set."""
    word_set, depth, word = word_set_of(machine, code), depth_of(code), first_word_of(code)
    end = range_end(machine, word_set, word, depth)
    group = find_group(machine, word_set, word, end, depth, byte)
    return step_into_group(machine, code, stack, word_set, group) if group < end else (DEAD, 0)


@kernel
def step_into_group(machine: Machine, code: int, stack: int, word_set: WordSet, group: int) -> tuple[int, int]:
    """Step by the byte of a group, in a WORDS state, or at the end of a word in an OVERLAY state.

    group: group that the byte leads to.
    """
    depth = depth_of(code) + 1
    if word_length(machine, word_set, group) == depth:  # a word has ended with its quote, so it is alone in the group
        if not is_allowed(machine, word_set, group):
            return DEAD, 0
        word = machine.words[word_set.first + group]
        return end_value(machine, stack, word.returned, word.bit, OTHER_CAPTURE)
    if not any_allowed(machine, word_set, group, group_end(machine, word_set, group, depth)):
        return DEAD, 0
    return moved_to(code, group, depth), stack


@kernel
def step_text(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte of a text in a WORDS or OVERLAY state, or in a state of a DFA."""
    tag = tag_of(code)
    if tag == WORDS:
        return step_words(machine, code, stack, byte)
    return step_overlay(machine, code, stack, byte) if tag == OVERLAY else step_base(machine, code, stack, byte)


# ---- Words beside a base lexeme.


@kernel
def step_overlay(machine: Machine, code: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte in an OVERLAY state: some words are allowed or excluded beside the texts of a base lexeme."""
    word_set, depth, word = word_set_of(machine, code), depth_of(code), first_word_of(code)
    end = range_end(machine, word_set, word, depth)
    base = base_at(machine, code)
    group = find_group(machine, word_set, word, end, depth, byte)
    if group < end:
        return step_into_overlay_group(machine, code, stack, base, group)
    return step_base(machine, base, stack, byte) if base != DEAD else (DEAD, 0)  # from now on the base alone


@kernel
def step_into_overlay_group(machine: Machine, code: int, stack: int, base: int, group: int) -> tuple[int, int]:
    """Step by the byte of a group in an OVERLAY state.

    base: base lexeme's code before the byte.
    group: group that the byte leads to.
    """
    word_set, depth = word_set_of(machine, code), depth_of(code) + 1
    if word_length(machine, word_set, group) == depth:
        return step_into_group(machine, code, stack, word_set, group)
    end = group_end(machine, word_set, group, depth)
    if not any_allowed(machine, word_set, group, end):  # only texts of the base can begin with these bytes
        base = run_base(machine, base, word_set, group, depth - 1, depth)
        if base == DEAD or not has_other_text(machine, word_set, base, group, end, depth):
            return DEAD, 0
    return moved_to(code, group, depth), stack


@kernel
def base_at(machine: Machine, code: int) -> int:
    """Return the base lexeme's code beside an OVERLAY state; DEAD if no text of the base begins with these bytes."""
    word_set = word_set_of(machine, code)
    return run_base(machine, word_set.base, word_set, first_word_of(code), 0, depth_of(code))


@kernel
def run_base(machine: Machine, base: int, word_set: WordSet, word: int, start: int, end: int) -> int:
    """Return the base lexeme's code after the bytes start .. end - 1 of a word; DEAD if no text goes on.

    base: code before these bytes. The word is longer than `end`.
    """
    for place in range(start, end):
        if base == DEAD:
            return DEAD
        # stack 0: the string goes on, so no frame is read
        base, _ = step_base(machine, base, 0, word_byte(machine, word_set, word, place))
    return base


@kernel
def step_base(machine: Machine, base: int, stack: int, byte: int) -> tuple[int, int]:
    """Step by a byte in a base lexeme, whose code is STRING, COUNTED or QUOTED."""
    if tag_of(base) == STRING:
        return step_string(machine, base, stack, byte)
    if tag_of(base) == QUOTED:
        return step_quote(machine, base, stack, byte)
    return step_counted(machine, base, stack, byte)


@kernel
def has_other_text(machine: Machine, word_set: WordSet, base: int, word: int, end: int, depth: int) -> int:
    """Return 1 if the base lexeme has a text that begins with the words' common bytes and is no word; else 0.

    word, end: the words word .. end - 1, which share their first `depth` bytes.
    base: base lexeme's code after these bytes.

    Every state of a DFA leads to some text. A byte after a beginning of a word is therefore proof enough, if the base
    can take the byte and no word has it. Each beginning is visited once: for each word, the beginnings longer than its
    common part with the word before.

    Example: the words `fo"` and `foo"`, depth 2, and a base with fo, foo and foox. After `fo` the base goes on with a
        quote and `o`, as the words do. After `foo` it goes on with a quote, as a word does, and with `x`, as no word
        does: the result is 1.
    """
    for index in range(word, end):
        # The length of this word's shortest beginning that no word before it shares.
        shortest = depth if index == word else max(depth, machine.words[word_set.first + index].common + 1)
        if shortest >= word_length(machine, word_set, index):  # no beginning of its own: `c"` after `c "`
            continue
        state = run_base(machine, base, word_set, index, depth, shortest)
        for length in range(shortest, word_length(machine, word_set, index)):
            if state == DEAD:
                break
            if leaves_words(machine, word_set, state, index, group_end(machine, word_set, index, length), length):
                return 1
            if length + 1 < word_length(machine, word_set, index):
                state = run_base(machine, state, word_set, index, length, length + 1)
    return 0


@kernel
def leaves_words(machine: Machine, word_set: WordSet, base: int, word: int, end: int, depth: int) -> int:
    """Return 1 if the base lexeme can go on with a byte that none of the words word .. end - 1 has next; else 0.

    The words share `depth` bytes, and `base` is the base's code after them. The closing quote is tried first, since
    most bases may end anywhere.
    """
    for index in range(-1, 256):
        byte = QUOTE if index < 0 else index
        if base_takes(machine, base, byte) and find_group(machine, word_set, word, end, depth, byte) == end:
            return 1
    return 0


@kernel
def base_takes(machine: Machine, base: int, byte: int) -> int:
    """Return 1 if the base lexeme can go on, or end, with a byte; else 0."""
    if tag_of(base) == QUOTED:
        if byte == QUOTE and place_of(machine, base).may_end:
            return 1
        return 1 if step_quote(machine, base, 0, byte)[0] != DEAD else 0
    following = next_dfa_state(machine, dfa_state_of(base), byte)
    if following == DEAD:
        return 0
    if tag_of(base) == STRING:
        return 1
    if following <= FIRST_END:
        return 1 if count_of(base) >= counter_of(machine.tables, base).low else 0
    states = machine.tables.dfa.states
    if states[following].accepts >= 0:  # a text whose mark has ended; its upper bound was checked before
        num_read = count_of(base) + states[dfa_state_of(base)].is_between
        return 1 if num_read >= counter_of(machine.tables, base).low else 0
    return 1 if step_counted(machine, base, 0, byte)[0] != DEAD else 0


# ---- Called from Python.


@exported(releases_gil=False)
def add_words(address: int, rows: Int64s, text: UInt8s) -> int:
    """Add the sorted words of a family, and return the first one's index.

    address: address of the Machine.
    rows: for each word its length, class and bit.
    text: bytes of all words.
    """
    machine, size = Machine.at(address), len(rows) // 3
    first, start = _new_words(machine, size, len(text))
    words, all_text = machine.words.span(), machine.word_text.span()
    for place in range(len(text)):
        all_text[start + place] = text[place]
    for index in range(size):
        word = words[first + index]
        word.start = rows[3 * index]
        word.returned = rows[3 * index + 1]
        word.bit = rows[3 * index + 2]
    _finish_words(machine, first, size, start)
    return first


@exported(releases_gil=False)
def add_words_with(address: int, known: int, size: int, name: UInt8s) -> int:
    """Add the words of a family again, together with one excluded word, and return the first one's index.

    address: address of the Machine.
    known, size: first word and number of words of the family.
    name: bytes of the excluded word.
    """
    machine = Machine.at(address)
    begin, end = machine.words[known].start, machine.words[known + size].start
    first, start = _new_words(machine, size + 1, end - begin + len(name))
    words, text = machine.words.span(), machine.word_text.span()
    place = 0
    while place < size and _is_before(text, words[known + place].start, words[known + place + 1].start, name):
        place += 1
    ahead = words[known + place].start - begin
    for offset in range(ahead):
        text[start + offset] = text[begin + offset]
    for offset in range(len(name)):
        text[start + ahead + offset] = name[offset]
    for offset in range(ahead, end - begin):
        text[start + len(name) + offset] = text[begin + offset]
    for index in range(size):
        old, word = words[known + index], words[first + index + (index >= place)]
        word.start = words[known + index + 1].start - old.start
        word.returned = old.returned
        word.bit = old.bit
    word = words[first + place]
    word.start = len(name)
    word.returned = 0
    word.bit = -1
    _finish_words(machine, first, size + 1, start)
    return first


@kernel
def _new_words(machine: Machine, size: int, num_bytes: int) -> tuple[int, int]:
    """Return the first index of `size` new words, with one more entry for their end, and the index of their bytes."""
    machine.words.ensure(machine.words.used + size + 1)
    machine.word_text.ensure(machine.word_text.used + num_bytes)
    return machine.words.reserve(size + 1), machine.word_text.reserve(num_bytes)


@kernel
def _is_before(text: Array[uint8], start: int, end: int, name: UInt8s) -> bool:
    """Return True if a word sorts before `name` or equals it."""
    for place in range(min(end - start, len(name))):
        if text[start + place] != name[place]:
            return text[start + place] < name[place]
    return end - start <= len(name)


@kernel
def _finish_words(machine: Machine, first: int, size: int, start: int) -> None:
    """Finish the entries of new words, whose bytes are neighbours from `start` on.

    On entry, `start` of each word holds its length. The words are first .. first + size - 1, with one more entry for
    their end.
    """
    text, words, before = machine.word_text.span(), machine.words.span(), start
    for word in range(first, first + size):
        length, common = words[word].start, 0
        if word > first:  # `before` is the index of the previous word's bytes
            while common < length and text[start + common] == text[before + common]:
                common += 1
        words[word].start = start
        words[word].common = common
        before, start = start, start + length
    words[first + size].start = start
