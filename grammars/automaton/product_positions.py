"""Intersections, differences and complements of Languages as automata, for `Positions`.

What a Language combines so are its leaves, which are positions themselves. All of their DFAs are gone through in step,
and a state accepts when the combination of what they say does. States from which nothing is accepted are left out, so
each set of positions has a text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..regex import algebra as lang
from ..regex.algebra import Language
from ..watch import checkpoint
from . import layout as at

MAX_STATES = 300
"""States that are gone through at most for one lexeme: 30 us each."""

WIDE_COLUMN = 128
"""The column of all characters from U+0080 on; those before it are ASCII."""

Columns = NDArray[np.int64]
"""(129,): for each column the next state of a leaf, or DEAD."""


class ProductState(NamedTuple):
    """accepts: the text may end. arcs: columns, with the number of the state that they lead to."""

    accepts: bool
    arcs: list[tuple[list[int], int]]


def leaves_of(language: Language) -> list[Language]:
    """The Languages that intersections and complements combine, each once."""
    found: dict[Language, None] = {}
    pending = [language]
    while pending:
        part = pending.pop()
        if isinstance(part, lang.Intersection):
            pending += part.parts
        elif isinstance(part, lang.Complement):
            pending.append(part.child)
        else:
            found[part] = None
    return list(found)


def product(
    language: Language,
    leaves: list[Language],
    starts: list[int],
    columns: Callable[[int], tuple[bool, Columns]],
    maximum: int = MAX_STATES,
) -> list[ProductState] | None:
    """The states of a combination, the first one first; None where there are more than `maximum` or none accepts.

    starts: the first state of each leaf. columns: whether a state of a leaf accepts, and where it leads to.
    """
    numbers: dict[tuple[int, ...], int] = {tuple(starts): 0}
    order, states = [tuple(starts)], list[ProductState]()
    while len(states) < len(order):
        checkpoint()
        here = [columns(state) for state in order[len(states)]]
        found = dict(zip(leaves, [accepts for accepts, _ in here], strict=True))
        arcs = []
        for following, group in _groups([row for _, row in here]):
            number = numbers.get(following)
            if number is None:
                number = numbers[following] = len(order)
                order.append(following)
            arcs.append((group, number))
        if len(order) > maximum:
            return None
        states.append(ProductState(_holds(language, found), arcs))
    return _trimmed(states)


def _holds(language: Language, found: dict[Language, bool]) -> bool:
    if isinstance(language, lang.Intersection):
        return all(_holds(part, found) for part in language.parts)
    if isinstance(language, lang.Complement):
        return not _holds(language.child, found)
    return found[language]


def _groups(rows: list[Columns]) -> list[tuple[tuple[int, ...], list[int]]]:
    """The columns by where all leaves lead to there."""
    table = np.stack(rows)
    starts = [0, *(np.flatnonzero((table[:, 1:] != table[:, :-1]).any(axis=0)) + 1).tolist()]
    groups: dict[tuple[int, ...], list[int]] = {}
    for start, end in zip(starts, [*starts[1:], table.shape[1]], strict=True):
        groups.setdefault(tuple(table[:, start].tolist()), []).extend(range(start, end))
    return list(groups.items())


def _trimmed(states: list[ProductState]) -> list[ProductState] | None:
    """The states from which a text can be accepted; None where the first one is none of them."""
    before: list[list[int]] = [[] for _ in states]
    for number, state in enumerate(states):
        for _, target in state.arcs:
            before[target].append(number)
    live = [number for number, state in enumerate(states) if state.accepts]
    seen = set(live)
    for number in live:  # grows
        new = [one for one in before[number] if one not in seen]
        seen.update(new)
        live += dict.fromkeys(new)
    if 0 not in seen:
        return None
    places = {number: place for place, number in enumerate(sorted(seen))}
    return [
        ProductState(state.accepts, [(group, places[target]) for group, target in state.arcs if target in seen])
        for number, state in enumerate(states)
        if number in seen
    ]


DEAD_COLUMNS = np.full(WIDE_COLUMN + 1, at.DEAD, dtype=np.int64)
