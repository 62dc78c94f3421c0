"""Constants that kernels and Python share for products, beside those of `machine.layout`."""

from __future__ import annotations

from typing import Final

SUBTREE: Final = 1 << 30  # bit beside the number of a node: all tokens below count, too

SEVERAL: Final = -1  # capture of a walk that passed captures of several frames
