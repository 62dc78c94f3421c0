"""From what a request names to processors with checked parameters. Everything a request can get wrong fails here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..params.checks import shown
from .base import CustomLogitProcessor
from .errors import ProcessorParamsError
from .parameters import read_params
from .registry import get_logit_processor
from .settings import ProcessorSettings
from .thinking import check_thinking, find_thinking_tokens

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

    from ..params.sampling_params import SamplingParams

THINKING_BUDGET = "thinking_budget"


@dataclass(frozen=True)
class BoundProcessor:
    """A processor with one request's parameters. name: the registered name, or the class's."""

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
    """The processors of one request, in the order in which they run.

    specs: each a registered name, a signed text of `to_str`, a CustomLogitProcessor or a class of one; or a pair
        (one of these, parameters); or a dict {"name": ..., "params": {...}}.
    custom_params: the parameters of every spec that brings none of its own.
    vocabulary: of the model; processors check their parameters against it.
    Raises UnknownProcessorError, ProcessorParamsError, ProcessorRefusedError or LogitProcessorError.
    """
    bound = [_resolve(spec, custom_params, settings) for spec in specs]
    for one in bound:
        one.processor.check_params(one.params, vocabulary)
    return tuple(sorted(bound, key=lambda one: one.processor.order))


def request_processors(
    params: SamplingParams, vocabulary: Vocabulary | None = None, settings: ProcessorSettings | None = None
) -> tuple[BoundProcessor, ...]:
    """All processors of a request: those it lists, and the thinking budget where it has one. Raises as above."""
    specs = list(params.logit_processors or ())
    if _has_budget(params, vocabulary):
        specs.append((THINKING_BUDGET, {"budget": params.thinking_budget or 0}))
    return resolve_processors(specs, params.custom_params, settings=settings, vocabulary=vocabulary)


def check_processors(
    params: SamplingParams, vocabulary: Vocabulary | None = None, settings: ProcessorSettings | None = None
) -> None:
    """Raise, before anything runs, what is wrong with a request's processors, thinking and budget."""
    check_thinking(params, vocabulary)
    request_processors(params, vocabulary, settings)


def needs_processors(params: SamplingParams) -> bool:
    """True when the request may have a processor; cheap."""
    return bool(params.logit_processors) or params.thinking is False or params.thinking_budget is not None


def _has_budget(params: SamplingParams, vocabulary: Vocabulary | None) -> bool:
    """thinking=False is a budget of 0, which a model without thinking tokens keeps anyway."""
    if params.thinking is not False:
        return params.thinking_budget is not None
    return vocabulary is None or find_thinking_tokens(vocabulary) is not None


def _resolve(spec: Any, custom_params: Mapping[str, Any] | None, settings: ProcessorSettings | None) -> BoundProcessor:
    subject, values = _split(spec, custom_params)
    name, processor = _find(subject, settings)
    return BoundProcessor(name, processor, read_params(name, processor.params_type, values))


def _split(spec: Any, custom_params: Mapping[str, Any] | None) -> tuple[Any, Any]:
    """What names the processor, and its parameters."""
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
