"""Methods that take options as `**options`: their signatures and their help list each option by its name."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def lists_options(
    described: tuple[type[Any], ...], sources: tuple[Callable[..., Any], ...]
) -> Callable[[Method], Method]:
    """Decorate a method so that `inspect.signature`, `help` and editors show what its `**options` may be.

    described: TypedDicts; the first one has all names and types, the docstrings of all explain them.
    sources: functions whose keyword parameters have the defaults; a name that none of them has is None by default.

    Type checkers read `Unpack` of the first TypedDict; this is for whatever looks at the running program.
    """
    defaults = {
        name: parameter.default
        for source in sources
        for name, parameter in inspect.signature(source).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults.get(name), annotation=_text_of(kind))
        for name, kind in described[0].__annotations__.items()
    ]
    explained = "\n".join(_explained(one) for one in described)

    def decorate(method: Method) -> Method:
        signature = inspect.signature(method)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        given = {one.name for one in own}
        method.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*own, *(one for one in options if one.name not in given)]
        )
        method.__doc__ = f"{inspect.cleandoc(method.__doc__ or '')}\n\nOptions:\n{explained}"
        return method

    return decorate


def _text_of(annotation: Any) -> Any:
    """An annotation as it stands in the source."""
    return getattr(annotation, "__forward_arg__", annotation)


def _explained(described: type[Any]) -> str:
    """The description of a TypedDict's keys: its docstring after the first paragraph."""
    _, _, rest = inspect.cleandoc(described.__doc__ or "").partition("\n\n")
    return textwrap.indent(rest, "    ")
