"""From lexemes to nodes, for the three dialects that write `name ::= alternatives`."""

from __future__ import annotations

from ..regex import algebra as lang
from .graph import RuleSet
from .lexeme import Lexeme
from .syntax import Exclusion, Name, Node, Rule, Series, Text, options
from .syntax_tree import Item, SyntaxTree


class BnfTree(SyntaxTree):
    """What the parts of the syntax stand for, one method for each. Subclasses read the dialect's strings, classes."""

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

    def excluded(self, items: list[Item]) -> Node:
        """The first item, where it is none of the others; every second one is the operator."""
        first, minus, *_ = items
        assert isinstance(minus, Lexeme)
        others = [self.node(item) for item in items[2::2]]
        return Exclusion(self.node(first), options(others), minus.start_pos)

    def nothing(self, items: list[Item]) -> Node:
        """The empty text."""
        return Series(())
