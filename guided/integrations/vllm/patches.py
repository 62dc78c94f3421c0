"""The hooks into vLLM: one function for each place, with the reason for it.

vLLM has no registry of structured-output backends; it compares names in three places. Each function here may be called
repeatedly once its place is imported, and raises EngineInternalsError if the place is not as expected. `apply_all`
leaves such places unchanged, and using our backend then raises. Code that runs for other backends imports nothing of
ours that vLLM's internals could break.
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
    """Install all hooks, each when its place in vLLM is imported. Repeated calls change nothing."""
    for module, patch in _PLACES.items():
        for one in patch:
            after_import(module, VLLM.try_hook(one))


def _is_guided(manager: Any) -> bool:
    """True if the structured output manager has our backend. Our backend's module is imported only if an engine chose
    it.
    """
    module = sys.modules.get(f"{__package__}.backend")
    return module is not None and isinstance(getattr(manager, "backend", None), module.GuidedBackend)


def accept_backend_name() -> None:
    """Add our name to `StructuredOutputsConfig.backend`, a Literal of vLLM's own backends, so that it can be
    configured.
    """
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
    """Check our requests: `SamplingParams.verify` selects a check by the backend's name, and treats an unknown name as
    "auto".
    """
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
    """Compile in a thread before the asynchronous engine checks a rendered prompt in its event loop.

    The check in the event loop then finds the thread's result.
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
    """Refuse processors that the engine's configuration rules out, since vLLM's own checks don't know the
    configuration.

    With speculative decoding vLLM silently ignores installed processors; its second model runner has another interface
    for them. The hooked function runs once, when the front end is created, so it also prepares for the first request.
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
    """Create our backend before `StructuredOutputManager.grammar_init`, which creates one by name if there is none
    yet.
    """
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
    """Pass requests to our backend: `_create_grammar` passes only the grammar's text, but ours needs options and budget
    too.
    """
    from vllm.v1.structured_output import StructuredOutputManager

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def create(self: Any, request: Any) -> Any:
            if not _is_guided(self):
                return original(self, request)
            return self.backend.grammar_of(request, may_think=self.reasoner_cls is not None)

        return create

    VLLM.hook(StructuredOutputManager, "_create_grammar", ("self", "request"), wrap)


def wait_for_grammars() -> None:
    """Wait for a grammar while all requests wait for theirs. vLLM would take empty steps without pause, which keep the
    interpreter from the threads that compile.
    """
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
    """End requests whose processor failed, which it can't do itself. The scheduler calls the hooked function after each
    step.
    """
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
    """Report "length" for a text that the budget has closed. Such a text ends with an end token, so vLLM would report
    "stop".
    """
    from vllm.v1.request import Request

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def reason_of(self: Any) -> Any:
            from .cut_answers import finished_reason

            return finished_reason(self, original(self))

        return reason_of

    VLLM.hook(Request, "get_finished_reason", ("self",), wrap)


def keep_enforcement_beside_requests() -> None:
    """Move what a grammar enforces from the request to the state that its answer is made from."""
    from vllm.v1.engine.output_processor import OutputProcessor

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def add_request(self: Any, request: Any, *args: Any, **kwargs: Any) -> None:
            original(self, request, *args, **kwargs)
            params = request.sampling_params
            if params is not None and "guided_enforcement" in (params.extra_args or ()):
                from .enforcement import move_enforcement

                move_enforcement(request, self.request_states[request.request_id])

        return add_request

    VLLM.hook(OutputProcessor, "add_request", ("self", "request"), wrap)


def add_enforcement_to_answers() -> None:
    """Add what a grammar enforces to answers, since vLLM makes them from its own fields only."""
    from vllm.v1.engine.output_processor import RequestState

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def new_output(self: Any, *args: Any, **kwargs: Any) -> Any:
            output = original(self, *args, **kwargs)
            if hasattr(self.parent_req or self, "guided_enforcement"):
                from .enforcement import add_enforcement

                add_enforcement(output, self)
            return output

        return new_output

    VLLM.hook(RequestState, "_new_request_output", ("self",), wrap)


def propose_forced_tokens() -> None:
    """Ask our grammar for drafts also if the drafter found none; vLLM asks a grammar only about existing drafts."""
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
    """Request output tokens while a row has a processor. Under asynchronous scheduling vLLM fills them in only if its
    own settings name processors.

    Processors from entry points don't count there.
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
    """Keep logits or masks before vLLM applies a grammar's mask, since it computes log-probabilities only afterwards.

    Our own engine reports the model's own log-probabilities, so its logits are kept. On CPUs vLLM also writes to every
    excluded logit, which is skipped if the sampler can use the mask directly. The runner calls the function by the name
    under which it imported it, so the hook is there.
    """
    from vllm.v1.worker import gpu_model_runner as module

    def wrap(original: Callable[..., None]) -> Callable[..., None]:
        def apply(scheduler_output: Any, grammar_output: Any, input_batch: Any, logits: Any) -> None:
            from .masked_logprobs import keep
            from .on_cpu import take_masks

            if take_masks(scheduler_output, grammar_output, input_batch, logits):
                return
            keep(input_batch, logits)
            original(scheduler_output, grammar_output, input_batch, logits)

        return apply

    VLLM.hook(module, "apply_grammar_bitmask", ("scheduler_output", "grammar_output", "input_batch", "logits"), wrap)


def sample_with_what_was_seen() -> None:
    """The counterpart in the sampler: choose under masks that were not applied.

    If logits from before the mask were kept, the sampler's log-probabilities are replaced.
    """
    from vllm.v1.sample.sampler import Sampler

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        def forward(self: Any, logits: Any, sampling_metadata: Any, *args: Any, **kwargs: Any) -> Any:
            from .masked_logprobs import replace
            from .on_cpu import choose

            chosen = choose(self, logits, sampling_metadata)
            if chosen is not None:
                return chosen
            return replace(self, logits, original(self, logits, sampling_metadata, *args, **kwargs))

        return forward

    VLLM.hook(Sampler, "forward", ("self", "logits", "sampling_metadata"), wrap)


def search_beams() -> None:
    """Create our backend for beam search, which makes its own by name in the front end."""
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
    "vllm.v1.engine.output_processor": (keep_enforcement_beside_requests, add_enforcement_to_answers),
    "vllm.v1.core.sched.scheduler": (wait_for_grammars,),
    "vllm.v1.worker.gpu_input_batch": (show_outputs_to_processors,),
    "vllm.v1.worker.gpu_model_runner": (see_masks_before_they_are_applied,),
    "vllm.v1.sample.sampler": (sample_with_what_was_seen,),
    "vllm.entrypoints.generate.beam_search.offline": (search_beams,),
    "vllm.utils.cpu_triton_utils": (repair_sampling_on_cpu,),
    CPU_MASKS: (apply_masks_quickly_on_cpu,),
}
"""Module of vLLM, or of xgrammar -> hooks to install when it is imported."""
