"""`GuidedBackend`: what SGLang's scheduler asks for grammars. `make_backend`: how SGLang gets one."""

from __future__ import annotations

from typing import Any

from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarStats,
    InvalidGrammarObject,
)

from guided.grammars import Limits, compile_grammar
from guided.grammars.errors import GuidedError, LimitExceededError

from ..common.settings import grammar_limits
from ..common.text_state import TextState
from ..common.vocabularies import find_vocabularies, warm_up
from . import masks
from .grammar_object import GuidedGrammar
from .kept_grammars import MAX_HELD, KeptGrammars
from .requests import hook_requests
from .sources import grammar_arguments, server_whitespace


def make_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any = None) -> BaseGrammarBackend:
    """What SGLang's registry calls in each scheduler; wrapped for its reasoning parser, which SGLang does not do itself
    for backends of others.

    vocab_size: the logits' width. eos_token_ids: the model's. Raises TokenizerError, InvalidInputError,
    EngineInternalsError: the server does not start then.
    """
    from sglang.srt.runtime_context import get_parallel, get_serving

    hook_requests()
    serving, parallel = get_serving(), get_parallel()
    backend = GuidedBackend(
        tokenizer,
        vocab_size,
        eos_token_ids,
        whitespace=server_whitespace(serving),
        limits=grammar_limits(),
        has_peers=parallel.tp_size * parallel.pp_size > 1,
    )
    warm_up(backend.vocabulary)
    if not serving.reasoning_parser or tokenizer is None:
        return backend
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    parser = ReasoningParser(model_type=serving.reasoning_parser, stream_reasoning=False, tokenizer=tokenizer)
    if not parser.detector.get_think_end_token_ids(tokenizer):
        return backend
    reasoner = ReasonerGrammarBackend(backend, parser, tokenizer, enable_strict_thinking=serving.enable_strict_thinking)
    reasoner.cache = backend.new_cache()
    return reasoner


class GuidedBackend(BaseGrammarBackend):
    """One for a scheduler. whitespace: of JSON schemas that say nothing of it, see `server_whitespace`. has_peers: one
    of several ranks, see `GuidedGrammar`.

    Raises TokenizerError, InvalidInputError.
    """

    is_support_token_filter = True

    def __init__(
        self,
        tokenizer: Any,
        vocab_size: int,
        eos_token_ids: Any = None,
        *,
        whitespace: str | None = None,
        limits: Limits | None = None,
        has_peers: bool = False,
    ) -> None:
        super().__init__()
        self.has_peers = has_peers
        self.cache = self.new_cache()
        self.vocabulary = find_vocabularies(tokenizer, vocab_size, end_token_ids(tokenizer, eos_token_ids)).model
        self._whitespace = whitespace
        self._limits = limits or Limits()

    # SGLang takes these from the backend too, for requests that think strictly without a grammar.
    allocate_vocab_mask = staticmethod(masks.allocate_mask)
    move_vocab_mask = staticmethod(masks.move_mask)
    apply_vocab_mask = staticmethod(masks.apply_mask)

    def new_cache(self) -> KeptGrammars:
        """What takes the place of SGLang's."""
        return KeptGrammars(MAX_HELD, holds=True) if self.has_peers else KeptGrammars()

    def set_token_filter(
        self,
        vocab_mask: Any,
        token_ids: list[int],
        batch_idx: int,
        is_allowed: bool = True,
        reset_vocab_mask: bool = True,
    ) -> None:
        """See `masks.set_token_filter`."""
        masks.set_token_filter(vocab_mask, token_ids, batch_idx, is_allowed, reset_vocab_mask)

    def dispatch_json(self, key_string: str) -> BaseGrammarObject:
        """A grammar at its start, or what refuses it. Called in the executor's threads, as are those that follow."""
        return self._compile("json", key_string)

    def dispatch_regex(self, key_string: str) -> BaseGrammarObject:
        """As `dispatch_json`."""
        return self._compile("regex", key_string)

    def dispatch_ebnf(self, key_string: str) -> BaseGrammarObject:
        """As `dispatch_json`."""
        return self._compile("ebnf", key_string)

    def dispatch_structural_tag(self, key_string: str) -> BaseGrammarObject:
        """As `dispatch_json`."""
        return self._compile("structural_tag", key_string)

    def _compile(self, kind: str, key_text: str) -> BaseGrammarObject:
        try:
            arguments = grammar_arguments(kind, key_text, self._whitespace)
            grammar = compile_grammar(self.vocabulary, **arguments, limits=self._limits)
        except GuidedError as error:
            if not self.has_peers or not _is_of_a_clock(error):
                return InvalidGrammarObject(str(error))
            state = TextState(compile_grammar(self.vocabulary, regex=""))
            state.error = error
        else:
            state = TextState(grammar)
        return GuidedGrammar(state, GrammarStats(dispatch_type=kind), has_peers=self.has_peers)


def end_token_ids(tokenizer: Any, eos_token_ids: Any) -> frozenset[int]:
    """All that SGLang ends every text at: the model's, the tokenizer's own, and what SGLang has added to that."""
    ends = {eos_token_ids} if isinstance(eos_token_ids, int) else set(eos_token_ids or ())
    ends |= {tokenizer.eos_token_id} | set(getattr(tokenizer, "additional_stop_token_ids", None) or ())
    return frozenset(ends - {None})


def _is_of_a_clock(error: GuidedError) -> bool:
    """Other ranks may not have it: their clocks and processors differ."""
    return isinstance(error, LimitExceededError) and error.unit == "seconds"
