"""Objects with many alternatives: how many searches tell which keys may come, and how far these go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema import objects, tableau
from guided.grammars.json_schema.document import Document
from guided.grammars.regex import algebra as lang

NUM_KINDS = 40
OBJECT, STRING, INTEGER = (fm.kinds({kind}) for kind in ("object", "string", "number"))


def tagged(number: int, additional: fm.Formula = fm.TRUE) -> fm.Formula:
    """An object that a constant tells from others, with two keys of its own."""
    own = [f"a{number}", f"b{number}"]
    tag = fm.all_of([STRING, fm.string_in(lang.words([f"k{number}"]))])
    return fm.all_of(
        [fm.each({"kind": tag, **dict.fromkeys(own, INTEGER)}, (), additional), *map(fm.has, ("kind", *own))]
    )


def closed(number: int) -> fm.Formula:
    return tagged(number, fm.FALSE)


def told_by_key(number: int) -> fm.Formula:
    key = f"a{number}"
    return fm.all_of([fm.each({key: INTEGER}), fm.has(key)])


class Counter:
    def __init__(self, function: Callable[..., Any]) -> None:
        self.function, self.num_calls = function, 0

    def __call__(self, *arguments: Any) -> Any:
        self.num_calls += 1
        return self.function(*arguments)


@pytest.mark.parametrize("join", [fm.any_of, fm.exactly_one])
@pytest.mark.parametrize(("kind", "searches"), [(tagged, 2), (told_by_key, 2), (closed, NUM_KINDS + 3)])
def test_few_searches_tell_which_keys_may_come(
    join: Callable[..., fm.Formula],
    kind: Callable[[int], fm.Formula],
    searches: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One finds what most keys may come with. Each goes from choice to choice, and not through their combinations."""
    find, spend = Counter(objects.find_plan), Counter(tableau.Budget.spend)
    monkeypatch.setattr(objects, "find_plan", find)
    monkeypatch.setattr(tableau.Budget, "spend", lambda budget: spend(budget))
    kinds = [kind(number) for number in range(NUM_KINDS)]
    names = {name for one in kinds for part in one.parts if isinstance(part, fm.Each) for name in part.properties}  # type: ignore[attr-defined]
    frame = Document(fm.all_of([OBJECT, join(kinds)])).root().value_spec().object
    assert frame is not None
    spec = frame.key_spec()
    assert spec is not None
    assert set(spec.words) - {"$schema", "$id"} == names
    assert find.num_calls <= searches
    assert spend.num_calls <= 3 * NUM_KINDS * searches


def test_a_key_that_fits_nowhere_takes_no_combinations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices that have nothing to do with it are not made in every way before that is seen."""
    spend = Counter(tableau.Budget.spend)
    monkeypatch.setattr(tableau.Budget, "spend", lambda budget: spend(budget))
    alternatives = fm.any_of([closed(0), closed(1)])
    others = [fm.any_of([fm.has(f"c{number}"), fm.negate(fm.has(f"d{number}"))]) for number in range(12)]
    frame = Document(fm.all_of([OBJECT, *others, alternatives])).root().value_spec().object
    assert frame is not None
    spec = frame.key_spec()
    assert spec is not None
    assert set(spec.words) == {"kind", "a0", "b0", "a1", "b1"}
    assert spend.num_calls <= 200


def test_what_a_value_must_satisfy_takes_a_search_for_each_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the alternatives of an object whose key has another schema in each, and not one for each set of outcomes."""
    spend = Counter(tableau.Budget.spend)
    monkeypatch.setattr(tableau.Budget, "spend", lambda budget: spend(budget))
    values = [fm.all_of([OBJECT, fm.has(f"v{number}")]) for number in range(12)]
    tags = [fm.all_of([STRING, fm.string_in(lang.words([f"k{number}"]))]) for number in range(12)]
    kinds = [
        fm.all_of([fm.each({"kind": tag, "value": value}), fm.has("kind"), fm.has("value")])
        for tag, value in zip(tags, values, strict=True)
    ]
    frame = Document(fm.all_of([OBJECT, fm.exactly_one(kinds)])).root().value_spec().object
    assert frame is not None
    spec = frame.key_spec()
    assert spec is not None
    spend.num_calls = 0
    member = frame.on_return(spec.words["value"])
    assert member is not None
    following = member.value_spec()
    assert following is not None
    assert following.object is not None
    assert spend.num_calls <= 2000
