"""From an exported kernel's annotations to its argument types, for each float size that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args, get_type_hints

from .arrays import ArrayKind, Float32Kind

ArgumentKind = ArrayKind | str
"""An array, or a scalar: "i8", "b1", "f4" or "f8"."""

_SCALARS: dict[Any, str] = {int: "i8", bool: "b1", float: "f8"}
_SIZES = ({"f": "f4", "fi": "i4"}, {"f": "f8", "fi": "i8"})


def signatures_of(function: Callable[..., Any]) -> list[tuple[ArgumentKind, ...]]:
    """Return the kinds of a kernel's parameters: one signature, or two if it takes floats of both sizes."""
    hints = get_type_hints(function, include_extras=True)
    code = function.__code__
    kinds = tuple(
        _kind_of(hints[name], f"{function.__qualname__}({name})") for name in code.co_varnames[: code.co_argcount]
    )
    if not any(isinstance(kind, ArrayKind) and kind.code in _SIZES[0] for kind in kinds):
        return [kinds]
    return [tuple(_of_size(kind, codes) for kind in kinds) for codes in _SIZES]


def _kind_of(hint: Any, where: str) -> ArgumentKind:
    if hint in _SCALARS:
        return _SCALARS[hint]
    for said in get_args(hint)[1:]:
        if isinstance(said, ArrayKind):
            return said
        if isinstance(said, Float32Kind):
            return "f4"
    raise TypeError(
        f"{where}: an exported kernel takes int, bool, float and the arrays of `kernels.arrays`, not {hint}"
    )


def _of_size(kind: ArgumentKind, codes: dict[str, str]) -> ArgumentKind:
    if isinstance(kind, ArrayKind) and kind.code in codes:
        return replace(kind, code=codes[kind.code])
    return kind
