"""`Positions`: plain Languages as nondeterministic automata, numbers in columns from which `subsets` makes DFA rows.

K. Thompson, Regular expression search algorithm (CACM 1968). A position either reads a character of a set and goes on,
or goes on at once to one or two others, or is an end. Positions are shared: a Language that is followed by the same
begins at the same position, in whatever it stands. So what has a common end has common DFA states. Bounded repetitions
are written out.

Texts without certain strings, which are complements, are the automaton that looks for these (A. Aho, M. Corasick,
Efficient string matching, CACM 1975). Other complements and intersections are products (`product_positions`). Left out,
and made from derivatives (`LazyDfas`): machines, sets that hold some of the characters from U+0080 on but not all, and
what has more than MAX_POSITIONS, or in a product too many states.
"""

from __future__ import annotations

import itertools

import numpy as np

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..regex.charset import ALL, CharSet, complement, from_chars, from_ranges
from . import layout as at
from .product_positions import DEAD_COLUMNS, MAX_STATES, WIDE_COLUMN, Columns, ProductState, leaves_of, product
from .structs import Dfa
from .subsets import build_row, first_state

MAX_POSITIONS = 2000
_MAX_DEPTH = 100
_MANY_WORDS = 128
_LONG_COUNT = 100
_TOO_MANY = MAX_POSITIONS + 1
_WIDE: CharSet = tuple([(max(low, 0x80), high) for low, high in ALL])


