"""`GuidedGrammar`: SGLang's grammar object of one request. `GrammarTemplate`: what SGLang's cache keeps of it."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Callable
from typing import Any

import torch
from sglang.srt.constrained.base_grammar_backend import BaseGrammarObject, GrammarStats

from guided.grammars import CompiledGrammar

from ...errors import TokenRefusedError
from ..common.ends import Ends
from ..common.text_state import TextState, reason_of
from . import masks
from .request_link import RequestLink


class GuidedGrammar(BaseGrammarObject):
    """The grammar of one request. The scheduler calls it in the order of tokens and drafts.

    state: at the start of its grammar.
    has_peers: other ranks run the same requests.
    Until `belong_to` is called, the object knows no budget, and no stop tokens except the model's.

    All ranks must end a request in the same step, although each has its own clock. The ranks only share the request's
    tokens, since SGLang gives all of them the same ones. If a grammar fails in one rank, that rank therefore allows
    only the text's end from then on. The rank reports its error at the end token. If the other ranks draw
    another token, the request continues.
    """

    def __init__(self, state: TextState, stats: GrammarStats, *, has_peers: bool = False) -> None:
        super().__init__()
        self.grammar_stats = stats
        self.has_peers = has_peers
        self._state = state
        self._link: RequestLink | None = None
        self._is_error_told = False

    @property
    def compiled(self) -> CompiledGrammar:
        """The compiled grammar."""
        return self._state.grammar

    @property
    def is_restricted(self) -> bool:
        """See `GrammarState.is_restricted`."""
        return self._state.is_restricted

    @property
    def failure(self) -> str | None:
        """Why a text that SGLang ended at an end token does not fit the grammar; None if it fits.

        Only ranks with peers have such texts: an end forced by one rank's failed grammar ends the text in all ranks.
        """
        if not self.has_peers or self._link is None or not self._link.holds_now:
            return None
        if self._state.error is not None:
            return reason_of(self._state.error)
        return None if self._state.is_complete else "the grammar failed in another rank, whose log says why"

    def template(self) -> GrammarTemplate:
        """A template that creates new states of the same grammar without keeping the grammar alive."""
        return GrammarTemplate(self)

    def belong_to(self, request: Any, reasoner: Any, *, closes: bool) -> None:
        """Apply a request's parameters. SGLang's own `min_new_tokens` is set to 0, since it could exclude the only
        allowed token.

        request: SGLang's request.
        reasoner: SGLang's object around this one, or None.
        closes: near the end of the budget, allow only tokens that still let the text be completed.
        """
        params = request.sampling_params
        stops = params.stop_token_ids or ()
        self._link = RequestLink(request, reasoner)
        self._state.ends = Ends(self.compiled.vocabulary, stops, params.min_new_tokens)
        self._state.closes = closes
        if request.custom_logit_processor:  # it may exclude the tokenizer's own tokens
            self._state.leave_spelling_to_model()
        params.min_new_tokens = 0

    def accept_token(self, token: int) -> None:
        """Accept an output token or a draft. Raises TokenRefusedError, which ends the request."""
        if self._link is None and self._state.error is not None:
            raise TokenRefusedError(reason_of(self._state.error))
        self._state.take(token)
        self.current_token = token
        if not self.has_peers or self._state.ends.holds(token):
            self._tell_error()

    def rollback(self, k: int) -> None:
        """Take back the last tokens."""
        self._state.rollback(k)

    def is_terminated(self) -> bool:
        """True if an end token came."""
        return self._state.is_ended

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
        """See `masks.allocate_mask`."""
        return masks.allocate_mask(vocab_size, batch_size, device)

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        """Write the mask of the next token into a row of a host mask."""
        position, tokens_left = self._state.num_taken, None
        if self._link is not None:
            position += self._link.num_before
            max_tokens = self._link.max_tokens
            tokens_left = None if max_tokens is None else max_tokens - position
        rows = vocab_mask.numpy()
        self._state.fill(rows, idx, position, tokens_left)
        if not self.has_peers:
            self._tell_error()
        elif self._state.error is not None:
            self._state.ends.allow_alone(rows[idx])

    reset_vocab_mask = staticmethod(masks.reset_mask)
    move_vocab_mask = staticmethod(masks.move_mask)
    apply_vocab_mask = staticmethod(masks.apply_mask)

    def copy(self) -> GuidedGrammar:
        """An independent copy of the state, which belongs to no request yet."""
        return GuidedGrammar(self._state.fork(), _of_a_copy(self.grammar_stats), has_peers=self.has_peers)

    def _tell_error(self) -> None:
        error = self._state.error
        if error is None or self._is_error_told or self._link is None:
            return
        self._is_error_told = True
        self._link.fail(reason_of(error))

    def __repr__(self) -> str:
        return f"GuidedGrammar({self.compiled.spec.kind}, {self._state.num_taken} tokens taken)"


class GrammarTemplate:
    """Creates new grammar objects. grammar: the object to repeat, at its start."""

    def __init__(self, grammar: GuidedGrammar) -> None:
        self._compiled: Callable[[], CompiledGrammar | None] = weakref.ref(grammar.compiled)
        self._stats = grammar.grammar_stats
        self._speller = grammar._state.given_speller
        self._has_peers = grammar.has_peers
        self._error = grammar._state.error  # error of compiling in this rank, or None

    def copy(self) -> GuidedGrammar:
        """A new grammar object. Called only while `KeptGrammars` holds the compiled grammar."""
        compiled = self._compiled()
        assert compiled is not None, "KeptGrammars holds it while its template is copied"
        state = TextState(compiled, self._speller)
        state.error = self._error
        return GuidedGrammar(state, _of_a_copy(self._stats), has_peers=self._has_peers)


def _of_a_copy(stats: GrammarStats) -> GrammarStats:
    return dataclasses.replace(stats, is_cache_hit=True, tree_traversal_time=[])
