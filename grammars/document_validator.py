"""`validator_of`: a validator of the `jsonschema` library with two repairs.

Patterns are searched in time linear in the text. The library uses Python's `re`, which takes exponential time for
patterns such as `^(a+)+$`. Here the library's keywords ask our own automaton, which reads patterns as ECMA-262 does. A
pattern that no automaton can follow raises InvalidRegexError. `multipleOf` is exact for decimal numbers: 19.99 is a
multiple of 0.01, while the library divides floats.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from types import FunctionType
from typing import Any

import attrs

from .jsonschema_library import jsonschema
from .regex import algebra as lang
from .regex import ecma


class _LinearSearch:
    """Stands in for the module `re` in the library's keywords, which call only `re.search`."""

    @staticmethod
    def search(pattern: str, string: str) -> bool:
        return lang.matches(ecma.search(pattern), string)


def validator_of(schema: dict[str, Any] | bool, keywords: Mapping[str, Any] | None = None) -> Any:
    """Return a validator for documents of a schema, in the draft that the schema names (default: 2020-12).

    keywords: further keywords with their checks, in the form that `jsonschema.validators.extend` takes.
    """
    draft = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    validator_class = _linear_class(draft, keywords) if keywords else _plain_class(draft)
    return validator_class(schema, format_checker=validator_class.FORMAT_CHECKER)


@cache
def _plain_class(draft: Any) -> Any:
    """Return the class without further keywords. PERF: making one takes 0.5 ms, and each document needs a validator."""
    return _linear_class(draft, {})


def _linear_class(draft: Any, keywords: Mapping[str, Any]) -> Any:
    """Return a draft's validator class whose keywords search in linear time, with the given keywords added."""
    known = {**_linear_keywords(draft), "multipleOf": _check_multiple, **keywords}
    validator_class = jsonschema.validators.extend(draft, known)
    evolve = validator_class.evolve

    def evolve_linearly(validator: Any, **changes: Any) -> Any:
        """Like the library's `evolve`, but the result keeps the linear keywords.

        The library would switch to its own class for references to the root and for parts that name a draft.
        """
        found = evolve(validator, **changes)
        if type(found) is validator_class:
            return found
        other = validator_class if type(found) is draft else _linear_class(type(found), keywords)
        return other(**{one.alias: getattr(found, one.name) for one in attrs.fields(type(found)) if one.init})

    validator_class.evolve = evolve_linearly
    return validator_class


def _check_multiple(validator: Any, step: Any, instance: Any, _: Any) -> Iterator[Any]:
    if not validator.is_type(instance, "number"):
        return
    is_finite = not isinstance(instance, float) or math.isfinite(instance)
    if not is_finite or Fraction(str(instance)) % Fraction(str(step)) != 0:
        yield jsonschema.ValidationError(f"{instance!r} is not a multiple of {step}")


@cache
def _linear_keywords(draft: Any) -> dict[str, Any]:
    known: dict[FunctionType, FunctionType] = {}
    return {name: _with_linear_search(check, known) for name, check in draft.VALIDATORS.items()}


def _with_linear_search(function: Any, known: dict[FunctionType, FunctionType]) -> Any:
    """Copy a function of the library, and all functions that it calls. In the copies `_LinearSearch` replaces `re`."""
    if not isinstance(function, FunctionType) or not function.__module__.startswith("jsonschema."):
        return function
    if function not in known:
        names = dict(function.__globals__)
        known[function] = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        for name in function.__code__.co_names:
            if name in names:
                names[name] = _LinearSearch if names[name] is re else _with_linear_search(names[name], known)
    return known[function]
