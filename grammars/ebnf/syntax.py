"""The content of a grammar's text before names are resolved: expressions, and nodes of Lark and W3C notation only."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InvalidGrammarError
from ..regex.assertions import Piece
from ..rules.expressions import Choice, CountedRepeat, Expression, RuleRef, Sequence
from .source import GrammarSource

# Nodes are never changed. PERF: frozen dataclasses take 0.6 us to make, these 0.25.


@dataclass(slots=True, unsafe_hash=True)
class Pattern:
    """A text that a piece of a pattern matches; the piece may have assertions."""

    piece: Piece


@dataclass(slots=True, unsafe_hash=True)
class Conjunction:
    """The texts that fit all parts."""

    parts: tuple[Node, ...]
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class Exclusion:
    """The texts of the first that are not texts of the second. first: None: all texts."""

    first: Node | None
    second: Node
    offset: int


Node = Expression | Pattern | Conjunction | Exclusion


@dataclass(slots=True, unsafe_hash=True)
class SyntaxRule:
    """A rule or terminal.

    name: its name.
    body: its node.
    offset: place of its name in the text.
    """

    name: str
    body: Node
    offset: int

    def error(self, source: GrammarSource, reason: str) -> InvalidGrammarError:
        """Return the error for a mistake in the rule. reason: continues the sentence after its name."""
        return source.error(f"rule {self.name!r} {reason}", self.offset)


def sequence(parts: list[Node]) -> Node:
    """Return the parts, one after the other."""
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))  # type: ignore[arg-type]


def choice(parts: list[Node]) -> Node:
    """Return a choice between the parts."""
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))  # type: ignore[arg-type]


def repeat(child: Node, low: int, high: int | None) -> Node:
    """Return the child, `low` to `high` times; high None: no bound."""
    return CountedRepeat(child, low, high)  # type: ignore[arg-type]


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct parts of a node."""
    if isinstance(node, Sequence | Conjunction):
        return node.parts
    if isinstance(node, Choice):
        return node.options
    if isinstance(node, CountedRepeat):
        return (node.child,)
    if isinstance(node, Exclusion):
        return (node.second,) if node.first is None else (node.first, node.second)
    return ()


def names_in(node: Node) -> list[RuleRef]:
    """Return the names that occur in a node, in order."""
    found: list[RuleRef] = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, RuleRef):
            found.append(node)
        pending.extend(reversed(children(node)))
    return found
