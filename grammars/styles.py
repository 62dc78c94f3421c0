"""`Style`: how a style writes the members of an object in another form than JSON. `STYLES` holds them as data.

    qwen_xml           <parameter=NAME>\\nVALUE\\n</parameter>, or without the line breaks
    minimax_xml        <parameter name="NAME">VALUE</parameter>
    minicpm5_xml       <param name="NAME">VALUE</param>
    atem_xml           <atem:parameter name="NAME">VALUE</atem:parameter>
    step3_xml          <steptml:parameter name="NAME">VALUE</steptml:parameter>
    minimax_m3_xml     ]<]minimax[>[<NAME>VALUE]<]minimax[>[</NAME>
    deepseek_xml       <DSML parameter name="NAME" string="true">VALUE</DSML parameter>; "false": VALUE is JSON
    deepseek_v4_1_xml  the same with a space before `parameter`
    glm_xml            <arg_key>NAME</arg_key><arg_value>VALUE</arg_value>
    hy3_xml            <arg_key:opensource>NAME</arg_key:opensource><arg_value:opensource>VALUE</arg_value:opensource>
    kimi_k3_xml        <|open|>argument key="NAME" type="string"<|sep|>VALUE<|close|>argument<|sep|>
    cohere_xml         <cofl:value name="NAME" type="raw">VALUE</cofl:value>
    gemma              {NAME:VALUE,NAME:VALUE}, strings as <|"|>VALUE<|"|>
    function_gemma     the same with strings as <escape>VALUE<escape>

Whitespace may stand between members, and after arrays and objects in JSON. Readers also take whitespace around other
JSON values. A string is written literally, any other value as JSON. Deep styles write arrays and objects the way they
write members.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

JsonType = Literal["null", "boolean", "number", "string", "object", "array"]
JSON_TYPES: frozenset[JsonType] = frozenset(get_args(JsonType))
WHITESPACE = " \n\r\t"
ITEM = "item"
"""The name of an item's mark in styles whose marks do not tell arrays from objects."""


@dataclass(frozen=True)
class Style:
    """A way to write members. Marks may contain NAME (the member's name) and KIND (the entry of `kinds` for its type).

    begin: marks before the value; whitespace may stand between them.
    end: mark after the value.
    marks: pattern, valid for Python and ECMAScript, of the marks that the family's parsers look for. No value and no
        name may contain a match.
    names: pattern of all names that can be written.
    escapes: pairs (character, replacement) for names; default none.
    kinds: type -> word for KIND. Empty: the text itself has to tell the type, see `style_texts`.
    is_wrapped: True if readers remove one line break on each side of a value.
    quote: string on both sides of a string value; "" for none. A style with a quote is otherwise JSON, with bare names.
    braces: strings around all members.
    separator: string between two members.
    item: marks before and after an array item, for a deep style; None for others.
    brackets: strings around all items of an array.
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
        """True if values inside values are written in the style; False if they are JSON."""
        return self.item is not None

    @property
    def tells_strings(self) -> bool:
        """True if marks say which values are strings."""
        return bool(self.kinds or self.quote)

    def begin_of(self, name: str, kind: JsonType) -> tuple[str, ...]:
        """Return the marks before the value of a member."""
        return tuple(self._filled(mark, name, kind) for mark in self.begin)

    def end_of(self, name: str) -> str:
        """Return the mark after the value of a member."""
        return self._filled(self.end, name, "string")

    def _filled(self, mark: str, name: str, kind: JsonType) -> str:
        # KIND goes first, since a name may contain the word KIND
        of_kind = mark.replace("KIND", self.kinds.get(kind, ""))
        return of_kind.replace("NAME", self.escaped(name))

    def escaped(self, name: str) -> str:
        """Return a name as it stands inside marks."""
        for character, escape in self.escapes:
            name = name.replace(character, escape)
        return name


@dataclass(frozen=True)
class Layout:
    """Whitespace that a family of models writes. around: on both sides of a value. between: between the marks of one
    member. behind: after each member.
    """

    around: str = ""
    between: str = ""
    behind: str = ""


def type_of(value: Any) -> JsonType:
    """Return the JSON type of a value that Python's `json` produced."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def _names_without(characters: str) -> str:
    """Return a pattern for one line without these characters. Readers strip whitespace, so the line has none at its
    ends.
    """
    return rf"[^\s{characters}](?:[^\n\r{characters}]*[^\s{characters}])?"


_BARS = "\uff5c"  # full-width vertical bar
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
    ("NAME:",),
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
        marks="[<&]",  # readers parse the text as XML
        names=_names_without('"<>&'),
    ),
    "atem_xml": Style(
        ('<atem:parameter name="NAME">',),
        "</atem:parameter>",
        marks=r"</?atem:|<\|(?:start|message|eom|eot)\|>",
        names=_names_without('">'),
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
        item=(f"{_MINIMAX_M3}<{ITEM}>", f"{_MINIMAX_M3}</{ITEM}>"),
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
    "hy3_xml": Style(
        ("<arg_key:opensource>NAME</arg_key:opensource>", "<arg_value:opensource>"),
        "</arg_value:opensource>",
        marks="</?(?:arg_key|arg_value|tool_call|tool_sep):opensource>",
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
