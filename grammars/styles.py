"""`Style`: how a schema's `style` writes the members of an object, other than as JSON; `STYLES` holds them as data.

    qwen_xml           <parameter=NAME>\\nVALUE\\n</parameter>, or without the line breaks
    minimax_xml        <parameter name="NAME">VALUE</parameter>
    minicpm5_xml       <param name="NAME">VALUE</param>
    step3_xml          <steptml:parameter name="NAME">VALUE</steptml:parameter>
    minimax_m3_xml     ]<]minimax[>[<NAME>VALUE]<]minimax[>[</NAME>
    deepseek_xml       <DSML parameter name="NAME" string="true">VALUE</DSML parameter>; "false": VALUE is JSON
    deepseek_v4_1_xml  the same with a space before `parameter`
    glm_xml            <arg_key>NAME</arg_key><arg_value>VALUE</arg_value>
    kimi_k3_xml        <|open|>argument key="NAME" type="string"<|sep|>VALUE<|close|>argument<|sep|>
    cohere_xml         <cofl:value name="NAME" type="raw">VALUE</cofl:value>
    gemma              {NAME:VALUE,NAME:VALUE}, strings as <|"|>VALUE<|"|>
    function_gemma     the same with strings as <escape>VALUE<escape>

Whitespace may stand between members, and behind arrays and objects in JSON; readers take it around other JSON values,
too. A string is written as it stands, any other value as JSON; in deep styles arrays and objects are written as the
style writes members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

JsonType = Literal["null", "boolean", "number", "string", "object", "array"]
JSON_TYPES: frozenset[JsonType] = frozenset(get_args(JsonType))
WHITESPACE = " \n\r\t"


@dataclass(frozen=True)
class Style:
    """How a member is written. In marks NAME stands for its name, KIND for what `kinds` has for its value's type.

    begin: the marks before the value; whitespace may stand between them. end: the mark behind it.
    marks: the pattern, for Python and ECMAScript, of the marks that parsers of the family look for inside of a value,
    or of a name. None holds one.
    names: the pattern of all names that can be written; `escapes` are written in them, each for a character.
    kinds: for each type of value what marks say; empty: the text itself has to tell, see `style_texts`.
    is_wrapped: readers take one line break away on each side of a value.
    quote: stands on both sides of a string.
    braces, separator: around all members, and between two of them.
    item: for a deep style, the marks before and behind an item of an array. brackets: around all items.
    """

    begin: tuple[str, ...]
    end: str
    marks: str
    names: str
    kinds: Mapping[JsonType, str] = field(default_factory=dict)
    escapes: tuple[tuple[str, str], ...] = ()
    is_wrapped: bool = False
    quote: str = ""
    braces: tuple[str, str] = ("", "")
    separator: str = ""
    item: tuple[str, str] | None = None
    brackets: tuple[str, str] = ("", "")

    @property
    def is_deep(self) -> bool:
        """Values inside of values are written in the style; otherwise they are JSON."""
        return self.item is not None

    @property
    def tells_strings(self) -> bool:
        """Marks say which values are strings."""
        return bool(self.kinds or self.quote)

    def begin_of(self, name: str, kind: JsonType) -> tuple[str, ...]:
        """The marks before the value of a member."""
        return tuple(self._filled(mark, name, kind) for mark in self.begin)

    def end_of(self, name: str) -> str:
        """The mark behind the value of a member."""
        return self._filled(self.end, name, "string")

    def _filled(self, mark: str, name: str, kind: JsonType) -> str:
        of_kind = mark.replace("KIND", self.kinds.get(kind, ""))  # first: a name may hold the word KIND
        return of_kind.replace("NAME", self.escaped(name))

    def escaped(self, name: str) -> str:
        """A name as marks have it."""
        for character, escape in self.escapes:
            name = name.replace(character, escape)
        return name


@dataclass(frozen=True)
class Layout:
    """The whitespace that a family of models writes. around: values. between: the marks of one member. behind: each
    member."""

    around: str = ""
    between: str = ""
    behind: str = ""


def type_of(value: Any) -> JsonType:
    """The JSON type of a value as Python's `json` reads it."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def _names_without(characters: str) -> str:
    """One line without these characters, with no whitespace at its ends, which readers take away."""
    return rf"[^\s{characters}](?:[^\n\r{characters}]*[^\s{characters}])?"


