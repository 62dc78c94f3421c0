"""From lexemes to nodes, for the three dialects that write `name ::= alternatives`."""

from __future__ import annotations

from collections.abc import Mapping

from ..regex import algebra as lang
from .graph import RuleSet
from .lexeme import Lexeme
from .source import GrammarSource
from .syntax import Counted, Exclusion, Name, Node, Rule, Series, Text, options, series

WORDS: Mapping[str, str] = {
    "HEAD": "a rule (name ::= ...)",
    "NAME": "a rule's name",
    "DEFINE": "::=",
    "STRING": "a string",
    "CLASS": "a character class",
    "_BAR": "|",
    "_OPEN": "(",
    "_CLOSE": ")",
    "OP": "a quantifier",
    "COUNT": "a quantifier",
    "$END": "the end",
}


Item = Lexeme | Node
"""What a part of the syntax was read as."""


class BnfTree:
    """What the parts of the syntax stand for, one method for each. Subclasses read the dialect's strings, classes."""

    def __init__(self, source: GrammarSource) -> None:
        self.source = source
        self.notes: list[str] = []

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

    def node(self, item: Item) -> Node:
        """What a lexeme stands for; nodes are there already."""
        return self.leaf(item) if type(item) is Lexeme else item  # type: ignore[return-value]

    def leaf(self, lexeme: Lexeme) -> Node:
        """What a lexeme stands for."""
        kind, value, start, _ = lexeme
        if kind == "NAME":
            return Name(value, start)
        if kind == "STRING":
            return Text(self.string(lexeme), start)
        return Text(self.char_class(lexeme), start) if kind == "CLASS" else self.other_leaf(lexeme)

    def other_leaf(self, lexeme: Lexeme) -> Node:
        """What a lexeme stands for that only one of the dialects has."""
        raise AssertionError(lexeme)

    def string(self, lexeme: Lexeme) -> lang.Language:
        """The text of a string."""
        raise NotImplementedError

    def char_class(self, lexeme: Lexeme) -> lang.Language:
        """One character of a class."""
        raise NotImplementedError

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
        if quantifier.type == "OP":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[quantifier.value]
        first, comma, second = quantifier.value.strip("{}").partition(",")
        low = first.strip()
        high = second.strip() or None if comma else low
        return self.source.counts(low, high, quantifier.start_pos)

    def excluded(self, items: list[Item]) -> Node:
        """The first item, where it is none of the others; every second one is the operator."""
        first, minus, *_ = items
        assert isinstance(minus, Lexeme)
        others = [self.node(item) for item in items[2::2]]
        return Exclusion(self.node(first), options(others), minus.start_pos)

    def nothing(self, items: list[Item]) -> Node:
        """The empty text."""
        return Series(())
