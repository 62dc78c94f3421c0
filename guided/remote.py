"""`RemoteLLM`: typed extraction with the model of another server, any in OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from guided.grammars.limits import Limits

from .engines.settings import EngineSettings
from .extraction.extractor import Extractor
from .extraction.options import ExtractionOptions
from .extraction.stream import ExtractionStream
from .llm import LLM
from .params.checks import check_integer

DEFAULT_RETRIES = 2


class RemoteLLM(LLM):
    """A model behind a URL: our own server, vLLM, SGLang, llama.cpp, a hosted one.

    It is `LLM(model, engine="openai")`, with retries. Our server holds strings to quotes. Others get the schema as
    `response_format`: what they answer is checked against it, each quote is looked up in its text, and what fails is
    asked for again with the reason. What stays wrong is the extraction's error, which has the document (`data`, or
    what there is of it in `completion`).

    base_url: up to the paths of the protocol, mostly ending in "/v1". model: the name that the server knows; None: its
        only one. Many servers take names that they do not list, so a name that is not listed is a warning, and an
        EndpointRefusedError of the extractions if the server does not know it. api_key: sent as a bearer token.
    max_retries: of each text, see `ExtractionOptions`; that of one call goes before it. A stream has none.
    endpoint: other fields of `EndpointSettings`, such as {"timeout_s": 60}. Its `max_retries` is of requests that the
        server has not begun with: one that is busy is left alone for as long as it says.
    limits: on schemas as they are read here; what their grammars may cost is up to the server.
    engine_settings: `max_batch_size` requests are sent at once.
    Raises InvalidInputError, EndpointError where the server can't be asked, and ModelNotFoundError where it is ours and
    has no such model.
    """

    def __init__(
        self,
        base_url: str,
        model: str | None = None,
        *,
        api_key: str | None = None,
        max_retries: int = DEFAULT_RETRIES,
        endpoint: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        engine_settings: EngineSettings | None = None,
    ) -> None:
        check_integer("max_retries", max_retries, 0)
        self._max_retries = max_retries
        super().__init__(
            model,
            "openai",
            base_url=base_url,
            api_key=api_key,
            engine_args=endpoint,
            limits=limits,
            engine_settings=engine_settings,
        )

    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """See `LLM.extractor`."""
        options.setdefault("max_retries", self._max_retries)
        return super().extractor(schema_type, **options)

    def stream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """See `TextReader.stream_extract`."""
        options.setdefault("max_retries", 0)
        return super().stream_extract(text, schema_type, **options)

    async def stream_extract_async(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """See `TextReader.stream_extract_async`."""
        options.setdefault("max_retries", 0)
        return await super().stream_extract_async(text, schema_type, **options)
