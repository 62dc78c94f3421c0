"""What people ask of a chat model, on SmolLM2: chats, tools, JSON, streams, stops, processors, long prompts."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
import torch

from guided.errors import ContextLengthError
from guided.params.sampling_params import SamplingParams
from tests.guided.processors.test_serialization import make_class

from .conftest import RealModel
from .schemas import CITY, SCHEMAS

FRANCE = [{"role": "user", "content": "What is the capital of France?"}]
TOOLS: list[Any] = [
    {"type": "function", "function": {"name": "weather", "description": "Weather of a city", "parameters": CITY}},
    {"type": "function", "function": {"name": "clock", "description": "The time", "parameters": {"type": "object"}}},
]


def params(**fields: Any) -> SamplingParams:
    return SamplingParams(**{"temperature": 0, "max_new_tokens": 16, **fields})


def chat_ids(model: RealModel) -> list[int]:
    found: list[int] = model.tokenizer.apply_chat_template(FRANCE, add_generation_prompt=True, return_dict=False)
    return found


def test_an_answer_is_that_of_transformers(smollm2: RealModel) -> None:
    answer = smollm2.llm.chat(FRANCE, params())
    assert answer.text == "The capital of France is Paris."
    assert answer.finish_reason == "stop"
    assert list(answer.token_ids) == smollm2.continued(chat_ids(smollm2), 16)


@pytest.mark.parametrize("choice", ["required", "auto"])
def test_tools(smollm2: RealModel, choice: Any) -> None:
    messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
    answer = smollm2.llm.chat(messages, params(max_new_tokens=80), tools=TOOLS, tool_choice=choice)
    if choice == "required":
        assert answer.tool_calls
    for call in answer.tool_calls:
        assert call.name in ("weather", "clock")
        if call.name == "weather":
            jsonschema.validate(json.loads(call.arguments), CITY)


def test_strict_json(smollm2: RealModel) -> None:
    """Greedy and drawn, in one batch."""
    several = [params(json_schema=schema, max_new_tokens=48) for schema in SCHEMAS]
    drawn = [params(json_schema=schema, max_new_tokens=48, temperature=1, seed=7) for schema in SCHEMAS]
    answers = smollm2.llm.chat([FRANCE] * 2 * len(SCHEMAS), several + drawn)
    for answer, schema in zip(answers, SCHEMAS * 2, strict=True):
        checker = jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
        checker.validate(json.loads(answer.text))


def test_a_stream_has_the_same_text(smollm2: RealModel) -> None:
    for fields in ({}, {"json_schema": CITY}, {"stop": "Paris"}):
        chunks = list(smollm2.llm.stream(FRANCE, params(**fields)))
        assert len(chunks) > 2
        whole = smollm2.llm.chat(FRANCE, params(**fields))
        assert "".join(chunk.text for chunk in chunks) == whole.text
        assert chunks[-1].finish_reason == whole.finish_reason


def test_logprobs(smollm2: RealModel) -> None:
    answer = smollm2.llm.chat(FRANCE, params(logprobs=3))
    ids = list(answer.token_ids)
    expected = smollm2.logits([*chat_ids(smollm2), *ids[:-1]], len(ids)).log_softmax(dim=1)
    assert answer.logprobs is not None
    for position, entry in enumerate(answer.logprobs):
        values, columns = expected[position].topk(3)
        assert [one.token_id for one in entry.top] == columns.tolist()
        assert [one.logprob for one in entry.top] == pytest.approx(values.tolist(), abs=1e-3)
        assert entry.logprob == pytest.approx(float(expected[position, ids[position]]), abs=1e-3)


def test_penalties(smollm2: RealModel) -> None:
    """As `transformers` repeats less; and what the subtracted penalties make the most probable."""
    found = smollm2.llm.generate("1, 2, 1, 2, 1, 2,", params(repetition_penalty=1.3))
    assert list(found.token_ids) == smollm2.greedy("1, 2, 1, 2, 1, 2,", 16, repetition_penalty=1.3)
    prompt = "very very very very"
    ids = list(smollm2.llm.generate(prompt, params(frequency_penalty=1.5, presence_penalty=0.5)).token_ids)
    begin = smollm2.tokenizer(prompt)["input_ids"]
    logits = smollm2.logits([*begin, *ids[:-1]], len(ids))
    for position, token_id in enumerate(ids):
        counts = torch.bincount(torch.tensor(ids[:position], dtype=torch.int64), minlength=logits.shape[1])
        assert int((logits[position] - 1.5 * counts - 0.5 * (counts > 0)).argmax()) == token_id


def test_seeds_and_several_outputs(smollm2: RealModel) -> None:
    drawn = params(temperature=1, seed=5, n=3)
    first = smollm2.llm.chat(FRANCE, drawn)
    others = smollm2.llm.chat([[{"role": "user", "content": "Hi"}], FRANCE], [params(temperature=1), drawn])[1]
    texts = [one.text for one in (first, *first.alternatives)]
    assert texts == [one.text for one in (others, *others.alternatives)]
    assert len(set(texts)) == 3
    assert smollm2.llm.chat(FRANCE, params(temperature=1, seed=6)).text != texts[0]


def test_stops(smollm2: RealModel) -> None:
    llm = smollm2.llm
    (paris,) = smollm2.tokenizer(" Paris")["input_ids"]
    for fields, stopped_by in (
        ({"stop": ["Paris", "London"]}, "Paris"),
        ({"stop_regex": "P[a-z]+s"}, "Paris"),
        ({"stop_token_ids": [paris]}, paris),
    ):
        answer = llm.chat(FRANCE, params(**fields))
        assert answer.text.rstrip() == "The capital of France is"
        assert answer.stopped_by == stopped_by
        kept = llm.chat(FRANCE, params(**fields, include_stop_str_in_output=True))
        assert kept.text == "The capital of France is Paris"


def test_thinking_budget_with_ids(smollm2: RealModel) -> None:
    """The model has no marks of thinking, so two of its unused special tokens are such marks."""
    begin, end = smollm2.tokenizer.convert_tokens_to_ids(["<file_sep>", "<filename>"])
    (line_break,) = smollm2.tokenizer("\n")["input_ids"]
    given = {"begin_token_id": begin, "end_token_id": end, "newline_token_id": line_break}
    processor = ("thinking_budget", {"budget": 5, **given})
    fields = {"logit_processors": [processor], "ignore_eos": True}
    ids = smollm2.llm.start([*chat_ids(smollm2), begin], params(**fields)).result().token_ids
    assert ids[5:7] == (line_break, end) or ids[4:6] == (line_break, end)
    assert end not in ids[:5]


def test_a_processor_signed_by_dill(smollm2: RealModel) -> None:
    source = make_class().to_str(smollm2.key_file)
    same = smollm2.llm.chat(FRANCE, params(logit_processors=[(source, {"amount": 3})]))
    assert same.text == "The capital of France is Paris."
    (paris,) = smollm2.tokenizer(" Paris")["input_ids"]
    banned = ("disallowed_tokens", {"token_ids": [paris]})
    other = smollm2.llm.chat(FRANCE, params(logit_processors=[(source, {"amount": 3}), banned]))
    assert "Paris" not in other.text


def test_a_prompt_that_fills_the_context(smollm2: RealModel) -> None:
    """8,186 tokens and 6 new ones. The same prompt again reads what was kept."""
    text = "The ship left the harbour at dawn, and the crew counted the barrels once more. " * 600
    ids = smollm2.tokenizer(text)["input_ids"][:8186]
    answer = smollm2.llm.start(ids, params(max_new_tokens=None)).result()
    assert len(answer.token_ids) == 6
    assert answer.finish_reason == "length"
    expected = smollm2.logits([*ids, *answer.token_ids[:-1]], 6)
    assert list(answer.token_ids) == expected.argmax(dim=1).tolist()
    again = smollm2.llm.start(ids, params(max_new_tokens=None, json_schema={"type": "boolean"})).result()
    assert again.num_cached_tokens > 8000
    assert again.text in ("true", "false")
    with pytest.raises(ContextLengthError):
        smollm2.llm.start([*ids, *ids[:6]], params())
