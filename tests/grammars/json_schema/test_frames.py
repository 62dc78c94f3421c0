"""Frames of hand-made formulas: what each lets through, in schema order and in any order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from guided.grammars.errors import LimitExceededError
from guided.grammars.json_schema import formula as fm
from guided.grammars.json_schema.document import Document
from guided.grammars.regex import algebra as lang

from .frame_walk import accepts

OBJECT, STRING, ARRAY = (fm.kinds({kind}) for kind in ("object", "string", "array"))
NUMBER = fm.kinds({"number"})


def _object(properties: dict[str, fm.Formula], required: tuple[str, ...] = (), additional: fm.Formula = fm.TRUE) -> Any:
    return fm.all_of([OBJECT, fm.each(properties, (), additional), *map(fm.has, required)])


def _words(*words: str) -> fm.Formula:
    return fm.all_of([STRING, fm.string_in(lang.words(words))])


def _list() -> fm.Formula:
    rest = fm.Reference("#", _list_formula)
    return _object({"value": STRING, "next": rest}, ("value",))


def _list_formula() -> fm.Formula:
    return _list()


CASES: dict[str, tuple[fm.Formula, list[Any], list[Any]]] = {
    "closed object in order": (
        _object({"a": STRING, "b": STRING}, ("b",), fm.FALSE),
        [{"a": "x", "b": "y"}, {"b": ""}],
        [{"a": "x"}, {"b": "", "c": 1}, [], 1],
    ),
    "discriminated alternatives": (
        fm.exactly_one(
            [_object({"k": _words("a"), "v": STRING}, ("k",)), _object({"k": _words("b"), "n": ARRAY}, ("k",))]
        ),
        [{"k": "a", "v": "s"}, {"k": "b", "n": []}, {"k": "a", "n": 1}],
        [{"k": "c"}, {"k": "a", "v": 1}, {}, {"k": "b", "n": 1}],
    ),
    "overlapping alternatives, exactly one": (
        fm.exactly_one([_object({}, ("a",)), _object({}, ("b",))]),
        [{"a": 1}, {"b": 1}, {"a": 1, "c": 2}],
        [{"a": 1, "b": 1}, {}, {"c": 1}],
    ),
    "a needs b": (
        fm.all_of([OBJECT, fm.any_of([fm.negate(fm.has("a")), fm.has("b")]), fm.each({"b": STRING, "a": STRING})]),
        [{}, {"b": "x"}, {"b": "", "a": ""}],
        [{"a": ""}],
    ),
    "contains, counted": (
        fm.all_of([ARRAY, fm.contains(STRING, 2, 3), fm.items((), fm.kinds({"string", "null"}))]),
        [["a", "b"], ["a", None, "b"], ["a", "b", "c"]],
        [["a"], ["a", "b", "c", "d"], [], [1, "a", "b"]],
    ),
    "unique items": (
        fm.all_of([ARRAY, fm.UNIQUE_ITEMS]),
        [[1, 2], ["a", "b", 1], [[1], [2]], []],
        [[1, 1], ["a", "a"], [[1], [1]], [{"a": 1}, {"a": 1}], [True, True]],
    ),
    "unique items of a small set": (
        fm.all_of([ARRAY, fm.UNIQUE_ITEMS, fm.item_count(2, None), fm.items((), _words("a", "b"))]),
        [["a", "b"]],
        [["a"], ["a", "a"], ["a", "b", "a"]],
    ),
    "not unique": (
        fm.all_of([ARRAY, fm.negate(fm.UNIQUE_ITEMS)]),
        [[1, 1], ["a", "b", "a"]],
        [[], [1], [1, 2]],
    ),
    "some member breaks it": (
        fm.all_of([OBJECT, fm.negate(fm.each({"a": STRING}, (), fm.FALSE))]),
        [{"a": 1}, {"b": 1}, {"a": "s", "b": 1}],
        [{}, {"a": "s"}],
    ),
    "counted members": (
        fm.all_of([OBJECT, fm.member_count(2, 3), fm.each(dict.fromkeys("abc", STRING), (), fm.FALSE)]),
        [{"a": "", "b": ""}, {"b": "", "c": ""}, {"a": "", "b": "", "c": ""}],
        [{}, {"c": ""}, {"b": ""}],
    ),
    "recursion": (_list(), [{"value": "a", "next": {"value": "b"}}, {"value": "a"}], [{"value": "a", "next": {}}]),
    "alternatives of closed objects": (
        fm.any_of(
            [
                _object({"a": STRING, "b": STRING}, ("a",), fm.FALSE),
                _object({"a": NUMBER, "c": STRING}, ("a", "c"), fm.FALSE),
            ]
        ),
        [{"a": "s"}, {"a": "s", "b": "x"}, {"a": 1, "c": "x"}],
        [{"a": 1}, {"a": 1, "b": "x"}, {"a": "s", "c": ""}, {}],
    ),
    "alternatives decided inside a member": (
        fm.any_of(
            [
                _object({"m": _object({"t": _words("x")}, ("t",))}, ("m",)),
                _object({"m": _object({"t": _words("y")}, ("t",)), "z": STRING}, ("m", "z")),
            ]
        ),
        [{"m": {"t": "x"}}, {"m": {"t": "y"}, "z": ""}],
        [{"m": {"t": "y"}}, {"m": {"t": "z"}}, {"m": {}}],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_frames_let_through_what_the_formula_says(name: str) -> None:
    formula, right, wrong = CASES[name]
    document = Document(formula)
    assert document.is_satisfiable(formula)
    for value in right:
        assert accepts(document, value), value
    for value in wrong:
        assert not accepts(document, value), value


def test_in_any_order_keys_come_as_they_like() -> None:
    formula = CASES["closed object in order"][0]
    document = Document(formula, any_order=True)
    assert accepts(document, {"b": "x", "a": "y"})
    assert not accepts(document, {"a": "x"})


def test_required_keys_wait_for_those_before_them_in_one_of_two_orders() -> None:
    """That of `properties`, a b c, and that of `required`, c a b. Optional keys come anywhere."""
    formula = _object(dict.fromkeys("abcd", STRING), ("c", "a", "b"), fm.FALSE)
    taken = [keys for keys in map("".join, permutations("abcd")) if accepts(Document(formula), dict.fromkeys(keys, ""))]
    assert {keys.replace("d", "") for keys in taken} == {"abc", "acb", "cab"}
    assert len(taken) == 12


def test_only_the_first_of_several_schemas_orders_its_keys() -> None:
    formula = fm.all_of(
        [_object(dict.fromkeys("ab", STRING), ("a", "b")), _object(dict.fromkeys("cd", STRING), ("c", "d"))]
    )
    taken = {"".join(keys) for keys in permutations("abcd") if accepts(Document(formula), dict.fromkeys(keys, ""))}
    assert taken == {"".join(keys) for keys in permutations("abcd") if keys.index("a") < keys.index("b")}


@pytest.mark.parametrize(
    "formula",
    [
        fm.all_of([ARRAY, fm.UNIQUE_ITEMS, fm.item_count(3, None), fm.items((), _words("a", "b"))]),
        _object({"a": fm.FALSE}, ("a",)),
        fm.all_of([ARRAY, fm.contains(STRING, 1, None), fm.items((), NUMBER)]),
        fm.all_of([OBJECT, fm.member_count(2, None), fm.each({"a": STRING}, (), fm.FALSE)]),
    ],
)
def test_what_nothing_satisfies_is_seen(formula: fm.Formula) -> None:
    assert not Document(formula).is_satisfiable(formula)


def test_endless_recursion_is_unsatisfiable() -> None:
    formula: fm.Formula = _object({"next": fm.Reference("#", lambda: formula)}, ("next",))
    assert not Document(formula).is_satisfiable(formula)


def test_a_search_that_takes_too_long_is_a_typed_error() -> None:
    names = [f"k{i}" for i in range(6)]
    formula = fm.exactly_one([_object({name: STRING}, (name,)) for name in names])
    document = Document(formula, max_plans=3)
    with pytest.raises(LimitExceededError, match="max_plans = 3 "):
        document.is_satisfiable(formula)
    assert Document(formula).is_satisfiable(formula)
