"""`Engine`: what a plug-in says of the engine it is made for, of its version, and how it hooks into it."""

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
class Engine:
    """name: as its users write it. module: its package, which says its version: its distribution may have another name.

    tested_series: the beginnings of versions that tests ran with, such as "0.32". way_out: what its users do where its
    internals have changed. failures: why hooks were left out in this process, by their names.
    """

    name: str
    module: str
    tested_series: tuple[str, ...]
    way_out: str
    failures: dict[str, EngineInternalsError] = field(default_factory=dict, compare=False)

    @property
    def version(self) -> str:
        """Of the installed one."""
        return str(importlib.import_module(self.module).__version__)

    def warn_if_untested(self) -> bool:
        """Log a warning where the installed version is of no tested series; True if so."""
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
        """Put `wrap(original)` in the place of `owner.name`; nothing happens where that was done before.

        parameters: the names of the original's, as the wrapper relies on them; it may have more, after these.
        Raises EngineInternalsError where there is no such function, or one with other parameters.
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
        """`hook`, but where a place is not as expected it warns and leaves that as it is; `require_hooks` raises then.

        For hooks that run while an engine is imported, also for people who use nothing of the plug-in.
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
        """For whoever uses the plug-in. Raises EngineInternalsError where a hook was left out in this process."""
        for error in self.failures.values():
            raise error

    def internals_error(self, place: str, found: str) -> EngineInternalsError:
        """The error for a place inside of it that is not as expected."""
        return EngineInternalsError(place, found, f"{self.name} {self.version}", self.way_out)


VLLM = Engine(
    "vLLM",
    "vllm",
    ("0.32",),  # major.minor; `make test-engines` runs the newest of them
    "leave the plug-in out: set VLLM_PLUGINS to the names of the others",
)
SGLANG = Engine(
    "SGLang",
    "sglang",
    ("0.5.23",),  # its internals change between patch versions; `make test-engines` runs the newest of them
    "choose another --grammar-backend",
)
