"""Lists the values of a formula that has few, and decides if several places can all get different values.

A place with more possible values than there are places never lacks a value: it chooses last. Only places with few
values are therefore examined. The question if these can all get different values is a problem of maximum flow from
places to values (Hall's theorem). Values that fit the same places form one class, so the size of the problem depends on
the number of sets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..machine.documents.words import quoted
from . import numbers
from .context import Context
from .formula import FALSE, TRUE, Formula, all_of, kinds, negate
from .listing import ManyValuesError, canonical, containers_of, in_one_spelling, words_of
from .satisfiable import possible_kinds
from .specialise import specialise, string_language
from .values import one_of_values

Values = frozenset[bytes]
Demand = Mapping[Values, int]  # set of values -> number of places that each take a value of the set

_MANY_CONTAINERS = 1024  # largest number of objects and arrays that are listed; more always count as enough
_LEAST_LISTED = 16


def values_of(document: Context, formula: Formula, maximum: int) -> Values | None:
    """The values that satisfy the formula, each as `text_of_value` writes it; None if there are more than `maximum`.

    Each number counts once, in its canonical spelling.
    """
    known = document.listed.get(formula)
    if known is None or (known[1] is None and known[0] < maximum):
        asked = max(_LEAST_LISTED, 1 << (maximum - 1).bit_length())  # a growing `maximum` then costs few searches
        try:
            known = asked, _listed(document, formula, asked)
        except ManyValuesError:
            known = asked, None
        if document.is_final or known[1] is None:
            document.listed[formula] = known
    values = known[1]
    return values if values is not None and len(values) <= maximum else None


def _listed(document: Context, formula: Formula, maximum: int) -> Values:
    found: set[bytes] = set()
    for kind in possible_kinds(formula):
        special = specialise(formula, kind)
        if special is FALSE:
            continue
        if kind == "string":
            found.update(quoted(word) for word in words_of(string_language(special), maximum))
        elif kind == "number":
            numerals = in_one_spelling(document.numbers(special))
            found.update(word.encode() for word in words_of(numerals, maximum))
        elif kind in ("object", "array"):
            found |= _containers(document, all_of((formula, kinds({kind}))), maximum)
        elif special is TRUE:
            found.add(kind.encode())
        if len(found) > maximum:
            raise ManyValuesError
    return frozenset(found)


def _containers(document: Context, formula: Formula, maximum: int) -> set[bytes]:
    if not document.is_satisfiable(formula):
        return set()
    if document.is_counting or maximum > _MANY_CONTAINERS:
        raise ManyValuesError
    return {canonical(text) for text in containers_of(document.apart(formula).goal(formula).spec(), maximum)}


def satisfies(document: Context, formula: Formula, text: bytes) -> bool:
    """True if the value with this JSON text satisfies the formula."""
    if formula is TRUE or formula is FALSE:
        return formula is TRUE
    return document.is_satisfiable(all_of((formula, value_formula(document, text))))


def value_formula(document: Context, text: bytes) -> Formula:
    """The formula of exactly one value, which leaves the order of keys to the schema. text: its JSON text."""
    return document.kept((value_formula, text), lambda: _value_formula(text))


def other_than(document: Context, text: bytes) -> Formula:
    """The formula of all values except one object or array. text: its JSON text. All spellings of its numbers count."""
    return document.kept((other_than, text), lambda: _other_than(text))


def _value_formula(text: bytes) -> Formula:
    value = json.loads(text, parse_float=Decimal)
    return one_of_values([value] if text[:1] not in b"[{" else [value, _reversed(value)], gives_order=False)


def _other_than(text: bytes) -> Formula:
    value = json.loads(text, parse_float=Decimal)
    return negate(one_of_values([value], numbers.reads_as_one_of, gives_order=False))


def _reversed(value: Any) -> Any:
    """The value with the keys of its objects reversed. A formula of both orders requires no key before another."""
    if isinstance(value, list):
        return [_reversed(one) for one in value]
    return {key: _reversed(value[key]) for key in reversed(value)} if isinstance(value, dict) else value


def have_room(document: Context, demand: Demand, used: Values) -> bool:
    """True if all places can get different values that are not in `used`."""
    for values, count in demand.items():
        if len(values) - len(values & used) < count:
            return False
    if len(demand) <= 1:
        return True
    places = tuple(demand)
    classes = [(owners, len(values) - len(values & used)) for owners, values in _classes(document, places)]
    return _flow([demand[one] for one in places], classes)


def scarce(document: Context, demand: Demand, used: Values) -> Values:
    """The values outside `used` that the places need. If any of them were used, `have_room` would be False."""
    places = tuple(demand)
    classes = _classes(document, places)
    supplies = [len(values) - len(values & used) for _, values in classes]
    found: set[bytes] = set()
    for index, (_, values) in enumerate(classes):
        if supplies[index]:
            left = [(owners, supplies[i] - (i == index)) for i, (owners, _) in enumerate(classes)]
            if not _flow([demand[one] for one in places], left):
                found |= values - used
    return frozenset(found)


def _classes(document: Context, places: tuple[Values, ...]) -> list[tuple[tuple[int, ...], Values]]:
    """Groups the values by the places that they fit: (indices of places, values)."""
    return document.kept((_classes, places), lambda: _find_classes(places))


def _find_classes(places: tuple[Values, ...]) -> list[tuple[tuple[int, ...], Values]]:
    owners: dict[bytes, list[int]] = {}
    for index, values in enumerate(places):
        for value in values:
            owners.setdefault(value, []).append(index)
    classes: dict[tuple[int, ...], set[bytes]] = {}
    for value, indices in owners.items():
        classes.setdefault(tuple(indices), set()).add(value)
    return [(indices, frozenset(values)) for indices, values in classes.items()]


def _flow(needs: list[int], classes: list[tuple[tuple[int, ...], int]]) -> bool:
    """True if each place can get as many values as it needs.

    needs: number of values for each place.
    classes: (indices of the places that its values fit, number of values) of each class.
    """
    spare = [supply for _, supply in classes]
    given: list[dict[int, int]] = [{} for _ in needs]
    fitting: list[list[int]] = [[] for _ in needs]
    for index, (owners, _) in enumerate(classes):
        for place in owners:
            fitting[place].append(index)
    for place, need in enumerate(needs):
        left = need
        while left:
            amount = _augment(place, left, spare, given, fitting)
            if not amount:
                return False
            left -= amount
    return True


def _augment(start: int, wanted: int, spare: list[int], given: list[dict[int, int]], fitting: list[list[int]]) -> int:
    """Give a place up to `wanted` more values, and return their number; 0 if there is no way (breadth-first search).

    The values come from a class with spare ones, or from other places that can take values of other classes instead.
    """
    came_from: dict[int, tuple[int, int]] = {}  # class -> (place that takes more of it, class that this place leaves)
    reached = {start}
    waiting = [(start, -1)]
    for place, left_class in waiting:  # the loop appends to `waiting`
        for one in fitting[place]:
            if one in came_from:
                continue
            came_from[one] = (place, left_class)
            if spare[one]:
                return _push(one, wanted, spare, given, came_from)
            for other, amounts in enumerate(given):
                if other not in reached and amounts.get(one):
                    reached.add(other)
                    waiting.append((other, one))
    return 0


def _push(
    last: int, wanted: int, spare: list[int], given: list[dict[int, int]], came_from: dict[int, tuple[int, int]]
) -> int:
    path: list[tuple[int, int, int]] = []  # (place, class that it takes, class that it leaves)
    one = last
    while one >= 0:
        place, leaves = came_from[one]
        path.append((place, one, leaves))
        one = leaves
    amount = min([wanted, spare[last], *(given[place][leaves] for place, _, leaves in path if leaves >= 0)])
    spare[last] -= amount
    for place, takes, leaves in path:
        given[place][takes] = given[place].get(takes, 0) + amount
        if leaves >= 0:
            given[place][leaves] -= amount
    return amount
