"""`RunningAutomaton`: the configurations that texts of one grammar reached, as numbers, with their masks and steps.

A few lists hold all knowledge about configurations, so a much used grammar is still few objects. A garbage collection
looks at every object in a process, but not at numbers, nor at tuples of numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import ClassVar, Final, Generic, TypeVar

from ..errors import LimitExceededError
from ..limits import Limits
from .lexemes.automaton_lock import AutomatonLock
from .tables import Mask
from .tails import Tail
from .text_places import after_bytes
from .vocabulary_tables import VocabularyTables

StateT = TypeVar("StateT")

TOKEN_SHIFT: Final = 40
NOT_MADE: Final = -1
NO_BYTE: Final = -1
"""Results of a step: the next configuration must be made first; `forced`: no byte is forced."""

MAX_OTHERS: Final = 1 << 16
"""Maximum number of steps kept in `others`. When the table is full, it is cleared and filled again."""

_OTHER_BYTES = 100  # bytes of one such step, by tracemalloc
_NO_MASK: Mask = (0, 0, 0)


class RunningAutomaton(ABC, Generic[StateT]):
    """An automaton over bytes on one vocabulary, and its known configurations.

    A configuration is known by a number. Each kind of automaton chooses the type of state that the number stands for.

    start: configuration of the empty text.
    ended: configuration after an end-of-sequence token.
    lock: held for everything that builds.
    limits: limits of the grammar.
    names_tokens: True if tokens without text may come, by their ids.

    Lists with one entry for each configuration:
    states_at: its state.
    masks: its mask; the first number is 0 until the mask is made.
    tokens: one token whose next configuration never depends on the text before; None if no such token was met.
    following: the configuration after that token.

    Further tables:
    others: token << TOKEN_SHIFT | configuration -> next configuration, for other such tokens; at most MAX_OTHERS.
    verify: configuration -> tokens that its mask leaves open, because they depend on the text before.
    forced: configuration -> the only byte that may come, whatever the text before; NO_BYTE for none.
    """

    names_tokens: ClassVar[bool] = False
    config_bytes: ClassVar[int] = 500
    """Estimated memory of a configuration with its first step, in bytes."""

    mark_bytes: dict[int, bytes]
    """Special tokens that are parts of marks, each with the byte that stands for it."""

    vocabulary_tables: VocabularyTables
    lock: AutomatonLock
    limits: Limits
    start: int

    def __init__(self, ended: StateT) -> None:
        """ended: state after an end-of-sequence token. The caller has set `vocabulary_tables`, `lock` and `limits`
        before.
        """
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
        """Return the bytes of a token that may matter to later steps: its text, or the byte of a token in marks."""
        if self.vocabulary_tables.has_text(token_id):
            return self.vocabulary_tables.token_bytes(token_id)
        return self.mark_bytes.get(token_id, b"")

    @property
    @abstractmethod
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""

    @property
    def bytes_of_configs(self) -> int:
        """The part of `num_bytes` for configurations and steps, in bytes."""
        return self.config_bytes * len(self.states_at) + _OTHER_BYTES * len(self.others)

    @property
    @abstractmethod
    def is_worn(self) -> bool:
        """True if new matchers should get a new automaton: this one, or its vocabulary tables, comes near its
        limits.
        """

    def config(self, state: StateT) -> int:
        """Return the configuration of a state; a new state gets a new number."""
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
        """Return True if the text may end at a configuration."""

    # --- masks

    def make_mask(self, config: int) -> Mask:
        """Return the mask of a configuration, made on first use."""
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
        """Make the mask of a state, and list the tokens that it leaves open. The caller holds the lock."""

    # --- steps

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """Return the configuration after a token; None if the token is not allowed.

        token_id: id of a token with text, or of a token that the grammar may name. The vocabulary's size + b stands for
            the single byte b.
        tail: end of the text before the token, see `tails.Tail`.

        Raises LimitExceededError if building the next state exceeds a limit.
        """
        with self.lock:
            state, is_sure = self._step(self.states_at[config], token_id, tail)
            return None if state is None else self._noted(config, token_id, state, is_sure)

    def follow_made(self, config: int, token_id: int) -> int | None:
        """Like `follow`, but returns NOT_MADE if something must be built first."""
        return NOT_MADE

    @abstractmethod
    def _step(self, state: StateT, token_id: int, tail: Tail) -> tuple[StateT | None, bool]:
        """Return the state after a token (None: not allowed), and True if that holds whatever the text before is."""

    def _noted(self, config: int, token_id: int, state: StateT, is_sure: bool) -> int:
        """Return the configuration of the state after a token. Keep the step if it always holds."""
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
        """Return the configuration after a token, if that step is kept; None if it is new or depends on the text
        before.
        """
        if token_id == self.tokens[config]:
            return self.following[config]
        return self.others.get(token_id << TOKEN_SHIFT | config)

    # --- the next byte

    def forced_byte(self, config: int, tail: Tail) -> int | None:
        """Return the only byte that may come next; None if there is a choice or the text may end."""
        forced = self._known_forced(config)
        if forced is None:
            with self.lock:
                return self._tried_byte(config, tail)
        return None if forced < 0 else forced

    def sure_byte(self, config: int) -> int | None:
        """Like `forced_byte`, but also None if bytes would have to be tried out."""
        forced = self._known_forced(config)
        return None if forced is None or forced < 0 else forced

    def _known_forced(self, config: int) -> int | None:
        """Return the kept result of `_only_byte`, or compute and keep it."""
        forced = self.forced.get(config)
        if forced is None:
            with self.lock:
                forced = NO_BYTE if self.is_complete_at(config) else self._only_byte(self.states_at[config])
                if forced is not None:
                    self.forced[config] = forced
        return forced

    def _only_byte(self, state: StateT) -> int | None:
        """Return the only byte that may come in a state; None if bytes must be tried out.

        The answer is below 0 if no byte may come, or several, or something else than bytes.
        """
        return None

    def _tried_byte(self, config: int, tail: Tail) -> int | None:
        """Like `forced_byte`, by trying bytes one after the other."""
        first_two = [byte for byte, _ in islice(self.allowed_bytes(config, tail), 2)]
        return first_two[0] if len(first_two) == 1 else None

    def allowed_bytes(self, config: int, tail: Tail) -> Iterator[tuple[int, int]]:
        """Yield the bytes that may come at a configuration, each with the configuration after it."""
        for byte in self._possible_bytes(self.states_at[config]):
            following = self.follow(config, self._size + byte, tail)
            if following is not None:
                yield byte, following

    def quote_continuation(self, config: int, most: int) -> bytes:
        """Return how a source text goes on at a configuration, at most `most` bytes; b"" outside of quotes."""
        return b""

    def _possible_bytes(self, state: StateT) -> Iterable[int]:
        """Return the bytes that may come in a state, and perhaps some more."""
        return range(256)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """Return the error with the place in the text added.

        configs: configurations before each token and after the last one.
        token_ids: tokens of the text.
        """
        return after_bytes(error, self.vocabulary_tables.vocabulary.join(token_ids))
