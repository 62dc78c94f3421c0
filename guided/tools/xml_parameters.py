"""`XmlParameters`: a call's arguments one by one, `<parameter=NAME>`, a value, `</parameter>`.

Strings are written as they are, up to the first closing mark; everything else as JSON. So a parameter has to be either
a string (or null, which is written `null`) or no string at all: `parameter_texts.py` reads that off its schema. Only
parameters that the schema lists are written, in its order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .arguments import ArgumentScanner, ArgumentStyle, Format, Scanned, json_format
from .definitions import Tool
from .parameter_texts import CLOSER, TextParameter, read_text_parameter, refused
from .partial import overlap

BEGIN, NAME_END, END_OF_CALL = "<parameter=", ">\n", "</function>"
_NAME = re.compile(r"[^<>\n]+")
_REFUSED = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "const",
    "enum",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
]
_DATA = ("default", "examples", "example", "enum", "const")
_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions")
_LOCAL_REFERENCE = re.compile(r"#/(\$defs|definitions)/.*", re.S)


class XmlParameters(ArgumentStyle):
    """See the module."""

    hint = "each of its arguments in place of the example's: strings as they are, all else as JSON"
    example = '{"PARAMETER": "VALUE"}'

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """The parameters in the schema's order. Raises UnsupportedSchemaError for what can't be written like this."""
        _properties(tool.shown_schema)
        parts = []
        for name, schema in _properties(tool.schema).items():
            parameter = _parameter_schema(tool.schema, name, schema)
            if parameter is None:
                continue
            text = read_text_parameter(parameter, f"/properties/{name}")
            value = json_format(parameter, is_compact=is_compact) if text is None else _text_format(text)
            begin, end = f"{BEGIN}{name}{NAME_END}", f"{CLOSER}\n"
            elements = [_const(begin), value, _const(end)]
            part: Format = {"type": "sequence", "elements": elements}
            is_required = name in tool.schema.get("required", ())
            parts.append(part if is_required else {"type": "optional", "content": part})
        return {"type": "sequence", "elements": parts} if parts else _const("")

    def spell(self, arguments: str) -> str:
        """See the base."""
        values: Mapping[str, Any] = json.loads(arguments)
        return "".join(f"{BEGIN}{name}{NAME_END}{_spelled(value)}{CLOSER}\n" for name, value in values.items())

    def scanner(self, tool: Tool) -> ArgumentScanner:
        """See the base."""
        texts = {}
        for name, schema in _properties(tool.schema).items():
            parameter = _parameter_schema(tool.schema, name, schema)
            texts[name] = None if parameter is None else read_text_parameter(parameter, f"/properties/{name}")
        return _XmlScanner(texts)


def _const(text: str) -> Format:
    return {"type": "const_string", "value": text}


def _text_format(text: TextParameter) -> Format:
    return {"type": "regex", "pattern": f"null|{text.pattern}" if text.may_be_null else text.pattern}


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a tool's schema. Raises UnsupportedSchemaError where it says more than what each of them is."""
    for keyword in _REFUSED:
        if keyword in schema:
            raise refused("", keyword, "is about several parameters at once, or about others than those in properties")
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if not isinstance(schema.get(keyword, False), bool):
            raise refused("", keyword, "is about parameters that the schema does not list")
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        keyword = "required" if isinstance(properties, Mapping) else "properties"
        raise refused("", keyword, "is not what JSON Schema has there")
    for name in required:
        if not isinstance(name, str) or name not in properties:
            raise refused("", "required", f"names {name!r}, which is not in properties")
    for name in properties:
        if not _NAME.fullmatch(name):
            raise refused("", "properties", f"has the parameter {name!r}: its name can't be told from what follows it")
    return properties


