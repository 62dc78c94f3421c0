"""`RunningAutomaton`: what a matcher asks of the automaton that it is in."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from ..limits import Limits
from .lexicon import Lexicon
from .tables import Mask, Tail

PlaceT = TypeVar("PlaceT")


class RunningAutomaton(Protocol[PlaceT]):
    """An automaton over bytes on one vocabulary, whose places are interned: objects, or numbers.

    lexicon: of the vocabulary. lock: the lexicon's, or one that takes it; for everything that builds.
    has_guards: masks and `follow` allow some tokens that `keeps_guards` refuses.
    start: the place of the empty text. ended: the one after an end token.
    """

    @property
    def lexicon(self) -> Lexicon: ...

    @property
    def lock(self) -> AbstractContextManager[object]: ...

    @property
    def has_guards(self) -> bool: ...

    @property
    def start(self) -> PlaceT: ...

    @property
    def ended(self) -> PlaceT: ...

    @property
    def limits(self) -> Limits:
        """Of the grammar."""

    def make_mask(self, place: PlaceT, /) -> Mask | None:
        """Fill in a place's mask, where places keep theirs; some give it, too."""

    def follow(self, place: PlaceT, token_id: int, tail: Tail, /) -> PlaceT | None:
        """The place after a token of text (or a single byte, by ids from the vocabulary's size on); None: not allowed.

        tail: gives about that many of the last bytes before the token, and whether they are all there are.
        """

    def is_allowed(self, place: PlaceT, token_id: int, tail: Tail, /) -> bool:
        """True when a token (of text) may come, guards considered."""

    def keeps_guards(self, following: PlaceT, token_id: int, tail: Tail, /) -> bool:
        """False when `follow` allowed a token that must not come."""

    def uncertain_tokens(self, place: PlaceT, tail: Tail, /) -> Iterable[int]:
        """The tokens of a place that must be tried out in spite of its mask."""

    def forced_byte(self, place: PlaceT, tail: Tail, /) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
