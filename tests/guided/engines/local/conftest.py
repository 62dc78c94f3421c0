"""LLMs with the tiny random model and their own engine settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from guided import LLM, EngineSettings

MakeLLM = Callable[..., LLM]


@pytest.fixture(scope="module")
def make_llm(tiny_model_folder: Path) -> Iterator[MakeLLM]:
    """An LLM with these `EngineSettings`; the same object for the same settings. All are shut down in the end."""
    made: dict[Any, LLM] = {}

    def make(**settings: Any) -> LLM:
        key = tuple(sorted(settings.items()))
        if key not in made:
            made[key] = LLM(tiny_model_folder, engine_settings=EngineSettings(**settings))
        return made[key]

    yield make
    for llm in made.values():
        check_pages(llm)
        llm.shutdown()


def check_pages(llm: LLM) -> None:
    """No request holds a page, and the bookkeeping is right."""
    stats = llm.get_stats()
    assert (stats.active_requests, stats.waiting_requests, stats.cache_usage) == (0, 0, 0.0)
    assert stats.num_free_pages == stats.num_pages
    llm.engine.paged_model.check()  # type: ignore[attr-defined]
