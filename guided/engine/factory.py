"""`EngineFactory`: what the registry knows of an engine: how it is loaded with its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits

from ..processors.settings import ProcessorSettings
from .base import Engine
from .settings import EngineSettings


@dataclass(frozen=True)
class LoadedEngine:
    """An engine with its model, and the `transformers` tokenizer that turns text into its token ids."""

    engine: Engine
    tokenizer: Any


class EngineFactory(Protocol):
    """Loads a model and puts an engine around it."""

    def __call__(
        self,
        model: Any,
        *,
        tokenizer: Any,
        device: str,
        dtype: str,
        settings: EngineSettings | None,
        processor_settings: ProcessorSettings | None,
        limits: Limits | None,
        engine_args: Mapping[str, Any] | str | None,
    ) -> LoadedEngine:
        """All as `guided.LLM` takes them; model is never None.

        limits: for engines that compile grammars in processes of their own. engine_args: refused by an engine that has
        no such arguments, see `refuse_engine_args`.
        """
        ...


def refuse_engine_args(engine_args: Mapping[str, Any] | str | None, engine: str) -> None:
    """Raise InvalidInputError where some are given."""
    if engine_args is not None:
        raise InvalidInputError(f"the {engine} engine has no engine_args; they are for engine='vllm'")
