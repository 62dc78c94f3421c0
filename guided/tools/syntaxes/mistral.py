"""Mistral: `[TOOL_CALLS]` and a list of objects with name and arguments; former calls have ids in it, new ones none.

From tokenizer v11 on each call is `[TOOL_CALLS]`, the name, `[ARGS]` and the arguments; v11 writes an id, too. Ids have
nine letters and digits.
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
