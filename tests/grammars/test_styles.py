"""What a style writes for an object, and what no style can write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from guided.grammars.errors import UnwritableValueError
from guided.grammars.json_paths import Path
from guided.grammars.style_texts import is_string_text, write_object
from guided.grammars.styles import JSON_TYPES, STYLES, JsonType, Layout

VALUE = {"a": "x y", "n": 1.5, "o": {"k": ["s", True]}}
DSML = "\uff5cDSML\uff5c"
M3 = "]<]minimax[>["
WRITTEN = {
    "qwen_xml": '<parameter=a>x y</parameter><parameter=n>1.5</parameter><parameter=o>{"k": ["s", true]}</parameter>',
    "minimax_xml": '<parameter name="a">x y</parameter><parameter name="n">1.5</parameter><parameter name="o">'
    '{"k": ["s", true]}</parameter>',
    "minicpm5_xml": '<param name="a">x y</param><param name="n">1.5</param><param name="o">{"k": ["s", true]}</param>',
    "atem_xml": '<atem:parameter name="a">x y</atem:parameter><atem:parameter name="n">1.5</atem:parameter>'
    '<atem:parameter name="o">{"k": ["s", true]}</atem:parameter>',
    "hy3_xml": "<arg_key:opensource>a</arg_key:opensource><arg_value:opensource>x y</arg_value:opensource>"
    "<arg_key:opensource>n</arg_key:opensource><arg_value:opensource>1.5</arg_value:opensource>"
    '<arg_key:opensource>o</arg_key:opensource><arg_value:opensource>{"k": ["s", true]}</arg_value:opensource>',
    "step3_xml": '<steptml:parameter name="a">x y</steptml:parameter><steptml:parameter name="n">1.5'
    '</steptml:parameter><steptml:parameter name="o">{"k": ["s", true]}</steptml:parameter>',
    "minimax_m3_xml": f"{M3}<a>x y{M3}</a>{M3}<n>1.5{M3}</n>{M3}<o>{M3}<k>{M3}<item>s{M3}</item>{M3}<item>true{M3}"
    f"</item>{M3}</k>{M3}</o>",
    "deepseek_xml": f'<{DSML}parameter name="a" string="true">x y</{DSML}parameter><{DSML}parameter name="n" '
    f'string="false">1.5</{DSML}parameter><{DSML}parameter name="o" string="false">{{"k": ["s", true]}}</{DSML}'
    "parameter>",
    "deepseek_v4_1_xml": f'<{DSML} parameter name="a" string="true">x y</{DSML} parameter><{DSML} parameter name="n" '
    f'string="false">1.5</{DSML} parameter><{DSML} parameter name="o" string="false">{{"k": ["s", true]}}</{DSML} '
    "parameter>",
    "glm_xml": "<arg_key>a</arg_key><arg_value>x y</arg_value><arg_key>n</arg_key><arg_value>1.5</arg_value>"
    '<arg_key>o</arg_key><arg_value>{"k": ["s", true]}</arg_value>',
    "kimi_k3_xml": '<|open|>argument key="a" type="string"<|sep|>x y<|close|>argument<|sep|><|open|>argument key="n" '
    'type="number"<|sep|>1.5<|close|>argument<|sep|><|open|>argument key="o" type="object"<|sep|>{"k": ["s", true]}'
    "<|close|>argument<|sep|>",
    "cohere_xml": '<cofl:value name="a" type="raw">x y</cofl:value><cofl:value name="n" type="json">1.5</cofl:value>'
    '<cofl:value name="o" type="dict"><cofl:value name="k" type="list"><cofl:value type="raw">s</cofl:value>'
    '<cofl:value type="json">true</cofl:value></cofl:value></cofl:value>',
    "gemma": '{a:<|"|>x y<|"|>,n:1.5,o:{k:[<|"|>s<|"|>,true]}}',
    "function_gemma": "{a:<escape>x y<escape>,n:1.5,o:{k:[<escape>s<escape>,true]}}",
}
UNMARKED = [name for name, style in STYLES.items() if not style.tells_strings]


def of(*types: JsonType) -> Any:
    def types_at(path: Path) -> frozenset[JsonType]:
        return frozenset(types)

    return types_at


@pytest.mark.parametrize("name", STYLES)
def test_a_style_writes_members_as_its_readers_expect_them(name: str) -> None:
    assert write_object(STYLES[name], VALUE) == WRITTEN[name]
    assert set(WRITTEN) == set(STYLES)


def test_a_layout_is_written_around_values_and_marks() -> None:
    assert write_object(STYLES["qwen_xml"], {"a": 1}, layout=Layout(around="\n", behind="\n")) == (
        "<parameter=a>\n1\n</parameter>\n"
    )
    assert write_object(STYLES["glm_xml"], {"a": 1}, layout=Layout(between="\n", behind="\n")) == (
        "<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n"
    )


def test_line_breaks_that_readers_would_take_away_are_written_twice() -> None:
    assert write_object(STYLES["qwen_xml"], {"a": "x\n"}) == "<parameter=a>\nx\n\n</parameter>"


def test_escapes_stand_in_names_alone() -> None:
    written = write_object(STYLES["kimi_k3_xml"], {'"&NAME KIND': "&"})
    assert written == '<|open|>argument key="&quot;&amp;NAME KIND" type="string"<|sep|>&<|close|>argument<|sep|>'


@pytest.mark.parametrize("name", STYLES)
def test_no_value_and_no_name_holds_a_mark(name: str) -> None:
    style = STYLES[name]
    mark = style.quote or style.end
    for value in ({"a": f"x{mark}"}, {"a": [{"k": f"{mark}y"}]}, {f"a{mark}": 1}):
        with pytest.raises(UnwritableValueError, match="can't write the value at '/a"):
            write_object(style, value)


@pytest.mark.parametrize("name", UNMARKED)
def test_strings_that_would_be_read_as_permitted_values_are_not_written(name: str) -> None:
    style = STYLES[name]
    for text, kind in (("12", "number"), (" -1.5e3\n", "number"), ("true", "boolean"), ("null", "null")):
        with pytest.raises(UnwritableValueError, match="read as another value"):
            write_object(style, {"a": text}, of("string", kind))
        assert text in write_object(style, {"a": text}, of("string", *(JSON_TYPES - {kind})))
        with pytest.raises(UnwritableValueError, match="read as another value"):
            write_object(style, {"a": json.loads(text)}, of("string", *(JSON_TYPES - {kind})))


def test_strings_that_look_like_containers_are_not_written_where_these_may_stand() -> None:
    permitted: frozenset[JsonType] = frozenset(("string", "array"))
    assert not is_string_text(" [x", permitted, is_deep=False)
    assert is_string_text(" {x", permitted, is_deep=False)
    assert is_string_text("[x", permitted, is_deep=True)


def test_elements_that_could_be_read_as_others_are_not_written() -> None:
    style = STYLES["minimax_m3_xml"]
    for value, types in (([], "string"), ({}, "string"), ({}, "array"), ({"item": 1, "b": 2}, "array")):
        with pytest.raises(UnwritableValueError, match="read as another value"):
            write_object(style, {"a": value}, of("array", "object", types))
    assert write_object(style, {"a": {"item": 1}}, of("object", "number")).count("item") == 2
