"""Fixtures that several test packages share."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from guided.grammars.jsonschema_library import jsonschema as jsonschema  # before tests import it, with 38 parsers

gc.disable()  # until the first test: imports and collected tests are no garbage

LONGEST = (
    *("tests/grammars/test_hostile_schemas.py", "tests/grammars/kernels/test_jit.py", "tests/server/test_load.py"),
    *("tests/guided/test_triton_sampler.py", "tests/grammars/completion/test_budgets.py"),
    *("tests/guided/test_embedded_model.py", "tests/grammars/json_schema/test_random_tokens.py"),
    *("tests/server/test_openapi.py", "tests/grammars/json_schema/test_numbers.py", "tests/test_examples.py"),
    *("tests/guided/engines/local/test_lifecycle.py", "tests/grammars/kernels/test_build.py", "tests/test_startup.py"),
    *("tests/test_server_guide.py", "tests/server/test_echo_server.py", "tests/server/test_stopping.py"),
    *("tests/server/test_fuzzed_requests.py", "tests/guided/test_sampler_distribution.py"),
)
"""Files of many seconds, which come first, so that at the end of a run no processor waits for one of them."""

COLLECTOR_THRESHOLDS = (10_000, 10, 100)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first. `--no-loadscope-reorder` keeps that order where files are handed to processes."""
    ranks = {name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.nodeid.partition("::")[0], len(LONGEST)))


@pytest.fixture(scope="module", autouse=True)
def _old_objects_are_no_garbage() -> None:
    """A full round of the collector over ten thousand tests and the libraries takes 0.7 s, and tests have time limits.

    So it looks only at what was made since a file of tests began, and not for every few objects.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny random model (see tests/guided/tiny_model.py). Treat it as read-only.

    Its steps are so small that torch's threads would only wait for each other, on a busy machine ten times longer than
    the work: so one thread.
    """
    import torch

    from tests.guided.tiny_model import make_tiny_model

    torch.set_num_threads(1)
    return make_tiny_model(tmp_path_factory.mktemp("tiny_model"))
