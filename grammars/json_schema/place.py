"""`Place`: a schema where it stands, and how the formulas of its subschemas are had."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .formula import Formula
from .paths import escape
from .resolve import Schema, Scope, Target

if TYPE_CHECKING:
    from .translate import Translator


class Place:
    """A schema where it stands. scope: inside it."""

    __slots__ = ("name", "schema", "scope", "translator")

    def __init__(self, translator: Translator, schema: dict[str, Any], scope: Scope, name: str) -> None:
        self.translator = translator
        self.schema = schema
        self.scope = scope
        self.name = name

    def here(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema, under `keys`, that speaks of the same value."""
        return self.translator.formula(schema, self.scope, self._name(keys))

    def inside(self, schema: Schema, *keys: str | int) -> Formula:
        """The formula of a subschema that speaks of members or items; translated when it is needed."""
        return self.translator.deferred(schema, self.scope, self._name(keys))

    def opposite(self, schema: Schema, *keys: str | int) -> Formula:
        """As `here`, for use under a negation."""
        return self.translator.opposite.formula(schema, self.scope, self._name(keys))

    def opposite_inside(self, schema: Schema, *keys: str | int) -> Formula:
        """As `inside`, for use under a negation."""
        return self.translator.opposite.deferred(schema, self.scope, self._name(keys))

    def target(self, schema: Schema, *keys: str | int) -> Target:
        """A subschema under `keys`, as a reference would find it."""
        return schema, self.scope, self._name(keys)

    def references(self) -> Iterator[Target]:
        """What the schema refers to."""
        return self.translator.resolver.references(self.schema, self.scope)

    def with_schema(self, schema: dict[str, Any]) -> Place:
        """The same place with another schema in it."""
        return Place(self.translator, schema, self.scope, self.name)

    def _name(self, keys: tuple[str | int, ...]) -> str:
        return self.name + "".join(f"/{escape(key) if isinstance(key, str) else key}" for key in keys)
