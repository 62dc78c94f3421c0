"""Answers in channels: what is thought, what is said and what is called, told apart however the text is cut up."""

from __future__ import annotations

from typing import Any

import pytest

from guided.errors import RequestFieldError
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.tools import ToolCall, ToolUse
from guided.tools.channel_reader import ChannelReader
from guided.tools.conversation import prepare
from guided.tools.families import FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.plan import plan_tools
from guided.tools.support import ToolSupport
from guided.tools.syntax import ToolSyntax

from .test_grammar_and_reader import TOOLS, fits, named, random_text

FUNCTIONARY_32 = FAMILIES["functionary_32"]
HARMONY = FAMILIES["harmony"]
KIMI_K3 = FAMILIES["kimi_k3"]

THOUGHT, FINAL = "<|channel|>analysis<|message|>", "<|channel|>final<|message|>"
NEXT = "<|end|><|start|>assistant"
CALL = ' to=functions.f<|channel|>commentary json<|message|>{"n": 1}'
K3_NEXT = "<|close|>think<|sep|><|open|>response<|sep|>"
K3_END = "<|close|>response<|sep|><|close|>message<|sep|>"
MARKS = ["<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|constrain|>"]


@pytest.fixture(scope="module", params=[True, False], ids=["special", "plain"])
def vocabulary(request: pytest.FixtureRequest) -> Vocabulary:
    """All bytes, and the marks as special tokens or not at all."""
    names = [*(MARKS if request.param else []), "<eos>"]
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    special = {name: 256 + index for index, name in enumerate(names)}
    return Vocabulary([*tokens, *[None] * len(names)], [special["<eos>"]], special)


def read(
    pieces: list[str], use: ToolUse | None = None, prompt: str = "", syntax: ToolSyntax = HARMONY
) -> tuple[str, str, Any]:
    """What was thought and said, and the calls."""
    plan = plan_tools(use or ToolUse(TOOLS), SamplingParams(), syntax, "flexible")
    assert plan is not None
    reader = plan.new_reader(prompt)
    assert isinstance(reader, ChannelReader)
    said = [reader.push(piece)[0] for piece in pieces if not reader.is_ended]
    said.append(reader.finish()[0])
    return reader.take_thoughts(), "".join(said), named(list(reader.calls))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{THOUGHT}Hm.{NEXT}{FINAL}Yes <b>", ("Hm.", "Yes <b>", [])),
        (f"{FINAL}Yes", ("", "Yes", [])),
        (f"{THOUGHT}Hm.{NEXT}{CALL}", ("Hm.", "", [("f", '{"n": 1}')])),
        (f"{THOUGHT}a{NEXT}{THOUGHT}b{NEXT}{CALL}<|call|>", ("ab", "", [("f", '{"n": 1}')])),
        (f"<|channel|>commentary<|message|>I look.{NEXT}{CALL}", ("", "I look.", [("f", '{"n": 1}')])),
        (CALL, ("", "", [("f", '{"n": 1}')])),
        (f"{THOUGHT}cut off", ("cut off", "", [])),
        ("no channel at all", ("", "no channel at all", [])),
        (f"{THOUGHT}Hm.{NEXT} to=functions.unknown<|message|>{{}}", ("Hm.", " to=functions.unknown<|message|>{}", [])),
        ("<|channel|>else<|message|>x", ("", "<|channel|>else<|message|>x", [])),
        ("<|chan", ("", "<|chan", [])),
    ],
)
def test_parts_are_told_apart(text: str, expected: tuple[str, str, Any]) -> None:
    assert read([text]) == read(list(text)) == expected


F_1, F_2 = [("f", '{"n": 1}')], [("f", '{"n": 1}'), ("f", '{"n": 2}')]


@pytest.mark.parametrize(
    ("text", "said", "calls"),
    [
        ("all\nYes >>> and no", "Yes >>> and no", []),
        ('f\n{"n": 1}', "", F_1),
        ('all\nI look.>>>f\n{"n": 1}>>>f\n{"n": 2}', "I look.", F_2),
        ('f\n{"n": 1}>>>f\n{"n": 2}', "", F_2),
        ("unknown\n{}", "unknown\n{}", []),
        (">> f", ">> f", []),
        ("al", "al", []),
        ("f", "f", []),
        ("", "", []),
    ],
)
def test_the_prompt_has_begun_the_first_call(text: str, said: str, calls: Any) -> None:
    """As Functionary 3.2 writes."""
    for pieces in [text], list(text):
        assert read(pieces, syntax=FUNCTIONARY_32) == ("", said, calls)


