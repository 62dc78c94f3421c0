"""Errors of models: loading, requests, generation, and the written output.

Errors about grammars, vocabularies and plain arguments are in `guided.grammars.errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from guided.grammars.errors import GuidedError, InvalidInputError, UnknownBackendError


class WrittenOutput(Protocol):
    """The facts about an output that errors need; `guided.output.completion.Completion` has them."""

    @property
    def text(self) -> str:
        """The written text."""

    @property
    def num_tokens(self) -> int:
        """The number of its tokens."""

    @property
    def stopped_by(self) -> str | int | None:
        """The stop that ended the output; None: something else did."""

    @property
    def ended_repetition(self) -> bool:
        """True if the output was ended because it repeated itself."""


class UnknownEngineError(UnknownBackendError):
    """The engine's name is not registered. The message lists the known names."""


class ModelNotFoundError(GuidedError, ValueError):
    """There is no model with this name or in this folder, or its files are incomplete."""


class ModelFetchError(GuidedError):
    """A model that can't be fetched by its name: no source answers, or what came is not the model."""


class ModelCacheError(GuidedError):
    """The cache folder can't be written (no room, no access, or no such folder), or files in it are damaged."""


class UnsupportedModelError(GuidedError, ValueError):
    """The model exists, but the engine can't run it."""


class ChatTemplateError(GuidedError, ValueError):
    """The model's chat template does not accept the messages, or the model has no chat template."""


class ContextLengthError(GuidedError, ValueError):
    """The prompt leaves no room for an answer.

    num_prompt_tokens, max_context_tokens: counts in tokens.
    where: name of the prompt in a batch.
    is_least: True: the prompt is far too long and was not tokenized; it has at least `num_prompt_tokens`.
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
        """The same error for a named prompt of a batch."""
        return ContextLengthError(self.num_prompt_tokens, self.max_context_tokens, where, is_least=self.is_least)


class QueueFullError(GuidedError):
    """The engine's queue is full; try again later. max_waiting_requests: the maximum number of waiting requests."""

    def __init__(self, max_waiting_requests: int) -> None:
        self.max_waiting_requests = max_waiting_requests
        super().__init__(f"{max_waiting_requests} requests wait already; try again later")


class EngineStoppedError(GuidedError):
    """The engine was shut down before or while it worked on the request, or belongs to another process."""

    def __init__(self, reason: str = "the engine was shut down") -> None:
        super().__init__(reason)


class DeadlineExceededError(GuidedError):
    """The request was not done at its deadline. The completion has the text so far."""

    def __init__(self) -> None:
        super().__init__("the request was not done at its deadline; give it more time or ask for fewer tokens")


class GenerationCancelledError(GuidedError):
    """The generation was cancelled, so it has no result."""

    def __init__(self) -> None:
        super().__init__("the generation was cancelled before it was done")


class EngineFailureError(GuidedError):
    """The model or the engine failed during a request. `__cause__` is the original exception."""

    def __init__(self, where: str, cause: BaseException) -> None:
        super().__init__(f"{where} failed: {type(cause).__name__}: {cause}")
        self.__cause__ = cause


class RequestFailedError(GuidedError):
    """An engine of another library ended the request with an error. The engine continues."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the request failed: {reason}")


class EndpointError(GuidedError):
    """Another server that runs the model (engine="openai") did not answer a request properly.

    public_message: the message without the server's address.
    status: HTTP status; None: no answer.
    retry_after_s: time in seconds until the server accepts requests again; None: not given.
    is_reached: True if the server received the request.
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
    """The other server refuses the request. The message has its reason."""


class EndpointAccessError(EndpointError):
    """The other server refuses our API key, or requires one."""


class EndpointBusyError(EndpointError):
    """The other server is busy, or our quota is used up. The same request may succeed later."""


class EndpointTimeoutError(EndpointError):
    """The other server was silent for too long."""


class EndpointAnswerError(EndpointError):
    """The other server's answer does not fit the schema, or breaks the protocol."""


class NoLogprobsError(EndpointAnswerError):
    """The other server returned no log-probabilities although the request asked for them. A retry would not help."""


