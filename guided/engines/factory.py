"""`EngineFactory`: a function that loads an engine with its model, for the registry; `EngineOptions`: its options."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits

from ..processors.settings import ProcessorSettings
from .base import Engine
from .settings import EngineSettings

if TYPE_CHECKING:
    from ..requests.prompting import PromptEncoder


@dataclass(frozen=True)
class LoadedEngine:
    """An engine with its model and tokenizer.

    tokenizer: the `transformers` tokenizer of the model; None: the engine takes texts.
    encoder: makes the prompts of an engine without a tokenizer; None: the engine has a tokenizer.
    """

    engine: Engine
    tokenizer: Any
    encoder: PromptEncoder | None = None


@dataclass(frozen=True)
class EngineOptions:
    """Options for loading an engine with its model. See the arguments of `guided.LLM`.

    limits: limits of grammars, for engines that compile grammars in processes of their own.
    engine_args: arguments of the engine itself; engines without such arguments refuse them (`refuse_engine_args`).
    """

    tokenizer: Any = None
    device: str = "auto"
    dtype: str = "auto"
    settings: EngineSettings | None = None
    processor_settings: ProcessorSettings | None = None
    limits: Limits | None = None
    engine_args: Mapping[str, Any] | str | None = None


EngineFactory = Callable[[Any, EngineOptions], LoadedEngine]
"""Function of (model, options) that loads a model with its engine. Only for the engine "openai" may the model be
None.
"""


def read_engine_args(engine_args: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The engine's arguments as a dict. Raises InvalidInputError for anything but an object or its JSON text."""
    given: Any = {} if engine_args is None else engine_args
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise InvalidInputError(f"engine_args is no JSON text: {error}") from error
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"engine_args must be a JSON object with named fields, not a {type(given).__name__}")
    return dict(given)


def refuse_settings(settings: EngineSettings, engine: str, instead: Mapping[str, str]) -> None:
    """Raise InvalidInputError for a setting that the engine has no use for. instead: field -> what to do instead."""
    default = EngineSettings()
    for field, advice in instead.items():
        if getattr(settings, field) != getattr(default, field):
            raise InvalidInputError(f"the {engine} engine does not take {field}: {advice}")


def with_endpoint(
    engine: str, engine_args: Mapping[str, Any] | str | None, base_url: str | None, api_key: str | None
) -> Mapping[str, Any] | str | None:
    """The engine's arguments, with the address and the key of another server added.

    Raises InvalidInputError for other engines than "openai", and for an argument that is given twice.
    """
    said = {name: value for name, value in (("base_url", base_url), ("api_key", api_key)) if value is not None}
    if not said:
        return engine_args
    if engine != "openai":
        raise InvalidInputError(f"{' and '.join(said)} are for engine='openai', not {engine!r}")
    given = read_engine_args(engine_args)
    twice = next((name for name in said if name in given), None)
    if twice is not None:
        raise InvalidInputError(f"{twice} is given twice, also in engine_args; give it once")
    return given | said


def refuse_engine_args(engine_args: Mapping[str, Any] | str | None, engine: str) -> None:
    """Raise InvalidInputError if engine_args are given, for an engine that has none."""
    if engine_args is not None:
        raise InvalidInputError(f"the {engine} engine has no engine_args; they are for 'vllm' and 'openai'")
