"""Cuts a long text into pieces that a model can read: at paragraphs if possible, else at sentences, with overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

import regex

from guided.grammars.errors import InvalidInputError

from .sentences import sentence_ends

_LAST_SPACE = regex.compile(r"\s", regex.REVERSE)
AROUND_CHARS = 64  # characters around a piece that are kept
LEAST_CHARS = 40  # least number of characters of a piece that may be halved
MAX_CHARS = 16  # characters for each token of a piece; a longer sentence is only counted in parts


@dataclass(frozen=True)
class Piece:
    """A part of a text.

    start: position of its first character in the text.
    before, after: text around it, enough to tell whether words begin and end at its edges.
    """

    start: int
    text: str
    before: str = field(default="", compare=False)
    after: str = field(default="", compare=False)

    @property
    def end(self) -> int:
        """The position after its last character."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Cut:
    """The size of pieces.

    max_tokens: token limit of a piece. None: half the context that instructions and schema leave (the other half is for
        the answer), at most 2,000. If the model's positions were stretched (YaRN), also at most their remainder of the
        original context, where models read best. Smaller pieces cost more work and are easier for a model.
    overlap_tokens: tokens of the preceding text, in whole sentences, at the start of each piece. A statement that spans
        more sentences may be cut in two. None: an eighth of max_tokens.
    Raises InvalidInputError for an overlap that is as long as a piece.
    """

    max_tokens: int | None = None
    overlap_tokens: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("max_tokens", 1), ("overlap_tokens", 0)):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least):
                raise InvalidInputError(f"{name} must be an integer >= {least} or None, not {value!r}")
        if self.max_tokens is not None and (self.overlap_tokens or 0) >= self.max_tokens:
            raise InvalidInputError(f"overlap_tokens must be less than max_tokens, {self.max_tokens}")


@dataclass(frozen=True)
class _Unit:
    """A sentence, or a part of a sentence that is too long. cost: number of tokens. ends_paragraph: the unit is an
    empty line.
    """

    start: int
    end: int
    cost: int
    ends_paragraph: bool


class Cutter:
    """Cuts texts. max_tokens, overlap_tokens: see `Cut`. count: returns the number of tokens of a text."""

    def __init__(self, max_tokens: int, overlap_tokens: int, count: Callable[[str], int]) -> None:
        self._max_tokens = max_tokens
        self._overlap_tokens = overlap_tokens
        self._count = count

    def pieces(self, text: str) -> Iterator[Piece]:
        """The pieces of a text, in order and on demand; together they cover the whole text.

        A piece ends at a paragraph if one ends in its second half. A piece has at least one sentence beyond the
        overlap. Tokens are counted by sentence, so a piece may have slightly more or fewer tokens.
        """
        held: list[_Unit] = []
        num_new = cost = 0
        for unit in self._units(text):
            while num_new and cost + unit.cost > self._max_tokens:
                length = self._length(held, len(held) - num_new)
                yield _piece(text, held[:length])
                rest = held[length:]
                needed = sum([one.cost for one in rest]) + unit.cost
                held, num_new = self._overlap(held[:length], needed) + rest, len(rest)
                cost = sum([one.cost for one in held])
            held.append(unit)
            num_new, cost = num_new + 1, cost + unit.cost
        if num_new:
            yield _piece(text, held)

    def halves(self, piece: Piece) -> list[Piece]:
        """A piece cut into two overlapping halves, as even as its sentences allow; [piece] if it is too short to cut.

        Sentences longer than a quarter of the piece are cut.
        """
        if len(piece.text) < LEAST_CHARS:
            return [piece]
        cost = self._count(piece.text)
        overlap = min(self._overlap_tokens, cost // 8)
        units = list(Cutter(max(1, cost // 4), overlap, self._count)._units(piece.text))
        if len(units) < 2:
            return [piece]
        before = list(accumulate([unit.cost for unit in units]))
        place = min(range(1, len(units)), key=lambda one: abs(2 * before[one - 1] - before[-1]))
        first, second = units[:place], [*_last(units[1:place], overlap), *units[place:]]
        whole, begin = piece.before + piece.text + piece.after, len(piece.before)
        return [
            replace(_part(whole, begin + part[0].start, begin + part[-1].end), start=piece.start + part[0].start)
            for part in (first, second)
        ]

    def _units(self, text: str) -> Iterator[_Unit]:
        start = 0
        for end in sentence_ends(text):
            is_long = end - start > self._max_tokens * MAX_CHARS
            cost = 0 if is_long else self._count(text[start:end])
            if is_long or cost > self._max_tokens:
                yield from self._parts(text, start, end)
            else:
                yield self._unit(text, start, end, cost)
            start = end

    def _parts(self, text: str, start: int, end: int) -> Iterator[_Unit]:
        """The parts of a sentence that is longer than a piece, each cut in two until it fits; after words if possible.

        The parts are small enough for the overlap to hold some of them.
        """
        most = max(1, self._overlap_tokens or self._max_tokens)
        pending = [(start, end)]
        while pending:
            start, end = pending.pop()
            is_long = end - start > most * MAX_CHARS
            cost = 0 if is_long else self._count(text[start:end])
            if (is_long or cost > most) and end - start > 1:
                middle = (start + end) // 2
                space = _LAST_SPACE.search(text, start, middle)
                place = middle if space is None else space.end()
                pending += [(place, end), (start, place)]
            else:
                yield self._unit(text, start, end, cost)

    def _unit(self, text: str, start: int, end: int, cost: int) -> _Unit:
        return _Unit(start, end, cost, ends_paragraph=text[start:end].isspace())  # an empty line, by TR29

    def _length(self, held: list[_Unit], num_old: int) -> int:
        """The number of held units for a piece: up to the last paragraph end in the second half, else all."""
        total = sum([unit.cost for unit in held])
        cost, found = 0, len(held)
        for count, unit in enumerate(held, start=1):
            cost += unit.cost
            if count > num_old and unit.ends_paragraph and cost * 2 >= total:
                found = count
        return found

    def _overlap(self, units: list[_Unit], cost: int) -> list[_Unit]:
        """The last units that fit in the overlap and in the next piece beside its first sentence."""
        return _last(units, min(self._overlap_tokens, self._max_tokens - cost))


def _last(units: list[_Unit], room: int) -> list[_Unit]:
    """The last units that fit in `room` tokens."""
    count = 0
    for unit in reversed(units):
        room -= unit.cost
        if room < 0:
            break
        count += 1
    return units[len(units) - count :]


def _piece(text: str, units: list[_Unit]) -> Piece:
    return _part(text, units[0].start, units[-1].end)


def _part(text: str, start: int, end: int) -> Piece:
    """A part of a text, with the characters around it."""
    return Piece(start, text[start:end], text[max(0, start - AROUND_CHARS) : start], text[end : end + AROUND_CHARS])
