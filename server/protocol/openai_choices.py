"""Shared by OpenAI's chat and text completions: common fields, and answers made of choices, chunks and token counts."""

from __future__ import annotations

import time
import uuid
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion

from ..errors import InvalidRequestError, WireError
from .base import Prompts, ResponseBuilder
from .constraints import ConstraintFields, RequestPart
from .pieces import DONE_EVENT, event


class StreamOptions(RequestPart):
    """The request's field `stream_options`."""

    include_usage: bool | None = None
    continuous_usage_stats: Literal[False] | None = None


class ChoicesRequest(ConstraintFields):
    """The fields that both formats have. Sampling fields, see `from_openai`, are read apart. Null, and only null, takes
    the default.
    """

    model: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    return_token_ids: bool | None = None
    user: str | None = None

    def check_stream_options(self) -> None:
        """Raise InvalidRequestError for `stream_options` without `stream`."""
        if self.stream_options is not None and not self.stream:
            raise InvalidRequestError("stream_options needs stream=true", "stream_options")


class ChoicesBuilder(ResponseBuilder):
    """Builds an answer or its chunks, with one id and one time of creation.

    id_prefix, object_name, chunk_name: set by the format.
    num_outputs: outputs generated for each prompt.
    """

    id_prefix: ClassVar[str]
    object_name: ClassVar[str]
    chunk_name: ClassVar[str]

    def __init__(
        self, request: ChoicesRequest, num_outputs: int, prompts: Prompts, vocabulary: Vocabulary, model: str
    ) -> None:
        self._prompt_ids = prompts
        self._vocabulary = vocabulary
        self._model = model
        self._num_outputs = num_outputs
        self._includes_usage = request.stream_options is not None and bool(request.stream_options.include_usage)
        self._id = f"{self.id_prefix}-{uuid.uuid4().hex}"
        self._created = int(time.time())
        self._unfinished = set(range(len(prompts) * num_outputs))

    def end(self, completions: Sequence[Completion]) -> list[bytes]:
        """The usage chunk if the request asked for it, and the end mark."""
        if not self._includes_usage:
            return [DONE_EVENT]
        usage = {"choices": [], "usage": self._usage(completions)}
        return [event(self._object(self.chunk_name) | usage), DONE_EVENT]

    def error(self, error: WireError) -> list[bytes]:
        """Finish chunks with reason "error" and an `error` event. There is no end mark, since the text is
        incomplete.
        """
        return [*[self._error_chunk(index) for index in sorted(self._unfinished)], event(error.body, "error")]

    @abstractmethod
    def _error_chunk(self, index: int) -> bytes:
        """The last chunk of a choice that failed."""

    def _chunk_of(self, choice: dict[str, Any], others: dict[str, Any] | None = None) -> bytes:
        """A chunk with one choice. others: fields beside the choices."""
        chunk = self._object(self.chunk_name) | {"choices": [choice]} | (others or {})
        return event(chunk | {"usage": None} if self._includes_usage else chunk)

    def _object(self, name: str) -> dict[str, Any]:
        return {"id": self._id, "object": name, "created": self._created, "model": self._model}

    def _usage(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The value of `usage`. Each prompt counts once, the tokens of all outputs count."""
        prompts = completions[:: self._num_outputs]
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
