"""`RequestLink`: what a grammar knows of the request that it belongs to."""

from __future__ import annotations

import logging
import weakref
from http import HTTPStatus
from typing import Any

log = logging.getLogger(__name__)


class RequestLink:
    """request: SGLang's `Req`. reasoner: its `ReasonerGrammarObject` around the grammar; None: there is none.

    Neither is kept alive.
    """

    __slots__ = ("_reasoner", "_request")

    def __init__(self, request: Any, reasoner: Any) -> None:
        self._request = weakref.ref(request)
        self._reasoner = None if reasoner is None else weakref.ref(reasoner)

    @property
    def num_before(self) -> int:
        """Tokens of the output that came before the grammar's first: those of thinking.

        SGLang's list of outputs says less: with speculation, grammars learn of tokens before they get there.
        """
        reasoner = None if self._reasoner is None else self._reasoner()
        if reasoner is None or reasoner.reasoning_in_grammar:
            return 0
        return len(reasoner._thinking_match_history)  # one entry a token, drafts included

    @property
    def holds_now(self) -> bool:
        """The grammar holds for the next token: no thinking comes before it."""
        reasoner = None if self._reasoner is None else self._reasoner()
        return reasoner is None or bool(reasoner._grammar_active())

    @property
    def max_tokens(self) -> int | None:
        """Of the output, as far as the context lets it grow. SGLang has settled it before the first mask."""
        request = self._request()
        return None if request is None else request.sampling_params.max_new_tokens

    def fail(self, reason: str) -> bool:
        """End the request with an error, as soon as the scheduler looks; False where it is gone."""
        from sglang.srt.managers.schedule_batch import FINISH_ABORT

        request = self._request()
        if request is None:
            return False
        log.error("request %s ends: %s", request.rid, reason)
        request.to_finish = FINISH_ABORT(reason, HTTPStatus.INTERNAL_SERVER_ERROR, "InternalServerError")
        return True
