"""`RunningAutomaton`: what a matcher asks of the automaton that it is in."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from ..limits import Limits
from .tables import Mask, Tail
from .vocabulary_tables import VocabularyTables

ConfigT = TypeVar("ConfigT")


class RunningAutomaton(Protocol[ConfigT]):
    """An automaton over bytes on one vocabulary, whose configurations are interned: objects, or numbers.

    vocabulary_tables: of the vocabulary. lock: the vocabulary tables', or one that takes it; for everything that
    builds. has_guards: masks and `follow` allow some tokens that `keeps_guards` refuses. start: the configuration of
    the empty text. ended: the one after an end token.
    """

    @property
    def vocabulary_tables(self) -> VocabularyTables: ...

    @property
    def lock(self) -> AbstractContextManager[object]: ...

    @property
    def has_guards(self) -> bool: ...

    @property
    def start(self) -> ConfigT: ...

    @property
    def ended(self) -> ConfigT: ...

    @property
    def limits(self) -> Limits:
        """Of the grammar."""

    def make_mask(self, config: ConfigT, /) -> Mask | None:
        """Fill in a configuration's mask, where configurations keep theirs; some give it, too."""

    def follow(self, config: ConfigT, token_id: int, tail: Tail, /) -> ConfigT | None:
        """The configuration after a token of text (or a single byte, by ids from the vocabulary's size on); None: not
        allowed.

        tail: gives about that many of the last bytes before the token, and whether they are all there are.
        """

    def is_allowed(self, config: ConfigT, token_id: int, tail: Tail, /) -> bool:
        """True when a token (of text) may come, guards considered."""

    def keeps_guards(self, following: ConfigT, token_id: int, tail: Tail, /) -> bool:
        """False when `follow` allowed a token that must not come."""

    def uncertain_tokens(self, config: ConfigT, tail: Tail, /) -> Iterable[int]:
        """The tokens of a configuration that must be tried out in spite of its mask."""

    def forced_byte(self, config: ConfigT, tail: Tail, /) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
