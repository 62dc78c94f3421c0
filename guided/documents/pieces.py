"""A long text in pieces that a model can read: cut at paragraphs where it can be, at sentences else, with overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import regex

from guided.grammars.errors import InvalidInputError

from .sentences import sentence_ends

_WORD_END = regex.compile(r"\s+")
LEAST_CHARS = 40  # what is shorter is not cut


@dataclass(frozen=True)
class Piece:
    """A part of a text. start: its place there, in characters."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """The place behind it."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Cut:
    """How large pieces are. None: as the model's context has it.

    max_tokens: of a piece. None: half of what instructions and schema leave of the context (the other half is for the
        answer), at most 2,000. Fewer are more work, and less for a model to keep apart.
    overlap_tokens: of the text before that each piece begins with, in whole sentences. What is told over more sentences
        than that may be cut in two. None: an eighth of max_tokens.
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
    """A sentence, or a part of one that is too long. cost: in tokens. ends_paragraph: it is an empty line."""

    start: int
    end: int
    cost: int
    ends_paragraph: bool


class Cutter:
    """Cuts texts. max_tokens, overlap_tokens: as `Cut` says. count: how many tokens a text has."""

    def __init__(self, max_tokens: int, overlap_tokens: int, count: Callable[[str], int]) -> None:
        self._max_tokens = max_tokens
        self._overlap_tokens = overlap_tokens
        self._count = count

    def pieces(self, text: str) -> Iterator[Piece]:
        """The pieces of a text, in order, as they are asked for; together they hold all of it.

        Each ends at a paragraph, where one ends in its second half. Each has a sentence more than the overlap, at the
        least. Tokens are counted sentence by sentence, so a piece may have a few more or fewer.
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
        """A piece in two or more that overlap; as it is where it is too short for that."""
        if len(piece.text) < LEAST_CHARS:
            return [piece]
        cost = self._count(piece.text)
        cutter = Cutter(max(1, cost // 2), min(self._overlap_tokens, cost // 8), self._count)
        return [Piece(piece.start + one.start, one.text) for one in cutter.pieces(piece.text)]

    def _units(self, text: str) -> Iterator[_Unit]:
        start = 0
        for end in sentence_ends(text):
            cost = self._count(text[start:end])
            if cost <= self._max_tokens:
                yield self._unit(text, start, end, cost)
            else:
                yield from self._parts(text, start, end)
            start = end

    def _parts(self, text: str, start: int, end: int) -> Iterator[_Unit]:
        """A sentence that is longer than a piece: cut behind words, within words where one is so long."""
        places = [start, *(match.end() for match in _WORD_END.finditer(text, start, end)), end]
        held = start
        for before, after in pairwise(dict.fromkeys(places)):
            if before > held and self._count(text[held:after]) > self._part_tokens:
                yield self._unit(text, held, before, self._count(text[held:before]))
                held = before
            while self._count(text[held:after]) > self._part_tokens:
                length = self._longest(text, held, after)
                yield self._unit(text, held, held + length, self._count(text[held : held + length]))
                held += length
        if held < end:
            yield self._unit(text, held, end, self._count(text[held:end]))

    @property
    def _part_tokens(self) -> int:
        """Small enough for the overlap to hold some."""
        return max(1, self._overlap_tokens or self._max_tokens)

    def _longest(self, text: str, start: int, end: int) -> int:
        """How many characters from a place on are short enough: one at the least."""
        low, high = 1, end - start
        while low < high:
            middle = (low + high + 1) // 2
            if self._count(text[start : start + middle]) <= self._part_tokens:
                low = middle
            else:
                high = middle - 1
        return low

    def _unit(self, text: str, start: int, end: int, cost: int) -> _Unit:
        return _Unit(start, end, cost, ends_paragraph=text[start:end].isspace())  # an empty line, by TR29

    def _length(self, held: list[_Unit], num_old: int) -> int:
        """How many units a piece takes of those that are held: up to the last paragraph in its second half, or all."""
        total = sum([unit.cost for unit in held])
        cost, found = 0, len(held)
        for count, unit in enumerate(held, start=1):
            cost += unit.cost
            if count > num_old and unit.ends_paragraph and cost * 2 >= total:
                found = count
        return found

    def _overlap(self, units: list[_Unit], cost: int) -> list[_Unit]:
        """The last units, as many as the overlap holds, and the next piece beside its first sentence."""
        room, count = min(self._overlap_tokens, self._max_tokens - cost), 0
        for unit in reversed(units):
            room -= unit.cost
            if room < 0:
                break
            count += 1
        return units[len(units) - count :]


def _piece(text: str, units: list[_Unit]) -> Piece:
    return Piece(units[0].start, text[units[0].start : units[-1].end])
