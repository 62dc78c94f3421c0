"""Fixtures that several test packages share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guided.tiny_model import make_tiny_model


@pytest.fixture(scope="session")
def tiny_model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny random model (see tests/guided/tiny_model.py). Treat it as read-only.

    Its steps are so small that torch's threads would only wait for each other, on a busy machine ten times longer than
    the work: so one thread.
    """
    import torch

    torch.set_num_threads(1)
    return make_tiny_model(tmp_path_factory.mktemp("tiny_model"))
