"""Old names of methods, which still work for one version and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def renamed(old: str, new: str) -> Callable[..., Any]:
    """A method that calls another one of its object, and says that it has a new name."""

    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        message = f"{old} is called {new} now; the old name goes with the next version"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(self, new)(*arguments, **options)

    call.__name__ = old
    call.__doc__ = f"The old name of `{new}`."
    return call
