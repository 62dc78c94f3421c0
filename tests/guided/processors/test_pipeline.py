"""The pipeline: one call for the rows that share a processor, failures that end their own row only, rows that move."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.processors import (
    CustomLogitProcessor,
    LogitProcessorError,
    ProcessorPipeline,
    ProcessorRow,
    resolve_processors,
)
from guided.sampler import Sampler, SamplingBatch

WIDTH = 7


class Recorded(CustomLogitProcessor):
    """Adds `amount`, and notes how many rows each call had."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        self.calls.append(len(custom_param_list))
        return logits + torch.tensor([[row["amount"]] for row in custom_param_list])


class Stateful(CustomLogitProcessor):
    """Counts what it is told; the logit of column 0 becomes the count."""

    def start(self, row: ProcessorRow) -> None:
        row.state["count"] = 100 * len(row.prompt_token_ids)

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        assert row.token_ids[-1] == token_id
        row.state["count"] += token_id

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        logits[:, 0] = torch.tensor([float(row.state["count"]) for row in custom_param_list])
        return logits


class Failing(CustomLogitProcessor):
    """Fails for the rows whose parameters say how."""

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> Any:
        how = next((row["fail"] for row in custom_param_list if row.get("fail")), None)
        logits += 1
        for i, row in enumerate(custom_param_list):
            if row.get("spoil") is not None:
                logits[i, 2] = row["spoil"]
        return logits if how is None else FAILURES[how](logits)


def raising(logits: torch.Tensor) -> torch.Tensor:
    raise KeyError("missing")


FAILURES: dict[str, Callable[[torch.Tensor], Any]] = {
    "raise": raising,
    "shape": lambda logits: logits[:, :-1],
    "rows": lambda logits: torch.cat([logits, logits]),
    "dtype": lambda logits: logits.double(),
    "device": lambda logits: logits.to("meta"),
    "none": lambda logits: None,
}


def bound(processor: Any, **params: Any) -> Any:
    return resolve_processors([(processor, params)])


def zeros(num_rows: int) -> torch.Tensor:
    return torch.zeros(num_rows, WIDTH)


def test_rows_with_one_processor_are_one_call() -> None:
    recorded, pipeline = Recorded(), ProcessorPipeline()
    for amount in (1.0, None, 2.0, 3.0):
        pipeline.append(ProcessorPipeline.of_row([] if amount is None else bound(recorded, amount=amount)))
    logits = zeros(4)
    pipeline.apply(logits)
    assert recorded.calls == [3]
    assert logits[:, 0].tolist() == [1, 0, 2, 3]
    assert pipeline.names_of(0) == ("Recorded",)
    assert pipeline.names_of(1) == ()


def test_equal_objects_without_attributes_are_one_call_others_not() -> None:
    sizes: list[int] = []

    class Plain(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            sizes.append(len(custom_param_list))
            return logits

    class Other(Plain):
        pass

    pipeline = ProcessorPipeline()
    for processor in (Plain(), Plain(), Other(), Plain):
        pipeline.append(ProcessorPipeline.of_row(bound(processor)))
    pipeline.apply(zeros(4))
    assert sizes == [3, 1]
    one, two = Recorded(), Recorded()
    pipeline = ProcessorPipeline()
    for processor in (one, two, one):
        pipeline.append(ProcessorPipeline.of_row(bound(processor, amount=1.0)))
    pipeline.apply(zeros(3))
    assert (one.calls, two.calls) == ([2], [1])


def test_order_of_each_row_holds_when_rows_disagree() -> None:
    class Double(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits * 2

    recorded, pipeline = Recorded(), ProcessorPipeline()
    add, double = (recorded, {"amount": 1.0}), Double()
    for specs in ([add, double], [double, add], [double, add, double]):
        pipeline.append(ProcessorPipeline.of_row(resolve_processors(specs)))
    logits = torch.ones(3, WIDTH)
    pipeline.apply(logits)
    assert logits[:, 0].tolist() == [4, 3, 6]


@pytest.mark.parametrize("how", FAILURES)
def test_a_failure_ends_its_own_row_only(how: str) -> None:
    processor, pipeline = Failing(), ProcessorPipeline()
    for fail in (None, how, None):
        pipeline.append(ProcessorPipeline.of_row(bound(processor, fail=fail)))
    logits = zeros(3)
    pipeline.apply(logits)
    assert logits[:, 0].tolist() == [1, 0, 1]
    assert list(pipeline.errors) == [1]
    error = pipeline.errors[1]
    assert isinstance(error, LogitProcessorError)
    assert error.processor == "Failing"
    assert "'Failing' failed" in str(error)
    assert isinstance(error.__cause__, KeyError if how == "raise" else TypeError if how == "none" else ValueError)
    pipeline.apply(logits)  # the others go on
    assert logits[:, 0].tolist() == [2, 0, 2]
    pipeline.keep([0, 2])
    assert pipeline.errors == {}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_new_nan_and_infinity_end_their_row(value: float) -> None:
    pipeline = ProcessorPipeline()
    for spoil in (None, value, -torch.inf):
        pipeline.append(ProcessorPipeline.of_row(bound(Failing(), spoil=spoil)))
    logits = zeros(3)
    pipeline.apply(logits)
    assert list(pipeline.errors) == [1]
    assert "NaN or +inf" in str(pipeline.errors[1])
    assert logits[1].tolist() == [0] * WIDTH
    assert logits[2, 2] == -torch.inf


def test_what_was_spoiled_before_a_merge_ends_its_row_after_it() -> None:
    pipeline, other = ProcessorPipeline(), ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row([]))
    other.append(ProcessorPipeline.of_row(bound(Failing(), spoil=torch.nan)))
    other.apply(zeros(1))
    pipeline.append(other)
    assert list(pipeline.errors) == [1]


def test_nan_of_the_model_is_not_the_processors_fault() -> None:
    pipeline = ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row(bound(Failing())))
    logits = zeros(1)
    logits[0, 3] = torch.nan
    pipeline.apply(logits)
    assert pipeline.errors == {}


