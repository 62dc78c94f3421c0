"""Regexes of JSON arrays: items, prefixItems and lengths."""

from __future__ import annotations

from collections.abc import Callable

from ..regex.syntax import EMPTY, EPSILON, Node, optional, repeat, sequence
from .json_text import Punctuation, enclosed
from .places import Place

_ARRAY_2020_12 = "https://json-schema.org/draft/2020-12/schema"
_REFUSED = {
    "contains": "it needs a count of matching items",
    "minContains": "it needs a count of matching items",
    "maxContains": "it needs a count of matching items",
    "unevaluatedItems": "it depends on what other keywords have looked at",
}


def array_node(place: Place, build: Callable[[Place], Node], marks: Punctuation, notes: dict[str, str]) -> Node:
    """Type "array" with its keywords. notes: how each keyword is enforced is added to it."""
    for keyword, reason in _REFUSED.items():
        if keyword in place.keywords:
            raise place.refuse(keyword, reason)
    notes["type"] = "array"
    low, high = int(place.keywords.get("minItems", 0)), place.keywords.get("maxItems")
    high = None if high is None else int(high)
    _check_unique(place, high, notes)
    prefix, rest = _item_places(place)
    if rest is None and (high is None or high > len(prefix)):
        keyword = "prefixItems" if "prefixItems" in place.keywords else "items" if prefix else "type"
        missing = "items beyond the listed ones" if prefix else "items"
        raise place.refuse(keyword, f"{missing} may be any JSON value, which is not regular", 'give "items" a schema')
    notes.update(
        {
            key: "exactly"
            for key in ("items", "prefixItems", "additionalItems", "minItems", "maxItems")
            if key in place.keywords
        }
    )
    if high is not None and high < low:
        return EMPTY
    firsts = [build(item) for item in prefix[:high]]
    rest_node = EMPTY if rest is None else build(rest)
    content = _items(firsts, rest_node, low, high, marks)
    return enclosed("[", content, "]", marks)


def _check_unique(place: Place, high: int | None, notes: dict[str, str]) -> None:
    if place.keywords.get("uniqueItems") and (high is None or high > 1):
        raise place.refuse("uniqueItems", "a regex can't compare items", "remove it and drop duplicates afterwards")
    if "uniqueItems" in place.keywords:
        notes["uniqueItems"] = "nothing to compare"


def _item_places(place: Place) -> tuple[list[Place], Place | None]:
    """The schemas of the first items, and of all items after them (None: any value)."""
    keywords = place.keywords
    if place.dialect == _ARRAY_2020_12:
        prefix = [place.child("prefixItems", i) for i in range(len(keywords.get("prefixItems", ())))]
        return prefix, place.child("items") if "items" in keywords else None
    if isinstance(keywords.get("items"), list):  # tuples, as drafts before 2020-12 wrote them
        prefix = [place.child("items", i) for i in range(len(keywords["items"]))]
        return prefix, place.child("additionalItems") if "additionalItems" in keywords else None
    return [], place.child("items") if "items" in keywords else None


def _items(firsts: list[Node], rest: Node, low: int, high: int | None, marks: Punctuation) -> Node:
    """What stands between the brackets: the first items, then any number of `rest`, `low` to `high` in all."""
    num_firsts = len(firsts)
    more_low = max(0, low - num_firsts)
    more_high = None if high is None else high - num_firsts
    if firsts:
        content = repeat(sequence(marks.comma, rest), more_low, more_high)
    elif high == 0:
        return EPSILON
    else:
        others = repeat(sequence(marks.comma, rest), max(0, low - 1), None if high is None else high - 1)
        content = sequence(rest, others)
        return content if low > 0 else optional(content)
    commas = [marks.comma if i else EPSILON for i in range(num_firsts)]
    for i in range(num_firsts - 1, min(low, num_firsts) - 1, -1):
        content = optional(sequence(commas[i], firsts[i], content))
    required = (node for pair in zip(commas[:low], firsts[:low], strict=True) for node in pair)
    return sequence(*required, content)
