"""Request fields that other servers act on and this one does not yet: refused unless they ask for nothing.

A field that would change the output must never be ignored in silence, so each known one is listed here with the values
that change nothing; null always changes nothing. Fields nobody knows are tolerated. A field that becomes supported
moves from this table to its format's request model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InvalidRequestError, shorten

ANYTHING_ELSE = "leave it out"
USE_RESPONSE_FORMAT = "use response_format with type 'json_schema'"
USE_EBNF = "use the field 'ebnf'"
USE_PROCESSORS = "use logit_processors with"
DRY_FIELDS: Mapping[str, tuple[Any, ...]] = {
    "multiplier": (0,),
    "base": (),
    "allowed_length": (),
    "penalty_last_n": (),
    "sequence_breakers": (),
}

# field -> (values that change nothing, what to do instead)
UNSUPPORTED_FIELDS: Mapping[str, tuple[tuple[Any, ...], str]] = {
    # OpenAI
    "tools": (([],), USE_RESPONSE_FORMAT),
    "tool_choice": (("none", "auto"), USE_RESPONSE_FORMAT),
    "functions": (([],), USE_RESPONSE_FORMAT),
    "function_call": (("none", "auto"), USE_RESPONSE_FORMAT),
    "modalities": ((["text"],), "this server answers in text"),
    "audio": ((), "this server answers in text"),
    "reasoning_effort": (("none",), ANYTHING_ELSE),
    "verbosity": (("medium",), ANYTHING_ELSE),
    "web_search_options": ((), ANYTHING_ELSE),
    "store": ((False,), "this server keeps nothing"),
    # vLLM and SGLang
    "best_of": ((1,), "use n"),
    "length_penalty": ((1,), ANYTHING_ELSE),
    "typical_p": ((1,), ANYTHING_ELSE),
    "logits_processors": (([],), "use logit_processors with registered names"),
    "use_beam_search": ((False,), ANYTHING_ELSE),
    "echo": ((False,), ANYTHING_ELSE),
    "truncate_prompt_tokens": ((), "shorten the prompt; no prompt is cut in silence"),
    "add_generation_prompt": ((True,), ANYTHING_ELSE),
    "continue_final_message": ((False,), ANYTHING_ELSE),
    "chat_template": ((), "the model's own template is used"),
    "chat_template_kwargs": (({},), ANYTHING_ELSE),
    "json_schema": ((), USE_RESPONSE_FORMAT),
    "guided_json_object": ((False,), "use response_format with type 'json_object'"),
    "guided_whitespace_pattern": ((), "use structured_outputs with whitespace_pattern"),
    "guided_decoding_backend": ((), "whoever runs the server chooses the backend"),
    "whitespace_pattern": ((), "use whitespace"),
    "return_tokens_as_token_ids": ((False,), ANYTHING_ELSE),
    "return_token_ids": ((False,), ANYTHING_ELSE),
    "detokenize": ((True,), ANYTHING_ELSE),
    "separate_reasoning": ((True,), "thinking is apart from the content here"),
    "prediction": ((), ANYTHING_ELSE),
    "service_tier": (("auto", "default"), ANYTHING_ELSE),
    # transformers
    "do_sample": ((True,), "use temperature=0 for greedy"),
    "num_beams": ((1,), ANYTHING_ELSE),
    "no_repeat_ngram_size": ((0,), f"{USE_PROCESSORS} 'no_repeat_ngram'"),
    "epsilon_cutoff": ((0,), ANYTHING_ELSE),
    "eta_cutoff": ((0,), ANYTHING_ELSE),
    # llama.cpp
    "grammar": ((), USE_EBNF),
    "repeat_penalty": ((1,), "use repetition_penalty"),
    "repeat_last_n": ((), ANYTHING_ELSE),
    "n_predict": ((), "use max_tokens"),
    "n_probs": ((0,), "use logprobs with top_logprobs"),
    "mirostat": ((0,), ANYTHING_ELSE),
    "dynatemp_range": ((0,), ANYTHING_ELSE),
    "samplers": ((), ANYTHING_ELSE),
    "top_n_sigma": ((-1,), f"{USE_PROCESSORS} 'top_n_sigma'"),
    **{f"dry_{name}": (neutral, f"{USE_PROCESSORS} 'dry'") for name, neutral in DRY_FIELDS.items()},
    "xtc_probability": ((0,), f"{USE_PROCESSORS} 'xtc'"),
    "xtc_threshold": ((), f"{USE_PROCESSORS} 'xtc'"),
    # of guided's Python API only
    "preset": ((), "give its temperature and top_p"),
}


def refuse_unsupported(body: Mapping[str, Any]) -> None:
    """Raises InvalidRequestError, code "unsupported_parameter", for a field that asks for what is not there yet."""
    for field, (neutral_values, instead) in UNSUPPORTED_FIELDS.items():
        value = body.get(field)
        if value is not None and not any(_same(value, neutral) for neutral in neutral_values):
            message = f"{field}={shorten(value)} is not supported yet; {instead}"
            raise InvalidRequestError(message, param=field, code="unsupported_parameter")


def _same(value: Any, neutral: Any) -> bool:
    return isinstance(value, bool) == isinstance(neutral, bool) and bool(value == neutral)
