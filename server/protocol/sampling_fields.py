"""JSON Schemas of the request fields that `guided.params.conversions.from_openai` reads, for the API's document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.params.conversions import MAX_OUTPUTS, MAX_REQUEST_TEMPERATURE, MAX_TOP_LOGPROBS
from guided.params.sampling_params import MAX_PENALTY, MAX_SEED, MAX_TOKENS, MIN_REPETITION_PENALTY

Schema = dict[str, Any]


def _number(minimum: float, maximum: float, description: str) -> Schema:
    return {"type": "number", "minimum": minimum, "maximum": maximum, "description": description}


def _integer(minimum: int, maximum: int | None, description: str) -> Schema:
    bound = {} if maximum is None else {"maximum": maximum}
    return {"type": "integer", "minimum": minimum, **bound, "description": description}


def _switch(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _token_ids(description: str, **more: Any) -> Schema:
    return {"type": "array", "items": {"type": "integer", "minimum": 0}, "description": description, **more}


def _texts(description: str) -> Schema:
    text = {"type": "string", "minLength": 1}
    return {"anyOf": [text, {"type": "array", "items": text}], "description": description}


_MAX_TOKENS = _integer(1, None, "Tokens that the answer may have. Unset: what is left of the context.")
_MIN_TOKENS = _integer(0, MAX_TOKENS, "Nothing ends the text before so many tokens.")
_SEED = _integer(0, MAX_SEED, "Of the request's own random stream: the same seed gives the same text.")
_KEEP_STOP = _switch("Keep in the text what ended it.")

SAMPLING_FIELDS: Mapping[str, Schema] = {
    "temperature": _number(0, MAX_REQUEST_TEMPERATURE, "0 takes the most probable token. Default 1."),
    "top_p": _number(0, 1, "Keep the fewest most probable tokens whose mass reaches it. 1 is off."),
    "n": _integer(1, MAX_OUTPUTS, "Outputs of the prompt."),
    "max_tokens": _MAX_TOKENS,
    "max_completion_tokens": _MAX_TOKENS,
    "stop": _texts("Strings that end the text where the first of them is complete."),
    "presence_penalty": _number(-MAX_PENALTY, MAX_PENALTY, "Off the logit of every token that the output holds."),
    "frequency_penalty": _number(-MAX_PENALTY, MAX_PENALTY, "The same for each time that it holds the token."),
    "logit_bias": {
        "type": "object",
        "propertyNames": {"pattern": "^[0-9]{1,18}$"},
        "additionalProperties": {"type": "number", "minimum": -100, "maximum": 100},
        "description": "Token id -> what is added to its logit.",
    },
    "seed": _SEED,
    "max_new_tokens": _MAX_TOKENS,
    "min_tokens": _MIN_TOKENS,
    "min_new_tokens": _MIN_TOKENS,
    "sampling_seed": _SEED,
    "top_k": _integer(-1, None, "Keep the k most probable tokens. 0 and -1 are off."),
    "min_p": _number(0, 1, "Keep tokens at least so many times as probable as the best one. 0 is off."),
    "repetition_penalty": _number(
        MIN_REPETITION_PENALTY, MAX_PENALTY, "Logits of tokens of prompt and output are divided by it. 1 is off."
    ),
    "stop_token_ids": _token_ids("Tokens that end the text."),
    "stop_regex": _texts("The same as stop for what a regex matches."),
    "ignore_eos": _switch("End-of-sequence tokens don't end the text."),
    "stop_in_strings": _switch("A stop counts within the strings of a JSON document too."),
    "include_stop_str_in_output": _KEEP_STOP,
    "no_stop_trim": _KEEP_STOP,
    "skip_special_tokens": _switch("Leave special tokens out of the text."),
    "spaces_between_special_tokens": _switch("Put spaces beside the names of special tokens."),
    "bad_words": {
        "type": "array",
        "items": {"anyOf": [{"type": "string", "minLength": 1}, _token_ids("Its tokens.", minItems=1)]},
        "description": "Words that are not written.",
    },
    "allowed_token_ids": _token_ids("Only these tokens.", minItems=1),
    "prompt_logprobs": _integer(0, MAX_TOP_LOGPROBS, "Log-probabilities of the prompt's tokens too."),
    "custom_params": {"type": "object", "description": "Parameters of custom processors that bring none of their own."},
    "custom_logit_processor": {"type": "string", "description": "A signed processor, where the server allows them."},
    "filter_order": {"enum": ["top_k_first", "joint"], "description": "What top_p looks at beside top_k."},
    "penalize_forced": _switch("Penalties count tokens that the grammar forced."),
    "logprobs_mode": {
        "enum": ["raw", "processed", "both"],
        "description": "Of the model's own logits, or of what is drawn from.",
    },
    "logprob_token_ids": _token_ids("At each step also the log-probabilities of these."),
    "logit_processors": {
        "type": "array",
        "items": {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "minItems": 2, "maxItems": 2},
                {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "params": {"type": "object"}},
                    "required": ["name"],
                    "additionalProperties": False,
                },
            ]
        },
        "description": "Custom processors by name; GET /v1/logit_processors lists them.",
    },
    "thinking": _switch("False: a block of thinking that the chat template opened is closed at once."),
    "thinking_budget": _integer(0, MAX_TOKENS, "Tokens that the model may think."),
}

NULLABLE_SAMPLING_FIELDS: Mapping[str, Schema] = {
    name: {
        "anyOf": [{key: value for key, value in field.items() if key != "description"}, {"type": "null"}],
        "description": field["description"],
    }
    for name, field in SAMPLING_FIELDS.items()
}
"""The same where null takes the default."""
