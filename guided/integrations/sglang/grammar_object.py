"""`GuidedGrammar`: SGLang's grammar object of one request. `GrammarTemplate`: what its cache keeps of one."""

from __future__ import annotations

import dataclasses
import logging
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import torch
from sglang.srt.constrained.base_grammar_backend import BaseGrammarObject, GrammarStats

from guided.grammars import CompiledGrammar
from guided.grammars.errors import GuidedError

from ..common.closing import Closing
from ..common.ends import Ends
from ..common.text_state import RefusedTokenError, TextState, reason_of
from . import masks
from .request_link import RequestLink

log = logging.getLogger(__name__)


class GuidedGrammar(BaseGrammarObject):
    """Called by the scheduler, in the order that tokens and drafts come. state: at the start of its grammar.

    Until `belong_to` is called, it knows no budget, and no stop tokens but the model's.

    has_peers: other ranks run the same requests, each with a clock of its own. All ranks must end a request in the same
    step, and what they share is its tokens: SGLang gives all of them the same one. So where a grammar has failed in one
    rank, that rank allows only the end of the text from then on, and an end is where it tells its error. Other ranks
    may know more: the request goes on as long as their tokens win.
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
        """What it stands in."""
        return self._state.grammar

    @property
    def may_be_cut(self) -> bool:
        """See `TextState.may_be_cut`."""
        return self._state.may_be_cut

    @property
    def failure(self) -> str | None:
        """Why a text that SGLang has ended at an end token is none of the grammar; None where it is one.

        Only peers have such texts: an end that one rank's failed grammar brought about ends the text in all of them.
        """
        if not self.has_peers or self._link is None or not self._link.holds_now:
            return None
        if self._state.error is not None:
            return reason_of(self._state.error)
        is_whole = self._state.is_ended or self._state.matcher.is_accepting()
        return None if is_whole else "the grammar failed in another rank, whose log says why"

    def template(self) -> GrammarTemplate:
        """What makes others at the start of the same grammar, and does not keep the grammar."""
        return GrammarTemplate(self)

    def belong_to(self, request: Any, reasoner: Any, *, closes: bool) -> None:
        """Obey a request's parameters. SGLang's own `min_new_tokens` would rule out the end where nothing else is left.

        request: SGLang's. reasoner: its object around this one, or None. closes: near the end of the budget only what
        can still be completed is allowed.
        """
        params = request.sampling_params
        stops = params.stop_token_ids or ()
        self._link = RequestLink(request, reasoner)
        self._state.ends = Ends(self.compiled.vocabulary, stops, params.min_new_tokens)
        self._state.closing = Closing() if closes else None
        params.min_new_tokens = 0

    def accept_token(self, token: int) -> None:
        """Go on by an output, or by a draft. Raises RefusedTokenError, a ValueError, which ends the request."""
        if self._link is None and self._state.error is not None:
            raise RefusedTokenError(reason_of(self._state.error))
        self._state.take(token)
        self.current_token = token
        if not self.has_peers or self._state.ends.holds(token):
            self._tell_error()

    def rollback(self, k: int) -> None:
        """Take back the last tokens."""
        self._state.roll_back(k)

    def is_terminated(self) -> bool:
        """An end came."""
        return self._state.is_ended

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> torch.Tensor:
        """See `masks.allocate_mask`."""
        return masks.allocate_mask(vocab_size, batch_size, device)

    def fill_vocab_mask(self, vocab_mask: torch.Tensor, idx: int) -> None:
        """Write what may come next into a row of a mask on the host."""
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
        """Independent, at the same place; it belongs to no request yet."""
        return GuidedGrammar(self._state.copy(), _of_a_copy(self.grammar_stats), has_peers=self.has_peers)

    def try_jump_forward(self, tokenizer: Any) -> tuple[list[int], str] | None:
        """What must follow, as text; None where there is a choice."""
        text = self._state.forced_text()
        return ([], text) if text else None

    def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
        """The text of `try_jump_forward`, and no state, since `jump_and_retokenize` goes by tokens."""
        return helper[1], -1

    def jump_and_retokenize(
        self, old_output_ids: Sequence[int], new_output_ids: Sequence[int], next_state: int
    ) -> None:
        """The output is spelled in other tokens now: go back to the first that differs, and on by the new ones."""
        pairs = zip(old_output_ids, new_output_ids, strict=False)
        same = next(
            (i for i, (old, new) in enumerate(pairs) if old != new), min(len(old_output_ids), len(new_output_ids))
        )
        self._state.roll_back(len(old_output_ids) - same)
        for token in new_output_ids[same:]:
            self.accept_token(token)

    def _tell_error(self) -> None:
        error = self._state.error
        if error is None or self._is_error_told or self._link is None:
            return
        self._is_error_told = True
        if not isinstance(error, GuidedError):
            log.error("a fault of guided's plug-in", exc_info=error)
        self._link.fail(reason_of(error))

    def __repr__(self) -> str:
        return f"GuidedGrammar({self.compiled.spec.kind}, {self._state.num_taken} tokens taken)"


class GrammarTemplate:
    """grammar: the one to make others of, at its start."""

    def __init__(self, grammar: GuidedGrammar) -> None:
        self._compiled: Callable[[], CompiledGrammar | None] = weakref.ref(grammar.compiled)
        self._stats = grammar.grammar_stats
        self._has_peers = grammar.has_peers
        self._error = grammar._state.error  # of compiling, in this rank

    def copy(self) -> GuidedGrammar:
        """A new one. Called only while `KeptGrammars` holds the compiled grammar."""
        compiled = self._compiled()
        assert compiled is not None, "KeptGrammars holds it while its template is copied"
        state = TextState(compiled)
        state.error = self._error
        return GuidedGrammar(state, _of_a_copy(self._stats), has_peers=self._has_peers)


def _of_a_copy(stats: GrammarStats) -> GrammarStats:
    return dataclasses.replace(stats, is_cache_hit=True, tree_traversal_time=[])
