"""Libraries that only some files need: those of `guided-generation[documents]`."""

from __future__ import annotations

import importlib
from typing import Any

from guided.grammars.errors import InvalidInputError


def require(module: str, what: str) -> Any:
    """The module of a library. what: needs it, for the InvalidInputError that says how to install it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        library = module.partition(".")[0]
        advice = "pip install 'guided-generation[documents]'"
        raise InvalidInputError(f"{what} needs {library}, which is not installed: {advice}") from None