class Positions:
    """The positions of one DFA. Those below NUM_ENDS are the ends of a lexeme's languages, by their index."""

    def __init__(self, dfa: Dfa) -> None:
        self._dfa = dfa
        dfa.positions.ensure(1024)
        dfa.marks.ensure(1024)
        self._numbers: dict[CharSet, int] = {}
        self._known: dict[tuple[Language | str, int], int] = {}
        self._sizes: dict[Language, int] = {}
        self._states_left = 0  # that products may still have
        self._products: dict[Language, list[ProductState]] = {}
        self._columns: dict[int, tuple[bool, Columns]] = {at.DEAD: (False, DEAD_COLUMNS)}
        self._new: list[tuple[int, int, int]] = []
        self._used = 0
        for code in range(0x80):  # so that the set of one ASCII character has its code as its number
            self._number(((code, code),))
        for _ in range(at.NUM_ENDS):
            self._add(at.END, -1, -1)
        self.publish()

    def first(self, languages: tuple[Language, ...], *, may_combine: bool = True) -> int | None:
        """The position before a text of one of the languages; None where they can't be written so.

        may_combine: intersections and complements may be gone through. Kernels see new positions after `publish`.
        """
        self._states_left = MAX_STATES if may_combine else 0
        for language in languages:
            if self._size(language, 0) > MAX_POSITIONS:
                return None
        if len(languages) > at.NUM_ENDS:
            return None
        first = -1
        for index, language in enumerate(languages):
            begin = self._begin(language, index)
            first = begin if first < 0 else self._add(at.JUMP, first, begin)
        return first

    def _add(self, charset: int, following: int, other: int) -> int:
        """A new position."""
        self._new.append((charset, following, other))
        self._used += 1
        return self._used - 1

    def publish(self) -> None:
        """Let the kernels see the new positions."""
        if self._new:
            numbers = np.fromiter(itertools.chain.from_iterable(self._new), np.int32, 3 * len(self._new))
            self._dfa.positions.append(numbers.view(self._dfa.positions.dtype))
            self._new.clear()
            self._dfa.marks.ensure(self._used)

    def _size(self, language: Language, depth: int) -> int:
        """How many positions a plain Language takes at most; _TOO_MANY where it can't be written so."""
        known = self._sizes.get(language)
        if known is None:
            known = self._sizes[language] = min(self._count(language, depth), _TOO_MANY)
        return known

    def _count(self, language: Language, depth: int) -> int:
        """As `_size`, uncut."""
        if depth > _MAX_DEPTH:
            return _TOO_MANY
        if isinstance(language, lang.Words):
            if language.high - language.low > _MANY_WORDS:
                return _TOO_MANY
            words = language.sorted_words
            return len(words) + sum(map(len, words)) if all(map(str.isascii, words)) else _TOO_MANY
        if isinstance(language, lang.Concat):
            return self._count_sequence(language, depth + 1)
        if isinstance(language, lang.Chars):
            return _TOO_MANY if self._number(language.charset) is None else 1
        if isinstance(language, lang.Union):
            return self._count_union(language, depth + 1)
        if isinstance(language, lang.Repeat):
            times = language.low + 1 if language.high is None else language.high
            return times * (self._size(language.child, depth + 1) + 1)
        words = _banned(language) if isinstance(language, lang.Complement) else []
        if words:
            return 4 * sum(map(len, words)) ** 2
        if isinstance(language, lang.Complement | lang.Intersection):
            return self._count_product(language, depth + 1)
        return _TOO_MANY

    def _count_product(self, language: Language, depth: int) -> int:
        """As `_count`; the states of a combination are made and kept."""
        leaves = leaves_of(language)
        if not self._states_left or any(
            _is_long_count(leaf) or self._size(leaf, depth) > MAX_POSITIONS for leaf in leaves
        ):
            return _TOO_MANY
        begins = [self._begin(leaf, 0) for leaf in leaves]
        self.publish()
        starts = [int(first_state(self._dfa.address, begin, at.TEXT_SPELLING)) for begin in begins]
        states = product(language, leaves, starts, self._columns_of, self._states_left)
        if states is None:
            self._states_left = 0
            return _TOO_MANY
        self._states_left -= min(len(states), self._states_left)
        self._products[language] = states
        return sum([1 + 2 * len(state.arcs) for state in states])

    def _columns_of(self, state: int) -> tuple[bool, Columns]:
        """Whether a state of kind "text" accepts, and where it leads to."""
        found = self._columns.get(state)
        if found is None:
            if self._dfa.rows.data[state, 0] == at.UNBUILT:
                build_row(self._dfa.address, state)
            rows = self._dfa.rows.data
            lead = int(rows[state, 0xC2])
            columns = np.append(rows[state, :WIDE_COLUMN], at.DEAD if lead == at.DEAD else rows[lead, 0x80])
            accepts = self._dfa.states.data["accepts"].item(state) >= 0
            found = self._columns[state] = accepts, columns.astype(np.int64)
        return found

    def _count_union(self, language: lang.Union, depth: int) -> int:
        total = 0
        for part in language.parts:
            total += self._size(part, depth) + 1
            if total > MAX_POSITIONS:
                return _TOO_MANY
        return total

    def _count_sequence(self, rest: Language, depth: int) -> int:
        total = 0
        while isinstance(rest, lang.Concat) and total <= MAX_POSITIONS:
            total += self._size(rest.head, depth)
            rest = rest.tail
        return total + self._size(rest, depth)

    def _number(self, charset: CharSet) -> int | None:
        """The number of a set of characters; None for one that is not taken."""
        number = self._numbers.get(charset)
        if number is None:
            wide = tuple([(max(low, 0x80), high) for low, high in charset if high >= 0x80])
            if wide and wide != _WIDE:
                return None
            bits = [0, 0]
            for low, high in charset:
                for code in range(low, min(high, 0x7F) + 1):
                    bits[code >> 6] |= 1 << (code & 63)
            number = self._numbers[charset] = self._dfa.char_sets.reserve(1)
            self._dfa.char_sets.write(number, (*bits, bool(wide)))
        return number

    def _begin(self, language: Language, after: int) -> int:
        """The position before a text of a Language that is followed by `after`."""
        if isinstance(language, lang.Concat):
            return self._begin_of_sequence(language, after)
        if language is lang.EMPTY_TEXT:
            return after
        known = self._known.get((language, after))
        if known is None:
            known = self._known[language, after] = self._make(language, after)
        return known

    def _begin_of_sequence(self, language: Language, after: int) -> int:
        parts = []
        while isinstance(language, lang.Concat):
            parts.append(language)
            language = language.tail
        after = self._begin(language, after)
        for part in reversed(parts):
            after = self._begin(part.head, after)
        return after

    def _make(self, language: Language, after: int) -> int:
        match language:
            case lang.Chars():
                number = self._number(language.charset)
                assert number is not None, "its size was looked at"
                return self._add(number, after, -1)
            case lang.Words():
                return self._choice([self._word(word, after) for word in language.sorted_words])
            case lang.Union():
                return self._choice([self._begin(part, after) for part in language.parts])
            case lang.Complement() if banned := _banned(language):
                return self._without(banned, after)
            case lang.Complement() | lang.Intersection():
                return self._combined(self._products[language], after)
        assert isinstance(language, lang.Repeat), "its size was looked at"
        return self._repeat(language, after)

    def _word(self, word: str, after: int) -> int:
        """The position before an ASCII word; words with the same end share it."""
        known, following = self._known, after
        for start in range(len(word) - 1, -1, -1):
            key = (word[start:], after)
            position = known.get(key)
            if position is None:
                position = known[key] = self._add(ord(word[start]), following, -1)
            following = position
        return following

    def _choice(self, begins: list[int]) -> int:
        """The position from which any of some goes on."""
        if not begins:
            return self._add(at.JUMP, -1, -1)
        first = begins[-1]
        for begin in reversed(begins[:-1]):
            first = self._add(at.JUMP, begin, first)
        return first

    def _without(self, words: list[str], after: int) -> int:
        """The position before a text that holds none of some words.

        It has one for each beginning of a word, which is the longest that the text so far ends with.
        """
        ends = tuple(words)
        begun = [""] + sorted({word[:end] for word in words for end in range(1, len(word))})
        begun = [text for text in begun if not any(word in text for word in words)]
        first = {text: self._add(at.JUMP, -1, -1) for text in begun}
        offset = self._used - len(self._new)
        letters = sorted(set("".join(words)))
        others = complement(from_chars(letters))
        for text in begun:
            following: dict[int, str] = {}
            for letter in letters:
                if not (text + letter).endswith(ends):
                    known = max([end for end in begun if (text + letter).endswith(end)], key=len)
                    following[first[known]] = following.get(first[known], "") + letter
            begins = [after]
            for target, read in following.items():
                charset = from_chars(read) if target != first[""] else complement(from_chars(set(letters) - set(read)))
                begins.append(self._reader(charset, target))
            if first[""] not in following:
                begins.append(self._reader(others, first[""]))
            self._new[first[text] - offset] = (at.JUMP, self._choice(begins), -1)
        return first[""]

    def _combined(self, states: list[ProductState], after: int) -> int:
        """The position before a text that a combination accepts."""
        first = [self._add(at.JUMP, -1, -1) for _ in states]
        offset = self._used - len(self._new)
        for begin, state in zip(first, states, strict=True):
            begins = [self._reader(_charset(columns), first[target]) for columns, target in state.arcs]
            self._new[begin - offset] = (at.JUMP, self._choice([after, *begins] if state.accepts else begins), -1)
        return first[0]

    def _reader(self, charset: CharSet, after: int) -> int:
        number = self._number(charset)
        assert number is not None, "ASCII, or all but some ASCII"
        return self._add(number, after, -1)

    def _repeat(self, language: lang.Repeat, after: int) -> int:
        child = language.child
        if language.high is None:
            number, begin = len(self._new), self._add(at.JUMP, -1, after)
            self._new[number] = (at.JUMP, self._begin(child, begin), after)
        else:
            begin = after
            for _ in range(language.high - language.low):
                begin = self._add(at.JUMP, self._begin(child, begin), after)
        for _ in range(language.low):
            begin = self._begin(child, begin)
        return begin


def _is_long_count(language: Language) -> bool:
    """Whether it counts so far that its combinations have too many states."""
    return isinstance(language, lang.Repeat) and max(language.low, language.high or 0) > _LONG_COUNT


def _charset(columns: list[int]) -> CharSet:
    """The characters of some columns."""
    wide = _WIDE if WIDE_COLUMN in columns else ()
    return from_ranges([*[(code, code) for code in columns if code != WIDE_COLUMN], *wide])


def _banned(language: lang.Complement) -> list[str]:
    """The ASCII words that texts do not hold, when that is all that a complement says; else none."""
    inside = language.child
    if (
        not isinstance(inside, lang.Concat)
        or inside.head is not lang.ANYTHING
        or not isinstance(inside.tail, lang.Concat)
    ):
        return []
    words, rest = inside.tail.head, inside.tail.tail
    if rest is not lang.ANYTHING or not isinstance(words, lang.Words) or words.high - words.low > _MANY_WORDS:
        return []
    return sorted(words.words) if all(word and word.isascii() for word in words.words) else []
