"""`HostEngine`: describes the engine that a plug-in is made for, checks its version, and hooks into it."""

from __future__ import annotations

import functools
import importlib
import inspect
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import EngineInternalsError

log = logging.getLogger(__name__)
_MARK = "_guided_original"


@dataclass(frozen=True)
class HostEngine:
    """An engine of another project.

    name: as its users write it.
    module: its package, which has its version; its distribution may have another name.
    tested_series: beginnings of tested versions, such as "0.32".
    way_out: advice for users if its internals have changed.
    failures: hook name -> why that hook could not be installed in this process.
    """

    name: str
    module: str
    tested_series: tuple[str, ...]
    way_out: str
    failures: dict[str, EngineInternalsError] = field(default_factory=dict, compare=False)

    @property
    def version(self) -> str:
        """The installed version."""
        return str(importlib.import_module(self.module).__version__)

    def warn_if_untested(self) -> bool:
        """Log a warning, and return True, if the installed version belongs to no tested series."""
        version = self.version
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

    def hook(self, owner: Any, name: str, parameters: Sequence[str], wrap: Callable[[Callable[..., Any]], Any]) -> None:
        """Replace `owner.name` by `wrap(original)`, unless that was already done.

        parameters: the first parameter names that the original must have; further ones may follow.
        Raises EngineInternalsError if there is no such function or its parameters differ.
        """
        original = inspect.getattr_static(owner, name, None)
        if hasattr(original, _MARK):
            return
        place = f"{getattr(owner, '__module__', '')}.{owner.__name__}.{name}".lstrip(".")
        if not inspect.isfunction(original):
            raise self.internals_error(place, "is missing" if original is None else "is no plain function")
        found = list(inspect.signature(original).parameters)
        if found[: len(parameters)] != list(parameters):
            raise self.internals_error(place, f"takes ({', '.join(found)}), not ({', '.join(parameters)}, ...)")
        wrapper = functools.wraps(original)(wrap(original))
        setattr(wrapper, _MARK, original)
        setattr(owner, name, wrapper)

    def try_hook(self, hook: Callable[[], None]) -> Callable[[], None]:
        """A function that installs a hook. If the place has changed, it logs a warning and leaves it unchanged;
        `require_hooks` then raises.

        For hooks that run while an engine is imported, even if the user does not use the plug-in.
        """

        def attempt() -> None:
            try:
                hook()
            except Exception as error:  # noqa: BLE001 - whatever an internal that has changed leads to
                self._note_failure(hook.__name__, error)

        return attempt

    def _note_failure(self, name: str, error: Exception) -> None:
        if name in self.failures:
            return
        if not isinstance(error, EngineInternalsError):
            error = self.internals_error(f"the place of {name}", f"has changed: {error!r}")
        self.failures[name] = error
        log.warning("%s. Until then it can't be used; all else of %s is as it was", error, self.name)

    def require_hooks(self) -> None:
        """Raise EngineInternalsError if a hook could not be installed in this process. Called when the plug-in is
        used.
        """
        for error in self.failures.values():
            raise error

    def internals_error(self, place: str, found: str) -> EngineInternalsError:
        """The error for an internal place that is not as expected."""
        return EngineInternalsError(place, found, f"{self.name} {self.version}", self.way_out)


VLLM = HostEngine(
    "vLLM",
    "vllm",
    ("0.32",),  # major.minor; `make test-engines` runs the newest of them
    "leave the plug-in out: set VLLM_PLUGINS to the names of the others",
)
SGLANG = HostEngine(
    "SGLang",
    "sglang",
    ("0.5.23",),  # internals change between patch versions; `make test-engines` runs the newest of them
    "choose another --grammar-backend",
)
