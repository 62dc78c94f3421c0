"""What the answers of OpenAI's chat and text completions share: choices under one id, chunks of them, token counts."""

from __future__ import annotations

import time
import uuid
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from guided.output.completion import Completion

from ..errors import WireError
from .base import ResponseBuilder, Started
from .pieces import DONE_EVENT, event


@dataclass(frozen=True, kw_only=True)
class AnswerShape:
    """What a request says about its answer. num_outputs: made for each prompt."""

    num_prompts: int = 1
    num_outputs: int = 1
    include_usage: bool = False
    with_token_ids: bool = False


class ChoicesBuilder(ResponseBuilder):
    """An answer, or its chunks, under one id and one `created`.

    id_prefix, object_name, chunk_name: the format's.
    """

    id_prefix: ClassVar[str]
    object_name: ClassVar[str]
    chunk_name: ClassVar[str]

    def __init__(self, shape: AnswerShape, started: Started) -> None:
        self._started = started
        self._answer = shape
        self._id = f"{self.id_prefix}-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._unfinished = set(range(shape.num_prompts * shape.num_outputs))

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The usage chunk where it was asked for, and the end mark."""
        if not self._answer.include_usage:
            return [DONE_EVENT]
        usage = {"choices": [], "usage": self._usage(completions)}
        return [event(self._object(self.chunk_name) | usage), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """Finish chunks with reason "error" and an `error` event; no end mark: the text did not reach its end."""
        return [*[self._error_chunk(index) for index in sorted(self._unfinished)], event(error.body, "error")]

    @abstractmethod
    def _error_chunk(self, index: int) -> bytes:
        """The last chunk of a choice that failed."""

    def _chunk_of(self, choice: dict[str, Any], others: dict[str, Any] | None = None) -> bytes:
        """A chunk with one choice. others: fields beside the choices."""
        chunk = self._object(self.chunk_name) | {"choices": [choice]} | (others or {})
        return event(chunk | {"usage": None} if self._answer.include_usage else chunk)

    def _object(self, name: str) -> dict[str, Any]:
        return {"id": self._id, "object": name, "created": self._created, "model": self._started.model}

    def _usage(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The value of `usage`: each prompt is counted once, and what all outputs have."""
        prompts = completions[:: self._answer.num_outputs]
        num_prompt_tokens = sum(completion.num_prompt_tokens for completion in prompts)
        num_new_tokens = sum(completion.num_tokens for completion in completions)
        num_thinking_tokens = sum(completion.num_thinking_tokens for completion in completions)
        return {
            "prompt_tokens": num_prompt_tokens,
            "completion_tokens": num_new_tokens,
            "total_tokens": num_prompt_tokens + num_new_tokens,
            "prompt_tokens_details": {"cached_tokens": sum(completion.num_cached_tokens for completion in prompts)},
            "completion_tokens_details": {"reasoning_tokens": num_thinking_tokens},
        }