def test_state_is_restored_where_a_call_is_repeated() -> None:
    class Counting(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            for row in custom_param_list:
                row.state["calls"] = row.state.get("calls", 0) + 1
                if row.get("fail"):
                    raise RuntimeError("no")
            return logits + torch.tensor([[float(row.state["calls"])] for row in custom_param_list])

    pipeline = ProcessorPipeline()
    for fail in (False, False, True):
        pipeline.append(ProcessorPipeline.of_row(bound(Counting(), fail=fail)))
    logits = zeros(3)
    pipeline.apply(logits)
    assert logits[:, 0].tolist() == [1, 1, 0]


def test_rows_that_do_not_lie_together() -> None:
    recorded, pipeline = Recorded(), ProcessorPipeline()
    for i in range(5):
        pipeline.append(
            ProcessorPipeline.of_row(
                bound(recorded, amount=float(i)) if i % 2 == 0 else bound("disallowed_tokens", token_ids=[i])
            )
        )
    logits = zeros(5)
    pipeline.apply(logits)
    assert logits[[0, 2, 4], 0].tolist() == [0, 2, 4]
    assert logits[1].isneginf().nonzero().flatten().tolist() == [1]
    assert logits[3].isneginf().nonzero().flatten().tolist() == [3]


def test_rows_come_and_go_with_their_state() -> None:
    stateful = Stateful()
    pipeline, other = ProcessorPipeline(), ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row(bound(stateful), [5]))
    pipeline.append(ProcessorPipeline.of_row([], [5, 5]))
    pipeline.append(ProcessorPipeline.of_row(bound(stateful), [5, 5, 5]))
    pipeline.accept_tokens([1, 2, 3])
    other.append(ProcessorPipeline.of_row(bound(stateful), []))
    other.accept_tokens(torch.tensor([4], dtype=torch.int32))
    pipeline.append(other)
    assert (len(pipeline), len(other)) == (4, 0)
    pipeline.accept_tokens([1, 1, 1, 1])
    pipeline.keep([3, 2, 0])
    logits = zeros(3)
    pipeline.apply(logits)
    assert logits[:, 0].tolist() == [5, 304, 102]
    copy = pipeline.select([1])
    copy.accept_tokens([50])
    pipeline.apply(logits)
    assert logits[:, 0].tolist() == [5, 304, 102]
    alone = zeros(1)
    copy.apply(alone)
    assert alone[0, 0] == 354


def test_token_ids_without_copies() -> None:
    seen: list[ProcessorRow] = []

    class Looking(CustomLogitProcessor):
        def start(self, row: ProcessorRow) -> None:
            seen.append(row)

        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits

    pipeline = ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row(bound(Looking), [3, 4], seed=9))
    for token_id in range(200):
        pipeline.accept_tokens([token_id])
    row = seen[0]
    assert row.token_ids.tolist() == [3, 4, *range(200)]
    assert row.prompt_token_ids.tolist() == [3, 4]
    assert row.output_token_ids.tolist() == list(range(200))
    assert (row.position, row.seed) == (200, 9)
    assert row.token_ids.base is not None
    with pytest.raises(ValueError, match="read-only"):
        row.token_ids[0] = 1


