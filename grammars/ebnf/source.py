"""`GrammarSource`: the text of a grammar, and places of mistakes in it. `Lexeme`, `ParseNode`: parts of it."""

from __future__ import annotations

import difflib
import itertools
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import InvalidGrammarError, LimitExceededError
from ..limits import Limits
from ..vocabulary import Vocabulary

_SHOWN_CHARS = 60
"""Maximum number of characters of a name or token shown in a message."""

_COMPARED_NAMES = 1_000
"""Maximum number of names compared to find a similar one, about 20 us each."""


@dataclass(frozen=True)
class GrammarSource:
    """The text of a grammar and the limits on reading it.

    vocabulary: vocabulary whose tokens it may name; None: it may name none.
    start, end: for a grammar inside another one, its place in the text.
    """

    text: str
    limits: Limits
    vocabulary: Vocabulary | None = None
    start: int = 0
    end: int = sys.maxsize

    def error(self, reason: str, offset: int) -> InvalidGrammarError:
        """Return the error to raise for a mistake at an offset in code points."""
        return InvalidGrammarError(reason, self.text, offset)

    def place(self, offset: int) -> str:
        """Return an offset's line and column in words."""
        where = self.error("", offset)
        return f"in line {where.line}, column {where.column}"

    def check_size(self) -> None:
        """Raise LimitExceededError if the text is too long."""
        limit = self.limits.max_ebnf_bytes
        if len(self.text) > limit or len(self.text.encode("utf-8", "surrogatepass")) > limit:
            raise LimitExceededError("max_ebnf_bytes", limit, "bytes")

    def check_depth(self, depth: int, what: str) -> None:
        """Raise LimitExceededError if something is nested too deep."""
        limit = self.limits.max_ebnf_depth
        if depth > limit:
            raise LimitExceededError("max_ebnf_depth", limit, "levels", what)

    def count(self, digits: str, offset: int) -> int:
        """Return the number in a quantifier. Raises LimitExceededError."""
        limit = self.limits.max_repeat
        if len(digits) > 20 or int(digits) > limit:
            detail = f"{shortened(digits)} {self.place(offset)}"
            raise LimitExceededError("max_repeat", limit, "times", detail)
        return int(digits)

    def counts(self, low: str, high: str | None, offset: int) -> tuple[int, int | None]:
        """Return the bounds of a quantifier; high None: no bound."""
        least, most = self.count(low, offset), None if high is None else self.count(high, offset)
        if most is not None and most < least:
            raise self.error(f"at least {least} and at most {most} times can't both hold", offset)
        return least, most


class Lexeme(NamedTuple):
    """A piece of a grammar's text that its syntax knows.

    type: kind of the lexeme.
    value: its text.
    start_pos, end_pos: its place in the grammar's text, in code points.
    """

    type: str
    value: str
    start_pos: int
    end_pos: int

    def __str__(self) -> str:
        return self.value


class ParseNode(NamedTuple):
    """The result of a syntax rule without a builder.

    data: name of the syntax rule.
    children: results of its parts.
    """

    data: str
    children: list[Any]


def shortened(text: str) -> str:
    """Return a name or token for a message, shortened if it is long."""
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."


def similar(name: str, known: Iterable[str]) -> str:
    """Return a hint with a similar name; empty if nothing is close."""
    if len(name) > _SHOWN_CHARS:
        return ""
    names = [other for other in itertools.islice(known, _COMPARED_NAMES) if len(other) <= _SHOWN_CHARS]
    close = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {close[0]}?" if close else ""
