"""Loading a model with a status line of our own instead of other libraries' progress bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console

if TYPE_CHECKING:
    from ..llm import LLM


def load_model(model: str | None, **options: Any) -> LLM:
    """`guided.LLM(model, **options)`; meanwhile standard error says so, where it is a terminal."""
    with Console(stderr=True).status("loading the model"):
        from transformers.utils import logging

        from ..llm import LLM

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return LLM(model, **options)
