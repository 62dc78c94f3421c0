"""Arguments of calls that are written one by one between marks: the styles `qwen_xml`, `minimax_xml`, `deepseek_xml`,
`deepseek_v4_1_xml` and `glm_xml` of a schema.

    qwen_xml        <parameter=NAME>\\nVALUE\\n</parameter>, or without the line breaks
    minimax_xml     <parameter name="NAME">VALUE</parameter>
    deepseek_xml    <DSML parameter name="NAME" string="true">VALUE</DSML parameter>; "false": VALUE is JSON
    glm_xml         <arg_key>NAME</arg_key><arg_value>VALUE</arg_value>

A string is written as it is, every other value as JSON. So a parameter is a string (or null, written `null`), or it is
no string at all: `parameter_texts.py` reads that off its schema, and refuses what can't be told apart. No value holds a
mark, not in strings inside its JSON either: whoever reads calls looks for marks alone.

Parameters come in the schema's order, each once. Others than those in `properties` are not written, but for a schema
that has no `properties` at all and allows any: there every value is a string.

A schema of strings has these styles too: one value alone, without marks of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import GrammarError, InvalidSchemaError, UnsupportedSchemaError
from ..json_paths import escape
from ..regex import python_re
from ..rules.expressions import Expression, JsonDocument, Repeat, Terminal
from ..schema_input import json_text
from ..spec import GrammarSpec
from .marks import choice, then
from .parameter_texts import kinds_of, read_text_parameter, refused, text_without
from .parameters import parameter_schema, parameters_of
from .places import Place
from .tokens import TokenNames, spell

_NAME = r"[^\s<>\"'=]([^<>\"'=\n]*[^\s<>\"'=])?"  # no mark, and no space that a reader would take away
_NEW_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,63}"  # of a parameter that no schema has
_NULL_AS_TEXT = r"(?![nN][uU][lL][lL]\Z)"  # readers take it for null, however it is written
_NO_OUTER_LINE_BREAK = r"(?!\n)(?![\s\S]*\n\Z)"
_MAX_WHITESPACE = 8  # characters between parameters where nothing says how many


@dataclass(frozen=True)
class ArgumentStyle:
    """How a parameter is written.

    begin: its marks before the value, with whitespace between them; NAME stands for the name, KIND for whether the
    value is a string, "true" or "false". end: the mark behind the value. marks: the pattern, for Python and ECMAScript,
    of what readers may take for a mark. is_wrapped: readers take a line break away on each side of the value.
    """

    begin: tuple[str, ...]
    end: str
    marks: str
    is_wrapped: bool = False


_DSML = "\uff5cDSML\uff5c"  # between full-width bars
_OF_DEEPSEEK = rf"<\s*/?\s*{_DSML}"
STYLES: Mapping[str, ArgumentStyle] = {
    "qwen_xml": ArgumentStyle(
        ("<parameter=NAME>",), "</parameter>", r"<\s*/?\s*(?:parameter|function|tool_call)", is_wrapped=True
    ),
    "minimax_xml": ArgumentStyle(
        ('<parameter name="NAME">',), "</parameter>", r"<\s*/?\s*(?:parameter|invoke|minimax:tool_call)"
    ),
    "deepseek_xml": ArgumentStyle(
        (f'<{_DSML}parameter name="NAME" string="KIND">',), f"</{_DSML}parameter>", _OF_DEEPSEEK
    ),
    "deepseek_v4_1_xml": ArgumentStyle(
        (f'<{_DSML} parameter name="NAME" string="KIND">',), f"</{_DSML} parameter>", _OF_DEEPSEEK
    ),
    "glm_xml": ArgumentStyle(
        ("<arg_key>NAME</arg_key>", "<arg_value>"), "</arg_value>", r"<\s*/?\s*(?:arg_key|arg_value|tool_call)"
    ),
}


def read_arguments(
    place: Place,
    schema: Any,
    style: str,
    names: TokenNames,
    stops: tuple[str, ...],
    whitespace: str,
    max_whitespace: int | None,
) -> Expression:
    """The texts of a format with a style.

    place: of the format. schema: of it, read. stops: what ends the tag around. The others are those of `Arguments`.
    Raises UnsupportedSchemaError for what can't be written like this.
    """
    if style not in STYLES:
        known = ", ".join(["json", *STYLES])
        raise UnsupportedSchemaError(place.pointer, "style", f"{style!r} is not known", f"known are {known}")
    if place.flag("any_order"):
        reason = "the parameters of a call come in the schema's order"
        raise UnsupportedSchemaError(place.pointer, "any_order", reason, "leave it out")
    of_schema = place.field("json_schema")
    arguments = Arguments(STYLES[style], of_schema, names, place.texts("excludes"), whitespace, max_whitespace)
    try:
        if isinstance(schema, Mapping) and schema and kinds_of(schema) <= {"string", "null"}:
            return arguments.read_text(schema, stops)
        return arguments.read(schema)
    except UnsupportedSchemaError as error:
        raise of_schema.in_context(error) from error


class Arguments:
    """The arguments of a schema in a style.

    place: of the schema. names: of special tokens, which marks may hold. excludes: further texts that no string holds.
    whitespace, max_whitespace: inside JSON, as `GrammarSpec` has it, and how many characters between parameters; None:
    a few.
    """

    def __init__(
        self,
        style: ArgumentStyle,
        place: Place,
        names: TokenNames,
        excludes: tuple[str, ...],
        whitespace: str,
        max_whitespace: int | None,
    ) -> None:
        self._style = style
        self._place = place
        self._names = names
        self._marks = "|".join([style.marks, *map(_escaped, excludes)])
        self._whitespace = whitespace
        count = _MAX_WHITESPACE if max_whitespace is None else max_whitespace
        self._space = Terminal(python_re.full(rf"[ \n\r\t]{{0,{count}}}"))

    def read(self, schema: Any) -> Expression:
        """The texts of all arguments. Raises UnsupportedSchemaError for what can't be written like this."""
        if schema is not True and not isinstance(schema, Mapping):
            raise refused("", "false", "has no arguments")
        said: Mapping[str, Any] = {} if schema is True else schema
        types = said.get("type", "object")
        if "object" not in (types if isinstance(types, list) else [types]):
            raise refused("", "type", "of arguments is an object, and of a value alone a string")
        parameters = parameters_of(said)
        if "properties" not in said and said.get("additionalProperties", True) is True:
            return then(self._space, Repeat(then(self._any_parameter(), self._space), 0, None))
        parts: list[Expression] = [self._space]
        for name, one in parameters.items():
            parameter = parameter_schema(said, name, one)
            if parameter is not None:
                written = then(self._parameter(name, parameter), self._space)
                parts.append(written if name in said.get("required", ()) else Repeat(written, 0, 1))
        return then(*parts)

    def read_text(self, schema: Any, stops: tuple[str, ...]) -> Expression:
        """One value alone, for a schema of strings: a text as it is. stops: what ends the tag around it."""
        marks = "|".join([self._marks, *map(_escaped, stops)])
        text = read_text_parameter(schema, "", marks)
        if text is None or text.may_be_null:
            raise refused("", "type", "of arguments is an object, and of a value alone a string")
        return Terminal(python_re.full(text.pattern))

    def _parameter(self, name: str, schema: Any) -> Expression:
        if not re.fullmatch(_NAME, name):
            raise refused("", "properties", f"has the parameter {name!r}: its name can't be told from what follows it")
        text = read_text_parameter(schema, f"/properties/{escape(name)}", self._marks)
        if text is None:
            return self._marked(name, self._json(name, schema), is_text=False)
        pattern = rf"{_NULL_AS_TEXT}(?:{text.pattern})" if text.may_be_null else text.pattern
        written = self._marked(name, self._text(pattern), is_text=True)
        if not text.may_be_null:
            return written
        return choice([written, self._marked(name, self._wrapped(_const("null")), is_text=False)])

    def _any_parameter(self) -> Expression:
        """A parameter of any name, with any text."""
        before, _, behind = self._style.begin[0].partition("NAME")
        first = then(self._spelled(before), Terminal(python_re.full(_NEW_NAME)), self._spelled(_of_kind(behind, True)))
        rest = [part for mark in self._style.begin[1:] for part in (self._space, self._spelled(mark))]
        return then(first, *rest, self._text(f"{text_without(self._marks)}*"), self._spelled(self._style.end))

    def _marked(self, name: str, value: Expression, *, is_text: bool) -> Expression:
        first, *others = [_of_kind(mark, is_text).replace("NAME", name) for mark in self._style.begin]
        rest = [part for mark in others for part in (self._space, self._spelled(mark))]
        return then(self._spelled(first), *rest, value, self._spelled(self._style.end))

    def _text(self, pattern: str) -> Expression:
        """A text of the pattern, such that readers find it again."""
        bare = Terminal(python_re.full(f"{_NO_OUTER_LINE_BREAK}(?:{pattern})" if self._style.is_wrapped else pattern))
        if not self._style.is_wrapped:
            return bare
        return choice([then(_const("\n"), Terminal(python_re.full(pattern)), _const("\n")), bare])

    def _wrapped(self, value: Expression) -> Expression:
        if not self._style.is_wrapped:
            return value
        return choice([then(_const("\n"), value, _const("\n")), value])

    def _json(self, name: str, schema: Any) -> Expression:
        def in_context(error: GrammarError) -> GrammarError:
            return self._place.in_context(_at_parameter(error, name))

        held = _without_marks(schema, self._marks) if kinds_of(schema) & {"object", "array"} else schema
        spec = GrammarSpec("json_schema", json_text(held), self._whitespace, "schema")
        return self._wrapped(JsonDocument(spec, in_context, self._place.where))

    def _spelled(self, text: str) -> Expression:
        return spell(self._names.split(Place(text, self._place.pointer)))


