"""`Positions`: plain Languages as nondeterministic automata, in columns that `subsets` turns into DFA rows.

K. Thompson, Regular expression search algorithm (CACM 1968). A position reads a character of a set and goes on, or goes
on at once to one or two others, or is an end. Positions are shared: the key of a position is its Language and the
position behind it. Languages with equal continuations therefore share DFA states. Bounded repetitions are written out.

A text without certain strings is a complement; its automaton looks for these strings (A. Aho, M. Corasick, Efficient
string matching, CACM 1975). Other complements and intersections are products (`products`) with one position each; so
are quotes of a source text, even alone. Derivatives (`LazyDfas`) read the rest: other machines, and languages
with more than MAX_POSITIONS.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from ...quote_tree import QuoteState, QuoteTree
from ...regex import algebra as lang
from ...regex.algebra import Language
from ...regex.charset import ALL, CharSet, complement, from_chars
from .. import layout as at
from ..structs import Dfa, Position
from .character_nodes import CharacterNodes, classes_of, usual_characters, usual_class
from .products import first_product_state
from .sets import first_state

MAX_POSITIONS = 60_000  # maximum number of positions of a lexeme, by `Positions._size`, which ignores sharing
MAX_REPEATED = 60_000  # maximum number of positions in a bounded repetition; one set may hold all of them
_MAX_DEPTH = 100
_MANY_WORDS = 128
_MODEL_COPIES = 3  # number of copies that are computed; all further copies are like the last of these
_MANY_COPIES = 8  # number of copies that are worth a loop or groups. PERF: a guess
_ORDER = ["reads", "following", "other", "shortest", "longest", "alike", "group"]
_FIELDS = len(_ORDER)  # number of fields of a position
_READS, _FOLLOWING, _OTHER, _SHORTEST, _LONGEST, _ALIKE, _GROUP = range(_FIELDS)
_TARGETS = [_FOLLOWING, _OTHER, _ALIKE]  # fields that are positions
assert list(Position.layout.fields) == _ORDER
_Numbers = NDArray[np.int32] | NDArray[np.int64]
_INSIDE, _BEHIND = 1 << 40, 1 << 41  # targets inside a copy, and behind it
LONG_COUNT = 300  # maximum bound on characters in a product; a larger bound has too many states there
_MAX_LEAVES = 30
_TOO_MANY = MAX_POSITIONS + 1
_ALL_OTHERS: CharSet = tuple([(max(low, 0x80), high) for low, high in ALL])
_MASK64 = (1 << 64) - 1
_NEVER = at.MAX_COUNT + 1  # stands for the number of characters before an end if no end follows


class Positions:
    """The positions of one DFA. Positions below NUM_ENDS are the ends of a lexeme's languages, by their index."""

    def __init__(
        self,
        dfa: Dfa,
        is_live: Callable[[int], bool],
        place_state: Callable[[QuoteTree], int],
        most_characters: int,
    ) -> None:
        """is_live: function that returns True for a product state that leads to a text. place_state: function that
        returns the state before a source's quotes. most_characters: maximum number of characters of a token.
        """
        self._dfa, self._is_live, self._place_state = dfa, is_live, place_state
        self._horizon = most_characters + at.MOST_LEFT
        dfa.positions.ensure(1024)
        dfa.marks.ensure(1024)
        dfa.position_runs.ensure(1024)
        self._nodes = CharacterNodes(dfa)
        self._numbers: dict[CharSet, int] = {}
        self._known: dict[tuple[Language | frozenset[str], int], int] = {}
        self._readers: dict[tuple[int, int], int] = {}  # (set that a position reads, next position) -> the position
        self._sizes: dict[Language, int] = {}
        self._products: dict[Language, int | None] = {}
        self._looked_over: set[Language] = set()  # languages whose products are made
        self._classes: dict[frozenset[CharSet], tuple[int, int, int, int]] = {}
        self._new: list[tuple[int, ...]] = []
        self._shortest: list[int] = []
        self._longest: list[int] = []
        self._num_groups = 0
        for code in range(0x80):  # gives the set of one ASCII character its code as number
            self._number(((code, code),))
        for _ in range(at.NUM_ENDS):
            self._add(at.END, -1, -1)
        self.publish()

    def first(self, languages: tuple[Language, ...]) -> int | None:
        """Return the position before a text of one of the languages; None if the languages can't be written as
        positions.

        Kernels see new positions after `publish`.
        """
        if len(languages) > at.NUM_ENDS or any(
            _has_many_words(language) or self._size(language, 0) > MAX_POSITIONS for language in languages
        ):
            return None
        for language in languages:
            if not language.is_plain:
                self._make_products(language)
        first = -1
        for index, language in enumerate(languages):
            begin = self._begin(language, index)
            first = begin if first < 0 else self._add(at.JUMP, first, begin)
        return first

    def before_text(self, language: Language) -> int | None:
        """The position before a text of one plain Language; None if it is too large. Kernels see all positions."""
        if self._size(language, 0) > MAX_POSITIONS:
            return None
        position = self._begin(language, 0)
        self.publish()
        return position

    def _add(self, reads: int, following: int, other: int) -> int:
        """Add a position."""
        shortest = longest = 0
        if reads == at.PRODUCT:
            shortest, longest = self._shortest[following], _NEVER
        elif reads != at.END:
            targets = [target for target in (following, other if reads == at.JUMP else -1) if target >= 0]
            more = int(reads >= 0)
            shortest = min([self._shortest[target] + more for target in targets], default=_NEVER)
            longest = max([self._longest[target] + more for target in targets], default=0)
        return self._note((reads, following, other, min(shortest, _NEVER), min(longest, _NEVER), -1, 0))

    def _add_jump(self, shortest: int) -> int:
        """Add a jump, whose targets `_set_jump` sets later. shortest: number of characters before the nearest end."""
        return self._note((at.JUMP, -1, -1, shortest, _NEVER, -1, 0))

    def _note(self, position: tuple[int, ...]) -> int:
        self._new.append(position)
        self._shortest.append(position[3])
        self._longest.append(position[4])
        return len(self._shortest) - 1

    def _set_jump(self, position: int, following: int, other: int) -> None:
        of_jump = (at.JUMP, following, other, self._shortest[position], self._longest[position], -1, 0)
        if position < len(self._shortest) - len(self._new):
            self._dfa.positions.data[position] = of_jump
        else:
            self._new[position - len(self._shortest)] = of_jump

    def publish(self) -> None:
        """Let the kernels see the new positions."""
        if self._new:
            numbers = np.fromiter(itertools.chain.from_iterable(self._new), np.int32, _FIELDS * len(self._new))
            self._dfa.positions.append(numbers.view(self._dfa.positions.dtype))
            self._new.clear()
            self._make_room()

    def _make_room(self) -> None:
        """Make room for the columns that kernels keep for each position and group."""
        self._dfa.marks.ensure(len(self._shortest))
        self._dfa.position_runs.ensure(len(self._shortest))
        self._dfa.widest.ensure(self._num_groups + 1)

    def _size(self, language: Language, depth: int) -> int:
        """Return the maximum number of positions of a Language; _TOO_MANY if it can't be written as positions."""
        known = self._sizes.get(language)
        if known is None:
            known = self._sizes[language] = min(self._count(language, depth), _TOO_MANY)
        return known

    def _count(self, language: Language, depth: int) -> int:
        """Like `_size`, without the cap."""
        if depth > _MAX_DEPTH:
            return _TOO_MANY
        if isinstance(language, lang.Words):
            if language.max_length is None or (language.max_length > _MAX_DEPTH and _has_many_words(language)):
                return _TOO_MANY
            words = language.sorted_words
            return len(words) + sum(map(len, words))
        if isinstance(language, lang.Concat):
            return self._count_sequence(language, depth + 1)
        if isinstance(language, lang.Chars):
            return 1
        if isinstance(language, lang.Union):
            return self._count_union(language, depth + 1)
        if isinstance(language, lang.Repeat):
            times = language.low + 1 if language.high is None else language.high
            size = times * (self._size(language.child, depth + 1) + 1)
            return size if language.high is None or size <= MAX_REPEATED else _TOO_MANY
        words = _banned(language) if isinstance(language, lang.Complement) else []
        if words:
            return 4 * sum(map(len, words)) ** 2
        if _is_combined(language):
            return self._count_product(language, depth + 1)
        return _TOO_MANY

    def _count_product(self, language: Language, depth: int) -> int:
        """Like `_count`, for a product."""
        leaves = _leaves_of(language)
        if len(leaves) > _MAX_LEAVES or any(
            tree_of(leaf) is None and self._size(leaf, depth) > MAX_POSITIONS for leaf in leaves
        ):
            return _TOO_MANY
        charsets = _others_in(leaves)
        is_fine = len(charsets) <= at.MAX_CLASSES and self._classes_of(charsets)[1] <= at.MAX_CLASSES
        return 1 if is_fine else _TOO_MANY

    def _make_products(self, language: Language) -> None:
        """Make the products in a Language, inner ones first."""
        waiting = [(language, False)]
        while waiting:
            part, is_ready = waiting.pop()
            if part in self._looked_over:
                continue
            is_product = _is_combined(part) and not _banned(part)
            if not is_ready:
                waiting.append((part, True))
                inner = [leaf for leaf in _leaves_of(part) if not tree_of(leaf)] if is_product else part.parts
                waiting += [(one, False) for one in inner]
                continue
            if is_product:
                self._products[part] = self._product(part)
            self._looked_over.add(part)  # noted last: an interrupted search starts again

    def _product(self, language: Language) -> int | None:
        """Return the first product state of a combination; None if the combination has no text."""
        leaves = _leaves_of(language)
        operations, classes = _operations(language, leaves), self._classes_of(_others_in(leaves))
        begins = [tree_of(leaf) or self._begin(leaf, 0) for leaf in leaves]
        self.publish()
        dfa = self._dfa
        starts = [
            int(first_state(dfa.address, one, at.TEXT_SPELLING)) if isinstance(one, int) else self._place_state(one)
            for one in begins
        ]
        first_operation = dfa.operations.append(np.array(operations, np.int32))
        first_start = dfa.product_members.append(np.array(starts, np.int32))
        all_of = language.parts if isinstance(language, lang.Intersection) else ()
        required = sum([1 << leaves[part] for part in all_of if part in leaves])
        negated = _negated(language)
        positive = sum([1 << number for leaf, number in leaves.items() if leaf not in negated])
        fields = (first_operation, len(operations), first_start, len(leaves), *classes, required, positive, 0)
        number = dfa.products.append(np.array([fields], dfa.products.dtype))
        state = int(first_product_state(dfa.address, number))
        return state if state != at.DEAD and self._is_live(state) else None

    def _classes_of(self, charsets: frozenset[CharSet]) -> tuple[int, int, int, int]:
        """Split characters into classes that all sets hold whole or not at all.

        Returns the first class, their number, the node before their characters, and the usual class.
        """
        known = self._classes.get(charsets)
        if known is None:
            runs = classes_of(charsets)
            first = {char_class: low for low, _, char_class in reversed(runs)}
            characters = [int.from_bytes(chr(first[one]).encode(), "little") for one in range(len(first))]
            number = self._dfa.class_characters.append(np.array(characters, np.int64))
            node = self._nodes.before_classes(runs) if len(first) <= at.MAX_CLASSES else 0
            known = self._classes[charsets] = number, len(first), node, usual_class(runs)
        return known

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

    def _number(self, charset: CharSet) -> int:
        """Return the number of a set of characters."""
        number = self._numbers.get(charset)
        if number is None:
            ascii = sum([(2 << min(high, 0x7F)) - (1 << low) for low, high in charset if low < 0x80])
            others = tuple([(max(low, 0x80), high) for low, high in charset if high >= 0x80])
            fields = (ascii & _MASK64, ascii >> 64, self._nodes.before(others), usual_characters(others))
            number = self._numbers[charset] = self._dfa.char_sets.reserve(1)
            self._dfa.char_sets.write(number, fields)
        return number

    def _begin(self, language: Language, after: int) -> int:
        """Return the position before a text of a Language, with position `after` behind it."""
        if isinstance(language, lang.Concat):
            for part in reversed(lang.sequence_of(language)):
                after = self._begin(part, after)
            return after
        if language is lang.EMPTY_TEXT:
            return after
        known = self._known.get((language, after))
        if known is None:
            known = self._known[language, after] = self._make(language, after)
        return known

    def _make(self, language: Language, after: int) -> int:
        match language:
            case lang.Chars():
                return self._add(self._number(language.charset), after, -1)
            case lang.Words() if _has_many_words(language):
                return self._many_words(language.words, after)
            case lang.Words():
                return self._choice([self._word(word, after) for word in language.sorted_words])
            case lang.Union():
                return self._choice([self._begin(part, after) for part in language.parts])
            case lang.Complement() if banned := _banned(language):
                return self._without(banned, after)
            case _ if _is_combined(language):
                start = self._products[language]
                return self._add(at.JUMP, -1, -1) if start is None else self._add(at.PRODUCT, after, start)
        assert isinstance(language, lang.Repeat), "its size was looked at"
        return self._repeat(language, after)

    def _word(self, word: str, after: int) -> int:
        """Return the position before a word. Words with the same end share positions.

        PERF: 500 tools have 20,000 such characters in one mask; 0.8 us each, 2.5 us with `_add` and ends as keys.
        """
        readers, shortest, longest, new = self._readers, self._shortest, self._longest, self._new
        following = after
        for char in reversed(word):
            code = ord(char)
            reads = code if code < 0x80 else self._number(((code, code),))
            key = (reads, following)
            position = readers.get(key)
            if position is None:
                position = readers[key] = len(shortest)
                least, most = shortest[following] + 1, longest[following] + 1
                least, most = least if least < _NEVER else _NEVER, most if most < _NEVER else _NEVER
                new.append((reads, following, -1, least, most, -1, 0))
                shortest.append(least)
                longest.append(most)
            following = position
        return following

    def _many_words(self, words: frozenset[str], after: int) -> int:
        """Return the position before some words, as a tree. Equal sets of rests are shared."""
        known = self._known.get((words, after))
        if known is None:
            following: dict[str, list[str]] = {}
            for word in words:
                if word:
                    following.setdefault(word[0], []).append(word[1:])
            begins = [
                self._add(self._number(from_chars(letter)), self._many_words(frozenset(rest), after), -1)
                for letter, rest in sorted(following.items())
            ]
            known = self._known[words, after] = self._choice([*begins, after] if "" in words else begins)
        return known

    def _choice(self, begins: list[int]) -> int:
        """Return a position that goes on at any of the given ones."""
        if not begins:
            return self._add(at.JUMP, -1, -1)
        first = begins[-1]
        for begin in reversed(begins[:-1]):
            first = self._add(at.JUMP, begin, first)
        return first

    def _without(self, words: list[str], after: int) -> int:
        """Return the position before a text that contains none of the words.

        Each beginning of a word has a position: the longest beginning that the text so far ends with.
        """
        ends = tuple(words)
        begun = [""] + sorted({word[:end] for word in words for end in range(1, len(word))})
        begun = [text for text in begun if not any(word in text for word in words)]
        first = {text: self._add_jump(self._shortest[after]) for text in begun}
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
                begins.append(self._add(self._number(charset), target, -1))
            if first[""] not in following:
                begins.append(self._add(self._number(others), first[""], -1))
            self._set_jump(first[text], self._choice(begins), -1)
        return first[""]

    def _repeat(self, language: lang.Repeat, after: int) -> int:
        child = language.child
        if language.high is None:
            begin = self._add_jump(self._shortest[after])
            is_universal = child is lang.ANY_CHAR and after < at.NUM_ENDS
            inner = self._add(self._number(ALL), begin, after) if is_universal else self._begin(child, begin)
            self._set_jump(begin, inner, after)
        else:
            begin = self._copies(child, after, language.high - language.low, after)
        return self._copies(child, begin, language.low, -1)

    def _copies(self, child: Language, begin: int, count: int, after: int) -> int:
        """Add copies of a repeated Language, the last one first, and return the position before them.

        begin: position behind the last copy.
        after: position behind optional copies, where the rest may be left out; -1 for copies that must come.
        """
        copies: list[tuple[int, int]] = []  # position behind a copy, and the first of its own
        num_different = count
        while len(copies) < count:
            if len(copies) == _MODEL_COPIES and count > _MANY_COPIES and self._add_same(copies, count):
                num_different, begin = _MODEL_COPIES, copies.pop()[0]
                break
            copies.append((begin, len(self._shortest)))
            begin = self._begin(child, begin)
            if after >= 0:
                begin = self._add(at.JUMP, begin, after)
        copies.append((begin, len(self._shortest)))
        if count > _MANY_COPIES and (after >= 0 or not child.nullable):
            self._note_copies(child, copies, after, num_different)
        return begin

    def _add_same(self, copies: list[tuple[int, int]], count: int) -> bool:
        """Add copies like the last ones, up to `count`; return False if the last ones are not alike.

        Afterwards one more entry of `copies` has the position before them.

        PERF: 0.2 us a position instead of 5.
        """
        self.publish()
        end, firsts = len(self._shortest), [first for _, first in copies]
        size = end - firsts[-1]
        if firsts[-1] - firsts[-2] != size or not size:
            return False
        rows = self._rows()
        model = rows[firsts[-1] : end].astype(np.int64)
        change = model - rows[firsts[-2] : firsts[-1]]
        expected = change.copy()
        expected[:, _READS] = 0
        expected[:, _TARGETS] = size * (model[:, _TARGETS] >= firsts[0])
        if not np.array_equal(change, expected):
            return False
        num_more = count - len(copies)
        more = (model + np.arange(1, num_more + 1)[:, None, None] * change).reshape(-1, _FIELDS)
        lengths = [_SHORTEST, _LONGEST]
        more[:, lengths] = np.minimum(more[:, lengths], _NEVER)
        self._dfa.positions.append(more.astype(np.int32).reshape(-1).view(self._dfa.positions.dtype))
        self._shortest += more[:, _SHORTEST].tolist()
        self._longest += more[:, _LONGEST].tolist()
        self._num_groups = max(self._num_groups, int(more[-size:, _GROUP].max()))
        self._make_room()
        behind = copies[-1][0] + size
        copies += [(behind + size * number, end + size * number) for number in range(num_more + 1)]
        return True

    def _note_copies(self, child: Language, copies: list[tuple[int, int]], after: int, num_different: int) -> None:
        """Note which positions are alike in the copies of a repetition.

        Copies that no token can leave are like one loop (`mask_states`). Optional copies at the same place form groups:
        each copy also reads all texts of the copies behind it.

        copies: as in `_copies`; one more entry has the position before all copies, and their end.
        num_different: number of copies that may differ from the last one.
        """
        self.publish()
        end = copies[-1][1]
        model = self._shape(copies[-2], end)
        if not len(model):
            return
        size, alike, groups = len(model), np.full(len(model), -1), np.zeros(len(model), np.int32)
        if after >= 0:
            groups += np.arange(self._num_groups + 1, self._num_groups + 1 + size, dtype=np.int32)
            self._num_groups += size
        if len(copies) - self._horizon > _MANY_COPIES:
            loop = self._add_jump(at.FAR_END if after < 0 else self._shortest[after])
            self._set_jump(loop, self._begin(child, loop), after)
            self.publish()
            num_inside = len(self._shortest) - loop - 1
            if np.array_equal(self._shape((loop, loop + 1), len(self._shortest)), model[:num_inside]):
                alike = np.append(np.arange(loop + 1, loop + 1 + num_inside), [loop] * (size - num_inside))
                self._set_alike(loop + 1, 1, alike[:num_inside] * 0 - 1, groups[:num_inside])
        nowhere = np.full(size, -1)
        for number, (copy, (_, copy_end)) in enumerate(itertools.pairwise(copies[: num_different + 1])):
            if np.array_equal(self._shape(copy, copy_end), model):
                self._set_alike(copy[1], 1, alike if number > self._horizon else nowhere, groups)
        if num_different < len(copies) - 1:
            num_near = max(self._horizon + 1 - num_different, 0)
            num_near = min(num_near, len(copies) - 1 - num_different)
            first = copies[num_different][1]
            self._set_alike(first, num_near, nowhere, groups)
            first += size * num_near
            self._set_alike(first, (end - first) // size, alike, groups)
        self._make_room()

    def _set_alike(self, first: int, count: int, alike: _Numbers, groups: _Numbers) -> None:
        """Set `alike` and `group` of positions, except where repetitions inside have set them.

        first, count: the first position, and the number of copies.
        """
        size = len(alike)
        copies = self._rows()[first : first + size * count].reshape(count, size, _FIELDS)
        copies[:, :, _ALIKE] = np.where(copies[:, :, _ALIKE] < 0, alike, copies[:, :, _ALIKE])
        copies[:, :, _GROUP] = np.where(copies[:, :, _GROUP] == 0, groups, copies[:, :, _GROUP])

    def _rows(self) -> _Numbers:
        """Return the fields of all published positions."""
        return self._dfa.positions.data.view(np.int32).reshape(-1, _FIELDS)

    def _shape(self, copy: tuple[int, int], end: int) -> _Numbers:
        """Return the positions of a copy in a form that is equal for all copies: targets relative to the first one."""
        behind, first = copy
        shape = self._rows()[first:end, :3].astype(np.int64)
        to = shape[:, 1:]
        shape[:, 1:] = np.where(to == behind, _BEHIND, np.where(to >= first, to - first + _INSIDE, to))
        return shape


def tree_of(language: Language) -> QuoteTree | None:
    """Return the tree of a source if the Language is all quotes of it; else None."""
    state = language.machine if isinstance(language, lang.MachineLanguage) else None
    return state.tree if isinstance(state, QuoteState) and not state.depth else None


def _is_combined(language: Language) -> bool:
    """Return True if a Language is a product, provided that it can be written as positions."""
    return isinstance(language, lang.Complement | lang.Intersection) or tree_of(language) is not None


def _is_leaf(language: Language) -> bool:
    """Return True if a product steps through the Language's own states.

    Complements, intersections and unions with quotes are combinations of leaves instead.
    """
    is_union = isinstance(language, lang.Union) and language.is_transient
    return not is_union and not isinstance(language, lang.Complement | lang.Intersection)


def _leaves_of(language: Language) -> dict[Language, int]:
    """Return the leaves that intersections and complements combine, each with its number."""
    if _is_leaf(language):
        return {language: 0}
    leaves = dict.fromkeys(itertools.chain.from_iterable(map(_leaves_of, language.parts)))
    return {leaf: number for number, leaf in enumerate(leaves)}


def _negated(language: Language, is_negated: bool = False) -> set[Language]:
    """Return the leaves that are under an odd number of complements somewhere."""
    if _is_leaf(language):
        return {language} if is_negated else set()
    inverted = is_negated != isinstance(language, lang.Complement)
    return set().union(*[_negated(part, inverted) for part in language.parts])


def _operations(language: Language, leaves: dict[Language, int]) -> list[int]:
    """Return the operations of a combination on its leaves, in postfix order."""
    if _is_leaf(language):
        return [leaves[language]]
    if isinstance(language, lang.Complement):
        return [*_operations(language.child, leaves), at.COMPLEMENT]
    is_union = isinstance(language, lang.Union)  # a union is the complement of the intersection of complements
    negation = [at.COMPLEMENT] if is_union else []
    first, *others = [_operations(part, leaves) + negation for part in language.parts]
    return first + list(itertools.chain.from_iterable([[*other, at.INTERSECTION] for other in others])) + negation


def _others_in(languages: Iterable[Language]) -> frozenset[CharSet]:
    """Return the sets of characters from U+0080 on that Languages tell apart."""
    found, seen, waiting = set[CharSet](), set[Language](), list(languages)
    while waiting:
        language = waiting.pop()
        if language in seen:
            continue
        seen.add(language)
        waiting += language.parts
        tree = tree_of(language)
        if tree is not None:
            found.update(((char, char),) for char in tree.alphabet.tolist() if char >= 0x80)
        elif isinstance(language, lang.Chars):
            found.add(language.charset)
        elif isinstance(language, lang.Words):
            found.update(((ord(char), ord(char)),) for word in language.words if not word.isascii() for char in word)
    wide = [tuple([(max(low, 0x80), high) for low, high in charset if high >= 0x80]) for charset in found]
    return frozenset([charset for charset in wide if charset and charset != _ALL_OTHERS])


def _has_many_words(language: Language) -> bool:
    return isinstance(language, lang.Words) and language.high - language.low > _MANY_WORDS


def _banned(language: Language) -> list[str]:
    """Return the words that texts must not contain, if a complement says only that; else an empty list."""
    inside = language.child if isinstance(language, lang.Complement) else language
    if (
        not isinstance(inside, lang.Concat)
        or inside.head is not lang.ANYTHING
        or not isinstance(inside.tail, lang.Concat)
    ):
        return []
    words, rest = inside.tail.head, inside.tail.tail
    if rest is not lang.ANYTHING or not isinstance(words, lang.Words) or _has_many_words(words):
        return []
    return sorted(words.words) if all(words.words) else []
