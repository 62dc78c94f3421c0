"""Exceptions to HTTP answers: the table `ERROR_KINDS` maps an exception class to status, type, code and param.
`Refusal` names the server's own reasons to refuse a request.

A new error gets its answer by a line in the table. A class without a line is answered like its nearest base class. An
exception that is no `GuidedError` becomes a 500 whose message reveals no internals; the log has them. Each wire format
writes its own body; `WireError.body` is OpenAI's, which most formats use.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from guided import errors as models
from guided.grammars import errors as grammars
from guided.grammars.errors import GuidedError
from guided.params.limits import RequestLimitExceededError
from guided.processors import errors as processors


class InvalidRequestError(GuidedError):
    """A request that can't be served as it is.

    param: path of the wrong field ("messages[0].content"), or None.
    """

    def __init__(self, message: str, param: str | None = None, code: str | None = None) -> None:
        self.param = param
        self.code = code
        super().__init__(message)


class RequestLimitError(InvalidRequestError):
    """A request asks for more than this server gives to one request.

    what: the amount asked for, with its number ("70 choices").
    name: the setting that limits it; its last word is the unit ("max_messages").
    """

    def __init__(self, what: str, limit: float, name: str, param: str | None) -> None:
        unit = name.rpartition("_")[2]
        super().__init__(f"{what}, more than this server's limit of {limit} {unit} ({name}); ask for less", param)


@dataclass(frozen=True)
class ErrorKind:
    """The HTTP answer for one exception class.

    param: the field to name. CONSTRAINT stands for the field with the request's grammar, PROMPT for the field with its
        prompt.
    """

    status: int
    type: str
    code: str | None = None
    param: str | None = None


CONSTRAINT = "<constraint>"
PROMPT = "<prompt>"
INVALID = "invalid_request_error"
SERVER = "server_error"
RETRY_AFTER_S = 1  # a place becomes free soon
NO_NAMES: Mapping[str, str] = {}
RETRIED = (429, 503)  # statuses for which a client may send the same request again


class Refusal(Enum):
    """Why the server does not work on a request: the HTTP answer, and its message with places for values."""

    NO_KEY = (
        ErrorKind(401, "authentication_error", "invalid_api_key"),
        "this needs an API key: send it as 'Authorization: Bearer KEY' or 'x-api-key: KEY'",
    )
    WRONG_KEY = (
        ErrorKind(401, "authentication_error", "invalid_api_key"),
        "the API key is not known here; check it for a typo, or ask whoever runs this server for one",
    )
    FORBIDDEN = (ErrorKind(403, "permission_error", "permission_denied"), "{}")
    UNKNOWN_MODEL = (
        ErrorKind(404, INVALID, "model_not_found", "model"),
        "the model {} does not exist here; this server serves {}",
    )
    UNKNOWN_RESPONSE = (
        ErrorKind(404, INVALID, "response_not_found"),
        "this server has no stored response {}",
    )
    SWITCHED_OFF = (ErrorKind(404, INVALID, "not_enabled"), "{}")
    BODY_TOO_SLOW = (ErrorKind(408, INVALID, "body_timeout"), "the request body was not sent within {:g} seconds")
    BODY_TOO_LARGE = (
        ErrorKind(413, INVALID, "body_too_large"),
        "the request body is larger than this server's limit of {} bytes; send less",
    )
    BODY_ENCODING = (
        ErrorKind(415, INVALID, "unsupported_content_encoding"),
        "the content-encoding {} is not read here; send the body plain, or as gzip",
    )
    UNKNOWN_HOST = (
        ErrorKind(421, INVALID, "unknown_host"),
        "this server does not answer to the host {}; whoever runs it can allow the name with --allowed-host",
    )
    KEY_BUSY = (
        ErrorKind(429, "rate_limit_error", "rate_limit_exceeded"),
        "{} requests of this API key are being worked on already, which is its limit; wait for one of them",
    )
    NO_MODEL = (ErrorKind(503, SERVER, "model_not_loaded"), "{}")
    BUSY = (ErrorKind(503, SERVER, "server_overloaded"), "{} {} already; try again later")


class RefusedError(GuidedError):
    """The server does not work on this request, whatever it asks. values: for the places in the refusal's message."""

    def __init__(self, refusal: Refusal, *values: object) -> None:
        self.kind, message = refusal.value
        super().__init__(message.format(*values))


