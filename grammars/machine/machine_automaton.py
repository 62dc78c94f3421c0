"""`MachineAutomaton`: the machine's configurations that texts reached. `DocumentAutomaton`: those of one schema.

The automata of choices and rules are in `choices` and `rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from ..limits import Limits
from . import layout as at
from .advance import advance
from .frames import Frame
from .quotes.lexemes import QuoteLexemes
from .running import NOT_MADE, RunningAutomaton
from .tables import DocumentTables, Mask
from .tails import Tail
from .text_places import in_document
from .vocabulary_tables import VocabularyTables


class MachineAutomaton(DocumentTables, RunningAutomaton[Any]):
    """The tables of one grammar and its configurations; see `RunningAutomaton`. A state is a code and a stack.

    `machine.rules.automaton` handles texts that may be in several such states at once.
    """

    config_bytes: ClassVar[int] = 350  # bytes for code, stack, mask and steps: 320 of 890 by tracemalloc

    _known_masks: Sequence[Mask] = ()  # masks by the kernels' numbers

    def __init__(self, vocabulary_tables: VocabularyTables, limits: Limits, quotes: QuoteLexemes | None = None) -> None:
        DocumentTables.__init__(self, vocabulary_tables, limits, quotes)
        self._mask_work = vocabulary_tables.tables.mask
        RunningAutomaton.__init__(self, (at.DEAD, 0))

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        return super().num_bytes + self.bytes_of_configs

    def is_complete_at(self, config: int) -> bool:
        """Return True if the text may end at a configuration."""
        return self.is_complete(*self.states_at[config])

    def follow_made(self, config: int, token_id: int) -> int | None:
        """Return the configuration after a token, None if it is not allowed, or NOT_MADE if something must be built
        first.
        """
        with self.lock:
            code, stack = self.states_at[config]
            found = None if code == at.BESIDE else advance(self._address, code, stack, token_id, 0)
            if found is None or at.BESIDE in found or self._may_be_beside(found[0]):
                return NOT_MADE
            return self._noted_with_mask(config, token_id, found, True)

    def _may_be_beside(self, code: int) -> bool:
        """Return True if more than bytes may come at a code: documents, or tokens by their ids."""
        return False

    def quote_continuation(self, config: int, most: int) -> bytes:
        """Return how a source text goes on at a configuration, at most `most` bytes; b"" outside of quotes."""
        code = self.states_at[config][0]
        if self.quotes is None or code >> at.TAG_SHIFT != at.QUOTED:
            return b""
        with self.lock:
            return self.quotes.continuation(code, most)

    def _make_mask(self, state: Any) -> tuple[Mask, tuple[int, ...]]:
        mask = self.fill(*state)
        return mask, self.vocabulary_tables.tokens_to_verify() if self._mask_work.num_open else ()

    def _step(self, state: Any, token_id: int, tail: Tail) -> tuple[Any, bool]:
        code, stack = state
        found, is_captured = self.step(code, stack, token_id, tail)
        return None if found[0] < 0 else found[:2], not is_captured

    def _only_byte(self, state: Any) -> int | None:
        byte, is_sure = self.only_byte(*state)
        return byte if is_sure else None

    def _noted_with_mask(self, config: int, token_id: int, found: tuple[int, int, int], is_sure: bool) -> int | None:
        """Like `_noted`, for a result of `advance`."""
        code, stack, mask = found
        if code < 0:
            return None
        following = self._noted(config, token_id, (code, stack), is_sure)
        if mask >= 0:
            self.masks[following] = self._known_masks[mask]
        return following


class DocumentAutomaton(MachineAutomaton):
    """The automaton of one schema's documents."""

    def __init__(
        self,
        root: Frame,
        vocabulary_tables: VocabularyTables,
        whitespace: NDArray[np.int32],
        limits: Limits,
        quotes: QuoteLexemes | None = None,
    ) -> None:
        super().__init__(vocabulary_tables, limits, quotes)
        self.start = self.config((at.ROOT_VALUE << at.CONTEXT_SHIFT, self.push(0, self.add_root(root, whitespace))))

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """Return the error with the place in the text added: a JSON pointer into the document."""
        return in_document(error, self.vocabulary_tables.vocabulary.join(token_ids))
