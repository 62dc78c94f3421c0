"""`ChoiceGrammar`: a compiled list of strings."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import UnsatisfiableError
from ..limits import Limits
from ..machine.choices.choices import ChoiceAutomaton
from ..protocol import ReportEntry
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from ..watch import paced
from .grammar import AutomatonGrammar, tables_for


class ChoiceGrammar(AutomatonGrammar):
    """A compiled choice: the text is one of several strings."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, texts: Sequence[str], limits: Limits) -> None:
        report = [ReportEntry("", spec.kind, "exactly; the whole text is one of them")]
        super().__init__(spec, vocabulary, limits, report)
        spelling = vocabulary.spelling
        self._texts = texts if spelling is None else [text for text in paced(texts) if spelling.can_spell(text)]
        if not self._texts:
            raise UnsatisfiableError("the vocabulary's tokens can spell none of the strings")
        self._renew()

    def _new_automaton(self) -> tuple[ChoiceAutomaton, None]:
        tables = tables_for(self.vocabulary)
        return ChoiceAutomaton(self._texts, tables, self._limits), None
