"""Where the plug-in hooks into vLLM: one function for each place, with the reason why it is needed.

vLLM has no registry of structured-output backends: it compares names in three places. Each function here may be called
any number of times once that place is imported, and raises EngineInternalsError where the place is not as expected.
`apply_all` leaves such places as they are, and whatever uses our backend raises then. What runs for other backends
imports nothing of ours that vLLM's internals could break.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, Literal, get_args

from ..common.engines import VLLM
from ..common.options import BACKEND
from .imports import after_import
from .patches_on_cpu import CPU_MASKS, apply_masks_quickly_on_cpu, repair_sampling_on_cpu


def apply_all() -> None:
    """All of them, each when its place in vLLM is imported; nothing changes where that was done before."""
    for module, patch in _PLACES.items():
        for one in patch:
            after_import(module, VLLM.try_hook(one))


def _is_guided(manager: Any) -> bool:
    """The structured output manager has our backend. Ours is imported where an engine has chosen it."""
    module = sys.modules.get(f"{__package__}.backend")
    return module is not None and isinstance(getattr(manager, "backend", None), module.GuidedBackend)


def accept_backend_name() -> None:
    """`StructuredOutputsConfig.backend` is a Literal of vLLM's own backends: add ours, so that it can be configured."""
    from pydantic import ValidationError
    from pydantic.dataclasses import rebuild_dataclass
    from vllm.config import structured_outputs as module

    config: Any = module.StructuredOutputsConfig
    field: Any = getattr(config, "__pydantic_fields__", {}).get("backend")
    known = get_args(None if field is None else field.annotation)
    if BACKEND in known:
        return
    place = "vllm.config.StructuredOutputsConfig.backend"
    if not known:
        raise VLLM.internals_error(place, "is no Literal field of a pydantic dataclass")
    widened: Any = Literal[(*known, BACKEND)]
    module.StructuredOutputsBackend = widened
    config.__annotations__["backend"] = widened
    config.__dataclass_fields__["backend"].type = widened
    field.annotation = widened
    rebuild_dataclass(config, force=True)
    try:
        config(backend=BACKEND)
    except ValidationError as error:
        raise VLLM.internals_error(place, f"does not take another name: {error}") from error


def check_requests() -> None:
    """`SamplingParams.verify` picks a check by the backend's name, and takes an unknown name for "auto"."""
    from vllm.sampling_params import SamplingParams

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def validate(self: Any, model_config: Any, structured_outputs_config: Any, tokenizer: Any) -> None:
            if getattr(structured_outputs_config, "backend", None) != BACKEND:
                return original(self, model_config, structured_outputs_config, tokenizer)
            VLLM.require_hooks()
            from .front_end import check_request

            return check_request(self, model_config, tokenizer)

        return validate

    names = ("self", "model_config", "structured_outputs_config", "tokenizer")
    VLLM.hook(SamplingParams, "_validate_structured_outputs", names, wrap)


def check_requests_beside_the_event_loop() -> None:
    """The asynchronous engine checks rendered prompts in its event loop: compile in a thread before it comes to that.

    The check in the event loop then finds what the thread found.
    """
    from vllm.v1.engine.async_llm import AsyncLLM

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        async def add_request(self: Any, request_id: str, prompt: Any, params: Any, *args: Any, **kwargs: Any) -> Any:
            config = getattr(self.vllm_config, "structured_outputs_config", None)
            if getattr(config, "backend", None) == BACKEND and getattr(params, "structured_outputs", None) is not None:
                import asyncio

                from .front_end import check_request

                await asyncio.to_thread(check_request, params, self.model_config, self.input_processor.tokenizer)
            return await original(self, request_id, prompt, params, *args, **kwargs)

        return add_request

    VLLM.hook(AsyncLLM, "add_request", ("self", "request_id", "prompt", "params"), wrap)


def check_processors() -> None:
    """Processors are checked by classes that don't know the engine's configuration: what it rules out is told here.

    With speculative decoding vLLM leaves installed processors out in silence; its other model runner takes others. The
    function is called once, when the front end is made: so this is also where it gets ready for the first request.
    """
    from vllm.v1.engine.input_processor import InputProcessor

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def build(self: Any) -> Callable[[Any], None]:
            check, vllm_config = original(self), self.vllm_config
            is_ours = vllm_config.structured_outputs_config.backend == BACKEND
            if is_ours:
                VLLM.require_hooks()
            if is_ours and not vllm_config.model_config.skip_tokenizer_init:
                from .front_end import prepare

                threading.Thread(target=prepare, args=(vllm_config.model_config,), daemon=True).start()

            def check_both(params: Any) -> None:
                from .front_end import check_options

                check_options(params, vllm_config)
                check(params)

            return check_both

        return build

    VLLM.hook(InputProcessor, "_build_logits_processors_params_validator", ("self",), wrap)


