"""`RequestGrammar`: the state of one vLLM request in its grammar."""

from __future__ import annotations

from typing import Any

import torch
from vllm.v1.structured_output.backend_types import StructuredOutputGrammar

from guided.grammars import Bitmask, CompiledGrammar

from ...errors import TokenRefusedError
from ...grammar_state.speller import TokenSpeller
from ..common.ends import Ends
from ..common.text_state import TextState, reason_of
from .budget import TokenBudget
from .failures import end_with


class RequestGrammar(StructuredOutputGrammar):
    """The grammar of one request. The scheduler calls it in the order of drafts and outputs.

    budget: None if the number of tokens is unknown.
    closes: near the end of the budget, allow only tokens that still let the text be completed.
    speller: spells the bytes that the grammar forces, see `TextState`.
    max_drafts: most forced tokens and drafts in one step; 0: forced tokens are not proposed as drafts.
    An exception in a mask would stop vLLM's whole engine. If a mask fails, its request therefore ends at the next
    token.
    """

    def __init__(
        self,
        grammar: CompiledGrammar,
        ends: Ends,
        budget: TokenBudget | None,
        *,
        speller: TokenSpeller | None = None,
        closes: bool = True,
        max_drafts: int = 0,
    ) -> None:
        self._grammar = grammar
        self._ends = ends
        self._budget = budget
        self._closes = closes and budget is not None
        self._speller = speller
        self._max_drafts = max_drafts
        self._tensor: torch.Tensor | None = None
        self._rows: Bitmask | None = None  # the memory of that tensor
        self.reset()

    @property
    def proposes(self) -> bool:
        """True if the grammar proposes drafts of its own."""
        return self._max_drafts > 0

    @property
    def is_restricted(self) -> bool:
        """See `GrammarState.is_restricted`."""
        return self._state.is_restricted

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Write the mask of the next token. bitmask: int32 (B, W), on the host."""
        if self._rows is None or bitmask is not self._tensor:
            self._tensor, self._rows = bitmask, bitmask.numpy()
        if self._budget is not None:
            self._budget.look()
        self._state.fill(self._rows, batch_index, *self._position())

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Accept outputs or a draft. False ends the request; for a draft, it ends the drafts."""
        is_output = self._budget is not None and self._budget.saw_outputs()
        is_taken = self._state.error is None and all(map(self._take, tokens))
        if is_output and self._budget is not None:
            self._budget.settle(self._state.num_taken)
            if not is_taken:
                self._say_why(self._budget.request, tokens)
        return is_taken

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """The drafts up to the first that is not allowed, followed by forced tokens. The state is not changed.

        Once the budget has excluded tokens there are no drafts. For each draft the distance to the end would have to be
        computed again, mostly without use. For some schemas that takes as long as a step of the model.
        """
        state = self._state
        if state.error is not None or state.is_restricted or self.is_terminated():
            return []
        if self._budget is not None:
            self._budget.look()
        taken, before = list[int](), state.num_taken
        try:
            for token_id in tokens:
                if state.is_ended or self._forced_token() not in (None, token_id) or not self._take(token_id):
                    break
                taken.append(token_id)
            while len(taken) < self._max_drafts and not state.is_ended:
                forced = self._forced_token()
                if forced is None or not self._take(forced):
                    break
                taken.append(forced)
        except Exception as error:  # noqa: BLE001 - of one grammar
            state.fail(error)
        finally:
            state.rollback(state.num_taken - before)
        return taken

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        self._state.rollback(num_tokens)

    def is_terminated(self) -> bool:
        """True if the text has ended. vLLM then allows everything, which only matters under ignore_eos."""
        return self._state.is_ended

    def reset(self) -> None:
        """Return to the start."""
        self._state = TextState(self._grammar, self._speller, closes=self._closes)
        self._state.ends = self._ends

    def _position(self) -> tuple[int, int | None]:
        """(number of output tokens before the next one, number of tokens that may still come; None: unknown)."""
        if self._budget is None:
            return 0, None
        num_taken = self._state.num_taken
        return self._budget.position(num_taken), self._budget.left(num_taken)

    def _forced_token(self) -> int | None:
        return self._state.forced_token(self._position()[1])

    def _take(self, token_id: int) -> bool:
        try:
            self._state.take(token_id)
        except TokenRefusedError:
            return False
        return self._state.error is None

    def _say_why(self, request: Any, tokens: list[int]) -> None:
        if request is None:
            return
        error = self._state.error
        refused = f"the grammar refused one of the tokens {tokens}: other rules left none that it allows"
        end_with(request, refused if error is None else reason_of(error))
