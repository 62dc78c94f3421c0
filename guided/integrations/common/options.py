"""`GrammarOptions`: what a request may ask of a plug-in beside the engine's own fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from guided.grammars.errors import GrammarInputError

from .errors import RequestOptionError

BACKEND = "guided"
"""Name of the backend in an engine's configuration."""
KEY = "guided"
"""Key of the options in an engine's container for parameters that it does not know."""
DEFAULT_VALUES = "canonical"
WARMUP_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "minLength": 1},
        "b": {"type": "number"},
        "c": {"enum": ["one", "two"]},
        "d": {"type": "string", "pattern": "^[a-z]{2}$"},
        "e": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    },
    "required": ["a", "b", "c", "d", "e"],
}
"""Compiled once before the first request, since a process's first grammar takes 100 times as long as the next."""
_WITH_SCHEMAS = ("json_schema", "ebnf", "structural_tag")
_APPLY_TO = (("property_order", ("json_schema",)), ("resources", ("json_schema",)), ("dialect", ("ebnf",)))


@dataclass(frozen=True)
class GrammarOptions:
    """The options of one request that every engine's plug-in has.

    whitespace, property_order, values, resources: for JSON schemas, see `guided.compile_grammar`. whitespace None: the
        engine's own fields decide, else "flexible". values None: "canonical".
    dialect: of an EBNF grammar: "gbnf", "xgrammar", "w3c" or "lark"; None: recognised.
    close: near the end of max_tokens, allow only tokens that still let the text be completed; False: the text may be
        cut.
    """

    whitespace: str | None = None
    property_order: str | None = None
    values: str | None = None
    dialect: str | None = None
    resources: Mapping[str, Any] | None = None
    close: bool = True

    ENGINE: ClassVar[str] = "an engine"
    REFUSED: ClassVar[Mapping[str, str]] = {}
    """Fields of `guided.SamplingParams` that are no options here -> why."""
    TYPES: ClassVar[Mapping[str, tuple[Any, str]]] = {
        "resources": (Mapping, "an object of schemas by their URIs"),
        "close": (bool, "true or false"),
    }
    """Option that is not a text -> its type, and the type in words."""

    @classmethod
    def read(cls, given_by_name: Mapping[str, Any] | None) -> Self:
        """Read the options among a request's parameters; defaults if there are none. Raises RequestOptionError."""
        given = None if given_by_name is None else given_by_name.get(KEY)
        if given is None:
            return cls()
        if isinstance(given, str):
            given = _parse(given)
        if not isinstance(given, Mapping):
            raise RequestOptionError("", f"expected an object or its JSON text, not a {type(given).__name__}")
        for name in given:
            cls._check_name(name)
        options = {name: value for name, value in given.items() if value is not None}
        for name, value in options.items():
            wanted, words = cls.TYPES.get(name, (str, "a text"))
            if not isinstance(value, wanted):
                raise RequestOptionError(name, f"expected {words}, not a {type(value).__name__}")
        return cls(**options)

    @classmethod
    def _check_name(cls, name: Any) -> None:
        names = [field.name for field in fields(cls)]
        if name in names:
            return
        if name in cls.REFUSED:
            raise RequestOptionError(name, f"can't be given to {cls.ENGINE}'s engine: {cls.REFUSED[name]}")
        raise RequestOptionError(str(name), f"unknown option; known are {', '.join(names)}")

    def compile_arguments(self, kind: str, whitespaces: Mapping[str, str | None]) -> dict[str, Any]:
        """Arguments of `compile_grammar` for a grammar of this kind.

        whitespaces: the engine's own whitespace fields by name; None for unset ones.
        Raises GrammarInputError for options that don't apply to this kind, or exclude each other.
        """
        ways = {**whitespaces, "guided.whitespace": self.whitespace}
        given = {name: value for name, value in ways.items() if value is not None}
        if len(given) > 1:
            raise GrammarInputError(f"{' and '.join(given)} exclude each other")
        found: dict[str, Any] = {}
        if given and _applies(next(iter(given)), kind, ("json_schema",)):
            found["whitespace"] = next(iter(given.values()))
        for name, kinds in _APPLY_TO:
            value = getattr(self, name)
            if value is not None and _applies(f"guided.{name}", kind, kinds):
                found[name] = value
        if self.values is not None and _applies("guided.values", kind, _WITH_SCHEMAS):
            found["values"] = self.values
        elif kind in _WITH_SCHEMAS:
            found["values"] = DEFAULT_VALUES
        return found


def _applies(name: str, kind: str, kinds: Sequence[str]) -> bool:
    if kind not in kinds:
        raise GrammarInputError(f"{name} applies to {' and '.join(kinds)} only; remove it")
    return True


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RequestOptionError("", f"is no JSON text: {error}") from None
