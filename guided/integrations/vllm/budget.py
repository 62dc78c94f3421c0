"""`TokenBudget`: how many tokens a request's text may still get, also after drafts that are no output yet."""

from __future__ import annotations

import weakref
from typing import Any


class TokenBudget:
    """The token budget of one request.

    request: vLLM's request; not kept alive.
    max_model_len: limit of prompt and output together.
    num_drafts: maximum number of draft tokens of a step. Thinking may end among them, so up to this many uncounted
        tokens may precede the grammar's first token.
    vLLM reports drafts and outputs to a grammar by the same call. Only the request's own number of outputs
    distinguishes them: it grows before the grammar gets outputs, and never for drafts.
    """

    __slots__ = ("_max_tokens", "_num_outputs", "_offset", "_request", "_slack")

    def __init__(self, request: Any, max_model_len: int, num_drafts: int = 0) -> None:
        self._request = weakref.ref(request)
        self._max_tokens: int = min(request.max_tokens, max_model_len - request.num_prompt_tokens)
        self._num_outputs = int(request.num_output_tokens)
        self._offset: int | None = None  # outputs before the grammar's first token
        self._slack = num_drafts

    @property
    def request(self) -> Any:
        """The request; None after vLLM released it."""
        return self._request()

    def saw_outputs(self) -> bool:
        """True if the request has new outputs since the last call; then the tokens to come are no drafts."""
        request = self._request()
        if request is None or request.num_output_tokens == self._num_outputs:
            return False
        self._num_outputs = int(request.num_output_tokens)
        return True

    def look(self) -> None:
        """Record the request's number of outputs. The next tokens are drafts, or later outputs."""
        request = self._request()
        if request is not None:
            self._num_outputs = int(request.num_output_tokens)

    def settle(self, num_taken: int) -> None:
        """Record that the request's last output is the last of the grammar's num_taken tokens."""
        self._offset = self._num_outputs - num_taken

    def position(self, num_taken: int) -> int:
        """Number of output tokens before the next one, drafts included. num_taken: how many of them the grammar
        took.
        """
        if self._offset is not None:
            return self._offset + num_taken
        return self._num_outputs + num_taken + self._slack

    def left(self, num_taken: int) -> int:
        """Number of tokens that may still come."""
        return self._max_tokens - self.position(num_taken)
