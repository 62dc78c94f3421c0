"""`with_quotes`: a schema whose strings are held to be quotes of the text, all of them or those that are named.

A free string is one that says nothing of its text: no `enum`, `const`, `format`, `pattern` or content keyword, nor an
`x-quote` of its own. `quotes=True` takes these, where that narrows the schema: not under `not`, `if` or `contains`, nor
in parts of an `allOf`, which may be told their texts by the other parts. Where a `oneOf` would let more values in when
its parts take less, it is asked for as it was, too. Names of members are no values and stay free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import escape, unescape
from guided.grammars.json_schema.drafts import draft_of

from ..schemas.field_paths import ITEM, FieldPath
from ..schemas.subschemas import Part, Subschemas
from .quote_places import QUOTE_KEYWORD, TEXT_SOURCE
from .value_bounds import has_references_from_unsafe, unshared

Quotes = bool | Sequence[str]
"""True: all free strings; or names of members ("name", wherever it stands) and JSON pointers ("/items/*/sku", where "*"
is any item or member); False: those that the schema itself says."""

JsonSchema = dict[str, Any]

_BOUND = frozenset({"enum", "const", "format", "pattern", "contentEncoding", "contentMediaType", QUOTE_KEYWORD})
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "prefixItems")
_ONES = (
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "then",
    "else",
)
MAX_LISTED = 20  # places that an error lists


def with_quotes(schema: JsonSchema | bool, quotes: Quotes) -> JsonSchema | bool:
    """The same schema with `x-quote` where `quotes` says; the given one is not changed.

    Raises InvalidInputError for a name or pointer at which the schema has no string, and for `quotes=True` where it has
    no free string; the message lists the places of its strings.
    """
    if quotes is False:
        return schema
    if not isinstance(quotes, bool) and (isinstance(quotes, str) or not isinstance(quotes, Sequence)):
        raise InvalidInputError(f"quotes is True, or a list of names and JSON pointers, not {quotes!r:.80}")
    strings = Subschemas(schema).strings()
    if quotes is True:
        if has_references_from_unsafe(schema):
            reason = (
                "parts of the schema are referred to from not, if, contains or oneOf, and would let values in there"
            )
            raise InvalidInputError(f"quotes=True: {reason}; list the quotes by their pointers instead")
        found: JsonSchema | bool = unshared(schema)
        if not _mark(found):
            raise InvalidInputError(f"quotes=True, but the schema has no free string; {_listed(strings)}")
        return found
    wanted = {one: _matching(one, strings) for one in quotes}
    for one, paths in wanted.items():
        if not paths:
            raise InvalidInputError(f"quotes names {one!r:.80}, where the schema has no string; {_listed(strings)}")
    marked = unshared(schema)
    by_name = {one for one in wanted if not one.startswith("/")}
    for part in _schemas(marked):
        _mark_members(part, by_name)
    prefix = "prefixItems" if isinstance(schema, bool) or draft_of(schema).number >= 2020 else "items"
    asserted = [_at(_tokens(one), prefix) for one in wanted if one.startswith("/")]
    return (
        {**marked, "allOf": [*marked.get("allOf", ()), *asserted]} if asserted and isinstance(marked, dict) else marked
    )


def without_quotes(schema: Any) -> Any:
    """The same schema without `x-quote`, for a model to see: the keyword is of this package."""
    if not any(QUOTE_KEYWORD in part for part in _schemas(schema)):
        return schema
    shown = unshared(schema)
    for part in _schemas(shown):
        part.pop(QUOTE_KEYWORD, None)
    return shown


def has_quotes(schema: Any) -> bool:
    """Whether it holds any string to be a quote."""
    return any(QUOTE_KEYWORD in part for part in _schemas(schema))


def _mark(schema: Any) -> int:
    """Put `x-quote` on the free strings below a schema, in place; how many there were."""
    if not isinstance(schema, dict):
        return 0
    kind = schema.get("type")
    is_free = (kind == "string" or (isinstance(kind, list) and "string" in kind)) and not _BOUND & schema.keys()
    if is_free:
        schema[QUOTE_KEYWORD] = TEXT_SOURCE
    options = unshared(schema.get("oneOf"))
    num_marked = sum([_mark(part) for part in _inside(schema, is_narrowing=True)])
    if options != schema.get("oneOf") and "discriminator" not in schema and not _are_of_different_types(options):
        schema["allOf"] = [*schema.get("allOf", ()), {"oneOf": options}]
    return is_free + num_marked


def _are_of_different_types(options: Any) -> bool:
    types = [part.get("type") if isinstance(part, dict) else None for part in options]
    return all(isinstance(kind, str) for kind in types) and len(set(types)) == len(types)


def _mark_members(part: JsonSchema, names: set[str]) -> None:
    """Put `x-quote` on the members of these names, in place."""
    properties = part.get("properties")
    if not isinstance(properties, dict):
        return
    for name, member in properties.items():
        if name in names and member is True:
            properties[name] = {QUOTE_KEYWORD: TEXT_SOURCE}
        elif name in names and isinstance(member, dict):  # beside a `$ref` of early drafts it would say nothing
            properties[name] = {"allOf": [member, {QUOTE_KEYWORD: TEXT_SOURCE}]} if "$ref" in member else member
            if "$ref" not in member:
                member.setdefault(QUOTE_KEYWORD, TEXT_SOURCE)


def _schemas(schema: Any) -> Iterator[JsonSchema]:
    """The schema and all that are inside of it."""
    if isinstance(schema, dict):
        yield schema
        for part in _inside(schema):
            yield from _schemas(part)


def _inside(schema: JsonSchema, *, is_narrowing: bool = False) -> list[Any]:
    """The schemas directly below one. is_narrowing: those that narrow it where they are narrowed themselves."""
    maps = [part for keyword in _MAPS if isinstance(schema.get(keyword), dict) for part in schema[keyword].values()]
    lists = _LISTS if is_narrowing else (*_LISTS, "allOf")
    ones = _ONES if is_narrowing else (*_ONES, "not", "if", "contains", "propertyNames")
    maps += [part for keyword in lists if isinstance(schema.get(keyword), list) for part in schema[keyword]]
    items = schema.get("items")
    return maps + [schema.get(keyword) for keyword in ones] + (items if isinstance(items, list) else [])


def _tokens(pointer: str) -> FieldPath:
    return tuple(map(unescape, pointer.split("/")[1:]))


def _matching(wanted: Any, strings: dict[FieldPath, list[Part]]) -> list[FieldPath]:
    """The places of strings that a name or pointer means."""
    if not isinstance(wanted, str):
        return []
    if not wanted.startswith("/"):
        return [path for path in strings if path and path[-1] == wanted]
    tokens = _tokens(wanted)
    return [path for path in strings if len(path) == len(tokens) and all(map(_means, tokens, path))]


def _means(token: str, key: str) -> bool:
    return token in (key, ITEM) or (key == ITEM and token.isdecimal())


def _at(tokens: FieldPath, prefix: str) -> JsonSchema:
    """The schema that holds what stands at a pointer to be a quote, and says nothing else.

    prefix: the keyword of first items in the schema's draft.
    """
    if not tokens:
        return {QUOTE_KEYWORD: TEXT_SOURCE}
    inner, token = _at(tokens[1:], prefix), tokens[0]
    if token == ITEM:
        return {"items": inner, "additionalProperties": inner}
    found: JsonSchema = {"properties": {token: inner}}
    return {**found, prefix: [{}] * int(token) + [inner]} if token.isdecimal() else found


def _listed(strings: dict[FieldPath, list[Part]]) -> str:
    places = ["".join(f"/{escape(key)}" for key in path) or '""' for path in strings]
    more = f" and {len(places) - MAX_LISTED} more" if len(places) > MAX_LISTED else ""
    return f"its strings: {', '.join(places[:MAX_LISTED])}{more}" if places else "it has no strings"
