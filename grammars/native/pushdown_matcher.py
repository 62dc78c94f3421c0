"""`PushdownMatcher`: a configuration in a text of a general grammar, with the tokens that led there."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import TYPE_CHECKING

from ..automaton.mask_rows import write_row
from ..automaton.tables import Mask
from ..bitset import Bitmask
from ..errors import LimitExceededError
from ..lifetime import Lifetime
from ..pushdown.automaton import ENDED, TOKEN_BITS, PushdownAutomaton
from .text_matcher import TextMatcher
from .text_pointer import located

if TYPE_CHECKING:
    from ..completion.base import Completion


class PushdownMatcher(TextMatcher[int]):
    """See `Matcher`. A warm fill_bitmask copies a row, a warm accept_token looks up a number. Tokens without text are
    accepted where the grammar names them."""

    __slots__ = ("_masks", "_steps", "_verify")

    _automaton: PushdownAutomaton

    def __init__(
        self, automaton: PushdownAutomaton, completion: Callable[[], Completion[int]], lifetime: Lifetime | None = None
    ) -> None:
        super().__init__(automaton, completion, lifetime)
        self._masks, self._steps, self._verify = automaton.masks, automaton.steps, automaton.verify

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        config = self._config
        mask = self._masks.get(config) or self.mask()
        write_row(bitmask, row, mask, self._size)
        if config in self._verify or self._automaton.has_guards:
            self.verify_row(bitmask[row])

    def accept_token(self, token_id: int) -> bool:
        if type(token_id) is not int:
            token_id = index(token_id)
        if not 0 <= token_id < self._size:
            return False
        config = self._config
        following = self._steps.get(config << TOKEN_BITS | token_id)
        if following is None:
            following = self._follow(config, token_id)
            if following is None:
                return False
        self._history.append(config)
        self._token_ids.append(token_id)
        self._config = following
        return True

    def mask(self) -> Mask:
        mask = self._masks.get(self._config)
        if mask is None:
            try:  # PERF: as `Work`, which would take 1 us more
                with self._allowance:
                    mask = self._automaton.make_mask(self._config)
            except LimitExceededError as error:
                raise self._located(error) from None
        return mask

    def sure_mask(self) -> Mask | None:
        return None if self.is_uncertain else self._masks.get(self._config)

    @property
    def is_masked(self) -> bool:
        return self._config in self._masks

    @property
    def is_uncertain(self) -> bool:
        return self._automaton.has_guards or self._config in self._verify

    def is_accepting(self) -> bool:
        return self._automaton.is_complete_at(self._config)

    def is_terminated(self) -> bool:
        return self._config == ENDED

    def _follow(self, config: int, token_id: int) -> int | None:
        try:  # PERF: as `Work`
            with self._allowance:
                return self._find_following(config, token_id)
        except LimitExceededError as error:
            raise self._located(error) from None

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        return located(error, self._automaton, [*self._history, self._config], self._token_ids)

    def _find_following(self, config: int, token_id: int) -> int | None:
        following = None if config < 0 else self._automaton.follow(config, token_id, self._tail)
        if following is None and config != ENDED:
            if token_id in self.vocabulary.eos_token_ids:
                return ENDED if self.is_accepting() else None
            if config < 0:
                return self._automaton.follow(config, token_id, self._tail)
        return following
