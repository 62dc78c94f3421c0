"""`GuidedBackend`: creates grammars for SGLang's scheduler. `make_backend`: how SGLang gets a backend."""

from __future__ import annotations

from typing import Any

from sglang.srt.constrained.base_grammar_backend import (
    BaseGrammarBackend,
    BaseGrammarObject,
    GrammarStats,
    InvalidGrammarObject,
)

from guided.grammars import Limits, compile_grammar
from guided.grammars.errors import GuidedError

from ...grammar_state.speller import TokenSpeller
from ..common.settings import grammar_limits, is_of_a_clock
from ..common.text_state import TextState
from ..common.vocabularies import find_vocabularies, warm_up
from . import masks
from .grammar_object import GuidedGrammar
from .kept_grammars import MAX_HELD, KeptGrammars
from .requests import hook_requests
from .sources import grammar_arguments, server_whitespace


def make_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any = None) -> BaseGrammarBackend:
    """Create the backend; SGLang's registry calls this in each scheduler. The backend is wrapped for SGLang's reasoning
    parser, since SGLang does not wrap other projects' backends itself.

    vocab_size: width of the logits.
    eos_token_ids: the model's end tokens.
    Raises TokenizerError, InvalidInputError or EngineInternalsError; the server then does not start.
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
    """The grammar backend of one scheduler.

    whitespace: default for JSON schemas, see `server_whitespace`.
    has_peers: it is one of several ranks, see `GuidedGrammar`.
    Raises TokenizerError or InvalidInputError.
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
        self._speller = TokenSpeller(tokenizer, self.vocabulary)
        self._whitespace = whitespace
        self._limits = limits or Limits()

    # SGLang also takes these from the backend, for strict thinking without a grammar.
    allocate_vocab_mask = staticmethod(masks.allocate_mask)
    move_vocab_mask = staticmethod(masks.move_mask)
    apply_vocab_mask = staticmethod(masks.apply_mask)

    def new_cache(self) -> KeptGrammars:
        """A cache to replace SGLang's."""
        return KeptGrammars(MAX_HELD, keeps_grammars=True) if self.has_peers else KeptGrammars()

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
        """A new grammar, or an object that refuses it. Like the next three methods, called in the executor's
        threads.
        """
        return self._compile("json", key_string)

    def dispatch_regex(self, key_string: str) -> BaseGrammarObject:
        """See `dispatch_json`."""
        return self._compile("regex", key_string)

    def dispatch_ebnf(self, key_string: str) -> BaseGrammarObject:
        """See `dispatch_json`."""
        return self._compile("ebnf", key_string)

    def dispatch_structural_tag(self, key_string: str) -> BaseGrammarObject:
        """See `dispatch_json`."""
        return self._compile("structural_tag", key_string)

    def _compile(self, kind: str, key_text: str) -> BaseGrammarObject:
        try:
            arguments = grammar_arguments(kind, key_text, self._whitespace)
            grammar = compile_grammar(self.vocabulary, **arguments, limits=self._limits)
        except GuidedError as error:
            if not self.has_peers or not is_of_a_clock(error):
                return InvalidGrammarObject(str(error))
            state = TextState(compile_grammar(self.vocabulary, regex=""))
            state.fail(error)
        else:
            state = TextState(grammar, self._speller)
        return GuidedGrammar(state, GrammarStats(dispatch_type=kind), has_peers=self.has_peers)


def end_token_ids(tokenizer: Any, eos_token_ids: Any) -> frozenset[int]:
    """All tokens at which SGLang ends texts: the model's, the tokenizer's own, and tokens that SGLang adds to the
    tokenizer.
    """
    ends = {eos_token_ids} if isinstance(eos_token_ids, int) else set(eos_token_ids or ())
    ends |= {tokenizer.eos_token_id} | set(getattr(tokenizer, "additional_stop_token_ids", None) or ())
    return frozenset(ends - {None})
