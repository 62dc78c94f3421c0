"""`guided.LLM` on a tiny random model: whatever it says, it says it exactly, typed and counted."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from guided import loading
from guided.errors import (
    ContextLengthError,
    EngineFailureError,
    ModelNotFoundError,
    NoAllowedTokenError,
    UnknownEngineError,
)
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    CompileCancelledError,
    GuidedError,
    InvalidInputError,
    InvalidSchemaError,
    LimitExceededError,
    UnknownBackendError,
    VocabularyMismatchError,
)
from guided.grammars.limits import Limits
from guided.grammars.vocabulary import Vocabulary
from guided.llm import LLM
from guided.output.completion import Completion, CompletionChunk, without_errors
from guided.output.detokenizer import Detokenizer
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from tests.checkpoints import Counted
from tests.guided.fixed_strings import FixedStrings
from tests.guided.tiny_model import CHAT_TEMPLATE, SCHEMA_CHAT_TEMPLATE, WALKING_CHAT_TEMPLATE, make_tiny_model

GREEDY = SamplingParams(temperature=0, max_new_tokens=10)
SCHEMA = {
    "type": "object",
    "properties": {"ok": {"type": "boolean"}, "tag": {"enum": ["the", "thin", None]}},
    "required": ["ok", "tag"],
    "additionalProperties": False,
}
MESSAGES = [{"role": "user", "content": "the question"}]


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> LLM:
    return LLM(str(tiny_model_folder), device="cpu")


def test_one_prompt_one_completion(llm: LLM) -> None:
    completion = llm.generate("the first", GREEDY)
    assert isinstance(completion, Completion)
    assert str(completion) == completion.text == "".join(map(Detokenizer(llm.vocabulary).push, completion.token_ids))
    assert completion.num_prompt_tokens == len(llm.tokenizer.encode("the first"))
    assert completion.usage.num_completion_tokens == len(completion.token_ids) <= 10
    assert completion.error is None
    assert completion.tokens_per_s == pytest.approx(len(completion.token_ids) / completion.elapsed_s)


def test_several_prompts_keep_their_order(llm: LLM) -> None:
    prompts = ["the first", "a", "and then in the end"]
    together = llm.generate(prompts, GREEDY)
    assert [one.token_ids for one in together] == [llm.generate(prompt, GREEDY).token_ids for prompt in prompts]
    assert llm.generate([], GREEDY) == []
    assert [one.text for one in llm.generate(["a"], GREEDY)] == [llm.generate("a", GREEDY).text]


def test_work_for_many_outputs_comes_to_checkpoints(llm: LLM) -> None:
    """Of reading, checking and submitting them: else all others wait for that."""
    with Counted() as counted, llm.submit(llm.read(["a"] * 50, SamplingParams(max_new_tokens=1))) as running:
        assert counted.count >= 200
        running.results()


def test_params_for_each_prompt(llm: LLM) -> None:
    params = [SamplingParams(temperature=0, max_new_tokens=n, ignore_eos=True) for n in (1, 4)]
    assert [len(one.token_ids) for one in llm.generate(["a", "b"], params)] == [1, 4]
    with pytest.raises(InvalidInputError, match="2 params for 3 prompts"):
        llm.generate(["a", "b", "c"], params)


def test_default_params_sample_and_a_seed_repeats(llm: LLM) -> None:
    assert len(llm.generate("a", SamplingParams(ignore_eos=True)).token_ids) == 128
    seeded = SamplingParams(seed=3, max_new_tokens=20, ignore_eos=True)
    texts = {llm.generate("a", seeded).token_ids for _ in range(2)}
    assert len(texts) == 1
    unseeded = SamplingParams(max_new_tokens=20, ignore_eos=True)
    assert len({llm.generate("a", unseeded).token_ids for _ in range(3)}) == 3


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_schema_is_kept(llm: LLM, temperature: float) -> None:
    params = SamplingParams(
        temperature=temperature, max_new_tokens=None, json_schema=SCHEMA, whitespace="compact", seed=1
    )
    completion = llm.generate("a", params)
    data = json.loads(completion.text)
    assert completion.finish_reason == "stop"
    assert list(data) == ["ok", "tag"]
    assert data["tag"] in ("the", "thin", None)
    assert completion.token_ids[-1] in llm.vocabulary.eos_token_ids
    assert 5 <= completion.num_forced_tokens < len(completion.token_ids)


def test_rows_with_different_constraints(llm: LLM) -> None:
    params = [
        SamplingParams(temperature=0, regex="(in|an)d+[0-9]", max_new_tokens=40),
        SamplingParams(temperature=0, max_new_tokens=5),
        SamplingParams(temperature=0, json_schema={"enum": [1, 2]}),
    ]
    first, free, last = llm.generate(["a", "a", "a"], params)
    assert first.finish_reason == "length" or re.fullmatch("(in|an)d+[0-9]", first.text)
    assert free.text == llm.generate("a", params[1]).text
    assert (last.text in ("1", "2"), last.finish_reason) == (True, "stop")


def test_grammars_are_compiled_once(llm: LLM) -> None:
    params = SamplingParams(json_schema=SCHEMA)
    assert llm.compile(params) is llm.compile(SamplingParams(temperature=0.5, json_schema=dict(SCHEMA)))
    assert llm.compile(params) is not llm.compile(SamplingParams(json_schema=SCHEMA, whitespace="compact"))
    assert llm.compile(SamplingParams(regex="a")) is llm.compile(SamplingParams(regex="a"))
    assert llm.compile(SamplingParams()) is None


def test_what_is_no_json_is_refused_in_words(llm: LLM) -> None:
    endless: dict[str, Any] = {"type": "array"}
    endless["items"] = endless
    for schema in (endless, {"enum": [object()]}, {"const": float("nan")}, {1: True}, "{", 7):
        with pytest.raises(GuidedError):
            llm.generate("a", SamplingParams(json_schema=schema))


def test_whitespace_is_the_models_unless_asked(tmp_path: Path) -> None:
    llm = LLM(make_tiny_model(tmp_path, json_whitespace="compact"), device="cpu")
    compact = llm.compile(SamplingParams(json_schema=SCHEMA))
    flexible = llm.compile(SamplingParams(json_schema=SCHEMA, whitespace="flexible"))
    assert (compact.spec.whitespace, flexible.spec.whitespace) == ("compact", "flexible")  # type: ignore[union-attr]


def test_a_grammar_of_the_callers(llm: LLM) -> None:
    grammar = compile_grammar(llm.vocabulary, regex="yes|no")
    assert {one.text for one in llm.generate(["a", "b"], GREEDY, grammar=grammar)} <= {"yes", "no"}
    assert llm.chat(MESSAGES, GREEDY, grammar=grammar).text in ("yes", "no")
    with pytest.raises(InvalidInputError, match="grammar= excludes"):
        llm.generate("a", SamplingParams(regex="a"), grammar=grammar)
    other = Vocabulary(llm.vocabulary.tokens[:-1], llm.vocabulary.eos_token_ids)
    with pytest.raises(VocabularyMismatchError, match=f"279 tokens.*280.*{llm.vocabulary.fingerprint[:12]}"):
        llm.generate("a", grammar=FixedStrings(["a"], other))


def test_no_model_named_is_said_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GUIDED_DEFAULT_MODEL")
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path))
    loading._say_which_model.cache_clear()
    for _ in range(2):
        LLM().shutdown()
    assert [record.message.split(",")[0] for record in caplog.records] == ["no model was named"]


def test_an_error_ends_one_output_only(llm: LLM) -> None:
    broken = FixedStrings([], llm.vocabulary)
    completion = llm.generate("a", GREEDY, grammar=broken, keep_errors=True)
    assert completion.finish_reason == "error"
    assert isinstance(completion.error, NoAllowedTokenError)
    with pytest.raises(NoAllowedTokenError) as caught:
        llm.generate(["a", "b"], GREEDY, grammar=broken)
    assert [type(one.error) for one in caught.value.completions] == [NoAllowedTokenError] * 2
    with pytest.raises(NoAllowedTokenError) as caught:
        asyncio.run(llm.complete_async("a", GREEDY, grammar=broken))
    assert len(caught.value.completions) == 1
    assert (completion.text, completion.token_ids, completion.tokens_per_s) == ("", (), 0.0)


def test_an_error_that_several_calls_have_holds_the_completions_of_none(llm: LLM) -> None:
    done = llm.generate("a", GREEDY)
    shared = EngineFailureError("a step", OSError("no memory"))
    shared.__cause__ = OSError("no memory")
    with pytest.raises(EngineFailureError, match="a step failed: OSError: no memory") as caught:
        without_errors([done, replace(done, error=shared)])
    assert (len(caught.value.completions), caught.value.completions[0], shared.completions) == (2, done, ())
    assert caught.value.__cause__ is shared.__cause__


def test_keep_errors_is_a_switch(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="keep_errors must be a bool, not 'no'"):
        llm.generate("a", GREEDY, keep_errors="no")  # type: ignore[call-overload]


def test_chat_uses_the_template(llm: LLM) -> None:
    completion = llm.chat(MESSAGES, GREEDY)
    rendered = llm.tokenizer.apply_chat_template(MESSAGES, tokenize=False, add_generation_prompt=True)
    assert completion.token_ids == llm.generate(rendered, GREEDY).token_ids
    assert [one.text for one in llm.chat([MESSAGES, MESSAGES], GREEDY)] == [completion.text] * 2


def test_chat_gives_the_schema_to_the_template(tmp_path: Path) -> None:
    llm = LLM(make_tiny_model(tmp_path, chat_template=SCHEMA_CHAT_TEMPLATE), device="cpu")
    plain = llm.chat(MESSAGES, GREEDY)
    constrained = llm.chat(MESSAGES, SamplingParams(temperature=0, json_schema=SCHEMA))
    num_schema_tokens = len(llm.tokenizer.encode(json.dumps(SCHEMA) + "\n"))
    assert constrained.num_prompt_tokens == plain.num_prompt_tokens + num_schema_tokens


CYCLE = {
    "properties": {"a": {"$ref": "#/$defs/N"}},
    "$defs": {"N": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/N"}]}},
}


@pytest.mark.parametrize("template", [SCHEMA_CHAT_TEMPLATE, WALKING_CHAT_TEMPLATE])
@pytest.mark.parametrize(
    ("schema", "error"),
    [({"type": "object", "properties": 5}, InvalidSchemaError), (CYCLE, InvalidSchemaError)],
)
def test_no_template_sees_a_schema_that_is_refused(
    tmp_path: Path, template: str, schema: Any, error: type[Exception]
) -> None:
    llm = LLM(make_tiny_model(tmp_path, chat_template=template), device="cpu")
    params = SamplingParams(json_schema=schema)
    for call in (llm.chat, llm.stream):
        with pytest.raises(error):
            call(MESSAGES, params)  # type: ignore[operator]
    for text in ("a", ["a", "b"]):
        with pytest.raises(error):
            llm.extract_detailed(text, schema)


def test_limits_reach_every_schema(tiny_model_folder: Path) -> None:
    llm = LLM(str(tiny_model_folder), device="cpu", limits=Limits(max_schema_bytes=50))
    for schema in (SCHEMA, json.dumps(SCHEMA)):
        with pytest.raises(LimitExceededError, match="max_schema_bytes = 50"):
            llm.chat(MESSAGES, SamplingParams(json_schema=schema))
        with pytest.raises(LimitExceededError, match="max_schema_bytes = 50"):
            llm.extract("a", schema)
    assert llm.compile(SamplingParams(json_schema={"enum": [1]})) is not None
    own = Limits(max_schema_bytes=5_000)
    assert llm.chat(MESSAGES, SamplingParams(json_schema=json.dumps(SCHEMA), limits=own, max_new_tokens=1))
    with pytest.raises(InvalidInputError, match="limits apply to a grammar"):
        llm.chat(MESSAGES, SamplingParams(limits=own))


@pytest.mark.parametrize("prompt", ["the text", MESSAGES])
def test_a_stream_is_the_completion_in_pieces(llm: LLM, prompt: Any) -> None:
    params = SamplingParams(seed=5, max_new_tokens=60, ignore_eos=True)
    chunks = list(llm.stream(prompt, params))
    whole = llm.generate(prompt, params) if isinstance(prompt, str) else llm.chat(prompt, params)
    assert "".join(chunk.text for chunk in chunks) == whole.text
    assert all(chunk == CompletionChunk(chunk.text, token_ids=chunk.token_ids) for chunk in chunks[:-1])
    assert all(chunk.text for chunk in chunks[:-1])
    assert [token_id for chunk in chunks for token_id in chunk.token_ids] == list(whole.token_ids)
    last = chunks[-1]
    assert (last.finish_reason, last.usage) == (whole.finish_reason, whole.usage)
    assert last.completion is not None
    assert last.completion.token_ids == whole.token_ids
    assert len(chunks) > 10


def test_a_stream_never_shows_half_a_character(llm: LLM) -> None:
    text = "é😀 ü日本"
    chunks = list(
        llm.stream(
            "a", SamplingParams(temperature=0, max_new_tokens=None), grammar=FixedStrings([text], llm.vocabulary)
        )
    )
    assert [chunk.text for chunk in chunks] == [*text, ""]
    cut = SamplingParams(temperature=0, max_new_tokens=4)
    assert llm.generate("a", cut, grammar=FixedStrings([text], llm.vocabulary)).text == "é"


def test_a_stream_that_fails_says_so_last(llm: LLM) -> None:
    chunks = list(llm.stream("a", GREEDY, grammar=FixedStrings([], llm.vocabulary)))
    assert [chunk.finish_reason for chunk in chunks] == ["error"]
    assert isinstance(chunks[0].error, NoAllowedTokenError)


def test_a_stream_refuses_bad_input_before_it_starts(llm: LLM) -> None:
    with pytest.raises(InvalidInputError, match="empty"):
        llm.stream("")
    with pytest.raises(ContextLengthError):
        llm.stream("a " * 2000)


def test_closing_a_stream_frees_the_model(llm: LLM) -> None:
    stream = llm.stream("a", SamplingParams(max_new_tokens=None, ignore_eos=True))
    next(stream)
    assert llm.generate("b", GREEDY).token_ids  # beside it
    stream.close()
    assert llm.generate("b", GREEDY).token_ids
    assert llm.get_stats().active_requests == 0


def test_progress_goes_to_standard_error(llm: LLM, capsys: pytest.CaptureFixture[str]) -> None:
    silent = llm.generate(["a", "b"], GREEDY)
    assert capsys.readouterr() == ("", "")
    shown = llm.generate(["a", "b"], GREEDY, progress=True)
    assert [one.text for one in shown] == [one.text for one in silent]
    assert capsys.readouterr().out == ""


def test_prompts_longer_than_the_context(llm: LLM) -> None:
    long = "x" * 5000
    num_tokens = llm.count_tokens(long)
    with pytest.raises(ContextLengthError, match=f"the prompt has {num_tokens} tokens.* 1024 ") as error:
        llm.generate(long)
    assert (error.value.num_prompt_tokens, error.value.max_context_tokens) == (num_tokens, 1024)
    with pytest.raises(ContextLengthError, match=f"prompt 1 has {num_tokens}"):
        llm.generate(["a", long])


@pytest.mark.parametrize(
    ("prompts", "message"),
    [("", "empty"), (["a", ""], "empty"), (5, "must be a string or a list of strings"), ([b"a"], "must be a string")],
)
def test_bad_prompts(llm: LLM, prompts: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        llm.generate(prompts)


def test_unknown_keyword_arguments_raise(llm: LLM) -> None:
    with pytest.raises(TypeError, match="temperature"):
        llm.generate("a", temperature=0)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="gpu"):
        LLM(gpu=1)  # type: ignore[call-arg]


def test_unknown_names(tiny_model_folder: Path) -> None:
    with pytest.raises(UnknownEngineError, match="known engines: echo, openai, transformers"):
        LLM(tiny_model_folder, engine="warp")
    with pytest.raises(UnknownBackendError, match="outlines_core"):
        LLM(tiny_model_folder, backend="warp")


def test_a_missing_embedded_model_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("guided.loading.package_folder", lambda: tmp_path)
    with pytest.raises(ModelNotFoundError, match=r"embedded model is not in .*; reinstall guided"):
        LLM()


def test_attributes(llm: LLM, tiny_model_folder: Path) -> None:
    assert llm.model_name == tiny_model_folder.name
    assert (llm.max_context_tokens, llm.vocabulary.size) == (1024, 280)
    model = AutoModelForCausalLM.from_pretrained(tiny_model_folder)
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    assert tokenizer.chat_template == CHAT_TEMPLATE
    assert LLM(model, tokenizer=tokenizer).generate("a", GREEDY).token_ids == llm.generate("a", GREEDY).token_ids


CALLS = {
    "type": "structural_tag",
    "format": {
        "type": "sequence",
        "elements": [
            {"type": "regex", "pattern": "(the|and)"},
            {
                "type": "tag",
                "begin": "<|im_start|>",
                "content": {"type": "json_schema", "json_schema": SCHEMA},
                "end": "!",
            },
        ],
    },
}


def test_choice_ebnf_and_structural_tag(llm: LLM) -> None:
    constraints: list[dict[str, Any]] = [
        {"choice": ["the first", "the second"]},
        {"ebnf": 'start: "(" start ")" | "x"', "dialect": "lark"},
        {"ebnf": 'root ::= [0-9]{2} "," [0-9]{2}'},
        {"structural_tag": CALLS},
        {"structural_tag": json.dumps(CALLS)},
    ]
    patterns = ["the (first|second)", r"(\()*x(\))*", "[0-9]{2},[0-9]{2}", *[r"(the|and)<\|im_start\|>\{.*\}!"] * 2]
    params = [SamplingParams(seed=1, max_new_tokens=900, **constraint) for constraint in constraints]
    completions = llm.generate(["pick"] * 5, params)
    for completion, pattern in zip(completions, patterns, strict=True):
        assert completion.finish_reason == "stop"
        assert re.fullmatch(pattern, completion.text, re.S)


def test_special_tokens_are_text_where_a_grammar_asks_for_them(llm: LLM) -> None:
    params = SamplingParams(temperature=0, structural_tag=CALLS, max_new_tokens=None)
    completion = llm.generate("pick", params)
    special = llm.vocabulary.special_tokens["<|im_start|>"]
    assert completion.token_ids.count(special) == 1
    shown, _, rest = completion.text.partition("<|im_start|>")
    assert shown in ("the", "and")
    jsonschema.validate(json.loads(rest.removesuffix("!")), SCHEMA)
    assert "".join(chunk.text for chunk in llm.stream("pick", params)) == completion.text
    skipping = replace(params, skip_special_tokens=True)
    assert llm.generate("pick", skipping).text == completion.text.replace("<|im_start|>", "")
    assert (
        llm.generate("pick", replace(GREEDY, max_new_tokens=None), grammar=llm.compile(params)).text == completion.text
    )


def test_special_tokens_of_free_text(llm: LLM) -> None:
    params = SamplingParams(seed=5, max_new_tokens=300, ignore_eos=True)
    hidden = llm.generate("a", params)
    shown = llm.generate("a", replace(params, skip_special_tokens=False))
    special = [token_id for token_id in hidden.token_ids if token_id in llm.vocabulary.special_tokens.values()]
    assert special
    assert shown.token_ids == hidden.token_ids
    assert len(re.findall(r"<\|[a-z_]+\|>", shown.text)) - len(re.findall(r"<\|[a-z_]+\|>", hidden.text)) == len(
        special
    )


@pytest.mark.parametrize(
    ("constraint", "error", "message"),
    [
        ({"ebnf": 'root ::= "a'}, GuidedError, "line 1, column"),
        ({"choice": "yes"}, InvalidInputError, "choice is a str; give a list of strings"),
        ({"choice": []}, InvalidInputError, "choice has 0 different strings"),
        ({"structural_tag": {"format": {"type": "nothing"}}}, GuidedError, "'/format/type': unknown format 'nothing'"),
        (
            {"structural_tag": {"format": {"type": "token", "token": "<|im_end|>"}}},
            GuidedError,
            "ends the whole text",
        ),
    ],
)
def test_bad_grammars_raise_before_anything_runs(llm: LLM, constraint: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        llm.generate("a", SamplingParams(**constraint))


@pytest.mark.parametrize("params", [{"temperature": 0}, "greedy", [SamplingParams(), {}]])
def test_params_of_another_type(llm: LLM, params: Any) -> None:
    for call in (llm.generate, llm.start, llm.stream):
        with pytest.raises(InvalidInputError, match="params must be SamplingParams or a list of them"):
            call("a", params)  # type: ignore[operator]


def test_compilations_are_cancelled(llm: LLM) -> None:
    params, cancel = SamplingParams(regex="cancelled"), threading.Event()
    cancel.set()
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    for call in (
        lambda: llm.compile(params, cancel=cancel),
        lambda: llm.start("a", params, cancel=cancel),
        lambda: llm.start(MESSAGES, tools=[tool], cancel=cancel),
        lambda: llm.count_prompt_tokens(MESSAGES, params=SamplingParams(json_schema=SCHEMA), cancel=cancel),
    ):
        with pytest.raises(CompileCancelledError):
            call()
    cancel.clear()
    assert llm.start("a", params, cancel=cancel).result().text == "cancelled"


@pytest.mark.parametrize("prompt", ["a", ["a", "b"]])
def test_a_cancelled_task_cancels_its_compilation(
    llm: LLM, monkeypatch: pytest.MonkeyPatch, prompt: str | list[str]
) -> None:
    is_compiling, is_cancelled = threading.Event(), threading.Event()

    def compile_forever(*_: Any, cancel: threading.Event, **__: Any) -> None:
        is_compiling.set()
        assert cancel.wait(60)
        is_cancelled.set()
        raise CompileCancelledError("cancelled")

    monkeypatch.setattr("guided.requests.grammars.compile_grammar", compile_forever)

    async def run() -> None:
        task = asyncio.create_task(anext(llm.stream_async(prompt, SamplingParams(regex="a"))))
        await asyncio.to_thread(is_compiling.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert is_cancelled.wait(60)


def test_lists_that_are_no_prompt(llm: LLM) -> None:
    async def ask(prompt: Any) -> None:
        async for _ in llm.stream_async(prompt):
            pass

    for ask_for in (llm.stream, llm.start, llm.count_prompt_tokens, lambda prompt: asyncio.run(ask(prompt))):
        with pytest.raises(InvalidInputError, match="the prompt is an empty list"):
            ask_for([])
    for ask_one in (llm.start, llm.count_prompt_tokens):
        with pytest.raises(InvalidInputError, match="this takes one prompt, and got a list of texts"):
            ask_one(["a", "b"])  # type: ignore[operator]


async def awaited(llm: LLM, **options: Any) -> None:
    await llm.complete_async("a", **options)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda llm: llm.generate("a", temperature=0), r"'temperature' is no option.*SamplingParams\(temperature="),
        (lambda llm: llm.stream("a", max_tokens=3), r"SamplingParams\(max_new_tokens="),
        (lambda llm: llm.extract("a", int, top_k=3), r"SamplingParams\(top_k="),
        (lambda llm: asyncio.run(awaited(llm, regex="a")), r"SamplingParams\(regex="),
        (lambda llm: llm.start("a", grammer=None), "no option 'grammer'; did you mean 'grammar'"),
        (lambda llm: llm.extract("a", int, instruction=""), "did you mean 'instructions'"),
        (lambda llm: llm.chat([{"role": "user", "content": "a"}], stream=False), "call stream, stream_async"),
        (lambda llm: llm.generate("a", stream=1), "stream must be a bool, not 1"),
        (lambda llm: llm.generate_with_request({"prompt": "a"}), "must be one that LLM.read has made, not dict"),
        (lambda llm: llm.submit([{"prompt": "a"}]), "must be one that LLM.read has made, not dict"),
        (lambda llm: llm.compile({"regex": "a"}), "params must be SamplingParams"),
        (lambda llm: llm.count_prompt_tokens("a", params={}), "params must be SamplingParams"),
    ],
)
def test_what_is_no_option_is_refused_in_words(llm: LLM, call: Callable[[LLM], object], message: str) -> None:  # A4.6
    with pytest.raises((TypeError, InvalidInputError), match=message):
        call(llm)


def test_a_request_that_was_read_is_answered_as_it_is(llm: LLM) -> None:
    """`generate_with_request` refused requests with a grammar in their params, and lost tools and enforcement."""
    params = SamplingParams(regex="[ab]{3}", return_enforcement=True, max_new_tokens=8, bad_words=["ba"])
    (read,) = llm.read(["a"], params)
    found = llm.generate_with_request(read)
    assert re.fullmatch("[ab]{3}", found.text)
    assert found.enforcement == read.enforcement is not None
    new = PromptRequest(read.prompt_token_ids, params)
    with pytest.raises(InvalidInputError, match="lacks the grammar of its params"):
        llm.submit([new])
    again = llm.generate_with_request(new)
    assert re.fullmatch("[ab]{3}", again.text)
    assert again.enforcement is not None


def test_calls_of_one_event_loop_are_one_caller(llm: LLM) -> None:
    """Each was a caller of its own, so that eight of them had an eighth of a step for their prompts."""
    groups: list[object] = []
    submit = llm.engine.submit

    def noted(request: PromptRequest, *args: Any, **options: Any) -> None:
        groups.append(request.group)
        submit(request, *args, **options)

    async def ask() -> None:
        params = SamplingParams(max_new_tokens=1)
        await asyncio.gather(*[llm.complete_async("a", params) for _ in range(3)])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llm.engine, "submit", noted)
        asyncio.run(ask())
        llm.generate("a", SamplingParams(max_new_tokens=1))
    assert len(set(map(id, groups[:3]))) == 1
    assert groups[3] is not groups[0]


def test_no_prompts_have_no_result(llm: LLM) -> None:
    generation = llm.submit([])
    assert generation.results() == []
    with pytest.raises(InvalidInputError, match="has no prompts"):
        generation.result()
