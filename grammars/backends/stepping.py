"""`SteppingMatcher`: the common part of matchers around another library's state.

The library's state gives masks, steps and copies. The matcher itself handles the end of the text: it allows end ids
exactly when the text is complete, and nothing after an end id.
"""

from __future__ import annotations

import functools
import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from ..bitset import Bitmask, allowed_token_ids, check_bitmask, pack_token_ids
from ..errors import InvalidInputError, UnsupportedGrammarError
from ..forks import anew_after_fork
from ..protocol import CompiledGrammar, Matcher, read_token_id
from ..vocabulary import Vocabulary

Made = TypeVar("Made")


def per_vocabulary(make: Callable[[Vocabulary], Made]) -> Callable[[Vocabulary], Made]:
    """Decorator: keeps a function's result for each vocabulary, as long as the vocabulary lives."""
    known: WeakKeyDictionary[Vocabulary, Made] = WeakKeyDictionary()
    lock = anew_after_fork(threading.Lock())

    @functools.wraps(make)
    def kept(vocabulary: Vocabulary) -> Made:
        with lock:
            if vocabulary not in known:
                known[vocabulary] = make(vocabulary)
            return known[vocabulary]

    return kept


@per_vocabulary
def text_row(vocabulary: Vocabulary) -> Bitmask:
    """Return the mask row of the tokens with text: int32, shape (W,)."""
    token_ids = [token_id for token_id, token in enumerate(vocabulary.tokens) if token is not None]
    return pack_token_ids(np.array(token_ids, dtype=np.int64), vocabulary.size)


class SteppingMatcher(Matcher):
    """A matcher over a library's state. Subclasses implement the methods at the end of the class."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._num_tokens = 0
        self._is_terminated = False

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        """Write the allowed tokens into a row of the bitmask: all 0 after the end of the text."""
        check_bitmask(bitmask, row, self._vocabulary.size)
        bitmask[row] = 0 if self._is_terminated else self._row()

    def accept_token(self, token_id: int) -> bool:
        """Take a token; False when the token is not allowed."""
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
        """True if the text may end here."""
        return not self._is_terminated and self._is_complete()

    def is_terminated(self) -> bool:
        """True if the text has ended with an end token."""
        return self._is_terminated

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens. Raises InvalidInputError when fewer were accepted."""
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
        """Return an independent copy."""
        twin = self._copy()
        twin._num_tokens, twin._is_terminated = self._num_tokens, self._is_terminated
        return twin

    def reset(self) -> None:
        """Go back to the start of the text."""
        self._restart()
        self._num_tokens, self._is_terminated = 0, False

    def find_jump_forward_bytes(self, max_bytes: int | None = None) -> bytes:
        """Return the bytes that every continuation starts with, at most `max_bytes` of them."""
        return b"" if self.is_accepting() or self._is_terminated else self._forced_bytes(max_bytes)

    def find_jump_forward_tokens(self) -> list[int]:
        """Return the tokens that are the only allowed ones, one after the other."""
        scout = self.fork()
        forced: list[int] = []
        while not scout._is_terminated:
            token_ids = allowed_token_ids(scout._row(), self._vocabulary.size)
            if len(token_ids) != 1 or not scout.accept_token(int(token_ids[0])):
                break
            forced.append(int(token_ids[0]))
        return forced

    def _row(self) -> Bitmask:
        return self._token_row() | self._vocabulary.end_row if self._is_complete() else self._token_row()

    @abstractmethod
    def _token_row(self) -> Bitmask:
        """Return the mask row of the tokens with text: int32, shape (W,). Called only before the end of the text."""

    @abstractmethod
    def _step(self, token_id: int) -> bool:
        """Take a token with text. Returns False, and changes nothing, when the token is not allowed."""

    @abstractmethod
    def _step_back(self, num_tokens: int) -> None:
        """Undo the last `num_tokens` steps. The caller makes sure that there are enough."""

    @abstractmethod
    def _is_complete(self) -> bool:
        """True if the text so far is complete."""

    @abstractmethod
    def _copy(self) -> Self:
        """Return a new matcher with a copy of the library's state."""

    @abstractmethod
    def _restart(self) -> None:
        """Bring the library's state back to the start."""

    @abstractmethod
    def _forced_bytes(self, max_bytes: int | None) -> bytes:
        """Return the bytes that every continuation starts with, at most `max_bytes` of them; None: no limit.

        Called only when the text is not complete.
        """


class StateGrammar(CompiledGrammar):
    """A grammar of a library whose states are values that Python can keep.

    start: attribute; the state before the text.
    """

    start: Any

    def matcher(self) -> Matcher:
        """Return a new matcher at the start of a text."""
        return StateMatcher(self)

    @abstractmethod
    def row(self, state: Any) -> Bitmask:
        """Return the mask row of the tokens with text in a state: int32, shape (W,)."""

    @abstractmethod
    def after_token(self, state: Any, token_id: int) -> Any:
        """Return the state after a token with text; None when the token is not allowed."""

    @abstractmethod
    def after_byte(self, state: Any, byte: int) -> Any:
        """Return the state after one byte; None when no text continues with it."""

    @abstractmethod
    def is_final(self, state: Any) -> bool:
        """True if the text is complete in this state."""


class StateMatcher(SteppingMatcher):
    """Matches one text: keeps the state and the states before it."""

    def __init__(self, grammar: StateGrammar) -> None:
        super().__init__(grammar.vocabulary)
        self._grammar = grammar
        self._states = [grammar.start]

    def _token_row(self) -> Bitmask:
        return self._grammar.row(self._states[-1])

    def _step(self, token_id: int) -> bool:
        following = self._grammar.after_token(self._states[-1], token_id)
        if following is None:
            return False
        self._states.append(following)
        return True

    def _step_back(self, num_tokens: int) -> None:
        del self._states[-num_tokens:]

    def _is_complete(self) -> bool:
        return self._grammar.is_final(self._states[-1])

    def _copy(self) -> StateMatcher:
        twin = StateMatcher(self._grammar)
        twin._states = self._states.copy()
        return twin

    def _restart(self) -> None:
        del self._states[1:]

    def _forced_bytes(self, max_bytes: int | None) -> bytes:
        forced, state = bytearray(), self._states[-1]
        while len(forced) != max_bytes and not self._grammar.is_final(state):
            after = [(byte, self._grammar.after_byte(state, byte)) for byte in range(256)]
            following = [(byte, one) for byte, one in after if one is not None]
            if len(following) != 1:
                break
            forced.append(following[0][0])
            state = following[0][1]
        return bytes(forced)


def check_spells_all(backend: str, vocabulary: Vocabulary) -> None:
    """Raise UnsupportedGrammarError when a byte of UTF-8 has no token of its own: a text could reach a dead end."""
    if vocabulary.missing_bytes:
        raise UnsupportedGrammarError(
            f"{backend} needs a vocabulary that spells every byte of UTF-8 alone, and {len(vocabulary.missing_bytes)} "
            "are missing here, so that texts could come to a dead end; the native backend takes it"
        )