def _const(text: str) -> Expression:
    return spell([text])


def _of_kind(mark: str, is_text: bool) -> str:
    return mark.replace("KIND", "true" if is_text else "false")


def _escaped(text: str) -> str:
    """A text as a pattern that Python and ECMAScript read alike."""
    return re.sub(r"[\\^$.*+?()\[\]{}|]", lambda found: f"\\{found[0]}", text)


def _without_marks(schema: Any, marks: str) -> dict[str, Any]:
    """The values of a schema that hold no mark in any string or name. It is written for every draft of JSON Schema."""
    shared = schema if isinstance(schema, Mapping) else {}
    definitions = shared.get("$defs", {})
    name = "value-without-marks"
    while name in definitions:
        name += "-"
    again = {"$ref": f"#/$defs/{name}"}
    clean = {
        "not": {"type": "string", "pattern": marks},
        "items": again,
        "patternProperties": {marks: {"not": {}}},
        "additionalProperties": again,
    }
    root = {key: shared[key] for key in ("$schema", "definitions") if key in shared}
    inner = {key: value for key, value in shared.items() if key not in ("$schema", "$defs", "definitions")}
    return {**root, "$defs": {**definitions, name: clean}, "allOf": [inner if shared else schema, again]}


def _at_parameter(error: GrammarError, name: str) -> GrammarError:
    """The error with its pointer in the whole schema. Each parameter is compiled with what it refers to beside it."""
    if not isinstance(error, InvalidSchemaError | UnsupportedSchemaError):
        return error
    pointer = error.pointer
    while pointer.startswith("/allOf/0"):
        pointer = pointer.removeprefix("/allOf/0")
    if not pointer.startswith(("/$defs/", "/definitions/")):
        pointer = f"/properties/{escape(name)}{pointer}"
    if isinstance(error, InvalidSchemaError):
        return InvalidSchemaError(error.reason, pointer)
    return UnsupportedSchemaError(pointer, error.keyword, error.reason, error.suggestion)
