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


def text_region(
    stops: tuple[str, ...],
    parts: Items[tuple[Mark, Expression]],
    excludes: tuple[str, ...],
    first: Expression | None,
    loops: bool,
    scope: Scope,
) -> Expression:
    """Free text in which strings open parts, with the scope's end if it has one.

    stops: the strings; free text holds none of them, and a part begins where one of them first begins.
    parts: for each the mark that opens it and the rest of it. excludes: strings that free text does not hold.
    first: what must come before anything else, None if nothing. loops: whether there may be more than one part.
    """
    all_stops = (*stops, *scope.enclosing.texts)
    opened = choice([then(mark.after_free_text((*all_stops, *excludes)), rest) for mark, rest in parts])
    if scope.end is None:
        free: Expression = Terminal(free_text({*all_stops, *excludes}))
    else:
        free = scope.end.after_free_text(stops, excludes)
    return _assemble(opened, free, first, loops, scope)


def token_region(
    free_ids: frozenset[int], parts: Items[Expression], first: Expression | None, loops: bool, scope: Scope
) -> Expression:
    """The same of free tokens. free_ids: those that open no part; parts: with the tokens that open them."""
    free = Repeat(TokenRef(free_ids), 0, None)
    return _assemble(then(free, choice([*parts])), scope.close(free), first, loops, scope)


def _assemble(opened: Expression, free: Expression, first: Expression | None, loops: bool, scope: Scope) -> Expression:
    """opened: a free region and the part after it; free: the region after the last part, with the scope's end."""
    if loops:
        return then(EMPTY if first is None else first, Repeat(opened, 0, None), free)
    return choice([free, scope.close(opened)]) if first is None else scope.close(first)
