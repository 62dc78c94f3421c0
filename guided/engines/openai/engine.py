"""`OpenAIEngine`: another server in OpenAI's protocol behind the interface of our own engines.

The engine handles no tokens. Its prompts are texts and conversations (`TextPrompt`). Its events carry `TextPiece`s.
A grammar is sent in the protocol's own fields, and the answer is checked against the grammar here.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ...params.sampling_params import SamplingParams
from ...processors.settings import ProcessorSettings
from ...requests.grammars import RequestGrammars
from ...requests.observer import EngineObserver
from ...requests.request import PromptRequest
from ...tools.arguments import text_in_json
from ...tools.definitions import Tool
from ..base import Engine, Sink
from ..settings import EngineSettings
from ..stats import EngineStats
from .asked import Asked, check_asked
from .body import request_body, request_path
from .calls import CallWriter
from .endpoint import Endpoint
from .job import RemoteJob
from .loop import EndpointLoop
from .text_check import ANY_WHITESPACE, TextCheck

if TYPE_CHECKING:
    import torch


class OpenAIEngine(Engine):
    """Sends requests to another server.

    endpoint: the other server.
    vocabulary: `byte_vocabulary()`.
    settings: `max_batch_size` requests are sent at once; `max_waiting_requests` wait.
    limits: limits on the grammars of tools' arguments.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        vocabulary: Vocabulary,
        *,
        settings: EngineSettings,
        processor_settings: ProcessorSettings | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.model_name = endpoint.model
        self.vocabulary = vocabulary
        self.max_context_tokens = endpoint.max_context_tokens
        self.processor_settings = processor_settings
        self._endpoint = endpoint
        self._limits = limits
        self._grammars = RequestGrammars(
            vocabulary, None, ANY_WHITESPACE, limits, property_order="any", default_values="any"
        )
        self._loop = EndpointLoop(endpoint.settings, settings)
        self._finalizer = weakref.finalize(self, self._loop.stop)  # the loop's thread does not refer to the engine

    @property
    def device(self) -> torch.device:
        """A placeholder: the weights are on the other server."""
        import torch

        return torch.device("meta")

    @property
    def dtype(self) -> torch.dtype:
        """Raises InvalidInputError, since only the other server knows."""
        raise InvalidInputError("the openai engine has no weights, so there is no dtype")

    def check(self, request: PromptRequest, where: str = "the prompt") -> None:
        """See `Engine.check`. Also raises RequestFieldError for fields that the other server lacks."""
        check_asked(Asked.of(request), self._endpoint)

    def submit(self, request: PromptRequest, sink: Sink, index: int = 0, *, is_bounded: bool = True) -> None:
        """See `Engine.submit`. Also raises the errors of compiling the tools' schemas."""
        asked = Asked.of(request)
        path = request_path(asked)
        where = f"{self._endpoint.settings.base_url.rstrip('/')}/{path}"
        calls = None
        if asked.tools is not None:
            grammars = {tool.name: self._call_grammar(tool) for tool in asked.tools.callable_tools}
            calls = CallWriter(asked.tools, grammars, where)
        grammar = self._answer_grammar(request, asked)
        check = None if grammar is None else TextCheck(grammar, "the endpoint's answer")
        job = RemoteJob(
            request,
            sink,
            index,
            is_bounded=is_bounded,
            path=path,
            body=request_body(asked, self._endpoint, self._limits),
            check=check,
            calls=calls,
            where=where,
        )
        self._loop.submit(job)

    def get_stats(self) -> EngineStats:
        """See `Engine.get_stats`. The other server tells the number of tokens at the end of each answer."""
        return self._loop.stats

    def add_observer(self, observer: EngineObserver) -> None:
        """See `Engine.add_observer`. Observers get no steps."""
        self._loop.observers.append(observer)

    def shutdown(self) -> None:
        """See `Engine.shutdown`."""
        self._loop.stop()

    def _answer_grammar(self, request: PromptRequest, asked: Asked) -> CompiledGrammar | None:
        """The grammar of the text; with tools, of a text without calls."""
        return request.grammar if asked.tools is None else self._grammars.get(asked.answer)

    def _call_grammar(self, tool: Tool) -> CompiledGrammar:
        """The grammar of the arguments of a tool's call, as JSON."""
        asked = SamplingParams(json_schema=tool.schema)
        if tool.grammar is not None:
            text = text_in_json(tool.grammar, ANY_WHITESPACE)
            asked = SamplingParams(structural_tag={"type": "structural_tag", "format": text})
        grammar = self._grammars.get(asked)
        assert grammar is not None
        return grammar
