"""The plug-in's options of a request, beside vLLM's own fields: `extra_args["guided"]`.

Over HTTP the options are in `vllm_xargs`, which hold no nested objects. There the options are therefore JSON text:
`"vllm_xargs": {"guided": "{\\"values\\": \\"any\\"}"}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from ..common.errors import RequestOptionError
from ..common.options import GrammarOptions

_OWN_FIELD = "vLLM has a field of its own for it, beside structured_outputs"
_IN_GRAMMAR = "give the grammar in structured_outputs"
REFUSED = {
    **dict.fromkeys(("json_schema", "regex", "choice", "ebnf", "structural_tag"), _IN_GRAMMAR),
    **dict.fromkeys(("temperature", "top_k", "top_p", "min_p", "seed", "n", "stop", "stop_token_ids"), _OWN_FIELD),
    **dict.fromkeys(("frequency_penalty", "presence_penalty", "repetition_penalty"), _OWN_FIELD),
    **dict.fromkeys(("logit_bias", "bad_words", "allowed_token_ids", "ignore_eos"), _OWN_FIELD),
    **dict.fromkeys(("logprobs", "prompt_logprobs", "logprob_token_ids", "skip_special_tokens"), _OWN_FIELD),
    **dict.fromkeys(("spaces_between_special_tokens", "include_stop_str_in_output"), _OWN_FIELD),
    "min_new_tokens": "vLLM's field for it is min_tokens",
    "max_new_tokens": "vLLM's field for it is max_tokens",
    "sources": "vLLM's structured_outputs has no field for the texts that quotes are of",
    "limits": "whoever runs the engine sets them for all requests, in GUIDED_LIMITS",
    "all_of": "vLLM's structured_outputs has no field for it; see the option arguments",
    "thinking": "vLLM's reasoning parsers decide it; see --reasoning-parser",
    "thinking_budget": 'use thinking_token_budget, or the processor {"name": "thinking_budget"}',
    "separate_thinking": "vLLM's reasoning parsers do that; see --reasoning-parser",
    "penalize_forced": "vLLM's sampler counts all tokens of the output, and does not know which were forced",
    "filter_order": "vLLM's sampler has one order: top_k first",
    **dict.fromkeys(("particles", "return_hidden_states", "return_logits"), "for guided's own engine alone"),
    "stop_regex": "vLLM ends texts by strings and tokens only",
    "stop_in_strings": "vLLM looks for stop strings in the text, whatever it is",
    "logprobs_mode": "it is a setting of the whole engine; see --logprobs-mode",
}
"""Fields of `guided.SamplingParams` that are no options here -> why."""


@dataclass(frozen=True)
class VllmOptions(GrammarOptions):
    """The options of one request: those of every engine, and these.

    arguments: `structured_outputs.grammar` is JSON text with the arguments of `guided.compile_grammar`, such as
        `all_of`. No other option of a grammar may be given with it.
    draft_forced: with n-gram speculation, propose tokens that the grammar forces.
    logit_processors, custom_params: see `guided.SamplingParams`.
    return_enforcement: add to the answer what the grammar enforces, see `enforcement.py`.
    """

    arguments: bool = False
    draft_forced: bool = True
    logit_processors: tuple[Any, ...] = ()
    custom_params: Mapping[str, Any] | None = None
    return_enforcement: bool = False

    ENGINE: ClassVar[str] = "vLLM"
    REFUSED: ClassVar[Mapping[str, str]] = REFUSED
    TYPES: ClassVar[Mapping[str, tuple[Any, str]]] = {
        **GrammarOptions.TYPES,
        "arguments": (bool, "true or false"),
        "draft_forced": (bool, "true or false"),
        "logit_processors": (list | tuple, "a list"),
        "custom_params": (Mapping, "an object"),
        "return_enforcement": (bool, "true or false"),
    }

    def __post_init__(self) -> None:
        object.__setattr__(self, "logit_processors", tuple(self.logit_processors))

    @classmethod
    def read(cls, given_by_name: Mapping[str, Any] | None) -> Self:
        """The options in vLLM's `SamplingParams.extra_args`; defaults if there are none. Raises RequestOptionError."""
        options = super().read(given_by_name)
        if options.custom_params is not None and not options.logit_processors:
            raise RequestOptionError("custom_params", "only applies to logit_processors, and there are none")
        return options
