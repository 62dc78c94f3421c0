"""The quotes that a schema asks for, and whether each of its strings is certainly one quote or none.

If that is certain (`Quoting.is_plain`), a machine reads a quote as places in its source. Otherwise a string may have to
be a quote for one alternative and any text for another one. The machine then reads such a string by states of its own.
A schema under `not` can't ask for quotes.
"""

from __future__ import annotations

import json
from typing import Any

from ..errors import UnsupportedSchemaError
from ..json_paths import pointer
from .check import Checker

_DIVIDING = frozenset(
    {
        *("not", "oneOf", "if", "dependencies", "dependentSchemas", "propertyDependencies", "contains"),
        *("patternProperties", "unevaluatedProperties", "unevaluatedItems"),
    }
)
"""Keywords under which one string may have to be a quote and also another text."""

_NO_STRINGS = frozenset({"null", "boolean", "number", "integer"})
_SCALARS = _NO_STRINGS | {"string"}


class Quoting:
    """The quotes that a schema asks for. places: the schemas with `x-quote`: (schema, scope inside it, pointer).

    is_plain: True if each string is certainly one quote or none, as in schemas without quotes. False also if that is
        not easily seen.
    """

    def __init__(self, checker: Checker) -> None:
        """checker: it has checked the schema. Raises UnsupportedSchemaError for a quote under `not`."""
        reached = [(one, scope, path) for (_, scope), (one, _, path) in checker.reached.items()]
        self.places = [(one, scope, pointer(path)) for one, scope, path in reached if "x-quote" in one]
        self.is_plain = not self.places or self._is_plain([one for one, _, _ in reached])
        if self.places:
            _refuse_quotes_under_not(checker)

    def _is_plain(self, schemas: list[dict[str, Any]]) -> bool:
        values = [one["x-quote"] for one, _, _ in self.places]
        asked = {one if type(one) is str else (json.dumps(one, sort_keys=True),) for one in values}
        for schema in schemas:
            if not _DIVIDING.isdisjoint(schema) or len(_other_options(schema)) > 1:
                return False
            if "uniqueItems" in schema and not _is_of(schema.get("items"), _SCALARS):
                return False  # later items differ from used ones by formulas with parts of the source
            is_joined = "allOf" in schema or ("$ref" in schema and len(schema) > 1)
            if is_joined and len(asked) > 1:
                return False
        return True


def _refuse_quotes_under_not(checker: Checker) -> None:
    """Raise UnsupportedSchemaError for the first `not` whose schema contains or refers to a quote."""
    with_quotes = checker.nodes_that_reach(node for node, (one, _, _) in checker.reached.items() if "x-quote" in one)
    for schema, scope, path in checker.reached.values():
        if "not" in schema and (id(schema["not"]), scope) in with_quotes:
            advice = "say what a string is, such as a quote with a pattern, not which quote it is not"
            raise UnsupportedSchemaError(pointer(path), "not", "it refers to quotes (x-quote)", advice)


def source_of(schema: dict[str, Any]) -> str:
    """The name of the source in a schema's `x-quote`."""
    value = schema["x-quote"]
    return str(value if isinstance(value, str) else value["source"])


def _other_options(schema: dict[str, Any]) -> list[Any]:
    """The alternatives of `anyOf` that may allow strings, arrays or objects."""
    return [one for one in schema.get("anyOf", ()) if not _is_of(one, _NO_STRINGS)]


def _is_of(schema: Any, allowed: frozenset[str]) -> bool:
    """Return True if the schema's `type` permits only these types."""
    named = schema.get("type") if isinstance(schema, dict) else None
    types = {named} if isinstance(named, str) else set(named or ())
    return bool(types) and types <= allowed
