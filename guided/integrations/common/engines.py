"""`Engine`: what a plug-in says of the engine it is made for, and of its version."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from .errors import EngineInternalsError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Engine:
    """name: as its users write it. tested_series: the beginnings of versions that tests ran with, such as "0.32".

    find_version: asks the installed engine. way_out: what its users do where its internals have changed.
    """

    name: str
    tested_series: tuple[str, ...]
    find_version: Callable[[], str]
    way_out: str

    def warn_if_untested(self) -> bool:
        """Log a warning where the installed version is of no tested series; True if so."""
        version = self.find_version()
        if any(f"{version}.".startswith(f"{series}.") for series in self.tested_series):
            return False
        log.warning(
            "guided's plug-in for %s was tested with %s %s, and this is %s. It checks the places that it hooks into, "
            "but not what they do",
            self.name,
            self.name,
            ", ".join(f"{series}.x" for series in self.tested_series),
            version,
        )
        return True

    def internals_error(self, place: str, found: str) -> EngineInternalsError:
        """The error for a place inside of it that is not as expected."""
        return EngineInternalsError(place, found, f"{self.name} {self.find_version()}", self.way_out)
