"""The versions of SGLang that the plug-in is made for."""

from __future__ import annotations

from ..common.engines import Engine


def sglang_version() -> str:
    """As SGLang itself says."""
    import sglang

    return str(sglang.__version__)


SGLANG = Engine(
    "SGLang",
    ("0.5.23",),  # its internals change between patch versions; `make test-engines` runs the newest of them
    lambda: sglang_version(),
    "choose another --grammar-backend",
)
