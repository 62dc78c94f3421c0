"""Whole engines of vLLM with a tiny random model: what is enforced, refused, drafted and processed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from vllm import LLM, SamplingParams
from vllm.exceptions import VLLMValidationError
from vllm.sampling_params import BeamSearchParams, StructuredOutputsParams

import guided
from guided.integrations.vllm.vocabularies import check_vocabulary
from guided.schemas.enforcement import digest_of

from .conftest import NGRAM
from .test_vllm_manager import GRAMMARS, PERSON

PROMPTS = ["red red red red", '{"name":"Ada","age":36,"tags":["red"]}', "the age the age the age"]


@pytest.fixture(scope="module", params=["plain", "drafting"])
def engine(request: pytest.FixtureRequest, engine_arguments: dict[str, Any]) -> Iterator[tuple[str, LLM]]:
    from vllm.distributed import cleanup_dist_env_and_memory

    changes = {"speculative_config": NGRAM} if request.param == "drafting" else {}
    llm = LLM(**engine_arguments, **changes)
    yield request.param, llm
    llm.llm_engine.engine_core.shutdown()
    cleanup_dist_env_and_memory()


def params_of(grammar: dict[str, Any] | None, **fields: Any) -> SamplingParams:
    outputs = None if grammar is None else StructuredOutputsParams(**grammar)
    return SamplingParams(structured_outputs=outputs, **{"temperature": 0.0, "max_tokens": 80, **fields})


def texts(llm: LLM, prompts: list[str], params: list[SamplingParams]) -> list[Any]:
    outputs = llm.generate(prompts, params, use_tqdm=False)
    return [one for output in outputs for one in output.outputs]


def check(text: str, form: str) -> None:
    if form == "person":
        jsonschema.validate(json.loads(text), PERSON)
    else:
        assert re.fullmatch(form, text), text


GREEDY: dict[str, list[str]] = {}


def test_greedy_texts_are_the_same_with_and_without_drafts(engine: tuple[str, LLM]) -> None:
    name, llm = engine
    cases = [(grammar, form, prompt) for grammar, form in GRAMMARS for prompt in PROMPTS]
    outputs = texts(llm, [prompt for *_, prompt in cases], [params_of(grammar) for grammar, *_ in cases])
    for output, (_, form, _) in zip(outputs, cases, strict=True):
        assert output.finish_reason in ("stop", "length"), output
        check(output.text, form)
    GREEDY[name] = [output.text for output in outputs]
    if len(GREEDY) == 2:
        assert GREEDY["plain"] == GREEDY["drafting"]


def test_no_drawn_token_is_refused(engine: tuple[str, LLM]) -> None:
    """With n-gram drafts at temperature 1 requests once ended with "grammar rejected tokens [0]"."""
    _, llm = engine
    cases = [(grammar, form, prompt) for grammar, form in GRAMMARS for prompt in PROMPTS for _ in range(3)]
    params = [params_of(grammar, temperature=1.0, max_tokens=60) for grammar, *_ in cases]
    outputs = texts(llm, [prompt for *_, prompt in cases], params)
    assert {output.finish_reason for output in outputs} <= {"stop", "length"}
    for output, (_, form, _) in zip(outputs, cases, strict=True):
        check(output.text, form)


def test_several_outputs_and_free_requests_in_one_batch(engine: tuple[str, LLM]) -> None:
    _, llm = engine
    params = [params_of({"regex": "[ab]{6}"}, temperature=1.0, n=4), params_of(None, max_tokens=5)]
    first, second = llm.generate(PROMPTS[:2], params, use_tqdm=False)
    assert len(first.outputs) == 4
    for output in first.outputs:
        check(output.text, "[ab]{6}")
    assert len(second.outputs[0].token_ids) == 5


def test_rules_of_vllm_that_leave_nothing_end_their_request_alone(engine: tuple[str, LLM]) -> None:
    _, llm = engine
    a, b = (llm.get_tokenizer().convert_tokens_to_ids(one) for one in "ab")
    params = [params_of({"choice": ["a"]}, allowed_token_ids=[b]), params_of({"choice": ["a"]}, allowed_token_ids=[a])]
    dead, cut = texts(llm, PROMPTS[:2], params)
    assert dead.finish_reason == "error"
    assert "other rules left none" in dead.stop_reason
    assert cut.finish_reason == "error", "its end is not among the allowed tokens"
    (output,) = texts(llm, PROMPTS[:1], [params_of({"choice": ["a"]})])
    assert output.text == "a"


def test_wrong_grammars_are_refused_with_the_reason(engine: tuple[str, LLM]) -> None:
    _, llm = engine
    with pytest.raises(VLLMValidationError, match="invalid JSON Schema at '/type'"):
        llm.generate(PROMPTS[:1], params_of({"json": {"type": "objekt"}}), use_tqdm=False)


def test_processors_change_what_is_drawn_and_are_refused_where_vllm_leaves_them_out(engine: tuple[str, LLM]) -> None:
    name, llm = engine
    a = llm.get_tokenizer().convert_tokens_to_ids("a")
    only_b = {"guided": {"logit_processors": [{"name": "disallowed_tokens", "params": {"token_ids": [a]}}]}}
    params = [params_of({"regex": "[ab]{9}"}, temperature=1.0, extra_args=only_b), params_of({"regex": "[ab]{9}"})]
    if name == "drafting":
        with pytest.raises(VLLMValidationError, match="no logits processors under speculative decoding"):
            llm.generate(PROMPTS[:2], params, use_tqdm=False)
        return
    outputs = texts(llm, PROMPTS[:2], params)
    assert outputs[0].text == "b" * 9


def test_an_answer_has_what_was_enforced_if_its_request_asks(engine: tuple[str, LLM]) -> None:
    _, llm = engine
    asks: Any = {"guided": {"return_enforcement": True}}
    one, three = {"extra_args": asks}, {"extra_args": asks, "temperature": 1.0, "n": 3}
    params = [params_of({"json": PERSON}, **one), params_of({"regex": "[ab]{6}"}, **three)]
    whole, several, other = llm.generate(PROMPTS, [*params, params_of({"json": PERSON})], use_tqdm=False)
    assert isinstance(whole.kv_transfer_params, dict)
    enforced = whole.kv_transfer_params["guided_enforcement"]
    vocabulary = check_vocabulary(llm.llm_engine.model_config, llm.get_tokenizer())
    grammar = guided.compile_grammar(vocabulary, json_schema=PERSON, values="canonical")
    assert enforced["digest"] == digest_of(grammar.spec)
    assert {entry["keyword"] for entry in enforced["report"]} >= {"type", "required"}
    assert isinstance(several.kv_transfer_params, dict)
    assert several.kv_transfer_params["guided_enforcement"]["kind"] == "regex"
    assert len(several.outputs) == 3
    assert other.kv_transfer_params is None
    (again,) = llm.generate(PROMPTS[:1], params[0], use_tqdm=False)  # parameters serve several requests
    assert again.kv_transfer_params == whole.kv_transfer_params
    with pytest.raises(VLLMValidationError, match="return_enforcement: needs a grammar"):
        llm.generate(PROMPTS[:1], params_of(None, extra_args=asks), use_tqdm=False)


def test_beam_search_keeps_to_the_grammar(engine: tuple[str, LLM]) -> None:
    name, llm = engine
    if name == "drafting":
        pytest.skip("one engine is enough")
    outputs = StructuredOutputsParams(regex="[ab]{3}c")
    beams = llm.beam_search(
        [{"prompt": PROMPTS[0]}], BeamSearchParams(beam_width=2, max_tokens=8, structured_outputs=outputs)
    )
    prompt = llm.get_tokenizer().encode(PROMPTS[0])
    for beam in beams[0].sequences:
        text = llm.get_tokenizer().decode(beam.tokens[len(prompt) :], skip_special_tokens=True)
        check(text, "[ab]{3}c")
