"""What a wire format must provide: one file a format, one line in `registry.py`.

The rest of the server knows formats only by this: a format reads a body into a `Call`, whose builder writes the answer
of the `Generation` that the call becomes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from guided.tools import ToolUse

from ..errors import WireError
from ..kept_responses import KeptResponses

Message = dict[str, Any]
Prompt = str | Sequence[int] | Conversation


@dataclass(frozen=True)
class Started:
    """What is known once a call's generation has started.

    prompt_token_ids: of each prompt, as the model reads it. vocabulary: of the model. model: its name.
    """

    prompt_token_ids: tuple[tuple[int, ...], ...]
    vocabulary: Vocabulary
    model: str


class ResponseBuilder(ABC):
    """Writes one response, whole or as server-sent events. Made when its generation has started, used once.

    A call of P prompts with n outputs each has P * n outputs; number i of prompt p is p * n + i, also as the `index` of
    the chunks.
    """

    @abstractmethod
    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
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
    make_builder: the builder for this request's response; None: whoever asks writes the answer itself.
    tools: what the model may call; None: nothing is told apart in its text.
    constraint_param: the field that gave the grammar ("response_format"), or None without one.
    prompt_param: the field that gave the prompts ("messages").
    sent_names: field of params -> the request's field that gave it, as `read_params` calls it.
    shows_token_ids: the answer has the ids of its tokens.
    wishes_thinking: `params.thinking` is a wish, which a model that can't think need not refuse.
    ignored: fields that change nothing here and keep nobody out; a header of the answer tells them.
    """

    model: str | None
    prompts: tuple[Prompt, ...]
    params: SamplingParams
    prompt_param: str = "messages"
    is_stream: bool = False
    make_builder: Callable[[Started], ResponseBuilder] | None = None
    tools: ToolUse | None = None
    constraint_param: str | None = None
    sent_names: Mapping[str, str] = field(default_factory=dict)
    shows_token_ids: bool = False
    wishes_thinking: bool = False
    ignored: tuple[str, ...] = ()


def openai_error_body(error: WireError, request_id: str) -> dict[str, Any]:
    """OpenAI's error body. The request's id is in its header there."""
    return error.body


def keeping_nothing(read: Callable[[dict[str, Any]], Call]) -> Callable[[dict[str, Any], KeptResponses], Call]:
    """`read` of a format whose requests mean no earlier ones, as `WireFormat` has it."""
    return lambda body, _: read(body)


@dataclass(frozen=True)
class WireFormat:
    """One wire format.

    name, summary: for the API's document. read_call: the call of a body, which may mean responses that are kept; may
        take milliseconds; raises InvalidRequestError with the field's path.
    error_body: of a response that says only what went wrong, from the error and the request's id.
    request_model: the shape of a body, for the API's document; `from_openai`'s fields are in a body, too.
    field_names: a chat's field -> what it is called here, for errors of the layers below, which know the chat's name.
    """

    name: str
    summary: str
    read_call: Callable[[dict[str, Any], KeptResponses], Call]
    request_model: type[BaseModel]
    error_body: Callable[[WireError, str], dict[str, Any]] = openai_error_body
    field_names: Mapping[str, str] = field(default_factory=dict)
