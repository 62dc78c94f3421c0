"""From lexemes to nodes. `SyntaxTree`: the base of all dialects: alternatives, sequences, quantifiers.

`BnfTree`: the base of the three dialects that write `name ::= alternatives`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ..regex import algebra as lang
from ..rules.expressions import EMPTY, RuleRef, Terminal
from .graph import RuleSet
from .literals import Escapes, unescape
from .source import GrammarSource, Lexeme, ParseNode
from .syntax import Exclusion, Node, SyntaxRule, choice, repeat, sequence

Item = Lexeme | ParseNode | Node
"""A part of the syntax: a lexeme, or the result of a syntax rule."""

_COUNTS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class SyntaxTree(ABC):
    """Builders for the parts of the syntax: one method for each, by its name. notes: notes for the graph."""

    def __init__(self, source: GrammarSource) -> None:
        self.source = source
        self.notes: list[str] = []

    @abstractmethod
    def leaf(self, lexeme: Lexeme) -> Node:
        """Return the node of a lexeme."""

    def node(self, item: Item) -> Node:
        """Return the node of an item; nodes are returned unchanged."""
        return self.leaf(item) if type(item) is Lexeme else item  # type: ignore[return-value]

    def _nodes(self, items: list[Item]) -> list[Node]:
        leaf = self.leaf
        return [leaf(item) if type(item) is Lexeme else item for item in items]  # type: ignore[misc]

    def alternatives(self, items: list[Item]) -> Node:
        """Return a choice between the items."""
        return choice(self._nodes(items))

    def sequence(self, items: list[Item]) -> Node:
        """Return the items, one after the other."""
        return sequence(self._nodes(items))

    def repeated(self, items: list[Item]) -> Node:
        """Return an item with quantifiers."""
        child, *quantifiers = items
        node = self.node(child)
        for depth, quantifier in enumerate(quantifiers, 1):
            assert isinstance(quantifier, Lexeme)
            self.source.check_depth(depth, "quantifiers in a row")
            low, high = self.bounds(quantifier)
            node = repeat(node, low, high)
        return node

    def bounds(self, quantifier: Lexeme) -> tuple[int, int | None]:
        """Return the bounds of a quantifier."""
        if quantifier.value in _COUNTS:
            return _COUNTS[quantifier.value]
        separator = ".." if quantifier.type == "TIMES" else ","
        first, is_range, second = quantifier.value.strip("~{}").partition(separator)
        low = first.strip() or "0"
        high = second.strip().removeprefix("-1") or None  # xgrammar prints -1 for no bound
        return self.source.counts(low, high if is_range else low, quantifier.start_pos)


class BnfTree(SyntaxTree):
    """A dialect of rules `name ::= ...`. Subclasses read its character classes. escapes: escapes of its strings."""

    escapes: ClassVar[Escapes]

    def start(self, items: list[SyntaxRule]) -> RuleSet:
        """Return all rules. Raises InvalidGrammarError for a rule that is defined twice."""
        found = RuleSet(self.source)
        for rule in items:
            found.add(rule)
        return found

    def rule(self, items: list[Item]) -> SyntaxRule:
        """Return one rule."""
        head, body = items[0], items[2]
        assert isinstance(head, Lexeme)
        return SyntaxRule(head.value, self.node(body), head.start_pos)

    def leaf(self, lexeme: Lexeme) -> Node:
        """Return the node of a lexeme."""
        kind, value, start, _ = lexeme
        if kind == "NAME":
            return RuleRef(value, start)
        if kind == "STRING":
            return Terminal(self.string(lexeme))
        return Terminal(self.char_class(lexeme)) if kind == "CLASS" else self.other_leaf(lexeme)

    def other_leaf(self, lexeme: Lexeme) -> Node:
        """Return the node of a lexeme that only this dialect has."""
        raise AssertionError(lexeme)

    def string(self, lexeme: Lexeme) -> lang.Language:
        """Return the text of a string as a Language."""
        return lang.text(self.string_text(lexeme))

    def string_text(self, lexeme: Lexeme) -> str:
        """Return the text that a string spells."""
        return unescape(self.source, lexeme.start_pos + 1, lexeme.end_pos - 1, self.escapes)

    @abstractmethod
    def char_class(self, lexeme: Lexeme) -> lang.Language:
        """Return one character of a class."""

    def excluded(self, items: list[Item]) -> Node:
        """Return the first item's texts that fit none of the others; every second item is the operator."""
        first, minus, *_ = items
        assert isinstance(minus, Lexeme)
        others = [self.node(item) for item in items[2::2]]
        return Exclusion(self.node(first), choice(others), minus.start_pos)

    def nothing(self, items: list[Item]) -> Node:
        """Return the empty text."""
        return EMPTY
