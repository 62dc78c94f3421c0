"""Errors of the plug-ins themselves, beside those of grammars and sampling parameters."""

from __future__ import annotations

from guided.grammars.errors import GuidedError, InvalidInputError


class EngineInternalsError(GuidedError):
    """An internal place of an engine, which the plug-in hooks into, differs from the tested versions.

    engine: the engine's name and version.
    way_out: what to do instead of installing another version.
    """

    def __init__(self, place: str, found: str, engine: str, way_out: str = "leave the plug-in out") -> None:
        self.place = place
        super().__init__(
            f"guided's plug-in can't work with {engine}: {place} {found}. Install a version that docs/engines.md "
            f"names, or {way_out}"
        )


class RequestOptionError(InvalidInputError):
    """A request gives the plug-in an option that can't be used. name: the option's name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        where = f"guided.{name}" if name else "guided"
        super().__init__(f"{where}: {reason}")
