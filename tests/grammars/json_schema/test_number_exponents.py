"""Whether a mantissa can be completed is decided by arithmetic, and as a search would."""

import random
from decimal import Decimal

import pytest

from guided.grammars.json_schema import number_exponents
from guided.grammars.json_schema.decimal_edges import Interval, span
from guided.grammars.json_schema.number_exponents import Mantissa, exponents


def mantissa(low: str | None, high: str | None, *, inclusive: bool = True) -> Mantissa | None:
    bounds = [None if bound is None else Decimal(bound) for bound in (low, high)]
    found = span(Interval(*bounds, inclusive, inclusive), None)
    return None if found is None else Mantissa(exponents(found))


def is_live_by_search(place: Mantissa) -> bool:
    powers = place.exponents.finished(place.size)
    if place.size and not (place.point and place.size == 1) and powers.has_any:
        return True
    return any(is_live_by_search(after) for after in all_after(place))


def all_after(place: Mantissa) -> list[Mantissa]:
    """The places after one more character of the mantissa, also those that no text completes."""
    if place.size == 1 and not place.point:
        return [place._replace(point=True)]
    found: list[Mantissa] = []
    is_live, Mantissa.is_live = Mantissa.is_live, lambda self: True  # type: ignore[method-assign]
    try:
        found += [node for _, node in place.arcs() if isinstance(node, Mantissa)]
    finally:
        Mantissa.is_live = is_live  # type: ignore[method-assign]
    return found


@pytest.mark.parametrize("size", [2, 3])
def test_liveness_is_that_of_a_search(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(number_exponents, "MAX_MANTISSA", size)
    rng = random.Random(size)
    for _ in range(300):
        low = Decimal(rng.randrange(1, 10 ** rng.randrange(1, 6))).scaleb(rng.randrange(-5, 3))
        high = low + Decimal(rng.randrange(10 ** rng.randrange(1, 6))).scaleb(rng.randrange(-6, 3))
        bounds = [str(low) if rng.random() < 0.7 else None, str(high) if rng.random() < 0.7 else None]
        start = mantissa(*bounds, inclusive=rng.random() < 0.7)
        waiting = [] if start is None else [start]
        while waiting:
            place = waiting.pop()
            assert place.is_live() is is_live_by_search(place), place
            waiting += all_after(place)


def test_liveness_takes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number from 1 to 9 can go on with sixteen zeros, and each of them was tried with any digit behind it."""
    place = mantissa("1", "9")
    monkeypatch.setattr(Mantissa, "arcs", None)
    assert place is not None
    assert place.is_live()
