"""The protocol of a grammar backend: compile a `GrammarSpec` for a `Vocabulary`, hand out matchers.

To add a backend, add one file here and one line in `registry.py`. A backend enforces a grammar exactly, or refuses it
with a typed error. A backend never ignores a part of a grammar.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..limits import Limits
from ..protocol import CompiledGrammar
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary


class GrammarBackend(ABC):
    """Compiles the kinds of grammars in `kinds`.

    name: the backend's name in `get_backend`.
    writes_canonical: True if the backend takes values="canonical".
    takes_sources: True if the backend takes quotes of source texts.
    """

    name: str
    kinds: frozenset[str]
    writes_canonical = False
    takes_sources = False

    @abstractmethod
    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Return the grammar, ready to make matchers.

        Args:
            spec: the grammar.
            vocabulary: the vocabulary of the model's token ids.
            limits: bounds on the cost of compiling and matching.

        Raises:
            GuidedError: a subclass, if the backend can't enforce the grammar exactly.
        """
