"""What a grammar's text says, before names are looked up: the tree that all dialects are read into."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import InvalidGrammarError
from ..regex.assertions import Piece
from ..rules.expressions import JsonDocument, TokenRef
from .source import GrammarSource

# Nothing changes a node. PERF: frozen dataclasses take 0.6 us to make, these 0.25.


@dataclass(slots=True, unsafe_hash=True)
class Text:
    """A text that a piece of a pattern matches: a string, a character class, a regex."""

    piece: Piece
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class Foreign:
    """What is no text of this grammar's own: an embedded schema, or tokens."""

    expression: JsonDocument | TokenRef
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class Name:
    """What a rule or terminal of that name stands for."""

    name: str
    offset: int


@dataclass(slots=True, unsafe_hash=True)
class Series:
    """The parts, one after the other."""

    parts: tuple[Node, ...]


@dataclass(slots=True, unsafe_hash=True)
class Options:
    """One of the options."""

    options: tuple[Node, ...]


@dataclass(slots=True, unsafe_hash=True)
class Counted:
    """`low` to `high` times the child; high None: no bound."""

    child: Node
    low: int
    high: int | None


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


Node = Text | Foreign | Name | Series | Options | Counted | Conjunction | Exclusion | TemplateUse


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


def series(parts: list[Node]) -> Node:
    """The parts, one after the other."""
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def options(parts: list[Node]) -> Node:
    """One of the parts."""
    return parts[0] if len(parts) == 1 else Options(tuple(parts))


def children(node: Node) -> tuple[Node, ...]:
    """The nodes that a node is made of."""
    if isinstance(node, Series | Conjunction):
        return node.parts
    if isinstance(node, Options):
        return node.options
    if isinstance(node, Counted):
        return (node.child,)
    if isinstance(node, TemplateUse):
        return node.arguments
    if isinstance(node, Exclusion):
        return (node.second,) if node.first is None else (node.first, node.second)
    return ()


def names_in(node: Node) -> list[Name]:
    """The names that occur in a node, in order."""
    found: list[Name] = []
    pending = [node]
    while pending:
        node = pending.pop()
        if isinstance(node, Name):
            found.append(node)
        pending.extend(reversed(children(node)))
    return found
