"""Processors by name: the safe way to offer them to requests, since a name runs only code that is here already."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TypeVar

from guided.grammars.errors import InvalidInputError

from .base import CustomLogitProcessor
from .errors import UnknownProcessorError
from .parameters import check_params_type

P = TypeVar("P", bound=type[CustomLogitProcessor])

# name -> "module:class", imported when first asked for
BUILT_IN = {
    "allowed_tokens": "token_lists:AllowedTokens",
    "disallowed_tokens": "token_lists:DisallowedTokens",
    "dry": "dry:Dry",
    "min_words": "min_words:MinWords",
    "no_repeat_ngram": "ngrams:NoRepeatNgram",
    "thinking_budget": "thinking_budget:ThinkingBudget",
    "top_n_sigma": "top_n_sigma:TopNSigma",
    "xtc": "xtc:Xtc",
}

_CLASSES: dict[str, type[CustomLogitProcessor]] = {}
_OBJECTS: dict[str, CustomLogitProcessor] = {}


def register_logit_processor(name: str) -> Callable[[P], P]:
    """Decorator: requests can use the class as `name`, with parameters checked against its `params_type`.

    The class is made without arguments, once. Registering the same class again (a notebook cell run twice) replaces it.
    Raises InvalidInputError when the name is taken or empty, or the class is no CustomLogitProcessor.
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
    """All names, the built-in ones and the registered ones, sorted."""
    return sorted(BUILT_IN.keys() | _CLASSES.keys())


def get_logit_processor(name: str) -> CustomLogitProcessor:
    """The processor of that name, one object for all. Raises UnknownProcessorError, listing the known names."""
    if name not in _OBJECTS:
        _OBJECTS[name] = _load_class(name)()
    return _OBJECTS[name]


def _load_class(name: str) -> type[CustomLogitProcessor]:
    if name in _CLASSES:
        return _CLASSES[name]
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
