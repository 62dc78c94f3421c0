"""OpenAI's chat completions, answered: a `chat.completion`, or its chunks as server-sent events.

What a reasoning model thought before its text is `reasoning_content` beside `content`, as vLLM and SGLang write it.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guided.completion import Completion, CompletionChunk
from guided.engine.base import FinishReason
from guided.token_logprobs import TokenLogprobs

from ..errors import WireError
from .base import Output, ResponseBuilder
from .openai_logprobs import logprobs_object, prompt_logprobs_list

DONE_EVENT = b"data: [DONE]\n\n"


@dataclass(frozen=True)
class AnswerShape:
    """What a request says about its answer. num_outputs: how many choices there are."""

    include_usage: bool = False
    num_outputs: int = 1
    with_masked_mass: bool = False


class ChatCompletionBuilder(ResponseBuilder):
    """A `chat.completion`, or its chunks under one id and one `created`."""

    def __init__(self, model: str, shape: AnswerShape) -> None:
        self._model = model
        self._shape = shape
        self._id = f"chatcmpl-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._unfinished = set(range(shape.num_outputs))

    def whole(self, outputs: Sequence[Output]) -> dict[str, Any]:
        """A `chat.completion` object."""
        completions = [output.completion for output in outputs]
        choices = [self._choice(index, output) for index, output in enumerate(outputs)]
        answer = self._object("chat.completion") | {"choices": choices, "usage": _usage(completions)}
        prompt_logprobs = completions[0].prompt_logprobs
        if prompt_logprobs is not None:
            answer["prompt_logprobs"] = prompt_logprobs_list(prompt_logprobs)
        return answer

    def start(self) -> list[bytes]:
        """A role chunk for each choice."""
        delta = {"role": "assistant", "content": "", "refusal": None}
        return [self._chunk(index, delta) for index in range(self._shape.num_outputs)]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """A content chunk, and a finish chunk where it ends its choice."""
        events = []
        if chunk.thinking:
            events.append(self._chunk(chunk.index, {"reasoning_content": chunk.thinking}))
        if chunk.text or chunk.logprobs:
            events.append(self._chunk(chunk.index, {"content": chunk.text}, logprobs=chunk.logprobs))
        if chunk.finish_reason is not None:
            self._unfinished.discard(chunk.index)
            events.append(self._chunk(chunk.index, {}, chunk.finish_reason))
        return events

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The usage chunk where it was asked for, and the end mark."""
        if not self._shape.include_usage:
            return [DONE_EVENT]
        usage = {"choices": [], "usage": _usage(completions)}
        return [_event(self._object("chat.completion.chunk") | usage), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """Finish chunks with reason "error" and an `error` event; no end mark: the text did not reach its end."""
        finishes = [self._chunk(index, {}, "error") for index in sorted(self._unfinished)]
        return [*finishes, b"event: error\n" + _event(error.body)]

    def _choice(self, index: int, output: Output) -> dict[str, Any]:
        message = {"role": "assistant", "content": output.text, "refusal": None}
        if output.completion.thinking:
            message["reasoning_content"] = output.completion.thinking
        return {
            "index": index,
            "message": message,
            "logprobs": self._logprobs(output.logprobs),
            "finish_reason": output.completion.finish_reason,
        }

    def _chunk(
        self,
        index: int,
        delta: dict[str, Any],
        finish_reason: FinishReason | None = None,
        logprobs: Sequence[TokenLogprobs] | None = None,
    ) -> bytes:
        choice = {
            "index": index,
            "delta": delta,
            "logprobs": self._logprobs(logprobs),
            "finish_reason": finish_reason,
        }
        chunk = self._object("chat.completion.chunk") | {"choices": [choice]}
        return _event(chunk | {"usage": None} if self._shape.include_usage else chunk)

    def _logprobs(self, logprobs: Sequence[TokenLogprobs] | None) -> dict[str, Any] | None:
        return None if logprobs is None else logprobs_object(logprobs, with_masked_mass=self._shape.with_masked_mass)

    def _object(self, name: str) -> dict[str, Any]:
        return {"id": self._id, "object": name, "created": self._created, "model": self._model}


def _usage(completions: Sequence[Completion]) -> dict[str, int]:
    """The prompt is counted once, and what all outputs have."""
    num_prompt_tokens = completions[0].num_prompt_tokens
    num_new_tokens = sum(len(completion.token_ids) for completion in completions)
    return {
        "prompt_tokens": num_prompt_tokens,
        "completion_tokens": num_new_tokens,
        "total_tokens": num_prompt_tokens + num_new_tokens,
    }


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n\n"
