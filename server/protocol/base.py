"""What a wire format must provide: one file a format, one line in `registry.py`.

`guided.server.routes` and `streaming` know formats only by this: a format reads a body into a `Call`, whose builder
writes the answer of the `Generation`s that the call becomes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.output.token_logprobs import TokenLogprobs
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from guided.tools import ToolUse

from ..errors import WireError

Message = dict[str, Any]
Prompt = str | Sequence[int] | Conversation


@dataclass(frozen=True)
class Output:
    """One whole output of a request. logprobs: of the tokens that its text shows, where they were asked for."""

    text: str
    logprobs: tuple[TokenLogprobs, ...] | None
    completion: Completion


@dataclass(frozen=True)
class Started:
    """What is known once all generations of a call have started.

    prompt_token_ids: of each prompt, as the model reads it. vocabulary: of the model. request_id: of the HTTP request.
    model: the name of the model that answers.
    """

    prompt_token_ids: tuple[tuple[int, ...], ...]
    vocabulary: Vocabulary
    request_id: str
    model: str


class ResponseBuilder(ABC):
    """Writes one response, whole or as server-sent events. Made when its generations have started, used once.

    A call of P prompts with n outputs each has P * n outputs; number i of prompt p is p * n + i, also as the `index` of
    the chunks.
    """

    @abstractmethod
    def whole(self, outputs: Sequence[Output]) -> dict[str, Any]:
        """The body of a response that is not streamed: all outputs of the request, in order."""

    @abstractmethod
    def start(self) -> list[bytes]:
        """The events before the first text."""

    @abstractmethod
    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """The events for a piece of one output; where it is the last, also those that end this output."""

    @abstractmethod
    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The events after the last text of a request whose outputs all ended well."""

    @abstractmethod
    def error(self, error: WireError) -> list[bytes]:
        """The events that end a stream whose request failed midway."""


@dataclass(frozen=True)
class Call:
    """One request, read and checked.

    model: the name that the client asked for; None: whichever is served.
    prompts: one generation each: a text to go on with, its token ids, or a conversation.
    params: of every generation; without the grammar of tools, which the model's side adds.
    tools: what the model may call; None: nothing is told apart in its text.
    constraint_param: the field that gave the grammar ("response_format"), or None without one.
    prompt_param: the field that gave the prompts ("messages").
    sent_names: field of params -> the request's field that gave it, as `read_params` calls it.
    shows_token_ids: the answer has the ids of its tokens.
    make_builder: the builder for this request's response.
    """

    model: str | None
    prompts: tuple[Prompt, ...]
    params: SamplingParams
    is_stream: bool
    make_builder: Callable[[Started], ResponseBuilder]
    tools: ToolUse | None = None
    constraint_param: str | None = None
    prompt_param: str = "messages"
    sent_names: Mapping[str, str] = field(default_factory=dict)
    shows_token_ids: bool = False


ReadCall = Callable[[dict[str, Any]], Call]  # a format's reader: raises InvalidRequestError with the field's path


def openai_error_body(error: WireError, request_id: str) -> dict[str, Any]:
    """OpenAI's error body. The request's id is in its header there."""
    return error.body


@dataclass(frozen=True)
class WireFormat:
    """One wire format.

    name, summary: for the API's document. read_call: may take milliseconds; raises InvalidRequestError.
    error_body: of a response that says only what went wrong, from the error and the request's id.
    request_model, response_model: the shapes for the API's document. has_sampling_fields: the request takes all fields
        of `guided.params.conversions.from_openai` too.
    field_names: a chat's field -> what it is called here, for errors of the layers below, which know the chat's name.
    """

    name: str
    summary: str
    read_call: ReadCall
    request_model: type[BaseModel]
    response_model: type[BaseModel] | None = None
    error_body: Callable[[WireError, str], dict[str, Any]] = openai_error_body
    has_sampling_fields: bool = True
    field_names: Mapping[str, str] = field(default_factory=dict)
