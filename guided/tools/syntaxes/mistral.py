"""Mistral: `[TOOL_CALLS]` and a list of objects with name and arguments. Earlier calls contain ids, new ones do not.

From tokenizer v11 on, each call is `[TOOL_CALLS]`, the name, `[ARGS]` and the arguments; v11 also writes an id. Ids
have nine letters and digits.
"""

from __future__ import annotations

from ..ids import SHORT_IDS
from ..syntax import ToolSyntax

_TRIGGER = "[TOOL_CALLS]"

MISTRAL = ToolSyntax(
    "mistral",
    '{"name": "NAME", "arguments": ARGUMENTS}',
    id_part=', "id": "ID"',
    group_begin="[TOOL_CALLS][",
    between=", ",
    group_end="]",
    trigger=_TRIGGER,
    ids=SHORT_IDS,
)
MISTRAL_IDS = ToolSyntax("mistral_ids", "[TOOL_CALLS]NAME[CALL_ID]ID[ARGS]ARGUMENTS", trigger=_TRIGGER, ids=SHORT_IDS)
MISTRAL_ARGS = ToolSyntax("mistral_args", "[TOOL_CALLS]NAME[ARGS]ARGUMENTS", trigger=_TRIGGER, ids=SHORT_IDS)
