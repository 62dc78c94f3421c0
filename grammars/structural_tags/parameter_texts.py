"""`read_text_parameter`: whether a parameter is a text that is written as it stands, and which texts it may be.

A value that is read back must not be guessed: a schema for strings and other values at once is refused (but for null),
and so is a keyword on strings that is not one of lengths, `enum` and `const`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import UnsupportedSchemaError

_KINDS = frozenset({"null", "boolean", "object", "array", "number", "string"})
_NOTES = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "example",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
        "$schema",
        "$defs",
        "definitions",
    ]
)
_OF_STRINGS = ("pattern", "format", "contentEncoding", "contentMediaType", "contentSchema")
_OF_OTHERS = frozenset(
    [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "properties",
        "required",
        "additionalProperties",
        "minProperties",
        "maxProperties",
    ]
)
_TYPES = _KINDS | {"integer"}
_OF_NULL = {"type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", "minLength", "maxLength"}.union(
    _NOTES, _OF_STRINGS, _OF_OTHERS
)
_MAX_DEPTH = 50  # of references that lead to references


@dataclass(frozen=True)
class TextParameter:
    """A parameter that is text. pattern: of the texts, in Python's syntax. may_be_null: `null` is null, not a text."""

    pattern: str
    may_be_null: bool


def refused(pointer: str, keyword: str, reason: str) -> UnsupportedSchemaError:
    """The error for a schema whose values can't be written as parameters outside of JSON."""
    suggestion = "this model's calls hold parameters one by one, and strings as they are; make the schema simpler"
    return UnsupportedSchemaError(pointer, keyword, reason, suggestion)


def kinds_of(schema: Any) -> frozenset[str]:
    """Of which kinds a schema's values may be ("string", "number", ...); more of them where types don't tell."""
    return _kinds(schema, schema if isinstance(schema, Mapping) else {}, 0)


def text_without(marks: str) -> str:
    """The pattern of any text in which none of the marks stands, a pattern themselves. A count may be put behind."""
    return rf"(?![\s\S]*(?:{marks}))[\s\S]"