ERROR_KINDS: Mapping[type[Exception], ErrorKind] = {
    InvalidRequestError: ErrorKind(400, INVALID),
    models.RequestFieldError: ErrorKind(400, INVALID),  # the error itself knows its param
    processors.UnknownProcessorError: ErrorKind(400, INVALID, "unknown_logit_processor", "logit_processors"),
    processors.ProcessorParamsError: ErrorKind(400, INVALID, "invalid_logit_processor", "logit_processors"),
    processors.ProcessorRefusedError: ErrorKind(400, INVALID, "logit_processor_refused", "logit_processors"),
    # every other field was checked when the request was read
    grammars.InvalidInputError: ErrorKind(400, INVALID, None, PROMPT),
    grammars.UnwritableValueError: ErrorKind(400, INVALID, None, PROMPT),  # a tool call in the history
    models.ChatTemplateError: ErrorKind(400, INVALID, "invalid_messages", PROMPT),
    models.ContextLengthError: ErrorKind(400, INVALID, "context_length_exceeded", PROMPT),
    grammars.GrammarError: ErrorKind(400, INVALID, "invalid_grammar", CONSTRAINT),
    grammars.InvalidSchemaError: ErrorKind(400, INVALID, "invalid_schema", CONSTRAINT),
    grammars.UnsupportedSchemaError: ErrorKind(400, INVALID, "unsupported_schema", CONSTRAINT),
    grammars.UnsatisfiableError: ErrorKind(400, INVALID, "unsatisfiable_grammar", CONSTRAINT),
    grammars.InvalidRegexError: ErrorKind(400, INVALID, "invalid_regex", CONSTRAINT),
    grammars.InvalidGrammarError: ErrorKind(400, INVALID, "invalid_ebnf", CONSTRAINT),
    grammars.InvalidStructuralTagError: ErrorKind(400, INVALID, "invalid_structural_tag", CONSTRAINT),
    grammars.GrammarInputError: ErrorKind(400, INVALID, "invalid_grammar", CONSTRAINT),
    grammars.UnsupportedGrammarError: ErrorKind(400, INVALID, "unsupported_grammar", CONSTRAINT),
    grammars.LimitExceededError: ErrorKind(400, INVALID, "grammar_limit_exceeded", CONSTRAINT),
    RequestLimitExceededError: ErrorKind(400, INVALID, "limit_exceeded"),
    RequestLimitError: ErrorKind(400, INVALID, "limit_exceeded"),  # the error itself has the param
    models.NoAllowedTokenError: ErrorKind(500, SERVER, "no_allowed_token"),
    models.TokenRefusedError: ErrorKind(500, SERVER, "token_refused"),
    processors.LogitProcessorError: ErrorKind(500, SERVER, "logit_processor_failed"),
    grammars.BatchMaskError: ErrorKind(500, SERVER, "mask_failed"),
    models.IncompleteOutputError: ErrorKind(500, SERVER, "incomplete_output"),
    models.OutputCutError: ErrorKind(500, SERVER, "output_cut"),
    models.OutputValidationError: ErrorKind(500, SERVER, "output_validation_failed"),
    models.MissingQuoteError: ErrorKind(500, SERVER, "quote_missing"),
    models.SchemaMismatchError: ErrorKind(500, SERVER, "schema_mismatch"),
    models.PiecesFailedError: ErrorKind(500, SERVER, "pieces_failed"),
    grammars.TokenizerError: ErrorKind(500, SERVER, "unreadable_tokenizer"),
    grammars.VocabularyMismatchError: ErrorKind(500, SERVER, "vocabulary_mismatch"),
    grammars.UnknownBackendError: ErrorKind(500, SERVER, "unknown_backend"),
    grammars.BackendNotInstalledError: ErrorKind(500, SERVER, "backend_not_installed"),
    models.UnknownEngineError: ErrorKind(500, SERVER, "unknown_engine"),
    models.ModelNotFoundError: ErrorKind(500, SERVER, "model_files_not_found"),
    models.ModelFetchError: ErrorKind(500, SERVER, "model_not_fetched"),
    models.ModelCacheError: ErrorKind(500, SERVER, "model_cache_not_writable"),
    models.UnsupportedModelError: ErrorKind(500, SERVER, "unsupported_model"),
    grammars.NoCompletionError: ErrorKind(400, INVALID, "no_completion_found"),
    models.EngineFailureError: ErrorKind(500, SERVER, "engine_failed"),
    models.RequestFailedError: ErrorKind(500, SERVER, "request_failed"),
    models.EndpointRefusedError: ErrorKind(400, INVALID, "endpoint_refused"),
    models.EndpointAccessError: ErrorKind(500, SERVER, "endpoint_access_denied"),
    models.EndpointAnswerError: ErrorKind(500, SERVER, "endpoint_answer_invalid"),
    models.NoLogprobsError: ErrorKind(500, SERVER, "endpoint_no_logprobs"),
    models.EndpointError: ErrorKind(503, SERVER, "endpoint_failed"),
    models.EndpointBusyError: ErrorKind(503, SERVER, "endpoint_busy"),
    models.EndpointTimeoutError: ErrorKind(504, SERVER, "endpoint_timeout"),
    GuidedError: ErrorKind(500, SERVER, "generation_failed"),
    grammars.TablesLostError: ErrorKind(503, SERVER, "tables_lost"),  # the next request gets new tables
    grammars.CompileCancelledError: ErrorKind(503, SERVER, "compile_cancelled"),
    models.QueueFullError: ErrorKind(503, SERVER, "server_overloaded"),
    models.EngineStoppedError: ErrorKind(503, SERVER, "server_stopping"),
    models.GenerationCancelledError: ErrorKind(503, SERVER, "server_stopping"),  # a client that left reads no answer
    models.DeadlineExceededError: ErrorKind(504, SERVER, "deadline_exceeded"),
    Exception: ErrorKind(500, SERVER, "internal_error"),
}


