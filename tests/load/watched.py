"""`python -m tests.load.watched FILE ...`: `guided ...`, and at its end the `Looks` at it in a file."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from guided.cli import main

from .gap_causes import Looks

if __name__ == "__main__":
    file = Path(sys.argv.pop(1))
    looks = Looks()
    try:
        with looks:
            main()
    finally:
        file.write_bytes(pickle.dumps(looks.all))
