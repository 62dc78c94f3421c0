"""What callers may say about requests beside prompts and params; `LLM`'s methods take it by name."""

from __future__ import annotations

import threading

from guided.grammars.protocol import CompiledGrammar

from ..tools import ToolOptions

Cancel = threading.Event | None


class AnswerOptions(ToolOptions, total=False):
    """What may be said about an answer.

    grammar: constrains every output, instead of a constraint in params; compiled for the model's vocabulary.
    deadline_s: seconds from now after which it ends with DeadlineExceededError; None: it may take any time.
    tools, tool_choice, ...: what the model may call, with messages: see `ToolOptions`.
    """

    grammar: CompiledGrammar | None
    deadline_s: float | None


class BatchOptions(AnswerOptions, total=False):
    """What may be said where answers are waited for. progress: show a bar on standard error."""

    progress: bool


class RequestOptions(AnswerOptions, total=False):
    """What may be said where requests are only read, or begun.

    cancel: set it, from any thread, to have the call raise CompileCancelledError while it compiles. Requests that were
        read with the same event are one group for the engine, see `Request`.
    """

    cancel: Cancel
