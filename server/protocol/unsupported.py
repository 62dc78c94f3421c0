"""Request fields of other servers that this one does not support: refused unless their value asks for nothing.

A field that would change the output must never be silently ignored. Each known field is therefore listed here with the
values that change nothing; null always changes nothing. Unknown fields are tolerated. A field that becomes supported
moves from this table to its format's request model. Fields that only one format supports are refused by the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.params.checks import shown

from ..errors import InvalidRequestError
from .constraints import ConstraintFields

UNSUPPORTED = "unsupported_parameter"  # code of the error
ANYTHING_ELSE = "leave it out"
IN_PYTHON = "it is an option of guided.SamplingParams in Python"
TOLD = ""  # in place of advice: any value is accepted, and the answer lists the field as ignored
USE_CHAT = "use /v1/chat/completions"
USE_EBNF = "use the field 'ebnf'"
USE_PROCESSORS = "use logit_processors with"
DRY_FIELDS = ("dry_base", "dry_allowed_length", "dry_penalty_last_n", "dry_sequence_breakers")
HOLDERS = ("extra_body", "sampling_params", "options", "parameters", "generation_config", "generationConfig")
USE_CONSTRAINT = "use response_format, regex, ebnf or choice"
SCHEMA_NAMES = (
    *("format", "schema", "json", "json_mode", "json_object", "output_schema", "text_format"),
    *("response_schema", "responseSchema", "response_model", "response_mime_type", "responseMimeType"),
)
GUIDED = "guided_"  # the beginning of the names of vLLM's older fields
GUIDED_FIELDS = frozenset(name for name in ConstraintFields.model_fields if name.startswith(GUIDED))

Fields = Mapping[str, tuple[tuple[Any, ...], str]]
"""Field -> (values that ask for nothing, what to do instead). TOLD instead: any value is accepted and ignored."""


def schemas_elsewhere(instead: str) -> Fields:
    """Other systems' fields for the answer's schema or for JSON output. instead: the field that has the schema here."""
    return dict.fromkeys(SCHEMA_NAMES, ((False, "text/plain"), f"use {instead}"))


# fields of every format
SHARED_FIELDS: Fields = {
    # fields of OpenAI
    "prediction": ((), TOLD),
    "service_tier": (("auto", "default", "standard_only"), TOLD),
    "modalities": ((["text"],), "this server answers in text"),
    "audio": ((), "this server answers in text"),
    "verbosity": (("medium",), TOLD),
    "web_search_options": ((), ANYTHING_ELSE),
    # fields of vLLM and SGLang
    "length_penalty": ((1,), ANYTHING_ELSE),
    "typical_p": ((1,), ANYTHING_ELSE),
    "logits_processors": (([],), "use logit_processors with registered names"),
    "use_beam_search": ((False,), ANYTHING_ELSE),
    "truncate_prompt_tokens": ((), "shorten the prompt; no prompt is cut in silence"),
    "guided_decoding_backend": ((), "whoever runs the server chooses the backend"),
    "whitespace_pattern": ((), "use whitespace"),
    "return_tokens_as_token_ids": ((False,), ANYTHING_ELSE),
    "detokenize": ((True,), ANYTHING_ELSE),
    "stream_reasoning": ((True,), ANYTHING_ELSE),
    "chat_template": ((), "the model's own template is used"),
    "lora_path": ((), ANYTHING_ELSE),
    "return_hidden_states": ((False,), IN_PYTHON),
    "return_logits": ((False,), IN_PYTHON),
    "return_logprob": ((False,), "use logprobs"),
    "top_logprobs_num": ((0,), "use top_logprobs"),
    "token_ids_logprob": (([],), "use logprob_token_ids"),
    "logprob_start_len": ((-1,), "use prompt_logprobs"),
    "return_text_in_logprobs": ((False, True), "entries of logprobs have their text"),
    "enable_deterministic_inference": ((True, False), "a request with a seed always gives the same tokens"),
    "return_routed_experts": ((False,), ANYTHING_ELSE),
    "session_params": ((), "send the whole conversation"),
    "input_ids": ((), "use prompt, which takes token ids"),
    # our own, available in Python only
    "particles": ((), IN_PYTHON),
    # from transformers
    "do_sample": ((True,), "use temperature=0 for greedy"),
    "num_beams": ((1,), ANYTHING_ELSE),
    "no_repeat_ngram_size": ((0,), f"{USE_PROCESSORS} 'no_repeat_ngram'"),
    "epsilon_cutoff": ((0,), ANYTHING_ELSE),
    "eta_cutoff": ((0,), ANYTHING_ELSE),
    # from llama.cpp
    "grammar": ((), USE_EBNF),
    "repeat_penalty": ((1,), "use repetition_penalty"),
    "repeat_last_n": ((), ANYTHING_ELSE),
    "n_predict": ((), "use max_tokens"),
    "n_probs": ((0,), "use logprobs with top_logprobs"),
    "mirostat": ((0,), ANYTHING_ELSE),
    "dynatemp_range": ((0,), ANYTHING_ELSE),
    "samplers": ((), ANYTHING_ELSE),
    "top_n_sigma": ((-1,), f"{USE_PROCESSORS} 'top_n_sigma'"),
    "dry_multiplier": ((0,), f"{USE_PROCESSORS} 'no_repeat_ngram'"),
    **dict.fromkeys(DRY_FIELDS, ((), ANYTHING_ELSE)),
    "xtc_probability": ((0,), f"{USE_PROCESSORS} 'top_n_sigma'"),
    "xtc_threshold": ((), ANYTHING_ELSE),
    **schemas_elsewhere("response_format"),
    # constraints of other systems, and containers of fields
    **dict.fromkeys(HOLDERS, (({},), "put its fields beside the others, as clients do")),
    "nvext": ((), USE_CONSTRAINT),
    "guided_decoding": ((), USE_CONSTRAINT),
    "structured_output": ((), USE_CONSTRAINT),
    "constraint": ((), USE_CONSTRAINT),
    "constraints": ((), USE_CONSTRAINT),
    "pattern": ((), "use regex"),
    "choices": ((), "use choice"),
    "lark": ((), "use ebnf, with dialect='lark'"),
    "gbnf": ((), "use ebnf, with dialect='gbnf'"),
    # fields of earlier versions of OpenAI's chats
    "functions": (([],), "use tools"),
    "function_call": (("none", "auto"), "use tool_choice"),
    # fields that only guided's Python API has
    "preset": ((), "give its temperature and top_p"),
}

CHATS_OWN: Fields = {
    "chat_template_kwargs": (({},), USE_CHAT),
    "add_generation_prompt": ((True,), USE_CHAT),
    "continue_final_message": ((False,), USE_CHAT),
    "documents": (([],), "put them into a message"),
    "separate_reasoning": ((True,), USE_CHAT),
    "include_reasoning": ((True,), USE_CHAT),
}
CHATS_LOGPROBS: Fields = {
    "logprob_token_ids": ((), USE_CHAT),
    "return_masked_mass": ((False,), USE_CHAT),
}
OF_CHOICES: Fields = {
    **CHATS_LOGPROBS,
    "n": ((1,), "send the request several times"),
    "prompt_logprobs": ((), USE_CHAT),
    "return_token_ids": ((False,), USE_CHAT),
}
COMPLETIONS_OWN: Fields = {
    "echo": ((False,), "use /v1/completions"),
    "best_of": ((1,), "use /v1/completions"),
    "suffix": (("",), ANYTHING_ELSE),
}
RESPONSES_OWN: Fields = {
    "input": ((), "use /v1/responses"),
    "instructions": ((), "put them into the prompt"),
    "text": ((), "use response_format"),
    "reasoning": ((), "use /v1/responses"),
    "include": (([],), "use /v1/responses"),
    "max_output_tokens": ((), "use max_tokens"),
    "store": ((False,), TOLD),
    "previous_response_id": ((), "send the whole conversation"),
    "conversation": ((), "send the whole conversation"),
    "truncation": (("disabled",), "shorten the prompt; nothing is cut in silence"),
}
MESSAGES_OWN: Fields = {
    "system": ((), "use /v1/messages, or put it into the prompt"),
    "stop_sequences": (([],), "use stop"),
    "output_config": (({},), "use /v1/messages"),
    "output_format": ((), "use /v1/messages"),
}

CHAT_FIELDS: Fields = {
    **SHARED_FIELDS,
    **COMPLETIONS_OWN,
    **RESPONSES_OWN,
    **MESSAGES_OWN,
    "prompt": ((), "use messages"),
    "best_of": ((1,), "use n"),
    "suffix": (("",), "a chat has none"),
    "echo": ((False,), ANYTHING_ELSE),
    "documents": (([],), "put them into a message"),
    "include_reasoning": ((True,), "use separate_reasoning"),
}

COMPLETION_FIELDS: Fields = {
    **SHARED_FIELDS,
    **CHATS_OWN,
    **CHATS_LOGPROBS,
    **RESPONSES_OWN,
    **MESSAGES_OWN,
    "messages": ((), USE_CHAT),
    "reasoning_effort": ((), USE_CHAT),
    "parallel_tool_calls": ((True, False), USE_CHAT),
    "repeat_tool_calls": ((True, False), USE_CHAT),
    "suffix": (("",), "text can't be filled in here; ask for it in the prompt"),
    "prompt_embeds": ((), "send the prompt as text or token ids"),
    "tools": (([],), USE_CHAT),
    "tool_choice": (("none", "auto"), USE_CHAT),
    "top_logprobs": ((), "logprobs is the number of alternatives here"),
}

RESPONSE_FIELDS: Fields = {
    **SHARED_FIELDS,
    **CHATS_OWN,
    **OF_CHOICES,
    **COMPLETIONS_OWN,
    **MESSAGES_OWN,
    **schemas_elsewhere("text.format"),
    "reasoning_effort": ((), "use reasoning.effort"),
    "conversation": ((), "send the whole conversation as input, or previous_response_id"),
    "background": ((False,), ANYTHING_ELSE),
    "prompt": ((), "send its text as instructions"),
    "truncation": (("disabled",), "shorten the input; nothing is cut in silence"),
    "context_management": (([],), TOLD),
    "max_tool_calls": ((), TOLD),
    "moderation": ((), ANYTHING_ELSE),
    "image": ((), "this server answers in text"),
    "response_format": ((), "use text.format"),
    "messages": ((), "use input"),
    "max_tokens": ((), "use max_output_tokens"),
    "max_completion_tokens": ((), "use max_output_tokens"),
    "logprobs": ((False,), "use include=['message.output_text.logprobs']"),
}

MESSAGE_FIELDS: Fields = {
    **SHARED_FIELDS,
    **CHATS_OWN,
    **OF_CHOICES,
    **COMPLETIONS_OWN,
    **RESPONSES_OWN,
    **schemas_elsewhere("output_config.format"),
    "prompt": ((), "use messages"),
    "parallel_tool_calls": ((True,), "use tool_choice.disable_parallel_tool_use"),
    "container": ((), "this server runs no tools itself"),
    "mcp_servers": (([],), "this server runs no tools itself"),
    "context_management": (({},), TOLD),
    "speed": (("standard",), TOLD),
    "max_completion_tokens": ((), "use max_tokens"),
    "logprobs": ((False,), USE_CHAT),
    "reasoning_effort": ((), "use output_config.effort"),
    "thinking_budget": ((), "use thinking.budget_tokens"),
}


def refuse_unsupported(body: Mapping[str, Any], fields: Fields) -> tuple[str, ...]:
    """The given fields that are accepted but have no effect.

    fields: the table of the request's format.
    Raises InvalidRequestError with code "unsupported_parameter" for a field that asks for an unsupported feature.
    """
    told = []
    for field, (neutral_values, instead) in fields.items():
        value = body.get(field)
        if value is not None and not any(_same(value, neutral) for neutral in neutral_values):
            if instead == TOLD:
                told.append(field)
                continue
            message = f"{field}={shown(value)} is not supported yet; {instead}"
            raise InvalidRequestError(message, param=field, code=UNSUPPORTED)
    for field, value in body.items():
        if field.startswith(GUIDED) and field not in GUIDED_FIELDS and value is not None:
            message = (
                f"{shown(field)} is no field that is known here; the fields are {', '.join(sorted(GUIDED_FIELDS))}"
            )
            raise InvalidRequestError(message, param=field, code=UNSUPPORTED)
    return tuple(told)


def _same(value: Any, neutral: Any) -> bool:
    return isinstance(value, bool) == isinstance(neutral, bool) and bool(value == neutral)