class NoAllowedTokenError(GuidedError):
    """No token can be chosen: the mask allows none, or other settings exclude all allowed tokens.

    The error ends only this request; the batch continues.
    param: field of SamplingParams that excluded the last tokens; None: the grammar or the model left none.
    """

    def __init__(self, message: str, param: str | None = None) -> None:
        self.param = param
        super().__init__(message)


class TokenRefusedError(GuidedError, ValueError):
    """A grammar refused a token. The error ends the request.

    In our engine a mask has allowed the token: a fault of the backend. In the plug-ins another rule may have chosen it.
    SGLang ends only this request, since the error is a ValueError.
    """


class RequestFieldError(InvalidInputError):
    """A field of the request can't be used. param: the field's name in the request."""

    def __init__(self, message: str, param: str) -> None:
        self.param = param
        super().__init__(message)


class IncompleteOutputError(GuidedError):
    """The document is cut off: max_new_tokens or the context was used up, or a stop ended it.

    completion: the output with the text so far.
    """

    def __init__(self, completion: WrittenOutput) -> None:
        self.completion = completion
        cure = "raise max_new_tokens, shorten the text or bound the schema (maxLength, maxItems)"
        if completion.stopped_by is not None:
            cure = f"the stop {completion.stopped_by!r} ended it: leave that out"
        super().__init__(f"the document is incomplete after {completion.num_tokens} tokens; {cure}")


class OutputCutError(GuidedError):
    """The budget of tokens cut the document, or the engine ended it because it repeated itself.

    The document is whole and valid, but the model would have written another one. See
    `Completion.closed_in_budget` and `Completion.ended_repetition`.

    value: the instance of the requested type.
    data: the parsed document.
    completion: the output.
    """

    def __init__(self, value: Any, data: Any, completion: WrittenOutput) -> None:
        self.value = value
        self.data = data
        self.completion = completion
        reason = "the token budget shortened the document: it is valid, but the model would have written more"
        cure = "raise max_new_tokens, shorten the text"
        if completion.ended_repetition:
            reason = "the document repeated itself and was ended there: it is whole"
            cure = "let it go on (end_repetition=False)"
        super().__init__(f"{reason}; {cure}, or take the value as it is (allow_cut)")


class OutputValidationError(GuidedError, ValueError):
    """The document is complete but can't become the requested type, mostly because of a rule outside its JSON Schema.

    data: the parsed document.
    completion: the output.
    reason: the rule and its place.
    pointers: JSON pointers of the refused values, "" for the document; (): only the reason is known.
    """

    _what = "the document fits its schema but not its type"

    def __init__(self, reason: str, data: Any, completion: WrittenOutput, pointers: Sequence[str] = ()) -> None:
        self.data = data
        self.completion = completion
        self.reason = reason
        self.pointers = tuple(pointers)
        super().__init__(f"{self._what}: {reason}")


class SchemaMismatchError(OutputValidationError):
    """The document is complete, but the `jsonschema` library finds that it breaks its JSON Schema."""

    _what = "the document does not fit its schema"


class MissingQuoteError(OutputValidationError):
    """The document is complete, but a value that must be a quote is not in its source.

    Grammars of this package prevent this. A server that does not know quotes may cause it.
    """

    _what = "the document has a value that the text does not contain"


@dataclass(frozen=True)
class PieceFailure:
    """A piece of a long text that could not be read. start, end: the piece's place, in characters. error:
    the reason."""

    start: int
    end: int
    error: Exception


class PiecesFailedError(GuidedError):
    """Some pieces of a long text could not be read. The data come from the other pieces.

    failures: the failed pieces with their errors.
    num_pieces: number of all pieces.
    """

    def __init__(self, failures: Sequence[PieceFailure], num_pieces: int) -> None:
        self.failures = tuple(failures)
        self.num_pieces = num_pieces
        first = self.failures[0]
        reason = f"the first at characters {first.start} to {first.end}: {first.error}"
        super().__init__(f"{len(self.failures)} of {num_pieces} pieces of the text could not be read, {reason}")
