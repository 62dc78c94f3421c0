"""GigaChat 3: a call is a turn of its own, an object with name and arguments. An answer has at most one call."""

from __future__ import annotations

from ..syntax import ToolSyntax

_CALL = '{"name": "NAME", "arguments": ARGUMENTS}'

GIGACHAT = ToolSyntax(
    "gigachat",
    f"<|message_sep|>\n\nfunction call<|role_sep|>\n{_CALL}",
    trigger="<|message_sep|>",
    is_parallel=False,
)
GIGACHAT_TOKEN = ToolSyntax(
    "gigachat_token", f"<|function_call|>{_CALL}", trigger="<|function_call|>", is_parallel=False
)
