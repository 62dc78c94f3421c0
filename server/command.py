"""`guided serve`: the server's command line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from guided.cli.loading import endpoint_key
from guided.grammars.errors import InvalidInputError

from .config_file import load_config
from .options import ServeOptions, flags

Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="Options from a file: port = 9000. Keys are the options' names with _ for -.",
        callback=load_config,
        is_eager=True,
        envvar="GUIDED_CONFIG",
    ),
]


def serve(config: Config = None, **given: Any) -> None:
    """Serve a model with OpenAI's and Anthropic's APIs; answers always fit the schema or grammar of the request.

    Every option is also an environment variable (GUIDED_PORT=9000) and a key of the file that --config names (port =
    9000). A flag wins over the variable, and the variable over the file. docs/operating.md explains the rest.

    Examples:

    guided serve

    guided serve --model ./my-model --port 9000 --api-key-file keys.txt

    guided serve --model ./large --served-model-name large --add-model small=./small

    guided serve --engine openai --base-url https://HOST/v1 --api-key-env OTHER_KEY --model NAME

    guided serve --config server.toml

    Then use any OpenAI client: base_url="http://127.0.0.1:8000/v1", api_key="none", model="embedded". In a browser open
    http://127.0.0.1:8000/docs or /workbench.
    """
    options = ServeOptions(**given)
    more_folders = _more_models(options.add_model)
    api_key = None if options.api_key_env is None else endpoint_key(options.api_key_env)
    if options.engine == "openai" and options.max_prompt_tokens is not None:
        raise InvalidInputError(
            "--max-prompt-tokens can't be applied with --engine openai: the other server has the tokenizer"
        )
    with Console(stderr=True).status("loading the server"):
        from guided.llm import LLM

        from .serve import run
    load_once = functools.cache(LLM)  # a folder with two names is loaded once
    arguments = options.llm_arguments() | {"base_url": options.base_url, "api_key": api_key}
    load, *more = (
        functools.partial(load_once, folder, **arguments) for folder in (options.model, *more_folders.values())
    )
    run(
        load,
        options.host,
        options.port,
        served_model_name=options.served_model_name,
        more_models=dict(zip(more_folders, more, strict=True)),
        settings=options.server_settings(cors_origins=options.cors_origin, allowed_hosts=options.allowed_host),
        shutdown_timeout_s=options.shutdown_timeout_s,
        log_level=options.log_level,
        log_format=options.log_format,
    )


_config, _ = inspect.signature(serve, eval_str=True).parameters.values()
serve.__signature__ = inspect.Signature([_config, *flags(ServeOptions)])  # type: ignore[attr-defined]
serve.gone = ServeOptions.all_gone()  # type: ignore[attr-defined]


def _more_models(texts: Sequence[str]) -> dict[str, str]:
    """Models by name, from texts of the form NAME=MODEL."""
    found: dict[str, str] = {}
    for text in texts:
        name, _, folder = (part.strip() for part in text.partition("="))
        if not name or not folder:
            raise InvalidInputError(f"--add-model must be NAME=MODEL, such as small=./my-model, not {text!r}")
        if name in found:
            raise InvalidInputError(f"--add-model gives the name {name!r} to two models")
        found[name] = folder
    return found
