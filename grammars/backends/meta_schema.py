"""Check schemas against the meta-schemas of their drafts in time linear in the schema (about 10 us a byte).

`jsonschema` compares all pairs of items of `enum`, `required` and `type` when they can't be sorted. A schema of 1 MB
would take hours. The validators in this module compare equality keys instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing import Registry, Resource
from referencing.jsonschema import specification_with

from ..errors import InvalidSchemaError, refuse_deep
from ..json_paths import pointer_of
from ..json_schema.drafts import DRAFT_4, DRAFT_7, V1, draft_named
from ..jsonschema_library import jsonschema
from ..limits import Limits
from ..schema_input import read_plain_schema
from ..watch import checkpoint
from .json_equality import equality_key

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MAX_MESSAGE_CHARS = 300

_DRAFTS = {
    cls.ID_OF(cls.META_SCHEMA).rstrip("#"): cls
    for cls in (
        *(jsonschema.Draft3Validator, jsonschema.Draft4Validator, jsonschema.Draft6Validator),
        *(jsonschema.Draft7Validator, jsonschema.Draft201909Validator, jsonschema.Draft202012Validator),
    )
}
DIALECTS = tuple(_DRAFTS)
"""URIs of the known meta-schemas, without "#"."""
_DRAFT_3 = DIALECTS[0]


def read_schema(json_schema: dict[str, Any] | bool | str, limits: Limits) -> dict[str, Any] | bool:
    """Return the schema as plain JSON data, within the limits and valid under its meta-schema.

    json_schema: the schema itself or its JSON text. If it names no draft and is valid in an older draft only, `$schema`
        is added. Every reader then takes the same draft as the native backend.
    Raises InvalidSchemaError with a JSON pointer, or LimitExceededError.
    """
    schema = read_plain_schema(json_schema, limits)
    if isinstance(schema, bool):
        return schema
    dialect = DEFAULT_DIALECT if draft_named(schema.get("$schema")) is V1 else dialect_of(schema)
    try:
        check_meta_schema(schema, dialect, limits)
    except InvalidSchemaError:
        older = None if "$schema" in schema else _older_dialect(schema, limits)
        if older is None:
            raise
        return {"$schema": older, **schema}
    return schema


def _older_dialect(schema: dict[str, Any], limits: Limits) -> str | None:
    for draft in (DRAFT_7, DRAFT_4):
        try:
            check_meta_schema(schema, draft.uri, limits)
        except InvalidSchemaError:
            continue
        return draft.uri
    return None


def dialect_of(schema: dict[str, Any] | bool) -> str:
    """Return the URI of the meta-schema that `$schema` names, 2020-12 when it is absent.

    Raises InvalidSchemaError, with the known drafts, for any other `$schema`.
    """
    named = schema.get("$schema", DEFAULT_DIALECT) if isinstance(schema, dict) else DEFAULT_DIALECT
    if not isinstance(named, str) or named.rstrip("#") not in DIALECTS:
        raise InvalidSchemaError(f"unknown draft {named!r}; known are {', '.join(DIALECTS)}", "/$schema")
    return named.rstrip("#")


def check_meta_schema(schema: dict[str, Any] | bool, dialect: str, limits: Limits, pointer: str = "") -> None:
    """Raise InvalidSchemaError when a schema breaks the rules of its draft.

    pointer: str, ""; JSON pointer of the schema in its document.
    """
    with refuse_deep(limits):
        errors = _validator(dialect).iter_errors(schema)
        best_match = jsonschema.exceptions.best_match
        # best_match fails on draft 3's "type"
        error = next(errors, None) if dialect == _DRAFT_3 else best_match(errors)
    if error is not None:
        # "type" is one name or a list of names; report the error about the single name
        if error.validator == "anyOf" and error.context:
            error = error.context[0]
        message = (
            error.message if len(error.message) <= _MAX_MESSAGE_CHARS else f"{error.message[:_MAX_MESSAGE_CHARS]}..."
        )
        raise InvalidSchemaError(message, pointer + pointer_of(error.absolute_path))


@cache
def _validator(dialect: str) -> Any:
    """Return the `jsonschema` validator of schemas of a draft (one of DIALECTS)."""
    draft = _DRAFTS[dialect]
    keywords = {"uniqueItems": _unique_items, "type": _watched(draft.VALIDATORS["type"])}
    linear = jsonschema.validators.extend(draft, keywords)
    return linear(_without_draft(draft.META_SCHEMA), registry=_registry())


@cache
def _registry() -> Registry[Any]:
    """Return the meta-schemas and vocabularies without `$schema`, at which `jsonschema` would switch to its own
    validators.
    """
    return Registry().with_resources((uri, _resource(REGISTRY.contents(uri))) for uri in REGISTRY).crawl()


def _resource(schema: dict[str, Any]) -> Resource[Any]:
    return specification_with(schema["$schema"]).create_resource(_without_draft(schema))


def _without_draft(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "$schema"}


def _watched(keyword: Any) -> Any:
    """Wrap a keyword's check so that it also checks the time. Meta-schemas use "type" for every schema and keyword."""

    def check(validator: Any, types: Any, instance: Any, schema: Any) -> Any:
        checkpoint()
        return keyword(validator, types, instance, schema)

    return check


def _unique_items(validator: Any, is_asked: bool, instance: Any, schema: Any) -> Iterator[Any]:
    del validator, schema
    if is_asked and isinstance(instance, list) and len({equality_key(item) for item in instance}) < len(instance):
        yield jsonschema.ValidationError(f"{instance!r} has non-unique elements")
