"""`RunningAutomaton`: what a matcher asks of the automaton that it is in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .automaton import Config, Tail
    from .lexicon import Lexicon


class RunningAutomaton(Protocol):
    """An automaton over bytes on one vocabulary, whose configs are interned.

    lexicon: of the vocabulary. has_guards: masks and `follow` allow some tokens that `keeps_guards` refuses.
    start: the config of the empty text. ended: the one after an end token.
    """

    @property
    def lexicon(self) -> Lexicon: ...

    @property
    def has_guards(self) -> bool: ...

    @property
    def start(self) -> Config: ...

    @property
    def ended(self) -> Config: ...

    def make_mask(self, config: Config, /) -> None:
        """Fill in a config's mask."""

    def follow(self, config: Config, token_id: int, tail: Tail, /) -> Config | None:
        """The config after a token of text (or a single byte, by ids from the vocabulary's size on); None: not allowed.

        tail: gives about that many of the last bytes before the token, and whether they are all there are.
        """

    def is_allowed(self, config: Config, token_id: int, tail: Tail, /) -> bool:
        """True when a token (of text) may come, guards considered."""

    def keeps_guards(self, following: Config, token_id: int, tail: Tail, /) -> bool:
        """False when `follow` allowed a token that must not come."""

    def uncertain_tokens(self, config: Config, tail: Tail, /) -> Iterable[int]:
        """The tokens of a config that must be tried out in spite of its mask."""

    def forced_byte(self, config: Config, tail: Tail, /) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
