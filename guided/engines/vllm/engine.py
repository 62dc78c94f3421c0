"""`VllmEngine`: vLLM behind the interface of our own engines, so that `guided.LLM` and the server run on it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from ...processors.settings import ProcessorSettings
from ...requests.observer import EngineObserver
from ...requests.request import PromptRequest
from ...sampler.batch import check_token_ids
from ..base import Engine, Sink
from ..logprobs import LogprobReader
from ..settings import EngineSettings
from ..stats import EngineStats
from .figures import EngineFigures
from .job import VllmJob
from .loop import EngineThread
from .params import check_params, vllm_params

if TYPE_CHECKING:
    import torch


class VllmEngine(Engine):
    """Batching, caches and workers are vLLM's. Grammars are passed to it as sources.

    client: vLLM's `AsyncLLM` with the backend "guided".
    vocabulary: the model's vocabulary.
    figures: one of the client's stat loggers.
    model_name: the model's name.
    settings: only `max_waiting_requests` is used here; other settings were passed to vLLM.
    processor_settings: which processors requests may send.
    """

    def __init__(
        self,
        client: Any,
        vocabulary: Vocabulary,
        figures: EngineFigures,
        *,
        model_name: str,
        settings: EngineSettings,
        processor_settings: ProcessorSettings | None = None,
    ) -> None:
        config = client.vllm_config
        self.model_name = model_name
        self.vocabulary = vocabulary
        self.max_context_tokens = int(config.model_config.max_model_len)
        self.processor_settings = processor_settings
        self._client = client
        self._config = config
        self._keeps_logits = config.speculative_config is None and not config.use_v2_model_runner
        self._names = LogprobReader(vocabulary)
        max_running = int(config.scheduler_config.max_num_seqs)
        self._thread = EngineThread(client, figures, max_running, settings.max_waiting_requests)
        self._finalizer = weakref.finalize(self, self._thread.stop)  # the thread refers to the loop, not to this object

    @property
    def device(self) -> torch.device:
        """See `Engine.device`."""
        import torch

        return torch.device(self._config.device_config.device_type)

    @property
    def dtype(self) -> torch.dtype:
        """See `Engine.dtype`."""
        dtype: torch.dtype = self._config.model_config.dtype
        return dtype

    @property
    def failure(self) -> Exception | None:
        """See `Engine.failure`."""
        return self._thread.failure

    def check(self, request: PromptRequest, where: str = "the prompt") -> None:
        """See `Engine.check`. Also raises RequestFieldError for what vLLM can't do."""
        self.check_tokens(request, where)
        check_token_ids(request.params, self.vocabulary.size)
        if request.grammar is not None:
            _check_native(request.grammar)
        check_params(request, self.vocabulary, keeps_logits=self._keeps_logits)
        if request.params.logit_processors:
            self._check_processors(request)

    def submit(self, request: PromptRequest, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """See `Engine.submit`."""
        params = self._params(request)
        if request.grammar is not None:
            from ...integrations.vllm.front_end import mark_valid

            mark_valid(params, self._config.model_config, self._client.input_processor.tokenizer)
        self._thread.submit(VllmJob(request, sink, index, self._names, params, is_bounded=is_bounded))

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`. Forced tokens count only for finished requests."""
        return self._thread.figures.stats(self._thread.num_unfinished)

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`. Times of a step's parts, and its forced tokens, are not reported."""
        self._thread.figures.observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`. Also ends vLLM's processes."""
        self._thread.stop()

    def _params(self, request: PromptRequest) -> Any:
        room = self.max_context_tokens - len(request.prompt_token_ids)
        asked = request.params.max_new_tokens
        return vllm_params(request, self.vocabulary, room if asked is None else min(room, asked))

    def _check_processors(self, request: PromptRequest) -> None:
        from ...integrations.vllm.options import VllmOptions
        from ...integrations.vllm.processor_checks import check_processors

        params = self._params(request)
        check_processors(VllmOptions.read(params.extra_args), params, self._config)


def _check_native(grammar: Any) -> None:
    """Raise InvalidInputError for a grammar of another backend: vLLM's processes compile it again from its source, by
    the native backend.
    """
    from guided.grammars.backends.registry import get_backend

    spec: GrammarSpec = grammar.spec
    if not type(grammar).__module__.startswith("guided.grammars.native"):
        kinds = ", ".join(sorted(get_backend("native").kinds))
        raise InvalidInputError(
            f"the vllm engine takes grammars of the backend 'native' ({kinds}), and this {spec.kind} is of another one"
        )
