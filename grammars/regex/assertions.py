r"""Turn patterns with lookahead, lookbehind and anchors into Languages, exactly.

A `Tail` is the part of a pattern that must still match, up to the text's end: a piece, and the tail after it.
`suffixes` returns the texts that a tail matches from a place. Each lookbehind's Language has then read all text before
the place:

- (?=X) before a tail keeps the texts of the tail that are also in X followed by anything. (?!X) keeps the others.
- (?<=X) holds when the text so far is in "anything, then X". The piece must not depend on text behind its match. The
  lookbehind's Language steps along with the text. `^` is a lookbehind with the empty text as its Language.
- A repeated piece with assertions is unrolled while the text is read. A round that reads nothing ends the loop.

A pattern without remaining lookbehinds and such loops gives an ordinary Language of the algebra. Any other gives a
Language around a `_Reading`, which is a Machine. (Moseley et al., PLDI 2023, have the idea of locations for lookarounds
in derivatives.)
"""

from __future__ import annotations

from collections.abc import Sequence as AbstractSequence
from typing import NamedTuple

from . import charset as cs
from . import ranges
from .charset import CharSet
from .constructors import complement, concat, intersect_lazily, machine, repeat, union
from .nodes import ANYTHING, EMPTY_TEXT, NOTHING, Language

Context = tuple[tuple[Language, Language], ...]
"""For each lookbehind: its Language at the start of the text, and the rest of the Language at this place."""


class AssertionNode:
    """A piece of a pattern that contains an assertion.

    maybe_empty: True if the piece may match without reading.
    behinds: Languages of the piece's lookbehinds.
    """

    __slots__ = ("behinds", "maybe_empty")

    def __init__(self, maybe_empty: bool, behinds: frozenset[Language]) -> None:
        self.maybe_empty = maybe_empty
        self.behinds = behinds


Piece = Language | AssertionNode


class AssertionConcat(AssertionNode):
    """A concatenation: matches the pieces one after the other."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Piece, ...]) -> None:
        self.parts = parts
        super().__init__(all(map(may_be_empty, parts)), _behinds(parts))


class AssertionUnion(AssertionNode):
    """An alternation: matches any of the pieces."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Piece, ...]) -> None:
        self.parts = parts
        super().__init__(any(map(may_be_empty, parts)), _behinds(parts))


class AssertionRepeat(AssertionNode):
    """A repetition: matches the node `low` to `high` times (high None: no bound)."""

    __slots__ = ("_rest", "high", "low", "node")

    def __init__(self, node: AssertionNode, low: int, high: int | None) -> None:
        self.node, self.low, self.high = node, low, high
        self._rest: Piece | None = None
        super().__init__(low == 0 or node.maybe_empty, node.behinds)

    @property
    def rest(self) -> Piece:
        """The loop after one round; always the same object."""
        if self._rest is None:
            high = None if self.high is None else self.high - 1
            same = self.low == 0 and high is None
            self._rest = self if same else loop(self.node, max(self.low - 1, 0), high)
        return self._rest


class Ahead(AssertionNode):
    """Holds when the following text begins with the inner piece; when is_negative, if it does not."""

    __slots__ = ("inner", "is_negative")

    def __init__(self, inner: Piece, is_negative: bool) -> None:
        self.inner, self.is_negative = inner, is_negative
        super().__init__(True, _behinds((inner,)))


