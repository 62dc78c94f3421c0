"""`RunningAutomaton`: the configurations that texts of one grammar got to, as numbers, with their masks and steps.

What is known about configurations stands in a few lists, so a grammar that was much in use is still few objects: a
garbage collection looks at every object that a process holds, but not at numbers, nor at tuples of numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import ClassVar, Final, Generic, TypeVar

from ..errors import LimitExceededError
from ..limits import Limits
from .lexemes.turnstile import Turnstile
from .tables import Mask
from .tails import Tail
from .text_places import after_bytes
from .vocabulary_tables import VocabularyTables

StateT = TypeVar("StateT")

TOKEN_SHIFT: Final = 40
NOT_MADE: Final = -1
NO_BYTE: Final = -1
"""What a token leads to must be made first."""

MAX_OTHERS: Final = 1 << 16
"""Tokens that are kept with what follows them, in `others`. Where there are more, all are forgotten, and met again."""

_OTHER_BYTES = 100  # of each, by tracemalloc
_NO_MASK: Mask = (0, 0, 0)


class RunningAutomaton(ABC, Generic[StateT]):
    """An automaton over bytes on one vocabulary, and what was found out about its configurations.

    A configuration is a number. What it stands for is its state, of a type that each kind of automaton chooses.
    start: the configuration of the empty text. ended: the one after an end token.
    lock: for everything that builds. limits: of the grammar. names_tokens: tokens without text may come, by their ids.

    Lists with an entry for each configuration: states_at. masks: their first number 0 where they are not made yet.
    tokens: one that was met there, if any, and that leads to the same configuration whatever the text before is;
    following: that configuration.
    others: token << TOKEN_SHIFT | configuration -> the configuration after it, of other such tokens that were met: at
    most MAX_OTHERS.
    verify: configuration -> tokens that its mask leaves open, because they depend on the text before.
    forced: configuration -> the only byte that may come whatever the text before is, NO_BYTE for none.
    """

    names_tokens: ClassVar[bool] = False
    config_bytes: ClassVar[int] = 500
    """Memory of a configuration with its first step. A guess."""

    mark_bytes: dict[int, bytes]
    """Special tokens that are parts of marks, each with the byte that stands for it."""

    vocabulary_tables: VocabularyTables
    lock: Turnstile
    limits: Limits
    start: int

    def __init__(self, ended: StateT) -> None:
        """ended: the state after an end token. `vocabulary_tables`, `lock` and `limits` are set before."""
        self._size = self.vocabulary_tables.vocabulary.size
        self.mark_bytes = {}
        self.states_at: list[StateT] = []
        self.masks: list[Mask] = []
        self.tokens: list[int | None] = []
        self.following: list[int] = []
        self.others: dict[int, int] = {}
        self.verify: dict[int, tuple[int, ...]] = {}
        self.forced: dict[int, int] = {}
        self._numbers: dict[StateT, int] = {}
        self.ended = self.config(ended)
        self.masks[self.ended] = (self.vocabulary_tables.zero_row, 0, 0)
        self.forced[self.ended] = NO_BYTE

    def text_of(self, token_id: int) -> bytes:
        """The bytes of a token, as far as what comes after it may depend on them."""
        if self.vocabulary_tables.has_text(token_id):
            return self.vocabulary_tables.token_bytes(token_id)
        return self.mark_bytes.get(token_id, b"")

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""

    @property
    def bytes_of_configs(self) -> int:
        """The part of `num_bytes` that configurations and steps take."""
        return self.config_bytes * len(self.states_at) + _OTHER_BYTES * len(self.others)

    @property
    @abstractmethod
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton: this one, or its vocabulary tables, comes near its
        limits."""

    def config(self, state: StateT) -> int:
        """The configuration of a state."""
        config = self._numbers.get(state)
        if config is None:
            config = self._numbers[state] = len(self.states_at)
            self.masks.append(_NO_MASK)
            self.tokens.append(None)
            self.following.append(0)
            self.states_at.append(state)
        return config

    @abstractmethod
    def is_complete_at(self, config: int) -> bool:
        """True when the text may end at a configuration."""

    # --- masks

    def make_mask(self, config: int) -> Mask:
        """The mask of a configuration, made if that is not done yet."""
        with self.lock:
            mask = self.masks[config]
            if not mask[0]:
                mask, verify = self._make_mask(self.states_at[config])
                if verify:
                    self.verify[config] = verify
                self.masks[config] = mask
            return mask

    @abstractmethod
    def _make_mask(self, state: StateT) -> tuple[Mask, tuple[int, ...]]:
        """The mask of a state, and the tokens that it leaves open. Called under the lock, as all that builds."""

    # --- steps

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """The configuration after a token; None when it is not allowed.

        token_id: of a token that stands for text, or that the grammar may name; or of a single byte, from the
        vocabulary's size on. tail: gives about that many of the last bytes before the token, and whether they are all
        there are.
        """
        with self.lock:
            state, is_sure = self._step(self.states_at[config], token_id, tail)
            return None if state is None else self._noted(config, token_id, state, is_sure)

    def follow_made(self, config: int, token_id: int) -> int | None:
        """As `follow`, but NOT_MADE where something must be made for it."""
        return NOT_MADE

    @abstractmethod
    def _step(self, state: StateT, token_id: int, tail: Tail) -> tuple[StateT | None, bool]:
        """The state after a token, None where it is not allowed; and whether that is so whatever the text before is."""

    def _noted(self, config: int, token_id: int, state: StateT, is_sure: bool) -> int:
        """The configuration of the state after a token, noted where it is always so."""
        following = self.config(state)
        if is_sure and token_id < self._size:
            if self.tokens[config] is None:
                self.following[config] = following
                self.tokens[config] = token_id
            else:
                if len(self.others) >= MAX_OTHERS:
                    self.others.clear()
                self.others[token_id << TOKEN_SHIFT | config] = following
        return following

    def known_after(self, config: int, token_id: int) -> int | None:
        """The configuration after a token that was met; None where it was not, or depends on the text before."""
        if token_id == self.tokens[config]:
            return self.following[config]
        return self.others.get(token_id << TOKEN_SHIFT | config)

    # --- what may come next, byte by byte

    def forced_byte(self, config: int, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        forced = self._known_forced(config)
        if forced is None:
            with self.lock:
                return self._tried_byte(config, tail)
        return None if forced < 0 else forced

    def sure_byte(self, config: int) -> int | None:
        """As `forced_byte`; None also where bytes would have to be tried out."""
        forced = self._known_forced(config)
        return None if forced is None or forced < 0 else forced

    def _known_forced(self, config: int) -> int | None:
        """What `_only_byte` says, kept."""
        forced = self.forced.get(config)
        if forced is None:
            with self.lock:
                forced = NO_BYTE if self.is_complete_at(config) else self._only_byte(self.states_at[config])
                if forced is not None:
                    self.forced[config] = forced
        return forced

    def _only_byte(self, state: StateT) -> int | None:
        """The only byte that may come in a state, below 0 where there is none or a choice, also with something else
        than bytes; None: to be tried out."""
        return None

    def _tried_byte(self, config: int, tail: Tail) -> int | None:
        """As `forced_byte`, by trying bytes."""
        first_two = [byte for byte, _ in islice(self.allowed_bytes(config, tail), 2)]
        return first_two[0] if len(first_two) == 1 else None

    def allowed_bytes(self, config: int, tail: Tail) -> Iterator[tuple[int, int]]:
        """The bytes that may come at a configuration, each with the configuration after it."""
        for byte in self._possible_bytes(self.states_at[config]):
            following = self.follow(config, self._size + byte, tail)
            if following is not None:
                yield byte, following

    def quote_continuation(self, config: int, most: int) -> bytes:
        """How a source text goes on at a configuration, at most so many bytes; b"" where it is in no quote."""
        return b""

    def _possible_bytes(self, state: StateT) -> Iterable[int]:
        """The bytes that may come in a state, and perhaps others."""
        return range(256)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """The same error, which says where in a text it was. configs: before each of its tokens, and after all."""
        return after_bytes(error, self.vocabulary_tables.vocabulary.join(token_ids))
