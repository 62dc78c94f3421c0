"""What a grammar's text says, before names are looked up: expressions, and what only Lark and W3C notation have."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InvalidGrammarError
from ..regex.assertions import Piece
from ..rules.expressions import Choice, Expression, Repeat, RuleRef, Sequence
from .source import GrammarSource

# Nothing changes a node. PERF: frozen dataclasses take 0.6 us to make, these 0.25.


@dataclass(slots=True, unsafe_hash=True)
class Pattern:
    """A text that a piece of a pattern matches, which may have assertions."""

    piece: Piece


@dataclass(slots=True, unsafe_hash=True)
class Conjunction:
    """Texts of all parts."""

    parts: tuple[Node, ...]
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class Exclusion:
    """Texts of the first that are not texts of the second; first None: of all texts."""

    first: Node | None
    second: Node
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class TemplateUse:
    """A template's rule with these arguments in the place of its parameters."""

    name: str
    arguments: tuple[Node, ...]
    offset: int


Node = Expression | Pattern | Conjunction | Exclusion | TemplateUse


@dataclass(slots=True, unsafe_hash=True)
class Rule:
    """A rule or terminal. offset: where its name stands. parameters: of a template."""

    name: str
    body: Node
    offset: int
    parameters: tuple[str, ...] = ()

    def error(self, source: GrammarSource, reason: str) -> InvalidGrammarError:
        """The error for what is wrong with the rule. reason: goes on after its name."""
        return source.error(f"rule {self.name!r} {reason}", self.offset)


def sequence(parts: list[Node]) -> Node:
    """The parts, one after the other."""
    return parts[0] if len(parts) == 1 else Sequence(tuple(parts))  # type: ignore[arg-type]


def choice(parts: list[Node]) -> Node:
    """One of the parts."""
    return parts[0] if len(parts) == 1 else Choice(tuple(parts))  # type: ignore[arg-type]


def repeat(child: Node, low: int, high: int | None) -> Node:
    """From `low` to `high` times the child; high None: no bound."""
    return Repeat(child, low, high)  # type: ignore[arg-type]


def children(node: Node) -> tuple[Node, ...]:
    """The nodes that a node is made of."""
    if isinstance(node, Sequence | Conjunction):
        return node.parts
    if isinstance(node, Choice):
        return node.options
    if isinstance(node, Repeat):
        return (node.child,)
    if isinstance(node, TemplateUse):
        return node.arguments
    if isinstance(node, Exclusion):
        return (node.second,) if node.first is None else (node.first, node.second)
    return ()


def names_in(node: Node) -> list[RuleRef]:
    """The names that occur in a node, in order."""
    found: list[RuleRef] = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, RuleRef):
            found.append(node)
        pending.extend(reversed(children(node)))
    return found
