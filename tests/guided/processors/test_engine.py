"""Processors in the engine and behind `LLM`: what a request may name, and that a failure ends its own request only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

import guided
from guided.errors import NoAllowedTokenError
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from guided.processors import (
    CustomLogitProcessor,
    LogitProcessorError,
    ProcessorParamsError,
    ProcessorRefusedError,
    ProcessorRow,
    ProcessorSettings,
    UnknownProcessorError,
    write_key_file,
)
from tests.guided.processors.test_serialization import make_class


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> LLM:
    return LLM(str(tiny_model_folder))


class Only(CustomLogitProcessor):
    """Allows one token, which the request names; fails at the step that it names."""

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        for i, row in enumerate(custom_param_list):
            if row.position == row.get("fail_at"):
                raise RuntimeError("as asked")
            logits[i] = -torch.inf
            logits[i, row["token_id"]] = 0.0
        return logits


def params(**options: object) -> SamplingParams:
    return SamplingParams(temperature=0, max_new_tokens=4, logit_processors=[Only], custom_params=options)


def test_a_processor_of_ones_own(llm: LLM) -> None:  # A5.8
    assert llm.generate("x", params(token_id=65)).token_ids == (65,) * 4


def test_public_names() -> None:
    assert guided.CustomLogitProcessor is CustomLogitProcessor
    assert callable(guided.register_logit_processor("a name of this test"))


def test_a_failure_ends_its_own_request_only(llm: LLM) -> None:
    plain = SamplingParams(temperature=0, max_new_tokens=4)
    asked = [params(token_id=65), params(token_id=66, fail_at=2), plain]
    done = llm.generate(["a", "b", "c"], asked, keep_errors=True)
    assert [one.finish_reason for one in done[:2]] == ["length", "error"]
    assert done[0].token_ids == (65,) * 4
    assert done[1].token_ids == (66,) * 2
    assert isinstance(done[1].error, LogitProcessorError)
    assert str(done[1].error) == "logit processor 'Only' failed: RuntimeError: as asked"
    assert done[2].token_ids == llm.generate("c", plain).token_ids


def test_the_grammar_holds_whatever_a_processor_does(llm: LLM) -> None:  # B10
    banned = llm.vocabulary.tokens.index(b"x")
    boosted = {"choice": ["red", "blue"], "logit_processors": [Boost], "custom_params": {"id": banned}}
    done = llm.generate(["a"] * 3, [SamplingParams(temperature=1, seed=seed, **boosted) for seed in range(3)])
    assert all(one.text in ("red", "blue") for one in done)


class Boost(CustomLogitProcessor):
    """Makes one token all but certain."""

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        for i, row in enumerate(custom_param_list):
            logits[i, row["id"]] = 1e9
        return logits


def test_no_token_left_names_the_processor(llm: LLM) -> None:
    one = llm.vocabulary.tokens.index(b"x")
    others = [token_id for token_id in range(llm.vocabulary.size) if token_id != one]
    asked = SamplingParams(choice=["red"], logit_processors=[("disallowed_tokens", {"token_ids": others})])
    with pytest.raises(NoAllowedTokenError, match="disallowed_tokens"):
        llm.generate("a", asked)


@pytest.mark.parametrize(
    ("processors", "error", "message"),
    [
        (["nothing"], UnknownProcessorError, "unknown logit processor 'nothing'"),
        (["top_n_sigma", ("top_n_sigma", {"n": -2})], ProcessorParamsError, "top_n_sigma: n"),
        ([("disallowed_tokens", {"token_ids": [280]})], ProcessorParamsError, r"\[0, 279\]"),
        ([make_class().to_str()], ProcessorRefusedError, "not enabled"),
    ],
)
def test_wrong_requests_raise_before_anything_runs(
    llm: LLM, processors: list[object], error: type[Exception], message: str
) -> None:  # B12
    with pytest.raises(error, match=message):
        llm.generate("a", SamplingParams(logit_processors=processors))


def test_signed_processors_run_where_the_operator_enables_them(tiny_model_folder: Path, tmp_path: Path) -> None:  # B12
    write_key_file(tmp_path / "key")
    enabled = LLM(str(tiny_model_folder), processor_settings=ProcessorSettings(key_file=tmp_path / "key"))
    text = make_class().to_str(tmp_path / "key")
    plain = SamplingParams(temperature=0, max_new_tokens=3)
    asked = SamplingParams(temperature=0, max_new_tokens=3, logit_processors=[text], custom_params={"amount": 2})
    assert enabled.generate("a", asked).token_ids == enabled.generate("a", plain).token_ids
    with pytest.raises(ProcessorRefusedError, match="not signed"):
        enabled.generate("a", SamplingParams(logit_processors=[make_class().to_str()]))


def test_built_in_processors_together_do_not_depend_on_the_batch(llm: LLM) -> None:
    processors = [
        ("no_repeat_ngram", {"ngram_size": 3}),
        ("top_n_sigma", {"n": 2.0}),
        ("disallowed_tokens", {"token_ids": [7]}),
    ]
    asked = [
        SamplingParams(seed=seed, max_new_tokens=20, logit_processors=processors[seed:] + processors[:seed])
        for seed in range(4)
    ]
    together = llm.generate(["a", "bb", "ccc", "dddd"], asked)
    for prompt, one, done in zip(["a", "bb", "ccc", "dddd"], asked, together, strict=True):
        assert llm.generate(prompt, one).token_ids == done.token_ids
        assert done.error is None
