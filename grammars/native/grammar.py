"""`AutomatonGrammar`: what all compiled grammars of the native backend are: an automaton that hands out matchers."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..forks import anew_after_fork
from ..lifetime import Lifetime
from ..limits import Limits
from ..machine.quotes.lexemes import QuoteLexemes
from ..machine.running import RunningAutomaton
from ..machine.vocabulary_tables import VocabularyTables, vocabulary_tables_of
from ..protocol import CompiledGrammar, ReportEntry
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .text_matcher import Running, TextMatcher

if TYPE_CHECKING:
    from ..completion.base import Completion


class AutomatonGrammar(CompiledGrammar):
    """A compiled grammar with the automaton of its texts. Subclasses say how one is made, then call `_renew`.

    An automaton only grows. When it is worn, or holds more than `limits.max_grammar_bytes`, matchers that are new or
    reset get a fresh one, and the old one goes with its last matcher.
    """

    _automaton: Any  # a `RunningAutomaton`, of the class that `_new_automaton` makes

    def __init__(
        self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits, report: Sequence[ReportEntry] = ()
    ) -> None:
        super().__init__(spec, vocabulary, report)
        self._limits = limits
        self._lock = anew_after_fork(threading.Lock())

    @abstractmethod
    def _new_automaton(self) -> tuple[RunningAutomaton[Any], Lifetime | None]:
        """A fresh automaton, and what it must not outlive."""

    @property
    def num_bytes(self) -> int:
        """See `CompiledGrammar.num_bytes`."""
        num_bytes: int = self._automaton.num_bytes + self._automaton.vocabulary_tables.own_bytes
        return num_bytes + self._completion.num_bytes

    def matcher(self) -> TextMatcher:
        """See `CompiledGrammar.matcher`."""
        return TextMatcher(self.running)

    def running(self) -> Running:
        """The automaton for a text that begins now: a fresh one where the last is worn or too large."""
        with self._lock:
            if self._automaton.is_worn or self.num_bytes > self._limits.max_grammar_bytes:
                self._renew()
            return Running(self._automaton, self._completion, self._lifetime)

    def _renew(self) -> None:
        """Make a fresh automaton. Its completion is loaded and made when it is first needed."""
        self._automaton, self._lifetime = self._new_automaton()
        self._completion = _LazyCompletion(self._automaton)


def tables_for(vocabulary: Vocabulary, *, is_shared: bool = True) -> VocabularyTables:
    """The tables of a vocabulary for the automata of a grammar: those that all share, or its own, which go with it.

    Those that all share must know nothing of a request's texts.
    """
    whole = vocabulary.of_whole_texts
    shared = vocabulary_tables_of(whole)
    return shared if is_shared else VocabularyTables(whole, shared.trie, shared)


def quotes_for(spec: GrammarSpec, tables: VocabularyTables, limits: Limits) -> QuoteLexemes | None:
    """The quotes of an automaton, by which the languages of quotes are looked at from now on; None without sources."""
    if spec.sources is None:
        return None
    quotes = QuoteLexemes(tables, limits)
    spec.sources.search_with(quotes)
    return quotes


class _LazyCompletion:
    """Gives what is known about the ends of an automaton's texts; loads and makes it when it is first called."""

    __slots__ = ("_automaton", "_completion")

    def __init__(self, automaton: RunningAutomaton[Any]) -> None:
        self._automaton = automaton
        self._completion: Completion | None = None

    @property
    def num_bytes(self) -> int:
        """Its memory."""
        return 0 if self._completion is None else self._completion.num_bytes

    def __call__(self) -> Completion:
        if self._completion is None:
            from ..completion.completions import completion_of

            self._completion = completion_of(self._automaton)
        return self._completion
