"""`with_quotes`: a schema whose strings must be quotes of the text: all free strings, or the named ones.

`quotes=True` also requires that the text states numbers and dates: see `stated_marks`.

A free string is a string about whose text the schema says nothing: it has no `enum`, `const`, `format`, `pattern`,
content keyword or `x-quote`. `quotes=True` changes free strings where that narrows the schema. Strings under `not`,
`if` and `contains`, and in parts of an `allOf`, are left: the other parts may describe their texts. A `oneOf` may allow
more values when its parts allow fewer, so its original form is required as well. Names of members stay free.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_paths import keys_of, pointer_of
from guided.grammars.json_schema.drafts import draft_of
from guided.grammars.json_schema.keyword_table import KEYWORDS, SHAPES, held

from ..params.checks import shown
from ..schemas.python_types import is_valid_schema
from ..schemas.subschemas import ITEM, MAX_DEPTH, FieldPath, SchemaPart, Subschemas, is_string
from .quote_places import QUOTE_KEYWORD, TEXT_SOURCE
from .schema_walk import REFERENCES, below, inside, is_open, schemas, starts, unsafe_ids, unshared
from .stated_marks import STATED_KEYWORD, has_stated, mark_dispensable, mark_stated

Quotes = bool | Literal["strings"] | Sequence[str]
"""True: all free strings, and numbers and dates must be stated; "strings": the strings alone.

