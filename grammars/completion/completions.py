"""The completion of each kind of automaton."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..automaton.document_automaton import DocumentAutomaton
from ..product.automaton import ProductAutomaton
from ..pushdown.automaton import PushdownAutomaton
from ..pushdown.choices import ChoiceAutomaton
from .base import Completion
from .choice_completion import ChoiceCompletion
from .document_completion import DocumentCompletion
from .product_completion import ProductCompletion
from .rules_completion import RulesCompletion

COMPLETIONS: dict[type, Callable[[Any], Completion]] = {
    ChoiceAutomaton: ChoiceCompletion,
    DocumentAutomaton: DocumentCompletion,
    ProductAutomaton: ProductCompletion,
    PushdownAutomaton: RulesCompletion,
}
