"""guided: constrained and structured generation with language models.

A grammar (JSON Schema or a Python type, regex, choice, EBNF, structural tag) is compiled into masks over a model's
vocabulary. Everything that the model then writes fits the grammar. `LLM` runs a model, `compile_grammar` gives the
masks to other engines. Importing this package loads neither torch nor transformers: names are loaded when first used.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from .other_project import ADVICE, is_installed

if TYPE_CHECKING:
    from guided.grammars.bitset import allocate_bitmask as allocate_bitmask
    from guided.grammars.compile import fill_bitmasks as fill_bitmasks
    from guided.grammars.errors import GuidedError as GuidedError
    from guided.grammars.limits import Limits as Limits
    from guided.grammars.protocol import CompiledGrammar as CompiledGrammar
    from guided.grammars.protocol import Matcher as Matcher
    from guided.grammars.vocabulary import Vocabulary as Vocabulary
    from guided.workbench.inspection.match import TextMatch as TextMatch
    from guided.workbench.inspection.match import match_text as match_text
    from guided.workbench.inspection.samples import sample_texts as sample_texts

    from .compile import compile_grammar as compile_grammar
    from .documents.pieces import Cut as Cut
    from .engines.settings import EngineSettings as EngineSettings
    from .engines.stats import EngineStats as EngineStats
    from .extraction.extraction import Extraction as Extraction
    from .extraction.quote import Quote as Quote
    from .llm import LLM as LLM
    from .output.completion import Completion as Completion
    from .output.completion import CompletionChunk as CompletionChunk
    from .output.generation import Generation as Generation
    from .params.limits import RequestLimits as RequestLimits
    from .params.sampling_params import SamplingParams as SamplingParams
    from .processors.base import CustomLogitProcessor as CustomLogitProcessor
    from .processors.registry import register_logit_processor as register_logit_processor
    from .remote import RemoteLLM as RemoteLLM
    from .requests.observer import EngineObserver as EngineObserver
    from .workbench.steps.step import GenerationStep as GenerationStep
    from .workbench.steps.stream import stream_steps as stream_steps

__version__ = "0.3.0"

_HOMES = {
    "LLM": "guided.llm",
    "Completion": "guided.output.completion",
    "CompletionChunk": "guided.output.completion",
    "CompiledGrammar": "guided.grammars.protocol",
    "CustomLogitProcessor": "guided.processors.base",
    "Cut": "guided.documents.pieces",
    "EngineObserver": "guided.requests.observer",
    "EngineSettings": "guided.engines.settings",
    "EngineStats": "guided.engines.stats",
    "Extraction": "guided.extraction.extraction",
    "Generation": "guided.output.generation",
    "GenerationStep": "guided.workbench.steps.step",
    "GuidedError": "guided.grammars.errors",
    "Limits": "guided.grammars.limits",
    "Matcher": "guided.grammars.protocol",
    "Quote": "guided.extraction.quote",
    "RemoteLLM": "guided.remote",
    "RequestLimits": "guided.params.limits",
    "SamplingParams": "guided.params.sampling_params",
    "TextMatch": "guided.workbench.inspection.match",
    "Vocabulary": "guided.grammars.vocabulary",
    "allocate_bitmask": "guided.grammars.bitset",
    "compile_grammar": "guided.compile",
    "fill_bitmasks": "guided.grammars.compile",
    "match_text": "guided.workbench.inspection.match",
    "register_logit_processor": "guided.processors.registry",
    "sample_texts": "guided.workbench.inspection.samples",
    "stream_steps": "guided.workbench.steps.stream",
}

__all__ = [*_HOMES]

if is_installed(os.path.dirname(os.path.dirname(__file__))):
    import warnings

    warnings.warn(ADVICE, RuntimeWarning, stacklevel=2)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'guided' has no attribute {name!r}")
    from guided.grammars.extras import needed_by

    with needed_by(f"guided.{name}"):
        value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
