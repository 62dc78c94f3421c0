"""`ChoiceGrammar`: a compiled list of strings; it hands out matchers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from ..automaton.automaton import Config
from ..automaton.vocabulary_tables import vocabulary_tables_of
from ..errors import UnsatisfiableError
from ..limits import Limits
from ..protocol import CompiledGrammar, Matcher, ReportEntry
from ..pushdown.choices import ChoiceAutomaton
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .automaton_matcher import AutomatonMatcher

if TYPE_CHECKING:
    from ..completion.base import Completion


class ChoiceGrammar(CompiledGrammar):
    """One of several strings. Grows a little with each configuration that texts get to."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, texts: Sequence[str], limits: Limits) -> None:
        super().__init__(spec, vocabulary, [ReportEntry("", spec.kind, "exactly; the whole text is one of them")])
        self._limits = limits
        self._lock = threading.Lock()
        spelling = vocabulary.spelling
        self._texts = texts if spelling is None else [text for text in texts if spelling.can_spell(text)]
        if not self._texts:
            raise UnsatisfiableError("the vocabulary's tokens can spell none of the strings")
        self._automaton = self._new_automaton()

    def _new_automaton(self) -> ChoiceAutomaton:
        automaton = ChoiceAutomaton(self._texts, vocabulary_tables_of(self.vocabulary.of_whole_texts), self._limits)
        self._completion = cache(partial(_closing_of, automaton))
        return automaton

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        return self._automaton.num_bytes

    def matcher(self) -> Matcher:
        """See `CompiledGrammar.matcher`."""
        with self._lock:
            if self._automaton.vocabulary_tables.is_full or self._automaton.num_bytes > self._limits.max_grammar_bytes:
                self._automaton = self._new_automaton()
            return AutomatonMatcher(self._automaton, self._completion)


def _closing_of(automaton: ChoiceAutomaton) -> Completion[Config]:
    """What is known about the ends of its texts; loaded when it is first needed."""
    from ..completion.choice_completion import ChoiceCompletion

    return ChoiceCompletion(automaton)
