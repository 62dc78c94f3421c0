"""The schemas inside of a schema, keyword by keyword, and those that narrowing would be unsound for.

A name under `properties` is no keyword, and values of `const`, `enum`, `default` and `examples` are no schemas. What a
reference leads to belongs to the schema, wherever it stands: also below keys that no draft knows, as `components`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from guided.grammars.json_paths import resolve
from guided.grammars.json_schema.keyword_table import SHAPES, held

JsonSchema = dict[str, Any]

REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
ANTITONE = ("not", "if", "contains")  # a narrower schema there may let more in
_KEYWORDS = tuple(keyword for keyword in SHAPES if keyword != "contentSchema")  # which asserts nothing


def inside(schema: Any, keywords: Collection[str] = _KEYWORDS) -> list[Any]:
    """The schemas directly below one, in these keywords."""
    if not isinstance(schema, dict):
        return []
    shapes = [(keyword, SHAPES[keyword]) for keyword in keywords if keyword in schema and keyword in SHAPES]
    return [one for keyword, shape in shapes for _, one in held(schema[keyword], shape)]


def schemas(root: Any) -> list[JsonSchema]:
    """The schema, all that are inside of it, and those that references lead to; each once, outer ones first."""
    return reachable(root, [root])


def starts(root: Any) -> list[JsonSchema]:
    """The schema, and those that references lead to outside of all keywords; no one inside of another."""
    if not isinstance(root, dict):
        return []
    known = {id(part) for part in below(root)}
    others = [part for part in schemas(root) if id(part) not in known]
    nested = {id(inner) for part in others for one in inside(part) for inner in below(one)}
    return [root, *(part for part in others if id(part) not in nested)]


def unsafe_ids(root: Any) -> set[int]:
    """The schemas of which a narrower one could let values in.

    They stand under `not`, `if` or `contains`, or references lead to them from there, or from a `oneOf` whose parts may
    overlap. All of them, where a reference from there can't be followed.
    """
    every = schemas(root)
    turned = [inner for part in every for one in inside(part, ANTITONE) for inner in below(one)]
    options = [
        inner for part in every if is_open(part, root) for one in inside(part, ("oneOf",)) for inner in below(one)
    ]
    found = {id(part) for part in turned}
    targets = []
    for part in [*turned, *options]:
        if not part.keys().isdisjoint(REFERENCES):
            target = target_of(part, root)
            if target is None:
                return found | {id(one) for one in every}
            targets.append(target)
    return found | {id(part) for part in reachable(root, targets)}


def is_open(schema: JsonSchema, root: Any) -> bool:
    """Whether it has a `oneOf` of which a value may fit several parts."""
    if "oneOf" not in schema or "discriminator" in schema:
        return False
    types = [_type(part, root) for part in inside(schema, ("oneOf",))]
    is_exclusive = None not in types and len(set(types)) == len(types) and not {"integer", "number"} <= set(types)
    return not is_exclusive


def target_of(schema: JsonSchema, root: Any) -> JsonSchema | bool | None:
    """What the `$ref` of a schema leads to; None without one, and for one that is no pointer into the root."""
    reference = schema.get("$ref")
    target = resolve(root, unquote(reference)) if isinstance(reference, str) else None
    return target if isinstance(target, dict | bool) else None


def _type(part: Any, root: Any) -> str | None:
    """The only type of its values, where it says one."""
    if isinstance(part, dict) and "type" not in part:
        part = target_of(part, root)
    kind = part.get("type") if isinstance(part, dict) else None
    return kind if isinstance(kind, str) else None


def below(schema: Any) -> Iterator[JsonSchema]:
    """The schema and all inside of it; references are not followed."""
    if isinstance(schema, dict):
        yield schema
        for part in inside(schema):
            yield from below(part)


def reachable(root: Any, parts: Iterable[Any]) -> list[JsonSchema]:
    """These schemas, all inside of them, and all that their references lead to."""
    found: dict[int, JsonSchema] = {}
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, dict) and id(part) not in found:
            found[id(part)] = part
            pending += [*inside(part), target_of(part, root)]
    return list(found.values())


def unshared(value: Any) -> Any:
    """A copy in which each part stands once: what is changed in one place stays as it was in all others."""
    if isinstance(value, dict):
        return {key: unshared(item) for key, item in value.items()}
    return [unshared(item) for item in value] if isinstance(value, list) else value
