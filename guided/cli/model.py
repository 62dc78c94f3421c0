"""The option that names a model, and loading it with a status line of our own instead of other libraries' bars."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

if TYPE_CHECKING:
    from ..llm import LLM


ModelName = Annotated[
    str | None, typer.Option("--model", help="Model folder or hub name. Default: the model in the package.")
]


def load_model(model: str | None, **options: Any) -> LLM:
    """`guided.LLM(model, **options)`; meanwhile standard error says so, where it is a terminal."""
    with Console(stderr=True).status("loading the model"), _nothing_is_garbage():
        from ..llm import LLM

        if model is not None:  # the embedded one is not run by transformers
            from transformers.utils import logging

            logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return LLM(model, **options)


def load_remote(base_url: str, api_key_env: str | None, model: str | None, **options: Any) -> LLM:
    """`guided.RemoteLLM`, with the key of an environment variable."""
    from ..remote import RemoteLLM

    api_key = None if api_key_env is None else endpoint_key(api_key_env)
    return RemoteLLM(base_url, model, api_key=api_key, **options)


def endpoint_key(variable: str) -> str:
    """The key for another server, of an environment variable: on the command line others would see it."""
    key = os.environ.get(variable, "").strip()
    if not key:
        raise InvalidInputError(
            f"--api-key-env names {variable}, and there is no such environment variable, or it is empty"
        )
    return key


@contextmanager
def _nothing_is_garbage() -> Iterator[None]:
    """Meanwhile no garbage is collected: looking for it took a tenth of the time to load modules, which all stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
