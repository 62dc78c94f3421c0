"""What a request may ask of our engine on vLLM, and what an operator may."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, NoReturn

import pytest

from guided.engines.factory import refuse_settings
from guided.engines.registry import engine_factory
from guided.engines.settings import EngineSettings
from guided.engines.vllm.loading import _UNREAD, _with_own, read_engine_args
from guided.engines.vllm.params import check_params
from guided.errors import RequestFieldError
from guided.grammars import Limits, Vocabulary, compile_grammar
from guided.grammars.errors import BackendNotInstalledError, InvalidInputError
from guided.integrations.common.processors import is_plain
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.processors import write_key_file
from guided.processors.settings import ProcessorSettings
from guided.requests.request import PromptRequest

TOKENS: list[bytes | None] = [bytes([byte]) for byte in range(256)] + [None, None, None]
THINKING = Vocabulary(TOKENS, [256], {"<end>": 256, "<think>": 257, "</think>": 258})


def check(prompt: list[int], is_constrained: bool, **fields: Any) -> None:
    grammar = compile_grammar(THINKING, regex="a+") if is_constrained else None
    check_params(PromptRequest(prompt, SamplingParams(**fields), grammar), THINKING)


@pytest.mark.parametrize(
    ("prompt", "is_constrained", "fields"),
    [
        ([65], True, {}),
        ([65], False, {"logprobs": 3, "prompt_logprobs": 1, "frequency_penalty": 1.0, "min_p": 0.1, "top_k": -1}),
        ([65], True, {"frequency_penalty": 1.0, "penalize_forced": True}),
        ([65], False, {"filter_order": "joint", "top_p": 0.5}),
        ([65], False, {"logit_processors": ["disallowed_tokens", ("top_n_sigma", {"n": 1.0})], "temperature": 0.0}),
        ([65, 257], False, {}),
        ([65, 257], False, {"separate_thinking": True}),
        ([65, 257, 66, 258], True, {}),
        ([65], True, {"thinking": False}),
        ([65], True, {"logprobs": 0, "logprobs_mode": "both", "temperature": 0.0, "top_k": 3, "min_new_tokens": 2}),
        ([65], False, {"logprobs": 0, "logprobs_mode": "both"}),
    ],
)
def test_what_vllm_can_do(prompt: list[int], is_constrained: bool, fields: Any) -> None:
    check(prompt, is_constrained, **fields)


@pytest.mark.parametrize(
    ("prompt", "is_constrained", "fields", "param"),
    [
        ([65], False, {"temperature": 2.1}, "temperature"),
        ([65], False, {"temperature": 0.005}, "temperature"),
        ([65], False, {"filter_order": "joint", "top_p": 0.5, "top_k": 4}, "filter_order"),
        ([65], True, {"repetition_penalty": 1.1}, "penalize_forced"),
        ([65], False, {"logprobs": 1, "logprob_token_ids": [3]}, "logprob_token_ids"),
        ([65], False, {"thinking_budget": 3}, "thinking_budget"),
        ([65], True, {"limits": Limits()}, "limits"),
        ([65], False, {"logprobs": 1, "logprobs_mode": "processed"}, "logprobs_mode"),
        ([65], True, {"logprobs": 1, "logprobs_mode": "both", "temperature": 0.7}, "logprobs_mode"),
        ([65], True, {"logprobs": 1, "logprobs_mode": "both", "top_p": 0.9}, "logprobs_mode"),
        ([65], False, {"logprobs": 1, "logprobs_mode": "both", "min_new_tokens": 2}, "logprobs_mode"),
        ([65], False, {"logprobs": 1, "logprobs_mode": "both", "logit_bias": {3: 1.0}}, "logprobs_mode"),
        ([65], False, {"logit_processors": [print]}, "logit_processors"),
        ([65, 257], True, {}, "thinking"),
        ([65], True, {"thinking": True}, "thinking"),
        ([65, 257], False, {"thinking": False}, "thinking"),
    ],
)
def test_what_vllm_can_not_do_is_refused_by_name(
    prompt: list[int], is_constrained: bool, fields: Any, param: str
) -> None:
    with pytest.raises(RequestFieldError) as error:
        check(prompt, is_constrained, **fields)
    assert error.value.param == param


def test_without_a_grammar_the_prompt_is_not_searched() -> None:
    class Prompt(list[int]):
        def __reversed__(self) -> NoReturn:
            raise AssertionError("it may be long")

    check(Prompt([65]), False)
    check(Prompt([65]), False, thinking=True)


def test_log_probabilities_under_a_grammar_need_the_logits_before_its_mask() -> None:
    request = PromptRequest([65], SamplingParams(logprobs=1), compile_grammar(THINKING, regex="a+"))
    with pytest.raises(RequestFieldError, match="with speculative decoding or its second model runner"):
        check_params(request, THINKING, keeps_logits=False)


def test_plain_processors() -> None:
    assert all(
        is_plain(one)
        for one in ("top_n_sigma", ("top_n_sigma", {}), ["top_n_sigma", {}], {"name": "top_n_sigma", "params": {}})
    )
    assert not any(is_plain(one) for one in (print, (print, {}), {"name": print}, ()))


def test_arguments_of_the_engine() -> None:
    assert read_engine_args(None) == {}
    assert read_engine_args('{"max_model_len": 100}') == read_engine_args({"max_model_len": 100})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{", "engine_args is no JSON text"),
        ("[]", "engine_args must be a JSON object"),
        ({"model": "x"}, r"can't have model; give LLM\(model=...\)"),
        ({"logprobs_mode": "processed_logprobs"}, "can't have logprobs_mode"),
        ({"reasoning_parser": "qwen3"}, "can't have reasoning_parser"),
    ],
)
def test_arguments_that_are_wrong_are_named(given: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        read_engine_args(given)


def test_settings_that_vllm_is_not_told_are_refused() -> None:
    refuse_settings(EngineSettings(max_batch_size=3, prefix_caching=False, max_waiting_requests=1), "vllm", _UNREAD)
    with pytest.raises(InvalidInputError, match="does not take kv_cache_tokens: give engine_args num_gpu_blocks"):
        refuse_settings(EngineSettings(kv_cache_tokens=1000), "vllm", _UNREAD)


def test_limits_and_keys_reach_vllms_processes(tmp_path: Path) -> None:
    assert _with_own(None, None, ProcessorSettings()) == {"guided": {"logprobs_before_mask": "yes"}}
    write_key_file(tmp_path / "key")
    own = _with_own({"other": 1}, Limits(max_repeat=5), ProcessorSettings(key_file=tmp_path / "key"))
    assert own["other"] == 1
    assert '"max_repeat": 5' in own["guided"]["GUIDED_LIMITS"]
    assert own["guided"]["GUIDED_PROCESSOR_KEY_FILE"] == str(tmp_path / "key")


@pytest.mark.skipif(importlib.util.find_spec("vllm") is not None, reason="vLLM is here")
def test_without_vllm_the_error_says_what_to_install() -> None:
    with pytest.raises(BackendNotInstalledError, match="run: pip install vllm"):
        engine_factory("vllm")


@pytest.mark.parametrize("engine", ["transformers", "echo"])
def test_other_engines_have_no_arguments(engine: str) -> None:
    with pytest.raises(InvalidInputError, match=f"the {engine} engine has no engine_args"):
        LLM(engine=engine, engine_args={"seed": 1})
