"""Finds the parts of a schema that describe a value, by the value's place in a document. References are followed.

All branches count: a part under `anyOf` may describe a value even if the value fits another branch. Parts under `not`
and `if` do not count, since they require nothing of a value.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from guided.grammars.errors import InvalidRegexError
from guided.grammars.json_schema.keyword_table import held
from guided.grammars.json_schema.resolve import Resolver, Scope, UnresolvedError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma

from .field_paths import ITEM, MAX_DEPTH, MAX_PATHS, FieldPath

Part = tuple[dict[str, Any], Scope]
"""A schema with its scope."""

Key = str | int
"""A member's name, an item's index, or ITEM."""

_SAME_VALUE = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")
MAX_VISITED = 10 * MAX_PATHS
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


class Subschemas:
    """The parts of a schema. Invalid parts are skipped, since compiling the schema reports them better."""

    def __init__(self, schema: dict[str, Any] | bool) -> None:
        self._resolver = Resolver(schema, {}, is_dynamic=_holds(schema, _DYNAMIC))
        self.root = self._of_same_value([(schema, self._resolver.root)])

    def at(self, keys: Iterable[Key]) -> list[Part]:
        """All parts that describe the value at these keys, from the root on."""
        parts = self.root
        for key in keys:
            parts = self.inside(parts, key)
        return parts

    def inside(self, parts: Sequence[Part], key: Key) -> list[Part]:
        """All parts that describe a member or item, from the parts of its container. ITEM: of any member or item."""
        found = [(one, scope) for part, scope in parts for one in _of_key(part, key)]
        if key == ITEM:
            found += [(one, scope) for part, scope in parts for one in [*_named(part).values(), *_of_others(part)]]
        return self._of_same_value(found)

    def strings(self) -> dict[FieldPath, list[Part]]:
        """The places of strings, outer ones first, with the parts that describe each. ITEM stands for any item or
        unnamed member.

        Recursion is followed once. At most MAX_PATHS places, MAX_DEPTH deep, among the first MAX_VISITED.
        """
        found: dict[FieldPath, list[Part]] = {}
        pending: deque[tuple[FieldPath, list[Part], frozenset[frozenset[int]]]] = deque([((), self.root, frozenset())])
        num_visited = 0
        while pending and len(found) < MAX_PATHS and num_visited < MAX_VISITED:
            path, parts, around = pending.popleft()
            num_visited += 1
            if any(is_string(part) for part, _ in parts):
                found[path] = parts
            key = frozenset(id(part) for part, _ in parts)
            if not parts or key in around or len(path) >= MAX_DEPTH:
                continue
            inside = around | {key}
            names = dict.fromkeys(name for part, _ in parts for name in _named(part))
            pending += [((*path, name), self.inside(parts, name), inside) for name in names]
            others = [(one, scope) for part, scope in parts for one in _of_others(part)]
            pending.append(((*path, ITEM), self._of_same_value(others), inside))
        return found

    def _of_same_value(self, parts: Sequence[tuple[Any, Scope]]) -> list[Part]:
        """The parts, and all parts below them that describe the same value."""
        found: dict[tuple[int, int], Part] = {}
        pending = deque(parts)
        while pending:
            schema, outside = pending.popleft()
            if not isinstance(schema, dict) or (id(schema), id(outside)) in found:
                continue
            scope = self._resolver.enter(schema, outside, "")
            found[id(schema), id(outside)] = (schema, scope)
            pending += self._references(schema, scope)
            for keyword in _SAME_VALUE:
                shape = scope.draft.keywords[keyword].shape if keyword in scope.draft.keywords else None
                if keyword in schema and shape is not None:
                    pending += [(one, scope) for _, one in held(schema[keyword], shape)]
        return list(found.values())

    def _references(self, schema: dict[str, Any], scope: Scope) -> list[tuple[Any, Scope]]:
        try:
            return [(target, inside) for target, inside, _ in self._resolver.references(schema, scope)]
        except (UnresolvedError, TypeError, AttributeError):  # no reference, or a reference that is no text
            return []


def _named(part: dict[str, Any]) -> dict[str, Any]:
    return _mapping(part, "properties")


def _of_key(part: dict[str, Any], key: Key) -> Iterator[Any]:
    """The schemas in a part that describe the member with this name, or the item with this index."""
    if isinstance(key, int):
        listed, rest = _items(part)
        yield listed[key] if key < len(listed) else rest
        yield from (part.get("contains"), part.get("unevaluatedItems"))
        return
    matching = [one for pattern, one in _mapping(part, "patternProperties").items() if _matches(pattern, key)]
    yield from matching
    if key in _named(part):
        yield _named(part)[key]
    elif not matching:
        yield part.get("additionalProperties")
    yield part.get("unevaluatedProperties")


def _of_others(part: dict[str, Any]) -> list[Any]:
    """The schemas in a part that describe items, and members without a name of their own."""
    listed, rest = _items(part)
    keywords = ("contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties")
    return [*listed, rest, *_mapping(part, "patternProperties").values(), *[part.get(keyword) for keyword in keywords]]


def _items(part: dict[str, Any]) -> tuple[list[Any], Any]:
    """The schemas of the first items, and the schema of the others."""
    items, first = part.get("items"), part.get("prefixItems")
    if isinstance(items, list):
        return items, part.get("additionalItems")
    return first if isinstance(first, list) else [], items


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
