"""Files of installed packages, which are not imported for them: some of these take seconds."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def package_folder(name: str) -> Path:
    """Where a package lies."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent
