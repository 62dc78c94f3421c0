"""An engine with little memory, clients that leave and faults: the requests beside them are answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from vllm import LLM
from vllm.v1.core.sched.scheduler import Scheduler
from vllm.v1.request import Request

from guided.grammars.errors import LimitExceededError
from guided.integrations.common.ends import Ends

from .test_vllm_engine import params_of
from .test_vllm_manager import PERSON

LIST = {"type": "array", "items": PERSON, "minItems": 3}
BLOCK_SIZE, NUM_BLOCKS = 32, 20  # of the cache: for 8 requests of some 250 tokens there should be 64


@pytest.fixture(scope="module")
def engine(engine_arguments: dict[str, Any]) -> Iterator[LLM]:
    from vllm.distributed import cleanup_dist_env_and_memory
    from vllm.platforms import current_platform
    from vllm.triton_utils import dispatcher

    with pytest.MonkeyPatch.context() as patch:
        if dispatcher._registry:  # by an engine before; vLLM can't do it again beside llvmlite
            patch.setattr(type(current_platform), "register_triton_kernel_overrides", lambda *_: None)
        llm = LLM(**engine_arguments, block_size=BLOCK_SIZE, num_gpu_blocks_override=NUM_BLOCKS)
    yield llm
    llm.llm_engine.engine_core.shutdown()
    cleanup_dist_env_and_memory()


def outputs_of(llm: LLM, params: list[Any]) -> list[Any]:
    prompts = [f"Who is number {i}?" for i in range(len(params))]
    return [one.outputs[0] for one in llm.generate(prompts, params, use_tqdm=False)]


def test_preempted_requests_go_on_where_they_were(engine: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    preempted: list[Request] = []
    preempt = Scheduler._preempt_request

    def count(self: Any, request: Request, *args: Any, **kwargs: Any) -> None:
        preempted.append(request)
        preempt(self, request, *args, **kwargs)

    monkeypatch.setattr(Scheduler, "_preempt_request", count)
    params = [params_of({"json": LIST}, max_tokens=250) for _ in range(8)]
    together = outputs_of(engine, params)
    assert len(preempted) >= 2
    for output in together:
        assert output.finish_reason in ("stop", "length"), output.stop_reason
        jsonschema.validate(json.loads(output.text), LIST)
    number = len(preempted)
    alone = [
        engine.generate([f"Who is number {i}?"], one, use_tqdm=False)[0].outputs[0] for i, one in enumerate(params[:3])
    ]
    assert [one.text for one in alone] == [one.text for one in together[:3]]
    assert len(preempted) == number


def test_cancelled_requests_leave_the_others_alone(engine: LLM) -> None:
    core = engine.llm_engine
    for i in range(8):
        core.add_request(f"client {i}", "Who?", params_of({"json": LIST}, max_tokens=200, temperature=1.0))
    finished: dict[str, Any] = {}
    num_steps = 0
    while core.has_unfinished_requests():
        for output in core.step():
            if output.finished:
                finished[output.request_id] = output.outputs[0]
        num_steps += 1
        if num_steps in (1, 5, 30):  # while its grammar is made, at its start, in the middle
            core.abort_request([f"client {num_steps % 7}"])
    answered = {name: output for name, output in finished.items() if output.finish_reason != "abort"}
    assert set(answered) == {f"client {i}" for i in (0, 3, 4, 6, 7)}
    for output in answered.values():
        jsonschema.validate(json.loads(output.text), LIST)
    (after,) = outputs_of(engine, [params_of({"json": PERSON})])
    jsonschema.validate(json.loads(after.text), PERSON)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (LimitExceededError("max_mask_seconds", 1.0, "seconds"), "max_mask_seconds"),
        (RuntimeError("a fault"), "a fault of guided's plug-in: RuntimeError: a fault"),
    ],
)
def test_a_mask_that_fails_ends_its_request_alone(
    engine: LLM, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    adjust, failing = Ends.adjust, list[Ends]()

    def fail(self: Ends, row: Any, position: int, *, is_complete: bool) -> None:
        if position == 9 and (not failing or failing[0] is self):
            failing[:] = [self]
            raise error
        adjust(self, row, position, is_complete=is_complete)

    monkeypatch.setattr(Ends, "adjust", fail)
    outputs = outputs_of(engine, [params_of({"json": PERSON}, temperature=1.0) for _ in range(6)])
    (failed,) = [output for output in outputs if output.finish_reason == "error"]
    assert reason in failed.stop_reason
    for output in outputs:
        if output is not failed:
            jsonschema.validate(json.loads(output.text), PERSON)
