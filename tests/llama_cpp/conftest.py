"""The model that all tests load."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from guided.models.known import fetched_file

if importlib.util.find_spec("llama_cpp") is None:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def llama() -> Any:
    """SmolLM2, in llama.cpp."""
    from llama_cpp import Llama

    if not fetched_file("smollm2").is_file():
        pytest.skip("smollm2 is not in the cache: guided model smollm2")
    return Llama(str(fetched_file("smollm2")), n_ctx=512, n_threads=1, verbose=False, seed=1)
