"""`completion_of`: makes the completion of each kind of automaton."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..machine.choices.choices import ChoiceAutomaton
from ..machine.machine_automaton import DocumentAutomaton
from ..machine.product.automaton import ProductAutomaton
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.rules.branches import Branch
from ..machine.running import RunningAutomaton
from ..machine.tails import Tail
from ..watch import checkpoint
from .base import Completer
from .distance_bounds import DistanceBound, DocumentDistanceBound, RulesDistanceBound
from .documents import DocumentRopes
from .product_completion import ProductCompletion
from .ropes import EMPTY, Rope, Trust, Way, best
from .rules import RuleRopes
from .spelling import Speller

_MANY_WORDS = 256  # maximum number of words spelled for one configuration, the shortest ones in bytes


class ChoiceRopes:
    """The ways to the ends of a choice's strings; see `Ropes`."""

    many_tokens = 16

    def __init__(self, automaton: ChoiceAutomaton) -> None:
        self._automaton, self._speller = automaton, automaton.vocabulary_tables.attached(Speller)

    def rope(self, branch: Branch, tail: Tail | None, capture: int = 0) -> Way:
        """Return the shortest rest among the strings that begin with the text so far; see `Ropes.rope`."""
        return self._rest(*branch), Trust.SURE

    def by_id(self, branch: Branch) -> tuple[()]:
        """Return (): a choice names no tokens by their ids. See `Ropes.by_id`."""
        return ()

    def _rest(self, code: int, depth: int) -> Rope | None:
        checkpoint()
        if self._automaton.is_complete(code, depth):
            return EMPTY
        low, high = self._automaton.words_of(code)
        lengths = self._automaton.word_lengths(low, high)
        shortest = np.argsort(lengths, kind="stable")[:_MANY_WORDS] + low
        return best([self._speller.rope(self._automaton.word(int(index))[depth:]) for index in shortest])


def completion_of(automaton: RunningAutomaton[Any]) -> Completer:
    """Return the completion of an automaton."""
    if isinstance(automaton, ProductAutomaton):
        ropes = RuleRopes(automaton.rules)
        return ProductCompletion(automaton, ropes, RulesDistanceBound(automaton.rules, ropes))
    if isinstance(automaton, PushdownAutomaton):
        ropes = RuleRopes(automaton)
        return Completer(automaton, ropes, RulesDistanceBound(automaton, ropes))
    if isinstance(automaton, ChoiceAutomaton):  # no string takes more tokens than it has bytes
        return Completer(automaton, ChoiceRopes(automaton), DistanceBound(automaton.max_length))
    assert isinstance(automaton, DocumentAutomaton)
    documents = DocumentRopes(automaton)
    return Completer(automaton, documents, DocumentDistanceBound(automaton, documents))
