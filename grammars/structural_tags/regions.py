"""Free regions: text, or tokens, in which certain strings or tokens open constrained parts."""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass, field

from ..regex.free_text import free_text
from ..rules.expressions import EMPTY, Expression, Repeat, Terminal, TokenRef
from .marks import End, Mark, choice, then


@dataclass(frozen=True)
class Scope:
    """Where a format stands. enclosing: the end of the nearest tag around it, at which free regions stop.

    end: the same end where the format is the last thing before it; what is read then holds the end, too.
    """

    enclosing: End = field(default_factory=End)
    end: End | None = None

    def inside(self) -> Scope:
        """For a part that is not the last thing before the end."""
        return Scope(self.enclosing)

    def close(self, expression: Expression) -> Expression:
        """The expression, and the end where this is the last place before it."""
        return expression if self.end is None else then(expression, self.end.expression)


@dataclass(frozen=True)
class TextRegion:
    """Free text in which strings open parts.

    stops: the strings; free text holds none of them, and a part begins where one of them first begins.
    parts: for each the mark that opens it and the rest of it. excludes: strings that free text does not hold.
    first: what must come before anything else, None if nothing. loops: whether there may be more than one part.
    """

    stops: tuple[str, ...]
    parts: Items[tuple[Mark, Expression]]
    excludes: tuple[str, ...]
    first: Expression | None
    loops: bool

    def expression(self, scope: Scope) -> Expression:
        """The region's texts, with the scope's end if it has one."""
        stops = (*self.stops, *scope.enclosing.texts)
        opened = choice([then(mark.after_free_text((*stops, *self.excludes)), rest) for mark, rest in self.parts])
        if scope.end is None:
            free: Expression = Terminal(free_text({*stops, *self.excludes}))
        else:
            free = scope.end.after_free_text(self.stops, self.excludes)
        return _assemble(opened, free, self.first, self.loops, scope)


@dataclass(frozen=True)
class TokenRegion:
    """Free tokens among which certain ones open parts. free_ids: the others; parts: with the tokens that open them."""

    free_ids: frozenset[int]
    parts: Items[Expression]
    first: Expression | None
    loops: bool

    def expression(self, scope: Scope) -> Expression:
        """The region's tokens, with the scope's end if it has one."""
        free = Repeat(TokenRef(self.free_ids), 0, None)
        return _assemble(then(free, choice([*self.parts])), scope.close(free), self.first, self.loops, scope)


def _assemble(opened: Expression, free: Expression, first: Expression | None, loops: bool, scope: Scope) -> Expression:
    """opened: a free region and the part after it; free: the region after the last part, with the scope's end."""
    if loops:
        return then(EMPTY if first is None else first, Repeat(opened, 0, None), free)
    return choice([free, scope.close(opened)]) if first is None else scope.close(first)