def make_backend() -> None:
    """`StructuredOutputManager.grammar_init` makes a backend by its name where there is none yet: make ours before."""
    from vllm.v1.structured_output import StructuredOutputManager

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def init(self: Any, vllm_config: Any) -> None:
            original(self, vllm_config)
            is_ours = vllm_config.structured_outputs_config.backend == BACKEND
            if is_ours:
                VLLM.require_hooks()
            if is_ours and not vllm_config.model_config.skip_tokenizer_init:
                from .backend import GuidedBackend
                from .front_end import note_engine_here

                note_engine_here()
                self.backend = GuidedBackend(vllm_config, self.tokenizer, vllm_config.model_config.get_vocab_size())
                self.executor.submit(self.backend.prepare)

        return init

    VLLM.hook(StructuredOutputManager, "__init__", ("self", "vllm_config"), wrap)


def make_grammars() -> None:
    """`_create_grammar` hands a backend the grammar's text alone: ours needs the request, its options and budget."""
    from vllm.v1.structured_output import StructuredOutputManager

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def create(self: Any, request: Any) -> Any:
            if not _is_guided(self):
                return original(self, request)
            return self.backend.grammar_of(request, may_think=self.reasoner_cls is not None)

        return create

    VLLM.hook(StructuredOutputManager, "_create_grammar", ("self", "request"), wrap)


def wait_for_grammars() -> None:
    """While all requests wait for their grammars, vLLM takes empty steps without a pause, which keep the interpreter
    from the threads that make the grammars."""
    from vllm.v1.core.sched.scheduler import Scheduler

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def schedule(self: Any, *args: Any, **kwargs: Any) -> Any:
            if _is_guided(getattr(self, "structured_output_manager", None)) and not self.running:
                from .waiting import wait_for_a_grammar

                wait_for_a_grammar(self)
            return original(self, *args, **kwargs)

        return schedule

    VLLM.hook(Scheduler, "schedule", ("self",), wrap)


def end_failed_requests() -> None:
    """A failing processor can't end its own request. The scheduler asks this function after each step: so it does."""
    from vllm.v1.structured_output import StructuredOutputManager

    def wrap(original: Callable[..., bool]) -> Callable[..., bool]:
        def accept(self: Any, request: Any, new_token_ids: list[int]) -> bool:
            params = request.sampling_params
            if params is not None and params.extra_args:
                from .failures import end_if_failed

                if end_if_failed(request):
                    return False
            return original(self, request, new_token_ids)

        return accept

    VLLM.hook(StructuredOutputManager, "accept_tokens", ("self", "request", "new_token_ids"), wrap)


def tell_cut_answers() -> None:
    """A text that the budget has closed ends with an end token, which vLLM calls "stop": it is "length"."""
    from vllm.v1.request import Request

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def reason_of(self: Any) -> Any:
            from .cut_answers import finished_reason

            return finished_reason(self, original(self))

        return reason_of

    VLLM.hook(Request, "get_finished_reason", ("self",), wrap)


def propose_forced_tokens() -> None:
    """A grammar is asked about drafts only where there are some: ask ours also where the drafter found none."""
    from vllm.v1.structured_output import StructuredOutputManager

    def wrap(original: Callable[..., list[int]]) -> Callable[..., list[int]]:
        def validate(self: Any, request: Any, spec_tokens: list[int]) -> list[int]:
            drafts = original(self, request, spec_tokens)
            if drafts or not _is_guided(self) or not request.use_structured_output:
                return drafts
            from .request_grammar import RequestGrammar

            grammar = request.structured_output_request.grammar
            if not isinstance(grammar, RequestGrammar) or not grammar.proposes:
                return drafts
            is_awake = self._get_constraint_bounds(request, ()).grammar_start == 0
            return grammar.validate_tokens([]) if is_awake else drafts

        return validate

    VLLM.hook(StructuredOutputManager, "validate_tokens", ("self", "request", "spec_tokens"), wrap)


