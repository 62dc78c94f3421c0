"""`Expected`: what a grammar expects at a place, in words and as a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OptionKind = Literal["key", "value", "end", "rule", "text", "characters", "token"]
MAX_OPTIONS = 50


@dataclass(frozen=True)
class ExpectedOption:
    """One of the things that may come next. kind: key, value (of JSON), end (of a container or of the text), rule,
    text, characters, token (a special one)."""

    kind: OptionKind
    text: str


@dataclass(frozen=True)
class Expected:
    """What may come next.

    text: in words. options: one by one, at most MAX_OPTIONS. may_end: the text may end here. is_over: it has ended.
    examples: characters that may come next, some of them.
    document: JSON pointer in the document that is being written; None outside of documents.
    schemas: pointers of the parts of the schema that speak of that place, the plainest first.
    rules: of an EBNF grammar, those that the text is in, the outermost first; in one of its readings, if there are
        several.
    """

    text: str
    options: tuple[ExpectedOption, ...] = ()
    may_end: bool = False
    is_over: bool = False
    examples: tuple[str, ...] = ()
    document: str | None = None
    schemas: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
