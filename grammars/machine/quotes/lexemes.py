"""`QuoteLexemes`: the strings of one automaton that are quotes, as places in their source texts.

A string is handled here if all its texts have one class, and its language is the quotes of one source. The quotes may
be intersected with languages that are not quotes. DFAs read the other strings: excluded quotes, quotes of two sources
at once, quotes of several classes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...errors import LimitExceededError
from ...limits import Limits
from ...quote_tree import QuoteState, QuoteTree
from ...quotes import SourceText
from ...regex import algebra as lang
from ...regex.algebra import Language
from ...watch import checkpoint, pausing
from .. import layout as at
from ..asking import PAUSE, ROW
from ..frames import Lexeme
from ..machine import Machine
from ..sources.spelled import SpelledText
from ..vocabulary_tables import VocabularyTables
from .ahead import MAX_LEXEMES
from .places import first_place, keep_starts, shortest_end, widest_gap
from .structs import Quotes

_Found = TypeVar("_Found")

_MANY_STARTS = 4096  # number of starts examined between checkpoints
_MANY_STEPS = 300_000  # maximum number of steps along the text to find the widest gap: 2 ms
_ROWS = 256  # number of DFA rows between two looks at the watch
_WORK = 2_000_000  # number of steps of kernels between two looks at the watch: 10 ms
_NEAR, _FURTHER = 64, 8  # bytes within which ends are searched first, and the factor for each next search
_ANY_LENGTH = (0, None)


class _Parts(NamedTuple):
    """The parts of an intersection: quotes, bounds on the number of characters, and all other conditions (`rest`)."""

    tree: QuoteTree
    rest: Language
    low: int
    high: int | None


class QuoteLexemes:
    """The quotes of one automaton. The caller holds the automaton's lock; `has_text` takes that of the tables.

    quotes: the quotes of the automaton's machine. Machines find the places of a text; this class finds the places where
        strings begin.
    """

    def __init__(self, tables: VocabularyTables, limits: Limits) -> None:
        self._tables, self._limits = tables, limits
        self.quotes = Quotes()
        self._work = self.quotes.work_left = _WORK  # steps left until walks along texts ask for a look at the watch
        self._machine = Machine(tables.tables)
        self._machine.quotes = self.quotes
        self._machine.rows_left = _ROWS
        self._codes: dict[tuple[Language, int], int] = {}
        self._parts: list[_Parts] = []
        self._kept: list[NDArray[np.int32]] = []  # arrays that the lexemes refer to by address

    @property
    def num_bytes(self) -> int:
        """Memory of the sources, their tables, and all places."""
        sources = {parts.tree.source for parts in self._parts}
        of_sources = sum([source.num_bytes + spelled_of(source).num_bytes for source in sources])
        return of_sources + self.quotes.num_bytes + sum([one.nbytes for one in self._kept])

    def code(self, lexeme: Lexeme) -> int | None:
        """The code of the first place of a lexeme; None if it is not handled here."""
        if len(lexeme) != 1:
            return None
        language, returned = lexeme[0]
        known = self._codes.get((language, returned))
        if known is None:
            parts = _parts_of(language)
            if parts is None:
                return None
            known = self._codes[language, returned] = self._new_code(parts, returned)
        return known

    def has_text(self, language: Language) -> bool | None:
        """True if a language has a text; None if it is not handled here."""
        parts = _parts_of(language)
        if parts is None:
            return None
        with self._tables.lock:  # `pausing` with None: no pause, during which this lock would stay held
            code = pausing(None, lambda: self.code(((language, 0),)))
        return code != at.DEAD

    def has_many(self, language: Language, many: int) -> bool:
        """True if a language surely has at least `many` texts; False: it may have fewer, or is not handled here."""
        parts = _parts_of(language)
        if parts is None or parts.rest is not lang.ANYTHING or (parts.low, parts.high) != _ANY_LENGTH:
            return False
        source = parts.tree.source
        ends, found = np.flatnonzero(source.ends).tolist(), set[str]()
        for start in np.flatnonzero(source.starts).tolist():
            following = ends[bisect_right(ends, start) :]
            if len(following) >= many:  # the quotes up to these ends have different lengths
                return True
            for end in following:
                found.add(source.text[start:end])
                if len(found) >= many:
                    return True
        return False

    def first_end(self, language: Language, excluded: frozenset[bytes] = frozenset()) -> bytes | None:
        """Like `end`, from the beginning of a language of quotes."""
        code = self.code(((language, 0),))
        return None if code is None or code == at.DEAD else self.end(code, excluded)

    def end(self, code: int, excluded: frozenset[bytes] = frozenset()) -> bytes | None:
        """A shortest text that ends the string at a place, closing quote included. excluded: texts to avoid."""
        for text in self._ends(code):
            if text not in excluded:
                return text
        return None

    def returned(self, code: int) -> int:
        """The class of the strings at a place."""
        return self.quotes.lexemes[self.quotes.places[code & at.MASK32].lexeme].returned

    def widest_gap(self, language: Language) -> int | None:
        """Upper bound on the bytes from any beginning of a text of the language to the nearest end; None: not known."""
        code = self.code(((language, 0),))
        if code is None or code == at.DEAD:
            return None
        number = self.quotes.places[code & at.MASK32].lexeme
        lexeme = self.quotes.lexemes[number]
        if lexeme.is_free:
            return spelled_of(self._parts[number].tree.source).widest_gap
        found: int = self._run(lambda: widest_gap(self._machine.address, number, _MANY_STEPS))
        return None if found < 0 else found

    def continuation(self, code: int, most: int) -> bytes:
        """The source's next bytes at the first place of a QUOTED code, at most `most`; b"" if nothing was read yet."""
        place = self.quotes.places[code & at.MASK32]
        if not place.depth:
            return b""
        lexeme = self.quotes.lexemes[place.lexeme]
        order = lexeme.order.part(place.first, place.count).numpy()
        start = int(order.min()) + place.depth
        return lexeme.text.numpy()[start : start + most].tobytes()

    def look_at_the_watch(self) -> None:
        """Serve a walk along a text that asks for a look at the watch.

        The kernel then begins again, so it may work twice as long before it asks again.
        """
        checkpoint()
        self._work *= 2
        self.quotes.work_left = self._work

    def begin_work(self) -> None:
        """Reset the steps, since another kernel begins."""
        self._work = _WORK

    def _ends(self, code: int) -> Iterator[bytes]:
        """The texts that end the string at a place, shorter ones first; texts may repeat."""
        length, index = -1, -1
        place = self.quotes.places[code & at.MASK32]
        lexeme = self.quotes.lexemes[place.lexeme]
        text, order, depth = lexeme.text.numpy(), lexeme.order, place.depth
        while (found := self._next_end(code, length, index)) is not None:
            length, index = found
            start = order[index] + depth
            yield text[start : start + length].tobytes() + b'"'

    def _next_end(self, code: int, length: int, after: int) -> tuple[int, int] | None:
        """The next text that ends the string at a place: the number of its bytes, and its suffix. None: no more.

        length, after: the text before it; -1 for none.

        PERF: looks for near ends first, since each suffix may have its first end far away.
        """
        place = self.quotes.places[code & at.MASK32]
        first, end, longest = place.first, place.first + place.count, len(self.quotes.lexemes[place.lexeme].text)
        most = length + _NEAR
        while True:
            index, best, best_index = first, most, -1
            while index < end:
                checkpoint()
                search = partial(shortest_end, self._machine.address, code, length, after, index, best, best_index)
                index, best, best_index = self._run(search)
            if best_index >= 0:
                return best, best_index
            if most > longest:
                return None
            most *= _FURTHER

    def _new_code(self, parts: _Parts, returned: int) -> int:
        """The code at the beginning of a lexeme; DEAD if the source has no text of it."""
        spelled = spelled_of(parts.tree.source)
        order = spelled.starts.copy()
        sorted_to = order.copy()
        sorted_to[:] = 0
        if len(self._parts) == MAX_LEXEMES:
            raise LimitExceededError("quoted_strings", MAX_LEXEMES, "kinds of strings", "that are quotes")
        number = self.quotes.lexemes.reserve(1)
        self._parts.append(parts)
        lexeme = self.quotes.lexemes[number]
        is_bounded = (parts.low, parts.high) != _ANY_LENGTH
        lexeme.text, lexeme.ends = spelled.text, spelled.ends
        lexeme.order, lexeme.sorted_to = order, sorted_to
        self._kept += [order, sorted_to]
        if is_bounded:
            lexeme.characters = spelled.characters
        lexeme.low, lexeme.high = parts.low, -1 if parts.high is None else parts.high
        is_any = parts.rest is lang.ANYTHING
        lexeme.state = -1 if is_any else self._tables.lazy_dfas.state((parts.rest,), "string")
        lexeme.is_free = int(is_any and not is_bounded)
        lexeme.returned = returned
        if not lexeme.is_free:
            kept = self._keep_starts(number, len(order))
            lexeme = self.quotes.lexemes[number]
            lexeme.order, lexeme.sorted_to = order[:kept], sorted_to[:kept]
            order = order[:kept]
        if not len(order):
            return at.DEAD
        code: int = self._run(lambda: first_place(self._machine.address, number))
        return code

    def _keep_starts(self, number: int, count: int) -> int:
        """Keep the starts of a lexeme that have an end ahead; returns their number."""
        start = kept = 0
        while start < count:
            checkpoint()
            start, kept = self._run(partial(keep_starts, self._machine.address, number, start, kept, _MANY_STARTS))
        return kept

    def _run(self, kernel: Callable[[], _Found | None]) -> _Found:
        """The result of a kernel. Makes the DFA rows that the kernel asks for."""
        machine, lazy_dfas, most = self._machine, self._tables.lazy_dfas, self._limits.max_automaton_states
        self.begin_work()
        while (found := kernel()) is None:
            kind, state = machine.request.kind, machine.request.state
            machine.request.kind = 0
            if kind == PAUSE:
                self.look_at_the_watch()
                continue
            assert kind == ROW, "nothing else is missing where no string ends"
            num_rows = machine.num_rows + lazy_dfas.is_between(state)
            if num_rows > most:
                raise LimitExceededError("max_automaton_states", most, "states", "of what is said of a quote")
            machine.num_rows, machine.rows_left = num_rows, _ROWS
            lazy_dfas.prepare_row(state)
            lazy_dfas.build_row(state)
        return found


def spelled_of(source: SourceText) -> SpelledText:
    """The spelled text of a source, made once and kept with the source. The source's `points` are freed then."""
    if source.spelled is None:
        source.spelled = SpelledText(source)
        source.forget_points()
    assert isinstance(source.spelled, SpelledText)
    return source.spelled


def _parts_of(language: Language) -> _Parts | None:
    """Split an intersection with the quotes of one source into its parts; None for any other language."""
    parts = language.parts if isinstance(language, lang.Intersection) else (language,)
    tree, others, (low, high) = None, list[Language](), _ANY_LENGTH
    for part in parts:
        state = part.machine if isinstance(part, lang.MachineLanguage) else None
        if isinstance(state, QuoteState):
            if tree is not None or state.depth:
                return None
            tree = state.tree
        elif part.is_transient:
            return None
        elif isinstance(part, lang.Repeat) and part.child is lang.ANY_CHAR and (low, high) == _ANY_LENGTH:
            low, high = part.low if part.low > 1 else 0, part.high  # a quote has a character anyway
        else:
            others.append(part)
    if tree is None:
        return None
    return _Parts(tree, lang.intersect(*others), low, high)