A list has names of members ("name", wherever it stands) and JSON pointers ("/items/*/sku", where "*" is any item or
member; "" is the whole document; at most MAX_DEPTH deep, and to the item MAX_INDEX). False: those that the schema
itself says.
"""

JsonSchema = dict[str, Any]

_BOUND = frozenset({"enum", "const", "format", "pattern", "contentEncoding", "contentMediaType", QUOTE_KEYWORD})
_NARROWING = (  # keywords (without allOf) that narrow their schema if the schemas in them are narrowed
    *("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"),
    *("anyOf", "oneOf", "prefixItems", "items", "additionalItems", "additionalProperties"),
    *("unevaluatedItems", "unevaluatedProperties", "then", "else"),
)
_ALL_KEYWORDS = frozenset(one.name for one in KEYWORDS) | {"id"}
LAST_DRAFT_OF_LONE_REF = 7  # up to this draft, keywords beside a `$ref` have no effect
_INNER = frozenset(  # keywords whose schemas describe members and items
    {"properties", "patternProperties", "prefixItems", "items", "additionalItems", "additionalProperties"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)
_TELLING = _BOUND | REFERENCES | {"type", "allOf", "anyOf", "oneOf", "not", "if"}  # keywords that may restrict strings
_UNEVALUATED = frozenset({"unevaluatedProperties", "unevaluatedItems"})
MAX_LISTED = 20  # maximum number of places in an error message
MAX_INDEX = 200  # maximum index of an item in a pointer: the schema needs a part for each item before it
_INDEX = re.compile("0|[1-9][0-9]*")  # RFC 6901


def with_quotes(schema: JsonSchema | bool, quotes: Quotes) -> JsonSchema | bool:
    """A copy of the schema with `x-quote` at the places that `quotes` selects.

    Raises InvalidInputError with the list of places in three cases. The schema has no string at a name or pointer. A
    quote at a name or pointer would let other values in. With `quotes=True`, the schema allows any value somewhere.
    """
    if quotes is False:
        return schema
    if quotes is True or quotes == "strings":
        open_places = [place for start in starts(schema) for place in _open_places(start, "")]
        if open_places:
            more = f" and {len(open_places) - MAX_LISTED} more" if len(open_places) > MAX_LISTED else ""
            raise InvalidInputError(
                f"quotes={quotes!r}, but the schema takes any value at {', '.join(open_places[:MAX_LISTED])}{more}; "
                "say there what type it is, or list the quotes by name"
            )
        found: JsonSchema | bool = unshared(schema)
        mark_part = _mark if quotes is True and is_valid_schema(schema) else _mark_string  # compiling refuses others
        kept = unsafe_ids(found)

        def mark(part: JsonSchema) -> None:
            before = dict(part)
            mark_part(part)
            if part != before and id(part) in kept:
                raise InvalidInputError(
                    f"quotes={quotes!r}: parts of the schema are referred to from not, if, contains or oneOf, and "
                    "would let values in there; list the quotes by their pointers instead"
                )

        for part in starts(found):
            _narrow(part, found, mark, [], _NARROWING)
        mark_dispensable(schemas(found))
        return found
    _check_list(quotes)
    whole = Subschemas(schema)
    strings = whole.strings()
    pointers = [one for one in dict.fromkeys(quotes) if not one or one.startswith("/")]
    named = {one: [path for path in strings if path[-1:] == (one,)] for one in quotes if one not in pointers}
    for one in quotes:
        if not (named[one] if one in named else any(is_string(part.schema) for part in _at_pointer(whole, one))):
            raise InvalidInputError(f"quotes names {one!r:.80}, where the schema has no string; {_listed(strings)}")
    marked: JsonSchema | bool = unshared(schema)
    if named:
        marked = _with_names(marked, named)
    return _with_pointers(marked, pointers) if pointers else marked


def _check_list(quotes: Any) -> None:
    """Raises InvalidInputError if `quotes` is not a list of names and JSON pointers."""
    if isinstance(quotes, str | bytes) or not isinstance(quotes, Sequence):
        raise InvalidInputError(f'quotes is True, "strings", or a list of names and JSON pointers, not {shown(quotes)}')
    for i, one in enumerate(quotes):
        if not isinstance(one, str):
            raise InvalidInputError(f"quotes[{i}] must be a name or a JSON pointer, not {shown(one)}")
        if one == ITEM:
            raise InvalidInputError(
                "quotes names '*', which stands for any item or member in JSON pointers alone, as in '/items/*'; "
                "quotes=True takes all free strings"
            )


def _with_names(marked: JsonSchema | bool, wanted: dict[str, list[FieldPath]]) -> JsonSchema | bool:
    """Mark all members with these names, in place. Raises InvalidInputError if one of the strings stays free."""
    names, kept = set(wanted), unsafe_ids(marked)
    narrowed: set[int] = set()

    def mark(part: JsonSchema) -> None:
        members = _members(part, names)
        if members:
            narrowed.update([id(part), *map(id, members.values())])
        _mark_members(part, members)

    guards: list[JsonSchema] = []
    for part in starts(marked):
        _narrow(part, marked, mark, guards, (*_NARROWING, "allOf"))
    if narrowed & kept:
        raise InvalidInputError(
            f"quotes by name: parts of the schema that have {', '.join(map(repr, sorted(names)))} are referred to from "
            "not, if, contains or oneOf, and would let values in there; list the quotes by their pointers instead"
        )
    kept.update([id(inner) for guard in guards for inner in below(guard)])
    after = Subschemas(marked)
    for name, paths in wanted.items():
        free = [path for path in paths if _is_free(after, path, kept)]
        if free:
            places = _listed(free)
            raise InvalidInputError(
                f"quotes names {name!r:.80}, which also stands in parts of the schema that can't require quotes; "
                f"{places}; list the quotes by their pointers, or put x-quote there"
            )
    return marked


def _is_free(after: Subschemas, path: FieldPath, kept: set[int]) -> bool:
    """True if some part of a schema has a free string at this place.

    kept: ids of the parts that stay unchanged. These parts don't count if another part restricts the same value.
    """
    parents = [one for one in after.at(path[:-1]) if id(one.schema) not in kept]
    members = [[part.schema for part in after.inside([parent], path[-1])] for parent in parents]
    strings = [parts for parts in members if any(map(is_string, parts))]
    return not strings or not all(any(QUOTE_KEYWORD in part for part in parts) for parts in strings)


def _with_pointers(schema: JsonSchema | bool, wanted: Sequence[str]) -> JsonSchema | bool:
    """Mark the strings at these pointers. Raises InvalidInputError if that could let other values in."""
    if not isinstance(schema, dict):
        return schema
    places = ", ".join(wanted)
    if any(not _UNEVALUATED.isdisjoint(part) for part in schemas(schema)):
        raise InvalidInputError(
            f"quotes by pointers ({places:.300}): beside unevaluatedProperties or unevaluatedItems they would let "
            "members in; name the members instead, or put x-quote there"
        )
    if id(schema) in unsafe_ids(schema):
        raise InvalidInputError(
            f"quotes by pointers ({places:.300}): the whole schema is referred to from not, if, contains or oneOf, and "
            "would let values in there; put x-quote into the schema instead"
        )
    draft = draft_of(schema).number
    asserted = [_at(keys_of(one), "prefixItems" if draft >= 2020 else "items") for one in wanted]
    if "$ref" in schema and draft <= LAST_DRAFT_OF_LONE_REF:
        schema = _of_reference(schema)
    found = {**schema, "allOf": [*schema.get("allOf", ()), *asserted]}
    after = Subschemas(found)
    for one in wanted:
        if not any(QUOTE_KEYWORD in part.schema for part in _at_pointer(after, one)):
            raise InvalidInputError(
                f"quotes names {one!r:.80}, which a pointer can't mark; put x-quote into the schema there"
            )
    return found


def _of_reference(schema: JsonSchema) -> JsonSchema:
    """Moves a root's `$ref` into an `allOf` in early drafts, since keywords beside a `$ref` would have no effect."""
    others = [key for key in schema if key in _ALL_KEYWORDS and key not in ("$ref", "$schema", "definitions", "$defs")]
    if others:
        raise InvalidInputError(
            f"quotes by pointers: the schema's draft ignores {', '.join(others)} beside the root's $ref, so quotes "
            "would have no effect, either; take it out, or name the members instead"
        )
    kept = {key: part for key, part in schema.items() if key != "$ref"}
    return {**kept, "allOf": [{"$ref": schema["$ref"]}]}


def without_quotes(schema: Any) -> Any:
    """A copy without this package's own keywords `x-quote` and `x-stated`, to show to others."""
    if not has_quotes(schema) and not has_stated(schema):
        return schema
    shown = unshared(schema)
    for part in schemas(shown):
        part.pop(QUOTE_KEYWORD, None)
        part.pop(STATED_KEYWORD, None)
    return shown


