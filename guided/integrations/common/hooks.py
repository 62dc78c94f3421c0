"""`hook`: replace one function of an engine by one that wraps it, once, and only if it is as expected."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .engines import Engine

_MARK = "_guided_original"


def hook(
    engine: Engine, owner: Any, name: str, parameters: Sequence[str], wrap: Callable[[Callable[..., Any]], Any]
) -> None:
    """Put `wrap(original)` in the place of `owner.name`; nothing happens where that was done before.

    parameters: the names of the original's, as the wrapper relies on them; it may have more, after these.
    Raises EngineInternalsError where there is no such function, or one with other parameters.
    """
    original = inspect.getattr_static(owner, name, None)
    if hasattr(original, _MARK):
        return
    place = f"{getattr(owner, '__module__', '')}.{owner.__name__}.{name}".lstrip(".")
    if not inspect.isfunction(original):
        raise engine.internals_error(place, "is missing" if original is None else "is no plain function")
    found = list(inspect.signature(original).parameters)
    if found[: len(parameters)] != list(parameters):
        raise engine.internals_error(place, f"takes ({', '.join(found)}), not ({', '.join(parameters)}, ...)")
    wrapper = functools.wraps(original)(wrap(original))
    setattr(wrapper, _MARK, original)
    setattr(owner, name, wrapper)
