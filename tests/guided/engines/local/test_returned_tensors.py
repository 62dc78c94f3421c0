"""Hidden states and full logits on request, of prompt and output: those of full recomputation (A5.9)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from guided import LLM, Completion, SamplingParams
from guided.embedded.loading import load_network
from guided.engines.local import scheduler
from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.params.limits import RequestLimitExceededError
from guided.workbench.steps.stream import stream_steps
from tests.guided.engines.local.conftest import MakeLLM

BOTH = {"return_logits": True, "return_hidden_states": True}
SCHEMA = {"type": "object", "properties": {"the": {"enum": ["and", "in"]}}, "required": ["the"]}
PARAMS = [
    SamplingParams(temperature=0, max_new_tokens=30, ignore_eos=True, **BOTH),  # repeats itself: drafts
    SamplingParams(seed=1, max_new_tokens=8, json_schema=SCHEMA, return_logits=True, logprobs=1),
    SamplingParams(seed=2, max_new_tokens=5, repetition_penalty=1.5, return_hidden_states=True, prompt_logprobs=0),
    SamplingParams(seed=3, max_new_tokens=9, ignore_eos=True),
    SamplingParams(seed=4, max_new_tokens=3, ignore_eos=True, **BOTH),
]
PROMPTS = ["the fox and the fox and the fox", "in", "and the " * 5, "abc", "the fox and"]


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model_folder).eval()


def check(model: Any, completion: Completion, prompt: list[int], params: SamplingParams) -> None:
    """Row i is behind token i - 1 of the output; the prompt's rows are behind its tokens."""
    with torch.inference_mode():
        ids = torch.tensor([[*prompt, *completion.token_ids[:-1]]])
        full = model(ids, use_cache=False, output_hidden_states=True)
    expected = {"logits": full.logits[0], "hidden_states": full.hidden_states[-1][0]}
    for name, rows in expected.items():
        of_prompt, of_output = getattr(completion, f"prompt_{name}"), getattr(completion, name)
        if not getattr(params, f"return_{name}"):
            assert (of_prompt, of_output) == (None, None)
            continue
        torch.testing.assert_close(of_prompt, rows[: len(prompt)], atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(of_output, rows[len(prompt) - 1 :], atol=1e-4, rtol=1e-4)
        assert torch.equal(of_output[0], of_prompt[-1])
        assert not of_output.is_inference()


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"max_batch_size": 2, "kv_cache_tokens": 96, "prefix_caching": False},
    ],
)
def test_they_are_those_of_full_recomputation(
    make_llm: MakeLLM, model: Any, settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "MAX_SCORED_TOKENS", 7)
    llm = make_llm(**settings)
    completions = llm.generate(PROMPTS, PARAMS)
    for prompt, params, completion in zip(PROMPTS, PARAMS, completions, strict=True):
        check(model, completion, llm.tokenizer.encode(prompt), params)
        plain = llm.generate(prompt, replace(params, return_logits=False, return_hidden_states=False))
        assert plain.token_ids == completion.token_ids
    assert (completions[2].prompt_logprobs is None, completions[0].prompt_logprobs) == (False, None)


def test_each_output_and_each_stream_has_them(make_llm: MakeLLM, model: Any) -> None:
    llm, params = make_llm(), replace(PARAMS[4], n=2)
    first = llm.generate("abc", params)
    *_, last = llm.stream("abc", replace(params, n=1))
    for completion in (first, *first.alternatives, last.completion):
        assert completion is not None
        check(model, completion, llm.tokenizer.encode("abc"), params)


def test_the_embedded_model_has_them() -> None:
    with LLM() as llm:
        completion = llm.generate("Ada Holm", PARAMS[0])
    head = load_network(torch.float32).tokens
    assert completion.hidden_states is not None
    assert completion.logits is not None
    torch.testing.assert_close(completion.hidden_states @ head.T, completion.logits, atol=1e-3, rtol=1e-3)


def test_what_would_be_too_much_is_refused(make_llm: MakeLLM) -> None:
    llm = make_llm(max_returned_bytes=4 * (280 + 32) * 20)  # one token of prompt, 19 of output
    assert llm.generate("a", replace(PARAMS[0], max_new_tokens=19)).num_tokens == 19
    with pytest.raises(
        RequestLimitExceededError, match=r"return_logits .* limit of 24960 bytes \(max_returned_bytes\)"
    ):
        llm.generate("a", replace(PARAMS[0], max_new_tokens=20))
    with pytest.raises(RequestLimitExceededError, match="return_hidden_states has"):
        llm.generate("a", SamplingParams(max_new_tokens=None, return_hidden_states=True))


def test_who_has_none_says_so(make_llm: MakeLLM, tiny_model_folder: Path) -> None:
    with pytest.raises(InvalidInputError, match="particles and return_logits exclude each other"):
        SamplingParams(particles=2, return_logits=True)
    with pytest.raises(RequestFieldError, match="return_hidden_states: steps"):
        stream_steps(make_llm(), "a", SamplingParams(return_hidden_states=True))
    with LLM(tiny_model_folder, engine="echo") as echo, pytest.raises(RequestFieldError, match="return_logits needs"):
        echo.generate("a", SamplingParams(return_logits=True))
