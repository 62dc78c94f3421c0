"""`Budget`: how many tokens a request's text may still get, also behind drafts that are no output yet."""

from __future__ import annotations

import weakref
from typing import Any


class Budget:
    """Of one request.

    request: vLLM's; not kept alive. max_model_len: tokens of prompt and output together.
    num_drafts: drafts of one step among which thinking may end: until the grammar's first token is an output, up to so
        many tokens may lie before it that nobody counts.

    vLLM tells a grammar of drafts and of outputs by the same call. Only the request's own number of tokens tells them
    apart: it grows before the grammar learns of outputs, and never for drafts.
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
        """None once vLLM has let go of it."""
        return self._request()

    def saw_outputs(self) -> bool:
        """True if the request has outputs that it had not when this was asked before: then what comes is no draft."""
        request = self._request()
        if request is None or request.num_output_tokens == self._num_outputs:
            return False
        self._num_outputs = int(request.num_output_tokens)
        return True

    def look(self) -> None:
        """Note the request's outputs: what comes next are drafts, or later outputs."""
        request = self._request()
        if request is not None:
            self._num_outputs = int(request.num_output_tokens)

    def settle(self, num_taken: int) -> None:
        """The last of the request's outputs is the last of the grammar's num_taken tokens."""
        self._offset = self._num_outputs - num_taken

    def position(self, num_taken: int) -> int:
        """Tokens of the output before the one to come, drafts included. num_taken: of them, those of the grammar."""
        if self._offset is not None:
            return self._offset + num_taken
        return self._num_outputs + num_taken + self._slack

    def left(self, num_taken: int) -> int:
        """Tokens that may still come."""
        return self._max_tokens - self.position(num_taken)
