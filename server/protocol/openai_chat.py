"""OpenAI's chat completions: `POST /v1/chat/completions`, read, checked and answered.

Beside OpenAI's own fields: `top_k`, `min_p`, `ignore_eos` and `regex` (a full match). `developer` messages reach the
chat template as `system`, the older name of the same role; a message's `name` and `tool_call_id` reach it as they are.
Text parts of one message are joined with nothing between them. Known fields that this server does not act on yet are
refused (`unsupported.py`), unknown ones tolerated.
"""

from __future__ import annotations

import json
import time
import uuid
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import PydanticCustomError

from guided.completion import Usage
from guided.engine.base import FinishReason
from guided.sampling_params import SamplingParams

from ..errors import InvalidRequestError, WireError
from ..validation import validate
from .base import ChatCall, Message, ResponseBuilder
from .unsupported import refuse_unsupported

DONE_EVENT = b"data: [DONE]\n\n"


class RequestPart(BaseModel):
    """Base of everything in a request: no conversions (a "0.7" is no number), unknown fields tolerated."""

    model_config = ConfigDict(strict=True, extra="ignore")


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


class NamedSchema(RequestPart):
    """The `json_schema` of a response format. `strict` is read and changes nothing: every schema constrains exactly."""

    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    schema_: Annotated[dict[str, Any] | bool, Field(alias="schema")]
    strict: bool | None = None


class ResponseFormat(RequestPart):
    """`response_format`."""

    type: str
    json_schema: NamedSchema | None = None

    @field_validator("type")
    @classmethod
    def _known(cls, value: str) -> str:
        if value == "json_object":
            message = "'json_object' is not supported yet; use 'json_schema' with the schema of the object you want"
            raise PydanticCustomError("refused_type", message)
        if value not in ("text", "json_schema"):
            raise PydanticCustomError("unknown_type", "must be 'text' or 'json_schema'")
        return value


class StreamOptions(RequestPart):
    """`stream_options`."""

    include_usage: bool | None = None


class ChatCompletionRequest(RequestPart):
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
    response_format: ResponseFormat | None = None
    regex: str | None = None
    user: str | None = None

    @property
    def schema_of_response(self) -> dict[str, Any] | bool | None:
        """The JSON Schema of the answer, or None."""
        named = None if self.response_format is None else self.response_format.json_schema
        return None if named is None else named.schema_

    @property
    def constraint_param(self) -> str | None:
        """The field that constrains the answer."""
        return "regex" if self.regex is not None else "response_format" if self.schema_of_response is not None else None

    def to_params(self) -> SamplingParams:
        """The request as sampling parameters."""
        return SamplingParams(
            temperature=1.0 if self.temperature is None else self.temperature,
            top_p=1.0 if self.top_p is None else self.top_p,
            top_k=self.top_k,
            min_p=0.0 if self.min_p is None else self.min_p,
            seed=self.seed,
            max_new_tokens=self.max_tokens if self.max_completion_tokens is None else self.max_completion_tokens,
            ignore_eos=bool(self.ignore_eos),
            json_schema=self.schema_of_response,
            regex=self.regex,
        )


def read_call(body: dict[str, Any]) -> ChatCall:
    """A request's body, checked. Raises InvalidRequestError with the path of the first wrong field."""
    refuse_unsupported(body)
    request = validate(ChatCompletionRequest, body)
    _check_together(request)
    include_usage = request.stream_options is not None and bool(request.stream_options.include_usage)
    return ChatCall(
        model=request.model,
        messages=[message.to_message() for message in request.messages],
        params=request.to_params(),
        is_stream=bool(request.stream),
        constraint_param=request.constraint_param,
        make_builder=lambda: ChatCompletionBuilder(request.model, include_usage),
    )


def _check_together(request: ChatCompletionRequest) -> None:
    """What no field shows alone."""
    if request.max_tokens is not None and request.max_completion_tokens is not None:
        raise InvalidRequestError(
            "max_tokens and max_completion_tokens exclude each other; give max_completion_tokens", param="max_tokens"
        )
    if request.stream_options is not None and not request.stream:
        raise InvalidRequestError("stream_options needs stream=true", param="stream_options")
    response_format = request.response_format
    if response_format is not None:
        has_schema = response_format.json_schema is not None
        if response_format.type == "json_schema" and not has_schema:
            param = "response_format.json_schema"
            raise InvalidRequestError(f"{param} is required for type 'json_schema'", param=param)
        if response_format.type == "text" and has_schema:
            raise InvalidRequestError(
                "response_format.json_schema needs type 'json_schema', not 'text'", param="response_format.type"
            )
    if request.regex is not None and request.schema_of_response is not None:
        raise InvalidRequestError("regex and response_format exclude each other; give one constraint", param="regex")
    if request.ignore_eos and request.constraint_param is not None:
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
