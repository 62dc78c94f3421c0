# ruff: noqa: RUF001 - DeepSeek writes special tokens with a fullwidth bar
"""Every text that the grammar of tools allows is read back into the calls that it spells, however it is cut up."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from guided.compile import compile_grammar
from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.vocabulary import Vocabulary
from guided.output.detokenizer import Detokenizer
from guided.params.sampling_params import SamplingParams
from guided.params.stopping import Stops
from guided.tools import Tool, ToolCall, ToolUse
from guided.tools.call_reader import MAX_WHITESPACE, CallReader
from guided.tools.custom import text_arguments
from guided.tools.families import FAMILIES
from guided.tools.grammar import tool_tag
from guided.tools.syntax import ToolSyntax

DEEPSEEK_V3 = FAMILIES["deepseek_v3"]
HERMES = FAMILIES["hermes"]
LLAMA3_JSON = FAMILIES["llama3_json"]
MISTRAL = FAMILIES["mistral"]
MISTRAL_ARGS = FAMILIES["mistral_args"]
MISTRAL_IDS = FAMILIES["mistral_ids"]
SOLAR = FAMILIES["solar"]
XLAM = FAMILIES["xlam"]

SYNTAXES = [HERMES, LLAMA3_JSON, XLAM, MISTRAL, MISTRAL_IDS, MISTRAL_ARGS, DEEPSEEK_V3, SOLAR]
SPECIAL = ["<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "<eos>"] + [
    f"<｜tool▁{name}｜>" for name in ("calls▁begin", "calls▁end", "call▁begin", "call▁end", "sep")
]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"q": {"type": "string", "maxLength": 3}, "n": {"enum": [1, -2.5, "}", '"', "\\"]}},
    "required": ["n"],
    "additionalProperties": False,
}
TOOLS = (
    Tool("f", "does f", SCHEMA),
    Tool("f2", None, {"properties": {"o": {"type": "object", "maxProperties": 1}}}),
    Tool("g"),
)
by_syntax = pytest.mark.parametrize("syntax", SYNTAXES, ids=lambda syntax: syntax.name)


@pytest.fixture(scope="module", params=[True, False], ids=["special", "plain"])
def vocabulary(request: pytest.FixtureRequest) -> Vocabulary:
    """All bytes, and the names of the syntaxes as special tokens or not at all."""
    names = SPECIAL if request.param else ["<eos>"]
    tokens: list[bytes | None] = [bytes([byte]) for byte in range(256)]
    special = {name: 256 + index for index, name in enumerate(names)}
    return Vocabulary([*tokens, *[None] * len(names)], [special["<eos>"]], special)


def fits(vocabulary: Vocabulary, tag: dict[str, Any], text: str) -> bool:
    """True if the grammar takes the text as a whole."""
    matcher = compile_grammar(vocabulary, structural_tag=tag).matcher()
    return all(matcher.accept_token(token_id) for token_id in spelled(vocabulary, text)) and matcher.is_accepting()


def spelled(vocabulary: Vocabulary, text: str) -> list[int]:
    """The tokens of a text, special tokens where it holds their names."""
    token_ids = []
    while text:
        name = next((name for name in vocabulary.special_tokens if text.startswith(name)), None)
        token_ids += [vocabulary.special_tokens[name]] if name else list(text[0].encode())
        text = text[len(name) if name else 1 :]
    return token_ids


def random_text(vocabulary: Vocabulary, tag: dict[str, Any], seed: int) -> str:
    """A text of the grammar; free text soon ends."""
    rng = random.Random(seed)
    matcher = compile_grammar(vocabulary, structural_tag=tag).matcher()
    detokenizer = Detokenizer(vocabulary, skips_special=False)
    text = ""
    bitmask = allocate_bitmask(1, vocabulary.size)
    while not matcher.is_terminated():
        matcher.fill_bitmask(bitmask, 0)
        allowed = allowed_token_ids(bitmask[0], vocabulary.size).tolist()
        eos = [i for i in allowed if i in vocabulary.eos_token_ids]
        special = [i for i in allowed if i >= 256 and i not in vocabulary.eos_token_ids]
        wanted = [i for i in allowed if chr(i) in '{}[]"<1 abn:,'] or allowed
        pool = eos if eos and rng.random() < 0.1 else special if special and rng.random() < 0.5 else wanted
        token_id = rng.choice(pool)
        assert matcher.accept_token(token_id)
        text += detokenizer.push(token_id, is_end=token_id in vocabulary.eos_token_ids)
    return text


def read(
    syntax: ToolSyntax, pieces: list[str], tools: tuple[Tool, ...] = TOOLS, **options: Any
) -> tuple[str, list[ToolCall]]:
    """What a reader makes of a text in pieces: its text, and its calls put together from the deltas alone."""
    return read_by(CallReader(syntax, tools, **options), pieces)


def read_by(reader: CallReader, pieces: list[str]) -> tuple[str, list[ToolCall]]:
    """The same; pieces after the end of the answer are not read."""
    text, calls = "", []
    pushed = (reader.push(piece) for piece in pieces if not reader.is_ended)
    for new_text, deltas in [*pushed, reader.finish()]:
        text += new_text
        for delta in deltas:
            if delta.name is not None:
                assert delta.index == len(calls)
                assert delta.id
                calls.append(ToolCall(delta.id, delta.name, "", delta.is_custom))
            last = calls[delta.index]
            calls[delta.index] = replace(last, arguments=last.arguments + delta.arguments)
    assert tuple(calls) == reader.calls
    assert len({call.id for call in calls}) == len(calls)
    return text, calls


def named(calls: list[ToolCall]) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in calls]


@by_syntax
@pytest.mark.parametrize(
    "use",
    [ToolUse(TOOLS, "required"), ToolUse(TOOLS, only="f"), ToolUse(TOOLS, "required", None, False)],
    ids=["required", "named", "single"],
)
def test_required_calls_are_all_of_the_text(vocabulary: Vocabulary, syntax: ToolSyntax, use: ToolUse) -> None:
    tag = tool_tag(syntax, use)
    for seed in range(4):
        text = random_text(vocabulary, tag, seed)
        content, calls = read(syntax, [text], only_calls=True)
        assert content == ""
        assert calls
        assert len(calls) == 1 or (use.choice == "required" and use.parallel and syntax.is_parallel)
        for call in calls:
            assert use.only in (None, call.name)
            jsonschema.validate(
                json.loads(call.arguments), next(tool for tool in TOOLS if tool.name == call.name).schema
            )
        if "ID" not in syntax.call + syntax.id_part:  # ids of the text are not those that clients get
            assert text.startswith(syntax.spell(calls) if syntax.is_grouped else syntax.spell(calls[:1]))
        assert named(read(syntax, list(text), only_calls=True)[1]) == named(calls)
        cut = random.Random(seed).randrange(len(text))
        assert named(read(syntax, [text[:cut], text[cut:]], only_calls=True)[1]) == named(calls)


@by_syntax
def test_auto_is_text_or_calls(vocabulary: Vocabulary, syntax: ToolSyntax) -> None:
    tag = tool_tag(syntax, ToolUse(TOOLS))
    for seed in range(6):
        text = random_text(vocabulary, tag, seed)
        whole = read(syntax, [text])
        letters = read(syntax, list(text))
        assert (whole[0], named(whole[1])) == (letters[0], named(letters[1]))
        if not whole[1]:
            assert whole[0] == text
    for text in "", "Hello there.", " \n{\n" if syntax.trigger else "a {", "<tool", "1 < 2":
        assert fits(vocabulary, tag, text)
        assert read(syntax, list(text)) == (text, [])
    call = syntax.spell([ToolCall("", "f", '{"n":1}')])
    assert fits(vocabulary, tag, call)
    assert not fits(vocabulary, tag, call.replace("1", "7"))
    assert not fits(vocabulary, tag, call.replace("f", "h", 1) if syntax is LLAMA3_JSON else call.replace('"n"', '"m"'))


@by_syntax
def test_text_around_calls(vocabulary: Vocabulary, syntax: ToolSyntax) -> None:
    call = syntax.spell([ToolCall("", "g", "{}")])
    tag = tool_tag(syntax, ToolUse(TOOLS))
    assert fits(vocabulary, tag, f"I ask.\n{call}")
    content, calls = read(syntax, list(f"I ask.\n{call}"))
    if syntax.trigger:
        assert (content, named(calls)) == ("I ask.", [("g", "{}")])
    else:  # nothing marks where a call begins, so a text that has begun stays one
        assert (content, calls) == (f"I ask.\n{call}", [])


def test_text_behind_a_call_of_hermes(vocabulary: Vocabulary) -> None:
    call = HERMES.spell([ToolCall("", "g", "{}")])
    text = f"{call}\n{call}\n and done \n"
    assert fits(vocabulary, tool_tag(HERMES, ToolUse(TOOLS)), text)
    content, calls = read(HERMES, list(text))
    assert (content, named(calls)) == ("\n and done", [("g", "{}")] * 2)
    assert not fits(vocabulary, tool_tag(HERMES, ToolUse(TOOLS, parallel=False)), text)


@by_syntax
def test_calls_or_a_document(vocabulary: Vocabulary, syntax: ToolSyntax) -> None:
    answer = {"type": "json_schema", "json_schema": {"enum": [{"a": 1}, [2]]}}
    tag = tool_tag(syntax, ToolUse(TOOLS), answer, is_compact=True)
    for text, expected in ('{"a":1}', True), ("[2]", True), ("[3]", False), ("Hello", False), ("", False):
        assert fits(vocabulary, tag, text) == expected
        assert read(syntax, list(text)) == (text, [])
    call = syntax.spell([ToolCall("", "f", '{"n":1}')])
    assert fits(vocabulary, tag, call)
    assert not fits(vocabulary, tag, call.replace('"n":', '"n": ')), "compact"


@by_syntax
def test_a_text_that_is_cut_off(syntax: ToolSyntax) -> None:
    """A call shows from its name on; what is cut off before that is text."""
    text = syntax.spell([ToolCall("", "f", '{"n": "}"}'), ToolCall("", "g", "{}")][: 2 if syntax.is_parallel else 1])
    for end in range(len(text)):
        content, calls = read(syntax, [text[:end]])
        assert text[:end].rstrip().endswith(content.rstrip()) or not calls
        assert '{"n": "}"}'.startswith(calls[0].arguments) if calls else content == text[:end]


def test_names_that_are_prefixes_of_each_other() -> None:
    for syntax in SYNTAXES:
        _, calls = read(syntax, list(syntax.spell([ToolCall("", "f2", "{}")])))
        assert named(calls) == [("f2", "{}")]


def test_a_trigger_that_begins_no_call_is_text() -> None:
    for text in "<tool_call>?", "<tool_call><tool_call>", "a <tool_call>\n{", '<tool_call>\n{"name": "h", ':
        assert read(HERMES, list(text)) == (text, [])


SAME, OTHER = ToolCall("", "f", '{"n": 1}'), ToolCall("", "f", '{"n": 2}')
PARALLEL = [syntax for syntax in SYNTAXES if syntax.is_parallel]


@pytest.mark.parametrize("syntax", PARALLEL, ids=lambda syntax: syntax.name)
def test_a_repeated_call_ends_the_answer_unseen(syntax: ToolSyntax) -> None:
    text = syntax.spell([OTHER, SAME, ToolCall("", "g", "{}"), SAME, OTHER])
    for pieces in [text], list(text):
        reader = CallReader(syntax, TOOLS, may_repeat=False)
        content, calls = read_by(reader, pieces)
        assert (content, reader.is_ended, reader.has_whole_calls) == ("", True, True)
        assert len(calls) == 3
        shown = len(syntax.spell([OTHER, SAME, ToolCall("", "g", "{}")]))
        assert reader.num_decided <= shown + len(syntax.between)
    assert len(read(syntax, [text], may_repeat=True)[1]) == 5


@pytest.mark.parametrize("syntax", PARALLEL, ids=lambda syntax: syntax.name)
def test_a_call_like_one_before_shows_once_it_differs(syntax: ToolSyntax) -> None:
    text = syntax.spell([SAME, OTHER])
    for end in range(len(text) + 1):
        reader = CallReader(syntax, TOOLS, may_repeat=False)
        _, calls = read_by(reader, list(text[:end]))
        arguments = [call.arguments.replace(" ", "") for call in calls]
        assert len(calls) < 2 or arguments[1].startswith('{"n":2')
        is_cut = bool(calls) and arguments[-1] not in ('{"n":1}', '{"n":2}')
        assert reader.has_whole_calls == (bool(calls) and not is_cut)
    assert len(calls) == 2


def test_a_text_that_begins_another_call_is_a_call_of_its_own() -> None:
    """The texts of custom tools: the second is whole, and not the first again."""
    shell = Tool("shell", is_custom=True)
    text = HERMES.spell([ToolCall("", "shell", text_arguments(one)) for one in ("ls -la", "ls")])
    for pieces in [text], list(text):
        reader = CallReader(HERMES, [shell], may_repeat=False)
        _, calls = read_by(reader, pieces)
        assert [call.arguments for call in calls] == ["ls -la", "ls"]
        assert not reader.is_ended


def test_text_behind_calls_ends_an_answer_of_calls() -> None:
    call = HERMES.spell([SAME])
    for behind in "\nSure", "x", "\n<toot", " " * (MAX_WHITESPACE + 1):
        for pieces in [call + behind], list(call + behind):
            reader = CallReader(HERMES, TOOLS, only_calls=True)
            assert read_by(reader, pieces)[0] == ""
            assert (reader.is_ended, reader.has_whole_calls, reader.num_decided) == (True, True, len(call))
    for behind in "", "\n", "\n<tool_", "\n" + HERMES.spell([OTHER]):
        reader = CallReader(HERMES, TOOLS, only_calls=True)
        for character in call + behind:
            reader.push(character)
        assert (reader.is_ended, reader.has_whole_calls) == (False, True)


def test_before_min_new_tokens_nothing_ends_an_answer() -> None:
    call = HERMES.spell([SAME])
    reader = CallReader(HERMES, TOOLS, only_calls=True, may_repeat=False)
    for character in f"{call}\nSure\n{call}\n":
        assert reader.push(character, may_end=False)[0] == ""
        assert not reader.is_ended
    reader.push(HERMES.spell([OTHER]))
    assert named(list(reader.calls)) == [("f", '{"n": 1}'), ("f", '{"n": 2}')]


def stopped(text: str, *, by_letter: bool, **fields: Any) -> tuple[CallReader, str, list[ToolCall]]:
    """A text read with stops."""
    reader = CallReader(HERMES, TOOLS, may_repeat=False)
    params = SamplingParams(**fields)
    reader.seek(Stops(params), params)
    return reader, *read_by(reader, list(text) if by_letter else [text])


@pytest.mark.parametrize("by_letter", [True, False])
def test_stops_are_looked_for_around_calls(by_letter: bool) -> None:
    call = HERMES.spell([SAME])
    text = f"So. {call} Then END more {HERMES.spell([OTHER])}"
    for stop, content, num_calls, end in (
        ("END", "So. Then", 1, text.index("END")),
        ("So", "", 0, 0),
        (". ", "So", 0, 2),
        ('"n"', "So. Then END more", 2, len(text)),  # within a call
        (". T", "So. Then END more", 2, len(text)),  # over a call
        ("E", "So. Then", 1, text.index("END")),
        (" m", "So. Then END", 1, text.index(" more")),
    ):
        reader, shown, calls = stopped(text, by_letter=by_letter, stop=stop)
        assert (shown, len(calls), reader.num_decided) == (content, num_calls, end), stop
        assert reader.is_ended == (end < len(text))
    reader, shown, calls = stopped(text, by_letter=by_letter, stop="END", include_stop_str_in_output=True)
    assert (shown, len(calls)) == ("So. Then END", 1)


def test_a_stop_that_is_found_at_the_very_end() -> None:
    reader, shown, _ = stopped("a <", by_letter=True, stop="<")
    assert (shown.rstrip(), reader.match) == ("a", "<")
