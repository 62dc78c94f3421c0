"""Corrects finish reasons, since SGLang sees only that a text has ended.

An answer that its budget may have cut ends with "length"; an answer that a failed grammar ended gets an error.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any


def tell_failed(request: Any) -> None:
    """Change the reason of a request that SGLang just ended at an end token, if its grammar failed; see
    `GuidedGrammar.failure`.
    """
    from sglang.srt.managers.schedule_batch import FINISH_ABORT, FINISH_MATCHED_TOKEN

    failure = getattr(_grammar_of(request), "failure", None)
    if failure is not None and isinstance(request.finished_reason, FINISH_MATCHED_TOKEN):
        request.finished_reason = FINISH_ABORT(failure, HTTPStatus.INTERNAL_SERVER_ERROR, "InternalServerError")


def tell_cut(request: Any) -> None:
    """Change the reason of a request that SGLang just ended to "length", if the budget excluded tokens of its grammar.

    request: SGLang's `Req`. The plug-in does not see the draw, so it can't tell whether another token would have been
        drawn. Each answer whose tokens the budget has restricted therefore counts as cut. Errors, and "length" itself,
        stay.
    """
    from sglang.srt.managers.schedule_batch import FINISH_ABORT, FINISH_LENGTH

    grammar = _grammar_of(request)
    reason = request.finished_reason
    is_restricted = getattr(grammar, "is_restricted", False)
    if not is_restricted or reason is None or isinstance(reason, FINISH_ABORT | FINISH_LENGTH):
        return
    num_tokens = len(request.output_ids) if request.finished_len is None else request.finished_len
    request.finished_reason = FINISH_LENGTH(num_tokens)


def _grammar_of(request: Any) -> Any:
    """Our grammar of a request, also from inside SGLang's object for thinking."""
    return getattr(request.grammar, "grammar", request.grammar)
