"""`TransformersEngine`: runs a causal language model of the `transformers` library on one device.

Prompts are prefilled together, left-padded, then all rows take one token a step on the model's KV cache; a row that
ends leaves the batch. Use it for models of `AutoModelForCausalLM` with attention layers (full or sliding window). It
can't run encoder-decoder or recurrent models, does not add requests to a running batch, and runs one `run` at a time.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import torch

from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.grammars.vocabulary import Vocabulary

from ..errors import ContextLengthError, EngineBusyError, UnsupportedModelError
from ..processors.resolve import check_processors, needs_processors
from ..processors.thinking import RowThinking, row_thinking
from ..sampler import Sampler, check_token_ids
from .base import Engine, GenerationRequest, TokenEvent
from .batch import RunningBatch
from .prompt_scoring import PromptScorer
from .row import RunningRow

if TYPE_CHECKING:
    from transformers import GenerationConfig, PreTrainedModel

    from ..processors.pipeline import ProcessorPipeline


class TransformersEngine(Engine):
    """Runs `model` where it is (its device and dtype stay), in evaluation mode (`model.eval()` is called).

    model: a loaded `transformers` causal language model.
    vocabulary: of the model's tokenizer, as wide as the model's logits.
    model_name: how the model is called in messages and answers.
    sampler: name of a registered sampler backend, or "auto" for the fastest one on the model's device.
    max_batch_size: rows that run together; more requests in one `run` follow in further batches. Bounds the KV cache.
    Raises UnsupportedModelError for a model that this engine can't run, VocabularyMismatchError for another width.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: Vocabulary,
        *,
        model_name: str,
        sampler: str = "auto",
        max_batch_size: int = 64,
    ) -> None:
        if max_batch_size < 1:
            raise InvalidInputError(f"max_batch_size must be at least 1, not {max_batch_size}")
        _check_model(model)
        width = logits_width(model)
        if vocabulary.size != width:
            raise VocabularyMismatchError(
                f"the vocabulary has {vocabulary.size} tokens, the model's logits {width}; pass vocab_size={width}"
            )
        self.model_name = model_name
        self.vocabulary = vocabulary
        self.max_context_tokens = _max_context_tokens(model)
        self.max_batch_size = max_batch_size
        model.eval()  # type: ignore[no-untyped-call]
        self._model: Any = model
        self._sampler = Sampler(sampler)
        self._eos_token_ids = vocabulary.eos_token_ids | eos_token_ids_of(model.generation_config)
        self._forward_arguments = frozenset(inspect.signature(model.forward).parameters)
        self._lock = threading.Lock()

    @property
    def device(self) -> torch.device:
        """See `Engine.device`."""
        device: torch.device = self._model.device
        return device

    @property
    def dtype(self) -> torch.dtype:
        """See `Engine.dtype`."""
        dtype: torch.dtype = self._model.dtype
        return dtype

    def run(self, requests: Sequence[GenerationRequest]) -> Generator[TokenEvent, None, None]:
        """See `Engine.run`."""
        for i, request in enumerate(requests):
            self._check_request(request, "the prompt" if len(requests) == 1 else f"prompt {i}")
        return self._run(list(requests))

    def step(self, batch: RunningBatch) -> list[TokenEvent]:
        """One token for each row of the batch; changes the batch. The rows that finish leave it."""
        with torch.inference_mode():
            logits = self._prefill(batch) if batch.cache is None else self._forward(batch)
            bitmask = batch.fill_bitmask()
            output = self._sampler.sample(logits, batch.sampling, bitmask)
            events = batch.accept(output, logits, bitmask)
            batch.drop_finished()
            return events

    def _run(self, requests: list[GenerationRequest]) -> Generator[TokenEvent, None, None]:
        if not self._lock.acquire(blocking=False):
            raise EngineBusyError("the engine is already running; finish or close the other run's iterator first")
        try:
            for start in range(0, len(requests), self.max_batch_size):
                batch = self._start_batch(requests, range(start, min(start + self.max_batch_size, len(requests))))
                while batch:
                    yield from self.step(batch)
                    batch.drop_finished()  # those whose reader needs no more
        finally:
            self._lock.release()

    def _start_batch(self, requests: list[GenerationRequest], indices: range) -> RunningBatch:
        rows = [
            RunningRow(
                i,
                requests[i],
                vocab_size=self.vocabulary.size,
                eos_token_ids=self._eos_token_ids,
                max_new_tokens=self._max_new_tokens(requests[i]),
                thinking=self._thinking(requests[i]),
            )
            for i in indices
        ]
        batch = RunningBatch(rows, self.vocabulary, self.device, self._eos_token_ids)
        batch.sampling.processors = self._processors(rows)
        return batch

    def _thinking(self, request: GenerationRequest) -> RowThinking | None:
        is_constrained = request.grammar is not None
        return row_thinking(request.params, request.prompt_token_ids, self.vocabulary, is_constrained=is_constrained)

    def _processors(self, rows: Sequence[RunningRow]) -> ProcessorPipeline | None:
        """The custom processors of a new batch, None where no request has any."""
        requests = [row.request for row in rows]
        if not any(needs_processors(request.params) for request in requests):
            return None
        from ..processors.pipeline import ProcessorPipeline

        return ProcessorPipeline.from_params(
            [request.params for request in requests],
            [request.prompt_token_ids for request in requests],
            vocabulary=self.vocabulary,
            end_token_ids=self._eos_token_ids,
            settings=self.processor_settings,
        )

    def _prefill(self, batch: RunningBatch) -> torch.Tensor:
        """Read the prompts: the logits for each row's first token, (B, V) float32."""
        batch.cache = _new_cache(self._model)
        requests = [row.request for row in batch.rows]
        if all(request.params.prompt_logprobs is None for request in requests):
            return self._forward(batch)
        lengths, params = [len(request.prompt_token_ids) for request in requests], [one.params for one in requests]
        scorer = PromptScorer(batch.input_ids, lengths, params, batch.logprob_reader)
        logits = scorer.prefill(lambda start, stop: self._model_logits(batch, start, stop))
        for i, row in enumerate(batch.rows):
            row.prompt_logprobs = scorer.result(i)
        return logits

    def _forward(self, batch: RunningBatch) -> torch.Tensor:
        """The logits for each row's next token, (B, V) float32, after all of the batch's input columns."""
        return self._model_logits(batch, 0, batch.input_ids.shape[1], logits_to_keep=1)[:, -1]

    def _model_logits(self, batch: RunningBatch, start: int, stop: int, **options: int) -> torch.Tensor:
        """The logits after each of the input columns start .. stop, (B, C, V) float32; the cache holds those before."""
        num_later = batch.input_ids.shape[1] - stop
        optional = {"position_ids": batch.position_ids[:, start:stop], **options}
        outputs = self._model(
            input_ids=batch.input_ids[:, start:stop],
            attention_mask=batch.attention_mask[:, : batch.attention_mask.shape[1] - num_later],
            past_key_values=batch.cache,
            use_cache=True,
            **{name: value for name, value in optional.items() if name in self._forward_arguments},
        )
        logits: torch.Tensor = outputs.logits.float()
        return logits

    def _max_new_tokens(self, request: GenerationRequest) -> int:
        """What the context leaves to the request, or less when it asks for less."""
        room = self.max_context_tokens - len(request.prompt_token_ids)
        asked = request.params.max_new_tokens
        return room if asked is None else min(room, asked)

    def _check_request(self, request: GenerationRequest, where: str) -> None:
        prompt = request.prompt_token_ids
        if not prompt:
            raise InvalidInputError(f"{where} has no tokens; give at least one")
        if min(prompt) < 0 or max(prompt) >= self.vocabulary.size:
            raise InvalidInputError(f"{where} has ids outside the vocabulary's 0..{self.vocabulary.size - 1}")
        if len(prompt) >= self.max_context_tokens:
            raise ContextLengthError(len(prompt), self.max_context_tokens, where)
        if request.grammar is not None:
            self._check_grammar_vocabulary(request.grammar.vocabulary)
        check_token_ids(request.params, self.vocabulary.size)
        check_processors(request.params, self.vocabulary, self.processor_settings)

    def _check_grammar_vocabulary(self, vocabulary: Vocabulary) -> None:
        if vocabulary is not self.vocabulary and vocabulary != self.vocabulary:
            raise VocabularyMismatchError(
                f"the grammar's vocabulary has {vocabulary.size} tokens (fingerprint {vocabulary.fingerprint[:12]}), "
                f"the model's {self.vocabulary.size} ({self.vocabulary.fingerprint[:12]}); compile it for the model's"
            )
        if not vocabulary.eos_token_ids:
            raise InvalidInputError(
                "the model names no end-of-sequence token, so a grammar can't end the text; "
                "set eos_token_id in its generation_config.json"
            )


