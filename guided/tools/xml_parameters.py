"""`XmlParameters`: a call's arguments one by one, `<parameter=NAME>`, a value, `</parameter>`.

Strings are written as they are, up to the first closing mark; everything else as JSON. So a parameter has to be either
a string (or null, which is written `null`) or no string at all: `read_text_parameter` reads that off its schema. Only
parameters that the schema lists are written, in its order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from guided.grammars.structural_tags.parameter_texts import TextParameter, read_text_parameter
from guided.grammars.structural_tags.parameters import parameter_schema, parameters_of

from .arguments import ArgumentScanner, ArgumentStyle, Format, Scanned, json_format
from .custom import PARAMETER, TextGrammar
from .definitions import Tool
from .partial import overlap

BEGIN, NAME_END, CLOSER, END_OF_CALL = "<parameter=", ">\n", "\n</parameter>", "</function>"


class XmlParameters(ArgumentStyle):
    """See the module."""

    hint = "each of its arguments in place of the example's: strings as they are, all else as JSON"
    example = '{"PARAMETER": "VALUE"}'

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """The parameters in the schema's order. Raises UnsupportedSchemaError for what can't be written like this."""
        parameters_of(tool.shown_schema)
        parts = []
        for name, schema in parameters_of(tool.schema).items():
            parameter = parameter_schema(tool.schema, name, schema)
            if parameter is None:
                continue
            text = read_text_parameter(parameter, f"/properties/{name}", CLOSER)
            value = json_format(parameter, is_compact=is_compact) if text is None else _text_format(text)
            begin, end = f"{BEGIN}{name}{NAME_END}", f"{CLOSER}\n"
            elements = [_const(begin), value, _const(end)]
            part: Format = {"type": "sequence", "elements": elements}
            is_required = name in tool.schema.get("required", ())
            parts.append(part if is_required else {"type": "optional", "content": part})
        return {"type": "sequence", "elements": parts} if parts else _const("")

    def text_content(self, grammar: TextGrammar, *, is_compact: bool) -> Format:
        """The text as it stands, which must not hold the closing mark."""
        begin, end = _const(f"{BEGIN}{PARAMETER}{NAME_END}"), _const(f"{CLOSER}\n")
        return {"type": "sequence", "elements": [begin, {**grammar.format, "excludes": [CLOSER]}, end]}

    def spell(self, arguments: str) -> str:
        """See the base."""
        values: Mapping[str, Any] = json.loads(arguments)
        return "".join(f"{BEGIN}{name}{NAME_END}{_spelled(value)}{CLOSER}\n" for name, value in values.items())

    def scanner(self, tool: Tool) -> ArgumentScanner:
        """See the base."""
        texts = {}
        for name, schema in parameters_of(tool.schema).items():
            parameter = parameter_schema(tool.schema, name, schema)
            texts[name] = None if parameter is None else read_text_parameter(parameter, f"/properties/{name}", CLOSER)
        return _XmlScanner(texts)


def _const(text: str) -> Format:
    return {"type": "const_string", "value": text}


def _text_format(text: TextParameter) -> Format:
    return {"type": "regex", "pattern": f"null|{text.pattern}" if text.may_be_null else text.pattern}


def _spelled(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
