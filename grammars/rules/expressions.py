"""`RuleGraph`: a context-free grammar over texts, whose terminals are regular languages, embedded schemas or tokens.

Scannerless: a text belongs to the grammar when some derivation spells it, whatever a lexer would have cut it into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..regex.algebra import Language
from ..spec import GrammarSpec


@dataclass(frozen=True)
class Terminal:
    """A text of a regular language, which may hold the empty text."""

    language: Language


@dataclass(frozen=True)
class RuleRef:
    """A text of the rule of that name."""

    name: str


@dataclass(frozen=True)
class Sequence:
    """One text of each part, one after the other; without parts the empty text."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Choice:
    """A text of one of the options. They may overlap; their order means nothing."""

    options: tuple[Expression, ...]


@dataclass(frozen=True)
class Repeat:
    """From `low` to `high` texts of the child in a row; high None: no bound."""

    child: Expression
    low: int
    high: int | None


@dataclass(frozen=True)
class JsonDocument:
    """A JSON document of a schema. spec: of kind "json_schema", with its whitespace, order and resources."""

    spec: GrammarSpec


@dataclass(frozen=True)
class TokenRef:
    """Exactly one token, of these ids; for tokens that have no text, such as `<|tool_call|>`."""

    token_ids: frozenset[int]


Expression = Terminal | RuleRef | Sequence | Choice | Repeat | JsonDocument | TokenRef

EMPTY = Sequence(())


@dataclass(frozen=True)
class RuleGraph:
    """A grammar, every reference resolved. rules: name -> expression; start: the rule that a whole text belongs to.

    notes: what the reader wants its user to know, such as priorities that do not change the language.
    """

    rules: Mapping[str, Expression]
    start: str
    notes: tuple[str, ...] = field(default=())
