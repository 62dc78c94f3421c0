"""`AutomatonGrammar`: the base of all compiled grammars of the native backend: an automaton that makes matchers."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
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
from ..watch import take, unwatched
from .text_matcher import Running, TextMatcher

if TYPE_CHECKING:
    from ..completion.base import Completer


class AutomatonGrammar(CompiledGrammar):
    """A compiled grammar with the automaton of its texts. Subclasses make the automaton, then call `_renew`.

    An automaton only grows. Once it is worn, or the grammar holds more than `limits.max_grammar_bytes`, new and reset
    matchers get a fresh one. The old automaton is freed with its last matcher.
    """

    _running: Running

    def __init__(
        self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits, report: Sequence[ReportEntry] = ()
    ) -> None:
        super().__init__(spec, vocabulary, report)
        self._limits = limits
        self._renewing = anew_after_fork(threading.RLock())

    @abstractmethod
    def _new_automaton(self) -> tuple[RunningAutomaton[Any], Lifetime | None]:
        """Return a fresh automaton, and the `Lifetime` that it must not outlive."""

    @property
    def _automaton(self) -> Any:
        """The automaton of new texts: a `RunningAutomaton` from `_new_automaton`."""
        return self._running.automaton

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes."""
        num_bytes: int = self._automaton.num_bytes + self._automaton.vocabulary_tables.own_bytes
        return num_bytes + self._completion.num_bytes

    def matcher(self) -> TextMatcher:
        """Return a new matcher at the start of the grammar."""
        return TextMatcher(self.running)

    def running(self) -> Running:
        """Return the automaton for a text that begins now: a fresh one if the last is worn or too large.

        Raises TrialOverError if another thread makes the fresh one for longer than a trial may wait.
        """
        if not self._is_spent:
            return self._running
        if not self._renewing.acquire(blocking=False):
            take(self._renewing)
        try:
            if self._is_spent:
                self._renew()
            return self._running
        finally:
            self._renewing.release()

    @property
    def _is_spent(self) -> bool:
        return self._automaton.is_worn or self.num_bytes > self._limits.max_grammar_bytes

    def _renew(self) -> None:
        """Make a fresh automaton. The automaton's completion is loaded and made on first use."""
        automaton, lifetime = self._new_automaton()
        self._completion = _LazyCompletion(automaton)
        self._running = Running(automaton, self._completion, lifetime)


def tables_for(vocabulary: Vocabulary, *, is_shared: bool = True) -> VocabularyTables:
    """Return a vocabulary's tables for a grammar's automata: the shared tables, or own tables that are freed with the
    grammar.

    is_shared: True for shared tables, which must hold nothing of a request's texts.
    """
    whole = vocabulary.of_whole_texts
    shared = vocabulary_tables_of(whole)
    return shared if is_shared else VocabularyTables(whole, shared.trie, shared)


def quotes_for(spec: GrammarSpec, tables: VocabularyTables, limits: Limits) -> QuoteLexemes | None:
    """Return the quotes of an automaton, and use them for searches in quotes' languages from now on; None without
    sources.
    """
    if spec.sources is None:
        return None
    quotes = QuoteLexemes(tables, limits)
    spec.sources.search_with(quotes)
    return quotes


class _LazyCompletion:
    """Returns the completion of an automaton; loads and makes it on the first call."""

    __slots__ = ("_automaton", "_completion")

    def __init__(self, automaton: RunningAutomaton[Any]) -> None:
        self._automaton = automaton
        self._completion: Completer | None = None

    @property
    def num_bytes(self) -> int:
        """Memory of the completion in bytes; 0 if it is not made."""
        return 0 if self._completion is None else self._completion.num_bytes

    def __call__(self) -> Completer:
        if self._completion is None:
            self._completion = unwatched(_completion_of)(self._automaton)
        return self._completion


def _completion_of() -> Callable[[RunningAutomaton[Any]], Completer]:
    """Load the function that makes completions."""
    from ..completion.completions import completion_of

    return completion_of
