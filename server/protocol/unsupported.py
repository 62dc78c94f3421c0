"""Request fields of other servers that this one does not support: refused unless their value asks for nothing.

A field that would change the output must never be silently ignored. The table unsupported.toml therefore lists each
known field with the values that change nothing. Unknown fields are tolerated. Fields that only one format supports are
refused by the others.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from guided.params.checks import shown

from ..errors import InvalidRequestError
from .constraints import ConstraintFields

UNSUPPORTED = "unsupported_parameter"  # code of the error
TOLD = ""  # the field's value is accepted, and the answer lists it as ignored
SCHEMA_NAMES = (  # other systems' fields for the answer's schema or for JSON output
    *("format", "schema", "json", "json_mode", "json_object", "output_schema", "text_format"),
    *("response_schema", "responseSchema", "response_model", "response_mime_type", "responseMimeType"),
)
GUIDED = "guided_"  # the beginning of the names of vLLM's older fields
GUIDED_FIELDS = frozenset(name for name in ConstraintFields.model_fields if name.startswith(GUIDED))

Fields = Mapping[str, tuple[tuple[Any, ...], str]]
"""Field -> (values that ask for nothing, what to do instead). TOLD instead: any value is accepted and ignored."""

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def _fields(*sections: str, schema: str = "response_format") -> Fields:
    """The fields in these sections of the table; later sections win. schema: the format's field for a schema."""
    found = {
        name: (tuple(entry.get("neutral", ())), entry.get("instead", TOLD))
        for section in sections
        for name, entry in _TABLE[section].items()
    }
    return found | dict.fromkeys(SCHEMA_NAMES, ((False, "text/plain"), f"use {schema}"))


SHARED_FIELDS = _fields("shared")
CHAT_FIELDS = _fields("shared", "completions_own", "responses_own", "messages_own", "chat")
COMPLETION_FIELDS = _fields("shared", "chats_own", "chats_logprobs", "responses_own", "messages_own", "completions")
_CHATS_ALONE = ("shared", "chats_own", "chats_logprobs", "of_choices", "completions_own")
RESPONSE_FIELDS = _fields(*_CHATS_ALONE, "messages_own", "responses", schema="text.format")
MESSAGE_FIELDS = _fields(*_CHATS_ALONE, "responses_own", "messages", schema="output_config.format")


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
