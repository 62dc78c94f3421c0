"""`Machine`: documents described by frames, on one vocabulary."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from ..automaton.document_automaton import DocumentAutomaton
from ..automaton.frames import Frame
from ..automaton.vocabulary_tables import vocabulary_tables_of
from ..lifetime import Lifetime
from ..limits import Limits
from ..vocabulary import Vocabulary
from .document_matcher import DocumentMatcher

if TYPE_CHECKING:
    from ..completion.base import Completion


class Machine:
    """Hands out matchers for the documents of a root frame. lifetime: of the frames."""

    def __init__(
        self, root: Frame, vocabulary: Vocabulary, whitespace: str, limits: Limits, lifetime: Lifetime | None = None
    ) -> None:
        self._of_frames = lifetime
        self._root, self._whitespace, self._limits = root, whitespace, limits
        self._vocabulary = vocabulary
        self._automaton = self._new_automaton()

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory now; it grows with use. What all machines of a vocabulary share is not counted."""
        return self._automaton.num_bytes

    def matcher(self) -> DocumentMatcher:
        """A new matcher at the start of a document.

        Matchers keep their automaton; new ones get a new one when it has become large.
        """
        if self._automaton.is_worn:
            self._automaton = self._new_automaton()
        return DocumentMatcher(self._automaton, self._completion, self._lifetime)

    def _new_automaton(self) -> DocumentAutomaton:
        vocabulary_tables = vocabulary_tables_of(self._vocabulary)
        automaton = DocumentAutomaton(
            self._root, vocabulary_tables, vocabulary_tables.whitespace(self._whitespace), self._limits
        )
        self._completion = cache(partial(_closing_of, automaton, self._limits))
        self._lifetime = Lifetime(automaton.dismantle, after=self._of_frames)
        return automaton


def _closing_of(automaton: DocumentAutomaton, limits: Limits) -> Completion[int]:
    """What is known about the ends of its texts; loaded when it is first needed."""
    from ..completion.document_completion import DocumentCompletion

    return DocumentCompletion(automaton, limits)
