"""`FieldPlaces`: Pydantic's JSON Schema of a type, with each field where the type reads it.

Pydantic describes a field with an `AliasPath` under its own name, which the type does not read. Pydantic also requires
fields that a dataclass sets itself (`field(init=False)`). The generator here makes both schemas of a type (see
python_types.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from guided.grammars.errors import InvalidInputError

JsonSchema = dict[str, Any]
Path = tuple[str | int, ...]
"""Keys, and indices in lists, from an object on."""

_At = tuple[Path, JsonSchema, bool]
"""A value's place, its schema, and whether it is required."""


class FieldPlaces(GenerateJsonSchema):
    """Pydantic's schema generator, for validation mode."""

    def model_schema(self, schema: Any) -> JsonSchema:
        """The schema of a model. Raises InvalidInputError for BaseModel itself, whose instances have no fields."""
        if schema["cls"] is BaseModel:
            raise InvalidInputError("no JSON Schema of BaseModel itself, which has no fields; pass a class made of it")
        return super().model_schema(schema)

    def _named_required_fields_schema(self, named_required_fields: Any) -> JsonSchema:
        """The schema of an object's fields. A field with an `AliasPath` is described at that path; several paths may
        share a beginning.
        """
        found: list[_At] = []
        has_aliases = self.by_alias and getattr(self._config, "validate_by_alias", True) is not False
        for one in named_required_fields:
            _, required, field = one
            if field.get("init") is False:
                continue
            described = super()._named_required_fields_schema([one])["properties"]
            path = alias_path(field) if has_aliases else None
            found += [(path or (key,), schema, required) for key, schema in described.items()]
        return _object_of(found)


def alias_path(field: Mapping[str, Any]) -> Path | None:
    """The place where a field of a core schema is read; None without an alias. If there are several, the first that is
    a plain key.
    """
    alias = field.get("validation_alias")
    if not alias:
        return None
    if isinstance(alias, str):
        return (alias,)
    paths = alias if isinstance(alias[0], list) else [alias]
    return tuple(next((one for one in paths if len(one) == 1), paths[0]))


def _object_of(found: Sequence[_At]) -> JsonSchema:
    required = [key for key, inside in _by_first(found, str).items() if any(one[2] for one in inside)]
    schema: JsonSchema = {
        "type": "object",
        "properties": {key: _value_of(inside) for key, inside in _by_first(found, str).items()},
    }
    return {**schema, "required": required} if required else schema


def _array_of(found: Sequence[_At]) -> JsonSchema:
    places = _by_first(found, int)
    if min(places) < 0:
        raise InvalidInputError("no JSON Schema of an AliasPath that counts from the end of a list")
    items = [_value_of(places[i]) if i in places else True for i in range(max(places) + 1)]
    num_required = max([place + 1 for place, inside in places.items() if any(one[2] for one in inside)], default=0)
    schema: JsonSchema = {"type": "array", "prefixItems": items}
    return {**schema, "minItems": num_required} if num_required else schema


def _value_of(found: Sequence[_At]) -> JsonSchema:
    """Combine all descriptions of one value."""
    some = [schema for path, schema, _ in found if not path]
    some += [_object_of(found)] if _by_first(found, str) else []
    some += [_array_of(found)] if _by_first(found, int) else []
    return some[0] if len(some) == 1 else {"allOf": some}


def _by_first(found: Sequence[_At], kind: type) -> dict[Any, list[_At]]:
    """The values below each key, or below each index."""
    groups: dict[Any, list[_At]] = {}
    for path, schema, required in found:
        if path and isinstance(path[0], kind):
            groups.setdefault(path[0], []).append((path[1:], schema, required))
    return groups
