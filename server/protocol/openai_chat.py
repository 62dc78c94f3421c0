"""OpenAI's chat completions: `POST /v1/chat/completions`, read, checked and answered.

Beside OpenAI's own fields: `top_k`, `min_p`, `ignore_eos`, `skip_special_tokens` and the constraints of
`constraints.py`. `developer` messages reach the chat template as `system`, the older name of the same role; a message's
`name` and `tool_call_id` reach it as they are. Text parts of one message are joined with nothing between them. Known
fields that this server does not act on yet are refused (`unsupported.py`), unknown ones tolerated.
"""

from __future__ import annotations

import json
import time
import uuid
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from guided.completion import Usage
from guided.engine.base import FinishReason
from guided.sampling_params import SamplingParams

from ..errors import InvalidRequestError, WireError
from ..validation import validate
from .base import ChatCall, Message, ResponseBuilder
from .constraints import Constraint, ConstraintFields, RequestPart, read_constraint
from .unsupported import refuse_unsupported

DONE_EVENT = b"data: [DONE]\n\n"


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
    """The fields that are acted on. Null, and only null, takes the default."""

    model: str
    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=-1)] | None = None
    min_p: Annotated[float, Field(ge=0, le=1)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    ignore_eos: bool | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    skip_special_tokens: bool | None = None
    user: str | None = None

    def to_params(self, constraint: Constraint | None) -> SamplingParams:
        """The request as sampling parameters."""
        return SamplingParams(
            temperature=1.0 if self.temperature is None else self.temperature,
            top_p=1.0 if self.top_p is None else self.top_p,
            top_k=self.top_k,
            min_p=0.0 if self.min_p is None else self.min_p,
            seed=self.seed,
            max_new_tokens=self.max_tokens if self.max_completion_tokens is None else self.max_completion_tokens,
            ignore_eos=bool(self.ignore_eos),
            skip_special_tokens=self.skip_special_tokens,
            **({} if constraint is None else constraint.arguments),
        )


def read_call(body: dict[str, Any]) -> ChatCall:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body)
    request = validate(ChatCompletionRequest, body)
    constraint = read_constraint(request)
    _check_together(request, constraint)
    include_usage = request.stream_options is not None and bool(request.stream_options.include_usage)
    return ChatCall(
        model=request.model,
        messages=[message.to_message() for message in request.messages],
        params=request.to_params(constraint),
        is_stream=bool(request.stream),
        constraint_param=None if constraint is None else constraint.param,
        make_builder=lambda: ChatCompletionBuilder(request.model, include_usage),
    )


def _check_together(request: ChatCompletionRequest, constraint: Constraint | None) -> None:
    """What no field shows alone."""
    if request.max_tokens is not None and request.max_completion_tokens is not None:
        raise InvalidRequestError(
            "max_tokens and max_completion_tokens exclude each other; give max_completion_tokens", param="max_tokens"
        )
    if request.stream_options is not None and not request.stream:
        raise InvalidRequestError("stream_options needs stream=true", param="stream_options")
    if request.ignore_eos and constraint is not None:
        raise InvalidRequestError(
            "ignore_eos can't be used with a constraint: its end is where the text ends", param="ignore_eos"
        )


class ChatCompletionBuilder(ResponseBuilder):
    """A `chat.completion`, or its chunks under one id and one `created`."""

    def __init__(self, model: str, include_usage: bool) -> None:
        self._model = model
        self._include_usage = include_usage
        self._id = f"chatcmpl-{uuid.uuid4().hex}"
        self._created = int(time.time())

    def whole(self, text: str, finish_reason: FinishReason, usage: Usage) -> dict[str, Any]:
        """A `chat.completion` object."""
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}
        return self._object("chat.completion") | {"choices": [choice], "usage": _usage(usage)}

    def start(self) -> list[bytes]:
        """The role chunk."""
        return [self._chunk({"role": "assistant", "content": "", "refusal": None})]

    def text(self, text: str) -> list[bytes]:
        """A content chunk."""
        return [self._chunk({"content": text})]

    def finish(self, finish_reason: FinishReason, usage: Usage) -> list[bytes]:
        """The finish chunk, the usage chunk where it was asked for, and the end mark."""
        events = [self._chunk({}, finish_reason)]
        if self._include_usage:
            events.append(_event(self._object("chat.completion.chunk") | {"choices": [], "usage": _usage(usage)}))
        return [*events, DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """A finish chunk with reason "error" and an `error` event; no end mark: the text did not reach its end."""
        return [self._chunk({}, "error"), b"event: error\n" + _event(error.body)]

    def _chunk(self, delta: dict[str, Any], finish_reason: FinishReason | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        chunk = self._object("chat.completion.chunk") | {"choices": [choice]}
        return _event(chunk | {"usage": None} if self._include_usage else chunk)

    def _object(self, name: str) -> dict[str, Any]:
        return {"id": self._id, "object": name, "created": self._created, "model": self._model}


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "prompt_tokens": usage.num_prompt_tokens,
        "completion_tokens": usage.num_completion_tokens,
        "total_tokens": usage.num_prompt_tokens + usage.num_completion_tokens,
    }


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
