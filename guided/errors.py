"""What can go wrong with models, while they generate, and with what they wrote.

Errors about grammars, vocabularies and plain arguments are in `guided.grammars.errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from guided.grammars.errors import GuidedError, InvalidInputError, UnknownBackendError


class WrittenOutput(Protocol):
    """What errors about an output have of it: a `guided.output.completion.Completion`."""

    @property
    def text(self) -> str:
        """What was written."""

    @property
    def num_tokens(self) -> int:
        """How many tokens that is."""

    @property
    def stopped_by(self) -> str | int | None:
        """The stop that ended it, if one did."""

    @property
    def ended_repetition(self) -> bool:
        """It was ended because it repeated itself."""


class UnknownEngineError(UnknownBackendError):
    """An engine name nobody registered; the message lists the known ones."""


class ModelNotFoundError(GuidedError, ValueError):
    """No model under that name or in that folder, or one whose files are incomplete."""


class UnsupportedModelError(GuidedError, ValueError):
    """A model that is there, but that this engine can't run."""


class ChatTemplateError(GuidedError, ValueError):
    """Messages that the model's chat template does not take, or a model without a chat template."""


class ContextLengthError(GuidedError, ValueError):
    """A prompt that leaves no room for an answer. Both counts are in tokens. where: which prompt, in a batch.

    is_least: the prompt is far too long and was not cut into tokens; it has at least so many.
    """

    def __init__(
        self, num_prompt_tokens: int, max_context_tokens: int, where: str = "the prompt", *, is_least: bool = False
    ) -> None:
        self.num_prompt_tokens = num_prompt_tokens
        self.max_context_tokens = max_context_tokens
        self.is_least = is_least
        count = f"at least {num_prompt_tokens}" if is_least else str(num_prompt_tokens)
        super().__init__(
            f"{where} has {count} tokens, but the model's context is {max_context_tokens} and the "
            "answer needs at least one of them; shorten the prompt"
        )

    def at(self, where: str) -> ContextLengthError:
        """The same of a prompt with a name."""
        return ContextLengthError(self.num_prompt_tokens, self.max_context_tokens, where, is_least=self.is_least)


class QueueFullError(GuidedError):
    """More requests wait than the engine takes; try again later. max_waiting_requests: the bound."""

    def __init__(self, max_waiting_requests: int) -> None:
        self.max_waiting_requests = max_waiting_requests
        super().__init__(f"{max_waiting_requests} requests wait already; try again later")


class EngineStoppedError(GuidedError):
    """A request to an engine that was shut down or runs in another process, or that was not done when it was shut."""

    def __init__(self, reason: str = "the engine was shut down") -> None:
        super().__init__(reason)


class DeadlineExceededError(GuidedError):
    """A request that was not done at its deadline; what there was of it stands in its completion."""

    def __init__(self) -> None:
        super().__init__("the request was not done at its deadline; give it more time or ask for fewer tokens")


class GenerationCancelledError(GuidedError):
    """The result of a generation that was cancelled."""

    def __init__(self) -> None:
        super().__init__("the generation was cancelled before it was done")


class EngineFailureError(GuidedError):
    """A fault of the model, or in the engine, that ended a request; `__cause__` is what was raised."""

    def __init__(self, where: str, cause: BaseException) -> None:
        super().__init__(f"{where} failed: {type(cause).__name__}: {cause}")
        self.__cause__ = cause


class RequestFailedError(GuidedError):
    """A request that an engine of another library ended with an error; that engine goes on."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the request failed: {reason}")


class EndpointError(GuidedError):
    """A request that another server, which has the model (engine="openai"), did not answer well.

    public_message: without its address. status: its HTTP status, where it gave one. retry_after_s: how long it wants to
    be left alone, where it says so. Seconds. is_reached: whether it took the request.
    """

    def __init__(
        self,
        message: str,
        where: str = "",
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        is_reached: bool = True,
    ) -> None:
        self.public_message = message
        self.status = status
        self.retry_after_s = retry_after_s
        self.is_reached = is_reached
        super().__init__(f"{message} ({where})" if where else message)


class EndpointRefusedError(EndpointError):
    """It refuses the request as it is; the message has its reason."""


class EndpointAccessError(EndpointError):
    """It does not take our API key, or wants one."""


class EndpointBusyError(EndpointError):
    """It has too much to do, or our share of it is used up; the same request may succeed later."""


class EndpointTimeoutError(EndpointError):
    """It said nothing for too long."""


class EndpointAnswerError(EndpointError):
    """It has answered what was not asked for: a text that does not fit the schema, or none of the protocol's."""


