"""`completion_of`: the completion of each kind of automaton."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from ..automaton import layout as at
from ..automaton.document_automaton import DocumentAutomaton
from ..automaton.mask_rows import write_row
from ..automaton.running import RunningAutomaton
from ..automaton.tails import Tail, whole
from ..bitset import allocate_bitmask, allowed_token_ids
from ..product.automaton import ProductAutomaton
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.choices import ChoiceAutomaton
from ..watch import checkpoint
from .base import Completion
from .distance_bounds import DocumentDistanceBound, KnownBound
from .documents import DocumentRopes
from .levels import Group, of_tokens
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
        if self._automaton.is_complete_at(config):
            return EMPTY, Trust.SURE
        words, depth = self._automaton.states_at[config]
        low, high = words >> 32, words & at.MASK32
        lengths = self._automaton.word_lengths(low, high)
        shortest = np.argsort(lengths, kind="stable")[:_MANY_WORDS] + low
        left = [self._automaton.word(int(index))[depth:] for index in shortest]
        return best([self.speller.rope(word) for word in left]), Trust.SURE

    def nearest(self, config: int) -> None:
        """See `Completion.nearest`. The shortest strings are spelled already."""

    def _find_groups(self, config: int) -> Iterator[Group]:
        vocabulary = self.vocabulary_tables.vocabulary
        bitmask = allocate_bitmask(1, vocabulary.size)
        write_row(bitmask, 0, self._automaton.make_mask(config), vocabulary.size)
        token_ids, states_of = list[int](), list[int]()
        numbers: dict[int, int] = {}
        for token_id in allowed_token_ids(bitmask[0], vocabulary.size).tolist():
            checkpoint()
            if token_id not in vocabulary.eos_token_ids:
                following = self._automaton.follow(config, token_id, whole(b""))
                assert following is not None, "the mask allows it"
                token_ids.append(token_id)
                states_of.append(numbers.setdefault(following, len(numbers)))
        yield of_tokens(token_ids, states_of), [self.rope(following, None) for following in numbers]


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
        return self._ropes.rope(*self._automaton.states_at[config], tail)

    def _find_groups(self, config: int) -> Iterator[Group]:
        reached = self._walks.reached(0, (*self._automaton.states_at[config], self._walks.dfa.start))
        yield reached, [self._ropes.after_walk(code, stack, capture) for code, stack, _, capture in reached.pairs]


_KINDS: dict[type, Callable[[Any], Completion]] = {
    ChoiceAutomaton: ChoiceCompletion,
    DocumentAutomaton: DocumentCompletion,
    ProductAutomaton: ProductCompletion,
    PushdownAutomaton: RulesCompletion,
}


def completion_of(automaton: RunningAutomaton[Any]) -> Completion:
    """What is known about the ends of an automaton's texts."""
    return _KINDS[type(automaton)](automaton)
