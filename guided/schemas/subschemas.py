"""Finds the parts of a schema that describe a value, by the value's place in a document. References are followed.

All branches count: a part under `anyOf` may describe a value even if the value fits another branch. Parts under `not`
and `if` do not count, since they require nothing of a value.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from guided.grammars.errors import InvalidRegexError
from guided.grammars.json_paths import escape
from guided.grammars.json_schema.keyword_table import held
from guided.grammars.json_schema.resolve import Resolver, Scope, UnresolvedError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma

from .field_paths import ITEM, MAX_DEPTH, MAX_PATHS, FieldPath


class SchemaPart(NamedTuple):
    """A part of a schema.

    scope: what its references lead to.
    pointer: its JSON pointer, after the URI of another document if it stands there.
    """

    schema: dict[str, Any]
    scope: Scope
    pointer: str


Key = str | int
"""A member's name, an item's index, or ITEM."""

_SAME_VALUE = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")
MAX_VISITED = 10 * MAX_PATHS
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


class Subschemas:
    """The parts of a schema. Invalid parts are skipped, since compiling the schema reports them better."""

    def __init__(self, schema: dict[str, Any] | bool) -> None:
        self._resolver = Resolver(schema, {}, is_dynamic=_holds(schema, _DYNAMIC))
        self._whole = (schema, self._resolver.root, "")
        self.root = self.of_same_value([self._whole])

    def at(self, keys: Iterable[Key]) -> list[SchemaPart]:
        """All parts that describe the value at these keys, from the root on."""
        parts = self.root
        for key in keys:
            parts = self.inside(parts, key)
        return parts

    def possible_at(self, keys: Sequence[Key], is_possible: Callable[[int, dict[str, Any]], bool]) -> list[SchemaPart]:
        """Like `at`, without the branches that something known of the values excludes.

        is_possible: function of a depth and a schema: whether the value at that depth may be one of this schema.
        """
        parts = self.of_same_value([self._whole], lambda schema: is_possible(0, schema))
        for depth, key in enumerate(keys, 1):
            parts = self.inside(parts, key, lambda schema, depth=depth: is_possible(depth, schema))  # type: ignore[misc]
        return parts

    def inside(
        self, parts: Sequence[SchemaPart], key: Key, is_possible: Callable[[dict[str, Any]], bool] | None = None
    ) -> list[SchemaPart]:
        """All parts that describe a member or item, from the parts of its container. ITEM: of any member or item."""
        found = [(one, part.scope, part.pointer + place) for part in parts for place, one in _of_key(part.schema, key)]
        if key == ITEM:
            found += [
                (one, part.scope, part.pointer + place)
                for part in parts
                for place, one in [*_named(part.schema), *_of_others(part.schema)]
            ]
        return self.of_same_value(found, is_possible)

    def strings(self) -> dict[FieldPath, list[SchemaPart]]:
        """The places of strings, outer ones first, with the parts that describe each. ITEM stands for any item or
        unnamed member.

        Recursion is followed once. At most MAX_PATHS places, MAX_DEPTH deep, among the first MAX_VISITED.
        """
        found: dict[FieldPath, list[SchemaPart]] = {}
        pending: deque[tuple[FieldPath, list[SchemaPart], frozenset[frozenset[int]]]] = deque(
            [((), self.root, frozenset())]
        )
        num_visited = 0
        while pending and len(found) < MAX_PATHS and num_visited < MAX_VISITED:
            path, parts, around = pending.popleft()
            num_visited += 1
            if any(is_string(part.schema) for part in parts):
                found[path] = parts
            key = frozenset(id(part.schema) for part in parts)
            if not parts or key in around or len(path) >= MAX_DEPTH:
                continue
            inside = around | {key}
            names = dict.fromkeys(name for part in parts for name in _mapping(part.schema, "properties"))
            pending += [((*path, name), self.inside(parts, name), inside) for name in names]
            others = [
                (one, part.scope, part.pointer + place) for part in parts for place, one in _of_others(part.schema)
            ]
            pending.append(((*path, ITEM), self.of_same_value(others), inside))
        return found

    def of_same_value(
        self, parts: Sequence[tuple[Any, Scope, str]], is_possible: Callable[[dict[str, Any]], bool] | None = None
    ) -> list[SchemaPart]:
        """The parts, and all parts below them that describe the same value. is_possible: see `possible_at`."""
        found: dict[tuple[int, int], SchemaPart] = {}
        pending = deque(parts)
        while pending:
            schema, outside, pointer = pending.popleft()
            if not isinstance(schema, dict) or (id(schema), id(outside)) in found:
                continue
            if is_possible is not None and not is_possible(schema):
                continue
            scope = self._resolver.enter(schema, outside, pointer)
            found[id(schema), id(outside)] = SchemaPart(schema, scope, pointer)
            pending += self._references(schema, scope)
            for keyword in _SAME_VALUE:
                shape = scope.draft.keywords[keyword].shape if keyword in scope.draft.keywords else None
                if keyword in schema and shape is not None:
                    pending += [
                        (one, scope, pointer + _place(keyword, *keys)) for keys, one in held(schema[keyword], shape)
                    ]
        return list(found.values())

    def _references(self, schema: dict[str, Any], scope: Scope) -> list[tuple[Any, Scope, str]]:
        try:
            return list(self._resolver.references(schema, scope))
        except (UnresolvedError, TypeError, AttributeError):  # no reference, or a reference that is no text
            return []


Placed = tuple[str, Any]
"""A schema in a part, with its JSON pointer from there."""


def _place(*keys: Key) -> str:
    return "".join([f"/{escape(str(key))}" for key in keys])


def _under(part: dict[str, Any], *keywords: str) -> list[Placed]:
    return [(_place(keyword), part[keyword]) for keyword in keywords if keyword in part]


def _inner(part: dict[str, Any], keyword: str) -> dict[str, Placed]:
    return {key: (_place(keyword, key), one) for key, one in _mapping(part, keyword).items()}


def _named(part: dict[str, Any]) -> list[Placed]:
    return list(_inner(part, "properties").values())


def _of_key(part: dict[str, Any], key: Key) -> Iterator[Placed]:
    """The schemas in a part that describe the member with this name, or the item with this index."""
    if isinstance(key, int):
        listed, rest = _items(part)
        yield from listed[key : key + 1] or rest or _under(part, "unevaluatedItems")
        yield from _under(part, "contains")
        return
    declared = [one for pattern, one in _inner(part, "patternProperties").items() if _matches(pattern, key)]
    declared[:0] = [one for name, one in _inner(part, "properties").items() if name == key]
    yield from declared or _under(part, "additionalProperties", "unevaluatedProperties")


def _of_others(part: dict[str, Any]) -> list[Placed]:
    """The schemas in a part that describe items, and members without a name of their own."""
    listed, rest = _items(part)
    others = _under(part, "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties")
    return [*listed, *rest, *_inner(part, "patternProperties").values(), *others]


def _items(part: dict[str, Any]) -> tuple[list[Placed], list[Placed]]:
    """The schemas of the first items, and the schema of the others, if there is one."""
    is_early = isinstance(part.get("items"), list)
    keyword, rest = ("items", "additionalItems") if is_early else ("prefixItems", "items")
    first = part.get(keyword)
    listed = [(_place(keyword, index), one) for index, one in enumerate(first if isinstance(first, list) else ())]
    return listed, _under(part, rest)


def _mapping(part: dict[str, Any], keyword: str) -> dict[str, Any]:
    value = part.get(keyword)
    return value if isinstance(value, dict) else {}


def _matches(pattern: str, key: str) -> bool:
    """True if an ECMA-262 pattern matches in a key; False for an invalid pattern."""
    try:
        return lang.matches(ecma.search(pattern), key)
    except InvalidRegexError:
        return False


def is_string(part: dict[str, Any]) -> bool:
    """True if a part says that the value may be a string."""
    named = part.get("type", ())
    values = [*(part["enum"] if isinstance(part.get("enum"), list) else ()), part.get("const")]
    return (
        named == "string" or (isinstance(named, list) and "string" in named) or any(isinstance(v, str) for v in values)
    )


def _holds(schema: Any, keywords: Sequence[str]) -> bool:
    if isinstance(schema, list):
        return any(_holds(part, keywords) for part in schema)
    return isinstance(schema, dict) and (
        any(keyword in schema for keyword in keywords) or any(_holds(part, keywords) for part in schema.values())
    )
