"""Options of `guided serve` from a TOML file and from the environment.

A flag wins over the environment variable GUIDED_<OPTION>, that over the file's key, that over the default. A key or a
variable that no option has is an error: it might be a limit with a typo.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import typer

from guided.grammars.errors import InvalidInputError

from .access import ADMIN_KEY_VARIABLE, API_KEYS_VARIABLE
from .options import ServeOptions

PREFIX = "GUIDED"
OTHER_VARIABLES = (API_KEYS_VARIABLE, ADMIN_KEY_VARIABLE, "GUIDED_CACHE_DIR", "GUIDED_DEFAULT_MODEL")


def load_config(context: typer.Context, path: Path | None) -> Path | None:
    """The callback of --config, which runs before other options are read: sets the values of options without a flag.

    Raises InvalidInputError for a file that can't be read, and for unknown keys and variables.
    """
    options = {option.name: option for option in context.command.params if option.name not in (None, "config", "help")}
    _check_environment({*options, "config"})
    context.auto_envvar_prefix = PREFIX
    if path is not None:
        context.default_map = _read(path, options)
    return path


def _check_environment(names: set[str | None]) -> None:
    known = {f"{PREFIX}_{name}".upper() for name in names}
    gone = {f"{PREFIX}_{name}".upper(): cure for name, cure in ServeOptions.all_gone().items()}
    for variable in os.environ:
        if variable in gone:
            raise InvalidInputError(f"the environment variable {variable} is no option any more: {gone[variable]}")
        if variable.startswith(f"{PREFIX}_") and variable not in known and variable not in OTHER_VARIABLES:
            raise InvalidInputError(f"the environment variable {variable} is no option of guided serve; unset it")


def _read(path: Path, options: dict[Any, Any]) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInputError(f"the configuration {str(path)!r} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInputError(f"the configuration {str(path)!r} is no TOML: {error}") from None
    for name, value in values.items():
        if name in ServeOptions.all_gone():
            raise InvalidInputError(f"{path}: {name!r} is no option any more: {ServeOptions.all_gone()[name]}")
        if name not in options:
            raise InvalidInputError(
                f"{path}: {name!r} is no option of guided serve; known: {', '.join(sorted(options))}"
            )
        _check_type(f"{path}: {name}", value, options[name])
    return values


def _check_type(where: str, value: Any, option: Any) -> None:
    """Raise InvalidInputError if a TOML value has a type that the option doesn't take: a date for a text, say."""
    if option.multiple:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise InvalidInputError(f'{where} must be a list of strings, such as ["a", "b"], not {value!r}')
    elif option.is_flag != isinstance(value, bool) or not isinstance(value, str | int | float):
        expected = "true or false" if option.is_flag else "a string or a number"
        raise InvalidInputError(f"{where} must be {expected}, not {value!r}")
