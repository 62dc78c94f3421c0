"""Schemas as people write them: by Pydantic or by hand, with and without descriptions, in several styles of names."""

from __future__ import annotations

import random
import re
from typing import Any

from examples.embedded_model.corpus.natural_values import CURRENCY_NAMES

ISO_DATE = r"^\d{4}-\d{2}-\d{2}$"
DECIMAL_TEXT = r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"
TYPES = {"int": "integer", "bool": "boolean", "money": "number", "number": "number", "reading": "number"}
LISTS = ("people", "words")


class SchemaStyle:
    """How the schemas of one task are written."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.is_pydantic = rng.random() < 0.55  # titles, and inner objects in $defs
        self.describes = rng.random() < 0.4
        self.is_camel = rng.random() < 0.18
        self.has_type_lists = not self.is_pydantic and rng.random() < 0.4  # ["string", "null"]
        self.date = rng.choices(["format", "pattern", "text"], [5, 1, 3])[0]
        self.money = rng.choices(["number", "decimal", "positive"], [7, 1, 2])[0]
        self.is_closed = rng.random() < 0.8
        self.definitions: dict[str, Any] = {}

    def key(self, spec: dict[str, Any]) -> str:
        """A name for a field: mostly the first one."""
        names = spec["as"].split()
        name: str = self.rng.choice([names[0], *names])
        return self._cased(name)

    def joined(self, group: str, key: str) -> str:
        """The name of a field of a group that stands outside of it."""
        return self._cased(group) + key[0].upper() + key[1:] if self.is_camel else f"{group}_{key}"

    def _cased(self, name: str) -> str:
        return re.sub(r"_(\w)", lambda match: match[1].upper(), name) if self.is_camel else name

    def field(self, spec: dict[str, Any], key: str, *, is_nullable: bool) -> dict[str, Any]:
        """The schema of a field."""
        schema = self._typed(spec)
        if is_nullable and self.has_type_lists and isinstance(schema.get("type"), str) and "enum" not in schema:
            schema = {**schema, "type": [schema["type"], "null"]}
        elif is_nullable:
            schema = {"anyOf": [*schema.get("anyOf", [schema]), {"type": "null"}]}
        return self.told(schema, key, spec.get("about"))

    def told(self, schema: dict[str, Any], key: str, about: str | None = None) -> dict[str, Any]:
        """The schema with a title and a description, as this style has them."""
        if self.describes and about:
            schema = {**schema, "description": about}
        if self.is_pydantic and "$ref" not in schema:
            schema = {**schema, "title": _title(key)}
        return schema

    def _typed(self, spec: dict[str, Any]) -> dict[str, Any]:
        rng, kind = self.rng, spec["is"].partition(":")[0]
        if kind in LISTS:
            return {"type": "array", "items": {"type": "string"}}
        if kind == "enum":
            options = rng.sample([*spec["options"]], len(spec["options"]))
            return {"enum": options, "type": "string"}
        if kind == "flag":
            return {"enum": ["low", "normal", "high"], "type": "string"}
        if kind == "currency":
            return {"type": "string", "pattern": "^[A-Z]{3}$"} if rng.random() < 0.4 else {"enum": CURRENCY_NAMES}
        if kind == "date" and self.date != "text":
            return {"type": "string"} | ({"format": "date"} if self.date == "format" else {"pattern": ISO_DATE})
        if kind == "money" and self.money == "decimal":
            return {"anyOf": [{"type": "number"}, {"pattern": DECIMAL_TEXT, "type": "string"}]}
        schema: dict[str, Any] = {"type": TYPES.get(kind, "string")}
        if kind in ("int", "money") and self.money == "positive":
            schema["minimum"] = 0
        if schema["type"] == "string" and rng.random() < 0.06:
            schema |= rng.choice([{"minLength": 1}, {"maxLength": 200}, {"minLength": 1, "maxLength": 120}])
        return schema

    def object(self, properties: dict[str, Any], title: str, *, required: list[str] | None = None) -> dict[str, Any]:
        """The schema of an object."""
        schema: dict[str, Any] = {"type": "object", "properties": properties}
        schema["required"] = [*properties] if required is None else required
        if self.is_closed:
            schema["additionalProperties"] = False
        return {**schema, "title": _title(title).replace(" ", "")} if self.is_pydantic else schema

    def inner(self, properties: dict[str, Any], title: str) -> dict[str, Any]:
        """The schema of an inner object: in $defs for Pydantic."""
        schema = self.object(properties, title)
        if not self.is_pydantic:
            return schema
        self.definitions[schema["title"]] = schema
        return {"$ref": f"#/$defs/{schema['title']}"}

    def whole(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema with its definitions in front."""
        return {"$defs": self.definitions, **schema} if self.definitions else schema


def _title(key: str) -> str:
    return " ".join(re.sub(r"([A-Z])", r" \1", key).replace("_", " ").split()).title()
