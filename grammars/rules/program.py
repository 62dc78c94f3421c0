"""`Program`: rules as nodes of numbers, which kernels read: each expression, then its parts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..limits import Limits
from ..memory.layout import dtype_of
from ..regex import algebra as lang
from ..regex.algebra import Language
from .expressions import Choice, CountedRepeat, Expression, JsonDocument, RuleRef, Sequence, Terminal, TokenRef
from .structs import CHOICE, REPEAT, SEQUENCE, SYMBOL
from .structs import EdgeSymbol as SymbolStruct
from .structs import ExpressionNode as NodeStruct

Symbol = Terminal | RuleRef | JsonDocument | TokenRef

_NUM_FIELDS = len(NodeStruct.layout.fields)  # `end` is the last field


class Program:
    """rules: name -> expression, in the order of their numbers. Every name used in them must be among them.
    symbols: number -> the symbol that edges read.
    nodes: array of `structs.ExpressionNode`, (N,).
    roots: int64 (R,), node of each rule.
    """

    def __init__(self, rules: Mapping[str, Expression]) -> None:
        self.names = list(rules)
        self.symbols: list[Symbol] = []
        self._rules = {name: number for number, name in enumerate(self.names)}
        self._numbers: dict[Hashable, int] = {}
        self._nodes: list[int] = []
        roots = []
        for rule in rules.values():
            roots.append(len(self._nodes) // _NUM_FIELDS)
            self._add(rule)
        self.nodes: NDArray[Any] = np.array(self._nodes, np.int64).view(dtype_of(NodeStruct))
        self.roots: NDArray[np.int64] = np.array(roots, dtype=np.int64)

    def symbol_structs(self, limits: Limits) -> NDArray[Any]:
        """Return `structs.EdgeSymbol`, (Y,), for each symbol."""
        found: list[int] = []
        for symbol in self.symbols:
            if isinstance(symbol, Terminal):
                language = symbol.language
                found += (-1, 1, language.nullable, not _has_more_than_empty(language, limits))
            else:
                found += (self._rules[symbol.name] if isinstance(symbol, RuleRef) else -1, 0, 0, 0)
        return np.array(found, np.int64).view(dtype_of(SymbolStruct))

    def _add(self, expression: Expression) -> None:
        nodes, kind, low, high = self._nodes, type(expression), 0, 0
        place = len(nodes)
        if kind is Sequence:
            number, parts = SEQUENCE, expression.parts  # type: ignore[union-attr]
        elif kind is Choice:
            number, parts = CHOICE, expression.options  # type: ignore[union-attr]
        elif isinstance(expression, CountedRepeat):
            number, parts = REPEAT, (expression.child,)
            low, high = expression.low, -1 if expression.high is None else expression.high
        else:
            nodes += (SYMBOL, self._number(expression), 0, 0, 0, place // _NUM_FIELDS + 1)  # type: ignore[arg-type]
            return
        nodes += (number, 0, len(parts), low, high, 0)
        for part in parts:
            self._add(part)
        nodes[place + _NUM_FIELDS - 1] = len(nodes) // _NUM_FIELDS

    def _number(self, symbol: Symbol) -> int:
        """Return the number of a symbol; a new symbol gets a new number."""
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
    """Return True if the language has a text that is not empty."""
    if language.is_plain:
        return language is not lang.EMPTY_TEXT and language is not lang.NOTHING
    if not language.nullable:
        return not lang.is_empty(language, limits.max_automaton_states)
    return not lang.is_empty(lang.difference(language, lang.EMPTY_TEXT), limits.max_automaton_states)
