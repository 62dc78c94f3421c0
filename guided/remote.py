"""`RemoteLLM`: typed extraction with the model of another server that follows OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.grammars.limits import Limits

from .engines.settings import EngineSettings
from .llm import LLM
from .params.checks import check_integer


class RemoteLLM(LLM):
    """A model behind a URL: our own server, vLLM, SGLang, llama.cpp, a hosted one.

    It is `LLM(model, engine="openai")` under a shorter name. Our server enforces quotes. Other servers get the schema
    as `response_format`. The answer is checked against the schema, and each quote is looked up in its text. A wrong
    answer is asked for again with the reason. If it stays wrong, the extraction has an error with the document (`data`,
    or the text in `completion`).

    Args:
        base_url: address up to the paths of the protocol, usually ending in "/v1".
        model: name of the model on the server; None: its only one. Many servers accept unlisted names, so an unlisted
            name is a warning. If the server does not know it, the extractions have an EndpointRefusedError.
        api_key: key, sent as a bearer token.
        max_retries: default number of retries of each text, see `ExtractionOptions`; None: 2. Streams are not retried.
        endpoint: other fields of `EndpointSettings`, such as {"timeout_s": 60}. Its `max_retries` is for requests that
            the server has not begun, for example because it is busy.
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
        max_retries: int | None = None,
        endpoint: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        engine_settings: EngineSettings | None = None,
    ) -> None:
        check_integer("max_retries", max_retries, 0, is_optional=True)
        super().__init__(
            model,
            "openai",
            base_url=base_url,
            api_key=api_key,
            engine_args=endpoint,
            limits=limits,
            engine_settings=engine_settings,
        )
        if max_retries is not None:
            self._reader.encoder.text_retries = max_retries
