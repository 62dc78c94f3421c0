"""`LazyDfas`: byte automata of strings and numbers, from Languages, made state by state when first met.

A DFA state is one of four things. Kernels build sets of positions (`positions`), and places in a source text for quotes
(`source_rows`). If Languages have no positions, Python builds tuples with the rest of each language of a lexeme, and
states inside their characters: within UTF-8 or an escape. Strings are spelled canonically, so a text has one spelling:
quote and backslash escaped, control characters short (\\n) or as \\u00xx in lower case, everything else raw. States of
kind "text" read plain UTF-8 without such a spelling; general grammars use them (see `machine.rules`). If no language
has a text left, no state is made: the entry is DEAD. All states belong to the tables of one vocabulary, and live as
long as these.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ...cached import cached_property
from ...errors import LimitExceededError
from ...memory.structs import Table
from ...quote_tree import QuoteTree
from ...regex import algebra as lang
from ...regex import ranges
from ...regex.algebra import Language
from ...regex.charset import CharSet
from ...watch import checkpoint, pausing
from .. import layout as at
from ..sources.json_spelling import PLAIN
from ..sources.spelled import ESCAPES, SpelledText
from ..structs import Dfa
from .character_nodes import wide_byte_classes
from .positions import Positions, tree_of
from .set_rows import BUSY, build_row, find_life
from .sets import first_state
from .source_rows import first_place_state
from .subsets import spell_escapes
from .threads import list_threads
from .trie_kernels import BYTE_CLASSES
from .wide_trees import CharacterNode, Run, WideTrees

_Row = NDArray[np.int32]
Kind = Literal["string", "counted", "number", "text", "counted text"]
_Source = tuple[Kind, tuple[Language, ...]]
_Cell = tuple[CharSet, tuple[Language, ...]]  # a set of characters, and the languages after them
_Inner = tuple[CharacterNode, Kind, tuple[tuple[Language, ...] | None, ...]]
"""A place inside a character: its node, and for each of the node's classes the languages after it (None: nothing)."""

_ALL_BYTE_CLASSES = int(np.bitwise_or.reduce(BYTE_CLASSES))
_ESCAPED_CLASSES = int(np.bitwise_or.reduce(BYTE_CLASSES[:0x80][ESCAPES != PLAIN]))
_DEAD_ROW = np.full(256, at.DEAD, dtype=np.int32)
_UNBUILT_ROW = np.full(256, at.UNBUILT, dtype=np.int32)
MAX_STATES = 1 << 18  # maximum number of states, 1 KiB each
PRODUCTS_A_STATE = 4  # number of product states that count as one state, since they take as much memory
_MANY_PLACES = 300  # maximum number of a language's states to visit
_FIRST_STATES = 512
"""Number of states whose rows have memory at once. PERF: a new page takes 0.3 to 14 us, in the mask that needs it."""
_QUOTE, _LEAD_OF_ODD = 0x22, 0xC2  # no character that begins with byte C2 is of the byte class WIDE
_MOST_CHARACTERS = 64  # default maximum number of characters of a token: few tokens have more
_COUNTED = ("counted", "counted text")
_SPELLINGS: dict[Kind, int] = {
    "text": at.TEXT_SPELLING,
    "counted text": at.TEXT_SPELLING,
    "string": at.STRING_SPELLING,
    "counted": at.STRING_SPELLING,
    "number": at.NUMBER_SPELLING,
}


class Share(Protocol):
    """What one grammar may take of a pool of states; see `shares`."""

    @property
    def most_states(self) -> int:
        """Maximum number of states in the pool while this grammar makes some."""

    def too_many(self) -> LimitExceededError:
        """Make the error that this grammar gets for one state more."""


class StatePool:
    """The bounds of states and product states. Tables ask for them when they grow.

    share: attribute; the share of the grammar that makes states now; None if no grammar does.
    """

    __slots__ = ("share",)

    def __init__(self) -> None:
        self.share: Share | None = None

    def most_states(self) -> int:
        """Return the maximum number of states."""
        return MAX_STATES if self.share is None else self.share.most_states

    def most_products(self) -> int:
        """Return the maximum number of product states."""
        return self.most_states() * PRODUCTS_A_STATE

    def too_many(self) -> LimitExceededError:
        """Make the error for one state more."""
        if self.share is not None:
            return self.share.too_many()
        return LimitExceededError("shared_automaton_states", MAX_STATES, "states", "of all grammars in use together")