class EndAnchor(AssertionNode):
    """Holds at the end of the text."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(True, frozenset())


class Behind(AssertionNode):
    """Holds when the text so far is in the Language; when is_negative, if it is not."""

    __slots__ = ("is_negative", "language")

    def __init__(self, language: Language, is_negative: bool) -> None:
        self.language, self.is_negative = language, is_negative
        super().__init__(True, frozenset((language,)))


START = Behind(EMPTY_TEXT, False)
END = EndAnchor()


def may_be_empty(piece: Piece) -> bool:
    """True if the piece may match without reading."""
    return piece.nullable if isinstance(piece, Language) else piece.maybe_empty


def sequence(parts: AbstractSequence[Piece]) -> Piece:
    """Concatenate pieces. Neighbours without assertions become one Language."""
    merged: list[Piece] = []
    languages: list[Language] = []
    for part in _flat(parts, AssertionConcat):
        if isinstance(part, Language):
            languages.append(part)
            continue
        if languages:
            merged.append(concat(*languages))
            languages = []
        merged.append(part)
    if not merged:
        return concat(*languages)
    if languages:
        merged.append(concat(*languages))
    return merged[0] if len(merged) == 1 else AssertionConcat(tuple(merged))


def choice(parts: AbstractSequence[Piece]) -> Piece:
    """Return the alternation of pieces. The pieces without assertions become one Language."""
    flat = _flat(parts, AssertionUnion)
    languages = [part for part in flat if isinstance(part, Language)]
    nodes = [part for part in flat if isinstance(part, AssertionNode)]
    if not nodes:
        return union(*languages)
    merged: tuple[Piece, ...] = (union(*languages), *nodes) if languages else tuple(nodes)
    return merged[0] if len(merged) == 1 else AssertionUnion(merged)


def loop(piece: Piece, low: int, high: int | None) -> Piece:
    """Return the piece repeated `low` to `high` times (high None: no bound)."""
    if isinstance(piece, Language):
        return repeat(piece, low, high)
    if high == 0:
        return EMPTY_TEXT
    if low == high == 1:
        return piece
    return choice([EMPTY_TEXT, piece]) if low == 0 and high == 1 else AssertionRepeat(piece, low, high)


def behind(piece: Piece, is_negative: bool) -> Behind:
    """Return the lookbehind of a piece. The piece must not depend on text behind its match."""
    return Behind(concat(ANYTHING, piece) if isinstance(piece, Language) else whole([ANYTHING, piece]), is_negative)


def boundary(word: Language, is_negated: bool) -> Piece:
    r"""Return \b (a word character on just one side of this place) or \B (on both sides or on none)."""
    before = concat(ANYTHING, word)
    return choice(
        [
            sequence([Behind(before, no_word_before), Ahead(word, no_word_before == is_negated)])
            for no_word_before in (False, True)
        ]
    )


def whole(pieces: AbstractSequence[Piece]) -> Language:
    """Return the texts that the pieces match from start to end."""
    flat, held = _flat(pieces, AssertionConcat), []
    while flat and isinstance(flat[-1], Behind):  # holds for the whole text
        held.append(_held(flat.pop()))
    tail = Tail(EMPTY_TEXT, None, EMPTY_TEXT, {})
    for piece in reversed(_with_first_behinds(flat)):
        tail = prepend(piece, tail)
    found = suffixes(tail, tuple([(language, language) for language in tail.behinds]))
    if found.is_plain:  # nothing uses the tails any more; clearing breaks their reference cycles
        tail.table.clear()
    return intersect_lazily(found, *held) if held else found


def _held(piece: Piece) -> Language:
    """Return the Language of the texts so far that satisfy a lookbehind."""
    assert isinstance(piece, Behind)
    return complement(piece.language) if piece.is_negative else piece.language


def _with_first_behinds(pieces: AbstractSequence[Piece]) -> list[Piece]:
    """Write lookbehinds as intersections where all text before them belongs to pieces without assertions."""
    before: Language = EMPTY_TEXT
    for number, piece in enumerate(pieces):
        if isinstance(piece, Language):
            before = concat(before, piece)
        elif isinstance(piece, Behind):
            before = intersect_lazily(before, _held(piece))
        else:
            return [before, *pieces[number:]]
    return [before]


class Tail:
    """A piece, then the rest (None: the end of the text).

    language: the texts that the tail matches; None when they depend on earlier text or need a machine.
    behinds: the lookbehinds' Languages in the tail; empty when `language` is known.
    table: all tails of the pattern, so that equal tails are one object.
    """

    __slots__ = ("behinds", "language", "piece", "rest", "table")

    def __init__(
        self, piece: Piece, rest: Tail | None, language: Language | None, table: dict[tuple[Piece, Tail], Tail]
    ) -> None:
        self.piece, self.rest, self.language, self.table = piece, rest, language, table
        self.behinds: frozenset[Language] = frozenset()
        if language is None and rest is not None:
            self.behinds = _behinds((piece,)) | rest.behinds


def prepend(piece: Piece, rest: Tail) -> Tail:
    """Return the tail that begins with the piece."""
    key = (piece, rest)
    tail = rest.table.get(key)
    if tail is None:
        language = None if rest.language is None else _resolve(piece, rest.language)
        tail = rest.table[key] = Tail(piece, rest, language, rest.table)
    return tail


def suffixes(tail: Tail, context: Context) -> Language:
    """Return the texts that the tail matches from here to the end."""
    return tail.language if tail.language is not None else _Expansion(context).expand(tail)


def _resolve(piece: Piece, following: Language) -> Language | None:
    """Return the piece, then the Language, as one Language; None when a lookbehind or a loop needs more."""
    if isinstance(piece, Language):
        return concat(piece, following)
    if isinstance(piece, EndAnchor):
        return EMPTY_TEXT if following.nullable else NOTHING
    if isinstance(piece, Ahead):
        inner = _resolve(piece.inner, ANYTHING)
        return None if inner is None else intersect_lazily(complement(inner) if piece.is_negative else inner, following)
    if isinstance(piece, AssertionConcat):
        result: Language | None = following
        for part in reversed(piece.parts):
            if result is not None:
                result = _resolve(part, result)
        return result
    if isinstance(piece, AssertionUnion):
        branches = [_resolve(part, following) for part in piece.parts]
        known = [branch for branch in branches if branch is not None]
        return union(*known) if len(known) == len(branches) else None
    return None


class _Expansion:
    """Takes tails at one place of the text apart, until each part begins with a Language that has to read."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.known: dict[tuple[Tail, frozenset[Tail]], Language] = {}

    def expand(self, tail: Tail, entered: frozenset[Tail] = frozenset()) -> Language:
        """Return the texts of the tail.

        entered: the loops that began at this place and have read nothing since.
        """
        if tail.language is not None:
            return tail.language
        key = (tail, entered)
        result = self.known.get(key)
        if result is None:
            result = self.known[key] = self._expand(tail, entered)
        return result

    def _expand(self, tail: Tail, entered: frozenset[Tail]) -> Language:
        piece, rest = tail.piece, tail.rest
        assert rest is not None
        if isinstance(piece, Language):
            reading = _reading(piece, rest, self.context)
            return union(reading, self.expand(rest, entered)) if piece.nullable else reading
        if isinstance(piece, AssertionConcat):
            for part in reversed(piece.parts):
                rest = prepend(part, rest)
            return self.expand(rest, entered)
        if isinstance(piece, AssertionUnion):
            return union(*[self.expand(prepend(part, rest), entered) for part in piece.parts])
        if isinstance(piece, Ahead):
            inner = self.expand(prepend(piece.inner, _anything_after(rest)))
            return intersect_lazily(complement(inner) if piece.is_negative else inner, self.expand(rest, entered))
        if isinstance(piece, Behind):
            return self.expand(rest, entered) if self._holds(piece) else NOTHING
        if isinstance(piece, EndAnchor):
            return EMPTY_TEXT if self.expand(rest, entered).nullable else NOTHING
        assert isinstance(piece, AssertionRepeat)
        return self._expand_loop(piece, tail, rest, entered)

    def _expand_loop(self, piece: AssertionRepeat, tail: Tail, rest: Tail, entered: frozenset[Tail]) -> Language:
        after_round = prepend(piece.rest, rest)
        once_more = prepend(piece.node, after_round)
        if piece.low:
            return self.expand(once_more, entered)
        if tail in entered:
            return NOTHING  # a round that read nothing; the loop's end was counted where the loop began
        return union(self.expand(rest, entered), self.expand(once_more, entered | {after_round}))

    def _holds(self, piece: Behind) -> bool:
        state = next(state for start, state in self.context if start is piece.language)
        return state.nullable != piece.is_negative


