"""What a request may ask of the plug-in beside vLLM's own fields: `extra_args["guided"]`.

Over HTTP these are `vllm_xargs`, which hold no nested objects: there the options are JSON text,
`"vllm_xargs": {"guided": "{\\"values\\": \\"any\\"}"}`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .errors import RequestOptionError

BACKEND = "guided"
"""The name of the backend in vLLM's configuration."""
KEY = "guided"
"""Of the options, in `extra_args`."""

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
    "all_of": "vLLM's structured_outputs has no field for it",
    "thinking": "vLLM's reasoning parsers decide it; see --reasoning-parser",
    "thinking_budget": 'use thinking_token_budget, or the processor {"name": "thinking_budget"}',
    "separate_thinking": "vLLM's reasoning parsers do that; see --reasoning-parser",
    "penalize_forced": "vLLM's sampler counts all tokens of the output, and does not know which were forced",
    "filter_order": "vLLM's sampler has one order: top_k first",
    "stop_regex": "vLLM ends texts by strings and tokens only",
    "stop_in_strings": "vLLM looks for stop strings in the text, whatever it is",
    "logprobs_mode": "it is a setting of the whole engine; see --logprobs-mode",
}
"""Fields of `guided.SamplingParams` that are no options here, and why."""


@dataclass(frozen=True)
class RequestOptions:
    """The options of one request.

    whitespace, property_order, values, resources: of a JSON schema, as `guided.compile_grammar` takes them. whitespace
        None: what structured_outputs says, else "flexible". values None: "canonical".
    dialect: of a grammar: "gbnf", "xgrammar", "w3c" or "lark"; None: recognised.
    close: near the end of max_tokens allow only what can still be completed; False: the text may be cut.
    draft_forced: with n-gram speculation, propose the tokens that the grammar forces.
    logit_processors, custom_params: as in `guided.SamplingParams`.

    Raises RequestOptionError.
    """

    whitespace: str | None = None
    property_order: str | None = None
    values: str | None = None
    dialect: str | None = None
    resources: Mapping[str, Any] | None = None
    close: bool = True
    draft_forced: bool = True
    logit_processors: tuple[Any, ...] = ()
    custom_params: Mapping[str, Any] | None = None

    @classmethod
    def read(cls, extra_args: Mapping[str, Any] | None) -> RequestOptions:
        """The options in vLLM's `SamplingParams.extra_args`; the defaults where there are none."""
        given = None if extra_args is None else extra_args.get(KEY)
        if given is None:
            return _DEFAULTS
        if isinstance(given, str):
            given = _parse(given)
        if not isinstance(given, Mapping):
            raise RequestOptionError("", f"expected an object or its JSON text, not a {type(given).__name__}")
        for name in given:
            _check_name(name)
        options = {name: value for name, value in given.items() if value is not None}
        for name, value in options.items():
            _check_type(name, value)
        if "logit_processors" in options:
            options["logit_processors"] = tuple(options["logit_processors"])
        if "custom_params" in options and not options.get("logit_processors"):
            raise RequestOptionError("custom_params", "only applies to logit_processors, and there are none")
        return cls(**options)


_DEFAULTS = RequestOptions()
_NAMES = tuple(field.name for field in fields(RequestOptions))
_TYPES: dict[str, tuple[type, str]] = {
    "resources": (Mapping, "an object of schemas by their URIs"),
    "close": (bool, "true or false"),
    "draft_forced": (bool, "true or false"),
    "logit_processors": (list | tuple, "a list"),  # type: ignore[dict-item]
    "custom_params": (Mapping, "an object"),
}


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RequestOptionError("", f"is no JSON text: {error}") from None


def _check_name(name: Any) -> None:
    if name in _NAMES:
        return
    if name in REFUSED:
        raise RequestOptionError(name, f"can't be given to vLLM's engine: {REFUSED[name]}")
    raise RequestOptionError(str(name), f"unknown option; known are {', '.join(_NAMES)}")


def _check_type(name: str, value: Any) -> None:
    wanted, words = _TYPES.get(name, (str, "a text"))
    if not isinstance(value, wanted):
        raise RequestOptionError(name, f"expected {words}, not a {type(value).__name__}")
