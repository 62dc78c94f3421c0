"""Templates that want messages in a form of their own: each is known for what it writes, and no conversation fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from guided.errors import ChatTemplateError
from guided.requests.prompting import Conversation
from guided.tools import Tool, ToolUse
from guided.tools.conversation import folded
from guided.tools.families import FAMILIES
from guided.tools.python_arguments import PythonArguments
from guided.tools.styled_arguments import StyledArguments
from guided.tools.support import find_support
from guided.tools.syntax import ToolSyntax
from tests.guided.tools.test_templates import encoder_for, prompt

TOOLS = ToolUse((Tool("f", None, {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": True}}),))
CALL = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": "x"}'}}
SAID = {"role": "assistant", "content": "Said."}
TALK: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Go."},
    {"role": "assistant", "content": "I look.", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "Done."},
    {"role": "user", "content": "Hurry."},
    SAID,
    {"role": "system", "content": "Stay calm."},
    {"role": "user", "content": "Go on."},
]

# One turn a message; what a template refuses is put before all, what it writes of tools where TOOLS stands.
TURNS = """
{%- for message in messages %}
{%- if message.role == 'user' %}{{- '<|im_start|>user\\n' + message.content + '<|im_end|>' }}
{%- elif message.role == 'tool' %}{{- '<|im_start|>tool\\n' + message.content + '<|im_end|>' }}
{%- else %}{{- '<|im_start|>' + message.role + '\\n' + (message.content or '') }}
{%- for call in message.tool_calls or [] %}
{{- '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) }}
{{- '}\\n</tool_call>' + ('' if loop.last else '\\n') }}
{%- endfor %}{{- '<|im_end|>' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}
"""
SHOWN = "{%- if tools %}{{- tools | tojson }}{%- endif %}"
AT_EACH = "{%- for message in messages %}"
WITHOUT_CALLS = "rejectattr('role', 'in', ['tool', 'system']) | rejectattr('tool_calls', 'defined') | list"


def refused(condition: str, loop: str = "messages") -> str:
    fails = "{{ raise_exception('no') }}"
    return f"{{%- for message in {loop} %}}{{%- if {condition} %}}{fails}{{%- endif %}}{{%- endfor %}}"


ODD = {
    "no system": refused("message.role == 'system'") + SHOWN + TURNS,
    "one system": refused("message.role == 'system' and not loop.first") + SHOWN + TURNS,
    "system left out": SHOWN + TURNS.replace(AT_EACH, "{%- for message in messages if message.role != 'system' %}"),
    "turns of two": refused(
        "(message.role == 'user') != (loop.index0 % 2 == 0)", f"messages | {WITHOUT_CALLS}"
    )
    + refused("message.role == 'user' and loop.previtem and loop.previtem.role in ('tool', 'user')")
    + SHOWN
    + TURNS,
    "the user last": refused("loop.last and message.role == 'assistant'") + SHOWN + TURNS,
    "results at once": refused("message.tool_calls and (loop.last or loop.nextitem.role != 'tool')") + SHOWN + TURNS,
    "named results": SHOWN + TURNS.replace("tool\\n'", "tool\\n' + message.name + ': '"),
    "ids of nine": refused("message.tool_calls and message.tool_calls[0].id | length != 9") + SHOWN + TURNS,
    "no content": refused("message.tool_calls and message.content is not none")
    + SHOWN
    + TURNS.replace("(message.content or '')", "(message.content if message.content is not none else '')"),
    "text left out": SHOWN
    + TURNS.replace("(message.content or '')", "('' if message.tool_calls else message.content)"),
    "arguments as text": SHOWN + TURNS.replace("(call.function.arguments | tojson)", "call.function.arguments"),
    "items of arguments": SHOWN
    + TURNS.replace("(call.function.arguments | tojson)", "(dict(call.function.arguments.items()) | tojson)"),
    "tools of the user": TURNS.replace(
        "'<|im_start|>user\\n' +", "'<|im_start|>user\\n' + (tools | tojson if tools and loop.first else '') +"
    ),
    "not none": "{%- if tools is not none %}{{- tools | tojson }}{%- endif %}" + TURNS,
    "always a list": "{%- for tool in tools %}{{- tool | tojson }}{%- endfor %}" + TURNS,
    "more of parameters": "{%- for tool in tools or [] %}"
    "{%- for name, one in tool.function.parameters.properties.items() %}"
    "{{- name + one.description + {'string': 'str', 'object': 'dict'}.get(one.type, 'any') }}{%- endfor %}"
    "{{- tool.function.name }}{%- endfor %}" + TURNS,
    "other tools": "{%- if xml_tools %}{{- xml_tools | tojson }}{%- endif %}" + TURNS,
    "today": "{{- strftime_now('%d %B %Y') }}{%- if documents %}{{- documents[0].title }}{%- endif %}" + SHOWN + TURNS,
    "parts to train": SHOWN + "{%- generation %}" + TURNS + "{%- endgeneration %}",
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_no_conversation_fails(tiny_model_folder: Path, name: str) -> None:
    support = find_support(ODD[name])
    assert (support.syntax.name, support.shows_tools, support.writes_calls) == ("hermes", True, True)
    for tools in (TOOLS, None):
        for talk in (TALK, TALK[:5], TALK[:4], TALK[1:2]):
            text = prompt(tiny_model_folder, ODD[name], talk, tools=tools)
            places = [text.find(message["content"]) for message in talk]
            assert -1 not in places, (text, talk)
            assert len(talk) < 3 or '<tool_call>\n{"name": "f", "arguments": {"a": "x"}}\n</tool_call>' in text
            assert tools is None or '"f"' in text or "astrbany" in text


def test_a_text_that_would_stand_inside_the_marks_of_calls_is_a_message_of_its_own(tiny_model_folder: Path) -> None:
    """As Llama 4."""
    inside = "('<|a|>' + (message.content or '') + '<|b|>' if message.tool_calls else message.content)"
    template = SHOWN + TURNS.replace("(message.content or '')", inside)
    text = prompt(tiny_model_folder, template, TALK, tools=TOOLS)
    assert "<|im_start|>assistant\nI look.<|im_end|><|im_start|>assistant\n<|a|><|b|><tool_call>" in text


def test_what_a_template_refuses_in_any_form_is_an_error(tiny_model_folder: Path) -> None:
    template = refused("message.role == 'tool'") + refused("'Go' in message.content") + TURNS
    with pytest.raises(ChatTemplateError, match="refuses these messages: no"):
        encoder_for(tiny_model_folder, template).encode_chat(TALK, tools=TOOLS)


def test_a_model_without_tools_and_system_messages_is_told_of_tools_by_the_user(tiny_model_folder: Path) -> None:
    """As Gemma 2: the template refuses system messages and turns of anyone else."""
    template = refused("message.role not in ('user', 'assistant')") + ODD["turns of two"].replace(SHOWN, "")
    template = re.sub(r"\{%- for call.*?endfor %\}", "", template, flags=re.DOTALL)
    assert not find_support(template).is_known
    text = prompt(tiny_model_folder, template, TALK, tools=TOOLS)
    first, *others = text.split("<|im_start|>user\n")[1:]
    assert first.startswith("Be brief.\n\nYou may call functions.")
    assert "I look.\n<tool_call>" in first
    assert [one.partition("<|im_end|>")[0] for one in others] == [
        "<tool_response>\nDone.\n</tool_response>\n\nHurry.",
        "Stay calm.\n\nGo on.",
    ]


def test_a_system_message_with_definitions_stays() -> None:
    messages = [{"role": "system", "content": "a", "tools": "[]"}, *TALK[:2]]
    folded_all = folded(messages, keeps_first=False, into_results=True)
    assert folded_all == [messages[0], {"role": "user", "content": "Be brief.\n\nGo."}]


def test_a_result_keeps_its_own_text_where_the_template_takes_that(tiny_model_folder: Path) -> None:
    """A system message goes into a result only where the template refuses a user's message behind it."""
    talk = [*TALK[1:4], {"role": "system", "content": "Be safe."}]
    apart = prompt(tiny_model_folder, ODD["no system"], talk, tools=TOOLS)
    assert "<|im_start|>tool\nDone.<|im_end|><|im_start|>user\nBe safe.<|im_end|>" in apart
    joined = prompt(tiny_model_folder, ODD["turns of two"] + refused("message.role == 'system'"), talk, tools=TOOLS)
    assert "<|im_start|>tool\nDone.\n\nBe safe.<|im_end|>" in joined


def test_a_message_to_continue_stays_the_last(tiny_model_folder: Path) -> None:
    talk = [TALK[1], {"role": "system", "content": "Be safe."}, SAID]
    open_end = prompt(tiny_model_folder, ODD["no system"], Conversation(talk, continue_final_message=True))
    assert open_end == "<|im_start|>user\nGo.\n\nBe safe.<|im_end|><|im_start|>assistant\nSaid."
    alone = prompt(tiny_model_folder, ODD["no system"], Conversation([SAID], continue_final_message=True))
    assert alone == "<|im_start|>assistant\nSaid."


def test_the_log_says_once_that_a_template_gets_other_messages(
    tiny_model_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    encoder = encoder_for(tiny_model_folder, ODD["no system"])
    with caplog.at_level("INFO", "guided.requests.prompting"):
        encoder.encode_chat(TALK[1:2])
        assert not caplog.messages
        encoder.encode_chat(TALK[:2])
        encoder.encode_chat(TALK)
    (told,) = caplog.messages
    assert told.startswith("the texts of some messages move into others, since otherwise: the model's chat template")


def test_a_template_of_its_own_for_tools(tiny_model_folder: Path) -> None:
    """As tokenizers have several by name."""
    encoder = encoder_for(tiny_model_folder, TURNS)
    encoder.tokenizer.chat_template = {
        "default": "{{ 'plain' + messages[0].content }}",
        "tool_use": ODD["always a list"],
    }
    assert encoder.tool_support.syntax.name == "hermes"
    written = [encoder.encode_chat(TALK[1:2], tools=tools) for tools in (TOOLS, None)]
    assert written[1] == encoder.encode_part("plainGo.")
    assert written[0] != written[1]


def text_of(text: str) -> str:
    """A text in Jinja."""
    return "{{- " + json.dumps(text, ensure_ascii=False) + " }}" if text else ""


def filled(text: str, **values: str) -> str:
    """Marks in Jinja, with expressions in their places."""
    parts = re.split("(?<![A-Z_])(NAME|KIND|ID)", text)
    return "".join(
        text_of(part) if index % 2 == 0 else "{{- " + values[part] + " }}" for index, part in enumerate(parts)
    )


def loop_of(inside: str, values: str, name: str, between: str) -> str:
    end = f"{{%- if not loop.last %}}{text_of(between)}{{%- endif %}}{{%- endfor %}}"
    return f"{{%- for {name} in {values} %}}{inside}{end}"


def arguments_of(syntax: ToolSyntax) -> str:
    items, pair = "call.function.arguments.items()", "name, value"
    if isinstance(syntax.arguments, PythonArguments):
        return loop_of("{{- name + '=' + (value | tojson) }}", items, pair, ", ")
    if not isinstance(syntax.arguments, StyledArguments):
        return "{{- call.function.arguments | tojson }}"
    style = syntax.arguments.style
    text, number = (json.dumps(style.kinds.get(kind, "")) for kind in ("string", "number"))
    kind = f"{text} if value is string else {number}"
    begin, end = (filled(marks, NAME="name", KIND=kind) for marks in ("".join(style.begin), style.end))
    quote = text_of(style.quote)
    value = (
        f"{{%- if value is string %}}{quote}{{{{- value }}}}{quote}{{%- else %}}{{{{- value | tojson }}}}{{%- endif %}}"
    )
    before, behind = map(text_of, style.braces)
    return f"{before}{loop_of(begin + value + end, items, pair, style.separator)}{behind}"


def template_of(syntax: ToolSyntax) -> str:
    """A template that writes calls as the family does, and tools before the first turn."""
    place = {"0": "loop.index0", "1": "loop.index"}.get(syntax.ids.in_text("given", "f", 0), "call.id")
    before, behind = (filled(half, NAME="call.function.name", ID=place) for half in syntax.call.split("ARGUMENTS"))
    calls = loop_of(before + arguments_of(syntax) + behind, "message.tool_calls", "call", syntax.between)
    group = text_of(syntax.group_begin) + calls + text_of(syntax.group_end)
    several = "" if syntax.is_parallel else refused("message.tool_calls and message.tool_calls | length > 1")
    written = re.sub(
        r"\{%- for call.*?endfor %\}",
        lambda _: f"{{%- if message.tool_calls %}}{group}{{%- endif %}}",
        TURNS,
        flags=re.S,
    )
    return several + SHOWN + written


@pytest.mark.parametrize("syntax", FAMILIES.values(), ids=lambda syntax: syntax.name)
def test_each_family_is_known_by_what_it_writes(syntax: ToolSyntax) -> None:
    support = find_support(template_of(syntax))
    assert (support.syntax.name, support.is_known, support.writes_calls) == (syntax.name, True, True)
    assert support.syntax.is_parallel == syntax.is_parallel
