"""`EngineFactory`: what the registry knows of an engine: how it is loaded with its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

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
    ) -> LoadedEngine:
        """All as `guided.LLM` takes them; model is never None."""
        ...