def test_texts_and_calls_of_functionary(vocabulary: Vocabulary) -> None:
    use, call = ToolUse(TOOLS), '{"n": 1}'
    texts = ("all\nYes", f"f\n{call}", f"f\n{call}>>>f\n{call}", f"all\nI look.>>>f\n{call}>>>f\n{call}")
    for asked, right in (
        (use, texts),
        (ToolUse(TOOLS, "required"), texts[1:3]),
        (ToolUse(TOOLS, only="f"), texts[1:2]),
    ):
        tag = tool_tag(FUNCTIONARY_32, asked)
        for text in texts:
            assert fits(vocabulary, tag, text) == (text in right), text
        for wrong in ("Yes", "f\n{}x", f">>>f\n{call}", 'all\nSo >>>f\n{"n": "a"}', "all\nSo >>>h\n{}"):
            assert not fits(vocabulary, tag, wrong), wrong
    answer = {"type": "regex", "pattern": "[0-9]+"}
    for text, is_right in (("all\n12", True), (f"f\n{call}", True), ("all\nx", False)):
        assert fits(vocabulary, tool_tag(FUNCTIONARY_32, use, answer), text) == is_right


def test_without_tools_too() -> None:
    assert read(["all\nYes"], ToolUse(()), syntax=FUNCTIONARY_32) == ("", "Yes", [])
    assert read([f"{THOUGHT}Hm.{NEXT}{FINAL}Yes"], ToolUse(())) == ("Hm.", "Yes", [])


def test_a_part_that_the_prompt_has_begun() -> None:
    prompt = f"<|start|>assistant{THOUGHT}old{NEXT}"
    assert read(["Go on."], prompt=f"{prompt}{FINAL}It is so. ") == ("", "Go on.", [])
    assert read([f"{FINAL}Yes"], prompt=prompt) == ("", "Yes", [])


def test_the_rest_of_a_text_that_the_prompt_has_begun(vocabulary: Vocabulary) -> None:
    """`continue_final_message`: no mark of the channel comes again."""
    number, use = {"type": "regex", "pattern": "[0-9]+"}, ToolUse(TOOLS)
    closed, called = "<|close|>response<|sep|>", KIMI_K3.spell([ToolCall("", "g", "{}")])
    message = KIMI_K3.channels.end if KIMI_K3.channels else ""
    for syntax, right, wrong in (
        (HARMONY, ["12"], [f"{FINAL}12", CALL, "x"]),
        (KIMI_K3, [f"12{closed}{message}", f"12{closed}{called}{message}"], ["12", f"x{closed}{message}"]),
        (FUNCTIONARY_32, ["12"], ["all\n12", "x"]),
    ):
        for text in (*right, *wrong):
            assert fits(vocabulary, tool_tag(syntax, use, number, continues=True), text) == (text in right), text
    assert fits(vocabulary, tool_tag(FUNCTIONARY_32, use, continues=True), 'So.>>>f\n{"n": 1}')
    plan = plan_tools(ToolUse(()), SamplingParams(regex="[0-9]+"), HARMONY, "flexible", continues=True)
    assert plan is not None
    assert (plan.params.regex, plan.answer) == ("[0-9]+", "regex")
    with pytest.raises(RequestFieldError, match="goes on in the text of the answer"):
        plan_tools(ToolUse(TOOLS, "required"), SamplingParams(), HARMONY, "flexible", continues=True)


def test_the_grammar_has_thoughts_texts_and_calls(vocabulary: Vocabulary) -> None:
    tag = tool_tag(HARMONY, ToolUse(TOOLS))
    note = f"<|channel|>commentary<|message|>I look.{NEXT}"
    for right in (f"{FINAL}Yes", f"{THOUGHT}Hm.{NEXT}{FINAL}Yes", CALL, f"{THOUGHT}Hm.{NEXT}{note}{CALL}"):
        assert fits(vocabulary, tag, right), right
    for wrong in ("Yes", f"{THOUGHT}Hm.", f"{THOUGHT}Hm.{NEXT}", CALL.replace("1", "7"), f"{CALL} and text"):
        assert not fits(vocabulary, tag, wrong), wrong
    for seed in range(4 if vocabulary.special_tokens.get("<|end|>") else 0):  # else no text finds its end by chance
        text = random_text(vocabulary, tag, seed)
        thought, said, calls = read(list(text))
        assert bool(calls) == (" to=functions." in text)
        assert calls or FINAL in text
        assert len(thought + said) < len(text)


@pytest.mark.parametrize("opener", HARMONY.openers("f"))
def test_all_forms_of_a_call(vocabulary: Vocabulary, opener: str) -> None:
    text = f'{THOUGHT}Hm.{NEXT}{opener}{{"n": 1}}'
    assert fits(vocabulary, tool_tag(HARMONY, ToolUse(TOOLS)), text)
    for pieces in [text], list(text), [f"{text}<|call|>"]:
        assert read(pieces) == ("Hm.", "", [("f", '{"n": 1}')])


def test_calls_where_they_are_required(vocabulary: Vocabulary) -> None:
    tag = tool_tag(HARMONY, ToolUse(TOOLS, "required"))
    assert fits(vocabulary, tag, f"{THOUGHT}Hm.{NEXT}{CALL}")
    assert not fits(vocabulary, tag, f"{FINAL}Yes")


def test_a_document_stands_in_the_final_channel(vocabulary: Vocabulary) -> None:
    plan = plan_tools(ToolUse(()), SamplingParams(json_schema={"enum": [[1]]}), HARMONY, "compact")
    assert plan is not None
    tag: Any = plan.params.structural_tag
    assert fits(vocabulary, tag, f"{THOUGHT}Hm.{NEXT}{FINAL}[1]")
    assert not fits(vocabulary, tag, f"{FINAL}[2]")
    assert not fits(vocabulary, tag, "[1]")
    assert not fits(vocabulary, tag, CALL)


def test_kimi_k3_calls_behind_its_answer() -> None:
    opened, thought = "<|open|>think<|sep|>", "Hm.<|close|>think<|sep|>"
    said = "<|open|>response<|sep|>I look.<|close|>response<|sep|>"
    calls = KIMI_K3.spell([ToolCall("", "f", '{"n": 1}'), ToolCall("", "g", "{}")])
    expected = ("Hm.", "I look.", [("f", '{"n": 1}'), ("g", "{}")])
    text = f"{thought}{said}{calls}<|close|>message<|sep|>"
    for pieces in [text], list(text):
        assert read(pieces, prompt=opened, syntax=KIMI_K3) == expected
    assert read([f"{opened}{text}"], syntax=KIMI_K3) == expected
    only = "Yes<|close|>response<|sep|><|close|>message<|sep|>"
    assert read(list(only), prompt="<|open|>response<|sep|>", syntax=KIMI_K3) == ("", "Yes", [])


def test_former_thoughts_go_back_to_the_template() -> None:
    part = ToolCall("x", "f", '{"n": 1}').message_part
    message = {"role": "assistant", "content": None, "reasoning_content": "Hm.", "tool_calls": [part]}
    support = ToolSupport(HARMONY, shows_tools=True, writes_calls=True)
    assert prepare([message], None, support)[0]["thinking"] == "Hm."
    assert "thinking" not in prepare([{**message, "content": "I look."}], None, support)[0], "the template takes one"


@pytest.mark.parametrize(
    ("syntax", "text", "is_allowed"),
    [
        (HARMONY, f"{THOUGHT}Hm.{NEXT}{FINAL}12", True),
        (HARMONY, f"{THOUGHT}Hm.<|end|>x{NEXT}{FINAL}12", False),
        (KIMI_K3, f"<|open|>think<|sep|>Hm.{K3_NEXT}12{K3_END}", True),
        (KIMI_K3, f"<|open|>think<|sep|>Hm.<|close|>think<|sep|>x{K3_NEXT}12{K3_END}", False),
    ],
)
def test_nothing_stands_between_a_thought_and_the_answer(
    vocabulary: Vocabulary, syntax: ToolSyntax, text: str, is_allowed: bool
) -> None:
    plan = plan_tools(ToolUse(()), SamplingParams(regex="[0-9]+"), syntax, "flexible")
    assert plan is not None
    opened = "<|open|>think<|sep|>" if syntax is KIMI_K3 else ""
    assert fits(vocabulary, plan.params.structural_tag, text.removeprefix(opened)) == is_allowed
