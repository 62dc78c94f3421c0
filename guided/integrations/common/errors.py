"""What the plug-ins themselves raise, beside the errors of grammars and sampling parameters."""

from __future__ import annotations

from guided.grammars.errors import GuidedError, InvalidInputError


class EngineInternalsError(GuidedError):
    """A place inside of an engine that its plug-in hooks into is not as it was in the versions it is made for.

    engine: its name and version. way_out: what to do instead of installing another version.
    """

    def __init__(self, place: str, found: str, engine: str, way_out: str = "leave the plug-in out") -> None:
        self.place = place
        super().__init__(
            f"guided's plug-in can't work with {engine}: {place} {found}. Install a version that docs/engines.md "
            f"names, or {way_out}"
        )


class RequestOptionError(InvalidInputError):
    """An option that a request gives the plug-in and that can't be used. name: its name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        where = f"guided.{name}" if name else "guided"
        super().__init__(f"{where}: {reason}")
