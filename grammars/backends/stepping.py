"""`SteppingMatcher`: what matchers around another library's state share, so that all keep the protocol alike.

The library's state is asked for masks, steps and copies. The end of the text is kept here: end ids are allowed exactly
when the text is complete, and after one nothing is.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np

from ..bitset import Bitmask, allowed_token_ids, check_bitmask, pack_token_ids
from ..errors import InvalidInputError, UnsupportedGrammarError
from ..protocol import Matcher, read_token_id
from ..vocabulary import Vocabulary


class SteppingMatcher(Matcher):
    """A matcher over a library's state. Subclasses implement the methods at the end of the class."""

    def __init__(self, vocabulary: Vocabulary, end_row: Bitmask) -> None:
        self._vocabulary = vocabulary
        self._end_row = end_row
        self._num_tokens = 0
        self._is_terminated = False

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        """See `Matcher.fill_bitmask`."""
        check_bitmask(bitmask, row, self._vocabulary.size)
        bitmask[row] = 0 if self._is_terminated else self._row()

    def accept_token(self, token_id: int) -> bool:
        """See `Matcher.accept_token`."""
        token_id = read_token_id(token_id)
        if self._is_terminated or not 0 <= token_id < self._vocabulary.size:
            return False
        if token_id in self._vocabulary.eos_token_ids:
            self._is_terminated = self._is_complete()
            return self._is_terminated
        if self._vocabulary.tokens[token_id] is None or not self._step(token_id):
            return False
        self._num_tokens += 1
        return True

    def is_accepting(self) -> bool:
        """See `Matcher.is_accepting`."""
        return not self._is_terminated and self._is_complete()

    def is_terminated(self) -> bool:
        """See `Matcher.is_terminated`."""
        return self._is_terminated

    def rollback(self, num_tokens: int) -> None:
        """See `Matcher.rollback`."""
        num_accepted = self._num_tokens + self._is_terminated
        if not 0 <= num_tokens <= num_accepted:
            raise InvalidInputError(f"can't take back {num_tokens} tokens; {num_accepted} were accepted")
        if num_tokens == 0:
            return
        num_steps = num_tokens - self._is_terminated
        self._is_terminated = False
        self._num_tokens -= num_steps
        if num_steps:
            self._step_back(num_steps)

    def fork(self) -> Self:
        """See `Matcher.fork`."""
        twin = self._copy()
        twin._num_tokens, twin._is_terminated = self._num_tokens, self._is_terminated
        return twin

    def reset(self) -> None:
        """See `Matcher.reset`."""
        self._restart()
        self._num_tokens, self._is_terminated = 0, False

    def find_jump_forward_bytes(self) -> bytes:
        """See `Matcher.find_jump_forward_bytes`."""
        return b"" if self.is_accepting() or self._is_terminated else self._forced_bytes()

    def find_jump_forward_tokens(self) -> list[int]:
        """See `Matcher.find_jump_forward_tokens`."""
        scout = self.fork()
        forced: list[int] = []
        while not scout._is_terminated:
            token_ids = allowed_token_ids(scout._row(), self._vocabulary.size)
            if len(token_ids) != 1 or not scout.accept_token(int(token_ids[0])):
                break
            forced.append(int(token_ids[0]))
        return forced

    def _row(self) -> Bitmask:
        return self._token_row() | self._end_row if self._is_complete() else self._token_row()

    @abstractmethod
    def _token_row(self) -> Bitmask:
        """The tokens with text that are allowed now, int32 (W,); the text has not ended."""

    @abstractmethod
    def _step(self, token_id: int) -> bool:
        """Take a token with text. False, and unchanged, when it is not allowed."""

    @abstractmethod
    def _step_back(self, num_tokens: int) -> None:
        """Undo the last steps, of which there are at least so many."""

    @abstractmethod
    def _is_complete(self) -> bool:
        """True when the text so far is complete."""

    @abstractmethod
    def _copy(self) -> Self:
        """A new matcher with the library's state copied."""

    @abstractmethod
    def _restart(self) -> None:
        """Bring the library's state back to the start."""

    @abstractmethod
    def _forced_bytes(self) -> bytes:
        """The bytes that every continuation starts with; the text is not complete."""


def end_row(vocabulary: Vocabulary) -> Bitmask:
    """The row of the tokens that end a text, int32 (W,)."""
    return pack_token_ids(sorted(vocabulary.eos_token_ids), vocabulary.size)


def text_row(vocabulary: Vocabulary) -> Bitmask:
    """The row of the tokens that have text, int32 (W,)."""
    token_ids = [token_id for token_id, token in enumerate(vocabulary.tokens) if token is not None]
    return pack_token_ids(np.array(token_ids, dtype=np.int64), vocabulary.size)


def check_spells_all(backend: str, vocabulary: Vocabulary) -> None:
    """Raise UnsupportedGrammarError for a vocabulary in which a text might come to where no token goes on."""
    if vocabulary.missing_bytes:
        raise UnsupportedGrammarError(
            f"{backend} needs a vocabulary that spells every byte of UTF-8 alone, and {len(vocabulary.missing_bytes)} "
            "are missing here, so that texts could come to a dead end; the native backend takes it"
        )
