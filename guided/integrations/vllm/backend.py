"""`GuidedBackend`: provides vLLM's engine with grammars and bitmasks. `BeamBackend`: the same for beam search."""

from __future__ import annotations

import logging
from functools import cached_property
from importlib.metadata import entry_points
from typing import Any

import torch
from vllm.utils.torch_utils import PIN_MEMORY
from vllm.v1.structured_output.backend_types import StructuredOutputBackend, StructuredOutputGrammar

from guided.grammars import CompiledGrammar, Vocabulary, compile_grammar
from guided.grammars.errors import GuidedError

from ...grammar_state.speller import TokenSpeller
from ..common.ends import Ends
from ..common.settings import grammar_limits
from ..common.vocabularies import warm_up
from .budget import TokenBudget
from .options import VllmOptions
from .request_grammar import RequestGrammar
from .sources import grammar_arguments
from .vocabularies import model_vocabulary

_HOST_DRAFTERS = ("ngram", "suffix")
"""Speculation methods whose drafts are plain lists. Others also keep drafts or their probabilities on the device."""

log = logging.getLogger(__name__)


class GuidedBackend(StructuredOutputBackend):
    """The backend of one engine.

    vllm_config, tokenizer, vocab_size: from vLLM; vocab_size is the width of the logits.
    Raises InvalidInputError for invalid limits in the environment.
    """

    def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int) -> None:
        super().__init__(vllm_config, tokenizer, vocab_size)
        self._limits = grammar_limits(vllm_config)
        speculation = vllm_config.speculative_config
        self._num_drafts = 0 if speculation is None else int(speculation.num_speculative_tokens)
        self._takes_drafts = (
            speculation is not None
            and speculation.method in _HOST_DRAFTERS
            and not vllm_config.scheduler_config.async_scheduling
        )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The model's vocabulary. Raises TokenizerError or InvalidInputError."""
        return model_vocabulary(self.vllm_config.model_config, self.tokenizer)

    @cached_property
    def speller(self) -> TokenSpeller | None:
        """Spells the bytes that grammars force. None if other processors are configured or installed: those may
        exclude the tokenizer's tokens.
        """
        installed = [one.value for one in entry_points(group="vllm.logits_processors")]
        others = [str(one) for one in self.vllm_config.model_config.logits_processors or ()]
        others += [one for one in installed if not one.startswith("guided.")]
        if others:
            log.info("the model spells forced bytes, since there are other logits processors: %s", ", ".join(others))
            return None
        return TokenSpeller(self.tokenizer, self.vocabulary)

    def prepare(self) -> None:
        """Prepare what every grammar needs, before the first request. A failure is logged."""
        try:
            warm_up(self.vocabulary)
        except GuidedError as error:
            log.error("guided can't constrain this model: %s", error)

    def grammar_of(self, request: Any, *, may_think: bool) -> RequestGrammar:
        """A request's grammar at its start. Called in the executor's threads.

        request: vLLM's request. Without thinking its min_tokens moves to the grammar, since vLLM's own could exclude
            the only allowed token.
        may_think: tokens outside the grammar may come.
        Raises GuidedError; vLLM then ends the request.
        """
        params = request.sampling_params
        options = VllmOptions.read(params.extra_args)
        grammar = self._compile(params.structured_outputs, options)
        min_tokens = 0
        if not may_think:
            min_tokens, params.min_tokens = params.min_tokens, 0
        return RequestGrammar(
            grammar,
            Ends(self.vocabulary, params.all_stop_token_ids, min_tokens),
            TokenBudget(request, self.vllm_config.model_config.max_model_len, self._num_drafts if may_think else 0),
            speller=None if excludes_tokens(params, options) else self.speller,
            closes=options.close,
            max_drafts=self._num_drafts if self._takes_drafts and options.draft_forced else 0,
        )

    def compile_grammar(
        self, request_type: Any, grammar_spec: str, stop_token_ids: set[int] | None = None
    ) -> StructuredOutputGrammar:
        """vLLM's own entry, without the request: the grammar has no budget and no options."""
        from vllm.sampling_params import StructuredOutputsParams

        name = request_type.name.lower()
        source: Any = True if name == "json_object" else grammar_spec
        grammar = self._compile(StructuredOutputsParams(**{name: source}), VllmOptions())
        return RequestGrammar(grammar, Ends(self.vocabulary, stop_token_ids or ()), None, speller=self.speller)

    def allocate_token_bitmask(self, max_num_seqs: int) -> torch.Tensor:
        """A mask that allows everything, int32 (max_num_seqs, ceil(vocab_size / 32)), on the host."""
        shape = (max_num_seqs, (self.vocab_size + 31) // 32)
        return torch.full(shape, -1, dtype=torch.int32, pin_memory=PIN_MEMORY)

    def destroy(self) -> None:
        """Does nothing: the process keeps grammars, within the limits of their cache."""

    def _compile(self, outputs: Any, options: VllmOptions) -> CompiledGrammar:
        return compile_grammar(self.vocabulary, **grammar_arguments(outputs, options), limits=self._limits)


class BeamBackend(GuidedBackend):
    """The backend of one call of beam search. outputs: the call's `StructuredOutputsParams`.

    Beam search completes a beam only at the tokenizer's own end token, and drops a beam that another token ended.
    """

    def __init__(self, vllm_config: Any, tokenizer: Any, vocab_size: int, outputs: Any) -> None:
        super().__init__(vllm_config, tokenizer, vocab_size)
        self._grammar = self._compile(outputs, VllmOptions())
        others = self.vocabulary.eos_token_ids - {tokenizer.eos_token_id}
        self._ends = Ends(self.vocabulary, (), without=others)

    def compile_grammar(
        self, request_type: Any, grammar_spec: str, stop_token_ids: set[int] | None = None
    ) -> StructuredOutputGrammar:
        """A grammar at its start, the same for every beam."""
        return RequestGrammar(self._grammar, self._ends, None, speller=self.speller)


def excludes_tokens(params: Any, options: VllmOptions) -> bool:
    """True if a request may exclude the tokenizer's own tokens. The model then chooses the tokens of forced bytes.

    params: vLLM's `SamplingParams`.
    """
    return bool(params.bad_words_token_ids or params.allowed_token_ids or options.logit_processors)
