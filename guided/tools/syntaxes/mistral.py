"""Mistral: `[TOOL_CALLS]` and a list of objects with name and arguments.

From tokenizer v11 on each call is `[TOOL_CALLS]`, the name, `[ARGS]` and the arguments. Its chat templates take only
ids of nine letters and digits.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import secrets
import string

from ..syntax import ToolSyntax

ID_LENGTH = 9
ALPHABET = string.ascii_letters + string.digits


def new_mistral_id() -> str:
    """Nine random letters and digits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def mistral_id(call_id: str) -> str:
    """The id where it fits; else nine letters and digits that follow from it, so that call and result agree."""
    if re.fullmatch(f"[a-zA-Z0-9]{{{ID_LENGTH}}}", call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:ID_LENGTH])


MISTRAL = ToolSyntax(
    "mistral",
    name_prefix='{"name": "',
    name_suffix='", "arguments": ',
    closer="}",
    group_begin="[TOOL_CALLS][",
    between=", ",
    group_end="]",
    trigger="[TOOL_CALLS]",
    new_call_id=new_mistral_id,
    template_id=mistral_id,
)
MISTRAL_SPACED = dataclasses.replace(MISTRAL, name="mistral_spaced", group_begin="[TOOL_CALLS] [")
MISTRAL_ARGS = ToolSyntax(
    "mistral_args",
    name_prefix="[TOOL_CALLS]",
    name_suffix="[ARGS]",
    trigger="[TOOL_CALLS]",
    new_call_id=new_mistral_id,
    template_id=mistral_id,
)


def find(template: str) -> ToolSyntax | None:
    """The syntax, where a chat template writes it."""
    if "[TOOL_CALLS]" not in template:
        return None
    if "[ARGS]" in template:
        return MISTRAL_ARGS
    return MISTRAL_SPACED if "[TOOL_CALLS] [" in template else MISTRAL
