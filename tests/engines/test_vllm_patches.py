"""Where the plug-in hooks into vLLM, and the fault of vLLM's own that it repairs."""

from __future__ import annotations

import asyncio
import importlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from vllm.plugins import load_general_plugins

from guided.integrations.common.engines import VLLM
from guided.integrations.common.errors import EngineInternalsError
from guided.integrations.vllm import front_end, patches

from .driver import sampling


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    load_general_plugins()


def test_this_version_is_one_of_the_tested() -> None:
    assert not VLLM.warn_if_untested()


HOOKED = (
    "vllm.sampling_params:SamplingParams._validate_structured_outputs",
    "vllm.v1.engine.async_llm:AsyncLLM.add_request",
    "vllm.v1.engine.input_processor:InputProcessor._build_logits_processors_params_validator",
    "vllm.v1.structured_output:StructuredOutputManager.__init__",
    "vllm.v1.structured_output:StructuredOutputManager._create_grammar",
    "vllm.v1.structured_output:StructuredOutputManager.accept_tokens",
    "vllm.v1.structured_output:StructuredOutputManager.validate_tokens",
    "vllm.v1.request:Request.get_finished_reason",
    "vllm.v1.engine.output_processor:OutputProcessor.add_request",
    "vllm.v1.engine.output_processor:RequestState._new_request_output",
    "vllm.v1.core.sched.scheduler:Scheduler.schedule",
    "vllm.v1.worker.gpu_input_batch:InputBatch._make_sampling_metadata",
    "vllm.v1.worker.gpu_model_runner:apply_grammar_bitmask",
    "vllm.v1.sample.sampler:Sampler.forward",
    "vllm.entrypoints.generate.beam_search.offline:BeamSearchOfflineMixin._init_beam_search_structured_output",
    "vllm.utils.cpu_triton_utils:_expand_kernel_impl",
    "xgrammar.kernels.apply_token_bitmask_inplace_cpu:apply_token_bitmask_inplace_cpu",
)


def test_everything_is_hooked_once() -> None:
    """Loading again changes nothing: functions are what they were."""
    before = [function(name) for name in HOOKED]
    assert all(hasattr(one, "_guided_original") for one in before)
    assert {name.partition(":")[0] for name in HOOKED} == patches._PLACES.keys() - {"vllm.config.structured_outputs"}
    assert len(HOOKED) == sum(map(len, patches._PLACES.values())) - 1
    patches.apply_all()
    assert [function(name) for name in HOOKED] == before


def function(name: str) -> Any:
    module, _, path = name.partition(":")
    found = importlib.import_module(module)
    for attribute in path.split("."):
        found = getattr(found, attribute)
    return found


def test_other_backends_are_as_they_were() -> None:
    from vllm.config import StructuredOutputsConfig

    assert StructuredOutputsConfig().backend == "auto"
    assert StructuredOutputsConfig(backend="xgrammar").backend == "xgrammar"
    with pytest.raises(ValueError, match="xgrammar"):
        StructuredOutputsConfig(backend="nonsense")


def test_a_changed_vllm_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    from vllm.sampling_params import SamplingParams

    monkeypatch.setattr(SamplingParams, "_validate_structured_outputs", lambda self, config: None)
    with pytest.raises(EngineInternalsError, match=r"_validate_structured_outputs takes \(self, config\)"):
        patches.check_requests()
    monkeypatch.delattr(SamplingParams, "_validate_structured_outputs")
    with pytest.raises(EngineInternalsError, match="_validate_structured_outputs is missing"):
        patches.check_requests()


def test_a_changed_vllm_is_no_matter_of_other_backends(monkeypatch: pytest.MonkeyPatch) -> None:
    """They run as before; an engine with our backend does not start, whichever of its processes comes first."""
    from vllm.sampling_params import SamplingParams
    from vllm.v1.engine.input_processor import InputProcessor

    from guided.integrations.vllm.logits_processor import GuidedLogitsProcessor

    def parts(backend: str) -> list[Callable[[], Any]]:
        outputs = SimpleNamespace(backend=backend)
        model = SimpleNamespace(skip_tokenizer_init=True, logits_processors=None)
        config = SimpleNamespace(
            structured_outputs_config=outputs, model_config=model, additional_config={}, use_v2_model_runner=False
        )
        front = SimpleNamespace(vllm_config=config, model_config=model)
        return [
            lambda: InputProcessor._build_logits_processors_params_validator(front),
            lambda: GuidedLogitsProcessor(config, torch.device("cpu"), False),
        ]

    monkeypatch.setattr(SamplingParams, "_validate_structured_outputs", lambda self, config: None)
    try:
        patches.apply_all()
        for start in parts("xgrammar"):
            start()
        for start in parts("guided"):
            with pytest.raises(EngineInternalsError, match=r"_validate_structured_outputs takes \(self, config\)"):
                start()
    finally:
        VLLM.failures.clear()


def test_the_event_loop_goes_on_while_a_grammar_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from vllm.v1.engine.async_llm import AsyncLLM
    from vllm.v1.engine.exceptions import EngineDeadError

    monkeypatch.setattr(front_end, "check_request", lambda *_: time.sleep(0.5))
    config = SimpleNamespace(structured_outputs_config=SimpleNamespace(backend="guided"))
    engine = SimpleNamespace(vllm_config=config, model_config=None, input_processor=SimpleNamespace(tokenizer=None))
    engine.errored = True  # so that the engine's own part ends at once

    async def count_ticks() -> int:
        task = asyncio.create_task(AsyncLLM.add_request(engine, "1", {}, sampling({"regex": "a"})))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        with pytest.raises(EngineDeadError):
            await task
        return ticks

    assert asyncio.run(count_ticks()) > 5


