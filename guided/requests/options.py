"""What callers may say about requests beside prompts and params; `LLM`'s methods take it by name."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable

from guided.grammars.protocol import CompiledGrammar

from ..params.checks import advice_on_unknown
from ..params.conversions import OPENAI_FIELDS
from ..params.sampling_params import SamplingParams
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


def check_options(given: Iterable[str], known: Collection[str]) -> None:
    """Raises TypeError for a name that is no option, and says where it belongs if it is one of `SamplingParams`."""
    for name in given:
        if name in known:
            continue
        field = name if name in SamplingParams.__dataclass_fields__ else OPENAI_FIELDS.get(name, ("",))[0]
        if field:
            raise TypeError(f"{name!r} is no option here: give it as params, SamplingParams({field}=...)")
        if name == "stream":
            raise TypeError("stream is an option of generate alone; call stream, stream_async or stream_extract")
        raise TypeError(f"there is no option {name!r}; {advice_on_unknown(name, list(known))}")
