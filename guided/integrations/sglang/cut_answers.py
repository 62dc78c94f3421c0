"""An answer that its budget may have cut ends with "length": SGLang sees only that the text has an end."""

from __future__ import annotations

from typing import Any


def tell_cut(request: Any) -> None:
    """Change the reason of a request that SGLang has just ended, where the budget has ruled out tokens of its grammar.

    request: SGLang's `Req`. The plug-in does not see the draw, so it can't tell whether another token would have been
    drawn: each answer whose tokens the budget has narrowed counts as cut. Errors, and "length" itself, stay.
    """
    from sglang.srt.managers.schedule_batch import FINISH_ABORT, FINISH_LENGTH

    grammar = getattr(request.grammar, "grammar", request.grammar)  # inside of SGLang's object for thinking
    reason = request.finished_reason
    if reason is None or isinstance(reason, FINISH_ABORT | FINISH_LENGTH) or not getattr(grammar, "may_be_cut", False):
        return
    num_tokens = len(request.output_ids) if request.finished_len is None else request.finished_len
    request.finished_reason = FINISH_LENGTH(num_tokens)
