"""Free regions: free text or free tokens, with certain strings or tokens that open constrained parts."""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass, field

from ..regex.free_text import free_text
from ..rules.expressions import EMPTY, CountedRepeat, Expression, Terminal, TokenRef
from .marks import End, Mark, choice, then


@dataclass(frozen=True)
class RegionScope:
    """The surroundings of a format.

    enclosing: the end of the nearest tag around it; free regions stop there.
    end: the same end if the format is directly before it, else None. The expression of the format then includes the
        end.
    """

    enclosing: End = field(default_factory=End)
    end: End | None = None

    def inside(self) -> RegionScope:
        """The scope of an inner part: `end` does not follow it directly."""
        return RegionScope(self.enclosing)

    def close(self, expression: Expression) -> Expression:
        """The expression, followed by `end` if there is one."""
        return expression if self.end is None else then(expression, self.end.expression)


def text_region(
    stops: tuple[str, ...],
    parts: Items[tuple[Mark, Expression]],
    excludes: tuple[str, ...],
    first: Expression | None,
    loops: bool,
    scope: RegionScope,
) -> Expression:
    """Free text with strings that open parts, followed by the scope's end if it has one.

    stops: the strings that open parts. Free text contains none of them: it stops where a stop first begins.
    parts: (mark that opens a part, rest of the part) pairs.
    excludes: further strings that free text must not contain.
    first: expression that must come first; None: none.
    loops: True: any number of parts may come; False: at most one.
    """
    all_stops = (*stops, *scope.enclosing.texts)
    opened = choice([then(mark.after_free_text((*all_stops, *excludes)), rest) for mark, rest in parts])
    if scope.end is None:
        free: Expression = Terminal(free_text({*all_stops, *excludes}))
    else:
        free = scope.end.after_free_text(stops, excludes)
    return _assemble(opened, free, first, loops, scope)


def token_region(
    free_ids: frozenset[int], parts: Items[Expression], first: Expression | None, loops: bool, scope: RegionScope
) -> Expression:
    """Like `text_region`, for free tokens.

    free_ids: the tokens that open no part.
    parts: the parts, each with the tokens that open it.
    """
    free = CountedRepeat(TokenRef(free_ids), 0, None)
    return _assemble(then(free, choice([*parts])), scope.close(free), first, loops, scope)


def _assemble(
    opened: Expression, free: Expression, first: Expression | None, loops: bool, scope: RegionScope
) -> Expression:
    """The whole region.

    opened: a free region and the part after it.
    free: the free region after the last part, with the scope's end.
    """
    if loops:
        return then(EMPTY if first is None else first, CountedRepeat(opened, 0, None), free)
    return choice([free, scope.close(opened)]) if first is None else scope.close(first)