def _parameter_schema(root: Mapping[str, Any], name: str, schema: Any) -> Any:
    """The parameter's schema on its own, with the definitions that it may refer to; None where it can't be written."""
    if schema is False and name not in root.get("required", ()):
        return None
    shared = {key: root[key] for key in ("$schema", "$defs", "definitions") if key in root}
    for keyword, reference in _references({**shared, "properties": {name: schema}}):
        if not _LOCAL_REFERENCE.fullmatch(reference):
            raise refused(f"/properties/{name}", keyword, f"{reference!r} does not lead into $defs or definitions")
    return {"allOf": [schema], **shared} if shared else schema


def _references(schema: Any) -> Iterator[tuple[str, str]]:
    """All that a schema may refer to, with the keyword. An `$id` counts: it moves what the references mean."""
    stack = [(schema, False)]
    while stack:
        value, is_by_name = stack.pop()
        if isinstance(value, Mapping):
            for key, item in value.items():
                if is_by_name:
                    stack.append((item, False))
                elif key in ("$ref", "$dynamicRef", "$recursiveRef", "$id", "id") and isinstance(item, str):
                    yield key, item
                elif key not in _DATA:
                    stack.append((item, key in _BY_NAME))
        elif isinstance(value, list):
            stack += [(item, False) for item in value]


class _XmlScanner(ArgumentScanner):
    """texts: for each parameter, what of it is text; None for JSON."""

    def __init__(self, texts: Mapping[str, TextParameter | None]) -> None:
        self._texts = texts
        self._text = ""
        self._place = 0
        self._parts: list[str] = []
        self._num_parameters = 0
        self._is_begun = self._is_done = False
        self._state: Callable[[], bool] = self._between

    def push(self, text: str) -> Scanned:
        self._text, self._place = text, 0
        if not self._is_begun:
            self._is_begun = True
            self._parts.append("{")
        while not self._is_done and self._state():
            pass
        arguments, self._parts = "".join(self._parts), []
        return Scanned(arguments, self._place, self._is_done)

    def _between(self) -> bool:
        if self._text.startswith(END_OF_CALL, self._place):
            self._parts.append("}")
            self._is_done = True
            return False
        end = self._text.find(NAME_END, self._place)
        if end < 0:
            return False
        name = self._text[self._place + len(BEGIN) : end]
        self._place = end + len(NAME_END)
        self._parts.append(f"{', ' if self._num_parameters else ''}{json.dumps(name, ensure_ascii=False)}: ")
        self._num_parameters += 1
        text = self._texts[name]
        self._state = self._in_json if text is None else self._at_null if text.may_be_null else self._at_text
        return True

    def _at_null(self) -> bool:
        rest, null = self._text[self._place :], f"null{CLOSER}"
        if null.startswith(rest) and rest != null:
            return False
        if rest.startswith(null):
            self._parts.append("null")
            self._place += len("null")
            self._state = self._at_closer
        else:
            self._state = self._at_text
        return True

    def _at_text(self) -> bool:
        self._parts.append('"')
        self._state = self._in_text
        return True

    def _in_text(self) -> bool:
        piece, is_all = self._value_piece()
        self._parts.append(json.dumps(piece, ensure_ascii=False)[1:-1])
        if is_all:
            self._parts.append('"')
            self._state = self._at_closer
        return is_all

    def _in_json(self) -> bool:
        piece, is_all = self._value_piece()
        self._parts.append(piece)
        if is_all:
            self._state = self._at_closer
        return is_all

    def _value_piece(self) -> tuple[str, bool]:
        """What of the value is decided, and whether that is the rest of it."""
        end = self._text.find(CLOSER, self._place)
        is_all = end >= 0
        if not is_all:
            end = len(self._text) - overlap(self._text, CLOSER)
        start, self._place = self._place, max(self._place, end)
        return self._text[start : self._place], is_all

    def _at_closer(self) -> bool:
        whole = f"{CLOSER}\n"
        if len(self._text) - self._place < len(whole):
            return False
        self._place += len(whole)
        self._state = self._between
        return True
