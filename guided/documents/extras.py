"""Imports libraries of the optional extras, which may not be installed."""

from __future__ import annotations

import importlib
from typing import Any

from guided.grammars.errors import InvalidInputError


def require(module: str, what: str, *, extra: str = "documents") -> Any:
    """Import a module of an optional library.

    what: the purpose that needs it, for the error message.
    extra: the extra that installs the library.
    Raises InvalidInputError, which says how to install the extra, if the library is missing.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not module.startswith(error.name):
            raise
        library = module.partition(".")[0]
        advice = f"pip install 'guided-generation[{extra}]'"
        raise InvalidInputError(f"{what} needs {library}, which is not installed: {advice}") from None
