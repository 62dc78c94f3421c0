"""`AutomatonMatcher`: a place in a document, with the tokens that led there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..backends.base import Matcher
from ..bitset import Bitmask, allocate_bitmask, check_bitmask
from ..errors import InvalidInputError
from ..lifetime import Lifetime
from ..vocabulary import Vocabulary
from .automaton import Config
from .running import RunningAutomaton
from .segments import copy_row

_INT32 = np.dtype(np.int32)


class AutomatonMatcher(Matcher):
    """See `Matcher`. A warm fill_bitmask copies a row, a warm accept_token follows a link.

    lifetime: of the automaton.
    """

    __slots__ = ("_automaton", "_config", "_history", "_lifetime", "_num_words", "_token_ids")

    def __init__(self, automaton: RunningAutomaton, lifetime: Lifetime | None = None) -> None:
        self._automaton = automaton
        self._lifetime = lifetime
        self._num_words = automaton.lexicon.num_words
        self._config = automaton.start
        self._history: list[Config] = []
        self._token_ids: list[int] = []

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        config = self._config
        automaton = self._automaton
        if not config.base:
            automaton.make_mask(config)
        if (
            type(bitmask) is not np.ndarray
            or bitmask.dtype is not _INT32
            or bitmask.ndim != 2
            or bitmask.shape[1] != self._num_words
            or not 0 <= row < len(bitmask)
        ):
            check_bitmask(bitmask, row, automaton.lexicon.vocabulary.size)
        copy_row(bitmask, int(row), config.base, config.patch, config.num_changed)
        if config.verify or automaton.has_guards:
            self.verify_row(bitmask[row])

    @classmethod
    def fill_batch(cls, matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
        from .batch import fill_rows

        fill_rows([matcher for matcher in matchers if isinstance(matcher, AutomatonMatcher)], bitmask)

    def accept_token(self, token_id: int) -> bool:
        config = self._config
        following = config.following if token_id == config.token_id else config.after(token_id)
        if following is None:
            following = self._follow(config, token_id)
            if following is None:
                return False
        automaton = self._automaton
        if automaton.has_guards and not automaton.keeps_guards(following, token_id, self._tail):
            return False
        self._history.append(config)
        self._token_ids.append(token_id)
        self._config = following
        return True

    def place(self) -> Config:
        """Where it is now, with the mask made."""
        if not self._config.base:
            self._automaton.make_mask(self._config)
        return self._config

    @property
    def is_uncertain(self) -> bool:
        """True when the mask of `place` has tokens that `verify_row` must decide."""
        return bool(self._config.verify) or self._automaton.has_guards

    @property
    def vocabulary(self) -> Vocabulary:
        """Of which the tokens are."""
        return self._automaton.lexicon.vocabulary

    def verify_row(self, row: Bitmask) -> None:
        """Decide the tokens that the mask leaves open. row: int32 (W,), the mask, changed in place."""
        automaton = self._automaton
        for token_id in automaton.uncertain_tokens(self._config, self._tail):
            bit = np.array(1 << (token_id & 31), dtype=np.uint32).view(np.int32)
            if automaton.is_allowed(self._config, token_id, self._tail):
                row[token_id >> 5] |= bit
            else:
                row[token_id >> 5] &= ~bit

    def is_accepting(self) -> bool:
        return self._config.is_complete

    def is_terminated(self) -> bool:
        return self._config is self._automaton.ended

    def rollback(self, num_tokens: int) -> None:
        if not 0 <= num_tokens <= len(self._history):
            raise InvalidInputError(f"can't take back {num_tokens} tokens of {len(self._history)}")
        if num_tokens:
            self._config = self._history[-num_tokens]
            del self._history[-num_tokens:], self._token_ids[-num_tokens:]

    def fork(self) -> AutomatonMatcher:
        copy = AutomatonMatcher(self._automaton, self._lifetime)
        copy._config = self._config
        copy._history, copy._token_ids = self._history.copy(), self._token_ids.copy()
        return copy

    def reset(self) -> None:
        self._config = self._automaton.start
        self._history.clear()
        self._token_ids.clear()

    def find_jump_forward_bytes(self) -> bytes:
        automaton, config = self._automaton, self._config
        forced = b""
        written = self._tail

        def tail(length: int) -> tuple[bytes, bool]:
            text, is_all = written(length)
            return text + forced, is_all

        while (byte := automaton.forced_byte(config, tail)) is not None:
            following = automaton.follow(config, self.vocabulary.size + byte, tail)
            assert following is not None
            config, forced = following, forced + bytes([byte])
        return forced

    def find_jump_forward_tokens(self) -> list[int]:
        scout = self.fork()
        bitmask = allocate_bitmask(1, self.vocabulary.size)
        forced: list[int] = []
        while (token_id := scout._only_token(bitmask)) is not None:
            scout.accept_token(token_id)
            forced.append(token_id)
        return forced

    def _only_token(self, bitmask: Bitmask) -> int | None:
        """The token that the mask holds where it holds exactly one."""
        self.fill_bitmask(bitmask)
        words = np.flatnonzero(bitmask[0])
        if len(words) != 1:
            return None
        word = int(words[0])
        bits = int(bitmask[0, word]) & 0xFFFFFFFF
        return None if bits & (bits - 1) else 32 * word + bits.bit_length() - 1

    def _follow(self, config: Config, token_id: int) -> Config | None:
        """The config after a token; None when it is not allowed."""
        vocabulary = self._automaton.lexicon.vocabulary
        if not 0 <= token_id < vocabulary.size or config is self._automaton.ended:
            return None
        if vocabulary.tokens[token_id] is None:
            ends = config.is_complete and token_id in vocabulary.eos_token_ids
            return self._automaton.ended if ends else None
        return self._automaton.follow(config, int(token_id), self._tail)

    def _tail(self, length: int) -> tuple[bytes, bool]:
        """About the last `length` bytes of the text, and whether they are all."""
        vocabulary, token_ids = self._automaton.lexicon.vocabulary, self._token_ids
        num_tokens = min(length, len(token_ids))
        return vocabulary.join(token_ids[len(token_ids) - num_tokens :]), num_tokens == len(token_ids)
