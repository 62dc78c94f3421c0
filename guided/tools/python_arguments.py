"""`PythonArguments`: a call's arguments written like those of a Python call, `city="Paris", days=3`.

Names are identifiers. Values are JSON, and most JSON is also valid Python; engines' readers accept `true`, `false` and
`null` too. Arguments come in the schema's order. Values of tools that are not enforced may be Python literals.
Some chat templates write strings in single quotes.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from guided.grammars.errors import InvalidSchemaError, UnsupportedSchemaError

from .arguments import ArgumentScanner, ArgumentStyle, Format, Scanned, json_format
from .custom import PARAMETER, TextGrammar
from .definitions import Tool

_SHARED = ("$defs", "definitions")
_PLAIN = {"type", "properties", "required", "additionalProperties", *_SHARED}
_NOTES = {"title", "description", "default", "examples", "$schema", "$id", "$comment"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_REFERENCE = re.compile(r'"\$ref": "#/(\$defs|definitions)/([^"/]*)')
_NOT_PLAIN = re.compile(r'"\$(?:id|anchor|dynamic\w+|recursive\w+)":|"\$ref": "(?!#/)|"\$ref": "[^"]*[~%\\]')
_ANY_VALUES = r"""(?:[^"'()]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')*"""
_BEFORE_VALUE = re.compile(r"[\s,]*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(?=\S)")
_MAY_BECOME_VALUE = re.compile(r"[\s,]*(?:[A-Za-z_][A-Za-z0-9_]*\s*(?:=\s*)?)?")
_END = re.compile(r"[\s,]*(?=\))")
_SINGLE: Final = "'"
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r"}
_ANY_STRING = r"/'(?:[^'\\\x00-\x08\x0a-\x1f]|\\[\\'nr])*'/"
_OUTSIDE = re.compile(r"""[\[\](){},"']""")


class PythonArguments(ArgumentStyle):
    """Arguments like those of a Python call, see the module.

    quote: what a chat template writes around strings. With single quotes, plain strings and lists of strings (`enum`)
        may be written either way. Other strings are JSON.
    """

    def __init__(self, quote: Literal["'", '"'] = '"') -> None:
        self._quote = quote

    hint = "each of its arguments in place of the example's, its value as JSON"
    example = '{"argument": "VALUE"}'

    def content(self, tool: Tool, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.content`."""
        if tool.why_free:
            return {"type": "regex", "pattern": _ANY_VALUES}
        schema, required = tool.schema, _required(tool.schema)
        _check_plain(schema, required)
        shared = {key: schema[key] for key in _SHARED if key in schema}
        options = {"x-guidance": {"whitespace_flexible": not is_compact}}
        arguments = [
            _Argument(name, {**_with_shared({} if value is True else value, shared), **options}, name in required)
            for name, value in schema.get("properties", {}).items()
        ]
        return {"type": "grammar", "grammar": _rules(arguments, self._quote), "dialect": "lark"}

    def to_check(self, tool: Tool) -> Format:
        """See `ArgumentStyle.to_check`. The schema as a whole comes first: errors in a grammar point to its lines."""
        call = self.of_call(tool, is_compact=False)
        return call if tool.why_free or tool.is_custom else _sequence(json_format(tool.schema, is_compact=False), call)

    def text_content(self, grammar: TextGrammar, *, is_compact: bool) -> Format:
        """See `ArgumentStyle.text_content`."""
        return _sequence(_const(f'{PARAMETER}="'), {**grammar.format, "in_json_string": True}, _const('"'))

    def spell(self, arguments: str) -> str:
        """See `ArgumentStyle.spell`."""
        values: Mapping[str, Any] = json.loads(arguments)
        return ", ".join(f"{name}={self._spelled(value)}" for name, value in values.items())

    def _spelled(self, value: Any) -> str:
        if self._quote == '"' or not isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        return _quoted(value)

    def variants(self) -> Sequence[ArgumentStyle]:
        """See `ArgumentStyle.variants`."""
        return self, _SINGLE_QUOTED

    def scanner(self, tool: Tool) -> ArgumentScanner:
        """See `ArgumentStyle.scanner`."""
        return _Scanner(is_json=not tool.why_free)


_SINGLE_QUOTED = PythonArguments(_SINGLE)


def _required(schema: Mapping[str, Any]) -> set[str]:
    names = schema.get("required", [])
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InvalidSchemaError("expected an array of keys (strings)", "/required")
    return set(names)


def _check_plain(schema: Mapping[str, Any], required: set[str]) -> None:
    """Raise UnsupportedSchemaError if a schema requires more than a schema for each argument."""
    suggestion = "this model's calls are written argument by argument; say more of each argument's own schema only"
    more = next((key for key in schema if key not in _PLAIN | _NOTES), None)
    if more is not None:
        raise UnsupportedSchemaError("", more, "is not enforced over all arguments of a call", suggestion)
    properties = schema.get("properties", {})
    if schema.get("additionalProperties", True) is not False and not properties:
        raise UnsupportedSchemaError("", "properties", "of a call are not named", suggestion)
    wrong = next((name for name in [*properties, *required] if not _is_name(name)), None)
    if wrong is not None:
        raise UnsupportedSchemaError("/properties", wrong, "is no name that Python has for an argument", suggestion)
    if required - properties.keys() or any(properties[name] is False for name in properties):
        raise UnsupportedSchemaError("", "required", "asks for an argument that properties do not describe", suggestion)
    not_schema = next((name for name, one in properties.items() if not isinstance(one, Mapping | bool)), None)
    if not_schema is not None:
        raise InvalidSchemaError("a schema is an object or a boolean", f"/properties/{not_schema}")
    if re.search(r'"\$ref": "#(?!/\$defs/|/definitions/)', json.dumps(schema)):
        raise UnsupportedSchemaError("", "$ref", "refers to more than $defs", suggestion)


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and not keyword.iskeyword(name)


def _with_shared(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of one argument with the shared definitions that it refers to. If references are not plain, with all
    of them.
    """
    is_plain = all(isinstance(one, Mapping) for one in shared.values())
    if not is_plain or _NOT_PLAIN.search(json.dumps([schema, shared])):
        return {**schema, **shared}
    known, pending = set[tuple[str, str]](), [schema]
    while pending:
        found = {
            (key, name) for key, name in _REFERENCE.findall(json.dumps(pending.pop())) if name in shared.get(key, ())
        }
        pending += [shared[key][name] for key, name in found - known]
        known |= found
    kept = {key: {name: one for name, one in shared[key].items() if (key, name) in known} for key in shared}
    return {**schema, **{key: value for key, value in kept.items() if value}}


class _Argument(NamedTuple):
    name: str
    schema: Mapping[str, Any]
    is_required: bool


def _quoted(text: str) -> str:
    """A string in single quotes."""
    return f"'{''.join(_ESCAPES.get(character, character) for character in text)}'"


def _quoted_rule(schema: Mapping[str, Any]) -> str:
    """A Lark rule's alternative for strings in single quotes; "" if the schema is no string or enum of strings."""
    kept = {key: value for key, value in schema.items() if key not in _NOTES and key != "x-guidance"}
    if kept == {"type": "string"}:
        return f" | {_ANY_STRING}"
    values = kept.pop("enum", ()) if kept.pop("type", "string") == "string" else ()
    if kept or not values or not all(isinstance(one, str) and one.isprintable() for one in values):
        return ""
    return "".join(f" | {json.dumps(_quoted(one), ensure_ascii=False)}" for one in values)


def _rules(arguments: Sequence[_Argument], quote: str) -> str:
    """The Lark grammar of the arguments, in this order, with commas between them. Each schema appears once.

    Rule first0 contains the texts that begin with the first argument or a later one. Rule more0 contains the same texts
    after a comma. The two rules match the empty text if no argument is required.
    """
    num = len(arguments)
    lines = ["start: first0", f'first{num}: ""', f'more{num}: ""']
    for index, (name, schema, is_required) in enumerate(arguments):
        skipped_first, skipped = ("", "") if is_required else (f" | first{index + 1}", f" | more{index + 1}")
        lines += [
            f'argument{index}: "{name}=" value{index}',
            f"value{index}: %json {json.dumps(schema)}{_quoted_rule(schema) if quote == _SINGLE else ''}",
            f"first{index}: argument{index} more{index + 1}{skipped_first}",
            f'more{index}: ", " argument{index} more{index + 1}{skipped}',
        ]
    return "\n".join(lines)


def _const(text: str) -> Format:
    return {"type": "const_string", "value": text}


def _sequence(*elements: Format) -> Format:
    return {"type": "sequence", "elements": list(elements)}


class _Scanner(ArgumentScanner):
    """Reads Python arguments. is_json: values are JSON, except strings in single quotes, and are returned while they
    arrive; otherwise each is returned when complete.
    """

    def __init__(self, *, is_json: bool) -> None:
        self._is_json = is_json
        self._value: str | None = None  # text of the open value so far; None: no value is open
        self._depth = 0
        self._quote = ""
        self._is_escaped = False
        self._num_values = 0
        self._is_begun = False

    def push(self, text: str) -> Scanned:
        """See `ArgumentScanner.push`."""
        parts = [] if self._is_begun else ["{"]
        self._is_begun, place = True, 0
        while True:
            if self._value is not None:
                place = self._read_value(text, place, parts)
                if self._value is not None:
                    return Scanned("".join(parts), place, False)
            elif (end := _END.match(text, place)) is not None:
                return Scanned("".join([*parts, "}"]), end.end(), True)
            elif (name := _BEFORE_VALUE.match(text, place)) is not None:
                comma = ", " if self._num_values else ""
                parts.append(f'{comma}"{name[1]}": ')
                place, self._value, self._num_values = name.end(), "", self._num_values + 1
            else:
                is_open = _MAY_BECOME_VALUE.fullmatch(text, place) is not None
                return Scanned("".join(parts if is_open else [*parts, "}"]), place, not is_open)

    def _read_value(self, text: str, place: int, parts: list[str]) -> int:
        """Read on in a value. Returns where the value or the text ends."""
        start = place
        while place < len(text):
            if self._quote:
                place = self._in_string(text, place)
                continue
            found = _OUTSIDE.search(text, place)
            if found is None:
                place = len(text)
            elif found[0] in "\"'":
                self._quote, place = found[0], found.end()
            elif found[0] in "[({":
                self._depth, place = self._depth + 1, found.end()
            elif self._depth and found[0] in "])}":
                self._depth, place = self._depth - 1, found.end()
            elif self._depth:
                place = found.end()
            else:
                self._note(text[start : found.start()], parts, is_all=True)
                return found.start()
        self._note(text[start:place], parts, is_all=False)
        return place

    def _in_string(self, text: str, place: int) -> int:
        while place < len(text):
            character, place = text[place], place + 1
            if self._is_escaped:
                self._is_escaped = False
            elif character == "\\":
                self._is_escaped = True
            elif character == self._quote:
                self._quote = ""
                break
        return place

    def _note(self, piece: str, parts: list[str], *, is_all: bool) -> None:
        """Add a piece of the value."""
        value = (self._value or "") + piece
        self._value = None if is_all else value
        if self._is_json and not value.startswith(_SINGLE):
            parts.append(piece)
        elif is_all:
            parts.append(_as_json(value))


def _as_json(value: str) -> str:
    """A Python value as JSON text. Text that is neither JSON nor a Python literal becomes a JSON string."""
    for read in (json.loads, ast.literal_eval):
        try:
            return json.dumps(read(value), ensure_ascii=False, allow_nan=False)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return json.dumps(value.strip(), ensure_ascii=False)
