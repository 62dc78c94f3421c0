"""Options of requests beside prompts and params, which `LLM`'s methods accept by name."""

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
    """Options of an answer: those of its tools, and these.

    grammar: constrains every output, instead of a constraint in params; must be compiled for the model's vocabulary.
    deadline_s: seconds from now until the answer ends with DeadlineExceededError; None: no deadline.
    """

    grammar: CompiledGrammar | None
    deadline_s: float | None


class BatchOptions(AnswerOptions, total=False):
    """Options of calls that wait for answers.

    progress: show a progress bar on standard error.
    keep_errors: an output that fails keeps its error in `Completion.error`; default False: the first error is raised.
    """

    progress: bool
    keep_errors: bool


class RequestOptions(AnswerOptions, total=False):
    """Options of calls that only read or start requests.

    cancel: an event that may be set from any thread; compiling then raises CompileCancelledError. Requests read with
        the same event form one group for the engine, see `PromptRequest`.
    """

    cancel: Cancel


def check_options(given: Iterable[str], known: Collection[str]) -> None:
    """Raise TypeError for an unknown option. If the name is a field of `SamplingParams`, the message says so."""
    for name in given:
        if name in known:
            continue
        field = name if name in SamplingParams.__dataclass_fields__ else OPENAI_FIELDS.get(name, ("",))[0]
        if field:
            raise TypeError(f"{name!r} is no option here: give it as params, SamplingParams({field}=...)")
        if name == "stream":
            raise TypeError("stream is an option of generate alone; call stream, stream_async or stream_extract")
        raise TypeError(f"there is no option {name!r}; {advice_on_unknown(name, list(known))}")
