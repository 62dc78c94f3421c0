"""The interface of a wire format: one file for each format, and one line in `registry.py`.

The rest of the server knows formats only through this interface. A format reads a body into a `Call`. The call becomes
a `Generation`, and the call's builder writes the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from pydantic import BaseModel

from guided.grammars.spec import GrammarKind
from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from guided.tools import ToolUse

from ..errors import WireError
from ..kept_responses import KeptResponses

Message = dict[str, Any]
Prompt = str | Sequence[int] | Conversation
Prompts = Sequence[Sequence[int]]  # the token ids of each prompt, as the model reads them


class ResponseBuilder(ABC):
    """Writes one response, whole or as server-sent events. Created when the generation has started, and used once.

    A call of P prompts with n outputs each has P * n outputs. Output i of prompt p has the number p * n + i, which is
    also the chunks' `index`.
    """

    @abstractmethod
    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The body of a response that is not streamed, from all outputs of the request, in order."""

    @abstractmethod
    def start(self) -> list[bytes]:
        """The events before the first text."""

    @abstractmethod
    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """The events for a piece of one output. For the last piece, also the events that end this output."""

    @abstractmethod
    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The events after the last text, if all outputs ended well."""

    @abstractmethod
    def error(self, error: WireError) -> list[bytes]:
        """The events that end a stream whose request failed midway."""


@dataclass(frozen=True)
class Call:
    """A request, read and checked.

    model: name that the client asked for; None: the server's first model.
    prompts: a text to continue, its token ids, or a conversation; one generation each.
    params: sampling parameters of every generation, without the grammar of tools, which is added later.
    make_builder: creates the builder for this request's response, from the prompts, the model's vocabulary and the
        model's name, when the generation has started; None: the caller writes the answer itself.
    tools: the tools that the model may call; None: tool calls are not separated from text.
    constraint_param: the field that gave the grammar ("response_format"); None without a grammar.
    prompt_param: the field that gave the prompts ("messages").
    sent_names: sampling parameter -> the request's field that gave it, as named by `read_params`.
    shows_token_ids: the answer contains token ids.
    wishes_thinking: a model that can't think ignores `params.thinking` instead of refusing the request.
    ignored: fields of the request without effect; a header of the answer lists them.
    """

    model: str | None
    prompts: tuple[Prompt, ...]
    params: SamplingParams
    prompt_param: str = "messages"
    is_stream: bool = False
    make_builder: Callable[[Prompts, Vocabulary, str], ResponseBuilder] | None = None
    tools: ToolUse | None = None
    constraint_param: str | None = None
    sent_names: Mapping[str, str] = field(default_factory=dict)
    shows_token_ids: bool = False
    wishes_thinking: bool = False
    ignored: tuple[str, ...] = ()

    def names_as_sent(self, field_names: Mapping[str, str]) -> dict[str, str]:
        """Sampling parameter -> name that the request used, for errors of lower layers.

        field_names: chat completion's name -> name in the request's format.
        """
        names = dict(self.sent_names)
        if self.constraint_param is not None:
            names |= dict.fromkeys(get_args(GrammarKind), self.constraint_param)
        return {**field_names, **{name: field_names.get(sent, sent) for name, sent in names.items()}}


def openai_error_body(error: WireError, request_id: str) -> dict[str, Any]:
    """OpenAI's error body, without the request id, which a header carries."""
    return error.body


@dataclass(frozen=True)
class WireFormat:
    """A wire format.

    name, summary: for the OpenAPI document.
    read_call: reads a body into a call, with the kept responses that the body may refer to. May take milliseconds.
        Raises InvalidRequestError with the field's path.
    error_body: the body of a response that contains only an error, from the error and the request's id.
    request_model: the body's model for the OpenAPI document. Sampling fields, see `from_openai`, are not in it.
    field_names: name in chat completions -> name in this format, for errors of lower layers.
    """

    name: str
    summary: str
    read_call: Callable[[dict[str, Any], KeptResponses], Call]
    request_model: type[BaseModel]
    error_body: Callable[[WireError, str], dict[str, Any]] = openai_error_body
    field_names: Mapping[str, str] = field(default_factory=dict)
