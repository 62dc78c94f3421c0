"""`warmup`: load or compile the kernels of rules.

They call none of the others, so a process of its own can compile them meanwhile.
"""

from __future__ import annotations

from ..kernels import require_kept
from ..limits import Limits
from ..regex import algebra as lang
from .expressions import RuleGraph, Terminal
from .network import build_network


def warmup() -> None:
    """Prepare a grammar."""
    build_network(RuleGraph({"x": Terminal(lang.text("x"))}, "x"), Limits())


if __name__ == "__main__":
    warmup()
    require_kept()
