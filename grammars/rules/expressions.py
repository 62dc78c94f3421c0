"""`RuleGraph`: a context-free grammar over texts. The terminals are regular languages, embedded schemas or tokens.

There is no separate lexer: a text belongs to the grammar if any derivation spells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..cached import cached_property
from ..errors import GrammarError
from ..regex.algebra import Language
from ..spec import GrammarSpec
from ..watch import paced

# Expressions are never changed. PERF: frozen dataclasses take 0.6 us to make, these 0.25.


@dataclass(slots=True, unsafe_hash=True)
class Terminal:
    """A text of a regular language, which may contain the empty text."""

    language: Language


@dataclass(slots=True, unsafe_hash=True)
class RuleRef:
    """A text of the named rule. offset: place in the grammar's text that names it, for its reader."""

    name: str
    offset: int = field(default=0, compare=False, repr=False)


@dataclass(slots=True, unsafe_hash=True)
class Sequence:
    """A text of each part, one after the other; without parts the empty text."""

    parts: tuple[Expression, ...]


@dataclass(slots=True, unsafe_hash=True)
class Choice:
    """A text of one of the options. Options may overlap, and their order has no meaning."""

    options: tuple[Expression, ...]


@dataclass(slots=True, unsafe_hash=True)
class CountedRepeat:
    """From `low` to `high` texts of the child in a row; high None: no bound."""

    child: Expression
    low: int
    high: int | None


@dataclass(slots=True, unsafe_hash=True)
class JsonDocument:
    """A JSON document of a schema.

    spec: spec of kind "json_schema", with its whitespace, order and resources.
    in_context: function that turns an error in the schema into the one to raise, with its place in the grammar. None:
        raise the error itself.
    place: place of the schema for other errors, such as "at '/format/json_schema'"; "" if unknown.
    offset: as in `RuleRef`.
    """

    spec: GrammarSpec
    in_context: Callable[[GrammarError], GrammarError] | None = field(default=None, compare=False, repr=False)
    place: str = field(default="", compare=False, repr=False)
    offset: int = field(default=0, compare=False, repr=False)

    def located(self, error: GrammarError) -> GrammarError:
        """Return the error to raise for an error in the schema."""
        return error if self.in_context is None else self.in_context(error)


@dataclass(slots=True, unsafe_hash=True)
class TokenRef:
    """Exactly one token with one of these ids; for tokens without text, such as `<|tool_call|>`.

    offset: as in `RuleRef`.
    """

    token_ids: frozenset[int]
    offset: int = field(default=0, compare=False, repr=False)


Leaf = Terminal | RuleRef | JsonDocument | TokenRef
Expression = Leaf | Sequence | Choice | CountedRepeat

EMPTY = Sequence(())


@dataclass(frozen=True)
class RuleGraph:
    """A grammar with every reference resolved.

    rules: name -> expression.
    start: name of the rule for whole texts.
    notes: hints for the user, such as priorities that do not change the language.
    error_at: function that turns a rule's name and a problem into the error to raise, with the rule's place.
    """

    rules: Mapping[str, Expression]
    start: str
    notes: tuple[str, ...] = field(default=())
    error_at: Callable[[str, str], GrammarError] | None = field(default=None, compare=False, repr=False)

    def error(self, rule: str, reason: str) -> GrammarError:
        """Return the error to raise for a problem with a rule. reason: continues the sentence after the rule's name."""
        return GrammarError(f"rule {rule!r} {reason}") if self.error_at is None else self.error_at(rule, reason)

    @property
    def foreign(self) -> list[tuple[str, JsonDocument | TokenRef]]:
        """The documents and tokens in it, each with the name of its rule."""
        return [(name, part) for name, (_, foreign) in self._named.items() for part in foreign]

    @property
    def languages(self) -> Iterator[Language]:
        """The languages of its terminals."""
        waiting = list(self.rules.values())
        while waiting:
            part = waiting.pop()
            if isinstance(part, Terminal):
                yield part.language
            elif isinstance(part, Sequence):
                waiting += part.parts
            elif isinstance(part, Choice):
                waiting += part.options
            elif isinstance(part, CountedRepeat):
                waiting.append(part.child)

    @cached_property
    def references(self) -> dict[str, dict[str, None]]:
        """Rule -> the rules that it names, each once."""
        return {name: names for name, (names, _) in self._named.items()}

    @cached_property
    def _named(self) -> dict[str, tuple[dict[str, None], list[JsonDocument | TokenRef]]]:
        return {name: named_in(rule) for name, rule in paced(self.rules.items())}


def named_in(expression: Expression) -> tuple[dict[str, None], list[JsonDocument | TokenRef]]:
    """Return the rules that an expression names, each once, and its documents and tokens."""
    names: dict[str, None] = {}
    foreign: list[JsonDocument | TokenRef] = []
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is RuleRef:
            names[part.name] = None  # type: ignore[union-attr]
        elif kind is Sequence:
            waiting += part.parts[::-1]  # type: ignore[union-attr]
        elif kind is Choice:
            waiting += part.options[::-1]  # type: ignore[union-attr]
        elif kind is CountedRepeat:
            waiting.append(part.child)  # type: ignore[union-attr]
        elif kind is not Terminal:
            foreign.append(part)  # type: ignore[arg-type]
    return names, foreign


def embed(graph: RuleGraph, prefix: str) -> tuple[dict[str, Expression], RuleRef]:
    """Return a graph's rules for another graph, with prefixed names, and a reference to its start."""

    def renamed(leaf: Leaf) -> Expression:
        return RuleRef(prefix + leaf.name, leaf.offset) if isinstance(leaf, RuleRef) else leaf

    rules = {prefix + name: map_leaves(expression, renamed) for name, expression in graph.rules.items()}
    return rules, RuleRef(prefix + graph.start)


def map_leaves(expression: Expression, change: Callable[[Leaf], Expression]) -> Expression:
    """Copy an expression, and replace each part without parts by the result of `change`."""
    match expression:
        case Sequence(parts):
            return Sequence(tuple([map_leaves(part, change) for part in parts]))
        case Choice(options):
            return Choice(tuple([map_leaves(option, change) for option in options]))
        case CountedRepeat(child, low, high):
            return CountedRepeat(map_leaves(child, change), low, high)
        case _:
            return change(expression)
