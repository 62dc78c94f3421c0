"""`Expected`: what a grammar expects at a place, in words and as a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OptionKind = Literal["key", "value", "end", "text", "characters", "token"]
MAX_OPTIONS = 50


@dataclass(frozen=True)
class ExpectedOption:
    """One allowed continuation.

    Attributes:
        kind: "key", "value" (of JSON), "end" (of a container or of the text), "text", "characters" or "token"
            (a special one).
        text: the thing in words.
    """

    kind: OptionKind
    text: str


@dataclass(frozen=True)
class Expected:
    """The allowed continuations at a place of a text.

    Attributes:
        text: in words.
        options: the same one by one, at most MAX_OPTIONS and the end.
        may_end: True if the text may end here.
        is_over: True if the text has ended.
        examples: some of the characters that may come next.
        document: JSON pointer in the document that is being written; None outside of documents.
        schemas: JSON pointers to the parts of the schema that apply to that place, the plainest first.
    """

    text: str
    options: tuple[ExpectedOption, ...] = ()
    may_end: bool = False
    is_over: bool = False
    examples: tuple[str, ...] = ()
    document: str | None = None
    schemas: tuple[str, ...] = ()
