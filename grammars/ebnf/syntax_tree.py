"""`SyntaxTree`: from lexemes to nodes, what all dialects have: alternatives, sequences, quantifiers."""

from __future__ import annotations

from abc import ABC, abstractmethod

from .lexeme import Branch, Lexeme
from .source import GrammarSource
from .syntax import Counted, Node, options, series

Item = Lexeme | Branch | Node
"""What a part of the syntax was read as."""

_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class SyntaxTree(ABC):
    """What the parts of the syntax stand for: one method for each, by its name. notes: for the graph."""

    def __init__(self, source: GrammarSource) -> None:
        self.source = source
        self.notes: list[str] = []

    @abstractmethod
    def leaf(self, lexeme: Lexeme) -> Node:
        """What a lexeme stands for."""

    def node(self, item: Item) -> Node:
        """What a lexeme stands for; nodes are there already."""
        return self.leaf(item) if type(item) is Lexeme else item  # type: ignore[return-value]

    def alternatives(self, items: list[Item]) -> Node:
        """One of the items."""
        return options([self.node(item) for item in items])

    def sequence(self, items: list[Item]) -> Node:
        """The items in a row."""
        return series([self.node(item) for item in items])

    def repeated(self, items: list[Item]) -> Node:
        """An item with quantifiers."""
        child, *quantifiers = items
        node = self.node(child)
        for depth, quantifier in enumerate(quantifiers, 1):
            assert isinstance(quantifier, Lexeme)
            self.source.check_depth(depth, "quantifiers in a row")
            low, high = self.bounds(quantifier)
            node = Counted(node, low, high)
        return node

    def bounds(self, quantifier: Lexeme) -> tuple[int, int | None]:
        """What a quantifier allows."""
        if quantifier.value in _COUNTS:
            return _COUNTS[quantifier.value]
        separator = ".." if quantifier.type == "TIMES" else ","
        first, is_range, second = quantifier.value.strip("~{}").partition(separator)
        low = first.strip() or "0"
        return self.source.counts(low, second.strip() or None if is_range else low, quantifier.start_pos)
