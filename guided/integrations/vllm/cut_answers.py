"""Reports "length" for an answer that its budget may have cut, since vLLM's scheduler sees only that the text has an
end.
"""

from __future__ import annotations

from typing import Any

CUT = "closed_in_budget"
"""The `stop_reason` of such an answer."""


def finished_reason(request: Any, reason: Any) -> Any:
    """vLLM's `FinishReason` of a request: LENGTH instead of STOP if the budget excluded tokens of its grammar.

    request: vLLM's request; its `stop_reason` becomes CUT in that case.
    reason: vLLM's own reason; None while the request runs.
    The draw happens in another process, so the plug-in can't tell whether another token would have been drawn. Each
    answer whose tokens the budget has restricted therefore counts as cut.
    """
    structured = getattr(request, "structured_output_request", None)
    grammar = None if structured is None else structured.grammar
    if reason is None or reason.name not in ("STOP", "LENGTH") or not getattr(grammar, "is_restricted", False):
        return reason
    request.stop_reason = CUT
    return type(reason).LENGTH
