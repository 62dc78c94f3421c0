"""`completion_of`: the completion of each kind of automaton."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..automaton.machine_automaton import DocumentAutomaton
from ..automaton.running import RunningAutomaton
from ..automaton.tails import Tail
from ..product.automaton import ProductAutomaton
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.choices import ChoiceAutomaton
from ..watch import checkpoint
from .base import Completion
from .distance_bounds import DocumentDistanceBound, KnownBound
from .documents import DocumentRopes
from .product_completion import ProductCompletion
from .ropes import EMPTY, Rope, Trust, best
from .rules_completion import RulesCompletion

_MANY_WORDS = 256  # of one configuration, the shortest ones in bytes, are spelled


class ChoiceCompletion(Completion):
    """See `Completion`. Of the strings of a choice; every token is tried out."""

    def __init__(self, automaton: ChoiceAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._bound = KnownBound(automaton.max_length)  # no string takes more tokens than it has bytes

    def rope(self, config: int, tail: Tail | None) -> tuple[Rope | None, Trust]:
        """See `Completion.rope`."""
        return self._rope(*self._automaton.states_at[config]), Trust.SURE

    def nearest(self, config: int) -> None:
        """See `Completion.nearest`. The shortest strings are spelled already."""

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> tuple[Rope | None, Trust]:
        return self._rope(code, stack), Trust.SURE

    def _rope(self, code: int, depth: int) -> Rope | None:
        """The shortest rest of the strings that a text may become."""
        checkpoint()
        if self._automaton.is_complete(code, depth):
            return EMPTY
        low, high = self._automaton.words_of(code)
        lengths = self._automaton.word_lengths(low, high)
        shortest = np.argsort(lengths, kind="stable")[:_MANY_WORDS] + low
        return best([self.speller.rope(self._automaton.word(int(index))[depth:]) for index in shortest])


class DocumentCompletion(Completion):
    """See `Completion`. Of the documents of one schema."""

    many_tokens: ClassVar[int] = 4

    def __init__(self, automaton: DocumentAutomaton) -> None:
        super().__init__(automaton)
        self._automaton = automaton
        self._ropes = DocumentRopes(automaton, self.tools)
        self._bound = DocumentDistanceBound(automaton, self._ropes, self.tools)

    def rope(self, config: int, tail: Tail | None) -> tuple[Rope | None, Trust]:
        """See `Completion.rope`."""
        code, stack = self._automaton.states_at[config]
        return self._ropes.rope(code, stack, tail)

    def _after_walk(self, code: int, stack: int, q: int, capture: int) -> tuple[Rope | None, Trust]:
        return self._ropes.after_walk(code, stack, capture)


_KINDS: dict[type, Callable[[Any], Completion]] = {
    ChoiceAutomaton: ChoiceCompletion,
    DocumentAutomaton: DocumentCompletion,
    ProductAutomaton: ProductCompletion,
    PushdownAutomaton: RulesCompletion,
}


def completion_of(automaton: RunningAutomaton[Any]) -> Completion:
    """What is known about the ends of an automaton's texts."""
    return _KINDS[type(automaton)](automaton)
