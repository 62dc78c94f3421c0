"""The option that names a model, and loading it with one status line instead of other libraries' progress bars."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from ..garbage import paused
from ..models.find import EMBEDDED_MODEL, NamedModel, default_model, naming_the_variable

if TYPE_CHECKING:
    from ..llm import LLM


ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        help="Model folder, GGUF file, known name or hub name. Default: smollm2-extract if it is in the cache, "
        "else embedded.",
    ),
]


def load_llm(model: str | None, **options: Any) -> LLM:
    """Load `guided.LLM(model, **options)`. Meanwhile standard error shows a status line, if it is a terminal."""
    named = default_model() if model is None else NamedModel(model)
    if options.get("engine") != "openai" and not (named.is_default and options.get("engine") == "echo"):
        with naming_the_variable(named):
            found = named.found(options.get("device", "auto"), options.get("dtype", "auto"))
        if not named.is_default and found.name != model:  # converted now, with a progress bar of its own
            model, options = found.name, options | {"dtype": found.dtype}
    with Console(stderr=True).status("loading the model"), paused():
        from ..llm import LLM

        if named.name != EMBEDDED_MODEL:  # which does not use transformers
            from transformers.utils import logging

            logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return LLM(model, **options)


def load_remote(base_url: str, api_key_env: str | None, model: str | None, **options: Any) -> LLM:
    """Create `guided.RemoteLLM`. api_key_env: environment variable with the key; None: no key."""
    from ..remote import RemoteLLM

    api_key = None if api_key_env is None else endpoint_key(api_key_env)
    return RemoteLLM(base_url, model, api_key=api_key, **options)


def endpoint_key(variable: str) -> str:
    """The key for another server, from an environment variable. On the command line other users could see it.

    Raises InvalidInputError if the variable is missing or empty.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InvalidInputError(
            f"--api-key-env names {variable}, and there is no such environment variable, or it is empty"
        )
    return key
