"""`Settings`: options that are declared once: name, type, bounds, default and help stand with the field.

Whatever shows them or takes them from elsewhere (flags, files, tables in the documents) reads the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, Strict, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from guided.grammars.errors import InvalidInputError


@dataclass(frozen=True)
class TypeWords:
    """The words of error messages for the values of a type."""

    text: str


Count = Annotated[int, Strict(), Field(ge=1), TypeWords("an integer >= 1")]
CountFromZero = Annotated[int, Strict(), Field(ge=0), TypeWords("an integer >= 0")]
Seconds = Annotated[float, Strict(), Field(gt=0, allow_inf_nan=False), TypeWords("a number of seconds > 0")]
SecondsFromZero = Annotated[float, Strict(), Field(ge=0, allow_inf_nan=False), TypeWords("a number of seconds >= 0")]
Switch = Annotated[bool, Strict(), TypeWords("True or False")]


class Settings(BaseModel):
    """The base of all. Raises InvalidInputError for a wrong value.

    panel: the title under which a command's help lists the fields that a class adds.
    gone: fields of earlier versions, with what to do without them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), arbitrary_types_allowed=True)
    panel: ClassVar[str | None] = None
    gone: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise InvalidInputError(_said(error.errors()[0])) from None

    @model_validator(mode="wrap")
    @classmethod
    def _in_our_words(cls, values: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(values)
        except ValidationError as error:
            raise InvalidInputError(cls._message(error.errors()[0])) from None

    @classmethod
    def _message(cls, error: ErrorDetails) -> str:
        if not error["loc"]:
            return _said(error)
        name = str(error["loc"][0])
        if name in cls.all_gone():
            return f"{name} is no option any more: {cls.all_gone()[name]}"
        if error["type"] == "extra_forbidden":
            return f"{name} is no option; known are {', '.join(cls.model_fields)}"
        wanted, said = expected(cls.model_fields[name]), _said(error)
        if wanted is None:
            return f"{name} {said}" if said.startswith("must ") else f"{name}: {said}"
        return f"{name} must be {wanted}, not {error['input']!r}"

    @classmethod
    def all_gone(cls) -> dict[str, str]:
        """`gone`, also of the classes that it inherits from."""
        return {name: cure for one in cls.__mro__ for name, cure in getattr(one, "gone", {}).items()}

    @classmethod
    def of(cls, other: Settings, **more: Any) -> Self:
        """Settings with the values of others, for the fields that both have.

        Args:
            other: the settings whose values are taken.
            more: further values, which win.
        """
        values = {name: getattr(other, name) for name in cls.model_fields if name in type(other).model_fields}
        return cls(**values | more)


def expected(field: FieldInfo) -> str | None:
    """The words of error messages for a field's values; None if its type has no `TypeWords`."""
    parts = [part for one in get_args(field.annotation) for part in (getattr(one, "__metadata__", ()))]
    found = next((part.text for part in (*field.metadata, *parts) if isinstance(part, TypeWords)), None)
    is_optional = found is not None and type(None) in get_args(field.annotation)
    return f"{found} or None" if is_optional else found


def _said(error: ErrorDetails) -> str:
    return error["msg"].removeprefix("Value error, ")
