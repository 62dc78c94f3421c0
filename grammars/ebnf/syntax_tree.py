"""From lexemes to nodes. `SyntaxTree`: what all dialects have: alternatives, sequences, quantifiers.

`BnfTree`: what the three dialects have that write `name ::= alternatives`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ..regex import algebra as lang
from ..rules.expressions import EMPTY, RuleRef, Terminal
from .graph import RuleSet
from .literals import Escapes, unescape
from .source import Branch, GrammarSource, Lexeme
from .syntax import Exclusion, Node, Rule, choice, repeat, sequence

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

    def _nodes(self, items: list[Item]) -> list[Node]:
        leaf = self.leaf
        return [leaf(item) if type(item) is Lexeme else item for item in items]  # type: ignore[misc]

    def alternatives(self, items: list[Item]) -> Node:
        """One of the items."""
        return choice(self._nodes(items))

    def sequence(self, items: list[Item]) -> Node:
        """The items in a row."""
        return sequence(self._nodes(items))

    def repeated(self, items: list[Item]) -> Node:
        """An item with quantifiers."""
        child, *quantifiers = items
        node = self.node(child)
        for depth, quantifier in enumerate(quantifiers, 1):
            assert isinstance(quantifier, Lexeme)
            self.source.check_depth(depth, "quantifiers in a row")
            low, high = self.bounds(quantifier)
            node = repeat(node, low, high)
        return node

    def bounds(self, quantifier: Lexeme) -> tuple[int, int | None]:
        """What a quantifier allows."""
        if quantifier.value in _COUNTS:
            return _COUNTS[quantifier.value]
        separator = ".." if quantifier.type == "TIMES" else ","
        first, is_range, second = quantifier.value.strip("~{}").partition(separator)
        low = first.strip() or "0"
        high = second.strip().removeprefix("-1") or None  # xgrammar prints -1 for no bound
        return self.source.counts(low, high if is_range else low, quantifier.start_pos)


class BnfTree(SyntaxTree):
    """Subclasses read the dialect's classes. escapes: of its strings."""

    escapes: ClassVar[Escapes]

    def start(self, items: list[Rule]) -> RuleSet:
        """All rules. Raises InvalidGrammarError."""
        found = RuleSet(self.source)
        for rule in items:
            found.add(rule)
        return found

    def rule(self, items: list[Item]) -> Rule:
        """One rule."""
        head, body = items[0], items[2]
        assert isinstance(head, Lexeme)
        return Rule(head.value, self.node(body), head.start_pos)

    def leaf(self, lexeme: Lexeme) -> Node:
        """What a lexeme stands for."""
        kind, value, start, _ = lexeme
        if kind == "NAME":
            return RuleRef(value, start)
        if kind == "STRING":
            return Terminal(self.string(lexeme))
        return Terminal(self.char_class(lexeme)) if kind == "CLASS" else self.other_leaf(lexeme)

    def other_leaf(self, lexeme: Lexeme) -> Node:
        """What a lexeme stands for that only one of the dialects has."""
        raise AssertionError(lexeme)

    def string(self, lexeme: Lexeme) -> lang.Language:
        """The text of a string, as a Language."""
        return lang.text(self.string_text(lexeme))

    def string_text(self, lexeme: Lexeme) -> str:
        """What a string spells."""
        return unescape(self.source, lexeme.start_pos + 1, lexeme.end_pos - 1, self.escapes)

    @abstractmethod
    def char_class(self, lexeme: Lexeme) -> lang.Language:
        """One character of a class."""

    def excluded(self, items: list[Item]) -> Node:
        """The first item, where it is none of the others; every second one is the operator."""
        first, minus, *_ = items
        assert isinstance(minus, Lexeme)
        others = [self.node(item) for item in items[2::2]]
        return Exclusion(self.node(first), choice(others), minus.start_pos)

    def nothing(self, items: list[Item]) -> Node:
        """The empty text."""
        return EMPTY
