"""Finds the parts of a schema that describe a value, by the value's place in a document. References are followed.

All branches count: a part under `anyOf` may describe a value even if the value fits another branch. Parts under `not`
do not count, since they require nothing of a value. Parts under `if` count where `possible_at` looks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

from guided.grammars.errors import InvalidRegexError
from guided.grammars.json_paths import pointer_of
from guided.grammars.json_schema.keyword_table import held
from guided.grammars.json_schema.resolve import Resolver, Scope, UnresolvedError
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma
from guided.grammars.watch import checkpoint

FieldPath = tuple[str, ...]
"""The keys of a value from the root on, with ITEM for every item of an array: ("lines", "*", "price")."""

ITEM = "*"
MAX_PATHS = 2_000
MAX_DEPTH = 12


class SchemaPart(NamedTuple):
    """A part of a schema.

    schema: an object; with `possible_at`, also true or false.
    scope: what its references lead to.
    pointer: its JSON pointer, after the URI of another document if it stands there.
    """

    schema: Any
    scope: Scope
    pointer: str


Key = str | int
"""A member's name, an item's index, or ITEM."""

Placed = tuple[str, Any]
"""A schema in a part, with its JSON pointer from there."""

_SAME_VALUE = ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies")


class _Wide(NamedTuple):
    """How `possible_at` looks for parts.

    is_possible: whether a value may be one of this part.
    max_parts: the most parts of one value.
    """

    is_possible: Callable[[Any], bool]
    max_parts: int


MAX_VISITED = 10 * MAX_PATHS
_DYNAMIC = ("$dynamicRef", "$recursiveRef")


class Subschemas:
    """The parts of a schema. Invalid parts are skipped, since compiling the schema reports them better."""

    def __init__(self, schema: dict[str, Any] | bool) -> None:
        self._resolver = Resolver(schema, {}, is_dynamic=_contains_any(schema, _DYNAMIC))
        self._whole = (schema, self._resolver.root, "")
        self.root = self.of_same_value([self._whole])

    def at(self, keys: Iterable[Key]) -> list[SchemaPart]:
        """All parts that describe the value at these keys, from the root on."""
        parts = self.root
        for key in keys:
            parts = self.inside(parts, key)
        return parts

    def possible_at(
        self, keys: Sequence[Key], is_possible: Callable[[int, Any], bool], max_parts: int
    ) -> list[SchemaPart]:
        """The parts that may describe the value at these keys, and those before it at most `max_parts` each.

        Unlike with `at`, parts under `if`, parts that are true or false, and parts of invalid patterns count too.

        is_possible: function of a depth and a part: whether the value at that depth may be one of this part.
        """
        wide = _Wide(lambda part: is_possible(0, part), max_parts)
        parts = self.of_same_value([self._whole], wide)
        for depth, key in enumerate(keys, 1):
            wide = _Wide(lambda part, depth=depth: is_possible(depth, part), max_parts)  # type: ignore[misc]
            parts = self.inside(parts, key, wide)
        return parts

    def inside(self, parts: Sequence[SchemaPart], key: Key, wide: _Wide | None = None) -> list[SchemaPart]:
        """All parts that describe a member or item, from the parts of its container. ITEM: of any member or item."""
        found = []
        for part in parts:
            checkpoint()
            if isinstance(part.schema, dict):
                placed = list(_of_key(part.schema, key, invalid_matches=wide is not None))
                if key == ITEM:
                    placed += [*_named(part.schema), *_of_others(part.schema)]
                found += [(one, part.scope, part.pointer + place) for place, one in placed]
        return self.of_same_value(found, wide)

    def fields(self) -> Iterator[FieldPath]:
        """The places of all named members and of items, without the root, outer ones first. Limits as for `strings`.

        They are found one by one, since many branches that refer to each other take long.
        """
        paths = (path for path, _ in self._places(_of_items) if path)
        return islice(paths, MAX_PATHS)

    def strings(self) -> dict[FieldPath, list[SchemaPart]]:
        """The places of strings, outer ones first, with the parts that describe each. ITEM stands for any item or
        unnamed member.

        Recursion is followed once. At most MAX_PATHS places, MAX_DEPTH deep, among the first MAX_VISITED.
        """
        places = (
            (path, parts) for path, parts in self._places(_of_others) if any(is_string(one.schema) for one in parts)
        )
        return dict(islice(places, MAX_PATHS))

    def _places(
        self, others_of: Callable[[dict[str, Any]], list[Placed]]
    ) -> Iterator[tuple[FieldPath, list[SchemaPart]]]:
        """The first MAX_VISITED places of values, with the parts that describe each.

        others_of: function of a part: the schemas of values in it that ITEM stands for.
        """
        pending: deque[tuple[FieldPath, Callable[[], list[SchemaPart]], frozenset[frozenset[int]]]]
        pending = deque([((), lambda: self.root, frozenset())])
        for _ in range(MAX_VISITED):
            if not pending:
                return
            path, find, around = pending.popleft()
            parts = find()
            if parts:
                yield path, parts
            key = frozenset(id(part.schema) for part in parts if _has_inner(part.schema))
            if not parts or key in around or len(path) >= MAX_DEPTH:
                continue
            inside = around | {key}
            names = dict.fromkeys(name for part in parts for name in _mapping(part.schema, "properties"))
            pending += [((*path, name), partial(self.inside, parts, name), inside) for name in names]
            others = [
                (one, part.scope, part.pointer + place) for part in parts for place, one in others_of(part.schema)
            ]
            pending.append(((*path, ITEM), partial(self.of_same_value, others), inside))

    def of_same_value(self, parts: Sequence[tuple[Any, Scope, str]], wide: _Wide | None = None) -> list[SchemaPart]:
        """The parts, and all parts below them that describe the same value. wide: as `possible_at` looks."""
        found: dict[tuple[int, int] | str, SchemaPart] = {}
        pending = [iter(parts)]
        while pending and (wide is None or len(found) < wide.max_parts):
            checkpoint()
            one = next(pending[-1], None)
            if one is None:
                pending.pop()
                continue
            schema, outside, pointer = one
            if (id(schema), id(outside)) in found or (wide is not None and not wide.is_possible(schema)):
                continue
            if isinstance(schema, dict):
                scope = self._resolver.enter(schema, outside, pointer)
                found[id(schema), id(outside)] = SchemaPart(schema, scope, pointer)
                keywords = _SAME_VALUE if wide is None else ("if", *_SAME_VALUE)
                pending.append(chain(self._references(schema, scope), _placed_parts(schema, scope, pointer, keywords)))
            elif wide is not None and isinstance(schema, bool):
                found[pointer] = SchemaPart(schema, outside, pointer)
        return list(found.values())

    def _references(self, schema: dict[str, Any], scope: Scope) -> list[tuple[Any, Scope, str]]:
        try:
            return list(self._resolver.references(schema, scope))
        except (UnresolvedError, TypeError, AttributeError):  # no reference, or a reference that is no text
            return []


def _placed_parts(
    schema: dict[str, Any], scope: Scope, pointer: str, keywords: Sequence[str]
) -> Iterator[tuple[Any, Scope, str]]:
    """The schemas under these keywords, in the order of the keywords."""
    for keyword in keywords:
        if keyword in schema and keyword in scope.draft.keywords:
            shape = scope.draft.keywords[keyword].shape
            if shape is not None:
                yield from (
                    (one, scope, pointer + pointer_of((keyword, *keys))) for keys, one in held(schema[keyword], shape)
                )


def _under(part: dict[str, Any], *keywords: str) -> list[Placed]:
    return [(pointer_of((keyword,)), part[keyword]) for keyword in keywords if keyword in part]


def _inner(part: dict[str, Any], keyword: str) -> dict[str, Placed]:
    return {key: (pointer_of((keyword, key)), one) for key, one in _mapping(part, keyword).items()}


def _named(part: dict[str, Any]) -> list[Placed]:
    return list(_inner(part, "properties").values())


def _of_key(part: dict[str, Any], key: Key, *, invalid_matches: bool) -> Iterator[Placed]:
    """The schemas in a part that describe the member with this name, or the item with this index.

    invalid_matches: whether an invalid pattern matches each name.
    """
    if isinstance(key, int):
        listed, rest = _items(part)
        yield from listed[key : key + 1] or rest or _under(part, "unevaluatedItems")
        yield from _under(part, "contains")
        return
    patterns = _inner(part, "patternProperties")
    declared = [one for pattern, one in patterns.items() if _matches(pattern, key, invalid_matches)]
    declared[:0] = [one for name, one in _inner(part, "properties").items() if name == key]
    yield from declared or _under(part, "additionalProperties", "unevaluatedProperties")


def _of_others(part: dict[str, Any]) -> list[Placed]:
    """The schemas in a part that describe items, and members without a name of their own."""
    listed, rest = _items(part)
    others = _under(part, "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties")
    return [*listed, *rest, *_inner(part, "patternProperties").values(), *others]


def _of_items(part: dict[str, Any]) -> list[Placed]:
    """The schemas in a part that describe items by their index."""
    listed, rest = _items(part)
    return [*listed, *rest]


def _has_inner(part: dict[str, Any]) -> bool:
    """True if a part describes members or items itself, not only by a reference or a branch."""
    return bool(_named(part) or _of_others(part))


def _items(part: dict[str, Any]) -> tuple[list[Placed], list[Placed]]:
    """The schemas of the first items, and the schema of the others, if there is one."""
    is_early = isinstance(part.get("items"), list)
    keyword, rest = ("items", "additionalItems") if is_early else ("prefixItems", "items")
    first = part.get(keyword)
    listed = [(pointer_of((keyword, index)), one) for index, one in enumerate(first if isinstance(first, list) else ())]
    return listed, _under(part, rest)


def _mapping(part: dict[str, Any], keyword: str) -> dict[str, Any]:
    value = part.get(keyword)
    return value if isinstance(value, dict) else {}


def _matches(pattern: str, key: str, invalid_matches: bool) -> bool:
    """True if an ECMA-262 pattern matches in a key. invalid_matches: the answer for an invalid pattern."""
    checkpoint()
    try:
        return lang.matches(ecma.search(pattern), key)
    except InvalidRegexError:
        return invalid_matches


def is_string(part: dict[str, Any]) -> bool:
    """True if a part says that the value may be a string."""
    named = part.get("type", ())
    values = [*(part["enum"] if isinstance(part.get("enum"), list) else ()), part.get("const")]
    return (
        named == "string" or (isinstance(named, list) and "string" in named) or any(isinstance(v, str) for v in values)
    )


def _contains_any(schema: Any, keywords: Sequence[str]) -> bool:
    if isinstance(schema, list):
        return any(_contains_any(part, keywords) for part in schema)
    return isinstance(schema, dict) and (
        any(keyword in schema for keyword in keywords) or any(_contains_any(part, keywords) for part in schema.values())
    )
