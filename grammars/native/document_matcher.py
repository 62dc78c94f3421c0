"""`DocumentMatcher`: a matcher of documents, whose configurations are numbers."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING

from ..automaton.document_automaton import NOT_MADE, TOKEN_SHIFT, DocumentAutomaton
from ..automaton.mask_rows import write_row
from ..automaton.tables import Mask
from ..bitset import Bitmask
from ..errors import LimitExceededError
from ..lifetime import Lifetime
from .document_pointer import located
from .text_matcher import TextMatcher

if TYPE_CHECKING:
    from ..completion.base import Completion


class DocumentMatcher(TextMatcher[int]):
    """See `Matcher`. A warm fill_bitmask copies a row, a warm accept_token reads a number of a list."""

    __slots__ = ("_following", "_masks", "_others", "_tokens", "_verify")

    _automaton: DocumentAutomaton

    def __init__(
        self, automaton: DocumentAutomaton, completion: Callable[[], Completion[int]], lifetime: Lifetime | None = None
    ) -> None:
        super().__init__(automaton, completion, lifetime)
        self._masks, self._verify = automaton.masks, automaton.verify
        self._tokens, self._following, self._others = automaton.tokens, automaton.following, automaton.others

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        config = self._config
        mask = self._masks[config]
        if not mask[0]:
            mask = self._made()
        write_row(bitmask, row, mask, self._size)
        if config in self._verify or self._automaton.has_guards:
            self.verify_row(bitmask[row])

    def accept_token(self, token_id: int) -> bool:
        config, automaton = self._config, self._automaton
        if token_id == self._tokens[config]:
            following: int | None = self._following[config]
        else:
            following = self._others.get(index(token_id) << TOKEN_SHIFT | config)
        if following is None:
            following = self._follow(config, token_id)
            if following is None:
                return False
        if automaton.has_guards and not automaton.keeps_guards(following, token_id, self._tail):
            return False
        self._history.append(config)
        self._token_ids.append(token_id)
        self._config = following
        return True

    def mask(self) -> Mask:
        mask = self._masks[self._config]
        if not mask[0]:
            mask = self._made()
        return mask

    def sure_mask(self) -> Mask | None:
        config = self._config
        mask = self._masks[config]
        return mask if mask[0] and config not in self._verify and not self._automaton.has_guards else None

    def _made(self) -> Mask:
        """The mask of where it is now, made. Raises LimitExceededError, which says for which value."""
        try:  # PERF: as `Work`, which would take 1 us more
            with self._allowance:
                return self._automaton.make_mask(self._config)
        except LimitExceededError as error:
            raise self._located(error) from None

    @property
    def is_masked(self) -> bool:
        return self._masks[self._config][0] != 0

    @property
    def is_uncertain(self) -> bool:
        return self._automaton.has_guards or self._config in self._verify

    def is_accepting(self) -> bool:
        return self._automaton.is_complete_at(self._config)

    def is_terminated(self) -> bool:
        return self._config == self._automaton.ended

    def _follow(self, config: int, token_id: int) -> int | None:
        automaton = self._automaton
        if not 0 <= token_id < self._size or config == automaton.ended:
            return None
        vocabulary = automaton.vocabulary_tables.vocabulary
        if vocabulary.tokens[token_id] is None:
            ends = self.is_accepting() and token_id in vocabulary.eos_token_ids
            return automaton.ended if ends else None
        token_id = int(token_id)
        try:  # PERF: as `Work`. Nearly all tokens need nothing new, and have no need to count time (1 us)
            following = automaton.follow_made(config, token_id)
            if following != NOT_MADE:
                return following
            with self._allowance:
                return automaton.follow(config, token_id, self._tail)
        except LimitExceededError as error:
            raise self._located(error) from None

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        return located(error, self._tail(1 << 60)[0])
