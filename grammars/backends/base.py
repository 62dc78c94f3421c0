"""The protocol of a grammar backend: compile a `GrammarSpec` for a `Vocabulary`, hand out matchers.

Adding a backend means adding one file here and one line in `registry.py`. A backend enforces a grammar exactly or
refuses it with a typed error; it never ignores a part of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..limits import Limits
from ..protocol import CompiledGrammar
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary


class GrammarBackend(ABC):
    """Compiles grammars of the kinds in `kinds`.

    writes_canonical: it takes values="canonical". takes_sources: it takes quotes of source texts.
    """

    name: str
    kinds: frozenset[str]
    writes_canonical = False
    takes_sources = False

    @abstractmethod
    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """The grammar, ready to hand out matchers. Raises a `GuidedError` subclass on everything it can't enforce."""
