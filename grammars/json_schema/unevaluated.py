"""`unevaluatedProperties` and `unevaluatedItems`, exactly.

A schema, and the subschemas that apply to the same value (`allOf`, `anyOf`, `$ref`, `if`...), each evaluate some
members. A subschema under `anyOf`, for example, evaluates members only if it holds. Each evaluation therefore has a
condition, a formula. Members are grouped by their conditions. For each group, one of the conditions holds, or its
members satisfy the keyword's own schema.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import UnsupportedSchemaError
from ..regex import algebra as lang
from ..regex import ecma
from ..regex.algebra import Language
from .formula import TRUE, Formula, all_of, any_of, each, has, items, kinds, negate
from .resolve import Target
from .translator import Place
from .values import one_of_values

_MAX_APPLICATIONS = 2000  # maximum number of pairs of a subschema and a condition
_MAX_MATCHES = 200_000  # maximum number of comparisons of a property's name with a pattern
_MAX_CONDITIONAL_PATTERNS = 8  # maximum number of conditional patterns: each combination of them is a group
_MAX_CONDITIONAL_CONTAINS = 10  # maximum number of conditional `contains`: all their combinations are written out


class _Members(NamedTuple):
    """Members that are evaluated if `condition` holds: those with these names and patterns, or all of them."""

    condition: Formula
    names: frozenset[str]
    patterns: frozenset[Language]
    are_all: bool


class _Items(NamedTuple):
    """Items that are evaluated if `condition` holds: the first `num_first` (None: all), and matching ones."""

    condition: Formula
    num_first: int | None
    match: Formula | None


def unevaluated_properties(value: Any, place: Place) -> Formula:
    """The formula of the keyword at a place, without the rest of the schema."""
    rest = place.inside(value, "unevaluatedProperties")
    if rest is TRUE:
        return TRUE
    evaluated = [_members(one, condition) for one, condition in _applied(place, "unevaluatedProperties")]
    always = [one for one in evaluated if one.condition is TRUE]
    if any(one.are_all for one in always):
        return TRUE
    names = frozenset[str]().union(*(one.names for one in always))
    patterns = frozenset[Language]().union(*(one.patterns for one in always))
    conditional = [
        one
        for one in evaluated
        if one.condition is not TRUE and (one.are_all or not (one.names <= names and one.patterns <= patterns))
    ]
    _check_numbers(place, names.union(*(one.names for one in conditional)), patterns, conditional)
    return all_of(_groups(conditional, names, patterns, rest))


def unevaluated_items(value: Any, place: Place) -> Formula:
    """The formula of the keyword at a place, without the rest of the schema.

    Raises UnsupportedSchemaError beside too many conditional `contains`.
    """
    rest = place.inside(value, "unevaluatedItems")
    if rest is TRUE:
        return TRUE
    evaluated = [_items(one, condition) for one, condition in _applied(place, "unevaluatedItems")]
    always = [one for one in evaluated if one.condition is TRUE]
    if any(one.num_first is None for one in always):
        return TRUE
    start = max((one.num_first for one in always if one.num_first is not None), default=0)
    rest = any_of([rest, *(one.match for one in always if one.match is not None)])
    conditional = [one for one in evaluated if one.condition is not TRUE]
    matching = [one for one in conditional if one.match is not None]
    if len(matching) > _MAX_CONDITIONAL_CONTAINS:
        raise UnsupportedSchemaError(
            place.name, "unevaluatedItems", f"more than {_MAX_CONDITIONAL_CONTAINS} conditional `contains` beside it"
        )
    ends = sorted({one.num_first for one in conditional if one.num_first is not None and one.num_first > start})
    parts = []
    for low, high in itertools.pairwise([start, *ends, None]):
        assert low is not None
        sharing = [one for one in conditional if one.num_first is None or one.num_first > low]
        conditions = [one.condition for one in sharing]
        parts.append(any_of([*conditions, *_checked_items(low, high, rest, matching)]))
    return all_of(parts)


def _check_numbers(
    place: Place, names: frozenset[str], patterns: frozenset[Language], conditional: Sequence[_Members]
) -> None:
    sometimes = frozenset[Language]().union(*(one.patterns for one in conditional)) - patterns
    if len(sometimes) > _MAX_CONDITIONAL_PATTERNS:
        raise UnsupportedSchemaError(
            place.name, "unevaluatedProperties", f"more than {_MAX_CONDITIONAL_PATTERNS} conditional patterns beside it"
        )
    if len(names) * (len(sometimes) + len(patterns)) > _MAX_MATCHES:
        raise UnsupportedSchemaError(
            place.name,
            "unevaluatedProperties",
            "too many properties and patterns beside it to match all with all",
        )


def _groups(
    conditional: Sequence[_Members], names: frozenset[str], patterns: frozenset[Language], rest: Formula
) -> Iterator[Formula]:
    """Yields the formula of each group of members that are not always evaluated.

    names, patterns: the members that are always evaluated.
    rest: the formula of the keyword's own schema.
    """
    everywhere = [one.condition for one in conditional if one.are_all]
    by_name: dict[str, list[Formula]] = {}
    by_pattern: dict[Language, list[Formula]] = {}
    for one in conditional:
        for name in sorted(one.names - names):
            by_name.setdefault(name, []).append(one.condition)
        for pattern in sorted(one.patterns - patterns, key=lambda pattern: pattern.id):
            by_pattern.setdefault(pattern, []).append(one.condition)
    groups: dict[Formula, dict[str, Formula]] = {}
    for name, conditions in by_name.items():
        if not any(lang.matches(pattern, name) for pattern in patterns):
            matching = [holding for pattern, holding in by_pattern.items() if lang.matches(pattern, name)]
            groups.setdefault(any_of(itertools.chain(everywhere, conditions, *matching)), {})[name] = rest
    for condition, members in groups.items():
        yield any_of([condition, each(members)])
    known = names.union(by_name)
    for cell, language in lang.split(list(by_pattern)) if by_pattern else []:
        left = lang.difference(language, lang.union(lang.words(known), *patterns))
        if any(cell) and not lang.is_empty(left):
            matching = list(itertools.compress(by_pattern.values(), cell))
            yield any_of([*everywhere, *itertools.chain(*matching), each({}, [(left, rest)])])
    others = [(pattern, TRUE) for pattern in [*patterns, *by_pattern]]
    yield any_of([*everywhere, each(dict.fromkeys(sorted(known), TRUE), others, rest)])


def _checked_items(low: int, high: int | None, rest: Formula, matching: Sequence[_Items]) -> Iterator[Formula]:
    """The condition that each item from `low` to `high` - 1 satisfies `rest`, or a `contains` whose condition holds."""
    for count in range(len(matching) + 1):
        for chosen in itertools.combinations(matching, count):
            each_item = any_of([rest, *(one.match for one in chosen if one.match is not None)])
            before = (TRUE,) * low
            checked = items(before, each_item) if high is None else items(before + (each_item,) * (high - low), TRUE)
            yield all_of([*[one.condition for one in chosen], checked])


def _members(place: Place, condition: Formula) -> _Members:
    """The members that the keywords of one schema evaluate."""
    schema = place.schema
    patterns = frozenset(ecma.search(pattern) for pattern in schema.get("patternProperties", ()))
    are_all = "additionalProperties" in schema or "unevaluatedProperties" in schema
    return _Members(condition, frozenset(schema.get("properties", ())), patterns, are_all)


def _items(place: Place, condition: Formula) -> _Items:
    """The items that the keywords of one schema evaluate."""
    schema, draft = place.schema, place.scope.draft
    first = schema.get("prefixItems", ()) if draft.number >= 2020 else schema.get("items", ())
    is_prefix = isinstance(first, list)
    has_rest = "items" in schema if draft.number >= 2020 else "items" in schema and not is_prefix
    if draft.number < 2020 and is_prefix and "additionalItems" in schema:
        has_rest = True
    count = None if has_rest or "unevaluatedItems" in schema else len(first) if is_prefix else 0
    matches = None
    if "contains" in schema and draft.number >= 2020:
        matches = place.inside(schema["contains"], "contains")
    return _Items(condition, count, matches)


def _applied(place: Place, keyword: str) -> Iterator[tuple[Place, Formula]]:
    """The schemas that apply to the value of a place, itself included, each with its condition.

    keyword: the keyword itself; its part of the first schema is left out, since it can't evaluate for itself.
    """
    own = {key: value for key, value in place.schema.items() if key != keyword}
    pending: list[tuple[Place, Formula]] = [(place.with_schema(own), TRUE)]
    seen: set[tuple[int, Any, Formula]] = set()
    while pending:
        one, condition = pending.pop()
        key = (id(one.schema), one.scope, condition)
        if key in seen:
            continue
        seen.add(key)
        if len(seen) > _MAX_APPLICATIONS:
            raise UnsupportedSchemaError(
                place.name, keyword, f"more than {_MAX_APPLICATIONS} subschemas could evaluate something"
            )
        yield one, condition
        for target, further in _in_place(one):
            inner = place.translator.place(*target)
            if inner is not None:
                pending.append((inner, all_of([condition, further])))


def _in_place(place: Place) -> Iterator[tuple[Target, Formula]]:
    """The subschemas of a schema that apply to the same value and can evaluate for it, each with its condition."""
    schema = place.schema
    for target in place.references():
        yield target, TRUE
    if "$ref" in schema and place.scope.draft.ref_stands_alone:
        return
    applicators = place.scope.draft.applicators
    for index, one in enumerate(schema.get("allOf", ())):
        yield place.target(one, "allOf", index), TRUE
    for keyword in ("anyOf", "oneOf"):
        for index, one in enumerate(schema.get(keyword, ())):
            yield place.target(one, keyword, index), place.here(one, keyword, index)
    if "if" in schema and "if" in applicators:
        condition = place.here(schema["if"], "if")
        fails = negate(place.opposite.here(schema["if"], "if"))
        for keyword, holds in (("if", condition), ("then", condition), ("else", fails)):
            if keyword in schema:
                yield place.target(schema[keyword], keyword), holds
    for keyword in ("dependentSchemas", "dependencies"):
        if keyword in applicators:
            for key, one in schema.get(keyword, {}).items():
                has_key = all_of([kinds({"object"}), has(key)])
                yield place.target(one, keyword, key), has_key
    if "propertyDependencies" in applicators:
        for key, by_value in schema.get("propertyDependencies", {}).items():
            for name, one in by_value.items():
                target = place.target(one, "propertyDependencies", key, name)
                yield target, has_value(key, name)


def has_value(key: str, value: str) -> Formula:
    """An object whose member with this key is this string."""
    return all_of([kinds({"object"}), has(key), each({key: one_of_values([value])})])
