"""OpenAI's chat completions: `POST /v1/chat/completions`, read and checked.

The fields of sampling are those of `guided.sampling_conversions.from_openai`, the constraints those of
`constraints.py`; `return_masked_mass` adds to each log-probability what the grammar ruled out. `developer` messages
reach the chat template as `system`, the older name of the same role; a message's `name` and `tool_call_id` reach it as
they are. Text parts of one message are joined with nothing between them. Known fields that this server does not act on
yet are refused (`unsupported.py`), unknown ones tolerated.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from guided.errors import RequestFieldError
from guided.grammars.errors import InvalidInputError
from guided.sampling_conversions import from_openai
from guided.sampling_params import SamplingParams
from guided.stopping import stop_language

from ..errors import InvalidRequestError
from ..validation import validate
from .base import ChatCall, Message
from .constraints import Constraint, ConstraintFields, RequestPart, read_constraint
from .openai_chat_answers import AnswerShape, ChatCompletionBuilder
from .unsupported import refuse_unsupported


class ContentPart(RequestPart):
    """One part of a message's content."""

    type: str
    text: str

    @field_validator("type")
    @classmethod
    def _only_text(cls, value: str) -> str:
        if value != "text":
            raise PydanticCustomError("unknown_type", "must be 'text', the only part that is supported yet")
        return value


class ChatMessage(RequestPart):
    """One message. Content may be null only where a message has something else, which is not supported yet."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    tool_calls: list[Any] | None = None
    function_call: Any = None
    audio: Any = None
    name: str | None = None
    tool_call_id: str | None = None
    content: str | list[ContentPart]

    @field_validator("tool_calls", "function_call", "audio")
    @classmethod
    def _not_yet(cls, value: Any) -> Any:
        if value:
            raise PydanticCustomError("refused_field", "is not supported yet; put what matters into content")
        return value

    def to_message(self) -> Message:
        """What the chat template gets."""
        role = "system" if self.role == "developer" else self.role
        content = self.content if isinstance(self.content, str) else "".join(part.text for part in self.content)
        others = {"name": self.name, "tool_call_id": self.tool_call_id}
        return {"role": role, "content": content} | {key: value for key, value in others.items() if value is not None}


class StreamOptions(RequestPart):
    """`stream_options`."""

    include_usage: bool | None = None


class ChatCompletionRequest(ConstraintFields):
    """The fields that are acted on, but for those of sampling. Null, and only null, takes the default."""

    model: str
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    return_masked_mass: bool | None = None
    user: str | None = None


def read_call(body: dict[str, Any]) -> ChatCall:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body)
    request = validate(ChatCompletionRequest, body)
    constraint = read_constraint(request)
    params = _read_params(body, constraint)
    _check_together(request, params)
    shape = AnswerShape(
        include_usage=request.stream_options is not None and bool(request.stream_options.include_usage),
        num_outputs=params.n,
        with_masked_mass=bool(request.return_masked_mass),
    )
    return ChatCall(
        model=request.model,
        messages=[message.to_message() for message in request.messages],
        params=params,
        is_stream=bool(request.stream),
        constraint_param=None if constraint is None else constraint.param,
        make_builder=lambda: ChatCompletionBuilder(request.model, shape),
    )


def _read_params(body: dict[str, Any], constraint: Constraint | None) -> SamplingParams:
    try:
        params = from_openai(body, None if constraint is None else constraint.arguments)
    except RequestFieldError as error:
        raise InvalidRequestError(str(error), param=error.param) from None
    try:
        stop_language(params)
    except InvalidInputError as error:
        raise InvalidRequestError(str(error), param="stop_regex") from None
    return params


def _check_together(request: ChatCompletionRequest, params: SamplingParams) -> None:
    """What no field shows alone."""
    if request.stream_options is not None and not request.stream:
        raise InvalidRequestError("stream_options needs stream=true", param="stream_options")
    if request.stream and params.prompt_logprobs is not None:
        raise InvalidRequestError("prompt_logprobs can't be streamed; leave out stream", param="prompt_logprobs")
    if request.return_masked_mass and (params.logprobs is None or not params.is_constrained):
        raise InvalidRequestError(
            "return_masked_mass needs logprobs=true and a constraint, whose mask it measures",
            param="return_masked_mass",
        )
