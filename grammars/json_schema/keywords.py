"""Each keyword as a formula. `TRANSLATIONS` has a function for each keyword of each draft; the schema is checked.

Some keywords depend on each other: `properties` and `additionalProperties`, `if` and `then`. The function of the first
keyword that the schema has translates the whole group. The functions of the others return TRUE.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from ..quote_sources import read_quote
from ..regex import algebra as lang
from ..regex import ecma
from ..watch import paced
from . import formats, numbers
from .drafts import DRAFTS
from .formula import (
    KINDS,
    TRUE,
    UNIQUE_ITEMS,
    Formula,
    JsonKind,
    all_of,
    any_of,
    contains,
    each,
    exactly_one,
    has,
    item_count,
    items,
    kinds,
    member_count,
    names_in,
    negate,
    number_in,
    string_in,
)
from .specialise import exclude_each_other, string_language
from .translator import Place, Translation, Translations
from .unevaluated import has_value, unevaluated_items, unevaluated_properties
from .values import are_integers, decimal_of, kinds_of, one_of_values, type_formula

_BOUNDS = frozenset({"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"})


def _type(value: Any, place: Place) -> Formula:
    if not _BOUNDS.isdisjoint(place.schema):  # the translation of bounds also enforces "integer"
        return kinds_of((value,) if isinstance(value, str) else tuple(value))
    return type_formula(value, place.scope.draft)


def _enum(value: Any, place: Place) -> Formula:
    return one_of_values(value)


def _const(value: Any, place: Place) -> Formula:
    return one_of_values([value])


def _length(value: Any, place: Place) -> Formula:
    low, high = _range(place.schema, "minLength", "maxLength")
    if high is not None and high < low:
        return string_in(lang.NOTHING)
    return string_in(lang.repeat(lang.ANY_CHAR, low, high))


def _pattern(value: Any, place: Place) -> Formula:
    return string_in(ecma.search(value))


def _format(value: Any, place: Place) -> Formula:
    if place.translator.is_upper:
        language = formats.format_superset(value)
    else:
        language = formats.format_language(value, is_canonical=place.translator.is_canonical)
    return TRUE if language is None else string_in(language)


def _quote(value: Any, place: Place) -> Formula:
    sources = place.translator.sources
    quote = read_quote(value, sources)
    assert sources is not None, "the schema is checked"
    assert not isinstance(quote, str), "the schema is checked"
    return string_in(sources.language(quote))


def _bounds(value: Any, place: Place) -> Formula:
    minimum, above = _bound(place.schema, "minimum", "exclusiveMinimum")
    maximum, below = _bound(place.schema, "maximum", "exclusiveMaximum")
    multiple, integers = _decimal(place.schema.get("multipleOf")), _integers(place)
    language = numbers.bounded(minimum, above, maximum, below, multiple, integers)
    return number_in(language, plain_only=multiple is not None or integers is not None)


def _bound(schema: Mapping[str, Any], inclusive: str, exclusive: str) -> tuple[Decimal | None, Decimal | None]:
    """The inclusive and the exclusive bound on one side; in draft 4 a flag makes the one the other."""
    bound, other = schema.get(inclusive), schema.get(exclusive)
    if isinstance(other, bool):
        bound, other = (None, bound) if other else (bound, None)
    return _decimal(bound), _decimal(other)


def _integers(place: Place) -> numbers.Integers | None:
    """The kind of integers that `type` asks for; None for none. "text" (draft 4): without point and exponent."""
    named = place.schema.get("type", ())
    if not are_integers((named,) if isinstance(named, str) else named):
        return None
    return "text" if place.scope.draft.number == 4 else "value"


def _decimal(value: int | float | None) -> Decimal | None:
    return None if value is None else decimal_of(value)


def _properties(value: Any, place: Place) -> Formula:
    """`properties`, `patternProperties` and `additionalProperties`; see `_together`."""
    schema = place.schema
    declared: Mapping[str, Any] = schema.get("properties", {})
    patterns: Mapping[str, Any] = schema.get("patternProperties", {})
    inside = place.inside
    additional = TRUE
    if "additionalProperties" in schema:
        additional = inside(schema["additionalProperties"], "additionalProperties")
    if not declared and not patterns and additional is TRUE:
        return TRUE
    named = {key: inside(one, "properties", key) for key, one in paced(declared.items())}
    matched = [(ecma.search(key), inside(one, "patternProperties", key)) for key, one in paced(patterns.items())]
    return each(named, matched, additional)


def _required(value: Any, place: Place) -> list[Formula]:
    return [has(key) for key in value]


def _property_names(value: Any, place: Place) -> Formula:
    """The formula of `propertyNames`, built when it is first needed: it may refer to the schema that contains it."""
    of_name = place.inside(value, "propertyNames")

    def names() -> Formula:
        language = string_language(of_name)
        return TRUE if language is lang.ANYTHING else names_in(language)

    return any_of([negate(kinds({"object"})), place.translator.reference(place.name, names)])


def _members(value: Any, place: Place) -> Formula:
    return _unless_impossible(member_count, *_range(place.schema, "minProperties", "maxProperties"), "object")


def _dependents(keyword: str) -> Translation:
    """The translation of a keyword that requires other keys, or a schema, if an object has a certain key."""

    def translate(value: Any, place: Place) -> Formula:
        return all_of(
            _if_has(key, all_of(_required(one, place)) if isinstance(one, list) else place.here(one, keyword, key))
            for key, one in value.items()
        )

    return translate


def _property_dependencies(value: Any, place: Place) -> Formula:
    return all_of(
        any_of([negate(has_value(key, name)), place.here(one, "propertyDependencies", key, name)])
        for key, by_value in value.items()
        for name, one in by_value.items()
    )


def _if_has(key: str, then: Formula) -> Formula:
    return any_of([negate(all_of([kinds({"object"}), has(key)])), then])


def _array(value: Any, place: Place) -> Formula:
    schema = place.schema
    ahead, rest = ("prefixItems", "items") if place.scope.draft.number >= 2020 else ("items", "additionalItems")
    if not isinstance(schema.get(ahead), list):
        return items((), place.inside(value, "items"))
    prefix = tuple(place.inside(one, ahead, index) for index, one in enumerate(schema[ahead]))
    return items(prefix, place.inside(schema[rest], rest) if rest in schema else TRUE)


def _item_count(value: Any, place: Place) -> Formula:
    return _unless_impossible(item_count, *_range(place.schema, "minItems", "maxItems"), "array")


def _unique_items(value: Any, place: Place) -> Formula:
    return UNIQUE_ITEMS if value else TRUE


def _contains(value: Any, place: Place) -> Formula:
    low, high = 1, None
    if place.scope.draft.number >= 2019:
        low, high = _range(place.schema, "minContains", "maxContains", default=1)
    if high is not None and high < low:
        return negate(kinds({"array"}))
    few, many = place.opposite.inside(value, "contains"), place.inside(value, "contains")
    return contains(many, low, high) if few is many else all_of([contains(many, low, None), contains(few, 0, high)])


def _unless_impossible(
    count: Callable[[int, int | None], Formula], low: int, high: int | None, kind: JsonKind
) -> Formula:
    """`count(low, high)`, which speaks of one kind; where no number is between these, no value of that kind will do."""
    return negate(kinds({kind})) if high is not None and high < low else count(low, high)


def _range(schema: Mapping[str, Any], low: str, high: str, default: int = 0) -> tuple[int, int | None]:
    return int(schema.get(low, default)), int(schema[high]) if high in schema else None


def _all_of(value: Any, place: Place) -> Formula:
    return all_of(place.here(one, "allOf", index) for index, one in enumerate(value))


def _any_of(value: Any, place: Place) -> Formula:
    return any_of([place.here(one, "anyOf", index) for index, one in enumerate(value)])


def _one_of(value: Any, place: Place) -> Formula:
    parts = [place.here(one, "oneOf", index) for index, one in enumerate(value)]
    translator = place.translator
    if translator.opposite is translator:
        return exactly_one(parts)
    others = [place.opposite.here(one, "oneOf", index) for index, one in enumerate(value)]
    if parts == others:
        return exactly_one(parts)
    if translator.is_upper:
        return all_of([any_of(parts), any_of([exactly_one(others), negate(any_of(others))])])
    settled = kinds(kind for kind in KINDS if exclude_each_other(others, kind))
    return all_of([any_of([settled, exactly_one(others)]), any_of(parts)])


def _not(value: Any, place: Place) -> Formula:
    return negate(place.opposite.here(value, "not"))


def _if(value: Any, place: Place) -> Formula:
    schema = place.schema
    if "then" not in schema and "else" not in schema:
        return TRUE
    condition = place.here(value, "if")
    then = place.here(schema["then"], "then") if "then" in schema else TRUE
    otherwise = place.here(schema["else"], "else") if "else" in schema else TRUE
    return all_of([any_of([negate(place.opposite.here(value, "if")), then]), any_of([condition, otherwise])])


def _references(value: Any, place: Place) -> list[Formula]:
    return [place.translator.deferred(*target) for target in place.references()]


def _together(translate: Translation, *keywords: str) -> dict[str, Translation]:
    """Keywords that one function translates: the first of them that a schema has does it, the others say TRUE."""

    def for_keyword(index: int) -> Translation:
        earlier = keywords[:index]
        if not earlier:
            return translate
        return lambda value, place: TRUE if any(one in place.schema for one in earlier) else translate(value, place)

    return {keyword: for_keyword(index) for index, keyword in enumerate(keywords)}


_TRANSLATIONS: dict[str, Translation] = {
    **_together(_references, "$ref", "$recursiveRef", "$dynamicRef"),
    "allOf": _all_of,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
    "type": _type,
    "enum": _enum,
    "const": _const,
    **_together(_length, "minLength", "maxLength"),
    "pattern": _pattern,
    "format": _format,
    "x-quote": _quote,
    **_together(_bounds, "minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
    **_together(_properties, "properties", "patternProperties", "additionalProperties"),
    "unevaluatedProperties": unevaluated_properties,
    "propertyNames": _property_names,
    "required": _required,
    **_together(_members, "minProperties", "maxProperties"),
    "dependencies": _dependents("dependencies"),
    "dependentRequired": _dependents("dependentRequired"),
    "dependentSchemas": _dependents("dependentSchemas"),
    "propertyDependencies": _property_dependencies,
    **_together(_array, "items", "prefixItems"),
    "unevaluatedItems": unevaluated_items,
    "contains": _contains,
    **_together(_item_count, "minItems", "maxItems"),
    "uniqueItems": _unique_items,
}

TRANSLATIONS: Translations = {
    draft.number: {
        name: _TRANSLATIONS[name]
        for name, keyword in draft.keywords.items()
        if keyword.role == "constrains" and not keyword.beside
    }
    for draft in DRAFTS
}