def _anything_after(tail: Tail) -> Tail:
    """Return the tail of the same pattern that matches every text."""
    while tail.rest is not None:
        tail = tail.rest
    return prepend(ANYTHING, tail)


class _Reading(NamedTuple):
    """A Machine that reads at least one character of the Language and then continues with the tail."""

    language: Language
    tail: Tail
    context: Context

    @property
    def nullable(self) -> bool:
        """False: the machine must read something."""
        return False

    @property
    def is_recursive(self) -> bool:
        """True: a transition may lead to a Language that contains this machine."""
        return True

    def transitions(self) -> tuple[tuple[CharSet, Language], ...]:
        """Return the Languages after one character."""
        starts = [start for start, _ in self.context]
        own = self.language.transitions()
        window = cs.union(*[charset for charset, _ in own]) if sum([len(charset) for charset, _ in own]) <= 8 else None
        partitions = [[(charset, (0, target)) for charset, target in own]]
        for index, (_, state) in enumerate(self.context, 1):
            steps = state.transitions()
            if window is not None:
                steps = tuple([(ranges.clip(charset, window), target) for charset, target in steps])
            partitions.append([(charset, (index, target)) for charset, target in steps])
        result = []
        for charset, targets in ranges.overlay(partitions, 1):
            by_index = dict(targets)
            if 0 in by_index:
                context = tuple([(start, by_index.get(i, NOTHING)) for i, start in enumerate(starts, 1)])
                result.append((charset, suffixes(prepend(by_index[0], self.tail), context)))
        return tuple(result)


def _reading(language: Language, tail: Tail, context: Context) -> Language:
    if language is EMPTY_TEXT or language is NOTHING:
        return NOTHING
    return machine(_Reading(language, tail, tuple([pair for pair in context if pair[0] in tail.behinds])))


def _flat(parts: AbstractSequence[Piece], kind: type[AssertionConcat | AssertionUnion]) -> list[Piece]:
    result: list[Piece] = []
    for part in parts:
        if isinstance(part, kind):
            result.extend(part.parts)
        else:
            result.append(part)
    return result


def _behinds(parts: AbstractSequence[Piece]) -> frozenset[Language]:
    found = [part.behinds for part in parts if isinstance(part, AssertionNode)]
    return frozenset().union(*found) if found else frozenset()
