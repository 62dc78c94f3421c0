"""Our logits processors in vLLM's batch: rows come, go, move and come back, and each gets what it would get alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from guided.grammars import Vocabulary
from guided.integrations.vllm.batch_processors import BatchProcessors
from guided.integrations.vllm.failures import end_if_failed
from guided.integrations.vllm.on_cpu import expand
from guided.processors.base import CustomLogitProcessor
from guided.processors.pipeline import ProcessorPipeline
from guided.processors.registry import register_logit_processor, resolve_processors
from guided.processors.rows import ProcessorRow

from .stand_ins import Params, Request

VOCABULARY = Vocabulary([bytes([65 + i]) for i in range(20)] + [None], [20])
NGRAMS = {"name": "no_repeat_ngram", "params": {"ngram_size": 2}}


@register_logit_processor("test_fails_at_two")
class FailsAtTwo(CustomLogitProcessor):
    """Fails once the row has two output tokens."""

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        if any(row.position >= 2 for row in custom_param_list):
            raise RuntimeError("two are too many")
        return logits


@register_logit_processor("test_allows_all")
class AllowsAll(CustomLogitProcessor):
    """Brings back what was ruled out."""

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        return torch.zeros_like(logits)


def params(*processors: Any) -> Params:
    return Params(extra_args={"guided": {"logit_processors": list(processors)}}, seed=1)


def batch() -> BatchProcessors:
    return BatchProcessors(lambda: VOCABULARY)


def alone(tokens: list[int], prompt: list[int], logits: torch.Tensor) -> torch.Tensor:
    bound = resolve_processors([NGRAMS], vocabulary=VOCABULARY)
    pipeline = ProcessorPipeline.of_row(bound, prompt, seed=1, vocabulary=VOCABULARY)
    for token_id in tokens:
        pipeline.accept_tokens([token_id])
    logits = logits.clone()
    pipeline.apply(logits)
    return logits


def check_rows(rows: BatchProcessors, expected: dict[int, tuple[list[int], list[int]]], num_rows: int) -> None:
    """expected: place -> prompt and outputs of a row with NGRAMS; all other rows stay as they are."""
    logits = torch.randn(num_rows, VOCABULARY.size, generator=torch.Generator().manual_seed(3))
    result = rows.apply(logits.clone())
    for index in range(num_rows):
        row = logits[index : index + 1]
        wanted = alone(expected[index][1], expected[index][0], row) if index in expected else row
        assert torch.equal(result[index : index + 1], wanted), f"row {index}"


def test_rows_are_followed_wherever_they_go() -> None:
    rows = batch()
    assert rows.is_empty
    first, second = [1, 2], [5]
    rows.add(0, params(NGRAMS), [3, 1, 2, 3, 1], first)
    rows.add(1, Params(), [1], [])
    rows.add(2, params(NGRAMS), [1, 1, 5, 7], second)
    check_rows(rows, {0: ([3, 1, 2, 3, 1], first), 2: ([1, 1, 5, 7], second)}, 3)
    first.append(3)
    second += [1, 1]  # a step that this row's processor did not see
    rows.move(0, 1, is_swap=True)
    check_rows(rows, {1: ([3, 1, 2, 3, 1], first), 2: ([1, 1, 5, 7], second)}, 3)
    rows.remove(1)
    rows.move(2, 1, is_swap=False)
    check_rows(rows, {1: ([1, 1, 5, 7], second)}, 2)
    rows.add(1, Params(), [1], [])
    assert rows.is_empty
    rows.add(0, params(NGRAMS), [3, 1, 2, 3, 1], first)  # back after it was preempted, with its outputs
    check_rows(rows, {0: ([3, 1, 2, 3, 1], first)}, 1)


def test_tokens_that_are_not_known_yet_wait() -> None:
    rows, outputs = batch(), [1, -1]
    rows.add(0, params(NGRAMS), [1, 2, 1], outputs)
    check_rows(rows, {0: ([1, 2, 1], [1])}, 1)
    outputs[1] = 2
    check_rows(rows, {0: ([1, 2, 1], [1, 2])}, 1)


def test_what_the_grammar_bans_stays_banned() -> None:
    rows = batch()
    rows.add(0, params("test_allows_all"), [1], [])
    logits = torch.zeros(1, VOCABULARY.size)
    logits[0, 3:] = -torch.inf
    assert torch.equal(rows.apply(logits.clone()), logits)


def test_a_failing_processor_ends_its_own_request() -> None:
    rows, outputs = batch(), [[1], [1]]
    requests = [Request(params=params("test_fails_at_two")), Request(params=params(NGRAMS))]
    for index, request in enumerate(requests):
        rows.add(index, request.sampling_params, [1], outputs[index])
    rows.apply(torch.zeros(2, VOCABULARY.size))
    assert not any(end_if_failed(request) for request in requests)
    for row in outputs:
        row.append(2)
    rows.apply(torch.zeros(2, VOCABULARY.size))
    rows.apply(torch.zeros(2, VOCABULARY.size))  # it is told at the next step
    assert [end_if_failed(request) for request in requests] == [True, False]
    assert requests[0].stop_reason is not None
    assert "two are too many" in requests[0].stop_reason


def test_a_processor_that_is_not_known_here_ends_its_request() -> None:
    rows, request = batch(), Request(params=params("nonsense"))
    rows.add(0, request.sampling_params, [1], [])
    assert rows.is_empty
    assert end_if_failed(request)
    assert "unknown logit processor 'nonsense'" in str(request.stop_reason)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int32, torch.int64])
def test_expand_writes_every_value_to_all_its_places(dtype: torch.dtype) -> None:
    values = torch.tensor([3, 0, 5], dtype=dtype) / (2 if dtype.is_floating_point else 1)
    output = torch.full((6,), 77, dtype=dtype)
    expand(output, values, torch.tensor([2, 3, 6], dtype=torch.int32), 0, 1)
    first, last = values[0].item(), values[2].item()
    assert output.tolist() == [first, first, 1, last, last, last]
