"""`guided serve`: the server's command line."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

import typer

from guided.processors.settings import ProcessorSettings

from .serve import run
from .settings import ServerSettings

DEFAULTS = ServerSettings()


def serve(
    model: Annotated[
        str | None, typer.Option(help="Model folder or hub name. Default: the model in the package.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 8000,
    served_model_name: Annotated[
        str | None, typer.Option(help="The name that requests give as model. Default: the model's own.")
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, ...")] = "auto",
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16 or float16.")] = "auto",
    max_waiting_requests: Annotated[
        int, typer.Option(min=1, help="Requests that may wait for the model; more get a 503.")
    ] = DEFAULTS.max_waiting_requests,
    max_body_bytes: Annotated[
        int, typer.Option(min=1, help="Largest request body; larger ones get a 413.")
    ] = DEFAULTS.max_body_bytes,
    processor_key_file: Annotated[
        Path | None,
        typer.Option(
            help="Lets requests bring serialised logit processors that are signed with this file's key. They are code "
            "that runs in this process. Default: refused."
        ),
    ] = None,
    shutdown_timeout_s: Annotated[
        int, typer.Option(min=0, help="Seconds that running requests get after Ctrl+C.")
    ] = 10,
    log_level: Annotated[str, typer.Option(help="critical, error, warning, info, debug or trace.")] = "info",
) -> None:
    """Serve a model with OpenAI's chat completions API; answers always fit the schema or grammar of the request.

    Examples:

    guided serve

    guided serve --model ./my-model --port 9000

    Then, from any OpenAI client: base_url="http://127.0.0.1:8000/v1", api_key="none", model="embedded".
    """
    from guided.llm import LLM

    processor_settings = ProcessorSettings(key_file=processor_key_file)
    run(
        functools.partial(LLM, model, device=device, dtype=dtype, processor_settings=processor_settings),
        host,
        port,
        served_model_name=served_model_name,
        settings=ServerSettings(max_waiting_requests=max_waiting_requests, max_body_bytes=max_body_bytes),
        shutdown_timeout_s=shutdown_timeout_s,
        log_level=log_level,
    )
