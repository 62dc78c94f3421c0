"""`GrammarSource`: the text of a grammar, and where in it something is wrong. `Lexeme`, `Branch`: parts of it."""

from __future__ import annotations

import difflib
import itertools
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import InvalidGrammarError, LimitExceededError
from ..limits import Limits
from ..quote_sources import Sources
from ..vocabulary import Vocabulary

_SHOWN_CHARS = 60
"""How much of a name or token is shown in a message."""

_COMPARED_NAMES = 1_000
"""Names among which a similar one is looked for, which takes about 20 us each."""


@dataclass(frozen=True)
class GrammarSource:
    """The text of a grammar, what reading it may cost, and the vocabulary whose tokens it may name (None: none).

    sources: the texts that it may quote. start, end: of a grammar inside of another one, where in the text it stands.
    """

    text: str
    limits: Limits
    vocabulary: Vocabulary | None = None
    sources: Sources | None = None
    start: int = 0
    end: int = sys.maxsize

    def error(self, reason: str, offset: int) -> InvalidGrammarError:
        """The error to raise for what is wrong at an offset, in code points."""
        return InvalidGrammarError(reason, self.text, offset)

    def place(self, offset: int) -> str:
        """Where an offset is, for messages."""
        where = self.error("", offset)
        return f"in line {where.line}, column {where.column}"

    def check_size(self) -> None:
        """Raise LimitExceededError if the text is too long to be read."""
        limit = self.limits.max_ebnf_bytes
        if len(self.text) > limit or len(self.text.encode("utf-8", "surrogatepass")) > limit:
            raise LimitExceededError("max_ebnf_bytes", limit, "bytes")

    def check_depth(self, depth: int, what: str) -> None:
        """Raise LimitExceededError if something is nested too deep."""
        limit = self.limits.max_ebnf_depth
        if depth > limit:
            raise LimitExceededError("max_ebnf_depth", limit, "levels", what)

    def count(self, digits: str, offset: int) -> int:
        """The number that a quantifier names."""
        limit = self.limits.max_repeat
        if len(digits) > 20 or int(digits) > limit:
            detail = f"{shortened(digits)} {self.place(offset)}"
            raise LimitExceededError("max_repeat", limit, "times", detail)
        return int(digits)

    def counts(self, low: str, high: str | None, offset: int) -> tuple[int, int | None]:
        """The bounds of a quantifier; high None: no bound."""
        least, most = self.count(low, offset), None if high is None else self.count(high, offset)
        if most is not None and most < least:
            raise self.error(f"at least {least} and at most {most} times can't both hold", offset)
        return least, most


class Lexeme(NamedTuple):
    """A piece of a grammar's text that its syntax knows.

    type: its kind; value: its text; start_pos, end_pos: where it stands in the grammar's text, in code points.
    """

    type: str
    value: str
    start_pos: int
    end_pos: int

    def __str__(self) -> str:
        return self.value


class Branch(NamedTuple):
    """What the syntax makes of several pieces.

    data: the name of the rule of the syntax; children: what was found for its parts.
    """

    data: str
    children: list[Any]


def shortened(text: str) -> str:
    """A name or token for a message; of a long one, how it begins."""
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 3] + "..."


def similar(name: str, known: Iterable[str]) -> str:
    """A hint that names what may have been meant; empty if nothing is close."""
    if len(name) > _SHOWN_CHARS:
        return ""
    names = [other for other in itertools.islice(known, _COMPARED_NAMES) if len(other) <= _SHOWN_CHARS]
    close = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {close[0]}?" if close else ""
