"""The folder on disk that keeps files for the next process."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return GUIDED_CACHE_DIR from the environment, else the user's own cache folder. The folder may not exist.

    Raises RuntimeError if the variable is not set and the user's home folder is unknown.
    """
    chosen = os.environ.get("GUIDED_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "guided" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "guided"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "guided"
