"""What the plug-in itself raises, beside the errors of grammars and sampling parameters."""

from __future__ import annotations

from guided.grammars.errors import GuidedError, InvalidInputError


class EngineInternalsError(GuidedError):
    """A place inside of vLLM that the plug-in hooks into is not as it was in the versions it is made for."""

    def __init__(self, place: str, found: str, version: str) -> None:
        self.place = place
        super().__init__(
            f"guided's plug-in can't work with vLLM {version}: {place} {found}. Install a vLLM version that "
            "docs/engines.md names, or leave the plug-in out: set VLLM_PLUGINS to the names of the others"
        )


class RequestOptionError(InvalidInputError):
    """An option of a request (`extra_args["guided"]`, over HTTP `vllm_xargs`) that can't be used. name: its name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        where = f"guided.{name}" if name else "guided"
        super().__init__(f"{where}: {reason}")
