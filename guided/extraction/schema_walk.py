"""Finds the subschemas of a schema, keyword by keyword, and the subschemas that must not be narrowed.

A name under `properties` is no keyword, and values of `const`, `enum`, `default` and `examples` are no schemas. The
target of a reference belongs to the schema wherever it stands, even below keys that no draft knows, such as
`components`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any
from urllib.parse import unquote

from guided.grammars.json_paths import resolve
from guided.grammars.json_schema.keyword_table import SHAPES, held

from ..schemas.pattern_readings import are_apart

JsonSchema = dict[str, Any]

REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
ANTITONE = ("not", "if", "contains")  # under these keywords a narrower schema may allow more values
# without `contentSchema`, which asserts nothing
_KEYWORDS = tuple(keyword for keyword in SHAPES if keyword != "contentSchema")


def inside(schema: Any, keywords: Collection[str] = _KEYWORDS) -> list[Any]:
    """The schemas directly below a schema, in the given keywords."""
    if not isinstance(schema, dict):
        return []
    shapes = [(keyword, SHAPES[keyword]) for keyword in keywords if keyword in schema and keyword in SHAPES]
    return [one for keyword, shape in shapes for _, one in held(schema[keyword], shape)]


def schemas(root: Any) -> list[JsonSchema]:
    """The schema, all schemas inside it, and all targets of references; each once, outer ones first."""
    return reachable(root, [root])


def starts(root: Any) -> list[JsonSchema]:
    """The schema, and targets of references outside all keywords, as long as they lie inside no other schema."""
    if not isinstance(root, dict):
        return []
    known = {id(part) for part in below(root)}
    others = [part for part in schemas(root) if id(part) not in known]
    nested = {id(inner) for part in others for one in inside(part) for inner in below(one)}
    return [root, *(part for part in others if id(part) not in nested)]


def unsafe_ids(root: Any) -> set[int]:
    """The ids (`id()`) of schemas that must not be narrowed, since narrowing one could allow further values.

    Such schemas stand under `not`, `if` or `contains`. Others are targets of references from there, or from a `oneOf`
    with overlapping parts. If such a reference can't be resolved, all schemas are returned.
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
    """True if a schema has a `oneOf` and a value may fit several of its parts."""
    return "oneOf" in schema and "discriminator" not in schema and not are_apart(root, inside(schema, ("oneOf",)))


def target_of(schema: JsonSchema, root: Any) -> JsonSchema | bool | None:
    """The target of a schema's `$ref`; None without one, or if it is no pointer into the root."""
    reference = schema.get("$ref")
    target = resolve(root, unquote(reference)) if isinstance(reference, str) else None
    return target if isinstance(target, dict | bool) else None


def below(schema: Any) -> Iterator[JsonSchema]:
    """The schema and all schemas inside it. References are not followed."""
    if isinstance(schema, dict):
        yield schema
        for part in inside(schema):
            yield from below(part)


def reachable(root: Any, parts: Iterable[Any]) -> list[JsonSchema]:
    """The given schemas, all schemas inside them, and all targets of their references."""
    found: dict[int, JsonSchema] = {}
    pending = list(parts)
    while pending:
        part = pending.pop()
        if isinstance(part, dict) and id(part) not in found:
            found[id(part)] = part
            pending += [*inside(part), target_of(part, root)]
    return list(found.values())


def unshared(value: Any) -> Any:
    """A copy without shared parts, so that a change at one place has no effect elsewhere."""
    if isinstance(value, dict):
        return {key: unshared(item) for key, item in value.items()}
    return [unshared(item) for item in value] if isinstance(value, list) else value
