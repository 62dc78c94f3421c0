"""Custom logit processors: user code, or a built-in processor, that runs between a row's penalties and its mask.

`pipeline.py` runs them for a batch, `registry.py` finds them by name, `serialization.py` writes them as signed text.
Importing this package does not load torch; modules that work on tensors are loaded when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .base import CustomLogitProcessor as CustomLogitProcessor
from .errors import LogitProcessorError as LogitProcessorError
from .errors import ProcessorParamsError as ProcessorParamsError
from .errors import ProcessorRefusedError as ProcessorRefusedError
from .errors import UnknownProcessorError as UnknownProcessorError
from .registry import BoundProcessor as BoundProcessor
from .registry import check_processors as check_processors
from .registry import get_logit_processor as get_logit_processor
from .registry import logit_processor_names as logit_processor_names
from .registry import register_logit_processor as register_logit_processor
from .registry import resolve_processors as resolve_processors
from .settings import ProcessorSettings as ProcessorSettings
from .settings import write_key_file as write_key_file
from .thinking import ThinkingState as ThinkingState
from .thinking import ThinkingTokens as ThinkingTokens
from .thinking import find_thinking_tokens as find_thinking_tokens

if TYPE_CHECKING:
    from .pipeline import ProcessorPipeline as ProcessorPipeline
    from .rows import ProcessorRow as ProcessorRow
    from .rows import RowGroup as RowGroup

_HOMES = {"ProcessorPipeline": "pipeline", "ProcessorRow": "rows", "RowGroup": "rows"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guided.processors' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
