"""The entry points that vLLM calls in each of its processes, perhaps several times."""

from __future__ import annotations

from ..common.engines import VLLM

_is_registered = False


def offer_name() -> None:
    """Entry point of `vllm.platform_plugins`, which runs while `vllm` is imported: makes the name "guided" known.

    `LLM(structured_outputs_config={"backend": "guided"})` reads its configuration before it loads general plug-ins, so
    `register` would run too late. Returns None, since this is no platform.
    """
    from .imports import after_import
    from .patches import accept_backend_name

    after_import("vllm.config.structured_outputs", VLLM.try_hook(accept_backend_name))


def register() -> None:
    """Entry point of `vllm.general_plugins`: hooks the backend into vLLM.

    If a place is not as expected, a warning is logged, and using the plug-in raises EngineInternalsError. The function
    imports nothing of vLLM, so it is cheap in processes without grammars.
    """
    from .patches import apply_all

    global _is_registered
    if not _is_registered:
        VLLM.warn_if_untested()
        _is_registered = True
    apply_all()