class NoLogprobsError(EndpointAnswerError):
    """It gives no log-probabilities, which were asked for. It would give none if it were asked again."""


class NoAllowedTokenError(GuidedError):
    """A request whose next token can't be chosen: the mask allows none, or only tokens that are excluded otherwise.

    It ends that request only; the rest of its batch goes on. param: the field of SamplingParams that excluded the last
    ones; None where it was not the request itself, but its grammar or the model.
    """

    def __init__(self, message: str, param: str | None = None) -> None:
        self.param = param
        super().__init__(message)


class TokenRefusedError(GuidedError):
    """A grammar refused a token that its own bitmask had allowed: a fault of its backend. It ends that request."""


class RequestFieldError(InvalidInputError):
    """A request whose field can't be used. param: the field's name in the request."""

    def __init__(self, message: str, param: str) -> None:
        self.param = param
        super().__init__(message)


class IncompleteOutputError(GuidedError):
    """A document that is cut off: max_new_tokens or the context was used up, or a stop ended it.

    completion: what there is of it.
    """

    def __init__(self, completion: WrittenOutput) -> None:
        self.completion = completion
        cure = "raise max_new_tokens, shorten the text or bound the schema (maxLength, maxItems)"
        if completion.stopped_by is not None:
            cure = f"the stop {completion.stopped_by!r} ended it: leave that out"
        super().__init__(f"the document is incomplete after {completion.num_tokens} tokens; {cure}")


class OutputCutError(GuidedError):
    """A document that its budget of tokens has cut: it is whole and valid, and not what the model would have written.

    Or one that repeated itself, and was ended (`Completion.ended_repetition`).

    value: the instance of the asked type. data: the parsed document. completion: where it came from.
    """

    def __init__(self, value: Any, data: Any, completion: WrittenOutput) -> None:
        self.value = value
        self.data = data
        self.completion = completion
        reason = "the budget of tokens has cut the document: it is whole, and lacks what would have followed"
        cure = "raise max_new_tokens, shorten the text"
        if completion.ended_repetition:
            reason = "the document repeated itself and was ended there: it is whole"
            cure = "let it go on (end_repetition=False)"
        super().__init__(f"{reason}; {cure}, or take the value as it is (allow_cut)")


class OutputValidationError(GuidedError, ValueError):
    """A complete document that can't become the asked type, mostly by a rule that its JSON Schema does not state.

    data: the parsed document; completion: where it came from. reason: what is wrong, and where. pointers: the JSON
    pointers of the values that are refused, "" for the document itself; none where only the reason is known.
    """

    _what = "the document fits its schema but not its type"

    def __init__(self, reason: str, data: Any, completion: WrittenOutput, pointers: Sequence[str] = ()) -> None:
        self.data = data
        self.completion = completion
        self.reason = reason
        self.pointers = tuple(pointers)
        super().__init__(f"{self._what}: {reason}")


class SchemaMismatchError(OutputValidationError):
    """A complete document that its JSON Schema refuses, as the `jsonschema` library reads it."""

    _what = "the document does not fit its schema"


class MissingQuoteError(OutputValidationError):
    """A complete document with a value that must be a quote and does not stand in its source.

    Grammars of this package don't let one through; a server that knows nothing of quotes may.
    """

    _what = "the document says what the text does not"


@dataclass(frozen=True)
class PieceFailure:
    """A piece of a long text that could not be read. start, end: its place, in characters."""

    start: int
    end: int
    error: Exception


class PiecesFailedError(GuidedError):
    """A long text of which some pieces could not be read; its data are those of the others.

    failures: which, and why. num_pieces: how many there were in all.
    """

    def __init__(self, failures: Sequence[PieceFailure], num_pieces: int) -> None:
        self.failures = tuple(failures)
        self.num_pieces = num_pieces
        first = self.failures[0]
        reason = f"the first at characters {first.start} to {first.end}: {first.error}"
        super().__init__(f"{len(self.failures)} of {num_pieces} pieces of the text could not be read, {reason}")
