"""Decides if an array can be completed, by a search over its further items.

The search looks at residual formulas, not at values, because callers replace `uniqueItems` by a constant first
(`ArrayState.assuming`). Arrays without it are called plain here. If items must be unique, values are counted with
`distinct`. If they must not be, some value has to come twice, and the search finds a formula of such values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from ..errors import LimitExceededError
from ..watch import checkpoint
from .array_state import ArrayState
from .context import Context, Vector
from .distinct import Values, have_room, satisfies, values_of
from .formula import FALSE, TRUE, Formula, Items, JsonKind, PartCount, all_of, negate
from .residual import atoms, holds_at_close, signed_atoms
from .satisfiable import possible_kinds
from .specialise import specialise

Witness = dict[Values, int]
_NOTHING: Witness = {}


def reaches_end(frame: ArrayState) -> bool:
    """True if a plain array can be completed by some items. The search goes depth first, and tries items with most
    matches first.

    Raises LimitExceededError("max_plans").
    """
    seen: set[ArrayState] = set()
    places: list[Iterator[ArrayState]] = [iter((frame,))]
    while places:
        place = next(places[-1], None)
        if place is None:
            places.pop()
            continue
        if place in seen or place.is_hopeless:
            continue
        seen.add(place)
        if place.close_class is not None or (place.rest is TRUE and place is not frame and place.is_live):
            return True
        if place.high != 0:
            places.append(after for _, after in _steps(place))
        _check_number(frame, len(seen))
    return False


def find_distinct(frame: ArrayState, used: Values) -> Witness | None:
    """A way to complete a plain array with different items, none of them in `used`; None if there is none.

    Returns a dict: set of values -> number of items that take one of them, without items that have many values.
    Raises LimitExceededError("max_plans").
    """
    many = len(used) + 2 * _horizon(frame)
    seen: set[tuple[ArrayState, frozenset[tuple[Values, int]]]] = set()
    waiting: deque[tuple[ArrayState, Witness]] = deque([(frame, _NOTHING)])
    while waiting:
        checkpoint()
        place, demand = waiting.popleft()
        key = (place, frozenset(demand.items()))
        if key in seen or place.is_hopeless or not place.is_live:
            continue
        seen.add(key)
        if place.low == 0 and holds_at_close(place.rest):
            return demand
        if place.rest is TRUE:
            whole = _with_needed(place, demand, used, many)
            if whole is not None:
                return whole
            continue
        for value, after in _steps(place):
            if after is not place:  # an item that changes nothing does not help
                more = _with(place.document, demand, value, 1, used, many)
                if more is not None:
                    waiting.append((after, more))
        _check_number(frame, len(seen))
    return None


def can_repeat(frame: ArrayState, used: Values) -> bool:
    """True if a plain array can be completed so that some value comes twice, or repeats a value of `used`.

    Raises LimitExceededError("max_plans").
    """
    document = frame.document
    return any(
        any(satisfies(document, value, one) for one in used)
        or any(document.is_satisfiable(all_of((value, other))) for other, _ in _later_items(after))
        for value, after in _later_items(frame)
    )


def repeats_of(frame: ArrayState) -> list[Formula]:
    """Formulas of the items that can still come at some later place of a plain array that can be completed.

    A value that must come again later has to satisfy one of these. Raises LimitExceededError("max_plans").
    """
    return list(dict.fromkeys([value for value, _ in _later_items(frame)]))


def _later_items(frame: ArrayState) -> Iterator[tuple[Formula, ArrayState]]:
    """Yields (formula of an item, the array after it) for the next and all later items, if the array is live then."""
    seen: set[ArrayState] = set()
    waiting = [frame]
    while waiting:
        checkpoint()
        place = waiting.pop()
        if place in seen or place.is_hopeless or place.high == 0 or not place.is_live:
            continue
        seen.add(place)
        following: list[ArrayState] = []
        for value, after in _steps(place):
            if after.is_live:
                following.append(after)
                yield value, after
        waiting += reversed(following)
        _check_number(frame, len(seen))


def _check_number(frame: ArrayState, number: int) -> None:
    if number > frame.document.max_plans:
        raise LimitExceededError("max_plans", frame.document.max_plans, "places", "alternatives of one array")


def _steps(place: ArrayState) -> Iterator[tuple[Formula, ArrayState]]:
    """The outcomes of the next item: (formula of such items, the array after one). The most helpful ones come first."""
    known, helpful = place.known(), dict[Formula, bool]()
    for atom, helps in signed_atoms(place.rest):
        if isinstance(atom, Items | PartCount):
            helpful.setdefault(known[atom], helps is (isinstance(atom, Items) or atom.low > 0))
    for vector, value in possible_outcomes(place.document, place.item_formula(), place.asked, helpful):
        yield value, place.after_item(vector)


def _horizon(frame: ArrayState) -> int:
    """Upper bound on the number of items in a shortest completion of an array."""
    counts, matches = [frame.low], 0
    for atom in (*frame.surely, *atoms(frame.rest)):
        if isinstance(atom, Items):
            counts.append(len(atom.prefix) - atom.offset)
            matches += atom not in frame.surely  # a completion may need an item that breaks the assertion
        elif isinstance(atom, PartCount):
            most = max(atom.low, 0 if atom.high is None else atom.high + 1)
            if atom.value is TRUE:
                counts.append(most)
            else:
                matches += most
    return max(counts) + matches


def _with_needed(place: ArrayState, demand: Witness, used: Values, many: int) -> Witness | None:
    """The demand with the required items of an array whose `rest` is TRUE; None if there are not enough values."""
    whole: Witness | None = demand
    for value, count in place.needed_items():
        if whole is not None:
            whole = _with(place.document, whole, value, count, used, many)
    return whole


def _with(document: Context, demand: Witness, value: Formula, count: int, used: Values, many: int) -> Witness | None:
    """The demand with `count` more items that satisfy `value`; None if there are not enough values.

    many: number of values above which items need not be counted.
    """
    values = values_of(document, value, many)
    if values is None:
        return demand
    more = {**demand, values: demand.get(values, 0) + count}
    return more if have_room(document, more, used) else None


def possible_outcomes(
    document: Context, value: Formula, asked: tuple[Formula, ...], helpful: Mapping[Formula, bool]
) -> Iterator[tuple[Vector, Formula]]:
    """Yields (outcome of `asked`, formula of the values with it) for each outcome that some value in `value` has.

    helpful: the truth of a formula that comes first; True for others. There may be very many outcomes.
    """
    pending: list[tuple[Formula, Vector]] = [(value, ())]
    while pending:
        checkpoint()
        formula, vector = pending.pop()
        if not document.is_satisfiable(formula):
            continue
        if len(vector) == len(asked):
            yield vector, formula
            continue
        one = asked[len(vector)]
        both, without = all_of((formula, one)), all_of((formula, negate(one)))
        if not helpful.get(one, True):
            pending += [(both, (*vector, True)), (without, (*vector, False))]
        elif document.is_satisfiable(both):
            pending += [(without, (*vector, False)), (both, (*vector, True))]
        elif _is_of_scalars(both):  # every value in `formula` is in `not one`: no need to test that
            pending.append((formula, (*vector, False)))
        else:  # in a recursive schema the negative answer may be provisional
            pending.append((without, (*vector, False)))


def _is_of_scalars(formula: Formula) -> bool:
    """True if specialising the formula shows that no object and no array satisfies it."""
    containers: list[JsonKind] = [kind for kind in possible_kinds(formula) if kind in ("object", "array")]
    return all(specialise(formula, kind) is FALSE for kind in containers)