def logits_width(model: PreTrainedModel) -> int:
    """The model's `logits.shape[-1]`: the rows of its output layer, or its config's vocab_size where it has none."""
    head = model.get_output_embeddings()  # type: ignore[no-untyped-call]
    weight = getattr(head, "weight", None)
    return int(weight.shape[0] if weight is not None else model.config.get_text_config().vocab_size)


def eos_token_ids_of(generation_config: GenerationConfig | None) -> frozenset[int]:
    """Every end-of-sequence id that a generation config names."""
    named: Any = None if generation_config is None else generation_config.eos_token_id
    if named is None:
        return frozenset()
    return frozenset([named] if isinstance(named, int) else named)


def _check_model(model: PreTrainedModel) -> None:
    name = type(model).__name__
    if model.config.is_encoder_decoder:
        raise UnsupportedModelError(f"{name} is an encoder-decoder model; use a causal language model")
    from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

    has_only_attention = all(
        type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in _new_cache(model).layers
    )
    if not has_only_attention:
        raise UnsupportedModelError(f"{name} has recurrent layers, which can't run left-padded; use an attention model")


def _new_cache(model: PreTrainedModel) -> Any:
    from transformers import DynamicCache

    return DynamicCache(config=model.config)


def _max_context_tokens(model: PreTrainedModel) -> int:
    limit = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if not isinstance(limit, int):
        raise UnsupportedModelError(
            f"{type(model).__name__}: the config states no max_position_embeddings, so the context's length is unknown"
        )
    return limit
