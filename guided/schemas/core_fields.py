"""`core_fields`: the fields of a model, dataclass or TypedDict as Pydantic reads them, with all aliases resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from .field_places import Path, alias_path

_WITH_FIELDS = ("model-fields", "dataclass-args", "typed-dict")


@dataclass(frozen=True)
class CoreField:
    """A field.

    path: its place in a document, from the object on; None for a field that is not read (`field(init=False)`).
    schema: Pydantic's core schema of the field's value, which may refer to `definitions`.
    config: the class's configuration.
    definitions: core schemas that others refer to.
    """

    path: Path | None
    schema: Mapping[str, Any]
    config: Any
    definitions: Sequence[Any]

    def default(self) -> Any:
        """The value of a field that is not read, created again for each call; None without a default of its own."""
        if self.schema["type"] != "default":
            return None
        factory = self.schema.get("default_factory")
        if factory is None:
            return self.schema["default"]
        return None if self.schema.get("default_factory_takes_data") else factory()


def core_fields(adapter: TypeAdapter[Any]) -> dict[str, CoreField] | None:
    """The fields by name, without parameters of `__init__` alone (`InitVar`). None for a type that is read by its own
    code.

    adapter: adapter of one model, dataclass or TypedDict.
    """
    core: Any = adapter.core_schema
    config: Mapping[str, Any] = {}
    definitions: dict[str, Any] = {}
    while core["type"] not in _WITH_FIELDS:
        config = core.get("config", config)
        definitions |= {one["ref"]: one for one in core.get("definitions", ())}
        core = definitions[core["schema_ref"]] if core["type"] == "definition-ref" else core.get("schema")
        if core is None:
            return None
    config = core.get("config", config)
    fields = core["fields"] if isinstance(core["fields"], dict) else {one["name"]: one for one in core["fields"]}
    has_aliases = config.get("validate_by_alias", True) is not False
    referred = tuple(definitions.values())
    return {
        name: CoreField(_path(name, field, has_aliases=has_aliases), field["schema"], config, referred)
        for name, field in fields.items()
        if not field.get("init_only")
    }


def _path(name: str, field: Mapping[str, Any], *, has_aliases: bool) -> Path | None:
    if field.get("init") is False:
        return None
    return (alias_path(field) if has_aliases else None) or (name,)