def has_quotes(schema: Any) -> bool:
    """True if the schema requires some string to be a quote."""
    return any(QUOTE_KEYWORD in part for part in schemas(schema))


def _open_places(schema: JsonSchema, place: str) -> list[str]:
    """JSON pointers of members and items that may have any value, strings included."""
    found = []
    for keyword in _NARROWING:
        for keys, part in held(schema.get(keyword), SHAPES[keyword]):
            where = place + pointer_of((keyword, *keys))
            if keyword in _INNER and (part is True or (isinstance(part, dict) and _TELLING.isdisjoint(part))):
                found.append(where)
            if isinstance(part, dict):
                found += _open_places(part, where)
    return found


def _mark(schema: JsonSchema) -> None:
    """Mark a free string as a quote, and a free number or date as stated, in place."""
    if not mark_stated(schema):
        _mark_string(schema)


def _mark_string(schema: JsonSchema) -> None:
    """Put `x-quote` on a free string, in place."""
    kind = schema.get("type")
    if (kind == "string" or (isinstance(kind, list) and "string" in kind)) and not _BOUND & schema.keys():
        schema[QUOTE_KEYWORD] = TEXT_SOURCE


def _members(part: JsonSchema, names: set[str]) -> dict[str, Any]:
    """The schema's members with one of these names."""
    properties = part.get("properties")
    return {name: one for name, one in properties.items() if name in names} if isinstance(properties, dict) else {}


def _mark_members(part: JsonSchema, members: dict[str, Any]) -> None:
    """Put `x-quote` on these members of a schema, in place."""
    for name, member in members.items():
        if member is True:
            part["properties"][name] = {QUOTE_KEYWORD: TEXT_SOURCE}
        elif isinstance(member, dict) and "$ref" in member:  # early drafts ignore keywords beside a `$ref`
            part["properties"][name] = {"allOf": [member, {QUOTE_KEYWORD: TEXT_SOURCE}]}
        elif isinstance(member, dict):
            member.setdefault(QUOTE_KEYWORD, TEXT_SOURCE)


def _narrow(
    schema: Any,
    root: Any,
    mark: Callable[[JsonSchema], None],
    guards: list[JsonSchema],
    keywords: Sequence[str],
) -> None:
    """Mark a schema, and the schemas in it under these keywords, in place.

    guards: list to which the original form of a `oneOf` is added if its parts could let more values in.
    """
    if not isinstance(schema, dict):
        return
    mark(schema)
    is_guarded, options = is_open(schema, root), unshared(schema.get("oneOf"))
    for part in inside(schema, keywords):
        _narrow(part, root, mark, guards, keywords)
    if is_guarded and options != schema.get("oneOf"):
        guards.append({"oneOf": options})
        schema["allOf"] = [*schema.get("allOf", ()), guards[-1]]


def _index(token: str) -> int | None:
    """The index that a pointer's token may mean; MAX_INDEX + 1 for every larger index; None: no index."""
    return min(int(token[:10]), MAX_INDEX + 1) if _INDEX.fullmatch(token) else None


def _at_pointer(whole: Subschemas, pointer: str) -> list[SchemaPart]:
    """All parts of the schema that describe the values at a pointer. A number may also be the name of a member.

    Raises InvalidInputError for a pointer with more than MAX_DEPTH tokens, and for an index above MAX_INDEX.
    """
    tokens = keys_of(pointer)
    if len(tokens) > MAX_DEPTH:  # each token that may be both a name and an index doubles the schema
        raise InvalidInputError(
            f"quotes names {pointer!r:.80}, which is {len(tokens)} deep; pointers go {MAX_DEPTH} deep, names to all "
            "depths"
        )
    parts = whole.root
    for token in tokens:
        index = _index(token)
        items = [] if index is None else whole.inside(parts, index)
        if items and index is not None and index > MAX_INDEX:
            raise InvalidInputError(
                f"quotes names {pointer!r:.80}, an item above {MAX_INDEX}; use '*' instead of the number: any item"
            )
        parts = [*whole.inside(parts, token), *items]
    return parts


def _at(tokens: FieldPath, prefix: str) -> JsonSchema:
    """A schema that only requires the value at a pointer to be a quote.

    prefix: the keyword of first items in the schema's draft.
    """
    if not tokens:
        return {QUOTE_KEYWORD: TEXT_SOURCE}
    inner, token = _at(tokens[1:], prefix), tokens[0]
    if token == ITEM:
        return {"items": inner, "additionalProperties": inner}
    found: JsonSchema = {"properties": {token: inner}}
    index = _index(token)
    return found if index is None or index > MAX_INDEX else {**found, prefix: [{}] * index + [inner]}


def _listed(strings: Iterable[FieldPath]) -> str:
    places = [pointer_of(path) or '""' for path in strings]
    more = f" and {len(places) - MAX_LISTED} more" if len(places) > MAX_LISTED else ""
    return f"its strings: {', '.join(places[:MAX_LISTED])}{more}" if places else "it has no strings"
