"""The plug-in's options of a request, beside SGLang's own fields: `custom_params["guided"]`.

The value is an object or its JSON text. The text is needed because SGLang's parameters hold no nested objects, such as
`resources`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ..common.options import GrammarOptions

_OWN_FIELD = "SGLang has a field of its own for it"
_IN_GRAMMAR = "give the grammar in json_schema, regex, ebnf or structural_tag"
_PROCESSORS = "SGLang runs processors of its own kind only; see its custom_logit_processor"
REFUSED = {
    **dict.fromkeys(("json_schema", "regex", "ebnf", "structural_tag"), _IN_GRAMMAR),
    "choice": "SGLang has no field for it; write it as a regex or as an enum",
    "sources": "SGLang has no field for the texts that quotes are of",
    "all_of": "SGLang has no field for it",
    **dict.fromkeys(
        ("temperature", "top_k", "top_p", "min_p", "n", "stop", "stop_token_ids", "stop_regex"), _OWN_FIELD
    ),
    **dict.fromkeys(("frequency_penalty", "presence_penalty", "repetition_penalty", "logit_bias"), _OWN_FIELD),
    **dict.fromkeys(("ignore_eos", "skip_special_tokens", "spaces_between_special_tokens"), _OWN_FIELD),
    **dict.fromkeys(("max_new_tokens", "min_new_tokens"), _OWN_FIELD),
    "seed": "SGLang's field for it is sampling_seed",
    "include_stop_str_in_output": "SGLang's field for it is no_stop_trim",
    **dict.fromkeys(("logprobs", "prompt_logprobs"), "SGLang's fields for it are return_logprob and top_logprobs_num"),
    "logprob_token_ids": "SGLang's field for it is token_ids_logprob",
    "logprobs_mode": "SGLang has one way for all requests",
    "bad_words": "SGLang can't; logit_bias forbids single tokens",
    "allowed_token_ids": "SGLang can't; write a grammar of these tokens",
    "logit_processors": _PROCESSORS,
    "custom_params": _PROCESSORS,
    "thinking": "SGLang's reasoning parsers decide it; see --reasoning-parser",
    "thinking_budget": "SGLang's own is custom_params.thinking_budget, with --enable-strict-thinking",
    "separate_thinking": "SGLang's field for it is separate_reasoning",
    "penalize_forced": "SGLang's sampler counts all tokens of the output, and does not know which were forced",
    "limits": "whoever runs the engine sets them for all requests, in GUIDED_LIMITS",
    "filter_order": "SGLang's sampler has one order",
    **dict.fromkeys(("particles", "return_hidden_states", "return_logits"), "for guided's own engine alone"),
    "return_enforcement": "the plug-in adds nothing to SGLang's answers; see guided check --json",
    "stop_in_strings": "SGLang looks for stop strings in the text, whatever it is",
}
"""Fields of `guided.SamplingParams` that are no options here -> why."""


@dataclass(frozen=True)
class SglangOptions(GrammarOptions):
    """The options of one request, which are those of every engine."""

    ENGINE: ClassVar[str] = "SGLang"
    REFUSED: ClassVar[Mapping[str, str]] = REFUSED
