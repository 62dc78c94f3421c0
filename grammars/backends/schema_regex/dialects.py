"""Which keywords each draft knows. A keyword that its draft does not know constrains nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

from ...jsonschema_library import jsonschema

_BOUNDS = {"exclusiveMinimum", "exclusiveMaximum"}  # in draft 4 booleans beside minimum and maximum
_CONDITIONS = {"if", "then", "else"}
_COUNTS = {"contains", "minContains", "maxContains"}
_READ_BY_OTHERS: dict[Any, set[str]] = {
    jsonschema.Draft4Validator: _BOUNDS,
    jsonschema.Draft6Validator: set(),
    jsonschema.Draft7Validator: _CONDITIONS,
    jsonschema.Draft201909Validator: _CONDITIONS | _COUNTS,
    jsonschema.Draft202012Validator: _CONDITIONS | _COUNTS,
}
"""Draft -> keywords that `jsonschema` reads while it checks another one, so that its table of keywords lacks them."""

_CONSTRAINTS = {
    cls.ID_OF(cls.META_SCHEMA).rstrip("#"): frozenset(cls.VALIDATORS) | others
    for cls, others in _READ_BY_OTHERS.items()
}


@cache
def unknown_keywords(dialect: str) -> frozenset[str]:
    """The keywords that constrain something in another draft and nothing in this one.

    dialect: URI of its meta-schema. None of them for a draft that is not supported.
    """
    everything = frozenset[str]().union(*_CONSTRAINTS.values())
    return everything - _CONSTRAINTS.get(dialect.rstrip("#"), everything)