def test_failures_when_rows_start_and_are_told_tokens() -> None:
    class Bad(CustomLogitProcessor):
        def start(self, row: ProcessorRow) -> None:
            if row.get("bad") == "start":
                raise ValueError("at start")

        def accept_token(self, row: ProcessorRow, token_id: int) -> None:
            if row.get("bad") == "token":
                raise ValueError("at token")

        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits + 1

    pipeline = ProcessorPipeline()
    for bad in ("start", "token", ""):
        pipeline.append(ProcessorPipeline.of_row(bound(Bad(), bad=bad)))
    logits = zeros(3)
    pipeline.apply(logits)
    assert list(pipeline.errors) == [0]
    pipeline.accept_tokens([1, 1, 1])
    pipeline.apply(logits)
    assert {i: str(error) for i, error in pipeline.errors.items()} == {
        0: "logit processor 'Bad' failed when it started: ValueError: at start",
        1: "logit processor 'Bad' failed when it was told a token: ValueError: at token",
    }
    assert logits[:, 0].tolist() == [0, 1, 2]


def test_wrong_sizes_are_refused() -> None:
    pipeline = ProcessorPipeline()
    pipeline.append(ProcessorPipeline.of_row([]))
    with pytest.raises(InvalidInputError, match="2 rows"):
        pipeline.apply(zeros(2))
    with pytest.raises(InvalidInputError, match="2 tokens"):
        pipeline.accept_tokens([1, 2])
    with pytest.raises(InvalidInputError, match="row 1"):
        pipeline.keep([1])
    with pytest.raises(InvalidInputError, match="appended"):
        pipeline.append([])  # type: ignore[arg-type]
    pipeline.apply(zeros(1))
    assert pipeline.is_empty


def test_the_mask_is_last() -> None:  # B10
    """No processor can bring back a token that the grammar bans."""

    class Insist(CustomLogitProcessor):
        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            logits[:, 3] = 1e30
            return logits

    others = ("disallowed_tokens", {"token_ids": [one for one in range(WIDTH) if one not in (3, 4)]})
    params = [
        SamplingParams(temperature=temperature, seed=i, logit_processors=[Insist, others])
        for i, temperature in enumerate([0.0, 1.0, 100.0])
    ]
    batch = SamplingBatch.from_params(params, WIDTH)
    batch.processors = ProcessorPipeline.from_params(params, [[1]] * 3)
    bitmask = torch.tensor([[0b1110111]] * 3, dtype=torch.int32)
    for _ in range(200):
        output = Sampler("reference").sample(torch.randn(3, WIDTH), batch, bitmask)
        assert output.token_ids.tolist() == [4, 4, 4]
        batch.accept_tokens(output.token_ids)


def test_rows_of_a_batch_follow_its_pipeline() -> None:
    recorded = Recorded()
    params = [SamplingParams(logit_processors=[(recorded, {"amount": float(i)})]) for i in range(3)]
    batch = SamplingBatch.from_params(params[:2], WIDTH)
    batch.processors = ProcessorPipeline.from_params(params[:2], [[1], [1]])
    other = SamplingBatch.from_params(params[2:], WIDTH)
    other.processors = ProcessorPipeline.from_params(params[2:], [[1]])
    batch.append(other)
    batch.keep([2, 0])
    Sampler("reference").sample(torch.zeros(2, WIDTH), batch)
    assert recorded.calls == [2]
    assert len(batch.processors) == 2


def test_rows_that_leave_take_states_along_that_can_not_be_copied() -> None:
    class Holding(CustomLogitProcessor):
        def start(self, row: ProcessorRow) -> None:
            row.state["lock"] = threading.Lock()

        def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
            return logits + 1.0

    pipeline = ProcessorPipeline.of_row(bound(Holding()), [])
    pipeline.append(ProcessorPipeline.of_row(bound(Holding()), []))
    taken = pipeline.take([1])
    logits = zeros(1)
    taken.apply(logits)
    assert logits[0, 0] == 1.0
    with pytest.raises(LogitProcessorError, match="failed when its state was copied: TypeError"):
        pipeline.select([0])
