"""The ends of free regions. `Mark`: one string of text and special tokens. `End`: all ends of a tag."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..regex.free_text import free_text, free_text_before
from ..rules.expressions import EMPTY, Choice, Expression, Sequence, Terminal, TokenRef
from .places import TagValue
from .tokens import TokenNames, spell


@dataclass(frozen=True)
class Mark:
    """A string that comes after free text.

    lead: the text of the string up to its first special token.
    rest: the rest of the string.
    """

    lead: str
    rest: Expression

    def after_free_text(
        self, stops: Iterable[str], excludes: Iterable[str] = (), max_chars: int | None = None
    ) -> Expression:
        """Free text, then this mark. The arguments are those of `free_text_before`."""
        return then(Terminal(free_text_before(self.lead, stops, excludes, max_chars)), self.rest)


def mark_of(place: TagValue, names: TokenNames) -> Mark:
    """The mark of a string. place: the string. names: the special tokens that it may name."""
    parts = names.split(place)
    if parts and isinstance(parts[0], str):
        return Mark(parts[0], spell(parts[1:]))
    return Mark("", spell(parts))


@dataclass(frozen=True)
class End:
    """The end of a tag.

    marks: the strings that may end the tag.
    may_be_empty: True if the empty string may end the tag.
    token_ids: the tokens that may end the tag, if its end is a token.
    texts: the marks as strings; free text inside the tag stops at them.
    """

    marks: tuple[Mark, ...] = ()
    may_be_empty: bool = False
    token_ids: frozenset[int] = frozenset()
    texts: tuple[str, ...] = ()

    @property
    def expression(self) -> Expression:
        """The choice of all ends."""
        return choice([*self._tokens(), *[spell_mark(mark) for mark in self.marks], *self._empty()])

    def after_free_text(
        self, stops: tuple[str, ...], excludes: tuple[str, ...] = (), max_chars: int | None = None
    ) -> Expression:
        """Free text, then this end.

        stops: strings at which the free text stops, besides this end.
        excludes: strings that the free text must not contain.
        max_chars: maximum length of the free text; None: no limit.
        """
        stops = stops + self.texts
        free = Terminal(free_text({*stops, *excludes}, max_chars))
        marked = [mark.after_free_text(stops, excludes, max_chars) for mark in self.marks]
        return choice([*marked, *[then(free, end) for end in (*self._tokens(), *self._empty())]])

    def _tokens(self) -> list[Expression]:
        return [TokenRef(self.token_ids)] if self.token_ids else []

    def _empty(self) -> list[Expression]:
        return [EMPTY] if self.may_be_empty else []


def spell_mark(mark: Mark) -> Expression:
    """The expression of a mark."""
    return then(spell([mark.lead]) if mark.lead else EMPTY, mark.rest)


def then(*parts: Expression) -> Expression:
    """The parts one after the other, in one flat sequence."""
    flat: list[Expression] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else (part,))
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(options: list[Expression]) -> Expression:
    """An expression for the texts of any of the options."""
    return options[0] if len(options) == 1 else Choice(tuple(options))
