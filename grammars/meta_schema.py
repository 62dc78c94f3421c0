"""Validators of schemas against the meta-schemas of the drafts, in time linear in the schema.

`jsonschema` finds equal items of `enum`, `required` and `type` by comparing all pairs where they can't be sorted, which
takes hours for a schema of 1 MB. The validators here compare equality keys instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import specification_with

from .json_equality import equality_key
from .jsonschema_library import jsonschema
from .watch import checkpoint

_DRAFTS = {
    cls.ID_OF(cls.META_SCHEMA).rstrip("#"): cls
    for cls in (
        *(jsonschema.Draft3Validator, jsonschema.Draft4Validator, jsonschema.Draft6Validator),
        *(jsonschema.Draft7Validator, jsonschema.Draft201909Validator, jsonschema.Draft202012Validator),
    )
}
DIALECTS = tuple(_DRAFTS)
"""URIs of the known meta-schemas, without "#"."""
DRAFT_3 = DIALECTS[0]


@cache
def meta_validator(dialect: str) -> Any:
    """The `jsonschema` validator of schemas of a draft (one of DIALECTS)."""
    draft = _DRAFTS[dialect]
    keywords = {"uniqueItems": _unique_items, "type": _watched(draft.VALIDATORS["type"])}
    linear = jsonschema.validators.extend(draft, keywords)
    return linear(_without_draft(draft.META_SCHEMA), registry=_registry())


@cache
def _registry() -> Registry[Any]:
    """The meta-schemas and vocabularies, naming no draft: where one does, `jsonschema` goes on with its own class."""
    return Registry().with_resources((uri, _resource(REGISTRY.contents(uri))) for uri in REGISTRY).crawl()


def _resource(schema: dict[str, Any]) -> Resource[Any]:
    return specification_with(schema["$schema"]).create_resource(_without_draft(schema))


def _without_draft(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$schema"}


def _watched(keyword: Any) -> Any:
    """The same, with a look at the time; meta-schemas ask for the type of each schema and of each keyword."""

    def check(validator: Any, types: Any, instance: Any, schema: Any) -> Any:
        checkpoint()
        return keyword(validator, types, instance, schema)

    return check


def _unique_items(validator: Any, is_asked: bool, instance: Any, schema: Any) -> Iterator[Any]:
    del validator, schema
    if is_asked and isinstance(instance, list) and len({equality_key(item) for item in instance}) < len(instance):
        yield jsonschema.ValidationError(f"{instance!r} has non-unique elements")
