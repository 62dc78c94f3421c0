"""`RuleGraph`: a context-free grammar over texts, whose terminals are regular languages, embedded schemas or tokens.

Scannerless: a text belongs to the grammar when some derivation spells it, whatever a lexer would have cut it into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..cached import cached_property
from ..errors import GrammarError
from ..regex.algebra import Language
from ..spec import GrammarSpec
from ..watch import paced

# Nothing changes an expression. PERF: frozen dataclasses take 0.6 us to make, these 0.25.


@dataclass(slots=True, unsafe_hash=True)
class Terminal:
    """A text of a regular language, which may hold the empty text."""

    language: Language


@dataclass(slots=True, unsafe_hash=True)
class RuleRef:
    """A text of the rule of that name. offset: where a grammar's text names it, for its reader."""

    name: str
    offset: int = field(default=0, compare=False, repr=False)


@dataclass(slots=True, unsafe_hash=True)
class Sequence:
    """One text of each part, one after the other; without parts the empty text."""

    parts: tuple[Expression, ...]


@dataclass(slots=True, unsafe_hash=True)
class Choice:
    """A text of one of the options. They may overlap; their order means nothing."""

    options: tuple[Expression, ...]


@dataclass(slots=True, unsafe_hash=True)
class Repeat:
    """From `low` to `high` texts of the child in a row; high None: no bound."""

    child: Expression
    low: int
    high: int | None


@dataclass(slots=True, unsafe_hash=True)
class JsonDocument:
    """A JSON document of a schema. spec: of kind "json_schema", with its whitespace, order and resources.

    in_context: makes of an error in the schema the one to raise, which says where the grammar has that schema; None:
    the error itself. place: where that is, as "at '/format/json_schema'", for other errors; "" for not known. offset:
    as of a `RuleRef`.
    """

    spec: GrammarSpec
    in_context: Callable[[GrammarError], GrammarError] | None = field(default=None, compare=False, repr=False)
    place: str = field(default="", compare=False, repr=False)
    offset: int = field(default=0, compare=False, repr=False)

    def located(self, error: GrammarError) -> GrammarError:
        """The error to raise for an error in the schema."""
        return error if self.in_context is None else self.in_context(error)


@dataclass(slots=True, unsafe_hash=True)
class TokenRef:
    """Exactly one token, of these ids; for tokens that have no text, such as `<|tool_call|>`.

    offset: as of a `RuleRef`.
    """

    token_ids: frozenset[int]
    offset: int = field(default=0, compare=False, repr=False)


Leaf = Terminal | RuleRef | JsonDocument | TokenRef
Expression = Leaf | Sequence | Choice | Repeat

EMPTY = Sequence(())


@dataclass(frozen=True)
class RuleGraph:
    """A grammar, every reference resolved. rules: name -> expression; start: the rule that a whole text belongs to.

    notes: what the reader wants its user to know, such as priorities that do not change the language.
    error_at: makes of a rule's name and what is wrong with it the error to raise, which says where the rule is.
    """

    rules: Mapping[str, Expression]
    start: str
    notes: tuple[str, ...] = field(default=())
    error_at: Callable[[str, str], GrammarError] | None = field(default=None, compare=False, repr=False)

    def error(self, rule: str, reason: str) -> GrammarError:
        """The error to raise for what is wrong with a rule. reason: goes on after its name."""
        return GrammarError(f"rule {rule!r} {reason}") if self.error_at is None else self.error_at(rule, reason)

    @property
    def foreign(self) -> list[tuple[str, JsonDocument | TokenRef]]:
        """The documents and tokens in it, each with the name of its rule."""
        return [(name, part) for name, (_, foreign) in self._named.items() for part in foreign]

    @property
    def languages(self) -> Iterator[Language]:
        """Of its terminals."""
        waiting = list(self.rules.values())
        while waiting:
            part = waiting.pop()
            if isinstance(part, Terminal):
                yield part.language
            elif isinstance(part, Sequence):
                waiting += part.parts
            elif isinstance(part, Choice):
                waiting += part.options
            elif isinstance(part, Repeat):
                waiting.append(part.child)

    @cached_property
    def references(self) -> dict[str, dict[str, None]]:
        """The rules that each rule names, each once."""
        return {name: names for name, (names, _) in self._named.items()}

    @cached_property
    def _named(self) -> dict[str, tuple[dict[str, None], list[JsonDocument | TokenRef]]]:
        return {name: named_in(rule) for name, rule in paced(self.rules.items())}


def named_in(expression: Expression) -> tuple[dict[str, None], list[JsonDocument | TokenRef]]:
    """The rules that an expression names, each once, and the documents and tokens in it."""
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
        elif kind is Repeat:
            waiting.append(part.child)  # type: ignore[union-attr]
        elif kind is not Terminal:
            foreign.append(part)  # type: ignore[arg-type]
    return names, foreign


def embed(graph: RuleGraph, prefix: str) -> tuple[dict[str, Expression], RuleRef]:
    """A graph's rules for another graph, under names that begin with the prefix, and a reference to its start."""

    def renamed(leaf: Leaf) -> Expression:
        return RuleRef(prefix + leaf.name, leaf.offset) if isinstance(leaf, RuleRef) else leaf

    rules = {prefix + name: map_leaves(expression, renamed) for name, expression in graph.rules.items()}
    return rules, RuleRef(prefix + graph.start)


def map_leaves(expression: Expression, change: Callable[[Leaf], Expression]) -> Expression:
    """The expression with what `change` makes of each part that has no parts."""
    match expression:
        case Sequence(parts):
            return Sequence(tuple([map_leaves(part, change) for part in parts]))
        case Choice(options):
            return Choice(tuple([map_leaves(option, change) for option in options]))
        case Repeat(child, low, high):
            return Repeat(map_leaves(child, change), low, high)
        case _:
            return change(expression)