def read_text_parameter(schema: Any, pointer: str, marks: str) -> TextParameter | None:
    """The texts of a parameter; None where it can't be a string, and is written as JSON.

    schema: with the definitions that it refers to in itself. pointer: of its place, for errors. marks: the pattern of
    what must not stand in a text, as it would end it.
    Raises UnsupportedSchemaError for one that may be a string and something else, or says of strings what is not
    enforced here.
    """
    root = schema if isinstance(schema, Mapping) else {}
    kinds = kinds_of(schema)
    if "string" not in kinds:
        return None
    if kinds - {"string", "null"}:
        others = ", ".join(sorted(kinds - {"string"}))
        raise refused(pointer, "type", f"strings and other values ({others}) could not be told apart")
    texts = _Texts(root, pointer, marks)
    patterns = texts.read(schema, 0)
    if not patterns:
        return None
    return TextParameter("|".join(f"(?:{one})" for one in patterns), texts.allows_null(schema, 0))


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def _kinds(schema: Any, root: Mapping[str, Any], depth: int) -> frozenset[str]:
    """Of which kinds its values may be; more of them where that takes more than looking at types."""
    if not isinstance(schema, Mapping):
        return frozenset() if schema is False else _KINDS
    kinds = _KINDS
    types = schema.get("type")
    if types is not None:
        names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
        kinds &= {"number" if name == "integer" else name for name in names if isinstance(name, str)}
    if isinstance(schema.get("enum"), list):
        kinds &= {_kind(value) for value in schema["enum"]}
    if "const" in schema:
        kinds &= {_kind(schema["const"])}
    if depth > _MAX_DEPTH:
        return kinds
    if "$ref" in schema:
        kinds &= _kinds(_target(schema["$ref"], root), root, depth + 1)
    for one in _listed(schema.get("allOf")):
        kinds &= _kinds(one, root, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            kinds &= frozenset[str]().union(*[_kinds(one, root, depth + 1) for one in _listed(schema[keyword])])
    return kinds


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _target(reference: Any, root: Mapping[str, Any]) -> Any:
    """What a reference leads to; true, which is any value, for one that leads nowhere."""
    value: Any = root
    for step in str(reference).removeprefix("#/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, Mapping) or name not in value:
            return True
        value = value[name]
    return value


class _Texts:
    """The patterns of the strings that a schema allows, and whether it allows null, its only other value."""

    def __init__(self, root: Mapping[str, Any], pointer: str, marks: str) -> None:
        self._root = root
        self._pointer = pointer
        self._marks = re.compile(marks)

    def read(self, schema: Any, depth: int) -> list[str]:
        """Alternatives."""
        if not isinstance(schema, Mapping) or "string" not in _kinds(schema, self._root, depth):
            return []
        if depth > _MAX_DEPTH:
            raise refused(self._pointer, "$ref", "leads on and on")
        types = schema.get("type", [])
        for name in types if isinstance(types, list) else [types]:
            if not isinstance(name, str) or name not in _TYPES:
                raise refused(self._pointer, "type", f"there is no type {name!r}")
        said = {name: value for name, value in schema.items() if name not in _NOTES | _OF_OTHERS}
        inner = [name for name in ("$ref", "anyOf", "oneOf", "allOf") if name in said]
        if inner:
            return self._of_inner(said, inner[0], depth)
        for name in said:
            if name not in ("type", "enum", "const", "minLength", "maxLength"):
                reason = "is not enforced in a text" if name in _OF_STRINGS else "is not known for a text"
                raise refused(self._pointer, name, reason)
        return self._given(said) if {"enum", "const"} & said.keys() else [self._pattern(said)]

    def allows_null(self, schema: Any, depth: int) -> bool:
        """Whether null is one of its values."""
        if "null" not in _kinds(schema, self._root, depth):
            return False
        if not isinstance(schema, Mapping):
            return True
        if depth > _MAX_DEPTH:
            raise refused(self._pointer, "$ref", "leads on and on")
        for name in schema:
            if name not in _OF_NULL:
                raise refused(self._pointer, name, "is not known for null beside texts")
        all_of = _listed(schema.get("allOf"))
        if "$ref" in schema:
            all_of = [*all_of, _target(schema["$ref"], self._root)]
        found = {
            keyword: sum(self.allows_null(one, depth + 1) for one in _listed(schema[keyword]))
            for keyword in ("anyOf", "oneOf")
            if keyword in schema
        }
        return (
            all(self.allows_null(one, depth + 1) for one in all_of)
            and found.get("anyOf", 1) > 0
            and found.get("oneOf", 1) == 1
        )

    def _of_inner(self, said: Mapping[str, Any], keyword: str, depth: int) -> list[str]:
        other = next((name for name in said if name not in (keyword, "type")), None)
        if other is not None:
            raise refused(self._pointer, other, f"can't go with {keyword} for a text")
        if keyword == "$ref":
            return self.read(_target(said[keyword], self._root), depth + 1)
        schemas = _listed(said[keyword])
        if keyword == "allOf" and len(schemas) != 1:
            raise refused(self._pointer, keyword, "of several schemas is not enforced in a text")
        found = [self.read(one, depth + 1) for one in schemas]
        if keyword == "oneOf" and sum(map(bool, found)) > 1:
            raise refused(self._pointer, keyword, "of several schemas for strings is not enforced in a text")
        return [pattern for patterns in found for pattern in patterns]

    def _given(self, said: Mapping[str, Any]) -> list[str]:
        """The strings of an enum or const that are as long as they must be."""
        given: Iterable[Any] = said["enum"] if "enum" in said else [said["const"]]
        least, most = self._length(said, "minLength") or 0, self._length(said, "maxLength")
        texts = []
        for text in given:
            if not isinstance(text, str) or ("const" in said and text != said["const"]):
                continue
            if self._marks.search(text):
                raise refused(self._pointer, "enum", f"holds {text!r}, in which the mark stands that ends a parameter")
            if least <= len(text) and (most is None or len(text) <= most):
                texts.append(re.escape(text))
        return texts

    def _pattern(self, said: Mapping[str, Any]) -> str:
        least, most = self._length(said, "minLength") or 0, self._length(said, "maxLength")
        if most is not None and most < least:
            raise refused(self._pointer, "maxLength", f"{most} is less than minLength {least}")
        count = "*" if not least and most is None else f"{{{least},{'' if most is None else most}}}"
        return text_without(self._marks.pattern) + count

    def _length(self, said: Mapping[str, Any], keyword: str) -> int | None:
        length = said.get(keyword)
        if length is None:
            return None
        if isinstance(length, bool) or not isinstance(length, int | float) or length != int(length) or length < 0:
            raise refused(self._pointer, keyword, f"{length!r} is no number of characters")
        return int(length)
