"""`RequestLink`: what a grammar knows about the request that it belongs to."""

from __future__ import annotations

import logging
import weakref
from http import HTTPStatus
from typing import Any

log = logging.getLogger(__name__)


class RequestLink:
    """A link from a grammar to its request; it keeps neither object alive.

    request: SGLang's `Req`.
    reasoner: SGLang's `ReasonerGrammarObject` around the grammar, or None.
    """

    __slots__ = ("_reasoner", "_request")

    def __init__(self, request: Any, reasoner: Any) -> None:
        self._request = weakref.ref(request)
        self._reasoner = None if reasoner is None else weakref.ref(reasoner)

    @property
    def num_before(self) -> int:
        """Number of output tokens before the grammar's first token: the tokens of thinking.

        SGLang's list of outputs is not enough: with speculation, grammars get tokens before they are in that list.
        """
        reasoner = None if self._reasoner is None else self._reasoner()
        if reasoner is None or reasoner.reasoning_in_grammar:
            return 0
        return len(reasoner._thinking_match_history)  # an entry for each token, drafts included

    @property
    def holds_now(self) -> bool:
        """True if the grammar applies to the next token, which then is no thinking."""
        reasoner = None if self._reasoner is None else self._reasoner()
        return reasoner is None or bool(reasoner._grammar_active())

    @property
    def max_tokens(self) -> int | None:
        """Token limit of the output, as far as the context allows; None if the request is gone. SGLang sets it before
        the first mask.
        """
        request = self._request()
        return None if request is None else request.sampling_params.max_new_tokens

    def fail(self, reason: str) -> bool:
        """End the request with an error when the scheduler next looks. Returns False if the request is gone."""
        from sglang.srt.managers.schedule_batch import FINISH_ABORT

        request = self._request()
        if request is None:
            return False
        log.error("request %s ends: %s", request.rid, reason)
        request.to_finish = FINISH_ABORT(reason, HTTPStatus.INTERNAL_SERVER_ERROR, "InternalServerError")
        return True
