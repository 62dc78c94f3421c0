"""Where a schema asks for quotes, and whether each string of it is one quote or none.

If so, strings that are quotes are read as places in their source. Else a string may have to be read as several things
at once (a quote of one alternative, and none of another), by states of its own. What `not` refers to has no quotes.
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
"""Keywords for whose sake it may matter which of several things a string is."""

_NO_STRINGS = frozenset({"null", "boolean", "number", "integer"})


class Quoting:
    """What a schema says of quotes. places: the schemas that ask for one: (schema, scope inside it, pointer).

    is_plain: see above. True for schemas without quotes; False also where it is not easily seen.
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
            is_joined = "allOf" in schema or ("$ref" in schema and len(schema) > 1)
            if is_joined and len(asked) > 1:
                return False
        return True


def _refuse_quotes_under_not(checker: Checker) -> None:
    """Raise UnsupportedSchemaError for the first `not` from whose schema a quote is reached."""
    with_quotes = checker.nodes_that_reach(node for node, (one, _, _) in checker.reached.items() if "x-quote" in one)
    for schema, scope, path in checker.reached.values():
        if "not" in schema and (id(schema["not"]), scope) in with_quotes:
            advice = "say what a string is, such as a quote with a pattern, not which quote it is not"
            raise UnsupportedSchemaError(pointer(path), "not", "it refers to quotes (x-quote)", advice)


def source_of(schema: dict[str, Any]) -> str:
    """The name of the source that a schema asks for a quote of."""
    value = schema["x-quote"]
    return str(value if isinstance(value, str) else value["source"])


def _other_options(schema: dict[str, Any]) -> list[Any]:
    """The alternatives of `anyOf` that may hold of something else than numbers, booleans and null."""
    return [one for one in schema.get("anyOf", ()) if not _has_no_strings(one)]


def _has_no_strings(schema: Any) -> bool:
    named = schema.get("type") if isinstance(schema, dict) else None
    types = {named} if isinstance(named, str) else set(named or ())
    return bool(types) and types <= _NO_STRINGS
