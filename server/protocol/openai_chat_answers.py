"""OpenAI's chat completions, answered: a `chat.completion`, or its chunks as server-sent events.

What a reasoning model thought before its text is `reasoning_content` beside `content`, as vLLM and SGLang write it.
Calls of tools are `tool_calls`, or one `function_call` where the request has the older `functions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from guided.output.completion import Completion, CompletionChunk
from guided.output.token_logprobs import TokenLogprobs
from guided.tools import ToolCallDelta

from .base import Started
from .openai_choices import AnswerShape, ChoicesBuilder
from .openai_logprobs import logprobs_object, prompt_logprobs_list
from .pieces import notes_of


@dataclass(frozen=True, kw_only=True)
class ChatShape(AnswerShape):
    """What a request says about its answer."""

    with_masked_mass: bool = False
    is_legacy_function: bool = False


class ChatCompletionBuilder(ChoicesBuilder):
    """See the module."""

    id_prefix = "chatcmpl"
    object_name = "chat.completion"
    chunk_name = "chat.completion.chunk"

    def __init__(self, shape: ChatShape, started: Started) -> None:
        super().__init__(shape, started)
        self._shape = shape

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """A `chat.completion` object."""
        choices = [self._choice(index, completion) for index, completion in enumerate(completions)]
        answer = self._object(self.object_name) | {"choices": choices, "usage": self._usage(completions)}
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

    def _error_chunk(self, index: int) -> bytes:
        return self._chunk(index, {}, "error")

    def _choice(self, index: int, completion: Completion) -> dict[str, Any]:
        message = completion.message | {"refusal": None}
        if self._shape.is_legacy_function and completion.tool_calls:
            message["function_call"] = message.pop("tool_calls")[0]["function"]
        choice = {
            "index": index,
            "message": message,
            "logprobs": self._logprobs(completion.shown_logprobs),
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
        choice = {"index": index, "delta": delta, "logprobs": self._logprobs(logprobs), "finish_reason": finish_reason}
        choice |= notes or {}
        if self._shape.with_token_ids:
            choice["token_ids"] = list(token_ids)
        return self._chunk_of(choice, others)

    def _logprobs(self, logprobs: Sequence[TokenLogprobs] | None) -> dict[str, Any] | None:
        return None if logprobs is None else logprobs_object(logprobs, with_masked_mass=self._shape.with_masked_mass)

    @property
    def _prompt_token_ids(self) -> dict[str, Any]:
        if not self._shape.with_token_ids:
            return {}
        return {"prompt_token_ids": list(self._started.prompt_token_ids[0])}