_BARS = "\uff5c"  # full-width
_DSML = f"{_BARS}DSML{_BARS}"
_OF_DEEPSEEK = f"</?{_DSML}"
_IS_STRING: Mapping[JsonType, str] = {kind: "true" if kind == "string" else "false" for kind in sorted(JSON_TYPES)}
_OF_COHERE: Mapping[JsonType, str] = {
    "string": "raw",
    "number": "json",
    "boolean": "json",
    "null": "json",
    "object": "dict",
    "array": "list",
}
_ENTITIES = (("&", "&amp;"), ('"', "&quot;"))
_MINIMAX_M3 = "]<]minimax[>["
_GEMMA = Style(
    ("NAME", ":"),
    "",
    marks=r'<\|"\|>',
    names=_names_without(r":,{}\[\]"),
    quote='<|"|>',
    braces=("{", "}"),
    separator=",",
    item=("", ""),
    brackets=("[", "]"),
)
STYLES: Mapping[str, Style] = {
    "qwen_xml": Style(
        ("<parameter=NAME>",),
        "</parameter>",
        marks="</parameter>|<parameter=|</function>|</tool_call>",
        names=_names_without(">"),
        is_wrapped=True,
    ),
    "minimax_xml": Style(
        ('<parameter name="NAME">',),
        "</parameter>",
        marks="</parameter>|<parameter name=|</invoke>|</minimax:tool_call>",
        names=_names_without('">'),
    ),
    "minicpm5_xml": Style(
        ('<param name="NAME">',),
        "</param>",
        marks="[<&]",  # it is read as XML
        names=_names_without('"<>&'),
    ),
    "step3_xml": Style(
        ('<steptml:parameter name="NAME">',),
        "</steptml:parameter>",
        marks="</?steptml:",
        names=_names_without('">'),
    ),
    "minimax_m3_xml": Style(
        (f"{_MINIMAX_M3}<NAME>",),
        f"{_MINIMAX_M3}</NAME>",
        marks=r"\]<\]minimax\[>\[",
        names=rf"(?!/){_names_without('>')}",
        item=(f"{_MINIMAX_M3}<item>", f"{_MINIMAX_M3}</item>"),
    ),
    "deepseek_xml": Style(
        (f'<{_DSML}parameter name="NAME" string="KIND">',),
        f"</{_DSML}parameter>",
        marks=_OF_DEEPSEEK,
        names=_names_without('">'),
        kinds=_IS_STRING,
    ),
    "deepseek_v4_1_xml": Style(
        (f'<{_DSML} parameter name="NAME" string="KIND">',),
        f"</{_DSML} parameter>",
        marks=_OF_DEEPSEEK,
        names=_names_without('">'),
        kinds=_IS_STRING,
    ),
    "glm_xml": Style(
        ("<arg_key>NAME</arg_key>", "<arg_value>"),
        "</arg_value>",
        marks="</arg_key>|</arg_value>|</tool_call>",
        names=_names_without(""),
    ),
    "kimi_k3_xml": Style(
        ('<|open|>argument key="NAME" type="KIND"<|sep|>',),
        "<|close|>argument<|sep|>",
        marks=r"<\|(?:open|close|sep)\|>",
        names=r"[\s\S]*",
        kinds={kind: kind for kind in sorted(JSON_TYPES)},
        escapes=_ENTITIES,
    ),
    "cohere_xml": Style(
        ('<cofl:value name="NAME" type="KIND">',),
        "</cofl:value>",
        marks="</?cofl:",
        names=r"[^\x00]+",
        kinds=_OF_COHERE,
        escapes=(*_ENTITIES, ("<", "&lt;"), (">", "&gt;")),
        item=('<cofl:value type="KIND">', "</cofl:value>"),
    ),
    "gemma": _GEMMA,
    "function_gemma": replace(_GEMMA, marks="<escape>", quote="<escape>"),
}