@dataclass(frozen=True)
class WireError:
    """An error as a client sees it, in any wire format."""

    status: int
    message: str
    type: str
    param: str | None
    code: str | None
    retry_after_s: float = RETRY_AFTER_S
    place: Mapping[str, Any] | None = None

    @property
    def body(self) -> dict[str, Any]:
        """OpenAI's error body, with the place in the grammar if the error has one."""
        error = {"message": self.message, "type": self.type, "param": self.param, "code": self.code}
        return {"error": error if self.place is None else {**error, "place": self.place}}

    @property
    def headers(self) -> dict[str, str]:
        """HTTP headers to send with the error.

        `retry-after` is in seconds. OpenAI's and Anthropic's clients retry every 5xx; after a spent deadline
        `x-should-retry` tells them not to.
        """
        if self.status in RETRIED:
            return {"retry-after": str(math.ceil(self.retry_after_s))}
        if self.status == 401:
            return {"www-authenticate": "Bearer"}
        return {"x-should-retry": "false"} if self.status == 504 else {}


def to_wire_error(
    error: Exception,
    constraint_param: str | None = None,
    prompt_param: str | None = None,
    field_names: Mapping[str, str] = NO_NAMES,
) -> WireError:
    """The answer for an exception.

    constraint_param, prompt_param: the request's fields that gave the grammar and the prompt ("response_format",
        "messages"), for errors about these.
    field_names: chat completion's name of a field -> its name in the request's format, where the two differ.
    """
    known = next(ERROR_KINDS[base] for base in type(error).__mro__ if base in ERROR_KINDS)
    kind = error.kind if isinstance(error, RefusedError) else known
    param, code = {CONSTRAINT: constraint_param, PROMPT: prompt_param}.get(kind.param or "", kind.param), kind.code
    if isinstance(error, InvalidRequestError):
        param, code = error.param, error.code or kind.code
    if isinstance(error, models.RequestFieldError):
        param = error.param
    if isinstance(error, models.RequestFieldError | RequestLimitError) and param is not None and param in field_names:
        message = re.sub(rf"(?<!\w){re.escape(param)}(?!\w)", field_names[param], _message_of(error))
        return WireError(kind.status, message, kind.type, field_names[param], code)
    if isinstance(error, models.NoAllowedTokenError) and error.param is not None:
        # the request's own bans excluded every token that its grammar allows
        return WireError(400, _message_of(error), INVALID, error.param, code)
    if isinstance(error, models.EndpointBusyError) and error.retry_after_s is not None:
        return WireError(kind.status, _message_of(error), kind.type, param, code, error.retry_after_s)
    return WireError(kind.status, _message_of(error), kind.type, param, code, place=place_of(error))


def place_of(error: Exception) -> dict[str, Any] | None:
    """The place of an error in its grammar; None if unknown.

    A place in JSON is `pointer` (a JSON pointer) and perhaps `keyword`. A place in a text is `offset` (in code points,
    from 0), `line` and `column` (from 1).
    """
    if isinstance(error, grammars.UnsupportedSchemaError | grammars.InvalidSchemaError) and error.place:
        return None  # a schema inside another grammar: the message says where it is
    if isinstance(error, grammars.UnsupportedSchemaError):
        return {"pointer": error.pointer, "keyword": error.keyword}
    if isinstance(error, grammars.InvalidSchemaError | grammars.InvalidStructuralTagError):
        return {"pointer": error.pointer}
    offset = error.position if isinstance(error, grammars.InvalidRegexError) else getattr(error, "offset", None)
    if isinstance(error, grammars.InvalidRegexError | grammars.InvalidGrammarError) and offset is not None:
        return {"offset": offset, "line": error.line, "column": error.column}
    return None


def _message_of(error: Exception) -> str:
    """The message for the client: one line, without advice that only the operator can follow."""
    is_of_the_inside = isinstance(error, models.EngineFailureError | models.RequestFailedError)
    if is_of_the_inside or not isinstance(error, GuidedError):
        return "internal server error; the server's log has the details"
    if isinstance(error, grammars.LimitExceededError):
        raised = "; or ask whoever runs the server to raise it (guided serve --limits)" if error.is_field else ""
        return f"{error.problem.splitlines()[0]}; make the grammar smaller or simpler{raised}"
    lines = (error.public_message if isinstance(error, models.EndpointError) else str(error)).splitlines()
    return lines[0] if lines else type(error).__name__


def http_wire_error(status: int, detail: str) -> WireError:
    """The answer for an error of HTTP itself: an unknown path (404), a wrong method (405)."""
    code = {404: "not_found", 405: "method_not_allowed"}.get(status)
    return WireError(status, " ".join(detail.splitlines()), INVALID if status < 500 else SERVER, None, code)
