"""OpenAI's chat completions, answered: a `chat.completion`, or its chunks as server-sent events.

What a reasoning model thought before its text is `reasoning_content` beside `content`, as vLLM and SGLang write it.
Calls of tools are `tool_calls`, or one `function_call` where the request has the older `functions`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from guided.output.completion import Completion, CompletionChunk
from guided.output.token_logprobs import TokenLogprobs
from guided.tools import ToolCallDelta

from ..errors import WireError
from .base import Output, ResponseBuilder, Started
from .openai_logprobs import logprobs_object, prompt_logprobs_list
from .openai_usage import usage_object
from .pieces import notes_of
from .sse import DONE_EVENT, event


@dataclass(frozen=True)
class AnswerShape:
    """What a request says about its answer. num_outputs: how many choices there are."""

    include_usage: bool = False
    num_outputs: int = 1
    with_masked_mass: bool = False
    with_token_ids: bool = False
    is_legacy_function: bool = False


class ChatCompletionBuilder(ResponseBuilder):
    """A `chat.completion`, or its chunks under one id and one `created`."""

    def __init__(self, model: str, shape: AnswerShape, started: Started) -> None:
        self._model = model
        self._shape = shape
        self._started = started
        self._id = f"chatcmpl-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._unfinished = set(range(shape.num_outputs))

    def whole(self, outputs: Sequence[Output]) -> dict[str, Any]:
        """A `chat.completion` object."""
        completions = [output.completion for output in outputs]
        choices = [self._choice(index, output) for index, output in enumerate(outputs)]
        usage = usage_object(completions, self._shape.num_outputs)
        answer = self._object("chat.completion") | {"choices": choices, "usage": usage}
        prompt_logprobs = completions[0].prompt_logprobs
        if prompt_logprobs is not None:
            answer["prompt_logprobs"] = prompt_logprobs_list(prompt_logprobs)
        return answer | self._prompt_token_ids

    def start(self) -> list[bytes]:
        """A role chunk for each choice."""
        delta = {"role": "assistant", "content": "", "refusal": None}
        first = self._chunk(0, delta, others=self._prompt_token_ids)
        return [first, *[self._chunk(index, delta) for index in range(1, self._shape.num_outputs)]]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """Chunks of what is new, and a finish chunk where it ends its choice. The first has the log-probabilities."""
        deltas: list[dict[str, Any]] = []
        if chunk.thinking:
            deltas.append({"reasoning_content": chunk.thinking})
        if chunk.text or (chunk.logprobs and not chunk.tool_calls):
            deltas.append({"content": chunk.text})
        deltas += [self._call_delta(call) for call in chunk.tool_calls]
        if chunk.token_ids and self._shape.with_token_ids and not deltas and chunk.finish_reason is None:
            deltas.append({})
        events = []
        logprobs, ids = chunk.logprobs, chunk.token_ids
        for delta in deltas:
            events.append(self._chunk(chunk.index, delta, logprobs=logprobs, token_ids=ids))
            logprobs, ids = None, ()
        if chunk.completion is not None:
            self._unfinished.discard(chunk.index)
            reason, notes = self._finish_reason(chunk.completion), notes_of(chunk.completion)
            events.append(self._chunk(chunk.index, {}, reason, token_ids=ids, notes=notes))
        return events

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The usage chunk where it was asked for, and the end mark."""
        if not self._shape.include_usage:
            return [DONE_EVENT]
        usage = {"choices": [], "usage": usage_object(completions, self._shape.num_outputs)}
        return [event(self._object("chat.completion.chunk") | usage), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """Finish chunks with reason "error" and an `error` event; no end mark: the text did not reach its end."""
        finishes = [self._chunk(index, {}, "error") for index in sorted(self._unfinished)]
        return [*finishes, event(error.body, "error")]

    def _choice(self, index: int, output: Output) -> dict[str, Any]:
        completion = output.completion
        message = completion.message | {"refusal": None}
        if self._shape.is_legacy_function and completion.tool_calls:
            message["function_call"] = message.pop("tool_calls")[0]["function"]
        choice = {
            "index": index,
            "message": message,
            "logprobs": self._logprobs(output.logprobs),
            "finish_reason": self._finish_reason(completion),
        }
        choice |= notes_of(completion)
        return choice | ({"token_ids": list(completion.token_ids)} if self._shape.with_token_ids else {})

    def _finish_reason(self, completion: Completion) -> str:
        if completion.tool_calls and completion.finish_reason == "stop":
            return "function_call" if self._shape.is_legacy_function else "tool_calls"
        return completion.finish_reason

    def _call_delta(self, delta: ToolCallDelta) -> dict[str, Any]:
        function: dict[str, Any] = {} if delta.name is None else {"name": delta.name}
        function["arguments"] = delta.arguments
        if self._shape.is_legacy_function:
            return {"function_call": function}
        first = {} if delta.id is None else {"id": delta.id, "type": "function"}
        return {"tool_calls": [{"index": delta.index, **first, "function": function}]}

    def _chunk(
        self,
        index: int,
        delta: dict[str, Any],
        finish_reason: str | None = None,
        *,
        logprobs: Sequence[TokenLogprobs] | None = None,
        token_ids: Sequence[int] = (),
        others: dict[str, Any] | None = None,
        notes: Mapping[str, Any] | None = None,
    ) -> bytes:
        choice = {
            "index": index,
            "delta": delta,
            "logprobs": self._logprobs(logprobs),
            "finish_reason": finish_reason,
            **(notes or {}),
        }
        if self._shape.with_token_ids:
            choice["token_ids"] = list(token_ids)
        chunk = self._object("chat.completion.chunk") | {"choices": [choice]} | (others or {})
        return event(chunk | {"usage": None} if self._shape.include_usage else chunk)

    def _logprobs(self, logprobs: Sequence[TokenLogprobs] | None) -> dict[str, Any] | None:
        return None if logprobs is None else logprobs_object(logprobs, with_masked_mass=self._shape.with_masked_mass)

    @property
    def _prompt_token_ids(self) -> dict[str, Any]:
        if not self._shape.with_token_ids:
            return {}
        return {"prompt_token_ids": list(self._started.prompt_token_ids[0])}

    def _object(self, name: str) -> dict[str, Any]:
        return {"id": self._id, "object": name, "created": self._created, "model": self._model}