class LazyDfas:
    """DFA states, numbered from 0, and their rows. Kernels read the tables in `dfa`."""

    def __init__(self, most_characters: int = _MOST_CHARACTERS, *, is_shared: bool = False) -> None:
        """most_characters: maximum number of characters of a token; default 64.

        is_shared: True for states that all grammars share, which must hold nothing of a request's texts; default False.
        """
        self._is_shared = is_shared
        self.dfa = Dfa()
        self.dfa.byte_classes = BYTE_CLASSES
        self.dfa.escapes = ESCAPES
        self.dfa.escaped_classes = _ESCAPED_CLASSES
        self._table, self._products = self.dfa.states, self.dfa.product_states
        pool = self.pool = StatePool()
        self._table.bound(pool.most_states, pool.too_many)
        self._products.bound(pool.most_products, pool.too_many)
        self.dfa.rows.spread(MAX_STATES)
        dfa = self.dfa
        dfa.rows.data[:_FIRST_STATES] = at.UNBUILT
        self._of_states: list[Table[Any]] = [
            dfa.states,
            dfa.rows,
            dfa.loops,
            dfa.runs,
            dfa.edges,
            dfa.inside,
            dfa.set_of,
        ]
        self._room = 0  # number of states that all tables have room for
        self._make_room(_FIRST_STATES)
        self.dfa.members.ensure(4096)
        for table in (self.dfa.found, self.dfa.pending):
            table.ensure(1024)
        self._positions = Positions(self.dfa, self._is_live, self._place_state, most_characters)
        self._place_states: dict[QuoteTree, int] = {}  # states before the quotes of a source
        self._kept: list[NDArray[Any]] = []  # arrays that source texts hold by address
        self._states: dict[_Source, int] = {}
        self._sources: dict[int, _Source] = {}
        self._trees = WideTrees()
        self._inner_states: dict[_Inner, int] = {}
        self._unmade_inner_states: dict[int, _Inner] = {}

    @property
    def num_states(self) -> int:
        """Number of states."""
        return self._table.used

    @property
    def num_taken(self) -> int:
        """Number of states, or of product states divided by PRODUCTS_A_STATE if that is more."""
        states, products = self._table, self._products
        # PERF: read twice for each new mask and step, so not by the property `used` (0.3 us less)
        num_states: int = states._words[states._first + 1]
        num_products: int = products._words[products._first + 1] // PRODUCTS_A_STATE
        return num_states if num_states > num_products else num_products

    @property
    def num_bytes(self) -> int:
        """Memory of all tables, in bytes."""
        rows = self.dfa.rows
        of_sources = sum([array.nbytes for array in self._kept])
        return self.dfa.num_bytes + of_sources - (rows.capacity - self.num_states) * rows.dtype.itemsize

    @property
    def is_nearly_full(self) -> bool:
        """True if at least half of the possible states exist."""
        return 2 * self.num_taken > MAX_STATES

    def state(self, languages: tuple[Language, ...], kind: Kind) -> int:
        """Return the state before a text of one of the languages. The languages are disjoint, and not all empty."""
        source = (kind, languages)
        state = self._states.get(source)
        if state is None:
            assert not (self._is_shared and any(language.is_transient for language in languages)), "sources are private"
            state = self._first_set(languages, kind)
            if state is not None:
                self._states[source] = state
                return state
            accept = -1
            if kind in ("number", "text", "counted text"):
                accept = next((index for index, language in enumerate(languages) if language.nullable), -1)
            shortest = _shortest(languages[0]) if kind in _COUNTED else languages[0].min_length
            state = self._states[source] = self._add(source, accept, int(kind != "number"), shortest, _UNBUILT_ROW)
        return state

    def make_text_states(self, languages: Iterable[Language]) -> None:
        """Make the states of kind "text" of some languages, one each, all together. `state` then finds them."""
        new = [language for language in dict.fromkeys(languages) if ("text", (language,)) not in self._states]
        for language in new:
            if tree := tree_of(language):
                self._states["text", (language,)] = self._place_state(tree)
        new = [language for language in new if not tree_of(language)]
        positions = [self._positions.first((language,)) for language in new]
        for language, position in zip(new, positions, strict=True):
            state = None if position is None else self._set_at(position, "text")
            if state is not None:
                self._states["text", (language,)] = state

    def counted_state(self, language: Language) -> int:
        """Return the state of a language whose lengths matter: `shortest` of its states is exact."""
        is_run = isinstance(language, lang.Repeat) and isinstance(language.child, lang.Chars) and language.low == 0
        return self.state((language,), "string" if is_run else "counted")

    def counted_text_state(self, base: Language, mark: Language) -> int:
        """Return the state of a language's literal texts with a mark after them; `shortest` of its states is exact."""
        language = lang.concat(base, mark)
        return self.state((language,), "text" if _may_always_end(base) else "counted text")

    def prepare_row(self, state: int) -> None:
        """Compute everything that a state's row is made from. May take long, and reads nothing of these tables."""
        source = self._sources.get(state)
        if source is None:
            return
        for language in source[1]:
            for _, target in language.transitions():
                lang.is_empty(target)

    def build_row(self, state: int) -> None:
        """Make the row of a state, unless another thread made it while this one paused.

        Passes a checkpoint, since searches make thousands of rows.
        """
        checkpoint()
        if self.dfa.rows.data[state, 0] != at.UNBUILT:
            return
        if self.dfa.set_of.data["count"].item(state):
            while missing := build_row(self.dfa.address, state):
                self._go_on(missing)
            return
        inner = self._unmade_inner_states.get(state)
        if inner is not None:
            self._build_inner_state(state, *inner)
            del self._unmade_inner_states[state]
            return
        source = self._sources.get(state)
        assert source is not None, "all other places inside characters are made with their rows"
        kind, languages = source
        row = _dead_row()
        same = self._add_ascii_and_wide(row, languages, kind)
        if kind == "string" or kind == "counted":
            spell_escapes(self.dfa.address, row)
            for index, language in enumerate(languages):
                if language.nullable:
                    row[_QUOTE] = at.FIRST_END - index
        self.dfa.rows.data[state] = row
        if kind != "number":
            changed = int(np.bitwise_or.reduce(BYTE_CLASSES[row[:128] != state], initial=0))
            wide = 0 if row[_LEAD_OF_ODD] == at.DEAD else wide_byte_classes(sorted(itertools.chain.from_iterable(same)))
            self.dfa.loops.data[state] = _ALL_BYTE_CLASSES & ~changed | wide

    def text_row(self, state: int) -> _Row:
        """Return the row of a state of kind "text": for each byte the next state, or DEAD. The row is made on first
        use.
        """
        if self.dfa.rows.data[state, 0] == at.UNBUILT:
            checkpoint()
            self.prepare_row(state)
            pausing(None, lambda: self.build_row(state))
        row: _Row = self.dfa.rows.data[state]
        return row

    @cached_property
    def of_all_bytes(self) -> int:
        """A state that every byte leads back to, also in the middle of characters."""
        state = self._add(None, 0, 1, 0, np.full(256, self.num_states, dtype=np.int32))
        self.dfa.loops.data[state] = -1
        return state

    def threads(self, state: int) -> list[int]:
        """Return states whose texts together are those of a state; see `threads`."""
        count = list_threads(self.dfa.address, state)
        found: list[int] = self.dfa.threads.data[:count].tolist()
        return found

    def accepts(self, state: int) -> int:
        """Return the language that a number or "text" belongs to if it ends in a state; -1 for none."""
        return int(self.dfa.states.data["accepts"].item(state))

    def words_after(self, state: int) -> list[str] | None:
        """Return the rests of the words if a state of kind "text" is one of a word set with too many positions."""
        source = self._sources.get(state)
        if source is None or source[0] != "text" or len(source[1]) > 1 or not isinstance(source[1][0], lang.Words):
            return None
        return source[1][0].sorted_words

    def may_end(self, state: int) -> bool:
        """Return True if the text of a state of kind "text" may end."""
        return self.accepts(state) >= 0

    def shortest(self, state: int) -> int:
        """Return the minimum number of characters that begin from a state on before a text of its first language
        ends.
        """
        return int(self.dfa.states.data["shortest"].item(state))

    def is_between(self, state: int) -> bool:
        """Return True between characters, also at a place where the text must end."""
        return bool(self.dfa.states.data["is_between"].item(state))

    def _place_state(self, tree: QuoteTree) -> int:
        """Return the state of kind "text" before the quotes of a source."""
        known = self._place_states.get(tree)
        if known is not None:
            return known
        assert not self._is_shared, "sources are private"
        spelled = SpelledText(tree.source, is_escaped=False)
        tree.source.forget_points()
        order = spelled.starts.copy()
        arrays: dict[str, NDArray[Any]] = {
            "text": spelled.text,
            "ends": spelled.ends,
            "order": order,
            "sorted_to": np.zeros_like(order),
        }
        number = self.dfa.source_texts.reserve(1)
        text = self.dfa.source_texts[number]
        for name, array in arrays.items():
            setattr(text, name, array)
        self._kept += arrays.values()
        state = self._place_states[tree] = int(first_place_state(self.dfa.address, number))
        return state

    def _first_set(self, languages: tuple[Language, ...], kind: Kind) -> int | None:
        """Return the state if it can be a place in a source or a set of positions; else None."""
        if isinstance(languages[0], lang.MachineLanguage):  # PERF: each state of a machine is a language of its own
            tree = tree_of(languages[0])
            if tree is None:
                return None
            if kind == "text" and len(languages) == 1:
                return self._place_state(tree)
        # a text may need more characters to its end than a set of positions tells
        is_vague = kind in _COUNTED and not languages[0].is_plain
        if is_vague or all(language is lang.NOTHING for language in languages):
            return None
        position = self._positions.first(languages)
        return None if position is None else self._set_at(position, kind)

    def _set_at(self, position: int, kind: Kind) -> int | None:
        """Return the state of the texts that begin at a position; None if there are none."""
        self._positions.publish()
        state = int(first_state(self.dfa.address, position, _SPELLINGS[kind]))
        return None if state == at.DEAD else state

    def _is_live(self, product_state: int) -> bool:
        """Return True if a product state leads to a text."""
        while missing := find_life(self.dfa.address, product_state):
            self._go_on(missing)
        return bool(self.dfa.product_states.data["life"].item(product_state) == at.LIVE)

    def _go_on(self, missing: int) -> None:
        """Make the row that a kernel is missing (see `set_rows.try_row`). Passes a checkpoint."""
        if missing == BUSY:
            checkpoint()
        else:
            self.build_row(missing - 1)

    def _add(self, source: _Source | None, accept: int, boundary: int, shortest: int, row: _Row) -> int:
        state = self.num_states
        self._make_room(1)
        if source is not None:
            self._sources[state] = source
        self.dfa.rows.data[state] = row
        added = self.dfa.states[self.dfa.states.reserve(1)]
        added.accepts, added.is_between, added.shortest = accept, boundary, min(shortest, at.MAX_COUNT + 1)
        added.mask_state = 0
        return state

    def _add_unbuilt(self, shortest: Sequence[int]) -> int:
        """Add states inside characters, whose rows are made later, and return the first one's number."""
        first, count = self.num_states, len(shortest)
        self._make_room(count)
        self.dfa.rows.data[first : first + count] = at.UNBUILT
        inner = self.dfa.states.reserve(count)
        states = self.dfa.states.data[inner : inner + count]
        states[:] = 0
        states["accepts"] = -1
        states["shortest"] = np.minimum(np.array(shortest, dtype=np.int64), at.MAX_COUNT + 1)
        return first

    def _shortest_of(self, kind: Kind, languages: tuple[Language, ...]) -> int:
        """Return `shortest` of a state, which may not exist yet."""
        if kind not in _COUNTED:
            return languages[0].min_length
        state = self._states.get((kind, languages))
        return _shortest(languages[0]) if state is None else self.dfa.states.data["shortest"].item(state)

    def _make_room(self, count: int) -> None:
        """Make room for `count` more states. Raises LimitExceededError."""
        end = self.num_states + count
        if end > self._room:
            for table in self._of_states:
                table.ensure(end)
            self._room = min([table.capacity for table in self._of_states])

    def _cells(self, languages: tuple[Language, ...]) -> list[_Cell]:
        """Return disjoint sets of characters, each with the rest of every language after it."""
        if len(languages) == 1:
            transitions = languages[0].transitions()
            return [(charset, (target,)) for charset, target in transitions if not lang.is_empty(target)]
        live = [
            [(charset, (inner, target)) for charset, target in language.transitions() if not lang.is_empty(target)]
            for inner, language in enumerate(languages)
        ]
        sets: dict[tuple[Language, ...], list[CharSet]] = {}
        for charset, found in ranges.overlay(live, needed=1):
            targets = dict(found)
            sets.setdefault(tuple(targets.get(i, lang.NOTHING) for i in range(len(languages))), []).append(charset)
        return [(ranges.join(charsets), targets) for targets, charsets in sets.items()]

    def _add_ascii_and_wide(self, row: _Row, languages: tuple[Language, ...], kind: Kind) -> list[CharSet]:
        """Fill in a row, and return the sets of characters that leave the languages unchanged."""
        cells = self._cells(languages)
        for charset, following in cells:
            if charset[0][0] < 0x80:
                target = self.state(following, kind)
                for low, high in charset:
                    if low >= 0x80:
                        break
                    row[low : min(high, 0x7F) + 1] = target
        wide = [(charset, targets) for charset, targets in cells if charset[-1][1] >= 0x80]
        if kind != "number" and wide:
            tree = self._trees.tree(tuple([charset for charset, _ in wide]))
            self._add_runs(row, tree.leads, kind, [targets for _, targets in wide])
        return [charset for charset, following in cells if following == languages]

    def _add_runs(
        self, row: _Row, runs: Iterable[Run], kind: Kind, targets: Sequence[tuple[Language, ...] | None]
    ) -> None:
        """Fill in the entries of bytes that lead to classes or to states inside characters.

        targets: class -> languages after it; None: nothing follows.

        The rows of states inside characters, and the states behind them, are made when a text gets there.
        """
        inners = []
        for low, high, target in runs:
            if not isinstance(target, CharacterNode):
                following = targets[target]
                row[low : high + 1] = at.DEAD if following is None else self.state(following, kind)
                continue
            reached = tuple([targets[index] for index in target.classes])
            if not any(reached):
                continue
            inner = target, kind, reached
            state = self._inner_states.get(inner)
            if state is None:
                inners.append((low, high, inner))
            else:
                row[low : high + 1] = state
        new = dict.fromkeys([inner for _, _, inner in inners])
        first = self._add_unbuilt([min([self._shortest_of(kind, one) for one in inner[2] if one]) for inner in new])
        self._inner_states.update(zip(new, range(first, first + len(new)), strict=True))
        self._unmade_inner_states.update(zip(range(first, first + len(new)), new, strict=True))
        for low, high, inner in inners:
            row[low : high + 1] = self._inner_states[inner]

    def _build_inner_state(
        self, state: int, node: CharacterNode, kind: Kind, targets: tuple[tuple[Language, ...] | None, ...]
    ) -> None:
        """Make the row of a state inside a character. targets: languages after each of the node's classes."""
        by_class = [targets[0]] * (node.classes[-1] + 1)
        for index, target in zip(node.classes, targets, strict=True):
            by_class[index] = target
        row = _dead_row()
        self._add_runs(row, node.runs, kind, by_class)
        self.dfa.rows.data[state] = row


def _may_always_end(language: Language) -> bool:
    """Return True if a text may end in every state of a language. The shortest rest is then the mark alone."""
    seen, waiting = {language}, [language]
    while waiting:
        here = waiting.pop()
        if not here.nullable or len(seen) > _MANY_PLACES:
            return False
        for _, target in here.transitions():
            if target not in seen and not lang.is_empty(target):
                seen.add(target)
                waiting.append(target)
    return True


def _shortest(language: Language) -> int:
    """Return the number of characters in a language's shortest text."""
    word = lang.find_word(language)
    assert word is not None, "states without texts are never made"
    return len(word)


def _dead_row() -> _Row:
    return _DEAD_ROW.copy()
