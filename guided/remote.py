"""`RemoteLLM`: typed extraction with the model of another server that follows OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from guided.grammars.limits import Limits

from .engines.settings import EngineSettings
from .extraction.extractor import Extractor
from .extraction.options import ExtractionOptions
from .extraction.stream import ExtractionStream
from .llm import LLM
from .option_lists import with_defaults
from .params.checks import check_integer

DEFAULT_RETRIES = 2


class RemoteLLM(LLM):
    """A model behind a URL: our own server, vLLM, SGLang, llama.cpp, a hosted one.

    The class is `LLM(model, engine="openai")` with retries. Our server enforces quotes. Other servers get the schema as
    `response_format`. The answer is checked against the schema, and each quote is looked up in its text. A wrong answer
    is asked for again with the reason. If it stays wrong, the extraction has an error with the document (`data`, or the
    text in `completion`).

    Args:
        base_url: address up to the paths of the protocol, usually ending in "/v1".
        model: name of the model on the server; None: its only one. Many servers accept unlisted names, so an unlisted
            name is a warning. If the server does not know it, the extractions have an EndpointRefusedError.
        api_key: key, sent as a bearer token.
        max_retries: number of retries of each text, see `ExtractionOptions`. A call's own number overrides it. Streams
            are not retried.
        endpoint: other fields of `EndpointSettings`, such as {"timeout_s": 60}. The field `max_retries` is for requests
            that the server has not begun, for example because it is busy.
        limits: limits on schemas read here. The server limits its own grammars.
        engine_settings: `max_batch_size` requests are sent at once.

    Raises:
        InvalidInputError: for a wrong setting.
        EndpointError: if the server can't be asked.
        ModelNotFoundError: if the server is ours and has no such model.
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

    extract = with_defaults(LLM.extract, max_retries=DEFAULT_RETRIES)
    extract_detailed = with_defaults(LLM.extract_detailed, max_retries=DEFAULT_RETRIES)
    extract_each = with_defaults(LLM.extract_each, max_retries=DEFAULT_RETRIES)
    extract_document = with_defaults(LLM.extract_document, max_retries=DEFAULT_RETRIES)
    extract_async = with_defaults(LLM.extract_async, max_retries=DEFAULT_RETRIES)
    extract_detailed_async = with_defaults(LLM.extract_detailed_async, max_retries=DEFAULT_RETRIES)
    extract_each_async = with_defaults(LLM.extract_each_async, max_retries=DEFAULT_RETRIES)

    def extractor(self, schema_type: Any, **options: Unpack[ExtractionOptions]) -> Extractor[Any]:
        """See `LLM.extractor`."""
        options.setdefault("max_retries", self._max_retries)
        return super().extractor(schema_type, **options)

    def stream_extract(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Like `LLM.stream_extract`, without retries: values that a caller has read can't be taken back.

        Args:
            text: the text.
            schema_type: see `extractor`.
        """
        options.setdefault("max_retries", 0)
        return super().stream_extract(text, schema_type, **options)

    async def stream_extract_async(
        self, text: str, schema_type: Any, **options: Unpack[ExtractionOptions]
    ) -> ExtractionStream[Any]:
        """Like `LLM.stream_extract_async`, without retries.

        Args:
            text: the text.
            schema_type: see `extractor`.
        """
        options.setdefault("max_retries", 0)
        return await super().stream_extract_async(text, schema_type, **options)