def show_outputs_to_processors() -> None:
    """Under asynchronous scheduling, output tokens are filled in only where the engine's own settings name processors.

    Those of entry points are not counted: so ask for the tokens while a request has one.
    """
    from vllm.v1.worker.gpu_input_batch import InputBatch

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def make(self: Any) -> Any:
            from .logits_processor import RunnerLogitsProcessor

            asked = self.logitsprocs_need_output_token_ids
            ours = (one for one in self.logitsprocs.all if isinstance(one, RunnerLogitsProcessor))
            self.logitsprocs_need_output_token_ids = asked or any(not one.rows.is_empty for one in ours)
            try:
                return original(self)
            finally:
                self.logitsprocs_need_output_token_ids = asked

        return make

    VLLM.hook(InputBatch, "_make_sampling_metadata", ("self",), wrap)


def see_masks_before_they_are_applied() -> None:
    """vLLM takes log-probabilities after the grammar's mask. Our own engine shows those of the model: keep its logits.

    On CPUs it also writes to every logit that a mask rules out: leave that out where the sampler can do without. The
    runner calls the function by the name under which it has imported it.
    """
    from vllm.v1.worker import gpu_model_runner as module

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def apply(scheduler_output: Any, grammar_output: Any, input_batch: Any, logits: Any) -> None:
            from .cpu_choice import take_masks
            from .masked_logprobs import keep

            if take_masks(scheduler_output, grammar_output, input_batch, logits):
                return
            keep(input_batch, logits)
            original(scheduler_output, grammar_output, input_batch, logits)

        return apply

    VLLM.hook(module, "apply_grammar_bitmask", ("scheduler_output", "grammar_output", "input_batch", "logits"), wrap)


def sample_with_what_was_seen() -> None:
    """The other half: the sampler chooses under masks that were not applied.

    And what it has found after the mask is replaced where the logits before it were kept.
    """
    from vllm.v1.sample.sampler import Sampler

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(self: Any, logits: Any, sampling_metadata: Any, *args: Any, **kwargs: Any) -> Any:
            from .cpu_choice import choose
            from .masked_logprobs import replace

            chosen = choose(self, logits, sampling_metadata)
            if chosen is not None:
                return chosen
            return replace(self, logits, original(self, logits, sampling_metadata, *args, **kwargs))

        return forward

    VLLM.hook(Sampler, "forward", ("self", "logits", "sampling_metadata"), wrap)


def search_beams() -> None:
    """Beam search makes a backend of its own, by name, in the front end."""
    from vllm.entrypoints.generate.beam_search import offline

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def init(self: Any, structured_outputs: Any, tokenizer: Any) -> Any:
            vllm_config = self.llm_engine.vllm_config
            if getattr(vllm_config.structured_outputs_config, "backend", None) != BACKEND:
                return original(self, structured_outputs, tokenizer)
            VLLM.require_hooks()
            from vllm.v1.structured_output.request import get_structured_output_key

            from .backend import BeamBackend

            backend = BeamBackend(vllm_config, tokenizer, self.model_config.get_vocab_size(), structured_outputs)
            return backend, get_structured_output_key(structured_outputs), backend.allocate_token_bitmask(1)

        return init

    owner = getattr(offline, "BeamSearchOfflineMixin", None)
    if owner is None:
        raise VLLM.internals_error(f"{offline.__name__}.BeamSearchOfflineMixin", "is missing")
    VLLM.hook(owner, "_init_beam_search_structured_output", ("self", "structured_outputs", "tokenizer"), wrap)


_PLACES: dict[str, tuple[Callable[[], None], ...]] = {
    "vllm.config.structured_outputs": (accept_backend_name,),
    "vllm.sampling_params": (check_requests,),
    "vllm.v1.engine.async_llm": (check_requests_beside_the_event_loop,),
    "vllm.v1.engine.input_processor": (check_processors,),
    "vllm.v1.structured_output": (make_backend, make_grammars, end_failed_requests, propose_forced_tokens),
    "vllm.v1.request": (tell_cut_answers,),
    "vllm.v1.core.sched.scheduler": (wait_for_grammars,),
    "vllm.v1.worker.gpu_input_batch": (show_outputs_to_processors,),
    "vllm.v1.worker.gpu_model_runner": (see_masks_before_they_are_applied,),
    "vllm.v1.sample.sampler": (sample_with_what_was_seen,),
    "vllm.entrypoints.generate.beam_search.offline": (search_beams,),
    "vllm.utils.cpu_triton_utils": (repair_sampling_on_cpu,),
    CPU_MASKS: (apply_masks_quickly_on_cpu,),
}
"""Where each belongs: modules of vLLM, and one of xgrammar."""
