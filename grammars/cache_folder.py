"""The folder on disk where what is made once is kept for the next process."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The environment variable GUIDED_CACHE_DIR, else the user's own; may not exist.

    Raises RuntimeError where there is neither, as nobody's home folder is known.
    """
    chosen = os.environ.get("GUIDED_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "guided" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "guided"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "guided"