def waiting_scheduler(backend: Any, grammars: list[Any], num_others: int = 0) -> Any:
    """What of a scheduler tells whether there is nothing to do but to wait."""
    requests = [SimpleNamespace(structured_output_request=SimpleNamespace(_grammar=one)) for one in grammars]
    manager = SimpleNamespace(backend=backend)
    counts = (0, len(requests) + num_others)
    return SimpleNamespace(
        deferred_waiting=requests, structured_output_manager=manager, get_request_counts=lambda: counts
    )


def test_the_scheduler_waits_for_grammars_where_it_has_nothing_else_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from guided.integrations.vllm import waiting
    from guided.integrations.vllm.backend import GuidedBackend

    monkeypatch.setattr(waiting, "WAIT_S", 5.0)
    ours, done = GuidedBackend.__new__(GuidedBackend), Future[None]()
    done.set_result(None)
    goes_on = [
        waiting_scheduler(ours, [Future()], num_others=1),
        waiting_scheduler(ours, [Future(), done]),
        waiting_scheduler(ours, [Future(), None]),
        waiting_scheduler(ours, []),
    ]
    start_s = time.monotonic()
    for scheduler in goes_on:
        waiting.wait_for_a_grammar(scheduler)
    first = Future[None]()
    threading.Timer(0.05, first.set_result, (None,)).start()
    waiting.wait_for_a_grammar(waiting_scheduler(ours, [Future(), first]))
    assert 0.05 <= time.monotonic() - start_s < 2
    monkeypatch.setattr(waiting, "WAIT_S", 0.01)
    waiting.wait_for_a_grammar(waiting_scheduler(ours, [Future()]))


@pytest.fixture
def sampling_on_cpu() -> None:
    """The kernels of a worker on a CPU without Triton."""
    from vllm.platforms import current_platform
    from vllm.triton_utils import dispatcher

    if not current_platform.is_cpu():
        pytest.skip("the fallback is of CPUs")
    if not dispatcher._registry:  # an engine in this process did it; vLLM can't do it again beside llvmlite
        current_platform.import_kernels()
        current_platform.register_triton_kernel_overrides()


@pytest.mark.usefixtures("sampling_on_cpu")
def test_drafts_are_drawn_at_the_temperature_of_their_request() -> None:
    """vLLM left it to what the memory held before."""
    from vllm.v1.sample.rejection_sampler import expand_batch_to_tokens

    counts = torch.tensor([2, 6], dtype=torch.int32)
    for dtype in (torch.float32, torch.int32, torch.int64):
        values = torch.tensor([7, 0], dtype=dtype)
        for value in (0, 5):
            poison = [torch.full((6,), value, dtype=dtype) for _ in range(50)]
            del poison
            expanded = expand_batch_to_tokens(values, counts, 6, replace_from=0, replace_to=1)
            assert expanded.tolist() == [7, 7, 1, 1, 1, 1]


@pytest.mark.usefixtures("sampling_on_cpu")
@pytest.mark.parametrize("memory", [0.0, -1.0, float("nan")])
@pytest.mark.parametrize("draft", [-1, 0])
def test_a_padded_draft_never_becomes_token_0(memory: float, draft: int) -> None:
    """Such a temperature makes all probabilities NaN. vLLM then draws the draft itself, or token 0 for a padded one:
    "grammar rejected tokens [0]"."""
    from vllm.v1.sample.rejection_sampler import apply_sampling_constraints, rejection_sample

    num_requests, num_drafts, allowed = 16, 4, [5, 6, 7]
    counts = torch.arange(num_drafts, num_requests * num_drafts + 1, num_drafts, dtype=torch.int32)
    logits = torch.full((num_requests * num_drafts, 280), -torch.inf)
    logits[:, allowed] = torch.randn(len(logits), len(allowed))
    metadata: Any = SimpleNamespace(
        all_greedy=False, all_random=True, temperature=torch.ones(num_requests), top_k=None, top_p=None, generators={}
    )
    poison = [torch.full((len(logits),), memory) for _ in range(200)]
    del poison
    logits = apply_sampling_constraints(logits, counts, metadata)
    drafts = torch.full((len(logits),), draft, dtype=torch.int32)
    bonus = torch.full((num_requests, 1), allowed[0], dtype=torch.int32)
    drawn = rejection_sample(drafts, [num_drafts] * num_requests, num_drafts, counts, None, logits, bonus, metadata)
    assert set(drawn[:, 0].tolist()) <= set(allowed)


def test_both_model_runners_load_the_logits_processor() -> None:
    from vllm.v1.sample.logits_processor import _load_logitsprocs_plugins
    from vllm.v1.worker.gpu.sample.logits_processor.loader import _load_v2_logitsprocs_plugins

    assert [one.__name__ for one in _load_logitsprocs_plugins()] == ["GuidedLogitsProcessor"]
    (other,) = _load_v2_logitsprocs_plugins()
    assert type(other(None, None)).__name__ == "_NoLogitsProcessor"
