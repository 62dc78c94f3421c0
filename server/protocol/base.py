"""What a wire format must provide. One file a format; `guided.server.routes` and `streaming` know only these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from guided.completion import Completion, CompletionChunk
from guided.sampling_params import SamplingParams
from guided.token_logprobs import TokenLogprobs

from ..errors import WireError

Message = dict[str, str]


@dataclass(frozen=True)
class Output:
    """One whole output of a request. logprobs: of the tokens that its text shows, where they were asked for."""

    text: str
    logprobs: tuple[TokenLogprobs, ...] | None
    completion: Completion


class ResponseBuilder(ABC):
    """Writes one response, whole or as server-sent events. Made when its request starts, used once."""

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
class ChatCall:
    """One request, read and checked.

    model: the name that the client asked for.
    messages: {"role", "content", perhaps "name" and "tool_call_id"} each, for the model's chat template.
    constraint_param: the field that gave the grammar ("response_format"), or None without one.
    make_builder: the builder for this request's response.
    """

    model: str
    messages: list[Message]
    params: SamplingParams
    is_stream: bool
    constraint_param: str | None
    make_builder: Callable[[], ResponseBuilder]


ReadCall = Callable[[dict[str, Any]], ChatCall]  # a format's reader: raises InvalidRequestError with the field's path
