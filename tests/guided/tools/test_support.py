"""Which syntax a chat template writes is found by rendering it, whatever form of calls it wants."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from guided.cli import main
from guided.grammars.vocabulary import Vocabulary
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.call_reader import CallReader
from guided.tools.conversation import prepare
from guided.tools.families import DEFAULT, FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.support import ToolSupport, find_support
from guided.tools.syntax import ToolSyntax
from tests.guided.tiny_model import CHAT_TEMPLATE
from tests.guided.tools import templates
from tests.guided.tools.test_grammar_and_reader import fits

UNKNOWN = ToolSupport(DEFAULT, shows_tools=False, writes_calls=False, is_known=False)
CALL = """'\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": '"""
CLOSER = "'}\\n</tool_call>'"
ARGUMENTS = "call.function.arguments | tojson"
assert all(mark in templates.QWEN.replace("\\\\", "\\") for mark in (CALL, CLOSER, ARGUMENTS))


def qwen(**changes: str) -> str:
    """The template of Qwen with other marks."""
    template = templates.QWEN
    for name, text in changes.items():
        template = template.replace(globals()[name], text)
    return template


@pytest.mark.parametrize(
    ("template", "name", "shows_tools"),
    [
        (templates.QWEN, "hermes", True),
        (templates.LLAMA, "llama3_json", True),
        (templates.MISTRAL, "mistral", True),
        (templates.MISTRAL_ARGS, "mistral_args", True),
        (templates.MISTRAL_IDS, "mistral_ids", True),
        (templates.DEEPSEEK, "deepseek_v3", False),
        (templates.DEEPSEEK_V31, "deepseek_v31", False),
        (templates.QWEN_CODER, "qwen3_coder", True),
    ],
)
def test_the_syntax_that_a_template_writes(template: str, name: str, shows_tools: bool) -> None:
    support = find_support(template)
    assert support.is_known
    assert (support.syntax.name, support.shows_tools, support.writes_calls) == (name, shows_tools, True)


@pytest.mark.parametrize(
    "template",
    [
        CHAT_TEMPLATE,
        templates.UNKNOWN,
        "{% if %}",
        "{{ 1 / 0 }}",
        qwen(ARGUMENTS="call.function.arguments | length"),
        qwen(ARGUMENTS="call.function.arguments | tojson | length"),
    ],
)
def test_what_no_family_writes_is_unknown(template: str) -> None:
    """Also where marks of a family stand in the template."""
    assert find_support(template) == replace(UNKNOWN, wants_list=template == templates.UNKNOWN)


@pytest.mark.parametrize(
    ("template", "call", "trigger"),
    [
        (
            qwen(CLOSER="', \"strict\": true}\\n</tool_call>'"),
            '<tool_call>\n{"name": "NAME", "arguments": ARGUMENTS, "strict": true}\n</tool_call>',
            "<tool_call>",
        ),
        (
            qwen(CALL="'\\nASK ' + call.id + ' {\"' + call.function.name + '\": '", CLOSER="'}'"),
            'ASK ID {"NAME": ARGUMENTS}',
            "ASK",
        ),
        (
            qwen(CALL='\'\\n{"tool": "\' + call.function.name + \'", "with": \'', CLOSER="'}'"),
            '{"tool": "NAME", "with": ARGUMENTS}',
            "",
        ),
    ],
)
def test_a_family_that_is_not_known_is_learned(template: str, call: str, trigger: str) -> None:
    """Marks of a known family that are a part of others are none of its."""
    support = find_support(template)
    assert (support.is_known, support.writes_calls) == (True, True)
    assert (support.syntax.name, support.syntax.call, support.syntax.trigger) == ("learned", call, trigger)
    assert (support.syntax.between, support.syntax.group_begin) == ("\n", "")


def test_text_may_have_blocks_of_code_where_calls_are_some() -> None:
    call = """'\\n```json\\n{"name": "' + call.function.name + '", "with": '"""
    syntax = find_support(qwen(CALL=call, CLOSER="'}\\n```'")).syntax
    assert (syntax.name, syntax.trigger) == ("learned", '```json\n{"name": "')
    vocabulary = Vocabulary([*(bytes([i]) for i in range(256)), None], [256], {"<eos>": 256})
    tag = tool_tag(syntax, ToolUse((Tool("f"),)))
    assert fits(vocabulary, tag, 'So:\n```json\n{"a": 1}\n```\n```json\n{"name": "f", "with": {}}\n```')
    assert not fits(vocabulary, tag, '```json\n{"name": "g", "with": {}}\n```')


def test_a_group_is_learned() -> None:
    loop = "{%- for call in message.tool_calls %}"
    template = qwen(
        CALL="""'{"name": "' + call.function.name + '", "input": '""", CLOSER="'}' + ('' if loop.last else ',')"
    )
    template = template.replace(loop, "{{- '<calls>[' }}" + loop).replace(
        "{%- endfor %}\n        {{- '<|im", "{%- endfor %}\n        {{- ']</calls><|im"
    )
    syntax = find_support(template).syntax
    assert (syntax.group_begin, syntax.between, syntax.group_end) == ("<calls>[", ",", "]</calls>")
    assert (syntax.call, syntax.trigger) == ('{"name": "NAME", "input": ARGUMENTS}', "<calls>")


def test_whitespace_is_that_of_the_template() -> None:
    support = find_support(qwen(CLOSER="' }</tool_call>'"))
    assert support.syntax.call == '<tool_call>\n{"name": "NAME", "arguments": ARGUMENTS }</tool_call>'
    spaced = find_support(templates.MISTRAL.replace("[TOOL_CALLS][", "[TOOL_CALLS] ["))
    assert spaced.syntax.group_begin == "[TOOL_CALLS] ["
    assert find_support(templates.QWEN).syntax == DEFAULT


def test_forms_of_calls_that_templates_want() -> None:
    assert find_support(qwen(ARGUMENTS="call.function.arguments + ''")).arguments_as_text
    silent = templates.QWEN.replace("not message.tool_calls", "message.content is not none")
    support = find_support(silent)
    assert (support.writes_calls, support.empty_content, support.splits_text) == (True, None, True)
    assert not find_support(templates.LLAMA).syntax.is_parallel
    changes = templates.QWEN.replace(
        "{%- if message.content %}", "{%- set _ = [].append(1) %}{%- if message.content %}"
    )
    assert find_support(changes) == ToolSupport(DEFAULT, shows_tools=True, writes_calls=False)


def test_a_template_that_only_shows_tools_is_known_by_what_it_says_of_calls() -> None:
    shown = "{% for tool in tools %}{{ tool.function.name }}{% endfor %}MARKS{{ messages[0].content }}"
    for marks, name in (
        ('<tool_call>{"name": ..., "arguments": ...}</tool_call>', "hermes"),
        ("<tool_call><function=f><parameter=p></tool_call>", "qwen3_coder"),
    ):
        template = shown.replace("MARKS", "{% if tools %}" + marks + "{% endif %}")
        support = find_support(template)
        assert (support.syntax.name, support.shows_tools, support.writes_calls) == (name, True, False)
        assert not find_support(shown.replace("MARKS", marks)).is_known, "said with and without tools"


@pytest.mark.parametrize("syntax", FAMILIES.values(), ids=lambda syntax: syntax.name)
def test_readers_take_other_whitespace_between_marks(syntax: ToolSyntax) -> None:
    text = syntax.spell([ToolCall("", "f", "{}"), ToolCall("", "g", "{}")][: 2 if syntax.is_parallel else 1])
    other = text.replace("\n", "").replace('": ', '" :\n ').replace("}, {", "} ,{")
    for pieces in [other], list(other):
        reader = CallReader(syntax, (Tool("f"), Tool("g")))
        shown = "".join(reader.push(piece)[0] for piece in pieces) + reader.finish()[0]
        assert (shown, [call.name for call in reader.calls]) == ("", ["f", "g"][: len(reader.calls)])
        assert len(reader.calls) == (2 if syntax.is_parallel else 1)


def test_check_tells_of_a_template(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "template.jinja"
    for template, family, said in (
        (templates.MISTRAL, "mistral", "[TOOL_CALLS][{"),
        (CHAT_TEMPLATE, None, "warning: the model's chat template writes no calls of a known family"),
    ):
        path.write_text(template)
        with pytest.raises(SystemExit):
            main(["check", "--chat-template", str(path)])
        assert said in capsys.readouterr().out.replace("\n", " ")
        with pytest.raises(SystemExit):
            main(["check", "--chat-template", str(path), "--json"])
        assert json.loads(capsys.readouterr().out)["family"] == family
    several = [{"name": "default", "template": CHAT_TEMPLATE}, {"name": "tool_use", "template": templates.MISTRAL}]
    for config, family in (({"chat_template": templates.MISTRAL}, "mistral"), ({"chat_template": several}, "mistral")):
        path.write_text(json.dumps(config))
        with pytest.raises(SystemExit):
            main(["check", "--chat-template", str(path), "--json"])
        assert json.loads(capsys.readouterr().out)["family"] == family
    path.write_text("{}")
    with pytest.raises(SystemExit):
        main(["check", "--chat-template", str(path)])
    assert "no chat_template" in capsys.readouterr().err


@pytest.mark.parametrize("ids", [("", ""), ("x", "x"), ("x", "y")])
def test_results_without_an_id_where_calls_come_one_by_one(ids: tuple[str, str]) -> None:
    """Each goes behind its call; one too many stands behind all of them."""
    functions = [{"id": one, "function": {"name": name, "arguments": {}}} for one, name in zip(ids, "fg", strict=True)]
    results = [{"role": "tool", "content": content} for content in ("of f", "of g", "of none")]
    messages = [{"role": "user", "content": "Go"}, {"role": "assistant", "tool_calls": functions}, *results]
    _, *prepared = prepare(messages, None, find_support(templates.LLAMA))
    shown = [one["tool_calls"][0]["function"]["name"] if "tool_calls" in one else one["content"] for one in prepared]
    assert shown == ["f", "of f", "g", "of g", "of none"]


def test_calls_have_no_id_where_the_template_writes_none() -> None:
    """Also where others of the family do."""
    call = """('<tool_calls>[' if loop.first else ', ') + '{"name": "' + call.function.name + '", "arguments": '"""
    end = "(']</tool_calls>' if loop.last else '')"
    plain = find_support(qwen(CALL=call, CLOSER=f"'}}' + {end}")).syntax
    assert (plain.name, plain.id_part) == ("hunyuan", "")
    assert plain.spell([ToolCall("x", "f", "{}")]) == '<tool_calls>[{"name": "f", "arguments": {}}]</tool_calls>'
    with_ids = find_support(qwen(CALL=call, CLOSER=f"""', "id": "' + call.id + '"}}' + {end}""")).syntax
    assert (with_ids.name, with_ids.id_part) == ("hunyuan", ', "id": "ID"')
