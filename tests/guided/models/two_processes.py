"""Two processes that need the same entry of the cache at the same time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest


def run_in_two(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, work: str, function: Callable[..., Any], *arguments: Any
) -> tuple[list[Any], int]:
    """Both processes' results of a function, and the number of times that it did its work.

    module: of the function, which calls `made_once` there; both processes begin that call together.
    work: name of the function in the module that does the work.
    """
    context = multiprocessing.get_context("fork")
    both, num_calls = context.Barrier(2), context.Value("i", 0)
    made_once, original = module.made_once, getattr(module, work)

    def together(*args: Any) -> Any:
        both.wait(60)
        return made_once(*args)

    def counted(*args: Any) -> Any:
        with num_calls.get_lock():
            num_calls.value += 1
        return original(*args)

    monkeypatch.setattr(module, "made_once", together)
    monkeypatch.setattr(module, work, counted)
    with context.Pool(2) as pool:
        results = pool.starmap(function, [arguments] * 2, chunksize=1)
    return results, num_calls.value
