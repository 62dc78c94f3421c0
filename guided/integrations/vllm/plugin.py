"""The entry points that vLLM calls, in each of its processes, perhaps several times."""

from __future__ import annotations

from ..common.engines import VLLM

_is_registered = False


def offer_name() -> None:
    """Entry point of `vllm.platform_plugins`, which are asked while `vllm` is imported: make the name "guided" known.

    `LLM(structured_outputs_config={"backend": "guided"})` reads its configuration before it loads general plug-ins, so
    `register` would come too late for it. Returns None: this is no platform.
    """
    from .imports import after_import
    from .patches import accept_backend_name

    after_import("vllm.config.structured_outputs", VLLM.try_hook(accept_backend_name))


def register() -> None:
    """Entry point of `vllm.general_plugins`: hook the backend into vLLM.

    Where that is not as expected it warns, and whatever uses the plug-in raises EngineInternalsError.
    Cheap, since it runs in processes that will never see a grammar: nothing of vLLM is imported for it.
    """
    from .patches import apply_all

    global _is_registered
    if not _is_registered:
        VLLM.warn_if_untested()
        _is_registered = True
    apply_all()
