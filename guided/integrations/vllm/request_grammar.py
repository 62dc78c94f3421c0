"""`RequestGrammar`: where one request of vLLM stands in its grammar."""

from __future__ import annotations

import logging
from typing import Any

import torch
from vllm.v1.structured_output.backend_types import StructuredOutputGrammar

from guided.grammars import Bitmask, Matcher
from guided.grammars.errors import GuidedError

from ..common.closing import Closing
from ..common.ends import Ends
from .budget import Budget
from .drafts import ForcedDrafts
from .failures import end_with

log = logging.getLogger(__name__)


class RequestGrammar(StructuredOutputGrammar):
    """Called by the scheduler; in the order that its drafts and outputs come.

    matcher: at the start. budget: None where the number of tokens is not known. closes: near the end of the budget only
    what can still be completed is allowed. drafts: None: none are proposed. max_drafts: of one step.

    vLLM ends a whole engine at an exception of a mask. So a mask that fails is opened, and its request is ended at the
    next token: `error` says why.
    """

    def __init__(
        self,
        matcher: Matcher,
        ends: Ends,
        budget: Budget | None,
        *,
        closes: bool = True,
        drafts: ForcedDrafts | None = None,
        max_drafts: int = 0,
    ) -> None:
        self.error: Exception | None = None
        self._matcher = matcher
        self._ends = ends
        self._budget = budget
        self._closing = Closing() if closes and budget is not None else None
        self._drafts = drafts
        self._max_drafts = max_drafts
        self._num_taken = 0
        self._stopped_at: int | None = None  # tokens taken when a stop token of the user ended the text
        self._tensor: torch.Tensor | None = None
        self._rows: Bitmask | None = None  # the memory of that tensor

    @property
    def proposes(self) -> bool:
        """It has drafts of its own."""
        return self._drafts is not None

    def fill_bitmask(self, bitmask: torch.Tensor, batch_index: int) -> None:
        """Write what may come next. bitmask: int32 (B, W), on the host."""
        if self._rows is None or bitmask is not self._tensor:
            self._tensor, self._rows = bitmask, bitmask.numpy()
        if self.error is None:
            try:
                self._fill(self._rows, batch_index)
            except Exception as error:  # noqa: BLE001 - of one grammar: it ends this request only
                self.error = error
        if self.error is not None:
            self._rows[batch_index] = -1

    def accept_tokens(self, request_id: str, tokens: list[int]) -> bool:
        """Go on by outputs, or by a draft. False ends the request; for a draft, it ends the drafts."""
        is_output = self._budget is not None and self._budget.saw_outputs()
        is_taken = self._accept(tokens)
        if is_output and self._budget is not None:
            self._budget.settle(self._num_taken)
            if not is_taken:
                self._say_why(self._budget.request, tokens)
        return is_taken

    def validate_tokens(self, tokens: list[int]) -> list[int]:
        """The drafts up to the first that can't come; then those that the grammar forces. Nothing is changed.

        Once the budget has ruled out tokens there are no drafts: each would ask anew how far the end is behind it, most
        of them in vain, and for some schemas that takes as long as a step of the model.
        """
        is_closing = self._closing is not None and self._closing.has_begun
        if self.error is not None or is_closing or self.is_terminated():
            return []
        num_taken, forced = 0, list[int]()
        if self._budget is not None:
            self._budget.look()
        try:
            while num_taken < len(tokens) and self._matcher.accept_token(tokens[num_taken]):
                num_taken += 1
                if self._matcher.is_terminated():
                    break
            if self._drafts is not None and not self._matcher.is_terminated():
                forced = self._drafts.find(self._matcher, self._max_drafts - num_taken)
        except Exception as error:  # noqa: BLE001 - of one grammar
            self.error = error
        finally:
            self._matcher.rollback(num_taken)
        return tokens[:num_taken] + forced

    def rollback(self, num_tokens: int) -> None:
        """Take back the last tokens."""
        if num_tokens <= 0:
            return
        self._num_taken -= num_tokens
        if self._stopped_at is not None and self._num_taken < self._stopped_at:
            self._stopped_at = None
            num_tokens -= 1  # the matcher never took the stop token
        self._matcher.rollback(num_tokens)

    def is_terminated(self) -> bool:
        """The text has ended. vLLM then lets everything come, which matters under ignore_eos only."""
        return self._stopped_at is not None or self._matcher.is_terminated()

    def reset(self) -> None:
        """Back to the start."""
        self._matcher.reset()
        self._num_taken = 0
        self._stopped_at = None
        self.error = None
        if self._closing is not None:
            self._closing = Closing()

    def _fill(self, rows: Bitmask, index: int) -> None:
        self._matcher.fill_bitmask(rows, index)
        position = 0
        if self._budget is not None:
            self._budget.look()
            position = self._budget.position(self._num_taken)
            if self._closing is not None:
                self._closing.restrict(self._matcher, rows, index, self._budget.left(self._num_taken))
        self._ends.adjust(rows[index], position, is_complete=self._matcher.is_accepting())

    def _accept(self, tokens: list[int]) -> bool:
        if self.error is not None:
            return False
        for token_id in tokens:
            if self.is_terminated():
                break
            if not self._take(token_id):
                return False
        return True

    def _take(self, token_id: int) -> bool:
        try:
            is_taken = self._matcher.accept_token(token_id)
            is_stop = not is_taken and token_id in self._ends.stop_token_ids and self._matcher.is_accepting()
        except Exception as error:  # noqa: BLE001 - of one grammar
            self.error = error
            return False
        self._num_taken += is_taken or is_stop
        if is_stop:
            self._stopped_at = self._num_taken
        return is_taken or is_stop

    def _say_why(self, request: Any, tokens: list[int]) -> None:
        if request is None:
            return
        if self.error is None:
            end_with(request, f"the grammar refused one of the tokens {tokens}: other rules left none that it allows")
        elif isinstance(self.error, GuidedError):
            end_with(request, str(self.error))
        else:
            log.error("a fault of guided's plug-in", exc_info=self.error)
            end_with(request, f"a fault of guided's plug-in: {type(self.error).__name__}: {self.error}")
