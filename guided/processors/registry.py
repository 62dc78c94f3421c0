"""Turns what a request names into processors with checked parameters. All errors in a request's processors are raised
here.

Registered names are the safe way to offer processors to requests, since a name only runs code that is already here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from guided.grammars.errors import InvalidInputError

from ..params.checks import shown
from .base import CustomLogitProcessor
from .errors import ProcessorParamsError, UnknownProcessorError
from .parameters import check_params_type, read_params
from .settings import ProcessorSettings
from .thinking import check_thinking

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams

P = TypeVar("P", bound=type[CustomLogitProcessor])

# name -> "module:class", imported when first requested
BUILT_IN = {
    "disallowed_tokens": "token_lists:DisallowedTokens",
    "no_repeat_ngram": "ngrams:NoRepeatNgram",
    "thinking_budget": "thinking_budget:ThinkingBudget",
    "top_n_sigma": "top_n_sigma:TopNSigma",
}

NO_LONGER_BUILT_IN = {  # name -> names of replacements, for a message
    "allowed_tokens": "the parameter allowed_token_ids",
    "dry": "no_repeat_ngram or top_n_sigma",
    "xtc": "no_repeat_ngram or top_n_sigma",
    "min_words": "min_new_tokens",
}

_CLASSES: dict[str, type[CustomLogitProcessor]] = {}
_OBJECTS: dict[str, CustomLogitProcessor] = {}


def register_logit_processor(name: str) -> Callable[[P], P]:
    """Decorator: requests can use the class as `name`, with parameters checked against its `params_type`.

    The class is created once, without arguments. Registering the same class again (a notebook cell run twice) replaces
    it. Raises InvalidInputError if the name is taken or invalid, or if the class is no CustomLogitProcessor.
    """
    if not isinstance(name, str) or not name.isprintable() or not name.strip() or name.startswith("{"):
        raise InvalidInputError(
            f"a processor's name must be printable text that does not begin with '{{', not {name!r}"
        )

    def register(processor_class: P) -> P:
        if not isinstance(processor_class, type) or not issubclass(processor_class, CustomLogitProcessor):
            raise InvalidInputError(f"{processor_class!r} is not a subclass of CustomLogitProcessor")
        if name in BUILT_IN or (name in _CLASSES and not _is_same(_CLASSES[name], processor_class)):
            raise InvalidInputError(f"a logit processor named {name!r} is already registered; choose another name")
        if processor_class.params_type is not None:
            check_params_type(processor_class.params_type)
        _OBJECTS.pop(name, None)
        _CLASSES[name] = processor_class
        return processor_class

    return register


def logit_processor_names() -> list[str]:
    """All names, built-in and registered, sorted."""
    return sorted(BUILT_IN.keys() | _CLASSES.keys())


def get_logit_processor(name: str) -> CustomLogitProcessor:
    """The one shared processor with this name. Raises UnknownProcessorError, which lists the known names."""
    if name not in _OBJECTS:
        _OBJECTS[name] = _load_class(name)()
    return _OBJECTS[name]


def _load_class(name: str) -> type[CustomLogitProcessor]:
    if name in _CLASSES:
        return _CLASSES[name]
    if name in NO_LONGER_BUILT_IN:
        raise UnknownProcessorError(
            f"{name!r} is no longer built in; use {NO_LONGER_BUILT_IN[name]}, or a processor of your own"
        )
    if name not in BUILT_IN:
        raise UnknownProcessorError(
            f"unknown logit processor {name!r}; known: {', '.join(logit_processor_names())}; "
            "add one with register_logit_processor"
        )
    module, _, class_name = BUILT_IN[name].partition(":")
    built_in: type[CustomLogitProcessor] = getattr(importlib.import_module(f".{module}", __package__), class_name)
    return built_in


def _is_same(one: type[CustomLogitProcessor], other: type[CustomLogitProcessor]) -> bool:
    return (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)


@dataclass(frozen=True)
class BoundProcessor:
    """A processor with one request's parameters. name: the registered name, or the class's name."""

    name: str
    processor: CustomLogitProcessor
    params: Any


def resolve_processors(
    specs: Sequence[Any],
    custom_params: Mapping[str, Any] | None = None,
    *,
    settings: ProcessorSettings | None = None,
    vocabulary: Vocabulary | None = None,
) -> tuple[BoundProcessor, ...]:
    """The processors of one request, in running order.

    Raises UnknownProcessorError, ProcessorParamsError, ProcessorRefusedError or LogitProcessorError.

    Args:
        specs: each is a registered name, a signed text of `to_str`, a CustomLogitProcessor or its class. Or a pair of
            one of these and parameters, or a dict {"name": ..., "params": {...}}.
        custom_params: parameters for every spec without its own.
        settings: which processors requests may send.
        vocabulary: the model's vocabulary, for checking parameters.
    """
    bound = []
    for spec in specs:
        subject, values = _split(spec, custom_params)
        name, processor = _find(subject, settings)
        params = read_params(name, processor.params_type, values, vocabulary)
        processor.check_params(params, vocabulary)
        bound.append(BoundProcessor(name, processor, params))
    return tuple(sorted(bound, key=lambda one: one.processor.order))


def request_processors(
    params: SamplingParams, vocabulary: Vocabulary | None = None, settings: ProcessorSettings | None = None
) -> tuple[BoundProcessor, ...]:
    """The processors that a request lists. Raises the errors of `resolve_processors`."""
    specs = params.logit_processors or ()
    return resolve_processors(specs, params.custom_params, settings=settings, vocabulary=vocabulary)


def check_processors(
    params: SamplingParams, vocabulary: Vocabulary | None = None, settings: ProcessorSettings | None = None
) -> None:
    """Raise an error, before anything runs, if a request's processors, thinking or thinking budget are wrong."""
    check_thinking(params, vocabulary)
    request_processors(params, vocabulary, settings)


def _split(spec: Any, custom_params: Mapping[str, Any] | None) -> tuple[Any, Any]:
    """The part of a spec that names the processor, and the parameters."""
    if isinstance(spec, Mapping):
        unknown = [key for key in spec if key not in ("name", "params")]
        if "name" not in spec or unknown:
            raise ProcessorParamsError(
                f'a logit processor as a dict is {{"name": ..., "params": {{...}}}}, not {shown(spec)}'
            )
        return spec["name"], custom_params if spec.get("params") is None else spec["params"]
    if isinstance(spec, tuple | list):
        if len(spec) != 2:
            raise ProcessorParamsError(f"a logit processor with parameters is a pair, not {shown(spec)}")
        return spec[0], spec[1]
    return spec, custom_params


def _find(subject: Any, settings: ProcessorSettings | None) -> tuple[str, CustomLogitProcessor]:
    if isinstance(subject, str) and subject.lstrip().startswith("{"):
        processor = CustomLogitProcessor.from_str(subject, settings)
        return type(processor).__name__, processor
    if isinstance(subject, str):
        return subject, get_logit_processor(subject)
    if isinstance(subject, type) and issubclass(subject, CustomLogitProcessor):
        return subject.__name__, subject()
    if isinstance(subject, CustomLogitProcessor):
        return type(subject).__name__, subject
    raise ProcessorParamsError(
        "a logit processor is a registered name, a signed text, a CustomLogitProcessor or its class, not "
        f"{shown(subject)}"
    )
