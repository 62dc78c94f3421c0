"""From lark's trees to nodes, for the three dialects that write `name ::= alternatives`."""

from __future__ import annotations

from collections.abc import Mapping

from lark import Token, Tree

from ..regex import algebra as lang
from ..watch import checkpoint
from .graph import RuleSet
from .parser import Branch
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


class BnfTree:
    """The rules of a tree; one method for each kind of branch. Subclasses read the dialect's strings and classes."""

    def __init__(self, source: GrammarSource) -> None:
        self.source = source
        self.notes: list[str] = []

    def rules(self, tree: Branch) -> RuleSet:
        """All rules. Raises InvalidGrammarError."""
        found = RuleSet(self.source)
        for branch in tree.children:
            assert isinstance(branch, Tree)
            found.add(self.rule(branch))
        return found

    def rule(self, branch: Branch) -> Rule:
        """One rule."""
        head, _, body = branch.children[:3]
        assert isinstance(head, Token)
        return Rule(str(head), self.node(body), start_of(head))

    def node(self, item: Token | Branch) -> Node:
        """What a token or a branch stands for."""
        checkpoint()
        if isinstance(item, Token):
            return self.leaf(item)
        return getattr(self, item.data)(item.children)  # type: ignore[no-any-return]

    def leaf(self, token: Token) -> Node:
        """What a token stands for."""
        if token.type == "NAME":
            return Name(str(token), start_of(token))
        return Text(self.string(token) if token.type == "STRING" else self.char_class(token), start_of(token))

    def string(self, token: Token) -> lang.Language:
        """The text of a string."""
        raise NotImplementedError

    def char_class(self, token: Token) -> lang.Language:
        """One character of a class."""
        raise NotImplementedError

    def alternatives(self, items: list[Token | Branch]) -> Node:
        """One of the items."""
        return options([self.node(item) for item in items])

    def sequence(self, items: list[Token | Branch]) -> Node:
        """The items in a row."""
        return series([self.node(item) for item in items])

    def repeated(self, items: list[Token | Branch]) -> Node:
        """An item with quantifiers."""
        child, *quantifiers = items
        node = self.node(child)
        for depth, quantifier in enumerate(quantifiers, 1):
            assert isinstance(quantifier, Token)
            self.source.check_depth(depth, "quantifiers in a row")
            low, high = self.bounds(quantifier)
            node = Counted(node, low, high)
        return node

    def bounds(self, quantifier: Token) -> tuple[int, int | None]:
        """What a quantifier allows."""
        if quantifier.type == "OP":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[quantifier.value]
        first, comma, second = quantifier.value.strip("{}").partition(",")
        low = first.strip()
        high = second.strip() or None if comma else low
        return self.source.counts(low, high, start_of(quantifier))

    def excluded(self, items: list[Token | Branch]) -> Node:
        """The first item, where it is none of the others; every second one is the operator."""
        first, minus, *_ = items
        assert isinstance(minus, Token)
        others = [self.node(item) for item in items[2::2]]
        return Exclusion(self.node(first), options(others), start_of(minus))

    def nothing(self, items: list[Token | Branch]) -> Node:
        """The empty text."""
        return Series(())


def start_of(token: Token) -> int:
    """Where a token begins."""
    assert token.start_pos is not None
    return token.start_pos


def end_of(token: Token) -> int:
    """Where a token ends."""
    assert token.end_pos is not None
    return token.end_pos
