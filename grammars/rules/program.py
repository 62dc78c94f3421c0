"""`Program`: rules as nodes of numbers, which kernels read: each expression, then its parts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from ..limits import Limits
from ..regex import algebra as lang
from ..regex.algebra import Language
from .drawing import CHOICE, REPEAT, SEQUENCE, SYMBOL
from .expressions import Choice, Expression, JsonDocument, Repeat, RuleRef, Sequence, Terminal, TokenRef

Symbol = Terminal | RuleRef | JsonDocument | TokenRef

_WIDTH = 4


class Program:
    """rules: by name, in the order of their numbers; each name that they refer to is one of them.

    symbols: what edges read, by number. nodes: int64 (N, 4), roots: int64 (R), see `drawing`.
    """

    def __init__(self, rules: Mapping[str, Expression]) -> None:
        self.names = list(rules)
        self.symbols: list[Symbol] = []
        self._rules = {name: number for number, name in enumerate(self.names)}
        self._numbers: dict[Hashable, int] = {}
        self._nodes: list[int] = []
        roots = []
        for rule in rules.values():
            roots.append(len(self._nodes) // _WIDTH)
            self._add(rule)
        self.nodes: NDArray[np.int64] = np.array(self._nodes, dtype=np.int64).reshape(-1, _WIDTH)
        self.roots: NDArray[np.int64] = np.array(roots, dtype=np.int64)

    def facts(self, limits: Limits) -> NDArray[np.int64]:
        """(Y, 4): for each symbol the rule that it calls, or -1; 1 for terminals, those that may be empty, those that
        can't be anything else."""
        found = []
        for symbol in self.symbols:
            if isinstance(symbol, Terminal):
                language = symbol.language
                found += [-1, 1, language.nullable, not _has_more_than_empty(language, limits)]
            else:
                found += [self._rules[symbol.name] if isinstance(symbol, RuleRef) else -1, 0, 0, 0]
        return np.array(found, dtype=np.int64).reshape(-1, 4)

    def _add(self, expression: Expression) -> None:
        nodes, kind = self._nodes, type(expression)
        place = len(nodes)
        if kind is Sequence:
            parts = expression.parts  # type: ignore[union-attr]
            nodes += (SEQUENCE, len(parts), 0, 0)
        elif kind is Choice:
            parts = expression.options  # type: ignore[union-attr]
            nodes += (CHOICE, len(parts), 0, 0)
        elif isinstance(expression, Repeat):
            parts = (expression.child,)
            nodes += (REPEAT, expression.low, -1 if expression.high is None else expression.high, 0)
        else:
            nodes += (SYMBOL, self._number(expression), 0, place // _WIDTH + 1)  # type: ignore[arg-type]
            return
        for part in parts:
            self._add(part)
        nodes[place + 3] = len(nodes) // _WIDTH

    def _number(self, symbol: Symbol) -> int:
        """The number of a symbol, which is new if it was not there."""
        kind = type(symbol)
        key: Hashable = symbol
        if kind is Terminal:
            key = symbol.language  # type: ignore[union-attr]
        elif kind is RuleRef:
            key = symbol.name  # type: ignore[union-attr]
        number = self._numbers.setdefault(key, len(self.symbols))
        if number == len(self.symbols):
            self.symbols.append(symbol)
        return number


def _has_more_than_empty(language: Language, limits: Limits) -> bool:
    """True if the language has a text that is not empty."""
    if language.is_plain:
        return language is not lang.EMPTY_TEXT and language is not lang.NOTHING
    if not language.nullable:
        return not lang.is_empty(language, limits.max_automaton_states)
    return not lang.is_empty(lang.difference(language, lang.EMPTY_TEXT), limits.max_automaton_states)
