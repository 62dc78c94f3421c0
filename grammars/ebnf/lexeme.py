"""`Lexeme`: a piece of a grammar's text that its syntax knows, and `Branch`: what the syntax makes of several."""

from __future__ import annotations

from typing import Any, NamedTuple


class Lexeme(NamedTuple):
    """type: its kind; value: its text; start_pos, end_pos: where it stands in the grammar's text, in code points."""

    type: str
    value: str
    start_pos: int
    end_pos: int

    def __str__(self) -> str:
        return self.value


class Branch(NamedTuple):
    """data: the name of the rule of the syntax; children: what was found for its parts."""

    data: str
    children: list[Any]
