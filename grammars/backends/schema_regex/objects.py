"""Regexes of JSON objects: the listed keys, in the order of the schema, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..regex.syntax import EMPTY, EPSILON, Node, optional, sequence, text, union
from .json_text import Punctuation, enclosed
from .places import Place

_REFUSED = {
    "patternProperties": "keys that only a pattern describes could repeat",
    "propertyNames": "it is a second condition on every key",
    "dependentRequired": "it needs to remember which keys were written",
    "dependentSchemas": "it needs to remember which keys were written",
    "dependencies": "it needs to remember which keys were written",
}
_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "patternProperties": ({},),
    "propertyNames": ({}, True),
    "dependentRequired": ({},),
    "dependentSchemas": ({},),
    "dependencies": ({},),
}
"""The values of the refused keywords that constrain nothing."""
_OPEN = "keys that the schema does not list could repeat, and a regex can't compare them"


@dataclass(frozen=True)
class Member:
    """One key with its value, `"key": value`."""

    node: Node
    is_required: bool


def object_node(place: Place, build: Callable[[Place], Node], marks: Punctuation, notes: dict[str, str]) -> Node:
    """Type "object" with its keywords. notes: how each keyword is enforced is added to it."""
    for keyword, reason in _REFUSED.items():
        if keyword in place.keywords and place.keywords[keyword] not in _NEUTRAL[keyword]:
            raise place.refuse(keyword, reason)
    properties = place.keywords.get("properties", {})
    required = dict.fromkeys(place.keywords.get("required", []))  # a set in order
    is_closed = place.keywords.get("additionalProperties") is False
    _check_keys_listed(place, properties, required, is_closed)
    _note_keys(place, is_closed, notes)
    members = []
    for key in properties:
        value = build(place.child("properties", key))
        members.append(Member(sequence(text(json.dumps(key, ensure_ascii=False)), marks.colon, value), key in required))
    if any(key not in properties for key in required):
        return EMPTY
    possible = [member for member in members if member.node is not EMPTY]
    if any(member.is_required and member.node is EMPTY for member in members):
        return EMPTY
    if not _check_counts(place, possible, notes):
        return EMPTY
    return enclosed("{", members_node(possible, marks), "}", marks)


def _check_keys_listed(place: Place, properties: dict[str, Any], required: dict[str, None], is_closed: bool) -> None:
    if is_closed:
        return
    if "properties" not in place.keywords:
        keyword = "additionalProperties" if "additionalProperties" in place.keywords else "type"
        raise place.refuse(keyword, _OPEN, 'list the keys in "properties"')
    missing = [key for key in required if key not in properties]
    if missing:
        raise place.refuse(
            "required",
            f"key {missing[0]!r} may hold any JSON value, which is not regular",
            'describe it in "properties"',
        )


def _note_keys(place: Place, is_closed: bool, notes: dict[str, str]) -> None:
    notes["type"] = "object"
    if "properties" in place.keywords:
        notes["properties"] = "exactly; in this order" + ("" if is_closed else "; other keys are never generated")
    notes.update(dict.fromkeys((key for key in ("required", *_REFUSED) if key in place.keywords), "exactly"))
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in place.keywords:
            notes[keyword] = "exactly" if place.keywords[keyword] is False else "other keys are never generated"


def _check_counts(place: Place, members: list[Member], notes: dict[str, str]) -> bool:
    """False when no object can hold the right number of keys. Refuses a count that optional keys decide."""
    num_required = sum(member.is_required for member in members)
    low, high = place.keywords.get("minProperties", 0), place.keywords.get("maxProperties", len(members))
    if low > len(members) or high < num_required:
        return False
    for keyword, is_met in (("minProperties", low <= num_required), ("maxProperties", high >= len(members))):
        if keyword in place.keywords and not is_met:
            raise place.refuse(
                keyword, "a regex can't count optional keys", "list the keys that must be there in required"
            )
        if keyword in place.keywords:
            notes[keyword] = "always met by the listed keys"
    return True


def members_node(members: list[Member], marks: Punctuation) -> Node:
    """The members in order with commas between those present; the optional ones may be missing."""
    first_required = next((i for i, member in enumerate(members) if member.is_required), None)
    if first_required is None:
        return optional(_at_least_one(members, marks)) if members else EPSILON
    before = (optional(sequence(member.node, marks.comma)) for member in members[:first_required])
    return sequence(*before, members[first_required].node, *_following(members[first_required + 1 :], marks))


def _following(members: list[Member], marks: Punctuation) -> list[Node]:
    """Members that stand after another one."""
    nodes = (sequence(marks.comma, member.node) for member in members)
    return [node if member.is_required else optional(node) for member, node in zip(members, nodes, strict=True)]


def _at_least_one(members: list[Member], marks: Punctuation) -> Node:
    """A non-empty selection of optional members: the first one present is in the left half or in the right.

    Halving makes the size of the regex n log n; a choice of the first one among all makes it quadratic.
    """
    if len(members) == 1:
        return members[0].node
    middle = len(members) // 2
    left = sequence(_at_least_one(members[:middle], marks), *_following(members[middle:], marks))
    return union([left, _at_least_one(members[middle:], marks)])
