"""`TransformersEngine`: runs a causal language model of the `transformers` library on one device.

Requests join and leave one running batch; their keys and values lie in pages that requests with the same beginning
share. Use it for models of `AutoModelForCausalLM` with attention layers (full or sliding window). Encoder-decoder and
recurrent models are not supported. The engine uses one device.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch

from guided.grammars.errors import VocabularyMismatchError
from guided.grammars.vocabulary import Vocabulary

from ...errors import RequestFieldError, UnsupportedModelError
from ...grammar_state.speller import TokenSpeller
from ...grammar_state.state import GrammarState
from ...params.limits import RequestLimitExceededError
from ...processors.registry import check_processors
from ...processors.settings import ProcessorSettings
from ...requests.observer import EngineObserver
from ...requests.request import PromptRequest
from ...sampler import Sampler, check_token_ids
from ..base import Engine, Sink
from ..logprobs import LogprobReader
from ..settings import EngineSettings
from ..stats import EngineStats
from ..thinking import thinking_of
from .core import EngineCore
from .decode_batch import DecodeBatch
from .engine_request import EngineRequest
from .kv_size import kv_cache_pages, max_idle_pages
from .loop import EngineLoop
from .paged import PagedModel
from .paged.support import check_config
from .particles import ParticleRun, weighing
from .threads import default_num_threads, running_in

if TYPE_CHECKING:
    from transformers import GenerationConfig, PretrainedConfig, PreTrainedModel


class TransformersEngine(Engine):
    """Runs a model on its present device in its present dtype, in evaluation mode: it calls `model.eval()`.

    model: a loaded `transformers` causal language model.
    vocabulary: tokens of the model's tokenizer, as many as the model's logits have columns.
    model_name: name of the model in messages and answers.
    tokenizer: the model's tokenizer, which spells forced bytes; None: the model chooses these tokens, too.
    sampler: name of a registered sampler backend; "auto" (default): the fastest one on the model's device.
    settings: None: `EngineSettings()`.
    processor_settings: as in `Engine`.
    Raises UnsupportedModelError for a model that this engine can't run, VocabularyMismatchError for a vocabulary of
    another size.

    The engine stops at `shutdown`, when nothing refers to it, or with the interpreter.
    """

    can_resume = True
    returns_tensors = True

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: Vocabulary,
        *,
        model_name: str,
        tokenizer: Any = None,
        sampler: str = "auto",
        settings: EngineSettings | None = None,
        processor_settings: ProcessorSettings | None = None,
    ) -> None:
        check_config(model)
        width = logits_width(model)
        if vocabulary.size != width:
            raise VocabularyMismatchError(
                f"the vocabulary has {vocabulary.size} tokens, the model's logits {width}; pass vocab_size={width}"
            )
        settings = EngineSettings() if settings is None else settings
        model_context = max_context_tokens(model.config, type(model).__name__)
        model.eval()  # type: ignore[no-untyped-call]
        self.model_name = model_name
        self.vocabulary = vocabulary
        self.settings = settings
        self.processor_settings = processor_settings
        self.num_pages = kv_cache_pages(model, settings, model_context)
        self.max_context_tokens = min(model_context, self.num_pages * settings.page_size)
        self.unstretched_context_tokens = unstretched_context_tokens(model.config)
        self._device: torch.device = model.device
        self._dtype: torch.dtype = model.dtype
        self._hidden_size = hidden_size(model)
        self._speller = None if tokenizer is None else TokenSpeller(tokenizer, vocabulary)
        self._eos_token_ids = vocabulary.eos_token_ids | eos_token_ids_of(model.generation_config)
        self._reader = LogprobReader(vocabulary)
        batch = DecodeBatch(vocabulary, self.device, self._eos_token_ids, processor_settings)
        self.num_threads = default_num_threads(model) if settings.num_threads is None else settings.num_threads
        with running_in(self.num_threads):
            self.paged_model = self._paged_model(model)
        core = EngineCore(self.paged_model, Sampler(sampler), batch, self._reader, settings)
        self._loop = EngineLoop(core, settings, self.num_threads)
        self._finalizer = weakref.finalize(self, self._loop.stop)  # the thread refers to the loop, not to the engine

    @property
    def device(self) -> torch.device:
        """See `Engine.device`."""
        return self._device

    @property
    def dtype(self) -> torch.dtype:
        """See `Engine.dtype`."""
        return self._dtype

    @property
    def failure(self) -> Exception | None:
        """See `Engine.failure`."""
        return self._loop.failure

    def check(self, request: PromptRequest, where: str = "the prompt") -> None:
        """See `Engine.check`."""
        self.check_tokens(request, where)
        check_token_ids(request.params, self.vocabulary.size)
        check_processors(request.params, self.vocabulary, self.processor_settings)
        self._check_returned(request)

    def submit(self, request: PromptRequest, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """See `Engine.submit`."""
        self._loop.submit([self._row(request, sink, index)], is_bounded=is_bounded)

    def submit_particles(
        self, outputs: Sequence[PromptRequest], sink: Sink, first_index: int, *, is_bounded: bool = True
    ) -> None:
        """See `Engine.submit_particles`."""
        rows = [self._row(weighing(one), sink, index, is_particle=True) for index, one in enumerate(outputs)]
        self._loop.submit(rows, is_bounded=is_bounded, run=ParticleRun(rows, first_index))

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`."""
        return self._loop.stats

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`."""
        self._loop.core.observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`."""
        self._loop.stop()

    def _paged_model(self, model: PreTrainedModel) -> PagedModel:
        settings = self.settings
        return PagedModel(
            model,
            num_pages=self.num_pages,
            page_size=settings.page_size,
            prefix_caching=settings.prefix_caching,
            max_idle_pages=max_idle_pages(self.device, settings, self.max_context_tokens),
        )

    def _row(self, request: PromptRequest, sink: Sink, index: int, *, is_particle: bool = False) -> EngineRequest:
        params, grammar = request.params, request.grammar
        # Parameters that exclude tokens may exclude the tokenizer's own: then the model chooses all tokens.
        rules_out = bool(params.bad_words or params.allowed_token_ids or params.logit_processors)
        scores_prompt = params.prompt_logprobs is not None or params.returns_tensors
        # Under a grammar, stop tokens are left to `CompletionBuilder`, which knows where they count.
        own_ends = frozenset(params.stop_token_ids or ()) if grammar is None else frozenset()
        speller = None if rules_out else self._speller
        has_sources = params.sources is not None
        state = None if grammar is None else GrammarState(grammar, speller, is_private=has_sources)
        row = EngineRequest(
            request,
            sink,
            index,
            grammar=state,
            thinking=thinking_of(request, self.vocabulary),
            end_token_ids=own_ends if params.ignore_eos else own_ends | self._eos_token_ids,
            max_new_tokens=self._max_new_tokens(request),
            scores_prompt=scores_prompt,
            # Particles don't jump: their weights need the log-probabilities of all tokens at the end of each block.
            may_jump=self.settings.jump_forward and not is_particle and not scores_prompt,
            is_particle=is_particle,
        )
        row.resume()
        return row

    def _max_new_tokens(self, request: PromptRequest) -> int:
        """Maximum number of new tokens: the rest of the context, or less if the request asks for less."""
        room = self.max_context_tokens - len(request.prompt_token_ids)
        asked = request.params.max_new_tokens
        return room if asked is None else min(room, asked)

    def _check_returned(self, request: PromptRequest) -> None:
        """Raise RequestLimitExceededError if an output would return too many bytes of logits and hidden states."""
        params, most = request.params, self.settings.max_returned_bytes
        if not params.returns_tensors:
            return
        if params.return_hidden_states and self._hidden_size is None:
            raise RequestFieldError(
                "return_hidden_states: this model has no output layer of its own", "return_hidden_states"
            )
        width = self.vocabulary.size if params.return_logits else 0
        width += self._hidden_size or 0 if params.return_hidden_states else 0
        num_bytes = 4 * width * (len(request.prompt_token_ids) + self._max_new_tokens(request))
        if num_bytes > most:
            param = "return_logits" if params.return_logits else "return_hidden_states"
            raise RequestLimitExceededError(f"{num_bytes} bytes to return", param, "max_returned_bytes", most)


def logits_width(model: PreTrainedModel) -> int:
    """The model's `logits.shape[-1]`: the rows of its output layer, or, if it has none, its config's vocab_size."""
    head = model.get_output_embeddings()  # type: ignore[no-untyped-call]
    weight = getattr(head, "weight", None)
    return int(weight.shape[0] if weight is not None else model.config.get_text_config().vocab_size)


def hidden_size(model: PreTrainedModel) -> int | None:
    """Size of the hidden state that the output layer reads; None if the model has no such layer."""
    weight = getattr(model.get_output_embeddings(), "weight", None)  # type: ignore[no-untyped-call]
    return None if weight is None else int(weight.shape[1])


def eos_token_ids_of(generation_config: GenerationConfig | None) -> frozenset[int]:
    """The end-of-sequence ids in a generation config; empty if there is none."""
    named: Any = None if generation_config is None else generation_config.eos_token_id
    if named is None:
        return frozenset()
    return frozenset([named] if isinstance(named, int) else named)


def max_context_tokens(config: PretrainedConfig, name: str) -> int:
    """The length of a model's context by its config. name: name of the model for the error message.

    Raises UnsupportedModelError if the config does not state it.
    """
    limit = getattr(config.get_text_config(), "max_position_embeddings", None)
    if not isinstance(limit, int):
        raise UnsupportedModelError(
            f"{name}: the config states no max_position_embeddings, so the context's length is unknown"
        )
    return limit


def unstretched_context_tokens(config: PretrainedConfig) -> int | None:
    """The context in tokens before YaRN or a similar method stretched the positions; None: not in the config."""
    rope = getattr(config.get_text_config(), "rope_parameters", None)
    context = rope.get("original_max_position_embeddings") if isinstance(rope, dict) else None
    return context if isinstance(context, int) else None
