"""`TagValue`: a value in a structural tag, with its position. Its methods raise errors for wrong types and names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import GrammarError, InvalidSchemaError, InvalidStructuralTagError, UnsupportedSchemaError
from ..json_paths import escape, kind_name


@dataclass(frozen=True)
class TagValue:
    """A JSON value in a structural tag.

    value: the parsed value.
    pointer: JSON pointer to the value.
    Methods that read the value raise InvalidStructuralTagError, with the pointer, if it has another form.
    """

    value: Any
    pointer: str

    def error(self, reason: str) -> InvalidStructuralTagError:
        """The error to raise about this value. reason: the message."""
        return InvalidStructuralTagError(reason, self.pointer)

    @property
    def where(self) -> str:
        """The position of the value, for messages."""
        return f"at {self.pointer!r}"

    def in_context(self, error: GrammarError) -> GrammarError:
        """The error to raise if this value is a schema that has an error. error: the schema's error."""
        if isinstance(error, InvalidSchemaError):
            return InvalidStructuralTagError(error.reason, self.pointer + error.pointer)
        if isinstance(error, UnsupportedSchemaError):
            pointer = self.pointer + error.pointer
            return UnsupportedSchemaError(pointer, error.keyword, error.reason, error.suggestion)
        return error

    def check_fields(self, required: frozenset[str], optional: frozenset[str] = frozenset()) -> None:
        """Check that this is an object with all required fields and no unknown ones. Raises if it is not."""
        for name in self.object():
            if name not in required and name not in optional:
                known = ", ".join(sorted(required | optional))
                raise self.error(f"unknown field {name!r}; known are {known}")
        for name in sorted(required):
            if name not in self.value:
                raise self.error(f"the field {name!r} is missing")

    def has(self, name: str) -> bool:
        """True if the object has the field and the field is not null."""
        return self.object().get(name) is not None

    def field(self, name: str) -> TagValue:
        """The value of a field. The object must have it."""
        return TagValue(self.object()[name], f"{self.pointer}/{escape(name)}")

    def object(self) -> dict[str, Any]:
        """The value, which must be an object."""
        if not isinstance(self.value, dict):
            raise self.error(f"expected an object, not {kind_name(self.value)}")
        return self.value

    def items(self) -> list[TagValue]:
        """The items of the value, which must be an array."""
        if not isinstance(self.value, list):
            raise self.error(f"expected an array, not {kind_name(self.value)}")
        return [TagValue(item, f"{self.pointer}/{index}") for index, item in enumerate(self.value)]

    def some_items(self) -> list[TagValue]:
        """The items of the value, which must be an array with at least one item."""
        items = self.items()
        if not items:
            raise self.error("expected at least one item")
        return items

    def text(self) -> str:
        """The value, which must be a string."""
        if not isinstance(self.value, str):
            raise self.error(f"expected a string, not {kind_name(self.value)}")
        return self.value

    def nonempty_text(self) -> str:
        """The value, which must be a string that is not empty."""
        if not self.text():
            raise self.error("expected a string that is not empty")
        return self.text()

    def nonempty_texts(self) -> tuple[str, ...]:
        """The items of the value, which must be strings that are not empty."""
        return tuple([item.nonempty_text() for item in self.items()])

    def integer(self, low: int) -> int:
        """The value, which must be an integer of at least `low`."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error(f"expected an integer, not {kind_name(self.value)}")
        if self.value < low:
            raise self.error(f"expected at least {low}, not {self.value}")
        return self.value

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean field of this object; `default` if the object does not have it."""
        if name not in self.object():
            return default
        flag = self.field(name)
        if not isinstance(flag.value, bool):
            raise flag.error(f"expected true or false, not {kind_name(flag.value)}")
        return flag.value

    def texts(self, name: str) -> tuple[str, ...]:
        """A field that is an array of nonempty strings; () if the object does not have it."""
        return self.field(name).nonempty_texts() if name in self.object() else ()

    def optional_items(self, name: str) -> Iterator[TagValue]:
        """The items of a field that is an array; none if the object does not have it."""
        return iter(self.field(name).items() if name in self.object() else ())
